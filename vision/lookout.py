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
from vision.asking import Desk, calibration_of
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

    def __init__(self, watcher_for: Callable[[Board], Watcher], desk: Desk | None = None) -> None:
        self.watcher_for, self.desk = watcher_for, desk
        self.watcher: Watcher | None = None
        self.board: Board | None = None
        self.is_off = False
        self._waiting: list[Report] = []
        self._shown: tuple[Scene | None, bool] = (None, False)

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
            self.watcher = None  # two eyes at a time would need too much memory
            try:
                self.watcher = self.watcher_for(self.board)
                self.watcher.switch(not self.is_off)
            except BadInput as error:
                self.watcher = None
                self._waiting.append(Report(reports.CAMERA, str(error), scene.version))
        self._shown = scene, set_up
        if self.watcher:
            self.watcher.show(scene, set_up)

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Questions beside the watching: see `vision.asking`."""
        if self.desk is None:
            return {"error": "This camera answers no questions."}
        if self.is_off:
            return {"error": "The camera is off. Switch it on first."}
        return self.desk.answer(question, self.watcher)

    def switch(self, on: bool) -> None:
        self.is_off = not on
        if self.desk and not on:
            self.desk.forget()
        if self.watcher:
            self.watcher.switch(on)

    def trust(self, spaces: Collection[str]) -> None:
        if self.watcher:
            self.watcher.trust(spaces)

    def frame(self, frame: Frame, time: float) -> list[Report]:
        said, self._waiting = self._waiting, []
        if self.desk and not self.is_off:
            self.desk.frame = frame
            if guided := self.desk.calibrating:
                guided.frame(frame, time)
                if guided.calibration:
                    self._use(guided.calibration.board)
                return said
        return said + (self.watcher.frame(frame, time) if self.watcher else [])

    def _use(self, board: Board) -> None:
        """A board was learned anew: it counts from now on, and everything has to be seen to stand right first."""
        if board == self.board:
            self.board = None
            self.show(self._shown[0], set_up=True)

    def packing_up(self) -> list[Report]:
        return self.watcher.packing_up() if self.watcher else []


def from_settings(settings: Mapping[str, Any]) -> tuple[Source, Lookout]:
    source, folder = str(settings["source"]), Path(settings["calibrations"])
    pictures = Pictures(Path(settings["pictures"]), int(settings.get("most_bytes", MOST_BYTES))) if settings.get("pictures") else None

    def watcher_for(board: Board) -> Watcher:
        calibration = load_calibration(calibration_of(folder, board))
        return Watcher(Gate(), calibration.finder(), calibration.eye(), calibration.view, pictures)

    return open_source(source), Lookout(watcher_for, Desk(folder, source))
