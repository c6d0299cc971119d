#!/usr/bin/env python3
"""The console in a real Chromium: what finance and operators do, at two widths, light and dark, in both languages.

usage: console.py RIG SCREENSHOTS   (RIG is the program `console-rig`; pictures go into the directory SCREENSHOTS)
"""
import os
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

CANARIES = ["customer-canary", "花子"]
KEYS = {"app": "app-key-0123456789", "operator": "operator-key-0123456789", "finance": "finance-key-0123456789"}
VIEWS = [(width, scheme) for width in (360, 1440) for scheme in ("light", "dark")]


class Desk:
    """A browser with cookies of its own, which fails on whatever the page complains of."""

    def __init__(self, browser, base, shots, language="en", scripts=True):
        self.base, self.shots = base, shots
        self.context = browser.new_context(
            viewport={"width": 1440, "height": 900}, locale=language, java_script_enabled=scripts,
            accept_downloads=True)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))
        self.outside = []
        self.page.on("request", lambda r: None if r.url.startswith(base) else self.outside.append(r.url))

    def sign_in(self, role):
        self.page.goto(self.base + "/console")
        self.page.locator("#key").fill(KEYS[role])
        self.page.locator("main button[type=submit]").click()

    def look(self, name):
        """Holds for every page: nothing of a person, nothing wider than the screen; and its pictures."""
        source = self.page.content()
        for canary in CANARIES:
            assert canary not in source, f"{name}: {canary} is in the page"
        for width, scheme in VIEWS:
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.emulate_media(color_scheme=scheme)
            over = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert over <= 0, f"{name} is {over} px wider than {width} px"
            self.page.screenshot(path=f"{self.shots}/{name}-{width}-{scheme}.png", full_page=True)
        self.page.set_viewport_size({"width": 1440, "height": 900})
        self.page.emulate_media(color_scheme="light")

    def text(self):
        return self.page.locator("main").inner_text()

    def close(self, expected=()):
        complaints = [c for c in self.complaints if not any(e in c for e in expected)]
        assert not complaints, f"the browser complains: {complaints}"
        assert not self.outside, f"something was fetched from elsewhere: {self.outside}"
        self.context.close()


def accessible(page):
    """Every control has a name, every table a caption, every picture a title; heads have scopes."""
    faults = page.evaluate("""() => {
      const faults = [];
      for (const field of document.querySelectorAll('input:not([type=hidden]), select, textarea'))
        if (!field.labels.length && !field.ariaLabel) faults.push('no label: ' + field.outerHTML);
      for (const button of document.querySelectorAll('button, a'))
        if (!button.textContent.trim()) faults.push('no name: ' + button.outerHTML);
      for (const table of document.querySelectorAll('table'))
        if (!table.caption || !table.caption.textContent.trim()) faults.push('no caption');
      for (const head of document.querySelectorAll('th')) if (!head.scope) faults.push('no scope: ' + head.outerHTML);
      for (const picture of document.querySelectorAll('svg[role=img]'))
        for (const name of ['aria-labelledby', 'aria-describedby'])
          if (!document.getElementById(picture.getAttribute(name))?.textContent.trim()) faults.push('no ' + name);
      const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
      if (new Set(ids).size !== ids.length) faults.push('an id twice');
      if (document.querySelectorAll('h1').length !== 1) faults.push('not one h1');
      return faults;
    }""")
    assert not faults, faults


def contrast(page):
    """Text against its ground, by WCAG 2.2, 1.4.3: 4.5 to 1."""
    faults = page.evaluate("""() => {
      const parse = c => { const m = c.match(/[\\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
      const lum = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
        return .2126 * r + .7152 * g + .0722 * b; };
      const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] > 0) return c; } return [255, 255, 255, 1]; };
      const faults = [];
      for (const e of document.querySelectorAll('body *')) {
        if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || e.closest('svg') || !e.getClientRects().length) continue;
        const a = lum(parse(getComputedStyle(e).color).slice(0, 3)), b = lum(ground(e).slice(0, 3));
        const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        if (ratio < 4.5) faults.push(ratio.toFixed(2) + ' ' + e.outerHTML.slice(0, 80));
      }
      return faults.slice(0, 5);
    }""")
    assert not faults, faults


def finance(browser, base, shots, month, invoice):
    desk = Desk(browser, base, shots)
    desk.sign_in("finance")
    page = desk.page
    assert page.url == base + "/console/usage", page.url
    assert month in page.locator("h1").inner_text()
    text = desk.text()
    # 300 calls at 150.5 and 5000 flat, and 100 at 80: counted here, not by what is tested.
    net = {"alpha": 300 * 1505 // 10 + 5000, "beta": 100 * 80}
    total = sum(value + value // 10 for value in net.values())
    assert f"{total:,} JPY" in text, text
    assert "45,150 JPY" in text and "50,150 JPY" in text
    accessible(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        contrast(page)
    desk.look("usage-open")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV by provider", exact=True).click()
    with open(download.value.path(), encoding="utf-8-sig") as file:
        csv = file.read()
    assert csv.startswith("kind,verifier") and f",{total}," in csv, csv[:400]
    # The invoice and its differences.
    page.locator("#file").set_input_files(invoice)
    page.get_by_role("button", name="Compare").click()
    assert "/console/usage/invoices/" in page.url, desk.text()
    text = desk.text()
    for finding in ("Amount differs (1)", "Theirs only (1)", "Ours only (1)", "Duplicate at theirs (1)"):
        assert finding in text, (finding, text)
    assert "alpha-40" in text and "alpha-9999" in text and "alpha-17" in text and "alpha-80" in text
    accessible(page)
    desk.look("invoice")
    page.locator("#class-amount_differs").check()
    page.locator("#note").fill("agreed by telephone")
    page.get_by_role("button", name="Accept the invoice's account").click()
    assert "1 corrections were written" in desk.text(), desk.text()
    # Somebody else's browser does not see it.
    other = Desk(browser, base, shots)
    other.sign_in("finance")
    assert other.page.goto(page.url).status == 404
    other.close(expected=["404"])
    # Closing: not without saying that one is sure; then for good.
    page.goto(base + "/console/usage")
    page.get_by_role("button", name=f"Close {month}").click()
    assert page.url == base + "/console/usage", "the browser sent the form without its tick"
    page.get_by_label("I have compared the figures").check()
    page.get_by_role("button", name=f"Close {month}").click()
    assert "do not change any more" in desk.text(), desk.text()
    assert page.get_by_role("button", name=f"Close {month}").count() == 0
    assert f"{total:,} JPY" in desk.text()
    desk.look("usage-closed")
    for path in ("/console/overview", "/console/sessions"):
        assert page.goto(base + path).status == 403
    desk.look("forbidden")
    desk.close(expected=["403"])


def operator(browser, base, shots):
    desk = Desk(browser, base, shots)
    desk.sign_in("operator")
    page = desk.page
    assert page.url == base + "/console/overview", page.url
    text = desk.text()
    for part in ("210 days left", "12 days left", "refused at", "names no verifier", "closed: calls pass"):
        assert part in text, (part, text)
    accessible(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        contrast(page)
    # The little that needs a script: pointing at a bar says what it is.
    bar = page.locator('.bar[data-value*="verified"]').last
    bar.hover(force=True)
    assert "verified" in page.locator(".chart output").first.inner_text()
    desk.look("overview")
    page.get_by_role("link", name="Sessions").click()
    page.get_by_label("Status").select_option("rejected")
    page.get_by_role("button", name="Search").click()
    assert "/console/sessions" in page.url and "?" not in page.url
    rows = page.locator("tbody tr")
    assert rows.count() == 5, rows.count()
    desk.look("sessions")
    accessible(page)
    page.locator("tbody a").first.click()
    text = desk.text()
    assert "An item is not the one that the issuer signed." in text and "digest_mismatch" in text
    accessible(page)
    desk.look("session")
    # A reference is found by its digest and shown nowhere.
    page.goto(base + "/console/sessions")
    page.get_by_label("App's reference").fill("customer-canary-3")
    page.get_by_role("button", name="Search").click()
    assert page.locator("tbody tr").count() == 1
    assert "canary" not in page.content() and "canary" not in page.url
    assert page.goto(base + "/console/usage").status == 403
    # By the keyboard alone: the first stop skips to the content.
    page.goto(base + "/console/sessions")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    page.keyboard.press("Tab")
    style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert style != "none", "nothing shows where the keyboard is"
    page.get_by_role("button", name="Sign out").click()
    assert page.url == base + "/console/sign-in"
    page.goto(base + "/console/overview")
    assert page.url == base + "/console/sign-in"
    desk.close(expected=["403"])


def strangers(browser, base, shots):
    desk = Desk(browser, base, shots)
    desk.page.goto(base + "/console")
    accessible(desk.page)
    desk.look("sign-in")
    desk.sign_in("app")
    assert "No client that may use the console has this key." in desk.text()
    desk.page.goto(base + "/console/overview")
    assert desk.page.url == base + "/console/sign-in"
    desk.close(expected=["403"])


def japanese_without_scripts(browser, base, shots):
    desk = Desk(browser, base, shots, language="ja-JP", scripts=False)
    desk.sign_in("operator")
    page = desk.page
    assert page.locator("html").get_attribute("lang") == "ja"
    assert "毎分のセッション数" in desk.text()
    desk.look("overview-ja")
    page.locator("nav a").nth(1).click()
    desk.look("sessions-ja")
    page.locator("footer a").click()
    assert page.locator("html").get_attribute("lang") == "en"
    desk.close()
    desk = Desk(browser, base, shots, language="ja-JP", scripts=False)
    desk.sign_in("finance")
    assert "提供者ごとの請求見込額" in desk.text()
    desk.look("usage-ja")
    desk.close()


def main():
    rig, shots = sys.argv[1], sys.argv[2]
    os.makedirs(shots, exist_ok=True)
    chromium = shutil.which("chromium")
    with tempfile.TemporaryDirectory() as directory:
        process = subprocess.Popen([rig, directory], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            port, month = process.stdout.readline().split()
            base = f"http://localhost:{port}"
            with sync_playwright() as playwright:
                # Chromium's own sandbox needs rights that a container does not give; the pages are our own.
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                for test in (strangers, operator, japanese_without_scripts):
                    test(browser, base, shots)
                    print(f"browser: {test.__name__}: passed", flush=True)
                finance(browser, base, shots, month, directory + "/invoice.csv")
                print("browser: finance: passed", flush=True)
                browser.close()
        finally:
            process.stdin.close()
            process.wait(timeout=20)


main()
