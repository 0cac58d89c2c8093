#!/usr/bin/env python3
"""Recounts spend, names and returns of `skan report campaigns`, and shares no code with it.

    recount-spend.py POSTBACKS.ndjson REFERENCE.json REPORTS.ndjson

POSTBACKS is what `report postbacks` prints. REFERENCE has what was imported: "names", "spend" and "rates". REPORTS has a
line for each report: {"by": [...], "currency": "..." or null, "report": what it printed as JSON}. Every piece of spend is
compared with every row. Prints every difference; exit 1 where there is one.
"""
import datetime
import importlib.util
import json
import pathlib
import sys
from collections import defaultdict
from decimal import Decimal

place = pathlib.Path(__file__).with_name("recount-campaigns.py")
spec = importlib.util.spec_from_file_location("campaigns", place)
campaigns = importlib.util.module_from_spec(spec)
spec.loader.exec_module(campaigns)

AMBIGUOUS = "ambiguous"
# No row has the name of spend whose name is not in force on its day.
NOWHERE = object()
DAY = datetime.timedelta(days=1)


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def in_force(name, first, last):
    return name["from"] <= last and (name["to"] is None or name["to"] > first)


def covered(names, first, last):
    """Whether each of the days has a name."""
    day = datetime.date.fromisoformat(first)
    while day.isoformat() <= last:
        if not any(in_force(name, day.isoformat(), day.isoformat()) for name in names):
            return False
        day += DAY
    return True


def called(names, network, digits, is_source, first, last):
    """The name of some digits on all of some days: one, None, or AMBIGUOUS."""
    own = [name for name in names if name["network"] == network and in_force(name, first, last)]
    same = [name for name in own if name["campaign"] == digits]
    if is_source:
        # Short forms are the last digits of longer ones.
        longer = [name for name in own if len(name["campaign"]) > len(digits) and name["campaign"].endswith(digits)]
        shorter = [name for name in own if 2 <= len(name["campaign"]) < len(digits)
                   and digits.endswith(name["campaign"])]
        same = longer + same if same else longer + shorter
    if not same:
        return None
    if len({name["name"] for name in same}) > 1 or not covered(same, first, last):
        return AMBIGUOUS
    return same[0]["name"]


# Days from first launch until a postback comes, at least and at most, by Apple's documentation: when its value can be
# final (up to 63 rises a day apart, or the ends of its window) and its random delay.
FIRST_LAUNCH = {1: (0 + 1, 2 + 2), 2: (2 + 1, 7 + 6), 3: (7 + 1, 35 + 6)}
WITHOUT_WINDOWS = (0 + 1, 63 + 1 + 1)


def name_of_postback(names, row):
    """By the days on which the app can have been launched first, whatever the hour of arrival."""
    has_windows = row["version"] in ("4.0", "aak")
    shortest, longest = FIRST_LAUNCH[row["window"]] if has_windows else WITHOUT_WINDOWS
    midnight = moment(row["received-at"][:10] + "T00:00:00Z")
    first, last = midnight - longest * DAY, midnight + DAY - shortest * DAY
    return called(names, row["network"], row["campaign"], has_windows,
                  first.date().isoformat(), last.date().isoformat())


def named_on(names, paid):
    return [name for name in names if name["network"] == paid["network"] and name["name"] == paid["campaign"]
            and in_force(name, paid["day"], paid["day"])]


def name_of_spend(names, paid):
    if named_on(names, paid):
        return paid["campaign"]
    if not paid["campaign"].isdigit():
        return NOWHERE
    for is_source in [False, True] if int(paid["campaign"]) < 100 else [True]:
        name = called(names, paid["network"], paid["campaign"], is_source, paid["day"], paid["day"])
        if name is not None:
            return name
    return None


def digits_of_spend(names, paid):
    if paid["campaign"].isdigit():
        return paid["campaign"]
    found = {name["campaign"] for name in named_on(names, paid)}
    return found.pop() if len(found) == 1 else None


def rate(rates, currency, quote, day):
    """The newest rate up to a day, or the other way round."""
    if currency == quote:
        return Decimal(1)
    for a, b, turned in [(currency, quote, False), (quote, currency, True)]:
        fitting = [each for each in rates if (each["currency"], each["quote"]) == (a, b) and each["day"] <= day]
        if fitting:
            found = Decimal(max(fitting, key=lambda each: each["day"])["rate"])
            return 1 / found if turned else found
    return None


def fits(paid, row, by, names):
    """Whether a piece of spend can belong to a row."""
    day = datetime.date.fromisoformat(paid["day"])
    monday = day - DAY * day.weekday()
    wanted = {"day": paid["day"], "week": monday.isoformat(), "month": paid["day"][:7], "network": paid["network"]}
    if any(row[dimension] != wanted[dimension] for dimension in by if dimension in wanted):
        return False
    if "app" in by and paid["app"] is not None and row["app"] != str(paid["app"]):
        return False
    if "campaign" in by and row["campaign"] != digits_of_spend(names, paid):
        return False
    return "name" not in by or row["name"] == name_of_spend(names, paid)


class Recount:
    def __init__(self, postbacks, reference):
        self.names, self.spend, self.rates = (reference[part] for part in ("names", "spend", "rates"))
        self.postbacks = []
        for row in postbacks:
            words = campaigns.words(row, datetime.timezone.utc)
            words["name"] = name_of_postback(self.names, row)
            self.postbacks.append((row, words))
        self.compared, self.differences = 0, 0

    def converted(self, amount, own, quote, day):
        """An amount and its currency, as a report in a currency has it."""
        found = rate(self.rates, own, quote, day) if quote else None
        return (amount * found, quote) if found is not None else (amount, own)

    def check(self, what, printed, exact, tolerance=Decimal("0.000001")):
        self.compared += 1
        if printed is None or exact is None:
            is_equal = printed is None and exact is None
        else:
            is_equal = abs(Decimal(str(printed)) - exact) <= tolerance
        if not is_equal:
            self.differences += 1
            print(f"{what} is {printed}, but it comes to {exact}")

    def revenue(self, row, words, quote, sums):
        """Adds what a postback is worth."""
        if row["meaning"] != "decoded" or not row["adds-up"]:
            return
        for money in row["revenues"]:
            for bound in ("low", "mid", "high"):
                amount = money["revenue-" + bound]
                mid = Decimal(str(money["revenue-mid"]))
                amount = Decimal(str(amount)) if amount is not None else min(Decimal(0), mid) if bound == "low" else mid
                amount, currency = self.converted(amount, money["currency"], quote, words["day"])
                sums[bound, currency] += amount
            sums["open", currency] += money["revenue-high"] is None

    def table(self, by, quote):
        rows = {}
        for row, words in self.postbacks:
            place = campaigns.key(words, by)
            if place not in rows:
                rows[place] = {"words": words, "sums": defaultdict(Decimal), "spend": defaultdict(Decimal),
                               "impressions": 0, "clicks": 0, "postbacks": 0, "installs": 0}
            own = rows[place]
            own["postbacks"] += 1
            own["installs"] += row["window"] == 1 and row["outcome"] == "install"
            self.revenue(row, words, quote, own["sums"])
        total = defaultdict(Decimal)
        for paid in self.spend:
            amount, currency = self.converted(Decimal(paid["amount"]), paid["currency"], quote, paid["day"])
            total[currency] += amount
            fitting = [row for row in rows.values() if fits(paid, row["words"], by, self.names)]
            if len(fitting) == 1:
                fitting[0]["spend"][currency] += amount
                fitting[0]["impressions"] += paid["impressions"]
                fitting[0]["clicks"] += paid["clicks"]
        return rows, total

    def compare(self, asked):
        by, quote, report = asked["by"], asked["currency"], asked["report"]
        name = f"by {','.join(by)} in {quote}"
        rows, total = self.table(by, quote)
        printed = {campaigns.key(row, by): row for row in report["rows"] if row["postbacks"] > 0}
        if set(printed) != set(rows):
            self.differences += 1
            return print(f"{name}: rows differ: {sorted(set(printed) ^ set(rows), key=str)[:5]}")
        currencies = sorted(total)
        for place, own in rows.items():
            row, at = printed[place], f"{name}: {place}: "
            # Each conversion is rounded to the millionth.
            rounding = Decimal("0.000001") * (own["postbacks"] + len(self.spend))
            self.check(at + "postbacks", row["postbacks"], own["postbacks"])
            self.check(at + "ad-impressions", row["ad-impressions"] or 0, own["impressions"])
            self.check(at + "ad-clicks", row["ad-clicks"] or 0, own["clicks"])
            for currency in currencies:
                spend = own["spend"].get(currency)
                self.check(at + "spend", row["spend-" + currency], spend, rounding)
                is_whole = spend is not None and len(own["spend"]) == 1
                known = is_whole and ("mid", currency) in own["sums"] and spend > 0
                self.check(at + "ecpi", row["ecpi-" + currency],
                           spend / own["installs"] if is_whole and own["installs"] else None, rounding)
                for bound in ("low", "mid", "high"):
                    is_open = bound == "high" and own["sums"]["open", currency] > 0
                    self.check(at + "roas-" + bound, row[f"roas-{bound}-{currency}"],
                               own["sums"][bound, currency] / spend if known and not is_open else None,
                               Decimal("0.001"))
        for currency in currencies:
            self.check(f"{name}: total: spend", report["total"]["spend-" + currency], total[currency],
                       Decimal("0.000001") * len(self.spend))


def main(postbacks, reference, reports):
    rows = [json.loads(line) for line in open(postbacks, encoding="utf-8")]
    recount = Recount(rows, json.load(open(reference, encoding="utf-8")))
    for line in open(reports, encoding="utf-8"):
        recount.compare(json.loads(line))
    print(f"{recount.compared} figures compared, {recount.differences} differences")
    return 1 if recount.differences or not recount.compared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
