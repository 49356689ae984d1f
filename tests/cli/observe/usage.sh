cp "$ROOT/examples/minimal.yaml" plan.yaml
spec=plan.yaml
try() {
    "$GPUPLAN" "$@" || echo "exit $?" >&2
}
try observe "$spec"
try observe "$spec" --prometheus ftp://prometheus:9090
try observe "$spec" --prometheus prometheus:9090
try observe "$spec" --prometheus "http://prometheus:9090/?token=s3cret"
try observe "$spec" --prometheus "http://admin:pa55word@prometheus:9090" -o drift.json
try observe "$spec" --prometheus http://prometheus:9090 --window 1min
try observe "$spec" --prometheus http://prometheus:9090 --window soon
try observe "$spec" --prometheus http://prometheus:9090 --now 2027-13-01
try observe "$spec" --prometheus http://prometheus:9090 --now 2027-01-01T25:00:00Z
try observe "$spec" --prometheus http://prometheus:9090 --selector '{a="b"}'
try observe "$spec" --prometheus http://prometheus:9090 --limit ttft95=30%
try observe "$spec" --prometheus http://prometheus:9090 --limit ttftP95
try observe "$spec" --prometheus http://prometheus:9090 --limit ttftP95=-1
try observe "$spec" --prometheus http://prometheus:9090 -o drift.html
try observe "$spec" --prometheus http://prometheus:9090 --set workloads.chat.replicas=1,2
try observe "$spec" "$spec" --prometheus http://prometheus:9090
try calibrate "$spec" --prometheus "http://admin:pa55word@prometheus:9090" -o live.yaml
try calibrate "$spec" --prometheus http://prometheus:9090 --since 2027-01-01
try calibrate "$spec" --prometheus http://prometheus:9090 -w nobody
try calibrate no-such.yaml --prometheus http://prometheus:9090
try calibrate "$spec" --window 6h
ls
