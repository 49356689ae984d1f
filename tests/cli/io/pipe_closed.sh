# Nobody reads: an error of the surroundings, not a death by signal.
{
    sleep 1
    code=0
    "$GPUPLAN" help rules 2>message || code=$?
    echo $code >code
} | true
cat code message
