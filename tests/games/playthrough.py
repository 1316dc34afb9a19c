"""Reads and replays playthrough files: games that a person can read and a test can check.

A file begins with the terms (`game:`, `variant:`, `seats:`, `readings:`, `options:`, `position:`), then `---`, then one
line a step:

    # prose, for the reader
    red: roll 5                            must be accepted
    red: move prince a1 > a3 => refused RP-15 RP-29     must be refused, citing at least these
    red: move prince a1 > a3 => silent two_step_through     the leaflet does not decide, and the table has not
    says: Red rolled five.                 the last event announced this
    due: blue roll                         this is due now (seat, then roll or move)
    expect: {"to_move": "blue"}            the position holds these fields
    board: prince e4                       this piece stands there (`board: not marker e4`: it does not)
    over: red                              the game is over, and these seats won (`over: nobody`)
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.game import Game, state_from_json
from companion.games import find_game
from companion.notation import from_text
from companion.referee import Ruling, judge

PLAYTHROUGHS = sorted(Path(__file__).parent.glob("*/playthroughs/*.txt"))
PAIRS = ("readings", "options")


def replay(path: Path) -> Any:
    """Replay a file; every line that does not hold raises AssertionError with its number. Gives the last state."""
    head, _, body = path.read_text("utf-8").partition("\n---\n")
    terms: dict[str, Any] = {}
    for line in head.splitlines():
        if line.strip() and not line.startswith("#"):
            key, _, value = line.partition(":")
            terms[key.strip()] = _term(key.strip(), value.strip())
    game = find_game(terms["game"])
    state, last = state_from_json(game, terms), None
    for number, line in enumerate(body.splitlines(), head.count("\n") + 3):
        text = line.strip()
        if text and not text.startswith("#"):
            try:
                state, last = _step(game, state, last, text)
            except AssertionError as error:
                raise AssertionError(f"{path.name}:{number}: {text}\n{error}") from error
    return state


def _term(key: str, value: str) -> Any:
    if key in PAIRS:
        return dict(pair.split("=") for pair in value.split())
    if key == "seats":
        return value.split()
    return json.loads(value) if key in ("position", "board") and value.startswith("{") else value


def _step(game: Game, state: Any, last: Ruling | None, text: str) -> tuple[Any, Ruling | None]:
    key, _, rest = text.partition(":")
    rest = rest.strip()
    if key == "says":
        assert last is not None
        assert rest in last.said, f"it said {last.said}"
    elif key == "due":
        due = [f"{d.seat} {d.what}" for d in game.due(state)]
        assert rest in due, f"due is {due}"
    elif key == "expect":
        position = game.position(state)
        for field, value in json.loads(rest).items():
            assert position[field] == value, f"{field} is {position[field]!r}"
    elif key == "board":
        *absent, piece, space = rest.split()
        stands = any(s.piece == piece and s.space == space for s in game.layout(state).standing)
        assert stands != bool(absent), f"on {space}: {[s for s in game.layout(state).standing if s.space == space]}"
    elif key == "over":
        outcome = game.outcome(state)
        assert outcome, "the game goes on"
        assert sorted(outcome.winners) == sorted([] if rest == "nobody" else rest.split()), f"winners: {outcome.winners}"
    else:
        return _event(game, state, key, rest)
    return state, last


def _event(game: Game, state: Any, seat: str, text: str) -> tuple[Any, Ruling]:
    act, _, wanted = text.partition("=>")
    status, *ids = wanted.split() or ["accepted"]
    ruling = judge(game, state, from_text(act, seat, game.forms(state.ground.terms)))
    assert ruling.status == status, f"it was {ruling.status}: {ruling.citations} {ruling.why}"
    if status == "silent":
        assert set(ids) <= {reading.name for reading in ruling.readings}, f"readings: {ruling.readings}"
    else:
        assert set(ids) <= set(ruling.citations), f"citations: {ruling.citations} {ruling.why}"
    return ruling.state, ruling
