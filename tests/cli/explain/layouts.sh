# Why not another layout: of a training those that are slower, short of memory, or not launched.
cd "$ROOT"
"$GPUPLAN" explain examples/quickstart.yaml pretrain layouts
