"$GPUPLAN" size "$ROOT/examples/small-services.yaml" -f json |
    grep -E '"(gpuPart|gpuPartMethod|gpuFraction)": [^n]' | sort | uniq -c
