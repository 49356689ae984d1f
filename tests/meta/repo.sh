#!/bin/sh
# The repository as a whole: what may lie at the top, what words may not stand in it.
. "$ROOT/tests/lib.sh"
need awk

allowed=' .ci .clang-format .clang-tidy .editorconfig .git .github .gitignore .pre-commit-hooks.yaml LICENSE Makefile README.md docs examples include src tests '
for entry in $(find . -mindepth 1 -maxdepth 1 | sed 's|^\./||' | sort); do
    case $entry in
    build*) continue ;;
    esac
    case $allowed in
    *" $entry "*) ;;
    *) echo "$entry does not belong at the top" ;;
    esac
done >"$scratch/top"
verdict "the top level holds what it should" "$scratch/top"

for entry in $allowed; do
    [ "$entry" = .git ] || [ -e "$entry" ] || echo "$entry is missing"
done >"$scratch/missing"
verdict "nothing is missing at the top" "$scratch/missing"

# The patterns are written so that they do not match themselves.
cat >"$scratch/forbidden" <<'END'
(^|[^A-Za-z0-9._-])/[w]ork/
(^|[^A-Za-z0-9._-])/[t]mp/
\.\./[s]hared
(^|[^A-Za-z])[Ii]ssue #?[0-9]
(^|[^A-Za-z])(this|our|next|later|previous) [s]ession([^A-Za-z_]|$)
(^|[^A-Za-z])([T]ODO|[F]IXME|[H]ACK)([^A-Za-z]|$)
END
find . -type f ! -path ./.git ! -path './.git/*' ! -path './build*' ! -name LICENSE ! -name repo.sh \
    -exec grep -InE -f "$scratch/forbidden" {} + | cut -c1-160 | sort >"$scratch/words"
verdict "no private paths, no notes to self" "$scratch/words"

find . -type f ! -path ./.git ! -path './.git/*' ! -path './build*' -size +1024k >"$scratch/large"
verdict "no file above 1 MiB" "$scratch/large"

find . -type f ! -path ./.git ! -path './.git/*' ! -path './build*' \
    \( -name '*.[ch]' -o -name '*.sh' -o -name '*.yaml' \) \
    -exec grep -nE '[[:blank:]]+$' {} + | cut -c1-120 >"$scratch/blanks"
verdict "no blanks at the end of a line" "$scratch/blanks"

find src include tests -name '*.[ch]' -exec awk '
    { gsub(/[\200-\277]/, "") } # what continues a UTF-8 character takes no column
    length($0) > 100 { print FILENAME ":" FNR ": " length($0) " columns" }' {} + >"$scratch/wide"
verdict "no C line above 100 columns" "$scratch/wide"

for file in $(find src -name '*.c' | sort); do
    head -1 "$file" | grep -qE '^/[/*]' || echo "$file does not open with its purpose"
done >"$scratch/purpose"
verdict "every C file opens with a comment on its purpose" "$scratch/purpose"
finish
