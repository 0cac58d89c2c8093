"""A reader for tools/stress/abuse that does not read, reads slowly, ends in the middle or asks for much, at many addresses."""
import random
import selectors
import socket
import struct
import time

REPORTS = ["/v1/reports/postbacks?environment=test&limit=10000", "/v1/reports/events?environment=test&limit=10000",
           "/v1/reports/campaigns?environment=test&limit=10000&by=day,network",
           "/v1/reports/estimates?environment=test", "/v1/reports/crosscheck?environment=test",
           "/v1/spend?limit=10000", "/v1/reports/nulls?environment=test", "/metrics"]
FORMS = ["", "&format=csv", "&format=ndjson", "&format=json"]
SCREENS = ["/", "/campaigns?environment=test", "/postbacks?environment=test", "/arrived?environment=test", "/arrivals",
           "/mappings", "/data/spend", "/campaigns?environment=test&format=csv"]
# Bytes that are read each time, and seconds until the next time.
PACES = [(0, 1), (1, 1), (100, 1), (4096, 1), (40_000, 1), (40_000, 0.1), (1 << 20, 0)]


def attack(world):
    """Reads on many connections, each in its own way."""
    chance, waiting, counts = world.chance(), selectors.DefaultSelector(), {}
    sources = [world.address() for _ in range(chance.choice([1, 1, 8, 100]))]
    same = chance.random() < 0.4 and (chance.choice(REPORTS), chance.choice(PACES))
    coding = chance.choice([[], ["Accept-Encoding: gzip"]])
    rows = []
    for number in range(chance.choice([20, 120, 230])):
        path, pace = same or (chance.choice(REPORTS), chance.choice(PACES))
        if chance.random() < 0.25:
            port, path, headers = world.pages, chance.choice(SCREENS), [f"Cookie: {world.hoarder}"]
        else:
            port, headers = world.port, [f"Authorization: Bearer {world.hoarded}"]
            path += chance.choice(FORMS).replace("&", "&" if "?" in path else "?")
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, chance.choice([2048, 65536]))
        try:
            connection.bind((sources[number % len(sources)], 0))
            connection.settimeout(world.patience)
            connection.connect(("127.0.0.1", port))
            # Several requests at once, of which only the first is read.
            request = world.head(chance.choice(["GET", "GET", "GET", "HEAD"]), path, [*headers, *coding], host=f"127.0.0.1:{port}")
            connection.sendall(request * chance.choice([1, 1, 1, 20]))
            connection.setblocking(False)
            rows.append([connection, *pace, 0.0, 0, chance.choice([None, None, 1, 70_000, 1_000_000])])
        except OSError:
            connection.close()
        if world.stopping.wait(chance.choice([0, 0.01, 0.03])):
            break
    end = time.monotonic() + chance.choice([2, 6, 15])
    while rows and time.monotonic() < end and not world.stopping.is_set():
        for row in list(rows):
            connection, size, pause, next_time, have, most = row
            if not size or time.monotonic() < next_time:
                continue
            try:
                got = connection.recv(size)
                row[3], row[4] = time.monotonic() + pause, have + len(got)
                if got and have == 0 and got[:5] == b"HTTP/":
                    world.count(f"reader {got[9:12].decode('latin-1')}")
                if not got or most and row[4] > most:
                    raise ConnectionError
            except BlockingIOError:
                continue
            except OSError:
                if chance.random() < 0.5:  # with a reset
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
                rows.remove(row)
        time.sleep(0.02)
    world.ask("reader beside others", world.port,
              world.head("GET", REPORTS[0], [f"Authorization: Bearer {world.read}"]), source="127.0.9.9",
              allowed=[200])
    for row in rows:
        row[0].close()
