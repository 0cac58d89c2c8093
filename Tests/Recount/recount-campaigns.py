#!/usr/bin/env python3
"""Recounts `skan report campaigns` from the rows of `skan report postbacks`, and shares no code with it.

    recount-campaigns.py POSTBACKS.ndjson REPORTS.ndjson

REPORTS has a line for each report: {"by": [...], "where": [[dimension, excluded, [patterns]]], "zone": "...",
"report": what the report printed as JSON}, and where it was asked for "days": [from, to], "compared": [from, to] and
"top": rows. Prints every difference; exit 1 where there is one.
"""
import datetime
import fnmatch
import json
import sys
from collections import defaultdict
from decimal import Decimal
from zoneinfo import ZoneInfo

DIMENSIONS = ["app", "network", "campaign", "version", "window", "outcome", "interaction", "publisher", "country",
              "marketplace"]


def clock(name):
    if name == "UTC":
        return datetime.timezone.utc
    if name[0] in "+-":
        minutes = int(name[1:3]) * 60 + int(name[4:6])
        return datetime.timezone(datetime.timedelta(minutes=-minutes if name[0] == "-" else minutes))
    return ZoneInfo(name)


def tier(row):
    """Apple's table: 4.0 and AdAttributionKit, first window, an ad that won."""
    if row["version"] not in ("4.0", "aak") or row["window"] != 1 or row["outcome"] == "assist":
        return None
    if row["publisher"] is not None or row["country"] is not None:
        return 3
    if row["value"] is not None or len(row["campaign"]) > 2:
        return 2
    return 1 if row["coarse"] is not None else 0


def words(row, zone):
    arrival = datetime.datetime.fromisoformat(row["received-at"].replace("Z", "+00:00")).astimezone(zone)
    day = arrival.date()
    found = {name: row[name] for name in DIMENSIONS}
    found["day"] = day.isoformat()
    year, week, _ = day.isocalendar()
    found["week"] = datetime.date.fromisocalendar(year, week, 1).isoformat()
    found["month"] = day.isoformat()[:7]
    found["tier"] = tier(row)
    # Campaign 17 of SKAdNetwork 3 and source identifier 17 are two campaigns.
    found["campaign-kind"] = "source-identifier" if row["version"] in ("4.0", "aak") else "campaign-id"
    return {name: None if word is None else str(word) for name, word in found.items()}


def key(row, by):
    names = [name for name in by for name in ([name, "campaign-kind"] if name == "campaign" else [name])]
    return tuple(None if row[name] is None else str(row[name]) for name in names)


def admits(found, conditions):
    for dimension, is_excluded, patterns in conditions:
        word = (found[dimension] or "none").lower()
        if any(fnmatch.fnmatchcase(word, pattern.lower()) for pattern in patterns) == is_excluded:
            return False
    return True


def count(sums, row, by_window):
    won = row["outcome"] != "assist"
    sums["postbacks"] += 1
    if row["window"] == 1:
        sums[{"install": "installs", "redownload": "redownloads", "re-engagement": "re-engagements",
              "assist": "assists", "other": "other-conversions"}[row["outcome"]]] += 1
    if row["interaction"] is not None:
        sums[row["interaction"] + "s"] += 1
    if not won:
        return
    if row["value"] is not None:
        sums["values-zero" if row["value"] == 0 else "values-positive"] += 1
        sums[f"fine-{row['value']}"] += 1
    elif row["coarse"] is not None:
        sums[f"coarse-{row['coarse']}"] += 1
    elif row["meaning"] == "impossible":
        sums["values-rejected"] += 1
    else:
        sums["values-null"] += 1
        if row["version"] in ("4.0", "aak"):
            sums["coarse-null"] += 1
    if row["meaning"] in ("decoded", "zero"):
        sums["decoded"] += 1
        if row["window"] == 1:
            sums["decoded-installs"] += 1
        if row["certainty"] == "mixed":
            sums["decoded-mixed"] += 1
    elif row["meaning"] == "unmapped":
        sums["unmapped"] += 1
    elif row["meaning"] == "no-mapping":
        sums["without-mapping"] += 1
    # By window the report shows the whole of each; rows of `report postbacks` have only what is to be added.
    worth = row.get("whole") if by_window else row if row["adds-up"] else None
    if row["meaning"] in ("decoded", "zero") and not by_window and not row["adds-up"]:
        sums["money-not-added"] += 1
    if row["meaning"] != "decoded" or worth is None:
        return
    for event in worth["event-estimates"]:
        sums["event-" + event["event"]] += Decimal(str(event["probability"]))
    without_limit = {money["currency"] for money in worth["revenues"] if money["revenue-high"] is None}
    for currency in without_limit:
        sums["revenue-without-limit-" + currency] += 1
    for money in worth["revenues"]:
        currency = money["currency"]
        mid = Decimal(str(money["revenue-mid"]))
        low, high = money["revenue-low"], money["revenue-high"]
        sums["revenue-mid-" + currency] += mid
        sums["revenue-low-" + currency] += min(Decimal(0), mid) if low is None else Decimal(str(low))
        sums["revenue-high-" + currency] += mid if high is None else Decimal(str(high))
        sums["revenue-mixed-" + currency] += mid if row["certainty"] == "mixed" else Decimal(0)


FIGURES = ("postbacks installs redownloads re-engagements assists other-conversions views clicks values-null "
           "values-zero values-positive coarse-null coarse-low coarse-medium coarse-high values-rejected decoded "
           "decoded-installs decoded-mixed unmapped without-mapping").split() + [f"fine-{n}" for n in range(64)]


CHANGES = ("postbacks", "installs", "redownloads", "re-engagements")


def table(rows, asked, zone, days):
    """The sums of rows by place, of some days."""
    sums = defaultdict(lambda: defaultdict(Decimal))
    for row in rows:
        found = words(row, zone)
        if admits(found, asked["where"]) and (days is None or days[0] <= found["day"] < days[1]):
            count(sums[key(found, asked["by"])], row, "window" in asked["by"])
    return sums


def added(many):
    sums = defaultdict(Decimal)
    for one in many:
        for figure, value in one.items():
            sums[figure] += value
    return sums


def near(printed, exact):
    if printed is None or exact is None:
        return printed is None and exact is None
    return abs(Decimal(str(printed)) - exact) <= Decimal("0.000001")


def asked_besides(row, now, before, total):
    """Differences of shares and of comparisons; `before` is None where the other days have no such row."""
    for figure, column in [("postbacks", "share-of-postbacks"), ("installs", "share-of-installs")] + [
            ("revenue-mid-" + name[len("share-of-revenue-"):], name) for name in row if name.startswith("share-of-rev")]:
        whole = total[figure]
        # No revenue in a currency is none, and no install is zero.
        part = now[figure] if figure in now or figure == "installs" else None
        if column in row:
            yield column, near(row[column], part / whole if part is not None and whole > 0 else None)
    if "previous-postbacks" not in row:
        return
    revenue = [name[len("previous-"):] for name in row if name.startswith("previous-revenue-mid-")]
    for figure in list(CHANGES) + revenue:
        have_now = now is not None and (figure in now or figure in CHANGES)
        have_before = before is not None and (figure in before or figure in CHANGES)
        old = before[figure] if have_before else None
        change = now[figure] - old if have_now and have_before else None
        yield "previous-" + figure, near(row["previous-" + figure], old)
        yield "change-" + figure, near(row["change-" + figure], change)
        yield "relative-change-" + figure, near(
            row["relative-change-" + figure], change / abs(old) if change is not None and old else None)


def besides(name, asked, expected, before):
    """Compares what was asked for besides rows: the first ones, shares, other days. Yields figure by figure."""
    total = added(expected.values())
    shown = []
    for row in asked["report"]["rows"]:
        if row.get("others") is not None:
            rest = [place for place in set(expected) | set(before or ()) if place not in shown]
            yield f"{name}: others", row["others"] == len(rest)
            smallest = min(expected[place]["postbacks"] for place in shown if place in expected)
            yield f"{name}: order", all(expected[place]["postbacks"] <= smallest for place in rest if place in expected)
            now = added(expected[place] for place in rest if place in expected)
            then = [before[place] for place in rest if place in before] if before is not None else []
            yield f"{name}: others' postbacks", Decimal(row["postbacks"]) == now["postbacks"]
            yield f"{name}: others' installs", Decimal(row["installs"]) == now["installs"]
            old = added(then) if then else None
        else:
            place = key(row, asked["by"])
            shown.append(place)
            now = expected[place] if place in expected else None
            old = before[place] if before is not None and place in before else None
        for figure, is_equal in asked_besides(row, now, old, total) if now is not None else []:
            yield f"{name}: {place}: {figure}", is_equal
        if now is None:
            yield f"{name}: {place}: gone", row["postbacks"] == 0 and row["change-postbacks"] is None and (
                row["previous-postbacks"] == old["postbacks"])
    row = asked["report"]["total"]
    for figure, is_equal in asked_besides(row, total, None if before is None else added(before.values()), total):
        yield f"{name}: total: {figure}", is_equal


def main(postbacks, reports):
    rows = [json.loads(line) for line in open(postbacks, encoding="utf-8")]
    differences, compared = 0, 0
    for line in open(reports, encoding="utf-8"):
        asked = json.loads(line)
        zone = clock(asked["zone"])
        expected = table(rows, asked, zone, asked.get("days"))
        if "besides" in asked:
            before = table(rows, asked, zone, asked["compared"]) if "compared" in asked else None
            for what, is_equal in besides(f"by {','.join(asked['by'])}", asked, expected, before):
                compared += 1
                if not is_equal:
                    differences += 1
                    print(f"{what} differs")
            continue
        printed = {}
        for row in asked["report"]["rows"]:
            place = key(row, asked["by"])
            if row["postbacks"] > 0:
                assert place not in printed, f"{place} is there twice"
                printed[place] = row
        name = f"by {','.join(asked['by'])} where {asked['where']} in {asked['zone']}"
        if set(printed) != set(expected):
            differences += 1
            print(f"{name}: rows differ: {sorted(set(printed) ^ set(expected), key=str)[:5]}")
            continue
        for place, sums in expected.items():
            row = printed[place]
            figures = set(FIGURES)
            if "window" not in asked["by"]:
                figures |= {column for column in row if column.startswith(("event-", "revenue-low-", "revenue-mid-"))}
                figures |= {column for column in row if column.startswith("revenue-high-")
                            and not sums["revenue-without-limit-" + column[len("revenue-high-"):]]}
            for figure in sorted(figures):
                stored = row[figure]
                compared += 1
                if Decimal(str(stored or 0)) != sums[figure]:
                    differences += 1
                    print(f"{name}: {place}: {figure} is {stored}, but the postbacks come to {sums[figure]}")
    print(f"{compared} figures compared, {differences} differences")
    return 1 if differences or not compared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
