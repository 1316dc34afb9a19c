"""SIGTERM at any moment of a demonstration, with phones that look on: the service ends by itself, soon, and has saved everything."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from random import Random

import pytest

from companion.games import all_games
from companion.journal import Journal
from tests.night.evening import Evening
from tests.web.phone import Phone

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.usefixtures("emulator")]
SHOWN = ("/api/camera/live.jpg", "/api/camera/picture", "/api/state", "/api/state")
GONE = (OSError, HTTPException, ValueError, AssertionError)  # what a phone meets when the service is no more


@contextmanager
def phones_looking_on(evening: Evening) -> Iterator[list[int]]:
    """Two open streams, and pages that fetch pictures and the state without a pause; gives the record's lengths that they were told."""
    over, told = threading.Event(), list[int]()

    def fetch(path: str) -> None:
        phone = Phone(evening.port)
        phone.cookie = evening.host.cookie
        while not over.is_set():
            with suppress(*GONE):
                answer = phone.get(path)
                if path == "/api/state":
                    told.append(answer.json["record_length"])
            over.wait(0.01)

    def follow() -> None:
        with suppress(*GONE), evening.host.stream() as stream:
            while event := stream.event():
                told.append(event[1].get("record_length", 0))

    threads = [threading.Thread(target=fetch, args=(path,), daemon=True) for path in SHOWN]
    threads += [threading.Thread(target=follow, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield told
    finally:
        over.set()
        for thread in threads:
            thread.join(30)


@pytest.mark.parametrize("game", all_games())
def test_the_service_ends_cleanly_at_any_moment_of_a_demonstration(tmp_path: Path, game: str) -> None:
    """In the middle of a roll, a move, a picture or a page: every time it is stopped, it goes on at the next start."""
    chance = Random(game)
    with Evening(tmp_path, game, seed=3) as evening:
        evening.begin()
        for start in range(3):
            if start:
                evening.start_service()
                evening.let_them_play()
            with phones_looking_on(evening) as told:
                threading.Event().wait(chance.uniform(0.2, 4.0))  # the moment is what is tried here, not a condition
                eye = evening.eye
                evening.stop_service()
            assert not Path(f"/proc/{eye}").exists() or not eye, "the eye outlived the service"
            assert "Traceback" not in evening.printed
            with Journal.open(evening.journal) as journal:
                saved = len(journal.events(evening.number))
            assert saved >= max(told), "a phone was told of an act that is not in the journal"
