"""Measures campaign reports of skan beside the same questions in a column store.

  tools/measure/bench reports                              3 million postbacks of 100,000 campaigns over a year
  tools/measure/bench reports --rows 10000000 --turns 5
  tools/measure/bench reports --keep FOLDER                keeps the databases, and uses them the next time
  tools/measure/bench reports --check                      exits 1 where a ratio is above its bound
  tools/measure/bench reports --json                       one JSON object

DuckDB comes from PyPI (tools/setup --reports) and runs with one thread. Both programs write counts and amounts as CSV,
start-up included, in turns; skan once all columns of the report, and once, with --columns, those that DuckDB writes, which
are all but the 64 counts of single values and some ratios. A figure is the least CPU time, user and system, of its turns.
The answers are compared row by row before anything is printed.
"""
import argparse
import csv
import datetime
import json
import os
import pathlib
import platform
import shutil
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "skan"
PYTHON = pathlib.Path(os.environ.get("SKAN_REPORTS_VENV", CACHE / "reports")) / "bin/python"

# What skan-bench makes ends before this day.
END = datetime.date(2026, 12, 1)

# Question, days back from the end, dimensions, and the most that skan may need of DuckDB's CPU time for the same columns.
QUESTIONS = [
    ("month by app, network, campaign", 30, ["app", "network", "campaign"], 1.0),
    ("year by app, network, campaign", 365, ["app", "network", "campaign"], 1.0),
    ("year by day, network", 365, ["day", "network"], 1.0),
    ("year by outcome", 365, ["outcome"], 1.0),
    ("year by publisher", 365, ["publisher"], 1.0),
]

WON = "outcome <> 'assist'"
FIRST = "conversion_window = 1"
MEASURES = {
    "postbacks": "count(*)",
    "installs": f"count(*) FILTER ({FIRST} AND outcome = 'install')",
    "redownloads": f"count(*) FILTER ({FIRST} AND outcome = 'redownload')",
    "re-engagements": f"count(*) FILTER ({FIRST} AND outcome = 're-engagement')",
    "assists": f"count(*) FILTER ({FIRST} AND outcome = 'assist')",
    "other-conversions": f"count(*) FILTER ({FIRST} AND outcome = 'other')",
    "views": "count(*) FILTER (interaction = 0)",
    "clicks": "count(*) FILTER (interaction = 1)",
    "values-null": f"count(*) FILTER ({WON} AND value IS NULL)",
    "values-zero": f"count(*) FILTER ({WON} AND value = 0)",
    "values-positive": f"count(*) FILTER ({WON} AND value BETWEEN 1 AND 63)",
    "coarse-low": f"count(*) FILTER ({WON} AND value = 64)",
    "coarse-medium": f"count(*) FILTER ({WON} AND value = 65)",
    "coarse-high": f"count(*) FILTER ({WON} AND value = 66)",
    "values-rejected": f"count(*) FILTER ({WON} AND value = -1)",
}

# The mapping of skan-bench: value N is 10 N to 10 N + 10 dollars.
AMOUNTS = {
    "revenue-low-USD": f"sum(value * 10000000) FILTER ({WON} AND value BETWEEN 0 AND 63)",
    "revenue-mid-USD": f"sum(value * 10000000 + 5000000) FILTER ({WON} AND value BETWEEN 0 AND 63)",
    "revenue-high-USD": f"sum(value * 10000000 + 10000000) FILTER ({WON} AND value BETWEEN 0 AND 63)",
}


def fail(text):
    print(f"bench reports: {text}", file=sys.stderr)
    sys.exit(69)


def run(words, output):
    """Runs a program to its end; its CPU seconds and the most memory it had, in MB."""
    with open(output, "wb") as file:
        process = subprocess.Popen(words, stdout=file, stderr=subprocess.PIPE)
        errors = process.stderr.read().decode().strip().splitlines()
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        fail(f"{words[0]} ended with {os.waitstatus_to_exitcode(status)}: {errors[-1] if errors else ''}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def sql(days, dimensions):
    first = (END - datetime.timedelta(days=days)).isoformat()
    figures = ", ".join(f'{value} AS "{name}"' for name, value in (MEASURES | AMOUNTS).items())
    names = ", ".join(dimensions)
    return (
        f"SELECT {names}, {figures} FROM postbacks WHERE day >= DATE '{first}' GROUP BY {names} ORDER BY {names}"
    )


def fill(folder, rows, campaigns, days, bench):
    database, store = folder / "skan.db", folder / "postbacks.duckdb"
    if not database.exists():
        subprocess.run([bench, "facts", database, str(rows), str(campaigns), str(days), "fill"], check=True)
    if store.exists():
        return database, store
    rows_file = folder / "rows.csv"
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as source, open(rows_file, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["day", "app", "network", "campaign", "conversion_window", "outcome", "interaction", "value", "publisher"])
        outcomes = ["install", "redownload", "re-engagement", "assist", "other"]
        for row in source.execute(
            "SELECT received_at / 86400000, app, n.identifier, campaign, window + 1, outcome, interaction, value,"
            " u.identifier FROM postback p JOIN network n ON n.id = p.network"
            " LEFT JOIN publisher u ON u.id = p.publisher WHERE environment = 0 ORDER BY p.id"
        ):
            day = datetime.date(1970, 1, 1) + datetime.timedelta(days=row[0])
            writer.writerow([day, *row[1:5], outcomes[row[5]], *row[6:]])
    subprocess.run(
        [
            PYTHON, "-c",
            "import duckdb, sys; c = duckdb.connect(sys.argv[1]); c.execute(\"CREATE TABLE postbacks AS SELECT * FROM"
            " read_csv(?, header = true, columns = {'day': 'DATE', 'app': 'BIGINT', 'network': 'VARCHAR', 'campaign':"
            " 'VARCHAR', 'conversion_window': 'TINYINT', 'outcome': 'VARCHAR', 'interaction': 'TINYINT', 'value': 'TINYINT',"
            " 'publisher': 'VARCHAR'})\", [sys.argv[2]])",
            store, rows_file,
        ],
        check=True, stdout=subprocess.DEVNULL,
    )
    rows_file.unlink()
    return database, store


def skan_words(skan, database, days, dimensions, columns=()):
    first = (END - datetime.timedelta(days=days)).isoformat()
    return [
        skan, "report", "campaigns", "--database", database, "--by", ",".join(dimensions), "--from", first,
        "--format", "csv", "--quiet", *(["--columns", ",".join(columns)] if columns else []),
    ]


def store_words(store, days, dimensions, output):
    query = f"COPY ({sql(days, dimensions)}) TO '{output}' (HEADER)"
    code = (
        "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only = True); c.execute('SET threads = 1');"
        " c.execute(sys.argv[2])"
    )
    return [PYTHON, "-c", code, store, query]


def table(path, dimensions):
    """The rows of an answer by their dimensions, amounts as millionths."""
    rows = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            figures = {name: int(row[name] or 0) for name in MEASURES}
            for name in AMOUNTS:
                units, _, decimals = row[name].partition(".")
                is_micros = path.name.startswith("store")
                figures[name] = int(row[name] or 0) if is_micros else int(units or 0) * 10**6 + int(decimals.ljust(6, "0"))
            rows[tuple(row[name] for name in dimensions)] = figures
    return rows


def compare(question, dimensions, ours, theirs):
    ours, theirs = table(ours, dimensions), table(theirs, dimensions)
    for key in sorted(ours.keys() | theirs.keys()):
        if key not in ours or key not in theirs:
            fail(f"{question}: row {', '.join(key)} is in one answer only")
        for name, value in theirs[key].items():
            if ours[key][name] != value:
                fail(f"{question}: row {', '.join(key)}, {name}: skan has {ours[key][name]}, DuckDB {value}")
    return len(ours)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=3_000_000, help="postbacks [default: %(default)s]")
    parser.add_argument("--campaigns", type=int, default=100_000, help="campaigns [default: %(default)s]")
    parser.add_argument("--turns", type=int, default=3, help="turns of each question [default: %(default)s]")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="folder of the databases, kept afterwards")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release", metavar="FOLDER",
                        help="folder of skan and skan-bench [default: .build/release]")
    parser.add_argument("--check", action="store_true", help="exit 1 where a ratio is above its bound")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    skan, bench = options.programs / "skan", options.programs / "skan-bench"
    for program in [skan, bench]:
        if not program.exists():
            fail(f"{program} is missing; build it with tools/build -c release --product {program.name}")
    if not PYTHON.exists():
        fail("DuckDB is missing; install it with tools/setup --reports")
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="skan-reports-"))
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    try:
        database, store = fill(folder, options.rows, options.campaigns, 365, bench)
        for number, (question, days, dimensions, bound) in enumerate(QUESTIONS):
            ours, theirs = folder / f"skan-{number}.csv", folder / f"store-{number}.csv"
            same = folder / f"skan-same-{number}.csv"
            columns = [*dimensions, *MEASURES, *AMOUNTS]
            turns = {"skan": [], "skan, same columns": [], "DuckDB": []}
            for _ in range(options.turns):
                turns["skan"].append(run(skan_words(skan, database, days, dimensions), ours))
                turns["skan, same columns"].append(run(skan_words(skan, database, days, dimensions, columns), same))
                turns["DuckDB"].append(run(store_words(store, days, dimensions, theirs), os.devnull))
            least = {name: min(turn[0] for turn in values) for name, values in turns.items()}
            memory = {name: max(turn[1] for turn in values) for name, values in turns.items()}
            found.append({
                "question": question, "rows": 0, "skan-cpu": round(least["skan"], 3),
                "skan-same-cpu": round(least["skan, same columns"], 3), "duckdb-cpu": round(least["DuckDB"], 3),
                "ratio-all": round(least["skan"] / least["DuckDB"], 2),
                "ratio": round(least["skan, same columns"] / least["DuckDB"], 2),
                "skan-mb": round(memory["skan"]), "duckdb-mb": round(memory["DuckDB"]), "bound": bound,
            })
        # Last, because a child's memory begins with what its parent has.
        for number, (question, _, dimensions, _) in enumerate(QUESTIONS):
            for name in ["skan", "skan-same"]:
                answers = [folder / f"{name}-{number}.csv", folder / f"store-{number}.csv"]
                found[number]["rows"] = compare(question, dimensions, *answers)
    finally:
        for path in [*folder.glob("skan-*.csv"), *folder.glob("store-*.csv")]:
            path.unlink()
        if not options.keep:
            shutil.rmtree(folder)
    if options.json:
        print(json.dumps({"postbacks": options.rows, "campaigns": options.campaigns, "questions": found}, indent=1))
    else:
        print(f"{options.rows:,} postbacks of {options.campaigns:,} campaigns over a year, {platform.processor() or platform.machine()}\n")
        print("| report | rows | skan, CPU | DuckDB 1 thread, CPU | ratio | skan, all columns | ratio | skan, memory | DuckDB, memory |")
        print("|---|---|---|---|---|---|---|---|---|")
        for row in found:
            print(
                f"| {row['question']} | {row['rows']:,} | {row['skan-same-cpu']:.2f} s | {row['duckdb-cpu']:.2f} s |"
                f" {row['ratio']:.2f} | {row['skan-cpu']:.2f} s | {row['ratio-all']:.2f} | {row['skan-mb']} MB | {row['duckdb-mb']} MB |")
    late = [row["question"] for row in found if row["ratio"] > row["bound"]]
    if options.check and late:
        print(f"bench reports: above the bound: {'; '.join(late)}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
