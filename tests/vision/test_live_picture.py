"""What the camera sees now, asked for from the eye's process and back: for the pages, and as the watchdog's round trip."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import cv2
import numpy as np
import pytest

from companion.board import Board
from companion.events import BadInput
from companion.journal import Journal
from companion.service import camera_answers, failing
from companion.table import Table
from vision import at_table
from vision.asking import Desk
from vision.at_table import CameraAtTable
from vision.lookout import Lookout
from vision.process import serve
from vision.rendered.stage import Stage
from vision.watch import Watcher

PATIENCE = 30.0  # seconds for whatever must come to be


class OneFrame:
    """A source that shows one grey picture until it is closed."""

    def read(self) -> tuple[Any, float]:
        return np.full((90, 120, 3), 128, np.uint8), 0.0

    def close(self) -> None: ...


def no_watcher(board: Board) -> Watcher:
    raise BadInput("nothing is watched here")


def eye(_: Mapping[str, Any]) -> tuple[OneFrame, Lookout]:
    return OneFrame(), Lookout(no_watcher, Desk(None, "one frame", Stage.labelled))


class Pipe:
    """The lines to the eye, which runs on a thread here."""

    def __init__(self, camera: CameraAtTable) -> None:
        self._lines: list[str] = []
        self._more = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=serve, args=(eye, {}, self._read(), camera.hear), daemon=True)
        self._thread.start()

    def send(self, message: Mapping[str, Any]) -> None:
        with self._more:
            self._lines.append(json.dumps(message))
            self._more.notify_all()

    def close(self) -> None:
        with self._more:
            self._closed = True
            self._more.notify_all()
        self._thread.join(10)

    def _read(self) -> Iterator[str]:
        while True:
            with self._more:
                self._more.wait_for(lambda: self._lines or self._closed)
                if not self._lines:
                    return
                line = self._lines.pop(0)
            yield line


@pytest.fixture
def camera() -> Iterator[CameraAtTable]:
    with Table(Journal.without_file()) as table:
        camera = CameraAtTable(table)
        pipe = Pipe(camera)
        camera.eye = pipe
        yield camera
        pipe.close()


def picture(camera: CameraAtTable) -> Any:
    """As a page gets it; the eye's first frame is waited for."""
    end = time.monotonic() + PATIENCE
    while "error" in (told := camera.ask({"do": "picture"}, PATIENCE)) and time.monotonic() < end:
        assert told["error"] == "The camera has given no picture yet."
    return cv2.imdecode(np.frombuffer(base64.b64decode(told["picture"]), np.uint8), cv2.IMREAD_COLOR)


def test_the_picture_comes_from_the_eye_and_carries_its_label(camera: CameraAtTable) -> None:
    seen = picture(camera)
    assert seen.shape == (90, 120, 3)
    assert seen[:30].min() < 60  # the label's ground
    assert picture(camera) is not None  # and the next one too


def test_a_camera_that_is_off_shows_nothing_and_keeps_nothing(camera: CameraAtTable) -> None:
    assert picture(camera) is not None
    camera.switch(False)
    assert camera.ask({"do": "picture"}) == {"error": "The camera is off. Switch it on first."}
    desk = Desk(None, "one frame")
    desk.frame = np.zeros((90, 120, 3), np.uint8)
    assert desk.answer({"do": "picture"})["picture"]
    desk.forget()
    assert "picture" not in desk.answer({"do": "picture"})


def test_one_coded_picture_serves_all_who_ask_for_the_same_frame() -> None:
    coded = []
    desk = Desk(None, "one frame", lambda frame: coded.append(1) or frame)  # type: ignore[func-returns-value]
    for _ in range(3):
        desk.frame = np.zeros((90, 120, 3), np.uint8)
        assert desk.answer({"do": "picture"}) == desk.answer({"do": "picture"})
    assert len(coded) == 3


def test_a_rendered_table_shows_its_picture_and_learns_no_board() -> None:
    desk = Desk(None, "rendered")
    desk.frame = np.zeros((90, 120, 3), np.uint8)
    for question in ({"do": "guide", "step": "begin", "terms": {"game": "siege"}}, {"do": "sighting", "terms": {"game": "siege"}}):
        assert "rendered" in desk.answer(question)["error"]


def test_the_watchdog_names_an_eye_that_does_not_answer_and_goes_on(camera: CameraAtTable, monkeypatch: pytest.MonkeyPatch) -> None:
    assert failing([camera_answers(camera.look_now)]) == {}
    camera.switch(False)
    assert failing([camera_answers(camera.look_now)]) == {}  # off is an answer, from the eye's own process
    monkeypatch.setattr(at_table, "LOOKS", 0.05)

    class Deaf:
        def send(self, message: Mapping[str, Any]) -> None: ...

    for eye in (Deaf(), None):
        camera.eye = eye
        assert failing([camera_answers(camera.look_now)]) == {"the camera": False}


def test_when_the_evening_ends_nobody_waits_for_a_picture_any_more(camera: CameraAtTable) -> None:
    sent = threading.Event()

    class Silent:
        def send(self, message: Mapping[str, Any]) -> None:
            sent.set()

    camera.eye = Silent()
    told: list[Mapping[str, Any]] = []
    page = threading.Thread(target=lambda: told.append(camera.ask({"do": "picture"}, 60.0)), daemon=True)
    page.start()
    assert sent.wait(10)
    camera.release()
    page.join(10)
    assert told == [{"busy": True}]
    assert camera.ask({"do": "picture"}, 60.0) == {"busy": True}
