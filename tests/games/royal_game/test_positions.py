"""Positions of The Royal Game: what cannot be, and what stays the same however a game goes."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion.events import BadInput, Roll
from companion.games.royal_game import GAME
from companion.games.royal_game.plans import choices_for
from companion.games.royal_game.state import State, spaces_of
from companion.games.royal_game.steps import moved
from companion.ruling import Accepted
from companion.simulation import random_event
from tests.games.royal_game.at_the_table import COUPLE, FOUR, ONE, TWO, asked, begun, legal, on, scene, thrown

DISCS = {"red": ["T05"], "blue": ["T55"]}
IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"discs": {"red": ["T01", "T02", "T03", "T04", "T05"]}}, "there are only 4 discs, not 5"),
    ({"discs": {"red": ["beyond"]}}, "'beyond' is not known"),
    ({"discs": {"red": ["red-8"]}}, "'red-8' is not known"),
    ({"discs": {"red": ["blue-3"]}}, "a disc of red cannot stand on blue-3"),
    ({"discs": {"red": ["blue-start"]}}, "a disc of red cannot stand on blue-start"),
    ({"discs": {"red": ["T65"]}}, "not on its way Home"),
    ({"discs": {"red": ["T05"], "blue": ["T05"]}}, "red and blue stand on T05; only one colour may"),
    ({"discs": {"red": ["T05", "T05", "T05"]}}, "only two discs may stand on T05"),
    ({"discs": {"red": ["home"] * 4, "blue": ["home"] * 4}}, "the first of them ends the game"),
    ({"discs": {"purple": ["T05"]}}, "'purple' is not known here"),
    ({"discs": ["T05"]}, "must map seats to values"),
    ({"discs": {"red": "T05"}}, "must be a list of spaces"),
    ({"turn": "purple"}, "'purple' is not known"),
    ({"discs": DISCS, "captured": {"red": 4}}, "only 3 of its discs are in the start circle"),
    ({"discs": DISCS, "captured": {"red": -1}}, "a whole number from 0 to 4"),
    ({"discs": DISCS, "first_chances": {"red": 1}}, "only captured discs have one"),
    ({"scores": {"red": 15}}, "points come in tens"),
    ({"scores": {"red": 10**9}}, "a whole number"),
    ({"entered": ["red", "red"]}, "a seat is named twice"),
    ({"gone": list(FOUR)}, "the game has ended"),
    ({"turn": "red", "gone": ["red"]}, "red has left"),
    ({"ended": "bored"}, "'bored' is not known"),
    ({"discs": DISCS, "opening": {"waiting": ["red"]}}, "all discs are in the start circles"),
    ({"opening": {"waiting": []}}, "somebody must still have to throw"),
    ({"opening": {"waiting": ["red"], "thrown": {"red": 3}}}, "nobody throws twice"),
    ({"opening": {"waiting": ["red"], "thrown": {"blue": 7}}}, "a whole number from 1 to 6"),
    ({"opening": {"waiting": ["red"]}, "gone": ["red"]}, "a player who has left does not throw"),
    ({"opening": "soon"}, "must be an object with waiting and thrown"),
    ({"opening": {}, "throw": {"dice": [5]}}, "there is no throw to play"),
    ({"throw": 5}, "must be an object such as"),
    ({"throw": {"dice": [7]}}, "a die shows 1 to 6"),
    ({"throw": {"dice": [5, 5]}}, "this game is played with 1"),
    ({"discs": DISCS, "throw": {"dice": [5], "open": [4]}}, "4 is not left of"),
    ({"discs": DISCS, "throw": {"dice": [5], "open": []}}, "has a number left"),
    ({"discs": DISCS, "throw": {"dice": [5], "open": [5, 5]}}, "must be a list of numbers that are left"),
    ({"discs": DISCS, "throw": {"dice": [5], "mover": "green"}, "gone": ["green"]}, "green has left"),
    ({"discs": DISCS, "throw": {"dice": [5], "steps": [["T20", "T25"]]}}, "has no discs that can have made them"),
    ({"discs": DISCS, "throw": {"dice": [5], "steps": [["T20"]]}}, "pairs of spaces"),
    ({"discs": DISCS, "throw": {"dice": [5], "chance": "yes"}}, "must be true or false"),
    ({"throw": {"dice": [6], "open": [], "goes_out": True}}, "the thrower has a disc in play"),
    ({"discs": DISCS, "sixes": -1}, "a whole number"),
    ({"moods": "good"}, "'moods' is not known here"),
]


@pytest.mark.parametrize(("position", "reason"), IMPOSSIBLE, ids=[reason for _, reason in IMPOSSIBLE])
def test_an_impossible_position_is_refused_with_the_reason(position: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput) as error:
        GAME.from_position(GAME.terms(), position)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


def test_a_position_needs_no_more_than_the_discs_that_matter() -> None:
    state = scene(red="T05")
    assert on(state, "red") == ["red-start", "red-start", "red-start", "T05"]
    assert GAME.position(state)["entered"] == ["red"]
    assert asked(state) == [("red", "roll")]


def test_a_position_with_dice_that_have_just_fallen_can_be_played_on() -> None:
    assert legal(scene(red="T05", throw={"dice": [4]})) == {"T05 > T09"}
    assert legal(scene(TWO, red="T05", throw={"dice": [3, 4]})) == {"T05 > T08", "T05 > T09"}
    assert GAME.position(scene(red="T05", throw={"dice": [6]}))["sixes"] == 1


def test_a_throw_that_allows_nothing_is_lost_in_a_position_too() -> None:
    assert asked(scene(throw={"dice": [4]})) == [("blue", "roll")]


def test_a_six_read_from_a_position_still_earns_another_throw() -> None:
    state = scene(red="T05", throw={"dice": [6]})
    after = GAME.rule(state, GAME.legal_moves(state)[0]).state
    assert asked(after) == [("red", "roll")]


@pytest.mark.parametrize(("variant", "disc", "dice"), [(ONE, "T59", (6,)), (TWO, "red-7", (6, 1)), (TWO, "red-7", (1, 1))])
def test_a_game_that_a_six_or_a_doublet_ended_goes_through_json_unchanged(variant: str, disc: str, dice: tuple[int, ...]) -> None:
    state = moved_home(thrown(scene(variant, red=f"{disc} home home home"), *dice))
    again = GAME.from_position(state.ground.terms, GAME.position(state))
    assert GAME.position(again) == GAME.position(state)
    assert GAME.position(again)["sixes"] + GAME.position(again)["doublets"] == 1
    assert GAME.outcome(again) == GAME.outcome(state)
    assert GAME.outcome(again)


def moved_home(state: State) -> State:
    after: State = GAME.rule(state, next(move for move in GAME.legal_moves(state) if move.to == "home")).state
    return after


def test_a_throw_for_the_first_turn_can_be_resumed() -> None:
    state = scene(opening={"waiting": ["red", "green"], "thrown": {"yellow": 4, "blue": 2}})
    assert asked(state) == [("red", "roll"), ("green", "roll")]
    state = GAME.rule(GAME.rule(state, Roll("green", (1,))).state, Roll("red", (4,))).state
    assert GAME.position(state)["opening"]["waiting"] == ["yellow", "red"]  # they tied


def walk(state: State, chance: Random, most: int = 4000) -> list[State]:
    """Every state of a random game from here on."""
    states = [state]
    while len(states) < most and (event := random_event(GAME, states[-1], chance)) is not None:
        verdict = GAME.rule(states[-1], event)
        assert isinstance(verdict, Accepted)
        states.append(verdict.state)
    return states


def conserved(state: State) -> None:
    """Four discs a seat, one colour a space, no more than two together, and nobody captured who is not out."""
    owner: dict[str, str] = {}
    position = GAME.position(state)
    for seat, spaces in position["discs"].items():
        assert len(spaces) == 4
        for space in set(spaces) - {f"{seat}-start", "home"}:
            assert spaces.count(space) <= 2
            assert owner.setdefault(space, seat) == seat
        out = spaces.count(f"{seat}-start")
        assert position["first_chances"][seat] <= position["captured"][seat] <= out
    assert (state.occupied, state.walls) == spaces_of(state.ground, state.discs)


@pytest.mark.parametrize("variant", [ONE, TWO])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_discs_are_conserved_over_random_play(variant: str, players: int) -> None:
    chance = Random(f"{variant} {players}")
    for _ in range(4):
        for state in walk(GAME.set_up(GAME.terms(variant, players)), chance):
            conserved(state)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_points_come_from_captures_arrivals_and_missed_chances_alone(players: int) -> None:
    chance = Random(players)
    states = walk(GAME.set_up(GAME.terms(TWO, players, readings={"enter_on_five": "may"})), chance)
    for before, after in pairwise(states):
        gained = sum(t.score for t in after.tallies) - sum(t.score for t in before.tallies)
        home = sum(d.count(after.ground.roads[0].home) for d in after.discs)
        arrived = home - sum(d.count(before.ground.roads[0].home) for d in before.discs)
        assert (gained - 10 * arrived) % 20 == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_short_way_with_one_die_says_what_the_rules_for_every_reading_say(players: int) -> None:
    states = walk(GAME.set_up(GAME.terms(ONE, players)), Random(players))
    for before, after in pairwise(states):
        if before.throw and not before.throw.goes_out:
            assert before.ground.is_usual
            assert before.choices == choices_for(before, before.throw)
        if before.throw and before.throw.open and before.discs != after.discs:
            steps = [before.ground.steps[move] for move in before.choices if move.do != "pass"]
            results = [moved(before, before.turn, step)[0] for step in steps]
            assert (after[1:5], after.ended) in [(result[1:5], result.ended) for result in results]
        if after.ended:
            assert after.turn == before.turn  # as it is for every other reading


def test_a_leaver_keeps_his_discs_on_the_board_and_is_passed_over() -> None:
    state = GAME.leave(scene(red="T01", blue="T55"), "blue")
    after = GAME.rule(thrown(state, 3), GAME.legal_moves(thrown(state, 3))[0]).state
    assert asked(after) == [("yellow", "roll")]
    assert on(after, "blue")[-1] == "T55"


def test_a_leavers_discs_can_be_taken_off_the_board() -> None:
    state = GAME.leave(scene(readings={"leaver": "remove_pieces"}, red="T01", blue="T03 T03 home"), "blue")
    assert "T01 > T05" in legal(thrown(state, 4))  # the blockade is gone
    assert not any(s.piece == "blue-disc" for s in GAME.layout(state).standing)


def test_a_leaver_can_end_the_game_and_the_last_one_always_does() -> None:
    assert GAME.outcome(GAME.leave(scene(readings={"leaver": "end_game"}, red="T01"), "blue"))
    state = scene(seats=COUPLE, red="T01")
    for seat in COUPLE:
        assert GAME.outcome(state) is None
        state = GAME.leave(state, seat)
    outcome = GAME.outcome(state)
    assert outcome
    assert outcome.winners == ()


def test_a_leaver_cannot_win_by_his_points() -> None:
    state = scene(TWO, red="red-5 home home home", scores={"blue": 200, "green": 80}, blue="T55")
    state = thrown(GAME.leave(state, "blue"), 3, 1)
    outcome = GAME.outcome(GAME.rule(state, next(m for m in GAME.legal_moves(state) if m.to == "home")).state)
    assert outcome
    assert outcome.winners == ("green",)


def test_a_leaver_in_the_throw_for_the_first_turn_is_not_waited_for() -> None:
    state = GAME.set_up(GAME.terms(ONE, 3))
    state = GAME.rule(state, Roll("red", (6,))).state
    state = GAME.leave(GAME.leave(state, "red"), "blue")
    assert asked(GAME.rule(state, Roll("yellow", (1,))).state) == [("yellow", "roll")]


def test_a_borrower_who_leaves_hands_the_throw_on() -> None:
    readings = {"unentered_throw": "each_entered_opponent"}
    state = thrown(scene(TWO, readings=readings, blue="T55", yellow="T40"), 3, 4)
    assert asked(state) == [("blue", "move")]
    assert asked(GAME.leave(state, "blue")) == [("yellow", "move")]
    assert asked(GAME.skip(GAME.leave(state, "yellow"), "blue")) == [("blue", "roll")]


def test_the_host_passes_over_a_throw_a_move_and_a_throw_for_the_first_turn() -> None:
    assert asked(GAME.skip(begun(), "red")) == [("blue", "roll")]
    assert asked(GAME.skip(thrown(scene(red="T01"), 4), "red")) == [("blue", "roll")]
    opening = GAME.set_up(GAME.terms(ONE, 2))
    assert asked(GAME.skip(opening, "red")) == [("yellow", "roll")]
    assert asked(GAME.skip(GAME.skip(opening, "red"), "yellow")) == [("red", "roll")]
    assert GAME.skip(opening, "blue") == opening
