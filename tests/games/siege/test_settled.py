"""Points that the leaflet of Siege leaves open and that have one sensible answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.siege import GAME
from tests.games.siege.layouts import CORNER, COURT, written
from tests.games.siege.table import accepted, after, ends, is_legal, refused_by, start, table, winners


@pytest.mark.rule("SG-A01")
def test_the_board_is_a_reconstruction_and_says_so() -> None:
    board = GAME.board()
    assert board.standing == "reconstruction"
    assert {s.id for s in board.of_kind("castle")} == {c + r for c in "cdef" for r in "3456"}
    assert {s.id for s in board.of_kind("blue")} == {c + r for c in "ah" for r in "23456"}
    assert {s.id for s in board.of_kind("crown")} == {"d6", "e6"}
    assert {s.id for s in board.of_kind("dot")} == {"d4", "e4", "d5", "e5"}


@pytest.mark.rule("SG-A02")
def test_the_knights_squares_lie_one_row_in_front_in_line_with_a_column() -> None:
    board = GAME.board()
    assert [(s.id, s.number("row")) for s in board.of_kind("start")] == [("c0", 0), ("d0", 0), ("e0", 0), ("f0", 0)]
    assert all(board.at(s.number("column"), 1) for s in board.of_kind("start"))


@pytest.mark.rule("SG-A03")
def test_a_knight_leaps_over_places_where_there_is_no_square(tmp_path: Path) -> None:
    board = written(tmp_path / "court.json", COURT)  # c1 and f1 are missing
    assert is_legal(table("d0", commander="e6", board=board), "knight d0 > c2")
    assert is_legal(start(), "knight c0 > a1"), "b0 is no square on our board"


@pytest.mark.rule("SG-A05")
def test_a_knight_in_the_castle_may_not_leave_even_to_capture() -> None:
    assert refused_by(table("c4", "b6"), "knight c4 > b6") == {"SG-17"}


@pytest.mark.rule("SG-A07")
def test_a_lone_knight_stuck_on_blue_passes_until_the_draw() -> None:
    state = table("h6", "c3", "e6", readings={"back_into_castle": "only_two_back_one_side"}, quiet_turns=98)
    assert refused_by(after(state, "attacker: pass"), "defender c3 > h6") >= {"SG-20", "SG-22", "SG-37"}
    state = after(state, "attacker: pass", "defender c3 > c4")
    assert is_legal(state, "attacker: pass")
    assert is_legal(state, "attacker: draw")


@pytest.mark.rule("SG-A08")
def test_a_knight_on_blue_leaves_it_only_when_no_other_knight_can_move() -> None:
    assert is_legal(table("a4 c3"), "knight c3 > d5"), "he may rest there"
    alone = table("a4")
    assert {m.start for m in GAME.legal_moves(alone)} == {"a4"}, "he must go"
    assert refused_by(alone, "attacker: pass") == {"SG-09"}


@pytest.mark.rule("SG-A09")
def test_the_squares_that_the_commander_passes_are_empty_and_the_last_may_hold_a_knight() -> None:
    state = table("e5 d5", "", "c3", "defender")
    assert is_legal(state, "commander c3 > e5")
    assert refused_by(state, "commander c3 > f6") == {"SG-28"}


@pytest.mark.rule("SG-A10")
def test_all_four_diagonals_are_the_commanders() -> None:
    assert ends(table("h6", "", "d4", "defender"), "commander", "d4") == {"c3", "c5", "e3", "e5", "f6"}


@pytest.mark.rule("SG-A11")
def test_a_defender_on_the_other_crown_bars_the_step() -> None:
    assert refused_by(table("h6", "e6", "d6", "defender"), "commander d6 > e6") == {"SG-10"}


@pytest.mark.rule("SG-A12")
def test_the_crown_step_is_barred_while_the_special_rule_binds() -> None:
    assert refused_by(after(start(), "knight c0 > a1"), "commander d6 > e6") == {"SG-44"}


@pytest.mark.rule("SG-A15")
def test_a_black_dot_is_a_dot_too(tmp_path: Path) -> None:
    rows = [row.replace("gggggg", "gssssg") if i == 2 else row.replace("s", "g") for i, row in enumerate(CORNER)]
    board = written(tmp_path / "near.json", rows)  # the Knights start right in front of the Castle
    state = table("f1", "b3", "c4", "defender", board=board, opening=["nothing"] * 3)
    assert refused_by(state, "defender b3 > b2") == {"SG-46"}
    assert is_legal(state, "defender b3 > a2")
    ours = start()
    reached = {m.to for m in GAME.legal_moves(after(ours, "knight c0 > a1"))}
    assert reached.isdisjoint({"c0", "d0", "e0", "f0"})


@pytest.mark.rule("SG-A18")
def test_the_prompt_tells_where_a_piece_can_be_taken() -> None:
    state = after(start(), "knight d0 > c2")
    assert GAME.words.tell(GAME.due(state)[0].say) == (
        "Defender, the rule of your first four turns is lifted now: a piece can be taken on d4. Move as you like."
    )
    knight = table("b3", "c4 e4 d5 e5", "e6", "defender", opening=["nothing"])
    assert "can be taken on b3." in GAME.words.tell(GAME.due(knight)[0].say)
    by_commander = table("f5", "d5 c6 c3", "e6", "defender", opening=["nothing", "nothing"])
    assert "can be taken on f5." in GAME.words.tell(GAME.due(by_commander)[0].say)


@pytest.mark.rule("SG-A23")
def test_with_nobody_left_on_a_starting_square_the_special_rule_lapses() -> None:
    state = table("a1", "c3 c5", "e6", "defender", opening=["nothing", "nothing"])
    assert is_legal(state, "commander e6 > f5")
    assert "SG-A23" in accepted(state, "commander e6 > f5").rules
    assert GAME.words.tell(GAME.due(state)[0].say) == "Defender, move one of your pieces."


@pytest.mark.rule("SG-A24")
def test_a_defender_returns_to_a_dot_in_the_first_four_turns_only_when_the_rule_is_lifted() -> None:
    calm = table("a1", "d3 e4 d5 e5", "e6", "defender", opening=["nothing"])
    assert refused_by(calm, "defender d3 > d4") == {"SG-45", "SG-46", "SG-A14"}
    lifted = table("b2", "d3 e4 d5 e5", "e6", "defender", opening=["nothing"])  # the Knight could take d3
    assert is_legal(lifted, "defender d3 > d4")


@pytest.mark.rule("SG-A25")
def test_no_knight_ever_returns_to_a_black_dot() -> None:
    starts = {s.id for s in GAME.board().of_kind("start")}
    for square in GAME.board().spaces:
        assert ends(table(square, commander="f6" if square != "f6" else "c3"), "knight", square).isdisjoint(starts)


@pytest.mark.rule("SG-A27")
def test_the_crown_is_chosen_before_the_attackers_first_move() -> None:
    state = GAME.set_up(GAME.terms())
    assert [(d.seat, d.what) for d in GAME.due(state)] == [("defender", "move")]
    for text in ("knight c0 > b2", "attacker: pass", "attacker: draw"):
        assert refused_by(state, text) == {"SG-06", "SG-A27"}
    assert refused_by(start(), "defender: place commander > e6") == {"SG-06", "SG-A27"}


@pytest.mark.rule("SG-A28")
def test_forward_and_back_follow_the_line_from_the_attacker_to_the_defender(tmp_path: Path) -> None:
    lowest = min(s.number("row") for s in GAME.board().spaces.values())
    assert {s.number("row") for s in GAME.board().of_kind("start")} == {lowest}
    assert max(s.number("row") for s in GAME.board().of_kind("crown")) == 6
    board = written(tmp_path / "higher.json", CORNER, first_row=7)
    assert all(int(end[1:]) > 7 for end in ends(start("c11", board), "knight", "d7")), "only the order of the rows matters"


@pytest.mark.rule("SG-A30")
def test_the_commander_alone_plays_on_and_may_win() -> None:
    state = table("e5", "", "d6", "defender")
    assert winners(state) is None
    assert winners(after(state, "commander d6 > e5")) == ("defender",)
