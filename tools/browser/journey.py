"""A marketer's way in the browser: from an imported mapping to figures that count under it, and back."""
import datetime
import json
import re

from playwright.sync_api import Error, expect

import browsers
import site_pages

SAMPLE = "launch-events.csv.gz"
TENJIN = """cv,custom_event_name,min_range,max_range,currency
1,sign_up,,,
2,purchase,0.01,5.00,USD
3,purchase,5.00,20.00,USD
"""
WATCH = """addEventListener('securitypolicyviolation', e => (window.__csp ??= []).push(e.violatedDirective + ' ' + e.blockedURI))"""


def document():
    """The launch mapping with fewer edges: what the marketer has as a file."""
    mapping = json.loads((site_pages.SAMPLES / "launch-mapping.json").read_text())
    mapping["name"] = "Launch, finer"
    mapping["grids"][0]["revenue"] = ["0.01", "0.50", "1.50", "4.50", "9.50", "22", "60", "140"]
    mapping["effective-from"] = "2026-12-01"
    mapping["coarse"][1]["medium"]["label"] = "bought on days 3 to 7"
    del mapping["$schema"]
    return json.dumps(mapping, indent=2)


# Beside other checks on two processors a page can wait for long.
expect.set_options(timeout=20_000)


class Traveller:
    """Someone with a browser of their own; what the browser complains about is kept."""

    def __init__(self, browser, site, token, **options):
        self.site, self.complaints = site, []
        self.context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce", **options)
        self.page = page = self.context.new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(WATCH)
        browsers.sign_in(page, site.url, token)
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        expect(page.get_by_role("heading", level=1)).to_have_text("Overview")

    def open(self, path):
        self.page.goto(self.site.url + path)
        return self.page

    def settled(self):
        """Waits until the editor has its answer to the last edit."""
        expect(self.page.locator("#saved")).not_to_have_text("Saving…")
        expect(self.page.locator("#live")).to_have_attribute("aria-busy", "false")


def edge(page, index):
    return page.locator(f'[name="$.grids[0].revenue[{index}]"]')


def take(report, browser, site):
    """Goes all the way; the first step that shows something else ends it."""
    steps = [imports, breaks_and_mends, reads_a_line_of_text, simulates, compares, publishes, sees_figures, rolls_back]
    traveller = Traveller(browser, site, site.editor)
    for step in steps:
        name = f"journey: {step.__name__.replace('_', ' ')}"
        try:
            step(traveller)
            wrong = traveller.complaints or traveller.page.evaluate("window.__csp")
        except (AssertionError, Error) as error:
            wrong = f"{traveller.page.url}: {str(error).split('Aria snapshot')[0].strip()}"
        report.check(name, wrong)
        if wrong:
            return
    for scene in (two_editors, slow_line, session_ends, without_scripts, builds_without_scripts, by_keyboard, builds_by_keyboard,
                  first_mapping_from_a_model, mapping_from_own_users, changes_one_range, chooses_by_keyboard, works_in_a_table,
                  arranges_columns_without_scripts, saves_a_view, compares_sets_by_keyboard, as_a_reader):
        try:
            wrong = scene(browser, site)
        except (AssertionError, Error) as error:
            wrong = str(error).split("Aria snapshot")[0].strip()
        report.check(f"journey: {scene.__name__.replace('_', ' ')}", wrong)
        for context in browser.contexts:
            context.close()


# The steps of the journey.


def imports(traveller):
    """A file of another system becomes a draft, with what is lost; one of ours becomes the draft of this journey."""
    page = traveller.page
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Mappings", exact=True).click()
    expect(page.get_by_role("rowheader", name="Version 1 in force")).to_be_visible()
    bring_in(page, "tenjin", TENJIN)
    lost = page.get_by_role("region", name="Import finished")
    expect(lost.get_by_role("listitem").first).to_be_visible()
    lost.get_by_role("link", name="Open").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Imported mapping")
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_text("No drafts.")).to_be_visible()
    bring_in(page, "skan", document())
    expect(page).to_have_url(re.compile(r"/mappings/editor\?draft=\d+$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Launch, finer")
    expect(page.locator("#part-findings")).to_contain_text("0 errors")
    expect(edge(page, 2)).to_have_value("1.50")
    expect(page.locator('[name="$.fine[0].label"]')).to_have_value("nothing yet")


def bring_in(page, form, text):
    page.locator("#import > summary").click()
    panel = page.get_by_role("region", name="Import a mapping")
    panel.get_by_label("Format").select_option(form)
    panel.get_by_label("App").fill("525463029")
    panel.get_by_label("Currency").fill("USD")
    panel.get_by_label("In force from").fill("2026-12-01")
    panel.get_by_label("Text of the file").fill(text)
    panel.get_by_role("button", name="Import into a draft").click()


def breaks_and_mends(traveller):
    """An edge that is too high is an error at its field, its cell and its line, with a cure; the cure ends it."""
    page = traveller.page
    for mend in ("undo", "cure"):
        edge(page, 2).fill("300")
        findings = page.locator("#part-findings")
        expect(findings).to_contain_text("1 error")
        expect(findings).to_contain_text("the edges of ranges must rise")
        expect(findings.get_by_text(re.compile(r"line \d+, \$\.grids\[0\]\.revenue\[3\]"))).to_be_visible()
        expect(findings.get_by_role("button", name="Sort the edges")).to_be_visible()
        expect(edge(page, 3)).to_have_attribute("aria-invalid", "true")
        expect(page.locator('#draftmap [data-v="4"]')).to_have_class(re.compile(r"\berr\b"))
        expect(page.locator("#saved")).to_have_text("Not saved: it has errors")
        expect(page.locator("#shown")).to_be_visible()
        expect(page.locator("#publish")).to_have_attribute("aria-disabled", "true")
        findings.get_by_role("link", name="Value 4", exact=True).click()
        expect(page.locator('#draftmap [data-v="4"]')).to_be_focused()
        if mend == "undo":
            page.get_by_role("button", name="Undo").click()
            expect(edge(page, 2)).to_have_value("1.50")
        else:
            page.get_by_role("button", name="Sort the edges").click()
            expect(edge(page, 7)).to_have_value("300")
            expect(edge(page, 2)).to_have_value("4.50")
        expect(findings).to_contain_text("0 errors")
        expect(edge(page, 3)).not_to_have_attribute("aria-invalid", "true")
        expect(page.locator("#publish")).to_have_attribute("href", re.compile("/mappings/publish"))
    # The edge that the cure took to the end, and one more, by hand.
    edge(page, 7).fill("240")
    more = page.locator('[name="$.grids[0].revenue[+]"]')
    more.fill("30")
    more.press("Enter")
    expect(edge(page, 5)).to_have_value("30")
    expect(edge(page, 8)).to_have_value("240")
    more.fill("2")
    more.press("Enter")
    expect(edge(page, 2)).to_have_value("2")
    expect(edge(page, 9)).to_have_value("240")
    traveller.settled()
    expect(page.locator("#saved")).to_have_text("Saved")


def reads_a_line_of_text(traveller):
    """In the text view a comma too many is an error with its line; the form view has the text's last state."""
    page = traveller.page
    page.get_by_role("link", name="JSON").click()
    text = page.locator("#src").input_value()
    line = next(number for number, line in enumerate(text.split("\n"), 1) if '"protocol"' in line)
    page.locator("#src").fill(text.replace('"protocol"', 'protocol'))
    expect(page.locator("#part-findings")).to_contain_text("1 error")
    expect(page.locator("#part-findings")).to_contain_text(f"line {line}")
    page.locator("#src").fill(text.replace("Launch, finer", "Launch, finest"))
    expect(page.locator("#part-findings")).to_contain_text("0 errors")
    expect(page.locator("#saved")).to_have_text("Saved")
    page.get_by_role("group", name="View").get_by_role("link", name="Form").click()
    expect(page.locator('[name="$.name"]')).to_have_value("Launch, finest")


def simulates(traveller):
    """On a stored sample the page shows true and visible revenue of both mappings, and again after each edit."""
    page = traveller.page
    page.get_by_label("Users", exact=True).select_option(SAMPLE)
    expect(page).to_have_url(re.compile("sample="))
    result = page.locator("#part-result")
    expect(result.locator("#verdict")).to_contain_text(re.compile("Better|Worse|Undecided"))
    cells = result.get_by_role("row", name="Visible in reports, mid").get_by_role("cell")
    expect(cells).to_have_count(2)
    before = cells.all_inner_texts()
    assert all(re.search(r"\d", cell) for cell in before), before
    assert before[0] != before[1], before
    expect(page.locator('#draftmap [data-v="0"] .n')).to_contain_text("%")
    old = edge(page, 1).input_value()
    edge(page, 1).fill("1.00")
    expect(cells.nth(1)).not_to_have_text(before[1])
    assert cells.nth(0).inner_text() == before[0], "the mapping in force shows something else after an edit"
    edge(page, 1).fill(old)
    expect(cells.nth(1)).to_have_text(before[1])
    traveller.settled()
    expect(page.locator("#saved")).to_have_text("Saved")


def compares(traveller):
    """Beside the version in force the draft stands in one table, on the same users."""
    page = traveller.page
    draft = page.url
    page = traveller.open(f"/mappings/compare?sample={SAMPLE}")
    table = page.get_by_role("table", name="Simulated figures")
    for name in ("Version 1 in force", "Launch, finest"):
        row = table.get_by_role("row", name=re.compile(re.escape(name)))
        expect(row.get_by_role("cell").first).to_contain_text("%")
    table.get_by_role("link", name="Launch, finest").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Launch, finest")
    page.goto(draft)


def publishes(traveller):
    """A day, and one box for each kind of warning; then there is a page for developers and a link without an account."""
    page = traveller.page
    page.get_by_role("link", name="Review and publish").click()
    expect(page.get_by_text("It becomes version 2 of app")).to_be_visible()
    expect(page.get_by_role("region", name="Days with both versions")).to_contain_text("Window 1")
    day = (datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(days=8)).isoformat()
    page.get_by_label("In force for installs from").fill(day)
    page.get_by_role("button", name="Show this day").click()
    expect(page.get_by_text("The date is in the past")).to_be_visible()
    page.get_by_label("Note for others").fill("finer edges")
    page.get_by_role("button", name="Publish version 2").click()
    # The browser leads to the first box that is not checked.
    expect(page.get_by_role("checkbox").first).to_be_focused()
    expect(page.get_by_label("Note for others")).to_have_value("finer edges")
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name="Publish version 2").click()
    expect(page.get_by_text("Version 2 is published.")).to_be_visible()
    expect(page.get_by_role("table", name="Test cases").first.get_by_role("row").nth(1)).to_contain_text("first launch")
    page.get_by_role("button", name="Create a link").click()
    link = page.locator("#new-link").get_attribute("href")
    guest = traveller.page.context.browser.new_context()
    answer = guest.request.get(page.url.split("/mappings")[0] + link)
    if answer.status != 200 or "noindex" not in answer.headers.get("x-robots-tag", ""):
        traveller.complaints.append(f"the link for developers answers {answer.status}")
    guest.close()
    page.get_by_role("link", name="Mappings", exact=True).click()
    row = page.get_by_role("table", name="Versions", exact=True).get_by_role("row", name="Version 2 in force")
    expect(row).to_contain_text("ben")
    expect(row).to_contain_text("finer edges")
    expect(page.get_by_text("No drafts.")).to_be_visible()
    page.get_by_text("Each value before and after").click()
    mixed = page.get_by_role("table", name="Mixed zones").get_by_role("row", name=re.compile("1 → 2"))
    expect(mixed).to_have_count(2)


def sees_figures(traveller):
    """Postbacks that arrive now count under the new version; one of both versions is marked as mixed."""
    site = traveller.site
    first = site.sign(**site_pages.postback("journey-1"), **{"postback-sequence-index": 0, "conversion-value": 3})
    second = site.sign(
        **site_pages.postback("journey-2"), **{"postback-sequence-index": 1, "coarse-conversion-value": "medium"})
    assert [site.arrive(first), site.arrive(second)] == [200, 200]
    page = traveller.open("/postbacks?environment=test")
    table = page.get_by_role("table", name="Postbacks stored last")
    row = table.get_by_role("row", name=re.compile("journey-1"))
    # The amount has its currency's sign where scripts run.
    expect(row).to_contain_text(re.compile(r"USD|\$"))
    expect(row).not_to_contain_text("several versions")
    expect(table.get_by_role("row", name=re.compile("journey-2"))).to_contain_text("several versions")
    page.get_by_role("link", name=re.compile("journey-1")).click()
    meaning = page.get_by_role("region", name="What it means")
    expect(meaning).to_contain_text("Launch, finest")
    expect(meaning).not_to_contain_text("Launch week")
    page = traveller.open("/postbacks/one?environment=test&id=journey-2")
    expect(page.get_by_text("mixed: 2 mapping versions possible")).to_be_visible()
    versions = page.get_by_role("region", name="What it means").get_by_role("table")
    expect(versions.get_by_role("row", name=re.compile("Launch week"))).to_contain_text("%")
    expect(versions.get_by_role("row", name=re.compile("Launch, finest"))).to_contain_text("bought on days 3 to 7")
    page.get_by_role("link", name=re.compile("Its row in the campaigns")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Arrived postbacks")
    expect(page.get_by_role("table").first).to_contain_text("game.skadnetwork")


def rolls_back(traveller):
    """The earlier text is published once more, from tomorrow on; nothing of the history goes."""
    page = traveller.open("/mappings")
    page.locator("#roll-back > summary").click()
    panel = page.get_by_role("region", name="Roll back")
    panel.get_by_label("Publish again").select_option(label="Version 1")
    panel.get_by_label("Note for others").fill("back to the known one")
    panel.get_by_role("button", name="Roll back").click()
    expect(page.get_by_text("Version 3 is published.")).to_be_visible()
    table = page.get_by_role("table", name="Versions", exact=True)
    expect(table.get_by_role("row", name=re.compile("^Version 3"))).to_contain_text("Rolled back to the version of")
    expect(table.get_by_role("row", name=re.compile("^Version 3"))).to_contain_text("back to the known one")
    expect(table.get_by_role("row", name="Version 2 in force")).to_be_visible()


# Scenes beside the journey; each returns what was wrong.


def two_editors(browser, site):
    """Of two who type into one draft, the second sees both texts, and keeps theirs as a draft of its own."""
    cora = site_pages.run("token", "create", "-d", site.folder / "skan.db", "--editor", "cora").strip()
    ben, other = Traveller(browser, site, site.editor), None
    for _ in range(20):
        try:
            other = Traveller(browser, site, cora)
            break
        except (AssertionError, Error):
            ben.page.wait_for_timeout(500)
    assert other, "the second editor could not sign in"
    ben.open("/mappings").get_by_role("button", name="Begin a draft").click()
    expect(ben.page).to_have_url(re.compile("draft="))
    other.page.goto(ben.page.url)
    ben.page.locator('[name="$.name"]').fill("Ben's name")
    expect(ben.page.locator("#saved")).to_have_text("Saved")
    edge(other.page, 2).fill("0.11")
    expect(other.page.get_by_role("heading", level=1)).to_contain_text("ben saved this draft meanwhile")
    table = other.page.get_by_role("table", name="Differences")
    # Each changed one field, so each side is chosen where it changed something, and nothing has to be decided.
    expect(table.get_by_role("row", name=re.compile("^name")).get_by_role("radio", name="Ben's name")).to_be_checked()
    expect(table.get_by_role("radio", name="0.11")).to_be_checked()
    other.page.get_by_role("button", name="Save the chosen fields").click()
    expect(edge(other.page, 2)).to_have_value("0.11")
    expect(other.page.locator('[name="$.name"]')).to_have_value("Ben's name")
    # Both change the same edge now: the field that both changed has no choice, and saving waits for one.
    ben.page.reload()
    edge(ben.page, 2).fill("0.12")
    expect(ben.page.locator("#saved")).to_have_text("Saved")
    edge(other.page, 2).fill("0.13")
    expect(other.page.get_by_role("heading", level=1)).to_contain_text("ben saved this draft meanwhile")
    expect(other.page.get_by_text("choose one side")).to_be_visible()
    expect(table.get_by_role("radio", name="0.13")).not_to_be_checked()
    table.get_by_role("radio", name="0.13").focus()
    other.page.keyboard.press("Space")
    other.page.get_by_role("button", name="Save the chosen fields").click()
    expect(edge(other.page, 2)).to_have_value("0.13")
    ben.page.reload()
    expect(edge(ben.page, 2)).to_have_value("0.13")
    # The page with both texts has the status 409, which the browser notes.
    return [c for c in ben.complaints + other.complaints if "409" not in c]


def slow_line(browser, site):
    """Who types on while an answer is on its way saves it all, without a conflict."""
    ben = Traveller(browser, site, site.editor)
    page = ben.open("/mappings")
    page.get_by_role("button", name="Begin a draft").click()
    expect(page).to_have_url(re.compile("draft="))
    line = ben.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions",
              {"offline": False, "latency": 1200, "downloadThroughput": -1, "uploadThroughput": -1})
    name = page.locator('[name="$.name"]')
    for text in ("One", "One and two", "All three"):
        name.fill(text)
        page.wait_for_timeout(500)
    expect(page.locator("#live")).to_have_attribute("aria-busy", "false", timeout=20_000)
    expect(page.locator("#saved")).to_have_text("Saved")
    page.reload()
    expect(name).to_have_value("All three")
    return ben.complaints


def session_ends(browser, site):
    """An edit whose session has ended outlives a reload, and is saved after a sign-in in another tab."""
    ben = Traveller(browser, site, site.editor)
    page = ben.open("/mappings")
    page.get_by_role("button", name="Begin a draft").click()
    expect(page).to_have_url(re.compile("draft="))
    name, saved, out = page.locator('[name="$.name"]'), page.locator("#saved"), page.locator("#signed-out")

    def sign_in(tab):
        tab.get_by_label("Token").fill(site.editor)
        tab.get_by_role("button", name="Sign in").click()

    # A new session has another form token, which the tab with the editor does not know.
    ben.context.clear_cookies()
    name.fill("Typed without a session")
    expect(saved).to_have_text("Not saved: your session has ended")
    expect(page.locator("#publish")).to_have_attribute("aria-disabled", "true")
    out.get_by_label("Token").fill("no token")
    out.get_by_role("button", name="Sign in").click()
    expect(out.get_by_role("status")).not_to_be_empty()
    sign_in(out)
    expect(saved).to_have_text("Saved")
    expect(out).to_be_hidden()
    # What is typed next is lost neither by a reload nor by the sign-in that the reload asks for.
    ben.context.clear_cookies()
    name.fill("Typed before a reload")
    expect(saved).to_have_text("Not saved: your session has ended")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.reload()
    sign_in(page)
    expect(page).to_have_url(re.compile("draft="))
    expect(name).to_have_value("Typed before a reload")
    expect(saved).to_have_text("Saved")
    page.reload()
    expect(name).to_have_value("Typed before a reload")
    if asked != ["beforeunload"]:
        return f"leaving with unsaved edits asked {asked}"
    # Answers to a session that has ended have the status 401, which the browser notes.
    return [c for c in ben.complaints if "401" not in c and "403" not in c]


def without_scripts(browser, site):
    """The same form saves, checks and mends with its buttons."""
    ben = Traveller(browser, site, site.editor, java_script_enabled=False)
    page = ben.open("/mappings")
    page.get_by_role("button", name="Begin a draft").click()
    edge(page, 2).fill("300")
    page.get_by_role("button", name="Save and check").click()
    expect(page.locator("#part-findings")).to_contain_text("the edges of ranges must rise")
    expect(page.locator("#part-map")).to_have_text("Not shown while the draft has errors.")
    expect(edge(page, 3)).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Sort the edges").click()
    expect(page.locator("#part-findings")).to_contain_text("0 errors")
    page.get_by_role("link", name="Review and publish").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Publish “")
    return ben.complaints


def by_keyboard(browser, site):
    """Map, fields and cures are reached and used without a pointer."""
    ben = Traveller(browser, site, site.editor)
    page = ben.open("/mappings")
    page.get_by_role("button", name="Begin a draft").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("draft="))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    edge(page, 1).focus()
    old = edge(page, 1).input_value()
    page.keyboard.press("ArrowUp")
    expect(edge(page, 1)).not_to_have_value(old)
    expect(page.locator("#saved")).to_have_text("Saved")
    page.keyboard.press("Control+z")
    expect(edge(page, 1)).to_have_value(old)
    page.locator('#draftmap [data-v="0"]').focus()
    for key, value in (("ArrowRight", 1), ("ArrowDown", 9), ("End", 15), ("Control+Home", 0)):
        page.keyboard.press(key)
        expect(page.locator(f'#draftmap [data-v="{value}"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("value=0"))
    expect(page.locator("#celltext")).not_to_be_empty()
    return ben.complaints


def begin(page, choice=None):
    """Begins a draft, of a version or of a model whose name begins so."""
    panel = page.get_by_role("region", name="New draft")
    if choice:
        word = panel.get_by_label("Begin with").locator("option").filter(has_text=choice).first.inner_text()
        panel.get_by_label("Begin with").select_option(label=word)
    panel.get_by_role("button", name="Begin a draft").click()
    expect(page).to_have_url(re.compile("draft="))


def builds_without_scripts(browser, site):
    """From nothing to a mapping without errors with the buttons of the form alone."""
    ben = Traveller(browser, site, site.editor, java_script_enabled=False)
    page = ben.open("/mappings")
    begin(page, "an empty mapping")
    for button in ("Add ranges", "Add an event", "Divide by days", "Add a single value",
                   "Add coarse values of a window"):
        page.locator("#source, [aria-labelledby=h-source]").get_by_role("button", name=re.compile(f"^{button}")).first.click()
    page.locator('[name="$.grids[0].events[0]"]').fill("purchase")
    page.locator('[name="$.fine[1].events[0]"]').fill("trial")
    page.locator('[name="$.fine[1].label"]').fill("trial begun")
    page.get_by_text("Paste a list").last.click()
    page.get_by_label("All edges, one in each line").last.fill("0.01\n1\n5\n20\n50")
    page.get_by_role("button", name="Use this list").last.click()
    expect(page.locator("#part-findings")).to_contain_text("0 errors")
    expect(edge(page, 4)).to_have_value("50")
    # Four ranges on two days, so the single value that was behind two ranges stands behind eight values by now.
    expect(page.locator('[name="$.fine[1].value"]')).to_have_value("9")
    expect(page.locator('#draftmap [data-v="1"]')).to_contain_text("P1")
    expect(page.locator('#draftmap [data-v="5"]')).to_contain_text("P2")
    page.locator('[name="at:$.grids[0].revenue"]').select_option(label="5")
    page.get_by_role("button", name="Insert after").last.click()
    expect(edge(page, 3)).to_have_value("10")
    page.get_by_role("button", name="Discard").click()
    return ben.complaints


def builds_by_keyboard(browser, site):
    """Edges, events and their order by keys; each step is one undo, and the focus stays where the work is."""
    ben = Traveller(browser, site, site.editor)
    page = ben.open("/mappings")
    begin(page, "Model: Ads and purchases")
    edge(page, 1).focus()
    old = [edge(page, index).input_value() for index in (1, 2)]
    page.keyboard.press("Enter")
    expect(edge(page, 2)).to_be_focused()
    expect(edge(page, 3)).to_have_value(old[1])
    page.keyboard.press("Control+Delete")
    expect(edge(page, 2)).to_have_value(old[1])
    ben.settled()
    for times in (1, 2):
        page.keyboard.press("Control+z")
        ben.settled()
    expect(edge(page, 2)).to_have_value(old[1])
    page.locator('button[value="edit:add $.grids[0].events"]').focus()
    page.keyboard.press("Enter")
    added = page.locator('[name="$.grids[0].events[1]"]')
    expect(added).to_be_focused()
    page.keyboard.type("rewarded_ad")
    ben.settled()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator('[name="$.grids[0].events[0]"]')).to_have_value("rewarded_ad")
    expect(page.locator('button[value="edit:down $.grids[0].events[0]"]')).to_be_focused()
    page.locator('button[value="edit:remove $.grids[0].events[0]"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('[name="$.grids[0].events[0]"]')).to_have_value("ad_revenue")
    expect(page.locator('button[value="edit:remove $.grids[0].events[0]"]')).to_be_focused()
    ben.settled()
    expect(page.locator("#saved")).to_have_text("Saved")
    page.get_by_role("button", name="Discard").click()
    return ben.complaints


def first_mapping_from_a_model(browser, site):
    """On a phone: begin with a model, choose another one, see the letters, and reach the review."""
    ben = Traveller(browser, site, site.editor)
    page = ben.page
    page.set_viewport_size({"width": 390, "height": 844})
    ben.open("/mappings")
    begin(page, "Model: Funnel")
    expect(page.locator("#part-findings")).to_contain_text("0 errors, 0 warnings")
    page.locator("#start summary").click()
    page.get_by_label("Ads and purchases").check()
    page.get_by_role("button", name="Use this model").click()
    expect(page.locator('#draftmap [data-v="1"]')).to_contain_text("A1")
    expect(page.locator("#saved")).to_have_text("Saved")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the editor is {wide} px wider than a phone"
    page.get_by_role("button", name="Undo").click()
    expect(page.locator('[name="$.fine[1].events[0]"]')).to_have_value("registration")
    ben.settled()
    page.get_by_role("link", name="Review and publish").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Publish “Funnel”")
    return ben.complaints


def mapping_from_own_users(browser, site):
    """The designer makes a mapping of the sample: progress, reasons, what it gains; then it is the draft."""
    ben = Traveller(browser, site, site.editor)
    page = ben.open("/mappings")
    begin(page, "Model: Revenue")
    page.get_by_label("Users", exact=True).select_option(SAMPLE)
    expect(page).to_have_url(re.compile("sample="))
    page.locator("#start").evaluate("d => d.open = true")
    page.get_by_role("button", name="Propose from these users").click()
    panel = page.locator("#part-proposal")
    expect(panel).to_contain_text(re.compile("Step|ready"))
    before = edge(page, 1).input_value()
    expect(panel).to_contain_text("The proposal is ready.", timeout=180_000)
    assert edge(page, 1).input_value() == before, "the draft changed before the proposal was taken"
    expect(panel).to_contain_text("A simple way is kept")
    panel.get_by_role("button", name="Use this mapping").click()
    expect(page.locator("#saved")).to_have_text("Saved")
    expect(page.locator('[name="$.grids[0].revenue[1]"]')).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(edge(page, 1)).to_have_value(before)
    return ben.complaints


def changes_one_range(browser, site):
    """At 1,024 px the answer is in view before and after an edit of one edge."""
    ben = Traveller(browser, site, site.editor)
    page = ben.page
    page.set_viewport_size({"width": 1024, "height": 768})
    ben.open("/mappings")
    begin(page, "Version 2")
    page.get_by_label("Users", exact=True).select_option(SAMPLE)
    expect(page).to_have_url(re.compile("sample="))
    strip = page.locator("#part-strip")
    expect(strip).to_contain_text("No difference that matters")
    edge(page, 3).scroll_into_view_if_needed()
    edge(page, 3).fill("3")
    ben.settled()
    expect(strip).to_be_in_viewport(ratio=1)
    expect(strip).to_contain_text(", then ")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the editor is {wide} px too wide at 1,024"
    return ben.complaints


def chooses_by_keyboard(browser, site):
    """Arrows in a closed menu and digits of a date are on the way to a choice: the page waits for Enter, or the next field."""
    anna = Traveller(browser, site, site.reader)
    page = anna.open(f"/arrived?{site.query}")
    start = page.url
    rows = page.get_by_label("Rows")
    rows.focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
        page.wait_for_timeout(200)
        assert page.url == start, f"an arrow left the page for {page.url}"
    wanted = rows.input_value()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"by={wanted}"))
    first = page.get_by_label("From", exact=True)
    first.focus()
    page.keyboard.type("01202026")
    assert first.input_value() == "2026-01-20", first.input_value()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page).to_have_url(re.compile("from=2026-01-20"))
    return anna.complaints


def table_of_campaigns(traveller, more=""):
    """The scrolling box of the table, and the table."""
    page = traveller.open(f"/arrived?{traveller.site.query}&digits=4{more}")
    box = page.get_by_role("group", name="Arrived postbacks", exact=True)
    return page, box, box.get_by_role("table")


def works_in_a_table(browser, site):
    """Rows are one line; head and first column stay in view while the page or the box scrolls, at two widths."""
    anna = Traveller(browser, site, site.reader)
    for width in (1440, 1024):
        # A low window, so that few campaigns are enough to scroll.
        anna.page.set_viewport_size({"width": width, "height": 560})
        page, box, table = table_of_campaigns(anna)
        box.hover()
        tallest = table.locator("tbody tr").evaluate_all("rows => Math.max(...rows.map(r => r.offsetHeight))")
        assert tallest <= 32, f"a row is {tallest} px high at {width}"
        last = table.locator("tbody tr").last
        for _ in range(60):
            if last.evaluate("r => r.getBoundingClientRect().bottom < innerHeight - 24"):
                break
            page.mouse.wheel(0, 60)
            page.wait_for_timeout(50)
        expect(last).to_be_in_viewport()
        expect(table.locator("thead th").first).to_be_in_viewport()
        first = table.locator("tbody th").last
        place = first.bounding_box()["x"]
        box.evaluate("b => { b.scrollLeft = 200 }")
        assert abs(first.bounding_box()["x"] - place) < 2, f"the first column moves at {width}"
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"the page is {wide} px too wide at {width}"
    anna.page.set_viewport_size({"width": 390, "height": 844})
    page, box, table = table_of_campaigns(anna)
    moved = box.evaluate("b => { b.scrollLeft = 200; return b.scrollLeft }")
    assert moved > 0, "the table does not scroll sideways on a phone"
    return anna.complaints


def arranges_columns_without_scripts(browser, site):
    """Columns are chosen with boxes and moved with links; the address has them, and the file too."""
    anna = Traveller(browser, site, site.reader, java_script_enabled=False)
    page, box, table = table_of_campaigns(anna, "&columns=conversions,installs")
    heads = table.locator("thead th")
    expect(heads).to_have_text(["Campaign", re.compile("Conversions"), "Installs"])
    page.locator("summary.btn", has_text="Columns").click()
    page.get_by_role("link", name="Move Installs up").click()
    expect(heads).to_have_text(["Campaign", "Installs", re.compile("Conversions")])
    # The link leads to its column, which opens the choice again.
    page.locator("details.pop", has=page.locator("summary", has_text="Columns")).evaluate("d => d.open = true")
    page.get_by_label("Withheld", exact=True).check()
    page.locator("details.pop", has=page.locator("summary", has_text="Columns")).get_by_role("button", name="Apply").click()
    expect(heads).to_have_text(["Campaign", "Installs", re.compile("Conversions"), "Withheld"])
    link = page.get_by_role("link", name="CSV", exact=True).get_attribute("href")
    text = page.request.get(site.url + link).text()
    assert text.splitlines()[0].endswith("installs,postbacks,null-share"), text.splitlines()[0]
    return anna.complaints


def saves_a_view(browser, site):
    """By keyboard: save a view, come back to it from the list, delete it."""
    anna = Traveller(browser, site, site.reader)
    page, box, table = table_of_campaigns(anna, "&sort=-installs")
    page.locator("summary.btn", has_text="Save this view").press("Enter")
    page.get_by_label("Name of the view").fill("Weekly list")
    page.keyboard.press("Enter")
    link = page.get_by_role("navigation", name="Saved views").get_by_role("link", name="Weekly list")
    expect(link).to_have_attribute("aria-current", "page")
    anna.open(f"/arrived?{site.query}")
    expect(link).not_to_have_attribute("aria-current", "page")
    link.press("Enter")
    expect(page).to_have_url(re.compile("sort=-installs"))
    page.locator("summary.btn", has_text="Save this view").press("Enter")
    page.get_by_role("button", name="Delete Weekly list").press("Enter")
    expect(link).to_have_count(0)
    return anna.complaints


def compares_sets_by_keyboard(browser, site):
    """A network's campaign against two others together, with the keyboard alone; the address has the question."""
    anna = Traveller(browser, site, site.reader)
    page = anna.open(f"/experiments?{site.query}&a=game.skadnetwork/04")
    page.get_by_text("Several as B").focus()
    page.keyboard.press("Enter")
    for campaign in ("02", "01"):
        page.locator(f'input[name="b"][value="game.skadnetwork/{campaign}"]').focus()
        page.keyboard.press("Space")
    page.locator("form.scope button.push").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("b=game"))
    expect(page.get_by_label("B: network or campaign")).to_contain_text("2 chosen")
    arms = page.get_by_role("region", name="A and B")
    for campaign in ("04", "02", "01"):
        # Names are isolated, so that their letters keep their direction.
        expect(arms).to_contain_text(re.compile(rf"\(\u2068?{campaign}\u2069?\)"))
    expect(page.locator("#verdict")).to_be_visible()
    page.goto(page.url + "&b=game.skadnetwork")
    expect(page.get_by_text("which arm A has too")).to_be_visible()
    return [line for line in anna.complaints if "400" not in line]


def as_a_reader(browser, site):
    """A reader sees drafts and versions, and nothing to change them with."""
    anna = Traveller(browser, site, site.reader)
    page = anna.open("/mappings")
    expect(page.get_by_role("table", name="Versions", exact=True)).to_be_visible()
    for name in ("Begin a draft", "Roll back", "Import into a draft", "Discard"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    page.get_by_role("region", name="Drafts").get_by_role("link").first.click()
    expect(page.get_by_text("editing requires an editor token")).to_be_visible()
    expect(edge(page, 1)).to_have_attribute("readonly", "")
    expect(page.get_by_role("button", name="Save and check")).to_have_count(0)
    return anna.complaints
