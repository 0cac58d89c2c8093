"""Measures campaign reports of skan beside the same questions in a column store.

  tools/measure/bench reports                              3 million postbacks of 100,000 campaigns over a year
  tools/measure/bench reports --rows 10000000 --turns 5
  tools/measure/bench reports --keep FOLDER                keeps the databases, and uses them the next time
  tools/measure/bench reports --check                      exits 1 where a ratio is above its bound
  tools/measure/bench reports --json                       one JSON object

The postbacks are those of simulated users that `skan-bench world` makes. DuckDB comes from PyPI (tools/setup --reports)
and runs with one thread; it has the same rows, and what each value means in a small table that it joins. Both programs
write counts and amounts as CSV, in turns; skan once all columns of the report, and once, with --columns, those that DuckDB
writes, which are all but the 64 counts of single values and some ratios. A figure is the least CPU time, user and system,
of its turns. Ratios are without the starts: from each figure that of `skan --version` is taken, and of DuckDB that has
opened the database and is asked nothing. The answers are compared row by row before anything is printed.
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
    ("month by app, network, campaign", 30, ["app", "network", "campaign"], 1.3),
    ("year by app, network, campaign", 365, ["app", "network", "campaign"], 1.3),
    ("year by day, network", 365, ["day", "network"], 1.3),
    ("year by network", 365, ["network"], 1.3),
    ("year by outcome", 365, ["outcome"], 1.3),
    ("year by publisher", 365, ["publisher"], 1.3),
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

# What skan-bench's mappings are in.
AMOUNTS = {
    f"revenue-{bound}-{currency}": f"sum({bound}) FILTER ({WON} AND currency = '{currency}')"
    for bound in ["low", "mid", "high"] for currency in ["EUR", "GBP", "USD"]
}

# What skan prints of each postback, as tables. Values are numbers, and 64 to 66 are coarse; amounts are millionths.
LOAD = """
SET enable_progress_bar = false;
CREATE TEMP TABLE printed AS SELECT * FROM read_csv('/dev/stdin', header = true, all_varchar = true);
CREATE TABLE decodings AS SELECT row_number() OVER ()::INTEGER AS decoding, *,
    (revenue_low::DECIMAL(18, 6) * 1000000)::BIGINT AS low, (revenue_mid::DECIMAL(18, 6) * 1000000)::BIGINT AS mid,
    (revenue_high::DECIMAL(18, 6) * 1000000)::BIGINT AS high
  FROM (SELECT DISTINCT currency, "revenue-low" AS revenue_low, "revenue-mid" AS revenue_mid, "revenue-high" AS revenue_high
    FROM printed WHERE meaning = 'decoded' AND "adds-up" = 'true' AND currency <> '');
CREATE TABLE postbacks AS SELECT "received-at"[:10]::DATE AS day, app::BIGINT AS app, network, campaign,
    "window"::TINYINT AS conversion_window, outcome,
    CASE interaction WHEN 'view' THEN 0 WHEN 'click' THEN 1 END::TINYINT AS interaction,
    CASE WHEN meaning = 'rejected' THEN -1 WHEN value <> '' THEN value::TINYINT
      WHEN coarse = 'low' THEN 64 WHEN coarse = 'medium' THEN 65 WHEN coarse = 'high' THEN 66 END::TINYINT AS value,
    publisher, decoding
  FROM printed LEFT JOIN decodings ON meaning = 'decoded' AND "adds-up" = 'true' AND printed.currency = decodings.currency
    AND "revenue-low" = revenue_low AND "revenue-mid" = revenue_mid AND "revenue-high" = revenue_high;
ALTER TABLE decodings DROP revenue_low; ALTER TABLE decodings DROP revenue_mid; ALTER TABLE decodings DROP revenue_high;
"""
OPEN = "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only = True); c.execute('SET threads = 1')"


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
        f"SELECT {names}, {figures} FROM postbacks LEFT JOIN decodings USING (decoding) WHERE day >= DATE '{first}' GROUP BY {names} ORDER BY {names}"
    )


def fill(folder, rows, campaigns, days, skan, bench):
    database, store = folder / "skan.db", folder / "postbacks.duckdb"
    if not database.exists():
        subprocess.run([bench, "world", database, str(rows), str(campaigns), str(days)], check=True, stdout=sys.stderr)
    if not store.exists():
        printing = subprocess.Popen([skan, "report", "postbacks", "-d", database, "--format", "csv", "-q"], stdout=subprocess.PIPE)
        code = "import duckdb, sys; duckdb.connect(sys.argv[1]).execute(sys.argv[2])"
        subprocess.run([PYTHON, "-c", code, store, LOAD], check=True, stdin=printing.stdout)
        if printing.wait() != 0:
            fail("skan report postbacks failed")
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as source:
        return database, store, source.execute("SELECT count(*) FROM postback").fetchone()[0]


def skan_words(skan, database, days, dimensions, columns=()):
    first = (END - datetime.timedelta(days=days)).isoformat()
    return [
        skan, "report", "campaigns", "--database", database, "--by", ",".join(dimensions), "--from", first,
        "--format", "csv", "--quiet", *(["--columns", ",".join(columns)] if columns else []),
    ]


def store_words(store, days, dimensions, output):
    query = f"COPY ({sql(days, dimensions)}) TO '{output}' (HEADER)"
    return [PYTHON, "-c", f"{OPEN}; c.execute(sys.argv[2])", store, query]


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
        database, store, rows = fill(folder, options.rows, options.campaigns, 365, skan, bench)
        # More turns than of questions, because every ratio needs them.
        starts = {
            name: min(run(words, os.devnull)[0] for _ in range(5 * options.turns))
            for name, words in {"skan": [skan, "--version"], "DuckDB": [PYTHON, "-c", OPEN, store]}.items()
        }
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
            asked = {name: least[name] - starts[name.split(",")[0]] for name in least}
            memory = {name: max(turn[1] for turn in values) for name, values in turns.items()}
            found.append({
                "question": question, "rows": 0, "skan-cpu": round(least["skan"], 3),
                "skan-same-cpu": round(least["skan, same columns"], 3), "duckdb-cpu": round(least["DuckDB"], 3),
                "skan-asked-cpu": round(asked["skan, same columns"], 3), "duckdb-asked-cpu": round(asked["DuckDB"], 3),
                "ratio": round(asked["skan, same columns"] / asked["DuckDB"], 2),
                "ratio-all": round(asked["skan"] / asked["DuckDB"], 2),
                "ratio-with-starts": round(least["skan, same columns"] / least["DuckDB"], 2),
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
        print(json.dumps({"postbacks": rows, "campaigns": options.campaigns, "starts": starts, "questions": found}, indent=1))
    else:
        print(f"{rows:,} postbacks of {options.campaigns:,} campaigns over a year, {platform.processor() or platform.machine()};"
              f" starts: skan {starts['skan']:.3f} s, DuckDB {starts['DuckDB']:.3f} s\n")
        print("| report | rows | skan, CPU | DuckDB 1 thread, CPU | ratio | all columns, ratio | with starts: skan | DuckDB | ratio "
              "| skan, memory | DuckDB, memory |")
        print("|---" * 11 + "|")
        for row in found:
            print(
                f"| {row['question']} | {row['rows']:,} | {row['skan-asked-cpu']:.2f} s | {row['duckdb-asked-cpu']:.2f} s |"
                f" {row['ratio']:.2f} | {row['ratio-all']:.2f} | {row['skan-same-cpu']:.2f} s | {row['duckdb-cpu']:.2f} s |"
                f" {row['ratio-with-starts']:.2f} | {row['skan-mb']} MB | {row['duckdb-mb']} MB |")
    late = [row["question"] for row in found if row["ratio"] > row["bound"]]
    if options.check and late:
        print(f"bench reports: above the bound: {'; '.join(late)}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
