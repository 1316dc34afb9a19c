"""The points of The Royal Game that the leaflet leaves unclear and that have one sensible answer.

Points with a choice are in test_readings.py, with one test for each value of each reading.
"""

from __future__ import annotations

import pytest

from companion.board import BadBoard, Board, board_from_json, board_to_json
from companion.events import BadInput
from companion.games.royal_game import GAME
from tests.games.royal_game.at_the_table import (
    TWO,
    asked,
    begun,
    couple,
    legal,
    moved,
    moving,
    on,
    open_numbers,
    refused,
    says,
    scene,
    score,
    throwing,
    thrown,
    winners,
)

BOTH_VARIANTS = pytest.mark.parametrize(("variant", "five"), [("one_die", (5,)), ("two_dice", (5, 3))])


# --- the board and the seats ---


def changed_board(space: str, **changes: object) -> Board:
    """The usual board with one space of it changed."""
    data = board_to_json(GAME.board())
    next(entry for entry in data["spaces"] if entry["id"] == space).update(changes)
    return board_from_json(data)


@pytest.mark.rule("RG-A01")
def test_the_board_file_says_where_the_safe_circles_are_and_what_it_is_worth() -> None:
    assert GAME.board().standing == "reconstruction"
    on_plain = couple(red="T05 home home home", yellow="T08")
    assert legal(thrown(on_plain, 3)) == {"T05 > T08", "pass"}
    own_board = changed_board("T08", kinds=["road", "safe"])
    assert not legal(thrown(couple(red="T05 home home home", yellow="T08", board=own_board), 3))


@pytest.mark.rule("RG-A50")
def test_a_disc_turns_off_before_it_comes_to_its_entering_circle_again() -> None:
    for road in couple().ground.roads:
        assert road.spaces.count(road.spaces[0]) == 1
        assert road.foot < road.home
    with pytest.raises(BadBoard, match="red's road never turns off"):
        GAME.terms(board=changed_board("T63", links={"next": "T64"}))


@pytest.mark.rule("RG-A52")
def test_two_players_sit_opposite_each_other() -> None:
    assert GAME.terms(seats=2).seats == ("red", "yellow")
    assert GAME.terms(seats=("green", "blue")).seats == ("blue", "green")
    for neighbours in (("red", "blue"), ("yellow", "blue"), ("red", "green")):
        with pytest.raises(BadInput, match="two players sit opposite each other"):
            GAME.terms(seats=neighbours)


# --- entering ---


@pytest.mark.rule("RG-A04")
def test_everybody_throws_in_turn_until_a_five_falls_and_goes_on_by_turns_afterwards() -> None:
    state = thrown(thrown(begun(), 1), 2)
    assert asked(state) == [("yellow", "roll")]
    state = moved(thrown(state, 5), "enter")
    assert asked(state) == [("green", "roll")]
    assert asked(thrown(state, 3)) == [("red", "roll")]


@pytest.mark.rule("RG-A06")
def test_a_five_without_a_disc_to_enter_is_an_ordinary_five() -> None:
    assert legal(thrown(couple(red="T10 home home home"), 5)) == {"T10 > T15"}
    assert legal(thrown(couple(red="T10 home", yellow="T00 T00"), 5)) == {"T10 > T15"}


@pytest.mark.rule("RG-A08")
@BOTH_VARIANTS
def test_two_discs_of_an_opponent_block_the_entering_circle(variant: str, five: tuple[int, ...]) -> None:
    state = thrown(couple(variant, red="T10", yellow="T00 T00"), *five)
    assert "enter" not in legal(state)
    assert "T10 > T15" in legal(state)
    assert refused(state, "enter").rules == ("RG-19", "RG-A08")


@pytest.mark.rule("RG-A10")
def test_the_entering_circle_is_the_one_exception_among_the_safe_circles() -> None:
    safe = thrown(couple(red="T38 T60 home home", yellow="T41"), 3)
    assert refused(safe, "T38 > T41").rules == ("RG-18",)
    state = moved(thrown(couple(red="T31 T60 home home", yellow="T34"), 3), "T31 > T34")
    assert on(state, "yellow") == ["yellow-start"] * 4


@pytest.mark.rule("RG-A11")
@BOTH_VARIANTS
def test_an_entry_that_captures_cannot_be_refused(variant: str, five: tuple[int, ...]) -> None:
    state = thrown(couple(variant, red="T10", yellow="T00"), *five)
    assert legal(state) == {"enter"}
    assert "RG-A05" in refused(state, "pass").rules
    assert on(moved(state, "enter"), "yellow") == ["yellow-start"] * 4


@pytest.mark.rule("RG-A32")
@pytest.mark.parametrize("dice", [(1, 4), (3, 2)])
def test_a_total_of_five_that_enters_spends_both_dice(dice: tuple[int, int]) -> None:
    state = moved(thrown(couple(TWO, red="T10"), *dice), "enter")
    assert on(state, "red")[-2:] == ["T00", "T10"]
    assert asked(state) == [("yellow", "roll")]


@pytest.mark.rule("RG-A33")
@pytest.mark.parametrize("dice", [(4, 1), (2, 3)])
def test_a_total_of_five_must_enter_instead_of_being_moved(dice: tuple[int, int]) -> None:
    state = thrown(couple(TWO, red="T10"), *dice)
    assert legal(state) == {"enter"}
    for die in dice:
        assert refused(state, f"T10 > T{10 + die}").rules == ("RG-05", "RG-A05")


@pytest.mark.rule("RG-A34")
def test_a_five_that_cannot_enter_is_moved_and_so_is_the_other_die() -> None:
    state = thrown(couple(TWO, red="T10 T20", yellow="T00 T00"), 5, 3)
    assert legal(state) == {"T10 > T15", "T10 > T13", "T20 > T25", "T20 > T23"}
    state = moved(state, "T10 > T15", "T20 > T23")
    assert on(state, "red")[-2:] == ["T15", "T23"]


# --- blockades ---


@pytest.mark.rule("RG-A13")
def test_the_owner_may_not_add_a_third_disc_to_his_blockade() -> None:
    state = thrown(couple(red="T05 T08 T08 home"), 3)
    assert legal(state) == {"T08 > T11", "pass"}
    assert "RG-A13" in refused(state, "T05 > T08").rules


@pytest.mark.rule("RG-A41")
def test_the_discs_of_a_blockade_may_both_move_and_meet_again_unless_on_equal_numbers() -> None:
    state = moved(thrown(couple(TWO, red="T05 T05 T06 home"), 3, 2), "T05 > T08", "T06 > T08")
    assert on(state, "red") == ["T05", "T08", "T08", "home"]
    state = moved(thrown(couple(TWO, red="T05 T05 home home"), 3, 2), "T05 > T08", "T05 > T07")
    assert on(state, "red") == ["T07", "T08", "home", "home"]
    doublet = moved(thrown(couple(TWO, red="T05 T05 home"), 3, 3), "T05 > T08")
    assert refused(doublet, "T05 > T08").rules == ("RG-41",)


@pytest.mark.rule("RG-A51")
def test_a_blockade_may_stand_on_a_safety_circle() -> None:
    state = moved(thrown(couple(red="T05 T07 home home", yellow="T04 home home home"), 2), "T05 > T07")
    assert on(state, "red") == ["T07", "T07", "home", "home"]
    assert not legal(thrown(state, 4)), "Yellow cannot pass it"


# --- moving and sixes ---


@pytest.mark.rule("RG-A16")
def test_what_cannot_be_moved_is_lost() -> None:
    verdict = throwing(couple(red="red-5 home home home"), 4)
    assert says(verdict) == ["Red cannot use this throw."]
    assert asked(verdict.state) == [("yellow", "roll")]
    verdict = moving(thrown(couple(TWO, red="T10 home home home", yellow="T17 T17"), 3, 4), "T10 > T13")
    assert says(verdict) == ["Red cannot use the rest of this throw."]
    assert asked(verdict.state) == [("yellow", "roll")]


@pytest.mark.rule("RG-A18")
def test_the_twelve_spaces_of_a_six_are_one_move() -> None:
    for blocked in ("T06", "T11", "T16", "T17"):
        state = thrown(couple(red="T05 home home home", yellow=f"{blocked} {blocked}"), 6)
        assert not legal(state), blocked
    state = moved(thrown(couple(red="T05 home home home", yellow="T11"), 6), "T05 > T17")
    assert "T11" in on(state, "yellow"), "nothing is captured half way"


@pytest.mark.rule("RG-A19")
def test_a_six_gives_a_second_throw_to_a_player_who_has_no_disc_in_play() -> None:
    verdict = throwing(couple(red="home"), 6)
    assert says(verdict) == ["Red cannot use this throw.", "Red throws again."]
    assert asked(verdict.state) == [("red", "roll")]


@pytest.mark.rule("RG-A20")
def test_a_six_that_cannot_be_moved_gives_a_second_throw() -> None:
    verdict = throwing(couple(red="red-1 home home home"), 6)
    assert says(verdict) == ["Red cannot use this throw.", "Red throws again."]
    assert asked(verdict.state) == [("red", "roll")]


@pytest.mark.rule("RG-A21")
def test_the_third_six_ends_the_turn_without_a_move_and_the_first_two_moves_stand() -> None:
    state = moved(thrown(couple(red="T05 T50 home home"), 6), "T05 > T17")
    state = thrown(moved(thrown(state, 6), "T17 > T29"), 6)
    assert legal(state) == {"out T50 > red-start"}
    assert "RG-27" in refused(state, "T29 > T41").rules
    state = moved(state, "out T50 > red-start")
    assert on(state, "red") == ["red-start", "T29", "home", "home"]
    assert asked(state) == [("yellow", "roll")]


@pytest.mark.rule("RG-A22")
@pytest.mark.parametrize(("discs", "nearest"), [("T05 T62 red-2 home", "red-2"), ("T05 T62 home", "T62"), ("T05 T05", "T05")])
def test_the_disc_nearest_home_is_the_foremost_that_is_not_home_yet(discs: str, nearest: str) -> None:
    state = thrown(couple(red=discs, sixes=2), 6)
    assert legal(state) == {f"out {nearest} > red-start"}


@pytest.mark.rule("RG-A22")
def test_the_third_six_costs_nothing_when_no_disc_is_in_play() -> None:
    verdict = throwing(couple(red="home home", sixes=2), 6)
    assert says(verdict)[-1] == "Red has no disc on the board, so nothing is lost."
    assert on(verdict.state, "red") == ["red-start", "red-start", "home", "home"]
    assert asked(verdict.state) == [("yellow", "roll")]


@pytest.mark.rule("RG-A23")
def test_no_throw_follows_a_six_that_brought_the_last_disc_home() -> None:
    verdict = moving(thrown(couple(red="T59 home home home"), 6), "T59 > home")
    assert winners(verdict.state) == ("red",)
    assert not GAME.due(verdict.state)
    assert "Red throws again." not in says(verdict)


@pytest.mark.rule("RG-A47")
def test_nobody_scores_for_the_disc_that_a_third_six_costs() -> None:
    state = couple(TWO, red="T05 T50", sixes=2, readings={"two_dice_six": "six_moves_12"})
    state = moved(thrown(state, 6, 1), "out T50 > red-start")
    assert (score(state, "red"), score(state, "yellow")) == (0, 0)
    one_die = couple(red="T05 T50", sixes=2, readings={"one_die_points": "on"})
    state = moved(thrown(one_die, 6), "out T50 > red-start")
    assert (score(state, "red"), score(state, "yellow")) == (0, 0)


# --- two dice ---


@pytest.mark.rule("RG-A28")
def test_points_and_captures_made_with_anothers_throw_belong_to_the_mover() -> None:
    verdict = moving(thrown(scene(TWO, yellow="T40", green="T43"), 3, 1), "T40 > T43")
    assert on(verdict.state, "green") == ["green-start"] * 4
    assert [score(verdict.state, seat) for seat in ("red", "yellow")] == [0, 20]
    assert "RG-A28" in verdict.rules


@pytest.mark.rule("RG-A29")
@pytest.mark.parametrize("plays", [("T40 > T43", "T43 > T46"), ("pass",)])
def test_the_thrower_throws_again_after_a_doublet_that_counted_for_an_opponent(plays: tuple[str, ...]) -> None:
    state = moved(thrown(scene(TWO, yellow="T40"), 3, 3), *plays)
    assert asked(state) == [("red", "roll")]


@pytest.mark.rule("RG-A37")
def test_a_disc_that_takes_both_dice_touches_down_and_may_capture_twice() -> None:
    state = thrown(couple(TWO, red="T06 home home home", yellow="T09 T13"), 3, 4)
    state = moved(state, "T06 > T09", "T09 > T13")
    assert on(state, "yellow") == ["yellow-start"] * 4
    assert score(state, "red") == 40
    held = thrown(couple(TWO, red="T06 home home home", yellow="T09 T09 T10 T10"), 3, 4)
    assert not legal(held), "where it cannot touch down it cannot go"


@pytest.mark.rule("RG-A39")
@pytest.mark.parametrize(("face", "numbers"), [(1, [1, 1, 6, 6]), (3, [3, 3, 4, 4]), (6, [6, 6, 1, 1])])
def test_the_undersides_of_both_dice_count(face: int, numbers: list[int]) -> None:
    state = thrown(couple(TWO, red="T05 T10 T20 T30"), face, face)
    assert open_numbers(state) == numbers
    assert sum(numbers) == 14


@pytest.mark.rule("RG-A48")
def test_a_disc_gets_home_by_one_die_or_by_both_and_the_last_must_be_exact() -> None:
    for dice, way in (((4, 1), ["red-4 > home"]), ((1, 3), ["red-4 > red-5", "red-5 > home"])):
        state = moved(thrown(couple(TWO, red="T05 red-4 home home"), *dice), *way)
        assert on(state, "red").count("home") == 3
    verdict = moving(thrown(couple(TWO, red="red-5 home home home"), 1, 4), "red-5 > red-6")
    assert says(verdict) == ["Red cannot use the rest of this throw."]


# --- the first chance ---


@pytest.mark.rule("RG-A43")
def test_the_player_whose_disc_was_captured_loses_the_points() -> None:
    state = couple(TWO, red="T06 home home home", yellow="T09 T50", readings={"enter_on_five": "may"})
    state = moved(thrown(state, 3, 1), "T06 > T09", "T09 > T10")
    state = moved(thrown(state, 5, 1), "T50 > T51", "T51 > T56")
    assert (score(state, "red"), score(state, "yellow")) == (20, -20)


WAITING_TWICE = {"captured": {"red": 2}, "first_chances": {"red": 2}}


@pytest.mark.rule("RG-A44")
def test_any_captured_disc_that_is_entered_answers_a_chance() -> None:
    state = couple(TWO, red="T10", yellow="T40 home home home", readings={"enter_on_five": "may"}, **WAITING_TWICE)
    state = moved(thrown(state, 5, 4), "enter", "T00 > T04")
    assert score(state, "red") == 0
    state = moved(thrown(state, 1, 2), "T40 > T41", "T41 > T43")
    state = moved(thrown(state, 5, 4), "T10 > T15", "T15 > T19")
    assert score(state, "red") == -20, "the second one had a chance of its own"


@pytest.mark.rule("RG-A44")
def test_each_capture_costs_its_owner_twenty_points_at_most_once() -> None:
    state = couple(TWO, red="T10", yellow="T40 home home home", readings={"enter_on_five": "may"}, **WAITING_TWICE)
    scores = []
    red, yellow = 10, 40
    for _ in range(3):
        state = moved(thrown(state, 5, 1), f"T{red} > T{red + 5}", f"T{red + 5} > T{red + 6}")
        scores.append(score(state, "red"))
        state = moved(thrown(state, 1, 2), f"T{yellow} > T{yellow + 1}", f"T{yellow + 1} > T{yellow + 3}")
        red, yellow = red + 6, yellow + 3
    assert scores == [-20, -40, -40]
