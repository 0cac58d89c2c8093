"""Sources of pulls for tools/stress/abuse: honest ones of many rows in each form, and ones that do what a source must not."""
import datetime
import gzip
import http.server
import json
import multiprocessing
import random
import re
import socketserver
import sqlite3
import time

DAYS = ["2026-10-01", "2026-10-02", "2026-10-03"]
# A run asks for the first of them up to yesterday.
OTHERS = ["2026-09-30", "2025-10-02", "2099-01-01", "1999-12-31", *(
    str(datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=ahead)) for ahead in (0, 1, 30))]
FORMS = ["csv", "json", "array", "ndjson", "long-lines", "many-columns", "pages"]
# What a source does wrong; "none" is one whose rows are all stored.
FAULTS = ["none", "none", "none", "hangs", "dribbles", "cut-off", "redirects", "busy", "other-day", "other-network",
          "other-currency", "gzip", "bad-row", "endless", "no-length"]
NETWORK = "example123.skadnetwork"


def spend(number):
    return {"day": DAYS[number % 3], "campaign": f"campaign {number // 3:07d}", "cost": f"{number % 1000}.{number % 100:02d}"}


def rows(form, count, fault, network, chance):
    """The rows with at most one that is wrong, at a place by chance."""
    wrong = chance.randrange(count)
    long, columns = "x" * chance.choice([1000, 20_000, 60_000]), chance.choice([100, 900])
    for number in range(count):
        row = spend(number)
        row["network"], row["currency"] = network, "USD"
        if number == wrong:
            row |= {"other-day": {"day": chance.choice(OTHERS)}, "other-network": {"network": "other456.skadnetwork"},
                    "other-currency": {"currency": "EUR"}, "bad-row": {"cost": "many"}}.get(fault, {})
        if form == "long-lines":
            row["note"] = long
        if form == "many-columns":
            row |= {f"c{column}": str(number) for column in range(columns)}
        yield row


def text(form, count, fault, network, chance):
    """The answer, piece by piece."""
    found = rows(form, count, fault, network, chance)
    if form in ("csv", "long-lines", "many-columns"):
        for number, row in enumerate(found):
            if number == 0:
                yield ",".join(row) + "\n"
            yield ",".join(row.values()) + "\n"
    elif form == "ndjson":
        for row in found:
            yield json.dumps(row) + "\n"
    else:
        yield {"json": '{"data":[', "pages": '{"data":[', "array": "["}[form]
        for number, row in enumerate(found):
            yield ("," if number else "") + json.dumps(row)
        yield "]" if form == "array" else '],"next":null}'
    while fault == "endless":
        yield " " * 4096


class Source(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        form, count, fault, seed, network = self.path.strip("/").split("/")
        chance, count = random.Random(seed), int(count)
        if fault == "redirects":
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/csv/10/none/1/{NETWORK}")
            self.end_headers()
            return
        if fault == "busy":
            self.send_response(chance.choice([429, 503]))
            self.send_header("Retry-After", "100000")
            self.end_headers()
            return
        self.send_response(200)
        if fault == "cut-off":
            self.send_header("Content-Length", str(200 << 20))
        if fault == "gzip":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        if fault == "hangs":
            self.wfile.write(b"day,")
            time.sleep(600)
            return
        piece, sent, most = [], 0, chance.choice([0, 100, 10_000_000]) if fault == "cut-off" else 1 << 40
        for part in text(form, count, fault, network, chance):
            if fault == "dribbles":
                for letter in part:
                    self.wfile.write(letter.encode())
                    time.sleep(1)
            piece.append(part)
            if len(piece) == 500:
                self.give(piece, fault)
                sent += sum(map(len, piece))
                piece = []
            if sent >= most:
                return
        self.give(piece, fault)

    def give(self, piece, fault):
        data = "".join(piece).encode()
        self.wfile.write(gzip.compress(data, 1) if fault == "gzip" else data)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


def serve(ports):
    server = Server(("127.0.0.1", 0), Source)
    ports.send(server.server_port)
    server.serve_forever()


def begin():
    """Starts the sources in a process of their own.

    Returns its port and the process.
    """
    there, here = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=serve, args=(here,), daemon=True)
    process.start()
    return there.recv(), process


def document(name, network, form, count, fault, seed, port, seconds):
    content = {
        "pull": name, "request": {"url": f"http://127.0.0.1:{port}/{form}/{count}/{fault}/{seed}/{network}"},
        "days": {"again": 366, "earliest": DAYS[0]}, "limits": {"megabytes": 256, "run-seconds": seconds},
        "profile": {
            "profile": "rows", "imports": "spend", "records": "file",
            "columns": {"date": "day", "campaign": "campaign", "amount": "cost"},
            "fixed": {"network": network, "currency": "USD"},
        },
        "replaces": "days",
    }
    if form in ("json", "pages"):
        content["rows"] = "data"
    if form == "pages":
        content["pages"] = {"next": "next"}
    return content


class Pulls:
    """Has a daemon run pulls, some at a time, and looks at what of each is in the database."""

    def __init__(self, world, port, most):
        self.world, self.port, self.most, self.turn = world, port, most, 0

    def __call__(self):
        world, chance = self.world, self.world.chance()
        self.turn += 1
        wanted, listed = {}, []
        for number in range(chance.choice([1, 4, 8])):
            form, fault = chance.choice(FORMS), chance.choice(FAULTS)
            count = chance.choice([3, 3000, self.most // 4, self.most])
            if form in ("long-lines", "many-columns"):
                count = min(count, 3000)
            name = f"{world.seed}-{self.turn}-{number}"
            # One network each, so that its rows show what of the answer was stored.
            network = f"p{self.turn}n{number}.skadnetwork"
            seconds = 20 if fault in ("hangs", "dribbles") else 300
            path = world.folder / f"pull-{name}.json"
            content = document(name, network, form, count, fault, chance.randrange(1 << 30), self.port, seconds)
            path.write_text(json.dumps(content))
            listed.append({"file": str(path), "every-hours": 6})
            wanted[name] = (network, form, count, fault)
        world.configure(pulls=listed)
        withdrawn = chance.random() < 0.2
        end = time.monotonic() + (chance.uniform(1, 40) if withdrawn else 100 if world.kills else 420)
        found = {}
        while len(found) < len(wanted) and time.monotonic() < end and not world.stopping.wait(0.5):
            log = (world.folder / "log").read_text(errors="replace")
            for name in wanted:
                lines = re.findall(rf"^.*(?:pulled|pull-failed)\b.*\b{name}\b.*$", log, re.M)
                if lines:
                    found[name] = lines[-1]
        world.configure(pulls=[])
        if len(found) < len(wanted):
            # A run with which the daemon died waits for an hour.
            if not withdrawn and not world.kills and not world.stopping.is_set():
                world.wrong(f"pulls without an end: {sorted(wanted[name][1:] for name in wanted.keys() - found.keys())}")
            world.stopping.wait(20)
        for name, (network, form, count, fault) in wanted.items():
            good = fault in ("none", "no-length")
            with sqlite3.connect(f"file:{world.database}?mode=ro", uri=True, timeout=30) as stored:
                have = stored.execute("SELECT count(*) FROM spend WHERE network = ?", [network]).fetchone()[0]
            # One that stores goes on when it is withdrawn, and a part stays of one with which the daemon died.
            right = range(0, count + 1) if good and name not in found else [count if good else 0]
            world.count(f"pull {fault} {'stored' if have == count else 'nothing stored' if not have else 'in part'}"
                        f"{'' if name in found else ', not ended'}")
            if have not in right:
                world.wrong(f"pull {fault} {form}: {have} of {count} rows are stored: {found.get(name)}")
