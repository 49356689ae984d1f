"$GPUPLAN" schema report -f markdown
