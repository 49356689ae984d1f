"$GPUPLAN" size -o report.html plan.yaml
