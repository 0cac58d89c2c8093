"""A daemon with pages and a seeded database, for tests and pictures."""
import contextlib
import datetime
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "tools/samples"


def program():
    """The program to test: $SKAN, else the last build."""
    for path in (os.environ.get("SKAN"), ROOT / ".build/debug/skan", ROOT / ".build/release/skan"):
        if path and pathlib.Path(path).exists():
            return str(path)
    raise SystemExit("browser-test: there is no program; build it with `swift build --product skan`")


def run(*words, **options):
    return subprocess.run(
        [program(), *map(str, words)], check=True, capture_output=True, text=True, **options).stdout


class Site:
    """Where pages are, the tokens, and the days that have postbacks."""

    def __init__(self, url, reader, editor, first, last, folder):
        self.url, self.reader, self.editor, self.first, self.last = url, reader, editor, first, last
        self.folder = folder
        # The postbacks are signed with a throw-away key, so they count in the test environment.
        self.query = f"environment=test&from={first}&through={last}"


def seed(folder):
    """A database with simulated postbacks, a mapping, spend and names."""
    database, key = folder / "skan.db", folder / "key.json"
    run("sign", "--quiet", "--new-key", key)
    run("simulate", "--quiet", "--mapping", SAMPLES / "launch-mapping.json", "--events",
        SAMPLES / "launch-events.csv.gz", "--threshold", "default", "--network", "game.skadnetwork",
        "--postbacks", folder / "postbacks.ndjson", "--test-key", key)
    run("mapping", "load", "--quiet", "--database", database, SAMPLES / "launch-mapping.json")
    run("ingest", "--quiet", "--database", database, "--trust-test-keys", key, "--received-at-member",
        "simulated-arrival", folder / "postbacks.ndjson")
    campaigns = run("report", "campaigns", "-d", database, "--environment", "test", "--by", "day,app,network,campaign",
                    "--format", "csv").splitlines()
    heads = campaigns[0].split(",")
    rows = [dict(zip(heads, line.split(","))) for line in campaigns[1:] if line]
    rows = [row for row in rows if row["campaign"]]
    spend = ["date,network,campaign,app,amount,currency"]
    spend += [f'{row["day"]},{row["network"]},{row["campaign"]},{row["app"]},{int(row["installs"] or 0) * 2}.50,USD' for row in rows]
    (folder / "spend.csv").write_text("\n".join(spend) + "\n")
    run("spend", "import", "-d", database, "--environment", "test", folder / "spend.csv")
    names = ["network,campaign,from,name"] + sorted({
        f'{row["network"]},{row["campaign"]},2025-01-01,"Summer <b>sale</b> {row["campaign"]}"' for row in rows})
    (folder / "names.csv").write_text("\n".join(names) + "\n")
    run("names", "import", "-d", database, folder / "names.csv")
    days = sorted({row["day"] for row in rows})
    return database, key, days[0], days[-1]


@contextlib.contextmanager
def site(*options):
    """A running daemon; it ends with the block."""
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        database, key, first, last = seed(folder)
        reader = run("token", "create", "-d", database, "--reader", "anna").strip()
        editor = run("token", "create", "-d", database, "--editor", "ben").strip()
        (folder / "samples").mkdir()
        shutil.copy(SAMPLES / "launch-events.csv.gz", folder / "samples")
        daemon = subprocess.Popen(
            [program(), "serve", "-d", database, "--listen", "127.0.0.1:0", "--pages", "127.0.0.1:0",
             "--trust-test-keys", key, "--samples", folder / "samples", *options], stdout=subprocess.PIPE, stderr=open(folder / "log", "w"), text=True)
        try:
            url = None
            for line in daemon.stdout:
                if match := re.search(r"pages on (\S+?)/?$", line.strip()):
                    url = match[1]
                    break
            if url is None:
                raise SystemExit("browser-test: the daemon did not start:\n" + (folder / "log").read_text())
            yield Site(url, reader, editor, first, last, folder)
        finally:
            daemon.send_signal(signal.SIGTERM)
            daemon.wait(20)


def screens(site):
    """The addresses of all screens with data: those of the navigation, and further states worth a look."""
    import http.cookiejar
    import urllib.parse
    import urllib.request
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    opener.addheaders = [("Origin", site.url)]
    opener.open(f"{site.url}/sign-in", urllib.parse.urlencode({"token": site.editor}).encode())
    page = opener.open(f"{site.url}/?{site.query}").read().decode()
    found = re.findall(r'<nav class="nav".*?</nav>', page, re.S)[0]
    paths = [link.replace("&amp;", "&") for link in re.findall(r'href="([^"]+)"', found)]
    more = ["/campaigns?" + site.query + "&compare=previous&sort=campaign", "/?last=7d"]
    return list(dict.fromkeys(paths + more + further(site)))


def further(site):
    """Further states of screens: add an address with data for each screen that the navigation does not list."""
    return [
        f"/campaign?{site.query}&network=game.skadnetwork&campaign=04",
        f"/campaigns?{site.query}&columns=conversions,revenue&find=0",
        f"/campaigns?{site.query}&digits=tree", "/withheld?last=7d", "/access?revoke=1",
    ] + experiments(site) + data_states(site) + evidence(site)


def experiments(site):
    """Comparisons with and without a result, and plans of stored users."""
    arms = "a=game.skadnetwork/04&b=game.skadnetwork/02"
    plan = "/experiments/plan?sample=launch-events.csv.gz"
    return [
        f"/experiments?{site.query}&{arms}&planned=2000", f"/experiments?{site.query}&{arms}&measure=null-rate",
        f"/experiments?last=7d&{arms}", "/experiments/plan", f"{plan}&installs-per-day=800",
        f"{plan}&measure=event:never", f"/values?{site.query}&sample=launch-events.csv.gz",
    ]


def data_states(site):
    """Every kind of imported data, one about to be removed, and uploads that are right and wrong."""
    return [f"/data/{kind}" for kind in ("spend", "names", "rates", "totals", "installs", "users")] + ["/data/spend?remove=true"]


def evidence(site):
    """Screens of single postbacks: two copies that disagree, a forgery, and addresses that show them."""
    import urllib.error
    import urllib.request
    raw = site.folder / "raw.json"
    raw.write_text(
        '{"version":"4.0","ad-network-id":"game.skadnetwork","source-identifier":"0004","app-id":525463029,'
        '"transaction-id":"seen-twice","redownload":false,"source-app-id":1,"fidelity-type":1,"did-win":true,'
        '"postback-sequence-index":0,"conversion-value":5}')
    signed = run("sign", "--test-key", site.folder / "key.json", raw).strip()
    device = re.search(r"listening address=(\S+)", (site.folder / "log").read_text())[1]
    path = f"http://{device}/.well-known/skadnetwork/report-attribution"
    changed = signed.replace('"conversion-value":5', '"conversion-value":9')
    for body in (signed, changed, signed.replace('"0004"', '"0005"')):
        with contextlib.suppress(urllib.error.HTTPError):
            urllib.request.urlopen(urllib.request.Request(path, data=body.encode()))
    # The copies above arrive today; a page shows 366 days at most.
    today = datetime.datetime.now(datetime.timezone.utc).date()
    ever = f"environment=test&from={today - datetime.timedelta(days=7)}&through={today}"
    return [f"/values?{site.query}&value=5", f"/values?{site.query}&color=difference", "/values?last=7d",
            f"/trust?{ever}", "/trust?last=7d", "/postbacks?environment=test&value=5",
            "/postbacks/one?environment=test&id=seen-twice", "/postbacks/check"]
