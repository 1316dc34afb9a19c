"""Mapping one's own board from a picture: the calls behind the wizard at /map. Only the host maps."""

from __future__ import annotations

import base64
import binascii
import statistics
from contextlib import suppress
from typing import Any

from flask import Blueprint, Response

from companion.board import Board
from companion.events import BadInput, brief, one_of
from companion.game import Game
from companion.games import all_games, find_game
from companion.mapping.build import board_of, differences, fits, marks_of, named_for_art, spaces_of, still_missing
from companion.mapping.draft import MOST_STEPS, Said, Step, checked_shape, checked_step, said
from companion.mapping.outlines import Drawn
from companion.mapping.palette import SHAPES, Mark, palette_of
from web.answers import as_json, body, text
from web.draughtsman import Draughtsman
from web.guard import Refusal
from web.room import must_be_host, room

mapping = Blueprint("mapping", __name__, url_prefix="/api/map")
MOST_AT_ONCE = 200
STILL_SECONDS = 10.0


@mapping.get("")
def overview() -> Response:
    """Games that can be mapped, unfinished drafts, and the boards of this house."""
    must_be_host()
    boards, translate = room().boards, room().table.translate
    return as_json(
        {
            "games": [{"name": g.name, "title": translate(g.title), "shape": palette_of(g).shape} for g in all_games().values()],
            "drafts": [
                {"draft": id, "game": d["game"], "title": _said(d).title, "steps": len(d["steps"]), "saved": d["saved"]}
                for id, d in boards.drafts().items()
            ],
            "boards": [
                {"name": name, "game": b.game, "title": b.title, "spaces": len(b.spaces)} for name, b in boards.all().items()
            ],
            "sees": room().draughtsman is not None,
        }
    )


@mapping.post("/new")
def new() -> Response:
    must_be_host()
    game = find_game(body("game").get("game"))
    return _view(room().boards.begin(game.name))


@mapping.get("/draft/<id>")
def draft(id: str) -> Response:
    must_be_host()
    return _view(id)


@mapping.post("/forget")
def forget() -> Response:
    must_be_host()
    room().boards.forget(text(body("draft"), "draft"))
    return as_json({})


# --- the picture ---


@mapping.post("/picture")
def take_picture() -> Response:
    """A picture of the empty board (base64), or none: then the camera above the table takes it. What cannot be used is refused with what
    to do; the corners are suggested. What was said of the board itself stays."""
    must_be_host()
    data = body("draft", "picture")
    id = text(data, "draft")
    kept = room().boards.draft(id)
    jpeg, corners, notes = _draughtsman().accept(_sent(data["picture"]) if "picture" in data else _from_above())
    boards = room().boards
    boards.put_picture(id, "photo", jpeg)
    steps = [step for step in kept["steps"] if step["do"] != "corners"]
    if corners:
        steps.append({"do": "corners", "corners": corners})
    boards.write_draft(id, kept["game"], steps, kept["saved"])
    return _view(id, notes=notes)


def _sent(picture: object) -> bytes:
    if not isinstance(picture, str):
        raise BadInput("picture: must be the file in base64")
    try:
        return base64.b64decode(picture, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadInput("picture: must be the file in base64") from error


def _from_above() -> bytes:
    camera = room().camera
    if camera is None or not camera.is_on:
        raise BadInput("picture: no camera watches the table now; take the picture with the phone")
    answer = camera.ask({"do": "still"}, STILL_SECONDS)
    if "picture" not in answer:
        raise BadInput(f"picture: {answer.get('error') or 'the camera is busy; try again'}")
    return base64.b64decode(answer["picture"])


@mapping.get("/draft/<id>/<which>.jpg")
def show_picture(id: str, which: str) -> Response:
    """The picture as it was taken (photo), or the board laid flat (flat)."""
    must_be_host()
    found = None
    if which == "photo":
        found = room().boards.get_picture(id, "photo")
    elif which == "flat":
        found = _flat(id, _said(room().boards.draft(id)))
    if not found:
        raise Refusal(404, "There is no such picture.")
    return Response(found, mimetype="image/jpeg")


def _flat(id: str, so_far: Said) -> bytes:
    jpeg = room().boards.get_picture(id, "photo")
    if not jpeg or not so_far.corners:
        raise BadInput("picture: take a picture of the board first")
    return _draughtsman().flat(jpeg, so_far.corners, so_far.size_mm)


def _draughtsman() -> Draughtsman:
    found = room().draughtsman
    if found is None:
        raise BadInput("picture: this companion was started without its eye (pip install opencv-python-headless numpy), so it cannot read pictures")
    return found


# --- steps ---


@mapping.post("/steps")
def steps() -> Response:
    """Say one thing or more. `snap` moves corners, and the lines of a shape that are new, onto what is seen."""
    must_be_host()
    data = body("draft", "steps", "snap")
    id, given, snap = text(data, "draft"), data.get("steps"), data.get("snap", False)
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_AT_ONCE or not isinstance(snap, bool):
        raise BadInput(f"steps: must be a list of 1 to {MOST_AT_ONCE} steps")
    kept = room().boards.draft(id)
    palette = palette_of(find_game(kept["game"]))
    checked = [checked_step(step, palette) for step in given]
    if snap:
        checked = [_snapped(id, _said(kept), step) for step in checked]
    room().boards.write_draft(id, kept["game"], kept["steps"] + checked, kept["saved"])
    return _view(id)


def _snapped(id: str, so_far: Said, step: Step) -> Step:
    jpeg = room().boards.get_picture(id, "photo")
    if jpeg and step["do"] == "corners":
        return step | {"corners": _draughtsman().snapped(jpeg, step["corners"])}
    if jpeg and step["do"] == "shape" and so_far.corners:
        shape = _draughtsman().snapped_shape(_flat(id, so_far), step["shape"], so_far.shape)
        with suppress(BadInput):  # what was seen made no sense: as the thumb has put it
            return step | {"shape": checked_shape(shape)}
    return step


@mapping.post("/undo")
def undo() -> Response:
    must_be_host()
    id = text(body("draft"), "draft")
    kept = room().boards.draft(id)
    room().boards.write_draft(id, kept["game"], kept["steps"][:-1], kept["saved"])
    return _view(id)


@mapping.post("/suggest")
def suggest() -> Response:
    """What the picture shows: `what` is `shape` (with a kind of board) or `colours`. Steps come back; nothing is said yet."""
    must_be_host()
    data = body("draft", "what", "kind")
    id, what = text(data, "draft"), one_of("what", data.get("what"), ("shape", "colours"))
    kept = room().boards.draft(id)
    game, so_far = find_game(kept["game"]), _said(kept)
    flat = _flat(id, so_far)
    if what == "shape":
        kind = one_of("kind", data.get("kind"), SHAPES)
        shape = _draughtsman().suggest(flat, kind, so_far.size_mm)
        return as_json({"steps": [{"do": "shape", "shape": checked_shape(shape)}] if shape else []})
    return as_json({"steps": _by_colour(game, so_far, flat)})


def _by_colour(game: Game, so_far: Said, flat: bytes) -> list[Step]:
    """Marks that are told by their colour, for all spaces on which they can be."""
    palette, draughtsman, steps = palette_of(game), _draughtsman(), list[Step]()
    alike: dict[tuple[str, ...], list[Drawn]] = {}
    for space in spaces_of(game, so_far):
        choice = tuple(mark.name for mark in palette.printed if fits(mark, space))
        if len(choice) > 1:
            alike.setdefault(choice, []).append(space)
    for choice, spaces in alike.items():
        seen = draughtsman.colours(flat, [space.shown for space in spaces], so_far.size_mm)
        found = draughtsman.sorted_by_colour(seen, [palette.marks[name].colour for name in choice])
        for i, name in enumerate(choice):
            ids = [space.id for space, index in zip(spaces, found, strict=True) if index == i]
            if ids and not palette.marks[name].link:  # where it sends cannot be seen
                steps.append({"do": "mark", "mark": name, "spaces": ids})
    return steps


# --- the board ---


@mapping.post("/save")
def save() -> Response:
    """Keep the board. What contradicts the leaflet is named first; `agreed` plays on it all the same."""
    must_be_host()
    data = body("draft", "agreed")
    id, agreed = text(data, "draft"), data.get("agreed", False)
    if not isinstance(agreed, bool):
        raise BadInput("agreed: must be true or false")
    kept = room().boards.draft(id)
    game, so_far = find_game(kept["game"]), _said(kept)
    if missing := still_missing(game, so_far):
        return as_json({"saved": "", "missing": missing, "differs": []})
    differs = differences(game, so_far)
    if differs and not agreed:
        return as_json({"saved": "", "missing": [], "differs": differs})
    flat = _flat(id, so_far)
    board = board_of(game, so_far, "draft", _art(game, so_far, flat))
    name = room().boards.keep(board, _draughtsman().reference(flat), instead_of=kept["saved"])
    room().boards.write_draft(id, kept["game"], kept["steps"], saved=name)
    return as_json({"saved": name, "missing": [], "differs": differs})


def _art(game: Game, so_far: Said, flat: bytes) -> dict[str, str]:
    """Each kind of space in the colour that it has on this board."""
    palette, spaces = palette_of(game), spaces_of(game, so_far)
    seen = _draughtsman().colours(flat, [space.shown for space in spaces], so_far.size_mm)
    by_name: dict[str, list[str]] = {}
    for space, colour in zip(spaces, seen, strict=True):
        for mark in [m for m in marks_of(space, so_far, palette) if m.group != "sign"] or [Mark("", "", adds=tuple(space.kinds))]:
            by_name.setdefault(named_for_art(mark), []).append(colour)
    return {name: _middle(colours) for name, colours in by_name.items() if name}


def _middle(colours: list[str]) -> str:
    channels = [[int(c[i : i + 2], 16) for c in colours] for i in (1, 3, 5)]
    return "#" + "".join(f"{round(statistics.median(channel)):02x}" for channel in channels)


@mapping.get("/board/<name>.json")
def shared(name: str) -> Response:
    """The board as one file, to be given to others."""
    must_be_host()
    found = room().boards.file(name)
    if found is None:
        raise Refusal(404, "There is no such board.")
    return Response(found, mimetype="application/json", headers={"Content-Disposition": f'attachment; filename="{name}.json"'})


@mapping.post("/import")
def bring_in() -> Response:
    must_be_host()
    given = body("file").get("file")
    if not isinstance(given, str):
        raise BadInput("file: must be the text of a board file")
    name = room().boards.bring_in(given.encode("utf-8", "replace"))
    return as_json({"name": name})


@mapping.post("/delete")
def delete() -> Response:
    """Finished games keep the board that they were played on."""
    must_be_host()
    room().boards.delete(text(body("name"), "name"))
    return as_json({})


# --- what the wizard shows ---


def _said(kept: dict[str, Any]) -> Said:
    return said(kept["steps"][:MOST_STEPS], palette_of(find_game(kept["game"])))


def _view(id: str, notes: list[str] | None = None) -> Response:
    kept = room().boards.draft(id)
    game, so_far = find_game(kept["game"]), _said(kept)
    palette, (width, height), above = palette_of(game), so_far.size_mm, room().camera
    spaces = spaces_of(game, so_far)
    return as_json(
        {
            "draft": id,
            "game": game.name,
            "game_title": room().table.translate(game.title),
            "usual_shape": palette.shape,
            "about": list(palette.about),
            "shape_facts": dict(palette.shape_facts),
            "palette": [
                {"name": m.name, "label": m.label, "group": m.group, "colour": m.colour, "link": m.link, "on": list(m.on), "usual": m.usual}
                for m in palette.marks.values()
            ],
            "title": so_far.title,
            "corners": [list(corner) for corner in so_far.corners],
            "size_mm": list(so_far.size_mm),
            "measured": so_far.measured,
            "shape": so_far.shape,
            "steps": len(kept["steps"]),
            "picture": room().boards.get_picture(id, "photo") is not None,
            "camera": above is not None and above.is_on,
            "spaces": [
                {
                    "id": s.id, "kinds": s.kinds, "links": {k: v for k, v in s.links.items() if k in so_far.links.get(s.id, {})},
                    "marks": [m.name for m in marks_of(s, so_far, palette)],
                    "outline": [[round(x / width, 5), round(y / height, 5)] for x, y in s.shown],
                }
                for s in spaces
            ],
            "missing": still_missing(game, so_far),
            "differs": differences(game, so_far),
            "saved": kept["saved"],
            "notes": notes or [],
        }
    )  # fmt: skip


def own_board(game: Game, name: object) -> Board | None:
    """A board of this house by its name, if the game has none of its own by that name."""
    if not isinstance(name, str) or not name or name in game.boards():
        return None
    found = room().boards.board(name)
    if found is not None and found.game != game.name:
        raise BadInput(f"board: {brief(name)} is a board for {found.game}")
    return found
