"""The leaflet of Siege, sentence by sentence and in its order."""

from __future__ import annotations

import pytest

from companion.games.siege import GAME
from companion.layout import Change, changes
from tests.games.siege.table import accepted, after, ends, is_legal, refused_by, said, stands, start, table, tried, winners

# --- the two sides, and the object of the game ---


@pytest.mark.rule("SG-01")
def test_the_attacker_has_four_knights_the_defender_four_defenders_and_the_commander() -> None:
    state = start()
    assert [len(stands(state, piece)) for piece in ("knight", "defender", "commander")] == [4, 4, 1]
    assert {m.piece for m in GAME.legal_moves(state)} == {"knight"}
    assert refused_by(state, "attacker: move commander d6 > c5") == {"SG-09"}, "a Commander is not the Attacker's"


@pytest.mark.rule("SG-02")
def test_the_attacker_tries_to_capture_the_commander() -> None:
    verdict = accepted(table("e4", "c3", "d6"), "knight e4 > d6")
    assert winners(verdict.state) == ("attacker",)
    assert "SG-02" in verdict.rules


@pytest.mark.rule("SG-03")
def test_the_defender_tries_to_take_the_four_knights_first() -> None:
    verdict = accepted(table("e4", "d3", "d6", "defender"), "defender d3 > e4")
    assert winners(verdict.state) == ("defender",)
    assert "SG-03" in verdict.rules


# --- to set up the game ---


@pytest.mark.rule("SG-04")
def test_the_title_faces_the_attacker_so_forward_is_from_him_to_the_defender() -> None:
    assert ends(start(), "knight", "d0") == {"c2", "e2", "b1", "f1"}, "all of them in higher rows"


@pytest.mark.rule("SG-05")
def test_the_knights_are_placed_on_the_black_dots() -> None:
    assert stands(start(), "knight") == {"c0", "d0", "e0", "f0"}


@pytest.mark.rule("SG-06")
def test_the_commander_is_placed_on_either_crown_square() -> None:
    state = GAME.set_up(GAME.terms())
    assert {m.to for m in GAME.legal_moves(state)} == {"d6", "e6"}
    assert stands(after(state, "defender: place commander > e6"), "commander") == {"e6"}
    assert refused_by(state, "defender: place commander > c5") == {"SG-06"}
    assert refused_by(state, "attacker: place commander > d6") == {"SG-06"}
    assert "SG-06" in refused_by(start(), "defender: place commander > e6"), "he is placed once"


@pytest.mark.rule("SG-07")
def test_each_defender_is_placed_on_a_dotted_square_of_the_castle() -> None:
    assert stands(start(), "defender") == {"d4", "e4", "d5", "e5"}


@pytest.mark.rule("SG-08")
def test_the_arrangement_of_the_defenders_does_not_matter() -> None:
    assert {s.piece for s in GAME.layout(start()).standing if s.space in {"d4", "e4", "d5", "e5"}} == {"defender"}


@pytest.mark.rule("SG-09")
def test_each_player_in_his_turn_must_move_one_of_his_pieces() -> None:
    state = table("d2", "c4", "d6", "defender")
    assert refused_by(state, "defender: pass") == {"SG-09"}
    assert refused_by(state, "defender c4 > c4") == {"SG-09"}, "standing still is no move"
    assert refused_by(state, "defender e5 > e6") == {"SG-09"}, "nobody stands there"
    assert refused_by(state, "defender: move knight d2 > e4") == {"SG-09"}, "a Knight is not his"
    assert [(d.seat, d.what, d.optional) for d in GAME.due(state)] == [("defender", "move", False)]


# --- how the pieces move ---


@pytest.mark.rule("SG-10")
def test_only_one_piece_may_occupy_a_square() -> None:
    assert refused_by(table("d2 c4", "", "d6"), "knight d2 > c4") == {"SG-10"}
    state = table("a1", "c4 c5 e5", "d6", "defender")
    assert refused_by(state, "defender c4 > c5") == {"SG-10"}
    assert refused_by(state, "commander d6 > e5") == {"SG-10"}
    assert "SG-10" in refused_by(state, "defender c5 > d6")


@pytest.mark.rule("SG-19")
def test_the_knights_all_move_alike() -> None:
    for square in ("b2", "d4", "a5"):
        alone = ends(table(square, "", "f3"), "knight", square)
        beside = ends(table(f"h1 {square}", "", "f3"), "knight", square)
        assert alone == beside


@pytest.mark.rule("SG-11")
def test_a_knight_leaps_two_squares_forward_and_one_to_either_side() -> None:
    state = table("d1")
    assert is_legal(state, "knight d1 > c3")
    assert is_legal(state, "knight d1 > e3")
    assert refused_by(state, "knight d1 > d3") == {"SG-11", "SG-12"}
    assert "SG-11" in accepted(state, "knight d1 > e3").rules


@pytest.mark.rule("SG-12")
def test_or_one_square_forward_and_two_to_either_side() -> None:
    state = table("d1")
    assert is_legal(state, "knight d1 > b2")
    assert is_legal(state, "knight d1 > f2")
    assert refused_by(state, "knight d1 > f3") == {"SG-11", "SG-12"}
    assert "SG-12" in accepted(state, "knight d1 > f2").rules


@pytest.mark.rule("SG-13")
def test_a_knight_cannot_move_backward() -> None:
    state = table("b3")
    assert "SG-13" in refused_by(state, "knight b3 > a1")
    assert "SG-13" in refused_by(state, "knight b3 > c1")
    assert "SG-13" in refused_by(state, "knight b3 > d2")
    assert ends(state, "knight", "b3") == {"a5", "c5", "d4"}


@pytest.mark.rule("SG-14")
def test_except_when_he_is_within_the_castle() -> None:
    state = table("d5")
    assert ends(state, "knight", "d5") == {"c3", "e3", "f4", "f6"}
    assert "SG-14" in accepted(state, "knight d5 > c3").rules


@pytest.mark.rule("SG-15")
def test_or_for_the_move_that_leaps_him_into_the_castle() -> None:
    state = table("b6", commander="d4")
    assert ends(state, "knight", "b6") == {"c4", "d5"}
    assert "SG-15" in accepted(state, "knight b6 > c4").rules
    assert "SG-15" in refused_by(state, "knight b6 > a4")


@pytest.mark.rule("SG-16")
def test_knights_may_move_onto_green_blue_and_castle_squares_and_crowns() -> None:
    assert is_legal(table("c0"), "knight c0 > a1"), "green"
    assert is_legal(table("c1"), "knight c1 > a2"), "blue"
    assert is_legal(table("d1"), "knight d1 > c3"), "Castle"
    assert is_legal(table("c4", commander="e6"), "knight c4 > d6"), "Crown"


@pytest.mark.rule("SG-17")
def test_once_in_the_castle_he_cannot_move_out_again() -> None:
    state = table("c4")
    assert refused_by(state, "knight c4 > b6") == {"SG-17"}
    assert refused_by(state, "knight c4 > a5") == {"SG-17"}
    assert refused_by(state, "knight c4 > b2") == {"SG-17"}
    assert ends(state, "knight", "c4") == {"d6", "e5", "e3"}


@pytest.mark.rule("SG-18")
def test_a_knight_may_leap_over_his_own_and_his_opponents_pieces() -> None:
    state = table("d2 c3 d3", "e3 c2 e2", "d6")
    assert is_legal(state, "knight d2 > c4")
    assert is_legal(state, "knight d2 > e4")


@pytest.mark.rule("SG-24")
def test_all_defenders_move_alike() -> None:
    for square in ("d2", "d4", "b3"):
        alone = ends(table("h6", square, "f6", "defender"), "defender", square)
        beside = ends(table("h6", f"{square} g1", "f6", "defender"), "defender", square)
        assert alone == beside


@pytest.mark.rule("SG-20")
def test_a_defender_moves_one_square_forward_backward_sideward_or_diagonally() -> None:
    state = table("h6", "d2", "d6", "defender")
    assert ends(state, "defender", "d2") == {"c1", "d1", "e1", "c2", "e2", "c3", "d3", "e3"}
    assert refused_by(state, "defender d2 > d4") == {"SG-20"}
    assert refused_by(state, "defender d2 > f2") == {"SG-20"}


@pytest.mark.rule("SG-21")
def test_a_defender_may_move_on_castle_squares_crowns_and_green_squares_with_black_dots_too() -> None:
    assert is_legal(table("h6", "c5", "e6", "defender"), "defender c5 > d6"), "a Crown"
    assert is_legal(table("h6", "c4", "e6", "defender"), "defender c4 > b4"), "green"
    assert {"c0", "d0", "e0"} <= ends(table("h6", "d1", "e6", "defender"), "defender", "d1"), "black dots"


@pytest.mark.rule("SG-22")
def test_but_not_onto_the_blue_squares() -> None:
    state = table("h6", "b3", "d6", "defender")
    for blue in ("a2", "a3", "a4"):
        assert refused_by(state, f"defender b3 > {blue}") == {"SG-22"}


@pytest.mark.rule("SG-23")
def test_a_defender_may_be_moved_out_of_the_castle_and_back_at_any_time() -> None:
    state = table("a2 h2", "c4", "d6", "defender")
    state = after(state, "defender c4 > b5", "knight h2 > g4")
    assert stands(state, "defender") == {"b5"}
    assert "SG-23" in accepted(state, "defender b5 > c5").rules


@pytest.mark.rule("SG-25")
def test_the_commander_must_move_on_castle_squares_only() -> None:
    state = table("h6", "", "c4", "defender")
    assert "SG-25" in refused_by(state, "commander c4 > b5")
    assert "SG-25" in refused_by(state, "commander c4 > b3")
    assert ends(state, "commander", "c4") == {"d5", "e6", "d3"}


@pytest.mark.rule("SG-26")
def test_the_commander_must_move_on_the_diagonal_only() -> None:
    state = table("h6", "", "d4", "defender")
    assert "SG-26" in refused_by(state, "commander d4 > d5")
    assert "SG-26" in refused_by(state, "commander d4 > e4")
    assert "SG-26" in refused_by(state, "commander d4 > f5")


@pytest.mark.rule("SG-27")
def test_the_commander_moves_one_two_or_three_squares_to_front_or_rear() -> None:
    assert ends(table("h6", "", "c3", "defender"), "commander", "c3") == {"d4", "e5", "f6"}
    assert ends(table("h6", "", "f6", "defender"), "commander", "f6") == {"e5", "d4", "c3"}
    assert "SG-27" in accepted(table("h6", "", "c3", "defender"), "commander c3 > f6").rules


@pytest.mark.rule("SG-28")
def test_the_commander_moves_along_empty_squares_and_jumps_over_nobody() -> None:
    state = table("d4", "e4", "c3", "defender")
    assert refused_by(state, "commander c3 > e5") == {"SG-28"}, "a Knight on d4"
    assert refused_by(state, "commander c3 > f6") == {"SG-28"}
    state = table("h6", "d4", "c3", "defender")
    assert refused_by(state, "commander c3 > e5") == {"SG-28"}, "his own man on d4"
    assert "SG-28" in accepted(table("h6", "", "c3", "defender"), "commander c3 > e5").rules


@pytest.mark.rule("SG-29")
def test_from_one_crown_he_may_move_sideways_to_the_other_counting_as_a_move() -> None:
    state = table("h6", "", "d6", "defender")
    verdict = accepted(state, "commander d6 > e6")
    assert "SG-29" in verdict.rules
    assert verdict.state.to_move == 0
    assert "SG-29" in refused_by(state, "commander d6 > c6"), "only to the other Crown"
    assert "SG-29" in refused_by(table("h6", "", "e5", "defender"), "commander e5 > d5"), "only from a Crown"


# --- to play the game ---


@pytest.mark.rule("SG-30")
def test_players_take_turns_moving_one_piece_in_each() -> None:
    state = after(start(), "knight c0 > b2")
    assert "SG-30" in refused_by(state, "knight d0 > c2")
    state = after(state, "defender d4 > d3")
    assert "SG-30" in refused_by(state, "defender e4 > f4")
    assert {"SG-30", "SG-20"} <= refused_by(state, "defender e4 > g4"), "everything that is wrong is told"


@pytest.mark.rule("SG-31")
def test_the_attacker_moves_first() -> None:
    state = start()
    assert [d.seat for d in GAME.due(state)] == ["attacker"]
    assert "SG-31" in refused_by(state, "defender d4 > c4")


@pytest.mark.rule("SG-32")
def test_knights_capture_a_defender_or_the_commander_by_landing_on_him() -> None:
    verdict = accepted(table("d2", "c4 e5", "d6"), "knight d2 > c4")
    assert stands(verdict.state, "defender") == {"e5"}
    assert said(verdict) == ["The Knight captures the Defender on c4."]
    assert "SG-32" in verdict.rules
    verdict = accepted(table("c4", "e5", "d6"), "knight c4 > d6")
    assert stands(verdict.state, "commander") == set()
    assert said(verdict)[0] == "The Knight captures the Commander on d6."


@pytest.mark.rule("SG-33")
def test_pieces_leaped_over_are_not_captured() -> None:
    verdict = accepted(table("d2", "d3 c3 c4", "d6"), "knight d2 > c4")
    assert stands(verdict.state, "defender") == {"d3", "c3"}
    assert "SG-33" in verdict.rules


@pytest.mark.rule("SG-34")
def test_the_defenders_capture_only_while_moving_on_a_diagonal() -> None:
    state = table("d4 c4", "c3", "d6", "defender")
    assert is_legal(state, "defender c3 > d4")
    assert refused_by(state, "defender c3 > c4") == {"SG-34", "SG-36"}


@pytest.mark.rule("SG-35")
def test_a_defender_captures_a_knight_by_moving_onto_his_square() -> None:
    verdict = accepted(table("d4 c4", "c3", "d6", "defender"), "defender c3 > d4")
    assert stands(verdict.state, "knight") == {"c4"}
    assert stands(verdict.state, "defender") == {"d4"}
    assert "SG-35" in verdict.rules


@pytest.mark.rule("SG-36")
def test_a_straight_step_onto_a_knight_is_not_a_move_at_all() -> None:
    state = table("c4 h6", "c3", "d6", "defender")
    assert "SG-36" in refused_by(state, "defender c3 > c4")
    assert "c4" not in ends(state, "defender", "c3")


@pytest.mark.rule("SG-37")
def test_a_defender_cannot_capture_a_knight_on_a_blue_square() -> None:
    state = table("a4 a3", "b3", "d6", "defender")
    assert refused_by(state, "defender b3 > a4") == {"SG-22", "SG-37"}
    assert refused_by(state, "defender b3 > a3") == {"SG-22", "SG-37"}
    assert refused_by(state, "defender b3 > a2") == {"SG-22"}, "nobody stands there"


@pytest.mark.rule("SG-38")
def test_the_commander_captures_a_knight_with_a_diagonal_move_within_the_castle() -> None:
    verdict = accepted(table("e5 h6", "", "c3", "defender"), "commander c3 > e5")
    assert stands(verdict.state, "knight") == {"h6"}
    assert {"SG-38"} <= set(verdict.rules)
    assert "SG-25" in refused_by(table("b2 h6", "", "c3", "defender"), "commander c3 > b2"), "not outside"


@pytest.mark.rule("SG-39")
def test_or_with_a_sideward_move_from_one_crown_to_the_other() -> None:
    verdict = accepted(table("e6 h6", "", "d6", "defender"), "commander d6 > e6")
    assert stands(verdict.state, "knight") == {"h6"}
    assert "SG-39" in verdict.rules
    assert "SG-38" not in verdict.rules


@pytest.mark.rule("SG-40")
def test_a_player_is_not_forced_to_capture() -> None:
    assert is_legal(table("d2 h1", "c4", "d6"), "knight h1 > g3")
    assert is_legal(table("d4 h1", "c3", "d6", "defender"), "defender c3 > b3")


@pytest.mark.rule("SG-41")
def test_a_captured_piece_is_removed_and_out_of_the_game() -> None:
    before = table("d2", "c4 e5", "d6")
    verdict = accepted(before, "knight d2 > c4")
    assert "SG-41" in verdict.rules
    assert changes(GAME.layout(before), GAME.layout(verdict.state)) == (
        Change("take", "defender", "c4"), Change("move", "knight", "d2", "c4"),
    )  # fmt: skip
    assert len(stands(verdict.state, "defender")) == 1


@pytest.mark.rule("SG-42")
def test_the_attacker_wins_when_he_captures_the_commander_even_though_defenders_are_left() -> None:
    verdict = accepted(table("c4", "e5 e4 f5 c3", "d6"), "knight c4 > d6")
    assert winners(verdict.state) == ("attacker",)
    assert said(verdict)[-1] == "The Commander is captured. The Attacker wins!"
    assert "SG-42" in verdict.rules
    assert "SG-42" in refused_by(verdict.state, "defender e5 > f6"), "the game is over"
    assert GAME.legal_moves(verdict.state) == []


@pytest.mark.rule("SG-43")
def test_the_defender_wins_when_he_has_captured_all_four_knights() -> None:
    verdict = accepted(table("d4 e3", "c3", "d6", "defender"), "defender c3 > d4")
    assert winners(verdict.state) is None, "one Knight is left"
    verdict = accepted(table("e3", "d4", "d6", "defender"), "defender d4 > e3")
    assert winners(verdict.state) == ("defender",)
    assert said(verdict)[-1] == "The last Knight is captured. The Defender wins!"
    assert "SG-43" in refused_by(verdict.state, "knight e3 > d5"), "the game is over"


# --- special rule ---


@pytest.mark.rule("SG-44")
def test_in_his_first_four_turns_the_defending_player_must_move_a_defender() -> None:
    state = after(start(), "knight c0 > b2")
    assert refused_by(state, "commander d6 > c5") == {"SG-44"}
    assert {m.piece for m in GAME.legal_moves(state)} == {"defender"}
    verdict = accepted(state, "defender d4 > d3")
    assert {"SG-44", "SG-45", "SG-46"} <= set(verdict.rules)
    assert "turn 1 of your first four" in GAME.words.tell(GAME.due(state)[0].say)


@pytest.mark.rule("SG-45")
def test_one_in_each_turn_off_its_starting_square() -> None:
    state = after(start(), "knight c0 > b2", "defender d5 > c6", "knight b2 > a4")
    assert "SG-45" in refused_by(state, "defender c6 > c5"), "it has left its square already"
    assert is_legal(state, "defender d4 > d3")


@pytest.mark.rule("SG-46")
def test_into_a_square_without_a_dot() -> None:
    state = after(start(), "knight c0 > b2", "defender d5 > c6", "knight b2 > a4")
    assert refused_by(state, "defender e5 > d5") == {"SG-46"}


@pytest.mark.rule("SG-47")
def test_after_his_first_four_moves_there_is_no_restriction() -> None:
    turns = ["defender d5 > c6", "defender d4 > d3", "defender e4 > f4", "defender e5 > f6"]
    state = start()
    for knight, man in zip(["c0 > a1", "a1 > b3", "f0 > h1", "h1 > g3"], turns, strict=True):
        state = after(state, f"knight {knight}")
        verdict = tried(state, man)
        state = after(state, man)
    assert "SG-47" in verdict.rules
    state = after(state, "knight d0 > c2")
    assert is_legal(state, "commander d6 > e6")
    assert is_legal(state, "defender c6 > d5"), "back to a dot"


@pytest.mark.rule("SG-48")
def test_the_special_rule_does_not_apply_if_a_piece_of_either_side_could_be_captured_next() -> None:
    defender_in_danger = after(start(), "knight d0 > c2")  # the Knight could go on to d4
    assert is_legal(defender_in_danger, "commander d6 > c5")
    knight_in_danger = table("b3", "c4 e4 d5 e5", "e6", "defender", opening=["nothing"])  # c4 could take him on b3
    verdict = accepted(knight_in_danger, "commander e6 > f5")
    assert "SG-48" in verdict.rules
    assert GAME.position(verdict.state)["opening"] == ["nothing", "attacker"]


@pytest.mark.rule("SG-48")
def test_the_commander_is_such_a_piece_whether_he_is_in_danger_or_could_capture() -> None:
    in_danger = table("c4", "c3 d4 e4", "d6", "defender", opening=["nothing"])  # the Knight could take him, and nobody else
    assert is_legal(in_danger, "commander d6 > e6")
    capturing = table("e6", "e4 c3", "d6", "defender", opening=["nothing"])  # only he could take the Knight, Crown to Crown
    assert is_legal(capturing, "commander d6 > e6")
    barred = table("c3", "e5 b1", "f6", "defender", opening=["nothing"])  # his own man stands between him and the Knight
    assert refused_by(barred, "commander f6 > e5") >= {"SG-44"}
    assert ends(barred, "commander", "f6") == set()


@pytest.mark.rule("SG-49")
def test_then_a_defender_may_be_moved_without_being_restricted() -> None:
    state = table("c3", "d4 e4 e5 f4", "e6", "defender", opening=["nothing"])
    assert is_legal(state, "defender f4 > f3"), "it has moved before"
    assert is_legal(state, "defender e5 > d5"), "to a dot"
    assert "SG-49" in accepted(state, "defender e5 > d5").rules
    assert "lifted" in GAME.words.tell(GAME.due(state)[0].say)
