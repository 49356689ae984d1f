"""forms.py schema SCHEMA FILE | counts FOLDER: complaints go to standard output.

`counts` holds r.prom, r.yaml, r.csv, r.tap, r.gitlab.json and r.sarif of the folder to its r.json.
"""
import csv
import json
import os
import re
import sys

import jsonschema
import yaml
from prometheus_client.openmetrics.parser import text_string_to_metric_families


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def schema(schema_path, path):
    rules = load(schema_path)
    checker = jsonschema.validators.validator_for(rules)(rules)
    for error in list(checker.iter_errors(load(path)))[:10]:
        print("/".join(map(str, error.absolute_path)) or "the whole", error.message[:200])


def metrics(path, report):
    with open(path, encoding="utf-8") as file:
        families = {family.name: family for family in text_string_to_metric_families(file.read())}
    summary = report["summary"]
    for name, value in (("gpuplan_gpus", summary["gpus"]), ("gpuplan_nodes", summary["nodes"]),
                        ("gpuplan_feasible", int(summary["feasible"]))):
        got = families[name].samples[0].value if name in families else None
        if got != value:
            print(f"metrics: {name} is {got}, {value} in the report")
    states = [s for s in families["gpuplan_check"].samples if s.value == 1]
    if len(states) != len(report["checks"]):
        print(f"metrics: {len(states)} checks have a state")


def same(a, b, at=""):
    if isinstance(a, dict) and isinstance(b, dict):
        if list(a) != list(b):
            print(f"yaml: keys of {at or 'the whole'} differ")
        for key in a:
            if key in b:
                same(a[key], b[key], f"{at}.{key}")
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            print(f"yaml: {at} has {len(b)} items, {len(a)} in the report")
        for index, (x, y) in enumerate(zip(a, b)):
            same(x, y, f"{at}.{index}")
    elif a != b and not (isinstance(a, (int, float)) and isinstance(b, str) and float(b) == a):
        print(f"yaml: {at} is {b!r}, {a!r} in the report")


def counts(folder):
    report = load(os.path.join(folder, "r.json"))
    findings = report["findings"]
    metrics(os.path.join(folder, "r.prom"), report)
    with open(os.path.join(folder, "r.yaml"), encoding="utf-8") as file:
        documents = list(yaml.safe_load_all(file))
    if len(documents) != 1:
        print(f"yaml: {len(documents)} documents")
    same(report, documents[0])
    with open(os.path.join(folder, "r.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if len(rows) != len(report["workloads"]):
        print(f"csv: {len(rows)} rows")
    for row, work in zip(rows, report["workloads"]):
        gpus = work["recommendation"]["chosen"]["gpus"]
        if row["recommendation.chosen.gpus"] != ("" if gpus is None else str(gpus)):
            print(f"csv: {row['recommendation.chosen.gpus']} GPUs of {work['name']}")
        if any(re.match(r"[=+@]", cell or "") for cell in row.values()):
            print("csv: a cell that a spreadsheet would run")
    results = load(os.path.join(folder, "r.sarif"))["runs"][0]["results"]
    if len(results) != len(findings):
        print(f"sarif: {len(results)} results, {len(findings)} findings")
    issues = load(os.path.join(folder, "r.gitlab.json"))
    if len({issue["fingerprint"] for issue in issues}) != len(issues):
        print("gitlab: fingerprints are not unique")
    for issue in issues:
        if set(issue) != {"description", "check_name", "fingerprint", "severity", "location"}:
            print("gitlab: fields", sorted(issue))
        if issue["severity"] not in ("info", "minor", "major", "critical", "blocker"):
            print("gitlab: severity", issue["severity"])
    with open(os.path.join(folder, "r.tap"), encoding="utf-8") as file:
        tap = file.read()
    plan = int(re.search(r"^1\.\.(\d+)$", tap, re.M).group(1))
    if plan != len(re.findall(r"^(?:not )?ok \d+", tap, re.M)):
        print("tap: the plan is not kept")
    for block in re.findall(r"^  ---\n(.*?)^  \.\.\.$", tap, re.M | re.S):
        yaml.safe_load(block)


{"schema": schema, "counts": counts}[sys.argv[1]](*sys.argv[2:])
