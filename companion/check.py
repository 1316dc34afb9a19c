"""May I do this? A position and what somebody wants to do in it, as one JSON object; the referee's answer to each attempt.

{"game": "siege", "position": {…}, "roll": [5], "move": "move knight b3 > c1", "moves": […], "readings": {…}}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.events import BadInput, Event, Roll, brief, dice_from_json, event_from_json, known_keys
from companion.game import Game, state_from_json
from companion.games import find_game
from companion.notation import from_text, to_text
from companion.referee import ACCEPTED, Ruling, describe, judge
from companion.rulebook import ASK
from companion.words import Translate

MOST_MOVES = 1000
FIELDS = ("game", "variant", "seats", "board", "readings", "options", "position", "roll", "move", "moves")


class Checked(NamedTuple):
    """The answers, one for each attempt up to the first that is not accepted, and the state they began with."""

    game: Game
    start: Any
    rulings: tuple[Ruling, ...]


def check(data: object, defaults: bool = False, most_moves: int = MOST_MOVES, translate: Translate = str) -> Checked:
    """Rule on every attempt in turn. Readings that are not given count as undecided, unless `defaults`."""
    if not isinstance(data, Mapping):
        raise BadInput("file: must hold one object with at least a game and a move")
    known_keys("file", data, FIELDS)
    game = find_game(data.get("game"))
    if not defaults:
        data = {**data, "readings": undecided(game) | _object(data, "readings")}
    attempts = _attempts(data, most_moves)
    start = state = state_from_json(game, data)
    rulings: list[Ruling] = []
    for attempt in attempts:
        rulings.append(judge(game, state, _event(game, state, attempt), translate))
        state = rulings[-1].state
        if rulings[-1].status != ACCEPTED:
            break
    return Checked(game, start, tuple(rulings))


def explained(game: Game, ruling: Ruling, translate: Translate = str) -> dict[str, Any]:
    """A ruling as JSON, with the rules and the steps on the real board in words."""
    return ruling.to_json() | {
        "text": f"{ruling.event.seat}: {to_text(ruling.event)}",
        "rules": {id: game.rulebook.text(id) for id in ruling.citations},
        "steps": [describe(game, change, translate, ruling.state.ground.terms.board) for change in ruling.changes],
    }


def undecided(game: Game) -> dict[str, str]:
    """A table that has chosen nothing yet."""
    return {r.name: ASK for r in game.rulebook.readings if r.decided_by == "rules"}


def _object(data: Mapping[str, Any], field: str) -> dict[str, str]:
    value = data.get(field, {})
    if not isinstance(value, dict):
        raise BadInput(f"{field}: must map names to values, not {brief(value)}")
    return value


def _attempts(data: Mapping[str, Any], most: int) -> list[Any]:
    moves = data.get("moves", [])
    if not isinstance(moves, list) or len(moves) > most:
        raise BadInput(f"moves: must be a list of at most {most} moves")
    attempts = [data["move"], *moves] if "move" in data else list(moves)
    if "roll" in data:
        attempts.insert(0, dice_from_json(data["roll"]))
    if not attempts:
        raise BadInput("move: missing; give `move`, `moves` or `roll`")
    return attempts


def _event(game: Game, state: Any, attempt: Any) -> Event:
    seats = state.ground.terms.seats
    forms = game.forms(state.ground.terms)
    due = [d.seat for d in game.due(state)] or [seats[0]]
    if isinstance(attempt, tuple):
        return Roll(next((d.seat for d in game.due(state) if d.what == "roll"), due[0]), attempt)
    if not isinstance(attempt, str):
        return event_from_json(attempt, seats, forms)
    seat, colon, rest = attempt.partition(":")
    if not colon:
        return from_text(attempt, due[0], forms)
    if seat.strip() not in seats:
        raise BadInput(f"move: {brief(seat)} is not a seat of this game; seats are {', '.join(seats)}")
    return from_text(rest, seat.strip(), forms)
