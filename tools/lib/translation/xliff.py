"""Files for translators: XLIFF 2.1 and 1.2.

Source: OASIS, "XLIFF Version 2.1" with its module of size restrictions, and "XLIFF Version 1.2".
"""
import xml.etree.ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

import review

SPACES = {"2.1": "urn:oasis:names:tc:xliff:document:2.0", "1.2": "urn:oasis:names:tc:xliff:document:1.2"}
SIZES = "urn:oasis:names:tc:xliff:sizerestriction:2.0"
STATES = {
    "2.1": {review.NEW: "initial", review.UNREVIEWED: "translated", review.REVIEWED: "reviewed"},
    "1.2": {review.NEW: "needs-translation", review.UNREVIEWED: "needs-review-translation", review.REVIEWED: "signed-off"},
}
# What other tools write for the same.
OTHERS = {"final": review.REVIEWED, "translated": review.UNREVIEWED, "new": review.NEW, "needs-adaptation": review.NEW,
          "needs-l10n": review.NEW, "needs-review-adaptation": review.UNREVIEWED, "needs-review-l10n": review.UNREVIEWED}


class XLIFFError(Exception):
    pass


class Unit:
    def __init__(self, key, source, target, state, comment="", limit=None):
        self.key, self.source, self.target, self.state = key, source, target, state
        self.comment, self.limit = comment, limit


def text(version, language, units):
    """The file with these units, in their order."""
    if version == "2.1":
        body = "".join(unit21(unit) for unit in units)
        return (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="{SPACES["2.1"]}" xmlns:slr="{SIZES}" version="2.1" '
            f'srcLang="en" trgLang="{language}">\n <file id="skan">\n  <slr:profiles generalProfile="xliff:codepoints"/>\n'
            f"{body} </file>\n</xliff>\n")
    body = "".join(unit12(unit) for unit in units)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="{SPACES["1.2"]}" version="1.2">\n '
        f'<file original="skan" datatype="plaintext" source-language="en" target-language="{language}">\n  <body>\n'
        f"{body}  </body>\n </file>\n</xliff>\n")


def unit21(unit):
    limit = f' slr:sizeRestriction="{unit.limit}"' if unit.limit else ""
    target = f'<target xml:space="preserve">{escape(unit.target)}</target>' if unit.target else ""
    return (
        f'  <unit id={quoteattr(unit.key)} name={quoteattr(unit.key)}{limit}>\n   <notes><note category="comment">'
        f'{escape(unit.comment)}</note></notes>\n   <segment state="{STATES["2.1"][unit.state]}">\n    '
        f'<source xml:space="preserve">{escape(unit.source)}</source>{target}\n   </segment>\n  </unit>\n')


def unit12(unit):
    limit = f' maxwidth="{unit.limit}" size-unit="char"' if unit.limit else ""
    approved = ' approved="yes"' if unit.state == review.REVIEWED else ""
    target = f'<target state="{STATES["1.2"][unit.state]}">{escape(unit.target)}</target>' if unit.target else ""
    return (
        f'   <trans-unit id={quoteattr(unit.key)} resname={quoteattr(unit.key)}{limit}{approved} xml:space="preserve">\n'
        f"    <source>{escape(unit.source)}</source>{target}\n    <note>{escape(unit.comment)}</note>\n   </trans-unit>\n")


def read(data):
    """The language of a file and its units, whatever their order."""
    try:
        root = ET.fromstring(data)
    except ET.ParseError as error:
        raise XLIFFError(f"the file is not XML: {error}") from None
    version = next((version for version, space in SPACES.items() if root.tag == f"{{{space}}}xliff"), None)
    if version is None:
        raise XLIFFError("the file is neither XLIFF 2 nor XLIFF 1.2")
    space = {"x": SPACES[version]}
    if version == "2.1":
        return root.get("trgLang"), [read21(unit, space) for unit in root.iterfind(".//x:unit", space)]
    file = root.find("x:file", space)
    language = None if file is None else file.get("target-language")
    return language, [read12(unit, space) for unit in root.iterfind(".//x:trans-unit", space)]


def words(element):
    return "" if element is None else "".join(element.itertext())


def state(version, word, otherwise):
    known = {name: own for own, name in STATES[version].items()}
    return known.get(word) or OTHERS.get(word, otherwise)


def read21(unit, space):
    segments = unit.findall("x:segment", space)
    if len(segments) != 1:
        raise XLIFFError(f"{unit.get('id')}: found {len(segments)} segments; a text is one segment")
    segment = segments[0]
    return Unit(
        unit.get("id"), words(segment.find("x:source", space)), words(segment.find("x:target", space)),
        state("2.1", segment.get("state"), review.NEW))


def read12(unit, space):
    target = unit.find("x:target", space)
    otherwise = review.NEW if target is None else review.UNREVIEWED
    found = state("1.2", None if target is None else target.get("state"), otherwise)
    if unit.get("approved") == "yes":
        found = review.REVIEWED
    return Unit(unit.get("id"), words(unit.find("x:source", space)), words(target), found)
