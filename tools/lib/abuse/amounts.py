"""Amounts at the limits for tools/stress/abuse: mappings, spend, rates, totals, books and own users at random extremes, and every
page, report and tool of assistants on them."""
import datetime
import json
import re
import subprocess
import urllib.parse

# What an amount can hold: millionths in 64 bits.
MOST = 9_223_372_036_854_775_807
CURRENCIES = ["VND", "IRR", "IDR", "JPY", "USD", "EUR", "KWD", "CHF"]
COUNTS = [0, 1, 2, 1000, 999_999_999_999, 1_000_000_000_000]
WRONG = re.compile(rb"(?i)integer overflow|fatal error|check the disk|nan%|\binf\b|-?9[,.\s]?223[,.\s]?372[,.\s]?036[,.\s]?854[,.\s]?775[,.\s]?808")
APP = 525463029
# Commands that print what pages have no place for.
COMMANDS = ["digest", "report alerts --all", "report campaigns --by day,network --compare previous", "report estimates --by network --horizon 7",
            "report priors", "report proceeds --horizon 30", "report causes", "report organic --by day", "report totals",
            "report purchases", "report shortfall", "report overlap", "report patterns", "report nulls", "report cohorts",
            "report crosscheck", "users backtest --app 525463029", "mapping history", "doctor"]


def text(micros):
    sign = "-" if micros < 0 else ""
    return f"{sign}{abs(micros) // 1_000_000}.{abs(micros) % 1_000_000:06d}"


class Amounts:
    def __init__(self, world):
        self.world, self.turn, self.tools = world, 0, None

    def amount(self):
        chance = self.world.chance()
        return text(chance.choice([
            MOST, MOST - 1, MOST // 2, MOST // 2 + 1, MOST // 3, 4_600_000_000_000_000_000, chance.randrange(MOST), 0, 1, 1_000_000,
            10 ** chance.randrange(1, 19), chance.randrange(10 ** chance.randrange(1, 19))]))

    def load(self, kind, words, header, rows):
        """Imports a file; one that is rejected has to say so in words."""
        path = self.world.folder / f"{kind}-amounts.csv"
        path.write_text("\n".join([header, *rows]))
        return self.command(f"{kind} import", [*words, "-q", "-d", self.world.database, path])

    def command(self, words, more, allowed=(0, 1)):
        done = subprocess.run([self.world.skan, *words.split(), *map(str, more)], capture_output=True, timeout=600)
        self.world.count(f"command {words.split()[0]} {done.returncode}")
        said = done.stdout + done.stderr
        if done.returncode not in allowed and (done.returncode < 0 or done.returncode > 100 or b"rror" not in said and b":" not in said) \
                or WRONG.search(said):
            self.world.wrong(f"{words} ended with {done.returncode}: {said[-300:]!r} {WRONG.search(said)}")
        return done

    def days(self, count=40):
        today = datetime.datetime.now(datetime.UTC).date()
        return [str(today - datetime.timedelta(days=back)) for back in range(count)]

    def mapping(self):
        chance = self.world.chance()
        cuts = sorted({chance.choice([0, 1, MOST - 1, MOST, MOST // 2, chance.randrange(MOST), chance.randrange(10**12)])
                       for _ in range(chance.choice([2, 5, 30]))} | {0})
        fine, ends = [], cuts[1:] + [None]
        for value, (low, high) in enumerate(zip(cuts, ends)):
            range_ = {"from": text(low)} | ({"to": text(high)} if high is not None else {})
            if chance.random() < 0.5 or high is None:
                range_["representative"] = text(chance.randrange(low, (high or MOST) + (0 if high else 1)) if (high or MOST) > low else low)
            fine.append({"value": value * 2 % 64, "revenue": range_})
        hours = chance.randrange(24 * 30)
        moment = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=chance.randrange(0, 60), hours=hours, seconds=self.turn)
        path = self.world.folder / "amounts-mapping.json"
        path.write_text(json.dumps({
            "name": "amounts", "app": APP, "currency": chance.choice(CURRENCIES), "protocol": chance.choice(["skan4", "skan3", "aak"]),
            "effective-from": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "fine": fine}))
        self.command("mapping load", ["-q", "-d", self.world.database, path], (0, 1, 65))

    def fill(self):
        chance, test = self.world.chance(), ["--environment", "test"]
        money = lambda: chance.sample(CURRENCIES, chance.choice([1, 2, 5]))
        networks, campaigns = self.world.networks, self.world.campaigns
        self.mapping()
        if chance.random() < 0.7:
            found = [f"{day},{chance.choice(networks)},{chance.choice(campaigns)},{self.amount()},{currency},{chance.choice(COUNTS)},{chance.choice(COUNTS)}"
                     for day in self.days() for currency in money() for _ in range(3)]
            keys = {tuple(row.split(",")[i] for i in (0, 1, 2, 4)): row for row in found}
            self.load("spend", test, "date,network,campaign,amount,currency,impressions,clicks", keys.values())
        if chance.random() < 0.5:
            pairs = [(one, other) for one in CURRENCIES for other in CURRENCIES if one != other]
            rate = lambda: chance.choice(["0.000000000001", "9223371", "1", "0.00004", "25000", f"{chance.random():.9f}1"])
            self.load("rates", [], "date,currency,quote,rate",
                      [f"{chance.choice(self.days(60))},{one},{other},{rate()}" for one, other in chance.sample(pairs, 12)])
        if chance.random() < 0.5:
            self.load("totals", [], "date,network,installs,revenue,currency",
                      [f"{day},{chance.choice(networks)},{chance.choice(COUNTS)},{self.amount()},{chance.choice(CURRENCIES)}" for day in self.days()])
        if chance.random() < 0.5:
            self.load("installs", [], "date,app,installs", [f"{day},{APP},{chance.choice(COUNTS)}" for day in self.days()])
        if chance.random() < 0.6:
            currency, sign = chance.choice(CURRENCIES), lambda: chance.choice(["", "", "-"])
            self.load("proceeds", [], "date,app,proceeds,currency,commission,refunds,tax",
                      [f"{day},{APP},{sign()}{self.amount()},{currency},{self.amount()},{self.amount()},{self.amount()}" for day in self.days(70)])
        if chance.random() < 0.5:
            self.users()

    def users(self):
        chance, rows = self.world.chance(), []
        start = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=60)
        currency = chance.choice(CURRENCIES)
        for user in range(chance.choice([20, 100, 400])):
            at = start + datetime.timedelta(hours=chance.randrange(24 * 30))
            rows.append((at, f"u{user},{{}},install,,"))
            for _ in range(chance.choice([0, 1, 1, 3])):
                later = at + datetime.timedelta(hours=chance.choice([1, 2, 30, 99, 300]))
                rows.append((later, f"u{user},{{}},purchase,{self.amount()},{currency}"))
        path = self.world.folder / "amounts-events.csv"
        path.write_text("\n".join(["user,time,event,revenue,currency", *(
            row.format(at.strftime("%Y-%m-%dT%H:%M:%SZ")) for at, row in rows)]))
        self.command("users import", ["-q", "-d", self.world.database, "--app", APP, "--events", path, "--horizon",
                                      chance.choice(["7", "7,30", "2,90"])], (0, 1, 65))

    def look(self, name, path, kind="page"):
        if kind == "page":
            status, _, body = self.world.page(name, path)
        else:
            status, _, body = self.world.ask(name, self.world.port, self.world.head("GET", path, [f"Authorization: Bearer {self.world.read}"]))
        if status >= 500 and status != 503 or WRONG.search(body):
            self.world.wrong(f"{path}: {status} {WRONG.search(body)}")
        return body

    def call(self, method, parameters):
        message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode()
        headers = ["Content-Type: application/json", "Accept: application/json, text/event-stream", f"Authorization: Bearer {self.world.read}"]
        raw = self.world.head("POST", "/mcp", headers, len(message), f"127.0.0.1:{self.world.pages}") + message
        status, _, body = self.world.ask("assistant", self.world.pages, raw)
        if status >= 500 and status != 503 or WRONG.search(body):
            self.world.wrong(f"assistant {parameters}: {status} {body[:200]!r} {WRONG.search(body)}")
        return json.loads(body).get("result", {}) if status == 200 else {}

    def argument(self, name, schema):
        """A value that fits the schema of a parameter, by chance."""
        chance = self.world.chance()
        schema = schema if "anyOf" not in schema else chance.choice(schema["anyOf"])
        if name in ("from", "to"):
            return chance.choice(self.days(70))
        if name == "currency":
            return chance.choice(CURRENCIES)
        if name == "environment":
            return "test"
        if "enum" in schema:
            return chance.choice(schema["enum"])
        if schema.get("type") == "array":
            return [self.argument(name[:-1], schema.get("items", {}))]
        if schema.get("type") == "integer":
            return chance.choice([schema.get("minimum", 0), 1, 7, 30, schema.get("maximum", 1000)])
        if schema.get("type") == "boolean":
            return True
        return {"app": str(APP), "digits": "2"}.get(name, chance.choice(["1", "previous", "day", "network", str(APP)]))

    def __call__(self):
        world, chance = self.world, self.world.chance()
        self.turn += 1
        self.fill()
        if not self.tools:
            self.tools = self.call("tools/list", {}).get("tools")
        for tool in chance.sample(self.tools or [], min(12, len(self.tools or []))):
            known = tool["inputSchema"].get("properties", {})
            chosen = [name for name in known if chance.random() < 0.25 or name == "environment"]
            arguments = {name: self.argument(name, known[name]) for name in chosen}
            self.call("tools/call", {"name": tool["name"], "arguments": arguments})
            plain = {name: ",".join(map(str, value)) if isinstance(value, list) else str(value).lower() if value is True else value
                     for name, value in arguments.items()}
            name = tool["name"].replace("_", "-").removeprefix("report-")
            path = f"/v1/{name.removesuffix('-list')}" if name.endswith("-list") else f"/v1/reports/{name}"
            self.look("report", f"{path}?{urllib.parse.urlencode(plain)}&format={chance.choice(['json', 'csv', 'ndjson'])}", "report")
        left = [f"{path}{more}" for path in world.screens for more in ("", "?environment=test")] + [
            f"{path}?environment=test&last={chance.choice(['7d', '28d', '90d'])}&currency={chance.choice(CURRENCIES)}"
            for path in ["/", "/campaigns", "/causes", "/arrived", "/arrivals", "/organic", "/proceeds", "/campaign"]]
        chance.shuffle(left)
        seen = set(left)
        for _ in range(60):
            if not left or world.stopping.is_set():
                break
            body = self.look("amounts page", left.pop())
            links = re.findall(rb'href="(/[^"#]*)', body)
            for link in chance.sample(links, min(6, len(links))):
                link = link.decode().replace("&amp;", "&")
                if link not in seen and not link.startswith(("/sign-out", "/assets")):
                    seen.add(link)
                    left.insert(chance.randrange(len(left) + 1), link)
        for words in chance.sample(COMMANDS, 3) + [f"report causes --from {self.days()[20]} --to {self.days()[0]}"]:
            environment = ["--environment", "test"] if words.startswith("report") and "alerts" not in words and "purchases" not in words else []
            self.command(words, [*environment, "-d", world.database], (0, 1))
