printf 'id\n' >runs.csv
"$GPUPLAN" calibrate runs.csv --set gpu=h100-sxm
