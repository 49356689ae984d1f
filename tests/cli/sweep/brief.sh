# A point has the same figures where nothing but they are made, and where all is told.
for spec in quickstart two-sites; do
    cp "$ROOT/examples/$spec.yaml" .
    for metric in summary.gpus summary.atExpected.gpus; do
        "$GPUPLAN" sweep $spec.yaml --set defaults.confidence=p80,p90 --metric $metric \
            -f csv | cut -d, -f1-8 >$metric.csv
    done
    sed -n 2p summary.gpus.csv | cut -d, -f1-3
    for metric in summary.gpus summary.atExpected.gpus; do
        sed 1d $metric.csv | cut -d, -f1-6 >$metric
    done
    cmp summary.gpus summary.atExpected.gpus && echo same
done
