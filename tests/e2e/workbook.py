"""workbook.py spoil BOOK.xlsx SPOILT.xlsx | workbook.py compare PREFIX REPORT.json

`spoil` writes the book with another value behind every formula, and complains about formulas that had
none. `compare` holds the sheets (PREFIX-SHEET.csv, as LibreOffice calculated them) to the report.
"""
import csv
import json
import math
import re
import sys
import zipfile

CELL = re.compile(r'<c r="([A-Z]+[0-9]+)"[^>]*><f>([^<]*)</f>(<v>[^<]*</v>)?</c>')


def spoil(source, target):
    formulas = 0

    def other(match):
        nonlocal formulas
        formulas += 1
        if not match.group(3):
            print(match.group(1), "has no value")
        return match.group(0).replace(match.group(3) or "", "<v>-987654</v>")

    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for item in old.infolist():
            data = old.read(item)
            if item.filename.startswith("xl/worksheets/sheet"):
                data = CELL.sub(other, data.decode()).encode()
            if item.date_time[0] != 1980:
                print(item.filename, "has a date of", item.date_time)
            new.writestr(item, data)
    if formulas == 0:
        print("no formulas")


def sheet(prefix, name):
    with open(f"{prefix}-{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def near(what, cell, value):
    """A figure that nobody knows is none in the book, and never 0."""
    if value is None:
        if re.match(r"-?[0-9]", cell):
            print(f"{what}: {cell!r}, null in the report")
        return
    try:
        got = float(cell.replace(",", "") or 0)
    except ValueError:
        got = math.nan
    if not abs(got - value) <= 1e-5 * max(1, abs(value)):
        print(f"{what}: {cell!r}, {value} in the report")


def compare(prefix, report_path):
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    part = " of the priced items" if report["cost"]["missing"] else ""
    summary = {row[0]: row[1] for row in sheet(prefix, "Summary")}
    cost = report["cost"]
    near("GPUs", summary["GPUs"], report["summary"]["gpus"])
    near("IT power", summary["IT power"], report["summary"]["itPowerW"] / 1000)
    near("cost per year", summary["Cost per year" + part], cost["totalPerYear"])
    tco = {row[0]: row[1] for row in sheet(prefix, "TCO")}
    near("TCO total", tco["Total per year" + part], cost["totalPerYear"])
    near("TCO purchase", tco["Purchase price" + part], cost["capital"])
    known = cost["totalPerYear"] is not None
    running = cost["totalPerYear"] - (cost["capitalPerYear"] or 0) if known else None
    near("TCO running", tco["Running cost per year, without the purchase"], running)
    near("TCO of five years", tco["Total over these years: purchase and running cost"],
         cost["capital"] + 5 * running if known and cost["capital"] is not None else None)
    bill = report["site"]["bill"]
    rows = sheet(prefix, "BOM")
    if len(rows) != len(bill) + 2:
        print(len(rows), "rows of the bill,", len(bill), "in the report")
    for row, line in zip(rows[1:], bill):
        near(line["role"], row[2], line["count"])
        near(line["role"] + " price", row[6], line["price"] if line["bought"] else None)
    near("BOM power", rows[-1][3], sum(line["powerW"] or 0 for line in bill) / 1000)
    prices = [line["price"] for line in bill if line["bought"] and line["price"] is not None]
    near("BOM price", rows[-1][6], sum(prices) if prices else None)
    growth = sheet(prefix, "Growth")[1:] if report["growth"] else []
    if len(growth) != len(report["growth"]):
        print(len(growth), "quarters,", len(report["growth"]), "in the report")
    before = None
    for row, quarter in zip(growth, report["growth"]):
        near(quarter["quarter"], row[2], quarter["nodes"])
        if before is not None:
            near(quarter["quarter"] + " more", row[3], quarter["nodes"] - before)
        before = quarter["nodes"]
    if len(sheet(prefix, "Workloads")) != len(report["workloads"]) + 1:
        print("the workloads are not all there")
    shared = sum(len(work["assumptions"]) for work in report["workloads"])
    others = [it for it in report["assumptions"] if not it["path"].startswith("workloads.*.")]
    if len(sheet(prefix, "Assumptions")) != shared + len(others) + 1:
        print("the assumptions are not all there")


if sys.argv[1] == "spoil":
    spoil(*sys.argv[2:])
else:
    compare(*sys.argv[2:])
