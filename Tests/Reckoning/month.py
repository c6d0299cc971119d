#!/usr/bin/env python3
"""Holds a generated month, as the programs tell it, against a second reckoning: table, CSV, JSON and the console's page.

usage: month.py PRODUCTS SESSIONS   (PRODUCTS is the folder of `sekisho` and `month-maker`; run where Config/ is)

The month goes into a database; `sekisho usage report` tells it in every grouping and form; a gateway on the same database
tells it over HTTP, which must be the same to the byte, and on the page. `reckon.py` judges all of it.
"""
import base64
import contextlib
import hashlib
import http.client
import itertools
import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

MONTH = "2026-11"
GROUPINGS = ["verifier", "client", "purpose", "day"]
FORMS = {"csv": "csv", "json": "json", "table": "txt"}
KEY = "finance-key-for-the-reckoning"
# A gateway opens in a second, on a machine that is loaded in twenty.
PATIENCE = 60
products, sessions = Path(sys.argv[1]).resolve(), sys.argv[2]
here = Path(__file__).resolve().parent
manifests = Path("Config/providers").resolve()


def timed(what, body):
    begun = time.monotonic()
    value = body()
    print(f"{what}: {time.monotonic() - begun:.1f} s", flush=True)
    return value


def configuration(folder, port):
    """A gateway that calls nobody: the providers stand in it because the price book names them."""
    webhook = "whsec_" + base64.b64encode(os.urandom(32)).decode()
    for name, text in (("sealing.key", os.urandom(32).hex()), ("secret", "nobody's"), ("webhook", webhook)):
        (folder / name).write_text(text + "\n")
        (folder / name).chmod(0o600)
    secret = {"file": "secret"}
    wallet = {"merchant_identifier": "merchant.example", "team_identifier": "TEAM123456", "key_holder": "provider"}
    names = {
        "alpha": ["api_key"], "beta": ["client_id", "client_secret"], "gamma": ["signing_secret", "webhook_secret"]}
    verifiers = {
        name: {
            "kind": "certified", "manifest": str(manifests / f"{name}.json5"), "endpoint": f"https://localhost:1/{name}",
            "credentials": {c: {"file": "webhook"} if c.startswith("webhook") else secret for c in credentials}, **({} if name == "beta" else {"wallet": wallet}),
        } for name, credentials in names.items()}
    return {
        "environment": "development", "http": {"port": port}, "store": {"path": "month.sqlite3"},
        "sealing": {"keys": [{"id": "k", "key": {"file": "sealing.key"}}]}, "prices": "book.json",
        "clients": {"finance": {"key_sha256": [hashlib.sha256(KEY.encode()).hexdigest()], "role": "finance"}},
        "purposes": {
            "account": {
                "document_types": ["org.iso.18013.5.1.mDL"], "claims": ["family_name"],
                "required_claims": ["family_name"], "retention": "0s", "relying_party_retention": "none"}},
        "verifiers": verifiers, "routes": [{"verifier": "alpha"}],
    }


class Gateway:
    def __init__(self, folder, port):
        self.port = port
        self.log = open(folder / "gateway.log", "w", encoding="utf-8")
        self.process = subprocess.Popen(
            [products / "sekisho", "serve", "gateway.json"], cwd=folder, stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    sys.exit("the gateway did not start: " + (folder / "gateway.log").read_text())
                time.sleep(0.1)

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def settle(self, database):
        """Returns once no call is open."""
        deadline = time.monotonic() + PATIENCE
        with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as ledger:
            while ledger.execute("SELECT count(*) FROM call_open").fetchone()[0]:
                assert time.monotonic() < deadline, "calls stay open"
                time.sleep(0.1)

    def page(self):
        """The page of the month, as finance sees it in English."""
        form = urllib.parse.urlencode({"key": KEY})
        status, headers, _ = self.ask(
            "POST", "/console/sign-in", form, Content_Type="application/x-www-form-urlencoded")
        assert status == 303, f"sign-in: {status}"
        cookie = headers["Set-Cookie"].split(";")[0]
        status, _, body = self.ask("GET", f"/console/usage?month={MONTH}", Cookie=cookie, Accept_Language="en")
        assert status == 200, f"the page: {status}"
        return body

    def end(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.log.close()


def main(folder):
    timed("made", lambda: subprocess.run([products / "month-maker", folder, sessions], check=True))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "gateway.json").write_text(json.dumps(configuration(folder, port)))
    # A gateway that starts finds calls that nobody saw the end of, and writes down that they are uncertain.
    gateway = Gateway(folder, port)
    gateway.settle(folder / "month.sqlite3")
    gateway.end()
    subprocess.run([products / "month-maker", folder], check=True)
    shapes = [list(by) for n in range(5) for by in itertools.combinations(GROUPINGS, n)]

    def report():
        for by in shapes:
            for form, suffix in FORMS.items():
                call = [products / "sekisho", "usage", "report", "--month", MONTH, "--by", ",".join(by), "--format", form]
                told = subprocess.run([*call, "gateway.json"], cwd=folder, check=True, capture_output=True).stdout
                # The answer ends as it would over HTTP.
                told = told.rstrip(b"\n") if form == "json" else told
                (folder / f"report-{'+'.join(by)}.{suffix}").write_bytes(told)

    timed(f"reported by {len(shapes)} groupings in {len(FORMS)} forms", report)
    gateway = Gateway(folder, port)
    try:
        (folder / "page.html").write_bytes(timed("the page", gateway.page))
        same = 0
        for by in ([], ["verifier"], ["verifier", "client", "purpose", "day"]):
            for form, suffix in FORMS.items():
                query = urllib.parse.urlencode({"month": MONTH, "by": ",".join(by), "format": form})
                status, _, body = gateway.ask("GET", "/v1/usage?" + query, Authorization=f"Bearer {KEY}")
                assert status == 200, f"{by} as {form}: {status}"
                told = (folder / f"report-{'+'.join(by)}.{suffix}").read_bytes()
                assert body.rstrip(b"\n") == told.rstrip(b"\n"), f"{by} as {form}: HTTP and command differ"
                same += 1
        print(f"HTTP and command are the same {same} times")
    finally:
        gateway.end()
    return timed(
        "reckoned",
        lambda: subprocess.run([sys.executable, here.parent / "UsageTests/Fixtures/reckon.py", folder, MONTH]).returncode)


with tempfile.TemporaryDirectory() as name:
    sys.exit(main(Path(name)))
