"""The Royal Game's leaflet, sentence by sentence, in its own order."""

from __future__ import annotations

import pytest

from companion.events import BadInput, Move, Roll
from companion.games.royal_game import GAME
from companion.ruling import Refused
from tests.games.royal_game.at_the_table import (
    COUPLE,
    FOUR,
    TWO,
    asked,
    begun,
    legal,
    moved,
    moving,
    on,
    refused,
    says,
    scene,
    score,
    throwing,
    thrown,
)

# --- for 2, 3 or 4 players; implements ---


@pytest.mark.rule("RG-01")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_game_is_for_two_three_or_four_players(players: int) -> None:
    for variant in GAME.variants:
        assert len(GAME.terms(variant.name, players).seats) == players


@pytest.mark.rule("RG-01")
@pytest.mark.parametrize("players", [1, 5])
def test_no_other_number_of_players_will_do(players: int) -> None:
    with pytest.raises(BadInput, match="is for 2 or 3 or 4 players"):
        GAME.terms("one_die", players)


@pytest.mark.rule("RG-02")
def test_each_player_has_four_discs_of_his_own_colour() -> None:
    standing = GAME.layout(GAME.set_up(GAME.terms())).standing
    assert {seat: sum(s.piece == f"{seat}-disc" for s in standing) for seat in FOUR} == dict.fromkeys(FOUR, 4)


@pytest.mark.rule("RG-02")
def test_one_die_or_two_are_thrown() -> None:
    assert GAME.due(begun())[0].dice == ("die",)
    assert GAME.due(begun(TWO))[0].dice == ("first", "second")
    assert isinstance(GAME.rule(begun(), Roll("red", (5, 5))), Refused)


@pytest.mark.rule("RG-03")
def test_the_discs_are_placed_on_the_circle_at_the_players_right() -> None:
    state = GAME.set_up(GAME.terms())
    assert all(s.space == s.piece.replace("disc", "start") for s in GAME.layout(state).standing)
    starts = {s.id: s.centre for s in state.ground.terms.board.of_kind("start")}
    assert min(starts["red-start"]) > 240  # Red sits at the lower edge: his right is our right


# --- to begin ---


@pytest.mark.rule("RG-04")
def test_the_dice_are_thrown_in_turn_until_a_five_is_thrown() -> None:
    state = begun()
    for seat, die in (("red", 3), ("blue", 1), ("yellow", 4), ("green", 2)):
        assert asked(state) == [(seat, "roll")]
        verdict = throwing(state, die)
        assert "RG-04" in verdict.rules
        state = verdict.state
    state = thrown(state, 5)
    assert asked(state) == [("red", "move")]


@pytest.mark.rule("RG-05")
def test_who_throws_a_five_enters_one_disc_on_the_entering_space_at_his_right() -> None:
    verdict = moving(thrown(begun(), 5), "enter")
    assert "RG-05" in verdict.rules
    assert on(verdict.state, "red") == ["red-start"] * 3 + ["T00"]


@pytest.mark.rule("RG-05")
@pytest.mark.parametrize("die", [1, 2, 3, 4])
def test_no_other_number_enters_a_disc(die: int) -> None:
    state = thrown(scene(red="T01"), die)
    assert "RG-05" in refused(state, "enter").rules
    assert "RG-05" in refused(state, "red-start > T00").rules


@pytest.mark.rule("RG-05")
def test_a_disc_is_entered_from_ones_own_circle_on_to_ones_own_entering_space() -> None:
    state = thrown(begun(), 5)
    foreign = Move("red", "enter", "red-disc", "red-start", "T17")
    verdict = GAME.rule(state, foreign)
    assert isinstance(verdict, Refused)
    assert verdict.rules == ("RG-05",)


@pytest.mark.rule("RG-06")
def test_the_players_go_on_throwing_by_turns_whether_they_enter_or_not() -> None:
    entered = moved(thrown(begun(), 5), "enter")
    missed = thrown(begun(), 4)
    assert asked(entered) == asked(missed) == [("blue", "roll")]
    verdict = GAME.rule(missed, Roll("yellow", (5,)))
    assert isinstance(verdict, Refused)
    assert "RG-06" in verdict.rules


@pytest.mark.rule("RG-06")
def test_nobody_moves_out_of_turn() -> None:
    state = thrown(scene(red="T01", blue="T55"), 3)
    assert refused(state, "T55 > T58", "blue").rules == ("RG-06",)


# --- to play ---


@pytest.mark.rule("RG-07")
def test_an_entered_disc_moves_forward_according_to_the_throw() -> None:
    state = thrown(scene(red="T01"), 4)
    assert legal(state) == {"T01 > T05"}
    assert refused(state, "T01 > T06").rules == ("RG-07",)


@pytest.mark.rule("RG-07")
def test_a_disc_goes_all_round_the_board_to_the_bottom_of_the_middle_spaces_before_its_owner() -> None:
    assert legal(thrown(scene(red="T60"), 3)) == {"T60 > T63"}
    assert legal(thrown(scene(red="T62"), 4)) == {"T62 > red-3"}
    assert "RG-07" in refused(thrown(scene(red="T62"), 4), "T62 > T66").rules


@pytest.mark.rule("RG-07")
def test_before_a_throw_nothing_moves() -> None:
    assert "RG-07" in refused(scene(red="T01"), "T01 > T05").rules


@pytest.mark.rule("RG-08")
def test_then_it_moves_up_those_spaces_into_home() -> None:
    verdict = moving(thrown(scene(red="red-4"), 4), "red-4 > home")
    assert "RG-08" in verdict.rules
    assert "Red has brought a disc Home." in says(verdict)
    assert on(verdict.state, "red")[-1] == "home"


@pytest.mark.rule("RG-08")
def test_a_disc_never_goes_up_another_players_spaces_and_never_leaves_home() -> None:
    state = thrown(scene(red="T11 home"), 3)
    assert legal(state) == {"T11 > T14"}
    assert "RG-08" in refused(state, "T11 > green-2").rules
    assert "RG-08" in refused(state, "home > red-7").rules


@pytest.mark.rule("RG-09")
def test_the_moves_are_always_made_to_the_right() -> None:
    state = thrown(scene(red="T10"), 3)
    assert refused(state, "T10 > T07").rules == ("RG-09",)
    board = state.ground.terms.board
    (x0, y0), (x1, y1) = board.spaces["T00"].centre, board.spaces["T11"].centre
    assert x1 > x0  # from before Red to his right
    assert y1 < y0


@pytest.mark.rule("RG-14")
def test_a_disc_on_a_space_with_a_small_circle_is_safe_and_cannot_be_captured() -> None:
    state = thrown(scene(red="T03 T20", blue="T07"), 4)
    assert legal(state) == {"T20 > T24"}
    assert "RG-18" in refused(state, "T03 > T07").rules
    assert "RG-14" in moving(state, "T20 > T24").rules  # and his own disc is safe there


@pytest.mark.rule("RG-15")
def test_a_number_that_carries_a_disc_to_any_other_space_with_an_opposing_disc_captures_it() -> None:
    verdict = moving(thrown(scene(red="T04", blue="T08 T55"), 4), "T04 > T08")
    assert "RG-15" in verdict.rules
    assert says(verdict) == ["Red captures Blue's disc on T08."]
    assert on(verdict.state, "blue") == ["blue-start"] * 3 + ["T55"]


@pytest.mark.rule("RG-16")
def test_a_captured_disc_is_out_of_play_until_its_owner_throws_five() -> None:
    verdict = moving(thrown(scene(red="T04", blue="T08"), 4), "T04 > T08")
    assert "RG-16" in verdict.rules
    assert GAME.position(verdict.state)["captured"]["blue"] == 1
    assert asked(thrown(verdict.state, 4)) == [("yellow", "roll")]  # Blue can do nothing with a four


@pytest.mark.rule("RG-17")
def test_when_he_throws_five_he_must_enter_it() -> None:
    state = thrown(scene(turn="blue", blue="T55", captured={"blue": 1}), 5)
    assert legal(state) == {"enter"}
    assert "RG-17" in refused(state, "T55 > T60").rules
    assert "RG-17" in refused(state, "pass").rules
    verdict = moving(state, "enter")
    assert "RG-17" in verdict.rules
    assert GAME.position(verdict.state)["captured"]["blue"] == 0


@pytest.mark.rule("RG-21")
def test_discs_that_are_only_passed_are_not_captured() -> None:
    state = moved(thrown(scene(red="T03", blue="T04", green="T05"), 3), "T03 > T06")
    assert on(state, "blue")[-1] == "T04"
    assert on(state, "green")[-1] == "T05"


@pytest.mark.rule("RG-22")
def test_two_discs_of_the_same_colour_can_occupy_the_same_space_and_form_a_blockade() -> None:
    verdict = moving(thrown(scene(red="T05 T08"), 3), "T05 > T08")
    assert "RG-22" in verdict.rules
    standing = [s for s in GAME.layout(verdict.state).standing if s.space == "T08"]
    assert sorted(s.level for s in standing) == [0, 1]


@pytest.mark.rule("RG-23")
def test_a_blockade_cannot_be_passed() -> None:
    state = thrown(scene(red="T05 T20", blue="T08 T08"), 4)
    assert legal(state) == {"T20 > T24"}
    assert "RG-23" in refused(state, "T05 > T09").rules


@pytest.mark.rule("RG-23")
def test_not_even_by_its_owner() -> None:
    state = thrown(scene(red="T05 T08 T08"), 4)
    assert legal(state) == {"T08 > T12", "pass"}
    assert "RG-23" in refused(state, "T05 > T09").rules


@pytest.mark.rule("RG-24")
def test_the_player_must_move_one_of_these_discs_before_anyone_can_move_past() -> None:
    state = thrown(scene(red="T08 T08", blue="T05", turn="red"), 2)
    verdict = moving(state, "T08 > T10")
    assert "RG-24" in verdict.rules
    assert "T05 > T09" in legal(thrown(verdict.state, 4))


@pytest.mark.rule("RG-18")
def test_no_one_can_place_his_disc_on_a_safety_circle_occupied_by_an_opponent() -> None:
    state = thrown(scene(red="T05", blue="T07"), 2)
    assert asked(state) == [("blue", "roll")]  # Red had nothing else to move
    assert "RG-18" in refused(thrown(scene(red="T05 T20", blue="T07"), 2), "T05 > T07").rules


@pytest.mark.rule("RG-19")
def test_except_a_single_disc_on_that_opponents_own_entering_circle_which_he_can_capture() -> None:
    verdict = moving(thrown(scene(red="T15", green="T17"), 2), "T15 > T17")
    assert "RG-19" in verdict.rules
    assert on(verdict.state, "green") == ["green-start"] * 4
    assert "RG-18" in refused(thrown(scene(red="T15 T20", blue="T17"), 2), "T15 > T17").rules  # Blue is a guest there


@pytest.mark.rule("RG-19")
def test_two_discs_on_their_owners_entering_circle_cannot_be_captured() -> None:
    state = thrown(scene(red="T15 T40", green="T17 T17"), 2)
    assert legal(state) == {"T40 > T42"}


@pytest.mark.rule("RG-25")
def test_a_six_moves_twelve_spaces_and_gives_a_second_throw() -> None:
    state = thrown(scene(red="T01"), 6)
    assert legal(state) == {"T01 > T13"}
    assert "RG-25" in refused(state, "T01 > T07").rules
    verdict = moving(state, "T01 > T13")
    assert asked(verdict.state) == [("red", "roll")]
    assert "Red throws again." in says(verdict)


@pytest.mark.rule("RG-26")
def test_a_second_six_moves_another_twelve_and_gives_a_third_throw() -> None:
    state = moved(thrown(scene(red="T01"), 6), "T01 > T13")
    second = throwing(state, 6)
    assert "RG-26" in second.rules
    state = moved(second.state, "T13 > T25")
    assert asked(state) == [("red", "roll")]


@pytest.mark.rule("RG-27")
def test_if_the_third_throw_is_six_the_disc_nearest_home_is_put_out_of_play() -> None:
    state = scene(red="T01 T30", sixes=2)
    verdict = throwing(state, 6)
    assert "RG-27" in verdict.rules
    assert says(verdict) == ["The third six: Red loses the disc that is nearest Home."]
    assert legal(verdict.state) == {"out T30 > red-start"}
    assert "RG-27" in refused(verdict.state, "out T01 > red-start").rules
    assert "RG-27" in refused(verdict.state, "T01 > T13").rules
    after = moved(verdict.state, "out T30 > red-start")
    assert on(after, "red") == ["red-start"] * 3 + ["T01"]
    assert asked(after) == [("blue", "roll")]


@pytest.mark.rule("RG-27")
def test_at_any_other_time_no_disc_is_put_out() -> None:
    assert refused(thrown(scene(red="T01"), 3), "out T01 > red-start").rules == ("RG-27",)


@pytest.mark.rule("RG-20")
def test_capturing_is_not_compulsory() -> None:
    state = thrown(scene(red="T04 T20", blue="T08"), 4)
    assert legal(state) == {"T04 > T08", "T20 > T24"}
    alone = thrown(scene(red="T04", blue="T08"), 4)
    assert legal(alone) == {"T04 > T08", "pass"}
    verdict = moving(alone, "pass")
    assert "RG-20" in verdict.rules
    assert asked(verdict.state) == [("blue", "roll")]


@pytest.mark.rule("RG-13")
def test_the_final_move_into_home_needs_the_exact_number() -> None:
    state = thrown(scene(red="red-4 T20"), 3)
    assert legal(state) == {"red-4 > red-7", "T20 > T23"}
    assert "RG-13" in refused(state, "red-4 > home").rules
    assert legal(thrown(scene(red="red-4 T19"), 5)) == {"enter"}
    assert asked(thrown(scene(red="red-6 home home home"), 3)) == [("blue", "roll")]  # two would do, three is too many


@pytest.mark.rule("RG-10")
def test_a_player_has_but_one_throw_for_each_play_save_after_a_six() -> None:
    state = thrown(scene(red="T01"), 4)
    early = GAME.rule(state, Roll("red", (2,)))
    assert isinstance(early, Refused)
    assert early.rules == ("RG-10",)
    late = GAME.rule(moved(state, "T01 > T05"), Roll("red", (2,)))
    assert isinstance(late, Refused)
    assert "RG-10" in late.rules


@pytest.mark.rule("RG-11")
def test_he_can_move_but_one_disc_on_a_throw() -> None:
    state = moved(thrown(scene(red="T01 T20"), 4), "T01 > T05")
    assert asked(state) == [("blue", "roll")]
    assert refused(state, "T20 > T24", "red").rules == ("RG-06",)


@pytest.mark.rule("RG-12")
def test_but_any_of_his_discs_that_he_chooses() -> None:
    state = thrown(scene(red="T01 T20 red-1", blue="T55"), 4)
    assert legal(state) == {"T01 > T05", "T20 > T24", "red-1 > red-5"}
    assert refused(state, "T55 > T59").rules == ("RG-12",)
    stranger = GAME.rule(state, Move("red", "move", "blue-disc", "T55", "T59"))
    assert isinstance(stranger, Refused)
    assert stranger.rules == ("RG-12",)


# --- to win ---


@pytest.mark.rule("RG-28")
def test_the_player_first_getting_all_four_discs_home_wins() -> None:
    state = thrown(scene(red="red-5 home home home", blue="home home home T10"), 3)
    verdict = moving(state, "red-5 > home")
    assert says(verdict) == ["Red has brought a disc Home.", "Red has all four discs Home."]
    outcome = GAME.outcome(verdict.state)
    assert outcome
    assert outcome.winners == ("red",)
    assert "RG-28" in outcome.rules
    assert GAME.words.tell(outcome.why) == "Red is the first with all four discs Home and wins!"
    assert "RG-28" in refused(verdict.state, "red-5 > home", "red").rules  # it is over


# --- with two dice ---


@pytest.mark.rule("RG-29")
def test_the_second_game_is_played_like_the_first_with_two_dice() -> None:
    state = thrown(scene(TWO, red="T01"), 3, 4)
    assert legal(state) == {"T01 > T04", "T01 > T05"}
    state = moved(state, "T01 > T04")
    assert legal(state) == {"T04 > T08"}
    assert asked(moved(state, "T04 > T08")) == [("blue", "roll")]
    one = GAME.rule(scene(TWO, red="T01"), Roll("red", (3,)))
    assert isinstance(one, Refused)
    assert one.rules == ("RG-29",)


@pytest.mark.rule("RG-30")
def test_the_players_all_throw_and_the_one_with_the_lowest_number_starts() -> None:
    state = GAME.set_up(GAME.terms(TWO))
    assert asked(state) == [(seat, "roll") for seat in FOUR]
    for seat, dice in (("red", (3, 4)), ("yellow", (1, 2)), ("green", (6, 6))):
        state = GAME.rule(state, Roll(seat, dice)).state
    again = GAME.rule(state, Roll("red", (1, 1)))
    assert isinstance(again, Refused)
    assert again.rules == ("RG-30",)
    verdict = GAME.rule(state, Roll("blue", (2, 3)))
    assert "RG-30" in verdict.rules
    assert says(verdict) == ["Yellow begins."]
    assert asked(verdict.state) == [("yellow", "roll")]


@pytest.mark.rule("RG-31")
def test_throws_without_the_entering_number_count_for_opponents_until_a_disc_is_entered() -> None:
    verdict = throwing(scene(TWO, blue="T55"), 3, 4)
    assert "RG-31" in verdict.rules
    assert says(verdict) == ["Red has no disc in play yet: the throw counts for Blue."]
    assert asked(verdict.state) == [("blue", "move")]
    assert legal(verdict.state) == {"T55 > T58", "T55 > T59", "pass"}
    assert "RG-31" in refused(verdict.state, "enter", "red").rules
    after = moved(verdict.state, "T55 > T58", "T58 > T62")
    assert asked(after) == [("blue", "roll")]  # and then Blue's own turn


@pytest.mark.rule("RG-32")
def test_when_he_has_entered_one_disc_he_moves_according_to_his_own_throws() -> None:
    state = moved(thrown(scene(TWO, blue="T55"), 5, 2), "enter", "T00 > T02")
    assert GAME.position(state)["entered"] == ["red", "blue"]
    verdict = throwing(scene(TWO, red="T02", blue="T55"), 3, 4)
    assert "RG-32" in verdict.rules
    assert asked(verdict.state) == [("red", "move")]


@pytest.mark.rule("RG-33")
@pytest.mark.parametrize("dice", [(5, 2), (2, 5), (1, 4), (4, 1), (2, 3), (3, 2)])
def test_entries_are_made_by_a_five_on_one_die_or_by_a_total_of_five(dice: tuple[int, int]) -> None:
    state = thrown(begun(TWO), *dice)
    assert legal(state) == {"enter"}
    assert "RG-33" in moving(state, "enter").rules


@pytest.mark.rule("RG-33")
def test_no_other_throw_enters_a_disc() -> None:
    assert "RG-33" in refused(thrown(scene(TWO, red="T02"), 6, 3), "enter").rules


@pytest.mark.rule("RG-34")
def test_when_one_dies_five_has_entered_a_disc_it_may_be_moved_by_the_other_die() -> None:
    state = moved(thrown(scene(TWO, red="T20"), 5, 2), "enter")
    assert legal(state) == {"T00 > T02"}
    assert "RG-34" in moving(state, "T00 > T02").rules


@pytest.mark.rule("RG-35")
def test_two_fives_may_enter_two_discs() -> None:
    state = thrown(scene(TWO, red="T20"), 5, 5)
    state = moved(state, "enter")
    verdict = moving(state, "enter")
    assert "RG-35" in verdict.rules
    assert on(verdict.state, "red") == ["red-start", "T00", "T00", "T20"]


@pytest.mark.rule("RG-36")
def test_when_only_one_disc_is_left_to_enter_the_other_five_may_be_used_in_moving() -> None:
    state = moved(thrown(scene(TWO, red="T20 T30 home"), 5, 5), "enter")
    assert legal(state) == {"T00 > T05", "T20 > T25", "T30 > T35"}
    assert "RG-36" in moving(state, "T20 > T25").rules


@pytest.mark.rule("RG-37")
def test_two_numbers_of_the_same_denomination_give_a_second_throw() -> None:
    state = thrown(scene(TWO, red="T01"), 3, 3)
    state = moved(state, "T01 > T04", "T04 > T07")
    assert asked(state) == [("red", "roll")]
    early = GAME.rule(moved(thrown(scene(TWO, red="T01"), 3, 4), "T01 > T04"), Roll("red", (1, 1)))
    assert isinstance(early, Refused)
    assert early.rules == ("RG-10",)


@pytest.mark.rule("RG-38")
def test_when_all_his_discs_are_in_play_the_spots_underneath_count_as_well() -> None:
    verdict = throwing(scene(TWO, red="T01 T20 T30 T40"), 2, 2)
    assert "RG-38" in verdict.rules
    assert GAME.position(verdict.state)["throw"]["open"] == [2, 2, 5, 5]


@pytest.mark.rule("RG-39")
def test_if_discs_remain_to_be_entered_only_the_spots_thrown_are_used() -> None:
    verdict = throwing(scene(TWO, red="T01 T20 T30"), 2, 2)
    assert "RG-39" in verdict.rules
    assert GAME.position(verdict.state)["throw"]["open"] == [2, 2]


@pytest.mark.rule("RG-40")
def test_these_spots_may_be_divided_among_two_or_more_discs_if_all_are_used() -> None:
    state = thrown(scene(TWO, red="T01 T21 T32 T41"), 2, 2)
    verdicts = []
    for text in ("T01 > T03", "T21 > T23", "T32 > T37", "T41 > T46"):
        verdicts.append(moving(state, text))
        state = verdicts[-1].state
    assert ["RG-40" in verdict.rules for verdict in verdicts] == [False, True, True, True]


@pytest.mark.rule("RG-40")
def test_who_has_divided_the_spots_must_use_them_all() -> None:
    state = moved(thrown(scene(TWO, red="T01 T21 T32 T41"), 2, 2), "T01 > T03", "T21 > T23")
    assert "RG-40" in refused(state, "pass").rules


@pytest.mark.rule("RG-40")
def test_a_disc_may_not_use_a_number_that_leaves_another_one_without_use() -> None:
    # One five and one two get red-5 and T60 on; the other numbers are for T60 alone.
    state = thrown(scene(TWO, seats=COUPLE, red="red-5 T56 home home"), 2, 2)
    for text in legal(state):
        after = moved(state, text)
        while GAME.position(after)["throw"]:
            after = moved(after, sorted(legal(after))[0])
        assert asked(after) == [("red", "roll")]
    assert legal(state) == {"red-5 > red-7", "T56 > T58", "T56 > T61"}


@pytest.mark.rule("RG-41")
def test_two_discs_forming_a_blockade_cannot_be_moved_equally_to_form_another() -> None:
    state = moved(thrown(scene(TWO, red="T01 T01 T20"), 3, 3), "T01 > T04")
    assert legal(state) == {"T04 > T07", "T20 > T23"}
    assert "RG-41" in refused(state, "T01 > T04").rules


@pytest.mark.rule("RG-41")
def test_not_even_by_different_numbers_that_make_the_same_distance() -> None:
    state = thrown(scene(TWO, red="T01 T01 T40 T40"), 3, 3)
    state = moved(state, "T01 > T04", "T04 > T08", "T01 > T05")
    assert "RG-41" in refused(state, "T05 > T08").rules


@pytest.mark.rule("RG-41")
def test_only_one_of_them_may_be_so_moved() -> None:
    verdict = moving(thrown(scene(TWO, red="T01 T01 T20"), 3, 3), "T01 > T04")
    assert "RG-41" in verdict.rules


@pytest.mark.rule("RG-42")
def test_capturing_an_opposing_disc_gains_twenty_points() -> None:
    verdict = moving(thrown(scene(TWO, red="T04", blue="T08"), 4, 2), "T04 > T08")
    assert "RG-42" in verdict.rules
    assert score(verdict.state, "red") == 20
    assert score(verdict.state, "blue") == 0


@pytest.mark.rule("RG-43")
def test_who_fails_to_enter_the_captured_disc_at_the_first_chance_loses_twenty() -> None:
    state = scene(TWO, readings={"enter_on_five": "may"}, red="T20", captured={"red": 1}, first_chances={"red": 1})
    state = thrown(state, 5, 2)
    verdict = moving(moved(state, "T20 > T25"), "T25 > T27")
    assert "RG-43" in verdict.rules
    assert says(verdict) == ["Red did not enter a captured disc at the first chance and loses 20 points."]
    assert score(verdict.state, "red") == -20
    entered = moved(state, "enter", "T00 > T02")
    assert score(entered, "red") == 0


@pytest.mark.rule("RG-44")
def test_entering_on_to_an_opposing_disc_on_ones_entering_circle_captures_it_and_scores_twenty() -> None:
    verdict = moving(thrown(scene(TWO, red="T20", blue="T00"), 5, 2), "enter")
    assert "RG-44" in verdict.rules
    assert score(verdict.state, "red") == 20
    assert on(verdict.state, "blue") == ["blue-start"] * 4


@pytest.mark.rule("RG-45")
def test_each_disc_entered_into_home_counts_ten() -> None:
    verdict = moving(thrown(scene(TWO, red="red-5 T20"), 3, 1), "red-5 > home")
    assert "RG-45" in verdict.rules
    assert score(verdict.state, "red") == 10


@pytest.mark.rule("RG-46")
def test_when_one_player_has_got_all_discs_home_the_game_is_concluded() -> None:
    state = moved(thrown(scene(TWO, red="red-5 home home home", blue="T55"), 3, 1), "red-5 > home")
    outcome = GAME.outcome(state)
    assert outcome
    assert "RG-46" in outcome.rules
    assert GAME.due(state) == ()
    assert GAME.legal_moves(state) == []  # the one that was left of the throw is not played


@pytest.mark.rule("RG-47")
def test_the_highest_score_wins_the_game_whoever_got_home_first() -> None:
    scores = {"red": 40, "blue": 60, "yellow": 0, "green": -20}
    state = moved(thrown(scene(TWO, red="red-5 home home home", blue="T55", scores=scores), 3, 1), "red-5 > home")
    outcome = GAME.outcome(state)
    assert outcome
    assert outcome.winners == ("blue",)
    assert "RG-47" in outcome.rules
    assert dict(outcome.scores)["red"] == 50
    assert GAME.words.tell(outcome.why) == "Blue wins with 60 points!"
