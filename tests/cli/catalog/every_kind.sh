for kind in $("$GPUPLAN" catalog list | sed 1d | cut -d' ' -f1); do
    test "$("$GPUPLAN" catalog list $kind | wc -l)" -gt 1
done
