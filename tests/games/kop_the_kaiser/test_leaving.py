"""Players who leave, and what the host passes over (the reading `leaver` of every game)."""

from __future__ import annotations

import pytest

from companion.events import Roll
from companion.games.kop_the_kaiser import GAME
from tests.games.kop_the_kaiser.at_the_table import (
    ADVANCE,
    BOSTON,
    CHARLESTON,
    NEW_YORK,
    NORFOLK,
    PHILADELPHIA,
    RETREAT,
    accepted,
    beginning,
    carry_out,
    move,
    orders,
    play,
    port,
    refused,
    roll,
    where,
)


@pytest.mark.reading("leaver", "skip")
def test_a_leavers_army_stays_is_moved_by_nobody_and_the_dice_pass_him_by() -> None:
    state = GAME.leave(play(beginning(), 7), CHARLESTON)
    assert where(state, CHARLESTON) == ("S34", RETREAT)
    assert set(orders(roll(state, 7))) == {NEW_YORK, NORFOLK}
    state = GAME.leave(state, BOSTON)
    assert play(state, 6, 5, 5, 5).dice == PHILADELPHIA
    assert refused(state, Roll(BOSTON, (1, 1))).rules == ("X-A07",)
    state = roll(state, 11)
    assert refused(state, move(state, BOSTON, "S10")).rules == ("X-A07",)


@pytest.mark.reading("leaver", "remove_pieces")
def test_a_leavers_army_is_taken_off_the_board() -> None:
    state = GAME.leave(play(beginning(readings={"leaver": "remove_pieces"}), 7), CHARLESTON)
    assert where(state, CHARLESTON) is None
    assert not GAME.outcome(state)


@pytest.mark.reading("leaver", "end_game")
def test_the_game_ends_with_the_first_leaver() -> None:
    state = GAME.leave(roll(beginning(readings={"leaver": "end_game"}), 7), CHARLESTON)
    ended = GAME.outcome(state)
    assert ended
    assert ended.winners == ()
    assert ended.rules == ("X-A07",)
    assert GAME.leave(state, BOSTON) == state


def test_whoever_leaves_with_the_dice_in_his_hand_passes_them_on_when_the_last_counter_has_moved() -> None:
    state = GAME.leave(roll(beginning(), 7), NEW_YORK)
    assert set(orders(state)) == {CHARLESTON}
    assert carry_out(state).dice == BOSTON
    assert GAME.leave(beginning(), NEW_YORK).dice == BOSTON


def test_leaving_and_skipping_during_the_throws_for_the_first_turn() -> None:
    state = GAME.set_up(GAME.terms(seats=(NEW_YORK, BOSTON, NORFOLK)))
    state = accepted(accepted(state, Roll(NEW_YORK, (6, 6))).state, Roll(BOSTON, (1, 1))).state
    assert GAME.leave(state, NORFOLK).dice == NEW_YORK, "the throws that were made decide"
    assert GAME.skip(state, NORFOLK).dice == NEW_YORK
    assert GAME.leave(state, NEW_YORK).roll_off.thrown == ((BOSTON, 2),)
    tied = accepted(accepted(GAME.set_up(state.ground.terms), Roll(NEW_YORK, (2, 2))).state, Roll(BOSTON, (2, 2))).state
    assert set(GAME.skip(tied, NORFOLK).roll_off.waiting) == {NEW_YORK, BOSTON}
    state = GAME.set_up(GAME.terms(seats=(NEW_YORK, BOSTON)))
    state = GAME.skip(GAME.skip(state, NEW_YORK), BOSTON)
    assert set(state.roll_off.waiting) == {NEW_YORK, BOSTON}, "if nobody throws, all are asked again"


def test_the_host_passes_over_a_counter_or_a_roll() -> None:
    state = GAME.skip(roll(beginning(), 7), CHARLESTON)
    assert set(orders(state)) == {NEW_YORK}
    assert where(carry_out(state), CHARLESTON) == (port(CHARLESTON), ADVANCE)
    assert GAME.skip(play(beginning(), 6), NEW_YORK).dice == BOSTON
    assert GAME.skip(beginning(), NORFOLK) == beginning(), "he owes nothing"
