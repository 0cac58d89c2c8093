"""The syntax of messages: a subset of ICU MessageFormat.

{name} is a piece of markup, {n, number} a whole number, {n, plural, one {# row} other {# rows}} a form by number; inside a
form `#` is the number. Braces do not occur otherwise.
"""
import re

# The categories of whole numbers, in the order of CLDR, and the letter that stands for each in the compiled tables.
CATEGORIES = {"zero": "z", "one": "1", "two": "2", "few": "f", "many": "m", "other": "o"}
# Which of them a language has. Source: Unicode CLDR, "Language Plural Rules"; checked against its file by a test.
PLURALS = {
    "en": ["one", "other"], "de": ["one", "other"], "es": ["one", "many", "other"], "ja": ["other"], "zh-Hans": ["other"],
    "ar": ["zero", "one", "two", "few", "many", "other"],
}
# What a compiled message is made of besides its words.
END, ARGUMENT, PLURAL, FORM, NUMBER, CLOSE = "\u0001", "\u0002", "\u0003", "\u0004", "\u0005", "\u0006"


class MessageError(Exception):
    pass


def closing(text, start):
    """Where the brace that opens at `start` closes."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise MessageError(f"the brace at character {start + 1} is not closed; close it")


def parse(text, language="en", counted=None):
    """The parts of a message: words, ("piece", name), ("number", name), ("plural", name, {category: parts})."""
    parts, at = [], 0
    while at < len(text):
        if text[at] == "#" and counted:
            parts.append(("number", counted))
            at += 1
        elif text[at] == "{":
            end = closing(text, at)
            parts.append(argument(text[at + 1:end], language))
            at = end + 1
        elif text[at] == "}":
            raise MessageError(f"the brace at character {at + 1} closes nothing; delete it")
        else:
            end = at
            while end < len(text) and text[end] not in ("{}#" if counted else "{}"):
                end += 1
            parts.append(text[at:end])
            at = end
    return parts


def argument(inner, language):
    words = [word.strip() for word in inner.split(",", 2)]
    name = words[0]
    if not re.fullmatch(r"[a-z][A-Za-z0-9]*", name):
        raise MessageError(f"'{name}' is not the name of an argument; use letters and digits")
    if len(words) == 1:
        return ("piece", name)
    if words[1:] == ["number"]:
        return ("number", name)
    if words[1] != "plural" or len(words) != 3:
        raise MessageError(f"found '{{{inner}}}'; use {{name}}, {{n, number}} or {{n, plural, one {{}} other {{}}}}")
    forms, rest, place = {}, words[2], 0
    while place < len(rest):
        match = re.compile(r"\s*([a-z]+)\s*(?=\{)").match(rest, place)
        if not match:
            raise MessageError(f"found '{rest[place:]}' in a plural; use {' '.join(PLURALS[language])}, each with braces")
        if match[1] not in CATEGORIES:
            raise MessageError(f"'{match[1]}' is no plural form; use {', '.join(CATEGORIES)}")
        if match[1] in forms:
            raise MessageError(f"the plural form {match[1]} occurs twice; delete one")
        end = closing(rest, match.end())
        forms[match[1]] = parse(rest[match.end() + 1:end], language, name)
        place = end + 1
    return ("plural", name, forms)


def arguments(parts):
    """The arguments in the order in which they first occur: name -> 'piece' or 'number'."""
    found = {}
    for part in parts:
        if isinstance(part, str):
            continue
        name, kind = part[1], "piece" if part[0] == "piece" else "number"
        if found.setdefault(name, kind) != kind:
            raise MessageError(f"the argument {name} has two kinds; give each kind a name of its own")
        if part[0] == "plural":
            for form in part[2].values():
                for other, other_kind in arguments(form).items():
                    if found.setdefault(other, other_kind) != other_kind:
                        raise MessageError(f"the argument {other} has two kinds; give each kind a name of its own")
    return found


def key(parts):
    """What the program looks a sentence up by: its words with {} for each argument, and a plural in its last form."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
        elif part[0] == "plural":
            other = key(part[2]["other"])
            text += other if ("number", part[1]) in part[2]["other"] else "{}" + other
        else:
            text += "{}"
    return text


def holes(parts):
    """The arguments in the order of the key, each as often as it is there."""
    found = []
    for part in parts:
        if isinstance(part, str):
            continue
        if part[0] != "plural":
            found.append(part[1])
        else:
            other = part[2]["other"]
            found += ([] if ("number", part[1]) in other else [part[1]]) + holes(other)
    return found


def plurals(parts):
    """Every plural in a message: (name, forms)."""
    for part in parts:
        if not isinstance(part, str) and part[0] == "plural":
            yield part[1], part[2]
            for form in part[2].values():
                yield from plurals(form)


def form_errors(parts, language):
    """The plural forms that a language needs, or does not have."""
    wanted = set(PLURALS[language])
    for name, forms in plurals(parts):
        for missing in [category for category in PLURALS[language] if category not in forms]:
            yield f"the plural of {name} lacks the form {missing}; {language} needs {' '.join(PLURALS[language])}"
        for more in [category for category in forms if category not in wanted]:
            yield f"the plural of {name} has the form {more}, which {language} has not; delete it"


def words(parts):
    """Only the words, those of all forms one after the other."""
    return " ".join(
        part if isinstance(part, str) else " ".join(words(form) for form in part[2].values()) if part[0] == "plural" else ""
        for part in parts).strip()


def longest(parts, piece=4):
    """How many letters a message can have at least, where a piece has a few."""
    return sum(
        len(part) if isinstance(part, str) else
        max(longest(form, piece) for form in part[2].values()) if part[0] == "plural" else piece
        for part in parts)


ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def compiled(parts, places):
    """A message as the program reads it; `places` are the places of its arguments."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            # A line must not break between a number and its sign.
            text += "".join(ESCAPES.get(letter, letter) for letter in part.replace(" %", "\u00a0%"))
        else:
            place = chr(0x30 + places.index(part[1]))
            if part[0] == "plural":
                text += PLURAL + place + "".join(
                    FORM + CATEGORIES[category] + compiled(form, places) for category, form in part[2].items()) + CLOSE
            else:
                text += (NUMBER if part[0] == "number" else ARGUMENT) + place
    return text
