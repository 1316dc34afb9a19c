"""Each value of each reading of Siege, and what it changes at the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.siege import GAME
from companion.games.siege.state import State
from tests.games.siege.layouts import CORNER, written
from tests.games.siege.table import accepted, after, ends, event, is_legal, refused_by, said, start, table, tried, winners

# One turn of the Defender is over; c4 has moved. A Knight on b3 could be taken by c4, and threatens nobody.
KNIGHT_IN_DANGER = {"knights": "b3", "defenders": "c4 e4 d5 e5", "commander": "e6", "turn": "defender"}
# A Knight on c2 threatens d4; nothing else is in danger.
DEFENDER_IN_DANGER = {"knights": "c2", "defenders": "d4 e4 d5 f6", "commander": "e6", "turn": "defender"}
# Nothing is in danger.
CALM = {"knights": "a1", "defenders": "d3 e4 d5 e5", "commander": "e6", "turn": "defender"}


# --- SG-A04 ---


@pytest.mark.reading("back_into_castle", "all")
def test_every_leap_back_into_the_castle_is_allowed() -> None:
    assert ends(table("a6"), "knight", "a6") == {"c5"}
    assert ends(table("b6", commander="e5"), "knight", "b6") == {"c4", "d5"}


@pytest.mark.reading("back_into_castle", "only_two_back_one_side")
def test_only_two_back_and_one_to_the_side_leads_into_the_castle() -> None:
    only = {"back_into_castle": "only_two_back_one_side"}
    state = table("b6", commander="e5", readings=only)
    assert ends(state, "knight", "b6") == {"c4"}
    assert refused_by(state, "knight b6 > d5") == {"SG-A04"}
    assert is_legal(table("d5", readings=only), "knight d5 > f4"), "inside the Castle he leaps as he likes"
    assert is_legal(table("b4", readings=only), "knight b4 > d5"), "and forward into it too"


# --- SG-A06: a6 and h6 are dead ends when a Knight cannot leap back flat ---


def dead_end(no_move: str, turn: str = "attacker", **fields: object) -> State:
    readings = {"back_into_castle": "only_two_back_one_side", "no_move": no_move}
    return table("a6", "c3", "e6", turn, readings, **fields)


@pytest.mark.reading("no_move", "pass")
def test_whoever_cannot_move_passes() -> None:
    state = dead_end("pass")
    assert GAME.legal_moves(state) == [event(state, "attacker: pass")]
    verdict = accepted(state, "attacker: pass")
    assert said(verdict) == ["Attacker has no move and passes."]
    assert verdict.rules == ("SG-A06",)
    assert verdict.state.to_move == 1
    assert verdict.state.quiet == 1
    assert winners(after(verdict.state, "defender c3 > c4")) is None


@pytest.mark.reading("no_move", "loses")
def test_whoever_cannot_move_loses() -> None:
    verdict = accepted(dead_end("loses", "defender"), "defender c3 > c4")
    assert winners(verdict.state) == ("defender",)
    assert said(verdict) == ["Attacker has no move left and loses."]
    assert "SG-A06" in verdict.rules
    assert winners(dead_end("loses")) == ("defender",), "also in a position from a file"
    assert refused_by(dead_end("loses"), "knight a6 > c5") == {"SG-A06"}
    assert refused_by(dead_end("loses"), "attacker: pass") == {"SG-A06"}


@pytest.mark.reading("no_move", "draw")
def test_whoever_cannot_move_draws() -> None:
    verdict = accepted(dead_end("draw", "defender"), "defender c3 > c4")
    assert winners(verdict.state) == ()
    assert said(verdict) == ["Attacker has no move left. The game is drawn."]
    assert winners(dead_end("draw")) == ()


@pytest.mark.parametrize("no_move", ["pass", "loses", "draw"])
def test_a_special_rule_that_cannot_be_kept_lapses_under_every_reading(no_move: str, tmp_path: Path) -> None:
    """On this board the Defender on a4 has only dotted squares round him."""
    board = written(tmp_path / "corner.json", CORNER)
    men = {"defenders": "a4 c1 d1", "unmoved": ["a4"], "opening": ["nothing"] * 3}
    state = table("f2", commander="c4", turn="defender", readings={"no_move": no_move}, board=board, **men)
    assert winners(state) is None
    assert is_legal(state, "defender a4 > b4")
    assert "SG-A06" in accepted(state, "commander c4 > d3").rules
    assert GAME.words.tell(GAME.due(state)[0].say) == "Defender, move one of your pieces."


# --- SG-A13 ---


@pytest.mark.reading("castle_wall", "open")
def test_a_defender_crosses_the_wall_in_any_direction() -> None:
    assert is_legal(table("h6", "c3", "e6", "defender"), "defender c3 > b2")
    assert is_legal(table("b2 h6", "c3", "e6", "defender"), "defender c3 > b2"), "also to capture"


@pytest.mark.reading("castle_wall", "orthogonal_crossing_only")
def test_a_defender_crosses_the_wall_only_straight() -> None:
    walled = {"castle_wall": "orthogonal_crossing_only"}
    state = table("b2 h6", "c3 b5", "e6", "defender", walled)
    assert refused_by(state, "defender c3 > b2") == {"SG-A13"}
    assert refused_by(state, "defender c3 > d2") == {"SG-A13"}
    assert refused_by(state, "defender b5 > c6") == {"SG-A13"}
    assert is_legal(state, "defender c3 > b3")
    assert is_legal(state, "defender c3 > d4"), "inside it is no wall"
    calm = table(**KNIGHT_IN_DANGER, readings=walled, opening=["nothing"])
    assert "SG-44" in refused_by(calm, "commander e6 > f5"), "over the wall nobody can be taken, so nothing is in danger"


# --- SG-A14 ---


@pytest.mark.reading("special_men", "four_different")
def test_four_different_defenders_move_in_the_first_four_turns() -> None:
    state = table(**CALM, opening=["nothing", "nothing"], unmoved=["e4", "e5"])
    assert "SG-45" in refused_by(state, "defender d5 > c5"), "it stands on a dot, but has been away"
    assert is_legal(state, "defender e5 > f5")


@pytest.mark.reading("special_men", "any_on_dot")
def test_any_defender_on_a_dot_may_move_in_the_first_four_turns() -> None:
    any_man = {"special_men": "any_on_dot"}
    state = table(**CALM, readings=any_man, opening=["nothing", "nothing"], unmoved=["e4", "e5"])
    assert is_legal(state, "defender d5 > c5")
    verdict = tried(state, "defender d3 > c4")
    assert verdict.rules == ("SG-45", "SG-A14")
    assert GAME.words.tell(verdict.objections[0].why).endswith("d3 has no dot.")
    assert "off a dotted square" in GAME.words.tell(GAME.due(state)[0].say)


# --- SG-A16 ---


def lifted_once(**readings: str) -> State:
    """The first turn was exempt, the second is calm."""
    return table(**CALM, readings=readings, opening=["defender"])


@pytest.mark.reading("special_exempt", "that_turn")
def test_the_special_rule_is_lifted_for_that_turn_only() -> None:
    assert refused_by(lifted_once(), "commander e6 > f5") == {"SG-44"}


@pytest.mark.reading("special_exempt", "from_then_on")
def test_the_special_rule_is_lifted_for_good() -> None:
    state = lifted_once(special_exempt="from_then_on")
    assert "SG-A16" in accepted(state, "commander e6 > f5").rules
    never = table(**CALM, readings={"special_exempt": "from_then_on"}, opening=["nothing"])
    assert refused_by(never, "commander e6 > f5") == {"SG-44"}


@pytest.mark.parametrize("test", ["both_sides", "own_side_only"])
def test_what_lifted_it_for_good_follows_the_other_reading(test: str) -> None:
    readings = {"special_exempt": "from_then_on", "threat_test": test}
    state = table(**CALM, readings=readings, opening=["attacker"])
    assert is_legal(state, "commander e6 > f5") == (test == "both_sides")


def test_a_danger_that_the_attacker_left_standing_by_missing_his_turn_lifts_it_too() -> None:
    state = table(**(DEFENDER_IN_DANGER | {"turn": "attacker"}), readings={"special_exempt": "from_then_on"}, opening=["nothing"])
    state = GAME.skip(state, "attacker")
    assert is_legal(state, "commander e6 > f5")
    state = GAME.skip(state, "defender")
    assert GAME.position(state)["opening"] == ["nothing", "defender"]


# --- SG-A17 ---


@pytest.mark.reading("threat_test", "both_sides")
def test_a_piece_of_either_side_in_danger_lifts_the_special_rule() -> None:
    for danger in (KNIGHT_IN_DANGER, DEFENDER_IN_DANGER):
        assert is_legal(table(**danger, opening=["nothing"]), "commander e6 > f5")
    assert not is_legal(table(**CALM, opening=["nothing"]), "commander e6 > f5")


@pytest.mark.reading("threat_test", "own_side_only")
def test_only_the_defenders_own_pieces_in_danger_lift_it() -> None:
    own = {"threat_test": "own_side_only"}
    assert is_legal(table(**DEFENDER_IN_DANGER, readings=own, opening=["nothing"]), "commander e6 > f5")
    state = table(**KNIGHT_IN_DANGER, readings=own, opening=["nothing"])
    assert "SG-44" in refused_by(state, "commander e6 > f5")
    assert "SG-45" in refused_by(state, "defender c4 > b3"), "a man that has moved may not even capture"


def test_where_a_knight_in_danger_does_not_lift_it_a_fresh_man_may_capture_him() -> None:
    own = {"threat_test": "own_side_only"}
    state = table("f6", "e5 c4", "c3", "defender", own, opening=["nothing", "nothing"])
    assert state.opening.men
    assert is_legal(state, "defender e5 > f6")
    assert refused_by(state, "commander c3 > d4") == {"SG-44"}


def test_but_not_on_a_dot(tmp_path: Path) -> None:
    own = {"threat_test": "own_side_only"}
    state = table("d5", "e4 c4", "c6", "defender", own, opening=["nothing"])
    assert refused_by(state, "defender e4 > d5") == {"SG-46"}
    assert "d5" not in ends(state, "defender", "e4")
    board = written(tmp_path / "corner.json", CORNER)
    taking = table("c3", "b4", "c4", "defender", own, board, opening=["nothing"])
    assert [(m.start, m.to) for m in GAME.legal_moves(taking)] == [("b4", "c3")], "capturing is the only way to keep the rule"


def test_a_man_captured_before_he_moved_is_not_waited_for() -> None:
    state = after(table("c2", "d4 e4 d5 e5", "e6", opening=[]), "knight c2 > d4")
    assert GAME.position(state)["unmoved"] == ["e4", "d5", "e5"]
    later = after(table("c2 b1", "d4 c5 e5 f3", "e6", unmoved=["d4", "e5"]), "knight c2 > d4", "defender c5 > d4", "knight b1 > a3")
    assert GAME.position(later)["unmoved"] == ["e5"], "another man on the same dot has moved"


# --- SG-A19 ---


@pytest.mark.reading("exempt_commander", "yes")
def test_when_the_rule_is_lifted_the_commander_may_move_too() -> None:
    assert is_legal(table(**DEFENDER_IN_DANGER, opening=["nothing"]), "commander e6 > f5")


@pytest.mark.reading("exempt_commander", "no")
def test_when_the_rule_is_lifted_only_defenders_are_free() -> None:
    no = {"exempt_commander": "no"}
    state = table(**DEFENDER_IN_DANGER, readings=no, opening=["nothing"])
    assert refused_by(state, "commander e6 > f5") == {"SG-49", "SG-A19"}
    assert is_legal(state, "defender f6 > f5")
    assert GAME.words.tell(GAME.due(state)[0].say).endswith("Move any Defender.")
    assert is_legal(table(**DEFENDER_IN_DANGER, readings=no), "commander e6 > f5"), "after the first four turns he is free"
    alone = table("c2 c4", "", "e6", "defender", no, opening=["nothing"])
    assert is_legal(alone, "commander e6 > f5"), "he must move, since there is nobody else"


# --- SG-A20 ---


def three_exempt_turns(**readings: str) -> State:
    """Four turns are over, in three of them a piece was in danger."""
    return table(**CALM, readings=readings, opening=["defender", "both", "nothing", "attacker"], unmoved=["e4", "e5"])


@pytest.mark.reading("exempt_counts", "yes")
def test_exempt_turns_use_up_the_first_four() -> None:
    assert is_legal(three_exempt_turns(), "commander e6 > f5")


@pytest.mark.reading("exempt_counts", "no")
def test_exempt_turns_do_not_count() -> None:
    state = three_exempt_turns(exempt_counts="no")
    assert "SG-44" in refused_by(state, "commander e6 > f5")
    assert "turn 2 of your first four" in GAME.words.tell(GAME.due(state)[0].say)
    for man in ("defender e5 > f5", "defender e4 > e3"):
        state = after(state, man)
        assert state.opening.lasts
        state = GAME.skip(state, "attacker")
    assert "SG-A23" in accepted(state, "commander e6 > d6").rules, "the fourth has nobody left to move"


def test_a_rule_that_is_lifted_for_good_is_not_put_off() -> None:
    state = three_exempt_turns(exempt_counts="no", special_exempt="from_then_on", exempt_commander="no")
    assert not state.opening.lasts
    assert is_legal(state, "commander e6 > f5")


# --- SG-A21 ---

DANCE = ["knight c3 > d5", "commander f3 > e4", "knight d5 > c3", "commander e4 > f3"]


def dance(times: int, **readings: str) -> State:
    """A Knight and a Commander go round each other; each time the first position comes back."""
    return after(table("c3", "", "f3", readings=readings), *(DANCE * times))


@pytest.mark.reading("draw", "threefold_or_50")
def test_a_draw_may_be_claimed_at_the_third_repetition_or_after_fifty_quiet_turns_each() -> None:
    assert refused_by(dance(1), "attacker: draw") == {"SG-A21"}, "the position stands for the second time"
    state = dance(2)
    assert [(d.seat, d.optional) for d in GAME.due(state)] == [("attacker", False), ("attacker", True), ("defender", True)]
    for seat in ("attacker", "defender"):
        assert is_legal(state, f"{seat}: draw")
        assert winners(after(state, f"{seat}: draw")) == ()
    assert winners(after(state, DANCE[0])) is None, "nobody has to claim it"
    quiet = table("c3", "d4", "f3", quiet_turns=99)
    assert not is_legal(quiet, "attacker: draw")
    assert is_legal(after(quiet, "knight c3 > d5"), "attacker: draw")


@pytest.mark.reading("draw", "threefold")
def test_a_draw_may_be_claimed_at_the_third_repetition_only() -> None:
    assert is_legal(dance(2, draw="threefold"), "defender: draw")
    assert not is_legal(table("c3", "d4", "f3", readings={"draw": "threefold"}, quiet_turns=500), "attacker: draw")


@pytest.mark.reading("draw", "never")
def test_the_game_goes_on_until_one_side_has_won() -> None:
    state = dance(4, draw="never")
    assert refused_by(state, "attacker: draw") == {"SG-A21"}
    assert winners(table("c3", "d4", "f3", readings={"draw": "never"}, quiet_turns=5000)) is None


@pytest.mark.reading("draw", "siege_lifted")
def test_after_fifty_quiet_turns_each_the_siege_is_lifted() -> None:
    lifted = {"draw": "siege_lifted"}
    state = table("c3", "d4", "f3", readings=lifted, quiet_turns=99)
    assert refused_by(state, "attacker: draw") == {"SG-A21"}
    verdict = accepted(state, "knight c3 > d5")
    assert winners(verdict.state) == ("defender",)
    assert said(verdict) == ["Fifty turns each without a capture: the siege is lifted and the Defender wins."]
    assert refused_by(verdict.state, "commander f3 > e4") == {"SG-A21"}, "the game is over"
    captures = accepted(table("c3", "d5", "f3", readings=lifted, quiet_turns=99), "knight c3 > d5")
    assert winners(captures.state) is None, "a capture in the last turn saves the Attacker"


def test_the_position_right_after_a_lasting_move_counts_as_the_first_of_three() -> None:
    """A leap into the Castle cannot be undone; what stands then, with the Defender to move, comes back twice."""
    state = after(table("b5", "", "f3"), "knight b5 > c3")
    assert len(state.seen) == 1
    back = ["commander f3 > e4", "knight c3 > d5", "commander e4 > f3", "knight d5 > c3"]
    assert not is_legal(after(state, *back), "defender: draw")
    assert is_legal(after(state, *back * 2), "defender: draw")


def test_a_capture_and_a_knights_leap_outside_the_castle_begin_the_count_anew() -> None:
    state = after(table("c3 b1", "", "f3"), *DANCE, *DANCE[:3])
    assert len(after(state, DANCE[3]).seen) == 9
    assert len(after(state, DANCE[3], "knight b1 > a3").seen) == 1
    assert after(state, DANCE[3], "knight b1 > a3").quiet == 9


def test_the_same_pieces_with_the_other_side_to_move_are_another_position() -> None:
    state = dance(1)
    other = GAME.skip(state, "attacker")  # the same stands, but now the Defender is to move
    assert not is_legal(other, "defender: draw")
    again = GAME.skip(other, "defender")
    assert is_legal(again, "attacker: draw"), "now it stands for the third time with the Attacker to move"


def test_a_position_from_a_file_counts_from_the_position_itself() -> None:
    state = table("c3", "", "f3")
    assert GAME.position(state)["seen"] == ["attacker: c3 /  / f3"]
    again = GAME.from_position(state.ground.terms, GAME.position(dance(2)))
    assert is_legal(again, "attacker: draw")


@pytest.mark.parametrize("correction", [{"knights": ["d5"]}, {"commander": "e4"}, {"to_move": "defender"}])
def test_a_position_that_is_corrected_by_hand_is_the_first_of_three(correction: dict[str, Any]) -> None:
    """Whoever changes where the pieces stand need not know of the positions that are remembered: they are forgotten."""
    printed = GAME.position(dance(2))
    assert len(printed["seen"]) > 1
    corrected = GAME.from_position(GAME.terms(), printed | correction)
    assert len(corrected.seen) == 1
    assert not is_legal(corrected, "attacker: draw")
    assert GAME.from_position(GAME.terms(), GAME.position(corrected)) == corrected


# --- SG-A22 ---


@pytest.mark.reading("commander_check", "none")
def test_the_commander_may_stand_and_step_where_a_knight_can_take_him() -> None:
    assert is_legal(table("c4", "f4", "d6", "defender"), "defender f4 > f5")
    assert is_legal(table("c3", "", "f3", "defender"), "commander f3 > e4")


@pytest.mark.reading("commander_check", "must_escape")
def test_the_commander_must_be_brought_out_of_a_knights_reach() -> None:
    escape = {"commander_check": "must_escape"}
    state = table("c4", "f4 c5", "d6", "defender", escape)
    assert refused_by(state, "defender f4 > f5") == {"SG-A22"}
    assert ends(state, "commander", "d6") == {"e6"}, "on e5 the same Knight could take him"
    safe = table("c3", "", "f3", "defender", escape)
    assert refused_by(safe, "commander f3 > e4") == {"SG-A22"}, "he may not step into danger either"
    taking = table("c4", "d3", "d6", "defender", escape)
    assert is_legal(taking, "defender d3 > c4"), "taking the Knight saves him as well"


def test_where_nothing_saves_the_commander_every_move_is_legal() -> None:
    """The Knight on c4 cannot be taken, and the Commander's own men stand on all his ways."""
    hopeless = table("c4", "e5 c5 e6", "d6", "defender", {"commander_check": "must_escape"})
    careless = table("c4", "e5 c5 e6", "d6", "defender")
    assert GAME.legal_moves(hopeless) == GAME.legal_moves(careless)
    assert is_legal(hopeless, "defender c5 > b5")


# --- X-A07: a player leaves ---


@pytest.mark.reading("leaver", "skip")
def test_a_leavers_turns_are_skipped_and_he_cannot_win() -> None:
    state = GAME.leave(table("c3", "d5", "f3"), "attacker")
    assert [d.seat for d in GAME.due(state)] == ["defender"]
    state = after(state, "defender d5 > d4")
    assert [d.seat for d in GAME.due(state)] == ["defender"]
    assert "SG-30" in refused_by(state, "knight c3 > e4")
    verdict = accepted(state, "defender d4 > c3")
    assert winners(verdict.state) == ("defender",), "the other may still win"
    alone = GAME.leave(table("c3 d5", "e4", "f3"), "defender")
    assert winners(after(alone, "knight c3 > e4", "knight d5 > c3")) is None


def test_a_capture_is_announced_also_when_the_next_turn_is_a_leavers() -> None:
    state = GAME.leave(table("c3 h6", "d4", "f3", "defender"), "attacker")
    verdict = accepted(state, "defender d4 > c3")
    assert said(verdict) == ["The Defender captures the Knight on c3."]
    assert "SG-41" in verdict.rules


def test_a_leaver_does_not_win_by_a_reading_either() -> None:
    state = GAME.leave(table("c3", "d4", "f3", readings={"draw": "siege_lifted"}, quiet_turns=98), "defender")
    assert winners(after(state, "knight c3 > d5")) == ()
    stuck = GAME.leave(dead_end("loses", "defender"), "defender")
    assert winners(stuck) == ()


def test_a_leaver_cannot_claim_a_draw_and_the_other_can() -> None:
    state = GAME.leave(dance(2), "defender")
    assert refused_by(state, "defender: draw") == {"X-A07"}
    assert is_legal(state, "attacker: draw")


def test_whoever_is_alone_and_cannot_move_passes_to_himself() -> None:
    state = GAME.leave(dead_end("pass"), "defender")
    state = after(state, "attacker: pass")
    assert {d.seat for d in GAME.due(state)} == {"attacker"}
    assert {d.seat for d in GAME.due(GAME.skip(state, "attacker"))} == {"attacker"}


def test_leaving_before_the_commander_is_placed() -> None:
    unplaced = GAME.set_up(GAME.terms())
    state = GAME.leave(unplaced, "defender")
    assert GAME.position(state)["commander"] == "d6", "the first Crown"
    assert [d.seat for d in GAME.due(after(state, "knight c0 > b2"))] == ["attacker"]
    state = GAME.leave(unplaced, "attacker")
    assert [d.seat for d in GAME.due(after(state, "defender: place commander > e6"))] == ["defender"]
    skipped = GAME.leave(GAME.skip(unplaced, "defender"), "attacker")
    assert [d.seat for d in GAME.due(skipped)] == ["defender"]


def test_when_both_have_left_the_game_is_over() -> None:
    state = GAME.leave(GAME.leave(start(), "attacker"), "defender")
    assert winners(state) == ()
    assert GAME.leave(state, "defender") == state


@pytest.mark.reading("leaver", "remove_pieces")
def test_without_the_pieces_of_one_side_the_game_is_over() -> None:
    state = GAME.leave(start(leaver="remove_pieces"), "attacker")
    assert winners(state) == ()


@pytest.mark.reading("leaver", "end_game")
def test_the_game_ends_when_a_player_leaves() -> None:
    state = GAME.leave(start(leaver="end_game"), "attacker")
    assert winners(state) == ()
    assert refused_by(state, "knight c0 > b2") == {"X-A07"}


def test_readings_that_are_not_about_ways_share_the_tables_of_a_board() -> None:
    usual = start().ground.attempts
    assert start(draw="never", threat_test="own_side_only").ground.attempts is usual
    assert start(castle_wall="orthogonal_crossing_only").ground.attempts is not usual
