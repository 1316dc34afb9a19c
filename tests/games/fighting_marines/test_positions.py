"""Impossible positions and their reasons, and what is conserved over a whole game."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events import BadInput, Event, Move
from companion.games.fighting_marines.ground import MEN
from companion.games.fighting_marines.state import State
from companion.ruling import Accepted
from companion.simulation import random_event
from tests.games.fighting_marines.scene import GAME, on, play, scene

TABLES = [("standard", 4), ("standard", 3), ("two_players", 2)]
each_table = pytest.mark.parametrize(("variant", "players"), TABLES)
seeds = st.integers(0, 2**32)


def position(**fields: Any) -> dict[str, Any]:
    return GAME.position(scene()) | fields


def men(**places: Any) -> dict[str, Any]:
    """The men at the start, some of them elsewhere."""
    there = dict(GAME.position(scene())["men"])
    for id, man in places.items():
        there[id.replace("_", "-")] = man
    return {id: man for id, man in there.items() if man}


IMPOSSIBLE = [
    ("a ninth man", {"men": men(P01="red-private")}, r"red-private must be there 5 times, captives included, not 6 \(FM-05\)"),
    ("a missing man", {"men": men(B02="")}, r"red-private must be there 5 times, captives included, not 4 \(FM-05\)"),
    ("a captive counted twice", {"captives": [{"man": "red-colonel", "holder": "black"}]}, r"not 2 \(FM-05\)"),
    ("two on a circle", {"men": men(B04="", B02=["red-private", "red-private"])}, r"only one man may stand on B02 \(FM-38\)"),
    ("another's circle", {"men": men(B02="", B13=["red-private"])}, r"red-private cannot stand on B13"),
    ("no circle", {"men": men(B02="", B03="red-private")}, r"red-private cannot stand on B03"),
    ("another's corner", {"men": men(red_colonel="", green_colonel="red-colonel")}, r"red-colonel cannot stand on green-colonel"),
    ("the arrow", {"men": men(B02="", P00="red-private")}, r"nobody may stand on P00, the space with the arrow \(FM-A03\)"),
    ("two of one player", {"men": men(B02="", B04="", P21=["red-private"] * 2)}, r"two men of one player stand on P21 \(FM-38\)"),
    ("two players", {"men": men(B02="", B13="", P15=["red-private", "black-private"])}, r"which is not Neutral \(FM-A14\)"),
    ("an unknown space", {"men": men(B45="red-private")}, "'B45' is not known here"),
    ("an unknown man", {"men": men(B02="red-general")}, "men: 'red-general' is not known"),
    ("men as a list", {"men": ["red-private"]}, "men: must be an object"),
    ("men missing", {"men": None}, "men: must be an object"),
    ("too many men on a space", {"men": men(B02=["red-private"] * 2000)}, "must be a list"),
    ("one's own captive", {"captives": [{"man": "red-private", "holder": "red"}]}, r"red cannot hold a man of his own"),
    ("a captive of the future", {"captives": [{"man": "red-private", "holder": "black", "since": 99}]}, "since: must be a whole"),
    ("an arrow beyond 44", {"arrow": 45}, "arrow: must be a whole number from 1 to 44, not 45"),
    ("no arrow", {"arrow": None}, "arrow: must be a whole number from 1 to 44"),
    ("an arrow that is true", {"arrow": True}, "arrow: must be a whole number"),
    ("all ready", {"ready": ["red", "black", "yellow", "green"]}, r"ready: all are, so the next throw is due \(FM-40\)"),
    ("ready twice", {"ready": ["red", "red"]}, "ready: a seat is named twice"),
    ("ready before the throw", {"phase": "throw", "ready": ["red"]}, "ready: only while the platform stands still"),
    ("fresh before the throw", {"phase": "throw", "fresh": ["B02"]}, "fresh: only while the platform stands still"),
    ("fresh on the platform", {"fresh": ["P02"]}, "fresh: P02 is no circle with a man in it"),
    ("no thrower", {"thrower": ""}, "thrower: missing"),
    ("a turn to nowhere", {"phase": "turn"}, r"turn_to: needed in the phase turn, and only there \(FM-16\)"),
    ("a turn too late", {"turn_to": 9}, "turn_to: needed in the phase turn, and only there"),
    ("no first throws", {"phase": "roll_off"}, "first_turn: needed in the phase roll_off"),
    ("first throws too late", {"first_turn": {"waiting": ["red"]}}, "first_turn: needed in the phase roll_off"),
    ("nobody waits", {"phase": "roll_off", "first_turn": {"waiting": []}}, "somebody must still be waiting"),
    ("a throw of 13", {"phase": "roll_off", "first_turn": {"waiting": ["red"], "thrown": {"black": 13}}}, "from 2 to 12"),
    ("over without an end", {"phase": "over"}, "ended: needed in the phase over"),
    ("an end without a winner", {"phase": "over", "ended": "victory"}, "winners: needed after a victory"),
    ("winners too early", {"winners": ["red"]}, "winners: needed after a victory"),
    ("a call too early", {"called": ["red"]}, "called: somebody called Victory who has not landed all his men"),
    ("everybody gone", {"gone": ["red", "black", "yellow", "green"]}, "so the next throw is due|all have left"),
    ("ready and gone", {"gone": ["red"], "ready": ["red"]}, "a player who left cannot be ready"),
    ("a gone thrower", {"phase": "throw", "gone": ["red"]}, "the throw waits for a player who has left"),
    ("a gone holder", {"gone": ["black"], "captives": [{"man": "red-private", "holder": "black"}]},
     r"went back to his owner \(FM-A32\)"),
    ("a debt to oneself", {"debts": [{"debtor": "red", "creditor": "red", "amount": 2}]}, "nobody owes himself"),
    ("a debt of nothing", {"debts": [{"debtor": "red", "creditor": "black", "amount": 0}]}, "must be a whole number from 1"),
    ("chips of nobody", {"chips": {"blue": {}}}, "'blue' is not known here"),
    ("chips as a number", {"chips": 850}, "chips: must be an object"),
    ("an unknown field", {"hats": 1}, "'hats' is not known here"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "reason"), [case[1:] for case in IMPOSSIBLE], ids=[case[0] for case in IMPOSSIBLE])
def test_an_impossible_position_is_refused_with_the_reason(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        GAME.from_position(GAME.terms(), position(**fields))


words = st.sampled_from(["red", "B02", "P00", "red-private", "stop", "white", "man"])
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(field=st.sampled_from(sorted(position())), value=junk)
def test_nonsense_in_any_field_is_refused_in_one_line_or_harmless(field: str, value: Any) -> None:
    reason = ""
    try:
        state = GAME.from_position(GAME.terms(), position(**{field: value}))
    except BadInput as error:
        reason = str(error)
    assert "\n" not in reason
    if not reason:
        assert GAME.from_position(GAME.terms(), GAME.position(state)) == state


def test_the_scene_itself_is_possible() -> None:
    assert GAME.position(GAME.from_position(GAME.terms(), position())) == position()


def test_chips_that_do_not_add_up_are_refused() -> None:
    chips = position()["chips"]
    chips["red"]["blue"] += 1
    with pytest.raises(BadInput, match=r"chips: there are 50 blue ones, not 51 \(FM-07\)"):
        GAME.from_position(GAME.terms(), position(chips=chips))
    chips["red"]["blue"] = -1
    with pytest.raises(BadInput, match="chips red blue: must be a whole number"):
        GAME.from_position(GAME.terms(), position(chips=chips))


def test_a_game_that_is_won_cannot_go_on() -> None:
    landed = GAME.position(scene(men={"B10": "red-private"}, landed=["red"]))
    there = dict(landed["men"]) | {"P23": ["red-private"]}
    del there["B10"]
    with pytest.raises(BadInput, match=r"red has all men on the platform, so the game is over \(FM-41\)"):
        GAME.from_position(GAME.terms(), landed | {"men": there, "phase": "throw"})
    unclaimed = GAME.from_position(GAME.terms(readings={"must_call": "yes"}), landed | {"men": there, "phase": "throw"})
    assert GAME.position(unclaimed)["landed"] == ["red"]


def test_a_full_neutral_space_is_refused_where_only_one_man_may_stand() -> None:
    crowded = GAME.position(scene(men={"P21": ["red-captain", "black-captain"]}))
    GAME.from_position(GAME.terms(), crowded)
    with pytest.raises(BadInput, match=r"only one man may stand on P21 \(FM-A13\)"):
        GAME.from_position(GAME.terms(readings={"neutral_capacity": "one"}), crowded)


def test_a_short_position_takes_the_usual_values() -> None:
    short = {"thrower": "red", "arrow": 31, "men": position()["men"]}
    state = GAME.from_position(GAME.terms(), short)
    assert (state.phase, state.ready, state.captives) == ("stop", (), ())
    assert GAME.position(state)["chips"] == GAME.position(GAME.set_up(GAME.terms()))["chips"]


# --- what is conserved, and what follows from the rules ---


def men_of(state: State) -> Counter[str]:
    """All men, wherever they are."""
    standing = Counter(standing.piece for standing in GAME.layout(state).standing)
    return standing + Counter(captive.man for captive in state.captives)


def conserved(state: State) -> None:
    colours = state.ground.in_play
    assert men_of(state) == Counter({f"{colour}-{rank}": count for colour in colours for rank, count in MEN.items()})
    purses = list(state.purses)
    assert [sum(purse[i] for purse in purses) for i in range(3)] == [100, 50, 50]
    assert sum(purse.value for purse in purses) == 850
    assert all(count >= 0 for purse in purses for count in purse)


@pytest.mark.slow
@each_table
@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_men_and_chips_are_conserved_in_random_games_under_random_readings(variant: str, players: int, seed: int) -> None:
    chance = Random(seed)
    readings = {r.name: chance.choice(list(r.values)) for r in GAME.rulebook.readings if r.decided_by == "rules"}
    state = GAME.set_up(GAME.terms(variant, players, readings=readings, options={"stake": chance.choice(("0", "5", "48"))}))
    for _ in range(400):
        event = random_event(GAME, state, chance)
        if event is None:
            break
        state = accept(state, event)
        conserved(state)


def accept(state: State, event: Event) -> State:
    verdict = GAME.rule(state, event)
    assert isinstance(verdict, Accepted)
    assert isinstance(verdict.state, State)
    return verdict.state


def stops(variant: str, players: int, seed: int, readings: dict[str, str] | None = None) -> list[State]:
    """States of a random game in which the platform stands still."""
    chance, state, found = Random(seed), GAME.set_up(GAME.terms(variant, players, readings=readings)), []
    for _ in range(200):
        event = random_event(GAME, state, chance)
        if event is None:
            break
        state = accept(state, event)
        if state.phase == "stop":
            found.append(state)
    return found


@pytest.mark.slow
@each_table
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_landings_and_captures_of_different_players_lead_to_the_same_in_any_order(variant: str, players: int, seed: int) -> None:
    for state in stops(variant, players, seed):
        ashore = [move for move in GAME.legal_moves(state) if move.do in ("land", "capture")]
        for one, other in combinations(ashore, 2):
            if one.seat != other.seat:
                assert after(state, one, other) == after(state, other, one)


def after(state: State, *moves: Move) -> dict[str, Any]:
    for move in moves:
        state = accept(state, move)
    return GAME.position(state) | {"landed": sorted(state.landed)}  # who was first is the one thing that order decides


@pytest.mark.slow
@each_table
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_a_man_who_landed_cannot_be_captured_at_the_same_stop(variant: str, players: int, seed: int) -> None:
    found = stops(variant, players, seed, {"fresh_man": "same_stop", "captor_moves": "any_circle_man"})
    for state in found[::5]:
        for move in GAME.legal_moves(state):
            if move.do in ("land", "capture"):
                threats = [m for m in GAME.legal_moves(accept(state, move)) if m.do == "capture" and m.to == move.to]
                assert threats == []


@pytest.mark.parametrize("arrow", range(1, 45))
def test_each_platform_space_is_in_front_of_exactly_one_base_space(arrow: int) -> None:
    ground = scene().ground
    assert sorted(ground.facing(space, arrow) for space in ground.base.values()) == sorted(ground.platform)
    assert all(ground.faced(ground.facing(space, arrow), arrow) == space for space in ground.base.values())


def test_a_captive_and_the_chips_for_him_change_hands_together() -> None:
    before = scene(men={"B02": ""}, captives=[("red-private", "black")])
    state = play(before, "red: ransom red-private black > B02")
    conserved(before)
    conserved(state)
    assert on(state, "B02") == ["red-private"]
