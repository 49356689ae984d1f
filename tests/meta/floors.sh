#!/bin/sh
# The floors of the house: a file includes headers of its own floor or of lower ones, and what
# touches the outside world (YAML, JSON parser, network, clock, locale) stays on its one floor.
. "$ROOT/tests/lib.sh"
need awk

# Prints "FILE:LINE: complaint". The tables at the top of BEGIN are the rule.
check_includes() {
    awk '
    function set(table, words, value,    list, n, i) {
        n = split(words, list, " ")
        for (i = 1; i <= n; i++) table[list[i]] = value
    }
    BEGIN {
        set(floor, "base", 0);       set(floor, "source", 1);         set(floor, "schema", 2)
        set(floor, "model catalog", 3); set(floor, "estimate", 4);    set(floor, "simulate", 5)
        set(floor, "plan fit import", 6); set(floor, "report", 7);         set(floor, "render", 8)
        set(floor, "api cli", 9)

        # Public headers stand on the floor that implements them; others of the library do not.
        set(public, "arena status units diag", 0)
        set(public, "report rows", 7);    set(public, "render", 8);   set(public, "session gpuplan", 9)

        # Systems headers with a home of their own.
        only["yaml.h"] = only["cJSON.h"] = only["cjson/cJSON.h"] = "source"
        only["time.h"] = only["sys/time.h"] = only["locale.h"] = only["signal.h"] = "cli"
        only["unistd.h"] = only["sys/socket.h"] = only["netdb.h"] = "cli"
        # Estimators get resolved structs; they never look anything up.
        barred["estimate catalog"] = barred["simulate catalog"] = 1
        set(structs, "catalog/catalog.h catalog/constants.h", 1)
        # render sees the report and what else it gives forms to, nothing of how these came about.
        set(render_sees, "base report render", 1)
        set(formed, "fit/backtest.h simulate/simulation.h schema/schema.h", 1)
        # What each floor lets the command line have.
        set(front, "base/buf.h base/day.h base/str.h", 1)
        set(front, "schema/schema.h catalog/catalog.h catalog/constants.h model/model.h", 1)
        set(front, "model/calibration.h model/config.h model/lock.h estimate/estimate.h", 1)
        set(front, "simulate/simulate.h plan/plan.h fit/fit.h import/import.h", 1)
        set(front, "import/readings.h import/telemetry.h report/produce.h report/capacity.h", 1)
        set(front, "report/diff.h report/observe.h report/study.h render/forms.h", 1)
    }
    function complain(text) { print FILENAME ":" FNR ": " text }
    FNR == 1 {
        n = split(FILENAME, path, "/")
        mine = path[1] == "src" ? path[2] : "include"
        name = path[n]; sub(/\.[ch]$/, "", name)
        if (mine == "include") {
            if (!(name in public)) complain("give this header a floor in tests/meta/floors.sh")
            level = public[name]
        } else {
            if (!(mine in floor)) complain("src/" mine " is no floor")
            level = floor[mine]
        }
    }
    !/^[ \t]*#[ \t]*include/ { next }
    {
        header = $0
        sub(/^[^"<]*["<]/, "", header); sub(/[">].*/, "", header)
        split(header, part, "/")
    }
    /</ && header ~ /^gpuplan\// {
        target = part[2]; sub(/\.(h|def)$/, "", target)
        if (!(target in public)) complain("<" header "> has no floor in tests/meta/floors.sh")
        else if (public[target] > level)
            complain("<" header "> is on floor " public[target] ", this file on " level)
        next
    }
    /</ {
        if (mine == "include" && header !~ /^(assert|float|inttypes|limits|math|stdalign|stdarg|stdbool|stddef|stdint|stdio|string)\.h$/)
            complain("a public header may not include <" header ">")
        home = header ~ /^curl\// ? "cli" : only[header]
        if (home != "" && home != mine) complain("<" header "> belongs to src/" home)
        next
    }
    mine == "include" { complain("public headers include <gpuplan/...> only, not \"" header "\""); next }
    !(part[1] in floor) { complain("\"" header "\": write includes relative to src/, as \"base/x.h\""); next }
    mine == "cli" && part[1] != "cli" && !(header in front) { complain("the command line sees what floors let it have, not \"" header "\""); next }
    mine == "render" && !(part[1] in render_sees) && !(header in formed) { complain("render sees only the report and base, not \"" header "\""); next }
    ((mine " " part[1]) in barred) && !(header in structs) { complain(mine " must not see \"" header "\""); next }
    floor[part[1]] > level { complain("\"" header "\" is on floor " floor[part[1]] ", this file on " level) }
    ' "$@"
}

check_includes $(find src include -name '*.[ch]' | sort) >"$scratch/includes"
verdict "includes obey the floors" "$scratch/includes"

# The rule itself must bite: one wrong include per clause.
mkdir -p "$scratch/bite/src/base" "$scratch/bite/src/render" "$scratch/bite/src/cli" \
    "$scratch/bite/src/estimate" "$scratch/bite/include/gpuplan"
cd "$scratch/bite" || exit 1
echo '#include "plan/rank.h"' >src/base/a.c
echo '#include <yaml.h>' >src/base/b.c
echo '#include <time.h>' >src/base/c.c
echo '#include "estimate/memory.h"' >src/render/a.c
echo '#include "plan/plan.h"' >src/render/b.c
echo '#include "report/build.h"' >src/cli/a.c
echo '#include "catalog/tables.h"' >src/estimate/a.c
echo '#include "arena.h"' >src/base/d.c
echo '#include "base/arena.h"' >include/gpuplan/report.h
echo '#include <stddef.h>' >include/gpuplan/unheard.h
check_includes src/*/*.c include/gpuplan/*.h >complaints
if [ "$(cut -d: -f1 complaints | sort -u | wc -l)" -eq 10 ]; then
    pass "wrong includes are seen"
else
    fail "wrong includes are seen" complaints
fi
finish
