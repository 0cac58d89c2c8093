"""What goes wrong in the rounds of tools/stress/journal, and what has to come of each."""
import signal
import time

from nodes import Failure
from verify import place

PAST = "another past"
BEHIND = "batches up to"
TAKEN = "another process uses the node's name"


class Faults:
    """Each method is one fault; it ends when the machine of the fault is whole again, if not before."""

    USUAL = ["kill", "kill", "kill_all", "forget", "stop", "crash", "cut", "cancel"]
    SEVERE = ["promote", "promote", "diverge", "twin", "full_node", "full_server"]

    def __init__(self, nodes, load, pair, disks, chance):
        self.nodes, self.load, self.pair, self.disks, self.chance = nodes, load, pair, disks, chance
        self.diverged = 0
        self.skipped = 0
        self.restarted = 0

    def kinds(self):
        return self.USUAL + self.SEVERE

    def start(self, name):
        """Half of the nodes follow the standby, and another half each time."""
        self.nodes.start(name, standby=self.chance.random() < 0.5)

    def any(self):
        return self.chance.choice(self.nodes.names)

    # ---- Nodes ---------------------------------------------------------------------------------------------------

    def kill(self):
        name = self.any()
        self.nodes.kill(name)
        time.sleep(0.2 * self.chance.random())
        self.start(name)

    def kill_all(self):
        for name in self.nodes.names:
            self.nodes.kill(name)
        for name in self.nodes.names:
            self.start(name)

    def forget(self):
        name = self.any()
        self.nodes.kill(name)
        self.nodes.forget(name)
        self.start(name)

    def stop(self):
        process = self.nodes.processes[self.any()]
        process.send(signal.SIGSTOP)
        time.sleep(1)
        process.send(signal.SIGCONT)

    def twin(self):
        """A second process with a node's name: one of the two has to stop and say why."""
        name = self.any()
        database = self.nodes.folder / "twin.db"
        for file in self.nodes.folder.glob("twin.db*"):
            file.unlink()
        twin, port = self.nodes.spawn(name, database, log="twin")
        if not port:
            raise Failure(f"the twin of {name} does not start: {self.nodes.log('twin')[-500:]}")
        before = len(self.nodes.log(name)), len(self.nodes.log("twin"))
        stopped, until = None, time.monotonic() + 20
        while not stopped:
            self.load.keep_up()
            number = self.load.take()
            status = 0 if number is None else self.nodes.post(port, self.load.bodies[number])
            if status == 200:
                # What the twin has acknowledged counts like all else.
                with self.load.lock:
                    self.load.acknowledged.add(number)
            texts = self.nodes.log(name)[before[0]:], self.nodes.log("twin")[before[1]:]
            said = [TAKEN in text for text in texts]
            stopped = (name if said[0] else "twin") if any(said) else None
            if time.monotonic() > until:
                raise Failure(f"two processes are node {name}, and neither says so: {texts[0][-300:]} {texts[1][-300:]}")
        twin.kill()
        if TAKEN in self.nodes.log(name)[before[0]:]:
            # It appends nothing more until someone has looked: that is what two of one name come to.
            self.nodes.kill(name)
            self.start(name)
            self.restarted += 1

    def full_node(self):
        """The disk of one node is full: it answers 503, the others go on, and it comes back when there is room."""
        if self.disks.trouble:
            self.skipped += 1
            return
        name = self.any()
        home = self.nodes.home(name)
        self.disks.fill(home, self.chance.randrange(0, 512))
        try:
            self.await_no_answers([name], "its disk is full")
            missing = self.load.await_answers([other for other in self.nodes.names if other != name], 30)
            if missing:
                raise Failure(f"the disk of node {name} is full, and {sorted(missing)} answer nothing either")
        finally:
            self.disks.empty(home)

    # ---- The servers ---------------------------------------------------------------------------------------------

    def crash(self):
        self.pair.primary.crash()
        time.sleep(0.3 * self.chance.random())
        self.pair.primary.start()

    def cut(self):
        self.while_commits_wait("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'skan'")

    def cancel(self):
        self.while_commits_wait("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = 'skan'")

    def while_commits_wait(self, order):
        """Has the standby stopped for a while in every second case, so that the order meets commits that wait for it."""
        is_paused = self.chance.random() < 0.5
        if is_paused:
            self.pair.standby.pause(True)
            time.sleep(0.3)
        try:
            self.pair.primary.sql(order)
            time.sleep(0.3)
        finally:
            if is_paused:
                self.pair.standby.pause(False)

    def promote(self):
        """The primary is lost, and its standby takes over; later the old one is made anew as its standby."""
        self.pair.primary.crash()
        time.sleep(0.5 * self.chance.random())
        self.pair.promote()
        time.sleep(2 * self.chance.random())
        self.pair.rebuild()

    def full_server(self):
        """The disk of the primary or of its standby is full: 503 from all nodes, until there is room again."""
        if self.disks.trouble:
            self.skipped += 1
            return
        server = self.chance.choice([self.pair.primary, self.pair.standby])
        self.disks.fill(server.folder, self.chance.randrange(0, 1024))
        try:
            self.await_no_answers(self.nodes.names, f"the disk of server {server.folder.name} is full")
            # Long enough for answers of 503 in one half of the cases.
            time.sleep(self.chance.choice([0, 8]))
        finally:
            self.disks.empty(server.folder)
        # What a service manager does: a server that can't write its log ends.
        if not server.runs():
            server.start()
        self.pair.await_standby()

    def diverge(self):
        """A batch that only the lost primary had was applied: nodes that have it stop and say so, the others go on.

        The standby is cut off, the primary crashes and starts again, which makes the batch visible that no standby has.
        Then the primary is lost for good, with the process that could send the batch again, and the standby is promoted.
        """
        nodes, pair = self.nodes, self.pair
        if nodes.following == set(nodes.names):
            name = self.any()
            nodes.kill(name)
            nodes.start(name)
        # A node that has answered 200 knows its own newest batch; one that asks for it has nothing to lose yet.
        if missing := self.load.await_answers(nodes.names, 60):
            raise Failure(f"nodes {sorted(missing)} do not answer before the fault")
        pair.standby.crash()
        known = self.head()
        tries = 0
        # A commit that waits may also be one without a batch, of one that is sent again.
        while self.head() <= known:
            self.await_waiting_commit()
            pair.primary.crash()
            pair.primary.start()
            tries += 1
            if tries > 10:
                raise Failure("no commit that waited for the standby is visible after a restart of the primary")
        ((author,),) = pair.primary.ask(f"SELECT node FROM skan_journal.batch WHERE position = {known + 1}")
        direct = set(nodes.names) - nodes.following
        until = time.monotonic() + 10
        while time.monotonic() < until and not any(self.position(name) > known for name in direct - {author}):
            time.sleep(0.05)
        nodes.kill(author)
        pair.primary.crash()
        ahead = {name for name in nodes.names if self.position(name) > known}
        if ahead & nodes.following:
            raise Failure(f"nodes {sorted(ahead & nodes.following)} follow the standby, and have what it never had")
        pair.standby.start()
        pair.promote()
        pair.rebuild()
        if author in ahead:
            # It does not start, or starts and stops.
            process, port = nodes.spawn(author)
            nodes.processes[author] = process
            if port:
                nodes.ports[author] = port
        else:
            self.start(author)
        self.require_divergence(ahead)
        for name in ahead:
            nodes.kill(name)
            nodes.forget(name)
            self.start(name)
        self.diverged += len(ahead)

    def require_divergence(self, names):
        waiting, until = set(names), time.monotonic() + 40
        while waiting:
            for name in list(waiting):
                process = self.nodes.processes[name]
                said = self.nodes.log(name)[-4000:]
                if name in self.nodes.ports:
                    status, text = self.nodes.ready(name)
                    if status == 503 and PAST in said + text:
                        waiting.discard(name)
                elif not process.runs and (PAST in said or BEHIND in said):
                    waiting.discard(name)
            if waiting and time.monotonic() > until:
                raise Failure(f"nodes {sorted(waiting)} have a batch that the journal lost, and do not say so: "
                              f"{[(self.nodes.ready(name), self.nodes.log(name)[-300:]) for name in waiting]}")
            time.sleep(0.1)
        for name in names:
            if name in self.nodes.ports:
                status = self.nodes.post(self.nodes.ports[name], self.load.bodies[0])
                if status == 200:
                    raise Failure(f"node {name} has another past than the journal, and answers 200")

    # ---- Waiting -------------------------------------------------------------------------------------------------

    def head(self):
        ((position,),) = self.pair.primary.ask("SELECT position FROM skan_journal.head")
        return int(position)

    def position(self, name):
        return (place(self.nodes.database(name)) or (0, b""))[0]

    def await_waiting_commit(self):
        until = time.monotonic() + 20
        while not self.pair.primary.ask("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"):
            if time.monotonic() > until:
                raise Failure("no commit waits for the standby that is away")
            time.sleep(0.05)

    def await_no_answers(self, names, why):
        """Waits until these nodes have not answered 200 for two seconds."""
        until = time.monotonic() + 90
        while time.monotonic() < until:
            self.load.keep_up()
            time.sleep(0.1)
            with self.load.lock:
                newest = max((self.load.moments[name][-1] for name in names if self.load.moments[name]), default=0)
            if time.monotonic() - newest > 2:
                return
        raise Failure(f"{why}, and 200 is answered for 90 seconds")
