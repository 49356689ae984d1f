#!/bin/sh
# Every argument that an export writes for a serving engine is one of that engine's, and takes a
# value or none as it does there; every argument of the table is written for some layout. Rows whose
# evidence is `memory` were known, not read.
. "$ROOT/tests/lib.sh"
need awk

cat tests/cli/export/engines.stdout.exact >"$scratch/written"
awk -v scratch="$scratch" '
    BEGIN { FS = "," }
    NR == FNR { if (FNR > 1) takes[$1 " " $2] = $3; next }
    {
        engine = $0
        sub(/:.*/, "", engine)
        n = split($0, words, " ")
        for (i = 2; i <= n; i++) {
            if (words[i] !~ /^--/ && words[i] !~ /^[a-z_]*_(dp|config):$/)
                continue
            key = engine " " words[i]
            seen[key] = 1
            next_word = i < n ? words[i + 1] : ""
            plain = next_word != "" && next_word !~ /^--/
            json = next_word ~ /^\047?{/
            number = next_word ~ /^([0-9]+|\$\(.*)$/
            fits = takes[key] == "none" ? !plain : takes[key] == "json" ? json : \
                   takes[key] == "number" ? number : plain && !json
            if (!(key in takes) || !fits)
                print key " " next_word
        }
    }
    END {
        for (key in takes)
            if (!(key in seen))
                print key >(scratch "/unused")
    }' tests/reference/engine_arguments.csv "$scratch/written" >"$scratch/unknown"
verdict "engines know every argument that exports write" "$scratch/unknown"
: >>"$scratch/unused"
verdict "every argument of the table is written" "$scratch/unused"
finish
