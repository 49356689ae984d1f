#!/bin/sh
# The tasks of docs/tasks.md, done as they stand there: its files are written, its commands are run.
. "$ROOT/tests/lib.sh"
need awk

# A block of YAML that opens with "# NAME" is that file; commands go into one list, in their order.
awk -v folder="$scratch" '
    /^```/ { kind = $0; sub(/^```/, "", kind); file = ""; next }
    kind == "yaml" && file == "" { file = folder "/" $2 }
    kind == "yaml" { print > file }
    kind == "sh" && NF { print > (folder "/commands") }' docs/tasks.md
: >"$scratch/complaints"
while read -r command; do
    want=0
    case $command in
    *'# exit '*) want=${command##*# exit } ;;
    esac
    code=0
    (cd "$scratch" && eval "\"\$GPUPLAN\" ${command#gpuplan }") </dev/null >"$scratch/out" 2>&1 || code=$?
    [ "$code" -eq "$want" ] || { echo "$command: exit $code"; cat "$scratch/out"; } \
        >>"$scratch/complaints"
done <"$scratch/commands"
[ "$(wc -l <"$scratch/commands")" -ge 15 ] || echo "too few commands were found" >>"$scratch/complaints"
verdict "the tasks of docs/tasks.md do what they say" "$scratch/complaints"
for file in report.html report.json junit.xml comment.md tender.md bom.csv; do
    [ -s "$scratch/$file" ] || echo "$file was not written" >>"$scratch/files"
done
: >>"$scratch/files"
verdict "the tasks write what they name" "$scratch/files"
finish
