"""Pictures of every screen in every language, beside those that somebody approved; started by tools/browser/pictures."""
import html
import pathlib
import shutil
import sys

from PIL import Image, ImageChops

import browsers
import site_pages

LANGUAGES = ["en", "de", "es", "ja", "zh-Hans", "ar"]
LOOKS = [(360, "light"), (360, "dark"), (1440, "light"), (1440, "dark")]
# Screens with amounts are drawn in a currency with cents and in one without.
CURRENCIES = ["EUR", "JPY"]
WITH_AMOUNTS = {"/", "/campaigns", "/campaign", "/arrived", "/cohorts", "/causes"}
# A picture changed where more of its pixels differ than by a clock that went on.
LEAST_SHARE = 0.002


def seeded(folder):
    """The usual database, with rates from its currency to the two."""
    database, key, first, last = site_pages.seed(folder, "")
    rates = folder / "rates.csv"
    rates.write_text("date,currency,quote,rate\n2025-01-01,USD,EUR,0.92\n2025-01-01,USD,JPY,151.5\n")
    site_pages.run("rates", "import", "-d", database, rates)
    return database, key, first, last


def addresses(site, part):
    """The name of each picture, and the address without a language."""
    for number, path in enumerate(site_pages.screens(site)):
        if part not in path:
            continue
        screen = path.partition("?")[0]
        name = f"{number:02}-{screen.strip('/').replace('/', '-') or 'overview'}"
        for currency in CURRENCIES if screen in WITH_AMOUNTS else [""]:
            yield name + (f"-{currency}" if currency else ""), with_parameter(path, "currency", currency)


def with_parameter(path, name, value):
    return f"{path}{'&' if '?' in path else '?'}{name}={value}" if value else path


def draw(folder, part, languages):
    """Draws all pictures; gives their names in order."""
    names = []
    with site_pages.site(mark="", fill=seeded) as site, browsers.chromium() as browser:
        pages = list(addresses(site, part))
        for language in languages:
            for width, colour in LOOKS:
                context = browser.new_context(
                    viewport={"width": width, "height": 900}, color_scheme=colour, reduced_motion="reduce",
                    locale={"en": "en-GB", "de": "de-DE", "es": "es-ES", "ja": "ja-JP", "zh-Hans": "zh-CN", "ar": "ar-EG"}[language])
                page = context.new_page()
                browsers.sign_in(page, site.url, site.editor)
                for name, path in pages:
                    file = f"{name}/{language}-{width}-{colour}.png"
                    (folder / name).mkdir(parents=True, exist_ok=True)
                    page.goto(site.url + with_parameter(path, "lang", language))
                    page.screenshot(path=folder / file, full_page=True)
                    names.append(file)
                context.close()
    return names


def difference(old, new, target):
    """The share of pixels that differ; where it is more than chance, draws them red over the new picture."""
    with Image.open(old) as first, Image.open(new) as second:
        size = (max(first.width, second.width), max(first.height, second.height))
        both = [Image.new("RGB", size, "white") for _ in range(2)]
        both[0].paste(first.convert("RGB"))
        both[1].paste(second.convert("RGB"))
        mask = ImageChops.difference(*both).convert("L").point(lambda level: 255 if level > 24 else 0)
        share = mask.histogram()[255] / (size[0] * size[1])
        if share > LEAST_SHARE:
            target.parent.mkdir(parents=True, exist_ok=True)
            shown = Image.blend(both[1], Image.new("RGB", size, "white"), 0.5)
            shown.paste(Image.new("RGB", size, "red"), mask=mask)
            shown.save(target)
        return share


def page(folder, names, changes, missing):
    """The page with all pictures: those that changed first."""
    def figure(name):
        change = changes.get(name)
        note = f"{change:.1%} differs" if change else "new" if name in missing else ""
        other = (f'<a href="approved/{name}"><img loading="lazy" src="approved/{name}" alt="approved"></a>'
                 f'<a href="differences/{name}"><img loading="lazy" src="differences/{name}" alt="difference"></a>' if change else "")
        return (f'<figure><figcaption>{html.escape(name)} <b>{note}</b></figcaption>'
                f'<a href="new/{name}"><img loading="lazy" src="new/{name}" alt="{html.escape(name)}"></a>{other}</figure>')
    groups = {}
    for name in names:
        groups.setdefault(name.partition("/")[0], []).append(name)
    changed = [name for name in names if name in changes]
    parts = [f"<h2>Changed: {len(changed)}</h2>"] + [figure(name) for name in changed]
    links = " ".join(f'<a href="#{group}">{group}</a>' for group in groups)
    for group, own in groups.items():
        parts += [f'<h2 id="{group}">{group}</h2>'] + [figure(name) for name in own]
    (folder / "index.html").write_text(
        '<!DOCTYPE html><meta charset="utf-8"><title>Pages in every language</title><style>body{font:14px sans-serif;margin:1rem}'
        "figure{display:inline-block;vertical-align:top;margin:.5rem;max-width:22rem}img{max-width:20rem;max-height:30rem;"
        f"border:1px solid #999;margin:2px}}</style><h1>{len(names)} pictures</h1><nav>{links}</nav>{''.join(parts)}")


def main(words):
    folder = pathlib.Path(words[1])
    new, approved, differences = folder / "new", folder / "approved", folder / "differences"
    if words[0] == "approve":
        if not new.exists():
            sys.exit("pictures: there are no pictures to approve; draw them with tools/browser/pictures all DIR")
        shutil.rmtree(approved, ignore_errors=True)
        new.rename(approved)
        return 0
    for old in (new, differences):
        shutil.rmtree(old, ignore_errors=True)
    languages = [word for word in words[3:]] or LANGUAGES
    names = draw(new, words[2] if len(words) > 2 else "", languages)
    missing = [name for name in names if not (approved / name).exists()]
    shares = {name: difference(approved / name, new / name, differences / name) for name in names if name not in missing}
    changes = {name: share for name, share in shares.items() if share > LEAST_SHARE}
    page(folder, names, changes, set(missing))
    print(f"pictures: {len(names)} drawn, {len(changes)} differ from the approved ones, {len(missing)} are new: {folder}/index.html")
    return 1 if changes else 0
