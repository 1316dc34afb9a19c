"""Calibration step by step with the camera of a running table, for a page. The same work as `companion calibrate`.

    guided = Guided(terms, folder, "0")
    guided.ask("empty"); guided.frame(frame, time)      # when all is still: is the board found?
    guided.ask("corners", corners=[…])                  # or its corners, as tapped: parts of the picture's width and height
    guided.ask("pieces", way="start")                   # or "each": one of each piece, where `ways` tells
    guided.to_json()                                    # the step, what to do, what is wrong, the outlines to be drawn
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from companion.events import BadInput
from companion.game import Game, Terms
from companion.layout import Change, Layout, Standing
from companion.referee import describe
from companion.words import Translate
from vision.calibration import LAMP_IS_GOOD, Calibration, calibration_file, find_first, lamp_check, learn
from vision.finding import Calibrated, NotFound, refuse_dark
from vision.first_sight import CUT_OFF, shape_like_a_board
from vision.flat import Flat, space_outline
from vision.gate import Gate
from vision.marks import contents
from vision.view import Array, View

EMPTY, BOARD, PIECES, DONE = "empty", "board", "pieces", "done"
START, EACH = "start", "each"
RESTLESS = 8.0  # seconds after which a picture that never holds still is given up


class Way(NamedTuple):
    """What may be shown to teach the pieces."""

    name: str
    title: str
    layout: Layout


class Guided:
    def __init__(
        self, game: Game, terms: Terms, folder: Path, camera: str, translate: Translate = str, picture: bytes = b""
    ) -> None:  # fmt: skip
        self.picture = picture  # of the empty board, from its own file
        self.game, self.terms, self.folder, self.camera, self.translate = game, terms, folder, camera, translate
        self.step, self.trouble = EMPTY, ""
        self.calibration: Calibration | None = None  # once it is done
        self.is_working = False
        self._gate = Gate()
        self._asked: tuple[str, Mapping[str, Any]] | None = None
        self._since: float | None = None
        self._empty: Array | None = None
        self._found: Calibrated | None = None

    def ask(self, do: str, **what: Any) -> None:
        """Something is to be done with the next picture that holds still."""
        if do == "again":
            self.step, self.trouble, self._asked, self._found = EMPTY, "", None, None
            return
        if do not in (EMPTY, "corners", PIECES):
            raise BadInput(f"do: {do!r} is no step of a calibration")
        if do == "corners" and self._empty is None:
            raise BadInput("corners: show the empty board first")
        if do == PIECES and self._found is None:
            raise BadInput("pieces: the board must be found first")
        self._asked, self._since, self.is_working, self.trouble = (do, what), None, True, ""

    def frame(self, frame: Array, time: float) -> None:
        """Do what was asked, as soon as nothing moves."""
        if self._asked is None:
            self._gate.is_still(frame, time)
            return
        self._since = time if self._since is None else self._since
        do, what = self._asked
        if do != "corners" and not self._gate.is_still(frame, time):  # corners are looked for in the picture that is kept
            if time > self._since + RESTLESS:
                self._asked, self.is_working = None, False
                self.trouble = self.translate("Something moves in the picture. Keep hands away, wait a moment, and try again.")
            return
        self._asked = None
        steps: dict[str, Callable[..., None]] = {EMPTY: self._see_empty, "corners": self._tapped, PIECES: self._learn}
        try:
            steps[do](frame, **what)
        except BadInput as error:
            self.trouble = sentence(str(error))
        finally:
            self.is_working = False

    # --- the steps ---

    def _see_empty(self, frame: Array) -> None:
        self._empty, self._found, self.step = frame.copy(), None, EMPTY
        refuse_dark(frame)
        self.step = BOARD
        try:
            self._take(find_first(frame, self.terms.board, picture=self.picture))
        except NotFound as error:
            raise NotFound(self._why_not(frame, str(error))) from error

    def _tapped(self, frame: Array, corners: list[tuple[float, float]]) -> None:
        assert self._empty is not None
        height, width = self._empty.shape[:2]
        self._found = None
        self._take(find_first(self._empty, self.terms.board, [(x * width, y * height) for x, y in corners]))

    def _take(self, found: Calibrated) -> None:
        refuse_half(self.terms, found.view)
        self._found, self.step = found, BOARD

    def _learn(self, frame: Array, way: str = START) -> None:
        assert self._empty is not None
        assert self._found is not None
        self.step = PIECES
        layout = next((known.layout for known in self.ways if known.name == way), None)
        if layout is None:
            raise BadInput(f"way: {way!r} is none of {', '.join(known.name for known in self.ways)}")
        number = self.game.layout(self.game.set_up(self.terms)).platform
        calibration = learn(self.terms.board, self._empty, self._found, frame, contents(layout), number, self.camera)
        calibration.save(calibration_file(self.folder, self.terms.board, self.camera))
        self.calibration, self.step = calibration, DONE

    def _why_not(self, frame: Array, why: str) -> str:
        """What to do about a board that is not found at first sight."""
        title = self.terms.board.title
        if "tap" in why and "side is up" in why:
            return why
        shape = shape_like_a_board(frame)
        if shape == CUT_OFF:
            return self.translate(
                "only a part of a board is in the picture. Push it under the camera until all four edges of it are seen, or raise the camera"
            )
        if shape:
            return self.translate(
                "something like a board is there, but its lines do not look like {title}. If another board lies there, lay this one in its "
                "place. If it is this one: is the whole of it in the picture, empty and well lit? Then put the four corners on it"
            ).format(title=title)
        return self.translate(
            "{title} is not found in the picture. Lay it flat under the camera, all four edges in the picture, and light it well; "
            "if you can see it whole, put the four corners on it"
        ).format(title=title)

    # --- for the page ---

    @property
    def ways(self) -> list[Way]:
        """The start position, and one of each piece; first the one that shows more of them."""
        start = self.game.layout(self.game.set_up(self.terms))
        each = one_of_each(self.game, self.terms)
        shown = {mark for content in contents(start).values() for mark in content}
        all_shown = shown >= {mark for content in contents(each).values() for mark in content}
        ways = [Way(EACH, self.translate("One of each piece"), each)]
        if start.standing:
            ways.insert(0 if all_shown else 1, Way(START, self.translate("The start position"), start))
        return ways

    def to_json(self) -> dict[str, Any]:
        step = PIECES if self.step == BOARD and self._found else self.step
        out: dict[str, Any] = {
            "game": self.terms.game, "title": self.terms.board.title, "step": step, "working": self.is_working, "trouble": self.trouble,
            "corners": [], "outlines": [], "ways": [], "advice": [], "learned": [],
        }  # fmt: skip
        if self._found:
            out |= drawn_board(self.terms, self._found.view)
        if step == PIECES:
            out["ways"] = [{"way": w.name, "title": w.title, "put": self._put(w.layout)} for w in self.ways]
        if self.calibration:
            out["advice"] = [self.translate(line) for line in lamp_check(self.calibration) or [LAMP_IS_GOOD]]
            sizes = ((self._name(p.mark), round(2 * p.radius)) for p in self.calibration.pieces.values())
            out["learned"] = [self.translate("{piece}: about {width} mm wide").format(piece=name, width=mm) for name, mm in sizes]
        return out

    def _put(self, layout: Layout) -> list[str]:
        board = self.terms.board
        told = [describe(self.game, Change("put", s.piece, "", s.space, s.face), self.translate, board) for s in layout.standing]
        number = self.game.layout(self.game.set_up(self.terms)).platform
        turn = [] if number is None else [describe(self.game, Change("turn", "platform", "", str(number)), self.translate, board)]
        return turn + told

    def _name(self, mark: str) -> str:
        piece, _, face = mark.partition("/")
        name = self.game.words.name(piece, self.translate)
        return f"{name} ({self.game.words.name(face, self.translate)})" if face else name


def one_of_each(game: Game, terms: Terms) -> Layout:
    """One of each piece and face, as far from each other as the board allows."""
    pieces = [(supply.piece, face) for supply in game.pieces(terms) for face in supply.faces or ("",)]
    spaces = [space for space in terms.board.spaces.values() if "platform" not in space.kinds]
    middles = np.array([space.centre for space in spaces], float)
    chosen = [int(np.linalg.norm(middles - middles.mean(0), axis=1).argmin())]
    while len(chosen) < min(len(pieces), len(spaces)):
        apart = np.linalg.norm(middles[:, None] - middles[chosen][None], axis=2).min(1)
        chosen.append(int(apart.argmax()))
    return Layout(tuple(Standing(piece, spaces[at].id, face) for (piece, face), at in zip(pieces, chosen, strict=False)))


def refuse_half(terms: Terms, view: View) -> None:
    """Part of the board beyond the picture's edge can never be watched."""
    middles = np.array([space.centre for space in terms.board.spaces.values()])
    width, height = view.size
    pixels = view.pixels(middles)
    outside = int((~((pixels >= 0) & (pixels <= [width - 1, height - 1])).all(1)).sum())
    if outside:
        raise NotFound(f"{outside} of {len(middles)} spaces lie outside the picture: push the board under the camera, or raise the camera")


def drawn_board(terms: Terms, view: View) -> dict[str, Any]:
    """The board's corners and the outlines of its spaces, as parts of the picture's width and height."""
    width, height = terms.board.size_mm
    flat = Flat(terms.board, 2.0)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    return {
        "corners": parts(view, corners),
        "outlines": [parts(view, space_outline(flat, space, 0.0)) for space in terms.board.spaces],
    }


def parts(view: View, points: Array) -> list[list[float]]:
    return [[round(float(x / view.size[0]), 4), round(float(y / view.size[1]), 4)] for x, y in view.pixels(points)]


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
