"""The points that the leaflet leaves unclear and that have one sensible answer."""

from __future__ import annotations

import pytest

from companion.board import board_from_json, board_to_json
from companion.events import BadInput, Roll
from companion.games.kop_the_kaiser import GAME
from companion.games.kop_the_kaiser.ground import ARMIES
from tests.games.kop_the_kaiser.at_the_table import (
    ADVANCE,
    BALTIMORE,
    BOSTON,
    CHARLESTON,
    NEW_YORK,
    NORFOLK,
    RETREAT,
    accepted,
    beginning,
    dice,
    orders,
    pink,
    play,
    port,
    roll,
    standing,
    where,
)


@pytest.mark.rule("KK-A01")
@pytest.mark.rule("KK-A04")
@pytest.mark.parametrize(
    ("total", "own", "left"),
    [
        (7, ("S27", ADVANCE), ("S03", ADVANCE)),
        (11, ("S31", ADVANCE), ("S47", ADVANCE)),
        (2, ("S18", ADVANCE), ("S12", ADVANCE)),
        (3, ("S17", ADVANCE), ("S13", ADVANCE)),
        (12, ("S08", ADVANCE), ("S22", ADVANCE)),
    ],
)
def test_the_table_of_rolls_is_the_summary_and_repairs_the_lost_sentence(
    total: int, own: tuple[str, str], left: tuple[str, str]
) -> None:
    state = roll(standing({NEW_YORK: "S20", CHARLESTON: "S10", BOSTON: port(BOSTON)}), total)
    assert orders(state) == {NEW_YORK: own, CHARLESTON: left}


@pytest.mark.rule("KK-A02")
def test_whoever_is_first_in_berlin_wins_the_game_and_it_is_over() -> None:
    state = play(standing({NEW_YORK: pink(NEW_YORK, 5), BOSTON: pink(BOSTON, 5)}), 11)
    assert GAME.outcome(state)
    assert not GAME.due(state)


@pytest.mark.rule("KK-A03")
@pytest.mark.rule("KK-A33")
def test_a_port_and_one_of_six_counters_are_chosen_apart() -> None:
    assert len(ARMIES) == 6
    state = GAME.set_up(GAME.terms(seats=(BOSTON, NORFOLK), options={"armies": "cavalry,signal-corps"}))
    assert where(state, NORFOLK) == (port(NORFOLK), ADVANCE)
    assert state.ground.army[NORFOLK] == "cavalry"
    assert state.ground.army[BOSTON] == "signal-corps"


@pytest.mark.rule("KK-A33")
@pytest.mark.parametrize(
    ("armies", "why"), [("navy", "the armies are infantry"), ("infantry,infantry", "named twice"), ("," * 300, "must be a list")]
)
def test_an_army_that_there_is_not_or_that_is_taken_cannot_be_chosen(armies: str, why: str) -> None:
    with pytest.raises(BadInput, match=f"option armies: .*{why}"):
        GAME.terms(options={"armies": armies})


@pytest.mark.rule("KK-A07")
def test_with_two_players_the_one_opponent_is_at_the_left_and_at_the_right() -> None:
    state = beginning(NEW_YORK, BALTIMORE)
    assert set(orders(roll(state, 7))) == {NEW_YORK, BALTIMORE}
    assert play(state, 6, 5, 5, 5).dice == BALTIMORE


@pytest.mark.rule("KK-A11")
@pytest.mark.parametrize("total", [2, 3, 11, 12])
def test_other_special_rolls_during_the_attempts_are_just_failures(total: int) -> None:
    verdict = accepted(play(beginning(), 6), Roll(NEW_YORK, dice(total)))
    assert not GAME.legal_moves(verdict.state)
    assert (verdict.state.dice, verdict.state.failed) == (NEW_YORK, 1)
    assert "KK-A11" in verdict.rules


@pytest.mark.rule("KK-A15")
@pytest.mark.parametrize("may_stop", ["no", "yes"])
def test_an_advance_over_the_own_port_does_not_count_it(may_stop: str) -> None:
    state = standing({NEW_YORK: ("S42", RETREAT), BALTIMORE: port(BALTIMORE)}, readings={"may_stop_on_port": may_stop})
    assert orders(roll(state, 7))[NEW_YORK] == ("S01", ADVANCE), "S48 with RETREAT up is the sixth, S01 the seventh"
    assert orders(roll(state, 11))[NEW_YORK] == ("S05", ADVANCE)


@pytest.mark.rule("KK-A16")
def test_the_board_tells_how_many_spaces_and_divisions_there_are() -> None:
    track = beginning().ground.tracks[NEW_YORK]
    assert (track.last, len(track.pink)) == (48, 5)


@pytest.mark.rule("KK-A18")
def test_an_army_whose_count_ends_on_the_last_space_stays_there_and_enters_france_later() -> None:
    state = play(standing({NEW_YORK: "S41", BOSTON: port(BOSTON)}), 7)
    assert where(state, NEW_YORK) == ("S48", ADVANCE)
    assert where(play(state, 7), NEW_YORK) == (pink(NEW_YORK, 1), ADVANCE)


@pytest.mark.rule("KK-A21")
@pytest.mark.parametrize("total", [2, 3, 12])
def test_the_right_hand_players_defeat_lifts_nobody_in_the_pink(total: int) -> None:
    state = standing({NEW_YORK: port(NEW_YORK), CHARLESTON: pink(CHARLESTON, 5), BOSTON: port(BOSTON)})
    verdict = accepted(state, Roll(NEW_YORK, dice(total)))
    assert set(orders(verdict.state)) == {NEW_YORK}
    assert "KK-A21" in verdict.rules


@pytest.mark.rule("KK-A24")
@pytest.mark.parametrize("total", [7, 11, 2, 3, 12])
def test_the_dice_are_kept_after_a_move_in_the_pink_as_on_blue(total: int) -> None:
    state = play(standing({NEW_YORK: pink(NEW_YORK, 3), BOSTON: port(BOSTON)}), total)
    assert state.dice == NEW_YORK


@pytest.mark.rule("KK-A25")
def test_berlin_is_one_division_above_the_last_pink_one() -> None:
    for totals in ((7,), (11,), (9, 9)):
        state = play(standing({NEW_YORK: pink(NEW_YORK, 5), BOSTON: port(BOSTON)}), *totals)
        assert where(state, NEW_YORK) == ("BERLIN", ADVANCE)
    state = roll(standing({NEW_YORK: pink(NEW_YORK, 5), BOSTON: port(BOSTON)}, BOSTON), 3)
    assert NEW_YORK not in orders(state), "never by another's roll"


@pytest.mark.rule("KK-A27")
def test_an_army_with_advance_up_is_vanquished_only_after_falling_back_past_its_port_and_round() -> None:
    state = standing({NEW_YORK: "S02", BALTIMORE: port(BALTIMORE), BOSTON: port(BOSTON)}, BOSTON)
    state = play(state, 11)
    assert where(state, NEW_YORK) == ("S39", RETREAT)
    state = play(state, 11, 11, 11)
    assert where(state, NEW_YORK) == ("S06", RETREAT)
    assert where(play(state, 7), NEW_YORK) is None


@pytest.mark.rule("KK-A28")
def test_when_the_rollers_own_army_is_vanquished_the_dice_pass_to_the_right_at_once() -> None:
    state = play(standing({NEW_YORK: ("S08", RETREAT), BOSTON: port(BOSTON), CHARLESTON: port(CHARLESTON)}), 12)
    assert where(state, NEW_YORK) is None
    assert state.dice == BOSTON


@pytest.mark.rule("KK-A31")
def test_a_space_that_the_board_marks_with_a_submarine_is_like_all_others() -> None:
    data = board_to_json(GAME.board())
    next(space for space in data["spaces"] if space["id"] == "S07")["kinds"].append("submarine")
    state = play(beginning(board=board_from_json(data)), 7)
    assert where(state, NEW_YORK) == ("S07", ADVANCE)
    assert state.dice == NEW_YORK


@pytest.mark.rule("KK-A32")
def test_on_its_port_an_army_shows_advance() -> None:
    assert where(beginning(), NEW_YORK) == (port(NEW_YORK), ADVANCE)
    with pytest.raises(BadInput, match=r"on PORT-NewYork ADVANCE is up \(KK-24, KK-A32\)"):
        standing({NEW_YORK: (port(NEW_YORK), RETREAT), BOSTON: port(BOSTON)})


@pytest.mark.rule("KK-A34")
def test_two_players_cannot_choose_the_same_port() -> None:
    with pytest.raises(BadInput, match="seats: a seat is named twice"):
        GAME.terms(seats=(NEW_YORK, NEW_YORK))


@pytest.mark.rule("KK-A35")
def test_the_rest_of_an_eleven_is_lost_in_france_and_the_next_initial_roll_is_one_in_the_pink() -> None:
    state = play(standing({NEW_YORK: "S46", BOSTON: port(BOSTON)}), 11)
    assert where(state, NEW_YORK) == (pink(NEW_YORK, 1), ADVANCE)
    assert state.dice == NEW_YORK
    assert where(play(state, 11), NEW_YORK) == (pink(NEW_YORK, 2), ADVANCE)
