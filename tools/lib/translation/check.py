"""Finds what is wrong with the texts, each with file and line."""
import functools
import json
import pathlib
import re
import sys

import catalogue
import generate
import limits
import messages
import review
import sentences

# Marks that no text of a page has.
FORBIDDEN = {"—": "an em dash", "!": "an exclamation mark", "！": "an exclamation mark", "…!": "an exclamation mark"}


@functools.cache
def used_names(root):
    names = set()
    for path in (root / "Sources/Web").rglob("*.swift"):
        names.update(re.findall(r"\.([a-z]\w*)", path.read_text()))
    return names


class Check:
    def __init__(self, folder=catalogue.FOLDER, root=catalogue.ROOT, languages=None):
        self.texts = catalogue.Catalogue(folder, languages)
        self.folder, self.root, self.problems = pathlib.Path(folder), root, self.texts.problems

    def all(self):
        self.unused()
        for language, own in self.texts.translated.items():
            reviewed = review.Review(self.folder, language)
            glossary = self.glossary(language)
            if (line := reviewed.misplaced(list(self.texts.english))) is not None:
                self.problems.add(
                    reviewed.path, line, "the states",
                    f"they are not in the order of the texts, or of one that is gone; write them with: tools/text order {language}")
            for key, entry in own.items():
                english = self.texts.english.get(key)
                # A text that is still to be translated is English, and is counted by `states`.
                if english and reviewed.state(key, english.message) != review.NEW:
                    self.translation(entry, english, reviewed, glossary, language)
        for entry in self.texts.english.values():
            self.marks(entry)
        return self.problems.lines

    def glossary(self, language):
        path = self.folder / "glossary" / f"{language}.json"
        if not path.exists():
            self.problems.add(path, 1, "the file", "it is missing")
            return {}
        found = {}
        for term, entry in json.loads(path.read_text()).items():
            forms = [form.casefold() for form in [entry["term"], *entry.get("forms", [])]]
            found[term] = (
                re.compile(rf"(?<![\w/-]){re.escape(term)}(?:s|es)?(?![\w/-])", re.I), forms, entry["term"],
                [word.casefold() for word in entry.get("avoid", [])], set(entry.get("except", [])))
        return found

    def unused(self):
        names = used_names(self.root)
        for key in self.texts.typed:
            if generate.identifier(key) not in names:
                entry = self.texts.english[key]
                self.problems.add(entry.path, entry.line, key, f"no page uses it; delete it, or use .{generate.identifier(key)}")
        said = sentences.keys_of_literals(self.root)
        for key, entry in self.texts.english.items():
            if key not in self.texts.typed and messages.key(entry.parts) not in said:
                self.problems.add(entry.path, entry.line, key, f"nothing in the program has the words '{entry.message}'; delete it")

    def translation(self, entry, english, reviewed, glossary, language):
        words, own = messages.words(english.parts), messages.words(entry.parts)
        if entry.message == english.message and entry.key not in reviewed.same and re.search(r"[A-Za-z]{3}", words):
            self.problems.add(entry.path, entry.line, entry.key, "it is English; translate it, or list it under `same`")
            return
        limit = limits.limit(english)
        if limit and (width := limits.shown(entry.parts)) > limit:
            self.problems.add(entry.path, entry.line, entry.key, f"it is {width} wide, and there is room for {limit}")
        lower = re.sub(r"`[^`]*`", "", own).casefold()
        # Code, quoted members and placeholders such as NETWORK are not words.
        prose = re.sub(r"`[^`]*`|\"[^\"]*\"|\b[A-Z]{3,}\b", "", words)
        for term, (pattern, forms, wanted, avoided, exceptions) in glossary.items():
            if entry.key in exceptions or not pattern.search(prose):
                continue
            if not any(form in lower for form in forms):
                self.problems.add(entry.path, entry.line, entry.key, f"'{term}' is '{wanted}' in the glossary")
            for word in avoided:
                if re.search(rf"(?<!\w){re.escape(word)}(?!\w)" if language not in ("ja", "zh-Hans") else re.escape(word), lower):
                    self.problems.add(entry.path, entry.line, entry.key, f"'{word}' must not be used for '{term}'")
        self.marks(entry)

    def marks(self, entry):
        for mark, name in FORBIDDEN.items():
            if mark in messages.words(entry.parts):
                self.problems.add(entry.path, entry.line, entry.key, f"it has {name}")


def run():
    found = Check().all()
    print("\n".join(found))
    print(f"text: {len(found)} wrong" if found else "text: every text is right", file=sys.stderr)
    return bool(found)
