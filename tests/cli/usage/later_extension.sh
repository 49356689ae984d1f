"$GPUPLAN" size -o report.xlsx plan.yaml
