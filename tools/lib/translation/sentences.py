"""The sentences that the program says: every literal of `Sentence("...")` in its sources, with file and line."""
import functools
import json
import re

import messages
import swift_literals

START = re.compile(r'\bSentence\(\s*(?=")')
COUNTED = re.compile(r'^.*,\s*"([^"]*)"$', re.S)
FORMS = re.compile(r'^.*,\s*one:\s*"(?:[^"\\]|\\.)*",\s*other:\s*"((?:[^"\\]|\\.)*)"$', re.S)
LABEL = re.compile(r"^([a-z]\w*):")
# The folders of the floors whose sentences pages show.
FLOORS = ["Values", "Edges", "Domain", "Receiving", "Simulation", "Reporting", "Web", "Programs"]


class Unreadable(Exception):
    pass


class Said:
    """A sentence of the program: the key that a page looks it up by, and where it is."""

    def __init__(self, path, line, parts):
        self.path, self.line = path, line
        self.key, self.names = "", []
        for part in parts:
            self.add(part if isinstance(part, str) else part[1].strip(), isinstance(part, str))

    def add(self, text, is_words):
        if is_words:
            self.key += text
            return
        forms, counted = FORMS.match(text), COUNTED.match(text)
        if forms:
            self.key += forms[1].replace("#", "{}") if "#" in forms[1] else "{}" + forms[1]
        elif counted and not LABEL.match(text):
            self.key += "{} " + counted[1] + "s"
        else:
            self.key += "{}"
        self.names.append(text)


def of(root):
    """Every sentence of the sources."""
    for floor in FLOORS:
        for path in sorted((root / "Sources" / floor).rglob("*.swift")):
            source = path.read_text()
            if "Sentence(" in source:
                yield from in_source(path, source)


@functools.cache
def keys_of_literals(root):
    """What every literal of the sources would be looked up by, as a sentence or as the title of a column."""
    keys = set()
    for floor in FLOORS:
        for path in sorted((root / "Sources" / floor).rglob("*.swift")):
            source = path.read_text()
            keys.update(re.findall(r"^ +case (\w+)$", source, re.M))
            try:
                for parts in swift_literals.literals(source):
                    keys.update(Said(path, 0, one).key for one in [parts, *swift_literals.inner(parts)])
            except (IndexError, ValueError):
                raise Unreadable(f"{path}:1: error: a literal that this tool cannot read") from None
    return keys


def in_source(path, source):
    code = re.sub(r"^\s*//.*$", lambda comment: " " * len(comment[0]), source, flags=re.M)
    for start in START.finditer(code):
        line = code.count("\n", 0, start.start()) + 1
        end, parts = swift_literals.literal(code, start.end())
        while more := re.compile(r'\s*\+\s*(?=")').match(code, end):
            end, others = swift_literals.literal(code, more.end())
            parts = parts + others
        if not re.compile(r"\s*\)").match(code, end):
            raise Unreadable(f"{path}:{line}: error: a sentence is one literal, or some with + between them")
        said = Said(path, line, parts)
        # Marks between arguments are no words of any language.
        if re.search(r"[A-Za-z]", said.key):
            yield said


def missing(catalogue, root):
    """The sentences that no text of the catalogue is, each as a line for the compiler's reader."""
    known = {messages.key(entry.parts) for key, entry in catalogue.english.items() if key not in catalogue.typed}
    for said in of(root):
        if said.key not in known:
            yield f"{said.path}:{said.line}: error: no text in sentences.json is '{said.key}'; add it there and in the languages"


def named(said):
    """The message of a sentence with names for its arguments, as translators see it."""
    message, rest, used = "", said.key, set()
    for text in said.names:
        before, _, rest = rest.partition("{}")
        words = re.findall(r"[A-Za-z]\w*", re.sub(r'"[^"]*"|\b(?:one|other|grouped|number|name|code|words):', "", text)) or ["value"]
        name = words[-1][0].lower() + words[-1][1:]
        while name in used:
            name = re.sub(r"\d*$", lambda digits: str(int(digits[0] or 1) + 1), name, count=1)
        used.add(name)
        forms, counted = FORMS.match(text), COUNTED.match(text)
        if forms or counted and not LABEL.match(text):
            raise Unreadable(f"{said.path}:{said.line}: error: write the message of '{said.key}' by hand: it has forms by number")
        message += before + "{" + name + "}"
    return message + rest


def add(catalogue, root):
    """Adds entries for sentences that the English texts lack, with their key made of the file's name and the first words."""
    path = catalogue.folder / "sentences.json"
    known = {messages.key(entry.parts) for key, entry in catalogue.english.items() if key not in catalogue.typed}
    lines = []
    for said in of(root):
        if said.key in known:
            continue
        known.add(said.key)
        stem = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", re.sub(r"\W", "-", said.path.stem)).lower().replace("--", "-")
        base = stem + "." + "-".join(re.findall(r"[a-z0-9]+", said.key.lower())[:6])
        key, count = base, 1
        while key in catalogue.english or any(f'"{key}":' in line for line in lines):
            count += 1
            key = f"{base}-{count}"
        entry = {"message": named(said), "comment": f"In {said.path.stem}"}
        lines.append(f"  {json.dumps(key)}: {json.dumps(entry, ensure_ascii=False)}")
        print(f"{key}: {entry['message']}")
    if lines:
        path.write_text(path.read_text().rstrip().removesuffix("}").rstrip() + ",\n" + ",\n".join(lines) + "\n}\n")
