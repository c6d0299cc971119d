#!/usr/bin/env python3
"""Reckons a month of a ledger by itself and holds every report against it.

usage: reckon.py FOLDER MONTH [--calls VERIFIER]

FOLDER holds events.tsv (the ledger, one event a line), book.json (the price book), report-*.csv, .json and .txt, and
page.html (the console's page of the month), where there is one.
With `--calls` it only tells what it makes of a verifier's calls, one JSON object a line.
It shares no code with the gateway: sums are fractions, days come from zoneinfo, prices are applied event by event.
"""
import csv
import io
import json
import re
import sys
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from zoneinfo import ZoneInfo

MINOR = {"JPY": 0, "USD": 2}
COUNTS = ["attempts", "verified", "rejected", "failed", "uncertain", "billable", "unpriced"]
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
folder, month = Path(sys.argv[1]), sys.argv[2]
book = json.loads((folder / "book.json").read_text())
checked = 0
faults = []


def same(what, ours, theirs):
    global checked
    checked += 1
    if ours != theirs:
        faults.append(f"{what}: reckoned {ours!r}, reported {theirs!r}")


def decimal(value):
    sign, value = ("-", -value) if value < 0 else ("", value)
    scaled = value * 10**6
    assert scaled.denominator == 1, value
    whole, rest = divmod(scaled.numerator, 10**6)
    return sign + str(whole) + (f".{rest:06d}".rstrip("0") if rest else "")


def rounded(value, mode):
    negative, value = value < 0, abs(value)
    whole, rest = divmod(value.numerator, value.denominator)
    rest = Fraction(rest, value.denominator)
    whole += {"down": 0, "half_up": int(rest >= Fraction(1, 2)), "up": int(rest > 0)}[mode]
    return -whole if negative else whole


def minor(units, currency):
    digits = MINOR[currency]
    return str(units) if digits == 0 else f"{'-' if units < 0 else ''}{abs(units) // 10**digits}.{abs(units) % 10**digits:0{digits}d}"


def local_day(milliseconds, zone):
    return (EPOCH + timedelta(milliseconds=milliseconds)).astimezone(zone).date()


# --- calls ---------------------------------------------------------------------------------------------------------
calls = {}
for line in (folder / "events.tsv").read_text(encoding="utf-8").split("\n"):
    if not line:
        continue
    f = line.split("\t")
    event = {
        "sequence": int(f[0]), "kind": f[1], "attempt": f[2], "call": f[3], "role": f[4], "verifier": f[5], "client": f[6],
        "purpose": f[7], "at": int(f[8]), "provider": int(f[9]) if f[9] else None, "class": f[10], "quantity": int(f[11]),
        "outcome": f[12],
    }
    key = (event["attempt"], event["call"])
    if event["kind"] == "started":
        calls[key] = [event]
    elif event["kind"] in ("ended", "uncertain", "resolved"):
        calls[key].append(event)


def tariff_of(prices, day):
    for tariff in prices["tariffs"]:
        if date.fromisoformat(tariff["from"]) <= day and ("until" not in tariff or day < date.fromisoformat(tariff["until"])):
            return tariff
    return None


class Call:
    def __init__(self, events):
        first, last = events[0], events[-1]
        self.sequence, self.role, self.attempt = first["sequence"], first["role"], first["attempt"]
        self.verifier, self.client, self.purpose = first["verifier"], first["client"], first["purpose"]
        self.submission = first["call"] == "submit"
        self.settled = last["kind"] in ("ended", "resolved")
        self.outcome, self.billable_class, self.quantity = last["outcome"], last["class"], last["quantity"]
        prices = book["verifiers"].get(self.verifier)
        self.zone = ZoneInfo((prices or {}).get("time_zone", book["time_zone"]))
        rule = (prices or {}).get("month_by", "ended")
        ended = next((e["at"] for e in events if e["kind"] in ("ended", "uncertain")), first["at"])
        told = [e["provider"] for e in events if e["provider"] is not None]
        self.time = {"started": first["at"], "ended": ended, "provider": told[-1] if told else ended}[rule]
        self.day = local_day(self.time, self.zone)
        self.latency = max(0, last["at"] - first["at"]) if last["kind"] == "ended" else None
        self.amount, self.unpriced = None, 0


everything = [Call(events) for events in calls.values()]
inside = [c for c in everything if c.day.strftime("%Y-%m") == month]
first_day = date.fromisoformat(month + "-01")
days = [first_day + timedelta(days=n) for n in range(31) if (first_day + timedelta(days=n)).month == first_day.month]

# --- prices --------------------------------------------------------------------------------------------------------
invoices = {}
for verifier, prices in book["verifiers"].items():
    own = sorted((c for c in inside if c.verifier == verifier), key=lambda c: (c.time, c.sequence))
    seen = defaultdict(int)
    pending, lines = [], defaultdict(lambda: [0, Fraction(0)])
    for c in own:
        c.amount = Fraction(0)
        if not c.settled or c.billable_class == "non_billable":
            continue
        tariff = tariff_of(prices, c.day)
        if tariff is None or (c.billable_class not in tariff["prices"] and c.billable_class not in tariff.get("not_billed", [])):
            c.unpriced += c.quantity
            continue
        if c.billable_class in tariff.get("not_billed", []):
            continue
        price = tariff["prices"][c.billable_class]
        for _ in range(c.quantity):
            seen[c.billable_class] += 1
            pending.append((c, tariff, price, seen[c.billable_class]))
    for c, tariff, price, place in pending:
        free = price.get("free", 0)
        if place <= free:
            step, unit = None, Fraction(0)
        else:
            steps = price.get("steps", [{"unit": price.get("unit")}])
            position = (seen[c.billable_class] if price.get("kind") == "volume" else place) - free
            step = next(n for n, s in enumerate(steps) if "up_to" not in s or max(position, 1) <= s["up_to"])
            unit = Fraction(steps[step]["unit"])
        c.amount += unit
        line = lines[(c.billable_class, prices["tariffs"].index(tariff), step)]
        line[0] += 1
        line[1] += unit
    total = sum((amount for _, amount in lines.values()), Fraction(0))
    terms = next((t for t in (tariff_of(prices, d) for d in days) if t), None)
    flat = Fraction(terms.get("flat_fee", "0")) if terms else Fraction(0)
    top_up = max(Fraction(0), (Fraction(terms.get("minimum", "0")) if terms else Fraction(0)) - total)
    taxed = defaultdict(Fraction)
    if terms:
        taxed[(terms["tax"]["rate"], terms["tax"]["rounding"])] += flat + top_up
    for (_, index, _), (_, amount) in lines.items():
        tax = prices["tariffs"][index]["tax"]
        taxed[(tax["rate"], tax["rounding"])] += amount
    net = tax_sum = 0
    for (rate, mode), amount in taxed.items():
        part = rounded(amount * 10 ** MINOR[prices["currency"]], mode)
        net += part
        tax_sum += rounded(part * Fraction(rate), mode)
    invoices[verifier] = {
        "currency": prices["currency"], "net": net, "tax": tax_sum, "lines": lines, "flat": flat, "top_up": top_up,
        "unpriced": sum(c.unpriced for c in own),
    }
for c in inside:
    if c.verifier not in book["verifiers"] and c.settled and c.billable_class != "non_billable":
        c.unpriced = c.quantity
sums = defaultdict(lambda: [0, 0])
for invoice in invoices.values():
    sums[invoice["currency"]][0] += invoice["net"]
    sums[invoice["currency"]][1] += invoice["tax"]


if sys.argv[3:4] == ["--calls"]:
    prices = book["verifiers"][sys.argv[4]]
    for c in inside:
        if c.verifier != sys.argv[4]:
            continue
        tariff = tariff_of(prices, c.day)
        free = c.billable_class == "non_billable" or tariff and c.billable_class in tariff.get("not_billed", [])
        print(json.dumps({
            "attempt": c.attempt, "time": c.time, "class": c.billable_class, "quantity": c.quantity,
            "amount": decimal(c.amount), "standing": "uncertain" if not c.settled else "free" if free else "billed"}))
    sys.exit(0)


# --- rows ----------------------------------------------------------------------------------------------------------
def rank(values, percent):
    return sorted(values)[max(1, -(-len(values) * percent // 100)) - 1]


def reckon(group):
    submitted = [c for c in group if c.submission]
    settled = [c for c in submitted if c.settled]
    counts = [
        len(submitted), sum(c.outcome == "verified" for c in settled), sum(c.outcome == "rejected" for c in settled),
        sum(c.outcome in ("failed", "") for c in settled), sum(not c.settled for c in group),
        sum(c.quantity for c in group if c.settled and c.billable_class != "non_billable"), sum(c.unpriced for c in group),
    ]
    money = defaultdict(Fraction)
    for c in group:
        if c.verifier in book["verifiers"]:
            money[book["verifiers"][c.verifier]["currency"]] += c.amount
    latencies = [c.latency for c in submitted if c.latency is not None]
    percentiles = [rank(latencies, 50), rank(latencies, 95)] if latencies else [None, None]
    costs = {}
    for currency, amount in money.items():
        digits = MINOR[currency] + 2
        costs[currency] = decimal(Fraction(rounded(amount / counts[1] * 10**digits, "half_up"), 10**digits)) if counts[1] else None
    return counts, dict(money), costs, percentiles


def grouped(by):
    groups = defaultdict(list)
    for c in inside:
        groups[(tuple(c.day.isoformat() if g == "day" else getattr(c, g) for g in by), c.role)].append(c)
    return {key: reckon(group) for key, group in groups.items()}


def cells(by):
    """Every line of the table and the file as a list of cells."""
    lines = []
    for (key, role), (counts, money, costs, percentiles) in grouped(by).items():
        for n, currency in enumerate(sorted(money) or [None]):
            lines.append(
                ["usage", *key, role] + (list(map(str, counts)) if n == 0 else [""] * 7)
                + ([currency, decimal(money[currency]), "", "", costs[currency] or ""] if currency else [""] * 5)
                + ([str(p) if p is not None else "" for p in percentiles] if n == 0 else ["", ""]))
    place = by.index("verifier") if "verifier" in by else 0
    for verifier, invoice in invoices.items():
        key = [verifier if n == place else "" for n in range(len(by))]
        terms = invoice["flat"] + invoice["top_up"]
        if terms:
            lines.append(["terms", *key, ""] + [""] * 7 + [invoice["currency"], decimal(terms), "", "", "", "", ""])
        figures = [minor(n, invoice["currency"]) for n in (invoice["net"], invoice["tax"], invoice["net"] + invoice["tax"])]
        lines.append(["invoice", *key, ""] + [""] * 7 + [invoice["currency"], *figures, "", "", ""])
    for currency, (net, tax) in sums.items():
        figures = [minor(n, currency) for n in (net, tax, net + tax)]
        lines.append(["sum", *[""] * len(by), ""] + [""] * 7 + [currency, *figures, "", "", ""])
    # Each line says which month it is about.
    return sorted([*line[: len(by) + 1], month, *line[len(by) + 1 :]] for line in lines)


def compare(name, ours, theirs):
    same(f"{name}: lines", len(ours), len(theirs))
    for mine, other in zip(ours, theirs):
        same(f"{name}: {mine[:6]}: cells", len(mine), len(other))
        for n, (left, right) in enumerate(zip(mine, other)):
            same(f"{name}: {mine[:6]}[{n}]", left, right)


for path in sorted(folder.glob("report-*.csv")):
    by = [g for g in path.stem.removeprefix("report-").split("+") if g]
    expected = cells(by)
    rows = list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline="")))
    same(f"{path.name}: head", ["kind", *by, "month", "role"] + COUNTS, rows[0][: len(by) + 10])
    for row in rows[1:]:
        for n in range(1, len(by) + 1):
            if re.match(r"^'[=+\-@＝＋－＠]", row[n]):
                row[n] = row[n][1:]
            elif re.match(r"^[=+\-@＝＋－＠]", row[n]):
                faults.append(f"{path.name}: a formula is left alone: {row[n]}")
    compare(path.name, expected, sorted(rows[1:]))

    text = path.with_suffix(".txt").read_text(encoding="utf-8").split("\n")
    body = [line for line in text[2:] if re.match(r"(usage|terms|invoice|sum) ", line)]
    compare(
        path.with_suffix(".txt").name, sorted([cell for cell in row if cell] for row in expected),
        sorted(re.split(r"  +", line.strip()) for line in body))
    unpriced = sum(c.unpriced for c in inside)
    same(f"{path.stem}.txt: unpriced note", f"unpriced: {unpriced}, in no amount above" in text, unpriced > 0)

    report = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    for what, ours in (("rows", grouped(by)), ("totals", grouped([]))):
        keys = by if what == "rows" else []
        theirs = {(tuple(r[g] for g in keys), r["role"]): r for r in report[what]}
        same(f"{path.stem} {what}: keys", sorted(ours), sorted(theirs))
        for key, (counts, money, costs, percentiles) in ours.items():
            row = theirs.get(key)
            if row is None:
                continue
            name = f"{path.stem}.json {what} {key}"
            for n, column in enumerate(COUNTS):
                same(f"{name} {column}", counts[n], row[column])
            same(f"{name} amounts", sorted((c, decimal(a), costs[c]) for c, a in money.items()),
                 sorted((a["currency"], a["amount"], a["cost_per_verified"]) for a in row["amounts"]))
            same(f"{name} latencies", percentiles, [row["latency_p50_ms"], row["latency_p95_ms"]])
    same(f"{path.stem}.json invoices", sorted(invoices), [i["verifier"] for i in report["invoices"]])
    for theirs in report["invoices"]:
        ours, currency = invoices[theirs["verifier"]], theirs["currency"]
        same("currency", ours["currency"], currency)
        for member, value in (("net", ours["net"]), ("tax", ours["tax"]), ("total", ours["net"] + ours["tax"])):
            same(f"{path.stem}.json {theirs['verifier']} {member}", minor(value, currency), theirs[member])
        same("flat fee", decimal(ours["flat"]), theirs["flat_fee"])
        same("top-up", decimal(ours["top_up"]), theirs["top_up"])
        same("unpriced", ours["unpriced"], theirs["unpriced"])
        same(
            f"{path.stem}.json {theirs['verifier']} lines",
            sorted((c, t, -1 if s is None else s, q, decimal(a)) for (c, t, s), (q, a) in ours["lines"].items()),
            sorted((l["class"], l["tariff"], -1 if l["step"] is None else l["step"], l["quantity"], l["amount"]) for l in theirs["lines"]))
    same(
        f"{path.stem}.json sums", sorted((c, minor(n, c), minor(t, c), minor(n + t, c)) for c, (n, t) in sums.items()),
        sorted((s["currency"], s["net"], s["tax"], s["total"]) for s in report["sums"]))

    # The rows of a grouping are the month.
    for role in ("primary", "fallback", "shadow"):
        parts = [r for r in report["rows"] if r["role"] == role]
        whole = [c for c in inside if c.role == role]
        same(f"{path.stem} {role}", sum(c.submission for c in whole), sum(r["attempts"] for r in parts))


# --- the page ------------------------------------------------------------------------------------------------------
class Tables(HTMLParser):
    """The tables of a page, by the id of the section that they are in: rows of cells, each the plain figures in it
    (`data-value`), or its text where it has none."""

    def __init__(self):
        super().__init__()
        self.tables, self.section, self.row, self.cell = defaultdict(list), None, None, None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "section":
            self.section = attributes.get("aria-labelledby")
        elif tag == "tr":
            self.row = []
        elif tag in ("td", "th") and self.row is not None:
            self.cell = ([], [])
        if self.cell is not None and "data-value" in attributes:
            self.cell[0].append(attributes["data-value"])

    def handle_data(self, data):
        if self.cell is not None:
            self.cell[1].append(data)

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self.cell is not None:
            values, text = self.cell
            self.row.append(values or ["".join(text).strip()])
            self.cell = None
        elif tag == "tr" and self.row is not None:
            self.tables[self.section].append(self.row)
            self.row = None


def digits(cell):
    return re.sub(r"[^0-9]", "", cell[0])


def page_row(counts, money, costs=None, percentiles=None):
    """The figures of a row as the page has them: counts, amounts, costs and latencies."""
    row = [[str(n)] for n in counts] + [[decimal(money[c]) for c in sorted(money)]]
    if costs is not None:
        row.append([costs[c] for c in sorted(money) if costs[c] is not None])
        row += [[str(p)] for p in percentiles]
    return row


def look_at(page):
    tables = Tables()
    tables.feed(page.read_text(encoding="utf-8"))
    tables = tables.tables
    # What each provider should ask for, and the sums below.
    rows = tables["invoices"][1:]
    same("page: invoices", len(rows), len(invoices) + len(sums))
    for (verifier, ours), row in zip(sorted(invoices.items()), rows):
        figures = [ours["flat"] + ours["top_up"], ours["net"], ours["tax"], ours["net"] + ours["tax"]]
        wanted = [decimal(figures[0])] + [minor(n, ours["currency"]) for n in figures[1:]]
        same(f"page: invoice of {verifier}", [verifier, *wanted], [row[0][0], *[cell[0] for cell in row[1:]]])
    for (currency, (net, tax)), row in zip(sorted(sums.items()), rows[len(invoices):]):
        wanted = [minor(n, currency) for n in (net, tax, net + tax)]
        same(f"page: sum in {currency}", wanted, [cell[0] for cell in row[2:]])
    # Each provider in each role, and the totals of the roles below.
    roles = ["primary", "fallback", "shadow"]
    wanted = [
        (key[0], *parts) for (key, role), parts in
        sorted(grouped(["verifier"]).items(), key=lambda item: (item[0][0], roles.index(item[0][1])))]
    wanted += [
        (None, *parts) for (_, role), parts in sorted(grouped([]).items(), key=lambda item: roles.index(item[0][1]))]
    rows = tables["providers"][1:]
    same("page: providers", len(wanted), len(rows))
    for (verifier, counts, money, costs, percentiles), row in zip(wanted, rows):
        name = f"page: {verifier or 'sum'} {row[1]}"
        if verifier is not None:
            same(name, verifier, row[0][0])
        mine = page_row(counts, money, costs, [p if p is not None else "" for p in percentiles])
        theirs = row[2:9] + [row[9] if money else []] + [row[10] if mine[8] else []] + [[digits(c)] for c in row[11:13]]
        same(name, mine, theirs)
    # Each provider on each day, all roles together.
    daily = defaultdict(list)
    for c in inside:
        daily[(c.day.isoformat(), c.verifier)].append(c)
    rows = tables["days"][1:]
    same("page: days", len(daily), len(rows))
    for (key, group), row in zip(sorted(daily.items()), rows):
        counts, money, _, _ = reckon(group)
        mine = page_row(counts, money)
        same(f"page: {key}", [[key[0]], [key[1]], *mine], [*row[:9], row[9] if money else []])
    print(f"PAGE {len(daily)} days of providers, {len(wanted)} rows of providers, {len(invoices)} invoices")


if (folder / "page.html").exists():
    look_at(folder / "page.html")

for verifier, invoice in invoices.items():
    print(f"RECKONED {verifier} {minor(invoice['net'] + invoice['tax'], invoice['currency'])} {invoice['currency']}")
print(f"RECKONED calls {len(inside)} of {len(everything)}")
for fault in faults[:20]:
    print("DIFFERS", fault)
print(f"FAULTS {len(faults)} of {checked}")
sys.exit(1 if faults or not checked else 0)
