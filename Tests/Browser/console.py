#!/usr/bin/env python3
"""The console in a real Chromium: what operators, finance and auditors do, at two widths, light and dark, in both
languages, by the keyboard alone, and without JavaScript.

usage: console.py RIG SCREENSHOTS   (RIG is the program `console-rig`; pictures go into the directory SCREENSHOTS)
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

CANARIES = ["customer-canary", "花子"]
KEYS = {role: role + "-key-0123456789" for role in ("app", "operator", "finance", "auditor")}
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
        if scripts:
            self.page.add_init_script("""document.addEventListener('securitypolicyviolation',
                e => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))""")
        self.outside = []
        self.page.on("request", lambda r: None if r.url.startswith(base) else self.outside.append(r.url))

    def sign_in(self, role):
        self.page.goto(self.base + "/console")
        self.page.locator("#key").fill(KEYS[role])
        self.page.locator("main button[type=submit]").click()

    def look(self, name):
        """Holds for every page: nothing of a person, nothing wider than the screen, nothing that cannot be read or has
        no name; and its pictures."""
        page = self.page
        source = page.content()
        for canary in CANARIES:
            assert canary not in source, f"{name}: {canary} is in the page"
        language = page.locator("html").get_attribute("lang")
        accessible(page, name)
        for width, scheme in VIEWS:
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert over <= 0, f"{name} is {over} px wider than {width} px"
            contrast(page, f"{name}, {width} px, {scheme}")
            clipped(page, f"{name}, {width} px")
            page.screenshot(path=f"{self.shots}/{name}-{language}-{width}-{scheme}.png", full_page=True)
        page.set_viewport_size({"width": 1440, "height": 900})
        page.emulate_media(color_scheme="light")

    def text(self):
        return self.page.locator("main").inner_text()

    def close(self, expected=()):
        complaints = [c for c in self.complaints if not any(e in c for e in expected)]
        assert not complaints, f"the browser complains: {complaints}"
        assert not self.outside, f"something was fetched from elsewhere: {self.outside}"
        self.context.close()


def accessible(page, name=""):
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
    assert not faults, (name, faults)


def contrast(page, name=""):
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
    assert not faults, (name, faults)


def clipped(page, name):
    """No control or figure is narrower than what it says, and no two marks lie on each other."""
    faults = page.evaluate("""() => {
      const faults = [];
      for (const e of document.querySelectorAll('button, .button, select, th, td, .mark, .tiles li, h1, h2, label, .notice')) {
        if (!e.getClientRects().length) continue;
        if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth) faults.push(e.tagName + ' ' + e.className + ': ' + e.textContent.slice(0, 60));
      }
      return faults.slice(0, 5);
    }""")
    assert not faults, (name, faults)


def by_keyboard(page):
    """Every control is reached with Tab, in the order of the page, is seen when it is, and shows that it is."""
    expected = page.evaluate("""() => {
      const all = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')]
        .filter(e => e.checkVisibility() && !e.disabled);
      all.forEach((e, place) => { e.dataset.place = place; });
      return all.length;
    }""")
    # A browser goes on from where it was last, so it is brought to the first stop. From Shift+Tab to Tab it is shown
    # as it is to somebody who came there by the keyboard.
    page.evaluate("window.scrollTo(0, 0); document.querySelector('[data-place=\"1\"]').focus()")
    page.keyboard.press("Shift+Tab")
    first = page.evaluate("document.activeElement.dataset.place")
    assert first == "0", f"before the second stop is {first}"
    seen = [0]
    # A field of a date has several stops of its own.
    for _ in range(expected * 5):
        page.keyboard.press("Tab")
        stop = page.evaluate("""() => {
          const e = document.activeElement;
          if (!e || e === document.body || e.dataset.place === undefined) return null;
          const style = getComputedStyle(e), box = e.getBoundingClientRect();
          return { place: +e.dataset.place, shown: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0,
            seen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth, what: e.outerHTML.slice(0, 90) };
        }""")
        if stop is None:
            break
        if seen[-1] == stop["place"]:
            continue  # The parts of a field of a date show themselves, in the browser's own way.
        assert stop["shown"], f"nothing shows that the keyboard is at {stop['what']}"
        assert stop["seen"], f"the keyboard is out of sight at {stop['what']}"
        seen.append(stop["place"])
    assert seen == list(range(expected)), f"{len(seen)} of {expected} controls in the order {seen}"


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
    desk.look("usage-open")
    by_keyboard(page)
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
    desk.look("invoice")
    by_keyboard(page)
    page.locator("#class-amount_differs").check()
    page.locator("#note").fill("agreed by telephone")
    page.get_by_role("button", name="Accept the invoice's account").click()
    assert "Corrections written to the ledger: 1." in desk.text(), desk.text()
    desk.look("invoice-accepted")
    # Somebody else's browser does not see it.
    other = Desk(browser, base, shots)
    other.sign_in("finance")
    assert other.page.goto(page.url).status == 404
    other.close(expected=["404"])
    # Closing: not without saying that one is sure; then for good. By the keyboard alone.
    page.goto(base + "/console/usage")
    page.get_by_role("button", name=f"Close {month}").click()
    assert page.url == base + "/console/usage", "the browser sent the form without its tick"
    page.get_by_label("I have compared the figures").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text("do not change any more").wait_for()
    assert page.get_by_role("button", name=f"Close {month}").count() == 0
    assert f"{total:,} JPY" in desk.text()
    desk.look("usage-closed")
    page.get_by_role("link", name="Next:").click()
    desk.look("usage-empty")
    for path in ("/console/overview", "/console/sessions", "/console/audit"):
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
    # The little that needs a script: pointing at a bar says what it is.
    bar = page.locator('.bar[data-value*="verified"]').last
    bar.hover(force=True)
    assert "verified" in page.locator(".chart output").first.inner_text()
    desk.look("overview")
    by_keyboard(page)
    page.get_by_role("link", name="Sessions").click()
    page.get_by_label("Status").select_option("rejected")
    page.get_by_role("button", name="Search").click()
    assert "/console/sessions" in page.url and "?" not in page.url
    rows = page.locator("tbody tr")
    assert rows.count() == 5, rows.count()
    desk.look("sessions")
    page.set_viewport_size({"width": 360, "height": 640})
    by_keyboard(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator("tbody a").first.click()
    text = desk.text()
    assert "An item is not the one that the issuer signed." in text and "digest_mismatch" in text
    desk.look("session")
    by_keyboard(page)
    # A reference is found by its digest and shown nowhere.
    page.goto(base + "/console/sessions")
    page.get_by_label("App's reference").fill("customer-canary-3")
    page.get_by_role("button", name="Search").click()
    assert page.locator("tbody tr").count() == 1
    assert "canary" not in page.content() and "canary" not in page.url
    page.get_by_label("App's reference").fill("customer-nobody")
    page.get_by_role("button", name="Search").click()
    desk.look("sessions-none")
    for path in ("/console/usage", "/console/audit"):
        assert page.goto(base + path).status == 403
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


def auditor(browser, base, shots):
    desk = Desk(browser, base, shots)
    desk.sign_in("auditor")
    page = desk.page
    assert page.url == base + "/console/audit", page.url
    text = desk.text()
    for part in ("The chain holds", "Sessions searched", "sessions_searched", "Course of a session read", "refused"):
        assert part in text, (part, text)
    assert page.locator("nav a").count() == 1
    desk.look("audit")
    by_keyboard(page)
    page.get_by_label("Action").select_option("sessions_searched")
    page.get_by_label("By").fill("ops")
    page.get_by_role("button", name="Search").click()
    rows = page.locator("tbody tr")
    assert rows.count() > 2 and all("sessions_searched" in row for row in rows.all_inner_texts())
    page.goto(base + "/console/audit?action=checks_read")
    page.locator("tbody a").first.click()
    assert "session=ses_" in page.url and "checks_read" in desk.text()
    with page.expect_download() as download:
        page.get_by_role("link", name="as JSON").click()
    with open(download.value.path(), encoding="utf-8") as file:
        events = json.load(file)["events"]
    assert events and all(event["session"] for event in events)
    page.goto(base + "/console/audit")
    page.get_by_role("button", name="Prove the whole chain").click()
    assert page.url == base + "/console/audit" and "The chain holds" in desk.text()
    page.goto(base + "/console/audit?day=2020-01-01")
    assert "No event matches." in desk.text()
    desk.look("audit-none")
    for path in ("/console/overview", "/console/sessions", "/console/usage"):
        assert page.goto(base + path).status == 403
    desk.close(expected=["403"])


def strangers(browser, base, shots):
    desk = Desk(browser, base, shots)
    desk.page.goto(base + "/console")
    desk.look("sign-in")
    by_keyboard(desk.page)
    # By the keyboard alone: the field has the focus from the start.
    desk.page.goto(base + "/console/sign-in")
    desk.page.keyboard.type(KEYS["app"])
    desk.page.keyboard.press("Enter")
    desk.page.get_by_text("No client that may use the console has this key.").wait_for()
    desk.look("sign-in-refused")
    for path in ("/console/overview", "/console/sessions", "/console/usage", "/console/audit"):
        desk.page.goto(base + path)
        assert desk.page.url == base + "/console/sign-in"
    desk.close(expected=["403"])


def japanese_without_scripts(browser, base, shots, invoice):
    def sign_in(role):
        desk = Desk(browser, base, shots, language="ja-JP", scripts=False)
        desk.page.goto(base + "/console")
        desk.look("sign-in")
        desk.sign_in(role)
        assert desk.page.locator("html").get_attribute("lang") == "ja"
        return desk, desk.page

    desk, page = sign_in("operator")
    assert "毎分のセッション数" in desk.text()
    # The pictures are there without a script, and the same as tables.
    assert page.locator("svg .bar").count() == 60 and page.locator("details table").count() == 1
    desk.look("overview")
    page.locator("nav a").nth(1).click()
    page.locator("#status").select_option("rejected")
    page.locator("main button[type=submit]").first.click()
    assert page.locator("tbody tr").count() == 5
    desk.look("sessions")
    page.locator("tbody a").first.click()
    assert "項目の内容が発行者の署名したものと一致しません。" in desk.text()
    desk.look("session")
    page.goto(base + "/console/usage")
    desk.look("forbidden")
    page.locator("footer a").click()
    assert page.locator("html").get_attribute("lang") == "en"
    desk.close(expected=["403"])
    desk, page = sign_in("finance")
    assert "提供者ごとの請求見込額" in desk.text()
    desk.look("usage-open")
    page.locator("#file").set_input_files(invoice)
    page.locator("main form[enctype] button").click()
    assert "金額の差異 (1)" in desk.text() or "金額の差異（1）" in desk.text(), desk.text()
    desk.look("invoice")
    desk.close()
    desk, page = sign_in("auditor")
    assert "連鎖は正常です" in desk.text()
    desk.look("audit")
    desk.close()


def japanese_after_closing(browser, base, shots):
    desk = Desk(browser, base, shots, language="ja-JP", scripts=False)
    desk.sign_in("finance")
    assert "この月の数字はもう変わりません" in desk.text()
    desk.look("usage-closed")
    desk.page.goto(base + "/console/usage?month=2020-01")
    desk.look("usage-empty")
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
                invoice = directory + "/invoice.csv"
                for test, more in (
                        (strangers, ()), (operator, ()), (auditor, ()), (japanese_without_scripts, (invoice,)),
                        (finance, (month, invoice)), (japanese_after_closing, ())):
                    test(browser, base, shots, *more)
                    print(f"browser: {test.__name__}: passed", flush=True)
                browser.close()
        finally:
            process.stdin.close()
            process.wait(timeout=20)


main()
