#!/bin/sh
# What happens on the way spoils nothing that is there: disks that fill up, signals.
. "$ROOT/tests/lib.sh"
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
need $python unshare
spec=$ROOT/examples/quickstart.yaml

# ---- a full disk

# Two artefacts, of which the first fits and the second does not; an old report stays as it was.
cat >"$scratch/full.sh" <<'END'
mkdir -p "$1/disk" && mount -t tmpfs -o size=32k none "$1/disk" || exit 99
cd "$1/disk" || exit 99
echo old >report.json
"$GPUPLAN" size "$2" -q -o summary.prom -o report.json 2>"$1/err"
echo "exit $?"
ls -A
cat report.json
END
expected="exit 4
report.json
old"
unshare -m sh "$scratch/full.sh" "$scratch" "$spec" >"$scratch/log" 2>/dev/null
if [ $? -eq 99 ] || [ ! -s "$scratch/log" ]; then
    # Where no disk may be mounted, a limit on the size of files stands for it.
    mkdir -p "$scratch/disk"
    (
        cd "$scratch/disk" && echo old >report.json
        ulimit -f 16
        "$GPUPLAN" size "$spec" -q -o summary.prom -o report.json 2>"$scratch/err"
        echo "exit $?"
        ls -A
        cat report.json
    ) >"$scratch/log" 2>&1
fi
cat "$scratch/err" >>"$scratch/log"
if [ "$(sed '$d' "$scratch/log")" = "$expected" ] && grep -q 'cannot write report.json' "$scratch/err"; then
    pass "a full disk leaves the old report and no part of the new ones"
else
    fail "a full disk leaves the old report and no part of the new ones" "$scratch/log"
fi

mkdir "$scratch/limit"
(
    cd "$scratch/limit" || exit
    ulimit -f 8
    "$GPUPLAN" size "$spec" -q -o report.json
    echo "exit $?"
    ls -A
) >"$scratch/log" 2>&1
if grep -q '^exit 4$' "$scratch/log" && [ -z "$(ls -A "$scratch/limit")" ]; then
    pass "a limit on the size of files is an error like any other"
else
    fail "a limit on the size of files is an error like any other" "$scratch/log"
fi

"$GPUPLAN" size "$spec" -q -o "$scratch/nowhere/report.json" -o "$scratch/report.md" 2>"$scratch/log"
code=$?
if [ $code -eq 4 ] && [ ! -e "$scratch/report.md" ]; then
    pass "a folder that is missing is exit 4, and nothing is written"
else
    fail "a folder that is missing is exit 4, and nothing is written" "$scratch/log"
fi

# ---- a signal while writing

# The program waits before it renames: fsync sleeps.
cat >"$scratch/slow.c" <<'END'
#include <unistd.h>
int fsync(int file);
int fsync(int file) {
    (void)file;
    for (int i = 0; i < 100; i++)
        usleep(50000);
    return 0;
}
END
"$CC" -shared -fPIC -D_DEFAULT_SOURCE -o "$scratch/slow.so" "$scratch/slow.c" 2>"$scratch/log"
for signal in TERM INT KILL; do
    folder=$scratch/kill-$signal
    mkdir "$folder"
    echo old >"$folder/report.json"
    (
        cd "$folder" || exit
        # An interrupt reaches only what was not started in the background of this shell.
        LD_PRELOAD=$scratch/slow.so "$python" -c '
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$GPUPLAN" size "$spec" -q -o report.json -o report.md &
        process=$!
        waited=0
        until [ -n "$(find . -name '.gpuplan-*' -size +0)" ] || [ $waited -ge 100 ]; do
            sleep 0.05
            waited=$((waited + 1))
        done
        kill -$signal $process
        wait $process
        echo "exit $?"
        cat report.json
        ls -A
    ) >"$scratch/log" 2>/dev/null
    case $signal in
    KILL) want="exit 137 old" && sed -i '/^\.gpuplan-/d' "$scratch/log" ;; # nobody cleans up after it
    *) want="exit 130 old" ;;
    esac
    if [ "$(tr '\n' ' ' <"$scratch/log")" = "$want report.json " ]; then
        pass "SIG$signal while writing leaves the old report as it was"
    else
        fail "SIG$signal while writing leaves the old report as it was" "$scratch/log"
    fi
done

# ---- several artefacts

mkdir "$scratch/many"
(
    cd "$scratch/many" || exit
    "$GPUPLAN" check "$spec" --now 2026-11-20 -q -o a.txt -o a.json -o a.md -o a.html -o a.csv \
        -o a.yaml -o a.sarif -o a.xml -o a.tap -o a.prom -o github=a.annotations \
        -o gitlab=gl-code-quality-report.json
    "$GPUPLAN" check "$spec" --now 2026-11-20 -f sarif | cmp - a.sarif
    "$GPUPLAN" check "$spec" --now 2026-11-20 -f html | cmp - a.html
    find . -type f -size +0 | wc -l
) >"$scratch/log" 2>&1
if [ "$(tr -d ' ' <"$scratch/log")" = 12 ]; then
    pass "one run writes twelve forms, the same as twelve runs"
else
    fail "one run writes twelve forms, the same as twelve runs" "$scratch/log"
fi
finish
