"""The eye of a running table: one camera, and for each board that is played on the calibration that belongs to it.

`from_settings` is what `vision.process` starts: {"source": "0", "calibrations": folder, "pictures": folder, "most_bytes": …}.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from companion.board import Board
from companion.events import BadInput
from vision import reports
from vision.calibration import load_calibration
from vision.gate import Gate
from vision.marks import Sighting
from vision.pictures import MOST_BYTES, Pictures
from vision.reports import Report
from vision.scene import Scene
from vision.sources import Source, open_source
from vision.watch import Frame, Watcher


class Lookout:
    """A watcher for whatever board is on the table. Without a calibration it says so once, and the game goes on by phone."""

    def __init__(self, watcher_for: Callable[[Board], Watcher]) -> None:
        self.watcher_for = watcher_for
        self.watcher: Watcher | None = None
        self.board: Board | None = None
        self.is_off = False
        self._waiting: list[Report] = []

    @property
    def scene(self) -> Scene | None:
        return self.watcher.scene if self.watcher else None

    @property
    def sighting(self) -> Sighting | None:
        return self.watcher.sighting if self.watcher else None

    def show(self, scene: Scene | None, set_up: bool = False) -> None:
        if scene is not None and scene.state.ground.terms.board != self.board:
            self.board = scene.state.ground.terms.board
            self._waiting.clear()
            try:
                self.watcher = self.watcher_for(self.board)
                self.watcher.switch(not self.is_off)
            except BadInput as error:
                self.watcher = None
                self._waiting.append(Report(reports.CAMERA, str(error), scene.version))
        if self.watcher:
            self.watcher.show(scene, set_up)

    def switch(self, on: bool) -> None:
        self.is_off = not on
        if self.watcher:
            self.watcher.switch(on)

    def trust(self, spaces: Collection[str]) -> None:
        if self.watcher:
            self.watcher.trust(spaces)

    def frame(self, frame: Frame, time: float) -> list[Report]:
        said, self._waiting = self._waiting, []
        return said + (self.watcher.frame(frame, time) if self.watcher else [])

    def packing_up(self) -> list[Report]:
        return self.watcher.packing_up() if self.watcher else []


def from_settings(settings: Mapping[str, Any]) -> tuple[Source, Lookout]:
    folder = Path(settings["calibrations"])
    pictures = Pictures(Path(settings["pictures"]), int(settings.get("most_bytes", MOST_BYTES))) if settings.get("pictures") else None

    def watcher_for(board: Board) -> Watcher:
        calibration = load_calibration(calibration_of(folder, board))
        return Watcher(Gate(), calibration.finder(), calibration.eye(), calibration.view, pictures)

    return open_source(str(settings["source"])), Lookout(watcher_for)


def calibration_of(folder: Path, board: Board) -> Path:
    """The latest calibration of this board."""
    files = sorted(folder.glob(f"{board.game}-{board.digest[:8]}-*.json"), key=lambda file: file.stat().st_mtime)
    if not files:
        raise BadInput(f"The camera does not know this board yet ({board.title}): run `companion calibrate {board.game}` once.")
    return files[-1]
