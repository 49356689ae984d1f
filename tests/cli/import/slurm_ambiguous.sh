cp "$ROOT"/tests/samples/machines/gres.conf .
"$GPUPLAN" import slurm:gres.conf
