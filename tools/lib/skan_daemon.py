"""A daemon of skan for a tool: it starts one on free ports, waits until it answers, measures it, stops it, reads its log."""
import http.client
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tools/samples"
# Where a device posts to.
PATH = "/.well-known/skadnetwork/report-attribution"
TICKS = os.sysconf("SC_CLK_TCK")


def program(given=None, built=("release", "debug")):
    """The path of the program that somebody named, otherwise of the first of these builds that is there."""
    named = [pathlib.Path(given)] if given else [ROOT / ".build" / build / "skan" for build in built]
    if found := next((path for path in named if os.access(path, os.X_OK)), None):
        return str(found.resolve())
    sys.exit(f"FAILED: there is no program{f' {given}' if given else ''}; build it with: tools/build -c release --product skan")


def run(skan, *words, **more):
    """What a command prints, as bytes; raises CalledProcessError where it fails."""
    return subprocess.run([skan, *map(str, words)], check=True, capture_output=True, timeout=600, **more).stdout


def make_key(skan, folder):
    """Makes key.json, which signs postbacks for tests, and public.json, which daemons trust; returns the two."""
    key, public = folder / "key.json", folder / "public.json"
    run(skan, "sign", "-q", "--new-key", key)
    public.write_bytes(run(skan, "sign", "--test-key", key, "--public-key"))
    return key, public


def signed(skan, key, count, seed, *words):
    """Bodies of random postbacks, the same for one seed."""
    return run(skan, "sign", "-q", "--test-key", key, "--count", count, "--seed", seed, *words).splitlines()


def token(skan, database, *words):
    """A new token of a reader, an editor or a network: ("--reader", "anna")."""
    return run(skan, "token", "create", "-q", "-d", database, *words).decode().strip()


def process_figure(pid, name):
    """A figure of /proc/PID/status in MiB: VmHWM is the most memory so far, VmRSS that of now."""
    return int(re.search(rf"{name}:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def cpu_seconds(pid, with_ended=False):
    """CPU seconds of a process, on request with those of its children that ended."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15 if with_ended else 13]) / TICKS


class Daemon:
    """`skan serve` with these options, on a free port unless they name one; behind `with` until the block ends."""

    def __init__(self, skan, *words, log=os.devnull, before=(), **more):
        """Starts it; `log` is where its log goes, `before` a command that runs it, and `more` is for Popen."""
        words = [str(word) for word in (*before, skan, "serve", *words)]
        if "--listen" not in words:
            words += ["--listen", "127.0.0.1:0"]
        self.has_pages = "--pages" in words
        self.log = pathlib.Path(log)
        with open(self.log, "ab") as out:
            self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=out, text=True, **more)
        # HOST:PORT of devices and of the pages, once it listens.
        self.address = self.pages = None

    def listens(self):
        """Waits until it listens; false where it ended instead."""
        for name in ["address", "pages"] if self.has_pages else ["address"]:
            found = re.search(r"(?:listening|pages) on https?://([^\s,/]+)", self.process.stdout.readline())
            if not found:
                return False
            setattr(self, name, found[1])
        return True

    def await_ready(self):
        """Waits until /readyz answers 200."""
        while self.ask("GET", "/readyz")[0] != 200:
            time.sleep(0.005)

    @property
    def port(self):
        return int(self.address.rsplit(":", 1)[1])

    @property
    def url(self):
        return f"http://{self.address}"

    @property
    def pid(self):
        return self.process.pid

    @property
    def runs(self):
        return self.process.poll() is None

    def ask(self, method, path, body=None, headers={}, pages=False):
        """Status and body of an answer, on a connection of its own."""
        connection = http.client.HTTPConnection(self.pages if pages else self.address, timeout=600)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def logged(self, most=2000):
        return self.log.read_text(errors="replace")[-most:] if self.log.is_file() else ""

    def cpu_seconds(self):
        return cpu_seconds(self.pid)

    def peak_megabytes(self):
        return process_figure(self.pid, "VmHWM")

    def send(self, number):
        self.process.send_signal(number)

    def wait(self):
        """Waits until it has ended; returns its exit code."""
        code = self.process.wait(120)
        self.process.stdout.close()
        return code

    def end(self, number=signal.SIGTERM):
        """Stops it as a service manager does, or with another signal; returns its exit code."""
        self.send(number)
        return self.wait()

    def kill(self):
        return self.end(signal.SIGKILL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def serve(skan, *words, **more):
    """A daemon that listens; ends the tool where it does not start."""
    daemon = Daemon(skan, *words, **more)
    if not daemon.listens():
        sys.exit(f"FAILED: the daemon did not start, exit code {daemon.end()}: {daemon.logged()}")
    return daemon
