"""What holds of the databases and of the history besides the promises to senders, each a function of a judgement."""
import collections
import json
import struct

# About one file, or about the following of a journal.
OWN = ("key_", "sqlite_", "journal_", "checkpoint", "lease")


def check(judgement, node, ask):
    """Looks at one database; `ask` runs SQL on it."""
    wrong = lambda sentence: judgement.wrong(f"node {node}: {sentence}")  # noqa: E731
    check_copies(judgement, ask, wrong)
    check_hours(ask, wrong)
    check_keys(ask, wrong)
    check_names(ask, wrong)
    check_alerts(judgement, ask, wrong)
    check_letters(judgement, ask, wrong)
    check_pruned(judgement, ask, wrong)
    names = [row[0] for row in ask("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    return {f"all of {name}": sorted(ask(f"SELECT * FROM {name}"), key=repr) for name in names if not name.startswith(OWN)}


def check_history(judgement):
    """Looks at what happened, whatever is stored."""
    check_samples(judgement)
    check_answers(judgement)
    check_moved(judgement)
    check_probes(judgement)
    check_stuck(judgement)
    check_closed(judgement)


def differs(text, first):
    """Whether two copies disagree about the value; None where they may: a fine one belongs to the first window of who won."""
    one, other = json.loads(text), json.loads(first)
    if one.get("conversion-value") == other.get("conversion-value"):
        return False
    return True if one["did-win"] and one["postback-sequence-index"] == 0 else None


def check_copies(judgement, ask, wrong):
    """A copy is in conflict where its body says something else, and then its body stays."""
    for row, conflict, digest, body, first in ask(
            "SELECT c.id, c.conflict, c.digest, c.body, p.body FROM postback_copy c JOIN postback p ON p.id = c.postback"):
        if conflict is not None and digest is None:
            wrong(f"copy {row} is in conflict ({conflict}) with the body that it equals")
        if conflict is not None and digest and body is None:
            wrong(f"the body of copy {row}, which is in conflict, is gone")
        if body is not None and differs(body, first) not in (None, conflict is not None):
            wrong(f"copy {row} is counted as {conflict or 'no conflict'}")
    bodies = {row[0]: row[1] for row in ask("SELECT identifier, body FROM postback")}
    for body in judgement.bodies.values():
        if not body.is_valid or body.key[1] not in bodies:
            continue
        wanted = differs(body.text, bodies[body.key[1]])
        for answer in body.answers:
            if answer != "first" and wanted not in (None, answer == "conflict"):
                wrong(f"{body.key[1]} was acknowledged as {answer}, and {'differs' if wanted else 'does not differ'}")


def check_hours(ask, wrong):
    counted = dict(ask("SELECT hour, sum(first) FROM arrival_hour GROUP BY 1 HAVING sum(first) > 0"))
    stored = dict(ask("SELECT received_at / 3600000, count(*) FROM postback GROUP BY 1"))
    if counted != stored:
        wrong(f"arrival_hour has {counted}, postback {stored}")
    days = dict(ask("SELECT day, sum(kept) FROM rejected_total GROUP BY 1 HAVING sum(kept) > 0"))
    if sum(days.values()) < len(ask("SELECT 1 FROM rejected")):
        wrong("more rejected bodies are kept than counted")


def check_keys(ask, wrong):
    """The runs of the index have the keys of all postbacks up to a row."""
    newest = ask("SELECT coalesce(max(id), 0) FROM postback")[0][0]
    live = ask("SELECT id, keys, last_postback FROM key_run WHERE state = 'live'")
    last = max((row[2] for row in live), default=0)
    if last > newest:
        wrong(f"the runs of keys end with postback {last} of {newest}")
    counted = sum(row[1] for row in live)
    if counted != last:
        wrong(f"the runs have {counted} keys of {last} postbacks")
    found = []
    for run, _, _ in live:
        for data, in ask("SELECT data FROM key_block WHERE id >> 24 = ?", run):
            found += [postback for _, postback in struct.iter_unpack("<Qq", data)]
    if sorted(found) != list(range(1, last + 1)):
        wrong(f"{len(found)} keys are in the runs, of {last} postbacks")


def check_names(ask, wrong):
    for body, publisher, network in ask(
            "SELECT p.body, u.identifier, n.identifier FROM postback p LEFT JOIN publisher u ON u.id = p.publisher"
            " LEFT JOIN network n ON n.id = p.network"):
        said = json.loads(body)
        if publisher != str(said["source-app-id"]) or network != said["ad-network-id"]:
            wrong(f"a postback of {said['ad-network-id']}, {said['source-app-id']} is kept as of {network}, {publisher}")
            return
    if ask("SELECT 1 FROM postback WHERE origin NOT IN (SELECT id FROM origin)"):
        wrong("a postback has an origin that is not there")


def check_alerts(judgement, ask, wrong):
    twice = ask("SELECT id, count(*) FROM alert WHERE resolved_at IS NULL GROUP BY 1 HAVING count(*) > 1")
    if twice:
        wrong(f"alert {twice[0][0]} fires {twice[0][1]} times")
    notices = [event["notice"] for event in judgement.history if event["event"] == "notified" and event["status"] == 200]
    # At rest none waits; what begins while the node is stopped is sent after its next start.
    notices += [body for body, in ask("SELECT body FROM alert_notice WHERE attempts = 0")]
    announced = {(alert["id"], alert["since"], alert["state"]) for notice in notices for alert in json.loads(notice).get("alerts", [])}
    for state, which in (("firing", ""), ("resolved", " WHERE resolved_at IS NOT NULL")):
        times = collections.Counter(key[0] for key in announced if key[2] == state)
        for alert, count in ask(f"SELECT id, count(*) FROM alert{which} GROUP BY 1"):
            if times[alert] < count:
                wrong(f"alert {alert} was {state} {count} times, and webhooks had an announcement of {times[alert]}")


def check_letters(judgement, ask, wrong):
    """What a relay has dealt with was accepted, or is a dead letter."""
    accepted = {(e["to"].rsplit("/", 1)[1], e["delivery"]) for e in judgement.history
                if e["event"] == "relayed" and e["status"] == 200}
    letters = {(row[0], str(row[1])) for row in ask("SELECT relay, postback FROM relay_dead_letter WHERE copy IS NULL")}
    twice = ask("SELECT relay, postback, count(*) FROM relay_dead_letter GROUP BY relay, postback, copy HAVING count(*) > 1")
    if twice:
        wrong(f"relay {twice[0][0]} has postback {twice[0][1]} as a dead letter {twice[0][2]} times")
    for relay, cursor in ask("SELECT name, postback FROM relay WHERE name IN ('all', 'ordered')"):
        for postback in range(1, cursor + 1):
            if (relay, str(postback)) not in accepted | letters:
                wrong(f"relay {relay} has dealt with postback {postback}, which was neither accepted nor given up")
                break


def check_pruned(judgement, ask, wrong):
    for event in judgement.history:
        if event["event"] != "pruned":
            continue
        left = ask(f"SELECT count(*) FROM rejected WHERE received_at < {event['before']}")[0][0]
        if left:
            wrong(f"{left} rejected bodies are left after all were pruned")
        left = ask("SELECT count(*) FROM postback_copy WHERE conflict IS NULL AND body IS NOT NULL"
                   f" AND last_received_at < {event['before']}")[0][0]
        if left:
            wrong(f"{left} bodies of copies are left after all were pruned")


def check_samples(judgement):
    """How far relays are never goes back, and no mapping goes away while its file is there."""
    cursors, mappings = {}, collections.defaultdict(set)
    # Two folders that differ take each other's place, as often as another node has the work.
    has_odd = any(e["event"] == "service" and e["odd-mappings"] for e in judgement.history)
    for event in judgement.history:
        if event["event"] == "forgotten":
            cursors = {k: v for k, v in cursors.items() if k[0] != event["node"]}
            mappings.pop(event["node"], None)
        if event["event"] != "sample":
            continue
        node = event["node"]
        for name, cursor in event["relays"].items():
            before = cursors.get((node, name), [0, 0])
            if cursor[0] < before[0] or cursor[1] < before[1]:
                judgement.wrong(f"node {node}: relay {name} went back from {before} to {cursor}")
            cursors[(node, name)] = cursor
        gone = mappings[node] - set(event["mappings"])
        if gone and not has_odd:
            judgement.wrong(f"node {node}: mapping {min(gone)} is no longer in force")
        mappings[node] = set(event["mappings"])
    for node, dump in judgement.dumps.items():
        gone = mappings[node] - {row[0] for row in dump["tables"]["mapping_version"]}
        if gone and not has_odd:
            judgement.wrong(f"node {node}: mapping {min(gone)} is no longer in force at the end")


def check_answers(judgement):
    """Whoever sends gets one answer, unless the power is cut."""
    open_ = collections.Counter()
    over = {(e["node"], e["life"]) for e in judgement.history if e["event"] == "crashed"}
    stops = collections.Counter((e["node"], e["life"]) for e in judgement.history if e["event"] == "stopping")
    # Of two that stop it at once, the second is back before the first.
    over |= {life for life, count in stops.items() if count > 1}
    for event in judgement.history:
        kind = event["event"]
        if kind in ("sent", "stored", "not-stored") and "life" in event:
            key = event["node"], event["life"], event["body"]
            open_[key] += 1 if kind == "sent" else -1
            if open_[key] < 0:
                judgement.wrong(f"body {event['body']} got two answers of node {event['node']}")
        if kind == "not-stored" and "constraint" in event["reason"]:
            judgement.wrong(f"node {event['node']}: {event['reason']}")
        elif kind == "stopped":
            for (node, life, body), count in open_.items():
                if count > 0 and (node, life) == (event["node"], event["life"]) and (node, life) not in over:
                    judgement.wrong(f"body {body} got no answer of node {node}, which was stopped")
                    break


def check_moved(judgement):
    away, sent = None, set()
    for event in judgement.history:
        if event["event"] == "file-moved":
            away, sent = event["node"], set()
        elif event["event"] == "file-returned":
            away = None
        elif away is not None and event.get("node") == away:
            if event["event"] == "sent":
                sent.add(event["body"])
            elif event["event"] == "stored" and event["body"] in sent:
                judgement.wrong(f"body {event['body']} was acknowledged by node {away} without a file")


def lost_pasts(history):
    """Nodes that had what a promotion lost, since when it was in doubt, and until when they had it."""
    for place, event in enumerate(history):
        if event["event"] == "promoted" and event["lost"]:
            for node in event["ahead"]:
                until = next((e["at"] for e in history[place:] if e["event"] == "forgotten" and e["node"] == node), history[-1]["at"])
                yield node, event["since"], until


def check_stuck(judgement):
    """A node with what a promotion lost stops and says so, and one that follows the standby never has that."""
    following = next((e["following-standby"] for e in judgement.history if e["event"] == "service"), 0)
    was_lost, upgraded = False, set()
    for event in judgement.history:
        if event["event"] == "promoted":
            was_lost |= event["lost"] > 0
            if ahead := [node for node in event["ahead"] if node <= following]:
                judgement.wrong(f"node {ahead[0]} follows the standby, and has a batch that it never had")
        if event["event"] == "upgraded":
            upgraded.add(event["node"])
        if event["event"] == "stuck" and event["cure"] == "newVersion" and not upgraded - {event["node"]}:
            judgement.wrong(f"node {event['node']} asks for a newer version, and no other node has one: {event['reason']}")
        if event["event"] != "stuck" or event["cure"] != "newFile":
            continue
        if not was_lost:
            judgement.wrong(f"node {event['node']} has another past than a journal that lost nothing: {event['reason']}")
        elif not any(words in event["reason"] for words in ("another past", "the server has batches up to")):
            judgement.wrong(f"node {event['node']} goes on with a batch that the journal lost: {event['reason']}")
    for node, dump in judgement.dumps.items():
        if any(row[0] > 1 for row in dump["levels"]) and node not in upgraded:
            judgement.wrong(f"node {node} follows a journal of a level that its version does not have")


def check_closed(judgement):
    """Who ends in order leaves no log beside the database, so that a copy of the file alone is whole."""
    for event in judgement.history:
        if event["event"] == "closed" and event["log-left"]:
            judgement.wrong(f"node {event['node']} left a log beside its database")


def check_probes(judgement):
    # This version cannot read what a newer one appends.
    is_upgraded = any(event["event"] == "upgraded" for event in judgement.history)
    for event in judgement.history:
        if event["event"] == "audited" and event["faulty"] and not is_upgraded:
            judgement.wrong(f"an audit of the journal finds {event['faulty']} faults, first: {event['fault']}")
        if event["event"] == "compared":
            if event["spoiled"] and not event["differences"]:
                judgement.wrong(f"node {event['node']} has a changed row, and no comparison shows it")
            if not event["spoiled"] and event["differences"]:
                spoiled = any(e["event"] == "compared" and e["spoiled"] for e in judgement.history)
                if not spoiled:
                    judgement.wrong(f"node {event['node']} differs: {event['sentence']}")
        elif event["event"] == "forked" and "another past" not in event["reason"]:
            judgement.wrong(f"node {event['node']} follows a journal of another past: {event['reason']}")
