"""Calls that need no running game: the games, their rulebooks and boards, and 'may I do this?' in any position."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, Response, request

from companion.board import BadBoard, board_to_json
from companion.check import check as check_moves
from companion.check import explained, undecided
from companion.doctor import examine
from companion.draw import draw_svg
from companion.events import BadInput, brief, known_keys
from companion.game import Game, state_from_json, state_to_json
from companion.games import all_games, find_game
from companion.referee import settled_state
from companion.rulebook import Reading, Rule
from web.answers import any_body, as_json, query_flag
from web.api import house_rules
from web.guard import Refusal
from web.room import must_be_host, must_be_paired, room
from web.snapshot import due_to_json, layout_to_json, move_to_json, outcome_to_json

reference = Blueprint("reference", __name__, url_prefix="/api")
MOST_MOVES = 50  # of one question
MOST_MARKED = 400
POSITION_FIELDS = ("game", "variant", "seats", "board", "readings", "options", "position")
_questions = threading.Semaphore(2)  # a question costs time, and the table must stay quick for everybody else


@contextmanager
def in_turn() -> Iterator[None]:
    if not _questions.acquire(timeout=5):
        raise Refusal(503, "Many questions at once. Try again.", [(b"retry-after", b"2")])
    try:
        yield
    finally:
        _questions.release()


@reference.get("/games")
def games() -> Response:
    must_be_paired()
    return as_json([_game(game) for game in all_games().values()])


def _game(game: Game) -> dict[str, Any]:
    translate = room().table.translate
    return {
        "name": game.name,
        "title": translate(game.title),
        "seats": list(game.seats),
        "seat_names": {seat: game.words.name(seat, translate) for seat in game.seats},
        "variants": [
            {"name": v.name, "title": translate(v.title), "players": sorted(v.players), "seats": [list(s) for s in v.seatings]}
            for v in game.variants
        ],
        "boards": list(game.boards()),
        "options": [{"name": o.name, "question": o.question, "default": o.default} for o in game.options],
        "readings": [_entry(reading) for reading in game.rulebook.readings],
        "house_rules": house_rules(game.name),
    }


@reference.get("/rulebook/<name>")
def rulebook(name: str) -> Response:
    """Every entry, or those that mention `q`."""
    must_be_paired()
    game = _found(name)
    wanted = request.args.get("q", "")[:100].strip()
    entries = game.rulebook.search(wanted) if wanted else game.rulebook.entries
    title = room().table.translate(game.title)
    return as_json({"game": game.name, "title": title, "entries": [_entry(entry) for entry in entries]})


def _entry(entry: Any) -> dict[str, Any]:
    kind = "rule" if isinstance(entry, Rule) else "reading" if isinstance(entry, Reading) else "settled"
    return {key: dict(value) if key == "values" else value for key, value in vars(entry).items()} | {"kind": kind}


def _found(name: str) -> Game:
    try:
        return find_game(name)
    except BadInput as error:
        raise Refusal(404, str(error)) from error


@reference.get("/health")
def health() -> Response:
    """What the companion stands on, and what to do where something is wrong."""
    must_be_host()
    with in_turn():
        return as_json([vars(finding) for finding in examine(room().config)])


# --- pictures ---


@reference.get("/board/<name>.svg")
def board_svg(name: str) -> Response:
    """A board of a game, empty or (`setup=1`) as it is set up, with the `marked` spaces outlined."""
    must_be_paired()
    game = _found(name)
    board = game.board(request.args.get("board") or None)
    layout = game.layout(game.set_up(game.terms(board=board))) if query_flag("setup") else None
    return svg(draw_svg(board, layout, marked()))


@reference.get("/board/<name>.json")
def board_json(name: str) -> Response:
    must_be_paired()
    return as_json(board_to_json(_found(name).board(request.args.get("board") or None)))


def marked() -> list[str]:
    return [space for space in request.args.get("marked", "").split(",")[:MOST_MARKED] if space]


def svg(text: str) -> Response:
    return Response(text, mimetype="image/svg+xml")


# --- may I do this? ---


@reference.post("/check")
def check() -> Response:
    """The same question as `companion check`, with pictures if `picture=1`, and our defaults if `defaults=1`."""
    must_be_paired()
    translate = room().table.translate
    with in_turn(), _boards_explained():
        game, state, rulings = check_moves(any_body(), query_flag("defaults"), MOST_MOVES, translate)
        answers = []
        for ruling in rulings:
            before, state = state, ruling.state
            answers.append(explained(game, ruling, translate) | {"before": _view(game, before), "after": _view(game, state)})
    return as_json({"status": rulings[-1].status, "rulings": answers})


@reference.post("/position")
def position() -> Response:
    """A position as the game understands it: what is due in it, what is legal, and how it looks."""
    must_be_paired()
    data = any_body()
    known_keys("body", data, POSITION_FIELDS)
    with in_turn(), _boards_explained():
        game = find_game(data.get("game"))
        if not isinstance(data.get("readings", {}), dict):
            raise BadInput(f"readings: must map names to values, not {brief(data['readings'])}")
        readings = data.get("readings", {}) if query_flag("defaults") else undecided(game) | data.get("readings", {})
        return as_json(_position(game, state_from_json(game, data | {"readings": readings})))


@reference.get("/position")
def present_position() -> Response:
    """The running game's position, as `check` and `position` take it."""
    must_be_paired()
    ledger = room().table.view.ledger
    if ledger is None:
        raise Refusal(404, "No game is running.")
    return as_json(_position(ledger.game, ledger.state))


@contextmanager
def _boards_explained() -> Iterator[None]:
    try:
        yield
    except BadBoard as error:
        raise BadInput(f"board: {error}") from error


def _position(game: Game, state: Any) -> dict[str, Any]:
    translate = room().table.translate
    settled = settled_state(game, state)
    outcome = game.outcome(settled)
    is_own_board = settled.ground.terms.board.name not in game.boards()
    return state_to_json(game, state, whole_board=is_own_board) | _view(game, state) | {
        "due": [due_to_json(game, due, translate) for due in game.due(settled)],
        "legal": [move_to_json(game, settled.ground.terms, move, translate) for move in game.legal_moves(settled)],
        "outcome": outcome and outcome_to_json(game, outcome, translate),
    }


def _view(game: Game, state: Any) -> dict[str, Any]:
    layout = game.layout(settled_state(game, state))
    out = layout_to_json(layout)
    if query_flag("picture"):
        out["svg"] = draw_svg(state.ground.terms.board, layout, marked())
    return out
