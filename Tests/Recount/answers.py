"""Compares an answer of `report campaigns`, cell by cell, with what was counted."""
from decimal import Decimal
from fractions import Fraction

import counting
import making
from counting import MICROS, NEAR

MEASURES = ("postbacks installs redownloads re-engagements assists other-conversions views clicks values-null "
            "values-zero values-positive coarse-null coarse-low coarse-medium coarse-high values-rejected decoded "
            "decoded-installs decoded-mixed unmapped without-mapping money-not-added").split() + [
                f"fine-{value}" for value in range(64)]
SUMS = ("revenue-low-", "revenue-mid-", "revenue-high-", "revenue-mixed-", "revenue-without-limit-")
COMPARED = ("postbacks", "installs", "redownloads", "re-engagements")
# What comes from imported spend and names, which Tests/Recount/recount-spend.py and tools/recount/journey recount.
IMPORTED = ("network-name", "name", "name-candidates", "ad-set", "creative", "named-country", "ad-impressions",
            "ad-clicks", "ctr")
# What a rounded share may be off by; its own binary rounding besides.
HALF_MILLIONTH = Fraction(1, 2_000_000) + Fraction(1, 10**12)


class Answer:
    """The answer to a question about campaigns."""

    def __init__(self, checker, asked, answer, command, table, before):
        self.checker, self.asked, self.answer, self.command = checker, asked, answer, command
        self.table, self.before = table, before
        self.names = counting.dimensions(asked["by"])
        by_window = "window" in asked["by"]
        counted = checker.counted[asked["environment"]]
        # What adds up, where windows have sums of their own.
        self.adding = counted.table(asked, False) if by_window else table
        self.adding_before = before
        if by_window and before is not None:
            self.adding_before = counted.table({**asked, "days": asked["compared"]}, False)
        self.total = counting.added(self.adding.values())
        self.total_before = None if before is None else counting.added(self.adding_before.values())

    def differ(self, sentence):
        self.checker.differ(self.command, sentence)

    def compare(self):
        rows = self.answer["rows"]
        if self.asked.get("tree"):
            self.outline(rows, self.tree())
        elif self.asked.get("subtotals"):
            self.outline(rows, self.subtotals())
        else:
            self.side_by_side(rows)
        if "total" in self.answer and self.answer["total"] is not None:
            self.row("total", self.answer["total"], self.total, self.total_before, True)
        self.sorted(rows)
        if self.asked.get("layout", "json") == "json" and "not-counted" in self.answer:
            self.rejections()

    def place(self, row):
        return tuple(row[name] if row[name] is None else str(row[name]) for name in self.names)

    def side_by_side(self, rows):
        top, shown = self.asked.get("top"), []
        everything = list(dict.fromkeys([*self.table, *(self.before or {})]))
        for row in rows:
            if row.get("others") is not None:
                rest = [place for place in everything if place not in set(shown)]
                self.checker.check(self.command, "others", row["others"], len(rest))
                now = [self.adding[place] for place in rest if place in self.adding]
                then = [self.adding_before[place] for place in rest if place in (self.before or {})]
                self.row("others", row, counting.added(now) if now else None, counting.added(then) if then else None,
                         True)
                self.order(shown, rest)
                continue
            place = self.place(row)
            if place in shown if top else False:
                self.differ(f"{place} is there twice")
            shown.append(place)
            self.row(place, row, self.table.get(place), (self.before or {}).get(place))
        if len(set(shown)) != len(shown):
            self.differ("a row is there twice")
        wanted = set(everything) if not top or len(everything) <= top else None
        if wanted is None:
            self.checker.check(self.command, "rows", len(shown), top)
            if "others" not in rows[-1] or rows[-1]["others"] is None:
                self.differ("the rest of the rows is in no row")
        elif set(shown) != wanted:
            self.differ(f"rows differ: {sorted(wanted ^ set(shown), key=str)[:3]} and {len(wanted ^ set(shown))} in all")

    def order(self, shown, rest):
        """Whether no row of the rest has more postbacks than one that is shown."""
        if self.asked.get("sort") or not rest or not shown:
            return
        least = min(self.table.get(place, {}).get("postbacks", 0) for place in shown)
        most = max(self.table.get(place, {}).get("postbacks", 0) for place in rest)
        if most > least:
            self.differ(f"a row of the rest has {most} postbacks, and one that is shown has {least}")

    def sorted(self, rows):
        """Whether rows are in the order that was asked for."""
        wanted = [(name.lstrip("-"), name.startswith("-")) for name in self.asked.get("sort", [])]
        if not wanted:
            return
        rows = [row for row in rows if row.get("others") is None]

        def rank(row):
            values = [(exact(row[name]), is_falling) for name, is_falling in wanted]
            return [(value is None, 0 if value is None else -value if is_falling else value)
                    for value, is_falling in values]
        ranks = [rank(row) for row in rows]
        if ranks != sorted(ranks):
            self.differ("rows are not in the order of --sort")

    def rejections(self):
        """Rejected bodies by state, of days in UTC."""
        asked = self.asked
        if asked.get("app") or asked.get("network") or asked["zone"] != "UTC":
            return
        first, behind = [day and day_number(day) for day in asked.get("days", (None, None))]
        for state in ("invalid", "malformed"):
            expected = sum(count for (day, own), count in self.checker.stored.rejected.items() if own == state
                           and (first is None or day >= first) and (behind is None or day < behind))
            printed = sum(row["seen"] for row in self.answer["not-counted"] if row["state"] == state)
            self.checker.check(self.command, f"not-counted, {state}", printed, expected)

    # Sums of rows

    def tree(self):
        """The rows of an outline: their words, level, what they add up, and the place of the sum that they are in."""
        others = [name for name in self.names if name not in ("campaign", "campaign-kind")]
        at, kind_at = self.names.index("campaign"), self.names.index("campaign-kind")
        found = {}

        def add(rest, digits, kind, level, parent, place):
            words = tuple(digits if name == "campaign" else kind if name == "campaign-kind" else rest[others.index(name)]
                          for name in self.names)
            found.setdefault((words, level), [parent, []])[1].append(place)
            return words, level
        for place in dict.fromkeys([*self.table, *(self.before or {})]):
            rest = tuple(place[self.names.index(name)] for name in others)
            digits, kind = place[at], place[kind_at]
            network = add(rest, None, None, "network", None, place)
            if kind == "campaign-id":
                add(rest, digits, kind, "campaign-id", network, place)
                continue
            two = add(rest, digits[-2:], kind, "2-digits", network, place)
            if len(digits) == 2:
                add(rest, digits, kind, "2-digits-only", two, place)
                continue
            three = add(rest, digits[-3:], kind, "3-digits", two, place)
            add(rest, digits, kind, "3-digits-only" if len(digits) == 3 else "4-digits", three, place)
        sums = ("network", "2-digits", "3-digits")
        # With the window among the dimensions, each tree is of one.
        return {place: (parent, parts, place[1] in sums, True) for place, (parent, parts) in found.items()}

    def subtotals(self):
        first = self.names[:2] if self.asked["by"][0] == "campaign" else self.names[:1]
        found = {}
        for place in dict.fromkeys([*self.table, *(self.before or {})]):
            words = tuple(word if name in first else None for name, word in zip(self.names, place))
            found.setdefault((words, True), (None, [], True, self.asked["by"][0] == "window"))[1].append(place)
            found[place, False] = ((words, True), [place], False, True)
        return found

    def outline(self, rows, wanted):
        """Compares rows and their sums. A row of a tree names its sum; a row below a subtotal stands behind it."""
        is_tree = self.asked.get("tree")
        keys, seen, above = {}, {}, None
        for row in rows:
            level = row["level"] if is_tree else is_true(row["subtotal"])
            place = (self.place(row), level)
            if place in seen:
                self.differ(f"{place} is there twice")
            seen[place] = (row, above)
            if is_tree:
                keys[row["key"]] = place
            elif level:
                above = place
        if is_tree and len(keys) != len(rows):
            self.differ("several rows have one key")
        if set(seen) != set(wanted):
            odd = set(seen) ^ set(wanted)
            self.differ(f"rows differ: {sorted(odd, key=str)[:3]} and {len(odd)} in all")
        for place, (row, above) in seen.items():
            if place not in wanted:
                continue
            parent, parts, is_sum, has_whole = wanted[place]
            self.checker.check(self.command, f"{place}: subtotal", is_true(row["subtotal"]), is_sum)
            found = keys.get(row["parent"]) if is_tree else None if is_sum else above
            self.checker.check(self.command, f"{place}: parent", found, parent)
            table, before = (self.table, self.before) if has_whole else (self.adding, self.adding_before)
            now = [table[part] for part in parts if part in table]
            then = [before[part] for part in parts if part in (before or {})]
            self.row(place, row, counting.added(now) if now else None, counting.added(then) if then else None, is_sum)

    # One row

    def row(self, place, row, now, before, is_sum=False):
        """Compares each cell of a row; `now` is None where only other days have it, and `before` the other way round."""
        columns = self.expected(row, now or {}, before, now is not None)
        for name, cell in row.items():
            if name in self.names or name in ("others", "level", "subtotal", "key", "parent"):
                continue
            if name in IMPORTED:
                if cell not in (None, [], "") and name != "network-name":
                    self.differ(f"{place}: {name} is {cell}, and nothing was imported")
                continue
            if name not in columns:
                self.checker.unknown[name] += 1
                continue
            self.checker.check(self.command, f"{place}: {name}", cell, *columns[name])
        missing = [name for name in now or {} if name.startswith(SUMS) and name not in row]
        if missing:
            self.differ(f"{place} has no column {missing[0]}")

    def expected(self, row, now, before, is_there):
        figures = {name: (now.get(name, 0),) for name in MEASURES}
        has_copies = counting.counts_copies(self.asked)
        for name in ("copies", "conflicts"):
            figures[name] = (now.get(name, 0) if has_copies or not is_there else None,)
        winners = sum(now.get(name, 0) for name in (
            "values-null", "values-zero", "values-positive", "coarse-low", "coarse-medium", "coarse-high",
            "values-rejected"))
        figures["null-share"] = share(now.get("values-null", 0), winners)
        installs = sum(now.get(name, 0) for name in ("installs", "redownloads", "re-engagements", "other-conversions"))
        slack = Fraction(now.get(NEAR, 0), MICROS)
        for name in row:
            if name.startswith("event-"):
                figures[name] = (Fraction(now.get(name, 0), MICROS), slack)
            if not name.startswith("revenue-mid-"):
                continue
            currency = name[len("revenue-mid-"):]
            mid = now.get(name)
            for kind in ("low", "mid", "high", "mixed"):
                amount = now.get(f"revenue-{kind}-{currency}")
                figures[f"revenue-{kind}-{currency}"] = (
                    None if amount is None else Fraction(amount, MICROS), slack)
            without = now.get("revenue-without-limit-" + currency, 0 if mid is not None else None)
            figures["revenue-without-limit-" + currency] = (without,)
            if without:
                figures["revenue-high-" + currency] = (None,)
            figures["revenue-saturated-" + currency] = (None,) if mid is None else (False,)
            if self.asked.get("layout") == "csv" and mid is not None:
                figures["revenue-saturated-" + currency] = ("false",)
            for kind, count in (("install", installs), ("decoded-install", now.get("decoded-installs", 0))):
                figures[f"revenue-per-{kind}-{currency}"] = (
                    (None,) if mid is None or not count
                    else (Fraction(counting.rounded(Fraction(mid, count)), MICROS), slack))
            figures["share-of-revenue-" + currency] = self.part(now, name)
        figures["share-of-postbacks"] = self.part(now, "postbacks", 0)
        figures["share-of-installs"] = self.part(now, "installs", 0)
        if self.before is not None:
            figures.update(self.changes(row, now if is_there else None, before))
        return figures

    def part(self, now, name, none=None):
        part, whole = now.get(name, none), self.total.get(name, 0)
        return share(part, whole) if part is not None and 0 <= part <= whole else (None,)

    def changes(self, row, now, before):
        figures = {}
        for name in row:
            if not name.startswith("previous-"):
                continue
            figure = name[len("previous-"):]
            if figure not in COMPARED and not figure.startswith("revenue-mid-"):
                continue
            unit = 1 if figure in COMPARED else MICROS
            none = 0 if figure in COMPARED else None
            new = None if now is None else now.get(figure, none)
            old = None if before is None else before.get(figure, none)
            change = None if new is None or old is None else new - old
            slack = 0 if unit == 1 else Fraction((now or {}).get(NEAR, 0) + (before or {}).get(NEAR, 0), MICROS)
            figures[name] = (None if old is None else Fraction(old, unit), slack)
            figures["change-" + figure] = (None if change is None else Fraction(change, unit), slack)
            figures["relative-change-" + figure] = (
                (None,) if change is None or not old else (Fraction(change, abs(old)), HALF_MILLIONTH + slack))
        return figures


def share(part, whole):
    return (Fraction(part, whole), HALF_MILLIONTH) if whole else (None,)


def is_true(cell):
    return cell in (True, "true", "yes")


def day_number(day):
    return making.milliseconds(day) // making.DAY


def exact(cell):
    """The number of a cell; None where it is none."""
    if cell is None or isinstance(cell, bool):
        return None
    try:
        return Fraction(str(cell))
    except ValueError:
        return None


def shown(expected):
    return expected if not isinstance(expected, Fraction) else str(Decimal(expected.numerator) / expected.denominator)
