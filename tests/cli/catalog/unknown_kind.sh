"$GPUPLAN" catalog show gadget x
