#!/bin/sh
# Prints the line coverage per folder and in total of a build that has been run.
# Usage: coverage.sh BUILD SOURCE.c...      (set VERBOSE=1 for a line per file)
set -eu
LC_ALL=C
export LC_ALL
build=$1
shift
for source in "$@"; do
    gcov -n "$build/${source%.c}.gcno" 2>/dev/null | awk -v source="$source" '
        /^File / { mine = ($0 == "File \047" source "\047") }
        mine && /^Lines executed:/ { sub(/^Lines executed:/, ""); split($0, part, /% of /)
                                     print source, part[1], part[2]; exit }'
done | awk -v verbose="${VERBOSE-0}" '
    {
        n = split($1, path, "/")
        folder = path[2]
        lines[folder] += $3; hit[folder] += $2 * $3 / 100
        all += $3; all_hit += $2 * $3 / 100
        if (verbose) printf "  %-44s %6.1f %% of %5d\n", $1, $2, $3
        if (!(folder in seen)) { seen[folder] = 1; order[++count] = folder }
    }
    END {
        if (!all) { print "coverage: nothing was measured"; exit 1 }
        for (i = 1; i <= count; i++)
            printf "  src/%-12s %6.1f %% of %5d lines\n", order[i],
                100 * hit[order[i]] / lines[order[i]], lines[order[i]]
        printf "coverage: %.1f %% of %d lines\n", 100 * all_hit / all, all
    }'
