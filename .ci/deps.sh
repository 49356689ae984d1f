#!/bin/sh
# Installs what building and testing gpuplan needs and this machine lacks; does nothing, and needs
# no network, where everything is there. Presence is tested by what the build will call
# (pkg-config, command -v, a trial link), never by asking the package manager.
#
# Usage: deps.sh [--e2e FOLDER] [--properties] [--dry-run]
#        everything that `make all demo check check-valgrind` needs; with --e2e what `make check-e2e`
#        needs on top, its node modules in FOLDER; with --properties what `make properties` needs on
#        top; --dry-run only prints what would be installed
set -eu

# What must be there and the package that brings it. Columns, separated by `|`:
#   test     pc:NAME = pkg-config module, cmd:NAME = program, link:CC:FLAG = CC links with FLAG,
#            py:NAME = module of the system's Python, deb:NAME = Debian package, file:NAME = one of
#            the files that the pattern stands for
#   apt      Debian, Ubuntu (tested)
#   dnf      Fedora, RHEL (untested)
#   apk      Alpine (untested)
#   pacman   Arch (untested)
#   brew     macOS (untested)
# `-` means that the system itself brings it, or that it cannot be had there: the row is left out.
table='
cmd:gcc                                | gcc libc6-dev        | gcc glibc-devel   | gcc musl-dev    | gcc        | gcc
cmd:make                               | make                 | make              | make            | make       | make
cmd:pkg-config                         | pkg-config           | pkgconf-pkg-config| pkgconf         | pkgconf    | pkg-config
cmd:nm                                 | binutils             | binutils          | binutils        | binutils   | -
cmd:objdump                            | binutils             | binutils          | binutils        | binutils   | -
cmd:awk                                | mawk                 | gawk              | -               | gawk       | -
cmd:diff                               | diffutils            | diffutils         | diffutils       | diffutils  | -
pc:yaml-0.1                            | libyaml-dev          | libyaml-devel     | yaml-dev        | libyaml    | libyaml
pc:libcurl                             | libcurl4-openssl-dev | libcurl-devel     | curl-dev        | curl       | curl
pc:xlsxwriter                          | libxlsxwriter-dev    | libxlsxwriter-devel | libxlsxwriter-dev | -        | libxlsxwriter
pc:zlib                                | zlib1g-dev           | zlib-devel        | zlib-dev        | zlib       | zlib
pc:cmocka                              | libcmocka-dev        | libcmocka-devel   | cmocka-dev      | cmocka     | cmocka
link:gcc:-fsanitize=address,undefined  | gcc libc6-dev        | libasan libubsan  | -               | gcc        | -
link:clang:-O1                         | clang                | clang             | clang           | clang      | llvm
cmd:valgrind                           | valgrind             | valgrind          | valgrind        | valgrind   | -
'

# What the end-to-end tests run: the programs that exports and forms are for, servers to
# fetch from and to ask.
table_e2e='
cmd:nginx                              | nginx                | nginx             | nginx           | nginx      | nginx
file:/usr/lib*/nginx/modules/ngx_stream_module.so | libnginx-mod-stream | nginx-mod-stream | nginx-mod-stream | nginx-mod-stream | -
cmd:prometheus                         | prometheus           | golang-github-prometheus | prometheus     | prometheus | prometheus
cmd:promtool                           | prometheus           | golang-github-prometheus | prometheus     | prometheus | prometheus
cmd:openssl                            | openssl              | openssl           | openssl         | openssl    | openssl
cmd:unshare                            | util-linux           | util-linux-core   | util-linux-misc | util-linux | -
cmd:prometheus                         | prometheus           | golang-github-prometheus | prometheus | prometheus | prometheus
cmd:promtool                           | prometheus           | golang-github-prometheus | prometheus | prometheus | prometheus
cmd:curl                               | curl                 | curl              | curl            | curl       | curl
cmd:node                               | nodejs               | nodejs            | nodejs          | nodejs     | node
cmd:npm                                | npm                  | npm               | npm             | npm        | node
cmd:xmllint                            | libxml2-utils        | libxml2           | libxml2-utils   | libxml2    | libxml2
cmd:chromium                           | chromium             | chromium          | chromium        | chromium   | chromium
cmd:soffice                            | libreoffice-calc-nogui | libreoffice-calc | libreoffice-calc | libreoffice-still | libreoffice
cmd:slurmctld                          | slurmctld            | slurm-slurmctld   | slurm           | slurm-llnl | -
cmd:slurmd                             | slurmd               | slurm-slurmd      | slurm           | slurm-llnl | -
cmd:sbatch                             | slurm-client         | slurm             | slurm           | slurm-llnl | -
cmd:munged                             | munge                | munge             | munge           | munge      | -
py:yaml                                | python3-yaml         | python3-pyyaml    | py3-yaml        | python-yaml | -
py:jsonschema                          | python3-jsonschema   | python3-jsonschema | py3-jsonschema | python-jsonschema | -
py:prometheus_client                   | python3-prometheus-client | python3-prometheus_client | py3-prometheus-client | python-prometheus_client | -
cmd:git                                | git                  | git               | git             | git        | git
cmd:bash                               | bash                 | bash              | bash            | bash       | bash
cmd:fish                               | fish                 | fish              | fish            | fish       | fish
cmd:zsh                                | zsh                  | zsh               | zsh             | zsh        | -
cmd:groff                              | groff-base           | groff-base        | groff           | groff      | groff
deb:build-essential                    | build-essential      | -                 | -               | -          | -
cmd:dpkg-buildpackage                  | dpkg-dev             | -                 | -               | -          | -
cmd:dh                                 | debhelper            | -                 | -               | -          | -
cmd:lintian                            | lintian              | -                 | -               | -          | -
'

# An integer solver that the allocation is held against.
table_properties='
cmd:cbc                                | coinor-cbc           | coin-or-Cbc       | -               | coin-or-cbc | cbc
'

dry_run=0
node_modules=
while [ $# -gt 0 ]; do
    case $1 in
    --dry-run) dry_run=1 ;;
    --properties) table=$table$table_properties ;;
    --e2e)
        table=$table$table_e2e
        node_modules=$2
        shift
        ;;
    esac
    shift
done

# Programs of daemons stand in folders that not every PATH has.
PATH=$PATH:/usr/sbin:/sbin
python=$(command -v /usr/bin/python3 || echo python3)

# An empty program tells whether compiler and run-time libraries fit together.
links() {
    probe=$(mktemp -d)
    printf 'int main(void) { return 0; }\n' >"$probe/a.c"
    st=0
    "$1" "$2" -o "$probe/a" "$probe/a.c" >/dev/null 2>&1 || st=1
    rm -rf "$probe"
    return $st
}

# The packages are for the system's Python, whatever stands first in PATH.
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3

present() {
    case $1 in
    pc:*) pkg-config --exists "${1#pc:}" 2>/dev/null ;;
    cmd:*) command -v "${1#cmd:}" >/dev/null 2>&1 ;;
    # shellcheck disable=SC2086 # the pattern is meant to expand
    file:*) ls ${1#file:} >/dev/null 2>&1 ;;
    deb:*) dpkg -s "${1#deb:}" 2>/dev/null | grep -q "^Status: .* installed" ;;
    py:*) "$python" -c "import ${1#py:}" >/dev/null 2>&1 ;;
    link:*)
        rest=${1#link:}
        command -v "${rest%%:*}" >/dev/null 2>&1 && links "${rest%%:*}" "${rest#*:}"
        ;;
    esac
}

# Lines "test|package package" of the rows whose test fails, for column $1 of the table.
missing() {
    printf '%s\n' "$table" | while IFS='|' read -r what apt dnf apk pacman brew; do
        what=$(printf '%s' "$what" | tr -d ' ')
        [ -n "$what" ] || continue
        case $1 in
        apt) packages=$apt ;;
        dnf) packages=$dnf ;;
        apk) packages=$apk ;;
        pacman) packages=$pacman ;;
        brew) packages=$brew ;;
        *) packages=- ;;
        esac
        [ "$(printf '%s' "$packages" | tr -d ' ')" = - ] || present "$what" ||
            printf '%s|%s\n' "$what" "$packages"
    done
}

manager=none
for candidate in apt-get dnf apk pacman brew; do
    if command -v "$candidate" >/dev/null 2>&1; then
        manager=${candidate%-get}
        break
    fi
done

run() {
    echo "deps: + $*"
    [ $dry_run -eq 1 ] || "$@"
}

# A mirror that hiccups is no reason to fail a build.
retry() {
    for pause in 2 5 10; do
        run "$@" && return 0
        echo "deps: failed, again in $pause s" >&2
        sleep $pause
    done
    run "$@"
}

# The node modules of the tests, in the versions of their lock file.
install_node_modules() {
    [ -n "$node_modules" ] || return 0
    if cmp -s tests/e2e/package-lock.json "$node_modules/installed"; then
        return 0
    fi
    [ $dry_run -eq 1 ] || mkdir -p "$node_modules"
    [ $dry_run -eq 1 ] || cp tests/e2e/package.json tests/e2e/package-lock.json "$node_modules"
    retry npm ci --prefix "$node_modules" --no-audit --no-fund --ignore-scripts --loglevel=error
    [ $dry_run -eq 1 ] || cp tests/e2e/package-lock.json "$node_modules/installed"
}

lacking=$(missing "$manager")
if [ -z "$lacking" ]; then
    install_node_modules
    echo "deps: everything is there"
    exit 0
fi
echo "deps: missing:" $(printf '%s\n' "$lacking" | cut -d'|' -f1)
packages=$(printf '%s\n' "$lacking" | cut -d'|' -f2 | tr -s ' ' '\n' | grep -v -e '^-$' -e '^$' |
    LC_ALL=C sort -u | tr '\n' ' ')
if [ "$manager" = none ] || [ -z "$packages" ]; then
    echo "deps: no package manager of the table has them; install them by hand" >&2
    exit 1
fi

sudo=
if [ "$manager" != brew ] && [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "deps: not root and no sudo; as root, install: $packages" >&2
        exit 1
    fi
    sudo='sudo -n'
fi

# shellcheck disable=SC2086 # the lists are meant to split
case $manager in
apt)
    retry $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q update
    retry $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
        -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 install --no-install-recommends $packages
    ;;
dnf) retry $sudo dnf -y --setopt=install_weak_deps=False install $packages ;;
apk) retry $sudo apk add --no-cache $packages ;;
pacman) retry $sudo pacman -Sy --needed --noconfirm $packages ;;
brew) retry brew install $packages ;;
esac

if [ $dry_run -eq 1 ]; then
    install_node_modules
    exit 0
fi
lacking=$(missing "$manager")
if [ -n "$lacking" ]; then
    echo "deps: still missing after the installation:" \
        $(printf '%s\n' "$lacking" | cut -d'|' -f1) >&2
    exit 1
fi
install_node_modules
