"""Counts what was sent: rows of a campaign report by any dimensions, with every figure exact.

Each postback has the number of what it adds; postbacks of a row that add the same are counted together. An amount is in
millionths, and so is the number of users of an event.
"""
import bisect
import collections
import datetime
import importlib.util
import itertools
import pathlib
from decimal import Decimal
from fractions import Fraction

import making

spec = importlib.util.spec_from_file_location(
    "campaigns", pathlib.Path(__file__).with_name("recount-campaigns.py"))
campaigns = importlib.util.module_from_spec(spec)
spec.loader.exec_module(campaigns)

MICROS = 1_000_000
DIMENSIONS = ["day", "week", "month", "app", "network", "campaign", "version", "window", "outcome", "interaction",
              "publisher", "country", "marketplace", "tier"]
OF_DAYS = ("day", "week", "month")
OF_POSTBACKS = ("interaction", "publisher", "country", "marketplace", "tier")
# In the sums: by how many millionths they can be off, where an expected amount could be rounded either way. A rate
# multiplies that.
NEAR = "(near a half)"


def kind_of(row):
    return "source-identifier" if row["version"] in ("4.0", "aak") else "campaign-id"


def converted(money, currency, rates, day):
    """Money in another currency by the rates of a day; what has no rate stays as it is."""
    found = []
    for own, *amounts in money:
        rate = rates.rate(own, currency, day) if currency else None
        if rate is None:
            found.append((own, *amounts))
        else:
            found.append((currency, *(None if amount is None else rounded(amount * rate) for amount in amounts)))
    return found


def rounded(number):
    """The nearest whole number; a half away from zero."""
    return (abs(number) + Fraction(1, 2)).__floor__() * (1 if number >= 0 else -1)


class Rates:
    def __init__(self, rows):
        self.rows = {}
        for day, currency, quote, rate in sorted(rows):
            self.rows.setdefault((currency, quote), []).append((making.milliseconds(day) // making.DAY, Fraction(rate)))

    def rate(self, currency, quote, day):
        if currency == quote:
            return Fraction(1)
        for pair, is_turned in (((currency, quote), False), ((quote, currency), True)):
            rows = self.rows.get(pair, [])
            place = bisect.bisect_right([each[0] for each in rows], day)
            if place:
                return 1 / rows[place - 1][1] if is_turned else rows[place - 1][1]
        return None


def decimal(millionths):
    return None if millionths is None else Decimal(millionths) / MICROS


class Counted:
    """The postbacks of one environment."""

    def __init__(self, stored, environment, rates):
        self.rates = rates
        self.rows = [row for row in stored.rows if row["environment"] == environment]
        self.copies = [copy for copy in stored.copies if copy[0]["environment"] == environment]
        self.words, self.copy_words, self.kinds, self.adds = {}, {}, {}, []
        self.numbers, self.of_content = {}, {}

    # Dimensions

    def column(self, dimension, zone="UTC", digits=None):
        """The words of a dimension, one for each postback; None where a postback has none."""
        key = (dimension, zone if dimension in OF_DAYS else None, digits if dimension == "campaign" else None)
        if key not in self.words:
            if dimension in OF_DAYS:
                self.words[key] = days([row["arrival"] for row in self.rows], dimension, zone)
            elif dimension == "tier":
                self.words[key] = [text(campaigns.tier(row)) for row in self.rows]
            elif dimension == "campaign":
                self.words[key] = [shortened(row["campaign"], kind_of(row), digits) for row in self.rows]
            elif dimension == "campaign-kind":
                self.words[key] = [kind_of(row) for row in self.rows]
            else:
                self.words[key] = [text(row[dimension]) for row in self.rows]
        return self.words[key]

    def copy_column(self, dimension, digits=None):
        """The same for copies: the facts of the copy itself, on the day on which it arrived, in UTC."""
        key = (dimension, digits if dimension == "campaign" else None)
        if key not in self.copy_words:
            if dimension in OF_DAYS:
                found = days([copy[1] for copy in self.copies], dimension, "UTC")
            elif dimension == "campaign":
                found = [shortened(copy[3]["campaign"], kind_of(copy[3]), digits) for copy in self.copies]
            elif dimension == "campaign-kind":
                found = [kind_of(copy[3]) for copy in self.copies]
            else:
                found = [text(copy[3][dimension]) for copy in self.copies]
            self.copy_words[key] = found
        return self.copy_words[key]

    # Figures

    def kind(self, currency):
        """What each postback adds, as numbers among ``adds``."""
        if currency not in self.kinds:
            self.kinds[currency] = [self.number(row, currency) for row in self.rows]
        return self.kinds[currency]

    def number(self, row, currency):
        found = row["decoded-by"]
        day = row["arrival"] // making.DAY if currency else None
        key = (row["window"], row["outcome"], row["interaction"], row["sent-value"], row["version"] in ("4.0", "aak"),
               row["meaning"], id(found) if found else None, currency, day)
        if key not in self.numbers:
            sums = (self.added(row, found, currency, day, False), self.added(row, found, currency, day, True))
            content = tuple(frozenset(each.items()) for each in sums)
            if content not in self.of_content:
                self.of_content[content] = len(self.adds)
                self.adds.append(sums)
            self.numbers[key] = self.of_content[content]
        return self.numbers[key]

    def added(self, row, found, currency, day, by_window):
        def worth(of):
            money, events = of
            return {"revenues": [{"currency": own, "revenue-low": decimal(low), "revenue-mid": decimal(mid),
                                  "revenue-high": decimal(high)}
                                 for own, low, mid, high in converted(money, currency, self.rates, day)],
                    "event-estimates": [{"event": name, "probability": decimal(rounded(share * MICROS))}
                                        for name, share, _, _ in events]}
        sums = collections.defaultdict(Decimal)
        # A zero that no rule has counts as decoded, without any worth.
        known = dict(row)
        if found:
            known.update(worth(found.added))
            known["whole"] = worth(found.whole)
        campaigns.count(sums, known, by_window)
        whole = {name: int(value * MICROS) if is_money(name) else int(value) for name, value in sums.items()}
        if found and found.slack:
            rates = [self.rates.rate(money[0], currency, day) for money in found.whole[0]] if currency else []
            whole[NEAR] = 1 + sum(rate.__ceil__() for rate in rates if rate is not None)
        return whole

    # Rows

    def admitted(self, asked):
        """Which postbacks a question is about; with digits, conditions are on those of a campaign."""
        found = [True] * len(self.rows)
        for column, admits in self.tests(asked, lambda name: self.column(name, asked["zone"], asked.get("digits"))):
            verdicts = {word: admits(word) for word in set(column)}
            found = [is_in and verdicts[word] for is_in, word in zip(found, column)]
        return found

    def tests(self, asked, column):
        if asked.get("days"):
            first, behind = asked["days"]
            yield column("day"), lambda word: (first is None or word >= first) and (behind is None or word < behind)
        for name in ("app", "network"):
            if asked.get(name):
                yield column(name), lambda word, wanted=asked[name]: word in wanted
        for condition in asked["where"]:
            yield column(condition[0]), lambda word, condition=condition: campaigns.admits(
                {condition[0]: word}, [condition])

    def table(self, asked, has_wholes=None):
        """The sums of the rows of a question, by their words."""
        by_window = "window" in asked["by"] if has_wholes is None else has_wholes
        names = dimensions(asked["by"])
        columns = [self.column(name, asked["zone"], asked.get("digits")) for name in names]
        kinds = self.kind(asked.get("currency"))
        rows = zip(*columns, kinds)
        if asked["where"] or asked.get("days") or asked.get("app") or asked.get("network"):
            rows = itertools.compress(rows, self.admitted(asked))
        sums = {}
        for (*place, kind), count in collections.Counter(rows).items():
            own = sums.setdefault(tuple(place), {})
            for name, value in self.adds[kind][by_window].items():
                own[name] = own.get(name, 0) + count * value
        if counts_copies(asked):
            self.add_copies(asked, names, sums)
        return sums

    def add_copies(self, asked, names, sums):
        found = [True] * len(self.copies)
        for column, admits in self.tests(asked, lambda name: self.copy_column(name, asked.get("digits"))):
            found = [is_in and admits(word) for is_in, word in zip(found, column)]
        for own in sums.values():
            own["copies"] = own["conflicts"] = 0
        columns = [self.copy_column(name, asked.get("digits")) for name in names]
        for place, (is_in, copy) in enumerate(zip(found, self.copies)):
            if is_in:
                own = sums.setdefault(tuple(column[place] for column in columns), {"copies": 0, "conflicts": 0})
                own["conflicts" if copy[4] else "copies"] += 1


def counts_copies(asked):
    named = set(asked["by"]) | {condition[0] for condition in asked["where"]}
    return asked["zone"] == "UTC" and not named & set(OF_POSTBACKS)


def dimensions(by):
    """The columns that distinguish rows: campaign 17 and source identifier 17 are two campaigns."""
    return [name for each in by for name in ([each, "campaign-kind"] if each == "campaign" else [each])]


def added(many):
    sums = {}
    for one in many:
        for name, value in one.items():
            sums[name] = sums.get(name, 0) + value
    return sums


def days(moments, dimension, zone):
    clock, known, found = campaigns.clock(zone), {}, []
    for moment in moments:
        # No clock is set but at a quarter of an hour.
        quarter = moment // 900_000
        if quarter not in known:
            day = datetime.datetime.fromtimestamp(quarter * 900, clock).date()
            if dimension == "week":
                day -= datetime.timedelta(days=day.weekday())
            known[quarter] = day.isoformat()[:7] if dimension == "month" else day.isoformat()
        found.append(known[quarter])
    return found


def shortened(campaign, kind, digits):
    return campaign[-digits:] if digits and kind == "source-identifier" else campaign


def text(word):
    return None if word is None else str(word)


def is_money(name):
    return name.startswith(("revenue-", "event-")) and not name.startswith("revenue-without-limit-")
