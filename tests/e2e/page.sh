#!/bin/sh
# The HTML form in a browser: nothing is asked of anybody, no serious fault of accessibility, and its
# figures are those of report.json.
. "$ROOT/tests/lib.sh"
need "$PYTHON"
need_module axe-core
here=$ROOT/tests/e2e
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
need "${browser:-chromium}"

# browse ARGUMENT...
browse() {
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --disable-extensions \
        --disable-domain-reliability --metrics-recording-only --user-data-dir="$scratch/profile" \
        --host-resolver-rules='MAP * ~NOTFOUND' "$@" 2>>"$scratch/browser.log"
}

# requests PAGE: addresses that opening it asks for
requests() {
    browse --log-net-log="$scratch/net.json" --dump-dom "$1" >"$scratch/dom"
    "$PYTHON" "$here/page.py" requests "$scratch/net.json" | sort -u
}

printf '<!doctype html><title>x</title><img src="http://example.invalid/a.png">' >"$scratch/bad.html"
requests "file://$scratch/bad.html" >"$scratch/asked"
if grep -q '^http://example.invalid/a.png$' "$scratch/asked"; then
    pass "a request is noticed"
else
    cat "$scratch/browser.log" >>"$scratch/asked"
    fail "a request is noticed" "$scratch/asked"
fi

# faults NAME PAGE FLAG...: what axe-core finds of serious or critical faults
faults() {
    name=$1
    page=$2
    shift 2
    "$PYTHON" "$here/page.py" inject "$page" "$NODE/node_modules/axe-core/axe.min.js" >"$scratch/axe.html"
    browse "$@" --virtual-time-budget=30000 --dump-dom "file://$scratch/axe.html" >"$scratch/dom"
    "$PYTHON" "$here/page.py" faults "$scratch/dom" >"$scratch/log" 2>&1
    verdict "$name" "$scratch/log"
}

for plan in greenfield quickstart chat-fleet; do
    "$GPUPLAN" size -q examples/$plan.yaml -o "$scratch/$plan.html" -o "$scratch/report.json"
    requests "file://$scratch/$plan.html" >"$scratch/asked"
    verdict "$plan: the page asks nobody" "$scratch/asked"
    "$PYTHON" "$here/page.py" figures "$scratch/dom" "$scratch/report.json" >"$scratch/log" 2>&1
    verdict "$plan: figures are those of report.json" "$scratch/log"
    faults "$plan: no serious fault of accessibility, light" "$scratch/$plan.html" --window-size=1280,900
    faults "$plan: no serious fault, dark" "$scratch/$plan.html" --window-size=1280,900 \
        --blink-settings=preferredColorScheme=0
    faults "$plan: no serious fault, phone" "$scratch/$plan.html" --window-size=500,900
done

printf '<!doctype html><html><body><main><img src="x.png"><p style="color:#eee;background:#fff">Text that is hard to read.</p></main></body></html>' \
    >"$scratch/bad.html"
"$PYTHON" "$here/page.py" inject "$scratch/bad.html" "$NODE/node_modules/axe-core/axe.min.js" >"$scratch/axe.html"
browse --virtual-time-budget=30000 --dump-dom "file://$scratch/axe.html" >"$scratch/dom"
"$PYTHON" "$here/page.py" faults "$scratch/dom" >"$scratch/log" 2>&1
if grep -q color-contrast "$scratch/log" && grep -q image-alt "$scratch/log"; then
    pass "faults are noticed"
else
    fail "faults are noticed" "$scratch/log"
fi
finish
