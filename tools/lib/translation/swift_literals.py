"""The literals of Swift files, with what is interpolated: the English sentences that come from below the pages."""
import re


def literal(source, start):
    """Where the literal that begins at `start` ends, and its parts: texts, and ("code", expression)."""
    is_long = source.startswith('"""', start)
    at, parts, text = start + (3 if is_long else 1), [], ""
    while True:
        if source.startswith('"""', at) if is_long else source[at] == '"':
            parts.append(text)
            return at + (3 if is_long else 1), unindented(parts, source[start:at]) if is_long else parts
        if source[at] != "\\":
            text += source[at]
            at += 1
            continue
        sign = source[at + 1]
        if sign == "(":
            end = closed(source, at + 2)
            parts += [text, ("code", source[at + 2:end - 1])]
            text, at = "", end
        elif sign == "u":
            end = source.index("}", at)
            text += chr(int(source[at + 3:end], 16))
            at = end + 1
        else:
            text += {"n": "\n", "t": "\t", "0": "\0", "\n": ""}.get(sign, sign)
            at += 2


def closed(source, at):
    """The place behind the bracket that closes an open one."""
    depth = 1
    while depth:
        if source[at] == '"':
            at, _ = literal(source, at)
            continue
        depth += {"(": 1, ")": -1}.get(source[at], 0)
        at += 1
    return at


def unindented(parts, text):
    """The parts of a literal of several lines without the indentation of its last line."""
    indent = len(text.rsplit("\n", 1)[-1])
    cut = [re.sub(r"\n {%d}" % indent, "\n", part) if isinstance(part, str) else part for part in parts]
    return [re.sub(r"(?<=\S) {%d,}(?=\S)" % max(indent, 2), " ", part) if isinstance(part, str) and indent else part
            for part in cut]


def literals(source):
    """Every literal that is not inside another one; those that a plus joins are one."""
    at = 0
    while at < len(source):
        if source.startswith("//", at):
            at = source.find("\n", at)
            if at < 0:
                return
        elif source.startswith("#/", at):
            at = source.index("/#", at + 2) + 2
        elif source[at] == '"':
            at, parts = literal(source, at)
            while more := re.compile(r'\s*\+\s*(?=")').match(source, at):
                at, others = literal(source, more.end())
                parts = parts + others
            yield parts
        else:
            at += 1


def inner(parts):
    """The literals inside of what is interpolated."""
    for part in parts:
        if not isinstance(part, str):
            for other in literals(part[1]):
                yield other
                yield from inner(other)
