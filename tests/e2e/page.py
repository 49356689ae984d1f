"""page.py requests NETLOG | inject PAGE AXE.js | faults DOM | figures DOM REPORT.json

Complaints go to standard output; `inject` writes the page with the checker in it.
"""
import html
import html.parser
import json
import re
import sys

# The verdict as people read it.
SCALE_WORDS = {"none": "stay", "vertical": "up", "horizontal": "out", "both": "up+out",
               "infeasible": "fails"}

RUN = """
window.addEventListener('load', () => axe.run(document, {resultTypes: ['violations']}).then(result => {
    const text = document.createElement('pre');
    text.id = 'axe-result';
    text.textContent = JSON.stringify(result.violations.map(one =>
        [one.impact, one.id, one.nodes.length, one.nodes[0].html.slice(0, 200)]));
    document.body.appendChild(text);
}));
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


# What the browser asks its maker for, whatever page is open.
OWN = re.compile(r"[a-z]+://([a-z0-9-]+\.)*(google\.com|googleapis\.com|gstatic\.com)[:/]")


def requests(path):
    text = read(path)
    for address in set(re.findall(r'"url":"(https?://[^"]*|wss?://[^"]*)"', text)):
        if not OWN.match(address):
            print(address)


def inject(page, script):
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", read(page))
    parts = f"<script>{read(script)}</script><script>{RUN}</script>"
    head, close, rest = text.rpartition("</body>")
    print(head + parts + close + rest)


def faults(path):
    found = re.search(r'<pre id="axe-result">(.*?)</pre>', read(path), re.S)
    if not found:
        print("the checker did not run")
        return
    for impact, name, count, node in json.loads(html.unescape(found.group(1))):
        if impact in ("serious", "critical"):
            print(impact, name, count, node)


class Page(html.parser.HTMLParser):
    """Definitions (dt, dd) and tables by caption, as texts."""

    def __init__(self):
        super().__init__()
        self.texts, self.term, self.terms, self.tables, self.rows = [], None, {}, {}, []
        self.options = []

    def handle_starttag(self, tag, attrs):
        if tag in ("dt", "dd", "td", "th", "caption"):
            self.texts = []
        if tag == "table":
            self.rows = []
        if tag == "tr":
            self.rows.append([])

    def handle_data(self, data):
        self.texts.append(data)

    def handle_endtag(self, tag):
        text = " ".join("".join(self.texts).split())
        if tag == "dt":
            self.term = text
        if tag == "dd":
            self.terms.setdefault(self.term, text)
        if tag in ("td", "th"):
            self.rows[-1].append(text)
        if tag == "caption":
            self.tables[text] = self.rows
            if text.startswith("Machine types considered"):
                self.options.append(self.rows)


UNITS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "B": 1e9}


def figure(text):
    """The number of "259 kW", "7.44M USD", "184"."""
    found = re.match(r"(-?[0-9.]+(?:e[0-9]+)?) ?([kMGTB]?)", text)
    return float(found.group(1)) * UNITS[found.group(2)] if found else None


def near(what, text, value):
    got = figure(text) if text is not None else None
    if not value:
        return
    if got is None or abs(got - value) > 0.006 * abs(value):
        print(f"{what}: {text!r} on the page, {value} in the report")


def figures(path, report_path):
    page = Page()
    page.feed(read(path))
    report = json.loads(read(report_path))
    summary = report["summary"]
    line = page.terms.get("Site", page.terms.get("Sites", ""))
    site = re.match(r"(\d+) GPUs?.*?, (\d+) racks?, (?:peak )?(.+? [kM]?W) IT.*?, (.+? [kM]?W) facility(?:, (.*)/yr)?", line)
    for at, key in enumerate(("gpus", "racks", "itPowerW", "facilityPowerW", "costPerYear"), 1):
        if key != "costPerYear" or report["cost"]["complete"]:
            near(key, site.group(at) if site else None, summary[key])
    near("capital", page.terms.get("Buy"), summary["capital"])
    rows = {row[0]: row for row in page.tables.get("What each workload needs", [[]]) if row}
    for work in report["workloads"]:
        chosen = work["recommendation"]["chosen"]
        row = rows.get(work["name"], [None] * 7)
        want = f"{chosen['nodes']} {chosen['product']}"
        scale = SCALE_WORDS[work["recommendation"]["scale"]]
        if row[2] != want or not (row[3] or "").startswith(scale):
            print(f"{work['name']}: {row}, {want} in the report")
    costs = {row[0]: row[1] for row in page.tables.get("What a year costs", []) if len(row) >= 2}
    for label, key in (("energy", "energyPerYear"), ("total", "totalPerYear"),
                       ("capital", "capitalPerYear")):
        if report["cost"]["totalPerYear"]:
            near(label, costs.get(label), report["cost"][key])
    bill = page.tables.get(
        "Parts, how many to buy, and their price; spares count where spare/ID has a price", [])
    lines = [row for row in bill[1:] if "total" not in row]
    if [int(row[0]) for row in lines] != [line["count"] for line in report["site"]["bill"]]:
        print("the bill has other counts")
    for row in bill:
        if "total" in row:
            near("bill", row[-1], report["cost"]["capital"])
    options = page.options
    for work in report["workloads"]:
        want = [f"{one['nodes']} x {one['system']}" + ("" if one["where"] == "owned" else " (rented)")
                for one in work["recommendation"]["options"]]
        if len(want) > 1 and [row[1] for row in options.pop(0)[1:]] != want:
            print(f"{work['name']}: other kinds of machines on the page")
    quarters = {row[0]: row for row in page.tables.get("Quarter by quarter, as each begins", []) if row}
    for quarter in report["growth"]:
        row = quarters.get(quarter["quarter"], [None, None, None])
        near(quarter["quarter"], row[1], quarter["gpus"])
    if not rows:
        print("no table of workloads")


{"requests": requests, "inject": inject, "faults": faults, "figures": figures}[sys.argv[1]](*sys.argv[2:])
