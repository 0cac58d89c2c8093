#!/usr/bin/env python3
"""The decisions of an app in one plain file, to port to the language of your app, and to try with app-cases.json.

  app-cases.py                      plays app-cases.json beside this file, and prints each step with other calls
  app-cases.py HANDOVER DOCUMENT    plays the tests of `skan mapping handover --format json` with the app's document

It shares nothing with skan but the table: the document of GET /v1/apps/APP/mapping goes in, calls come out. What it leaves
out are damaged states and the size of what is stored; SkanMapping has both.
"""
import collections
import json
import pathlib
import sys

DAY = 86_400
WINDOW_ENDS = [2 * DAY, 7 * DAY, 35 * DAY]  # seconds after the begin of a conversion
COARSE = ["low", "medium", "high"]
TYPES = ["install", "re-engagement"]


def window_of(second):
    """0 to 2; 3 after the last window."""
    return next((number for number, end in enumerate(WINDOW_ENDS) if second < end), 3)


class Document:
    """What GET /v1/apps/APP/mapping answers."""

    def __init__(self, document):
        self.device, self.currency = document["protocol"], document["currency"]
        self.raise_only = document.get("raise-only", False) or self.device == "skan3"
        hours = document.get("measurement-window-hours")
        if self.device == "skan3":
            self.fine_end = float("inf") if hours is None else hours * 3600
        else:
            self.fine_end = min(2 * DAY, (hours or 1000) * 3600)
        # Of the rules that hold, the first one in this order applies; Python's sort keeps the order of equals.
        order = {
            "list-order": lambda rule: 0, "highest-value": lambda rule: -rule["value"],
            "priority": lambda rule: (-rule.get("priority", 0), -rule["value"])}[document["precedence"]]
        self.fine = sorted(document["fine"], key=order)
        self.coarse = [[], [], []]
        self.of_window = [False] * 3
        for entry in document.get("coarse", []):
            self.coarse[entry["window"] - 1] = sorted(entry["rules"], key=lambda rule: -COARSE.index(rule["value"]))
            self.of_window[entry["window"] - 1] = entry.get("totals") == "window"


class Totals:
    """What happened: numbers of events, and sums of money in millionths."""

    def __init__(self):
        self.counts, self.sums = collections.Counter(), collections.Counter()

    def add(self, event, micros, currency):
        self.counts[event] += 1
        if micros is not None and currency is not None:
            self.sums[None, currency] += micros
            self.sums[event, currency] += micros

    def in_range(self, event, revenue, home):
        found = self.sums[event, revenue.get("currency", home)]
        return revenue.get("from-micros", found) <= found <= revenue.get("to-micros", found)

    def hold(self, rule, kind, second, home):
        """Whether a rule's conditions hold; ``second`` is that of the newest event."""
        hours = rule.get("active-hours")
        if kind not in rule.get("conversion-types", TYPES) or hours and not hours["from"] * 3600 <= second < hours["to"] * 3600:
            return False
        if "revenue" in rule and not self.in_range(None, rule["revenue"], home):
            return False
        for event in rule.get("events", []):
            count = event.get("count", {"min": 1})
            if not count["min"] <= self.counts[event["name"]] <= count.get("max", float("inf")):
                return False
            if "revenue" in event and not self.in_range(event["name"], event["revenue"], home):
                return False
        return True


class Conversion:
    """An install or a re-engagement; it follows the document of its begin to its end."""

    def __init__(self, kind, tag, start, document):
        self.kind, self.tag, self.start, self.document = kind, tag, start, document
        self.second = 0
        self.rise_end = DAY  # the timer of SKAdNetwork 3
        self.since_begin, self.in_window = Totals(), Totals()
        self.windows = [{"fine": None, "coarse": None, "locked": False, "updated": False} for _ in range(3)]
        self.unconfirmed = None

    def count(self, event, micros, currency, second):
        second = max(self.second, second)
        if window_of(second) != window_of(self.second):
            self.in_window = Totals()
        self.second = second
        for totals in (self.since_begin, self.in_window):
            totals.add(event, micros, currency)

    def first(self, rules, totals):
        return next((rule for rule in rules if totals.hold(rule, self.kind, self.second, self.document.currency)), None)

    def update(self):
        """The call that is due now, if one is."""
        call = self.raised() if self.document.device == "skan3" else self.set()
        self.unconfirmed = call or self.unconfirmed
        return call

    def set(self):
        number = window_of(self.second)
        if number == 3 or self.windows[number]["locked"]:
            return None
        window, due, lock = self.windows[number], False, False
        fine, coarse = window["fine"], window["coarse"]

        def may(new, old):
            return not self.document.raise_only or old is None or new >= old

        if number == 0 and self.second < self.document.fine_end:
            rule = self.first(self.document.fine, self.since_begin)
            if rule and may(rule["value"], fine):
                due = (fine, coarse) != (rule["value"], rule.get("coarse", coarse)) or rule.get("lock", False)
                fine, coarse, lock = rule["value"], rule.get("coarse", coarse), rule.get("lock", False)
        totals = self.in_window if self.document.of_window[number] else self.since_begin
        rule = self.first(self.document.coarse[number], totals)
        if rule and may(COARSE.index(rule["value"]), COARSE.index(coarse) if coarse else None):
            due = due or coarse != rule["value"] or rule.get("lock", False)
            coarse, lock = rule["value"], lock or rule.get("lock", False)
        if not due:
            return None
        window.update(fine=fine, coarse=coarse, locked=lock, updated=True)
        return self.call(number, self.second)

    def raised(self):
        if self.second >= min(self.rise_end, self.document.fine_end):
            return None
        rule, known = self.first(self.document.fine, self.since_begin), self.windows[0]["fine"]
        if rule is None or not (rule["value"] > (known or 0) or rule["value"] == 0 and known is None):
            return None
        if rule["value"] > 0:
            self.rise_end = self.second + DAY
        self.windows[0].update(fine=rule["value"], updated=True)
        return self.call(0, self.second)

    def again(self, second):
        """The last call of the window of a moment, for a launch after which it was not confirmed."""
        number = 0 if self.document.device == "skan3" and second < self.rise_end else window_of(second)
        if self.document.device == "skan3" and second >= self.rise_end:
            return None
        return self.call(number, self.second) if number < 3 and self.windows[number]["updated"] else None

    def call(self, number, second):
        window = self.windows[number]
        call = {
            "conversion-type": self.kind, "conversion-tag": self.tag, "conversion-start": self.start, "window": number + 1,
            "seconds": second, "fine": window["fine"], "coarse": window["coarse"], "lock": window["locked"]}
        return {name: value for name, value in call.items() if value is not None}


class Device:
    """All conversions of one device."""

    def __init__(self, document, rules):
        self.document, self.rules = document, rules
        self.conversions, self.latest = [], 0

    def now(self, time):
        self.latest = max(self.latest, time)  # time never runs backwards
        return self.latest

    def begin(self, kind, tag, now):
        if not self.rules.get("overlapping"):
            self.conversions = []
        self.conversions = [one for one in self.conversions if (now - one.start) // 1000 < WINDOW_ENDS[2]]
        self.conversions.append(Conversion(kind, tag, now, self.document))
        return [self.conversions[-1].update()]

    def launch(self, time):
        now = self.now(time)
        if not self.conversions:
            return self.begin("install", None, now)
        return [one.again((now - one.start) // 1000) for one in self.conversions if one.unconfirmed]

    def reengage(self, tag, time):
        now = self.now(time)
        if not self.conversions:
            return self.begin("install", None, now)
        last = self.conversions[-1]
        cooldown = self.rules.get("install-cooldown-hours" if last.kind == "install" else "reengagement-cooldown-hours", 0)
        if self.document.device != "aak" or (now - last.start) // 1000 < cooldown * 3600:
            return []
        return self.begin("re-engagement", tag if len((tag or "").encode()) <= 64 else None, now)

    def record(self, event, micros, currency, tag, time):
        now = self.now(time)
        calls = [] if self.conversions else self.begin("install", None, now)
        fitting = [self.conversions[-1]]
        if tag is not None and fitting[0].document.device == "aak":
            fitting = [one for one in self.conversions if one.tag == tag]
        if fitting:
            fitting[-1].count(event, micros, currency, (now - fitting[-1].start) // 1000)
            calls.append(fitting[-1].update())
        return calls

    def confirm(self, call):
        for one in self.conversions:
            if one.unconfirmed and one.start == call["conversion-start"] and one.tag == call.get("conversion-tag"):
                one.unconfirmed = None


def play(case, documents):
    """The calls of each step of a case."""
    device = Device(Document(documents[case["document"]]), case.get("reengagements", {}))
    for step in case["steps"]:
        calls = []
        if step["do"] == "launch":
            calls = device.launch(step["time"])
        elif step["do"] == "reengage":
            calls = device.reengage(step.get("tag"), step["time"])
        elif step["do"] == "record":
            calls = device.record(step["event"], step.get("micros"), step.get("currency"), step.get("tag"), step["time"])
        elif step["do"] == "use":
            device.document = Document(documents[step["document"]])
        # "restart" is what a store survives; here everything stays in memory.
        calls = [call for call in calls if call]
        if step.get("confirmed", True):
            for call in calls:
                device.confirm(call)
        yield calls


def of_handover(handover, document):
    """The table of a mapping's own tests: each user comes at second 0, and the events follow."""
    cases = []
    for test in handover["tests"]:
        kind = test["conversion-type"]
        steps = [{"do": "launch", "time": 0}] + [{"do": "reengage", "time": 0}] * (kind == "re-engagement")
        for event in test["events"]:
            step = {"do": "record", "time": 1000 * event["seconds"], "event": event["event"]}
            if event.get("revenue") is not None:
                step.update(micros=round(event["revenue"] * 1_000_000), currency=event["currency"])
            steps.append(step)
        cases.append({"case": test["user"], "document": "own", "steps": steps, "kind": kind, "updates": test["updates"]})
    return {"documents": {"own": document}, "cases": cases}


CALL = ("seconds", "window", "fine", "coarse", "lock")


def differences(case, documents):
    """Each step, or the calls of all steps, with other calls than the table has."""
    played = list(play(case, documents))
    if "updates" in case:
        made = [{name: call.get(name) for name in CALL}
                for calls in played for call in calls if call["conversion-type"] == case["kind"]]
        wanted = [{name: call.get(name) for name in CALL} for call in case["updates"]]
        return [] if made == wanted else [("all steps", made, wanted)]
    return [(f"step {number}", calls, step.get("updates", []))
            for number, (step, calls) in enumerate(zip(case["steps"], played), 1) if calls != step.get("updates", [])]


def main():
    files = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:] or [pathlib.Path(__file__).with_name("app-cases.json")]]
    table = of_handover(*files) if len(files) == 2 else files[0]
    wrong = [(case, *found) for case in table["cases"] for found in differences(case, table["documents"])]
    for case, place, calls, wanted in wrong:
        print(f"{case['case']}, {place}: {calls}\n  the table has {wanted}")
    print(f"{len(table['cases'])} cases, {len(wrong)} with other calls")
    sys.exit(bool(wrong))


main()
