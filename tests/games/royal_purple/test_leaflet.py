"""The leaflet of Royal Purple, sentence by sentence, in its order."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.layout import changes
from companion.referee import describe
from tests.games.royal_purple.table import (
    CASTLE,
    FIVE,
    GAME,
    accepted,
    after,
    against,
    at,
    due,
    ends,
    legal,
    new_game,
    position,
    said,
    winners,
)

# --- Synopsis and Implements ---


@pytest.mark.rule("RP-01")
@pytest.mark.rule("RP-04")
def test_there_are_four_princes_of_four_colours_and_each_player_has_the_markers_of_his_colour() -> None:
    state = new_game()
    pieces = {s.piece for s in GAME.layout(state).standing}
    assert pieces == {"red-prince", "blue-prince", "yellow-prince", "green-prince"}
    state = after(at("red", throw={"red": 1}), "red: move red-prince a1 > a2", "red: mark > a2")
    assert position(state)["markers"]["red"] == ["a2"]
    assert against(at("red", throw={"red": 1}), "red: move blue-prince a11 > a10") == {"RP-04"}


@pytest.mark.rule("RP-02")
def test_each_colour_has_thirty_dominion_markers() -> None:
    free = [s for s in GAME.board().spaces.values() if s.kinds == {"plain"} and s.id not in ("a2", "f2")]
    thirty = [s.id for s in free[:30]]
    last = at("red", throw={"red": 1}, markers={"red": thirty[:29]})
    assert legal(after(last, "red: move red-prince a1 > a2"), "mark") == ["mark > a2"]
    spent = after(at("red", throw={"red": 1}, markers={"red": thirty}), "red: move red-prince a1 > a2")
    assert "RP-02" in against(spent, "red: mark > a2")


@pytest.mark.rule("RP-03")
def test_a_player_throws_one_die() -> None:
    assert all(d.dice == ("die",) for d in GAME.due(new_game()))
    assert against(at("red"), "red: roll 3 4") == {"RP-03"}


@pytest.mark.rule("RP-05")
@pytest.mark.rule("RP-08")
def test_two_players_face_two_others_and_share_the_throne_on_the_edge_opposite_them() -> None:
    to_throne = {"red": ("f10", "f11"), "green": ("f10", "f11"), "blue": ("f2", "f1"), "yellow": ("f2", "f1")}
    for colour, (before, throne) in to_throne.items():
        own = at(colour, {colour: before}, throw={colour: 1}, markers={colour: FIVE[colour]})
        assert throne in ends(own)
    other = at("red", {"red": "f2"}, throw={"red": 1}, markers={"red": FIVE["red"]})
    assert "RP-08" in against(other, "red: move red-prince f2 > f1")


@pytest.mark.rule("RP-06")
@pytest.mark.rule("RP-07")
def test_each_prince_starts_from_his_corner_castle() -> None:
    assert {(s.piece, s.space) for s in GAME.layout(new_game()).standing} == {(f"{c}-prince", s) for c, s in CASTLE.items()}


@pytest.mark.rule("RP-09")
def test_the_purple_squares_with_the_white_center_are_noble_squares() -> None:
    state = after(at("red", {"red": "c2"}, throw={"red": 1}), "red: move red-prince c2 > c3")
    assert said(state, "red: mark > c3") == ["Nobles who support the red Prince: 1."]
    assert {"RP-09", "RP-41"} <= set(accepted(state, "red: mark > c3").rules)


# --- The moves of the Princes, by the throw ---


@pytest.mark.rule("RP-15")
def test_one_moves_one_square_up_or_down() -> None:
    state = at("red", {"red": "f4"}, throw={"red": 1})
    assert ends(state) == {"f5", "f3"}
    assert "RP-15" in against(state, "red: move red-prince f4 > f6")
    assert "RP-15" in against(state, "red: move red-prince f4 > g4")


@pytest.mark.rule("RP-16")
def test_if_2_is_thrown_the_prince_moves_one_square_to_either_the_right_or_the_left() -> None:
    state = at("red", {"red": "f4"}, throw={"red": 2})
    assert ends(state) == {"e4", "g4"}
    assert against(state, "red: move red-prince f4 > f5") == {"RP-16"}
    assert against(state, "red: move red-prince f4 > h4") == {"RP-16"}


@pytest.mark.rule("RP-17")
def test_three_moves_one_square_diagonally_in_either_of_four_directions() -> None:
    state = at("red", {"red": "f4"}, throw={"red": 3})
    assert ends(state) == {"e5", "g5", "e3", "g3"}
    assert against(state, "red: move red-prince f4 > d6") == {"RP-17"}


@pytest.mark.rule("RP-18")
def test_four_moves_either_one_or_two_squares_up_or_down() -> None:
    state = at("red", {"red": "f4"}, throw={"red": 4})
    assert ends(state) == {"f5", "f6", "f3", "f2"}
    assert against(state, "red: move red-prince f4 > f7") == {"RP-18"}


@pytest.mark.rule("RP-19")
def test_five_moves_one_or_two_squares_right_or_left() -> None:
    state = at("red", {"red": "f4"}, throw={"red": 5})
    assert ends(state) == {"e4", "d4", "g4", "h4"}
    assert against(state, "red: move red-prince f4 > c4") == {"RP-19"}


@pytest.mark.rule("RP-20")
def test_six_moves_one_or_two_squares_diagonally_in_any_direction() -> None:
    state = at("red", {"red": "f4"}, throw={"red": 6})
    assert ends(state) == {"e5", "d6", "g5", "h6", "e3", "d2", "g3", "h2"}
    assert against(state, "red: move red-prince f4 > c7") == {"RP-20"}


@pytest.mark.rule("RP-21")
def test_the_player_chooses_the_sense_of_the_move() -> None:
    for number in range(1, 7):
        state = at("red", {"red": "f6"}, throw={"red": number})
        for line in legal(state):
            assert "RP-21" in accepted(state, f"red: {line}").rules


# --- To start, and the order of play ---


@pytest.mark.rule("RP-11")
def test_all_players_throw_and_the_highest_throw_decides_the_first_player() -> None:
    state = new_game()
    assert due(state) == ["red roll", "blue roll", "yellow roll", "green roll"]
    state = after(state, "yellow: roll 3", "red: roll 2", "green: roll 6")
    assert against(state, "red: roll 5") == {"RP-11"}
    assert against(state, "red: move red-prince a1 > a2") == {"RP-11"}
    assert said(state, "blue: roll 5") == ["Blue threw 5 for the first turn.", "Green begins, and throws again to move."]
    assert due(after(state, "blue: roll 5")) == ["green roll"]


@pytest.mark.rule("RP-12")
def test_the_first_player_throws_again_and_moves_by_that_throw() -> None:
    state = after(new_game(), "red: roll 6", "blue: roll 1", "yellow: roll 1", "green: roll 1")
    assert "RP-14" in against(state, "red: move red-prince a1 > a2")
    assert ends(after(state, "red: roll 1")) == {"a2"}


@pytest.mark.rule("RP-30")
def test_he_places_a_marker_on_the_square_to_which_his_prince_has_moved_completing_his_turn() -> None:
    state = after(at("red", throw={"red": 1}), "red: move red-prince a1 > a2")
    assert due(state) == ["red move optional", "blue roll"]
    before, state = state, after(state, "red: mark > a2")
    assert [describe(GAME, c) for c in changes(GAME.layout(before), GAME.layout(state))] == ["Put a red marker on a2."]
    assert due(state) == ["blue roll"]
    assert against(before, "red: mark > a3") == {"RP-30"}


@pytest.mark.rule("RP-13")
def test_the_other_players_play_in_turn_around_the_board_to_the_left() -> None:
    state = at("red")
    for seat, start, end in (("red", "a1", "a2"), ("blue", "a11", "a10"), ("yellow", "k11", "k10"), ("green", "k1", "k2")):
        assert due(state)[-1] == f"{seat} roll"
        state = after(state, f"{seat}: roll 1", f"{seat}: move {seat}-prince {start} > {end}")
    assert due(state)[-1] == "red roll"
    assert against(state, "blue: roll 1") == {"RP-13"}
    assert against(state, "blue: move blue-prince a10 > a9") == {"RP-13"}


@pytest.mark.rule("RP-14")
def test_a_turn_is_one_throw_one_move_and_no_number_gives_another() -> None:
    for number in range(1, 7):
        state = after(at("red", {"red": "f6"}), f"red: roll {number}")
        assert against(state, "red: roll 6") == {"RP-14"}
        assert due(after(state, f"red: {legal(state)[0]}"))[-1] == "blue roll"
    assert against(at("red"), "red: move red-prince a1 > a2") == {"RP-14"}
    assert against(at("red", throw={"red": 1}), "red: move red-prince b1 > b2") == {"RP-14"}


# --- Go squares ---


@pytest.mark.rule("RP-10")
@pytest.mark.rule("RP-35")
@pytest.mark.rule("RP-36")
def test_a_prince_on_a_go_square_goes_to_the_square_directed_and_marks_both() -> None:
    state = at("red", throw={"red": 3})
    verdict = accepted(state, "red: move red-prince a1 > b2 (follow)")
    assert position(verdict.state)["princes"]["red"] == "e4"
    assert [GAME.words.tell(s) for s in verdict.said] == ["The red Prince goes from the Go square b2 to e4."]
    marked = after(verdict.state, "red: mark > b2", "red: mark > e4")
    assert position(marked)["markers"]["red"] == ["b2", "e4"]
    nothing = at("red", {"red": "f4"}, throw={"red": 2})
    assert against(nothing, "red: move red-prince f4 > g4 (follow)") == {"RP-10", "RP-35"}


# --- The first objective, the Throne and the victory ---


@pytest.mark.rule("RP-41")
def test_to_mark_a_noble_square_secures_the_support_of_its_noble() -> None:
    state = after(at("red", {"red": "c2"}, throw={"red": 1}, markers={"red": ["d2"]}), "red: move red-prince c2 > c3")
    assert said(state, "red: mark > c3") == ["Nobles who support the red Prince: 2."]


@pytest.mark.rule("RP-42")
def test_any_five_noble_squares_will_do() -> None:
    for five in (FIVE["red"], FIVE["yellow"], ["e5", "g5", "e7", "g7", "j4"]):
        state = at("red", {"red": "f10"}, throw={"red": 1}, markers={"red": five})
        assert winners(after(state, "red: move red-prince f10 > f11")) == ("red",)


@pytest.mark.rule("RP-44")
def test_after_five_nobles_he_continues_to_throw_and_to_place_markers() -> None:
    state = at("red", {"red": "f6"}, throw={"red": 1}, markers={"red": FIVE["red"]})
    state = after(state, "red: move red-prince f6 > f7")
    verdict = accepted(state, "red: mark > f7")
    assert "RP-44" in verdict.rules
    assert due(verdict.state) == ["blue roll"]


@pytest.mark.rule("RP-45")
def test_the_first_with_five_nobles_who_enters_his_throne_becomes_king_at_once() -> None:
    state = at("green", {"green": "e10"}, throw={"green": 3}, markers={"green": FIVE["green"]})
    verdict = accepted(state, "green: move green-prince e10 > f11")
    assert GAME.outcome(verdict.state).winners == ("green",)
    assert due(verdict.state) == []
    assert legal(verdict.state) == []
    assert against(verdict.state, "blue: roll 4") == {"RP-45"}
    assert "Green enters the Throne with five Nobles and is King!" in GAME.words.tell(verdict.said[-1])


@pytest.mark.rule("RP-46")
def test_five_nobles_alone_win_nothing_he_must_enter_the_throne() -> None:
    state = at("red", {"red": "c4"}, throw={"red": 1}, markers={"red": FIVE["red"][1:]})
    state = after(state, "red: move red-prince c4 > c3")
    assert said(state, "red: mark > c3") == ["Five Nobles support the red Prince. Now to the Throne!"]
    state = after(state, "red: mark > c3")
    assert winners(state) is None
    too_early = at("red", {"red": "f10"}, throw={"red": 1}, markers={"red": FIVE["red"][1:]})
    assert "RP-46" in against(too_early, "red: move red-prince f10 > f11")


# --- Rules of play ---


@pytest.mark.rule("RP-31")
@pytest.mark.rule("RP-32")
def test_failure_to_mark_imposes_no_penalty_but_no_space_is_marked_after_another_has_started() -> None:
    state = after(at("red", throw={"red": 1}), "red: move red-prince a1 > a2")
    verdict = accepted(state, "blue: roll 2")
    assert GAME.words.tell(verdict.said[0]) == "Red did not mark a2 in time."
    assert against(verdict.state, "red: mark > a2") == {"RP-32", "RP-A28"}
    assert position(verdict.state)["out"] == []
    assert position(verdict.state)["markers"]["red"] == []


@pytest.mark.rule("RP-33")
@pytest.mark.rule("RP-47")
def test_marked_squares_belong_to_the_prince_who_marked_them_for_the_rest_of_the_game() -> None:
    state = at("red", {"red": "c3"}, throw={"red": 1}, markers={"red": ["c3"]})
    assert position(after(state, "red: move red-prince c3 > c4"))["markers"]["red"] == ["c3"], "it stays when he moves on"
    guest = at("green", {"green": "e8"}, throw={"green": 1}, markers={"blue": ["e8"]})
    assert against(guest, "green: mark > e8") == {"RP-33", "RP-38"}


@pytest.mark.rule("RP-27")
@pytest.mark.rule("RP-34")
def test_a_prince_may_move_on_to_a_square_with_his_own_marker_and_marks_it_only_once() -> None:
    state = at("red", {"red": "f4"}, throw={"red": 1}, markers={"red": ["f5"]})
    assert "f5" in ends(state)
    state = after(state, "red: move red-prince f4 > f5")
    assert legal(state, "mark") == []
    assert against(state, "red: mark > f5") == {"RP-34"}
    shared = at("red", {"red": "e3", "blue": "e4"}, throw={"red": 1}, markers={"red": ["e4"]})
    assert "e4" not in ends(shared), "somebody was sent there"


@pytest.mark.rule("RP-25")
def test_no_prince_can_move_to_a_square_occupied_by_another_prince() -> None:
    state = at("red", {"red": "f4", "blue": "f5"}, throw={"red": 1})
    assert ends(state) == {"f3"}
    assert against(state, "red: move red-prince f4 > f5") == {"RP-25"}


@pytest.mark.rule("RP-26")
def test_no_prince_can_move_to_a_square_with_another_dominion_marker() -> None:
    state = at("red", {"red": "f4"}, throw={"red": 1}, markers={"green": ["f5"]})
    assert ends(state) == {"f3"}
    assert against(state, "red: move red-prince f4 > f5") == {"RP-26"}


@pytest.mark.rule("RP-25")
@pytest.mark.rule("RP-26")
def test_a_refusal_names_every_rule_that_stands_against_the_move() -> None:
    state = at("red", {"red": "f4", "blue": "f6"}, throw={"red": 1}, markers={"blue": ["f6"]})
    assert against(state, "red: move red-prince f4 > f6") == {"RP-15", "RP-25", "RP-26"}


@pytest.mark.rule("RP-37")
def test_a_prince_moving_by_choice_to_an_unmarked_go_square_must_follow_instructions() -> None:
    state = at("red", {"red": "e6"}, throw={"red": 3})
    assert ends(state) == {"d7+", "f7", "d5+", "f5"}
    assert against(state, "red: move red-prince e6 > d5") == {"RP-35", "RP-37"}


@pytest.mark.rule("RP-37")
@pytest.mark.rule("RP-22")
def test_he_must_follow_by_necessity_as_well() -> None:
    state = after(at("red"), "red: roll 3")
    assert legal(state) == ["move red-prince a1 > b2 (follow)"]


@pytest.mark.rule("RP-38")
def test_he_follows_even_to_anothers_square_occupies_it_with_him_and_does_not_mark_it() -> None:
    for markers, blue in (({"blue": ["e4"]}, "e5"), ({}, "e4"), ({"blue": ["e4"]}, "e4")):
        state = at("red", {"blue": blue}, throw={"red": 3}, markers=markers)
        state = after(state, "red: move red-prince a1 > b2 (follow)")
        assert position(state)["princes"]["red"] == "e4"
        assert legal(state, "mark") == ["mark > b2"]
        assert "RP-38" in against(state, "red: mark > e4")


@pytest.mark.rule("RP-39")
def test_on_a_go_square_that_he_marked_before_he_follows_only_if_he_so_desires() -> None:
    state = at("red", throw={"red": 3}, markers={"red": ["b2", "e4"]})
    assert ends(state) == {"b2", "b2+"}
    assert position(after(state, "red: move red-prince a1 > b2"))["princes"]["red"] == "b2"
    assert position(after(state, "red: move red-prince a1 > b2 (follow)"))["princes"]["red"] == "e4"


@pytest.mark.rule("RP-40")
def test_a_go_square_with_anothers_marker_is_closed_like_any_other() -> None:
    state = at("red", {"red": "c2"}, throw={"red": 2}, markers={"green": ["b2"]})
    assert ends(state) == {"d2"}
    assert against(state, "red: move red-prince c2 > b2 (follow)") == {"RP-26", "RP-40"}


@pytest.mark.rule("RP-43")
def test_after_five_nobles_he_may_not_put_his_marker_upon_another() -> None:
    state = at("red", {"red": "e6"}, throw={"red": 1}, markers={"red": FIVE["red"]})
    state = after(state, "red: move red-prince e6 > e7")
    assert legal(state, "mark") == []
    assert against(state, "red: mark > e7") == {"RP-43"}


@pytest.mark.rule("RP-22")
def test_a_prince_must_always_move_at_each_throw_if_possible() -> None:
    state = at("red", {"red": "f4"}, throw={"red": 2})
    assert against(state, "red: pass red-prince") == {"RP-22"}
    assert against(state, "red: move red-prince f4 > f4") == {"RP-22"}


@pytest.mark.rule("RP-23")
def test_when_the_squares_he_can_move_to_are_others_he_loses_his_play() -> None:
    state = at("red", {"red": "a3"}, markers={"blue": ["a4"], "green": ["a2"]})
    verdict = accepted(state, "red: roll 4")
    assert "The red Prince cannot move with a 4 and loses this play." in [GAME.words.tell(s) for s in verdict.said]
    assert {"RP-23", "RP-26"} <= set(verdict.rules)
    assert due(verdict.state) == ["blue roll"]


@pytest.mark.rule("RP-29")
def test_a_step_over_the_edge_is_no_move() -> None:
    assert ends(at("red", {"red": "a6"}, throw={"red": 5})) == {"b6", "c6"}
    verdict = accepted(at("red", {"blue": "a2"}), "red: roll 1")
    assert {"RP-23", "RP-25", "RP-29"} <= set(verdict.rules)


@pytest.mark.rule("RP-24")
def test_a_prince_whom_no_throw_can_move_is_bottled_up_and_out_of_the_game() -> None:
    state = at("yellow", {"green": "k3"}, throw={"yellow": 1}, markers={"blue": ["a2", "b1", "b2"]})
    state = after(state, "yellow: move yellow-prince k11 > k10", "green: roll 1")
    verdict = accepted(state, "green: move green-prince k3 > k4")
    assert "No throw could move the red Prince. It is bottled up and out of the game." in map(GAME.words.tell, verdict.said)
    assert position(verdict.state)["out"] == ["red"]
    assert due(verdict.state) == ["green move optional", "blue roll"]
    assert against(verdict.state, "red: roll 3") == {"RP-24"}


@pytest.mark.rule("RP-28")
def test_a_prince_may_not_enter_another_princes_castle() -> None:
    state = at("red", {"red": "b1", "green": "j4"}, throw={"red": 2})
    assert "a1" in ends(state)
    state = at("red", {"red": "j1", "green": "j4"}, throw={"red": 2})
    assert ends(state) == {"i1"}
    assert against(state, "red: move red-prince j1 > k1") == {"RP-28"}


# --- Prince and Princess ---


@pytest.mark.rule("RP-48")
def test_in_prince_and_princess_the_rules_of_the_main_game_hold() -> None:
    state = at("south", {"red": "f4"}, variant="prince_and_princess", throw={"red": 1, "green": 3}, markers={"blue": ["f5"]})
    assert ends(state, "red-princess") == {"f3"}
    assert against(state, "south: move red-princess f4 > f5") == {"RP-26"}
    assert ends(state, "green-prince") == {"j2+"}


@pytest.mark.rule("RP-49")
def test_each_player_plays_two_pieces_and_the_left_hand_one_is_the_princess() -> None:
    state = new_game("prince_and_princess")
    stands = {s.piece: s.space for s in GAME.layout(state).standing}
    assert stands == {"red-princess": "a1", "green-prince": "k1", "yellow-princess": "k11", "blue-prince": "a11"}


@pytest.mark.rule("RP-50")
def test_the_player_throws_both_dice_at_his_turn() -> None:
    state = at("south", variant="prince_and_princess")
    assert GAME.due(state)[0].dice == ("coloured", "white")
    assert against(state, "south: roll 5") == {"RP-50"}
    assert said(state, "south: roll 1 4") == ["South threw 1 for the Princess and 4 for the Prince."]


@pytest.mark.rule("RP-51")
def test_the_colored_die_moves_the_princess_and_the_white_die_the_prince() -> None:
    state = after(at("south", {"red": "f4", "green": "h4"}, variant="prince_and_princess"), "south: roll 1 2")
    assert ends(state, "red-princess") == {"f3", "f5"}
    assert ends(state, "green-prince") == {"g4", "i4"}
    assert "RP-51" in against(state, "south: move red-princess f4 > e4")
    state = after(state, "south: move green-prince h4 > g4")
    assert "RP-51" in against(state, "south: move green-prince g4 > g5")
    assert due(state) == ["south move optional", "south move"]
    state = after(state, "south: mark green-marker > g4", "south: move red-princess f4 > f5", "south: mark red-marker > f5")
    assert due(state) == ["north roll"]
    assert position(state)["markers"] == {"red": ["f5"], "blue": [], "yellow": [], "green": ["g4"]}


@pytest.mark.rule("RP-52")
@pytest.mark.rule("RP-53")
def test_both_must_gain_five_nobles_and_both_must_enter_the_throne_to_win() -> None:
    both = {"red": FIVE["red"], "green": FIVE["green"]}
    state = at("south", {"red": "f10", "green": "e10"}, variant="prince_and_princess", throw={"red": 1, "green": 3}, markers=both)
    state = after(state, "south: move red-princess f10 > f11")
    assert winners(state) is None
    state = after(state, "south: move green-prince e10 > f11")
    assert winners(state) == ("south",)
    assert GAME.outcome(state).rules == ("RP-45", "RP-52", "RP-53")
    lacking = {"red": FIVE["red"], "green": FIVE["green"][1:]}
    state = at("south", {"red": "f11", "green": "e10"}, variant="prince_and_princess", throw={"green": 3}, markers=lacking)
    assert "RP-A20" in against(state, "south: move green-prince e10 > f11")


# --- The simple two-handed game ---


@pytest.mark.rule("RP-54")
@pytest.mark.rule("RP-55")
def test_in_the_two_handed_game_each_plays_one_prince_from_opposite_corners_by_all_the_rules() -> None:
    state = new_game("two_handed")
    assert {s.piece: s.space for s in GAME.layout(state).standing} == {"red-prince": "a1", "yellow-prince": "k11"}
    state = after(state, "red: roll 5", "yellow: roll 2", "red: roll 3")
    assert legal(state) == ["move red-prince a1 > b2 (follow)"]


@pytest.mark.rule("RP-56")
def test_in_the_two_handed_game_nobles_are_secured_before_the_throne() -> None:
    state = at("red", {"red": "f10"}, variant="two_handed", throw={"red": 1})
    assert "RP-46" in against(state, "red: move red-prince f10 > f11")
    state = at("red", {"red": "c4"}, variant="two_handed", throw={"red": 1}, markers={"red": FIVE["red"][1:]})
    state = after(state, "red: move red-prince c4 > c3")
    assert "RP-56" in accepted(state, "red: mark > c3").rules


# --- The simple game for children ---


@pytest.mark.rule("RP-57")
@pytest.mark.rule("RP-58")
def test_two_three_or_four_children_start_each_from_a_corner() -> None:
    for players in (2, 3, 4):
        state = new_game("children", players)
        stands = {s.piece: s.space for s in GAME.layout(state).standing}
        assert len(stands) == players
        assert all(stands[f"{seat}-prince"] == CASTLE[seat] for seat in state.ground.seats)


@pytest.mark.rule("RP-59")
def test_children_disregard_markers_nobles_and_go_squares() -> None:
    state = at("red", throw={"red": 3}, variant="children")
    assert ends(state) == {"b2"}
    state = after(state, "red: move red-prince a1 > b2")
    assert position(state)["princes"]["red"] == "b2"
    assert due(state) == ["blue roll"]
    assert against(state, "red: mark > b2") == {"RP-59"}


@pytest.mark.rule("RP-60")
def test_the_throws_mean_the_same_to_children() -> None:
    for number in range(1, 7):
        main = at("red", {"red": "f4"}, throw={"red": number})
        simple = at("red", {"red": "f4"}, throw={"red": number}, variant="children")
        assert {e.strip("+") for e in ends(main)} == ends(simple)


@pytest.mark.rule("RP-61")
def test_the_first_prince_to_arrive_in_the_throne_space_is_the_winner() -> None:
    state = at("blue", {"blue": "f2"}, throw={"blue": 4}, variant="children")
    verdict = accepted(state, "blue: move blue-prince f2 > f1")
    assert winners(verdict.state) == ("blue",)
    assert [GAME.words.tell(s) for s in verdict.said] == ["Blue is first on the Throne and wins!"]


def test_every_rule_of_the_leaflet_is_enforced() -> None:
    assert Counter(bool(rule.left_to_players) for rule in GAME.rulebook.rules) == {False: 61}
