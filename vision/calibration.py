"""What was learned of one board under one camera, in one file that a person can read.

    calibration = calibrate(board, empty, teach, standing, corners)
    calibration.save(path); calibration = load_calibration(path)
    eye, finder = calibration.eye(), calibration.finder()

The file is JSON: the board, the view, the tags, the camera's noise, each piece's size and colours, and last the picture of the empty
board, from which everything else that the eye needs is made again.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.board import Board, board_from_json, board_to_json
from companion.events import BadInput
from vision.apart import told_apart
from vision.background import Background
from vision.finding import Calibrated, Finder, NotFound, calibrate_by_art, calibrate_by_tags, calibrate_view
from vision.flat import Flat, read
from vision.light import Noise, clipped
from vision.marks import Content
from vision.own_picture import corners_by_picture
from vision.pieces import Piece
from vision.sighting import Eye
from vision.teaching import learn_pieces
from vision.view import Array, Bend, View

PIXELS_A_SAMPLE = 2.0  # of the frame, for one of the flat picture
FINEST, COARSEST = 0.8, 2.0  # millimetres
MOST_BYTES = 40_000_000
FORM = 1  # of the file
LAMP_IS_GOOD = "The lamp is good: every piece can be told from the others by its colour or size."


@dataclass(frozen=True)
class Calibration:
    board: Board
    view: View
    residual: float
    noise: Noise
    pieces: Mapping[str, Piece]
    tags: Mapping[int, Array]
    picture: Array  # the empty board
    number: int | None = None  # at which its platform's arrow pointed then
    camera: str = ""

    def background(self) -> Background:
        flat = Flat(self.board, pitch_for(self.board, self.view))
        degrees = flat.table.degrees(self.number) if flat.table and self.number else 0.0
        return Background(flat, self.view, self.picture, self.noise, degrees)

    def eye(self) -> Eye:
        return Eye(self.background(), self.pieces)

    def finder(self) -> Finder:
        return Finder(self.board, self.view, self.picture, self.tags)

    # --- the file ---

    def to_json(self) -> dict[str, Any]:
        ok, coded = cv2.imencode(".jpg", self.picture, [cv2.IMWRITE_JPEG_QUALITY, 98])
        assert ok
        return {
            "calibration": FORM,
            "camera": self.camera,
            "view": _view_to_json(self.view),
            "residual_px": round(self.residual, 3),
            "noise": [round(self.noise.a, 4), round(self.noise.b, 6)],
            "platform": self.number,
            "tags": {str(tag): np.round(corners, 2).tolist() for tag, corners in sorted(self.tags.items())},
            "pieces": [piece.to_json() for piece in self.pieces.values()],
            "board": board_to_json(self.board),
            "empty": base64.b64encode(coded.tobytes()).decode("ascii"),
        }

    def save(self, path: Path) -> None:
        data = self.to_json()
        lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items()]
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(path.suffix + ".new")
        fresh.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
        fresh.replace(path)


def load_calibration(path: Path) -> Calibration:
    """A calibration from its file; whatever is wrong with it becomes one clear line."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"calibration: {path.name} is larger than {MOST_BYTES // 1_000_000} MB; calibrate again")
        data = json.loads(path.read_text("utf-8"))
        if not isinstance(data, dict) or data.get("calibration") != FORM:
            raise BadInput(f"calibration: {path.name} is no calibration of this version; calibrate again")
        coded = np.frombuffer(base64.b64decode(data["empty"], validate=True), np.uint8)
        picture = cv2.imdecode(coded, cv2.IMREAD_COLOR) if len(coded) else None
        if picture is None:
            raise BadInput(f"calibration: the picture in {path.name} cannot be read; calibrate again")
        pieces = {piece["mark"]: Piece.from_json(piece) for piece in data["pieces"]}
        view = _view_from_json(data["view"])
        if view.size != (picture.shape[1], picture.shape[0]):
            raise BadInput(f"calibration: the picture in {path.name} has another size than its view; calibrate again")
        tags = {int(tag): np.array(corners, float).reshape(4, 2) for tag, corners in data["tags"].items()}
        noise = Noise(float(data["noise"][0]), float(data["noise"][1]))
        number = int(data["platform"]) if data["platform"] is not None else None
        board = board_from_json(data["board"])
        return Calibration(board, view, float(data["residual_px"]), noise, pieces, tags, picture, number, str(data["camera"]))
    except BadInput:
        raise
    except OSError as error:
        raise BadInput(f"calibration: {path.name} cannot be read ({error.__class__.__name__})") from error
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, binascii.Error, RecursionError, cv2.error) as error:
        raise BadInput(f"calibration: {path.name} is damaged ({error.__class__.__name__}); calibrate again") from error


def calibration_file(folder: Path, board: Board, camera: str) -> Path:
    """Where the calibration of a board under a camera is kept."""
    name = "".join(c if c.isalnum() else "-" for c in camera).strip("-")[:40] or "camera"
    return folder / f"{board.game}-{board.digest[:8]}-{name}.json"


def pitch_for(board: Board, view: View) -> float:
    scale = view.scale(np.array(board.size_mm) / 2)
    return float(np.clip(PIXELS_A_SAMPLE / scale, FINEST, COARSEST))


def find_first(empty: Array, board: Board, corners: Sequence[tuple[float, float]] | None = None, picture: bytes = b"") -> Calibrated:
    """The view of the empty board: by tapped corners, else by the printed frame of tags, else by the picture in its own file, else by
    its own art."""
    if corners is not None:
        return calibrate_view(empty, board, corners)
    with suppress(NotFound):
        return calibrate_by_tags(empty, board)
    if (seen := corners_by_picture(empty, board, picture)) is not None:
        with suppress(NotFound):
            return calibrate_view(empty, board, seen)
    return calibrate_by_art(empty, board)


def calibrate(
    board: Board, empty: Array, teach: Array, standing: Mapping[str, Content],
    corners: Sequence[tuple[float, float]] | None = None, number: int | None = None, camera: str = "", picture: bytes = b"",
) -> Calibration:  # fmt: skip
    """Learn everything from a picture of the empty board and one in which it is known what stands where."""
    _of_one_size(empty, teach)
    return learn(board, empty, find_first(empty, board, corners, picture), teach, standing, number, camera)


def _of_one_size(empty: Array, teach: Array) -> None:
    if empty.shape != teach.shape:
        raise BadInput(
            f"calibrate: the two pictures must have one size; they have {empty.shape[1]} × {empty.shape[0]} "
            f"and {teach.shape[1]} × {teach.shape[0]}"
        )


def learn(
    board: Board, empty: Array, found: Calibrated, teach: Array, standing: Mapping[str, Content], number: int | None = None,
    camera: str = "",
) -> Calibration:  # fmt: skip
    """The same when it is known already where the board lies in the picture of it empty."""
    _of_one_size(empty, teach)
    view, residual = found
    finder = Finder(board, view, empty)
    now = finder.acquire(teach)
    flat = Flat(board, pitch_for(board, view))
    noise = Noise.between(read(empty, flat.maps(view)), read(teach, flat.maps(now)))
    degrees = flat.table.degrees(number) if flat.table and number else 0.0
    background = Background(flat, view, empty, noise, degrees)
    reading = background.read(teach, now, degrees)
    unknown = [space for space in standing if space not in board.spaces]
    if unknown:
        raise BadInput(f"calibrate: {unknown[0]} is no space of {board.title}")
    pieces = told_apart(Eye(background, learn_pieces(flat, now, reading, standing)), reading, now, standing)
    return Calibration(board, view, residual, noise, pieces, finder.tags, empty, number, camera)


def lamp_check(calibration: Calibration) -> list[str]:
    """What will be hard to tell apart under this lamp, and what to do about it, in words."""
    advice = []
    for one, other in combinations(calibration.pieces.values(), 2):
        nats = min(one.strangeness(other), other.strangeness(one))
        of_one_colour = one.mark.split("-")[0] == other.mark.split("-")[0] and "-" in one.mark
        of_one_piece = one.mark.partition("/")[0] == other.mark.partition("/")[0]
        if nats < 1.0 and not of_one_colour and not of_one_piece:
            advice.append(
                f"{one.mark} and {other.mark} look alike in this light. Take a whiter or brighter lamp, or replace one by another piece."
            )
    picture = calibration.picture
    flat = Flat(calibration.board, pitch_for(calibration.board, calibration.view))
    pixels = read(picture, flat.maps(calibration.view))
    burnt = float((clipped(pixels)[flat.on_board] >= 2).mean())
    dark = float((pixels.max(-1)[flat.on_board] < 24).mean())
    if burnt > 0.05:
        advice.append(f"{burnt:.0%} of the board is too bright to be read. Turn the lamp down or away, or lower the exposure.")
    if dark > 0.3:
        advice.append(f"{dark:.0%} of the board is nearly black. Take a brighter lamp, or raise the exposure.")
    return advice


def _view_to_json(view: View) -> dict[str, Any]:
    bend = view.bend
    return {
        "size": list(view.size), "focal_px": view.focal, "lens": list(view.lens), "turn": list(view.turn), "shift_mm": list(view.shift),
        "bend": {"centre": list(bend.centre), "curl": list(bend.curl), "crease": list(bend.crease)},
    }  # fmt: skip


def _view_from_json(data: Mapping[str, Any]) -> View:
    def numbers(name: str, count: int, of: Mapping[str, Any] = data) -> tuple[Any, ...]:
        values = tuple(float(value) for value in of[name])
        if len(values) != count or not all(np.isfinite(values)):
            raise ValueError(name)
        return values

    bend = data["bend"]
    width, height = numbers("size", 2)
    return View(
        (int(width), int(height)), float(data["focal_px"]), numbers("lens", 2), numbers("turn", 3), numbers("shift_mm", 3),
        Bend(numbers("centre", 2, bend), numbers("curl", 3, bend), numbers("crease", 3, bend)),
    )  # fmt: skip
