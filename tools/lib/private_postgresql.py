"""A PostgreSQL server of a tool's own, in a folder and behind a socket that go with it; alone, or with a standby."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

from skan_daemon import cpu_seconds

# The server runs as its own user where the tool runs as root.
AS = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
INSTALLED = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
NOTHING = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}


class Server:
    """Has a database skan; an empty ``INSTALLED`` means that there is no server to start."""

    def __init__(self, folder, settings="", of=None):
        """Makes a server of its own, or a standby of another one, and starts it."""
        self.programs = INSTALLED[-1].parent
        self.folder = folder
        self.settings = f"-c listen_addresses='' -c unix_socket_directories={folder} -c max_connections=60 {settings}"
        folder.mkdir(exist_ok=True)
        os.chmod(folder.parent, 0o755)
        if AS:
            shutil.chown(folder, "postgres", "postgres")
        if of:
            self.copy(of)
            return
        subprocess.run(
            [*AS, self.programs / "initdb", "-D", folder / "data", "-U", "skan", "--auth=trust", "--no-locale", "-E", "UTF8",
             "-N"],
            check=True, stdout=subprocess.DEVNULL, cwd="/")
        self.start()
        self.sql("CREATE DATABASE skan")

    def copy(self, primary):
        """Becomes a standby of another server, and loses what it had."""
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        subprocess.run(
            [*AS, self.programs / "pg_basebackup", "-D", self.folder / "data", "-R", "-N", "-c", "fast", "-d",
             f"host={primary.folder} user=skan application_name={self.folder.name}"], check=True, cwd="/", **NOTHING)
        self.start()

    def address(self, database="skan"):
        return f"host={self.folder} user=skan dbname={database}"

    def order(self, *words, check=True):
        subprocess.run(
            [*AS, self.programs / "pg_ctl", "-s", "-w", "-D", self.folder / "data", "-l", self.folder / "log",
             "-o", self.settings, *words], check=check, stderr=None if check else subprocess.DEVNULL, cwd="/", **NOTHING)

    def crash(self):
        self.order("stop", "-m", "immediate")

    def start(self, check=True):
        self.order("start", check=check)

    def runs(self):
        return subprocess.run([*AS, self.programs / "pg_ctl", "-D", self.folder / "data", "status"], cwd="/",
                              **NOTHING).returncode == 0

    def sql(self, text, database="postgres"):
        subprocess.run(
            [self.programs / "psql", "-q", self.address(database), "-c", text],
            check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, text, database="skan"):
        """The rows of an answer, each a list of texts."""
        answer = subprocess.run([self.programs / "psql", "-q", "-At", "-F", "\t", self.address(database), "-c", text],
                                check=True, capture_output=True, text=True, timeout=60).stdout
        return [line.split("\t") for line in answer.splitlines()]

    def processes(self):
        """The server's process and those that it started."""
        first = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        found = subprocess.run(["pgrep", "-P", str(first)], capture_output=True, text=True).stdout.split()
        return [first, *map(int, found)]

    def cpu_seconds(self):
        """CPU seconds of all its processes, those that ended among them."""
        first, *others = self.processes()
        return cpu_seconds(first, with_ended=True) + sum(map(cpu_seconds, others))

    def pause(self, isPaused):
        """Stops all processes of the server, or lets them go on."""
        for process in self.processes():
            try:
                os.kill(process, signal.SIGSTOP if isPaused else signal.SIGCONT)
            except ProcessLookupError:
                pass

    def end(self):
        self.order("stop", "-m", "immediate", check=False)


class Pair:
    """A server and its synchronous standby: each commit waits for both, and none is acknowledged while one is away."""

    def __init__(self, first, second, settings=""):
        self.primary = Server(first, settings)
        try:
            # In the file of settings, which each copy of the server has too; nothing is committed before there is one.
            self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
            self.primary.sql("SELECT pg_reload_conf()")
            self.standby = Server(second, settings, of=self.primary)
            self.await_standby()
        except BaseException:
            self.primary.end()
            raise

    def await_standby(self):
        """Waits until commits wait for the standby."""
        until = time.monotonic() + 60
        while self.primary.ask("SELECT sync_state FROM pg_stat_replication", "postgres") != [["sync"]]:
            if time.monotonic() > until:
                raise TimeoutError("the standby does not become a synchronous one")
            time.sleep(0.1)

    def address(self, more="", database="skan"):
        """Both servers, in an order that does not change with their roles."""
        hosts = ",".join(sorted(str(server.folder) for server in (self.primary, self.standby)))
        return f"host={hosts} user=skan dbname={database} {more}".strip()

    def promote(self):
        """Makes the standby the primary; the old primary has to be stopped, and stays a stranger until ``rebuild``."""
        self.standby.order("promote")
        self.primary, self.standby = self.standby, self.primary

    def rebuild(self):
        """Makes the old primary a standby of the new one."""
        self.standby.copy(self.primary)
        self.await_standby()

    def end(self):
        for server in (self.primary, self.standby):
            server.end()
