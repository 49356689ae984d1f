#!/usr/bin/env python3
"""Whether explain names every constant that moves a figure.

    explain.py GPUPLAN SPEC

Each constant of the catalogue is raised by 2 % in turn. A figure of a workload that moves while its
layout stays has to name the constant among the inputs of its derivation. Prints the pairs that do
not, and fails where there is one.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

FIGURES = ["stepTimeS", "tokensPerS", "timeToCompleteS", "goodputFraction", "ttftP95S", "tpotP95S",
           "requestsPerS"]
PATHS = ["performance." + name for name in FIGURES] + ["memory.usedBytes"]
CHOICE = ["layout", "microBatch", "recompute", "zero", "vpp", "offload"]
MOVED = 1e-5  # more than the six digits of a report


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def figure(workload, path):
    for key in path.split("."):
        workload = workload.get(key) if isinstance(workload, dict) else None
    return workload if isinstance(workload, (int, float)) else None


def choice(workload):
    return [workload["recommendation"]["chosen"].get(key) for key in CHOICE]


def named(program, spec, workload, path):
    told = run(program, "explain", spec, workload, path, "-f", "json")
    if told.returncode != 0:
        return set()
    return {i["name"] for term in json.loads(told.stdout)["terms"] for i in term["inputs"]}


def raised(program, spec, row):
    """The report with the constant 2 % higher; None where it is no number or makes no plan."""
    parts = re.match(r"^(-?[0-9.]+(?:e-?[0-9]+)?)(.*)$", str(row["value"]))
    if parts is None:
        return None
    value = "%r%s" % (float(parts.group(1)) * 1.02, parts.group(2))
    rows = json.dumps([{"id": row["id"], "value": value}])
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as overlay:
        overlay.write("apiVersion: gpuplan/v1\nkind: Catalog\nmetadata: {name: raised}\n"
                      "spec: {constants: %s}\n" % rows)
    done = run(program, "size", spec, "--catalog", overlay.name, "-f", "json")
    os.unlink(overlay.name)
    return json.loads(done.stdout) if done.returncode <= 1 else None


def main(program, spec):
    base = json.loads(run(program, "size", spec, "-f", "json").stdout)
    rows = json.loads(run(program, "catalog", "list", "constants", "-f", "json").stdout)["rows"]
    names = {}
    pairs = missing = 0
    for row in rows:
        report = raised(program, spec, row)
        for before, after in zip(base["workloads"], report["workloads"] if report else []):
            for path in PATHS if choice(before) == choice(after) else []:
                old, new = figure(before, path), figure(after, path)
                if not old or new is None or abs(new / old - 1) < MOVED:
                    continue
                key = (before["name"], path)
                if key not in names:
                    names[key] = named(program, spec, *key)
                pairs += 1
                if row["id"] not in names[key]:
                    missing += 1
                    print("%s: %s of %s does not name %s" % (spec, path, before["name"], row["id"]))
    print("%s: %d pairs, %d not named" % (spec, pairs, missing))
    return 1 if missing > 0 or pairs == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
