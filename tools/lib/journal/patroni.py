"""Three servers of PostgreSQL under Patroni, with three of etcd, on this machine; their settings are those of the sample."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

from nodes import Failure
from skan_daemon import ROOT
from private_postgresql import AS, INSTALLED, NOTHING

SAMPLE = ROOT / "tools/samples/patroni.yml"
PROGRAMS = ["patroni", "patronictl", "etcd"]
NUMBERS = [1, 2, 3]


def missing():
    """Programs that are not installed."""
    lacking = [program for program in PROGRAMS if not shutil.which(program)]
    return lacking if INSTALLED else ["postgresql", *lacking]


class Ports:
    """A free port of this machine for each address of the sample; 10.0.0.2:5432 becomes 127.0.0.1:PORT."""

    def __init__(self):
        self.ports, self.sockets = {}, []

    def of(self, host, port):
        if (host, port) not in self.ports:
            taken = socket.socket()
            taken.bind(("127.0.0.1", 0))
            # Held until all are known, so that no port is given twice.
            self.sockets.append(taken)
            self.ports[host, port] = taken.getsockname()[1]
        return self.ports[host, port]

    def release(self):
        for taken in self.sockets:
            taken.close()
        self.sockets = []

    def put(self, text):
        return re.sub(r"10\.0\.0\.(\d):(\d+)", lambda m: f"127.0.0.1:{self.of(int(m[1]), int(m[2]))}", text)


class Cluster:
    """Servers and etcds by number, 1 to 3."""

    def __init__(self, folder):
        self.folder, self.ports = folder, Ports()
        self.servers, self.etcds = {}, {}
        for number in NUMBERS:
            self.configure(number)
        for number in NUMBERS:
            for port in (2379, 2380):
                self.ports.of(number, port)
        self.ports.release()

    def home(self, number):
        return self.folder / f"pg{number}"

    def configure(self, number):
        home = self.home(number)
        home.mkdir()
        text = SAMPLE.read_text().replace("name: pg1", f"name: pg{number}")
        own = re.compile(r"((?:listen|connect_address): 10\.0\.0\.)1")
        text = self.ports.put(own.sub(lambda m: f"{m[1]}{number}", text))
        for there, here in {"/var/lib/postgresql/15/skan": home / "data", "/var/lib/postgresql/patroni.pgpass": home / "pgpass",
                            "/var/run/postgresql": home, "/usr/lib/postgresql/15/bin": INSTALLED[-1].parent,
                            "10.0.0.0/24": "127.0.0.1/32", "local all all peer": "local all all trust"}.items():
            text = text.replace(there, str(here))
        (home / "patroni.yml").write_text(text)
        if AS:
            shutil.chown(home, "postgres", "postgres")

    # ---- etcd ----------------------------------------------------------------------------------------------------

    def start_etcd(self, number):
        peers = ",".join(f"etcd{each}=http://127.0.0.1:{self.ports.of(each, 2380)}" for each in NUMBERS)
        client, peer = (f"http://127.0.0.1:{self.ports.of(number, port)}" for port in (2379, 2380))
        with open(self.home(number) / "etcd.log", "ab") as log:
            self.etcds[number] = subprocess.Popen(
                [*AS, "etcd", "--name", f"etcd{number}", "--data-dir", self.home(number) / "etcd",
                 "--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
                 "--initial-advertise-peer-urls", peer, "--initial-cluster", peers, "--initial-cluster-token", "skan-test",
                 "--initial-cluster-state", "new"], stdout=log, stderr=log, cwd="/")

    def etcd_leader(self):
        for number in NUMBERS:
            try:
                url = f"http://127.0.0.1:{self.ports.of(number, 2379)}/v3/maintenance/status"
                with urllib.request.urlopen(urllib.request.Request(url, b"{}"), timeout=3) as answer:
                    status = json.load(answer)
            except OSError:
                continue
            if status.get("leader") == status["header"]["member_id"]:
                return number
        return None

    def await_etcd(self):
        self.await_that(lambda: self.etcd_leader(), 30, "etcd has no leader")

    # ---- Patroni -------------------------------------------------------------------------------------------------

    def start(self, number):
        with open(self.home(number) / "patroni.log", "ab") as log:
            self.servers[number] = subprocess.Popen(
                [*AS, "patroni", self.home(number) / "patroni.yml"], stdout=log, stderr=log, cwd="/", start_new_session=True)

    def kill(self, number):
        """Ends Patroni and its server at once, as the loss of the machine would."""
        self.servers[number].kill()
        self.servers[number].wait()
        try:
            postmaster = int((self.home(number) / "data/postmaster.pid").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return
        children = subprocess.run(["pgrep", "-P", str(postmaster)], capture_output=True, text=True).stdout.split()
        for process in (postmaster, *map(int, children)):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def kill_etcd(self, number):
        self.etcds[number].kill()
        self.etcds[number].wait()

    def members(self):
        """What Patroni says of its members, by number; empty where none answers."""
        for number in NUMBERS:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.ports.of(number, 8008)}/cluster", timeout=3) as answer:
                    return {int(member["name"][-1]): member for member in json.load(answer)["members"]}
            except (OSError, ValueError, KeyError):
                continue
        return {}

    def leader(self):
        """The server that can be written; of two that believe it, the one that Patroni names."""
        return next((number for number, member in self.members().items()
                     if member["role"] in ("leader", "master") and member["state"] == "running"), None)

    def is_whole(self):
        """All three members run and follow, and commits wait for both standbys."""
        members = self.members()
        roles = [member["role"] for member in members.values()]
        return (len(members) == len(NUMBERS) and roles.count("leader") == 1 and roles.count("sync_standby") == 2
                and all(member["state"] in ("running", "streaming") and member.get("lag", 0) == 0
                        for member in members.values())
                and len({member.get("timeline") for member in members.values()}) == 1)

    def switch_over(self):
        leader = self.leader()
        target = next((number for number, member in self.members().items() if member["role"] == "sync_standby"), None)
        if not leader or not target:
            raise Failure("there is no synchronous standby to switch over to")
        done = subprocess.run(
            ["patronictl", "-c", self.home(leader) / "patroni.yml", "switchover", "--master", f"pg{leader}", "--candidate",
             f"pg{target}", "--force", "skan"], capture_output=True, text=True, cwd="/")
        if done.returncode:
            raise Failure(f"patronictl switchover: {done.stdout[-300:]} {done.stderr[-300:]}")

    # ---- All -----------------------------------------------------------------------------------------------------

    def begin(self):
        for number in NUMBERS:
            self.start_etcd(number)
        self.await_etcd()
        # The first one makes the cluster.
        for number in NUMBERS:
            self.start(number)
        self.await_whole(180)
        self.sql("CREATE ROLE skan LOGIN PASSWORD 'replace-this-4'", "postgres")
        self.sql("CREATE DATABASE skan OWNER skan", "postgres")
        # A client does not pass on to the next host where one rejects it, as a standby that lacks the database does.
        self.await_that(lambda: all(self.has_database(number) for number in NUMBERS), 30, "a standby lacks the database")
        passwords = self.folder / "pgpass"
        passwords.write_text("127.0.0.1:*:*:skan:replace-this-4\n")
        passwords.chmod(0o600)

    def address(self):
        hosts = ",".join(f"127.0.0.1:{self.ports.of(number, 5432)}" for number in NUMBERS)
        return f"postgres://skan@{hosts}/skan?passfile={self.folder / 'pgpass'}"

    def psql(self, number, text, database):
        return subprocess.run(
            [INSTALLED[-1].parent / "psql", "-q", "-At", "-F", "\t", "-c", text, "-d",
             f"host=127.0.0.1 port={self.ports.of(number, 5432)} user=postgres password=replace-this-1 dbname={database}"],
            capture_output=True, text=True, timeout=60)

    def has_database(self, number):
        return self.psql(number, "SELECT 1", "skan").returncode == 0

    def sql(self, text, database):
        done = self.psql(self.leader(), text, database)
        if done.returncode:
            raise Failure(f"psql: {done.stderr[-300:]}")
        return [line.split("\t") for line in done.stdout.splitlines()]

    def ask(self, text):
        return self.sql(text, "skan")

    def await_that(self, holds, seconds, trouble):
        until = time.monotonic() + seconds
        while not (found := holds()):
            if time.monotonic() > until:
                raise Failure(trouble)
            time.sleep(0.2)
        return found

    def await_whole(self, seconds):
        self.await_that(self.is_whole, seconds, "the servers do not become one cluster again")

    def end(self):
        for number, process in self.servers.items():
            if process.poll() is None:
                self.kill(number)
        for number, process in self.etcds.items():
            if process.poll() is None:
                self.kill_etcd(number)
