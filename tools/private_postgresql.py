"""A PostgreSQL server of a tool's own, in a folder and behind a socket that go with it."""
import os
import pathlib
import shutil
import subprocess

# The server runs as its own user where the tool runs as root.
AS = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
INSTALLED = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))


class Server:
    """Has a database skan; `None` of ``INSTALLED`` means that there is no server to start."""

    def __init__(self, folder, settings=""):
        self.programs = INSTALLED[-1].parent
        self.folder = folder
        self.settings = f"-c listen_addresses='' -c unix_socket_directories={folder} -c max_connections=60 {settings}"
        folder.mkdir()
        os.chmod(folder.parent, 0o755)
        if AS:
            shutil.chown(folder, "postgres", "postgres")
        subprocess.run(
            [*AS, self.programs / "initdb", "-D", folder / "data", "-U", "skan", "--auth=trust", "--no-locale", "-E", "UTF8"],
            check=True, stdout=subprocess.DEVNULL, cwd="/")
        self.order("start")
        self.sql("CREATE DATABASE skan")

    def address(self, database="skan"):
        return f"host={self.folder} user=skan dbname={database}"

    def order(self, *words, check=True):
        subprocess.run(
            [*AS, self.programs / "pg_ctl", "-s", "-w", "-D", self.folder / "data", "-l", self.folder / "log",
             "-o", self.settings, *words], check=check, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=None if check else subprocess.DEVNULL, cwd="/")

    def crash(self):
        self.order("stop", "-m", "immediate")

    def start(self):
        self.order("start")

    def sql(self, text, database="postgres"):
        subprocess.run(
            [self.programs / "psql", "-q", self.address(database), "-c", text],
            check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def processes(self):
        """The server's process and those that it started."""
        first = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        found = subprocess.run(["pgrep", "-P", str(first)], capture_output=True, text=True).stdout.split()
        return [first, *map(int, found)]

    def end(self):
        self.order("stop", "-m", "immediate", check=False)
