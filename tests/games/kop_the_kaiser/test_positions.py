"""Positions as JSON: what is refused and why, what comes back unchanged, and what is conserved over random play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events import BadInput
from companion.game import Terms
from companion.games.kop_the_kaiser import GAME
from companion.games.kop_the_kaiser.state import State
from companion.rulebook import ASK
from companion.ruling import Accepted
from companion.simulation import random_event
from tests.games.kop_the_kaiser.at_the_table import BALTIMORE, BOSTON, NEW_YORK, beginning, play, port, roll

TWO = GAME.terms(seats=(NEW_YORK, BOSTON))  # Infantry and Artillery
HOME = {"infantry": {"space": port(NEW_YORK)}, "artillery": {"space": port(BOSTON)}}
OWN_READINGS = [r for r in GAME.rulebook.readings if r.decided_by == "rules"]
CHOICES = [(r.name, value) for r in OWN_READINGS for value in r.values if value != r.default]


def infantry_on(space: str, face: str = "advance") -> dict[str, Any]:
    return {"armies": HOME | {"infantry": {"space": space, "face": face}}, "dice": NEW_YORK}


IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({}, "armies: must map armies to places"),
    ({"armies": {"infantry": {"space": "S01", "face": "advance"}}, "dice": NEW_YORK}, "the place of the artillery is missing"),
    ({"armies": HOME | {"cavalry": {"space": "S01"}}, "dice": NEW_YORK}, "armies: 'cavalry' is not known"),
    ({"armies": HOME, "dice": NEW_YORK, "mood": "good"}, "position: 'mood' is not known here"),
    ({"armies": HOME | {"infantry": "S01"}, "dice": NEW_YORK}, "must be 'vanquished' or a space and a face"),
    ({"armies": HOME | {"infantry": {"space": "S01"}}, "dice": NEW_YORK}, "infantry: face: missing"),
    ({"armies": HOME | {"infantry": {"space": "S01", "face": "up"}}, "dice": NEW_YORK}, "face: 'up' is not known"),
    ({"armies": HOME | {"infantry": {"space": "S01", "level": 2}}, "dice": NEW_YORK}, "'level' is not known here"),
    (infantry_on("S49"), "infantry: space: 'S49' is not known"),
    (infantry_on("Boston-2"), r"Boston-2 is the way of another port \(KK-27\)"),
    (infantry_on(port(BALTIMORE)), r"another's port, and ports are no spaces to stop on \(KK-23\)"),
    (infantry_on("NewYork-2", "retreat"), "on NewYork-2 ADVANCE is up"),
    (infantry_on("BERLIN", "retreat"), "on BERLIN ADVANCE is up"),
    ({"armies": {"infantry": {"space": "BERLIN"}, "artillery": {"space": "BERLIN"}}, "dice": BOSTON}, "two armies stand"),
    ({"armies": {"infantry": "vanquished", "artillery": "vanquished"}, "dice": NEW_YORK}, r"all are vanquished.*\(KK-A29\)"),
    ({"armies": HOME}, "dice: missing"),
    ({"armies": HOME, "dice": BALTIMORE}, "dice: 'baltimore' is not known"),
    ({"armies": HOME, "dice": NEW_YORK, "number": 7}, "number: must be one of 0, 4, 5, 6, 8, 9, 10, not 7"),
    ({"armies": HOME, "dice": NEW_YORK, "number": True}, "number: must be one of"),
    ({"armies": HOME, "dice": NEW_YORK, "number": 5, "failed": 3}, "failed: must be one of 0, 1, 2, not 3"),
    ({"armies": HOME, "dice": NEW_YORK, "failed": 1}, "there is no number to be repeated"),
    ({"armies": HOME, "dice": NEW_YORK, "throw": 7}, "throw: it stands there exactly while counters are owed a move"),
    ({"armies": HOME, "dice": NEW_YORK, "owed": {"infantry": {"space": "S07", "face": "advance"}}}, "throw: it stands there"),
    ({"armies": HOME, "dice": NEW_YORK, "throw": 5, "owed": {"infantry": {"space": "S05", "face": "advance"}}}, "5 moves nobody"),
    (
        {"armies": HOME, "dice": NEW_YORK, "throw": 7, "number": 5, "owed": {"infantry": {"space": "S07", "face": "advance"}}},
        "7 moves nobody while the number to repeat is 5",
    ),
    ({"armies": HOME, "dice": NEW_YORK, "throw": 7, "owed": {"infantry": {"space": port(NEW_YORK)}}}, "stands there already"),
    (
        {"armies": HOME, "dice": NEW_YORK, "throw": 7, "owed": {"infantry": {"space": "S20", "face": "advance"}}},
        "a throw of 7 does not move the infantry from PORT-NewYork there",
    ),
    (
        {"armies": HOME, "dice": NEW_YORK, "throw": 7, "owed": {"infantry": {"space": "S42", "face": "retreat"}}},
        "a throw of 7 does not move the infantry",
    ),
    (
        {"armies": HOME, "dice": NEW_YORK, "number": 5, "throw": 5, "owed": {"artillery": {"space": "S04", "face": "retreat"}}},
        r"a repeated number moves nobody but the roller, so not the artillery \(KK-19\)",
    ),
    (
        {"armies": HOME, "dice": NEW_YORK, "gone": [BOSTON], "throw": 7, "owed": {"artillery": "vanquished"}},
        "the artillery is out of the game",
    ),
    ({"armies": HOME, "dice": NEW_YORK, "owed": ["infantry"]}, "owed: must map armies to places"),
    ({"armies": HOME, "dice": NEW_YORK, "gone": [BOSTON, BOSTON]}, "gone: a seat is named twice"),
    ({"armies": HOME, "dice": NEW_YORK, "gone": "boston"}, "gone: must be a list of seats"),
    ({"armies": HOME, "dice": NEW_YORK, "ended": "tea"}, "ended: 'tea' is not known"),
    ({"armies": HOME, "roll_off": 7}, "roll_off: must hold waiting and thrown"),
    ({"armies": HOME, "roll_off": {"waiting": []}}, "waiting is empty"),
    ({"armies": HOME, "roll_off": {"waiting": [BOSTON], "thrown": [[BOSTON, 7]]}}, "boston has thrown and cannot be waiting"),
    ({"armies": HOME, "roll_off": {"waiting": [BOSTON], "thrown": [[NEW_YORK, 13]]}}, "thrown: must be one of 2, 3"),
    ({"armies": HOME, "roll_off": {"waiting": [BOSTON], "thrown": [NEW_YORK]}}, "must be a list of pairs"),
    ({"armies": HOME, "roll_off": {"waiting": [BOSTON]}, "dice": NEW_YORK}, "nobody has the dice"),
    ({"armies": infantry_on("S07")["armies"], "roll_off": {"waiting": [BOSTON, NEW_YORK]}}, "all armies stand on their ports"),
]


@pytest.mark.parametrize(("position", "why"), IMPOSSIBLE)
def test_an_impossible_position_is_refused_with_the_reason(position: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        GAME.from_position(TWO, position)


def test_the_dice_cannot_be_with_a_player_who_is_out() -> None:
    three = GAME.terms(seats=(NEW_YORK, BOSTON, BALTIMORE))
    armies = {"infantry": "vanquished", "artillery": {"space": "S30", "face": "advance"}, "aviation": {"space": port(BOSTON)}}
    with pytest.raises(BadInput, match="dice: new-york is out of the game"):
        GAME.from_position(three, {"armies": armies, "dice": NEW_YORK})


def test_armies_and_dice_are_enough_for_a_position() -> None:
    state = GAME.from_position(TWO, {"armies": HOME, "dice": BOSTON})
    assert play(state, 7).step(BOSTON) == 7


def test_what_is_owed_is_part_of_the_position() -> None:
    position = GAME.position(roll(beginning(NEW_YORK, BOSTON), 7))
    assert position["throw"] == 7
    assert position["owed"] == {"infantry": {"space": "S07", "face": "advance"}, "artillery": {"space": "S02", "face": "retreat"}}


def walk(terms: Terms, seed: int, events: int) -> list[State]:
    """The states of one random game."""
    chance, states = Random(seed), [GAME.set_up(terms)]
    for _ in range(events):
        event = random_event(GAME, states[-1], chance)
        if event is None:
            break
        verdict = GAME.rule(states[-1], event)
        assert isinstance(verdict, Accepted), verdict
        states.append(verdict.state)
    return states


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_army_stands_on_the_board_once_until_it_is_vanquished_for_good(seats: int, seed: int) -> None:
    out: set[str] = set()
    for state in walk(GAME.terms(seats=seats), seed, 600):
        ground = state.ground
        there = [s.piece for s in GAME.layout(state).standing]
        beaten = {army for army, place in GAME.position(state)["armies"].items() if place == "vanquished"}
        assert sorted([*there, *beaten]) == sorted(ground.owner), "each counter exactly once"
        assert out <= beaten, "nobody comes back"
        out = beaten
        for standing in GAME.layout(state).standing:
            track = ground.tracks[ground.owner[standing.piece]]
            assert (standing.space, standing.face) in track.steps
        assert len({order.seat for order in state.owed}) == len(state.owed)
        assert bool(state.roll_off) != bool(state.dice)


@pytest.mark.parametrize(("name", "value"), CHOICES)
def test_random_play_holds_together_under_every_reading(name: str, value: str) -> None:
    for seats in (2, 4, 6):
        terms = GAME.terms(seats=seats, readings={name: value})
        for state in walk(terms, seats, 400):
            position = GAME.position(state)
            assert GAME.position(GAME.from_position(terms, position)) == position
            for move in GAME.legal_moves(state):
                assert isinstance(GAME.rule(state, move), Accepted)
            assert bool(GAME.due(state)) != bool(GAME.outcome(state))


@pytest.mark.parametrize(("name", "value"), CHOICES)
def test_every_state_can_be_looked_at_under_another_reading_unless_it_cannot_arise_there(name: str, value: str) -> None:
    terms = GAME.terms(seats=4, readings={name: ASK})
    other = terms.with_readings({name: value})
    arise = total = 0
    for state in walk(terms, 7, 400):
        total += 1
        position = GAME.position(state)
        assert GAME.position(GAME.from_position(terms, position)) == position, "undecided counts as the default"
        try:
            assert GAME.position(GAME.from_position(other, position)) == position
            arise += 1
        except BadInput:
            continue
    assert arise > total * 0.8
