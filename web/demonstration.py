"""The demonstration evening on the pages: begin it, end it, and how it stands."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from companion.events import BadInput
from companion.games import all_games, find_game
from web.answers import as_json, body, refused, text
from web.room import Demonstration, must_be_guest, must_be_host, must_be_paired, room, who

demonstration = Blueprint("demonstration", __name__, url_prefix="/api")
USUAL = "royal_game"  # it has dice, and the eye reads it well


@demonstration.get("/demonstration")
def how_it_stands() -> Response:
    must_be_paired()
    return as_json(_facts())


def _facts() -> dict[str, Any]:
    """`offered`: this table can do it. `free`: anybody may begin one now. `seats`: those that computer players hold. `mine`: the asker's own.
    `seen`: what the camera says."""
    players, ledger, observed = room().demonstration, room().table.view.ledger, room().table.view.observed
    games = sorted(all_games().values(), key=lambda game: (game.name != USUAL, game.title))
    return {
        "offered": players is not None,
        "on": bool(players and players.on),
        "free": ledger is None or bool(ledger.outcome),
        "seats": list(players.seats) if players else [],
        "mine": mine if (mine := _own_seat()) in room().seats else "",
        "names": {seat: ledger.game.words.name(seat, room().table.translate) for seat in ledger.terms.seats} if ledger else {},
        "seen": observed.text if observed else "",
        "games": [{"name": game.name, "title": room().table.translate(game.title)} for game in games],
    }


def _own_seat() -> str:
    guest = who().guest
    return guest.seat if guest else ""


@demonstration.post("/demonstration")
def switch() -> Response:
    """Begin (anybody, while no game runs), let the computer take the empty seats of a game (the host), or end it (anybody)."""
    must_be_guest()
    data = body("on", "game")
    if not isinstance(data.get("on"), bool):
        raise BadInput("on: must be true or false")
    players = _players()
    if not data["on"]:
        if players.on:
            players.leave(end_game=True)
    elif _facts()["free"]:
        if why := players.begin(find_game(text(data, "game", USUAL)).name):
            return refused(why)
    elif not players.on:
        must_be_host()  # a game of people runs
        players.join()
    return as_json(_facts())


def _players() -> Demonstration:
    players = room().demonstration
    if players is None:
        raise BadInput("on: this table shows no demonstration; `companion run --stand-ins` does")
    return players
