"""Asks the program questions, and notes where an answer is not what was counted."""
import collections
import csv
import io
import json
import shlex
from decimal import Decimal
from fractions import Fraction

import counting
import making
import singles
from answers import Answer, day_number, exact, shown
from counting import DIMENSIONS, OF_DAYS

ZONES = ["UTC", "UTC", "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
         "America/St_Johns", "Pacific/Apia", "Africa/Casablanca", "+05:30", "-09:30"]
# Longer answers are cut with --top.
MOST_ROWS = 4000


class Checker:
    def __init__(self, stored, rng):
        self.stored, self.skan, self.rng = stored, stored.skan, rng
        self.compared = self.wrong = self.questions = 0
        self.by_command, self.by_kind, self.unknown = (collections.Counter() for _ in range(3))
        rates = [(making.moment(making.BEGIN + (day - 5) * making.DAY)[:10], currency, quote,
                  f"{rng.uniform(0.5, 150):.6f}")
                 for currency, quote, step in (("EUR", "USD", 30), ("USD", "JPY", 60), ("GBP", "EUR", 20))
                 for day in range(10, 400, step)]
        path = self.skan.folder / "rates.csv"
        path.write_text("date,currency,quote,rate\n" + "".join(",".join(row) + "\n" for row in rates))
        self.skan.run("rates", "import", "--quiet", "--database", self.skan.database, path)
        self.rates = counting.Rates(rates)
        self.counted = {name: counting.Counted(stored, name, self.rates) for name in ("test", "development")}

    # Comparing

    def check(self, command, what, printed, expected, tolerance=0):
        self.compared += 1
        if isinstance(expected, (int, Fraction)) and not isinstance(expected, bool):
            number = exact(printed)
            is_equal = isinstance(number, Fraction) and abs(number - expected) <= tolerance
        else:
            is_equal = printed == expected
        if not is_equal:
            self.differ(command, f"{what} is {printed}, but it comes to {shown(expected)}", what.split(": ")[-1])
        return is_equal

    def differ(self, command, sentence, kind="rows"):
        self.wrong += 1
        self.by_kind[kind] += 1
        self.by_command[command] += 1
        if self.by_command[command] <= 3 and len(self.by_command) <= 60:
            print(f"{sentence}\n    {command}", flush=True)

    def conclude(self):
        if self.unknown:
            print(f"columns that were not recounted: {', '.join(sorted(self.unknown))}")
        for kind, count in self.by_kind.most_common():
            print(f"{count:,} differences of {kind}")
        print(f"{self.questions} questions, {self.compared:,} figures compared, {self.wrong:,} differences in "
              f"{len(self.by_command)} questions")
        return 1 if self.wrong or not self.compared else 0

    def ask(self, name, *words, layout="json"):
        """The answer and the command that gives it."""
        self.questions += 1
        words = [str(word) for word in words] + ["--format", layout]
        printed = self.skan.report(name, *words)
        command = shlex.join(["skan", "report", name, "-d", str(self.skan.database), *words])
        if layout == "json":
            return json.loads(printed, parse_float=Decimal), command
        if layout == "ndjson":
            return {"rows": [json.loads(line, parse_float=Decimal) for line in printed.splitlines()]}, command
        rows = [{name: cell or None for name, cell in row.items()} for row in csv.DictReader(io.StringIO(printed))]
        return {"rows": rows}, command

    # Questions

    def check_all(self, questions):
        singles.check_all(self)
        for environment in ("test", "development"):
            for dimension in DIMENSIONS:
                self.campaigns({"by": [dimension], "where": [], "zone": "UTC", "environment": environment})
        for zone in dict.fromkeys(ZONES[3:]):
            for dimension in OF_DAYS:
                self.campaigns({"by": [dimension], "where": [], "zone": zone, "environment": "test"})
        for number in range(questions):
            if number % 100 == 0:
                print(f"{self.questions} questions are answered, {questions - number} random ones are left", flush=True)
            self.campaigns(self.question())

    def question(self):
        rng = self.rng
        asked = {"by": rng.sample(DIMENSIONS, rng.choice([1, 1, 2, 2, 3, 4])), "zone": rng.choice(ZONES), "where": [],
                 "environment": rng.choice(["test"] * 6 + ["development"])}
        luck = rng.random()
        if luck < 0.12:
            asked["tree"] = True
            asked["by"] = list(dict.fromkeys([*asked["by"][:2], "network", "campaign"]))
            rng.shuffle(asked["by"])
        elif luck < 0.24:
            asked["subtotals"] = True
            if len(asked["by"]) == 1:
                asked["by"] += [rng.choice([name for name in DIMENSIONS if name not in asked["by"]])]
        elif luck < 0.45:
            asked["top"] = rng.choice([1, 2, 5, 20, 300])
        if not asked.get("tree") and rng.random() < 0.15:
            asked["digits"] = rng.choice([2, 3, 4])
        if rng.random() < 0.15:
            asked["share"] = True
        if rng.random() < 0.5:
            first = making.BEGIN // making.DAY + rng.randrange(making.DAYS)
            behind = first + rng.choice([1, 2, 7, 30, 90, 200])
            asked["days"] = [making.moment(day * making.DAY)[:10] for day in (first, behind)]
            if rng.random() < 0.2:
                asked["days"][rng.randrange(2)] = None
        if all(asked.get("days", [None])) and not set(asked["by"]) & set(OF_DAYS) and rng.random() < 0.5:
            asked["compare"] = rng.choice(["previous", "days"])
            length = day_number(asked["days"][1]) - day_number(asked["days"][0])
            first = day_number(asked["days"][0]) - length
            if asked["compare"] == "days":
                first, length = making.BEGIN // making.DAY + rng.randrange(making.DAYS), rng.choice([1, 7, 60])
            asked["compared"] = [making.moment(day * making.DAY)[:10] for day in (first, first + length)]
        if rng.random() < 0.2:
            asked["app"] = [str(app) for app in rng.sample(making.APPS, rng.choice([1, 2]))]
        if rng.random() < 0.2:
            asked["network"] = [name.lower() for name in rng.sample(making.NETWORKS, rng.choice([1, 3]))]
        if rng.random() < 0.15:
            asked["currency"] = rng.choice(["USD", "JPY", "EUR"])
        for _ in range(rng.choice([0, 0, 0, 1, 1, 2, 3])):
            asked["where"].append(self.condition(asked))
        if not asked.get("tree") and not asked.get("subtotals") and rng.random() < 0.25:
            asked["sort"] = rng.sample(["postbacks", "-postbacks", "-installs", "values-null", "-null-share", "copies",
                                         "-fine-3", "decoded", "-unmapped"], rng.choice([1, 2]))
        asked["layout"] = rng.choice(["json", "json", "json", "csv", "ndjson"])
        return asked

    def condition(self, asked):
        rng, dimension = self.rng, self.rng.choice(DIMENSIONS)
        words = sorted({word or "none" for word in
                        self.counted[asked["environment"]].column(dimension, asked["zone"])})
        patterns = []
        for word in rng.sample(words, min(len(words), rng.choice([1, 1, 2, 4]))):
            luck = rng.random()
            if luck < 0.15 and len(word) > 2:
                word = word[:rng.randrange(1, len(word))] + "*"
            elif luck < 0.25 and len(word) > 2:
                word = "*" + word[rng.randrange(1, len(word)):]
            elif luck < 0.3 and len(word) > 3:
                word = word[0] + "*" + word[-1]
            elif luck < 0.4 and dimension in ("network", "publisher", "marketplace"):
                word = word.upper()
            patterns.append(word)
        return [dimension, rng.random() < 0.35, patterns]

    def words(self, asked):
        words = ["--environment", asked["environment"], "--by", ",".join(asked["by"])]
        if asked["zone"] != "UTC" or self.rng.random() < 0.1:
            words += [f"--time-zone={asked['zone']}"]
        for name, day in zip(("--from", "--to"), asked.get("days", [])):
            words += [name, day] if day else []
        for name in ("app", "network"):
            words += [f"--{name}", ",".join(asked[name])] if asked.get(name) else []
        for name in ("digits", "top", "currency"):
            words += [f"--{name}", asked[name]] if asked.get(name) else []
        for name in ("tree", "subtotals", "share"):
            words += [f"--{name}"] if asked.get(name) else []
        if "compare" in asked:
            words += ["--compare", asked["compare"] if asked["compare"] == "previous" else "..".join(asked["compared"])]
        if asked["where"]:
            texts = [f"{name}{'!' if is_excluded else ''}={','.join(patterns)}"
                     for name, is_excluded, patterns in asked["where"]]
            if self.rng.random() < 0.5:
                words += ["--where", ";".join(texts)]
            else:
                words += [word for text in texts for word in ("--where", text)]
        return words + (["--sort=" + ",".join(asked["sort"])] if asked.get("sort") else [])

    def campaigns(self, asked):
        counted = self.counted[asked["environment"]]
        table = counted.table(asked)
        if len(table) > MOST_ROWS:
            for name in ("tree", "subtotals", "compare"):
                asked.pop(name, None)
            asked["top"] = asked.get("top", 300)
        before = counted.table({**asked, "days": asked["compared"]}) if "compare" in asked else None
        answer, command = self.ask("campaigns", *self.words(asked), layout=asked.get("layout", "json"))
        Answer(self, asked, answer, command, table, before).compare()
