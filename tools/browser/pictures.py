"""Pictures of the pages; started by tools/browser/pictures."""
import io
import pathlib
import re
import sys

from PIL import Image

import browsers
import gallery
import site_pages

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs/pictures"
# What the docs show: the name of the file, the path, what else the address has, and the height.
SHOWN = [
    ("overview", "/", "environment=test", 900), ("campaigns", "/campaigns", "environment=test", 720),
    ("values", "/values", "value=5", 900), ("editor", "/mappings/editor", "sample=", 1100),
    ("mappings", "/mappings", "", 800), ("postback", "/postbacks/one", "", 900),
]


def name(path):
    return re.sub(r"[^a-z0-9]+", "-", path.split("?")[0].strip("/")) or "overview"


def signed_in(browser, site, width, colour, height=900):
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=colour, reduced_motion="reduce", locale="en-GB")
    page = context.new_page()
    browsers.sign_in(page, site.url, site.editor)
    return page


def look(browser, site, folder, part):
    """Every screen, wide and narrow, light and dark, whole."""
    folder.mkdir(parents=True, exist_ok=True)
    for width, colour in [(1440, "light"), (1440, "dark"), (360, "light"), (360, "dark")]:
        page = signed_in(browser, site, width, colour)
        for number, path in enumerate(site_pages.screens(site)):
            if part in path:
                page.goto(site.url + path)
                page.screenshot(path=folder / f"{number:02}-{name(path)}-{width}-{colour}.png", full_page=True)
        page.context.close()


def draw(browser, site):
    """What the docs show; no larger than a window, so that the pictures stay small."""
    for file, wanted, words, height in SHOWN:
        path = next(p for p in site_pages.screens(site) if p.split("?")[0] == wanted and words in p)
        page = signed_in(browser, site, 1440 if file == "editor" else 1280, "light", height)
        page.goto(site.url + path)
        picture = Image.open(io.BytesIO(page.screenshot()))
        # A page has few colours; with a table of them a picture takes a third of the bytes.
        picture.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(DOCS / f"{file}.png", optimize=True)
        page.context.close()


def main():
    if len(sys.argv) > 2 and sys.argv[1] in ("all", "approve"):
        sys.exit(gallery.main(sys.argv[1:]))
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with site_pages.site(mark="<b>" if folder else "") as site, browsers.chromium() as browser:
        if folder:
            look(browser, site, folder, sys.argv[2] if len(sys.argv) > 2 else "")
        else:
            draw(browser, site)


main()
