"""Compares nodes, their journal and what was acknowledged. It reads SQLite and PostgreSQL itself, with no code of skan."""
import hashlib
import json
import sqlite3
import time
import uuid

from nodes import Failure


def reading(path):
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)


def place(path):
    """The position in the journal up to which a file has applied it, and the digest there."""
    connection = reading(path)
    try:
        found = connection.execute("SELECT position, chain FROM journal_place").fetchone()
    finally:
        connection.close()
    return found


def rows(path):
    """A digest of every table's rows but those of the place, of claims and of the index; and the bodies."""
    tables = {}
    connection = reading(path)
    listed = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    for (table,) in listed:
        if table.startswith(("key_", "sqlite_")) or table in ("journal_place", "journal_node", "lease"):
            continue
        digest = hashlib.sha256()
        for row in connection.execute(f"SELECT * FROM {table}"):
            digest.update(repr(row).encode())
        tables[table] = digest.hexdigest()
    bodies = [body for (body,) in connection.execute("SELECT body FROM postback")]
    (integrity,) = connection.execute("PRAGMA integrity_check").fetchone()
    (unapplied,) = connection.execute("SELECT count(*) FROM unapplied_change").fetchone()
    connection.close()
    if integrity != "ok":
        raise Failure(f"{path}: PRAGMA integrity_check reports: {integrity}")
    if unapplied:
        raise Failure(f"{path}: {unapplied} changes could not be applied")
    return tables, bodies


class JournalCheck:
    """The order of the journal itself: no gap, each node's batches one after the other, and the chain of digests."""

    def __init__(self):
        self.position, self.chain, self.numbers = 0, None, {}

    def go_on(self, ask):
        """Checks what was appended since the last time; ``ask`` gives the rows of a question to the primary."""
        if self.chain is None:
            ((identity,),) = ask("SELECT identity FROM skan_journal.head")
            self.chain = hashlib.sha256(uuid.UUID(identity).bytes).digest()
        ((last, end),) = ask("SELECT position, encode(chain, 'hex') FROM skan_journal.head")
        found = ask("SELECT position, node, number, encode(chain, 'hex'), encode(sha256(body), 'hex') FROM skan_journal.batch "
                    f"WHERE position > {self.position} AND position <= {last} ORDER BY position")
        for position, node, number, chain, digest in found:
            if int(position) != self.position + 1:
                raise Failure(f"the journal has no batch {self.position + 1}")
            if int(number) != self.numbers.get(node, 0) + 1:
                raise Failure(f"batch {position}: number {number} of node {node} follows {self.numbers.get(node, 0)}")
            self.chain = hashlib.sha256(self.chain + node.encode() + int(number).to_bytes(8, "big")
                                        + bytes.fromhex(digest)).digest()
            if self.chain.hex() != chain:
                raise Failure(f"batch {position}: the digest of the chain is another one")
            self.position, self.numbers[node] = int(position), int(number)
        if (int(last), end) != (self.position, self.chain.hex()):
            raise Failure(f"the journal ends at {last}, and its batches at {self.position}")


def await_same_place(nodes, names, least=0, patience=60):
    until = time.monotonic() + patience
    while True:
        places = {name: place(nodes.database(name)) or (0, b"") for name in names}
        if len(set(places.values())) == 1 and min(position for position, _ in places.values()) >= least:
            return
        if time.monotonic() > until:
            raise Failure(f"nodes stay apart: {({name: position for name, (position, _) in places.items()})}, "
                          f"the journal ends at {least}; {[nodes.ready(name) for name in names]}")
        time.sleep(0.05)


def verify(nodes, load, check, ask):
    """Everything that must hold while nothing is posted; returns how many postbacks are stored."""
    ((last,),) = ask("SELECT position FROM skan_journal.head")
    await_same_place(nodes, nodes.names, int(last))
    check.go_on(ask)
    tables, bodies = {}, {}
    for name in nodes.names:
        tables[name], bodies[name] = rows(nodes.database(name))
    first = nodes.names[0]
    for name in nodes.names:
        stored = set(bodies[name])
        if len(stored) != len(bodies[name]):
            raise Failure(f"node {name} counts {len(bodies[name]) - len(stored)} postbacks twice")
        lost = [number for number in load.acknowledged if load.bodies[number] not in stored]
        if lost:
            raise Failure(f"node {name} lacks {len(lost)} of {len(load.acknowledged)} acknowledged postbacks")
        differing = [table for table in tables[first] if tables[first][table] != tables[name].get(table)]
        if differing:
            raise Failure(f"nodes {first} and {name} differ in {', '.join(differing)}")
    reports = [nodes.run("report", "campaigns", "--database", nodes.database(name), "--environment", "test", "--format",
                         "json") for name in nodes.names]
    if len(set(reports)) > 1:
        raise Failure("nodes have different reports")
    counted = sum(row["postbacks"] for row in json.loads(reports[0])["rows"])
    if counted != len(bodies[first]):
        raise Failure(f"the report counts {counted}, and {len(bodies[first])} are stored")
    return len(bodies[first])
