"""Measures skan on this machine, in one run, against OpenSSL's own signature check.

  tools/measure/bench                   everything; about fifteen minutes, most of them for the ten million rows
  tools/measure/bench --quick           shorter rounds, and one million rows at most
  tools/measure/bench --only verify,http
  tools/measure/bench --check           compares the ratios of a quick run with the bounds of tools/measure/bench-bounds.json
  tools/measure/bench --against FOLDER  in turns with another release build: FOLDER has its skan and skan-bench

Absolute figures drift with the machine and its neighbours; the ratios of one run are what counts. Their unit is the CPU
time of OpenSSL's verify of a P-256 signature, called from skan-bench, by the clock of the process. It is measured before
and after every part, on as many processors as that part keeps busy; where the two differ by more than a tenth, the
machine was busy with something else, and no ratio is printed.

The floor is what the same libraries need for the least that can be called storing a postback: the check with a table of
the key's multiples, the same server reading the same requests and answering an empty 200, and an insert of the same
bytes into a table of one column in transactions as large as the server's were.
"""
import argparse
import gzip
import http.client
import json
import multiprocessing
import os
import pathlib
import random
import re
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "lib"))
sys.dont_write_bytecode = True
import private_postgresql  # noqa: E402
import skan_daemon  # noqa: E402
from skan_daemon import ROOT, cpu_seconds  # noqa: E402

PARTS = [
    "verify", "ingest", "http", "forgeries", "batches", "insert", "decode", "campaigns", "reports", "simulate", "editor",
    "estimate", "journal",
]
CPUS = os.cpu_count() or 1
TICKS = os.sysconf("SC_CLK_TCK")

WRK_SCRIPT = r"""
local threads = 0
function setup(thread) thread:set("id", threads); threads = threads + 1 end
function init(args)
  bodies = {}
  for line in io.lines(args[1]) do bodies[#bodies + 1] = line end
  at = tonumber(args[2])
  wrk.method = "POST"
  wrk.path = "/.well-known/skadnetwork/report-attribution/"
  wrk.headers["Content-Type"] = "application/json"
end
function request()
  at = at % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[at])
end
"""


def say(text):
    print(text, file=sys.stderr, flush=True)


def run(*words, **options):
    return subprocess.run([str(w) for w in words], check=True, text=True, capture_output=True, **options).stdout


def write_events(path, campaigns=60):
    rng = random.Random(1)
    rows = []
    for user in range(100_000):
        start, campaign = 1_767_225_600 + rng.randrange(28 * 86400), rng.randrange(campaigns)
        for _ in range(10):
            money = f"{rng.lognormvariate(-1, 1.5):.2f}" if rng.random() < 0.4 else ""
            rows.append(f"u{user},{start + int(rng.expovariate(1 / 100_000))},session,{money},USD,{campaign},{start}")
    rng.shuffle(rows)
    with gzip.open(path, "wt", compresslevel=1) as out:
        out.write("user,time,event,revenue,currency,campaign,installed\n" + "\n".join(rows) + "\n")


def paced(url, bodies, rate):
    """Posts bodies at an even rate over four kept connections and returns the seconds that each answer took."""
    host, path = url.removeprefix("http://"), skan_daemon.PATH + "/"
    begin, taken = time.monotonic() + 0.1, []
    def sender(own):
        connection = http.client.HTTPConnection(host)
        for number in own:
            time.sleep(max(0, begin + number / rate - time.monotonic()))
            started = time.monotonic()
            address = f"198.51.{number // 250 % 100}.{number % 250}"
            connection.request("POST", path, bodies[number], {"X-Forwarded-For": address})
            answer = connection.getresponse()
            answer.read()
            taken.append(time.monotonic() - started)
            if answer.status != 200:
                sys.exit(f"bench: a genuine postback was answered {answer.status}")
    threads = [threading.Thread(target=sender, args=(range(n, len(bodies), 4),)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(taken) != len(bodies):
        sys.exit(f"bench: {len(taken)} of {len(bodies)} genuine postbacks were answered 200")
    return taken


class Unit:
    """OpenSSL's verify before and after a part, in microseconds of CPU time; none where the two differ too much."""

    MOST_DRIFT = 1.1

    def __init__(self, bench, processors, seconds):
        self.bench, self.processors, self.seconds = bench, processors, seconds

    def measure(self):
        return json.loads(run(self.bench.helper, "unit", self.bench.key, self.bench.bodies, self.seconds, self.processors))

    def __enter__(self):
        self.before, self.load = self.measure(), processor_ticks()
        return self

    def __exit__(self, *_):
        total, busy, own = (now - then for now, then in zip(processor_ticks(), self.load))
        self.others = (busy - own) / total if total else 0
        after = self.measure()
        pair = self.before["evp"], after["evp"]
        self.check = (self.before["check"] + after["check"]) / 2
        drift = max(pair) / min(pair)
        self.us = sum(pair) / 2 if drift <= self.MOST_DRIFT else None
        if self.us is None:
            say(f"   busy machine: OpenSSL's verify took {pair[0]:.1f} us before and {pair[1]:.1f} us after; no ratios")
        elif self.others > 0.1:
            say(f"   other processes took {100 * self.others:.0f} % of the processors meanwhile")


def processor_ticks():
    """Ticks of all processors, those that were busy, and those of this process and its children."""
    ticks = [int(field) for field in pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    own = os.times()
    return sum(ticks), sum(ticks) - ticks[3] - ticks[4], (sum(own[:4]) + running_children()) * TICKS


def running_children():
    """CPU seconds of children that have not ended, which os.times does not count yet."""
    total = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            total += (int(fields[11]) + int(fields[12])) / TICKS
    return total


class Bench:
    def __init__(self, options, folder):
        self.folder = folder
        self.quick = options.quick
        self.skan = ROOT / ".build/release/skan"
        self.helper = ROOT / ".build/release/skan-bench"
        self.bottom = ROOT / ".build/release/skan-floor"
        self.key = folder / "key.json"
        self.rows = []
        # Ratios that bounds are set for, by name; none where the machine was too busy for one.
        self.ratios = {}

    def row(self, what, rate, cpu, unit, note="", floor=None):
        by = lambda base: cpu / base if cpu and base else None
        self.rows.append((what, rate, cpu, by(unit), by(floor), note))
        say("   " + format_row(self.rows[-1]))

    def ratio(self, name, figure, base):
        self.ratios[name] = figure / base if figure and base else None

    def serve(self, database, *words, skan=None):
        """A daemon that trusts the bench's key."""
        return skan_daemon.serve(
            skan or self.skan, "--database", database, "--trust-test-keys", self.key, *words, log=self.folder / "serve.log")

    def prepare(self):
        say("== build (release)")
        for product in ("skan", "skan-bench", "skan-floor"):
            run(ROOT / "tools/build", "-c", "release", "--product", product, cwd=ROOT)
        run(self.skan, "sign", "--new-key", self.key)
        self.count = 100_000 if self.quick else 300_000
        say(f"== sign {self.count} postbacks of version 4.0")
        self.bodies = self.folder / "bodies.ndjson"
        with open(self.bodies, "w") as out:
            subprocess.run(
                [self.skan, "sign", "--quiet", "--test-key", self.key, "--count", str(self.count), "--seed", "1",
                 "--version", "4.0"], check=True, stdout=out, stderr=subprocess.DEVNULL)

    def verify(self):
        seconds = 2 if self.quick else 4
        say("== OpenSSL's verify, and what skan makes of it")
        for processors in sorted({1, CPUS}):
            with Unit(self, processors, seconds) as unit:
                figures = json.loads(
                    run(self.helper, "verify", self.key, self.bodies, str(seconds), str(processors)))
            plural = "processor" if processors == 1 else "processors busy"
            us = unit.us or unit.before["evp"]
            self.row(f"OpenSSL's verify, {processors} {plural}", processors * 1e6 / us, us, unit.us,
                     f"{1e6 / us:,.0f} a second and processor")
            for name, title in (("check", "check as used (fixed key)"), ("judge", "verify-only: read and check")):
                us = figures[name]
                self.row(f"{title}, {processors} {plural}", processors * 1e6 / us, us, unit.us)
                if processors == 1:
                    self.ratio(name, us, unit.us)

    def ingest(self):
        say("== bulk ingest")
        database = self.folder / "ingest.db"
        with Unit(self, CPUS, 2) as unit:
            before = os.times()
            started = time.monotonic()
            run(self.skan, "ingest", "--quiet", "--database", database, "--trust-test-keys", self.key, self.bodies)
            wall = time.monotonic() - started
            after = os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        # The unit's own runs are children too, but end outside of the two readings.
        self.row(f"bulk ingest, {CPUS} processors", self.count / wall, 1e6 * cpu / self.count, unit.us,
                 f"{100 * cpu / wall / CPUS:.0f} % of the processors")
        self.ratio("ingest", 1e6 * cpu / self.count, unit.us)

    def http(self):
        script = self.folder / "post.lua"
        script.write_text(WRK_SCRIPT)
        seconds = 4 if self.quick else 10
        for connections in (64, 256):
            say(f"== HTTP with durable commit, {connections} connections")
            database = self.folder / f"http{connections}.db"
            server = self.serve(database, "--connections-per-address", "0")
            with Unit(self, CPUS, 2) as unit:
                before = server.cpu_seconds()
                out = run("wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script, server.url, "--",
                          self.bodies, "0")
                cpu = server.cpu_seconds() - before
            requests = int(re.search(r"(\d+) requests in", out).group(1))
            errors = re.search(r"Non-2xx.*", out)
            rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))
            tail = re.search(r"99%\s+(\S+)", out).group(1)
            memory = server.peak_megabytes()
            figures = server.ask("GET", "/metrics")[1].decode()
            commits = int(re.search(r"^skan_commits_total (\d+)", figures, re.M).group(1))
            server.end()
            stored = int(run("python3", "-c", "import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute("
                             "'select (select count(*) from postback) + (select coalesce(sum(times),0) from postback_copy)')"
                             ".fetchone()[0])", database))
            if errors or stored < requests:
                sys.exit(f"bench: {errors.group(0) if errors else ''} {requests} answered, {stored} stored")
            group = max(1, round(requests / commits))
            empty, insert = self.floor(connections, seconds, script, group)
            floor = unit.check + empty + insert
            self.row(f"HTTP, durable, {connections} connections", rate, 1e6 * cpu / requests, unit.us,
                     f"p99 {tail}, {memory:.0f} MB, {group} a transaction", floor if unit.us else None)
            self.row(f"floor of it, {connections} connections", None, floor, unit.us,
                     f"check {unit.check:.1f} + empty 200 {empty:.1f} + insert of {group} {insert:.1f} us")
            self.ratio(f"http-{connections}", 1e6 * cpu / requests, unit.us)
            self.ratio(f"http-{connections}-floor", 1e6 * cpu / requests, floor if unit.us else None)

    def floor(self, connections, seconds, script, group):
        """CPU microseconds of an empty 200 and of the smallest insert, for each request."""
        server = subprocess.Popen([self.bottom, "serve"], stdout=subprocess.PIPE, text=True)
        try:
            url = json.loads(server.stdout.readline())["url"]
            before = cpu_seconds(server.pid)
            out = run("wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script, url, "--", self.bodies, "0")
            empty = 1e6 * (cpu_seconds(server.pid) - before) / int(re.search(r"(\d+) requests in", out).group(1))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
        database = self.folder / f"floor{connections}.db"
        insert = json.loads(run(self.bottom, "insert", database, self.bodies, group))["cpu"]
        for file in self.folder.glob(f"{database.name}*"):
            file.unlink()
        return empty, insert

    def answer(self, skan, database, connections, seconds, more=()):
        """CPU time of a server for each postback that it answers and stores, in microseconds."""
        with self.serve(database, "--connections-per-address", "0", *more, skan=skan) as server:
            before = server.cpu_seconds()
            script = self.folder / "post.lua"
            script.write_text(WRK_SCRIPT)
            out = run("wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script, server.url, "--", self.bodies, "0")
            if errors := re.search(r"Non-2xx.*", out):
                sys.exit(f"bench: {skan}: {errors.group(0)}")
            return 1e6 * (server.cpu_seconds() - before) / int(re.search(r"(\d+) requests in", out).group(1))

    def against(self, other):
        """This build in turns with another one; what counts is the middle of the ratios of the turns."""
        turns, seconds = (4, 4) if self.quick else (8, 8)
        builds = {"other": pathlib.Path(other), "this": self.skan.parent}
        number = 0

        def http(build, connections):
            return self.answer(build / "skan", self.folder / f"against{number}.db", connections, seconds)

        def insert(build):
            out = run(build / "skan-bench", "insert", self.folder / f"against{number}.db", "0", "200000")
            return json.loads(out.splitlines()[-1])["cpu"]

        def ingest(build):
            before = os.times()
            run(build / "skan", "ingest", "--quiet", "--database", self.folder / f"against{number}.db",
                "--trust-test-keys", self.key, self.bodies)
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            return 1e6 * spent / self.count

        for title, measure in [("HTTP, durable, 64 connections", lambda build: http(build, 64)),
                               ("HTTP, durable, 256 connections", lambda build: http(build, 256)),
                               ("insert at 200,000 rows", insert), ("bulk ingest", ingest)]:
            say(f"== in turns: {title}")
            spent = {"other": [], "this": []}
            for turn in range(turns):
                # Who comes first changes, so that a drift of the machine favours nobody.
                for name in list(builds)[::1 if turn % 2 else -1]:
                    number += 1
                    spent[name].append(measure(builds[name]))
                    for file in self.folder.glob(f"against{number}.db*"):
                        file.unlink()
            ratios = sorted(this / other for this, other in zip(spent["this"], spent["other"]))
            middle = {name: statistics.median(values) for name, values in spent.items()}
            say(f"   other {middle['other']:.1f} us, this {middle['this']:.1f} us of CPU a postback; ratio "
                f"{statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f} in {turns} turns)")

    def journal(self):
        """A node of a journal in turns with a daemon without one; and what the journal's server spends."""
        say("== in turns: HTTP, durable, 64 connections, without and with a journal in PostgreSQL")
        if not private_postgresql.INSTALLED:
            say("   not run: PostgreSQL is not installed (tools/setup --postgresql)")
            return
        turns, seconds = (2, 4) if self.quick else (6, 8)
        server = private_postgresql.Server(self.folder / "server")
        try:
            run(self.skan, "journal", "init", "--journal", server.address())
            plain, node, spent = [], [], []
            database = self.folder / "node.db"
            for turn in range(turns):
                alone = self.folder / f"alone{turn}.db"
                plain.append(self.answer(self.skan, alone, 64, seconds))
                before = self.stored(database)
                cpu = server.cpu_seconds()
                node.append(self.answer(self.skan, database, 64, seconds, ["--journal", server.address(), "--node", "a"]))
                spent.append(1e6 * (server.cpu_seconds() - cpu) / max(1, self.stored(database) - before))
            ratios = sorted(a / b for a, b in zip(node, plain))
            say(f"   without {statistics.median(plain):.1f} us, with {statistics.median(node):.1f} us of CPU a postback; ratio "
                f"{statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f} in {turns} turns); "
                f"PostgreSQL {statistics.median(spent):.1f} us")
        finally:
            server.end()

    def stored(self, database):
        """Bodies that a database has got so far, repeats included."""
        if not database.exists():
            return 0
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            (arrived,) = connection.execute(
                "SELECT coalesce(sum(first + repeated + conflicting + rejected), 0) FROM arrival_hour").fetchone()
        return arrived

    def forgeries(self):
        """What a flood of forgeries from one address does to genuine postbacks and to the database, in turns with none."""
        seconds, turns, rate = (4, 1, 300) if self.quick else (8, 3, 300)
        say(f"== {rate} genuine postbacks a second, without and beside forgeries from one address")
        forged = self.folder / "forged.ndjson"
        with open(self.bodies) as bodies, open(forged, "w") as out:
            for _, line in zip(range(50_000), bodies):
                # Another transaction than the one that is signed.
                out.write(re.sub(r'("transaction-id": ?")(.)', lambda m: m[1] + ("0" if m[2] != "0" else "1"), line))
        script = self.folder / "forge.lua"
        script.write_text(WRK_SCRIPT + 'function delay() return 4 end\n'
                          'local start = init\n'
                          'function init(args) start(args); wrk.headers["X-Forwarded-For"] = "203.0.113.9" end\n')
        database = self.folder / "forged.db"
        server = self.serve(database, "--trusted-proxy", "127.0.0.1", "--connections-per-address", "0")
        url = server.url
        with open(self.bodies) as bodies:
            genuine = [next(bodies).encode() for _ in range(rate * seconds * turns * 2)]
        quiet, beside, flood = [], [], 0
        for _ in range(turns):
            quiet += paced(url, [genuine.pop() for _ in range(rate * seconds)], rate)
            forger = subprocess.Popen(["wrk", "-t1", "-c16", f"-d{seconds}s", "-s", script, url, "--", forged, "0"],
                                      stdout=subprocess.PIPE, text=True)
            beside += paced(url, [genuine.pop() for _ in range(rate * seconds)], rate)
            out = forger.communicate()[0]
            flood += int(re.search(r"(\d+) requests in", out).group(1))
        server.end()
        kept, seen = json.loads(run(
            "python3", "-c", "import json,sqlite3,sys; print(json.dumps(sqlite3.connect(sys.argv[1]).execute("
            "'select (select count(*) from rejected), (select sum(seen) from rejected_total)').fetchone()))", database))
        stored = int(run("python3", "-c", "import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute("
                         "'select count(*) from postback').fetchone()[0])", database))
        if stored != len(quiet) + len(beside):
            sys.exit(f"bench: {len(quiet) + len(beside)} genuine postbacks answered 200, {stored} stored")
        def at(share, times):
            return 1000 * sorted(times)[int(share * len(times))]
        self.row("genuine postback, nobody else", rate, None, None,
                 f"p50 {at(0.5, quiet):.2f} ms, p99 {at(0.99, quiet):.2f} ms")
        self.row("genuine postback beside a flood", rate, None, None,
                 f"p50 {at(0.5, beside):.2f} ms ({at(0.5, beside) / at(0.5, quiet):.2f}), p99 {at(0.99, beside):.2f} ms")
        self.row("forgeries from one address", flood / seconds / turns, None, None,
                 f"{flood:,} sent, {seen:,} judged, {kept} kept; the others were answered 429")

    def batches(self):
        """What a device waits beside batches that a network sends to make it wait, kind by kind."""
        seconds, rate = (5, 200) if self.quick else (10, 200)
        say(f"== {rate} genuine postbacks a second beside batches of a network that means ill")
        config = self.folder / "batches.json"
        config.write_text(json.dumps({"networks": [{"name": "ill", "token": "ill-0123456789abcdef"}],
                                      "limits": {"requests-per-second": 0}}))
        with open(self.bodies) as bodies:
            lines = [next(bodies).strip() for _ in range(rate * seconds * 9 + 10_100)]
        base, many = lines.pop(), [lines.pop() for _ in range(10_000)]
        def padded(number, bytes, body=base):
            return f'{{"n{number}":"' + "x" * (bytes - len(body) - 8 - len(str(number))) + '",' + body[1:]
        forged = re.sub(r'("transaction-id": ?")(.)', lambda m: m[1] + ("0" if m[2] != "0" else "1"), base)
        changed = [re.sub(r'("(?:coarse-)?conversion-value": ?)("\w+"|\d+)',
                          lambda m: m[1] + ('"low"' if '"' in m[2] else str(number % 60)), body)
                   for number, body in enumerate(many[:120])]
        kinds = {
            "nothing": [],
            # Large copies are stored first; then a small one comes again and again, which has to be compared with them.
            "repeats beside copies of 64 KiB": ["\n".join(padded(n, 65_000) for n in range(32)), "\n".join([base] * 4000)],
            "repeats beside copies of 1 MB": [
                *("\n".join(padded(n, 1_000_000, many[0]) for n in range(at, at + 8)) for at in range(0, 32, 8)),
                "\n".join([many[0]] * 4000)],
            "10,000 copies of one postback": ["\n".join([base] * 10_000)],
            "10,000 genuine postbacks, again": ["\n".join(many)],
            "10,000 forgeries": ["\n".join([forged] * 10_000)],
            "10,000 empty objects": ["[" + ",".join(["{}"] * 10_000) + "]"],
            "items of 64 KiB": ["\n".join(padded(n, 65_000, many[n]) for n in range(120))],
            "contradictions of 64 KiB": ["\n".join(padded(n, 65_000, changed[n]) for n in range(120))],
        }
        database = self.folder / "batches.db"
        server = self.serve(database, "--config", config, "--connections-per-address", "0")
        for kind, texts in kinds.items():
            packed, stop, sent = [gzip.compress(text.encode()) for text in texts], threading.Event(), [0, 0]
            def post(connection, body):
                connection.request("POST", "/v1/networks/ill/postbacks", body, {"Authorization": "Bearer ill-0123456789abcdef"})
                answer = connection.getresponse()
                answer.read()
                sent[answer.status != 200] += 1
            def send():
                connection = http.client.HTTPConnection(server.address, timeout=300)
                while packed and not stop.is_set():
                    post(connection, packed[-1])
            for body in packed[:-1]:
                post(http.client.HTTPConnection(server.address, timeout=300), body)
            senders = [threading.Thread(target=send) for _ in range(2)]
            for sender in senders:
                sender.start()
            time.sleep(0.5)
            taken = sorted(paced(server.url, [lines.pop().encode() for _ in range(rate * seconds)], rate))
            stop.set()
            for sender in senders:
                sender.join()
            p50, p99, most = (1000 * taken[int(share * (len(taken) - 1))] for share in (0.5, 0.99, 1))
            self.row(f"device beside {kind}", rate, None, None, f"p50 {p50:.2f} ms, p99 {p99:.2f} ms, most {most:.0f} ms; "
                     f"{sent[0]} batches, {sent[1]} turned away, {server.peak_megabytes():.0f} MB")
        server.end()

    def insert(self):
        sizes = ["0", "1000000"] if self.quick else ["0", "1000000", "10000000"]
        say(f"== insert cost at {', '.join(sizes)} rows")
        database = self.folder / "insert.db"
        process = subprocess.Popen([self.helper, "insert", database, *sizes], stdout=subprocess.PIPE, text=True)
        for line in process.stdout:
            figures = json.loads(line)
            self.row(f"insert at {figures['rows']:,} rows", 1e6 / figures["wall"], figures["cpu"], None,
                     f"{figures['cpu'] / figures['empty']:.2f} of an empty database's, longest commit {figures['longest']:.0f} ms, "
                     f"{figures['memory']:.0f} MB")
            self.ratio(f"insert-{figures['rows']}", figures["cpu"], figures["empty"])
        if process.wait() != 0:
            sys.exit("bench: the insert benchmark failed")
        started = time.monotonic()
        run(self.skan, "report", "campaigns", "--database", database, "--environment", "test", "--format", "json")
        size = os.path.getsize(database) / 2**30
        self.row("campaign report over them", None, None, None,
                 f"{time.monotonic() - started:.3f} s with start-up, database {size:.1f} GiB")

    def decode(self):
        """An edit of a mapping, and everything that is decoded by it then; both versions are possible for every row."""
        database = self.folder / "insert.db"
        if not database.exists():
            run(self.helper, "insert", database, "0", "1000000")
        rows = int(run("python3", "-c", "import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute("
                       "'select count(*) from postback').fetchone()[0])", database))
        say(f"== decoding {rows:,} stored postbacks after an edit of their mapping")
        folder = self.folder / "mappings"
        folder.mkdir()
        change = time.strftime("%Y-%m-%dT%H:00:00Z", time.gmtime(time.time() - 84 * 3600))
        def write(name, since, width):
            edges = [width * i for i in range(9)]
            (folder / name).write_text(json.dumps({
                "name": name, "app": 525463029, "currency": "USD", "effective-from": since, "protocol": "skan4",
                "grids": [{"first-value": 0, "active-hours": list(range(0, 49, 6)), "revenue": edges}]}))
        write("old.json", "2020-01-01", 10)
        write("new.json", change, 20)
        run(self.skan, "mapping", "load", "--database", database, folder)
        write("new.json", change, 30)
        started = time.monotonic()
        run(self.skan, "mapping", "load", "--database", database, folder)
        loaded = time.monotonic() - started
        started = time.monotonic()
        report = json.loads(run(self.skan, "report", "campaigns", "--database", database, "--environment", "test",
                                "--format", "json"))
        wall = time.monotonic() - started
        if report["total"]["decoded"] != rows or report["total"]["decoded-mixed"] != rows:
            sys.exit(f"bench: {report['total']['decoded']} of {rows} decoded")
        self.row("edit of a mapping and report after it", rows / (loaded + wall), None, None,
                 f"{loaded:.3f} s to load, {wall:.3f} s for the report over {rows:,} rows")
        started, before = time.monotonic(), os.times()
        with open("/dev/null", "w") as out:
            subprocess.run([self.skan, "report", "postbacks", "--database", database, "--environment", "test",
                            "--format", "csv"], check=True, stdout=out)
        wall, after = time.monotonic() - started, os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        self.row("export, every postback decoded", rows / wall, 1e6 * cpu / rows, None, f"{wall:.1f} s")

    def campaigns(self):
        """Reports by day, app, network and campaign: what a row costs has to stay the same as rows grow."""
        sizes = [10_000, 40_000] if self.quick else [10_000, 40_000, 160_000]
        say(f"== campaign reports of {', '.join(f'{size:,}' for size in sizes)} rows, without and with spend")
        smallest = {}
        for line in run(self.helper, "campaigns", self.folder, *sizes).splitlines():
            document = json.loads(line)
            kind = document["format"], document["spend"] > 0
            each = 1000 * document["cpu"] / document["rows"]
            ratio = each / smallest.setdefault(kind, each)
            beside = f" beside {document['spend']:,} rows of spend" if document["spend"] else ""
            self.row(f"{document['format']} of {document['rows']:,} campaign rows{beside}", None, each, None,
                     f"{document['cpu'] / 1000:.2f} s of CPU; a row costs {ratio:.2f} of what it does among {sizes[0]:,}")

    def reports(self):
        """Reports and pages of 100,000 campaigns over the last 30 days, and what devices wait beside them."""
        rows, days = (300_000, 30) if self.quick else (2_000_000, 73)
        say(f"== reports and pages of {rows:,} postbacks of 100,000 campaigns over {days} days")
        database = self.folder / "reports.db"
        run(self.helper, "facts", database, rows, 100_000, days)
        identifier = run("python3", "-c", "import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute("
                         "'select identifier from postback where id = ?', (sys.argv[2],)).fetchone()[0])",
                         database, rows // 2).strip()
        month = ["--from", "2026-11-01", "--to", "2026-12-01", "--format", "csv"]
        every = ["--by", "app,network,campaign"]
        for title, words in (
            ("campaigns, --by network", ["report", "campaigns", *month, "--by", "network"]),
            ("campaigns, --by app,network,campaign", ["report", "campaigns", *month, *every]),
            ("the same with --top 20", ["report", "campaigns", *month, *every, "--top", "20"]),
            ("nulls", ["report", "nulls", *month]),
            ("alerts", ["report", "alerts"]),
            ("explain", ["explain", identifier]),
        ):
            started = time.monotonic()
            process = subprocess.Popen([self.skan, *words, "--database", database], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            if status != 0:
                sys.exit(f"bench: {title} failed")
            self.row(f"report: {title}", None, None, None, f"{time.monotonic() - started:.2f} s, CPU "
                     f"{usage.ru_utime + usage.ru_stime:.2f} s, {usage.ru_maxrss / 1024:.0f} MB")
        with self.serve(database, "--pages", "127.0.0.1:0", "--pages-open") as server:
            answered = []
            for path in ("/", "/campaigns", "/values", "/arrivals", "/arrived", "/withheld", "/trust", "/experiments"):
                address = f"{path}?from=2026-11-01&through=2026-11-30"
                # The highest memory begins anew: proc(5), clear_refs.
                pathlib.Path(f"/proc/{server.pid}/clear_refs").write_text("5")
                started, before = time.monotonic(), server.cpu_seconds()
                status, _ = server.ask("GET", address, pages=True)
                if status == 200:
                    answered.append(address)
                self.row(f"page: {path}", None, None, None, f"{time.monotonic() - started:.2f} s, CPU "
                         f"{server.cpu_seconds() - before:.2f} s, {server.peak_megabytes():.0f} MB"
                         f"{'' if status == 200 else f', answered {status}'}")
            self.devices_beside(server, answered)

    def devices_beside(self, server, addresses):
        """What devices wait at an even rate, alone and beside pages that are asked for one after the other, in turns."""
        seconds, rate, turns = (5, 200, 2) if self.quick else (10, 200, 3)
        with open(self.bodies) as bodies:
            lines = [next(bodies).strip().encode() for _ in range(rate * seconds * turns * 2)]
        taken = {"alone": [], "beside": []}
        shown = 0
        for kind in ["alone", "beside"] * turns:
            stop = threading.Event()
            def look():
                nonlocal shown
                while not stop.is_set():
                    for address in addresses:
                        if not stop.is_set():
                            server.ask("GET", address, pages=True)
                            shown += 1
            reader = threading.Thread(target=look)
            if kind == "beside":
                reader.start()
            taken[kind] += paced(server.url, [lines.pop() for _ in range(rate * seconds)], rate)
            stop.set()
            if kind == "beside":
                reader.join()
        at = lambda share, times: 1000 * sorted(times)[int(share * (len(times) - 1))]
        for kind, title in (("alone", "device, no page asked for"), ("beside", "device beside pages")):
            self.row(title, rate, None, None, f"p50 {at(0.5, taken[kind]):.2f} ms, p99 {at(0.99, taken[kind]):.2f} ms")
        self.row("p99 beside pages, of that alone", None, None, None,
                 f"{at(0.99, taken['beside']) / at(0.99, taken['alone']):.2f}; {shown} pages")

    def events_file(self, campaigns=60):
        """A million made-up events of some hundred thousand users, grouped by nothing, gzip-compressed."""
        path = self.folder / f"events-{campaigns}.csv.gz"
        # In a process of its own, because the peak memory of a child counts what its parent had when it was forked.
        writer = multiprocessing.Process(target=write_events, args=(path, campaigns))
        writer.start()
        writer.join()
        return path, 1_000_000

    def simulate(self):
        say("== simulation")
        users = 200_000 if self.quick else 1_000_000
        for line in run(self.helper, "simulate", "--users", str(users)).splitlines():
            figures = json.loads(line)
            self.row(f"simulated users, {figures['device']}, one processor", figures["users_per_second"], None, None,
                     f"{figures['crowd_ns'] + figures['run_ns']:.0f} ns for a user of ten events")
        events, rows = self.events_file()
        mapping = self.folder / "simulated.json"
        mapping.write_text(json.dumps({
            "name": "bench", "app": 525463029, "currency": "USD", "effective-from": "2020-01-01", "protocol": "skan4",
            "grids": [{"first-value": 1, "active-hours": list(range(0, 49, 12)),
                       "revenue": [0, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500]}]}))
        variants = []
        for number in range(1, 20):
            variants.append(self.folder / f"variant-{number}.json")
            document = json.loads(mapping.read_text())
            document["name"] = f"variant {number}"
            document["grids"][0]["revenue"][1] += number / 1000
            variants[-1].write_text(json.dumps(document))
        crowded, _ = self.events_file(50_000)
        for title, file, more in (
            ("shuffled gzip CSV", events, []),
            ("shuffled gzip CSV, 16 MB for events", events, ["--memory", "16"]),
            ("20 variants", events, [word for path in variants for word in ("--compare", path)]),
            ("50,000 campaigns as JSON", crowded, ["--format", "json"]),
            ("50,000 campaigns as JSON, 20 runs", crowded, ["--format", "json", "--runs", "20"]),
        ):
            started = time.monotonic()
            process = subprocess.Popen([self.skan, "simulate", "--quiet", "--mapping", mapping, "--events", file,
                                        "--threshold", "default", *more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            if status != 0:
                sys.exit("bench: the simulation failed")
            wall = time.monotonic() - started
            self.row(f"skan simulate, {title}", rows / wall, 1e6 * (usage.ru_utime + usage.ru_stime) / rows,
                     None, f"events a second, {wall:.2f} s for {rows:,}, {usage.ru_maxrss / 1024:.0f} MB")

    def editor(self):
        say("== the mapping editor")
        edits = 200 if self.quick else 1000
        figures = json.loads(run("taskset", "-c", "0", self.helper, "editor", "30000", str(edits), "1"))
        self.row("mapping editor, one processor", 1000 / figures["p50_ms"], 1000 * figures["p50_cpu_ms"], None,
                 f"edits a second; {figures['p50_ms']:.0f} ms half of the time, {figures['p95_ms']:.0f} ms at 95 %, "
                 f"{figures['events']:,} events")

    def estimate(self):
        """Intervals for a thousand campaigns over ninety days, and a design from a million users."""
        users = 60_000 if self.quick else 300_000
        say(f"== estimates of {users:,} installs of 1,000 campaigns over 90 days")
        rng = random.Random(2)
        events = self.folder / "campaigns.csv"
        with open(events, "w") as out:
            out.write("user,time,event,revenue,campaign\n")
            for user in range(users):
                start = 1_767_225_600 + rng.randrange(90 * 86400)
                money = f"{rng.lognormvariate(0, 1.2):.2f}" if rng.random() < 0.2 else ""
                # The last two digits make a campaign where values are withheld, so there are ten networks of a hundred.
                out.write(f"u{user},{start},open,,{rng.randrange(100):02}\nu{user},{start + 60},buy,{money},\n")
        mapping = self.folder / "estimated.json"
        mapping.write_text(json.dumps({
            "name": "bench", "app": 525463029, "currency": "USD", "effective-from": "2020-01-01", "protocol": "skan4",
            "fine": [{"value": 0, "revenue": {"from": 0, "to": "0.1", "representative": 0}}],
            "grids": [{"first-value": 1, "revenue": [f"{0.1 * 1.15 ** i:.2f}" for i in range(60)]}]}))
        database = self.folder / "estimate.db"
        with open(events) as whole:
            head, rows = whole.readline(), whole.readlines()
        for network in range(10):
            part, out = self.folder / "part.csv", self.folder / "part.ndjson"
            with open(part, "w") as some:
                some.write(head)
                some.writelines(rows[network * len(rows) // 10:(network + 1) * len(rows) // 10])
            run(self.skan, "simulate", "--quiet", "--mapping", mapping, "--events", part, "--threshold", "logistic:2",
                "--seed", str(network), "--network", f"network{network}.skadnetwork", "--postbacks", out, "--test-key", self.key)
            run(self.skan, "ingest", "--quiet", "--database", database, "--trust-test-keys", self.key,
                "--received-at-member", "simulated-arrival", out)
        run(self.skan, "mapping", "load", "--database", database, mapping)
        started = time.monotonic()
        report = json.loads(run(self.skan, "report", "estimates", "--database", database, "--environment", "test",
                                "--by", "day", "--format", "json"))
        wall = time.monotonic() - started
        campaigns = len({(row["network"], row["campaign"]) for row in report["rows"]})
        self.row("estimates by campaign and day, with intervals", len(report["rows"]) / wall, None, None,
                 f"cells a second: {campaigns:,} campaigns, {len(report['rows']):,} cells in {wall:.1f} s")
        million = self.folder / "million.csv"
        users = 100_000 if self.quick else 1_000_000
        with open(million, "w") as out:
            out.write("user,time,event,revenue\n")
            for user in range(users):
                start = 1_767_225_600 + rng.randrange(28 * 86400)
                for _ in range(3):
                    money = f"{rng.lognormvariate(0, 1.2):.2f}" if rng.random() < 0.1 else ""
                    out.write(f"u{user},{start + rng.randrange(9 * 86400)},open,{money}\n")
        started = time.monotonic()
        run(self.skan, "mapping", "design", "--quiet", "--events", million, "--app", "525463029", "--currency", "USD")
        wall = time.monotonic() - started
        self.row("skan mapping design", users / wall, None, None, f"users a second: {users:,} in {wall:.1f} s")


def format_row(row):
    what, rate, cpu, ratio, of_floor, note = row
    cells = [f"{rate:,.0f}" if rate else "", f"{cpu:.1f}" if cpu else "", f"{ratio:.2f}" if ratio else "",
             f"{of_floor:.2f}" if of_floor else ""]
    return f"{what:<46} {cells[0]:>12} {cells[1]:>12} {cells[2]:>9} {cells[3]:>9}  {note}"


def compare(ratios):
    """Compares ratios with the committed bounds; returns whether all that could be measured are within them."""
    bounds = json.loads((ROOT / "tools/measure/bench-bounds.json").read_text())["at-most"]
    is_within = True
    for name, most in bounds.items():
        found = ratios.get(name)
        verdict = "not measured" if found is None else "within" if found <= most else "ABOVE"
        is_within = is_within and verdict != "ABOVE"
        print(f"{name:<24} {'' if found is None else f'{found:.2f}':>8}  at most {most:.2f}  {verdict}")
    missing = [name for name in bounds if ratios.get(name) is None]
    if len(missing) == len(bounds):
        sys.exit("bench: nothing could be compared; run it on a quieter machine")
    return is_within


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="shorter rounds and fewer rows")
    parser.add_argument("--only", default=",".join(PARTS), help=f"parts to run: {','.join(PARTS)}")
    parser.add_argument("--folder", help="where the databases go (default: a temporary folder, removed afterwards)")
    parser.add_argument("--check", action="store_true", help="compare ratios with the bounds; exit 1 above one")
    parser.add_argument("--against", help="folder of another release build, measured in turns with this one instead")
    options = parser.parse_args()
    if options.check:
        options.quick = True
        if options.only == ",".join(PARTS):
            options.only = "verify,ingest,http,insert"
    parts = options.only.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"unknown parts: {', '.join(sorted(unknown))}")
    subprocess.run([ROOT / "tools/setup", "--bench"], check=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        bench = Bench(options, pathlib.Path(folder))
        bench.prepare()
        if options.against:
            return bench.against(options.against)
        for part in PARTS:
            if part in parts:
                getattr(bench, part)()
    cpu = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    print(f"{CPUS} x {cpu.group(1) if cpu else 'unknown processor'}, {run('openssl', 'version').split(' (')[0].strip()}")
    print(f"{'':<46} {'a second':>12} {'CPU us each':>12} {'x verify':>9} {'x floor':>9}")
    for row in bench.rows:
        print(format_row(row))
    if options.check and not compare(bench.ratios):
        sys.exit(1)


main()
