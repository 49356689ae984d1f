# Replicas over two hosts become groups; pools of prefill and decode stand apart; a run is a job.
cp "$ROOT/tests/e2e/data/services.yaml" .
"$GPUPLAN" export k8s services.yaml | grep -v -e digest -e sha256
