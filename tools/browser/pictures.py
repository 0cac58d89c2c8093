"""Pictures of the pages; started by tools/pictures."""
import pathlib
import re
import sys

from playwright.sync_api import sync_playwright

import site_pages

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/pictures"
# What the docs show: the name of the file and the path.
SHOWN = {"/": "overview", "/campaigns": "campaigns"}


def name(path):
    return re.sub(r"[^a-z0-9]+", "-", path.split("?")[0].strip("/")) or "overview"


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with site_pages.site() as site, sync_playwright() as p:
        browser = p.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for width, colour in [(1440, "light"), (1440, "dark"), (360, "light"), (360, "dark")] if folder else [(1440, "light")]:
            context = browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=colour, reduced_motion="reduce")
            page = context.new_page()
            page.goto(f"{site.url}/sign-in")
            page.fill("#token", site.editor)
            page.click("button.primary")
            for number, path in enumerate(site_pages.screens(site)):
                if part not in path:
                    continue
                if not folder and path.split("?")[0] not in SHOWN:
                    continue
                page.goto(site.url + path)
                if folder:
                    page.screenshot(path=folder / f"{number:02}-{name(path)}-{width}-{colour}.png", full_page=True)
                else:
                    page.screenshot(path=DOCS / f"{SHOWN.pop(path.split('?')[0])}.png", full_page=True)
        browser.close()


main()
