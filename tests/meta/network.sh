#!/bin/sh
# Who may reach a network: one file knows libcurl, and only the commands that fetch call it.
. "$ROOT/tests/lib.sh"
need nm

: >"$scratch/curl"
: >"$scratch/callers"
for object in $(find "$BUILD/src" -name '*.o' | sort); do
    name=${object#"$BUILD"/}
    if [ "$name" != src/cli/http.o ]; then
        nm -u "$object" | sed -n "s|^ *U \(curl_.*\)|$name: \1|p" >>"$scratch/curl"
    fi
    nm -u "$object" | sed -n "s|^ *U \(socket\|connect\|getaddrinfo\)\$|$name: \1|p" >>"$scratch/curl"
    if nm -u "$object" | grep -qE ' (gp_http_get|gp_hub_fetch)$'; then
        echo "$name" >>"$scratch/callers"
    fi
done
verdict "only src/cli/http.c knows libcurl or sockets" "$scratch/curl"

printf '%s\n' src/cli/hub.o src/cli/import.o src/cli/price.o | diff - "$scratch/callers" >"$scratch/diff"
verdict "only import and price fetch" "$scratch/diff"
finish
