#!/bin/sh
# `gpuplan price azure` and `price skypilot URL` against a server: pages, throttling, garbage; and
# the list that comes of it in a plan.
. "$ROOT/tests/lib.sh"
. "$ROOT/tests/nginx.sh"
need nginx

mkdir -p "$WWW/api" "$WWW/sky/aws"
cp tests/samples/prices/azure_1.json tests/samples/prices/azure_2.json "$WWW/api/"
cp tests/samples/prices/vms.csv "$WWW/sky/aws/"
sed 's|127.0.0.1:NEXTPORT|prices.invalid|' tests/samples/prices/azure_1.json >"$WWW/api/stranger.json"
sed 's|"NextPageLink": .*,|"NextPageLink": "http://127.0.0.1:NEXTPORT/circle",|' \
    tests/samples/prices/azure_2.json >"$WWW/api/circle.json"
sed 's|"USD", "CustomerEntityId|"EUR", "CustomerEntityId|' tests/samples/prices/azure_2.json \
    >"$WWW/api/euro.json"
sed 's|api/retail/prices?|euro?|' tests/samples/prices/azure_1.json >"$WWW/api/euro_1.json"
echo '{"Items": "none"}' >"$WWW/api/other.json"
truncate -s 1G "$WWW/api/huge.json"
echo 'InstanceType,Price,Region' >"$WWW/sky/short.csv"
echo 'p5.48xlarge,cheap,us-east-1' >>"$WWW/sky/short.csv"

cat >"$scratch/config" <<'END'
http {
    access_log SCRATCH/requests;
    client_body_temp_path SCRATCH/t1; proxy_temp_path SCRATCH/t2; fastcgi_temp_path SCRATCH/t3;
    uwsgi_temp_path SCRATCH/t4; scgi_temp_path SCRATCH/t5;
    limit_req_zone $binary_remote_addr zone=busy:1m rate=2r/s;
    server {
        listen 127.0.0.1:PLAIN;
        root WWW;
        sub_filter_types *; sub_filter 'NEXTPORT' 'PLAIN';
        location /api/retail/prices {
            limit_req zone=busy; limit_req_status 429;
            if ($arg_page = 2) { rewrite ^ /api/azure_2.json break; }
            rewrite ^ /api/azure_1.json break;
        }
        location /stranger { rewrite ^ /api/stranger.json break; }
        location /circle { rewrite ^ /api/circle.json break; }
        location /euro {
            if ($arg_page = 2) { rewrite ^ /api/euro.json break; }
            rewrite ^ /api/euro_1.json break;
        }
        location /other { rewrite ^ /api/other.json break; }
        location /busy { add_header Retry-After 0 always; return 429; }
        location /page { return 200 '<html>'; }
        location /huge { rewrite ^ /api/huge.json break; }
    }
}
END
nginx_start "$scratch/config"
plain=http://127.0.0.1:$PLAIN
work=$scratch/work

run() {
    rm -rf "$work" && mkdir -p "$work" || exit 1
    code=0
    (cd "$work" && env -i SOURCE_DATE_EPOCH=1800000000 "$GPUPLAN" price "$@" >"$scratch/out" \
        2>"$scratch/err") || code=$?
}

fails() {
    {
        [ $code -eq "${3:-4}" ] || echo "exit $code, expected ${3:-4}"
        grep -qE -e "$2" "$scratch/err" || echo "the message does not say: $2"
        [ ! -s "$scratch/out" ] || echo "there is something on standard output"
        grep -h pa55word "$scratch/err"
        find "$work" -type f
    } >"$scratch/wrong"
    [ ! -s "$scratch/wrong" ] || cat "$scratch/err" >>"$scratch/wrong"
    verdict "$1" "$scratch/wrong"
}

azure="azure --region eastus --url"
# shellcheck disable=SC2086 # options are meant to split
{
run $azure $plain/api/retail/prices
cat >"$scratch/want" <<'END'
    - {item: "cloud:azure/standard_nd96isr_h100_v5", price: 98.32 USD/h, term: on-demand, region: eastus}
    - {item: "cloud:azure/standard_nd96isr_h200_v5", price: 84.8 USD/h, term: on-demand, region: eastus}
END
grep item: "$scratch/out" | diff -u "$scratch/want" - >"$scratch/diff"
verdict "pages of prices become a list, through a server that throttles" "$scratch/diff"
grep -q 'retrying in' "$scratch/err" && [ "$(grep -c 'sha256:' "$work/gpuplan.lock")" -eq 2 ] &&
    pass "the busy server was asked again, and both pages are in the lock" ||
    fail "the busy server was asked again, and both pages are in the lock" "$scratch/err"
sed -n 's/^note: \([0-9]*\) prices* left out: \(.*\)/\1 \2/p' "$scratch/err" >"$scratch/notes"
cat >"$scratch/want" <<'END'
1 zero or not stated
3 of another tier
1 of another region
1 with a Windows licence
1 not by the hour
1 of instances that were not asked for or that no catalogue row has
END
diff -u "$scratch/want" "$scratch/notes" >"$scratch/diff"
verdict "what is left out is counted" "$scratch/diff"

# The list in a plan, without the server.
lock=$scratch/plan
mkdir -p "$lock" && cp "$work/gpuplan.lock" "$lock/"
nginx_stop
cat >"$lock/plan.yaml" <<'END'
apiVersion: gpuplan/v1
kind: Plan
metadata: {name: rent}
spec:
  candidates: ["cloud:azure/standard_nd96isr_h200_v5"]
  workloads:
    - name: chat
      type: inference
      model: hf:Qwen/Qwen3-8B
      traffic: {requestsPerSecond: 5, inputTokens: 500, outputTokens: 200}
      goal: {slo: {ttft: 2s, tpot: 50ms}}
  costs: {prices: ["lock:azure-eastus"]}
END
"$GPUPLAN" size "$lock/plan.yaml" -f json >"$scratch/out" 2>"$scratch/err"
# 84.8 USD/h through a year of 8760 h
grep -q '742848' "$scratch/out" && grep -q 'gpuplan.lock"' "$scratch/out" &&
    pass "a plan takes the price from the lock" || fail "a plan takes the price from the lock" "$scratch/err"
nginx_start "$scratch/config"
plain=http://127.0.0.1:$PLAIN

run $azure $plain/api/retail/prices --tier all
[ "$(grep -c 'item:' "$scratch/out")" -eq 5 ] && grep -q 'price: 50 USD/h, term: reserved-1y' "$scratch/out" &&
    [ "$(sed -n 's/.*h200_v5.*term: \([a-z0-9-]*\),.*/\1/p' "$scratch/out" | tail -1)" = on-demand ] &&
    pass "tiers stay apart, a reservation by the hour, on demand last" ||
    fail "tiers stay apart, a reservation by the hour, on demand last" "$scratch/out"
run skypilot $plain/sky/aws/vms.csv --provider aws --region us-east-1 --tier spot
grep -q 'p5.48xlarge", price: 24.9 USD/h, term: spot, region: us-east-1' "$scratch/out" &&
    pass "a SkyPilot catalogue is read from an address" ||
    fail "a SkyPilot catalogue is read from an address" "$scratch/err"

login=http://me:pa55word@127.0.0.1:$PLAIN
run $azure $login/api/retail/prices
[ $code -eq 0 ] && ! grep -q pa55word "$scratch/out" "$scratch/err" "$work/gpuplan.lock" &&
    pass "credentials in the address work, and are kept nowhere" ||
    fail "credentials in the address work, and are kept nowhere" "$scratch/err"
run $azure $login/nothing
fails "credentials in an address that fails" 'not found .*404'
run $azure $plain/huge
fails "a body of 1 GB" 'is larger than'
run $azure $plain/busy --attempts 2
fails "a server that stays busy" 'rejects the request: too many requests'
run $azure $plain/other
fails "an answer without prices" 'has no prices'
run $azure $plain/page
fails "a page in place of prices" 'has no prices'
run $azure $plain/stranger
fails "a next page at another address" 'another address: refused'
run $azure $plain/circle
fails "pages in a circle" 'more than 100 pages'
run $azure $plain/euro
fails "pages in two currencies" 'has no prices'
run azure --region nowhere --url $plain/api/retail/prices
fails "a region without prices" 'no instance .* region nowhere' 3
run azure --url $plain/api/retail/prices
fails "no region" '--region is required' 2
run azure --region "x' or '1" --url $plain/api/retail/prices
fails "a region that is no word" '--region: expected letters' 2
run $azure "http://me:pa55word@example.invalid/"
fails "plain http to another machine" 'expected an https address' 2
run skypilot $plain/sky/short.csv --provider aws --region us-east-1
fails "a table that holds no prices" 'has no prices'
run skypilot $plain/sky/aws/vms.csv --region us-east-1
fails "no provider" '--provider is required' 2
}
finish
