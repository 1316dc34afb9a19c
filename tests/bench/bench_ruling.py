"""From the first picture in which a moved piece stands free to the ruling that everybody is told: eye, pipe, umpire, referee and a journal on
disk, as in `companion run`, under the rendered table (synthetic).

    python -m tests.bench.bench_ruling [MOVES]

Most of it is patience, not work: a picture must be still for a moment and be seen twice. So it is counted in pictures too.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

from companion.acts import Agreed, Played
from companion.cli.stand_ins import RenderedHands
from companion.demonstration.choices import layout_after
from companion.events import Move
from companion.journal import Journal
from companion.layout import changes
from companion.news import News, View
from companion.table import Do, Start, Table
from tests.bench.rows import Row
from vision.at_table import CameraAtTable
from vision.lookout import Lookout
from vision.process import EyeProcess
from vision.rendered import stage

GAME, MOVES, SPEED = "siege", 30, 4.0  # a game without dice: each ruling is on a move
PICTURES_A_SECOND, MOST_SECONDS = 15, 0.4  # the goal: so soon, at so many pictures a second
PATIENCE = 30.0


class Stopwatch:
    """In the eye's process: the rendered camera, which writes down the time of each picture, and of those from which a hand has just gone."""

    def __init__(self, source: stage.Stage, file: Path) -> None:
        self.source, self.file, self.moving = source, file, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)

    def read(self) -> Any:
        was, got = self.moving, self.source.read()
        self.moving = self.source.is_moving
        if got is not None:
            with self.file.open("a", encoding="utf-8") as lines:
                lines.write(f"{got[1]} {'free' if was and not self.moving else ''}\n")
        return got


def from_settings(settings: Mapping[str, Any]) -> tuple[Any, Lookout]:
    source, lookout = stage.from_settings(settings)
    return Stopwatch(source, Path(settings["times"])), lookout


def rulings(folder: Path, moves: int) -> Iterator[tuple[float, int]]:
    """Seconds and pictures from a free piece to the ruling, move by move; a move that the eye does not see in time is left out."""
    chance, times = Random(1), folder / "times"
    with ExitStack() as evening:
        table = evening.enter_context(Table(Journal.open(folder / "table.journal")))
        camera = CameraAtTable(table)
        eye = EyeProcess("tests.bench.bench_ruling:from_settings", {"source": "rendered", "speed": SPEED, "times": str(times)}, camera.hear)
        camera.eye = eye
        hands, told, ready = RenderedHands(table, eye), dict[int, float](), list[str]()

        def hear(view: View, news: tuple[News, ...]) -> None:
            if view.ledger:
                told.setdefault(len(view.ledger.lines), time.monotonic())
            if view.observed:
                ready.append(view.observed.kind)

        for subscriber in (hear, camera.follow):
            table.subscribe(subscriber)
        for start, stop in ((eye.start, eye.stop), (camera.start, camera.stop)):
            start()
            evening.callback(stop)
        while moves > 0:
            ledger = table.view.ledger
            if ledger is None or ledger.outcome:
                ready.clear()
                told.clear()
                ledger = table.ask(Start({"game": GAME})).result().view.ledger
                assert ledger
                hands.put(ledger.game.layout(ledger.state), "", at_once=True)
                for seat in ledger.must_agree:
                    table.ask(Do(Agreed(seat), seat)).result()
                until(lambda: "ready" in ready, 2 * PATIENCE)
                continue
            move = chance.choice([m for m in ledger.legal_moves() if isinstance(m, Move)])
            after, known = layout_after(ledger, move), len(ledger.lines)
            assert after
            if changes(ledger.game.layout(ledger.state), after):
                moves -= 1
                hands.put(after, move.seat)
                if until(lambda before=known: len(table.view.ledger.lines) > before, PATIENCE):  # type: ignore[union-attr]
                    yield since_free(times, told[known + 1])
                    continue
            table.ask(Do(Played(move), move.seat)).result()


def since_free(times: Path, told: float) -> tuple[float, int]:
    seen = [line.split() for line in times.read_text().splitlines()]
    free = max(float(words[0]) for words in seen if len(words) > 1 and float(words[0]) <= told)
    return told - free, sum(free <= float(words[0]) <= told for words in seen)


def until(condition: Any, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not condition():
        time.sleep(0.001)
    return bool(condition())


def rows(moves: int = MOVES) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        measured = list(rulings(Path(folder), moves))
    seconds = statistics.quantiles((s for s, _ in measured), n=100)
    pictures = statistics.quantiles((p for _, p in measured), n=100)
    told = f"p50 {seconds[49]:.2f} s, p99 {seconds[98]:.2f} s at no more than {stage.RATE:g} pictures a second; {len(measured)} of {moves} moves seen"
    yield Row(f"hand gone → ruling told, {GAME}, rendered (synthetic)", told)
    most = MOST_SECONDS * PICTURES_A_SECOND
    counted = f"p50 {pictures[49]:.0f}, p99 {pictures[98]:.0f}"
    yield Row("the same, counted in pictures", counted, f"at most {most:.0f}, p50", pictures[49] <= most)


if __name__ == "__main__":
    for row in rows(*(int(word) for word in sys.argv[1:])):
        print(row, flush=True)
