#!/bin/sh
# `gpuplan import hf:` against a server in the shape of Hugging Face: redirections, tokens, busy and
# broken servers, TLS. What fails must say why, exit with 4, write nothing and tell no secret.
. "$ROOT/tests/lib.sh"
need openssl unshare
. "$ROOT/tests/nginx.sh"
need nginx

commit=0123456789abcdef0123456789abcdef01234567
repo=$WWW/hub/Qwen/Qwen3-8B/resolve
mkdir -p "$repo/main" "$WWW/hub/big/big/resolve/main" "$WWW/hub/page/page/resolve/main" \
    "$WWW/hub/odd/odd/resolve/main" "$WWW/hub/one/file/resolve/main"
cp tests/samples/hf/Qwen--Qwen3-8B_config.json "$repo/main/config.json"
echo '{"metadata":{"total_size":16381470720},"weight_map":{}}' \
    >"$repo/main/model.safetensors.index.json"
ln -s main "$repo/$commit"
cp "$repo/main/config.json" "$WWW/hub/one/file/resolve/main/"
printf 'twelve bytes' >"$WWW/hub/one/file/resolve/main/model.safetensors"
truncate -s 1G "$WWW/hub/big/big/resolve/main/config.json"
echo '<html>Please log in</html>' >"$WWW/hub/page/page/resolve/main/config.json"
echo '{"model_type": "unheard-of", "hidden_size": 64}' >"$WWW/hub/odd/odd/resolve/main/config.json"

for host in 127.0.0.1 elsewhere.invalid; do
    name="DNS:$host"
    [ $host = 127.0.0.1 ] && name="IP:$host"
    openssl req -x509 -newkey rsa:2048 -nodes -keyout "$scratch/$host.key" -out "$scratch/$host.pem" \
        -days 2 -subj "/CN=$host" -addext "subjectAltName=$name" >"$scratch/log" 2>&1 ||
        fail "a certificate is made" "$scratch/log"
done

cat >"$scratch/config" <<'END'
http {
    log_format seen '$request $http_authorization';
    access_log SCRATCH/requests seen;
    client_body_temp_path SCRATCH/t1; proxy_temp_path SCRATCH/t2; fastcgi_temp_path SCRATCH/t3;
    uwsgi_temp_path SCRATCH/t4; scgi_temp_path SCRATCH/t5;
    limit_req_zone $binary_remote_addr zone=busy:1m rate=2r/s;
    server {
        listen 127.0.0.1:PLAIN;
        root WWW/hub;
        add_header X-Repo-Commit 0123456789abcdef0123456789abcdef01234567;
        location /moved/ { return 302 http://127.0.0.1:OTHER/Qwen/Qwen3-8B$redirected; }
        location /away/ { return 302 http://example.invalid/config.json?sig=s3cret; }
        location /file/ { return 302 file:///etc/passwd; }
        location /loop/ { return 302 /loop/again; }
        location /gated/ {
            if ($http_authorization != "Bearer t0ken-word") { return 401; }
            rewrite ^/gated/gated/(.*)$ /Qwen/Qwen3-8B/$1 last;
        }
        location /forbidden/ { return 403; }
        location /busy/ { add_header Retry-After 0 always; return 429; }
        location /later/ { add_header Retry-After 9999 always; return 503; }
        location /broken/ { return 500; }
        location /once/ {
            limit_req zone=busy; limit_req_status 429;
            rewrite ^/once/once/(.*)$ /Qwen/Qwen3-8B/$1 break;
        }
        location /slow/ { limit_rate 20; rewrite ^/slow/slow/(.*)$ /Qwen/Qwen3-8B/$1 break; }
        location /endless/ {
            sub_filter_types *; sub_filter 'a' 'a'; sub_filter_once off;
            rewrite ^/endless/endless/(.*)$ /big/big/$1 break;
        }
        location ~ ^/linked/.*/model.safetensors$ {
            add_header X-Linked-Size 16381470720; return 302 http://127.0.0.1:OTHER/blob;
        }
        location /linked/ { rewrite ^/linked/linked/(.*)$ /one/file/$1 break; }
    }
    map $request_uri $redirected { ~^/moved/moved(.*)$ $1; }
    server {
        listen 127.0.0.1:OTHER;
        root WWW/hub;
    }
    server {
        listen 127.0.0.1:SECURE ssl;
        ssl_certificate SCRATCH/127.0.0.1.pem; ssl_certificate_key SCRATCH/127.0.0.1.key;
        root WWW/hub;
        location /down/ { return 302 http://127.0.0.1:PLAIN/Qwen/Qwen3-8B/resolve/main/config.json; }
    }
}
stream {
    server { listen 127.0.0.1:CUT; return "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{\"model_type\": "; }
    server { listen 127.0.0.1:SHORT; return "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"model_type\": \"llama\", \"hidden_size\": 64}"; }
}
END
nginx_start "$scratch/config"

plain=http://127.0.0.1:$PLAIN
work=$scratch/work
secrets='s3cret|pa55word|t0ken-word'

# run ENDPOINT ARGUMENTS...: import in an empty folder; sets $code.
run() {
    rm -rf "$work" && mkdir -p "$work/home" || exit 1
    endpoint=$1
    shift
    code=0
    (cd "$work" && env -i HOME="$work/home" HF_ENDPOINT="$endpoint" SOURCE_DATE_EPOCH=1800000000 \
        ${token:+HF_TOKEN="$token"} "$GPUPLAN" import "$@" >"$scratch/out" 2>"$scratch/err") || code=$?
}

# told NAME: no secret in anything that was printed or written.
told() {
    cat "$scratch/out" "$scratch/err" "$work"/gpuplan.lock "$work"/*.yaml 2>/dev/null |
        grep -E "$secrets" >"$scratch/leak"
    verdict "$1: no secret is told" "$scratch/leak"
}

# fetched NAME: it worked, and the lock has what it should.
fetched() {
    if [ $code -eq 0 ] && grep -q 'name: "\?hf:' "$work/gpuplan.lock" && grep -q 'layers: 36' "$scratch/out"; then
        pass "$1"
    else
        fail "$1 (exit $code)" "$scratch/err"
    fi
    told "$1"
}

# fails NAME WORDS [CODE]: it failed with that code, said these words, and wrote nothing.
fails() {
    {
        [ $code -eq "${3:-4}" ] || echo "exit $code, expected ${3:-4}"
        grep -qE -e "$2" "$scratch/err" || echo "the message does not say: $2"
        [ ! -s "$scratch/out" ] || echo "there is something on standard output"
        find "$work" -type f
    } >"$scratch/wrong"
    [ ! -s "$scratch/wrong" ] || cat "$scratch/err" >>"$scratch/wrong"
    verdict "$1" "$scratch/wrong"
    told "$1"
}

# ---- it works

token=
run $plain hf:Qwen/Qwen3-8B
fetched "a model is fetched"
cp "$work/gpuplan.lock" "$scratch/gpuplan.lock"
grep -q "revision: $commit" "$work/gpuplan.lock" && grep -q "date: 2027-01-15" "$work/gpuplan.lock" &&
    grep -q "etag:" "$work/gpuplan.lock" && grep -q 'bytes: 16381470720 B' "$scratch/out" &&
    [ "$(sha256sum <"$repo/main/config.json" | cut -c1-64)" = \
        "$(sed -n 's/.*sha256: //p' "$work/gpuplan.lock" | head -1)" ]
[ $? -eq 0 ] && pass "the lock has commit, date, etag and digest" ||
    fail "the lock has commit, date, etag and digest" "$work/gpuplan.lock"
grep -q "GET /Qwen/Qwen3-8B/resolve/$commit/model.safetensors.index.json" "$scratch/requests" &&
    pass "later files are asked for at the commit" ||
    fail "later files are asked for at the commit" "$scratch/requests"
grep -q '8.19B parameters' "$scratch/err" && ! grep -q '^note:' "$scratch/err" &&
    pass "the published size agrees" || fail "the published size agrees" "$scratch/err"

run $plain hf:linked/linked
grep -q 'bytes: 16381470720 B' "$scratch/out" && pass "the size of one file comes from its header" ||
    fail "the size of one file comes from its header" "$scratch/err"
run $plain hf:moved/moved
fetched "a redirection is followed"
token=t0ken-word
run $plain hf:gated/gated
fetched "a token opens a gated repository"
: >"$scratch/requests"
run $plain hf:moved/moved
sed -n 's/^GET .Qwen.Qwen3-8B.* //p' "$scratch/requests" | grep -v '^-$' >"$scratch/leak"
verdict "a token does not follow to another server" "$scratch/leak"
token=
echo ' t0ken-word ' >"$scratch/token"
rm -rf "$work" && mkdir -p "$work"
(cd "$work" && env -i HF_ENDPOINT=$plain HF_TOKEN_PATH="$scratch/token" \
    "$GPUPLAN" import hf:gated/gated >"$scratch/out" 2>"$scratch/err")
code=$?
fetched "a token is read from a file"
run "http://user:pa55word@127.0.0.1:$PLAIN" hf:Qwen/Qwen3-8B
fetched "credentials in the address work"
run $plain hf:once/once
fetched "a busy server is asked again"
grep -q "retrying in" "$scratch/err" && pass "and says so" || fail "and says so" "$scratch/err"
run "https://127.0.0.1:$SECURE" hf:Qwen/Qwen3-8B --cacert "$scratch/127.0.0.1.pem"
fetched "a certificate is trusted where it is named"

# ---- it does not

run $plain hf:no/such
fails "a repository that is not there" 'not found .*404'
run $plain hf:gated/gated
fails "a gated repository without a token" 'refuses access.*401'
token=wrong-s3cret
run $plain hf:gated/gated
fails "a token that is not accepted" 'refuses access.*401'
token='two words s3cret'
run $plain hf:gated/gated
fails "a token that is no token" 'more than one plain word'
token=
run $plain hf:forbidden/x
fails "forbidden" 'refuses access.*403'
run $plain hf:busy/busy --attempts 2
fails "a server that stays busy" 'rejects the request: too many requests'
run $plain hf:later/later
fails "a server that is away for hours" 'retry after 9999 s'
run $plain hf:broken/broken --attempts 1
fails "a broken server" 'status 500'
run $plain hf:slow/slow --timeout 1 --attempts 1
fails "a slow body" '[Tt]imeout'
run "http://127.0.0.1:$CUT" hf:a/b --attempts 1
fails "a body that is cut off" 'cannot fetch'
run "http://127.0.0.1:$SHORT" hf:a/b --attempts 1
fails "a length that is too short" 'not JSON|cannot fetch'
run $plain hf:big/big
fails "a body of 1 GB" 'larger than 4 MiB'
run $plain hf:endless/endless
fails "a body of 1 GB that does not tell its length" 'larger than 4 MiB'
run $plain hf:page/page
fails "a page in place of a file" 'not JSON'
run $plain hf:odd/odd
fails "an architecture that is not known" 'the architecture "unheard-of" is not known' 3
run $plain hf:away/away
fails "a redirection to a plain address" 'not https: refused'
run $plain hf:file/file
fails "a redirection to a file" 'redirects to something that is not a web address'
run $plain hf:loop/loop
fails "a redirection in a circle" 'more than 5 times'
run "https://127.0.0.1:$SECURE" hf:Qwen/Qwen3-8B
fails "a certificate that nobody vouches for" 'cannot fetch.*[Pp]eer|cannot fetch.*SSL'
run "https://127.0.0.1:$SECURE" hf:Qwen/Qwen3-8B --cacert "$scratch/elsewhere.invalid.pem"
fails "a certificate of somebody else" 'cannot fetch'
run "https://127.0.0.1:$SECURE" hf:down/down --cacert "$scratch/127.0.0.1.pem"
fails "a redirection from https to http" 'not https: refused'
run "http://user:pa55word@127.0.0.1:$PLAIN" hf:no/such
fails "credentials in an address that fails" 'not found'
run "http://user:pa55word@example.invalid" hf:a/b
fails "plain http to another machine" 'expected an https address' 2
run $plain 'hf:../../etc'
fails "a name that climbs" 'hf:ORG/NAME' 2
run $plain 'hf:a/b@../x'
fails "a revision that climbs" 'hf:ORG/NAME' 2

# ---- stale locks

run $plain hf:Qwen/Qwen3-8B
(cd "$work" && HF_ENDPOINT=$plain "$GPUPLAN" import hf:Qwen/Qwen3-8B --locked >"$scratch/out" 2>"$scratch/err")
[ $? -eq 0 ] && [ ! -s "$scratch/out" ] && pass "--locked: the lock is up to date" ||
    fail "--locked: the lock is up to date" "$scratch/err"
sed -i 's/"context_length": 1//; s/40960/65536/' "$repo/main/config.json"
(cd "$work" && HF_ENDPOINT=$plain "$GPUPLAN" import hf:Qwen/Qwen3-8B --locked >"$scratch/out" 2>"$scratch/err")
[ $? -eq 4 ] && grep -q 'stale' "$scratch/err" && cmp -s "$work/gpuplan.lock" "$scratch/gpuplan.lock" &&
    pass "--locked: a lock is stale once the file has changed" ||
    fail "--locked: a lock is stale once the file has changed" "$scratch/err"

nginx_stop
run $plain hf:Qwen/Qwen3-8B --attempts 2
fails "a server that is gone" "cannot fetch.*[Cc]onnect"
finish
