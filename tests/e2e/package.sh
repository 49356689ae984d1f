#!/bin/sh
# The Debian packages: built, judged by lintian, unpacked into an empty root by dpkg, used there, and
# removed again.
. "$ROOT/tests/lib.sh"
need dpkg dpkg-buildpackage dh lintian

if ! "${MAKE:-make}" --no-print-directory BUILD="$scratch/build" deb >"$scratch/log" 2>&1; then
    fail "make deb builds the packages" "$scratch/log"
    finish
fi
pass "make deb builds the packages"
debs=$scratch/build/deb
version=$(sed -n 's/^VERSION := //p' Makefile)

if lintian --allow-root --fail-on error "$debs"/*.changes >"$scratch/log" 2>&1; then
    pass "lintian finds no error"
else
    fail "lintian finds no error" "$scratch/log"
fi

# An empty system: dpkg keeps its books below another root, and dependencies are those of this one.
tree=$scratch/tree
mkdir -p "$tree/var/lib/dpkg/info" "$tree/var/lib/dpkg/updates"
: >"$tree/var/lib/dpkg/status"
: >"$tree/var/lib/dpkg/available"
here() {
    dpkg --root="$tree" --log=/dev/null --force-not-root --force-depends --force-script-chrootless \
        "$@"
}
if here -i "$debs/gpuplan_${version}"_*.deb "$debs/libgpuplan-dev_${version}"_*.deb \
    >"$scratch/log" 2>&1; then
    pass "dpkg installs both packages"
else
    fail "dpkg installs both packages" "$scratch/log"
fi

for file in bin/gpuplan share/man/man1/gpuplan.1.gz share/man/man5/gpuplan-spec.5.gz \
    share/man/man5/gpuplan-policy.5.gz share/man/man5/gpuplan-calibration.5.gz share/man/man5/gpuplan-config.5.gz \
    share/bash-completion/completions/gpuplan share/zsh/vendor-completions/_gpuplan \
    share/fish/vendor_completions.d/gpuplan.fish share/gpuplan/gpuplan.schema.json \
    share/doc/gpuplan/copyright share/doc/gpuplan/README.md.gz \
    share/doc/gpuplan/examples/quickstart.yaml include/gpuplan/session.h; do
    [ -s "$tree/usr/$file" ] || echo "usr/$file is missing"
done >"$scratch/missing"
find "$tree/usr/lib" -name libgpuplan.a -o -name gpuplan.pc | grep -c . >"$scratch/count"
[ "$(cat "$scratch/count")" = 2 ] || echo "library or pkg-config file is missing" >>"$scratch/missing"
verdict "they hold program, library, pages, completions, schema and examples" "$scratch/missing"

if (cd "$scratch" && "$tree/usr/bin/gpuplan" version) 2>&1 | grep -qF "$version" &&
    "$tree/usr/bin/gpuplan" size -q "$tree/usr/share/doc/gpuplan/examples/quickstart.yaml"; then
    pass "the packaged program answers the packaged example"
else
    fail "the packaged program answers the packaged example"
fi

for library in libyaml-0-2 libc6; do
    dpkg-deb -f "$debs/gpuplan_${version}"_*.deb Depends | grep -q "$library" ||
        echo "Depends does not name $library"
done >"$scratch/depends"
verdict "the package depends on what the program is linked with" "$scratch/depends"

here -P gpuplan libgpuplan-dev >"$scratch/log" 2>&1
find "$tree/usr" ! -type d >"$scratch/left" 2>/dev/null
verdict "dpkg removes them without a trace" "$scratch/left"
finish
