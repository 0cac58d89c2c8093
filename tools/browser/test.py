"""The browser tests; started by tools/browser-test."""
import argparse
import concurrent.futures
import importlib.resources
import os
import re
import shutil
import sys
import time

from playwright.sync_api import sync_playwright

import journey
import site_pages
from site_pages import site

AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()
# Only what is wrong leaves the browser: a report of all that is right has every element of the page in it.
VIOLATIONS = """axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'],
}).then(found => found.violations)"""
WATCH = """addEventListener('securitypolicyviolation', e => (window.__csp ??= []).push(e.violatedDirective + ' ' + e.blockedURI))"""
MOST_BYTES = 100_000
LOOKS = [(width, colour, forced) for width in (360, 768, 1440)
         for colour, forced in (("light", "none"), ("dark", "none"), ("light", "active"))]


class Report:
    def __init__(self):
        self.wrong, self.checks = [], 0

    def check(self, name, found, wanted=None):
        self.checks += 1
        if found != wanted and not (wanted is None and not found):
            self.wrong.append(f"{name}: {found}")
            print(self.wrong[-1], flush=True)


def sign_in(context, url, token):
    page = context.new_page()
    page.goto(f"{url}/sign-in")
    page.fill("#token", token)
    page.click("button.primary")
    assert page.url.rstrip("/") == url, page.url
    page.close()


class Tab:
    """A tab and what the browser complained about in it; one for many addresses, because each costs a process."""

    def __init__(self, context):
        self.page, self.complaints = context.new_page(), []
        self.page.on("console", lambda message: self.note(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.note(str(error)))
        self.page.add_init_script(WATCH)

    def note(self, complaint):
        self.complaints.append(complaint)

    def taken(self):
        """The complaints since the last call."""
        complaints, self.complaints = self.complaints, []
        return complaints


def examine(report, tab, url, name, status=200):
    """Opens an address and looks for everything that must not be."""
    page = tab.page
    answer = page.goto(url)
    report.check(f"{name} status", answer.status, status)
    report.check(f"{name} bytes", len(answer.body()) if len(answer.body()) > MOST_BYTES else None)
    report.check(f"{name} style loaded", page.evaluate("document.styleSheets.length"), 1)
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    report.check(f"{name} sideways", wide if wide > 0 else None)
    # Scripts show numbers in the reader's region; they must be the numbers that the service sent.
    sent = re.findall(r'<data value="[^"]*">([^<]*)</data>', answer.text())
    shown = page.locator("data[value]").all_text_contents()
    figures = [[re.sub(r"[^\d.]", "", text) for text in texts] for texts in (sent, shown)]
    report.check(f"{name} figures", [pair for pair in zip(*figures) if pair[0] != pair[1]])
    page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    page.evaluate(AXE)
    found = page.evaluate(VIOLATIONS)
    report.check(f"{name} axe", [
        (v["id"], v["impact"], len(v["nodes"]), v["nodes"][0]["html"][:160]) for v in found])
    report.check(f"{name} policy", page.evaluate("window.__csp"))
    # A browser writes a line about each answer that is an error, which is what was wanted here.
    report.check(f"{name} console", [c for c in tab.taken() if status < 400 or str(status) not in c])


def chromium(site, paths, options):
    report = Report()
    with sync_playwright() as p, p.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"]) as browser:
        looks = LOOKS[:1] if options.quick else LOOKS
        for width, colour, forced in looks:
            context = browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=colour, forced_colors=forced,
                reduced_motion="reduce")
            look = f"{width} {'forced' if forced == 'active' else colour}"
            tab = Tab(context)
            examine(report, tab, f"{site.url}/sign-in", f"/sign-in {look}")
            sign_in(context, site.url, site.editor)
            for path in paths:
                examine(report, tab, site.url + path, f"{path} {look}")
            context.close()
        for language in [] if options.quick else ["en-XA", "en-XB"]:
            for width in (360, 1440):
                context = browser.new_context(viewport={"width": width, "height": 900})
                sign_in(context, site.url, site.editor)
                tab = Tab(context)
                for path in paths:
                    mark = "&" if "?" in path else "?"
                    examine(report, tab, f"{site.url}{path}{mark}lang={language}", f"{path} {language} {width}")
                context.close()
        if not options.quick:
            context = browser.new_context(viewport={"width": 768, "height": 900})
            sign_in(context, site.url, site.reader)
            tab = Tab(context)
            for path in paths:
                is_closed = path.startswith("/mappings/publish")
                examine(report, tab, site.url + path, f"{path} reader", status=403 if is_closed else 200)
            context.close()
        context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 900})
        sign_in(context, site.url, site.editor)
        page = context.new_page()
        for path in paths:
            answer = page.goto(site.url + path)
            report.check(f"{path} without scripts", answer.status, 200)
            report.check(f"{path} heading without scripts", page.locator("h1").count(), 1)
        context.close()
    return report


def webkit(site, paths):
    """The same addresses in WebKitGTK, a relative of Safari."""
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service
    report = Report()
    settings = Options()
    settings.binary_location = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
    settings.add_argument("--automation")
    driver = webdriver.WebKitGTK(options=settings, service=Service("/usr/bin/WebKitWebDriver"))
    try:
        driver.get(f"{site.url}/sign-in")
        driver.find_element(By.ID, "token").send_keys(site.editor)
        driver.find_element(By.CSS_SELECTOR, "button.primary").click()
        for _ in range(50):
            if "sign-in" not in driver.current_url:
                break
            time.sleep(0.1)
        for path in paths:
            driver.get(site.url + path)
            name = f"{path} webkit"
            report.check(f"{name} heading", len(driver.find_elements(By.TAG_NAME, "h1")), 1)
            report.check(f"{name} style loaded", driver.execute_script("return document.styleSheets.length"), 1)
            wide = driver.execute_script(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            report.check(f"{name} sideways", wide if wide > 0 else None)
            driver.execute_script(AXE)
            found = driver.execute_async_script(f"{VIOLATIONS}.then(arguments[arguments.length - 1])")
            report.check(f"{name} axe", [(v["id"], v["impact"], v["nodes"][0]["html"][:160]) for v in found])
    finally:
        driver.quit()
    return report


def marketer():
    """The journey, on a site of its own, whose mappings it changes."""
    report = Report()
    with site() as running, sync_playwright() as p:
        journey.take(report, p, running)
    return report


def main():
    parser = argparse.ArgumentParser(description="Test the pages in real browsers.")
    parser.add_argument("--screen", default="", help="only screens whose path contains this")
    parser.add_argument("--quick", action="store_true", help="one width and colour")
    parser.add_argument("--journey", action="store_true", help="only the marketer's journey")
    parser.add_argument("--engine", choices=["chromium", "webkitgtk"], help="only this engine")
    options = parser.parse_args()
    began = time.monotonic()
    if options.journey:
        return verdict(["journey"], [marketer()], began)
    has_webkit = shutil.which("WebKitWebDriver") and "DISPLAY" in os.environ
    # One browser waits where another computes, so they run side by side.
    with site() as running, concurrent.futures.ThreadPoolExecutor() as pool:
        # Every screen of the navigation, and the pages that it links to.
        paths = [path for path in site_pages.screens(running) if options.screen in path]
        engines = {}
        if options.engine != "webkitgtk":
            engines["chromium"] = pool.submit(chromium, running, paths, options)
        if options.engine != "chromium" and has_webkit:
            engines["webkitgtk"] = pool.submit(webkit, running, paths)
        others = [] if options.screen or options.engine else [pool.submit(marketer)]
        return verdict(engines, [part.result() for part in [*engines.values(), *others]], began)


def verdict(engines, reports, began):
    """Prints what ran, and returns whether something was wrong."""
    checks, wrong = sum(report.checks for report in reports), sum(len(report.wrong) for report in reports)
    print(f"browser-test: {' and '.join(engines)}: {checks} checks, {wrong} wrong, {time.monotonic() - began:.0f} s")
    return wrong > 0


sys.exit(main())
