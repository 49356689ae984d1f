# A file that is no text is refused, not read for ever.
printf 'Name=gpu Type=h100 Count=8\0\n' >gres.conf
"$GPUPLAN" import slurm:gres.conf
