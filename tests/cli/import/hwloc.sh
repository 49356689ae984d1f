"$GPUPLAN" import hwloc:"$ROOT"/tests/samples/machines/lstopo.xml
