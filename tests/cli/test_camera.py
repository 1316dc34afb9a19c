"""companion camera: list, preview, lock."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Run
from tests.vision.evening import FOLDER
from vision import devices, sources
from vision.view import Array

PICTURES = str(FOLDER / "kop_the_kaiser")


class Webcam:
    unlocked: tuple[str, ...] = ()

    def __init__(self, address: str) -> None:
        self.address = address

    def read(self) -> Array | None:
        return np.full((72, 128, 3), 120, np.uint8)

    def lock(self, settings: Mapping[str, float]) -> tuple[dict[str, float], tuple[str, ...]]:
        return {"exposure": 150.0}, self.unlocked

    def close(self) -> None: ...


def test_list_says_that_there_is_none_or_which_there_are(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "list_cameras", list)
    assert "No camera is known" in run("camera", "list").output
    monkeypatch.setattr(devices, "list_cameras", lambda: [devices.Known("/dev/video0", "HD Webcam", "usb")])
    assert "/dev/video0" in run("camera", "list").output
    assert json.loads(run("camera", "list", "--json").output) == [{"address": "/dev/video0", "name": "HD Webcam", "kind": "usb"}]


def test_preview_writes_what_the_source_shows(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "table.png"
    result = run("camera", "preview", PICTURES, str(out))
    assert result.exit_code == 0
    assert "1280 × 720" in result.output
    picture = sources.read_picture(out)
    assert picture is not None
    assert picture.shape == (720, 1280, 3)


def test_preview_of_a_camera_waits_until_it_has_settled(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "open_device", Webcam)
    result = run("camera", "preview", "0", str(tmp_path / "table.jpg"))
    assert result.exit_code == 0
    assert "128 × 72" in result.output


def test_preview_says_what_is_wrong_with_the_light(run: Run, tmp_path: Path) -> None:
    for level, words in ((5, "very dark"), (255, "too bright")):
        sources.write_picture(tmp_path / "in.png", np.full((72, 128, 3), level, np.uint8))
        assert words in run("camera", "preview", str(tmp_path / "in.png"), str(tmp_path / "out.png")).output


def test_lock_tells_what_is_held_and_what_is_not(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "open_device", Webcam)
    result = run("camera", "lock", "0")
    assert result.exit_code == 0
    assert "exposure: held at 150" in result.output
    monkeypatch.setattr(Webcam, "unlocked", ("white balance",))
    result = run("camera", "lock", "0", "--json")
    assert result.exit_code == 1
    assert json.loads(result.output) == {"source": "0", "locked": {"exposure": 150.0}, "unlocked": ["white balance"]}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("preview", "no-such-thing", "out.png"), "is no camera, video or folder"),
        (("preview", PICTURES, "out.gif"), "writes a .png or .jpg file"),
        (("preview", PICTURES, "/nowhere/at/all/out.png"), "cannot be written"),
        (("preview", PICTURES, "out.png", "--seconds", "900"), "ends before 900 seconds"),
        (("preview", "/dev/video-none", "out.png"), "is not there"),
        (("lock", PICTURES), "lock wants a camera"),
        (("lock", "/dev/video-none"), "is not there"),
    ],
)
def test_wrong_input_gets_one_clear_line(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("camera", *words)
    assert result.exit_code == 2
    assert said in result.output
    assert len([line for line in result.output.splitlines() if line.startswith("Error")]) == 1
