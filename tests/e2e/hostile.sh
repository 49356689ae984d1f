#!/bin/sh
# Names that try to be code change nothing but data, in every form of every command.
. "$ROOT/tests/lib.sh"
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
need $python
spec=$ROOT/examples/quickstart.yaml

hostile=$ROOT/tests/e2e/hostile.py
names=$scratch/names
mkdir "$names"
workbooks= # built with the library that writes them, or not
"$GPUPLAN" size "$spec" -q -o "$scratch/try.xlsx" 2>/dev/null && workbooks=yes
"$python" "$hostile" write "$names"
(
    cd "$names" || exit
    for file in *.yaml; do
        n=${file%.yaml}
        workload=$("$GPUPLAN" size "$file" -f json |
            "$python" -c 'import json, sys; sys.stdout.write(json.load(sys.stdin)["workloads"][0]["name"] + ".")')
        workload=${workload%.} # a line end at the end of a name would be lost
        for command in size check; do
            set --
            for form in text json markdown html csv yaml sarif junit tap github gitlab openmetrics; do
                set -- "$@" -o "$form=$n.$command.$form"
            done
            "$GPUPLAN" $command "$file" -q "$@" || [ $? -eq 1 ] || echo "$command $file failed"
        done
        sed 's/count: 1/count: 3/; s/summary.gpus <= 0/summary.gpus <= 99/' "$file" >"../base.yaml"
        for form in text json markdown; do
            "$GPUPLAN" diff ../base.yaml "$file" -f $form >"$n.diff.$form" || [ $? -eq 1 ]
        done
        set --
        for form in text json markdown yaml; do
            set -- "$@" -o "$form=$n.explain.$form"
        done
        "$GPUPLAN" explain -q "$@" -- "$file" "$workload"
        set --
        for ending in txt json md html svg csv; do
            set -- "$@" -o "$n.simulate.$ending"
        done
        "$GPUPLAN" simulate "$file" -q --requests 200 "$@" || [ $? -eq 1 ]
        for kind in k8s kueue slurm bom rfp; do
            "$GPUPLAN" export $kind "$file" >"$n.export.$kind" || echo "export $kind $file failed"
        done
        "$GPUPLAN" export rfp "$file" --neutral >"$n.export.neutral"
        "$GPUPLAN" export rfp "$file" -f csv >"$n.export.rfpcsv"
        if [ -n "$workbooks" ]; then
            "$GPUPLAN" size "$file" -q -o "$n.size.xlsx" || [ $? -eq 1 ]
        fi
        rm "$file"
    done
) >"$scratch/list" 2>&1
"$python" "$hostile" judge "$names" >>"$scratch/list" 2>&1
verdict "names are inert in every form of every command" "$scratch/list"
count=$(find "$names" -type f | wc -l)
if [ "$count" -ge 740 ]; then
    pass "every form was written"
else
    echo "$count files" >"$scratch/log"
    fail "every form was written" "$scratch/log"
fi
finish
