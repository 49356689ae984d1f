"$GPUPLAN" size -o report.sarif plan.yaml
