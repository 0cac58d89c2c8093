"""Clients that post signed postbacks to random nodes, and remember what was answered, and when."""
import collections
import random
import threading
import time


class Load:
    def __init__(self, nodes, seed, clients=4, rest=0.0):
        # A client rests so many seconds between two postbacks.
        self.nodes, self.seed, self.clients, self.rest = nodes, seed, clients, rest
        self.chance = random.Random(seed)
        self.lock = threading.Lock()
        self.bodies, self.next = [], 0
        self.acknowledged, self.answers = set(), collections.Counter()
        # When each node answered 200, by the clock that never jumps; one for each node is enough for pauses.
        self.moments = collections.defaultdict(list)
        self.chunks, self.is_over = 0, False
        self.threads = []
        self.refill()

    def refill(self):
        while len(self.bodies) - self.next < 5000:
            self.chunks += 1
            text = self.nodes.run("sign", "-q", "--test-key", self.nodes.folder / "key.json", "--count", 10_000, "--seed",
                                  self.seed + self.chunks)
            self.bodies += text.splitlines()

    def begin(self):
        self.is_over = False
        self.threads = [threading.Thread(target=self.post, args=(self.chance.random(),), daemon=True)
                        for _ in range(self.clients)]
        for thread in self.threads:
            thread.start()

    def end(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()

    def keep_up(self):
        """Makes more bodies, and clients anew where they had none left."""
        self.refill()
        if not any(thread.is_alive() for thread in self.threads):
            self.end()
            self.begin()

    def post(self, own_seed):
        own = random.Random(own_seed)
        while not self.is_over:
            number = self.again(own) if own.random() < 0.2 else self.take()
            if number is None:
                return
            choice = list(self.nodes.ports.items())
            status, name = 0, None
            if choice:
                name, port = own.choice(choice)
                status = self.nodes.post(port, self.bodies[number])
            if not status:
                time.sleep(0.01)
                continue
            self.note(name, number, status)
            if self.rest:
                time.sleep(self.rest)

    def take(self):
        """The number of a body that was not posted yet; nothing where none is left."""
        with self.lock:
            if self.next >= len(self.bodies):
                return None
            self.next += 1
            return self.next - 1

    def again(self, own):
        """The number of a body that was posted before, as far as there is one."""
        return own.randrange(max(1, self.next))

    def note(self, name, number, status):
        with self.lock:
            self.answers[status] += 1
            if status == 200:
                self.acknowledged.add(number)
                self.moments[name].append(time.monotonic())

    def pause(self, since, until):
        """The longest time without a 200 of any node, and the longest of one node, in seconds."""
        with self.lock:
            moments = {name: [moment for moment in self.moments[name] if since <= moment <= until]
                       for name in self.nodes.names}
        def longest(times):
            marks = [since, *sorted(times), until]
            return max(later - earlier for earlier, later in zip(marks, marks[1:]))
        return longest(sum(moments.values(), [])), max(longest(times) for times in moments.values())

    def await_answers(self, names, patience, clock=time.monotonic):
        """Waits until each of these nodes has answered 200 since now; returns those that have not."""
        since = clock()
        missing = set(names)
        while missing and clock() < since + patience:
            time.sleep(0.05)
            with self.lock:
                missing -= {name for name in missing if self.moments[name] and self.moments[name][-1] > since}
        return missing
