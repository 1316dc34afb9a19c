"""Calls about the camera: its live picture, what it sees, teaching it a board, and whether all stands right before the first move.

The camera itself lives in another process; what it is asked here goes through `Room.camera` (see `web.room.Camera`).
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response

from companion.events import BadInput, brief, known_keys, one_of
from companion.game import terms_from_json, terms_to_json
from companion.games import find_game
from web.answers import any_body, as_json, body, text, with_state
from web.guard import Refusal
from web.room import Camera, must_be_host, must_be_paired, must_have_a_seat, room

camera = Blueprint("camera", __name__, url_prefix="/api")
TERMS = ("game", "variant", "seats", "board", "options")
STEPS = ("begin", "empty", "corners", "pieces", "again", "close")
WAYS = ("start", "each")
SIGHTING_SECONDS = 10.0
NEVER_KEPT = {"Cache-Control": "no-store, private"}


def _camera() -> Camera:
    seeing = room().camera
    if seeing is None:
        raise Refusal(404, "This table has no camera. Start the companion with one: companion run --camera 0")
    return seeing


def _answer(question: Mapping[str, Any], *seconds: float) -> Mapping[str, Any]:
    answer = _camera().ask(question, *seconds)
    if "error" in answer:
        raise Refusal(404, str(answer["error"]))
    if answer.get("busy"):
        raise Refusal(503, "The camera is busy. Try again.", [(b"retry-after", b"2")])
    return {key: value for key, value in answer.items() if key not in ("kind", "id")}


# --- pictures ---


@camera.get("/picture/<path:name>")
def picture(name: str) -> Response:
    """A picture of a ruling, for the host and the seats only."""
    must_have_a_seat()
    seeing = room().camera
    found = seeing.read(name) if seeing else None
    if found is None:
        raise Refusal(404, "There is no such picture.")
    return Response(found, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


@camera.get("/camera/picture")
def live_picture() -> Response:
    """What the camera sees just now, for the host and the seats only; of a rendered table, which shows nobody's home, for everybody here."""
    if room().demonstration is None:
        must_have_a_seat()
    else:
        must_be_paired()
    coded = _answer({"do": "picture"}).get("picture", "")
    return Response(base64.b64decode(coded), mimetype="image/jpeg", headers=NEVER_KEPT)


@camera.get("/camera/overlay")
def overlay() -> Response:
    """The spaces where the camera sees them, in parts of the picture, and what it thinks of each."""
    must_have_a_seat()
    return as_json({"spaces": _answer({"do": "overlay"})["spaces"]})


@camera.post("/camera")
def switch() -> Response:
    """The camera's off switch."""
    must_be_host()
    on = body("on").get("on")
    if not isinstance(on, bool):
        raise BadInput("on: must be true or false")
    seeing = room().camera
    if seeing is None:
        raise BadInput("on: this table has no camera")
    seeing.switch(on)
    room().hub.refresh()
    return with_state({})


# --- the position that it sees ---


@camera.post("/camera/position")
def position() -> Response:
    """What stands where by the camera's word, and the spaces of which it is not sure. Nothing is changed by asking."""
    must_have_a_seat()
    terms = _terms(any_body())
    seen = _answer({"do": "sighting", "terms": terms_to_json(terms)}, SIGHTING_SECONDS)
    unsure = [{"space": space, "name": terms.board.spaces[space].name} for space in seen["unsure"] if space in terms.board.spaces]
    return as_json({"layout": seen["layout"], "platform": seen["platform"], "unsure": unsure})


def _terms(data: Mapping[str, Any]) -> Any:
    known_keys("body", data, (*TERMS, "readings", "step"))
    return terms_from_json(find_game(data.get("game")), {key: data[key] for key in TERMS if key in data})


# --- calibration ---


@camera.get("/calibration")
def calibration() -> Response:
    """How far the calibration is: the step, what is wrong, the outlines that were found."""
    must_be_host()
    return _told(_camera().ask({"do": "guide"}))


@camera.post("/calibration")
def calibrate() -> Response:
    """One step of a calibration. What takes long is done meanwhile: ask again how far it is."""
    must_be_host()
    data = any_body()
    step = one_of("step", data.get("step"), STEPS)
    question: dict[str, Any] = {"do": "guide", "step": step}
    if step == "begin":
        terms = _terms(data)
        question["terms"] = terms_to_json(terms)
        question["own"] = base64.b64encode(room().boards.picture_of(terms.board)).decode("ascii")
    else:
        known_keys("body", data, ("step", "corners", "way"))
        if step == "corners":
            question["corners"] = _corners(data.get("corners"))
        if step == "pieces":
            question["way"] = one_of("way", text(data, "way", "start"), WAYS)
    return _told(_camera().ask(question))


def _told(answer: Mapping[str, Any]) -> Response:
    """A camera that answers nothing is at work on what was asked before."""
    if "error" in answer:
        raise Refusal(404, str(answer["error"]))
    return as_json({"working": True} if answer.get("busy") else {k: v for k, v in answer.items() if k not in ("kind", "id")})


def _corners(given: object) -> list[list[float]]:
    if not isinstance(given, list) or len(given) != 4 or not all(_is_point(point) for point in given):
        raise BadInput(f"corners: must be four pairs of numbers from 0 to 1, clockwise from the board's top left, not {brief(given)}")
    return [[float(x), float(y)] for x, y in given]


def _is_point(point: object) -> bool:
    return isinstance(point, list) and len(point) == 2 and all(
        isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) and -0.5 <= v <= 1.5 for v in point
    )  # fmt: skip


# --- before the first move ---


@camera.post("/set_up")
def set_up() -> Response:
    """The host has looked: all stands right."""
    must_be_host()
    if body("right").get("right") is not True:
        raise BadInput("right: must be true, once all stands right")
    room().stands_right = room().table.view.game
    room().hub.refresh()
    return with_state({})
