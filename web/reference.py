"""Calls that need no running game: the games, their rulebooks and boards. `questions` has those about rules."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from companion.board import Board, board_to_json
from companion.doctor import examine
from companion.draw import draw_svg
from companion.events import BadInput
from companion.game import Game
from companion.games import all_games, find_game
from companion.rulebook import Reading, Rule
from web.answers import as_json, query_flag
from web.api import house_rules
from web.guard import Refusal
from web.mapping import own_board
from web.room import must_be_host, must_be_paired, room

reference = Blueprint("reference", __name__, url_prefix="/api")
MOST_MARKED = 400


@reference.get("/games")
def games() -> Response:
    must_be_paired()
    return as_json([_game(game) for game in all_games().values()])


def _game(game: Game) -> dict[str, Any]:
    translate, own = room().table.translate, room().boards.of_game(game.name)
    return {
        "name": game.name,
        "title": translate(game.title),
        "seats": list(game.seats),
        "seat_names": {seat: game.words.name(seat, translate) for seat in game.seats},
        "variants": [
            {"name": v.name, "title": translate(v.title), "players": sorted(v.players), "seats": [list(s) for s in v.seatings]}
            for v in game.variants
        ],
        "boards": [*game.boards(), *own],
        "board_titles": {name: board.title for name, board in own.items()},
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
    return as_json([vars(finding) for finding in examine(room().config)])


# --- pictures ---


@reference.get("/board/<name>.svg")
def board_svg(name: str) -> Response:
    """A board of a game, empty or (`setup=1`) as it is set up, with the `marked` spaces outlined."""
    must_be_paired()
    game = _found(name)
    board = _board(game)
    layout = game.layout(game.set_up(game.terms(board=board))) if query_flag("setup") else None
    return svg(draw_svg(board, layout, marked()))


@reference.get("/board/<name>.json")
def board_json(name: str) -> Response:
    must_be_paired()
    return as_json(board_to_json(_board(_found(name))))


def _board(game: Game) -> Board:
    name = request.args.get("board") or None
    return own_board(game, name) or game.board(name)


def marked() -> list[str]:
    return [space for space in request.args.get("marked", "").split(",")[:MOST_MARKED] if space]


def svg(text: str) -> Response:
    return Response(text, mimetype="image/svg+xml")
