"""The browser tests; started by tools/browser/test."""
import argparse
import concurrent.futures
import contextlib
import importlib.resources
import os
import re
import shutil
import sys
import time

import browsers
import english
import journey
import site_pages
import states
import tasks
from site_pages import site

AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()
# Only what is wrong leaves the browser: a report of all that is right has every element of the page in it.
VIOLATIONS = """axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'],
}).then(found => found.violations)"""
WATCH = """addEventListener('securitypolicyviolation', e => (window.__csp ??= []).push(e.violatedDirective + ' ' + e.blockedURI))"""
# Words that a program prints where a person was to read something, and places in texts that were left unfilled. Code and
# files that pages show on purpose are left out.
PROGRAM_TEXT = re.compile(
    r"Optional\(|\bnil\b|\bSwift\.|\bundefined\b|\bNaN\b|\[object |\berror:|\{\w*\}|%@|%[sd]\b|\bnull\b|HTML\(|<\w+ \w+="
    r"|&(?:\w+|#\d+);|(?<![\w.@/-])[a-z]+[A-Z][a-z]\w*")
# In German `null` is a number.
PROGRAM_TEXT_OF = {"de": re.compile(PROGRAM_TEXT.pattern.replace(r"\bnull\b|", ""))}
READ = """() => {
  const texts = [document.title], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement, data } = walk.currentNode;
    if (!parentElement.closest('pre, code, textarea, script, style, template, noscript')) texts.push(data);
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
    for (const e of document.querySelectorAll(`[${name}]`)) texts.push(e.getAttribute(name));
  }
  return texts;
}"""
# The pages that have all of their tables in view at every width; tables of evidence scroll in their box.
OF_MARKETERS = re.compile(r"/(campaigns?|causes|mappings|data(/\w+)?)?(\?| )")
# Tables that scroll in a box, or stand out of their panel.
OUT_OF_PLACE = """[...document.querySelectorAll('main table')].filter(table => {
  const box = table.parentElement, panel = table.closest('.panel, main');
  if (!table.checkVisibility()) return false;
  const isCut = box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX);
  const [own, around] = [table.getBoundingClientRect(), panel.getBoundingClientRect()];
  return isCut || own.right > around.right + 1 || own.left < around.left - 1;
}).map(table => table.textContent.trim().replace(/\\s+/g, ' ').slice(0, 60))"""
MOST_BYTES = 100_000
# Of a page with a hundred rows of its table.
MOST_BYTES_OF_ROWS = 135_000
# Two maps of 64 values and each value in words; what is sent is about a tenth, compressed.
MOST_BYTES_OF_MAPS = 210_000
# The languages of the pages and the two pseudo-languages; a first look takes English only marked by accents, and Arabic.
LANGUAGES = ["de", "es", "ja", "zh-Hans", "ar", "en-XA", "en-XB"]
QUICK_LANGUAGES = ["en-XA", "ar", "de"]
LOCALES = {"de": "de-AT", "es": "es-MX", "ja": "ja-JP", "zh-Hans": "zh-CN", "ar": "ar-EG"}
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
    # Beside other checks on two processors a page can wait for long.
    context.set_default_timeout(120_000)
    page = context.new_page()
    browsers.sign_in(page, url, token)
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


def examine(report, tab, url, name, status=200, most_bytes=MOST_BYTES, program_text=PROGRAM_TEXT):
    """Opens an address, looks for everything that must not be, and returns the body."""
    page = tab.page
    answer = page.goto(url)
    report.check(f"{name} status", answer.status, status)
    if re.search(r"/mappings(\?|$)", url):
        most_bytes = MOST_BYTES_OF_MAPS
    report.check(f"{name} bytes", len(answer.body()) if len(answer.body()) > most_bytes else None)
    report.check(f"{name} style loaded", page.evaluate("document.styleSheets.length"), 1)
    check_width(report, page, name)
    # Scripts show numbers in the reader's region; they must be the numbers that the service sent.
    sent = re.findall(r'<data value="[^"]*">([^<]*)</data>', answer.text())
    shown = page.locator("data[value]").all_text_contents()
    # Separators are the region's, and an amount has its currency's sign.
    figures = [[re.sub(r"\D", "", text) for text in texts] for texts in (sent, shown)]
    report.check(f"{name} figures", [pair for pair in zip(*figures) if pair[0] != pair[1]])
    report.check(f"{name} program text", [text.strip()[:160] for text in page.evaluate(READ) if program_text.search(text)])
    page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    check_access(report, page, name)
    report.check(f"{name} policy", page.evaluate("window.__csp"))
    # A browser writes a line about each answer that is an error, which is what was wanted here.
    report.check(f"{name} console", [c for c in tab.taken() if status < 400 or str(status) not in c])
    return answer.text()


def check_width(report, page, name):
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    report.check(f"{name} sideways", wide if wide > 0 else None)
    if OF_MARKETERS.match(name):
        report.check(f"{name} tables out of place", page.evaluate(OUT_OF_PLACE))


def check_access(report, page, name):
    page.evaluate(AXE)
    found = page.evaluate(VIOLATIONS)
    report.check(f"{name} axe", [
        (v["id"], v["impact"], len(v["nodes"]), v["nodes"][0]["html"][:160]) for v in found])


def chromium(site, paths, options):
    report = Report()
    with browsers.chromium() as browser:
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
        for language in QUICK_LANGUAGES if options.quick else LANGUAGES:
            in_language(report, browser, site, paths, language, options)
        if not options.quick:
            context = browser.new_context(viewport={"width": 768, "height": 900})
            sign_in(context, site.url, site.reader)
            tab = Tab(context)
            for path in paths:
                is_closed = path.startswith("/mappings/publish")
                examine(report, tab, site.url + path, f"{path} reader", status=403 if is_closed else 200)
            context.close()
        without_scripts(report, browser, site, paths)
    return report


def in_language(report, browser, site, paths, language, options):
    """Every screen in a language: all checks on a phone, and nothing too wide on larger screens."""
    context = browser.new_context(
        viewport={"width": 360, "height": 900}, reduced_motion="reduce", locale=LOCALES.get(language, "en-GB"))
    sign_in(context, site.url, site.editor)
    tab = Tab(context)
    for path in paths:
        mark = "&" if "?" in path else "?"
        name = f"{path} {language}"
        tab.page.set_viewport_size({"width": 360, "height": 900})
        body = examine(
            report, tab, f"{site.url}{path}{mark}lang={language}", f"{name} 360", most_bytes=MOST_BYTES_OF_ROWS,
            program_text=PROGRAM_TEXT_OF.get(language, PROGRAM_TEXT))
        report.check(f"{name} language", re.search(r'<html lang="([^"]*)"', body)[1], language)
        if language == "en-XA":
            report.check(f"{name} English", [text[:160] for text in english.left(body)])
        for width in [] if options.quick else (768, 1280, 1440):
            tab.page.set_viewport_size({"width": width, "height": 900})
            check_width(report, tab.page, f"{name} {width}")
    if options.screen in "/data/spend":
        import_steps(report, tab, site, language)
    context.close()


def import_steps(report, tab, site, language):
    """The steps of an import, which no address leads to: a file with a column to choose, then with a row to correct."""
    page, lang = tab.page, f"lang={language}"
    page.goto(f"{site.url}/data/spend?{lang}")
    page.fill("#text", "Tag;Kampagne;Kosten (EUR);Whg\n20.11.2026;04;96,20;EUR\n31.11.2026;04;88,00;EUR\n")
    page.click("button[value=preview]")
    for step in ("choose", "correct"):
        page.goto(f"{page.url.split('&')[0]}&{lang}")
        for width in (360, 768, 1280, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            check_width(report, page, f"import, {step} {language} {width}")
            check_access(report, page, f"import, {step} {language} {width}")
        if step == "choose":
            page.fill("#fixed-network", "game.skadnetwork")
            page.locator("button[value=check]").first.click()
    report.check(f"import {language} rows to correct", page.locator(".wrong textarea").count(), 1)
    report.check(f"import {language} console", tab.taken())


def webkit(site, paths):
    """The same addresses in WebKitGTK."""
    from selenium.webdriver.common.by import By
    report = Report()
    with browsers.webkit() as driver:
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
    return report


def marketer():
    """The journey, on a site of its own, whose mappings it changes."""
    report = Report()
    with site() as running, browsers.chromium() as browser:
        journey.take(report, browser, running)
    return report


def marketers_tasks(options, has_webkit):
    """Each player has a database of their own, empty at first."""
    report = Report()
    players = [tasks.webkit] if has_webkit and not options.quick else []
    if options.engine != "webkitgtk":
        players = [tasks.keyboard] + ([] if options.quick else [tasks.phone]) + players
    for player in players:
        with site(fill=states.empty) as running, player(running) as ready:
            tasks.play(report, ready, player.__name__)
    return report


def all_states(options):
    """One state after the other."""
    report = Report()
    for name, fill in states.STATES.items():
        state(report, name, fill, options)
    return report


def state(report, name, fill, options):
    """The screens over a database in this state, and one page of each kind that they lead to: three widths, light and dark,
    and without scripts."""
    with site(fill=fill) as running, browsers.chromium() as browser:
        context = browser.new_context(reduced_motion="reduce")
        sign_in(context, running.url, running.editor)
        tab, bodies = Tab(context), {}

        def visit(paths):
            for path in paths:
                if options.screen in path:
                    bodies[path] = look(report, tab, running.url + path, f"{path} {name}", options)

        visit(first := site_pages.first_screens(running))
        visit(site_pages.further_screens(bodies.values(), first))
        context.close()
        without_scripts(report, browser, running, bodies, name)


def look(report, tab, url, name, options):
    tab.page.emulate_media(color_scheme="light")
    tab.page.set_viewport_size({"width": 360, "height": 900})
    body = examine(report, tab, url, f"{name} 360 light", most_bytes=MOST_BYTES_OF_ROWS)
    if not options.quick:
        for width in (768, 1280, 1440):
            tab.page.set_viewport_size({"width": width, "height": 900})
            check_width(report, tab.page, f"{name} {width}")
        tab.page.emulate_media(color_scheme="dark")
        check_access(report, tab.page, f"{name} {width} dark")
    return body


def without_scripts(report, browser, site, paths, name=""):
    """Pages in a browser without scripts. Where paths come with bodies, the service does not compute those again."""
    bodies = paths if isinstance(paths, dict) else {}
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 900})
    sign_in(context, site.url, site.editor)
    page = context.new_page()

    def answer(route):
        body = bodies.get(route.request.url.removeprefix(site.url))
        route.fulfill(body=body, content_type="text/html; charset=utf-8") if body else route.fallback()

    page.route("**", answer)
    for path in paths:
        title = f"{path} {name} without scripts"
        report.check(title, page.goto(site.url + path).status, 200)
        report.check(f"{title} heading", page.locator("h1").count(), 1)
        check_width(report, page, title)
    context.close()


def main():
    parser = argparse.ArgumentParser(description="Test the pages in real browsers.")
    parser.add_argument("--screen", default="", help="only screens whose path contains this")
    parser.add_argument("--quick", action="store_true", help="one width and colour, and tasks with the keyboard only")
    parser.add_argument("--journey", action="store_true", help="only the marketer's journey")
    parser.add_argument("--tasks", action="store_true", help="only the tasks")
    parser.add_argument("--states", action="store_true", help="only the states of databases")
    parser.add_argument("--engine", choices=["chromium", "webkitgtk"], help="only this engine")
    options = parser.parse_args()
    began = time.monotonic()
    has_webkit = shutil.which("WebKitWebDriver") and "DISPLAY" in os.environ and options.engine != "chromium"
    has_chromium = options.engine != "webkitgtk"
    all_parts = not (options.journey or options.tasks or options.states)
    parts = {}
    # One browser waits where another computes, so they run side by side.
    with contextlib.ExitStack() as stack:
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(max_workers=3))
        if all_parts:
            running = stack.enter_context(site())
            # Every screen of the navigation, and the pages that it links to.
            paths = [path for path in site_pages.screens(running) if options.screen in path]
            if has_chromium:
                parts["chromium"] = pool.submit(chromium, running, paths, options)
            if has_webkit:
                parts["webkitgtk"] = pool.submit(webkit, running, paths)
        if has_chromium and (all_parts or options.states):
            parts["states"] = pool.submit(all_states, options)
        if (all_parts and not options.screen) or options.tasks:
            parts["tasks"] = pool.submit(marketers_tasks, options, has_webkit)
        if has_chromium and ((all_parts and not options.screen) or options.journey):
            parts["journey"] = pool.submit(marketer)
        return verdict(parts, [part.result() for part in parts.values()], began)


def verdict(engines, reports, began):
    """Prints what ran, and returns whether something was wrong."""
    checks, wrong = sum(report.checks for report in reports), sum(len(report.wrong) for report in reports)
    print(f"browser/test: {' and '.join(engines)}: {checks} checks, {wrong} wrong, {time.monotonic() - began:.0f} s")
    return wrong > 0


sys.exit(main())
