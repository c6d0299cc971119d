#!/usr/bin/env python3
"""Measures `sekisho usage` over the ledger that script/bench made: medians of five runs, each a process of its own.

usage: bench.py report|reconcile SEKISHO CONFIGURATION
"""
import calendar
import csv
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 5
what, program, configuration = sys.argv[1:]
failed = False


def run(arguments):
    """One run: its output, and its seconds, processor seconds and most megabytes."""
    begun = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([program, "usage", *arguments, configuration], stdout=output)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - begun
        output.seek(0)
        return process.returncode, output.read().decode(), (seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def measure(name, arguments, seconds, megabytes, check):
    global failed
    figures = []
    for _ in range(RUNS):
        status, output, used = run(arguments)
        check(status, output)
        figures.append(used)
    wall, processor, memory = (statistics.median(column) for column in zip(*figures))
    print(
        f"{name}: {wall:.2f} s ({min(f[0] for f in figures):.2f} to {max(f[0] for f in figures):.2f}), of the processor "
        f"{processor:.2f} s, {memory:.0f} MB; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if wall > seconds or max(f[2] for f in figures) > megabytes:
        print(f"over the bound of {seconds} s and {megabytes} MB")
        failed = True


def is_month(status, output):
    lines = list(csv.reader(io.StringIO(output)))
    place = lines[0].index("attempts")
    attempts = sum(int(line[place]) for line in lines[1:] if line[0] == "usage")
    assert status == 0 and attempts == 1_000_000, (status, attempts)


def invoice(path):
    """What alpha would ask for in that month, by its manifest, but for one line that asks for a yen more."""
    _, output, _ = run(["attempts", "--month", "2025-06", "--verifier", "alpha", "--format", "csv"])
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["管理番号", "受付番号", "処理日時", "区分", "金額"])
        seen = 0
        for call in csv.DictReader(io.StringIO(output)):
            if call["state"] != "ended":
                continue
            seen += 1
            amount = "0" if seen <= 1000 else "150" if seen <= 101_000 else "120.5"
            writer.writerow(
                [call["provider_reference"], call["attempt"], tokyo(call["billing_time"]), "kakunin",
                 "151" if seen == 50_000 else amount])
    return seen


def tokyo(text):
    whole = text[:19].replace("T", " ").replace("-", "/")
    instant = time.strptime(whole, "%Y/%m/%d %H:%M:%S")
    moved = time.gmtime(calendar.timegm(instant) + 9 * 3600)
    return time.strftime("%Y/%m/%d %H:%M:%S", moved)


if what == "report":
    for grouping in ("verifier", "verifier,day", "verifier,client,purpose,day"):
        measure(
            f"report of a million calls by {grouping}",
            ["report", "--month", "2025-06", "--by", grouping, "--format", "csv"], 2, 100, is_month)
else:
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/invoice.csv"
        lines = invoice(path)

        def is_one_fault(status, output):
            found = list(csv.reader(io.StringIO(output)))[1:]
            kinds = sorted(line[0] for line in found if line[0] != "uncertain_resolved")
            assert status == 1 and kinds == ["amount_differs"], kinds[:5]

        arguments = ["reconcile", "--verifier", "alpha", "--month", "2025-06", "--invoice", path, "--format", "csv"]
        measure(f"an invoice of {lines} lines against {lines} calls", arguments, 10, 1000, is_one_fault)
sys.exit(failed)
