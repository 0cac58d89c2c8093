"""Random mappings and postbacks, and what each postback is by Apple's documentation.

A postback is made unsigned; `skan sign` signs it. Its facts are those that were put into it, so nothing that the program
printed is among them.
"""
import copy
import datetime
import uuid

DAY = 86_400_000
HOUR = 3_600_000
BEGIN = 1_760_832_000_000  # 2025-10-19, UTC
DAYS = 395
# Nights on which a clock of ZONES is set.
CHANGES_OF_CLOCKS = ["2025-10-26", "2025-11-02", "2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25",
                     "2026-11-01"]
APPS = [525463029, 1176027022, 777, 1000000001, 42]
NETWORKS = ["example123.skadnetwork", "demo456789.skadnetwork", "sample0001.skadnetwork", "Upper00001.skadnetwork",
            "f2d92a.adattributionkit", "game.skadnetwork"]
SOURCES = ["0039", "5239", "1239", "5242", "1007", "1019", "8110", "0000", "9999", "0400", "7704", "2004"]
CAMPAIGNS = [1, 4, 7, 17, 39, 42, 99, 100]
PUBLISHERS = [1234567891, 1299956969, 1661087323, 389801252, 1, 0]
DOMAINS = ["example.com", "news.example.org", "Shop.Example.net"]
COUNTRIES = ["US", "US", "US", "DE", "DE", "JP", "BR", "us", "USA", "U1"]
MARKETPLACES = ["com.apple.AppStore", "com.apple.AppStore", "eu.market.example"]
TYPES = ["download", "download", "download", "redownload", "re-engagement", "pre-order"]
VERSIONS = {"4.0": 44, "aak": 26, "3.0": 14, "2.2": 5, "2.1": 4, "2.0": 4, "1.0": 3}
OUTCOMES = {"download": "install", "redownload": "redownload", "re-engagement": "re-engagement"}
CURRENCIES = ["USD", "EUR", "JPY", "GBP"]
EVENTS = ["buy", "trial", "level", "subscribe"]


def moment(milliseconds):
    text = datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{milliseconds % 1000:03}Z"


def milliseconds(day):
    return int(datetime.datetime.fromisoformat(day + "T00:00:00+00:00").timestamp()) * 1000


class Mappings:
    """Versions of the mappings of some apps: other ranges, currencies, events, hours and locks at each change."""

    # Which protocol's mapping an app has, and on which days of the period its versions begin; days before it are before
    # all postbacks.
    PLANS = {APPS[0]: ("skan4", [-400, 90, 97, 240]), APPS[1]: ("aak", [-30, 150, 300]),
             APPS[2]: ("skan3", [-400, 120, 200, 330]), APPS[3]: ("skan4", [180])}

    def __init__(self, rng):
        self.rng = rng
        self.files = []  # (app, document, begin)
        for app, (protocol, days) in self.PLANS.items():
            for number, day in enumerate(days):
                begin = BEGIN + day * DAY + (rng.randrange(86_400) * 1000 if rng.random() < 0.7 else 0)
                document = self.document(protocol)
                document.update(name=f"{protocol} {app} {number + 1}", app=app, protocol=protocol)
                document["effective-from"] = self.text(begin)
                self.files.append((app, document, begin))

    def text(self, begin):
        if begin % DAY == 0 and self.rng.random() < 0.5:
            return moment(begin)[:10]
        if self.rng.random() < 0.3:
            return moment(begin + 2 * HOUR)[:19] + "+02:00"
        return moment(begin)[:19] + "Z"

    def amount(self, low, high):
        return f"{self.rng.randrange(int(low * 100), int(high * 100)) / 100:.2f}"

    def edges(self, number, is_open):
        found, at = [], self.rng.choice([0, 0, 50, 199])
        for _ in range(number + 1):
            found.append(f"{at / 100:.2f}")
            at += self.rng.randrange(1, 3000)
        return found[:-1] + [None if is_open else found[-1]]

    def range(self, currency=None):
        low, high = sorted(self.rng.sample(range(1, 9000), 2))
        found = {"from": f"{low / 100:.2f}", "to": f"{high / 100:.2f}"}
        luck = self.rng.random()
        if luck < 0.2:
            found["representative"] = f"{self.rng.randrange(low, high + 1) / 100:.2f}"
        elif luck < 0.3:
            found["to"] = None
        elif luck < 0.4:
            del found["from"]
        elif luck < 0.5:
            found.update(low=found["from"], high=found["to"])
            found.update({"from": "0", "to": "100"})
        if currency:
            found["currency"] = currency
        return found

    def hours(self, begin, end):
        low, high = sorted(self.rng.sample(range(begin, end + 1), 2))
        return {"from": low, "to": high}

    def document(self, protocol):
        rng, last = self.rng, 48
        document = {"currency": rng.choice(CURRENCIES), "fine": [], "grids": []}
        if protocol == "skan3":
            last = 300
            if rng.random() < 0.5:
                document["measurement-window-hours"] = last = rng.choice([24, 72, 150])
        if rng.random() < 0.6:
            document["fine"].append({"value": 0, "label": "installed"})
        at = rng.randrange(1, 8)
        while at < 50 and (len(document["grids"]) < 1 or rng.random() < 0.8):
            is_open, number = rng.random() < 0.4, rng.randrange(2, 9)
            grid = {"first-value": at, "revenue": self.edges(number, is_open)}
            size = number
            if rng.random() < 0.5:
                grid["events"] = [rng.choice(EVENTS)]
            if rng.random() < 0.4:
                middle = rng.randrange(1, last)
                grid["active-hours"] = [0, middle, last]
                size *= 2
            if is_open:
                grid["worth"] = [low for low in grid["revenue"][:-1]]
            if rng.random() < 0.3:
                grid["currency"] = rng.choice(CURRENCIES)
            self.detail(grid, protocol)
            if at + size <= 62:
                document["grids"].append(grid)
            at += size + rng.randrange(3)
        for value in rng.sample(range(max(at, 52), 64), rng.randrange(4, 9)) if at < 56 else []:
            for _ in range(rng.choice([1, 1, 1, 2])):
                rule = {"value": value, "label": f"rule of {value}"}
                if rng.random() < 0.7:
                    rule["events"] = [self.event() for _ in range(rng.choice([1, 1, 2, 3]))]
                    names = [event if isinstance(event, str) else event["name"] for event in rule["events"]]
                    if len(set(names)) < len(names):
                        rule["events"] = rule["events"][:1]
                if rng.random() < 0.4 or "events" not in rule:
                    rule["revenue"] = self.range(rng.choice([None, *CURRENCIES]))
                if rng.random() < 0.3:
                    rule["active-hours"] = self.hours(0, last)
                self.detail(rule, protocol)
                document["fine"].append(rule)
        if protocol == "skan3":
            return document
        document["coarse"] = []
        for number, (begin, end) in {1: (0, 48), 2: (48, 168), 3: (168, 840)}.items():
            if rng.random() < 0.2:
                continue
            window = {"window": number, "totals": rng.choice(["since-install", "window"])}
            for word in ("low", "medium", "high"):
                if rng.random() < 0.25:
                    continue
                rules = []
                for _ in range(rng.choice([1, 1, 2])):
                    rule = {"revenue": self.range(rng.choice([None, None, *CURRENCIES]))}
                    if rng.random() < 0.3:
                        rule = {"events": [self.event()]}
                    if rng.random() < 0.2:
                        rule["active-hours"] = self.hours(begin, end)
                    self.detail(rule, protocol)
                    rules.append(rule)
                window[word] = rules if len(rules) > 1 else rules[0]
            document["coarse"].append(window)
        if not any(window["window"] == 1 for window in document["coarse"]):
            for rule in document["fine"]:
                if rng.random() < 0.5:
                    rule["coarse"] = rng.choice(["low", "medium", "high"])
        return document

    def detail(self, rule, protocol):
        if protocol == "aak" and self.rng.random() < 0.3:
            rule["conversion-types"] = self.rng.choice([["install"], ["re-engagement"], ["install", "re-engagement"]])
        if protocol != "skan3" and self.rng.random() < 0.12:
            rule["lock"] = True

    def event(self):
        event = {"name": self.rng.choice(EVENTS)}
        if self.rng.random() < 0.3:
            least = self.rng.randrange(0, 3)
            event["count"] = {"min": least}
            if self.rng.random() < 0.5:
                event["count"]["max"] = least + self.rng.randrange(0, 4)
        if self.rng.random() < 0.4 and event.get("count", {}).get("max") != 0:
            event["revenue"] = self.range(self.rng.choice([None, *CURRENCIES]))
        return event["name"] if len(event) == 1 and self.rng.random() < 0.7 else event


class Postbacks:
    """Conversions with their copies. Each is made unsigned with `fields`, which a signature does not cover, apart."""

    def __init__(self, rng, begins):
        self.rng, self.begins = rng, begins

    def arrival(self, facts):
        rng, luck = self.rng, self.rng.random()
        begins = self.begins.get(int(facts["app"]))
        if luck < 0.35 and begins:
            # Where the app's mapping changes: until what was launched before has come, chains of rises among it.
            days = rng.uniform(0, 5) if facts["version"] in ("4.0", "aak") else rng.random() ** 2 * 66
            time = rng.choice(begins) + int(days * DAY)
        elif luck < 0.45:
            time = milliseconds(rng.choice(CHANGES_OF_CLOCKS)) + rng.randrange(-14 * HOUR, 38 * HOUR)
        else:
            time = BEGIN + rng.randrange(DAYS * DAY)
        if rng.random() < 0.05:
            time = time // HOUR * HOUR - rng.choice([0, 1])
        return min(max(time, BEGIN), BEGIN + DAYS * DAY - 1)

    def conversion(self):
        """The postbacks of one conversion, each with the moment of its arrival."""
        rng = self.rng
        version = rng.choices(list(VERSIONS), list(VERSIONS.values()))[0]
        first = self.postback(version)
        arrival = self.arrival(first["facts"])
        yield first, arrival
        if version in ("4.0", "aak") and first["facts"]["outcome"] != "assist" and rng.random() < 0.4:
            for window, days in ((2, rng.randrange(5, 12)), (3, rng.randrange(30, 40))):
                if rng.random() < 0.7:
                    later = self.postback(version, window, first)
                    yield later, arrival + days * DAY + rng.randrange(DAY)

    def copies(self, postback, arrival):
        """Further copies of a postback: the same, another value or country, or signed with other facts."""
        rng = self.rng
        while rng.random() < 0.09:
            arrival += int(rng.random() ** 2 * 9 * DAY)
            other = copy.deepcopy(postback)
            luck = rng.random()
            if luck < 0.35:
                self.fields(other)
            elif luck < 0.5:
                facts, members = other["facts"], other["members"]
                if "source-identifier" in members:
                    members["source-identifier"] = facts["campaign"] = rng.choice(SOURCES)[-len(facts["campaign"]):]
                elif rng.random() < 0.5:
                    members["campaign-id"] = rng.choice(CAMPAIGNS)
                    facts["campaign"] = str(members["campaign-id"])
                else:
                    app = rng.choice(APPS)
                    members["app-id"], facts["app"] = app, str(app)
                # What the digits forbid depends on them.
                self.judge(other)
            yield other, arrival

    def postback(self, version, window=1, first=None):
        rng = self.rng
        old = first["facts"] if first else None
        app = int(old["app"]) if old else rng.choices(APPS, [4, 3, 4, 2, 1])[0]
        network = old["network-sent"] if old else rng.choice(NETWORKS)
        name = old["id"] if old else str(uuid.UUID(int=rng.getrandbits(128), version=4))
        has_windows = version in ("4.0", "aak")
        did_win = version not in ("3.0", "4.0", "aak") or old is not None or rng.random() < 0.87
        campaign = rng.choice(SOURCES)[-rng.choice([2, 3, 4, 4]):] if has_windows else str(rng.choice(CAMPAIGNS))
        if old:
            campaign = old["campaign"][-2:] if rng.random() < 0.9 else old["campaign"]
        publisher, country, marketplace, interaction = None, None, None, None
        if version != "1.0" and rng.random() < (0.5 if window == 1 else 0.05):
            publisher = str(rng.choice(PUBLISHERS))
            if version == "4.0" and rng.random() < 0.25:
                publisher = rng.choice(DOMAINS)
        outcome = "install"
        if version == "aak":
            members = {"advertised-item-identifier": app, "conversion-type": rng.choice(TYPES),
                       "ad-network-identifier": network, "impression-type": "app-impression",
                       "postback-sequence-index": window - 1, "source-identifier": campaign, "did-win": did_win,
                       "postback-identifier": name.upper()}
            if old:
                members["conversion-type"] = first["members"]["conversion-type"]
            name = members["postback-identifier"]
            outcome = OUTCOMES.get(members["conversion-type"], "other")
            if publisher:
                members["publisher-item-identifier"] = int(publisher)
            if rng.random() < 0.6:
                members["marketplace-identifier"] = marketplace = rng.choice(MARKETPLACES)
        else:
            members = {} if version == "1.0" else {"version": version}
            members["ad-network-id"] = network
            if has_windows:
                members["source-identifier"] = campaign
            else:
                members["campaign-id"] = int(campaign)
            members.update({"app-id": app, "transaction-id": name})
            if version != "1.0":
                members["redownload"] = old["outcome"] == "redownload" if old else rng.random() < 0.15
                outcome = "redownload" if members["redownload"] else "install"
            if publisher:
                members["source-app-id" if publisher.isdigit() else "source-domain"] = (
                    int(publisher) if publisher.isdigit() else publisher)
            if version in ("2.2", "3.0", "4.0"):
                members["fidelity-type"] = rng.randrange(2)
                interaction = "click" if members["fidelity-type"] else "view"
            if version in ("3.0", "4.0"):
                members["did-win"] = did_win
            if has_windows:
                members["postback-sequence-index"] = window - 1
        facts = {"version": version, "app": str(app), "network": network.lower(), "network-sent": network,
                 "campaign": campaign, "window": window, "outcome": outcome if did_win else "assist",
                 "interaction": interaction, "country": country, "publisher": publisher, "marketplace": marketplace,
                 "id": name}
        postback = {"members": members, "fields": {}, "facts": facts}
        self.fields(postback)
        return postback

    def fields(self, postback):
        """Chooses what a signature does not cover."""
        rng, facts, fields = self.rng, postback["facts"], {}
        version, window = facts["version"], facts["window"]
        has_windows = version in ("4.0", "aak")
        if has_windows and rng.random() < (0.4 if window == 1 else 0.1):
            fields["country-code"] = rng.choice(COUNTRIES)
        if version == "aak" and rng.random() < 0.9:
            fields["ad-interaction-type"] = rng.choice(["click", "click", "view", "tap"])
        luck = rng.random()
        if version != "1.0" and (facts["outcome"] != "assist" or luck < 0.05):
            small = int(64 * rng.random() ** 1.5)
            if luck < 0.02:
                fields["conversion-value"] = rng.choice([64, 100, -1, small])
            elif luck < 0.04 and has_windows:
                fields.update({"conversion-value": small, "coarse-conversion-value": "low"})
            elif luck < 0.06 and has_windows:
                fields["coarse-conversion-value"] = rng.choice(["High", "huge", "MEDIUM"])
            elif luck < 0.65 and window == 1:
                fields["conversion-value"] = small
            elif luck < 0.85 and has_windows:
                fields["coarse-conversion-value"] = rng.choice(["low", "low", "medium", "high"])
        postback["fields"] = fields
        facts["country"] = country_word(fields["country-code"]) if "country-code" in fields else None
        if version == "aak":
            word = fields.get("ad-interaction-type")
            facts["interaction"] = word if word in ("click", "view") else None
        self.judge(postback)

    @staticmethod
    def judge(postback):
        """The value by Apple's rules: `rejected` where they make it impossible."""
        facts, fields = postback["facts"], postback["fields"]
        fine, coarse = fields.get("conversion-value"), fields.get("coarse-conversion-value")
        if fine is None and coarse is None:
            found = None
        elif facts["outcome"] == "assist" or fine is not None and coarse is not None:
            found = "rejected"
        elif fine is not None:
            found = fine if 0 <= fine <= 63 and facts["window"] == 1 else "rejected"
        else:
            found = coarse.lower() if coarse.lower() in ("low", "medium", "high") else "rejected"
        facts["sent-value"] = found
        facts["value"] = found if isinstance(found, int) else None
        facts["coarse"] = found if found in ("low", "medium", "high") else None


def country_word(text):
    return text if len(text) == 2 and all("A" <= letter <= "Z" for letter in text) else "other"


def differences(first, other):
    """The fields in which a copy disagrees with the first one. A country or interaction that one leaves out does not."""
    found = [name for name in ("version", "app", "campaign", "outcome") if first[name] != other[name]]
    if first["sent-value"] != other["sent-value"]:
        found.append("value")
    return found + [name for name in ("interaction", "country")
                    if None not in (first[name], other[name]) and first[name] != other[name]]
