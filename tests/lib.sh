# Helpers for the script tests (tests/meta, tests/reference, tests/e2e). Source it first.
#
# A script test prints one line per case, "ok NAME" or "not ok NAME", with details of a failure on
# "# " lines before it; tests/run.sh counts them. It is started in the repository root with
#   BUILD    build folder        GPUPLAN  absolute path of the program
#   ROOT     repository root     CC       the compiler of that build

set -u
LC_ALL=C
export LC_ALL
: "${ROOT:=$(pwd)}" "${BUILD:=build}" "${CC:=gcc}"
: "${GPUPLAN:=$ROOT/$BUILD/gpuplan}"
# What `make deps-e2e` installs: node modules below the build folder, Python modules of the system.
: "${NODE:=$ROOT/build/node}" "${PYTHON:=$(command -v /usr/bin/python3 || echo python3)}"
export ROOT BUILD CC GPUPLAN NODE PYTHON

failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

pass() {
    echo "ok $1"
}

# fail NAME [FILE]: the text of FILE says why.
fail() {
    if [ -n "${2-}" ]; then
        sed 's/^/# /' "$2"
    fi
    echo "not ok $1"
    failures=$((failures + 1))
}

# verdict NAME FILE: passes when FILE, a list of complaints, is empty.
verdict() {
    if [ -s "$2" ]; then
        fail "$1" "$2"
    else
        pass "$1"
    fi
}

# need PROGRAM...: a tool that is missing is a failure, never a reason to leave a test out.
need() {
    for program in "$@"; do
        if ! command -v "$program" >/dev/null 2>&1; then
            fail "$program is installed ('make deps' installs it)"
            finish
        fi
    done
}

# need_module NAME: the same of a node module.
need_module() {
    if [ ! -d "$NODE/node_modules/$1" ]; then
        fail "the node module $1 is installed ('make deps-e2e' installs it)"
        finish
    fi
}

# strip_comments FILE: the C file with its comments blanked, line for line.
strip_comments() {
    awk '{
        out = ""; n = length($0)
        for (i = 1; i <= n; i++) {
            two = substr($0, i, 2); c = substr($0, i, 1)
            if (inside) { if (two == "*/") { inside = 0; i++ } ; continue }
            if (quote != "") {
                out = out c
                if (c == "\\") { i++; out = out substr($0, i, 1) }
                else if (c == quote) quote = ""
                continue
            }
            if (two == "/*") { inside = 1; i++; out = out " "; continue }
            if (two == "//") break
            if (c == "\"" || c == "\047") quote = c
            out = out c
        }
        quote = ""
        print out
    }' "$1"
}

finish() {
    exit $((failures > 0))
}
