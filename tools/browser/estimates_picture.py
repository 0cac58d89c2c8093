"""Draws docs/pictures/estimates.svg from the report that tools/demo ends with: what campaigns show, and what they are worth.

  tools/browser/pictures estimates [--check] [--skan FILE]    [default: .build/debug/skan, else .build/release/skan]

--check writes nothing, and fails where the picture is not the one that the program's figures make.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tools/samples"
WIDTH, ROW, TOP, LEFT, RIGHT = 860, 34, 96, 250, 600
STYLE = """
  text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1f2328 }
  .small { font-size: 11.5px; fill: #59636e } .title { font-size: 15px; font-weight: 600 } .number { text-anchor: end }
  .panel { fill: #ffffff; stroke: #d1d9e0 } .rule { stroke: #d1d9e0 }
  .shown { fill: #0969da } .estimated { fill: #0969da; fill-opacity: .28 } .interval { stroke: #9a6700; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .small { fill: #9198a1 } .panel { fill: #0d1117; stroke: #3d444d } .rule { stroke: #3d444d }
    .shown { fill: #4493f8 } .estimated { fill: #4493f8; fill-opacity: .35 } .interval { stroke: #d29922 }
  }"""


def report(skan, folder):
    """The rows of the estimates of simulated postbacks, as the daemon's report gives them."""
    def run(*words):
        return subprocess.run([skan, *words], check=True, capture_output=True, text=True, cwd=folder).stdout

    mapping, events = SAMPLES / "launch-mapping.json", SAMPLES / "launch-events.csv.gz"
    run("sign", "--quiet", "--new-key", "key.json")
    run("simulate", "--quiet", "--mapping", mapping, "--events", events, "--threshold", "default", "--network",
        "game.skadnetwork", "--postbacks", "postbacks.ndjson", "--test-key", "key.json")
    run("ingest", "--quiet", "--database", "skan.db", "--trust-test-keys", "key.json", "--received-at-member",
        "simulated-arrival", "postbacks.ndjson")
    run("mapping", "load", "--quiet", "--database", "skan.db", mapping)
    run("users", "import", "--quiet", "--database", "skan.db", "--app", "525463029", "--events", events)
    shown = json.loads(run("report", "estimates", "--database", "skan.db", "--environment", "test", "--format", "json"))
    return sorted(shown["rows"], key=lambda row: -row["installs"])


def drawing(rows):
    most = max(row["estimated-revenue-48h-high"] for row in rows)
    scale = (RIGHT - LEFT) / most
    height = TOP + ROW * len(rows) + 34
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
           f'role="img" aria-label="Revenue by campaign: shown, and estimated with the withheld values">',
           f"<style>{STYLE}\n</style>",
           f'<rect class="panel" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="6"/>',
           '<text class="title" x="20" y="32">Revenue by campaign: what postbacks show, and what they withhold</text>',
           f'<text class="small" x="20" y="52">skan report estimates, simulated game with '
           f'{sum(row["installs"] for row in rows):,} installs; USD</text>']
    for x, title in ((90, "campaign"), (155, "installs"), (230, "withheld"), (670, "shown"), (745, "estimated"),
                     (840, "90 % interval")):
        out.append(f'<text class="small number" x="{x}" y="{TOP - 14}">{title}</text>')
    out.append(f'<line class="rule" x1="20" x2="{WIDTH - 20}" y1="{TOP - 6}" y2="{TOP - 6}"/>')
    for number, row in enumerate(rows):
        y = TOP + ROW * number
        middle, text = y + 16, y + 20
        low, high = row["estimated-revenue-48h-low"], row["estimated-revenue-48h-high"]
        for x, words in ((90, row["campaign"]), (155, f"{row['installs']:,}"),
                         (230, f"{100 * row['nulls'] / row['installs']:.0f} %"), (670, f"{row['decoded-revenue-48h']:,.0f}"),
                         (745, "-" if row["estimated-revenue-48h"] is None else f"{row['estimated-revenue-48h']:,.0f}"),
                         (840, f"{low:,.0f}–{high:,.0f}")):
            out.append(f'<text class="number" x="{x}" y="{text}">{words}</text>')
        if row["estimated-revenue-48h"] is not None:
            out.append(bar("estimated", y, row["estimated-revenue-48h"] * scale))
        out.append(bar("shown", y, row["decoded-revenue-48h"] * scale))
        start, end = LEFT + low * scale, LEFT + high * scale
        out.append(f'<path class="interval" d="M{start:.1f} {middle}H{end:.1f}M{start:.1f} {middle - 5}v10'
                   f'M{end:.1f} {middle - 5}v10"/>')
    y = TOP + ROW * len(rows) + 18
    for x, kind, words in ((250, "shown", "shown"), (330, "estimated", "estimated with withheld values")):
        out.append(f'<rect class="{kind}" x="{x}" y="{y - 9}" width="14" height="10"/>'
                   f'<text class="small" x="{x + 20}" y="{y}">{words}</text>')
    out.append(f'<path class="interval" d="M550 {y - 4}h16"/><text class="small" x="572" y="{y}">90 % interval</text>')
    return "\n".join(out) + "\n</svg>\n"


def bar(kind, y, width):
    return f'<rect class="{kind}" x="{LEFT}" y="{y + 6}" width="{width:.1f}" height="20"/>'


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--check", action="store_true"), parser.add_argument("--skan")
options = parser.parse_args()
candidates = [options.skan] if options.skan else [".build/debug/skan", ".build/release/skan"]
program = next((path.resolve() for path in map(ROOT.joinpath, candidates) if path.exists()), None)
if program is None:
    sys.exit("pictures: there is no built skan; run: tools/build --product skan")
with tempfile.TemporaryDirectory() as folder:
    picture, drawn = ROOT / "docs/pictures/estimates.svg", drawing(report(program, folder))
if options.check and picture.read_text() != drawn:
    sys.exit(f"{picture.relative_to(ROOT)}: differs from the program's figures; run tools/browser/pictures estimates")
if not options.check:
    picture.write_text(drawn)
    print(f"OK: {picture.relative_to(ROOT)}")
