"""The program killed outright, again and again, at any instant."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import append_until_killed
import pytest
from append_until_killed import ACK, MOVES_A_GAME, body_of

from companion.journal import Reader

KILLS = 40


@pytest.mark.slow
def test_kill_9_loses_and_doubles_nothing_acknowledged(tmp_path: Path) -> None:
    path, rnd, acknowledged = tmp_path / "table.journal", random.Random(9), 0
    for kill in range(1, KILLS + 1):
        acknowledged = max(acknowledged, run_and_kill(path, rnd))
        with Reader.open(path) as reader:
            assert reader.damage() == ""
            entries, games, boots = reader.all_events(), reader.games(), reader.boots()
        # Two are written at a time, as a whole; the last may have been written without our hearing of it.
        assert acknowledged <= len(entries) <= acknowledged + 2
        assert len(entries) % 2 == 0
        assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))
        assert all(entry.body == body_of(entry.sequence) for entry in entries)
        assert [entry.boot for entry in entries] == sorted(entry.boot for entry in entries)
        assert [boot.number for boot in boots] == list(range(1, kill + 1))
        for game in games:
            mine = [entry.number for entry in entries if entry.game == game.id]
            assert mine == list(range(1, len(mine) + 1))
            assert (len(mine) == MOVES_A_GAME) or game.state == "running"
    assert acknowledged > KILLS


def run_and_kill(path: Path, rnd: random.Random) -> int:
    """The last sequence that the killed one had acknowledged."""
    child = subprocess.Popen([sys.executable, append_until_killed.__file__, str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    heard = b""
    for _ in range(rnd.randint(1, 60)):
        heard += child.stdout.read(ACK.size)
    for _ in range(rnd.randint(0, 20_000)):  # some way into the next write
        pass
    child.kill()
    heard += child.stdout.read()
    child.stdout.close()
    child.wait()
    whole = heard[: len(heard) // ACK.size * ACK.size]
    assert whole, "the child never got to write"
    return int(ACK.unpack(whole[-ACK.size :])[0])
