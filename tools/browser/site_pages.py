"""A daemon with pages and a seeded database, for tests and pictures."""
import contextlib
import csv
import datetime
import html
import http.cookiejar
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
sys.dont_write_bytecode = True
import skan_daemon  # noqa: E402
from skan_daemon import SAMPLES  # noqa: E402


def program():
    """The program to test: $SKAN, else the last build."""
    return skan_daemon.program(os.environ.get("SKAN"), ["debug", "release"])


def run(*words, **options):
    return subprocess.run(
        [program(), *map(str, words)], check=True, capture_output=True, text=True, **options).stdout


class Site:
    """Where pages are, the tokens, and the days that have postbacks."""

    def __init__(self, url, reader, editor, first, last, folder, mark):
        self.url, self.reader, self.editor, self.first, self.last = url, reader, editor, first, last
        self.folder, self.mark, self.paths = folder, mark, None
        # The postbacks are signed with a throw-away key, so they count in the test environment.
        self.query = f"environment=test&from={first}&through={last}"

    @property
    def device(self):
        """Where devices send postbacks."""
        return re.search(r"listening address=(\S+)", (self.folder / "log").read_text())[1]

    def sign(self, **members):
        """A postback of these members, signed with the throw-away key."""
        raw = self.folder / "raw.json"
        raw.write_text(json.dumps(members))
        return run("sign", "--test-key", self.folder / "key.json", raw).strip()

    def arrive(self, body):
        """Sends a body as a device does, and returns the status."""
        request = urllib.request.Request(
            f"http://{self.device}/.well-known/skadnetwork/report-attribution", data=body.encode())
        try:
            return urllib.request.urlopen(request).status
        except urllib.error.HTTPError as error:
            return error.code


def seed(folder, mark):
    """A database with simulated postbacks, a mapping, spend and names."""
    database, key = folder / "skan.db", folder / "key.json"
    # Whoever compares two programs gives both the same postbacks.
    if not key.exists():
        run("sign", "--quiet", "--new-key", key)
        run("simulate", "--quiet", "--mapping", SAMPLES / "launch-mapping.json", "--events",
            SAMPLES / "launch-events.csv.gz", "--threshold", "default", "--network", "game.skadnetwork",
            "--postbacks", folder / "postbacks.ndjson", "--test-key", key)
    run("mapping", "load", "--quiet", "--database", database, SAMPLES / "launch-mapping.json")
    run("ingest", "--quiet", "--database", database, "--trust-test-keys", key, "--received-at-member",
        "simulated-arrival", folder / "postbacks.ndjson")
    rows = spent(folder, database, lambda row: "USD")
    names = ["network,campaign,app,from,name"] + sorted({
        f'{row["network"]},{row["campaign"]},,2025-01-01,"Summer {mark}sale {row["campaign"]}"' for row in rows} | {
        f',,{row["app"]},2025-01-01,"Launch {mark}game"' for row in rows})
    (folder / "names.csv").write_text("\n".join(names) + "\n")
    run("names", "import", "-d", database, folder / "names.csv")
    days = sorted({row["day"] for row in rows})
    (folder / "installs.csv").write_text("date,app,installs\n" + "".join(f"{day},{rows[0]['app']},90\n" for day in days))
    run("installs", "import", "-d", database, folder / "installs.csv")
    return database, key, days[0], days[-1]


def spent(folder, database, currency):
    """Imports spend of each campaign and day, and returns the rows of the report."""
    campaigns = run("report", "campaigns", "-d", database, "--environment", "test", "--by", "day,app,network,campaign",
                    "--format", "csv").splitlines()
    rows = [row for row in csv.DictReader(campaigns) if row["campaign"]]
    spend = ["date,network,campaign,app,amount,currency"]
    spend += [f'{row["day"]},{row["network"]},{row["campaign"]},{row["app"]},{int(row["installs"] or 0) * 2}.50,{currency(row)}'
              for row in rows]
    (folder / "spend.csv").write_text("\n".join(spend) + "\n")
    run("spend", "import", "-d", database, "--environment", "test", folder / "spend.csv")
    return rows


@contextlib.contextmanager
def site(*options, mark="<b>", fill=None):
    """A running daemon with the database that a function fills, else with a seeded one. That one has a mark in names that
    somebody chose, so that it is seen if they are taken for markup."""
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        database, key, first, last = fill(folder) if fill else seed(folder, mark)
        reader = run("token", "create", "-d", database, "--reader", "anna").strip()
        editor = run("token", "create", "-d", database, "--editor", "ben").strip()
        (folder / "samples").mkdir()
        shutil.copy(SAMPLES / "launch-events.csv.gz", folder / "samples")
        with skan_daemon.serve(program(), "-d", database, "--pages", "127.0.0.1:0", "--trust-test-keys", key, "--samples",
                               folder / "samples", *options, log=folder / "log") as daemon:
            yield Site(f"http://{daemon.pages}", reader, editor, first, last, folder, mark)


class Visitor:
    """Someone who is signed in and sends forms without a browser."""

    def __init__(self, site, token):
        self.site = site
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.opener.addheaders = [("Origin", site.url)]
        self.post("/sign-in", token=token)

    def get(self, path):
        return self.opener.open(self.site.url + path).read().decode()

    def post(self, path, **fields):
        """Sends a form and returns the address that it leads to."""
        if path != "/sign-in":
            fields["form-token"] = self.field("form-token", self.get("/"))
        form = urllib.parse.urlencode(fields).encode()
        return self.opener.open(self.site.url + path, form).url.removeprefix(self.site.url)

    @staticmethod
    def field(name, page):
        return re.search(f'name="{name}" value="([^"]*)"', page)[1]


def screens(site):
    """The addresses of all screens with data: those of the navigation, and further states worth a look."""
    if site.paths is None:
        visitor = Visitor(site, site.editor)
        paths = menu(visitor.get(f"/?{site.query}"))
        more = ["/arrived?" + site.query + "&compare=previous&sort=campaign", "/?last=7d"]
        site.paths = list(dict.fromkeys(paths + more + further(site) + mapping_states(site, visitor)))
    return site.paths


def first_screens(site):
    """The addresses of the navigation, and further ones that have something to show over any database."""
    visitor = Visitor(site, site.editor)
    draft = visitor.post("/mappings", do="begin", app="525463029", version="revenue")
    return menu(visitor.get("/")) + ["/arrived?digits=4", "/arrived?by=name", draft, draft.replace("editor", "publish")]


def menu(page):
    """The addresses of a page's navigation."""
    found = re.findall(r'<nav class="nav".*?</nav>', page, re.S)[0]
    return [html.unescape(link) for link in re.findall(r'href="([^"]+)"', found)]


def further_screens(bodies, known):
    """The first address of each further page that a link in a page's own part leads to; files are none."""
    pages, found = {path.partition("?")[0] for path in known}, {}
    for body in bodies:
        for link in re.findall(r'href="(/[^"#]*)', body.partition("<main")[2]):
            page = link.partition("?")[0]
            if page not in pages and "." not in page and "format=" not in link:
                found.setdefault(page, html.unescape(link))
    return list(found.values())


def mapping_states(site, visitor):
    """Two versions, a draft as form and as text, with users and without, one with errors, and the review."""
    document = (SAMPLES / "launch-mapping.json").read_text().replace("2025-11-01", "2026-01-15")
    finer = site.folder / "finer.json"
    finer.write_text(document.replace('"0.10", ', "").replace("Launch week", f"Second {site.mark}week"))
    run("mapping", "load", "--quiet", "--database", site.folder / "skan.db", finer)
    sample = "sample=launch-events.csv.gz"
    drafts = [visitor.post("/mappings", **{"do": "begin", "version": "1"}) for _ in range(2)]
    broken = visitor.get(drafts[1] + "&view=json")
    visitor.post(
        drafts[1], **{"do": "save", "etag": Visitor.field("etag", broken), "document": document.replace('"0.10"', '"0.01"')})
    review = drafts[0].replace("editor", "publish")
    return [f"{drafts[0]}&view=json", f"{drafts[0]}&{sample}&value=5", drafts[1], f"{drafts[1]}&view=json&{sample}",
            review, f"{review}&from=2026-02-01", f"{review}&from=2026-01-15", f"/mappings/compare?{sample}",
            "/mappings/handover?version=1", developers_link(site, visitor)]


def developers_link(site, visitor):
    """The page that developers open without an account."""
    fields = {"form-token": Visitor.field("form-token", visitor.get("/")), "do": "link", "days": "30"}
    page = visitor.opener.open(site.url + "/mappings/handover", urllib.parse.urlencode(fields).encode()).read().decode()
    return re.search(r'id="new-link" href="([^"]*)"', page)[1]


def further(site):
    """Further states of screens: add an address with data for each screen that the navigation does not list."""
    return [
        f"/campaign?{site.query}&network=game.skadnetwork&campaign=04",
        f"/arrived?{site.query}&columns=conversions,revenue&find=0",
        f"/arrived?{site.query}&by=publisher", f"/arrived?{site.query}&by=week&find=2026",
        f"/campaigns?{site.query}&target=0.5&least-installs=5", f"/campaigns?{site.query}&by=network-week",
        f"/campaigns?{site.query}&by=outcome", f"/campaigns?{site.query}&by=country-week",
        f"/cohorts?{site.query}&by=week", f"/shortfall?{site.query}", f"/proceeds?{site.query}", f"/organic?{site.query}&by=day", f"/causes?{site.query}", f"/plan?{site.query}&budget=20000&cost=net.skadnetwork=1.40&choose=none", "/sample",
        f"/arrived?{site.query}&digits=tree", "/withheld?last=7d", "/access?revoke=1",
    ] + experiments(site) + data_states(site) + evidence(site)


def experiments(site):
    """Comparisons with and without a result, and plans of stored users."""
    arms = "a=game.skadnetwork/04&b=game.skadnetwork/02"
    plan = "/experiments/plan?sample=launch-events.csv.gz"
    return [
        f"/experiments?{site.query}&{arms}&planned=2000", f"/experiments?{site.query}&{arms}&measure=null-rate",
        f"/experiments?last=7d&{arms}", f"/experiments?{site.query}&a=game.skadnetwork/04&b=game.skadnetwork/02,game.skadnetwork/03",
        "/experiments/plan", f"{plan}&installs-per-day=800",
        f"{plan}&measure=event:never", f"/values?{site.query}&sample=launch-events.csv.gz",
    ]


def data_states(site):
    """Every kind of imported data, one about to be removed, and uploads that are right and wrong."""
    return [f"/data/{kind}" for kind in ("spend", "names", "rates", "totals", "installs", "users")] + ["/data/spend?remove=true"]


def postback(identifier):
    """The members of a postback of version 4 but for its window and value."""
    return {
        "version": "4.0", "ad-network-id": "game.skadnetwork", "source-identifier": "0004", "app-id": 525463029,
        "transaction-id": identifier, "redownload": False, "source-app-id": 1, "fidelity-type": 1, "did-win": True,
    }


def evidence(site):
    """Screens of single postbacks: two copies that disagree, a forgery, and addresses that show them."""
    signed = site.sign(**postback("seen-twice"), **{"postback-sequence-index": 0, "conversion-value": 5})
    changed = re.sub(r'("conversion-value": ?)5', r"\g<1>9", signed)
    forged = signed.replace('"0004"', '"0005"')
    assert len({signed, changed, forged}) == 3, signed
    for body in (signed, changed, forged):
        site.arrive(body)
    # The copies above arrive today; a page shows 366 days at most.
    today = datetime.datetime.now(datetime.timezone.utc).date()
    ever = f"environment=test&from={today - datetime.timedelta(days=7)}&through={today}"
    return [f"/values?{site.query}&value=5", f"/values?{site.query}&color=difference", "/values?last=7d",
            f"/trust?{ever}", "/trust?last=7d", "/postbacks?environment=test&value=5",
            "/postbacks/one?environment=test&id=seen-twice", "/postbacks/check"]
