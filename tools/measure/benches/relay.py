"""Measures how far a relay is behind while another one is dead, and what relays cost a device that waits for its answer.

  tools/measure/bench relay [--rate N] [--seconds N] [--turns N] [--skan PROGRAM]
  tools/measure/bench relay --backlog N [--delay MS] [--parallel N] [--ordered] [--least N] [--skan PROGRAM]

In turns, a daemon with two relays, one of them to an address where nobody listens, and a daemon without any get the same
number of postbacks a second. Prints, for both, the time until the answer, and for the relays the time from a postback's
arrival at skan to its arrival at the other side. Sender and receiver run on the same machine.

With --backlog, that many postbacks are in the database before the daemon starts, and a relay sends them to an address that
answers each after a delay: prints how many arrive a second, the CPU time of the daemon for each, and its threads and open
files meanwhile; exit code 1 where fewer than --least arrive a second, one arrives twice, or a figure of the relay is missing
at /metrics.
"""
import argparse
import asyncio
import http.client
import json
import pathlib
import random
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "lib"))
sys.dont_write_bytecode = True
import skan_daemon  # noqa: E402
from skan_daemon import PATH  # noqa: E402

SENDERS = 4


def receive(book, delay):
    """Takes posts on any number of connections, notes the number and the time of each, and answers 200 after a delay."""
    notes = open(book, "w", buffering=1 << 16)

    async def serve(reader, writer):
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
                number = head.split(b"skan-delivery:")[1].split(b"\r\n")[0].strip().decode()
                moment = time.time() * 1000
                if delay:
                    await asyncio.sleep(delay / 1000)
                notes.write(f"{number} {moment:.3f}\n")
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            notes.flush()

    async def run_server():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        while True:
            await asyncio.sleep(0.2)
            notes.flush()

    asyncio.run(run_server())


def send(port, bodies, rate):
    """Sends postbacks at a rate, and prints the milliseconds that each answer took."""
    lines = pathlib.Path(bodies).read_bytes().splitlines()
    taken, lock = [], threading.Lock()

    def work(part):
        connection, own = http.client.HTTPConnection("127.0.0.1", port, timeout=30), []
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for place, body in enumerate(part):
            pause = start + place * SENDERS / rate - time.perf_counter()
            if pause > 0:
                time.sleep(pause)
            began = time.perf_counter()
            connection.request("POST", PATH, body)
            answer = connection.getresponse()
            answer.read()
            own.append((time.perf_counter() - began) * 1000)
            if answer.status != 200:
                sys.exit(f"a postback was answered {answer.status}")
        with lock:
            taken.extend(own)

    start = time.perf_counter() + 0.1
    threads = [threading.Thread(target=work, args=(lines[i::SENDERS],)) for i in range(SENDERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"answers": taken, "seconds": time.perf_counter() - start}))


if sys.argv[1:2] == ["--receive"]:
    receive(sys.argv[2], float(sys.argv[3]))
if sys.argv[1:2] == ["--send"]:
    send(int(sys.argv[2]), sys.argv[3], float(sys.argv[4]))
    sys.exit()

parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--rate", type=int, default=1000, help="postbacks a second")
parser.add_argument("--seconds", type=int, default=10, help="of each turn")
parser.add_argument("--turns", type=int, default=3)
parser.add_argument("--backlog", type=int, default=0, help="postbacks that wait for a relay at the start")
parser.add_argument("--delay", type=float, default=50, help="milliseconds until an address answers")
parser.add_argument("--parallel", type=int, default=64, help="postbacks under way at a time")
parser.add_argument("--ordered", action="store_true")
parser.add_argument("--least", type=float, default=0, help="postbacks a second that have to arrive")
parser.add_argument("--skan", default=None, help="the program, otherwise .build/release/skan or .build/debug/skan")
options = parser.parse_args()
skan = skan_daemon.program(options.skan)


problems = []


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def share(values, part):
    values = sorted(values)
    return round(values[min(len(values) - 1, int(part * len(values)))], 2)


def figures(values):
    return {"p50": share(values, 0.5), "p99": share(values, 0.99), "max": round(max(values), 2)}


def turn(folder, seed, has_relays):
    """One turn: the answers, the lags, and the seconds of processor that the daemon used."""
    database, bodies, book = (folder / f"{name}{seed}" for name in ("db", "bodies", "book"))
    bodies.write_text(run(skan, "sign", "-q", "--test-key", folder / "key.json", "--seed", seed, "--count",
                          options.rate * options.seconds))
    receiver = subprocess.Popen([sys.executable, __file__, "--receive", book, "0"], stdout=subprocess.PIPE, text=True)
    port = int(receiver.stdout.readline())
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        dead = nobody.getsockname()[1]
    relays = [{"name": name, "url": f"http://127.0.0.1:{to}/", "environments": ["test"]}
              for name, to in (("dead", dead), ("working", port))]
    (folder / "skan.json").write_text(json.dumps({"relays": relays if has_relays else []}))
    daemon = serve(folder, database)
    try:
        sent = json.loads(run(sys.executable, __file__, "--send", daemon.port, bodies, options.rate))
        time.sleep(1.5)
        cpu = daemon.cpu_seconds()
        memory = int(pathlib.Path(f"/proc/{daemon.pid}/statm").read_text().split()[1]) * 4096 / 1e6
    finally:
        daemon.end()
        # It writes its notes when the daemon closes the connection.
        time.sleep(0.5)
        receiver.kill()
        receiver.wait()
    lags = []
    if has_relays:
        connection = sqlite3.connect(database)
        arrived = dict(connection.execute("SELECT id, received_at FROM postback"))
        for line in book.read_text().splitlines():
            number, moment = line.split()
            lags.append(float(moment) - arrived[int(number)])
        if len(lags) < len(arrived):
            sys.exit(f"FAILED: {len(arrived)} postbacks are stored and {len(lags)} arrived")
    return sent["answers"], lags, cpu, memory, len(sent["answers"]) / sent["seconds"]


def serve(folder, database):
    return skan_daemon.serve(
        skan, "--database", database, "--config", folder / "skan.json", "--trust-test-keys", folder / "public.json",
        log=folder / "log")


def read_metrics(daemon):
    """The figures of the relay at /metrics."""
    text = daemon.ask("GET", "/metrics")[1].decode()
    return {name: float(value) for name, value in re.findall(r'^skan_relay_(\w+){relay="slow"} (\S+)$', text, re.M)}


def backlog(folder):
    """Works a backlog off, and returns what came of it."""
    database, bodies, book = (folder / name for name in ("db", "bodies", "book"))
    bodies.write_text(run(skan, "sign", "-q", "--test-key", folder / "key.json", "--seed", 1, "--count", options.backlog))
    run(skan, "ingest", "--route", "advertiser-copy", "-d", database, "--trust-test-keys", folder / "public.json", bodies)
    receiver = subprocess.Popen(
        [sys.executable, __file__, "--receive", book, str(options.delay)], stdout=subprocess.PIPE, text=True)
    relay = {"name": "slow", "url": f"http://127.0.0.1:{int(receiver.stdout.readline())}/", "environments": ["test"],
             "from": "beginning", "parallel": options.parallel, "ordered": options.ordered}
    (folder / "skan.json").write_text(json.dumps({"relays": [relay]}))
    daemon = serve(folder, database)
    try:
        wanted = sqlite3.connect(database).execute("SELECT count(*) FROM postback").fetchone()[0]
        lines, threads, files, paces = [], 0, 0, []
        process = pathlib.Path(f"/proc/{daemon.pid}")
        while len(lines) < wanted:
            time.sleep(0.5)
            if not daemon.runs:
                sys.exit("FAILED: the daemon ended")
            lines = book.read_text().splitlines()
            threads = max(threads, len(list((process / "task").iterdir())))
            files = max(files, len(list((process / "fd").iterdir())))
            paces.append(read_metrics(daemon))
        cpu = daemon.cpu_seconds()
    finally:
        daemon.end()
        receiver.kill()
        receiver.wait()
    moments = [float(line.split()[1]) for line in lines]
    seconds = (max(moments) - min(moments)) / 1000
    again = len(lines) - len({line.split()[0] for line in lines})
    # In the middle of the work, when the pace is known and most of it is still to be done.
    shown = paces[len(paces) // 2]
    if again:
        problems.append(f"{again} arrived twice")
    if wanted / seconds < options.least:
        problems.append(f"{wanted / seconds:.0f} arrive a second, fewer than {options.least:.0f}")
    if seconds > 20:
        for name in ("waiting", "lag_seconds", "pace", "caught_up_seconds"):
            if name not in shown:
                problems.append(f"skan_relay_{name} is not at /metrics")
        if not 0.8 < shown.get("pace", 0) / (wanted / seconds) < 1.25:
            problems.append(f"the pace at /metrics is {shown.get('pace')}")
    return {
        "postbacks": wanted, "again": again, "seconds": round(seconds, 1), "threads": threads, "files": files,
        "shown-halfway": shown,
        "a-second": round(wanted / seconds, 1), "cpu-us-each": round(cpu * 1e6 / wanted, 1), "delay-ms": options.delay,
        "parallel": options.parallel, "ordered": options.ordered, "program": "release" if "/release/" in skan else skan}


with tempfile.TemporaryDirectory(prefix="skan-relay-bench-") as name:
    folder = pathlib.Path(name)
    skan_daemon.make_key(skan, folder)
    if options.backlog:
        print(json.dumps(backlog(folder), indent=2))
        sys.exit(f"FAILED: {'; '.join(problems)}" if problems else 0)
    results = {True: [], False: []}
    for number in range(options.turns * 2):
        has_relays = number % 2 == 0
        results[has_relays].append(turn(folder, random.randrange(1 << 30), has_relays))
    summary = {}
    for has_relays, name in ((True, "with-relays"), (False, "without")):
        turns = results[has_relays]
        summary[name] = {
            "answer-ms": figures([value for result in turns for value in result[0]]),
            "cpu-seconds": round(sum(result[2] for result in turns), 2),
            "memory-mb": round(max(result[3] for result in turns), 1),
            "rate": round(sum(result[4] for result in turns) / len(turns)),
        }
    summary["lag-ms"] = figures([lag for result in results[True] for lag in result[1]])
    both = [summary[name]["answer-ms"] for name in ("with-relays", "without")]
    summary["answer-ratio"] = {part: round(both[0][part] / both[1][part], 3) for part in ("p50", "p99")}
    summary["program"] = "release" if "/release/" in skan else skan
    print(json.dumps(summary, indent=2))
