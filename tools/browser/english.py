"""English that a page has in another language.

In accented English every word of a text has accents: a word without is in no file of texts, or is a name, a code or what
somebody wrote.
"""
import html.parser
import pathlib
import re

# What is meant to stay: code, names, what people wrote, days and units, and what a form sends.
KEPT = {"code", "pre", "textarea", "script", "style", "bdi", "time", "template", "data"}
LABELS = ("aria-label", "title", "placeholder", "alt", "data-done", "data-failed")
WORD = re.compile(r"(?<![\w.\-/:@`])[A-Za-z][a-z]{2,}(?![\w\-/:@=`]|\.\w)")
# Names, codes and words that are the same in every language.
NAMES = set("""low medium high none true false aak airbridge appsflyer arp branch meta tenjin adjust kochava singular table
    skan Apple Meta AppsFlyer Adjust Branch Singular Airbridge Tenjin Google Analytics Ads Kochava StoreKit
    SKAdNetwork AdAttributionKit Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec production test development claimed
    sample""".split())


# Words of the names, labels and events in the samples that pages are tested with.
SAMPLE = pathlib.Path(__file__).resolve().parent.parent / "samples/launch-mapping.json"
SEEDED = set(re.findall(r"\w{3,}", " ".join(re.findall(r'"(?:name|label|event)": "([^"]*)"', SAMPLE.read_text())))) | {"Summer", "sale", "game", "Second", "anna", "ben"}


class Reader(html.parser.HTMLParser):
    """The texts of a page that are to be translated."""

    def __init__(self):
        super().__init__()
        self.texts, self.open = [], []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.texts += [values[name] for name in LABELS if values.get(name)]
        if tag not in ("meta", "link", "input", "br", "img", "path", "rect", "circle", "line", "polyline", "source", "hr"):
            self.open.append((tag, tag in KEPT or "lang" in values and tag != "html"))

    def handle_startendtag(self, tag, attributes):
        self.texts += [value for name, value in attributes if name in LABELS and value]

    def handle_endtag(self, tag):
        while self.open:
            if self.open.pop()[0] == tag:
                return

    def handle_data(self, data):
        if data.strip() and not any(kept for _, kept in self.open):
            self.texts.append(data.strip())


def left(page, names=()):
    """The texts with an English word, in their order."""
    reader = Reader()
    reader.feed(page)
    known = NAMES | SEEDED | set(names)
    found = []
    for text in reader.texts:
        # U+2068 and U+2069 are around names, and so are quotation marks around those of events.
        words = [word for word in WORD.findall(re.sub("\u2068[^\u2069]*\u2069|“[^”]*”", "", text)) if word not in known]
        if words and text not in found:
            found.append(text)
    return found
