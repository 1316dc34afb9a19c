"""The rendered table as a camera that anybody has: hands come, move the pieces as they are told, and go. Synthetic, and labelled so.

    stage = Stage()
    calibration = stage.set_table(board)                  # learned from pictures of the empty board and of one of each piece
    stage.tell({"layout": …, "platform": None, "side": 90.0})
    stage.read()                                          # a source like any other camera (`vision.sources`)

`from_settings` is what `vision.process` starts when the camera's address is "rendered" or "rendered:FILE": with a file, that file is the
camera's plug, and while it is not there the camera is gone.
"""

from __future__ import annotations

import threading
import time as clock
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.board import Board
from companion.game import Game
from companion.games import find_game
from companion.layout import Change, Layout, Standing, changes
from vision.asking import Desk
from vision.calibration import Calibration, calibrate
from vision.gate import Gate
from vision.lookout import Lookout
from vision.marks import contents
from vision.pictures import MOST_BYTES, Pictures
from vision.rendered.art import board_print, platform_print
from vision.rendered.conditions import Conditions
from vision.rendered.covers import Hand
from vision.rendered.scene import Scene
from vision.sources import Frame
from vision.view import Array
from vision.watch import Watcher

Point = tuple[float, float]
ADDRESS = "rendered"
SIZE = (960, 720)
RATE = 10.0  # frames a second
IDLE = 0.2  # seconds to wait while there is nothing to draw
REACH, CARRY, REST = 0.5, 0.7, 0.25  # seconds that a hand takes to come or go, to carry a piece, and to let go of it
AWAY = 420.0  # millimetres beyond the board's edge, where a hand is out of sight
SEED = 7
LABEL = "SYNTHETIC: a rendered table, no camera"


class Beat(NamedTuple):
    """A stretch of a hand's way: from where to where, for how long, and what it carries. `layout` is all that is not carried."""

    layout: Layout
    start: Point
    to: Point
    seconds: float
    carried: Standing | None = None
    turned: tuple[float, float] | None = None  # the platform's number before and after


class Stage:
    """One rendered table under one rendered camera. `tell` may be called from any thread; `read` draws what is there now."""

    ended = False

    def __init__(self, plug: Path | None = None, speed: float = 1.0) -> None:
        self.plug, self.speed = plug, speed
        self.missing = ""
        self.board: Board | None = None
        self.stands = Layout(())
        self._scene: Scene | None = None
        self._told: Mapping[str, Any] | None = None
        self._lock = threading.Lock()
        self._beats: deque[Beat] = deque()
        self._target = self.stands  # what stands when the last beat is over
        self._began = 0.0
        self._side = 180.0
        self._frame = 0
        self._due = 0.0

    # --- setting up ---

    def set_table(self, board: Board) -> Calibration:
        """Lay this board out under the camera and teach the eye, as a family would: the empty board, then one of each piece."""
        game = find_game(board.game)
        self.board = self._scene = None  # the table before is cleared first: two of them need too much memory for a small box
        board_print.cache_clear()
        platform_print.cache_clear()
        scene = Scene(board, Conditions(size=SIZE, jpeg=0), SEED)  # as from a cable, not compressed
        number = game.layout(game.set_up(game.terms(board=board))).platform
        teach = one_of_each(game, board, number)
        empty, taught = scene.draw(Layout((), number), step_seed=90_001), scene.draw(teach, step_seed=90_002)
        calibration = calibrate(board, empty.frame, taught.frame, contents(teach), None, number, ADDRESS)
        self.board, self._scene, self.stands = board, scene, Layout((), number)
        self._beats.clear()
        told, self._told = self._told, None
        if told:
            self.tell(told)
        return calibration

    def tell(self, message: Mapping[str, Any]) -> None:
        """What is to stand on the table: hands see to it. On an empty table, or with `at_once`, it stands there at once."""
        with self._lock:
            self._told = message
            if self.board is None:
                return
            wanted = layout_from_json(message, self.board)
            self._side = float(message.get("side", 180.0))
            now = self._target if self._beats else self.stands  # the hand that is under way finishes first
            if message.get("at_once") or not now.standing:
                self._beats.clear()
                self.stands = wanted
                return
            self._target = wanted
            if not self._beats:
                self._began = clock.monotonic()
            self._beats.extend(self._way(now, wanted))

    @property
    def is_moving(self) -> bool:
        return bool(self._beats)

    # --- a source ---

    def read(self) -> Frame | None:
        clock.sleep(max(0.0, self._due - clock.monotonic()))
        gone = self.plug is not None and not self.plug.exists()
        self.missing = "The camera is not there; it is searched for, the game goes on by phone." if gone else ""
        if self._scene is None or gone:
            self._due = clock.monotonic() + IDLE
            return None
        now = clock.monotonic()
        self._due = now + 1 / RATE
        self._frame += 1
        with self._lock:
            beat, part = self._beat(now)
            stands, side = self.stands, self._side
        if beat is None:
            return Frame(self._scene.draw(stands, step_seed=self._frame).frame, now)
        at = (beat.start[0] + (beat.to[0] - beat.start[0]) * part, beat.start[1] + (beat.to[1] - beat.start[1]) * part)
        hand = Hand(at, side, 26.0, "reach", seed=int(side))
        platform = None if beat.turned is None else beat.turned[0] + (beat.turned[1] - beat.turned[0]) * part
        layout, where = beat.layout, {}
        if beat.carried:
            layout = layout._replace(standing=(*layout.standing, beat.carried._replace(level=0)))
            where = {len(layout.standing) - 1: at}
        return Frame(self._scene.draw(layout, (hand,), self._frame, platform=platform, at=where).frame, now)

    def close(self) -> None:
        self.ended = True

    @staticmethod
    def labelled(frame: Array) -> Array:
        """The picture with the word that it is none of a camera."""
        out = frame.copy()
        cv2.rectangle(out, (0, 0), (out.shape[1], 34), (0, 0, 0), -1)
        cv2.putText(out, LABEL, (10, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (255, 255, 255), 1, cv2.LINE_AA)
        return out

    # --- hands ---

    def _beat(self, now: float) -> tuple[Beat | None, float]:
        """Where the hand is just now: its beat, and how far through."""
        while self._beats:
            seconds = self._beats[0].seconds / self.speed
            if now < self._began + seconds:
                return self._beats[0], (now - self._began) / seconds
            self._began += seconds
            self._beats.popleft()
            self.stands = self._beats[0].layout if self._beats else self._target
        return None, 0.0

    def _way(self, now: Layout, wanted: Layout) -> Iterator[Beat]:
        """All that one hand does, act by act, and its way in and out."""
        acts = changes(now, wanted)
        if not acts:
            return
        away = at = self._away()
        layout = now
        for act in acts:
            start, to = self._spot(act.start) or away, self._spot(act.to) or away
            if act.do == "turn":
                start = to = self._rim()
            yield Beat(layout, at, start, REACH)
            if act.do == "turn":
                yield Beat(layout, start, to, CARRY, None, _shorter_way(layout.platform or 0, wanted.platform or 0, self._steps()))
                layout = layout._replace(platform=wanted.platform)
            else:
                layout, carried = _lifted(layout, act)
                yield Beat(layout, start, to, CARRY, carried)
                layout = _put_down(layout, carried, act)
            yield Beat(layout, to, to, REST)
            at = to
        yield Beat(layout, at, away, REACH)

    def _away(self) -> Point:
        assert self.board
        width, height = self.board.size_mm
        angle = np.radians(self._side)
        far = max(width, height) / 2 + AWAY
        return float(width / 2 + far * np.sin(angle)), float(height / 2 - far * np.cos(angle))

    def _spot(self, space: str) -> Point | None:
        assert self.board
        found = self.board.spaces.get(space)
        return (float(found.centre[0]), float(found.centre[1])) if found else None

    def _rim(self) -> Point:
        assert self.board
        width, height = self.board.size_mm
        return width / 2, height * 0.72

    def _steps(self) -> int:
        assert self.board
        return max((int(s.number("number")) for s in self.board.of_kind("base") if "number" in s.facts), default=1)


def _shorter_way(before: int, after: int, steps: int) -> tuple[float, float]:
    way = (after - before + steps // 2) % steps - steps // 2
    return float(before), float(before + way)


def _lifted(layout: Layout, act: Change) -> tuple[Layout, Standing]:
    """The layout without the piece that is picked up, and the piece; one that comes from the box is picked up there."""
    standing = list(layout.standing)
    mine = [s for s in standing if s.piece == act.piece and s.space == act.start]
    if not mine:
        return layout, Standing(act.piece, act.to or act.start, act.face)
    picked = max(mine, key=lambda s: s.level)
    standing.remove(picked)
    return layout._replace(standing=tuple(standing)), picked


def _put_down(layout: Layout, carried: Standing, act: Change) -> Layout:
    if act.do == "take":
        return layout
    level = sum(s.space == act.to for s in layout.standing)
    return layout._replace(standing=(*layout.standing, Standing(act.piece, act.to, act.face or carried.face, level)))


def one_of_each(game: Game, board: Board, number: int | None) -> Layout:
    """One of each piece and face of the whole box, well apart, on spaces that do not turn."""
    marks: dict[tuple[str, str], None] = {}
    for variant in game.variants:
        for players in variant.players:
            for supply in game.pieces(game.terms(variant.name, players, board)):
                marks |= dict.fromkeys((supply.piece, face) for face in (supply.faces or ("",)))
    free = [space for space in board.spaces.values() if "platform" not in space.kinds and space.area > 150]
    chosen: list[Any] = []
    while len(chosen) < len(marks):  # each as far as can be from those before
        far = max(free, key=lambda s: min((np.hypot(*np.subtract(s.centre, c.centre)) for c in chosen), default=0.0))
        free.remove(far)
        chosen.append(far)
    return Layout(tuple(Standing(piece, space.id, face) for (piece, face), space in zip(marks, chosen, strict=True)), number)


def layout_to_json(layout: Layout) -> dict[str, Any]:
    return {"layout": [list(standing) for standing in layout.standing], "platform": layout.platform}


def layout_from_json(data: Mapping[str, Any], board: Board) -> Layout:
    standing = (Standing(str(piece), str(space), str(face), int(level)) for piece, space, face, level in data["layout"])
    number = data.get("platform")
    return Layout(tuple(s for s in standing if s.space in board.spaces), int(number) if number is not None else None)


def from_settings(settings: Mapping[str, Any]) -> tuple[Stage, Lookout]:
    cv2.setNumThreads(1)
    _, _, plug = str(settings["source"]).partition(":")
    stage = Stage(Path(plug) if plug else None, float(settings.get("speed", 1.0)))
    pictures = Pictures(Path(settings["pictures"]), int(settings.get("most_bytes", MOST_BYTES))) if settings.get("pictures") else None

    def watcher_for(board: Board) -> Watcher:
        calibration = stage.set_table(board)
        return Watcher(Gate(), calibration.finder(), calibration.eye(), calibration.view, pictures)

    return stage, Lookout(watcher_for, Desk(None, LABEL, stage.labelled))
