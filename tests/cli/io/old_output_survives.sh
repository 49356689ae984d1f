# An error leaves the earlier report as it was.
echo old >report.json
code=0
"$GPUPLAN" size nowhere.yaml -q -o report.json || code=$?
cat report.json
ls -A
exit $code
