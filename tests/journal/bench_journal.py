"""What a durable event costs: python tests/journal/bench_journal.py [ROUNDS] [FOLDER]

The unit is one bare durable append of the same size to SQLite on the same disk. Both alternate in one run, so that whatever else
the machine does falls on both alike.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from companion.journal import Draft, Journal

TERMS = {"game": "siege", "seats": ["Red", "Blue"]}
BODY = {"seat": "Red", "do": "go", "piece": "Knight", "from": "d4", "to": "e6"}
RULING = {"accepted": True, "rules": ["SG-17"], "said": ["Red moved the Knight from d4 to e6."]}
IDLE_SECONDS = 5


def bench(folder: Path, rounds: int) -> dict[str, float]:
    journal, bare = Journal.open(folder / "table.journal"), bare_database(folder / "bare")
    game = journal.start_game(TERMS)
    draft = Draft("moved", "phone:Ann", BODY, game, None, RULING)
    journal.append(draft)
    text = "x" * row_size(folder / "table.journal")

    def append() -> None:
        assert journal.append(draft).durable

    def bare_append() -> None:
        bare.execute("INSERT INTO rows (text) VALUES (?)", (text,))

    ours, theirs = alternate(append, bare_append, rounds)
    out = {
        "bytes of a row": len(text),
        "bare append p50 ms": percentile(theirs, 50), "bare append p99 ms": percentile(theirs, 99),
        "journal append p50 ms": percentile(ours, 50), "journal append p99 ms": percentile(ours, 99),
        "ratio p50": percentile(ours, 50) / percentile(theirs, 50), "ratio p99": percentile(ours, 99) / percentile(theirs, 99),
        "bytes written per event": bytes_written_by(append, rounds),
        "bytes written per bare append": bytes_written_by(bare_append, rounds),
    }  # fmt: skip
    settle()
    out[f"bytes written in {IDLE_SECONDS} s idle"] = bytes_written_by(lambda: time.sleep(IDLE_SECONDS), 1)
    journal.close()
    bare.close()
    return out


def bare_database(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE rows (sequence INTEGER PRIMARY KEY, text TEXT)")
    return db


def row_size(path: Path) -> int:
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    columns = "label || source || kind || body || coalesce(ruling, '')"
    (size,) = db.execute(f"SELECT length({columns}) FROM events ORDER BY sequence DESC").fetchone()
    db.close()
    return int(size)


def alternate(one: Callable[[], None], other: Callable[[], None], rounds: int) -> tuple[list[float], list[float]]:
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for act, taken in zip((one, other), times, strict=True):
            start = time.perf_counter()
            act()
            taken.append((time.perf_counter() - start) * 1000)
    return times


def percentile(times: list[float], percent: int) -> float:
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def bytes_written_by(act: Callable[[], None], times: int) -> float:
    before = bytes_written()
    for _ in range(times):
        act()
    return (bytes_written() - before) / times


def bytes_written() -> int:
    """What this process made the disk write; in memory, where there is no disk, what it asked to be written."""
    fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(fields["write_bytes"]) or int(fields["wchar"])


def settle() -> None:
    """Printing and the like must not fall into the idle time."""
    sys.stdout.flush()


def main(rounds: int, parent: str | None) -> None:
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        for name, value in bench(Path(folder), rounds).items():
            print(f"{name:32} {value:12.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, sys.argv[2] if len(sys.argv) > 2 else None)
