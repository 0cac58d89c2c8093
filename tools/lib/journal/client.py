"""Posts bodies to several nodes from one process, at an even rate or as fast as they are answered; for measurements.

  client.py BODIES FIRST COUNT RATE CONNECTIONS PORT...     RATE 0: as fast as they are answered

Prints one line of JSON. Requests are made before the clock starts, so that one costs this process some 20 us.
"""
import json
import pathlib
import select
import socket
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from skan_daemon import PATH  # noqa: E402


def requests(path, first, count):
    made = []
    with open(path, "rb") as bodies:
        for number, line in enumerate(bodies):
            if number < first:
                continue
            if number >= first + count:
                break
            body = line.strip()
            made.append(b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % (PATH.encode(), len(body)) + body)
    return made


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def main():
    path, first, count, rate, connections = sys.argv[1], *map(int, sys.argv[2:6])
    made = requests(path, first, count)
    poll, idle, sockets = select.epoll(), [], {}
    for number in range(connections):
        for port in map(int, sys.argv[6:]):
            one = socket.create_connection(("127.0.0.1", port))
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            one.setblocking(False)
            sockets[one.fileno()] = one
            poll.register(one.fileno(), select.EPOLLIN)
            idle.append(one.fileno())
    begun, taken, late, answers = {}, [], [], {}
    start, cpu, sent, done = time.monotonic(), time.process_time(), 0, 0
    while done < len(made):
        now = time.monotonic()
        while sent < len(made) and idle and (not rate or start + sent / rate <= now):
            one = idle.pop(0)
            sockets[one].send(made[sent])
            begun[one] = now
            if rate:
                late.append(now - start - sent / rate)
            sent += 1
        for one, _ in poll.poll(0.001 if rate else 1):
            answer = sockets[one].recv(65536)
            if not answer:
                sys.exit("client: a node closed a connection")
            status = int(answer[9:12])
            answers[status] = answers.get(status, 0) + 1
            taken.append(time.monotonic() - begun[one])
            idle.append(one)
            done += 1
    wall = time.monotonic() - start
    print(json.dumps({
        "rate": done / wall, "answers": answers, "p50": quantile(taken, 0.5), "p99": quantile(taken, 0.99), "most": max(taken),
        "late_p99": quantile(late, 0.99), "cpu_us": 1e6 * (time.process_time() - cpu) / done,
        "busy": (time.process_time() - cpu) / wall}))


if __name__ == "__main__":
    main()
