"""Judges the history of a simulated service by a model of its own: what was promised, what is stored, what was passed on.

It shares no code with the service: it reads bodies, and the databases that the nodes left, by itself.
"""
import collections
import datetime
import hashlib
import json
import pathlib
import sqlite3

import invariants

# Posts that a relay may repeat after an end of the daemon: those that it has not noted, and those under way.
UNNOTED, UNDER_WAY = 32, 8


# The key and the figure of each row of a file, by the kind of file.
IMPORTED = {
    "spend": "campaign, micros FROM spend WHERE day = 20000 AND campaign GLOB '100?'",
    "names": "campaign, name FROM campaign_name",
    "rates": "currency, picos FROM rate",
    "totals": "campaign, installs FROM network_total",
    "installs": "app, installs FROM own_installs",
    "proceeds": "app, proceeds FROM own_proceeds",
    "views": "name, query FROM saved_view",
}


class Body:
    """What was sent under one number."""

    def __init__(self, event):
        self.text = event["text"]
        self.route = event["route"]
        self.sent = 0
        self.answers = []
        try:
            self.members = json.loads(self.text)
        except ValueError:
            self.members = None
        self.is_valid = False

    @property
    def key(self):
        m = self.members
        return m["ad-network-id"], m["transaction-id"], m["postback-sequence-index"]

    @property
    def sha256(self):
        return hashlib.sha256(self.text.encode()).hexdigest()


def judge(history, folder):
    """Returns what is wrong, as sentences."""
    return Judgement(history, folder).found


class Judgement:
    def __init__(self, history, folder):
        self.found = []
        self.history = history
        self.folder = pathlib.Path(folder)
        self.bodies = {}
        self.nodes = sorted({e["node"] for e in history if e["event"] == "started"})
        self.read_sent()
        if not history or history[-1]["event"] != "end":
            self.wrong("the history has no end", history[-1] if history else None)
            return
        settled = next(e for e in history if e["event"] == "settled")
        if settled["left"]:
            self.wrong(f"the service does not come to rest: {settled['left']}")
        self.dumps = dumps = {node: self.read_database(node) for node in self.nodes}
        for node, dump in dumps.items():
            self.compare_promises(node, dump)
            self.compare_pages(node, dump)
        self.compare_estimates()
        self.compare_printed()
        first = self.nodes[0] if self.nodes else None
        for node in self.nodes[1:]:
            for table, rows in dumps[node]["tables"].items():
                other = dumps[first]["tables"][table]
                if table == "all of last_time" and self.pulls_at_the_end():
                    # Nodes that have stopped already do not learn that a pull began.
                    rows, other = ([row for row in some if not row[0].startswith("pull-begun:")] for some in (rows, other))
                if rows != other:
                    differing = [r for r in rows if r not in other][:1] + [r for r in other if r not in rows][:1]
                    self.wrong(f"nodes {first} and {node} differ in {table}: {str(differing)[:300]}")
        invariants.check_history(self)
        if first is not None:
            self.compare_relays(dumps[first])

    def pulls_at_the_end(self):
        """Whether a pull began after the first node had stopped for good."""
        kinds = [event["event"] for event in self.history]
        return "pull" in kinds[kinds.index("stopping", kinds.index("settled")):]

    def wrong(self, sentence, event=None):
        self.found.append(sentence + (f" {json.dumps(event)[:300]}" if event else ""))

    def read_sent(self):
        for event in self.history:
            kind = event["event"]
            if kind == "new":
                body = self.bodies[event["body"]] = Body(event)
            elif kind == "sent":
                self.bodies[event["body"]].sent += 1
            elif kind == "stored":
                self.bodies[event["body"]].answers.append(event["as"])
        # Whether a signature holds follows from the sender: two bodies of the forger never share an identifier with others.
        for body in self.bodies.values():
            if body.members is None:
                continue
            body.is_valid = body.members.get("app-id") != 525463030

    def read_database(self, node):
        path = self.folder / f"node-{node}" / "skan.db"
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        ask = lambda sql, *values: connection.execute(sql, values).fetchall()  # noqa: E731
        if (sound := ask("PRAGMA integrity_check")) != [("ok",)]:
            self.wrong(f"node {node}: the database is damaged: {sound[:2]}")
        tables = {
            "postback": ask(
                "SELECT p.id, n.identifier, p.identifier, window, app, campaign, received_at, environment, body"
                " FROM postback p JOIN network n ON n.id = p.network ORDER BY p.id"),
            "postback_copy": ask(
                "SELECT id, postback, received_at, last_received_at, times, conflict, body FROM postback_copy ORDER BY id"),
            "rejected": ask("SELECT id, received_at, state, reason, identifier, body FROM rejected ORDER BY id"),
            "rejected_total": ask(
                "SELECT day, state, reason, sum(seen), sum(kept) FROM rejected_total GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"),
            "copy_total": ask(
                "SELECT t.day, n.identifier, app, campaign, window, outcome, repeats, conflicts FROM copy_total t"
                " JOIN network n ON n.id = t.network ORDER BY 1, 2, 3, 4, 5, 6"),
            "spend": ask("SELECT campaign, micros FROM spend WHERE network <> 'pulled.skadnetwork' ORDER BY 1"),
            "token": ask("SELECT id, name, revoked_at FROM token ORDER BY id"),
            "mapping_draft": ask("SELECT id, name, revision FROM mapping_draft ORDER BY id"),
            "mapping_version": ask("SELECT source, app, effective_from, document FROM mapping_version ORDER BY source"),
            "arrival_hour": ask(
                "SELECT hour, route, name, environment, network, first, repeated, conflicting, rejected"
                " FROM arrival_hour a JOIN origin o ON o.id = a.origin ORDER BY 1, 2, 3, 4, 5"),
            "relay": ask("SELECT name, postback, copy, delivered FROM relay ORDER BY name"),
            "purchase": ask("SELECT notification, type, side, transaction_digest FROM purchase ORDER BY id"),
            "inbox": ask("SELECT id, state FROM inbox_arrival ORDER BY id"),
        }
        for kind, columns in IMPORTED.items():
            tables["imported " + kind] = ask(f"SELECT {columns} ORDER BY 1")
        tables["pulled"] = ask("SELECT day, campaign, micros FROM spend WHERE network = 'pulled.skadnetwork' ORDER BY 1, 2")
        tables |= invariants.check(self, node, ask)
        return {"tables": tables, "levels": ask("SELECT level FROM journal_place")}

    def compare_promises(self, node, dump):
        """Everything that was acknowledged is there once, and nothing that was never sent."""
        tables = dump["tables"]
        sent = collections.defaultdict(list)
        for body in self.bodies.values():
            if body.is_valid and body.sent:
                sent[body.key].append(body)
        rows = collections.defaultdict(list)
        for row in tables["postback"]:
            rows[(row[1], row[2], row[3])].append(row)
        for key, found in rows.items():
            if len(found) > 1:
                self.wrong(f"node {node} has {key} {len(found)} times")
            if key not in sent:
                self.wrong(f"node {node} has {key}, which was never sent")
            elif found[0][8].decode() not in [b.text for b in sent[key]]:
                self.wrong(f"node {node} has other bytes of {key}")
        copies = collections.Counter()
        for row in tables["postback_copy"]:
            copies[row[1]] += row[4]
        for key, bodies in sent.items():
            answers = [a for b in bodies for a in b.answers]
            attempts = sum(b.sent for b in bodies)
            if not rows[key]:
                if answers:
                    self.wrong(f"node {node} has lost {key}, which was acknowledged as {answers}")
                continue
            if answers.count("first") > 1:
                self.wrong(f"{key} was acknowledged as the first one {answers.count('first')} times")
            if any(a.startswith("rejected") for a in answers):
                self.wrong(f"{key} was acknowledged as {answers}")
            seen = 1 + copies[rows[key][0][0]]
            if not len(answers) <= seen <= attempts:
                self.wrong(
                    f"node {node} has seen {key} {seen} times; {len(answers)} were acknowledged, {attempts} sent")
        bad = [b for b in self.bodies.values() if not b.is_valid]
        seen = sum(row[3] for row in tables["rejected_total"])
        least, most = sum(len(b.answers) for b in bad), sum(b.sent for b in bad)
        if not least <= seen <= most:
            self.wrong(f"node {node} has counted {seen} rejected bodies; {least} were acknowledged, {most} sent")
        self.compare_totals(node, tables, rows)
        self.compare_changes(node, tables)

    def compare_totals(self, node, tables, rows):
        """Totals are sums of what is stored."""
        first = sum(row[5] for row in tables["arrival_hour"])
        if first != len(tables["postback"]):
            self.wrong(f"node {node}: arrival_hour has {first} first ones, postback {len(tables['postback'])}")
        times = {"repeats": 0, "conflicts": 0}
        for row in tables["postback_copy"]:
            times["conflicts" if row[5] else "repeats"] += row[4]
        for place, name in ((6, "repeats"), (7, "conflicts")):
            total = sum(row[place] for row in tables["copy_total"])
            if total != times[name]:
                self.wrong(f"node {node}: copy_total has {total} {name}, postback_copy {times[name]}")

    def compare_changes(self, node, tables):
        """What operators had an answer for is there, where it was not changed later."""
        done = {"spend": {}, "token": {}, "draft": {}, "revocation": {}}
        doubtful = collections.defaultdict(set)
        for event in self.history:
            for kind in done:
                if event["event"] == f"{kind}-asked":
                    name = event.get("campaign", event.get("name", event.get("id")))
                    doubtful[(kind, name)].add(event.get("micros"))
                elif event["event"] == f"{kind}-done":
                    name = event.get("campaign", event.get("name", event.get("id")))
                    done[kind][name] = event
        spend = dict(tables["spend"])
        for name, event in done["spend"].items():
            if spend.get(name) not in doubtful[("spend", name)]:
                self.wrong(f"node {node}: spend of {name} is {spend.get(name)}, not {event['micros']}")
        for name, micros in spend.items():
            if name.startswith("c") and micros not in doubtful[("spend", name)]:
                self.wrong(f"node {node}: spend of {name}, {micros}, was never written")
        tokens = {row[1]: row for row in tables["token"]}
        if len(tokens) != len(tables["token"]):
            self.wrong(f"node {node}: a token is there twice")
        for name, event in done["token"].items():
            if name not in tokens or tokens[name][0] != event["id"]:
                self.wrong(f"node {node}: token {name} is {tokens.get(name)}, acknowledged as {event['id']}")
        by_id = {row[0]: row for row in tables["token"]}
        for number, event in done["revocation"].items():
            if event["held"] and (number not in by_id or by_id[number][2] is None):
                self.wrong(f"node {node}: token {number} was revoked and holds")
        for row in tables["token"]:
            if row[2] is not None and ("revocation", row[0]) not in doubtful:
                self.wrong(f"node {node}: token {row[0]} was never revoked by an operator")
        drafts = {row[1] for row in tables["mapping_draft"]}
        for name, event in done["draft"].items():
            if event.get("done") and name not in drafts:
                self.wrong(f"node {node}: draft {name} is lost")
        self.compare_mappings(node, tables)
        self.compare_visitors(node, tables)
        self.compare_imports(node, tables)
        self.compare_pulled(node, tables)

    def compare_visitors(self, node, tables):
        """Purchases are counted once, drafts keep what was saved last, and an inbox has what came."""
        stored = collections.Counter(int(row[0].hex()[-12:]) for row in tables["purchase"])
        counted, asked = collections.Counter(), set()
        saved = {row[0]: row[2] for row in tables["mapping_draft"]}
        inbox = collections.Counter(event["event"] for event in self.history)
        for event in self.history:
            if event["event"] == "purchase-asked":
                asked.add(event["number"])
            elif event["event"] == "purchase-done":
                counted[event["number"]] += event["counted"]
                if not stored[event["number"]]:
                    self.wrong(f"node {node}: purchase {event['number']} is lost")
            elif event["event"] == "saving-done" and saved.get(event.get("id"), 0) < event.get("revision", 0):
                self.wrong(f"node {node}: draft {event['id']} is at {saved.get(event['id'])}, saved as {event['revision']}")
        for number, times in stored.items():
            if times > 1 or counted[number] > 1 or number not in asked:
                self.wrong(f"node {node}: purchase {number} is there {times} times, and was counted {counted[number]} times")
        # Those of before a prune are gone.
        least = 0 if inbox["prune-asked"] + inbox["pruned"] else inbox["inbox-stored"]
        if not least <= len(tables["inbox"]) <= inbox["inbox-sent"]:
            self.wrong(f"node {node}: {len(tables['inbox'])} bodies are in inboxes; {least} were acknowledged")

    def compare_imports(self, node, tables):
        """Of each row there is the figure of the last file; None where it was removed. What failed may take effect later."""
        changes, never = collections.defaultdict(list), len(self.history)
        for place, event in enumerate(self.history):
            if not event["event"].startswith("import-"):
                continue
            change = event["node"], event["figure"]
            known = changes[event["kind"], event["key"]]
            if event["event"] == "import-asked" and not event["wrong"]:
                known.append([place, never, change])
            elif event["event"] == "import-done":
                if event["wrong"]:
                    self.wrong(f"node {node} took a file that is wrong", event)
                    return
                next(one for one in known if one[1] == never and one[2] == change)[1] = place
        stored = {(kind, str(key)): figure for kind in IMPORTED for key, figure in tables["imported " + kind]}
        for name in changes.keys() | stored.keys():
            known = changes[name]
            last = max((start for start, end, _ in known if end < never), default=-1)
            right = {figure for _, end, (_, figure) in known if end >= last} | ({None} if last < 0 else set())
            if stored.get(name) not in right:
                self.wrong(f"node {node}: {name} is {stored.get(name)}, not {right}")

    def compare_pulled(self, node, tables):
        """A row that was pulled is one that the source had at some moment; a run that ended early may have left old ones."""
        known = set()
        for event in self.history:
            if event["event"] == "source":
                known |= {(day, campaign, micros) for day, rows in event["days"].items() for campaign, micros in rows.items()}
        for day, campaign, micros in tables["pulled"]:
            row = str(datetime.date(1970, 1, 1) + datetime.timedelta(days=day)), campaign, micros
            if row not in known:
                self.wrong(f"node {node} has pulled {row}, which the source never had")

    def compare_printed(self):
        """Commands print the same on all nodes, and a recount finds nothing."""
        printed = {}
        for event in self.history:
            if event["event"] == "holds" and not event["so"]:
                self.wrong(f"it does not hold that {event['sentence']}")
            if event["event"] == "worked" and event["code"] != event["expected"]:
                self.wrong(f"skan {event['words']} ends with {event['code']}, not {event['expected']}: {event['problems'][:300]}")
            if event["event"] == "ingested":
                # What contradicts a body that was given up is the first of its conversion.
                least, bad = {"first": (300, 2), "again": (0, 0), "wrong": (1, 0)}[event["file"]]
                if event["first"] < least or event["rejected"] != bad or event["first"] + event["others"] + bad != event["bodies"]:
                    self.wrong(f"a file of postbacks counted as {event}")
            if event["event"] == "recounted" and event["equal"] != event["expected"]:
                self.wrong(f"a recount of node {event['node']} finds {event['totals'] or 'nothing'}, {event}")
            if event["event"] != "printed":
                continue
            if event["code"] not in ((0, 1)):
                self.wrong(f"node {event['node']}: skan {event['command']} ends with {event['code']}: {event['problems'][:300]}")
            # How many a second depends on when it is asked.
            if event["command"].startswith("relay status"):
                continue
            first = printed.setdefault(event["command"], event)
            if (first["sha256"], first["code"]) != (event["sha256"], event["code"]):
                self.wrong(f"skan {event['command']} prints something else on node {event['node']} than on node {first['node']}")

    def compare_mappings(self, node, tables):
        """The last right state of each file is in force."""
        wanted = {}
        # A folder that differs by mistake is made equal at the end, but its texts stay in force where the file is wrong.
        elsewhere = {e["text"] for e in self.history if e["event"] == "mapping-elsewhere" and not e["wrong"]}
        for event in self.history:
            if event["event"] == "mapping":
                wanted.setdefault(event["source"], []).append(event)
        stored = {row[0]: row[3].decode() for row in tables["mapping_version"]}
        for source, events in wanted.items():
            if not events[-1]["wrong"]:
                if stored.get(source) != events[-1]["text"]:
                    self.wrong(f"node {node}: {source} is not what its folder has")
            elif source in stored and stored[source] not in elsewhere | {e["text"] for e in events if not e["wrong"]}:
                self.wrong(f"node {node}: {source} is a text that no file had")

    def compare_pages(self, node, dump):
        """The report of campaigns shows what is stored."""
        shown = {}
        for event in self.history:
            if event["event"] == "campaign" and event["node"] == node:
                row = json.loads(event["row"])
                shown[(int(row["app"]), row["network"], row["campaign"])] = row["postbacks"]
        stored = collections.Counter((r[4], r[1], r[5]) for r in dump["tables"]["postback"])
        if shown != dict(stored):
            wrong = [k for k in set(shown) | set(stored) if shown.get(k) != stored.get(k)]
            self.wrong(f"node {node}: the report of campaigns shows {[(k, shown.get(k), stored.get(k)) for k in wrong[:3]]}")

    def compare_estimates(self):
        """What pages keep is what they would make anew."""
        pages = {}
        for event in self.history:
            if event["event"] == "page":
                pages.setdefault(event["node"], {})[event["of"]] = event["text"]
        for node, texts in pages.items():
            if texts.get("kept") != texts.get("anew"):
                self.wrong(f"node {node}: the kept estimates differ from those made anew")

    def compare_relays(self, dump):
        """Every postback was passed on, in order where that was asked for, and not more often than ends of nodes explain."""
        ends = sum(e["event"] in ("crashed", "stopped", "started", "promoted") for e in self.history)
        accepted, passed = collections.defaultdict(list), collections.defaultdict(set)
        lost = list(invariants.lost_pasts(self.history))
        for event in self.history:
            if event["event"] == "relayed" and event["status"] == 200:
                passed[event["to"].rsplit("/", 1)[1]].add(event["delivery"])
                # A batch that only a lost primary had: its rows are not the ones that are stored under their numbers now.
                if any(event["node"] == node and since <= event["at"] <= until for node, since, until in lost):
                    continue
                accepted[event["to"].rsplit("/", 1)[1]].append(event)
        for name in ("all", "ordered"):
            times = collections.Counter(e["delivery"] for e in accepted[name])
            wanted = {str(r[0]): r for r in dump["tables"]["postback"]}
            rejected = {e["delivery"] for e in self.history
                        if e["event"] == "relayed" and e["to"].endswith("/" + name) and e["status"] in (400, 302)}
            for delivery in wanted:
                if delivery not in passed[name] | rejected:
                    self.wrong(f"relay {name} never passed on postback {delivery}")
            for event in accepted[name]:
                row = wanted.get(event["delivery"])
                if row and event["sha256"] != hashlib.sha256(row[8]).hexdigest():
                    self.wrong(f"relay {name} passed on other bytes of postback {event['delivery']}")
                if "-" not in event["delivery"] and not row:
                    self.wrong(f"relay {name} passed on postback {event['delivery']}, which is not stored")
            unanswered = sum(e["event"] == "partner" and e["mood"] in ("losesAnswers", "hangs", "repeats") for e in self.history)
            again = sum(count - 1 for count in times.values())
            most = (ends + 1) * (UNNOTED + UNDER_WAY) + unanswered * 64 * 20
            if again > most:
                self.wrong(f"relay {name} repeated {again} posts; {ends} ends explain {most}")
        self.compare_order(dump, accepted["ordered"])
        rows = {str(row[0]) for row in dump["tables"]["postback"]}
        for name in ("ga4", "meta", "enriched"):
            for event in self.history:
                if event["event"] == "relayed" and f"partner/{name}" in event["to"] and event["delivery"].split("-")[0] not in rows:
                    if not any(event["node"] == node and since <= event["at"] <= until for node, since, until in lost):
                        self.wrong(f"relay {name} passed on an event of postback {event['delivery']}, which is not stored")

    def compare_order(self, dump, accepted):
        apps = {str(r[0]): r[4] for r in dump["tables"]["postback"]}
        first = collections.defaultdict(list)
        seen = set()
        for event in accepted:
            delivery = event["delivery"]
            if delivery in apps and delivery not in seen:
                seen.add(delivery)
                first[apps[delivery]].append(int(delivery))
        rejected = {e["delivery"] for e in self.history if e["event"] == "relayed" and e["status"] == 400}
        for app, order in first.items():
            order = [d for d in order if str(d) not in rejected]
            if order != sorted(order):
                place = next(i for i, (a, b) in enumerate(zip(order, order[1:])) if a > b)
                self.wrong(f"the ordered relay passed on {order[place]} of app {app} before {order[place + 1]}")
