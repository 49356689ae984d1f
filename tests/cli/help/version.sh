# Version and digest change; the lines stay.
"$GPUPLAN" version | sed 's/^gpuplan [0-9.]*$/gpuplan VERSION/; s/[0-9a-f]\{64\}/DIGEST/; s/^\(lib[a-z]*\): .*/\1: .../'
"$GPUPLAN" version >one
"$GPUPLAN" --version | cmp - one
"$GPUPLAN" version -f json |
    sed 's/"version":"[^"]*"/"version":"VERSION"/; s/[0-9a-f]\{64\}/DIGEST/; s/:true/:.../g; s/:false/:.../g'
