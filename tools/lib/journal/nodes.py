"""Nodes of a journal: services of skan with a database file each, which a tool starts, kills and asks."""
import http.client
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import skan_daemon
from skan_daemon import PATH, Daemon


class Failure(Exception):
    """Something that must hold does not."""


class Nodes:
    """The nodes of one run, in a folder of their own."""

    def __init__(self, skan, count, kind):
        self.skan = skan
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"skan-{kind}-"))
        self.folder.chmod(0o755)
        self.names = [chr(ord("a") + number) for number in range(count)]
        # What nodes are given as the journal and, where they follow the standby, as its address.
        self.journal, self.standby = None, None
        self.processes, self.ports = {}, {}
        self.following = set()
        skan_daemon.make_key(skan, self.folder)

    def run(self, *words, check=True, **more):
        done = subprocess.run([self.skan, *map(str, words)], capture_output=True, timeout=600, **more)
        if check and done.returncode:
            raise Failure(f"skan {' '.join(map(str, words))}: {done.stderr.decode()[-500:]}")
        return done.stdout

    def home(self, name):
        """Where a node's database is; a folder of its own, which a test of full disks makes a small disk."""
        home = self.folder / name
        home.mkdir(exist_ok=True)
        return home

    def database(self, name):
        return self.home(name) / "node.db"

    def spawn(self, name, database=None, *, log=None, standby=False, more=()):
        """Starts a service; returns the process and its port, or the process and nothing where it ends at once."""
        words = ["--database", database or self.database(name), "--journal", self.journal, "--node", name,
                 "--trust-test-keys", self.folder / "public.json", *more]
        if standby:
            words += ["--journal-standby", self.standby]
        process = Daemon(self.skan, *words, log=self.folder / f"{log or name}.log")
        return process, process.port if process.listens() else None

    def start(self, name, standby=False, patience=60, more=()):
        """Starts a node as a service manager does, again and again; fails where it does not start for long."""
        until = time.monotonic() + patience
        while True:
            process, port = self.spawn(name, standby=standby, more=more)
            if port:
                break
            process.end()
            if time.monotonic() > until:
                raise Failure(f"node {name} does not start: {self.log(name)[-500:]}")
            time.sleep(0.5)
        self.processes[name], self.ports[name] = process, port
        (self.following.add if standby else self.following.discard)(name)

    def kill(self, name):
        self.ports.pop(name, None)
        self.processes.pop(name).kill()

    def forget(self, name):
        """Deletes the file of a node that does not run."""
        for file in self.home(name).glob("node.db*"):
            file.unlink()

    def log(self, name):
        path = self.folder / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def ready(self, name):
        """What a balancer learns: the status of /readyz and its text; 0 where there is no answer."""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.ports[name], timeout=30)
            connection.request("GET", "/readyz")
            answer = connection.getresponse()
            text = answer.read().decode()
            connection.close()
            return answer.status, text
        except (OSError, KeyError, http.client.HTTPException):
            return 0, ""

    def post(self, port, body, timeout=30):
        """The status of an answer to a postback; 0 for none."""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
            connection.request("POST", PATH, body)
            status = connection.getresponse().status
            connection.close()
            return status
        except (OSError, http.client.HTTPException):
            return 0

    def stop_all(self):
        """Ends all nodes as a service manager does; each has to end well."""
        for process in self.processes.values():
            process.send(signal.SIGTERM)
        for name, process in self.processes.items():
            if (code := process.wait()) != 0:
                raise Failure(f"node {name} ended with {code} after SIGTERM")

    def keep(self):
        """Copies all files for a look at a failure."""
        kept = self.folder.with_name(self.folder.name + "-failed")
        shutil.copytree(self.folder, kept, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".s.*", "data"))
        return kept

    def kill_rest(self):
        for process in self.processes.values():
            process.kill()

    def end(self):
        self.kill_rest()
        shutil.rmtree(self.folder, ignore_errors=True)
