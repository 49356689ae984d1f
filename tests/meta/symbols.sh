#!/bin/sh
# What the library may define and call: gp_ names, no mutable globals, nothing that prints, exits,
# reads the environment, the locale or the clock.
. "$ROOT/tests/lib.sh"
need nm objdump awk
library=$BUILD/libgpuplan.a
if [ ! -e "$library" ]; then
    fail "$library is built"
    finish
fi

# Column 1: the folders that may call them (- nobody), then the functions.
cat >"$scratch/rules" <<'END'
- printf vprintf puts putchar putc fputc fputs fprintf vfprintf perror stdout stderr stdin
- __printf_chk __fprintf_chk __vfprintf_chk __vprintf_chk
- exit _exit _Exit quick_exit atexit raise signal kill system popen fork execv execve execvp
- getenv secure_getenv setenv putenv environ setlocale localeconv newlocale uselocale
- time clock gettimeofday clock_gettime localtime gmtime localtime_r gmtime_r strftime mktime
- rand srand random srandom rand_r drand48 lrand48 arc4random getrandom
- sprintf vsprintf strcpy strcat gets strtok atoi atol atoll atof scanf sscanf fscanf alloca
- strcoll strxfrm cJSON_InitHooks
base strtod strtof strtold
base abort setjmp longjmp _setjmp __longjmp_chk
base,source malloc calloc realloc free strdup strndup aligned_alloc posix_memalign
base log log2 log10 log1p exp exp2 expm1 pow sin cos tan atan atan2 tanh cbrt hypot tgamma lgamma erf
END

# foreign_names FILE: external symbols of an object or archive outside our name space.
foreign_names() {
    nm -A -g --defined-only "$1" | awk '$NF !~ /^gp_/ { print $1, $NF }'
}

# mutable_globals OBJECT...: what lies in a writable section. .data.rel.ro is constant: tables of
# pointers, written once by the loader.
mutable_globals() {
    objdump -t "$@" | awk '
        / file format / { object = $1; sub(/:$/, "", object) }
        NF < 5 { next }
        { section = $(NF - 2) }
        section ~ /^\.data\.rel\.ro/ || $NF == section { next }
        section ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ { print object ": " $NF " in " section }'
}

# forbidden_calls OBJECT...: each lies in the folder that it is of.
forbidden_calls() {
    nm -A -u "$@" | awk '
        NR == FNR { for (i = 2; i <= NF; i++) who[$i] = $1; next }
        { object = $1; sub(/:.*/, "", object); n = split(object, path, "/"); sub(/@.*/, "", $NF) }
        $NF in who && index("," who[$NF] ",", "," path[n - 1] ",") == 0 {
            print object ": calls " $NF
        }' "$scratch/rules" -
}

foreign_names "$library" >"$scratch/names" 2>&1
verdict "every external symbol starts with gp_" "$scratch/names"

objects=$(find "$BUILD/src" -name '*.o' ! -path '*/src/cli/*' ! -path '*/compiler/*' | sort)
# shellcheck disable=SC2086 # names of objects are words
mutable_globals $objects "$BUILD/catalog_data.o" >"$scratch/globals" 2>&1
verdict "no mutable globals" "$scratch/globals"

# shellcheck disable=SC2086
forbidden_calls $objects >"$scratch/calls" 2>&1
verdict "the library calls nothing it must not" "$scratch/calls"

# The rules must bite.
cat >"$scratch/bad.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
int gp_counter;
static int hidden = 3;
const char *const gp_words[] = {"constant", "table"};
int *stranger(const char *text);
int *stranger(const char *text) {
    puts(text);
    gp_counter += hidden++ + (int)strtod(text, NULL);
    return malloc(sizeof hidden);
}
END
mkdir "$scratch/source"
"$CC" -O2 -c -o "$scratch/source/bad.o" "$scratch/bad.c"
{
    foreign_names "$scratch/source/bad.o"
    mutable_globals "$scratch/source/bad.o"
    forbidden_calls "$scratch/source/bad.o"
} >"$scratch/seen" 2>&1
found=$(awk '{ for (i = 2; i <= NF; i++) print $i }' "$scratch/seen" |
    grep -E '^(stranger|hidden|gp_counter|gp_words|puts|strtod|malloc)$' | sort | tr '\n' ' ')
if [ "$found" = "gp_counter hidden puts stranger strtod " ]; then
    pass "offences are seen"
else
    fail "offences are seen" "$scratch/seen"
fi
finish
