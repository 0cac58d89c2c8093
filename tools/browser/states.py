"""Databases that every screen has to show well: nothing, one postback, 100,000 campaigns, and long names in three currencies.

Each function fills a folder, and returns the database, a key whose postbacks count in the environment test, and the first
and last day with postbacks.
"""
import csv
import datetime
import json

from site_pages import SAMPLES, run, spent

EVENTS = SAMPLES / "launch-events.csv.gz"
APPS = {"525463029": "USD", "6400000001": "EUR", "6400000002": "JPY"}
CAMPAIGNS, NETWORKS = 100_000, 100
LETTERS = 120
# Of right-to-left scripts, and one word that no line breaks.
PHRASES = ["حملة الصيف الكبرى لألعاب الجوال ", "מבצע הקיץ הגדול של משחקי הנייד ", "Sommerschlussverkaufsanzeigen"]


def empty(folder):
    """Nothing, and a key to sign for it."""
    key = folder / "key.json"
    run("sign", "--quiet", "--new-key", key)
    today = datetime.datetime.now(datetime.timezone.utc).date()
    return folder / "skan.db", key, today, today


def one_postback(folder):
    return arrived(folder, [conversion(0, "game.skadnetwork", "0004")])


def many_campaigns(folder):
    """As many campaigns as postbacks, of many networks, which arrived in the last three weeks."""
    each = CAMPAIGNS // NETWORKS
    found = arrived(folder, (
        conversion(number, f"network{number // each:02}.skadnetwork", f"{number % each:04}") for number in range(CAMPAIGNS)))
    run("mapping", "load", "--quiet", "--database", found[0], SAMPLES / "launch-mapping.json")
    return found


def conversion(number, network, campaign):
    now = datetime.datetime.now(datetime.timezone.utc)
    arrival = now - datetime.timedelta(minutes=20 + number * 97 % (60 * 24 * 20))
    return {
        "version": "4.0", "ad-network-id": network, "source-identifier": campaign, "app-id": 525463029,
        "transaction-id": f"{number:08x}-0000-4000-8000-000000000000", "redownload": False, "source-app-id": 1 + number % 7,
        "fidelity-type": 1, "did-win": True, "postback-sequence-index": 0, "conversion-value": number * 31 % 64,
        "simulated-arrival": f"{arrival:%Y-%m-%dT%H:%M:%SZ}",
    }


def arrived(folder, postbacks):
    """A database of these postbacks."""
    database, key, today, _ = empty(folder)
    raw, signed = folder / "raw.ndjson", folder / "signed.ndjson"
    raw.write_text("".join(json.dumps(postback) + "\n" for postback in postbacks))
    signed.write_text(run("sign", "--test-key", key, raw))
    run("ingest", "--quiet", "--database", database, "--trust-test-keys", key, "--received-at-member", "simulated-arrival",
        signed)
    return database, key, today - datetime.timedelta(days=20), today


def long_names(folder):
    """Three apps, each with a network, a currency, and names of a script of their own; rates, users and own totals too."""
    database, key, _, _ = empty(folder)
    mapping = json.loads((SAMPLES / "launch-mapping.json").read_text())
    names = [["network", "campaign", "app", "from", "name"]]
    for place, (app, currency) in enumerate(APPS.items()):
        file, network = folder / f"{app}.json", f"network{place}.skadnetwork"
        file.write_text(json.dumps(mapping | {"app": int(app), "currency": currency, "name": named(place, "mapping")}))
        postbacks = folder / f"{app}.ndjson"
        run("simulate", "--quiet", "--mapping", file, "--events", EVENTS, "--currency", currency, "--seed", place,
            "--threshold", "default", "--network", network, "--postbacks", postbacks, "--test-key", key)
        run("mapping", "load", "--quiet", "--database", database, file)
        run("ingest", "--quiet", "--database", database, "--trust-test-keys", key, "--received-at-member",
            "simulated-arrival", postbacks)
        names += [[network, "", "", "2025-01-01", named(place, network)], ["", "", app, "2025-01-01", named(place, app)]]
    rows = spent(folder, database, lambda row: APPS[row["app"]])
    names += sorted(
        [network, campaign, app, "2025-01-01", named(int(campaign), campaign)]
        for network, campaign, app in {(row["network"], row["campaign"], row["app"]) for row in rows})
    imported(folder, database, "names", names)
    days = sorted({row["day"] for row in rows})
    imported(folder, database, "rates", [["date", "currency", "quote", "rate"]] + [
        [days[0], "EUR", "USD", "1.08"], [days[0], "JPY", "USD", "0.0067"]])
    return database, key, days[0], days[-1]


def named(place, what):
    """A name of that many letters."""
    phrase = PHRASES[place % len(PHRASES)]
    return (phrase * LETTERS)[:LETTERS - len(what) - 1].strip() + f" {what}"


def imported(folder, database, kind, rows):
    file = folder / f"{kind}.csv"
    with file.open("w", newline="") as text:
        csv.writer(text).writerows(rows)
    run(kind, "import", "-d", database, file)


STATES = {"empty": empty, "one postback": one_postback, "100,000 campaigns": many_campaigns, "long names": long_names}
