"""One test for each value of each reading of The Royal Game; those that matter with two dice alone have a file of their own."""

from __future__ import annotations

import pytest

from companion.events import Move, Roll
from companion.games.royal_game import GAME
from companion.games.royal_game.state import State
from companion.referee import ACCEPTED, judge
from tests.games.royal_game.at_the_table import (
    TWO,
    accepted,
    asked,
    couple,
    legal,
    moved,
    moving,
    on,
    opening,
    refused,
    says,
    scene,
    score,
    the_move,
    throwing,
    thrown,
    winners,
)


def final_scores(state: State) -> tuple[tuple[str, int], ...]:
    ended = GAME.outcome(state)
    assert ended
    return ended.scores


# --- one_die_points ---


@pytest.mark.reading("one_die_points", "off")
def test_with_one_die_no_points_are_kept_and_the_first_player_home_wins() -> None:
    state = moved(thrown(couple(red="red-5 home home home", yellow="T40", scores={"yellow": 100}), 3), "red-5 > home")
    assert winners(state) == ("red",)
    assert final_scores(state) == ()
    captor = moved(thrown(couple(red="T05 home home home", yellow="T08"), 3), "T05 > T08")
    assert score(captor, "red") == 0


@pytest.mark.reading("one_die_points", "on")
def test_with_one_die_the_highest_score_can_win_against_the_first_player_home() -> None:
    readings = {"one_die_points": "on"}
    start = couple(red="red-5 home home home", yellow="T40", scores={"yellow": 100}, readings=readings)
    state = moved(thrown(start, 3), "red-5 > home")
    assert winners(state) == ("yellow",)
    assert final_scores(state) == (("red", 10), ("yellow", 100))
    captor = moved(thrown(couple(red="T05 home home home", yellow="T08", readings=readings), 3), "T05 > T08")
    assert score(captor, "red") == 20


# --- first ---


@pytest.mark.reading("first", "highest")
def test_with_one_die_the_highest_throw_begins_and_the_turn_goes_to_the_left() -> None:
    state = opening("one_die")
    for seat, die in (("red", 2), ("yellow", 6), ("green", 1)):
        state = accepted(state, Roll(seat, (die,))).state
    verdict = accepted(state, Roll("blue", (5,)))
    assert says(verdict) == ["Yellow begins."]
    assert asked(verdict.state) == [("yellow", "roll")]
    assert asked(thrown(verdict.state, 1))[0][0] == "green"


@pytest.mark.reading("first", "youngest")
@pytest.mark.reading("first", "host")
@pytest.mark.parametrize(("value", "prompt"), [("youngest", "if you are the youngest"), ("host", "if the host has chosen you")])
def test_whoever_begins_without_a_throw_says_so(value: str, prompt: str) -> None:
    state = opening("one_die", readings={"first": value})
    assert [(asked.seat, asked.what) for asked in GAME.due(state)] == [(seat, "move") for seat in GAME.seats]
    assert all(prompt in GAME.words.tell(asked.say) for asked in GAME.due(state))
    assert GAME.rule(state, Roll("red", (6,))).rules == ("RG-A03",)
    state = accepted(state, Move("green", "begin")).state
    assert asked(state) == [("green", "roll")]
    assert refused(state, "begin").rules == ("RG-A03",)


# --- enter_on_five ---


@pytest.mark.reading("enter_on_five", "must")
@pytest.mark.parametrize("captured", [0, 1])
def test_a_five_must_enter_a_disc_that_waits(captured: int) -> None:
    state = thrown(couple(red="T05", captured={"red": captured}), 5)
    assert legal(state) == {"enter"}
    assert "RG-A05" in refused(state, "T05 > T10").rules
    assert "RG-A05" in refused(state, "pass").rules


@pytest.mark.reading("enter_on_five", "must_if_captured")
def test_a_five_must_enter_only_a_disc_that_was_captured() -> None:
    readings = {"enter_on_five": "must_if_captured"}
    state = thrown(couple(red="T05", readings=readings), 5)
    assert legal(state) == {"enter", "T05 > T10"}
    state = thrown(couple(red="T05", captured={"red": 1}, readings=readings), 5)
    assert legal(state) == {"enter"}
    assert refused(state, "T05 > T10").rules == ("RG-17", "RG-A05")


@pytest.mark.reading("enter_on_five", "may")
@pytest.mark.parametrize("captured", [0, 1])
def test_a_five_may_always_be_moved_instead_of_entering(captured: int) -> None:
    readings = {"enter_on_five": "may"}
    state = thrown(couple(red="T05", captured={"red": captured}, readings=readings), 5)
    assert legal(state) == {"enter", "T05 > T10"}
    assert on(moved(state, "T05 > T10"), "red")[-1] == "T10"
    assert legal(thrown(couple(readings=readings), 5)) == {"enter", "pass"}


# --- third_disc ---


@pytest.mark.reading("third_disc", "no")
def test_a_third_disc_may_not_join_two_of_its_own_colour() -> None:
    state = thrown(couple(red="T00 T00 home"), 5)
    assert legal(state) == {"T00 > T05", "pass"}, "the five cannot enter, and nobody has to break a blockade"
    assert "RG-A07" in refused(state, "enter").rules
    state = thrown(couple(red="T03 T05 T05 home"), 2)
    assert "T03 > T05" not in legal(state)
    assert refused(state, "T03 > T05").rules == ("RG-22", "RG-A13")


@pytest.mark.reading("third_disc", "yes")
def test_further_discs_may_join_a_blockade() -> None:
    readings = {"third_disc": "yes"}
    state = thrown(couple(red="T00 T00 home", readings=readings), 5)
    assert legal(state) == {"enter"}
    assert on(moved(state, "enter"), "red") == ["T00", "T00", "T00", "home"]
    state = moved(thrown(couple(red="T03 T05 T05 home", readings=readings), 2), "T03 > T05")
    assert on(state, "red") == ["T05", "T05", "T05", "home"]
    state = couple(red="T05 T05 T05 home", yellow="T04 home home home", readings=readings)
    state = thrown(moved(thrown(state, 1), "T05 > T06"), 3)
    assert not legal(state), "two are left, and they still block"


# --- entering_circle ---


@pytest.mark.reading("entering_circle", "both")
def test_a_single_owner_falls_on_his_entering_circle_and_so_does_a_single_stranger_when_the_owner_enters() -> None:
    state = moved(thrown(couple(red="T32 home home home", yellow="T34"), 2), "T32 > T34")
    assert on(state, "yellow") == ["yellow-start"] * 4
    verdict = moving(thrown(couple(red="T34", turn="yellow"), 5), "enter")
    assert on(verdict.state, "red") == ["red-start"] * 4
    assert "RG-A09" in verdict.rules
    strangers = thrown(scene(red="T32 home home home", blue="T34", seats=("red", "blue", "yellow")), 2)
    assert not legal(strangers), "a stranger there is as safe as on any other small circle"
    two = thrown(couple(red="T32 home home home", yellow="T34 T34"), 2)
    assert not legal(two), "the leaflet says: by but one disc"


@pytest.mark.reading("entering_circle", "owner_entering_only")
def test_only_an_owner_who_enters_captures_on_his_entering_circle() -> None:
    readings = {"entering_circle": "owner_entering_only"}
    state = couple(red="T32 T40 home home", yellow="T34", readings=readings)
    assert refused(thrown(state, 2), "T32 > T34").rules == ("RG-18", "RG-19", "RG-A09")
    state = moved(thrown(couple(red="T34", turn="yellow", readings=readings), 5), "enter")
    assert on(state, "red") == ["red-start"] * 4


@pytest.mark.reading("entering_circle", "nobody")
def test_with_one_die_every_disc_on_an_entering_circle_is_safe() -> None:
    readings = {"entering_circle": "nobody"}
    state = couple(red="T32 T40 home home", yellow="T34", readings=readings)
    assert "RG-A09" in refused(thrown(state, 2), "T32 > T34").rules
    state = thrown(couple(red="T34", yellow="T40", turn="yellow", readings=readings), 5)
    assert legal(state) == {"T40 > T45"}
    assert refused(state, "enter").rules == ("RG-14", "RG-A09")


@pytest.mark.reading("entering_circle", "nobody")
def test_with_two_dice_an_entering_owner_captures_all_the_same() -> None:
    state = couple(TWO, red="T34", yellow="T40", turn="yellow", readings={"entering_circle": "nobody"})
    verdict = moving(thrown(state, 5, 1), "enter")
    assert on(verdict.state, "red") == ["red-start"] * 4
    assert "RG-44" in verdict.rules


# --- hit_blockade ---


@pytest.mark.reading("hit_blockade", "no")
def test_a_blockade_can_neither_be_passed_nor_landed_on() -> None:
    state = couple(red="T06 T20 home home", yellow="T09 T09")
    assert refused(thrown(state, 3), "T06 > T09").rules == ("RG-22", "RG-A12")
    assert refused(thrown(state, 4), "T06 > T10").rules == ("RG-23",)


@pytest.mark.reading("hit_blockade", "captures_both")
def test_a_disc_that_lands_on_a_blockade_captures_both() -> None:
    readings = {"hit_blockade": "captures_both"}
    start = couple(red="T06 T20 home home", yellow="T09 T09", readings=readings)
    verdict = moving(thrown(start, 3), "T06 > T09")
    assert says(verdict) == ["Red captures Yellow's blockade on T09."]
    assert on(verdict.state, "yellow") == ["yellow-start"] * 4
    assert GAME.position(verdict.state)["captured"]["yellow"] == 2
    assert refused(thrown(start, 4), "T06 > T10").rules == ("RG-23",), "it still cannot be passed"
    both = couple(TWO, red="T06 T20 home home", yellow="T09 T09", readings=readings)
    assert score(moved(thrown(both, 3, 1), "T06 > T09"), "red") == 40


@pytest.mark.reading("hit_blockade", "captures_both")
@pytest.mark.parametrize("circle", ["T07", "T34"])
def test_a_blockade_on_a_small_circle_cannot_be_captured(circle: str) -> None:
    start = f"T{int(circle[1:]) - 3:02}"
    state = couple(red=f"{start} T60 home home", yellow=f"{circle} {circle}", readings={"hit_blockade": "captures_both"})
    assert f"{start} > {circle}" not in legal(thrown(state, 3))


# --- break_blockade ---


@pytest.mark.reading("break_blockade", "never")
@pytest.mark.parametrize("die", [3, 6])
def test_a_player_whose_only_moves_break_his_blockade_may_pass(die: int) -> None:
    state = thrown(couple(red="T05 T05 home home"), die)
    assert len(legal(state)) == 2
    assert "pass" in legal(state)
    assert on(moved(state, "pass"), "red") == ["T05", "T05", "home", "home"]


@pytest.mark.reading("break_blockade", "when_only_move")
def test_a_blockade_must_be_broken_when_nothing_else_can_be_moved() -> None:
    readings = {"break_blockade": "when_only_move"}
    state = thrown(couple(red="T05 T05 home home", readings=readings), 3)
    assert legal(state) == {"T05 > T08"}
    assert refused(state, "pass").rules == ("RG-A15",)
    state = thrown(couple(red="T05 T05 T20 home", readings=readings), 3)
    assert legal(state) == {"T05 > T08", "T20 > T23"}, "another disc may move instead"


@pytest.mark.reading("break_blockade", "on_six_or_doublet")
def test_a_six_must_break_a_blockade() -> None:
    state = couple(red="T05 T05 T20 home", readings={"break_blockade": "on_six_or_doublet"})
    six = thrown(state, 6)
    assert legal(six) == {"T05 > T17"}
    assert refused(six, "T20 > T32").rules == ("RG-A14",)
    assert legal(thrown(state, 3)) == {"T05 > T08", "T20 > T23"}
    only = couple(red="T05 T05 home home", readings={"break_blockade": "on_six_or_doublet"})
    assert legal(thrown(only, 3)) == {"T05 > T08", "pass"}


@pytest.mark.reading("break_blockade", "on_six_or_doublet")
def test_a_doublet_must_break_a_blockade_with_its_first_move() -> None:
    state = couple(TWO, red="T05 T05 T20 red-start", readings={"break_blockade": "on_six_or_doublet"})
    double = thrown(state, 3, 3)
    assert legal(double) == {"T05 > T08"}
    assert refused(double, "T20 > T23").rules == ("RG-A14",)
    assert legal(moved(double, "T05 > T08")) == {"T08 > T11", "T20 > T23"}
    assert legal(thrown(state, 3, 1)) >= {"T20 > T23", "T20 > T21"}


# --- must_move ---


@pytest.mark.reading("must_move", "yes")
def test_whoever_can_move_must_unless_he_would_have_to_capture() -> None:
    state = thrown(couple(red="T05 home home home", yellow="T40"), 3)
    assert legal(state) == {"T05 > T08"}
    assert refused(state, "pass").rules == ("RG-A15",)
    assert legal(thrown(couple(red="T05 home home home", yellow="T08"), 3)) == {"T05 > T08", "pass"}


@pytest.mark.reading("must_move", "may_pass")
def test_a_player_may_pass_except_where_he_must_enter() -> None:
    readings = {"must_move": "may_pass"}
    state = thrown(couple(red="T05 home home home", yellow="T40", readings=readings), 3)
    assert legal(state) == {"T05 > T08", "pass"}
    assert asked(moved(state, "pass")) == [("yellow", "roll")]
    assert legal(thrown(couple(red="T05", readings=readings), 5)) == {"enter"}


# --- six ---


@pytest.mark.reading("six", "12")
def test_a_six_moves_twelve_spaces_or_nothing() -> None:
    state = thrown(couple(red="T05 home home home"), 6)
    assert legal(state) == {"T05 > T17"}
    assert refused(state, "T05 > T11").rules == ("RG-25", "RG-A17")


@pytest.mark.reading("six", "6_or_12")
@pytest.mark.parametrize("end", ["T11", "T17"])
def test_a_six_may_move_six_spaces_or_twelve_and_gives_another_throw_either_way(end: str) -> None:
    state = thrown(couple(red="T05 home home home", readings={"six": "6_or_12"}), 6)
    assert legal(state) == {"T05 > T11", "T05 > T17"}
    state = moved(state, f"T05 > {end}")
    assert asked(state) == [("red", "roll")]


@pytest.mark.reading("six", "6_or_12")
def test_with_two_dice_a_six_that_moved_six_is_spent() -> None:
    readings = {"six": "6_or_12", "two_dice_six": "six_moves_12"}
    state = thrown(couple(TWO, red="T05 home home home", readings=readings), 6, 1)
    assert legal(state) == {"T05 > T06", "T05 > T11", "T05 > T17"}
    assert legal(moved(state, "T05 > T11")) == {"T11 > T12"}


# --- lane_blockade ---


@pytest.mark.reading("lane_blockade", "yes")
def test_two_discs_in_the_lane_block_their_owner() -> None:
    state = moved(thrown(couple(red="T62 red-1 red-3 home", yellow="T40 home home home"), 2), "red-1 > red-3")
    assert on(state, "red") == ["T62", "red-3", "red-3", "home"]
    state = thrown(moved(thrown(state, 1), "T40 > T41"), 5)
    assert "T62 > red-4" not in legal(state)
    assert refused(state, "T62 > red-4").rules == ("RG-23",)


@pytest.mark.reading("lane_blockade", "no")
def test_only_one_disc_may_stand_on_a_space_of_the_lane() -> None:
    readings = {"lane_blockade": "no"}
    state = thrown(couple(red="T60 red-1 red-3 home", readings=readings), 2)
    assert legal(state) == {"T60 > T62", "red-3 > red-5"}
    assert refused(state, "red-1 > red-3").rules == ("RG-A49",)
    state = thrown(couple(red="T60 T62 home home", readings=readings), 2)
    assert "T60 > T62" in legal(state), "on the road two may stand together"


# --- left_is and tie_reroll (every game) ---


@pytest.mark.reading("left_is", "clockwise")
@pytest.mark.reading("left_is", "counterclockwise")
@pytest.mark.parametrize(("value", "following"), [("clockwise", "blue"), ("counterclockwise", "green")])
def test_the_turn_goes_to_the_left_but_discs_go_round_the_same_way(value: str, following: str) -> None:
    state = scene(red="T05 home home home", readings={"left_is": value})
    state = moved(thrown(state, 3), "T05 > T08")
    assert asked(state)[0][0] == following


@pytest.mark.reading("tie_reroll", "tied_only")
@pytest.mark.reading("tie_reroll", "everybody")
@pytest.mark.parametrize(("value", "again"), [("tied_only", ["red", "yellow"]), ("everybody", ["red", "blue", "yellow"])])
def test_after_a_tie_for_the_first_turn(value: str, again: list[str]) -> None:
    state = opening("one_die", seats=("red", "blue", "yellow"), readings={"tie_reroll": value})
    for seat, die in (("red", 6), ("blue", 2), ("yellow", 6)):
        state = accepted(state, Roll(seat, (die,))).state
    assert [asked.seat for asked in GAME.due(state)] == again


@pytest.mark.reading("one_die_points", "off")
@pytest.mark.reading("first_chance", "first_usable_five")
def test_without_points_nobody_loses_any() -> None:
    state = couple(red="T05", captured={"red": 1}, readings={"enter_on_five": "may"})
    verdict = moving(throwing(state, 5).state, "T05 > T10")
    assert says(verdict) == []
    assert score(verdict.state, "red") == 0


# --- readings that do not matter ---


@pytest.mark.parametrize("name", ["third_disc", "hit_blockade", "must_move", "enter_on_five", "break_blockade", "six"])
def test_an_open_reading_does_not_silence_the_winning_move(name: str) -> None:
    state = couple(red="red-5 home home home", readings={name: "ask"}, throw={"dice": [3]})
    ruling = judge(GAME, state, the_move(state, "red-5 > home"))
    assert ruling.status == ACCEPTED
    assert winners(ruling.state) == ("red",)
