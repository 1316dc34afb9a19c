"""Questions to the eye while it watches: the live picture, what it sees just now, and calibration step by step.

`{"do": "picture"}`, `{"do": "still"}` (as large as the camera gives it),
`{"do": "overlay"}`, `{"do": "sighting", "terms": …}`, `{"do": "guide", "step": "begin", "terms": …}` and so on;
each answer is plain data, and `{"error": why}` where there is none.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2

from companion.board import Board
from companion.events import BadInput
from companion.game import Game, Terms, terms_from_json
from companion.games import find_game
from vision.calibration import load_calibration
from vision.flat import space_outline
from vision.guided import Guided, parts, sentence
from vision.marks import EMPTY, STRANGE, Sighting
from vision.view import Array

LEFT_ALONE = 60.0  # seconds
WIDTH, QUALITY = 960, 75  # of the live picture: sharp enough to tap a corner
STILL_QUALITY = 92  # of a picture from which a board is mapped, at the camera's own size


def live_jpeg(frame: Array) -> str:
    height, width = frame.shape[:2]
    if width > WIDTH:
        frame = cv2.resize(frame, (WIDTH, max(1, round(height * WIDTH / width))), interpolation=cv2.INTER_AREA)
    return _coded(frame, QUALITY)


def _coded(frame: Array, quality: int) -> str:
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return base64.b64encode(data.tobytes()).decode("ascii") if done else ""


def terms_of(data: object) -> tuple[Game, Terms]:
    if not isinstance(data, Mapping):
        raise BadInput("terms: must be an object")
    game = find_game(data.get("game"))
    return game, terms_from_json(game, data)


class Desk:
    """Answers questions about the last frame. Without a folder of calibrations (a rendered table) no board can be taught; `labelled`
    writes on the live picture what people have to know about it."""

    def __init__(self, folder: Path | None, camera: str, labelled: Callable[[Array], Array] = lambda frame: frame) -> None:
        self.folder, self.camera, self.labelled = folder, camera, labelled
        self.frame: Array | None = None
        self._shown: tuple[Array | None, str] = None, ""  # the frame that was coded last: one for all who ask
        self.guided: Guided | None = None
        self._attended = 0.0  # when somebody last looked at the calibration

    @property
    def calibrating(self) -> Guided | None:
        """A calibration that goes on; one that everybody left is forgotten, and the camera watches again."""
        if self.guided and time.monotonic() > self._attended + LEFT_ALONE:
            self.guided = None
        return self.guided if self.guided and not self.guided.calibration else None

    def forget(self) -> None:
        """The camera is off: nothing that it saw is left here."""
        self.frame = self.guided = None
        self._shown = None, ""

    def answer(self, question: Mapping[str, Any], watcher: Any = None) -> dict[str, Any]:
        do = question.get("do")
        try:
            if do == "guide":
                return self._guide(question)
            if self.frame is None:
                raise BadInput("the camera has given no picture yet")
            if do == "picture":
                return {"picture": self._live()}
            if do == "still":
                return {"picture": _coded(self.frame, STILL_QUALITY)}
            if do == "overlay":
                return {"spaces": _overlay(watcher)}
            if do == "sighting":
                return self._sighting(*terms_of(question.get("terms")))
            raise BadInput(f"do: {do!r} is no question")
        except BadInput as error:
            return {"error": sentence(str(error))}

    def _live(self) -> str:
        if self._shown[0] is not self.frame and self.frame is not None:
            self._shown = self.frame, live_jpeg(self.labelled(self.frame))
        return self._shown[1]

    def _guide(self, question: Mapping[str, Any]) -> dict[str, Any]:
        step = question.get("step", "")
        self._attended = time.monotonic()
        if step == "begin":
            picture = base64.b64decode(question.get("own", ""))
            self.guided = Guided(*terms_of(question.get("terms")), self._calibrations(), self.camera, picture=picture)
        elif step == "close":
            self.guided = None
        elif step:
            if self.guided is None:
                raise BadInput("calibration has not begun, or was begun again elsewhere: begin again")
            more = {key: question[key] for key in ("corners", "way") if key in question}
            self.guided.ask(step, **more)
        return self.guided.to_json() if self.guided else {"step": ""}

    def _sighting(self, game: Game, terms: Terms) -> dict[str, Any]:
        """What stands where just now, whatever the table thinks; spaces that cannot be told by name."""
        assert self.frame is not None
        calibration = load_calibration(calibration_of(self._calibrations(), terms.board))
        eye = calibration.eye()
        seen = eye.look(self.frame, calibration.finder().acquire(self.frame))
        return seen_layout(game, terms, seen)

    def _calibrations(self) -> Path:
        if self.folder is None:
            raise BadInput("this table is rendered: its camera knows the board of the game that is played on it, and learns no other")
        return self.folder


def seen_layout(game: Game, terms: Terms, sighting: Sighting) -> dict[str, Any]:
    pieces = {supply.piece for supply in game.pieces(terms)}
    layout, unsure = [], []
    for space, belief in sighting.beliefs.items():
        if not belief.is_sure or belief.best == STRANGE:
            unsure.append(space)
        if belief.hidden or not belief.costs:
            continue
        for mark in belief.best:
            piece, _, face = mark.partition("/")
            if piece in pieces:
                layout.append({"piece": piece, "space": space} | ({"face": face} if face else {}))
    platform = sighting.arrow.number if sighting.arrow else None
    return {"layout": layout, "platform": platform, "unsure": unsure}


def _overlay(watcher: Any) -> list[dict[str, Any]]:
    """Every space where the watcher sees it, and what it thinks of it."""
    if watcher is None or watcher.view is None or watcher.sighting is None:
        return []
    sighting, flat = watcher.sighting, watcher.eye.flat
    degrees = sighting.arrow.degrees if sighting.arrow else 0.0
    out = []
    for space, belief in sighting.beliefs.items():
        sure = belief.is_sure
        seen = "hidden" if belief.hidden or not belief.costs else "unsure" if not sure else "free" if belief.best == EMPTY else "piece"
        out.append({"space": space, "points": parts(watcher.view, space_outline(flat, space, degrees)), "seen": seen})
    return out


def calibration_of(folder: Path, board: Board) -> Path:
    """The latest calibration of this board."""
    files = sorted(folder.glob(f"{board.game}-{board.digest[:8]}-*.json"), key=lambda file: file.stat().st_mtime)
    if not files:
        raise BadInput(
            f"The camera does not know this board yet ({board.title}): teach it on the Host page, or run `companion calibrate {board.game}`."
        )
    return files[-1]
