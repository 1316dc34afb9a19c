"""A full disk: the referee goes on, says so, loses nothing that it called saved, and saves by itself when there is room again."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.acts import Agreed
from companion.journal import ROLLED, Journal, Reader
from companion.news import URGENT, News, View
from companion.table import Do, Rolled, Start, Table


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    run = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, text=True)
    if run.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {run.stderr.strip()}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place: Path) -> Path:
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass
    return ballast


def test_the_game_goes_on_when_the_disk_is_full_and_is_saved_again_when_it_is_not(small_disk: Path) -> None:
    told: list[News] = []
    saved_again = threading.Event()
    asked = saved = 0  # rolls handed in, and rolls published as saved

    def hear(view: View, news: tuple[News, ...]) -> None:
        nonlocal saved
        told.extend(news)
        if not view.trouble:
            saved = asked
        if any(n.text == "Everything is saved again." for n in news):
            saved_again.set()

    path = small_disk / "table.journal"
    with Table(Journal.open(path)) as table:
        table.retry_every = 0.05
        table.subscribe(hear)
        table.ask(Start({"game": "royal_game", "seats": 2})).result()
        for seat in ("red", "yellow"):
            table.ask(Do(Agreed(seat), seat)).result()
        for cycle in range(4):
            ballast = fill(small_disk)
            for face in range(1, 7):
                asked += 1
                table.ask(Rolled((face,))).result()
            assert table.view.trouble
            assert any(n.text.startswith("Not saved!") and n.urgency == URGENT for n in told), "nobody was told"
            with Reader.open(path) as reader:
                stored = len(reader.all_events(kind=ROLLED))
            assert stored >= saved, f"cycle {cycle}: something that was called saved is missing"
            os.unlink(ballast)
            assert saved_again.wait(30), "it was not saved again by itself"
            saved_again.clear()
            told.clear()
            assert saved == asked
    with Reader.open(path) as reader:
        rolls = [e.body["roll"] for e in reader.all_events(kind=ROLLED)]
    assert rolls == [[face] for _ in range(4) for face in range(1, 7)]


def test_a_table_whose_journal_cannot_be_had_at_all_still_plays(tmp_path: Path) -> None:
    told: list[News] = []
    with Table(Journal.without_file()) as table:
        table.subscribe(lambda view, news: told.extend(news))
        table.ask(Start({"game": "siege"})).result()
        assert table.view.ledger
        assert table.view.trouble
