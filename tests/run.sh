#!/bin/sh
# Runs tests and counts their cases.
#
#   run.sh unit    LABEL PROGRAM...   cmocka programs, JOBS at a time
#   run.sh scripts LABEL SCRIPT...    script tests (see tests/lib.sh), JOBS at a time
#   run.sh total                      adds up RESULTS; the last line is "N passed, N failed"
#
# RESULTS names the file that gathers one line "LABEL PASSED FAILED" per run; `total` reads it and
# is what fails, so that one broken suite does not hide the others. EXEC_PREFIX goes before every
# program. A suite without a case, a program that dies and a skipped case count as failed.
set -u
LC_ALL=C
export LC_ALL
: "${JOBS:=2}" "${EXEC_PREFIX:=}"

# Never inherit what could change a result.
unset NO_COLOR SOURCE_DATE_EPOCH MAKEFLAGS MFLAGS MAKELEVEL

record() {
    printf '%s: %s passed, %s failed\n' "$1" "$2" "$3"
    if [ -n "${RESULTS-}" ]; then
        printf '%s %s %s\n' "$1" "$2" "$3" >>"$RESULTS"
    elif [ "$3" -ne 0 ] || [ "$2" -eq 0 ]; then
        exit 1
    fi
}

# count NAME FILE STATUS: adds the cases of one TAP-like output to passed and failed, and shows it
# where anything went wrong.
count() {
    ok=$(grep -c '^ok ' "$2")
    bad=$(grep -c '^not ok ' "$2")
    planned=$(sed -n 's/^1\.\.\([0-9][0-9]*\).*/\1/p' "$2" | awk '{ n += $1 } END { print n + 0 }')
    if [ $((ok + bad)) -lt "$planned" ]; then
        echo "# $1: $((planned - ok - bad)) of $planned cases did not report" >>"$2"
        bad=$((planned - ok))
    fi
    skipped=$(grep -ci '^ok .*# *skip' "$2")
    ok=$((ok - skipped))
    bad=$((bad + skipped))
    if [ "$3" -ne 0 ] && [ "$bad" -eq 0 ]; then
        echo "# $1: exit status $3" >>"$2"
        bad=1
    elif [ $((ok + bad)) -eq 0 ]; then
        echo "# $1: ran no case" >>"$2"
        bad=1
    fi
    if [ "$bad" -ne 0 ]; then
        echo "---- $1"
        grep -v '^ok ' "$2" | head -200
    fi
    passed=$((passed + ok))
    failed=$((failed + bad))
}

# run_suite LABEL PROGRAM...: what each prints is counted in the order that they are named in.
run_suite() {
    label=$1
    shift
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
    CMOCKA_MESSAGE_OUTPUT=TAP
    export CMOCKA_MESSAGE_OUTPUT EXEC_PREFIX work
    n=100
    for program in "$@"; do
        printf '%s\n%s\n' $n "$program"
        n=$((n + 1))
    done | xargs -r -n 2 -P "$JOBS" sh -c \
        '$EXEC_PREFIX "$2" >"$work/$1.out" 2>&1; echo $? >"$work/$1.status"' run-one
    n=100
    passed=0 failed=0
    for program in "$@"; do
        count "$program" "$work/$n.out" "$(cat "$work/$n.status")"
        n=$((n + 1))
    done
    record "$label" $passed $failed
}

total() {
    echo
    awk '{ printf "  %-24s %5d passed %4d failed\n", $1, $2, $3; passed += $2; failed += $3
           if ($2 + $3 == 0) { empty = empty " " $1 } }
         END { if (empty) { print "  ran no case:" empty; failed++ }
               printf "\n%d passed, %d failed\n", passed, failed
               exit (failed > 0 || passed == 0) }' "$RESULTS"
}

mode=${1-}
[ $# -gt 0 ] && shift
case $mode in
unit) run_suite "$@" ;;
scripts) EXEC_PREFIX=sh run_suite "$@" ;;
total) total ;;
*)
    echo "usage: run.sh unit|scripts LABEL FILE... | run.sh total" >&2
    exit 2
    ;;
esac
