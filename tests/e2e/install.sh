#!/bin/sh
# Installs into an empty tree, uses what was installed as a stranger would, and uninstalls.
. "$ROOT/tests/lib.sh"
need pkg-config install

tree=$scratch/tree
mkdir "$tree"
make_here() {
    "${MAKE:-make}" --no-print-directory BUILD="$BUILD" CC="$CC" WERROR=1 PREFIX=/usr DESTDIR="$tree" "$@" \
        >"$scratch/log" 2>&1
}

if ! make_here install; then
    fail "install" "$scratch/log"
    finish
fi
pass "install"

PKG_CONFIG_PATH=$tree/usr/lib/pkgconfig
export PKG_CONFIG_PATH
module() {
    pkg-config --define-variable=prefix="$tree/usr" "$@" gpuplan
}

version=$(sed -n 's/^VERSION := //p' Makefile)
if [ "$(module --modversion)" = "$version" ]; then
    pass "pkg-config knows the version"
else
    fail "pkg-config knows the version"
fi

if (cd "$scratch" && "$tree/usr/bin/gpuplan" version >"$scratch/log" 2>&1) &&
    grep -q "$version" "$scratch/log"; then
    pass "the installed program runs and prints its version"
else
    fail "the installed program runs and prints its version" "$scratch/log"
fi

# Every C example builds from the installed headers and library alone, and runs.
for source in examples/*.c; do
    # shellcheck disable=SC2046 # flags are meant to split
    if "$CC" -std=c11 -Wall -Wextra -Werror -o "$scratch/program" "$source" \
        $(module --cflags --libs) >"$scratch/log" 2>&1 &&
        "$scratch/program" >"$scratch/log" 2>&1 && [ -s "$scratch/log" ]; then
        pass "$source builds and runs against the installed library"
    else
        fail "$source builds and runs against the installed library" "$scratch/log"
    fi
done

# The library gives what the program prints.
"$tree/usr/bin/gpuplan" size examples/quickstart.yaml -f json >"$scratch/wanted" 2>"$scratch/log"
"$scratch/program" examples/quickstart.yaml json >"$scratch/got" 2>>"$scratch/log"
if [ -s "$scratch/got" ] && cmp "$scratch/wanted" "$scratch/got" >>"$scratch/log" 2>&1; then
    pass "the library's report is the program's"
else
    fail "the library's report is the program's" "$scratch/log"
fi

# Each public header must stand on its own.
for header in "$tree"/usr/include/gpuplan/*.h; do
    name=gpuplan/${header##*/}
    printf '#include <%s>\nint main(void) { return 0; }\n' "$name" >"$scratch/alone.c"
    # shellcheck disable=SC2046
    if "$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only $(module --cflags) "$scratch/alone.c" \
        >"$scratch/log" 2>&1; then
        pass "<$name> compiles alone"
    else
        fail "<$name> compiles alone" "$scratch/log"
    fi
done

make_here uninstall
{
    find "$tree" ! -type d
    find "$tree" -type d -name gpuplan
} >"$scratch/left"
verdict "uninstall leaves nothing behind" "$scratch/left"
finish
