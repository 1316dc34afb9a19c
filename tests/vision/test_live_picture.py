"""What the camera sees now, asked for from the eye's process and back; it is also the watchdog's round trip."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import cv2
import numpy as np
import pytest

from companion.journal import Journal
from companion.service import camera_answers, failing
from companion.table import Table
from vision import at_table
from vision.at_table import CameraAtTable
from vision.process import serve
from vision.rendered.stage import Stage


class OneFrame:
    """A source that shows one grey picture until it is closed."""

    labelled = staticmethod(Stage.labelled)

    def read(self) -> tuple[Any, float]:
        return np.full((90, 120, 3), 128, np.uint8), 0.0

    def close(self) -> None: ...


class Idle:
    """A watcher that has nothing to say."""

    scene = sighting = None

    def show(self, scene: object, set_up: bool = False) -> None: ...
    def switch(self, on: bool) -> None: ...
    def trust(self, spaces: object) -> None: ...
    def frame(self, frame: Any, time: float) -> list[Any]:
        return []

    def packing_up(self) -> list[Any]:
        return []


class Pipe:
    """The lines to the eye, which runs on a thread here."""

    def __init__(self, camera: CameraAtTable) -> None:
        self._lines: list[str] = []
        self._more = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=serve, args=(lambda _: (OneFrame(), Idle()), {}, self._read(), camera.hear), daemon=True)
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


def test_the_picture_comes_from_the_eye_and_carries_its_label(camera: CameraAtTable) -> None:
    coded = camera.latest_jpeg()
    assert coded
    picture = cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (90, 120, 3)
    assert picture[:30].min() < 60  # the label's ground
    assert camera.latest_jpeg()  # and the next one too


def test_a_camera_that_is_off_shows_nothing(camera: CameraAtTable) -> None:
    camera.switch(False)
    assert camera.latest_jpeg() is None


def test_the_watchdog_names_an_eye_that_does_not_answer_and_goes_on(camera: CameraAtTable, monkeypatch: pytest.MonkeyPatch) -> None:
    assert failing([camera_answers(camera.look_now)]) == {}
    monkeypatch.setattr(at_table, "LOOKS", 0.05)
    camera.eye = None
    assert failing([camera_answers(camera.look_now)]) == {"the camera": False}
