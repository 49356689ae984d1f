#!/bin/sh
# Golden tests of the command line.
#
#   run.sh [--update] [CASE...]     CASE: topic/name.sh or bad/name.yaml, relative to tests/cli
#
# A case tests/cli/TOPIC/NAME.sh runs with `sh -e` in an empty scratch folder, with GPUPLAN (the
# program) and ROOT (the repository) set, LC_ALL=C, TZ=UTC and no other setting of the caller.
# Files beside it say what must come out:
#   NAME.exit            exit status (none: 0)
#   NAME.stdout.exact    standard output, byte for byte (none: must be empty)
#   NAME.stdout.glob     or one shell pattern that the whole output matches; * also takes line ends
#   NAME.stdout.ignore   or anything
#   NAME.stderr.*        likewise
#
# A bad spec tests/cli/bad/NAME.yaml is copied to the scratch folder and given to
# `gpuplan validate`. Comments in it say what must come out:
#   # expect: GP1001 GP1002   diagnostic ids that must be on standard error (at least one)
#   # exit: 3                 exit status (none: 3)
#   # command: size           another command than validate, with its flags
# and NAME.stderr.exact holds the whole standard error.
#
# --update rewrites .exact and .exit from what came out (never the ids that a bad spec expects).
# EXEC_PREFIX goes before the program (valgrind); JOBS cases run at a time. RESULTS and LABEL as in
# tests/run.sh.
set -u
LC_ALL=C
export LC_ALL

cli=$(cd "$(dirname "$0")" && pwd)
ROOT=$(cd "$cli/../.." && pwd)
: "${GPUPLAN:=$ROOT/build/gpuplan}" "${JOBS:=2}" "${EXEC_PREFIX:=}" "${LABEL:=cli}"
case $GPUPLAN in
/*) ;;
*) GPUPLAN=$(pwd)/$GPUPLAN ;;
esac

# ---- one case --------------------------------------------------------------------------------

# compare STREAM: judges $dir/STREAM against the files beside the case; complaints on stdout.
compare() {
    out=$dir/$1
    if [ -e "$base.$1.ignore" ]; then
        return 0
    elif [ -e "$base.$1.glob" ]; then
        pattern=$(cat "$base.$1.glob")
        # shellcheck disable=SC2254 # it is a pattern
        case $(cat "$out") in
        $pattern) return 0 ;;
        esac
        echo "$1 does not match $base.$1.glob:"
        head -40 "$out"
    elif [ "$UPDATE" = 1 ]; then
        if [ ! -s "$out" ]; then
            rm -f "$base.$1.exact"
        elif ! cmp -s "$out" "$base.$1.exact"; then
            cp "$out" "$base.$1.exact" && echo "updated ${base#"$cli"/}.$1.exact" >&2
        fi
    elif [ -e "$base.$1.exact" ]; then
        cmp -s "$base.$1.exact" "$out" || diff -u "$base.$1.exact" "$out" | head -60
    elif [ -s "$out" ]; then
        echo "$1 should be empty and is:"
        head -40 "$out"
    fi
}

# The caller's settings stay out; the sanitizers' and valgrind's must get in.
clean_env() {
    env -i PATH="$PATH" HOME="$dir/home" TMPDIR="$dir" LC_ALL=C TZ=UTC TERM=dumb \
        GPUPLAN="$PROGRAM" ROOT="$ROOT" ASAN_OPTIONS="${ASAN_OPTIONS-}" \
        UBSAN_OPTIONS="${UBSAN_OPTIONS-}" "$@"
}

run_script() {
    want=$(cat "$base.exit" 2>/dev/null || echo 0)
    (cd "$dir/work" && clean_env sh -e "$case_file" >"$dir/stdout" 2>"$dir/stderr" </dev/null)
    got=$?
    if [ "$UPDATE" = 1 ]; then
        if [ $got -eq 0 ]; then rm -f "$base.exit"; else echo $got >"$base.exit"; fi
    elif [ "$got" != "$want" ]; then
        echo "exit status $got, expected $want"
    fi
    compare stdout
    compare stderr
}

run_bad() {
    want=$(sed -n 's/^# exit: *\([0-9][0-9]*\).*/\1/p' "$case_file" | head -1)
    ids=$(sed -n 's/^# expect: *//p' "$case_file")
    command=$(sed -n 's/^# command: *//p' "$case_file" | head -1)
    cp "$case_file" "$dir/work/"
    # shellcheck disable=SC2086 # the command and its flags are meant to split
    (cd "$dir/work" && clean_env "$PROGRAM" ${command:-validate} "${case_file##*/}" \
        >"$dir/stdout" 2>"$dir/stderr" </dev/null)
    got=$?
    [ "$got" = "${want:-3}" ] || echo "exit status $got, expected ${want:-3}"
    [ -n "$ids" ] || echo "the spec names no diagnostic: '# expect: GP1...' is missing"
    for id in $ids; do
        grep -q "$id" "$dir/stderr" || echo "$id is not on standard error"
    done
    compare stdout
    compare stderr
}

run_one() {
    case_file=$cli/$1
    base=${case_file%.*}
    dir=$(mktemp -d) || exit 1
    trap 'rm -rf "$dir"' EXIT
    mkdir "$dir/work" "$dir/home"
    case $1 in
    *.yaml) run_bad >"$dir/complaints" ;;
    *) run_script >"$dir/complaints" ;;
    esac
    if [ -s "$dir/complaints" ]; then
        {
            echo "---- $1"
            cat "$dir/complaints"
        } >"$CASES/$2.failed"
    else
        : >"$CASES/$2.passed"
    fi
}

if [ "${1-}" = --one ]; then
    run_one "$3" "$2"
    exit 0
fi

# ---- all of them -----------------------------------------------------------------------------

UPDATE=0
if [ "${1-}" = --update ]; then
    UPDATE=1
    shift
fi
if [ ! -x "$GPUPLAN" ]; then
    echo "cli: $GPUPLAN is not there" >&2
    exit 1
fi
if [ $# -eq 0 ]; then
    set -- $(cd "$cli" && find . -mindepth 2 \( -path './bad/*.yaml' -o -name '*.sh' \) |
        sed 's|^\./||' | sort)
fi

for name in "$@"; do
    [ -e "$cli/$name" ] || { echo "cli: there is no case $name" >&2 && exit 1; }
done

CASES=$(mktemp -d) || exit 1
trap 'rm -rf "$CASES"' EXIT
trap 'exit 130' INT TERM
PROGRAM=$GPUPLAN
if [ -n "$EXEC_PREFIX" ]; then
    PROGRAM=$CASES/gpuplan
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$EXEC_PREFIX" "$GPUPLAN" >"$PROGRAM"
    chmod +x "$PROGRAM"
fi
export GPUPLAN UPDATE CASES PROGRAM

n=10000
for name in "$@"; do
    printf '%s\n%s\n' $n "$name"
    n=$((n + 1))
done | xargs -r -n 2 -P "$JOBS" sh "$0" --one

for file in "$CASES"/*.failed; do
    [ -e "$file" ] && cat "$file"
done
passed=$(find "$CASES" -name '*.passed' | wc -l)
failed=$(($# - passed))
echo "$LABEL: $((passed)) passed, $failed failed"
if [ -n "${RESULTS-}" ]; then
    echo "$LABEL $((passed)) $failed" >>"$RESULTS"
elif [ $failed -ne 0 ] || [ "$passed" -eq 0 ]; then
    exit 1
fi
