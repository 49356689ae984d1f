#!/bin/sh
# Prints the coverage of lines and of branches per folder and in total of a build that has been run.
# A branch counts as gcov counts it: each way out of a condition, `&&`, `||`, `?:`, loop or switch is
# one, and it is covered where it was taken at least once. Nothing is left out: calls that do not
# return are no branches to gcov, and what was optimised away is not there (the build has -O0).
# Usage: coverage.sh BUILD SOURCE.c...      (set VERBOSE=1 for a line per file)
set -eu
LC_ALL=C
export LC_ALL
build=$1
shift
for source in "$@"; do
    gcov -n -b "$build/${source%.c}.gcno" 2>/dev/null | awk -v source="$source" '
        /^File / { mine = ($0 == "File \047" source "\047") }
        mine && /^Lines executed:/ { split(substr($0, 16), line, /% of /) }
        mine && /^Taken at least once:/ { split(substr($0, 21), branch, /% of /) }
        END { if (line[2]) print source, line[1], line[2], branch[1] + 0, branch[2] + 0 }'
done | awk -v verbose="${VERBOSE-0}" '
    function share(hit, all) { return all ? 100 * hit / all : 100 }
    {
        n = split($1, path, "/")
        folder = path[2]
        lines[folder] += $3; hit[folder] += $2 * $3 / 100
        branches[folder] += $5; taken[folder] += $4 * $5 / 100
        all += $3; all_hit += $2 * $3 / 100
        all_branches += $5; all_taken += $4 * $5 / 100
        if (verbose) printf "  %-44s %6.1f %% of %5d   %6.1f %% of %5d\n", $1, $2, $3, $4, $5
        if (!(folder in seen)) { seen[folder] = 1; order[++count] = folder }
    }
    END {
        if (!all) { print "coverage: nothing was measured"; exit 1 }
        for (i = 1; i <= count; i++) {
            f = order[i]
            printf "  src/%-12s %6.1f %% of %5d lines   %6.1f %% of %5d branches\n", f,
                share(hit[f], lines[f]), lines[f], share(taken[f], branches[f]), branches[f]
        }
        printf "coverage: %.1f %% of %d lines, %.1f %% of %d branches\n",
            share(all_hit, all), all, share(all_taken, all_branches), all_branches
    }'
