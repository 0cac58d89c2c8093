"""Measures nodes of a journal: how far they are behind, how fast one catches up, and what the journal takes.

  tools/measure/bench journal [--rate N] [--seconds N] [--nodes N] [--fill N] [--standby] [--skan PROGRAM]

Starts a private PostgreSQL server, with --standby two of which each commit waits for both, and nodes with files of their own.

  lag        clients post at an even rate to all nodes; for each batch, the time from its commit in the journal, and from its
             own node's file, to the file of each other node; files are looked at every 2 ms
  append     an empty batch is appended every 50 ms meanwhile, as a node does it: the time of the call
  catch-up   more postbacks are posted as fast as nodes answer; then a node without a file starts, and follows everything
  bytes      of a postback in the journal's table, with its index, and in PostgreSQL's log

Servers, nodes, clients and the look at the files share this machine's processors. Needs tools/setup --postgresql.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys
import threading
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / folder) for folder in ("lib/journal", "lib")]
sys.dont_write_bytecode = True
import private_postgresql  # noqa: E402
import skan_daemon  # noqa: E402
from client import quantile  # noqa: E402
from nodes import Failure, Nodes  # noqa: E402
from skan_daemon import cpu_seconds  # noqa: E402
from verify import await_same_place, reading  # noqa: E402

CLIENT = pathlib.Path(__file__).resolve().parents[2] / "lib/journal/client.py"
TURNS = 3
SETTINGS = "-c track_commit_timestamp=on -c max_wal_size=4GB"


class Watch:
    """Notes when each node's file reaches which position, in seconds of the clock of the day."""

    def __init__(self, nodes):
        self.files = {name: reading(nodes.database(name)) for name in nodes.names}
        for name in nodes.names:
            self.files[name].close()
            self.files[name] = sqlite3.connect(f"file:{nodes.database(name)}?mode=ro", uri=True, check_same_thread=False)
        self.steps = {name: [] for name in nodes.names}
        self.is_over = False
        self.thread = threading.Thread(target=self.look)
        self.thread.start()

    def look(self):
        last = dict.fromkeys(self.files, 0)
        while not self.is_over:
            for name, file in self.files.items():
                ((position,),) = file.execute("SELECT position FROM journal_place").fetchall()
                if position != last[name]:
                    last[name] = position
                    self.steps[name].append((time.time(), position))
            time.sleep(0.002)

    def end(self):
        self.is_over = True
        self.thread.join()

    def reached(self):
        """For each node, when it had a position, by position."""
        found = {}
        for name, steps in self.steps.items():
            found[name], before = {}, None
            for moment, position in steps:
                for each in range(position if before is None else before + 1, position + 1):
                    found[name][each] = moment
                before = position
        return found


class Probe:
    """Appends empty batches under a name of its own, and notes how long each takes."""

    def __init__(self, server):
        self.times, self.number, self.is_over = [], 0, False
        ((self.identity,),) = server.ask("SELECT identity FROM skan_journal.head")
        self.psql = subprocess.Popen([server.programs / "psql", "-q", "-At", server.address()], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True)
        self.psql.stdin.write("\\timing on\n")
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def work(self):
        while not self.is_over:
            self.number += 1
            # Format 1, not packed, no bytes of content.
            self.psql.stdin.write(f"SELECT skan_journal.append('{self.identity}', 'probe', {self.number}, '\\x010000000000');\n")
            self.psql.stdin.flush()
            while not (line := self.psql.stdout.readline()).startswith("Time:"):
                if not line:
                    raise Failure("psql ended")
            self.times.append(float(line.split()[1]) / 1000)
            time.sleep(0.05)

    def end(self):
        self.is_over = True
        self.thread.join()
        self.psql.stdin.close()
        self.psql.wait()


class Bench:
    def __init__(self, options):
        self.options = options
        self.nodes = Nodes(skan_daemon.program(options.skan), options.nodes, "journal-bench")
        self.server, self.pair, self.next = None, None, 0

    def say(self, what, text):
        print(f"{what:10} {text}", flush=True)

    def servers(self):
        return [self.pair.primary, self.pair.standby] if self.pair else [self.server]

    def server_seconds(self):
        return sum(server.cpu_seconds() for server in self.servers())

    def post(self, count, rate, connections):
        done = subprocess.run(
            [sys.executable, CLIENT, self.nodes.folder / "bodies", str(self.next), str(count), str(rate), str(connections),
             *map(str, self.nodes.ports.values())], capture_output=True, text=True)
        if done.returncode:
            raise Failure(f"the client: {done.stderr[-300:]}")
        self.next += count
        found = json.loads(done.stdout)
        if set(found["answers"]) != {"200"}:
            raise Failure(f"answers other than 200: {found['answers']}")
        return found

    def stored(self, name):
        connection = reading(self.nodes.database(name))
        ((count,),) = connection.execute("SELECT count(*) FROM postback").fetchall()
        connection.close()
        return count

    def run(self):
        nodes, options = self.nodes, self.options
        print(f"{options.nodes} nodes, {'a server with a synchronous standby' if options.standby else 'one server'}, "
              f"{os.cpu_count()} processors for all of them and the clients; load before {os.getloadavg()[0]:.1f}", flush=True)
        if options.standby:
            self.pair = private_postgresql.Pair(nodes.folder / "one", nodes.folder / "two", SETTINGS)
            self.server = self.pair.primary
        else:
            self.server = private_postgresql.Server(nodes.folder / "one", SETTINGS)
        nodes.journal = self.server.address()
        nodes.run("journal", "init", "--journal", nodes.journal)
        paced = options.rate * options.seconds
        with open(nodes.folder / "bodies", "wb") as bodies:
            bodies.write(nodes.run("sign", "-q", "--test-key", nodes.folder / "key.json", "--count", paced + options.fill,
                                   "--seed", 1))
        for name in nodes.names:
            nodes.start(name, more=("--connections-per-address", "0"))
        self.lag(paced)
        self.fill()
        self.catch_up()
        nodes.stop_all()

    def lag(self, count):
        server, nodes = self.server, self.nodes
        ((before, at),) = server.ask("SELECT position, pg_current_wal_lsn() FROM skan_journal.head")
        watch, probe = Watch(nodes), Probe(server)
        cpu = [cpu_seconds(nodes.processes[name].pid) for name in nodes.names], self.server_seconds()
        found = self.post(count, self.options.rate, 32)
        spent = [cpu_seconds(nodes.processes[name].pid) - first for name, first in zip(nodes.names, cpu[0])]
        at_server = self.server_seconds() - cpu[1]
        probe.end()
        time.sleep(0.5)
        watch.end()
        rows = server.ask("SELECT position, node, pg_xact_commit_timestamp(xmin), octet_length(body) FROM skan_journal.batch "
                          f"WHERE position > {before} ORDER BY position")
        ((log,),) = server.ask(f"SELECT pg_current_wal_lsn() - '{at}'")
        reached = watch.reached()
        committed, own = [], []
        for position, node, moment, _ in rows:
            position = int(position)
            commit = datetime.datetime.fromisoformat(re.sub(r"\+00$", "+00:00", moment)).timestamp()
            for other in nodes.names:
                if other == node or position not in reached[other]:
                    continue
                committed.append(reached[other][position] - commit)
                if node in reached and position in reached[node]:
                    own.append(max(0.0, reached[other][position] - reached[node][position]))
        batches = [row for row in rows if row[1] in nodes.names]
        self.say("clients", f"{found['rate']:,.0f} a second ({self.options.rate:,} wanted), answered after p50 "
                 f"{1000 * found['p50']:.0f} ms, p99 {1000 * found['p99']:.0f} ms; sent late by p99 "
                 f"{1000 * found['late_p99']:.0f} ms, the client took {100 * found['busy']:.0f} % of a processor")
        self.say("lag", f"commit in the journal to another node's file p50 {self.figures(committed)}; own file to another's p50 "
                 f"{self.figures(own)}; {len(batches)} batches of {count / len(batches):.0f}")
        self.say("append", f"p50 {self.figures(probe.times)}; {len(probe.times)} empty batches")
        self.say("CPU", f"{1e6 * sum(spent) / count:.0f} us a postback in all nodes together, {1e6 * at_server / count:.0f} us at "
                 f"{'the servers' if self.pair else 'the server'}")
        self.say("bytes", f"{sum(int(row[3]) for row in rows) / count:.0f} a postback in batches of {count / len(batches):.0f}, "
                 f"{int(log) / count:.0f} in the server's log")

    def figures(self, values):
        return (f"{1000 * quantile(values, 0.5):.0f} ms, p99 {1000 * quantile(values, 0.99):.0f} ms, most "
                f"{1000 * max(values):.0f} ms")

    def fill(self):
        server = self.server
        ((before, at),) = server.ask("SELECT position, pg_current_wal_lsn() FROM skan_journal.head")
        found = self.post(self.options.fill, 0, 128)
        ((last, bytes_, log),) = server.ask(
            "SELECT max(position), sum(octet_length(body)), pg_current_wal_lsn() - "
            f"'{at}' FROM skan_journal.batch WHERE position > {before}")
        count = self.options.fill
        self.say("fill", f"{found['rate']:,.0f} a second over {self.options.nodes} nodes, answered after p50 "
                 f"{1000 * found['p50']:.0f} ms, p99 {1000 * found['p99']:.0f} ms")
        self.say("bytes", f"{int(bytes_) / count:.0f} a postback in batches of {count / (int(last) - int(before)):.0f}, "
                 f"{int(log) / count:.0f} in the server's log")

    def catch_up(self):
        nodes, server = self.nodes, self.server
        ((last, size),) = server.ask(
            "SELECT position, pg_total_relation_size('skan_journal.batch') FROM skan_journal.head")
        await_same_place(nodes, nodes.names, int(last))
        count = self.stored(nodes.names[0])
        turns = []
        for _ in range(TURNS):
            nodes.forget("late")
            at_server, began = self.server_seconds(), time.monotonic()
            # It listens once it has everything.
            process, port = nodes.spawn("late")
            nodes.processes["late"], wall = process, time.monotonic() - began
            if not port or self.stored("late") < count:
                raise Failure(f"the late node does not catch up: {nodes.log('late')[-300:]}")
            cpu, spent = cpu_seconds(process.pid), self.server_seconds() - at_server
            turns.append((wall, 1e6 * cpu / count, 1e6 * spent / count))
            nodes.kill("late")
        walls, own, at_server = zip(*turns)
        self.say("catch-up", f"{count / statistics.median(walls):,.0f} postbacks a second ({count / max(walls):,.0f} to "
                 f"{count / min(walls):,.0f} in {TURNS} turns of {count:,}); {statistics.median(own):.1f} us of CPU a postback, "
                 f"{statistics.median(at_server):.1f} us at the server")
        file = sum(path.stat().st_size for path in nodes.home("late").glob("node.db*"))
        self.say("sizes", f"{int(size) / count:.0f} bytes a postback in the journal's table, {file / count:.0f} in a node's file")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rate", type=int, default=2000, help="postbacks a second")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--fill", type=int, default=200_000, help="postbacks posted as fast as they are answered")
    parser.add_argument("--standby", action="store_true", help="each commit waits for a standby too")
    parser.add_argument("--skan", default=None, help="the program, otherwise .build/release/skan or .build/debug/skan")
    options = parser.parse_args()
    if not private_postgresql.INSTALLED:
        print("bench journal: PostgreSQL is not installed; tools/setup --postgresql installs it")
        return 69
    bench = Bench(options)
    try:
        bench.run()
        return 0
    except (Failure, OSError, subprocess.SubprocessError) as failure:
        print(f"FAILED: {failure}")
        return 1
    finally:
        bench.nodes.kill_rest()
        for server in bench.servers() if bench.server else []:
            server.end()
        bench.nodes.end()


if __name__ == "__main__":
    sys.exit(main())
