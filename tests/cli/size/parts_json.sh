"$GPUPLAN" size "$ROOT/examples/small-services.yaml" -f json |
    grep -oE '"(gpuPart|gpuPartMethod|gpuFraction)":[^n,}][^,}]*' | sort | uniq -c
