"""For tests of the process: an eye that obeys a file. Each line of the file is a layout, or a command."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from companion.events import BadInput
from companion.layout import Layout, Standing
from tests.vision.fakes import VIEW
from tests.vision.made_up import sighting
from vision.marks import Sighting
from vision.pictures import Pictures
from vision.view import View
from vision.watch import AT_ONCE, Watcher

FRAME = np.zeros((48, 64, 3), np.uint8)


class FileSource:
    """Frames without a picture; what stands there is read from the file by the eye."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> tuple[Any, float] | None:
        time.sleep(0.02)
        command = json.loads(self.path.read_text()) if self.path.exists() else {}
        if command.get("die") and not self.path.with_suffix(".died").exists():
            self.path.with_suffix(".died").write_text("once")
            os._exit(3)
        return FRAME, time.monotonic()

    def close(self) -> None:
        pass


class FileEye:
    def __init__(self, path: Path) -> None:
        self.path, self.watcher = path, None
        self.chance = Random(1)

    def is_still(self, frame: Any, time: float) -> bool:
        return True

    def acquire(self, frame: Any) -> View:
        return VIEW

    def check(self, frame: Any, view: View) -> Any:
        class Check:
            in_place = True

        return Check()

    def look(self, frame: Any, view: View, wanted: Any) -> Sighting:
        scene = self.watcher.scene  # type: ignore[attr-defined]
        command = json.loads(self.path.read_text()) if self.path.exists() else {}
        layout = scene.game.layout(scene.state)
        if "standing" in command:
            layout = Layout(tuple(Standing(*item) for item in command["standing"]), command.get("platform"))
        return sighting(scene.game, scene.state, layout, self.chance)

    def confirm(self, standing: Any) -> None:
        pass

    def forget(self) -> None:
        pass


def make(settings: Mapping[str, Any]) -> tuple[FileSource, Watcher]:
    if "trouble" in settings:
        raise BadInput(settings["trouble"])
    path = Path(settings["file"])
    eye = FileEye(path)
    watcher = Watcher(eye, eye, eye, VIEW, Pictures(Path(settings["pictures"])) if "pictures" in settings else None, patience=AT_ONCE)
    eye.watcher = watcher  # type: ignore[assignment]
    return FileSource(path), watcher


def show(path: Path, layout: Layout) -> None:
    """Put this on the board."""
    write(path, {"standing": [list(s) for s in layout.standing], "platform": layout.platform})


def write(path: Path, command: Mapping[str, Any]) -> None:
    part = path.with_suffix(".part")
    part.write_text(json.dumps(command))
    part.replace(path)
