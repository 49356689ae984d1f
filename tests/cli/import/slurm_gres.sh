"$GPUPLAN" import slurm:"$ROOT"/tests/samples/machines/gres.conf --gpu h100=h100-sxm --system l40s=our-4x-l40s
