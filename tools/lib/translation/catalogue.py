"""The files of texts: Sources/Web/Pages/Text, and what is wrong with them, each with file and line."""
import json
import pathlib
import re

import messages

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "Sources/Web/Pages/Text"
# English, and the languages that it is translated to.
LANGUAGES = ["de", "es", "ja", "zh-Hans", "ar"]
# The texts that pages name, and those that come with reports, alerts and checks as English sentences.
SOURCES = ["en.json", "sentences.json"]
KEY = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+")


class Problems:
    """What is wrong, in the order in which it was found."""

    def __init__(self):
        self.lines = []

    def add(self, path, line, key, sentence):
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        self.lines.append(f"{shown}:{line}: {key}: {sentence}")


class Entry:
    """A text: its message, the line it is in, and in English the comment and the limit of letters."""

    def __init__(self, key, message, path, line, comment="", limit=None):
        self.key, self.message, self.path, self.line = key, message, path, line
        self.comment, self.limit = comment, limit
        self.parts, self.arguments = [], {}

    def read(self, language, problems):
        """Reads the message; False where it cannot be read."""
        try:
            self.parts = messages.parse(self.message, language)
            self.arguments = messages.arguments(self.parts)
            return True
        except messages.MessageError as error:
            problems.add(self.path, self.line, self.key, str(error))
            return False


def pairs(path, problems):
    """The members of a flat object, each with its line; a key that occurs twice is a problem."""
    text = path.read_text()
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        problems.add(path, error.lineno, "the file", f"it is not JSON: {error.msg}")
        return []
    found, seen = [], {}
    decoder, at = json.JSONDecoder(), text.index("{") + 1
    space = re.compile(r"[\s,:]*")
    while True:
        at = space.match(text, at).end()
        if text[at] == "}":
            return found
        line = text.count("\n", 0, at) + 1
        key, at = decoder.raw_decode(text, at)
        value, at = decoder.raw_decode(text, space.match(text, at).end())
        if key in seen:
            problems.add(path, line, key, f"the key occurs twice, also in line {seen[key]}; delete one")
        else:
            seen[key] = line
            found.append((key, value, line))


class Catalogue:
    """All texts in all languages."""

    def __init__(self, folder=FOLDER, languages=None):
        self.folder, self.problems = pathlib.Path(folder), Problems()
        self.languages = LANGUAGES if languages is None else languages
        self.english, self.typed = {}, set()
        for name in SOURCES:
            for key, entry in self.source(self.folder / name):
                if name == "en.json":
                    self.typed.add(key)
                self.english[key] = entry
        self.translated = {language: self.translation(language) for language in self.languages}

    def source(self, path):
        if not path.exists():
            self.problems.add(path, 1, "the file", "it is missing")
            return
        for key, value, line in pairs(path, self.problems):
            if key in self.english:
                self.problems.add(path, line, key, f"the key is in {self.english[key].path.name} too; delete one")
                continue
            if not KEY.fullmatch(key):
                self.problems.add(path, line, key, "a key is words with hyphens, at least two, with dots between them")
            if not isinstance(value, dict) or not {"message", "comment"} <= set(value) <= {"message", "comment", "limit"} \
                    or not value["comment"]:
                self.problems.add(path, line, key, "an entry has a message and a comment for translators, and can have a limit")
                continue
            entry = Entry(key, value["message"], path, line, value["comment"], value.get("limit"))
            if entry.read("en", self.problems):
                for sentence in messages.form_errors(entry.parts, "en"):
                    self.problems.add(path, line, key, sentence)
            yield key, entry

    def translation(self, language):
        """The texts of a language, key by key; what does not fit the English is a problem."""
        path, found = self.folder / f"{language}.json", {}
        if not path.exists():
            self.problems.add(path, 1, "the file", "it is missing")
            return found
        for key, message, line in pairs(path, self.problems):
            english = self.english.get(key)
            if english is None:
                self.problems.add(path, line, key, "no English text has this key; delete it")
                continue
            if not isinstance(message, str) or not message.strip():
                self.problems.add(path, line, key, "a translation is a text that is not empty")
                continue
            entry = found[key] = Entry(key, message, path, line)
            if not entry.read(language, self.problems):
                continue
            for sentence in self.misfits(entry, english, language):
                self.problems.add(path, line, key, sentence)
        for key, english in self.english.items():
            if key not in found:
                self.problems.add(path, 1, key, f"the key is missing; translate '{english.message}'")
        return found

    @staticmethod
    def misfits(entry, english, language):
        """How the arguments and forms of a translation differ from what they must be."""
        for name, kind in english.arguments.items():
            if name not in entry.arguments:
                yield f"the argument {{{name}}} is missing"
            elif entry.arguments[name] != kind:
                yield f"the argument {{{name}}} must be a {kind}, as in English"
        for name in entry.arguments:
            if name not in english.arguments:
                yield f"the argument {{{name}}} is not in the English text; use {', '.join(english.arguments) or 'none'}"
        yield from messages.form_errors(entry.parts, language)
