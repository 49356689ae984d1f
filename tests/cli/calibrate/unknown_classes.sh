# Classes that the catalogue does not have, and a factor beyond the hardware: each is named.
cat >own.yaml <<'OWN'
apiVersion: gpuplan/v1
kind: Calibration
metadata: {name: own}
spec:
  factors:
    - {class: {gpu: h100-smx, precision: bf16}, term: gemmEfficiency, factor: 0.9, samples: 3}
    - {class: {gpu: h100-sxm, precision: nvfp4}, term: gemmEfficiency, factor: 0.9, samples: 3}
    - {class: {gpu: h100-sxm, precision: bf16}, term: gemmEfficiency, factor: 3, samples: 3}
    - {class: {framework: no-such}, term: stepTime, factor: 1.1, samples: 3}
    - {class: {engine: no-such}, term: cacheShare, factor: 1.1, samples: 3}
    - {class: {gpu: t4, link: scale-up}, term: busBandwidth, factor: 0.5, samples: 3}
OWN
printf 'id,gpu,collective,bytes,time_us\n' >runs.csv
"$GPUPLAN" backtest runs.csv --calibration own.yaml
