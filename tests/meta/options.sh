#!/bin/sh
# help = man page: every command, and every option of it, stands in both.
# Expects: `gpuplan help` lists commands as "  NAME  text"; `gpuplan help NAME` lists options on
# lines that begin with blanks and a dash. In docs/gpuplan.1 each command has a `.SS NAME ...` with
# its own options, and `.SH OPTIONS` holds the ones that commands share; an option is the line after
# `.TP`.
. "$ROOT/tests/lib.sh"
need awk
manual=docs/gpuplan.1
if ! "$GPUPLAN" help >"$scratch/help" 2>"$scratch/err" || [ ! -s "$scratch/help" ]; then
    fail "gpuplan help lists the commands" "$scratch/err"
    finish
fi
if [ ! -s $manual ]; then
    fail "$manual is there"
    finish
fi

# Lines "SECTION OPTION" of the manual; SECTION is the command, or "*" for the shared ones.
awk '
    function clean(text) {
        gsub(/\\-/, "-", text); gsub(/\\f[A-Z]/, "", text); gsub(/\\&/, "", text); gsub(/"/, "", text)
        return text
    }
    /^\.SH/ { section = ($2 == "OPTIONS" || $0 ~ /"?(COMMON|SHARED) OPTIONS/) ? "*" : "" }
    /^\.SS/ { section = clean($2); print section, "-" ; next }
    tagged {
        text = clean($0); sub(/^\.[BI][RI]? */, "", text); tagged = 0
        n = split(text, word, /[ ,=\[]+/)
        for (i = 1; i <= n; i++) if (word[i] ~ /^--?[A-Za-z]/) print section, word[i]
    }
    /^\.T[PQ]/ { tagged = 1 }
' $manual | sort -u >"$scratch/man"

commands=$(awk '/^  +[a-z][a-z-]*(  |$| [A-Z<\[])/ { print $1 }' "$scratch/help" | sort -u)
awk '$1 != "*" && $2 == "-" { print $1 }' "$scratch/man" | sort -u >"$scratch/man_commands"
printf '%s\n' $commands | sort -u >"$scratch/help_commands"
diff "$scratch/help_commands" "$scratch/man_commands" >"$scratch/diff"
verdict "help and man page list the same commands" "$scratch/diff"

awk '$1 == "*" { print $2 }' "$scratch/man" >"$scratch/shared"
: >"$scratch/used"
for command in $commands; do
    "$GPUPLAN" help "$command" 2>&1 </dev/null | awk '
        /^ +-/ { sub(/^ +/, ""); sub(/  .*/, "")
                 n = split($0, word, /[ ,=\[]+/)
                 for (i = 1; i <= n; i++) if (word[i] ~ /^--?[A-Za-z]/) print word[i] }' |
        sort -u >"$scratch/help_options"
    cat "$scratch/help_options" >>"$scratch/used"
    awk -v command="$command" '$1 == command && $2 != "-" { print $2 }' "$scratch/man" |
        sort -u >"$scratch/man_options"
    {
        sort -u "$scratch/man_options" "$scratch/shared" | comm -23 "$scratch/help_options" - |
            sed 's/$/: in help, not in the man page/'
        comm -13 "$scratch/help_options" "$scratch/man_options" |
            sed 's/$/: in the man page, not in help/'
    } >"$scratch/diff"
    verdict "options of '$command': help = man page" "$scratch/diff"
done
sort -u "$scratch/used" | comm -13 - "$scratch/shared" >"$scratch/diff"
verdict "every shared option of the man page belongs to a command" "$scratch/diff"
finish
