#!/bin/sh
# Runs a command and appends "NAME SECONDS" to a file, whether it succeeds or not.
# Usage: timed.sh FILE NAME COMMAND...
set -u
times=$1
name=$2
shift 2
begin=$(date +%s)
status=0
"$@" || status=$?
seconds=$(($(date +%s) - begin))
mkdir -p "$(dirname "$times")"
echo "$name $seconds" >>"$times"
echo "time: $name took $seconds s"
exit $status
