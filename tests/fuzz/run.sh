#!/bin/sh
# Runs the targets with libFuzzer, each for so long, from what tests/fuzz/targets names.
# Usage: run.sh PROGRAM SECONDS [TARGET...]: a crasher is left beside PROGRAM and ends the run with 1.
set -u
program=$1
seconds=$2
shift 2
folder=$(dirname "$program")
status=0
while read -r name patterns; do
    case " $* " in
    "  " | *" $name "*) ;;
    *) continue ;;
    esac
    mkdir -p "$folder/corpus/$name"
    for sample in $patterns tests/fuzz/found/"$name"-*; do
        [ -e "$sample" ] && cp "$sample" "$folder/corpus/$name/$(echo "$sample" | tr / _)"
    done
    ln -f "$program" "$folder/fuzz-$name"
    "$folder/fuzz-$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=32768 \
        -print_final_stats=1 -artifact_prefix="$folder/$name-" "$folder/corpus/$name" \
        >"$folder/$name.log" 2>&1 || {
        status=1
        tail -30 "$folder/$name.log" | grep -v '^stat::'
    }
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$name.log")
    echo "$name: ${runs:-?} runs in $seconds s$(grep -c SUMMARY "$folder/$name.log" |
        sed 's/^0$//;s/^1$/, a fault/')"
done <tests/fuzz/targets
exit $status
