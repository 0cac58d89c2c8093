"""Gives texts to translators and takes them back."""
import json
import pathlib
import subprocess
import sys

import catalogue
import limits
import messages
import review
import xliff


class Rejected(Exception):
    """Why a file is not taken, a line for each reason."""


class Exchange:
    def __init__(self, language, folder=catalogue.FOLDER):
        if language not in catalogue.LANGUAGES:
            raise Rejected(f"there is no language '{language}'; use one of {', '.join(catalogue.LANGUAGES)}")
        self.language, self.folder = language, pathlib.Path(folder)
        self.texts = catalogue.Catalogue(self.folder, [language])
        self.own = self.texts.translated[language]
        self.review = review.Review(self.folder, language)

    def units(self, wanted=(review.NEW, review.UNREVIEWED, review.REVIEWED)):
        for key, english in self.texts.english.items():
            state = self.review.state(key, english.message)
            if state in wanted:
                own = self.own.get(key)
                yield xliff.Unit(
                    key, english.message, own.message if own and state != review.NEW else "", state, english.comment,
                    limits.limit(english))

    def export(self, version, **wanted):
        return xliff.text(version, self.language, self.units(**wanted))

    def take(self, data, state=None):
        """Takes the texts of a file; `state` in place of its states. Nothing is taken where anything does not fit."""
        units = self.of_json(data) if data.lstrip().startswith(b"{") else self.of_xliff(data)
        problems, seen = [], set()
        for unit in units:
            problems += [f"{unit.key}: {reason}" for reason in self.misfits(unit, seen)]
            seen.add(unit.key)
        if problems:
            raise Rejected("\n".join(problems))
        for unit in units:
            if unit.target:
                english = self.texts.english[unit.key]
                self.own[unit.key] = catalogue.Entry(unit.key, unit.target, english.path, 0)
                self.review.put(unit.key, english.message, review.NEW if unit.state == review.NEW else state or unit.state)
        self.write()
        return sum(1 for unit in units if unit.target)

    def of_xliff(self, data):
        try:
            language, units = xliff.read(data)
        except xliff.XLIFFError as error:
            raise Rejected(str(error)) from None
        if language != self.language:
            raise Rejected(f"the file is for {language}, not for {self.language}")
        return units

    def of_json(self, data):
        """The units of a flat object key -> message, as they are in the folder of texts."""
        held = json.loads(data)
        return [xliff.Unit(
            key, self.texts.english[key].message if key in self.texts.english else "", message, review.UNREVIEWED)
            for key, message in held.items()]

    def misfits(self, unit, seen):
        english = self.texts.english.get(unit.key)
        if english is None:
            return ["no English text has this key"]
        if unit.key in seen:
            return ["the key occurs twice"]
        if unit.source != english.message:
            return [f"the English text was '{unit.source}' and is '{english.message}' now"]
        if not unit.target:
            return []
        entry = catalogue.Entry(unit.key, unit.target, english.path, 0)
        try:
            entry.parts = messages.parse(entry.message, self.language)
            entry.arguments = messages.arguments(entry.parts)
        except messages.MessageError as error:
            return [str(error)]
        return list(catalogue.Catalogue.misfits(entry, english, self.language))

    def approve(self, keys):
        known = [key for key in self.own if key in self.texts.english]
        for key in keys:
            if key not in known:
                raise Rejected(f"{key}: {self.language} has no such text")
        for key in keys or known:
            # A text that was never translated cannot be reviewed.
            if keys or self.review.state(key, self.texts.english[key].message) == review.UNREVIEWED:
                self.review.put(key, self.texts.english[key].message, review.REVIEWED)
        self.write()

    def write(self):
        rows = [f"  {json.dumps(key)}: {json.dumps(self.own[key].message, ensure_ascii=False)}"
                for key in self.texts.english if key in self.own]
        (self.folder / f"{self.language}.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")
        self.review.write(list(self.texts.english))

    def counts(self):
        states = [self.review.state(key, english.message) for key, english in self.texts.english.items()]
        return {state: states.count(state) for state in (review.REVIEWED, review.UNREVIEWED, review.NEW)}


def translate(exchange, program):
    """Lets a program translate what is new or unreviewed."""
    wanted = exchange.export("2.1", wanted=(review.NEW, review.UNREVIEWED))
    done = subprocess.run([program], input=wanted.encode(), stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise Rejected(f"{program} ended with {done.returncode}; nothing is taken")
    return exchange.take(done.stdout, state=review.UNREVIEWED)


def run(words):
    try:
        return command(words)
    except Rejected as error:
        sys.exit(f"text: rejected:\n{error}")


def command(words):
    match words:
        case ["export", "--xliff", ("2.1" | "1.2") as version, language, file]:
            pathlib.Path(file).write_text(Exchange(language).export(version))
        case ["import", language, file]:
            print(f"text: {Exchange(language).take(pathlib.Path(file).read_bytes())} texts taken")
        case ["translate", "--command", program, language]:
            print(f"text: {translate(Exchange(language), program)} texts taken as unreviewed")
        case ["approve", language, *keys]:
            Exchange(language).approve(keys)
        case ["order", language]:
            Exchange(language).write()
        case ["states"]:
            for language in catalogue.LANGUAGES:
                counts = Exchange(language).counts()
                print(language, *(f"{state} {count}" for state, count in counts.items()))
        case _:
            sys.exit(f"text: found '{' '.join(words)}'; tools/text without arguments prints how it is used")
    return 0
