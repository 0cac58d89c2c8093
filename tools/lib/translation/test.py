"""Tests the tools of the texts: every class of fault is found, and files for translators come back as they went out."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import catalogue
import check
import exchange
import review
import xliff

# Debian's translate-toolkit reads XLIFF 1.2; that of PyPI, which tools/setup --browser installs outside the tree, 2.1 too.
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
VENV = pathlib.Path(os.environ.get("SKAN_BROWSER_VENV") or CACHE / "skan/browser")
READERS = {"1.2": ("/usr/bin/python3", "translate.storage.xliff"), "2.1": (str(VENV / "bin/python"), "translate.storage.xliff2")}
# What another tool reads of a file: the number of units, and of those with a translation.
READER = """
import importlib, sys
storage = importlib.import_module(sys.argv[1])
kind = getattr(storage, "Xliff2File", None) or storage.xlifffile
store = kind.parsefile(sys.argv[2])
units = [unit for unit in store.units if unit.istranslatable()]
notes = sum(1 for note in store.document.getroot().iter("{*}note") if note.text)
print(len(units), sum(1 for unit in units if unit.target), notes)
"""


class Failed(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failed(what)


def copy(folder):
    """A copy of the texts, which a test can spoil."""
    target = pathlib.Path(folder) / "Text"
    shutil.copytree(catalogue.FOLDER, target)
    return target


def edited(path, change):
    lines = path.read_text().split("\n")
    number = change(lines)
    path.write_text("\n".join(lines))
    return number + 1


def replace(key, message):
    """An edit that gives a key another message; gives its line."""
    def change(lines):
        number = next(n for n, line in enumerate(lines) if line.startswith(f"  {json.dumps(key)}: "))
        comma = "," if lines[number].endswith(",") else ""
        lines[number] = f"  {json.dumps(key)}: {json.dumps(message)}{comma}"
        return number
    return change


def insert(line):
    def change(lines):
        lines.insert(1, line)
        return 1
    return change


def delete(key):
    def change(lines):
        number = next(n for n, line in enumerate(lines) if line.startswith(f"  {json.dumps(key)}: "))
        del lines[number]
        return 0
    return change


# A fault of each class: the file, the edit, and what has to be found. The line is that of the edit.
PLURAL = "frame.days-ago"
FAULTS = {
    "a missing key": ("de.json", delete("pager.next"), "the key is missing"),
    "an extra key": ("de.json", insert('  "pager.nowhere": "Nirgendwo",'), "no English text has this key"),
    "a duplicate key": ("de.json", insert('  "pager.next": "Weiter",'), "the key occurs twice"),
    "an unused key": ("en.json", insert('  "pager.unused": {"message": "Unused", "comment": "Link"},'), "no page uses it"),
    "a sentence that the program does not say": (
        "sentences.json", insert('  "note.unsaid": {"message": "no program says this of rows", "comment": "Note"},'),
        "nothing in the program has the words"),
    "a missing argument": ("de.json", replace("pager.place", "Seite {page, number}"), "the argument {pages} is missing"),
    "another argument": ("de.json", replace("views.remove", "{namen} löschen"), "the argument {namen} is not in the English"),
    "an argument of another kind": (
        "de.json", replace("pager.place", "Seite {page} von {pages, number}"), "the argument {page} must be a number"),
    "a missing plural form": (
        "ar.json", replace(PLURAL, "{count, plural, one {#} other {#}}"), "lacks the form zero"),
    "a superfluous plural form": (
        "ja.json", replace(PLURAL, "{count, plural, one {# 日前} other {# 日前}}"), "has the form one, which ja has not"),
    "a copy of the English": ("es.json", replace("views.save", "Save this view"), "it is English"),
    "a text that is too long": (
        "de.json", replace("views.save", "Diese Ansicht mit allen ihren Filtern und Spalten speichern"), "there is room for"),
    "a term that is not used": ("de.json", replace("postbacks.title", "Rücksendungen"), "in the glossary"),
    "a forbidden mark": ("de.json", replace("pager.next", "Nächste Seite!"), "an exclamation mark"),
}


def forbidden_word(folder):
    """A word that the glossary forbids; which one is the glossary's."""
    texts = catalogue.Catalogue(folder, ["de"])
    for term, entry in json.loads((folder / "glossary/de.json").read_text()).items():
        for key, english in texts.english.items():
            if entry.get("avoid") and english.message == term.capitalize() and not english.arguments:
                return key, entry["avoid"][0]
    return "postbacks.title", json.loads((folder / "glossary/de.json").read_text())["postback"]["avoid"][0]


def faults():
    for name, (file, change, wanted) in FAULTS.items():
        with tempfile.TemporaryDirectory() as folder:
            texts = copy(folder)
            line = edited(texts / file, change)
            found = check.Check(texts, languages=[file[:-5]] if file[:-5] in catalogue.LANGUAGES else []).all()
            hits = [f for f in found if wanted in f and f.split(":")[0].endswith(file)]
            expect(hits, f"{name} is not found; found {found[:3]}")
            expect(any(f":{line}:" in f or f"in line {line};" in f for f in hits), f"{name} is found at another line than {line}: {hits[0]}")
    with tempfile.TemporaryDirectory() as folder:
        texts = copy(folder)
        key, word = forbidden_word(texts)
        edited(texts / "de.json", replace(key, word))
        found = check.Check(texts, languages=["de"]).all()
        expect(any("must not be used" in f for f in found), f"a forbidden word is not found; found {found[:3]}")
    with tempfile.TemporaryDirectory() as folder:
        texts = copy(folder)
        edited(texts / "en.json", replace("pager.next", "Next"))
        found = check.Check(texts, languages=[]).all()
        expect(any("an entry has a message and a comment" in f for f in found), "an entry without a comment is not found")
    for name, state in (("another order", order), ("a text that is gone", gone)):
        with tempfile.TemporaryDirectory() as folder:
            texts = copy(folder)
            state(texts / "review/de.json")
            found = check.Check(texts, languages=["de"]).all()
            expect(any("tools/text order de" in f for f in found), f"states with {name} are not found; found {found[:3]}")
            exchange.Exchange("de", texts).write()
            expect(not check.Check(texts, languages=["de"]).all(), f"states with {name} are not mended by writing them")
    return len(FAULTS) + 4


def order(path):
    """Puts the last state of a language first."""
    held = json.loads(path.read_text())
    state = max((review.REVIEWED, review.UNREVIEWED), key=lambda state: len(held[state]))
    held[state] = dict(reversed(held[state].items()))
    path.write_text(json.dumps(held, indent=1) + "\n")


def gone(path):
    """Adds a state of a text that is not there."""
    held = json.loads(path.read_text())
    held[review.UNREVIEWED]["pager.nowhere"] = "00000000"
    path.write_text(json.dumps(held, indent=1) + "\n")


def round_trips():
    """Out, in and out again gives the same bytes, also with the units in another order."""
    for version in ("2.1", "1.2"):
        for language in catalogue.LANGUAGES:
            with tempfile.TemporaryDirectory() as folder:
                texts = copy(folder)
                before = {path: path.read_bytes() for path in texts.rglob("*.json")}
                first = exchange.Exchange(language, texts).export(version)
                units = xliff.read(first.encode())[1]
                turned = xliff.text(version, language, units[::-1])
                exchange.Exchange(language, texts).take(turned.encode())
                expect(exchange.Exchange(language, texts).export(version) == first, f"{language} {version} comes back changed")
                for path, data in before.items():
                    expect(path.read_bytes() == data, f"{path.name} changed by a round trip of {language} {version}")
    return 2 * len(catalogue.LANGUAGES)


def refusals():
    """What does not fit is rejected, and nothing of the file is taken."""
    with tempfile.TemporaryDirectory() as folder:
        texts = copy(folder)
        before = (texts / "de.json").read_bytes()

        def rejected(unit, wanted):
            good = next(exchange.Exchange("de", texts).units())
            data = xliff.text("2.1", "de", [xliff.Unit(good.key, good.source, "Anders", review.UNREVIEWED), unit]).encode()
            try:
                exchange.Exchange("de", texts).take(data)
            except exchange.Rejected as error:
                expect(wanted in str(error), f"'{wanted}' is not said: {error}")
            else:
                raise Failed(f"taken, although {wanted}")
            expect((texts / "de.json").read_bytes() == before, "a rejected file changed the texts")

        english = catalogue.Catalogue(texts, []).english
        place = english["pager.place"].message
        rejected(xliff.Unit("no.key", "x", "y", review.UNREVIEWED), "no English text has this key")
        rejected(xliff.Unit("pager.place", "Page", "Seite", review.UNREVIEWED), "the English text was")
        rejected(xliff.Unit("pager.place", place, "Seite {page}", review.UNREVIEWED), "must be a number")
        rejected(xliff.Unit("pager.place", place, "Seite {page, number", review.UNREVIEWED), "not closed")
        rejected(xliff.Unit("frame.days-ago", english["frame.days-ago"].message, "{count, plural, other {#}}", review.UNREVIEWED),
                 "lacks the form one")
        for data, wanted in ((b"no xml", "not XML"), (b"<a/>", "neither"), (xliff.text("2.1", "ja", []).encode(), "is for ja")):
            try:
                exchange.Exchange("de", texts).take(data)
            except exchange.Rejected as error:
                expect(wanted in str(error), f"'{wanted}' is not said: {error}")
            else:
                raise Failed(f"taken, although {wanted}")
    return 8


def machine():
    """What a program translates is unreviewed until somebody approves it, and a changed English text is new again."""
    with tempfile.TemporaryDirectory() as folder:
        texts = copy(folder)
        key, english = next(iter(catalogue.Catalogue(texts, []).english.items()))
        one = exchange.Exchange("de", texts)
        one.approve([])
        one.review.put(key, english.message, review.NEW)
        one.write()
        program = pathlib.Path(folder) / "program"
        program.write_text(
            "#!/usr/bin/env python3\nimport sys\ntext = sys.stdin.read()\nassert 'campaigns.title' not in text\n"
            f"print(text.replace('state=\"initial\"', 'state=\"reviewed\"').replace('{english.message}</source>',"
            f"'{english.message}</source><target>Maschine</target>'))\n")
        program.chmod(0o755)
        taken = exchange.translate(exchange.Exchange("de", texts), str(program))
        after = exchange.Exchange("de", texts)
        expect(taken >= 1 and after.own[key].message == "Maschine", "the program's text is not taken")
        expect(after.review.state(key, english.message) == review.UNREVIEWED, "the program's text is not marked as unreviewed")
        after.approve([key])
        again = exchange.Exchange("de", texts)
        expect(again.review.state(key, english.message) == review.REVIEWED, "an approved text is not reviewed")
        expect(again.review.state(key, "Another text") == review.NEW, "a text whose English changed is not new")
    return 4


def can_read(version):
    python, module = READERS[version]
    if not pathlib.Path(python).exists():
        return False
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


def another_tool(version):
    """Reads the files with translate-toolkit."""
    python, module = READERS[version]
    with tempfile.TemporaryDirectory() as folder:
        for language in catalogue.LANGUAGES:
            path = pathlib.Path(folder) / f"{language}.xlf"
            path.write_text(exchange.Exchange(language).export(version))
            units = list(exchange.Exchange(language).units())
            read = subprocess.run([python, "-c", READER, module, path], capture_output=True, text=True)
            expect(read.returncode == 0, f"translate-toolkit cannot read {language} {version}: {read.stderr[-300:]}")
            wanted = [len(units), sum(1 for unit in units if unit.target), len(units)]
            found = [int(word) for word in read.stdout.split()]
            expect(found == wanted, f"translate-toolkit reads {found} of {language} {version}, not {wanted}")


def run():
    readable = [version for version in READERS if can_read(version)]
    missing = [version for version in READERS if version not in readable]
    print("text: translate-toolkit reads XLIFF " + (" and ".join(readable) or "not at all"), end="")
    print(f"; not {' and '.join(missing)}, which tools/setup --test and --browser install" if missing else "")
    try:
        print(f"text: {faults()} faults planted and found")
        print(f"text: {round_trips()} files out, in and out again; {refusals()} that do not fit are rejected; "
              f"{machine()} states hold")
        for version in readable:
            another_tool(version)
    except Failed as error:
        sys.exit(f"text: FAILED: {error}")
    return 0
