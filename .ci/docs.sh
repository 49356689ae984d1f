#!/bin/sh
# Writes the pages of docs/ that come out of the program. A test holds the committed ones against
# a fresh set.   Usage: docs.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
while read -r file arguments; do
    # shellcheck disable=SC2086 # the arguments are meant to split
    "$program" $arguments >"$folder/$file.new" </dev/null
    mv "$folder/$file.new" "$folder/$file"
done <<'END'
spec-reference.md schema -f markdown
gpuplan.schema.json schema document
gpuplan.1 help --man
END
