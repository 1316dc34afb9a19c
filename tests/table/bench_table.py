"""Die byte received → ruling durable and published, beside one bare durable append of the same size on the same disk.

    python -m tests.table.bench_table [ROLLS] [FOLDER]

A virtual die on a real pseudo-terminal throws for a game of Kop the Kaiser; its forced moves are made in between, unmeasured.
After every roll one bare append is timed, so both see the same disk. Also: RSS, bytes written for an event, and bytes while idle.
"""

from __future__ import annotations

import os
import resource
import sqlite3
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median, quantiles

from companion.acts import Agreed, Played
from companion.dice.serial_port import SerialDice
from companion.journal import Journal
from companion.news import News, View
from companion.table import Abandon, Do, Start, Table
from tests.dice.pty_die import PtyDie


def bytes_written() -> int:
    fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(fields["write_bytes"])


def bare_journal(folder: Path) -> sqlite3.Connection:
    db = sqlite3.connect(folder / "bare.db", isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE events (sequence INTEGER PRIMARY KEY, body TEXT)")
    return db


def main(rolls: int = 400, folder: str = "/var/tmp") -> None:
    place = Path(tempfile.mkdtemp(dir=folder))
    received = [0.0]
    published = [0.0]
    arrived = threading.Event()

    def traffic(_: str, way: str, data: bytes) -> None:
        if way == "<" and b"ROLL" in data:
            received[0] = time.perf_counter()

    def tell(view: View, _: tuple[News, ...]) -> None:
        if view.last_roll and received[0]:
            published[0] = time.perf_counter() - received[0]
            received[0] = 0.0
            arrived.set()

    die = PtyDie(place / "die", speed=5)
    bare = bare_journal(place)
    table = Table(Journal.open(place / "table.journal"))
    table.subscribe(tell)
    ours, theirs = [], []
    with table, SerialDice(table.put, ports=[str(place / "die")], on_traffic=traffic) as dice:
        written, sequence = bytes_written(), 0
        while len(ours) < rolls:
            if table.view.ledger is None or table.view.ledger.outcome:
                table.ask(Start({"game": "kop_the_kaiser"}, instead=True)).result()
                assert table.view.ledger
                for seat in table.view.ledger.terms.seats:
                    table.ask(Do(Agreed(seat), seat)).result()
                dice.set_due(2)
            for move in table.view.ledger.legal_moves():
                table.ask(Do(Played(move), move.seat)).result()
            if table.view.ledger.outcome:
                continue
            arrived.clear()
            die.press("A")
            if not arrived.wait(5):
                continue
            ours.append(published[0])
            entries = table.journal.events(table.view.game)[-2:]
            body = "x" * sum(len(str(e.body)) + len(str(e.ruling)) for e in entries)
            before = time.perf_counter()
            bare.execute("INSERT INTO events (body) VALUES (?)", (body,))
            theirs.append(time.perf_counter() - before)
            sequence = table.view.version
        written = bytes_written() - written
        table.ask(Abandon("measured")).result()
        idle = bytes_written()
        time.sleep(3)
        idle = bytes_written() - idle
    die.close()
    for name, part in (("p50", median), ("p99", lambda v: quantiles(v, n=100)[98])):
        a, b = part(ours), part(theirs)
        print(f"die byte → published, {name}: {a * 1e3:.2f} ms; bare durable append {b * 1e3:.2f} ms; ratio {a / b:.2f}")
    print(f"bytes written for an event (ours and bare together): {written / max(sequence, 1):,.0f}; while idle for 3 s: {idle}")
    print(f"RSS: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB; process {os.getpid()}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400, sys.argv[2] if len(sys.argv) > 2 else "/var/tmp")
