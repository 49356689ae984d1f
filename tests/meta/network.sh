#!/bin/sh
# Who may reach a network: one file knows libcurl, and only the commands that fetch call them, however
# many calls lie between. What plans cannot, whatever it is given.
. "$ROOT/tests/lib.sh"
need nm awk

# Lines "OBJECT defines|needs SYMBOL" over all objects.
nm -A $(find "$BUILD/src" -name '*.o' | sort) 2>/dev/null | awk -v build="$BUILD/src/" '
    { object = $1; sub(/:.*/, "", object); sub(build, "", object); sub(/\.o$/, "", object) }
    $(NF - 1) == "U" { print object, "needs", $NF }
    $(NF - 1) ~ /^[TDRB]$/ { print object, "defines", $NF }' >"$scratch/symbols"

# libcurl and libxlsxwriter are opened by name, in one place.
{
    awk '$2 == "needs" && $3 ~ /^(curl_|(socket|connect|getaddrinfo|gethostbyname)(@|$))/ { print $1 }
        $2 == "needs" && $3 ~ /^dl(open|sym)(@|$)/ && $1 != "cli/shared" { print $1 " opens libraries" }' \
        "$scratch/symbols"
    (cd "$ROOT" && grep -lE 'curl/|GP_CURL' src/*/*.[ch]) | sed 's/^src.//; s/[.][ch]$//' |
        grep -vx 'cli/wire'
} | sort -u >"$scratch/curl"
verdict "only src/cli/wire.c knows libcurl or sockets" "$scratch/curl"

# Files from which a call leads there; main and the table of commands name every command.
awk '
    $2 == "defines" { home[$3] = $1 }
    $2 == "needs" { n++; from[n] = $1; to[n] = $3 }
    END {
        reaches["cli/wire"] = 1
        for (changed = 1; changed;) {
            changed = 0
            for (i = 1; i <= n; i++)
                if (!(from[i] in reaches) && to[i] in home && home[to[i]] in reaches &&
                    from[i] !~ /^cli\/(commands|main)$/) { reaches[from[i]] = 1; changed = 1 }
        }
        for (object in reaches) print object
    }' "$scratch/symbols" | sort >"$scratch/reaches"
grep -vxE 'cli/(wire|http|query|hub|metrics|import|price|calibrate|calibrate_metrics|observe)' "$scratch/reaches" \
    >"$scratch/wrong"
verdict "only import, price, calibrate and observe fetch" "$scratch/wrong"
if grep -qx cli/import "$scratch/reaches" && grep -qx cli/price "$scratch/reaches"; then
    pass "the calls of import and price are seen"
else
    fail "the calls of import and price are seen" "$scratch/reaches"
fi
finish
