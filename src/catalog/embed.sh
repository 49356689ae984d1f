#!/bin/sh
# Writes the C source that holds the catalogue files as constant bytes, on stdout.
# Usage: embed.sh ROOT FILE...   (names in the table are relative to ROOT; order is kept)
# Bytes, not string literals: compilers only promise 4095 characters in one of those.
set -eu
LC_ALL=C
export LC_ALL

root=$1
shift

echo '// Generated from the catalogue files; do not edit.'
echo '#include "catalog/embedded.h"'
echo

n=0
for file in "$@"; do
    echo "static const unsigned char data_${n}[] = {"
    od -An -v -tu1 "$file" | sed -e 's/^ *//' -e 's/  */,/g' -e 's/$/,/'
    echo '0};'
    n=$((n + 1))
done

echo
echo 'const gp_embedded_file gp_catalog_files[] = {'
n=0
for file in "$@"; do
    echo "    {.name = \"${file#"$root"/}\", .text = (const char *)data_$n, .len = sizeof data_$n - 1},"
    n=$((n + 1))
done
# The closing row keeps the array legal C where there are no files; the count leaves it out.
echo '    {.name = NULL, .text = NULL, .len = 0},'
echo '};'
echo "const size_t gp_catalog_file_count = $n;"

# Hashed here, as every report names the digest; where there is no tool for it, it is hashed there.
digest=
if command -v sha256sum >/dev/null 2>&1; then
    digest=$(for file in "$@"; do cat "$file" && printf '\0'; done | sha256sum | cut -c1-64)
fi
echo "const char gp_catalog_files_sha256[] = \"$digest\";"
