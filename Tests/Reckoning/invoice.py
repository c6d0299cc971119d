#!/usr/bin/env python3
"""An invoice of the generated month with one fault of each kind, in every encoding, through `sekisho usage reconcile`.

usage: invoice.py PRODUCTS SESSIONS   (PRODUCTS is the folder of `sekisho` and `month-maker`; run where Config/ is)

The invoice's lines and their amounts are `reckon.py`'s, so the clean one must agree line by line; then each fault is put
in, and exactly those must be found.
"""
import copy
import csv
import io
import json
import re
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

MONTH, BEFORE = "2026-11", "2026-10"
KINDS = {
    "completed_any": "確認", "session_created": "開始", "status_check": "照会", "data_refetch": "再取得",
    "resubmission": "再送"}
TOKYO = timezone(timedelta(hours=9))
products, sessions = Path(sys.argv[1]).resolve(), sys.argv[2]
here = Path(__file__).resolve().parent
reckon = here.parent / "UsageTests/Fixtures/reckon.py"


def book(folder, has_resubmission):
    """A book in which all that alpha does has a price, or all but the one resubmission."""
    prices = json.loads((folder / "book.json").read_text())
    for tariff in prices["verifiers"]["alpha"]["tariffs"]:
        tariff["prices"]["data_refetch"] = {"unit": "12.5"}
        # A small month too has calls that cost something.
        tariff["prices"]["completed_any"]["free"] = 50
        if has_resubmission:
            tariff["prices"]["resubmission"] = {"unit": "33"}
    return prices


def calls(folder, prices):
    """Every call of alpha with what it costs, by the second reckoning."""
    own = folder / "reckoned"
    own.mkdir(exist_ok=True)
    (own / "events.tsv").write_bytes((folder / "events.tsv").read_bytes())
    (own / "book.json").write_text(json.dumps(prices))
    listed = {}
    for month in (BEFORE, MONTH):
        text = subprocess.run(
            [sys.executable, reckon, own, month, "--calls", "alpha"], check=True, capture_output=True, text=True).stdout
        listed[month] = [json.loads(line) for line in text.splitlines()]
    return listed


def line(call, amount=None, reference=None):
    at = datetime.fromtimestamp(call["time"] // 1000, TOKYO).strftime("%Y/%m/%d %H:%M:%S")
    return [
        reference or call["attempt"].replace("att_", "alpha-"), "", f"{at}.{call['time'] % 1000:03d}",
        KINDS[call["class"]], str(call["quantity"]), amount or call["amount"], ""]


def write(path, lines, encoding, remark):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(["取引番号", "受付番号", "日時", "区分", "数量", "金額", "摘要"])
    for row in lines:
        writer.writerow([*row[:6], remark if any(row) else ""])
    path.write_bytes(text.getvalue().encode(encoding))


def manifest(folder, encoding):
    """Alpha's own manifest, with an invoice that has a class for everything."""
    text = Path("Config/providers/alpha.json5").read_text(encoding="utf-8")
    place = text.index("  invoice: {")
    values = ", ".join(f'"{word}": "{name}"' for name, word in KINDS.items())
    invoice = (
        f'  invoice: {{ encoding: "{encoding}", columns: {{ reference: "取引番号", own_reference: "受付番号",\n'
        '    time: { column: "日時", format: "yyyy/MM/dd HH:mm:ss.SSS", time_zone: "Asia/Tokyo" },\n'
        f'    class: {{ column: "区分", values: {{ {values} }} }}, quantity: "数量", amount: "金額" }} }},\n}}\n')
    path = folder / f"alpha-{encoding}.json5"
    path.write_text(text[:place] + invoice, encoding="utf-8")
    return str(path)


def configure(folder, name, prices, encoding):
    (folder / f"{name}-book.json").write_text(json.dumps(prices))
    told = {
        "environment": "development", "store": {"path": "month.sqlite3"}, "prices": f"{name}-book.json",
        "sealing": {"keys": [{"id": "k", "key": {"file": "none"}}]},
        "clients": {"finance": {"key_sha256": ["0" * 64], "role": "finance"}},
        "purposes": {
            "account": {
                "document_types": ["org.iso.18013.5.1.mDL"], "claims": ["family_name"],
                "required_claims": ["family_name"], "retention": "0s", "relying_party_retention": "none"}},
        "verifiers": {
            "alpha": {
                "kind": "certified", "manifest": manifest(folder, encoding), "endpoint": "https://localhost:1/alpha",
                "credentials": {"api_key": {"file": "none"}},
                "wallet": {
                    "merchant_identifier": "merchant.example", "team_identifier": "TEAM123456",
                    "key_holder": "provider"}}},
        "routes": [{"verifier": "alpha"}],
    }
    for other in ("beta", "gamma"):
        prices["verifiers"][other]["retired"] = True
    (folder / f"{name}-book.json").write_text(json.dumps(prices))
    path = folder / f"{name}-{encoding}.json"
    path.write_text(json.dumps(told))
    return path.name


def reconcile(folder, configuration, invoice):
    call = [products / "sekisho", "usage", "reconcile", "--verifier", "alpha", "--month", MONTH, "--invoice", invoice]
    done = subprocess.run([*call, "--format", "json", configuration], cwd=folder, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def found(report):
    """What is found, but for lost answers that the invoice does not name: they cost nothing."""
    return sorted(
        (f["class"], (f["line"] or {}).get("line")) for f in report["findings"]
        if not (f["class"] == "uncertain_resolved" and f["line"] is None))


def main(folder):
    subprocess.run([products / "month-maker", folder, sessions], check=True)
    subprocess.run([products / "month-maker", folder], check=True)
    full, short = book(folder, True), book(folder, False)
    listed = calls(folder, copy.deepcopy(full))
    billed = [c for c in listed[MONTH] if c["standing"] == "billed"]
    clean = [line(c) for c in billed]
    write(folder / "clean.csv", clean, "utf-8", "")
    status, report, errors = reconcile(folder, configure(folder, "full", copy.deepcopy(full), "utf-8"), "clean.csv")
    lost = [c for c in listed[MONTH] if c["standing"] == "uncertain"]
    assert report and found(report) == [], (errors, found(report)[:5])
    totals = {t["class"]: t["count"] for t in report["totals"]}
    assert totals["matched"] == len(clean) == report["lines"] and totals["uncertain_resolved"] == len(lost), totals
    print(f"clean: {len(clean)} lines agree; {len(lost)} lost answers cost nothing")

    # Calls whose attempt has no other of their class, so that each fault can be one thing only.
    seen = {}
    for call in listed[MONTH]:
        seen[(call["attempt"], call["class"])] = seen.get((call["attempt"], call["class"]), 0) + 1
    alone = [
        n for n, c in enumerate(billed)
        if c["class"] == "completed_any" and seen[(c["attempt"], c["class"])] == 1 and c["amount"] != "0"]
    assert len(alone) > 10, len(alone)
    dearer, twice, missing = alone[1], alone[3], alone[5]
    october = next(
        c for c in reversed(listed[BEFORE]) if c["standing"] == "billed" and c["class"] == "completed_any")
    uncertain = next(c for c in lost if c["class"] == "completed_any")
    faulty = copy.deepcopy(clean)
    faulty[dearer][5] = str(Decimal(faulty[dearer][5]) + 1)
    wanted = [("unpriced_at_ours", next(n for n, c in enumerate(billed) if c["class"] == "resubmission") + 2)]
    wanted.append(("amount_differs", dearer + 2))
    for kind, row in (
        ("duplicate_at_theirs", copy.deepcopy(clean[twice])), ("month_differs", line(october)),
        ("theirs_only", line(billed[twice], reference="nobody-1")),
        ("uncertain_resolved", ["", uncertain["attempt"], *line(uncertain, amount="70")[2:]]),
    ):
        faulty.append(row)
        wanted.append((kind, len(faulty) + 1))
    # The line goes away without moving any other.
    faulty[missing] = [""] * 7
    wanted.append(("ours_only", None))

    def key(finding):
        return (finding[0], finding[1] or 0)

    for encoding, coded, remark in (
        ("utf-8", "utf-8", "𠮷野家・髙島屋～"), ("utf-8", "utf-8-sig", "𠮷野家・髙島屋～"), ("windows-31j", "cp932", "髙島屋～①"),
    ):
        write(folder / "faulty.csv", faulty, coded, remark)
        status, report, errors = reconcile(
            folder, configure(folder, "short", copy.deepcopy(short), encoding), "faulty.csv")
        assert status == 1 and report, errors
        got = sorted(found(report), key=key)
        assert got == sorted(wanted, key=key), (got, sorted(wanted, key=key))
        missed = [f for f in report["findings"] if f["class"] == "ours_only"]
        assert missed[0]["call"]["attempt"] == billed[missing]["attempt"]
        print(f"faulty in {coded}: exactly {', '.join(kind for kind, _ in got)}")
    # A file in another encoding than the manifest says is refused and never guessed at.
    for encoding, coded in (("windows-31j", "utf-8"), ("utf-8", "cp932")):
        write(folder / "foreign.csv", clean[:3], coded, "髙")
        status, report, errors = reconcile(
            folder, configure(folder, "short", copy.deepcopy(short), encoding), "foreign.csv")
        assert status == 2 and report is None and re.search(r"line 1: (not_in_encoding|column_missing)", errors), errors
    print("refused: UTF-8 for Windows-31J, and Windows-31J for UTF-8")


with tempfile.TemporaryDirectory() as name:
    main(Path(name))
