"""Floods of strangers' requests for tools/stress/abuse: long and odd addresses, many parameters, deep paths, odd heads."""

STARTS = ["/", "/sign-in?next=", "/campaigns?app=", "/campaign?network=", "/postbacks?id=", "/m/", "/mappings/editor?draft=",
          "/data/", "/h/", "/style.css?", "/../", "//", "/%2e%2e/", "/v1/reports/campaigns?", "/v1/postbacks/", "/n/", "/t/",
          "/v1/networks/", "/v1/apps/", "/.well-known/skadnetwork/report-attribution", "/healthz?", "/metrics?", "*", "http://x/"]
PIECES = ["%", "%0", "%zz", "%00", "%u1234", "%C0%AF", "%F4%90%80%80", "%FF", "%25", "%2525", "+", "&", "=", ";", "a=1&", "a[]=1&",
          "%0d%0aX: y", "/", "/.", "/..", "a/", "?", "#", "'", "\"", "<", "\\", "{", "|", "\xe4", "\x80", "\x01", "\t", "%E2%80%AE",
          "lang=de&", "environment=test&", "from=9999-12-31&", "last=999999999999999999d&", "cursor=%FF&", "page=-1&", "next=%2F%2Fx&"]
WORDS = ["", "en", "xx,", "de;q=0.1,", "*;q=0,", "zh-Hans-", "\xff", "q=", ";", ","]


def request(world, port):
    """One request that no program sends."""
    chance = world.chance()
    piece = lambda: chance.choice(PIECES)
    one = piece()
    size = chance.choice([0, 1, 10, 300, 1500, 6000, 14_000])
    path = chance.choice(STARTS)
    while len(path) < size:
        path += one if chance.random() < 0.95 else piece()
    path = path[:chance.choice([size + 1, 4000, 8000, 15_000, 30_000])] or "/"
    headers = []
    for _ in range(chance.choice([0, 0, 1, 3, 90])):
        name, value = chance.choice([
            ("Cookie", "skan-session=" + "a" * chance.choice([0, 43, 64, 4000])),
            ("Cookie", chance.choice(["a;", "=;", "a=b; ", "\"", "skan-session=x; "]) * chance.choice([1, 100, 1000])),
            ("Accept-Language", chance.choice(WORDS) * chance.choice([1, 100, 1500])), ("Range", "bytes=0-0," * 50),
            ("If-None-Match", "\"a\"," * chance.choice([1, 1000])), ("Accept", "text/html;q=0.," * 100),
            ("Accept-Encoding", "gzip;q=1," * chance.choice([1, 500])), ("Authorization", "Bearer " + "x" * chance.choice([0, 20, 5000])),
            ("Authorization", "Basic !!!"), ("X-Forwarded-For", "1.2.3.4," * chance.choice([1, 500])), ("Origin", "null"),
            ("Sec-Fetch-Site", "cross-site"), ("Expect", "100-continue"), ("Upgrade", "h2c"), ("Referer", "x" * 5000),
        ])
        headers.append(f"{name}: {value}")
    method = chance.choice(["GET"] * 8 + ["HEAD", "OPTIONS", "DELETE", "BREW", "POST"])
    lines = [f"{method} {path} HTTP/1.{chance.choice('1111110')}", f"Host: {chance.choice(['x', f'127.0.0.1:{port}', '', 'a' * 3000])}",
             *headers, *(["Content-Length: 0"] if method == "POST" else []), "", ""]
    return "\r\n".join(lines).encode("latin-1")


def attack(world):
    """A flood of such requests at both ports, of one client or many, on kept connections or new ones, for a few seconds."""
    chance = world.chance()
    port = chance.choice([world.pages, world.pages, world.port])
    requests = [request(world, port) for _ in range(chance.choice([1, 5, 200]))]
    sources = [world.address() for _ in range(chance.choice([1, 4, 64, 200]))]
    world.flood("odd address", port, requests, sources, seconds=6, once=chance.random() < 0.3)
