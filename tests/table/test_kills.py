"""The referee is killed with SIGKILL at random instants of whole games; nothing acknowledged is lost or doubled."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from queue import Empty, Queue
from random import Random

import pytest

from companion.journal import ROLLED, Reader
from companion.table import replay
from tests.dice.pty_die import PtyDie

KILLS = 25  # a game, if it lasts so long
FEWEST = 5
GAMES = [
    ("royal_purple", "children", "serial"),
    ("siege", "standard", "serial"),
    ("kop_the_kaiser", "standard", "serial"),
    ("fighting_marines", "standard", "serial"),
    ("royal_game", "one_die", "serial"),
    ("royal_purple", "children", "gpio"),
    ("kop_the_kaiser", "standard", "gpio"),
    ("fighting_marines", "standard", "gpio"),
    ("royal_game", "two_dice", "gpio"),
]


class Referee:
    """The child, and what it has acknowledged."""

    def __init__(self, *args: str) -> None:
        self.args = args
        self.acknowledged = 0
        self.lines: Queue[str] = Queue()
        self._start()

    def _start(self) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-m", "tests.table.referee_process", *self.args],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip
        self.lines = Queue()
        self.reader = threading.Thread(target=self._read, args=(self.child, self.lines), daemon=True)
        self.reader.start()

    def _read(self, child: subprocess.Popen[str], lines: Queue[str]) -> None:
        assert child.stdout
        for line in child.stdout:
            words = line.split()
            if not line.endswith("\n") or len(words) != 3:
                continue  # cut by the kill
            _, what, sequence = words
            self.acknowledged = max(self.acknowledged, int(sequence))
            lines.put(what)

    def due(self, patience: float) -> str:
        """What is asked for now: the newest line, once there is one. Empty if nothing new was said."""
        what = ""
        try:
            what = self.lines.get(timeout=patience)
            while True:
                what = self.lines.get_nowait()
        except Empty:
            return what

    def send(self, text: str) -> None:
        assert self.child.stdin
        self.child.stdin.write(text + "\n")
        self.child.stdin.flush()

    def kill(self) -> None:
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()
        self.reader.join()
        assert self.child.stdin
        assert self.child.stdout
        self.child.stdout.close()
        self.child.stdin.close()

    def restart(self) -> None:
        self.kill()
        self._start()


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("game", "variant", "dice"), GAMES, ids=lambda v: v)
def test_killed_again_and_again_the_game_is_finished_with_nothing_lost_or_doubled(
    game: str, variant: str, dice: str, tmp_path: Path
) -> None:
    journal, link = tmp_path / "table.journal", tmp_path / "die"
    chance = Random(f"{game} {variant} {dice}")
    die = PtyDie(link, speed=5)
    referee = Referee(str(journal), "gpio" if dice == "gpio" else str(link), game, variant)
    killed = steps = 0
    what = ""
    deadline = time.monotonic() + 800
    try:
        while (what := referee.due(10.0 if steps == 0 else 0.5) or what) != "over":
            assert time.monotonic() < deadline, f"after {steps} steps and {killed} kills: {what}"
            steps += 1
            if what == "roll":
                if dice == "gpio":
                    referee.send("press")
                else:
                    die.press("A")
            elif what == "move":
                referee.send(f"move {steps}")
            if killed < KILLS and chance.random() < 0.6:
                time.sleep(chance.random() * 0.02)  # anywhere between the bytes of the die and the last fsync
                referee.restart()
                killed += 1
                what = referee.due(20.0)
    finally:
        referee.kill()
        die.close()
    assert killed >= FEWEST, "the game was over too soon to prove anything"
    with Reader.open(journal) as reader:
        assert reader.damage() == ""
        (kept,) = reader.games()
        events = reader.events(kept.id)
        assert kept.state == "finished"
        assert {e.sequence for e in reader.all_events()} >= set(range(1, referee.acknowledged + 1))
        keys = Counter(tuple(e.body["key"]) for e in reader.all_events() if e.kind == ROLLED)
        assert all(count == 1 for count in keys.values()), keys.most_common(3)
    ledger = replay(kept.terms, events)
    assert ledger.outcome
    assert list(ledger.outcome.winners) == kept.outcome["winners"]
    if dice == "serial" and keys:
        numbers = sorted(key[2] for key in keys)
        assert numbers == list(range(numbers[0], numbers[-1] + 1)), "a roll of the die is missing"
