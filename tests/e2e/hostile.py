"""Names that try to be something else, in every form that a report has.

hostile.py write FOLDER            writes FOLDER/N.yaml, a spec and a policy per name
hostile.py judge FOLDER            reads FOLDER/N.COMMAND.FORM and prints what is not inert
"""
import csv
import glob
import html.parser
import io
import json
import os
import re
import sys
import xml.etree.ElementTree as tree
import zipfile

import yaml

NAMES = [
    "</script><script>alert(1)</script>",
    "x\n::error file=a.c::boom",
    "x\r\n::set-output name=a::b",
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "+1-2",
    "\tx",
    "a\x1b[31mred\x07\x08",
    "abc\u202egnp.exe\u2066x\u200f",
    "`code` | cell | <img src=x onerror=alert(1)>\n\n# head\n[a](javascript:b)",
    "%0A::error::x",
    "quote\" back\\slash 'n",
    "a" * 10000,
    "]]><x>&amp;&#60;",
    "ok 1 - x\nnot ok 2 - y\n1..0\nBail out!",
    "x\"} 1\n# EOF\ngpuplan_gpus 7",
    "---\n- a: !!python/object:x\n...",
    "<!-- gpuplan -->",
]

SPEC = """apiVersion: gpuplan/v1
kind: Plan
metadata: {{name: {name}, labels: {{team: {name}}}}}
spec:
  cluster: {{pools: [{{name: {name}, system: dgx-a100, count: 1}}]}}
  candidates: [dgx-h100]
  workloads:
    - name: {name}
      type: inference
      model: llama-3.1-70b
      traffic: {{requestsPerSecond: 0.2, inputTokens: 2000, outputTokens: 400}}
      goal: {{slo: {{ttft: 1 s, tpot: 18 ms}}}}
---
apiVersion: gpuplan/v1
kind: Policy
metadata: {{name: {name}}}
spec:
  rules:
    - {{id: HOSTILE-1, assert: "summary.gpus <= 0", message: {name}}}
    - {{id: HOSTILE-2, assert: "summary.gpus < 1", message: {name}}}
  waivers:
    - {{rule: HOSTILE-2, until: 2099-12-31, reason: {name}}}
"""

# Line feeds and tabs are for the form itself to use, and line ends inside quoted cells.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def text(data, name):
    if CONTROL.search(data) or "\r" in data:
        yield "a control character"


def as_json(data, name):
    yield from text(data, name)
    if name not in strings(json.loads(data)):
        yield "the name is not told as it is"


def as_yaml(data, name):
    yield from text(data, name)
    documents = list(yaml.safe_load_all(data))
    if len(documents) != 1 or name not in strings(documents[0]):
        yield "the name is not told as it is"


def strings(value):
    if isinstance(value, dict):
        return [each for item in value.values() for each in strings(item)]
    if isinstance(value, list):
        return [each for item in value for each in strings(item)]
    return [value] if isinstance(value, str) else []


class Page(html.parser.HTMLParser):
    """Elements and attributes that run something or fetch something."""

    def __init__(self):
        super().__init__()
        self.bad = []

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "img", "iframe", "object", "embed", "link", "base", "x"):
            self.bad.append(f"an element {tag}")
        for key, value in attrs:
            named = key == "aria-label"  # read aloud, never followed
            if key.startswith("on") or ("javascript:" in (value or "") and not named):
                self.bad.append(f"an attribute {key}")


def as_html(data, name):
    yield from text(data, name)
    page = Page()
    page.feed(data)
    yield from page.bad


def as_markdown(data, name):
    yield from text(data, name)
    for line in data.splitlines():
        if re.search(r"(?<!\\)<(script|img|x)\b", line) or line == "# head":
            yield f"markup: {line[:80]!r}"
        if re.search(r"(?<!\\)\[a(?<!\\)\]\(javascript", line):
            yield f"a link: {line[:80]!r}"
    if data.count("<!-- gpuplan") > 1:
        yield "a second marker"


def as_csv(data, name):
    if CONTROL.search(data.replace("\r", "")):
        yield "a control character"
    for row in csv.reader(io.StringIO(data)):
        for cell in row:
            if re.match(r"[=@\t\r]|[+-](?![0-9.]+(e[+-]?[0-9]+)?$)", cell):
                yield f"a formula: {cell[:60]!r}"


def as_xml(data, name):
    for element in tree.fromstring(data).iter():
        if element.tag not in ("testsuites", "testsuite", "testcase", "failure", "skipped",
                               "system-out", "properties", "property", "error"):
            yield f"an element {element.tag}"


def as_tap(data, name):
    yield from text(data, name)
    lines = data.splitlines()
    plans = [int(line[3:]) for line in lines if re.match(r"1\.\.\d+$", line)]
    cases = [line for line in lines if re.match(r"(not )?ok\b", line)]
    if len(plans) != 1 or plans[0] != len(cases) or any(line.startswith("Bail") for line in lines):
        yield f"a plan {plans} of {len(cases)} cases"


def as_github(data, name):
    yield from text(data, name)
    for line in data.splitlines():
        if "##[" in line or line.lstrip().startswith("::") and not re.match(r"::(error|warning|notice) (file|title)=[^:]*::", line):
            yield f"a command: {line[:80]!r}"
        if re.match(r"::error file=a\.c|::set-output|::error::", line):
            yield f"a forged command: {line[:80]!r}"


def as_openmetrics(data, name):
    yield from text(data, name)
    label = r'[a-zA-Z_][a-zA-Z0-9_]*="(\\[\\"n]|[^"\\\n])*"'
    sample = re.compile(rf"gpuplan_\w+(\{{{label}(,{label})*\}})? [0-9.eE+-]+$")
    lines = data.splitlines()
    if lines[-1] != "# EOF" or lines.count("# EOF") != 1:
        yield "not one end"
    for line in lines[:-1]:
        if not line.startswith("# ") and not sample.match(line):
            yield f"a line {line[:80]!r}"
        if line == "gpuplan_gpus 7":
            yield "a forged sample"


def as_manifests(data, name):
    yield from text(data, name)
    kinds = {"Deployment", "PodDisruptionBudget", "HorizontalPodAutoscaler", "ScaledObject", "Job",
             "LeaderWorkerSet", "JobSet", "ResourceFlavor", "ClusterQueue", "LocalQueue"}
    for item in yaml.safe_load_all(data):
        if item is None:
            continue
        if item["kind"] not in kinds:
            yield f"an object {item['kind']}"
        if not re.fullmatch(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", item["metadata"]["name"]):
            yield f"a name {item['metadata']['name'][:40]!r}"


def as_slurm(data, name):
    yield from text(data, name)
    label = r"[a-z][-a-z0-9]*"
    known = re.compile(rf"#.*|#SBATCH --[a-z-]+(=[-a-z0-9_:,.%]+)?|GresTypes=gpu|NodeName={label}(-\[.*\])? "
                       rf"[-A-Za-z0-9_=:/\[\] ]+|PartitionName={label} [-A-Za-z0-9_=\[\] ]+|"
                       r"export [A-Z_]+(=[0-9]+)?|MASTER_ADDR=.*|srun --kill-on-bad-exit=1 \"\$@\"|"
                       r"if \[ \$# -eq 0 \]; then|    echo \"usage: .*\" >&2|    exit 2|fi|")
    for line in data.splitlines():
        if not known.fullmatch(line):
            yield f"a line {line[:80]!r}"


def as_workbook(path, name):
    """Names are texts of the workbook, never formulas or links."""
    with zipfile.ZipFile(path) as book:
        for part in book.namelist():
            if not part.endswith((".xml", ".rels")):
                yield f"a part {part}"
                continue
            root = tree.fromstring(book.read(part))
            for element in root.iter():
                tag = element.tag.rpartition("}")[2]
                if tag == "hyperlink" or element.get("TargetMode") == "External":
                    yield f"a link in {part}"
                if tag == "f" and re.search(r"cmd|calc|HYPERLINK|DDE|WEBSERVICE", element.text or ""):
                    yield f"a formula {element.text[:60]!r}"


FORMS = {
    "k8s": as_manifests, "kueue": as_manifests, "slurm": as_slurm, "bom": as_csv,
    "rfp": as_markdown, "neutral": as_markdown, "rfpcsv": as_csv, "xlsx": as_workbook,
    "text": text, "json": as_json, "sarif": text, "gitlab": text, "yaml": as_yaml,
    "html": as_html, "svg": as_html, "markdown": as_markdown, "csv": as_csv, "junit": as_xml,
    "txt": text, "md": as_markdown, "tap": as_tap, "github": as_github, "openmetrics": as_openmetrics,
}


def write(folder):
    for number, name in enumerate(NAMES):
        with open(f"{folder}/{number}.yaml", "w", encoding="utf-8") as file:
            file.write(SPEC.format(name=json.dumps(name)))


def judge(folder):
    for path in sorted(glob.glob(f"{folder}/*.*.*")):
        number, command, form = os.path.basename(path).split(".")
        if form == "xlsx":
            for fault in as_workbook(path, NAMES[int(number)]):
                print(f"{command} {form}, {NAMES[int(number)][:30]!r}: {fault}")
            continue
        with open(path, encoding="utf-8", newline="") as file:
            data = file.read()
        if not data:
            print(f"{command} {form}, name {number}: nothing was written")
            continue
        if form in ("sarif", "gitlab"):
            json.loads(data)
        for fault in FORMS[form](data, NAMES[int(number)]):
            print(f"{command} {form}, {NAMES[int(number)][:30]!r}: {fault}")


{"write": write, "judge": judge}[sys.argv[1]](sys.argv[2])
