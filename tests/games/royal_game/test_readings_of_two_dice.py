"""One test for each value of each reading of The Royal Game that matters only with two dice, or where points are kept."""

from __future__ import annotations

import pytest

from companion.events import Roll
from companion.games.royal_game import GAME
from tests.games.royal_game.at_the_table import (
    TWO,
    accepted,
    asked,
    couple,
    legal,
    moved,
    moving,
    on,
    open_numbers,
    opening,
    refused,
    says,
    scene,
    score,
    throwing,
    thrown,
    winners,
)

# --- two_dice_six ---


@pytest.mark.reading("two_dice_six", "plain")
def test_with_two_dice_a_six_is_a_plain_six() -> None:
    state = thrown(couple(TWO, red="T05 home home home"), 6, 1)
    assert legal(state) == {"T05 > T06", "T05 > T11"}
    state = moved(state, "T05 > T11", "T11 > T12")
    assert asked(state) == [("yellow", "roll")], "it gives no second throw"
    third = thrown(couple(TWO, red="T05 home home home", sixes=2), 6, 1)
    assert legal(third) == {"T05 > T06", "T05 > T11"}, "nor does a third one cost a disc"


@pytest.mark.reading("two_dice_six", "six_moves_12")
def test_with_two_dice_a_six_moves_twelve_gives_a_throw_and_the_third_costs_a_disc() -> None:
    readings = {"two_dice_six": "six_moves_12"}
    state = thrown(couple(TWO, red="T05 home home home", readings=readings), 6, 1)
    assert legal(state) == {"T05 > T06", "T05 > T17"}
    assert refused(state, "T05 > T11").rules == ("RG-25", "RG-A17")
    state = moved(state, "T05 > T06", "T06 > T18")
    assert asked(state) == [("red", "roll")]
    state = moved(thrown(state, 2, 6), "T18 > T30", "T30 > T32")
    verdict = throwing(state, 6, 3)
    assert says(verdict) == ["The third six: Red loses the disc that is nearest Home."]
    assert legal(verdict.state) == {"out T32 > red-start"}
    state = moved(verdict.state, "out T32 > red-start")
    assert on(state, "red") == ["red-start", "home", "home", "home"]
    assert asked(state) == [("yellow", "roll")]


@pytest.mark.reading("two_dice_six", "six_moves_12")
def test_only_sixes_one_after_the_other_count_towards_the_third() -> None:
    state = couple(TWO, red="T05 home home home", readings={"two_dice_six": "six_moves_12"}, sixes=2)
    state = moved(thrown(state, 1, 1), "T05 > T06", "T06 > T07", "T07 > T13", "T13 > T19")
    assert asked(state) == [("red", "roll")], "a doublet gives another throw too"
    assert "out T19 > red-start" not in legal(thrown(state, 6, 1))


# --- third_doublet ---


@pytest.mark.reading("third_doublet", "nothing")
def test_a_third_doublet_is_played_like_the_others() -> None:
    state = thrown(couple(TWO, red="T05 T20", doublets=2), 3, 3)
    state = moved(state, "T05 > T08", "T08 > T11")
    assert asked(state) == [("red", "roll")]


@pytest.mark.reading("third_doublet", "nearest_disc_out")
def test_a_third_doublet_costs_the_disc_nearest_home_and_the_turn() -> None:
    readings = {"third_doublet": "nearest_disc_out"}
    state = moved(thrown(couple(TWO, red="T05 T20", readings=readings), 3, 3), "T05 > T08", "T08 > T11")
    state = moved(thrown(state, 1, 1), "T11 > T12", "T12 > T13")
    verdict = throwing(state, 4, 4)
    assert says(verdict) == ["The third doublet: Red loses the disc that is nearest Home."]
    assert legal(verdict.state) == {"out T20 > red-start"}
    assert refused(verdict.state, "T13 > T17").rules == ("RG-A25", "RG-A22")
    sixes = thrown(couple(TWO, red="T05 T20", readings=readings, doublets=2), 6, 6)
    assert refused(sixes, "T05 > T11").rules == ("RG-A25", "RG-A22"), "two sixes are a doublet like any other"
    out = moving(verdict.state, "out T20 > red-start")
    assert out.rules == ("RG-A25", "RG-A22")
    assert on(out.state, "red")[-1] == "T13"
    assert asked(out.state) == [("yellow", "roll")]


@pytest.mark.parametrize(("sixes", "rule"), [(0, "RG-A25"), (2, "RG-27")])
def test_a_disc_that_two_sixes_cost_goes_for_the_third_doublet_or_for_the_third_six(sixes: int, rule: str) -> None:
    readings = {"third_doublet": "nearest_disc_out", "two_dice_six": "six_moves_12"}
    verdict = throwing(couple(TWO, red="T05 T20", readings=readings, doublets=2, sixes=sixes), 6, 6)
    assert rule in verdict.rules
    assert refused(verdict.state, "T05 > T17").rules == (rule, "RG-A22")
    assert moving(verdict.state, "out T20 > red-start").rules == (rule, "RG-A22")


# --- two_dice_first ---


@pytest.mark.reading("two_dice_first", "lowest")
@pytest.mark.reading("two_dice_first", "highest")
@pytest.mark.parametrize(("value", "first"), [("lowest", "yellow"), ("highest", "red")])
def test_with_two_dice_this_throw_begins(value: str, first: str) -> None:
    state = opening("two_dice", readings={"two_dice_first": value})
    assert value in GAME.words.tell(GAME.due(state)[0].say)
    for seat, dice in (("red", (6, 5)), ("blue", (3, 4)), ("yellow", (1, 2)), ("green", (2, 2))):
        state = accepted(state, Roll(seat, dice)).state
    assert asked(state) == [(first, "roll")]


# --- unentered_throw ---

WAITING = {"yellow": "T40", "green": "T20"}  # Red and Blue have entered nothing


@pytest.mark.reading("unentered_throw", "next_entered_opponent")
def test_a_throw_of_a_player_without_a_disc_counts_for_the_next_opponent_who_has_one() -> None:
    verdict = throwing(scene(TWO, **WAITING), 3, 4)
    assert says(verdict) == ["Red has no disc in play yet: the throw counts for Yellow."]
    assert "RG-A27" in verdict.rules
    assert asked(verdict.state) == [("yellow", "move")]
    assert legal(verdict.state) == {"T40 > T43", "T40 > T44", "pass"}
    assert asked(moved(verdict.state, "T40 > T43", "T43 > T47")) == [("blue", "roll")]
    assert asked(moved(verdict.state, "pass")) == [("blue", "roll")], "he may use it, but nothing makes him"


@pytest.mark.reading("unentered_throw", "next_entered_opponent")
def test_where_nobody_has_a_disc_the_throw_is_lost_and_a_five_is_the_throwers_own() -> None:
    state = scene(TWO)
    verdict = throwing(state, 3, 4)
    assert says(verdict) == ["Red has no disc in play yet, and nobody can use the throw."]
    assert asked(verdict.state) == [("blue", "roll")]
    five = thrown(scene(TWO, **WAITING), 5, 4)
    assert asked(five) == [("red", "move")]
    assert legal(five) == {"enter"}


@pytest.mark.reading("unentered_throw", "each_entered_opponent")
def test_every_opponent_with_a_disc_may_use_it_one_after_the_other() -> None:
    state = thrown(scene(TWO, **WAITING, readings={"unentered_throw": "each_entered_opponent"}), 3, 4)
    assert asked(state) == [("yellow", "move")]
    state = moved(state, "T40 > T44", "T44 > T47")
    assert asked(state) == [("green", "move")]
    assert legal(state) == {"T20 > T23", "T20 > T24", "pass"}
    state = moved(state, "T20 > T23", "T23 > T27")
    assert asked(state) == [("blue", "roll")]


@pytest.mark.reading("unentered_throw", "lost")
def test_a_throw_that_does_not_enter_is_lost() -> None:
    state = thrown(scene(TWO, **WAITING, readings={"unentered_throw": "lost"}), 3, 4)
    assert asked(state) == [("blue", "roll")]
    assert on(state, "yellow")[-1] == "T40"


# --- reentry_lends ---


@pytest.mark.reading("reentry_lends", "no")
def test_who_has_entered_once_throws_for_himself_for_good() -> None:
    verdict = throwing(couple(TWO, yellow="T40", captured={"red": 1}), 3, 4)
    assert says(verdict) == ["Red cannot use this throw."]
    assert asked(verdict.state) == [("yellow", "roll")]


@pytest.mark.reading("reentry_lends", "yes")
def test_who_has_no_disc_on_the_board_throws_for_opponents_again() -> None:
    readings = {"reentry_lends": "yes"}
    state = thrown(couple(TWO, yellow="T40", captured={"red": 1}, readings=readings), 3, 4)
    assert asked(state) == [("yellow", "move")]
    home = thrown(couple(TWO, red="home home", yellow="T40", readings=readings), 3, 4)
    assert asked(home) == [("yellow", "move")], "discs that are Home cannot move"
    own = thrown(couple(TWO, red="T05", yellow="T40", readings=readings), 3, 4)
    assert asked(own) == [("red", "move")]


# --- other_die ---


@pytest.mark.reading("other_die", "entered_disc")
def test_the_other_die_belongs_to_the_disc_just_entered() -> None:
    state = moved(thrown(couple(TWO, red="T10"), 5, 3), "enter")
    assert legal(state) == {"T00 > T03"}
    assert refused(state, "T10 > T13").rules == ("RG-34", "RG-A31")
    fives = moved(thrown(couple(TWO, red="T10 home home"), 5, 5), "enter")
    assert legal(fives) == {"T00 > T05", "T10 > T15"}, "the other of two fives is free"


@pytest.mark.reading("other_die", "any")
def test_the_other_die_may_be_moved_by_any_disc() -> None:
    state = moved(thrown(couple(TWO, red="T10", readings={"other_die": "any"}), 3, 5), "enter")
    assert legal(state) == {"T00 > T03", "T10 > T13"}
    assert on(moved(state, "T10 > T13"), "red")[-2:] == ["T00", "T13"]


# --- two_dice_split ---


@pytest.mark.reading("two_dice_split", "per_die")
def test_each_die_is_a_move_of_its_own() -> None:
    state = thrown(couple(TWO, red="T05 T20 home home"), 3, 4)
    assert legal(state) == {"T05 > T08", "T05 > T09", "T20 > T23", "T20 > T24"}
    assert legal(moved(state, "T05 > T08")) == {"T08 > T12", "T20 > T24"}
    assert "RG-A37" in refused(state, "T05 > T12").rules


@pytest.mark.reading("two_dice_split", "one_disc_total")
def test_one_disc_moves_the_total_of_both_dice() -> None:
    readings = {"two_dice_split": "one_disc_total"}
    start = couple(TWO, red="T05 T20 home home", yellow="T08 T13", readings=readings)
    state = thrown(start, 3, 4)
    assert legal(state) == {"T05 > T12", "T20 > T27"}
    assert refused(state, "T05 > T08").rules == ("RG-11", "RG-A35")
    state = moved(state, "T05 > T12")
    assert on(state, "yellow")[-1] == "T13", "it does not touch down half way"
    assert "T08" in on(state, "yellow")
    assert asked(state) == [("yellow", "roll")]


@pytest.mark.reading("two_dice_split", "one_disc_total")
def test_a_five_still_enters_and_leaves_the_other_die_and_a_doublet_is_still_divided() -> None:
    readings = {"two_dice_split": "one_disc_total"}
    state = moved(thrown(couple(TWO, red="T10", readings=readings), 5, 3), "enter")
    assert legal(state) == {"T00 > T03"}
    state = moved(thrown(couple(TWO, red="T05 T20", readings=readings), 3, 3), "T05 > T08", "T20 > T23")
    assert on(state, "red")[-2:] == ["T08", "T23"]


# --- one_die_only ---

EITHER_BUT_NOT_BOTH = {"red": "T06 home home home", "yellow": "T13 T13"}


@pytest.mark.reading("one_die_only", "choice")
def test_who_can_play_either_die_but_not_both_chooses() -> None:
    state = thrown(couple(TWO, **EITHER_BUT_NOT_BOTH), 3, 4)
    assert legal(state) == {"T06 > T09", "T06 > T10"}
    verdict = moving(state, "T06 > T09")
    assert says(verdict) == ["Red cannot use the rest of this throw."]


@pytest.mark.reading("one_die_only", "larger")
def test_who_can_play_either_die_but_not_both_plays_the_larger() -> None:
    readings = {"one_die_only": "larger"}
    state = thrown(couple(TWO, **EITHER_BUT_NOT_BOTH, readings=readings), 3, 4)
    assert legal(state) == {"T06 > T10"}
    assert refused(state, "T06 > T09").rules == ("RG-A36",)
    only_smaller = thrown(couple(TWO, red="T06 home home home", yellow="T10 T10", readings=readings), 3, 4)
    assert legal(only_smaller) == {"T06 > T09"}
    both = thrown(couple(TWO, red="T06 T20 home home", readings=readings), 3, 4)
    assert legal(both) == {"T06 > T09", "T06 > T10", "T20 > T23", "T20 > T24"}


# --- doublet_partial ---

# Two threes open 3, 3, 4 and 4. The disc on T05 can move two of them, that on T20 a single three: all four is impossible.
TOO_MUCH = {"red": "T05 T20 home home", "yellow": "T13 T13 T24 T24"}


@pytest.mark.reading("doublet_partial", "one_disc")
def test_a_doublet_that_cannot_be_used_up_is_moved_by_the_one_disc_that_can_use_most_of_it() -> None:
    state = thrown(couple(TWO, **TOO_MUCH), 3, 3)
    assert legal(state) == {"T05 > T08", "T05 > T09"}
    assert refused(state, "T20 > T23").rules == ("RG-40", "RG-A38")
    state = moved(state, "T05 > T08")
    assert legal(state) == {"T08 > T11", "T08 > T12"}
    verdict = moving(state, "T08 > T12")
    assert says(verdict) == ["Red cannot use the rest of this throw.", "Red throws again."]


@pytest.mark.reading("doublet_partial", "all_or_nothing")
def test_a_doublet_that_cannot_be_used_up_moves_nothing() -> None:
    readings = {"doublet_partial": "all_or_nothing"}
    verdict = throwing(couple(TWO, **TOO_MUCH, readings=readings), 3, 3)
    assert says(verdict) == ["Red cannot use this throw.", "Red throws again."]
    assert on(verdict.state, "red") == ["T05", "T20", "home", "home"]
    started = moved(thrown(couple(TWO, red="T05 T20", readings=readings), 3, 3), "T05 > T08")
    assert legal(started) == {"T08 > T11", "T20 > T23"}, "who has begun to use it up goes on"


@pytest.mark.reading("doublet_partial", "as_many_as_possible")
def test_of_a_doublet_that_cannot_be_used_up_any_discs_move_as_many_numbers_as_possible() -> None:
    state = thrown(couple(TWO, **TOO_MUCH, readings={"doublet_partial": "as_many_as_possible"}), 3, 3)
    assert legal(state) == {"T05 > T08", "T05 > T09", "T20 > T23"}
    state = moved(state, "T05 > T08")
    assert legal(state) == {"T08 > T12", "T20 > T23"}, "a second three for this disc would leave none for the other"
    state = moved(state, "T20 > T23", "T08 > T12")
    assert on(state, "red") == ["T12", "T23", "home", "home"]
    assert asked(state) == [("red", "roll")]


# --- home_counts_as_in_play ---


@pytest.mark.reading("home_counts_as_in_play", "yes")
@pytest.mark.reading("home_counts_as_in_play", "no")
@pytest.mark.parametrize(("value", "numbers"), [("yes", [2, 2, 5, 5]), ("no", [2, 2])])
def test_a_doublet_thrown_with_discs_home(value: str, numbers: list[int]) -> None:
    readings = {"home_counts_as_in_play": value}
    assert open_numbers(thrown(couple(TWO, red="T05 T09 T20 home", readings=readings), 2, 2)) == numbers
    on_the_board = thrown(couple(TWO, red="T05 T09 T20 red-1", readings=readings), 2, 2)
    assert open_numbers(on_the_board) == [2, 2, 5, 5]
    one_waits = thrown(couple(TWO, red="T05 T09 T20", readings=readings), 2, 2)
    assert open_numbers(one_waits) == [2, 2]


# --- first_chance ---


@pytest.mark.reading("first_chance", "first_usable_five")
def test_a_captured_disc_has_its_first_chance_at_the_first_throw_that_could_enter_it() -> None:
    captured = {"captured": {"red": 1}, "first_chances": {"red": 1}, "readings": {"enter_on_five": "may"}}
    state = moved(thrown(couple(TWO, red="T10", **captured), 3, 4), "T10 > T13", "T13 > T17")
    assert score(state, "red") == 0, "a throw without a five is no chance"
    barred = moved(thrown(couple(TWO, red="T10", yellow="T00 T00", **captured), 5, 4), "T10 > T15", "T15 > T19")
    assert score(barred, "red") == 0, "nor is one when the entering circle is barred"
    missed = moved(thrown(couple(TWO, red="T10", **captured), 5, 4), "T10 > T15")
    verdict = moving(missed, "T15 > T19")
    assert says(verdict) == ["Red did not enter a captured disc at the first chance and loses 20 points."]
    assert score(verdict.state, "red") == -20
    assert {"RG-43", "RG-A42"} <= set(verdict.rules)
    used = moved(thrown(couple(TWO, red="T10", **captured), 5, 4), "enter", "T00 > T04")
    assert score(used, "red") == 0


@pytest.mark.reading("first_chance", "next_throw")
def test_a_captured_disc_has_its_first_chance_at_the_next_throw_whatever_it_is() -> None:
    captured = {"captured": {"red": 1}, "first_chances": {"red": 1}, "readings": {"first_chance": "next_throw"}}
    state = moved(thrown(couple(TWO, red="T10", yellow="T40 home home home", **captured), 3, 4), "T10 > T13", "T13 > T17")
    assert score(state, "red") == -20
    state = moved(thrown(state, 1, 2), "T40 > T41", "T41 > T43")
    assert score(moved(thrown(state, 3, 4), "T17 > T20", "T20 > T24"), "red") == -20, "only once"
    lost = thrown(couple(TWO, yellow="T40", **captured), 3, 4)
    assert score(lost, "red") == -20, "a throw that moves nothing counts too"
    used = moved(thrown(couple(TWO, red="T10", **captured), 5, 4), "enter", "T00 > T04")
    assert score(used, "red") == 0


@pytest.mark.reading("first_chance", "next_throw")
@pytest.mark.reading("one_die_points", "on")
def test_with_one_die_and_points_the_first_chance_is_lost_just_so() -> None:
    readings = {"first_chance": "next_throw", "one_die_points": "on"}
    state = couple(red="T10", captured={"red": 1}, first_chances={"red": 1}, readings=readings)
    assert score(moved(thrown(state, 3), "T10 > T13"), "red") == -20


# --- floor_zero ---


@pytest.mark.reading("floor_zero", "no")
@pytest.mark.reading("floor_zero", "yes")
@pytest.mark.parametrize(("value", "left"), [("no", -10), ("yes", 0)])
def test_a_penalty_greater_than_the_score(value: str, left: int) -> None:
    readings = {"floor_zero": value, "first_chance": "next_throw"}
    fields = {"captured": {"red": 1}, "first_chances": {"red": 1}, "readings": readings}
    poor = thrown(couple(TWO, yellow="T40", scores={"red": 10}, **fields), 3, 4)
    assert score(poor, "red") == left
    rich = thrown(couple(TWO, yellow="T40", scores={"red": 50}, **fields), 3, 4)
    assert score(rich, "red") == 30


# --- tie ---


@pytest.mark.reading("tie", "finisher")
def test_of_equal_scores_the_one_who_got_home_wins() -> None:
    state = moved(thrown(couple(TWO, red="red-5 home home home", scores={"red": 90, "yellow": 100}), 3, 1), "red-5 > home")
    assert winners(state) == ("red",)
    assert "RG-A46" in GAME.outcome(state).rules


@pytest.mark.reading("tie", "finisher")
def test_equal_scores_above_the_finishers_are_shared() -> None:
    state = scene(TWO, red="red-5 home home home", seats=("red", "blue", "yellow"), scores={"blue": 100, "yellow": 100})
    assert winners(moved(thrown(state, 3, 1), "red-5 > home")) == ("blue", "yellow")


@pytest.mark.reading("tie", "shared")
def test_equal_scores_share_the_win() -> None:
    state = couple(TWO, red="red-5 home home home", scores={"red": 90, "yellow": 100}, readings={"tie": "shared"})
    state = moved(thrown(state, 3, 1), "red-5 > home")
    assert winners(state) == ("red", "yellow")
    assert GAME.words.tell(GAME.outcome(state).why) == "Red and Yellow share the win with 100 points each!"


@pytest.mark.reading("left_is", "counterclockwise")
def test_the_next_opponent_who_may_use_a_throw_is_found_to_the_left_too() -> None:
    state = thrown(scene(TWO, **WAITING, readings={"left_is": "counterclockwise"}), 3, 4)
    assert asked(state)[0][0] == "green"
