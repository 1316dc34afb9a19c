"""May I do this? Questions to the referee about any position, and positions put together by hand. No game need run."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, Response

from companion.board import BadBoard, Board
from companion.check import FIELDS as CHECK_FIELDS
from companion.check import check as check_moves
from companion.check import explained, undecided
from companion.draw import draw_svg
from companion.events import BadInput, Form, brief, known_keys
from companion.game import Game, state_from_json, state_to_json
from companion.games import find_game
from companion.layout import Layout
from companion.referee import settled_state
from web import arranging
from web.answers import any_body, as_json, query_flag
from web.guard import Refusal
from web.reference import marked
from web.room import must_be_paired, room
from web.snapshot import due_to_json, layout_to_json, move_to_json, outcome_to_json

questions = Blueprint("questions", __name__, url_prefix="/api")
MOST_MOVES = 50  # of one question
ATTEMPTS = ("roll", "move", "moves")
_asking = threading.Semaphore(2)  # a question costs time, and the table must stay quick for everybody else


@contextmanager
def in_turn() -> Iterator[None]:
    if not _asking.acquire(timeout=5):
        raise Refusal(503, "Many questions at once. Try again.", [(b"retry-after", b"2")])
    try:
        yield
    except BadBoard as error:
        raise BadInput(f"board: {error}") from error
    finally:
        _asking.release()


@questions.post("/check")
def check() -> Response:
    """The same question as `companion check`, with pictures if `picture=1`, and our defaults if `defaults=1`."""
    must_be_paired()
    translate = room().table.translate
    with in_turn():
        game, state, rulings = check_moves(any_body(), query_flag("defaults"), MOST_MOVES, translate)
        answers = []
        for ruling in rulings:
            before, state = state, ruling.state
            answers.append(explained(game, ruling, translate) | {"before": _view(game, before), "after": _view(game, state)})
    return as_json({"status": rulings[-1].status, "rulings": answers})


@questions.post("/position")
def position() -> Response:
    """A position, after these moves if there are any, and with the pieces where somebody put them: how it looks, what is due and
    legal in it. Pieces that cannot stand so are refused with the reason, and drawn all the same."""
    must_be_paired()
    data = any_body()
    known_keys("body", data, (*CHECK_FIELDS, *arranging.FIELDS))
    with in_turn():
        game = find_game(data.get("game"))
        state = _state(game, {field: value for field, value in data.items() if field in CHECK_FIELDS})
        if not any(field in data for field in arranging.FIELDS):
            return as_json({"status": "accepted", "why": []} | _position(game, state))
        terms = state.ground.terms
        arranged = arranging.read(game, terms, data, game.layout(settled_state(game, state)))
        try:
            put = arranging.position_of(game, state, arranged)
        except BadInput as error:
            refused = {
                "status": "refused",
                "why": [str(error)],
                "pieces": arranging.box_to_json(game, terms, room().table.translate),
            }
            return as_json(refused | _picture(terms.board, arranged.layout))
        return as_json({"status": "accepted", "why": []} | _position(game, game.from_position(terms, put)))


def _state(game: Game, data: dict[str, Any]) -> Any:
    """The state that the terms, the position and the moves lead to; readings that are not given are undecided, or our defaults."""
    if any(data.get(field) for field in ATTEMPTS):
        return check_moves(data, query_flag("defaults"), MOST_MOVES).rulings[-1].state
    if not isinstance(data.get("readings", {}), dict):
        raise BadInput(f"readings: must map names to values, not {brief(data['readings'])}")
    readings = data.get("readings", {}) if query_flag("defaults") else undecided(game) | data.get("readings", {})
    return state_from_json(game, data | {"readings": readings})


@questions.get("/position")
def present_position() -> Response:
    """The running game's position, as `check` and `position` take it."""
    must_be_paired()
    ledger = room().table.view.ledger
    if ledger is None:
        raise Refusal(404, "No game is running.")
    return as_json(_position(ledger.game, ledger.state))


def _position(game: Game, state: Any) -> dict[str, Any]:
    translate = room().table.translate
    settled = settled_state(game, state)
    terms = settled.ground.terms
    outcome = game.outcome(settled)
    return (
        state_to_json(game, state, whole_board=terms.board.name not in game.boards())
        | _view(game, state)
        | {
            "due": [due_to_json(game, due, translate) for due in game.due(settled)],
            "legal": [move_to_json(game, terms, move, translate) for move in game.legal_moves(settled)],
            "outcome": outcome and outcome_to_json(game, outcome, translate),
            "forms": [_form(form) for form in game.forms(terms)],
            "pieces": arranging.box_to_json(game, terms, translate),
            "seat_names": {seat: game.words.name(seat, translate) for seat in terms.seats},
        }
    )


def _form(form: Form) -> dict[str, Any]:
    return {"do": form.do, "piece": form.piece, "from": form.start, "to": form.to, "detail": form.detail}


def _view(game: Game, state: Any) -> dict[str, Any]:
    return _picture(state.ground.terms.board, game.layout(settled_state(game, state)))


def _picture(board: Board, layout: Layout) -> dict[str, Any]:
    out = layout_to_json(layout)
    if query_flag("picture"):
        out["svg"] = draw_svg(board, layout, marked())
    return out
