# A signal ends it with 130 and leaves nothing half-written.
mkfifo spec.yaml
"$GPUPLAN" size spec.yaml -o report.json &
process=$!
sleep 1
kill -INT $process 2>/dev/null || true
kill -TERM $process 2>/dev/null || true
code=0
wait $process || code=$?
rm spec.yaml
ls -A
exit $code
