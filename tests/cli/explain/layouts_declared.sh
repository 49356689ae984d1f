# A declared layout binds: what is not declared would be faster, and is told. In JSON by fields.
cd "$ROOT"
"$GPUPLAN" explain examples/quickstart.yaml pretrain layouts --format json \
    --set 'workloads[0].parallelism.zero=3' | grep -E '"(layout|outcome|why|rule|source)"'
