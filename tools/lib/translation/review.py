"""What people have said about the translations of a language: Text/review/LANGUAGE.json.

A text is reviewed, unreviewed or new. Each has the digest of the English that it was made from, so that a text whose English
changed is new again. `same` has the texts that are right as they are in English.
"""
import hashlib
import json

NEW, UNREVIEWED, REVIEWED = "new", "unreviewed", "reviewed"


def digest(message):
    return hashlib.sha256(message.encode()).hexdigest()[:8]


class Review:
    def __init__(self, folder, language):
        self.path = folder / "review" / f"{language}.json"
        held = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.same = set(held.get("same", []))
        self.states = {key: (state, value) for state in (REVIEWED, UNREVIEWED) for key, value in held.get(state, {}).items()}

    def state(self, key, english):
        state, value = self.states.get(key, (NEW, ""))
        return state if value == digest(english) else NEW

    def put(self, key, english, state):
        if state == NEW:
            self.states.pop(key, None)
        else:
            self.states[key] = (state, digest(english))

    def text(self, keys):
        """What the file has for these keys, in their order."""
        held = {"same": [key for key in keys if key in self.same]}
        for state in (REVIEWED, UNREVIEWED):
            held[state] = {key: self.states[key][1] for key in keys if self.states.get(key, ("",))[0] == state}
        return json.dumps(held, indent=1) + "\n"

    def misplaced(self, keys):
        """The first line of the file that it has not in the order of the English texts; None where there is none."""
        found = self.path.read_text().split("\n") if self.path.exists() else [""]
        wanted = self.text(keys).split("\n")
        pairs = enumerate(zip(found, wanted), 1)
        return next((number for number, (line, other) in pairs if line != other), None if len(found) == len(wanted) else 1)

    def write(self, keys):
        """Writes the file in the order of the English texts, without texts that are gone."""
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(self.text(keys))
