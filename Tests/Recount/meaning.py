"""What the value of a postback means by the versions of a mapping, after "Dating a postback" of docs/methods.md.

All of it is counted in fractions, so that nothing is rounded but an expected amount, to the millionth. An amount is in
millionths, a moment in milliseconds, and a length of time in hours.
"""
from fractions import Fraction

HOUR = 3_600_000
DAY_HOURS = 24
WINDOW_HOURS = {1: (0, 48), 2: (48, 168), 3: (168, 840)}
COARSE = ("low", "medium", "high")
# Without a condition on hours a rule can hold until the longest chain of rises, 63 days, and its timer are over.
LONGEST = 64 * DAY_HOURS
# Half a day: how late a value that no hours bound rises last on average.
MEAN = 12
DEVELOPER_MODE = (Fraction(0), Fraction(3 * 180, 3600), Fraction(0), Fraction(600, 3600), "even")
# Two programs that add in another order, one of them in binary, can round a half in different ways.
HALF = Fraction(1, 1000)


def micros(amount):
    """The millionths of a decimal text or number."""
    return None if amount is None else int(Fraction(str(amount)) * 1_000_000)


class Rule:
    def __init__(self, types, events, money, hours, lock):
        self.types = types      # types of conversion, or None for every one
        self.events = events    # (name, least times, most times or None)
        self.money = money      # (currency, low, mid, high): low and high can be None
        self.hours = hours      # (first hour, hour behind the last one), or None
        self.lock = lock

    def is_for(self, kind):
        return kind is None or self.types is None or kind in self.types


def worth(condition, currency):
    """Revenue of a user of a range."""
    low = micros(condition["low"] if "low" in condition else condition.get("from"))
    high = micros(condition["high"] if "high" in condition else condition.get("to"))
    mid = micros(condition.get("representative"))
    if mid is None and low is not None and high is not None:
        mid = (low + high) // 2
    if mid is None:
        mid = low if low is not None else min(high or 0, 0)
    return condition.get("currency", currency), low, mid, high


def rule(members, currency):
    events, sums = [], {}
    for event in members.get("events", []):
        event = {"name": event} if isinstance(event, str) else event
        count = event.get("count", {})
        events.append((event["name"], count.get("min", 1), count.get("max")))
        if "revenue" in event:
            own, *amounts = worth(event["revenue"], currency)
            sums[own] = amounts if own not in sums else [
                None if a is None or b is None else a + b for a, b in zip(sums[own], amounts)]
    # The revenue of all events holds that of each.
    money = [worth(members["revenue"], currency)] if "revenue" in members else [(own, *sums[own]) for own in sums]
    hours = members.get("active-hours")
    return Rule(members.get("conversion-types"), events, money, hours and (hours["from"], hours["to"]),
                members.get("lock", False))


def grid_rules(grid):
    """The rules of a grid in the order of their values: by event, then by hours, then by revenue."""
    edges, hours = grid.get("revenue", []), grid.get("active-hours", [])
    for event in grid.get("events") or [None]:
        for span in list(zip(hours, hours[1:])) or [None]:
            for place, ends in enumerate(list(zip(edges, edges[1:])) or [None]):
                members = {name: grid[name] for name in ("conversion-types", "lock") if name in grid}
                if span:
                    members["active-hours"] = {"from": span[0], "to": span[1]}
                if ends:
                    money = {"from": ends[0], "to": ends[1], "currency": grid.get("currency")}
                    if money["currency"] is None:
                        del money["currency"]
                    if "worth" in grid:
                        money["representative"] = grid["worth"][place]
                    if event is None:
                        members["revenue"] = money
                    else:
                        members["events"] = [{"name": event, "revenue": money}]
                elif event is not None:
                    members["events"] = [event]
                yield members


class Version:
    """A mapping from one moment on."""

    def __init__(self, document, begin):
        currency = document["currency"]
        self.name, self.begin, self.ends_after = document["name"], begin, document.get("measurement-window-hours")
        # In the order of the document, in which the rules of one value are listed, too.
        self.fine = [(members["value"], rule(members, currency), members.get("coarse"))
                     for members in document.get("fine", [])]
        for grid in document.get("grids", []):
            self.fine += [(grid["first-value"] + step, rule(members, currency), None)
                          for step, members in enumerate(grid_rules(grid))]
        self.coarse, self.by_window = {}, {1}
        for window in document.get("coarse", []):
            number = window["window"]
            if window.get("totals") == "window":
                self.by_window.add(number)
            for word in COARSE:
                rules = window.get(word, [])
                for members in rules if isinstance(rules, list) else [rules]:
                    self.coarse.setdefault(number, []).append((word, rule(members, currency)))

    def decode(self, value, window, kind):
        """The rules of a value; or null, zero or unmapped."""
        if value is None:
            return "null"
        if value == "rejected":
            return "unmapped"
        if isinstance(value, int):
            found = [each for number, each, _ in self.fine if number == value and each.is_for(kind)] if window == 1 else []
            return found or ("zero" if value == 0 and window == 1 else "unmapped")
        found = [each for word, each in self.coarse.get(window, []) if word == value and each.is_for(kind)]
        if window == 1:
            # Fine rules set a coarse value for the types that no coarse rule of the window is for.
            left = [each for each in ([kind] if kind else ["install", "re-engagement"])
                    if not any(each_rule.is_for(each) for _, each_rule in self.coarse.get(1, []))]
            found += [each for _, each, word in self.fine
                      if word == value and each.is_for(kind) and any(each.is_for(one) for one in left)]
        return found or "unmapped"

    def delay(self, value, has_windows, window, kind):
        """When the value is final, at least and at most, Apple's delay after that, and how the first is spread."""
        found = self.decode(value, window, kind)
        rules = found if isinstance(found, list) else []
        if has_windows:
            begin, end = WINDOW_HOURS[window]
            random = (DAY_HOURS, (2 if window == 1 else 6) * DAY_HOURS)
            locks = [tuple(min(max(hour, begin), end) for hour in (each.hours or (0, LONGEST)))
                     for each in rules if each.lock]
            if not locks:
                return (Fraction(end), Fraction(end), *map(Fraction, random), "even")
            first = min(hours[0] for hours in locks)
            last = end if len(locks) < len(rules) else max(hours[1] for hours in locks)
            return (Fraction(first), Fraction(last), *map(Fraction, random), "even")
        chain = (value if isinstance(value, int) else 63) * DAY_HOURS
        latest = chain if self.ends_after is None else min(chain, self.ends_after)
        first, last = 0, latest
        if chain > 0 and rules:
            spans = [each.hours or (0, LONGEST) for each in rules]
            first = min(latest, min(span[0] for span in spans))
            last = min(latest, max(span[1] for span in spans))
        is_bound = rules and all(each.hours for each in rules)
        return (Fraction(first), Fraction(last), Fraction(DAY_HOURS), Fraction(2 * DAY_HOURS),
                "even" if is_bound else "early")

    def delays(self, value, has_windows, window, kind, is_development):
        full = self.delay(value, has_windows, window, kind)
        return [DEVELOPER_MODE, full] if is_development else [full]

    def can_send(self, value, has_windows, window, kind):
        found = self.decode(value, window, kind)
        if not isinstance(found, list):
            return found != "unmapped"
        begin, end = WINDOW_HOURS[window] if has_windows else (0, LONGEST)
        if isinstance(value, int) and self.ends_after is not None:
            end = min(end, self.ends_after)
        return any(each.hours is None or each.hours[0] < end and each.hours[1] > begin for each in found)


def join(delays):
    """The smallest delay that holds all of some."""
    laws = {delay[4] for delay in delays}
    return (min(delay[0] for delay in delays), max(delay[1] for delay in delays), min(delay[2] for delay in delays),
            max(delay[3] for delay in delays), laws.pop() if len(laws) == 1 else "even")


def final_hours(hours, first, last, law):
    """The integral, up to some hours, of the probability that the value is final by then."""
    passed, spread = hours - first, last - first
    if passed <= 0:
        return Fraction(0)
    if spread <= 0:
        return passed
    within = min(passed, spread)
    if law == "even":
        integral = within * within / (2 * spread)
    else:
        cut = 1 - Fraction(MEAN, 1) ** 2 / (MEAN + spread) ** 2
        integral = (within - MEAN + Fraction(MEAN * MEAN) / (MEAN + within)) / cut
    return integral + max(Fraction(0), passed - spread)


def left_within(delay, hours):
    """The probability that a postback has left after some hours."""
    first, last, shortest, longest, law = delay
    if hours <= first + shortest:
        return Fraction(0)
    if hours >= last + longest:
        return Fraction(1)
    share = (final_hours(hours - shortest, first, last, law) - final_hours(hours - longest, first, last, law)) / (
        longest - shortest)
    return min(Fraction(1), max(Fraction(0), share))


class Meaning:
    """What a value of an hour means over all versions that are possible."""

    def __init__(self, certainty, status, versions, whole, added, adds_up, delay, slack):
        self.certainty, self.status = certainty, status
        self.versions = versions    # (version, probability)
        self.whole, self.added, self.adds_up = whole, added, adds_up
        self.delay, self.slack = delay, slack


class History:
    """The versions of an app's mapping."""

    def __init__(self, versions):
        self.versions = sorted(versions, key=lambda version: version.begin)
        self.known, self.widest, self.outlooks = {}, {}, {}

    def meaning(self, value, has_windows, is_aak, window, outcome, is_development, arrival):
        kind = {"install": "install", "redownload": "install", "re-engagement": "re-engagement"}.get(outcome)
        if not is_aak:
            kind = "install"
        key = (value, has_windows, window, kind, is_development, arrival // HOUR)
        if key not in self.known:
            self.known[key] = self.find(*key)
        return self.known[key]

    def widest_delay(self, has_windows, window, is_development):
        key = (has_windows, window, is_development)
        if key not in self.widest:
            values = (list(range(64)) if window == 1 else []) + list(COARSE)
            self.widest[key] = join([delay for version in self.versions for value in values
                                     for delay in version.delays(value, has_windows, window, None, is_development)])
        return self.widest[key]

    def eras(self, delays, begin):
        """The versions, and None for the time before the first, that the delays allow, with what they allow."""
        begins = [None] + [version.begin for version in self.versions] + [None]
        found = []
        for place, some in enumerate(delays):
            start, end = begins[place], begins[place + 1]
            allowed = [delay for delay, shortest, longest in some
                       if (start is None or begin + HOUR - shortest > start) and (end is None or begin - longest < end)]
            if allowed:
                found.append((place - 1 if place else None, start, end, allowed))
        return found

    @staticmethod
    def weight(era, begin):
        """The part of launches that falls into a version: the mean over the beginning, middle and end of an hour."""
        _, start, end, allowed = era
        weight = Fraction(0)
        for moment in (begin, begin + HOUR // 2, begin + HOUR):
            for delay in allowed:
                since_start = 1 if start is None else left_within(delay, Fraction(moment - start, HOUR))
                since_end = 0 if end is None else left_within(delay, Fraction(moment - end, HOUR))
                weight += max(0, since_start - since_end)
        return weight

    def outlook(self, value, has_windows, window, kind, is_development):
        """The delays of each version, and before the first one, in milliseconds, too; and the widest of all."""
        own = [version.delays(value, has_windows, window, kind, is_development) for version in self.versions]
        # What the app did before the first version is unknown; the delays are that version's.
        wide = [self.widest_delay(has_windows, window, is_development)]
        return [[[(delay, int((delay[0] + delay[2]) * HOUR), int((delay[1] + delay[3]) * HOUR)) for delay in some]
                 for some in each] for each in ([own[0], *own], [wide] * (len(own) + 1))]

    def find(self, value, has_windows, window, kind, is_development, hour):
        key = (value, has_windows, window, kind, is_development)
        if key not in self.outlooks:
            self.outlooks[key] = self.outlook(*key)
        own, wide = self.outlooks[key]
        possible = self.eras(own, hour * HOUR) or self.eras(wide, hour * HOUR)
        if len(possible) > 1:
            able = {era[0] for era in possible if era[0] is not None
                    and self.versions[era[0]].can_send(value, has_windows, window, kind)}
            if able:
                possible = [era for era in possible if era[0] is None or era[0] in able]
        if len(possible) > 1 and is_development and possible[-1][0] is not None:
            return self.decided(key, "newest", [(possible[-1][0], Fraction(1))])
        weights = [self.weight(era, hour * HOUR) for era in possible] if len(possible) > 1 else [0]
        if not any(weights):
            place = possible[0][0]
            return self.decided(key, None if place is None else "certain",
                                [] if place is None else [(place, Fraction(1))])
        return self.meant(key, "mixed", [(era[0], weight / sum(weights)) for era, weight in zip(possible, weights)])

    def decided(self, key, certainty, candidates):
        """The meaning by one version, which is the same in every hour."""
        place = (key, certainty, candidates[0][0] if candidates else None)
        if place not in self.known:
            self.known[place] = self.meant(key, certainty, candidates)
        return self.known[place]

    def meant(self, key, certainty, candidates):
        value, has_windows, window, kind, _ = key
        readings = [(self.versions[place], share, self.versions[place].decode(value, window, kind))
                    for place, share in candidates if place is not None]
        has_unknown = any(place is None for place, _ in candidates)
        status = "no-mapping" if not readings else (
            "unmapped" if all(found == "unmapped" for _, _, found in readings) else
            "zero" if all(found == "zero" for _, _, found in readings) else "decoded")
        adding = {version for version, _, _ in readings if window in version.by_window}
        whole, slack = expected(readings, has_unknown, None)
        added, more = expected(readings, has_unknown, adding)
        delays = self.outlooks[key][0][1:]
        joined = [delay for place, _ in candidates for delay, *_ in delays[place or 0]]
        return Meaning(certainty, status, [(version, share) for version, share, _ in readings], whole, added,
                       window == 1 or bool(adding), join(joined) if joined else None, slack or more)


def near_half(number):
    return abs(abs(number) % 1 - Fraction(1, 2)) < HALF


def expected(readings, has_unknown, counting):
    """Money by currency and events of a user, and whether an amount is too near a half to be rounded for sure."""
    views = []
    for version, share, found in readings:
        if isinstance(found, list) and (counting is None or version in counting):
            views += [(share / len(found), each) for each in found]
        else:
            views.append((share, None))
    is_near = False
    if len(views) == 1 and not has_unknown:
        money = list(views[0][1].money) if views[0][1] else []
    else:
        money = []
        for currency in dict.fromkeys(each[0] for _, view in views if view for each in view.money):
            amounts = []
            for share, view in views:
                own = [each for each in view.money if each[0] == currency] if view else []
                amounts.append((share, *(own[0][1:] if own else (0, 0, 0))))
            if has_unknown:
                amounts.append((0, 0, 0, 0))
            mean = sum(share * mid for share, _, mid, _ in amounts)
            mid = (abs(mean) + Fraction(1, 2)).__floor__() * (1 if mean >= 0 else -1)
            is_near = is_near or near_half(mean)
            lows, highs = [each[1] for each in amounts], [each[3] for each in amounts]
            money.append((currency, None if None in lows else min(lows), mid, None if None in highs else max(highs)))
    events = []
    for name in dict.fromkeys(event[0] for _, view in views if view for event in view.events if event[2] != 0):
        # A least number of 0 does not show whether the event happened.
        sure = [(share, event) for share, view in views if view
                for event in [each for each in view.events if each[0] == name and each[2] != 0][:1] if event[1] > 0]
        if sure:
            most = [event[2] for _, event in sure]
            share = min(Fraction(1), sum(share for share, _ in sure))
            is_near = is_near or near_half(share * 1_000_000)
            events.append((name, share, min(event[1] for _, event in sure), None if None in most else max(most)))
    return (money, events), is_near
