#!/bin/sh
# Figures with empirical content are catalogue rows with a source: estimators hold no float literal
# but 0 1 2 3 4 and 0.5.
. "$ROOT/tests/lib.sh"
need awk

literals() {
    for file in "$@"; do
        strip_comments "$file" | awk -v file="$file" '
        {
            line = $0
            gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
            while (match(line, /[A-Za-z0-9_.]*[0-9][A-Za-z0-9_.]*([eEpP][+-]?[0-9]+)?/)) {
                word = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                if (word ~ /^[A-Za-z_]/ || word ~ /^\.?[A-Za-z_]/ || word ~ /^0[xX]/) continue
                if (word !~ /\./ && word !~ /[eE]/) continue
                if (word !~ /^([0-4](\.0*)?|0?\.50*)$/)
                    print file ":" NR ": " word
            }
        }'
    done
}

# shellcheck disable=SC2046
literals $(find src/estimate -name '*.[ch]' 2>/dev/null | sort) >"$scratch/found"
verdict "no empirical figures in src/estimate" "$scratch/found"

cat >"$scratch/bite.c" <<'END'
double a = 0.85; /* 0.7 is in a comment */
double b = 1e-6;
double c = .25 + x1.field2 + 2.0 * 0.5 - 4.0;
const char *d = "0.33"; // 0.44
END
literals "$scratch/bite.c" >"$scratch/bite"
if [ "$(sed 's/.*: //' "$scratch/bite" | tr '\n' ' ')" = "0.85 1e-6 .25 " ]; then
    pass "figures are seen, comments and strings are not"
else
    fail "figures are seen, comments and strings are not" "$scratch/bite"
fi
finish
