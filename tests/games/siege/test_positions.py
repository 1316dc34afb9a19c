"""Positions of Siege as JSON: what is impossible and why, and what is conserved in play."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.events import BadInput, event_from_json
from companion.game import state_from_json, state_to_json
from companion.games.siege import GAME
from companion.games.siege.state import State
from companion.simulation import random_event
from tests.games.siege.table import after, table

POSITION: dict[str, Any] = {"to_move": "attacker", "knights": ["d2"], "defenders": ["c4"], "commander": "d6"}
NOT_PLACED: dict[str, Any] = GAME.position(GAME.set_up(GAME.terms()))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"knights": ["c0", "d0", "e0", "f0", "a1"]}, "knights: there are only 4, not 5 (SG-01)"),
        ({"defenders": ["d4", "e4", "d5", "e5", "c3"]}, "defenders: there are only 4, not 5 (SG-01)"),
        ({"knights": ["d2", "d2"]}, "knights: two stand on d2; only one piece may (SG-10)"),
        ({"knights": ["c4"]}, "position: a Knight and a Defender stand on c4"),
        ({"knights": ["d6"]}, "position: a Knight and the Commander stand on d6"),
        ({"defenders": ["d6"]}, "position: a Defender and the Commander stand on d6"),
        ({"defenders": ["a4"]}, "defenders: a4 is blue, where no Defender may stand (SG-22)"),
        ({"commander": "b4"}, "commander: he must stand in the Castle (SG-25)"),
        ({"knights": ["z9"]}, "knights: 'z9' is not known"),
        ({"knights": "d2"}, "knights: must be a list of squares, not 'd2'"),
        ({"knights": [["d2"]]}, "knights: ['d2'] is not known"),
        ({"knights": None}, "knights: must be a list of squares"),
        ({"commander": None}, "commander: missing"),
        ({"commander": ["d6"]}, "commander: ['d6'] is not known"),
        ({"to_move": "white"}, "to_move: 'white' is not known; it must be one of attacker, defender"),
        ({"knights": [], "commander": "captured", "to_move": "defender"}, "only one side can have won (SG-42, SG-43)"),
        ({"commander": "captured"}, "to_move: the Attacker has just captured the Commander"),
        ({"knights": [], "to_move": "defender"}, "to_move: the Defender has just captured the last Knight"),
        ({"commander": "not placed"}, "commander: he is placed before the first move"),
        (NOT_PLACED | {"to_move": "attacker"}, "commander: he is placed before the first move"),
        (NOT_PLACED | {"knights": ["c0", "d0", "e0"]}, "commander: he is placed before the first move"),
        (NOT_PLACED | {"quiet_turns": 3}, "commander: he is placed before the first move"),
        ({"unmoved": ["c4"]}, "unmoved: these are Defenders that still stand on the dotted square"),
        ({"unmoved": ["d4"]}, "unmoved: these are Defenders that still stand on the dotted square"),
        ({"defenders": ["c4", "d3", "e5"], "opening": ["nothing"]}, "unmoved: 2 Defenders cannot have moved in 1 turns"),
        ({"opening": 3}, "opening: must be a list with one of nothing, defender, attacker, both"),
        ({"opening": ["nobody"]}, "opening: 'nobody' is not known"),
        ({"quiet_turns": -1}, "quiet_turns: must be a whole number from 0 to"),
        ({"quiet_turns": True}, "quiet_turns: must be a whole number from 0 to"),
        ({"quiet_turns": 1.5}, "quiet_turns: must be a whole number from 0 to"),
        ({"seen": "d2"}, "seen: must be a list"),
        ({"seen": ["attacker: d2 / c4"]}, "seen: 'attacker: d2 / c4' is not of the form"),
        ({"seen": [17]}, "seen: 17 is not of the form"),
        ({"seen": ["nobody: d2 / c4 / d6"]}, "'nobody' is not known"),
        ({"seen": ["attacker: d2 d2 / c4 / d6"]}, "two stand on d2"),
        ({"seen": ["attacker: d2 / c4 / d6"] * 1002}, "seen: must be a list of at most 1001 positions"),
        ({"ended": "won"}, "ended: 'won' is not known"),
        ({"ended": "draw", "commander": "captured", "to_move": "defender"}, "ended: the game was won already"),
        ({"gone": ["attacker", "defender"]}, "gone: must be a list of at most one of the two players"),
        ({"gone": ["nobody"]}, "gone: 'nobody' is not known"),
        ({"gone": ["attacker"]}, "gone: the attacker has left, so it cannot be his turn (X-A07)"),
        ({"colour": "red"}, "position: 'colour' is not known here"),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput) as error:
        GAME.from_position(GAME.terms(), POSITION | fields)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("missing", ["to_move", "knights", "defenders", "commander"])
def test_a_position_without_its_pieces_is_refused(missing: str) -> None:
    with pytest.raises(BadInput, match=missing):
        GAME.from_position(GAME.terms(), {key: value for key, value in POSITION.items() if key != missing})


@pytest.mark.parametrize("fields", [{}, {"ended": "draw"}, {"ended": "left"}, {"gone": ["defender"]}, {"quiet_turns": 100}])
def test_possible_ones_are_taken_and_keep_what_they_say(fields: dict[str, Any]) -> None:
    state = GAME.from_position(GAME.terms(), POSITION | fields)
    position = GAME.position(state)
    assert POSITION.items() <= position.items()
    assert fields.items() <= position.items()


def test_fields_left_out_mean_a_game_past_its_opening() -> None:
    position = GAME.position(table("d2", "d4", "d6", "defender"))
    assert position["opening"] == ["nothing"] * 4
    assert position["unmoved"] == []
    assert GAME.position(table("d2", "d4 c4", "d6", "defender", opening=["nothing"]))["unmoved"] == ["d4"]


def test_what_a_player_left_before_the_commander_was_placed_can_be_read_again() -> None:
    state = GAME.leave(GAME.set_up(GAME.terms(readings={"leaver": "end_game"})), "attacker")
    assert GAME.position(state)["commander"] == "not placed"
    assert GAME.from_position(state.ground.terms, GAME.position(state)) == state


def play(seed: object, readings: dict[str, str]) -> list[State]:
    """All states of one random game, with a host who skips a turn or a player who leaves now and then."""
    chance, state = Random(str(seed)), GAME.set_up(GAME.terms(readings=readings))
    states = [state]
    for _ in range(250):
        move = random_event(GAME, state, chance)
        if move is None:
            break
        state = GAME.rule(state, move).state
        if chance.random() < 0.02:
            state = GAME.skip(state, chance.choice(GAME.seats))
        if chance.random() < 0.002:
            state = GAME.leave(state, chance.choice(GAME.seats))
        states.append(state)
    return states


READINGS = [{}] + [
    {reading.name: value}
    for reading in GAME.rulebook.readings
    if reading.decided_by == "rules"
    for value in (*reading.values, "ask")
    if value != reading.default
]


@pytest.mark.parametrize("readings", READINGS, ids=lambda r: " ".join(f"{k}={v}" for k, v in r.items()) or "defaults")
def test_every_state_of_every_reading_goes_through_json_and_becomes_itself_again(readings: dict[str, str]) -> None:
    for seed in range(4):
        for state in play(seed, readings)[:: 3 + seed]:
            text = json.dumps(state_to_json(GAME, state))
            assert state_from_json(GAME, json.loads(text)) == state


@pytest.mark.parametrize("seed", range(6))
def test_the_same_position_can_be_read_under_every_other_reading(seed: int) -> None:
    for state in play(seed, {})[::4]:
        for readings in READINGS:
            other = GAME.from_position(state.ground.terms.with_readings(readings), GAME.position(state))
            assert GAME.layout(other) == GAME.layout(state)
            assert bool(GAME.due(other)) != bool(GAME.outcome(other))


@pytest.mark.parametrize("seed", range(12))
def test_pieces_are_conserved_and_captured_ones_never_come_back(seed: int) -> None:
    before = Counter(knight=4, defender=4, commander=1)
    for state in play(f"pieces {seed}", {})[1:]:
        standing = GAME.layout(state).standing
        now = Counter(s.piece for s in standing)
        assert now <= before, "nobody comes back"
        assert before.total() - now.total() <= 1, "a turn captures one piece at most"
        assert len({s.space for s in standing}) == len(standing), "only one piece on a square"
        before = now


def test_a_long_game_keeps_only_what_it_must_remember() -> None:
    circle = ["knight c3 > d5", "commander f3 > e4", "knight d5 > c3", "commander e4 > f3"]
    state = after(table("c3", "", "f3", readings={"draw": "never"}), *circle * 300)
    assert len(state.seen) == 1001
    assert state.quiet == 1200
    assert state_from_json(GAME, state_to_json(GAME, state)) == state
    skipped = GAME.skip(state, "attacker")
    assert len(skipped.seen) == 1001
    assert state_from_json(GAME, state_to_json(GAME, skipped)) == skipped


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"seat": "attacker", "do": "move", "piece": "queen", "from": "c0", "to": "b2"}, "piece: 'queen' is not known"),
        ({"seat": "attacker", "do": "move", "piece": "knight", "from": "c0"}, "to: missing"),
        ({"seat": "attacker", "do": "fly"}, "do: 'fly' is not known; it must be one of move, place, draw, pass"),
        ({"seat": "attacker", "do": "pass", "to": "d4"}, "to: 'pass' takes none"),
        ({"seat": "attacker", "roll": [7]}, "a die shows 1 to 6"),
    ],
)
def test_nonsense_is_told_apart_from_what_is_illegal(event: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        event_from_json(event, GAME.seats, GAME.forms(GAME.terms()))
