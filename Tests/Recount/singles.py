"""Compares reports that have no random questions: of single postbacks, of one kind of row, and the SQL views."""
import collections
import datetime
import math
import sqlite3
import time
from fractions import Fraction

import making
from counting import MICROS, NEAR, campaigns, kind_of, shortened

SHARE = Fraction(1, 1_000_000)
# The 95th percentile of the normal distribution, for intervals of 90 %.
NORMAL = 1.6448536269514722
# Days from an install to the arrival of each window, as `report cohorts` dates them.
DAYS_BEFORE = {1: 3, 2: 10, 3: 38}


def check_all(checker):
    for environment in checker.counted:
        postbacks(checker, environment)
        events(checker, environment)
        conflicts(checker, environment)
        for by in ("campaign", "week"):
            for currency in (None, "USD"):
                cohorts(checker, environment, by, currency)
        for digits in (2, 3, 4):
            for by in ("campaign", "day"):
                nulls(checker, environment, by, digits)
    organic(checker)
    views(checker)


def milliseconds(cell):
    return round(datetime.datetime.fromisoformat(cell.replace("Z", "+00:00")).timestamp() * 1000)


def amount(millionths):
    return None if millionths is None else Fraction(millionths, MICROS)


def period(checker, is_of_moments=False):
    """A random period, or all: days or moments in milliseconds, and the words for it."""
    rng, bounds = checker.rng, []
    if rng.random() < 0.5:
        return None, None, []
    first = making.BEGIN + rng.randrange(making.DAYS - 60) * making.DAY
    for time in (first, first + rng.randrange(1, 60) * making.DAY):
        bounds.append(time + (rng.randrange(making.DAY) if is_of_moments else 0))
    words = [making.moment(time) if is_of_moments else making.moment(time)[:10] for time in bounds]
    return *bounds, ["--from", words[0], "--to", words[1]]


def within(row, first, behind):
    return (first is None or row["arrival"] >= first) and (behind is None or row["arrival"] < behind)


def launch(row):
    """The earliest and the latest moment of the first launch."""
    found = row["decoded-by"]
    if found and found.delay:
        final_first, final_last, shortest, longest, _ = found.delay
        return [row["arrival"] - int(hours * making.HOUR)
                for hours in (final_last + longest, final_first + shortest)]
    longest, shortest = {"1": (4, 1), "2": (13, 3), "3": (41, 8)}[str(row["window"])] if (
        kind_of(row) == "source-identifier") else (65, 1)
    if row["environment"] == "development":
        shortest = 0
    return [row["arrival"] - longest * making.DAY, row["arrival"] - shortest * making.DAY]


def worth(row):
    found = row["decoded-by"]
    return ([], []) if not found else found.added if row["adds-up"] else found.whole


def postbacks(checker, environment):
    first, behind, words = period(checker, True)
    rows = [row for row in checker.counted[environment].rows if within(row, first, behind)]
    answer, command = checker.ask("postbacks", "--environment", environment, *words, layout="ndjson")
    if len(answer["rows"]) != len(rows):
        return checker.differ(command, f"{len(answer['rows'])} rows, but {len(rows)} were sent")
    for row, printed in zip(rows, answer["rows"]):
        check = lambda name, expected, tolerance=0: checker.check(  # noqa: E731
            command, f"{row['id']}, window {row['window']}: {name}", printed[name], expected, tolerance)
        for name in ("environment", "version", "app", "network", "campaign", "window", "outcome", "interaction", "country",
                     "publisher", "marketplace", "value", "coarse", "meaning", "certainty", "adds-up", "route", "id"):
            check(name, row[name])
        check("tier", campaigns.tier(row))
        for name, expected in zip(("received-at", "launch-earliest", "launch-latest"), [row["arrival"], *launch(row)]):
            checker.check(command, f"{row['id']}: {name}", milliseconds(printed[name]), expected)
        money, happened = worth(row)
        slack = Fraction(1, MICROS) if row["decoded-by"] and row["decoded-by"].slack else 0
        check("events", [name for name, *_ in happened])
        own = money[0] if len(money) == 1 else (None, None, None, None)
        for name, expected in zip(("currency", "revenue-low", "revenue-mid", "revenue-high"),
                                  [own[0], *map(amount, own[1:])]):
            check(name, expected, slack if name == "revenue-mid" else 0)
        lists = [("mappings", [{"name": version.name, "effective-from": version.begin, "probability": share}
                               for version, share in (row["decoded-by"].versions if row["decoded-by"] else [])]),
                 ("event-estimates", [dict(zip(("event", "probability", "min", "max"), event)) for event in happened]),
                 ("revenues", [dict(zip(("currency", "revenue-low", "revenue-mid", "revenue-high"),
                                        (each[0], *map(amount, each[1:])))) for each in money])]
        for name, expected in lists:
            if not checker.check(command, f"{row['id']}: number of {name}", len(printed[name]), len(expected)):
                continue
            for one, wanted in zip(printed[name], expected):
                for member, value in wanted.items():
                    cell = milliseconds(one[member]) if member == "effective-from" else one[member]
                    checker.check(command, f"{row['id']}, window {row['window']}: {name}: {member}", cell, value,
                                  SHARE if member == "probability" else slack)


def events(checker, environment):
    first, behind, words = period(checker, True)
    wanted = []
    for row in checker.counted[environment].rows:
        if within(row, first, behind) and row["decoded-by"] and row["adds-up"]:
            money, happened = worth(row)
            for place, event in enumerate(happened or ([None] if money else [])):
                wanted.append((row, event, money[0] if len(money) == 1 and place == 0 else None))
    answer, command = checker.ask("events", "--environment", environment, *words, layout="ndjson")
    if len(answer["rows"]) != len(wanted):
        return checker.differ(command, f"{len(answer['rows'])} rows, but {len(wanted)} are expected")
    for (row, event, money), printed in zip(wanted, answer["rows"]):
        name, share, least, most = event or (None,) * 4
        currency, low, mid, high = money or (None,) * 4
        slack = Fraction(1, MICROS) if row["decoded-by"].slack else 0
        for column, expected, tolerance in (
                ("id", row["id"], 0), ("window", row["window"], 0), ("event", name, 0), ("probability", share, SHARE),
                ("min", least, 0), ("max", most, 0), ("currency", currency, 0), ("revenue-low", amount(low), 0),
                ("revenue-mid", amount(mid), slack), ("revenue-high", amount(high), 0),
                ("certainty", row["certainty"], 0)):
            checker.check(command, f"{row['id']}, window {row['window']}: {column}", printed[column], expected, tolerance)


def sent_value(facts):
    return {None: "none", "rejected": "impossible"}.get(facts["sent-value"], str(facts["sent-value"]))


def conflicts(checker, environment):
    first, behind, words = period(checker, True)
    wanted, networks = collections.Counter(), {}
    for row, arrival, route, facts, fields in checker.counted[environment].copies:
        if not within(row, first, behind):
            continue
        copied, disagreeing = networks.setdefault(row["network"], (set(), set()))
        copied.add(row["number"])
        if fields:
            disagreeing.add(row["number"])
            wanted[(row["id"], row["network"], row["app"], row["campaign"], row["window"], ",".join(fields),
                    row["arrival"], sent_value(row), arrival, sent_value(facts))] += 1
    answer, command = checker.ask("conflicts", "--environment", environment, *words)
    printed = collections.Counter()
    for row in answer["rows"]:
        printed[(row["id"], row["network"], row["app"], row["campaign"], row["window"], ",".join(row["fields"]),
                 milliseconds(row["first-received-at"]), row["first-value"], milliseconds(row["other-received-at"]),
                 row["other-value"])] += row["times"]
    checker.check(command, "conflicts", sum(printed.values()), sum(wanted.values()))
    odd = (printed - wanted) + (wanted - printed)
    for key in list(odd)[:3]:
        checker.differ(command, f"{key} is there {printed[key]} times, but came {wanted[key]} times")
    found = {row["network"]: (row["copied"], row["in-conflict"]) for row in answer["networks"]}
    for network, (copied, disagreeing) in networks.items():
        checker.check(command, f"networks: {network}", found.get(network), (len(copied), len(disagreeing)))


def cohorts(checker, environment, by, currency):
    counted = checker.counted[environment]
    first, behind, words = period(checker)
    first, behind = [bound and bound // making.DAY for bound in (first, behind)]
    kinds, rows = counted.kind(currency), {}
    for row, kind in zip(counted.rows, kinds):
        day = row["arrival"] // making.DAY - DAYS_BEFORE[row["window"]]
        if kind_of(row) != "source-identifier" or row["outcome"] == "assist" or (
                first is not None and not first <= day < behind):
            continue
        week = making.moment((day - (day + 3) % 7) * making.DAY)[:10] if by == "week" else None
        place = (row["app"], row["network"], row["campaign"][-2:], week)
        sums = rows.setdefault(place, {1: collections.Counter(), 2: collections.Counter(), 3: collections.Counter()})
        sums[row["window"]].update(counted.adds[kind][False])
    words += ["--currency", currency] if currency else []
    answer, command = checker.ask("cohorts", "--environment", environment, "--by", by, *words)
    printed = {(row["app"], row["network"], row["campaign"], row.get("install-week")): row for row in answer["rows"]}
    if set(printed) != set(rows):
        return checker.differ(command, f"rows differ: {sorted(set(printed) ^ set(rows), key=str)[:3]}")
    for place, windows in rows.items():
        row = printed[place]
        for number, sums in windows.items():
            check = lambda name, *expected: checker.check(command, f"{place}: {name}", row[name], *expected)  # noqa: E731
            count = sums["postbacks"]
            coarse = {word: sums["coarse-" + word] for word in ("low", "medium", "high")}
            check(f"postbacks-{number}", count)
            check(f"null-share-{number}", *part(sums["values-null"], count))
            if number > 1:
                check(f"share-of-window-1-{number}", *part(count, windows[1]["postbacks"]))
            for word, found in coarse.items():
                check(f"coarse-{word}-share-{number}", *part(found, sum(coarse.values())))
            for name in row:
                if name.startswith(f"revenue-added-{number}-"):
                    own = "revenue-mid-" + name[len(f"revenue-added-{number}-"):]
                    check(name, amount(sums[own]) if own in sums else None, Fraction(sums[NEAR], MICROS))
            for name in sums:
                if name.startswith("revenue-mid-") and f"revenue-added-{number}-{name[12:]}" not in row:
                    checker.differ(command, f"{place} has no revenue of window {number} in {name[12:]}")


def part(some, whole):
    return (Fraction(some, whole), SHARE) if whole else (None,)


def wilson(some, whole):
    """The interval of 90 % of a share. Source: Wilson 1927."""
    mean, square = some / whole, NORMAL * NORMAL
    middle = (mean + square / (2 * whole)) / (1 + square / whole)
    half = NORMAL * math.sqrt(mean * (1 - mean) / whole + square / (4 * whole * whole)) / (1 + square / whole)
    return Fraction(max(0.0, middle - half)), Fraction(min(1.0, middle + half))


def sharing(shown, first, behind):
    """The fewest users that values were shown for, in how many of all cells, and all cells: a cell has what eight days about
    one show of a value, of days about which a week is known on both sides."""
    today = int(time.time() * 1000) // making.DAY
    end = today if behind is None else min(today, behind // making.DAY)
    cells = collections.Counter()
    for days in shown.values():
        last = {}
        for day in sorted(days):
            if day > end - 8 or first is not None and day < first // making.DAY + 7:
                continue
            users = max(sum(days[other] for other in range(begin, begin + 8)) for begin in range(day - 7, day + 1))
            if day >= last.get(users, day - 8) + 8:
                last[users] = day
                cells[users] += 1
    found = min(cells, default=None)
    for users in sorted(cells):
        near, next_ones = (cells[users + more] + cells[users + more + 1] for more in (0, 2))
        fewer = sum(count for number, count in cells.items() if number < users)
        if users > 1 and near >= 10 and 2 * near >= next_ones and 10 * fewer <= near:
            found = users
            break
    return found, cells[found] if cells else 0, sum(cells.values())


def nulls(checker, environment, by, digits):
    counted = checker.counted[environment]
    first, behind, words = period(checker)
    zeros = [name.lower() for name in checker.rng.sample(making.NETWORKS, checker.rng.choice([0, 0, 1]))]
    rows, shown, assists = {}, collections.defaultdict(collections.Counter), 0
    for row, day in zip(counted.rows, counted.column("day")):
        if row["window"] != 1 or not within(row, first, behind):
            continue
        if row["outcome"] == "assist":
            assists += 1
            continue
        campaign = (row["app"], row["network"], shortened(row["campaign"], kind_of(row), digits), kind_of(row))
        sums = rows.setdefault(campaign + ((day,) if by == "day" else ()), collections.Counter())
        sums["postbacks"] += 1
        value = row["sent-value"]
        if value is None or value == 0 and row["network"] in zeros:
            sums["nulls"] += 1
        elif value == "rejected" or isinstance(value, int) and row["meaning"] == "unmapped":
            # Neither a value of the mapping nor a null.
            sums["unmapped"] += 1
        elif isinstance(value, str):
            sums["coarse"] += 1
        if value == 0 and row["network"] not in zeros:
            sums["zeroes"] += 1
        if isinstance(value, int) and not (value == 0 and row["network"] in zeros):
            shown[campaign, value][row["arrival"] // making.DAY] += 1
    words += ["--null-is-zero", ",".join(zeros)] if zeros else []
    answer, command = checker.ask("nulls", "--environment", environment, "--by", by, "--digits", digits, *words)
    printed = {tuple(row[name] for name in ("app", "network", "campaign", "campaign-kind")) + (
        (row["day"],) if by == "day" else ()): row for row in answer["rows"]}
    if set(printed) != set(rows):
        return checker.differ(command, f"rows differ: {sorted(set(printed) ^ set(rows))[:3]}")
    for place, sums in rows.items():
        row = printed[place]
        for name in ("postbacks", "nulls", "coarse", "zeroes", "unmapped"):
            checker.check(command, f"{place}: {name}", row[name], sums[name])
        low, high = wilson(sums["nulls"], sums["postbacks"])
        for name, expected in (("null-share", Fraction(sums["nulls"], sums["postbacks"])), ("null-share-low", low),
                               ("null-share-high", high)):
            checker.check(command, f"{place}: {name}", row[name], expected, SHARE)
    evidence = answer["evidence"][0]
    for name, expected in zip(("fewest-users", "fewest-users-cells", "shown-cells"), sharing(shown, first, behind)):
        checker.check(command, name, evidence[name], expected)
    checker.check(command, "non-winning", evidence["non-winning"], assists)


def organic(checker):
    """Own installs of most days of some apps, less those that postbacks attribute."""
    rng, counted = checker.rng, checker.counted["test"]
    own = {}
    for app in map(str, making.APPS[:4]):
        for day in range(-5, making.DAYS):
            if rng.random() < 0.7:
                own[app, making.moment(making.BEGIN + day * making.DAY)[:10]] = rng.randrange(200)
    path = checker.skan.folder / "installs.csv"
    path.write_text("date,app,installs\n" + "".join(f"{day},{app},{count}\n" for (app, day), count in own.items()))
    checker.skan.run("installs", "import", "--quiet", "--database", checker.skan.database, path)
    begun, table = {}, {}
    for row, day in zip(counted.rows, counted.column("day")):
        begun[row["app"]] = min(begun.get(row["app"], day), day)
        sums = table.setdefault((row["app"], day), collections.Counter())
        if row["window"] == 1:
            sums[row["outcome"]] += 1
    for (row, *_), day in zip(counted.copies, counted.copy_column("day")):
        table.setdefault((row["app"], day), collections.Counter())
    first, behind, words = period(checker)
    first, behind = [bound and making.moment(bound)[:10] for bound in (first, behind)]
    wanted, sums = {}, {}
    places = [place for place in sorted(set(own) | set(table)) if first is None or first <= place[1] < behind]
    # An app without own installs on any of the days is in a note.
    known = {app for app, day in places if (app, day) in own}
    for app, day in places:
        if app not in known:
            continue
        counts = table.get((app, day), collections.Counter()) if begun.get(app, "9") <= day else None
        mine = own.get((app, day))
        wanted[app, day] = (mine, None if counts is None else counts["install"],
                            None if counts is None else counts["redownload"])
        if mine is not None and counts is not None:
            sums[app] = [a + b for a, b in zip(sums.get(app, (0, 0, 0, 0)), (1, *wanted[app, day]))]
    for by in ("day", "app"):
        answer, command = checker.ask("organic", "--environment", "test", "--by", by, *words)
        printed = {(row["app"], row["day"]) if by == "day" else row["app"]: row for row in answer["rows"]}
        if set(printed) != (set(wanted) if by == "day" else {app for app, _ in wanted}):
            checker.differ(command, "rows differ")
            continue
        for place, row in printed.items():
            found = wanted[place] if by == "day" else (sums.get(place) or [0, None, None, None])[1:]
            number = (None not in found) if by == "day" else (sums.get(place) or [0])[0]
            mine, attributed, again = found
            rest = None if None in (mine, attributed) else mine - attributed
            for name, expected in (("days", int(number)), ("own-installs", mine), ("attributed-installs", attributed),
                                   ("organic-installs", rest), ("redownloads", again)):
                checker.check(command, f"{place}: {name}", row[name], expected)
            checker.check(command, f"{place}: organic-share", row["organic-share"],
                          *((None,) if rest is None or rest < 0 or not mine else (Fraction(rest, mine), SHARE)))


def views(checker):
    """The views that docs/reference/sql.md describes, read as another program reads them."""
    checker.questions += 3
    database = sqlite3.connect(f"file:{checker.skan.database}?mode=ro", uri=True)
    rows = {environment: counted.rows for environment, counted in checker.counted.items()}
    singles(checker, database, rows)
    totals = collections.Counter()
    values = collections.Counter()
    for environment, counted in checker.counted.items():
        for row, day in zip(counted.rows, counted.column("day")):
            place = (day, environment, int(row["app"]), row["network"], row["version"], row["campaign"], row["window"],
                     row["outcome"])
            totals[place, "postbacks"] += 1
            if row["interaction"]:
                totals[place, row["interaction"] + "s"] += 1
            if row["outcome"] == "assist":
                continue
            word = "null" if row["sent-value"] is None else str(row["sent-value"])
            values[place + (row["arrival"] // making.HOUR % 24, word)] += 1
            if not word.isdigit():
                totals[place, "values_" + word if word in ("null", "rejected") else "coarse_" + word] += 1
            if word == "null" and kind_of(row) == "source-identifier":
                totals[place, "coarse_null"] += 1
        for copy, day in zip(counted.copies, counted.copy_column("day")):
            facts = copy[3]
            place = (day, environment, int(facts["app"]), facts["network"], facts["version"], facts["campaign"],
                     facts["window"], facts["outcome"])
            totals[place, "conflicts" if copy[4] else "copies"] += 1
    command = "SELECT * FROM v_campaign_days"
    printed, own = collections.Counter(), ["day", "environment", "app", "network", "version", "campaign", "window",
                                           "outcome"]
    for row in dictionaries(database, command):
        for name in row:
            if name not in own:
                printed[tuple(row[each] for each in own), name] += row[name]
    alike(checker, command, printed, totals)
    command = "SELECT * FROM v_values"
    printed = collections.Counter()
    for row in dictionaries(database, command):
        printed[tuple(row[each] for each in own + ["hour", "value"])] += row["postbacks"]
    alike(checker, command, printed, values)


def singles(checker, database, rows):
    command = "SELECT * FROM v_postbacks ORDER BY row"
    places = {environment: iter(found) for environment, found in rows.items()}
    count = 0
    for printed in dictionaries(database, command):
        row = next(places[printed["environment"]])
        count += 1
        value = None if row["outcome"] == "assist" else "null" if row["sent-value"] is None else str(row["sent-value"])
        for name, expected in [(name, row[name]) for name in (
                "version", "network", "campaign", "window", "outcome", "interaction", "country", "publisher",
                "marketplace", "id", "route")] + [
                    ("app", int(row["app"])), ("value", value), ("tier", campaigns.tier(row)),
                    ("received_at", row["received-at"])]:
            checker.check(command, f"{row['id']}, window {row['window']}: {name}", printed[name], expected)
    checker.check(command, "rows", count, sum(map(len, rows.values())))


def dictionaries(database, command):
    found = database.execute(command)
    names = [column[0] for column in found.description]
    return (dict(zip(names, row)) for row in found)


def alike(checker, command, printed, wanted):
    checker.compared += len(wanted)
    for key in set(printed) | set(wanted):
        if printed[key] != wanted[key]:
            checker.differ(command, f"{key} is {printed[key]}, but it comes to {wanted[key]}")
