#!/bin/sh
# Builds Debian packages out of the sources: gpuplan (program, manual pages, completions) and
# libgpuplan-dev (static library, headers). Everything, debian/ included, is made below BUILD/deb.
#
# Usage: deb.sh BUILD VERSION
# DEBFULLNAME and DEBEMAIL name who packages; SOURCE_DATE_EPOCH fixes the date.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)/deb
version=$2
name=${DEBFULLNAME:-gpuplan packagers}
mail=${DEBEMAIL:-packagers@example.org}

for tool in dpkg-buildpackage dh; do
    command -v $tool >/dev/null ||
        { echo "deb: $tool is not installed: make deps-e2e" >&2; exit 1; }
done

rm -rf "$build"
tree=$build/gpuplan-$version
mkdir -p "$tree/debian/source"
(cd "$root" && tar -cf - Makefile README.md LICENSE src include docs examples) |
    (cd "$tree" && tar -xf -)

epoch=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
SOURCE_DATE_EPOCH=$epoch
export SOURCE_DATE_EPOCH
cd "$tree/debian"

cat >changelog <<EOF
gpuplan ($version) unstable; urgency=medium

  * Release $version.

 -- $name <$mail>  $(LC_ALL=C date -u -R -d "@$epoch")
EOF

echo '3.0 (native)' >source/format

# Packages of the libraries that few commands need, which are opened by name.
opened=$(for library in libcurl libxlsxwriter; do
    dpkg -S "$(readlink -f "$(cc -print-file-name=$library.so)")"
done | cut -d: -f1 | sort -u | paste -sd, | sed 's/,/, /g')

cat >control <<EOF
Source: gpuplan
Section: admin
Priority: optional
Maintainer: $name <$mail>
Build-Depends: debhelper-compat (= 13), pkg-config, libyaml-dev,
 libcurl4-openssl-dev, libxlsxwriter-dev
Standards-Version: 4.6.2
Rules-Requires-Root: no

Package: gpuplan
Architecture: any
Multi-Arch: foreign
Depends: \${shlibs:Depends}, \${misc:Depends}
Recommends: $opened
Suggests: git
Description: size GPU clusters for training, fine-tuning and inference
 gpuplan reads one YAML file that describes a site, a cluster and its
 workloads, and answers what it takes to run them and whether each should
 scale up (a bigger machine) or out (more machines): memory, time, network,
 power, cooling and cost, with the source and the error band of every figure.
 .
 It needs no GPU, no network and no account, and it is a gate for continuous
 integration: goals, limits and policies as SARIF, JUnit or annotations.

Package: libgpuplan-dev
Section: libdevel
Architecture: any
Depends: libyaml-dev, \${misc:Depends}
Description: size GPU clusters - development files
 gpuplan answers what it takes to run training, fine-tuning and inference on
 GPU clusters, and whether each workload should scale up or out.
 .
 This package holds the static library, its headers and a pkg-config file.
EOF

cat >copyright <<EOF
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: gpuplan

Files: *
Copyright: $(date -u -d "@$epoch" +%Y) the gpuplan authors
License: Apache-2.0

License: Apache-2.0
 On Debian systems, the full text of the Apache License, Version 2.0 can be
 found in the file /usr/share/common-licenses/Apache-2.0.
EOF

cat >gpuplan.install <<EOF
usr/bin
usr/share/bash-completion
usr/share/fish
usr/share/gpuplan
usr/share/man
usr/share/zsh
EOF
cat >libgpuplan-dev.install <<EOF
usr/include
usr/lib/*/libgpuplan.a
usr/lib/*/pkgconfig
EOF
echo README.md >gpuplan.docs
echo 'examples/*' >gpuplan.examples

cat >rules <<'EOF'
#!/usr/bin/make -f
export DEB_BUILD_MAINT_OPTIONS = hardening=+all
include /usr/share/dpkg/architecture.mk
PLACES = BUILD=out PREFIX=/usr LIBDIR=/usr/lib/$(DEB_HOST_MULTIARCH) \
    ZSHDIR=/usr/share/zsh/vendor-completions

%:
	dh $@

override_dh_auto_clean:
	rm -rf out

override_dh_auto_build:
	dh_auto_build -- $(PLACES) all

override_dh_auto_test:
	out/gpuplan size -q examples/quickstart.yaml

override_dh_auto_install:
	dh_auto_install --destdir=debian/tmp -- $(PLACES)
EOF
chmod +x rules

cd "$tree"
dpkg-buildpackage -us -uc -b >"$build/log" 2>&1 || { tail -40 "$build/log" >&2; exit 1; }
ls "$build"/*.deb
