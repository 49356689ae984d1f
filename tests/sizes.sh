#!/bin/sh
# Prints how long functions and files are; informs, never fails.
# Relies on the format of the code: a definition opens in column 1 and its brace closes there.
# Usage: sizes.sh SOURCE.c...
set -eu
LC_ALL=C
export LC_ALL
[ $# -gt 0 ] || exit 0
awk '
    FNR == 1 { open = 0 }
    /^[A-Za-z].*\(/ && !/;$/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); first = FNR; open = 1 }
    open && /^}/ { print FNR - first + 1, FILENAME ":" first, name; open = 0 }
    open && /^[^ ].*;$/ { open = 0 }
' "$@" | sort -n | awk '
    { size[NR] = $1; row[NR] = $0 }
    END {
        if (!NR) exit
        long = 0
        for (i = 1; i <= NR; i++) long += size[i] > 50
        printf "functions: %d, median %d lines, p90 %d, longer than 50: %d; the longest:\n", NR,
            size[int((NR + 1) / 2)], size[int(NR * 0.9 + 0.5)], long
        for (i = NR; i > 0 && i > NR - 10; i--) print "  " row[i]
    }'
