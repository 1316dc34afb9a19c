"""How long from an event that the table has accepted until every open page has it: python -m tests.web.bench_live [ROUNDS]

The unit is a bare ASGI broadcast: the same bytes from one task to so many server-sent-event streams, under uvicorn as it is.
Each server has a process of its own, and the pages are in a third. Both take turns in one run, so that whatever else the
machine does falls on both alike. A page has an event when the last byte of its frame has come.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn

from companion.acts import Agreed
from companion.journal import Journal
from companion.table import Do, Rolled, Start, Table
from tests.web.phone import NAME
from web.server import Server

CROWDS = (16, 64, 256)
GUESTS = 64  # of four pages each
GAME = "kop_the_kaiser"
PERCENTILES = (50, 99)


# --- the two servers, each in a process of its own; a line of input is an event, a line of output tells when it was accepted ---


def serve_table() -> None:
    accepted: list[int] = []
    with Table(Journal.without_file()) as table:
        table.subscribe(lambda view, news: accepted.append(time.monotonic_ns()))  # the first to hear of it
        terms = table.ask(Start({"game": GAME})).result().view.ledger
        assert terms
        for seat in terms.terms.seats:
            table.ask(Do(Agreed(seat))).result()
        with Server(table, "127.0.0.1", 0, names=[NAME]) as server:
            access = server.room.access
            cookies = [access.join(access.join_token, f"Guest {n}", None, "127.0.0.1")[1] for n in range(GUESTS)]
            _say({"port": server.port, "cookies": cookies})
            for _ in sys.stdin:
                accepted.clear()
                table.ask(Rolled((3, 3, 3, 3))).result()  # four dice are never due here: shown, and the game stands still
                _say({"accepted": accepted[0], "rss": _rss(), "cpu": time.process_time()})


def serve_bare() -> None:
    letters: set[asyncio.Queue[bytes]] = set()
    frame = bytes.fromhex(sys.stdin.readline())

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        await send({"type": "http.response.body", "body": frame, "more_body": True})
        box: asyncio.Queue[bytes] = asyncio.Queue()
        letters.add(box)
        gone = asyncio.create_task(_gone(receive))
        try:
            while not gone.done():
                await send({"type": "http.response.body", "body": await box.get(), "more_body": True})
        finally:
            gone.cancel()
            letters.discard(box)

    async def main() -> None:
        server = uvicorn.Server(uvicorn.Config(app, "127.0.0.1", 0, lifespan="off", log_config=None, http="h11"))
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        _say({"port": server.servers[0].sockets[0].getsockname()[1], "cookies": [""]})
        loop = asyncio.get_running_loop()

        def broadcast() -> None:
            for box in letters:
                box.put_nowait(frame)

        def poke() -> None:
            for _ in sys.stdin:
                now = time.monotonic_ns()
                loop.call_soon_threadsafe(broadcast)
                _say({"accepted": now, "rss": _rss(), "cpu": time.process_time()})

        await loop.run_in_executor(None, poke)
        server.force_exit = server.should_exit = True
        await running

    asyncio.run(main())


async def _gone(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _say(data: dict[str, Any]) -> None:
    print(json.dumps(data), flush=True)


def _rss() -> int:
    """Kilobytes of memory."""
    return int(next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")).split()[1])


# --- the pages ---


class Served:
    """A server in another process."""

    def __init__(self, which: str, first_line: str = "") -> None:
        command = [sys.executable, "-m", "tests.web.bench_live", which]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if first_line:
            self.write(first_line)
        self.facts = self.read()

    def write(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told

    def event(self) -> dict[str, Any]:
        self.write("go")
        return self.read()

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait(20)


class Page:
    """One open stream. `came` is when its latest frame was whole."""

    def __init__(self) -> None:
        self.frame = b""
        self.came = 0
        self.news = asyncio.Event()

    async def read(self, reader: asyncio.StreamReader) -> None:
        await reader.readuntil(b"\r\n\r\n")
        rest = b""
        while True:
            rest += await reader.read(1 << 18)
            if rest.endswith(b"\n\n\r\n"):  # of the last chunk
                self.came, self.frame, rest = time.monotonic_ns(), rest, b""
                self.news.set()


@asynccontextmanager
async def pages(served: Served, count: int) -> AsyncIterator[list[Page]]:
    """So many pages, each guest's from an address of its own, once all have their first snapshot."""
    opened, tasks, writers = [], [], []
    cookies = served.facts["cookies"]
    for number in range(count):
        guest = number % len(cookies)
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", served.facts["port"], limit=1 << 20, local_addr=(f"127.0.3.{number % GUESTS + 1}", 0)
        )
        writer.write(f"GET /events HTTP/1.1\r\nHost: {NAME}\r\nCookie: companion={cookies[guest]}\r\n\r\n".encode())
        opened.append(Page())
        tasks.append(asyncio.create_task(opened[-1].read(reader)))
        writers.append(writer)
    await _all_have_news(opened)
    await asyncio.sleep(2.5)  # until it has been told who is online
    try:
        yield opened
    finally:
        for task, writer in zip(tasks, writers, strict=True):
            task.cancel()
            writer.close()


async def _all_have_news(opened: list[Page]) -> None:
    for page in opened:
        await asyncio.wait_for(page.news.wait(), 30)


async def one_event(served: Served, opened: list[Page]) -> tuple[list[float], dict[str, Any]]:
    """Milliseconds until each page had it, and what the server told of itself when it happened."""
    for page in opened:
        page.news.clear()
    told = await asyncio.get_running_loop().run_in_executor(None, served.event)
    await _all_have_news(opened)
    return [(page.came - told["accepted"]) / 1e6 for page in opened], told


def percentile(times: list[float], percent: int) -> float:
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


async def compare(table: Served, bare: Served, crowd: int, rounds: int) -> str:
    ours: list[float] = []
    theirs: list[float] = []
    of_ours: list[dict[str, Any]] = []
    of_theirs: list[dict[str, Any]] = []
    async with pages(table, crowd) as of_table, pages(bare, crowd) as of_bare:
        for _ in range(rounds):
            for served, opened, waits, told in ((table, of_table, ours, of_ours), (bare, of_bare, theirs, of_theirs)):
                times, facts = await one_event(served, opened)
                waits += times
                told.append(facts)
        size = len(of_table[0].frame)
    parts = [f"{crowd:4} pages, {size} bytes"]
    for percent in PERCENTILES:
        one, other = percentile(ours, percent), percentile(theirs, percent)
        parts.append(f"p{percent} {one:7.2f} ms, bare {other:7.2f} ms, ratio {one / other:5.2f}")
    one, other = (1000 * (told[-1]["cpu"] - told[0]["cpu"]) / (rounds - 1) for told in (of_ours, of_theirs))
    parts.append(f"CPU of an event {one:6.2f} ms, bare {other:6.2f} ms, ratio {one / other:5.2f}")
    return " | ".join([*parts, f"{of_ours[-1]['rss'] / 1024:.0f} MB"])


async def a_frame(table: Served) -> bytes:
    """What a page gets from the table, for the bare server to send."""
    async with pages(table, 1) as (page,):
        await one_event(table, [page])
        return page.frame.partition(b"\r\n")[2].removesuffix(b"\r\n")


async def main(rounds: int) -> None:
    table = Served("table")
    bare = Served("bare", (await a_frame(table)).hex())
    try:
        for crowd in CROWDS:
            print(await compare(table, bare, crowd, rounds), flush=True)
    finally:
        table.close()
        bare.close()


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else "400"  # the slowest four of them make the p99: with few, one hiccup would
    if what == "table":
        serve_table()
    elif what == "bare":
        serve_bare()
    else:
        asyncio.run(main(int(what)))
