"""How soon a page is there: python -m tests.web.bench_page [ROUNDS]

Real Chromium at phone size with an empty cache each time, once as fast as this machine is and once slowed down four times, which is
about an old Android. First paint is when the page shows anything; first view is when it shows the table as it stands, with the
board drawn on the pages that have one. The unit is an empty page of the same server, measured in the same run. Weight is everything
that was fetched, each file by itself with gzip. The server has a process of its own; its memory is told at the end.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, Response, sync_playwright

from companion.journal import Journal
from companion.table import Table
from tests.web.browser.conftest import CHROMIUM, NAME, PHONE, begin
from web.server import Server

GAME = "fighting_marines"  # the board with the most spaces
EMPTY = "/static/look.js"
# What must be there before a page shows the table.
FIRST_VIEW = {
    "/play": "() => document.body?.dataset.board && document.querySelector('#board').dataset.shows",
    "/check": "() => document.querySelector('#board svg') && !document.body.ariaBusy",
    "/record": "() => document.querySelector('#board svg') && document.querySelector('#log li')",
    "/host": "() => document.querySelector('#running h2')",
    "/dice": "() => document.querySelector('#line')?.dataset.state === 'on'",
    "/tv": "() => document.querySelector('#board svg')",
    "/rulebook": "() => document.querySelector('dt')",
}
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()"


def serve() -> None:
    """The table in a process of its own, until its input ends."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Table(Journal.open(Path(folder) / "table.journal")) as table,
        Server(table, "127.0.0.1", 0, names=(NAME,)) as server,
    ):
        begin(server, GAME, 20)
        print(json.dumps({"port": server.port, "code": server.room.access.host_code}), flush=True)
        sys.stdin.read()


def rss_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


class Reader:
    """A host's phone; every look begins with an empty cache."""

    def __init__(self, browser: Browser, told: dict[str, Any]) -> None:
        self.where = f"http://{NAME}:{told['port']}"
        self.context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True)
        page = self.context.new_page()
        page.goto(self.where + "/join")
        call = """(code) => fetch("/api/host",
          {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({code, name: "Ada"})})"""
        page.evaluate(call, told["code"])
        page.close()

    def look(self, path: str, slower: int) -> tuple[float, float, int]:
        """Milliseconds to first paint and first view, and the weight."""
        page, fetched = self.context.new_page(), list[Response]()
        devtools = self.context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.on("response", lambda response: fetched.append(response))
        page.goto(self.where + path, wait_until="commit")
        if path in FIRST_VIEW:
            page.wait_for_function(FIRST_VIEW[path], polling="raf")
        else:
            page.wait_for_load_state("load")
        seen = page.evaluate("() => performance.now()")
        paint = page.evaluate(PAINT)
        weight = self._weight(page, fetched, path)
        page.close()
        return paint, seen, weight

    def _weight(self, page: Page, fetched: list[Response], path: str) -> int:
        page.wait_for_load_state("load")
        whole = [r for r in fetched if r.status == 200 and not r.url.endswith("/events")]
        return sum(len(gzip.compress(r.body())) for r in whole)


def main(rounds: int) -> None:
    server = subprocess.Popen([sys.executable, "-m", __spec__.name, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin
    assert server.stdout
    told = json.loads(server.stdout.readline())
    with sync_playwright() as play:
        args = ["--no-sandbox", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
        browser = play.chromium.launch(executable_path=CHROMIUM, args=args)
        reader = Reader(browser, told)
        print(f"median of {rounds}, phone size, empty cache, {GAME}; first paint / first view in ms, × an empty page")
        print("page      | full speed            | CPU 4 times slower    | weight gzip")
        for path in FIRST_VIEW:
            cells, weight = [], 0
            for slower in (1, 4):
                looks = [(reader.look(path, slower), reader.look(EMPTY, slower)) for _ in range(rounds)]
                paint, seen, empty = (median(values) for values in zip(*((*ours[:2], other[1]) for ours, other in looks), strict=True))
                weight = max(ours[2] for ours, _ in looks)
                cells.append(f"{paint:5.0f} /{seen:6.0f} {seen / empty:5.1f}×")
            print(f"{path:9} | {cells[0]} | {cells[1]} | {weight / 1000:5.1f} kB", flush=True)
        browser.close()
    print(f"server: {rss_mb(server.pid):.0f} MB resident")
    server.stdin.close()
    server.wait(20)


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 5)
