# Factors on collectives inside a domain: long ones take the bandwidth, short ones the latency.
cat >own.yaml <<'OWN'
apiVersion: gpuplan/v1
kind: Calibration
metadata: {name: own}
spec:
  factors:
    - {class: {gpu: h100-sxm, link: scale-up}, term: busBandwidth, factor: 0.5, samples: 3}
    - {class: {gpu: h100-sxm, link: scale-up}, term: linkLatency, factor: 2, samples: 3}
OWN
printf '%s\n' id,gpu,collective,bytes,ranks,time_us \
    long,h100-sxm,all_reduce,1073741824,8,4000 \
    short,h100-sxm,all_reduce,8192,8,20 \
    other,a100-sxm-80gb,all_reduce,1073741824,8,8000 >runs.csv
"$GPUPLAN" backtest runs.csv -f csv
"$GPUPLAN" backtest runs.csv -f csv --calibration own.yaml
