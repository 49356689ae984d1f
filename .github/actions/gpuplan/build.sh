#!/bin/sh
# Gives the path of a gpuplan program to the next step: the one that was named, or one that is built
# from the sources around this script.
set -eu
: "${GITHUB_OUTPUT:=/dev/stdout}" "${RUNNER_TEMP:=${TMPDIR:-/var/tmp}}"

program=${GPUPLAN_BINARY-}
if [ -z "$program" ]; then
    sources=$(cd "$(dirname "$0")/../../.." && pwd)
    if ! pkg-config --exists yaml-0.1; then
        sudo=
        [ "$(id -u)" -eq 0 ] || sudo=sudo
        $sudo apt-get -q update
        $sudo apt-get -q -y install --no-install-recommends \
            gcc libc6-dev make pkg-config libyaml-dev
    fi
    make -C "$sources" BUILD="$RUNNER_TEMP/gpuplan-build" NETWORK=0 all >&2
    program=$RUNNER_TEMP/gpuplan-build/gpuplan
fi
"$program" version >&2
echo "program=$program" >>"$GITHUB_OUTPUT"
