"""companion check: may I do this?"""

from __future__ import annotations

from typing import Any

import click

from companion.cli.choices import print_json, read_text
from companion.events import BadInput, Event, Roll, brief, dice_from_json, event_from_json, known_keys
from companion.game import Game, parse_json, state_from_json
from companion.games import find_game
from companion.notation import from_text, to_text
from companion.referee import ACCEPTED, REFUSED, SILENT, Ruling, describe, judge
from companion.rulebook import ASK

EXIT = {ACCEPTED: 0, REFUSED: 1, SILENT: 3}
MOST_MOVES = 1000
FIELDS = ("game", "variant", "seats", "board", "readings", "options", "position", "roll", "move", "moves")


@click.command()
@click.argument("file")
@click.option("--defaults", is_flag=True, help="Take our default for every reading that the file does not choose.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_context
def check(ctx: click.Context, file: str, defaults: bool, as_json: bool) -> None:
    """Rule on a move in a position: legal, illegal and by which rule, or not decided by the leaflet.

    FILE is JSON ('-' reads it from standard input):

    \b
    {"game": "siege",
     "position": {"to_move": "attacker", "knights": ["b3"], "defenders": ["d4"], "commander": "d6"},
     "move": "move knight b3 > c1"}

    `position` may be left out (the set-up), `roll` is what the dice showed ([5]), and `moves` is a list of moves, each as
    text or as an object.
    A move is of the seat that is due unless it begins with another ("red: move …"). `readings` names those that your
    table has chosen; where the ruling hangs on another, the answer is "silent".

    Exit code: 0 legal, 1 illegal, 3 silent, 2 bad input.
    """
    data = parse_json(read_text(file), "file")
    if not isinstance(data, dict):
        raise BadInput("file: must hold one object with at least a game and a move")
    known_keys("file", data, FIELDS)
    game = find_game(data.get("game"))
    if not defaults:
        data = data | {"readings": undecided(game) | _object(data, "readings")}
    state = state_from_json(game, data)
    rulings: list[Ruling] = []
    for attempt in _attempts(data):
        rulings.append(judge(game, state, _event(game, state, attempt)))
        state = rulings[-1].state
        if rulings[-1].status != ACCEPTED:
            break
    if as_json:
        print_json([explained(game, ruling) for ruling in rulings])
    else:
        for ruling in rulings:
            show(game, ruling)
    ctx.exit(EXIT[rulings[-1].status])


def undecided(game: Game) -> dict[str, str]:
    """A table that has chosen nothing yet."""
    return {r.name: ASK for r in game.rulebook.readings if r.decided_by == "rules"}


def _object(data: dict[str, Any], field: str) -> dict[str, str]:
    value = data.get(field, {})
    if not isinstance(value, dict):
        raise BadInput(f"{field}: must map names to values, not {brief(value)}")
    return value


def _attempts(data: dict[str, Any]) -> list[Any]:
    moves = data.get("moves", [])
    if not isinstance(moves, list) or len(moves) > MOST_MOVES:
        raise BadInput(f"moves: must be a list of at most {MOST_MOVES} moves")
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


def explained(game: Game, ruling: Ruling) -> dict[str, Any]:
    return ruling.to_json() | {
        "text": f"{ruling.event.seat}: {to_text(ruling.event)}",
        "rules": {id: game.rulebook.text(id) for id in ruling.citations},
        "steps": [describe(game, change) for change in ruling.changes],
    }


def show(game: Game, ruling: Ruling, most_legal: int = 24) -> None:
    """A ruling for people."""
    colour = {ACCEPTED: "green", REFUSED: "red", SILENT: "yellow"}[ruling.status]
    word = {ACCEPTED: "LEGAL", REFUSED: "NOT LEGAL", SILENT: "THE LEAFLET DOES NOT DECIDE"}[ruling.status]
    click.secho(word, fg=colour, bold=True, nl=False)
    click.echo(f"   {ruling.event.seat}: {to_text(ruling.event)}")
    for text in (*ruling.why, *ruling.said):
        click.echo(f"  {text}")
    for change in ruling.changes:
        click.echo(f"  - {describe(game, change)}")
    if ruling.status == REFUSED:
        for id in ruling.citations:
            click.secho(f"  {id}: {game.rulebook.text(id)}", dim=True)
        if ruling.legal:
            more = f" and {len(ruling.legal) - most_legal} more" if len(ruling.legal) > most_legal else ""
            listed = "; ".join(f"{m.seat}: {to_text(m)}" for m in ruling.legal[:most_legal])
            click.echo(f"  Legal would be: {listed}{more}")
    for reading in ruling.readings:
        click.echo(f"  {reading.id} {reading.question}")
        for value, meaning in reading.values.items():
            click.echo(f"    {reading.name}={value}{' (our default)' if value == reading.default else ''}: {meaning}")
