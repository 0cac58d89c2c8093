"""How long a text may be where it stands.

A text says where it stands by the first words of its comment: buttons, badges, labels and heads of columns share a phone's
width with others. The limit of a translation is a width in letters, of which Chinese and Japanese ones count twice; a member
`limit` of the English text has another one.
"""
import re
import unicodedata

import messages

# The place by the comment's first words, the width that always fits, and how much wider than English a translation can be.
PLACES = [
    (re.compile(r"Heading of a column|Name of a column|Column\b"), 22, 1.7),
    (re.compile(r"Button\b|Link\b|What the button"), 24, 1.8),
    (re.compile(r"Badge\b|State\b"), 18, 1.7),
    (re.compile(r"Label\b|Choice\b"), 32, 1.8),
    (re.compile(r"Heading in the navigation|Name of a page"), 20, 1.7),
]


def width(text):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 0 if unicodedata.combining(letter) else 1 for letter in text)


def limit(english):
    """The greatest width of a text; nothing where it has room."""
    if english.limit:
        return english.limit
    for place, least, factor in PLACES:
        if place.match(english.comment):
            return max(least, round(shown(english.parts) * factor))
    return None


def shown(parts):
    """The width of a message, its longest forms, with a few letters for each argument."""
    return sum(
        width(part) if isinstance(part, str) else
        max((shown(form) for form in part[2].values()), default=0) if part[0] == "plural" else 4 for part in parts)
