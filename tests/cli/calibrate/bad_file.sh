cat >own.yaml <<'OWN'
apiVersion: gpuplan/v1
kind: Calibration
metadata: {name: own}
spec:
  factors:
    - {class: {gpu: h100-sxm}, term: gemmEfficiency, factor: 0.9, samples: 3}
OWN
printf 'id,gpu,collective,bytes,time_us\n' >runs.csv
"$GPUPLAN" backtest runs.csv --calibration own.yaml
