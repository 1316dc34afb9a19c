"""Each reading of an unclear point, each of its values."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.fighting_marines.scene import (
    GAME,
    TWO,
    accepted,
    captives,
    chips,
    due,
    everybody_ready,
    legal,
    on,
    play,
    refused,
    rule,
    scene,
)


def reading(name: str, value: str, **what: Any) -> Any:
    return scene(readings={name: value}, **what)


# --- the arrow space: with the arrow at 10, it is in front of Red's circle 10 ---


@pytest.mark.reading("arrow_space", "closed")
def test_nobody_steps_onto_the_arrow() -> None:
    assert refused(reading("arrow_space", "closed", arrow=10), "red: land red-private B10 > P00") == ("FM-A03",)


@pytest.mark.reading("arrow_space", "neutral")
def test_the_arrow_counts_as_a_third_neutral_space() -> None:
    state = reading("arrow_space", "neutral", arrow=10, men={"P00": "black-private"})
    assert refused(state, "red: capture red-private B10 > P00") == ("FM-27",)
    assert on(play(state, "red: land red-private B10 > P00"), "P00") == ["black-private", "red-private"]


# --- capture ---

FACING = {"P23": "green-private"}  # in front of Red's circle 10


@pytest.mark.reading("capture", "optional")
def test_a_capture_may_be_left() -> None:
    assert "red: ready" in legal(reading("capture", "optional", men=FACING))


@pytest.mark.reading("capture", "compulsory")
def test_every_possible_capture_must_be_made() -> None:
    state = reading("capture", "compulsory", men=FACING)
    assert refused(state, "red: ready") == ("FM-A05",)
    assert "black: ready" in legal(state)
    assert "red: ready" in legal(play(state, "red: capture red-private B10 > P23"))


@pytest.mark.reading("captor_moves", "facing_man")
def test_the_man_in_front_moves_in() -> None:
    state = reading("captor_moves", "facing_man", men=FACING)
    assert legal(state, "red: capture") == ["red: capture red-private B10 > P23"]
    assert refused(state, "red: capture red-private B04 > P23") == ("FM-24", "FM-A06")


@pytest.mark.reading("captor_moves", "any_circle_man")
def test_any_man_in_a_circle_moves_in() -> None:
    state = reading("captor_moves", "any_circle_man", men=FACING | {"B04": "red-captain"})
    assert len(legal(state, "red: capture")) == 5
    state = play(state, "red: capture red-captain B04 > P23")
    assert (on(state, "P23"), on(state, "B10"), on(state, "B04")) == (["red-captain"], ["red-private"], [])


def test_any_man_moves_in_only_if_one_who_may_act_faces_the_captive() -> None:
    nobody = reading("captor_moves", "any_circle_man", men=FACING | {"B10": ""})
    assert refused(nobody, "red: capture red-private B04 > P23") == ("FM-24", "FM-A06")
    fresh = reading("captor_moves", "any_circle_man", men=FACING, fresh=["B10"])
    assert refused(fresh, "red: capture red-private B04 > P23") == ("FM-24", "FM-A06")


# --- order inside a stop, and victory ---

# Red needs only the man on 10 (space 23); Yellow on 26 faces a red man on space 39.
LAST_MAN = {"B10": "red-private", "P39": "red-private"}


@pytest.mark.reading("stop_order", "captures_first")
def test_victory_is_tested_when_all_captures_have_been_made() -> None:
    state = reading("stop_order", "captures_first", men=LAST_MAN, landed=["red"])
    state = play(state, "red: land red-private B10 > P23", "yellow: capture yellow-private B26 > P39")
    assert GAME.outcome(everybody_ready(state)) is None


@pytest.mark.reading("stop_order", "as_called")
def test_whoever_lands_his_last_man_has_won_at_once() -> None:
    state = reading("stop_order", "as_called", men=LAST_MAN, landed=["red"])
    won = play(state, "red: land red-private B10 > P23")
    assert GAME.outcome(won).winners == ("red",)
    late = play(state, "yellow: capture yellow-private B26 > P39", "red: land red-private B10 > P23")
    assert GAME.outcome(late) is None


@pytest.mark.reading("stop_order", "thrower_then_rotation")
def test_the_thrower_acts_first_then_the_others_in_rotation() -> None:
    state = reading("stop_order", "thrower_then_rotation", men=LAST_MAN, landed=["red"], thrower="yellow")
    assert due(state) == ["yellow move"]
    assert refused(state, "red: land red-private B10 > P23") == ("FM-A07",)
    state = play(state, "yellow: capture yellow-private B26 > P39", "yellow: ready")
    assert due(state) == ["green move"]
    red_first = reading("stop_order", "thrower_then_rotation", men=LAST_MAN, landed=["red"], thrower="red")
    assert GAME.outcome(play(red_first, "red: land red-private B10 > P23")).winners == ("red",)


# Red's last man stands on 10, Yellow's on 32; both can land at this stop.
BOTH = {"B10": "red-private", "B32": "yellow-private"}


def both_landed(value: str, **more: Any) -> Any:
    state = reading("double_victory", value, men=BOTH, landed=["red", "yellow"], thrower="red", **more)
    return play(state, "yellow: land yellow-private B32 > P01", "red: land red-private B10 > P23")


@pytest.mark.reading("double_victory", "thrower_first")
def test_of_two_who_complete_together_the_thrower_wins() -> None:
    state = everybody_ready(both_landed("thrower_first"))
    assert GAME.outcome(state).winners == ("red",)
    other = reading("double_victory", "thrower_first", men=BOTH, landed=["red", "yellow"], thrower="black")
    other = play(other, "red: land red-private B10 > P23", "yellow: land yellow-private B32 > P01")
    assert GAME.outcome(everybody_ready(other)).winners == ("yellow",)  # the first in rotation after Black


@pytest.mark.reading("double_victory", "first_call")
def test_of_two_who_complete_together_the_first_to_land_his_last_man_wins() -> None:
    assert GAME.outcome(everybody_ready(both_landed("first_call"))).winners == ("yellow",)


@pytest.mark.reading("double_victory", "split_pool")
def test_two_who_complete_together_share_the_pool() -> None:
    state = both_landed("split_pool", options={"stake": "7"})
    red, yellow = chips(state, "red"), chips(state, "yellow")
    state = everybody_ready(state)
    assert sorted(GAME.outcome(state).winners) == ["red", "yellow"]
    assert (chips(state, "red"), chips(state, "yellow"), chips(state, "pool")) == (red + 14, yellow + 14, 0)


def test_a_chip_that_cannot_be_divided_goes_to_the_first_in_rotation() -> None:
    state = both_landed("split_pool")
    purses = GAME.position(state)["chips"]
    purses["pool"]["white"] -= 1
    purses["bank"]["white"] += 1
    state = GAME.from_position(state.ground.terms, GAME.position(state) | {"chips": purses})
    red, yellow = chips(state, "red"), chips(state, "yellow")
    state = everybody_ready(state)
    assert (chips(state, "red"), chips(state, "yellow")) == (red + 10, yellow + 9)


@pytest.mark.reading("must_call", "no")
def test_the_companion_declares_victory() -> None:
    state = play(reading("must_call", "no", men={"B10": "red-private"}, landed=["red"]), "red: land red-private B10 > P23")
    assert refused(state, "red: victory") == ("FM-A09",)
    assert GAME.outcome(everybody_ready(state)).winners == ("red",)


@pytest.mark.reading("must_call", "yes")
def test_without_a_call_play_goes_on() -> None:
    state = reading("must_call", "yes", men={"B10": "red-private"}, landed=["red"])
    assert refused(state, "red: victory") == ("FM-14", "FM-41")
    state = play(state, "red: land red-private B10 > P23")
    silent = everybody_ready(state)
    assert due(silent) == ["black roll"]
    called = play(state, "red: victory")
    assert refused(called, "red: victory") == ("FM-A09",)
    assert GAME.outcome(everybody_ready(called)).winners == ("red",)


def test_a_call_does_not_save_a_man_from_capture_at_the_same_stop() -> None:
    state = reading("must_call", "yes", men=LAST_MAN, landed=["red"])
    state = play(state, "red: land red-private B10 > P23", "red: victory", "yellow: capture yellow-private B26 > P39")
    assert GAME.position(state)["called"] == []
    assert GAME.outcome(everybody_ready(state)) is None


def test_where_victory_counts_at_once_a_call_ends_the_game() -> None:
    state = scene(readings={"must_call": "yes", "stop_order": "as_called"}, men={"B10": "red-private"}, landed=["red"])
    state = play(state, "red: land red-private B10 > P23")
    assert GAME.outcome(state) is None
    assert GAME.outcome(play(state, "red: victory")).winners == ("red",)


# --- fresh men, filling ---


@pytest.mark.reading("fresh_man", "next_stop")
def test_a_man_put_into_a_circle_waits_for_the_next_stop() -> None:
    state = play(reading("fresh_man", "next_stop", men={"B10": ""}), "red: fill red-captain red-captain1 > B10")
    assert refused(state, "red: land red-captain B10 > P23") == ("FM-A10",)
    state = play(everybody_ready(state), "black: roll 6 6", "black: turn > B43")
    assert state.fresh == frozenset()


@pytest.mark.reading("fresh_man", "same_stop")
def test_a_man_put_into_a_circle_may_move_at_once() -> None:
    state = reading("fresh_man", "same_stop", men={"B10": ""})
    state = play(state, "red: fill red-captain red-captain1 > B10", "red: land red-captain B10 > P23")
    assert on(state, "P23") == ["red-captain"]


@pytest.mark.reading("fill", "optional")
def test_a_circle_may_be_left_empty() -> None:
    assert "red: ready" in legal(reading("fill", "optional", men={"B10": ""}))


@pytest.mark.reading("fill", "compulsory")
def test_an_empty_circle_must_be_filled_while_there_is_a_man_for_it() -> None:
    state = reading("fill", "compulsory", men={"B10": ""})
    assert refused(state, "red: ready") == ("FM-A11", "FM-30")
    assert "red: ready" in legal(play(state, "red: fill red-captain red-captain1 > B10"))


@pytest.mark.reading("neutral_capacity", "one_each")
def test_one_man_of_each_player_may_stand_on_a_neutral_space() -> None:
    state = reading("neutral_capacity", "one_each", men={"P21": ["black-private", "yellow-private", "green-private"]})
    assert len(on(play(state, "red: land red-private B08 > P21"), "P21")) == 4


@pytest.mark.reading("neutral_capacity", "one")
def test_a_neutral_space_holds_one_man_in_all() -> None:
    state = reading("neutral_capacity", "one", men={"P21": "black-private"})
    assert refused(state, "red: land red-private B08 > P21") == ("FM-A13",)
    assert on(play(state, "yellow: land yellow-private B30 > P43"), "P43") == ["yellow-private"]


# --- two players ---


def two(name: str, value: str, **what: Any) -> Any:
    return reading(name, value, variant="two_players", **what)


LAST_RED = {"B10": "red-private"}


@pytest.mark.reading("two_player_goal", "sixteen")
def test_all_men_of_both_colours_must_land() -> None:
    last = "red-black: land red-private B10 > P23"
    state = play(two("two_player_goal", "sixteen", men=LAST_RED, landed=["red"]), last)
    assert GAME.outcome(everybody_ready(state)) is None
    state = play(two("two_player_goal", "sixteen", men=LAST_RED, landed=["red", "black"]), last)
    assert GAME.outcome(everybody_ready(state)).winners == ("red-black",)


@pytest.mark.reading("two_player_goal", "eight_of_one_colour")
def test_eight_men_of_one_colour_are_enough() -> None:
    state = two("two_player_goal", "eight_of_one_colour", men=LAST_RED, landed=["red"])
    state = everybody_ready(play(state, "red-black: land red-private B10 > P23"))
    assert GAME.outcome(state).winners == ("red-black",)


@pytest.mark.reading("two_player_match", "own_colour")
def test_a_red_man_does_not_match_a_black_space_of_the_same_player() -> None:
    state = two("two_player_match", "own_colour")
    assert refused(state, "red-black: land red-private B02 > P15") == ("FM-19", "FM-26")


@pytest.mark.reading("two_player_match", "either_own")
def test_a_red_man_matches_a_black_space_of_the_same_player() -> None:
    verdict = accepted(two("two_player_match", "either_own"), "red-black: land red-private B02 > P15")
    assert "FM-A27" in verdict.rules
    assert refused(two("two_player_match", "either_own"), "red-black: land red-private B04 > P17") == ("FM-19", "FM-26")


SHARED = {"P23": "black-private", "P21": "black-captain"}


@pytest.mark.reading("two_player_stack", "player")
def test_a_player_has_one_man_on_a_space_whatever_his_colour() -> None:
    state = two("two_player_stack", "player", men=SHARED)
    assert refused(state, "red-black: land red-private B10 > P23") == ("FM-38", "FM-A15")
    assert refused(state, "red-black: land red-private B08 > P21") == ("FM-21", "FM-38")


@pytest.mark.reading("two_player_stack", "colour")
def test_a_red_and_a_black_man_of_one_player_may_share_a_space() -> None:
    state = two("two_player_stack", "colour", men=SHARED)
    state = play(state, "red-black: land red-private B10 > P23", "red-black: land red-private B08 > P21")
    assert on(state, "P23") == ["black-private", "red-private"]
    assert on(state, "P21") == ["black-captain", "red-private"]


def test_whoever_captures_on_a_shared_space_takes_both_men() -> None:
    state = two("two_player_stack", "colour", men={"P01": ["red-private", "black-captain"]})
    state = play(state, "yellow-green: capture yellow-private B32 > P01")
    assert captives(state) == [("black-captain", "yellow-green"), ("red-private", "yellow-green")]


# --- points of every game ---


@pytest.mark.reading("left_is", "clockwise")
@pytest.mark.reading("left_is", "counterclockwise")
def test_turns_go_round_to_the_left() -> None:
    assert due(everybody_ready(reading("left_is", "clockwise"))) == ["black roll"]
    assert due(everybody_ready(reading("left_is", "counterclockwise"))) == ["green roll"]


@pytest.mark.reading("tie_reroll", "tied_only")
@pytest.mark.reading("tie_reroll", "everybody")
def test_after_a_tie_for_the_first_turn_they_throw_again() -> None:
    everybody = ["red roll", "black roll", "yellow roll", "green roll"]
    for value, again in (("tied_only", ["red roll", "green roll"]), ("everybody", everybody)):
        state = GAME.set_up(GAME.terms(readings={"tie_reroll": value}))
        state = play(state, "red: roll 5 5", "black: roll 1 2", "yellow: roll 1 1")
        verdict = accepted(state, "green: roll 6 4")
        assert due(verdict.state) == again
        assert "X-A01" in verdict.rules


@pytest.mark.reading("leaver", "skip")
def test_a_leavers_men_stay_and_his_turns_are_skipped() -> None:
    state = GAME.leave(reading("leaver", "skip", men=FACING), "black")
    assert on(state, "B13") == ["black-private"]
    assert due(everybody_ready(state)) == ["yellow roll"]
    assert refused(state, "black: ready") == ("X-A07",)
    assert refused(everybody_ready(state), "black: roll 3 4") == ("X-A07",)
    assert refused(state, "black: turn > B02") == ("X-A07",)


@pytest.mark.reading("leaver", "remove_pieces")
def test_a_leavers_men_are_taken_off() -> None:
    state = GAME.leave(reading("leaver", "remove_pieces", men=FACING, captives=[("black-captain", "red")]), "black")
    assert "black" not in {standing.piece.split("-")[0] for standing in GAME.layout(state).standing}
    assert captives(state) == []
    again = GAME.from_position(state.ground.terms, GAME.position(state))
    assert GAME.position(again) == GAME.position(state)
    assert GAME.outcome(everybody_ready(state)) is None  # no men at all is not all men landed


@pytest.mark.reading("leaver", "end_game")
def test_a_leaver_ends_the_game() -> None:
    state = GAME.leave(reading("leaver", "end_game"), "black")
    assert GAME.outcome(state).winners == ()
    assert refused(state, "red: ready") == ("X-A07",)


def test_the_last_to_leave_ends_the_game_too() -> None:
    state = GAME.leave(GAME.leave(scene(variant="two_players"), TWO[0]), TWO[1])
    assert GAME.outcome(state).winners == ()


def test_an_open_reading_counts_as_its_default_in_the_rules_themselves() -> None:
    everything_open = {r.name: "ask" for r in GAME.rulebook.readings if r.decided_by == "rules"}
    state = scene(readings=everything_open, men=FACING)
    assert legal(state) == legal(scene(men=FACING))
    landing = "red: land red-private B08 > P21"
    assert rule(state, landing).rules == rule(scene(men=FACING), landing).rules
