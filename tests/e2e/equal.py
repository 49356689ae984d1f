"""equal.py BASE: holds BASE.txt, .md, .html, .csv and .xlsx against BASE.json; complaints go to
standard output.
"""
import csv
import html
import json
import re
import sys
import zipfile

UNITS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}
complaints = []


def number(text):
    """The value of "344", "259 kW", "17.5M USD"."""
    found = re.match(r"(-?[0-9.]+) ?([kMG]?)", text.strip()) if text else None
    return float(found.group(1)) * UNITS[found.group(2)] if found else None


def same(form, what, text, value):
    """Three digits are shown: half of the last one may be lost."""
    got = text if isinstance(text, float) else number(text)
    if value is not None and (got is None or abs(got - value) > 0.006 * abs(value)):
        complaints.append(f"{form}: {what} is {text!r}, {value} in the report")


def tables_of_text(path):
    """Rows of words two blanks apart, under the line that is their head."""
    rows = []
    for line in open(path):
        rows.append([cell for cell in re.split(r"  +", line.strip()) if cell])
    return rows


def tables_of_markdown(path):
    cells = lambda line: [re.sub(r"\\(.)", r"\1", c.strip()) for c in
                          re.split(r"(?<!\\)\|", line.strip())[1:-1]]
    return [cells(line) for line in open(path) if line.startswith("|")]


def tables_of_html(path):
    page = open(path).read()
    strip = lambda text: html.unescape(re.sub("<[^>]*>", "", text)).strip()
    rows = [[strip(c) for c in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)]
            for row in re.findall(r"<tr>(.*?)</tr>", page, re.S)]
    return rows + [[strip(dt), strip(dd)] for dt, dd in
                   re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", page, re.S)]


def sheets(path):
    book = zipfile.ZipFile(path)
    read = lambda name: book.read(name).decode()
    strings = [html.unescape(re.sub("<[^>]*>", "", one)) for one in
               re.findall(r"<si>(.*?)</si>", read("xl/sharedStrings.xml"), re.S)]
    names = re.findall(r'<sheet name="([^"]*)"', read("xl/workbook.xml"))
    result = {}
    for at, name in enumerate(names):
        rows = []
        for row in re.findall(r"<row [^>]*>(.*?)</row>", read(f"xl/worksheets/sheet{at + 1}.xml"), re.S):
            cells = {}
            for column, kind, value in re.findall(
                    r'<c r="([A-Z]+)\d+"[^>]*?(?: t="(\w+)")?>(?:<f>[^<]*</f>)?<v>(.*?)</v>', row):
                cells[column] = strings[int(value)] if kind == "s" else float(value)
            rows.append(cells)
        result[name] = rows
    return result


def record(rows, head, first):
    """The row that starts with `first` in the table whose head has all of `head`."""
    titles = None
    for row in rows:
        if all(one in row for one in head):
            titles = row
        elif titles and row and row[0] == first:
            return dict(zip(titles, row))
    return {}


def bill_count(rows, role):
    """The sum of the counts of a role, from the table of the bill."""
    titles, total = None, 0
    for row in rows:
        if "Count" in row and "What" in row:
            titles = row
        elif titles and len(row) > 1 and role in row and row[0].isdigit():
            total += int(row[0])
    return float(total)


def site(form, line, report):
    """The first screen's line of the site."""
    found = re.search(r"^(\d+) GPUs?.*?, (\d+) racks?, (?:peak )?([0-9.]+ [kM]?W) IT.*?, ([0-9.]+ [kM]?W) facility"
                      r"(?:, (.*)/yr)?", line)
    summary = report["summary"]
    for what, at, key in (("GPUs", 1, "gpus"), ("racks", 2, "racks"), ("IT", 3, "itPowerW"),
                          ("facility", 4, "facilityPowerW"), ("cost", 5, "costPerYear")):
        if at < 5 or summary[key] and report["cost"]["complete"]:
            same(form, what, found.group(at) if found else None, summary[key])


def text(base, report):
    rows = tables_of_text(base + ".txt")
    body = open(base + ".txt").read()
    site("text", re.search(r"^Sites? +(.*)", body, re.M).group(1), report)
    for work in report["workloads"]:
        chosen = work["recommendation"]["chosen"]
        found = re.search(rf"^{re.escape(work['name'])}: {work['type']}.*?(?=^\S|\Z)", body, re.S | re.M)
        flat = re.sub(r"\s+", " ", found.group(0)) if found else ""
        if chosen["gpuPart"] is None and f"{chosen['nodes']} {chosen['product']}" not in flat:
            complaints.append(f"text: {work['name']} is not on {chosen['nodes']} {chosen['product']}")
    growth(rows, report, "text")
    bill(rows, report, "text")


def growth(rows, report, form):
    for quarter in report["growth"]:
        row = record(rows, ("Quarter", "GPUs"), quarter["quarter"])
        same(form, quarter["quarter"], row.get("GPUs"), quarter["gpus"])
        same(form, quarter["quarter"] + " machines", row.get("Machines"), quarter["nodes"])


def bill(rows, report, form):
    for role in {line["role"] for line in report["site"]["bill"]}:
        count = sum(l["count"] for l in report["site"]["bill"] if l["role"] == role)
        if not report.get("sites"):
            same(form, role, bill_count(rows, role), count)


def verdicts(rows, report, form):
    for work in report["workloads"]:
        chosen = work["recommendation"]["chosen"]
        row = record(rows, ("Workload", "Needs"), work["name"])
        part = chosen["gpuPart"] is not None
        if not part and not row.get("Needs", "").startswith(f"{chosen['nodes']} {chosen['product']}"):
            complaints.append(f"{form}: {work['name']} needs {row.get('Needs')!r}, "
                              f"{chosen['nodes']} {chosen['product']} in the report")


def markdown(base, report):
    rows = tables_of_markdown(base + ".md")
    site("Markdown", next(row[1] for row in rows if row and row[0] in ("Site", "Sites")), report)
    verdicts(rows, report, "Markdown")
    growth(rows, report, "Markdown")
    bill(rows, report, "Markdown")


def page(base, report):
    rows = tables_of_html(base + ".html")
    site("page", next(row[1] for row in rows if row and row[0] in ("Site", "Sites")), report)
    verdicts(rows, report, "page")
    growth(rows, report, "page")
    bill(rows, report, "page")


def dotted(tree, path):
    for key in path.split("."):
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree


def screen(base, report):
    """What the first screen of a comment says, those of the page and of the terminal say too."""
    head = open(base + ".md").read().split("\n### ")[0]
    page = html.unescape(re.sub("<[^>]*>", "\n", open(base + ".html").read().split("<nav")[0]))
    terminal = open(base + ".txt").read().split("\n" + report["workloads"][0]["name"] + ": ")[0]
    for row in head.splitlines():
        cells = [
            html.unescape(re.sub(r"\\(.)", r"\1", c.strip()))
            for c in re.split(r"(?<!\\)\|", row)[1:-1]
        ]
        if not cells or cells[0] in ("Workload", "Figure") or cells[-1] in ("Need", "Gain") or "---" in row:
            continue
        for cell in cells:
            for form, told in (("page", page), ("terminal", terminal)):
                if cell not in told:
                    complaints.append(f"{form}: the first screen lacks {cell!r}")


def table(base, report):
    works = {work["name"]: work for work in report["workloads"]}
    for row in csv.DictReader(open(base + ".csv")):
        for path, value in row.items():
            want = dotted(works[row["name"]], path)
            if path == "plan" or want is None:
                continue
            if isinstance(want, (int, float)) and not isinstance(want, bool):
                same("CSV", f"{row['name']} {path}", float(value) if value else None, want)
            elif value != (str(want).lower() if isinstance(want, bool) else want):
                complaints.append(f"CSV: {row['name']} {path} is {value!r}, {want!r} in the report")


def workbook(base, report):
    book = sheets(base + ".xlsx")
    named = {row.get("A"): row.get("B") for row in book["Summary"]}
    for what, key in (("GPUs", "gpus"), ("Racks", "racks")):
        same("workbook", what, named.get(what), report["summary"][key])
    for row, work in zip(book["Workloads"][1:], report["workloads"]):
        chosen = work["recommendation"]["chosen"]
        same("workbook", work["name"], row.get("H"), chosen["gpus"])
        same("workbook", work["name"], row.get("I"), chosen["nodes"])
    for row, line in zip(book["BOM"][1:], report["site"]["bill"]):
        same("workbook", line["role"], row.get("C"), line["count"])
    for row, quarter in zip(book.get("Growth", [])[1:], report["growth"]):
        same("workbook", quarter["quarter"], row.get("C"), quarter["nodes"])


def main():
    base = sys.argv[1]
    report = json.load(open(base + ".json"))
    for form in (text, markdown, page, screen, table, workbook):
        form(base, report)
    print("\n".join(complaints), end="\n" if complaints else "")


main()
