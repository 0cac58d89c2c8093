"""Measures what each page of figures costs over the last 30 days of many postbacks.

  tools/measure/bench pages                                10 million postbacks of 100,000 campaigns over a year
  tools/measure/bench pages --rows 1000000 --turns 3
  tools/measure/bench pages --keep FOLDER                  keeps the database, and uses it the next time
  tools/measure/bench pages --against PROGRAM              in turns with another skan, which gets a copy of the database
  tools/measure/bench pages --language de --language ar    in turns with other languages of the pages
  tools/measure/bench pages --check                        exits 1 where a page needs more than a second or 256 MB
  tools/measure/bench pages --rows 50000 --campaigns 5000 --spend 800000 --check
                                                           beside so many rows of spend of the days; exits 1 where a page
                                                           needs more than 100 MB over those of the new daemon
  tools/measure/bench pages --kept                         the usual days, once the daemon has made their estimates
  tools/measure/bench pages --beside                       how long a page takes beside three people who ask for much at once
  tools/measure/bench pages --json                         one JSON object

The database is of simulated users, as `skan-bench world` makes it. Each page is asked of a daemon that has answered nothing
before (cold), and then --requests times more (warm: the mean of these). A figure is the least CPU time of its turns, and the
most memory from the start of the daemon to the end of the last answer; the time until /readyz answers is left out. The daemon
makes the estimates of the usual days meanwhile, which a cold page has in its figure. With --kept the usual days have to be of
the data: the clock in November or December 2026.
"""
import argparse
import json
import pathlib
import platform
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "lib"))
sys.dont_write_bytecode = True
import skan_daemon  # noqa: E402
from skan_daemon import ROOT  # noqa: E402

# What skan-bench makes ends before December.
DAYS = "from=2026-11-01&through=2026-11-30"
PAGES = ["/", "/campaigns", "/arrivals", "/arrived", "/campaign", "/causes", "/values", "/withheld", "/trust", "/experiments",
         "/plan"]
# The days of it since 1970.
FIRST_DAY, DAY_COUNT = 20758, 30
MOST_SECONDS, MOST_MEGABYTES, MOST_MEGABYTES_OF_SPEND = 1.0, 256, 100


def add_spend(database, rows):
    """Spend of each day: of every campaign with postbacks, and of campaigns without any that make up the rows."""
    with sqlite3.connect(database) as connection:
        paid = connection.execute(
            "SELECT DISTINCT network.identifier, campaign FROM postback JOIN network ON network.id = postback.network ORDER BY 1, 2"
        ).fetchall()
        daily = rows // DAY_COUNT
        networks = [network for network, _ in paid[::max(1, len(paid) // 2)]] + ["without-postbacks.example"]
        paid = paid[:daily] + [
            (networks[number % len(networks)], f"campaign {number:07d}") for number in range(daily - len(paid))]
        connection.execute("DELETE FROM spend")
        connection.executemany(
            "INSERT INTO spend VALUES (0, ?, ?, ?, ?, 0, ?, ?, NULL)",
            ((day, network, campaign, "EUR" if number % 5 == 0 else "USD", 1_000_000 + number, number % 1000 or None)
             for day in range(FIRST_DAY, FIRST_DAY + DAY_COUNT) for number, (network, campaign) in enumerate(paid)))
    connection.close()


def largest_campaign(database):
    """How many postbacks there are, and the campaign with most, as other pages link to it: by two digits."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        app, network, campaign = connection.execute(
            "SELECT app, network.identifier, substr(campaign, -2) FROM postback JOIN network ON network.id = postback.network"
            " WHERE length(campaign) = 4 GROUP BY 1, 2, 3 ORDER BY count(*) DESC, 1, 2, 3 LIMIT 1").fetchone()
        rows = connection.execute("SELECT count(*) FROM postback").fetchone()[0]
    return rows, f"&app={app}&network={network}&campaign={campaign}"


def await_estimates(server):
    """Waits until the daemon has made what the usual pages are estimated from, and rests."""
    before, unchanged = None, 0
    while unchanged < 5:
        now = server.ask("GET", "/metrics")[1].decode().split("skan_estimates_made_total ")[-1].split()[0], round(server.cpu_seconds(), 1)
        unchanged = unchanged + 1 if now == before and now[0] != "0" else 0
        before = now
        time.sleep(0.5)


def measure(skan, language, database, path, more, requests, kept):
    """One page of a new daemon: seconds of CPU, the same of a further request, megabytes at the most, the status, the
    kilobytes of the answer, and the megabytes at the most before it."""
    with tempfile.NamedTemporaryFile() as log, \
            skan_daemon.serve(skan, "--database", database, "--pages", "127.0.0.1:0", "--pages-open", log=log.name) as server:
        def ask():
            return server.ask("GET", f"{path}?{'' if kept else DAYS}{more}", headers={"Accept-Language": language}, pages=True)

        server.await_ready()
        if kept:
            await_estimates(server)
        base, before = server.peak_megabytes(), server.cpu_seconds()
        status, body = ask()
        cold = server.cpu_seconds() - before
        for _ in range(requests):
            status, body = ask()
        warm = (server.cpu_seconds() - before - cold) / max(1, requests)
        return cold, warm, server.peak_megabytes(), status, len(body) / 1000, base


def measure_beside(skan, database):
    """Seconds until a page is there: alone, and each time while three people wait for estimates of days that are not kept."""
    heavy = ["/campaigns?from=2026-09-01&through=2026-09-30", "/campaigns?from=2026-08-01&through=2026-08-30",
             "/?from=2026-07-01&through=2026-07-30"]
    with tempfile.NamedTemporaryFile() as log, \
            skan_daemon.serve(skan, "--database", database, "--pages", "127.0.0.1:0", "--pages-open", log=log.name) as server:
        def ask(path):
            begin = time.monotonic()
            status, _ = server.ask("GET", path, pages=True)
            if status != 200:
                sys.exit(f"bench pages: {path} was answered {status}")
            return time.monotonic() - begin

        server.await_ready()
        await_estimates(server)
        page = f"/arrived?{DAYS}"
        ask(page)
        alone = sorted(ask(page) for _ in range(5))[2]
        people = [threading.Thread(target=ask, args=[path]) for path in heavy]
        for person in people:
            person.start()
        beside = []
        while any(person.is_alive() for person in people):
            beside.append(ask(page))
            time.sleep(0.1)
        return alone, beside


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000, help="postbacks [default: %(default)s]")
    parser.add_argument("--campaigns", type=int, default=100_000, help="campaigns [default: %(default)s]")
    parser.add_argument("--spend", type=int, default=0, metavar="ROWS", help="rows of spend [default: %(default)s]")
    parser.add_argument("--turns", type=int, default=2, help="turns of each page [default: %(default)s]")
    parser.add_argument("--page", action="append", choices=PAGES, help="only this page; may be repeated")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="folder of the database, kept afterwards")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release", metavar="FOLDER",
                        help="folder of skan and skan-bench [default: .build/release]")
    parser.add_argument("--against", type=pathlib.Path, metavar="PROGRAM", help="another skan, in turns")
    parser.add_argument("--language", action="append", default=[], metavar="CODE", help="also in this language; may be repeated")
    parser.add_argument("--requests", type=int, default=5, help="further requests of each page [default: %(default)s]")
    parser.add_argument("--bench", type=pathlib.Path, metavar="PROGRAM", help="skan-bench that makes the database [default: beside skan]")
    parser.add_argument("--kept", action="store_true", help="ask for the usual days, whose estimates are made")
    parser.add_argument("--beside", action="store_true", help="measure how long a page takes while three people ask for much")
    parser.add_argument("--check", action="store_true", help="exit 1 where a page needs more than it may")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    skan, bench = options.programs / "skan", options.bench or options.programs / "skan-bench"
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="skan-pages-"))
    database, copy = folder / "skan.db", folder / "other.db"
    # What is measured in turns: a program, a language and a database.
    sides = {"skan": (skan, "en", database), **{code: (skan, code, database) for code in options.language}}
    if options.against:
        sides["other"] = (options.against, "en", copy)
    for program in [skan, bench, *([options.against] if options.against else [])]:
        if not program.exists():
            sys.exit(f"bench pages: {program} is missing; build it with tools/build -c release --product {program.name}")
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    try:
        if not database.exists():
            subprocess.run([bench, "world", database, str(options.rows), str(options.campaigns), "365"],
                           check=True, stdout=sys.stderr)
            if options.spend:
                add_spend(database, options.spend)
        if options.beside:
            for number in range(options.turns):
                alone, beside = measure_beside(skan, database)
                late = sorted(seconds - alone for seconds in beside)
                print(f"/arrived alone {alone:.2f} s; beside three cold pages {len(late)} times, later by {late[len(late) // 2]:.2f} s "
                      f"in the middle and {late[-1]:.2f} s at most", flush=True)
            return
        if options.against and not copy.exists():
            shutil.copy(database, copy)
        rows, campaign = largest_campaign(database)
        for path in options.page or PAGES:
            turns = {name: [] for name in sides}
            for _ in range(options.turns):
                for name, side in sides.items():
                    turns[name].append(measure(*side, path, campaign if path == "/campaign" else "", options.requests, options.kept))
            row = {"page": path}
            for name, values in turns.items():
                cold, warm, megabytes, status, kilobytes, base = zip(*values)
                row[name] = {"cpu": round(min(cold), 4), "warm-cpu": round(min(warm), 4), "mb": round(max(megabytes)),
                             "base-mb": round(min(base)), "status": max(status), "kb": round(kilobytes[-1])}
            found.append(row)
            if not options.json:
                if len(found) == 1:
                    print(f"{rows:,} postbacks of {options.campaigns:,} campaigns over a year, "
                          f"{platform.processor() or platform.machine()}\n")
                    print("| page | " + " | ".join(f"{name}, cold | warm | memory | answer" for name in sides) + " |")
                    print("|---" * (1 + 4 * len(sides)) + "|")
                print(f"| {path} | " + " | ".join(
                    f"{row[name]['cpu']:.2f} s | {row[name]['warm-cpu']:.3f} s | {row[name]['mb']} MB | {row[name]['status']}, {row[name]['kb']} KB"
                    for name in sides) + " |", flush=True)
    finally:
        if not options.keep:
            shutil.rmtree(folder)
    if options.json:
        print(json.dumps({"postbacks": rows, "campaigns": options.campaigns, "pages": found}, indent=1))

    def is_too_much(row):
        if options.spend:
            return row["mb"] - row["base-mb"] > MOST_MEGABYTES_OF_SPEND
        return row["cpu"] > MOST_SECONDS or row["mb"] > MOST_MEGABYTES

    late = [row["page"] for row in found if is_too_much(row["skan"]) or row["skan"]["status"] != 200]
    if options.check and late:
        most = f"{MOST_MEGABYTES_OF_SPEND} MB over the base" if options.spend else f"{MOST_SECONDS:.0f} s or {MOST_MEGABYTES} MB"
        sys.exit(f"bench pages: above {most}: {', '.join(late)}")


if __name__ == "__main__":
    main()
