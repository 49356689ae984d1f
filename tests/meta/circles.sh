#!/bin/sh
# No circles of calls between source files: whoever reads a file finds what it calls in files that
# know nothing of it.
. "$ROOT/tests/lib.sh"
need nm awk

folders="api base catalog cli estimate fit import model plan render report schema simulate source"

# calls OBJECT...: "FROM TO NAME" for each name that one of them takes from another.
calls() {
    nm -A -g -P "$@" | awk '
        { file = $1; sub(/:$/, "", file); sub(/^.*\/src\//, "", file); sub(/\.o$/, "", file) }
        $3 == "U" { n++; from[n] = file; name[n] = $2; next }
        $3 ~ /^[A-Z]$/ { home[$2] = file }
        END {
            for (i = 1; i <= n; i++)
                if (name[i] in home && home[name[i]] != from[i])
                    print from[i], home[name[i]], name[i]
        }' | sort
}

# circles: of the lines of calls those that lie on a circle, as "src/FROM.c calls NAME of
# src/TO.c". What calls nothing that is left, or is called by nothing that is left, is on none;
# of the rest a call is on one where its way leads back.
circles() {
    awk '
        { from[NR] = $1; to[NR] = $2; name[NR] = $3; left[NR] = 1 }
        function leads_back(start, goal,    i, more, seen) {
            seen[start] = 1
            for (more = 1; more;) {
                more = 0
                for (i = 1; i <= NR; i++)
                    if (left[i] && seen[from[i]] && !seen[to[i]]) seen[to[i]] = more = 1
            }
            return goal in seen && seen[goal]
        }
        END {
            for (more = 1; more;) {
                more = 0
                split("", calls); split("", called)
                for (i = 1; i <= NR; i++)
                    if (left[i]) { calls[from[i]] = 1; called[to[i]] = 1 }
                for (i = 1; i <= NR; i++)
                    if (left[i] && !((to[i] in calls) && (from[i] in called))) {
                        left[i] = 0
                        more = 1
                    }
            }
            for (i = 1; i <= NR; i++)
                if (left[i] && leads_back(to[i], from[i]))
                    print "src/" from[i] ".c calls " name[i] " of src/" to[i] ".c"
        }'
}

# What was built of files that have gone since is left out.
objects=$(for folder in $folders; do
    find "src/$folder" -name '*.c' | sed "s|^|$BUILD/|; s|c\$|o|"
done | sort)
# shellcheck disable=SC2086 # names of objects are words
calls $objects 2>"$scratch/errors" >"$scratch/calls"
circles <"$scratch/calls" >>"$scratch/errors"
verdict "no circles of calls between files" "$scratch/errors"

# The rule must bite: of these, c is called by a circle, d calls one, and a and b are it.
mkdir -p "$scratch/src/room"
echo 'int gp_b(void); int gp_a(void); int gp_a(void) { return gp_b(); }' >"$scratch/src/room/a.c"
echo 'int gp_a(void); int gp_c(void); int gp_b(void); int gp_b(void) { return gp_a() + gp_c(); }' \
    >"$scratch/src/room/b.c"
echo 'int gp_c(void); int gp_c(void) { return 1; }' >"$scratch/src/room/c.c"
echo 'int gp_a(void); int gp_d(void); int gp_d(void) { return gp_a(); }' >"$scratch/src/room/d.c"
for file in a b c d; do
    "$CC" -c -o "$scratch/src/room/$file.o" "$scratch/src/room/$file.c"
done
calls "$scratch"/src/room/*.o | circles >"$scratch/seen"
if printf '%s\n' 'src/room/a.c calls gp_b of src/room/b.c' \
    'src/room/b.c calls gp_a of src/room/a.c' | cmp -s - "$scratch/seen"; then
    pass "a circle is seen"
else
    fail "a circle is seen" "$scratch/seen"
fi
finish
