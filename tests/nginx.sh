# An nginx of a test's own, on loopback: source it after tests/lib.sh.
#
#   nginx_start CONFIG   starts it with the text of CONFIG, in which PLAIN, OTHER, SECURE, CUT and
#                        SHORT stand for free ports and WWW for the folder of its files; sets the
#                        variables of the same names
#   nginx_stop           stops it
#
# It is stopped when the test ends, whatever happens. Its log of requests is $scratch/requests.

PATH=$PATH:/usr/sbin:/sbin
WWW=$scratch/www
mkdir -p "$WWW"
nginx_running=

nginx_stop() {
    if [ -n "$nginx_running" ]; then
        kill "$nginx_running" 2>/dev/null
        # A master that is told to quit takes its workers with it.
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            kill -0 "$nginx_running" 2>/dev/null || break
            sleep 0.1
        done
        kill -9 "$nginx_running" 2>/dev/null
    fi
    nginx_running=
}
trap 'nginx_stop; rm -rf "$scratch"' EXIT

# Five ports above 20000 that differ; whether they are free shows when nginx binds them.
nginx_ports() {
    base=$(awk -v seed="$$$1" 'BEGIN { srand(seed); print 20000 + int(rand() * 8000) * 5 }')
    PLAIN=$base OTHER=$((base + 1)) SECURE=$((base + 2)) CUT=$((base + 3)) SHORT=$((base + 4))
}

nginx_config() {
    {
        echo "load_module $(ls /usr/lib*/nginx/modules/ngx_stream_module.so | head -1);"
        [ "$(id -u)" -ne 0 ] || echo "user root;"
        cat <<END
worker_processes 1;
pid $scratch/nginx.pid;
error_log $scratch/nginx.log;
events { worker_connections 64; }
END
        sed -e "s|PLAIN|$PLAIN|g; s|OTHER|$OTHER|g; s|SECURE|$SECURE|g; s|CUT|$CUT|g" \
            -e "s|SHORT|$SHORT|g; s|WWW|$WWW|g; s|SCRATCH|$scratch|g" "$1"
    } >"$scratch/nginx.conf"
}

nginx_start() {
    for try in 1 2 3 4 5 6 7 8; do
        nginx_ports $try
        nginx_config "$1"
        rm -f "$scratch/nginx.pid"
        if nginx -p "$scratch" -c "$scratch/nginx.conf" -e "$scratch/nginx.log" \
            >"$scratch/start" 2>&1; then
            for _ in 1 2 3 4 5 6 7 8 9 10; do
                [ -s "$scratch/nginx.pid" ] && break
                sleep 0.1
            done
            nginx_running=$(cat "$scratch/nginx.pid")
            return 0
        fi
        grep -q 'Address already in use' "$scratch/start" "$scratch/nginx.log" 2>/dev/null || break
    done
    fail "nginx starts" "$scratch/start"
    finish
}
