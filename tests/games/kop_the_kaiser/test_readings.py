"""One test for each value of each reading of Kop the Kaiser."""

from __future__ import annotations

import pytest

from companion.events import BadInput, Roll
from companion.games.kop_the_kaiser import GAME
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
    carry_out,
    dice,
    move,
    orders,
    pink,
    play,
    port,
    reasons,
    refused,
    roll,
    standing,
    surrender,
    told,
    where,
)

# --- after_repeat ---


@pytest.mark.reading("after_repeat", "keep")
def test_whoever_repeats_a_number_keeps_the_dice() -> None:
    state = play(beginning(), 5, 5)
    assert state.dice == NEW_YORK
    assert state.number == 0


@pytest.mark.reading("after_repeat", "pass")
def test_whoever_repeats_a_number_passes_the_dice_when_his_counter_has_moved() -> None:
    state = roll(play(beginning(readings={"after_repeat": "pass"}), 5), 5)
    assert state.dice == NEW_YORK, "first the counter is moved"
    verdict = accepted(state, move(state, NEW_YORK, "S05"))
    assert told(verdict) == ["The dice go to Boston."]
    assert play(beginning(readings={"after_repeat": "pass"}), 7).dice == NEW_YORK, "7 still keeps them"


# --- retreat_from ---


@pytest.mark.reading("retreat_from", "current")
def test_a_defeated_neighbour_retreats_from_where_he_stands() -> None:
    state = roll(standing({NEW_YORK: port(NEW_YORK), CHARLESTON: "S10"}), 7)
    assert orders(state)[CHARLESTON] == ("S03", ADVANCE)


@pytest.mark.reading("retreat_from", "port")
@pytest.mark.parametrize("place", ["S10", ("S20", RETREAT), port(CHARLESTON)])
def test_a_defeated_neighbour_retires_to_that_many_spaces_left_of_his_port(place: object) -> None:
    state = standing({NEW_YORK: port(NEW_YORK), CHARLESTON: place}, readings={"retreat_from": "port"})
    verdict = accepted(state, Roll(NEW_YORK, dice(7)))
    assert orders(verdict.state)[CHARLESTON] == ("S34", RETREAT)
    assert "The Artillery goes back to 7 spaces left of its port, to S34, RETREAT up." in told(verdict)
    wrong = refused(verdict.state, move(verdict.state, CHARLESTON, "S30", RETREAT))
    assert wrong.rules == ("KK-10",)


@pytest.mark.reading("retreat_from", "port")
def test_only_the_defeated_neighbour_on_the_blue_path_counts_from_his_port() -> None:
    readings = {"retreat_from": "port"}
    state = roll(standing({NEW_YORK: "S10", CHARLESTON: port(CHARLESTON)}, readings=readings), 3)
    assert orders(state)[NEW_YORK] == ("S07", ADVANCE), "the roller's own defeat"
    state = roll(standing({NEW_YORK: port(NEW_YORK), CHARLESTON: pink(CHARLESTON, 3)}, readings=readings), 7)
    assert orders(state)[CHARLESTON] == (pink(CHARLESTON, 2), ADVANCE)


# --- left_neighbour ---


@pytest.mark.reading("left_neighbour", "next_in_game")
def test_the_player_at_the_left_is_the_nearest_one_still_in_the_game() -> None:
    state = standing({NEW_YORK: port(NEW_YORK), CHARLESTON: "vanquished", BALTIMORE: port(BALTIMORE), BOSTON: port(BOSTON)})
    assert set(orders(roll(state, 7))) == {NEW_YORK, BALTIMORE}


@pytest.mark.reading("left_neighbour", "next_port_only")
def test_an_empty_or_beaten_port_at_the_left_spares_everybody_else() -> None:
    readings = {"left_neighbour": "next_port_only"}
    assert set(orders(roll(beginning(readings=readings), 7))) == {NEW_YORK, CHARLESTON}
    assert set(orders(roll(beginning(NEW_YORK, BALTIMORE, readings=readings), 7))) == {NEW_YORK}
    places = {NEW_YORK: port(NEW_YORK), CHARLESTON: "vanquished", BALTIMORE: port(BALTIMORE), BOSTON: port(BOSTON)}
    assert set(orders(roll(standing(places, readings=readings), 7))) == {NEW_YORK}


# --- dice_pass ---


@pytest.mark.reading("dice_pass", "right")
def test_the_dice_go_round_to_the_right() -> None:
    assert play(beginning(), 6, 5, 5, 5).dice == BOSTON


@pytest.mark.reading("dice_pass", "left")
def test_the_dice_go_round_to_the_left_from_the_first_throw_on() -> None:
    readings = {"dice_pass": "left"}
    state = accepted(GAME.set_up(GAME.terms(seats=6, readings=readings)), Roll(NEW_YORK, (1, 2))).state
    assert [d.seat for d in GAME.due(state)] == [CHARLESTON]
    state = play(beginning(readings=readings), 6, 5, 5, 5)
    assert state.dice == CHARLESTON
    assert set(orders(roll(state, 7))) == {CHARLESTON, NORFOLK}, "the neighbour who is moved is still the one at the left"


# --- left_is (every game) ---


@pytest.mark.reading("left_is", "counterclockwise")
def test_at_a_table_that_sits_inside_out_left_and_right_are_changed_but_the_blue_path_is_not() -> None:
    state = beginning(readings={"left_is": "counterclockwise"})
    assert orders(roll(state, 7)) == {NEW_YORK: ("S07", ADVANCE), BOSTON: ("S02", RETREAT)}
    assert play(state, 6, 5, 5, 5).dice == CHARLESTON


# --- seven_out ---


@pytest.mark.reading("seven_out", "no")
def test_a_seven_is_just_an_attempt_that_failed() -> None:
    state = play(beginning(), 6, 7)
    assert (state.dice, state.number, state.failed) == (NEW_YORK, 6, 1)


@pytest.mark.reading("seven_out", "yes")
def test_a_seven_ends_the_attempts_and_moves_nobody() -> None:
    verdict = accepted(play(beginning(readings={"seven_out": "yes"}), 6), Roll(NEW_YORK, (3, 4)))
    assert told(verdict) == ["New York rolled 7, not 6.", "The dice go to Boston."]
    assert verdict.state.dice == BOSTON
    assert not GAME.legal_moves(verdict.state)


# --- tries ---


@pytest.mark.reading("tries", "3_more")
def test_three_further_rolls_follow_the_first() -> None:
    assert play(beginning(), 6, 5, 5).dice == NEW_YORK
    assert play(beginning(), 6, 5, 5, 5).dice == BOSTON


@pytest.mark.reading("tries", "2_more")
def test_two_further_rolls_follow_the_first() -> None:
    state = beginning(readings={"tries": "2_more"})
    assert play(state, 6, 5).dice == NEW_YORK
    assert play(state, 6, 5, 5).dice == BOSTON


# --- ports_counted ---


@pytest.mark.reading("ports_counted", "none")
def test_no_port_is_counted() -> None:
    state = roll(standing({NEW_YORK: "S04", BALTIMORE: port(BALTIMORE)}), 11)
    assert orders(state)[NEW_YORK] == ("S15", ADVANCE)


@pytest.mark.reading("ports_counted", "foreign_count")
def test_foreign_ports_are_counted_and_one_may_stop_there_but_not_the_own_one() -> None:
    readings = {"ports_counted": "foreign_count"}
    state = standing({NEW_YORK: "S04", BALTIMORE: port(BALTIMORE)}, readings=readings)
    assert orders(roll(state, 11))[NEW_YORK] == ("S14", ADVANCE)
    state = standing({NEW_YORK: "S01", BALTIMORE: port(BALTIMORE)}, readings=readings)
    assert orders(roll(play(state, 8), 8))[NEW_YORK] == (port(BOSTON), ADVANCE)
    state = standing({NEW_YORK: "S02", BALTIMORE: port(BALTIMORE)}, readings=readings)
    assert orders(roll(state, 3))[NEW_YORK] == ("S47", RETREAT), "S01, S48, S47"


@pytest.mark.reading("ports_counted", "foreign_count")
def test_a_position_on_a_foreign_port_can_only_arise_where_ports_are_counted() -> None:
    places = {NEW_YORK: port(BOSTON), BALTIMORE: port(BALTIMORE)}
    assert where(standing(places, readings={"ports_counted": "foreign_count"}), NEW_YORK) == (port(BOSTON), ADVANCE)
    with pytest.raises(BadInput, match="another's port, and ports are no spaces to stop on"):
        standing(places)


# --- may_stop_on_port ---


@pytest.mark.reading("may_stop_on_port", "no")
def test_a_retreat_does_not_stop_on_the_own_port() -> None:
    state = roll(standing({NEW_YORK: "S03", BALTIMORE: port(BALTIMORE)}), 3)
    assert orders(state)[NEW_YORK] == ("S48", RETREAT)


@pytest.mark.reading("may_stop_on_port", "yes")
def test_a_retreat_counts_the_own_port_and_may_stop_there() -> None:
    readings = {"may_stop_on_port": "yes"}
    state = standing({NEW_YORK: "S03", BALTIMORE: port(BALTIMORE)}, readings=readings)
    assert orders(roll(state, 3))[NEW_YORK] == (port(NEW_YORK), ADVANCE)
    state = standing({NEW_YORK: "S02", BALTIMORE: port(BALTIMORE)}, readings=readings)
    assert orders(roll(state, 3))[NEW_YORK] == ("S48", RETREAT)


# --- france_exact ---


@pytest.mark.reading("france_exact", "no")
def test_any_count_beyond_the_last_space_enters_france() -> None:
    state = standing({NEW_YORK: "S40", BOSTON: port(BOSTON)})
    assert orders(roll(state, 11))[NEW_YORK] == (pink(NEW_YORK, 1), ADVANCE)


@pytest.mark.reading("france_exact", "yes")
def test_france_is_entered_by_exact_count_and_a_larger_one_stops_before_it() -> None:
    readings = {"france_exact": "yes"}
    state = standing({NEW_YORK: "S42", BOSTON: port(BOSTON)}, readings=readings)
    assert orders(roll(state, 7))[NEW_YORK] == (pink(NEW_YORK, 1), ADVANCE)
    assert orders(roll(state, 11))[NEW_YORK] == ("S48", ADVANCE)
    state = standing({NEW_YORK: "S48", BOSTON: port(BOSTON)}, readings=readings)
    assert NEW_YORK not in orders(roll(state, 7)), "it stands there already"


@pytest.mark.reading("france_exact", "yes")
def test_a_repeated_number_that_moves_nobody_is_announced_and_play_goes_on() -> None:
    state = standing({NEW_YORK: "S48", BOSTON: port(BOSTON)}, readings={"france_exact": "yes"})
    verdict = accepted(play(state, 8), Roll(NEW_YORK, (4, 4)))
    assert told(verdict) == ["New York repeated the 8.", "No army moves."]
    assert (verdict.state.dice, verdict.state.number) == (NEW_YORK, 0)
    state = standing({NEW_YORK: "S48", BOSTON: port(BOSTON)}, readings={"france_exact": "yes", "after_repeat": "pass"})
    assert told(accepted(play(state, 8), Roll(NEW_YORK, (4, 4))))[-1] == "The dice go to Boston."


# --- france_by_neighbour ---


@pytest.mark.reading("france_by_neighbour", "yes")
def test_the_right_hand_players_defeat_carries_an_army_into_france() -> None:
    state = roll(standing({NEW_YORK: port(NEW_YORK), CHARLESTON: "S39"}), 12)
    assert orders(state)[CHARLESTON] == (pink(CHARLESTON, 1), ADVANCE)


@pytest.mark.reading("france_by_neighbour", "no")
def test_the_right_hand_players_defeat_carries_an_army_only_to_the_last_blue_space() -> None:
    readings = {"france_by_neighbour": "no"}
    state = roll(standing({NEW_YORK: port(NEW_YORK), CHARLESTON: "S39"}, readings=readings), 12)
    assert orders(state)[CHARLESTON] == ("S40", ADVANCE)
    state = roll(standing({NEW_YORK: port(NEW_YORK), CHARLESTON: "S39"}, CHARLESTON, readings=readings), 7)
    assert orders(state)[CHARLESTON] == (pink(CHARLESTON, 1), ADVANCE), "his own roll does"


# --- pink_retreat ---


@pytest.mark.reading("pink_retreat", "own_and_right")
def test_an_own_defeat_drives_an_army_back_in_the_pink() -> None:
    state = standing({NEW_YORK: pink(NEW_YORK, 4), BOSTON: port(BOSTON)})
    assert orders(roll(state, 12))[NEW_YORK] == (pink(NEW_YORK, 3), ADVANCE)


@pytest.mark.reading("pink_retreat", "right_only")
def test_an_own_defeat_leaves_an_army_where_it_is_in_the_pink() -> None:
    readings = {"pink_retreat": "right_only"}
    places = {NEW_YORK: pink(NEW_YORK, 4), BOSTON: pink(BOSTON, 1)}
    verdict = accepted(standing(places, readings=readings), Roll(NEW_YORK, (6, 6)))
    assert told(verdict) == ["New York rolled 12, a defeat.", "No army moves."]
    assert "KK-A20" in verdict.rules
    assert verdict.state.dice == NEW_YORK
    assert orders(roll(standing(places, BOSTON, readings=readings), 7))[NEW_YORK] == (pink(NEW_YORK, 3), ADVANCE)


# --- pink_roller_hits_left ---


@pytest.mark.reading("pink_roller_hits_left", "yes")
def test_a_roller_in_the_pink_still_moves_the_player_at_his_left() -> None:
    state = standing({NEW_YORK: pink(NEW_YORK, 2), CHARLESTON: "S10", BOSTON: port(BOSTON)})
    assert orders(roll(state, 7))[CHARLESTON] == ("S03", ADVANCE)
    assert orders(roll(state, 12))[CHARLESTON] == ("S22", ADVANCE)


@pytest.mark.reading("pink_roller_hits_left", "no")
def test_a_roller_in_the_pink_moves_only_his_own_army() -> None:
    readings = {"pink_roller_hits_left": "no"}
    state = standing({NEW_YORK: pink(NEW_YORK, 2), CHARLESTON: "S10", BOSTON: port(BOSTON)}, readings=readings)
    assert set(orders(roll(state, 7))) == {NEW_YORK}
    state = standing({NEW_YORK: "S20", CHARLESTON: "S10", BOSTON: port(BOSTON)}, readings=readings)
    assert set(orders(roll(state, 7))) == {NEW_YORK, CHARLESTON}, "on the blue path he does"


# --- leave_france ---


@pytest.mark.reading("leave_france", "full_count")
def test_an_army_falls_out_of_france_by_the_full_number() -> None:
    state = roll(standing({NEW_YORK: pink(NEW_YORK, 1), BOSTON: port(BOSTON)}), 12)
    assert orders(state)[NEW_YORK] == ("S37", ADVANCE)


@pytest.mark.reading("leave_france", "one_space")
def test_an_army_falls_out_of_france_by_one_space() -> None:
    state = roll(standing({NEW_YORK: pink(NEW_YORK, 1), BOSTON: port(BOSTON)}, readings={"leave_france": "one_space"}), 12)
    assert orders(state)[NEW_YORK] == ("S48", ADVANCE)


# --- vanquished ---


@pytest.mark.reading("vanquished", "back_at_port")
def test_an_army_is_out_when_its_retreat_comes_back_to_the_port() -> None:
    places = {NEW_YORK: ("S04", RETREAT), BOSTON: port(BOSTON), NORFOLK: port(NORFOLK)}
    state = roll(standing(places), 3)
    assert orders(state)[NEW_YORK] == ("S01", RETREAT)
    state = roll(carry_out(state), 2)
    assert accepted(state, surrender(state, NEW_YORK))


@pytest.mark.reading("vanquished", "at_last_space")
def test_an_army_is_out_as_soon_as_it_reaches_the_last_space_of_the_circuit() -> None:
    places = {NEW_YORK: ("S04", RETREAT), BOSTON: port(BOSTON), NORFOLK: port(NORFOLK)}
    state = standing(places, readings={"vanquished": "at_last_space"})
    assert orders(roll(state, 2))[NEW_YORK] == ("S02", RETREAT)
    state = roll(state, 3)
    assert accepted(state, surrender(state, NEW_YORK))
    with pytest.raises(BadInput, match=r"it would be vanquished at this table \(KK-A26\)"):
        standing(places | {NEW_YORK: ("S01", RETREAT)}, readings={"vanquished": "at_last_space"})


# --- last_army ---


@pytest.mark.reading("last_army", "wins")
def test_the_only_army_left_wins() -> None:
    state = roll(standing({NEW_YORK: ("S04", RETREAT), BOSTON: port(BOSTON)}), 12)
    verdict = accepted(state, surrender(state, NEW_YORK))
    assert told(verdict)[-1] == "The Artillery of Boston is the only army left. Boston wins!"
    ended = GAME.outcome(verdict.state)
    assert ended
    assert ended.winners == (BOSTON,)


@pytest.mark.reading("last_army", "must_reach_berlin")
def test_the_only_army_left_still_has_to_reach_berlin() -> None:
    readings = {"last_army": "must_reach_berlin"}
    state = play(standing({NEW_YORK: ("S04", RETREAT), BOSTON: "S20"}, readings=readings), 12)
    assert not GAME.outcome(state)
    assert state.dice == BOSTON
    state = play(state, 6, 5, 5, 5)
    assert state.dice == BOSTON, "there is nobody to whom the dice could pass"
    assert set(orders(roll(state, 7))) == {BOSTON}
    state = play(standing({NEW_YORK: "vanquished", BOSTON: pink(BOSTON, 5)}, BOSTON, readings=readings), 7)
    ended = GAME.outcome(state)
    assert ended
    assert ended.winners == (BOSTON,)


@pytest.mark.reading("last_army", "must_reach_berlin")
def test_the_only_army_left_may_be_vanquished_too_and_then_nobody_wins() -> None:
    readings = {"last_army": "must_reach_berlin"}
    state = play(standing({NEW_YORK: "vanquished", BOSTON: ("S10", RETREAT)}, BOSTON, readings=readings), 12)
    ended = GAME.outcome(state)
    assert ended
    assert ended.winners == ()
    assert GAME.words.tell(ended.why) == "No army is left. Nobody kops the Kaiser."
    assert GAME.from_position(state.ground.terms, GAME.position(state)) == state


# --- sharing ---


@pytest.mark.reading("sharing", "yes")
def test_armies_share_a_space() -> None:
    state = play(standing({NEW_YORK: port(NEW_YORK), BOSTON: ("S07", RETREAT), NORFOLK: port(NORFOLK)}), 7)
    assert where(state, NEW_YORK) == ("S07", ADVANCE)
    assert where(state, BOSTON) == ("S07", RETREAT)


@pytest.mark.reading("sharing", "bump_to_port")
def test_an_army_that_arrives_sends_the_one_that_is_there_back_to_its_port() -> None:
    places = {NEW_YORK: port(NEW_YORK), BOSTON: ("S07", RETREAT), NORFOLK: port(NORFOLK)}
    state = standing(places, readings={"sharing": "bump_to_port"})
    verdict = accepted(state, Roll(NEW_YORK, dice(7)))
    assert "The Aviation goes back to Boston, because another army takes its space." in told(verdict)
    state = verdict.state
    assert orders(state)[BOSTON] == (port(BOSTON), ADVANCE)
    wrong = refused(state, move(state, BOSTON, "S06", RETREAT))
    assert wrong.rules == ("KK-A30",)
    assert "goes back to Boston" in reasons(wrong)
    assert where(carry_out(state), BOSTON) == (port(BOSTON), ADVANCE)


@pytest.mark.reading("sharing", "bump_to_port")
def test_a_neighbour_who_marches_away_is_not_sent_home_by_the_roller() -> None:
    state = standing({NEW_YORK: port(NEW_YORK), CHARLESTON: "S07", BOSTON: port(BOSTON)}, readings={"sharing": "bump_to_port"})
    assert orders(roll(state, 7)) == {NEW_YORK: ("S07", ADVANCE), CHARLESTON: ("S48", ADVANCE)}


@pytest.mark.reading("sharing", "bump_to_port")
def test_where_both_armies_of_a_roll_would_meet_the_neighbour_goes_to_his_port() -> None:
    state = standing({NEW_YORK: port(NEW_YORK), CHARLESTON: "S14", BOSTON: port(BOSTON)}, readings={"sharing": "bump_to_port"})
    assert orders(roll(state, 7)) == {NEW_YORK: ("S07", ADVANCE), CHARLESTON: (port(CHARLESTON), ADVANCE)}


@pytest.mark.reading("sharing", "bump_to_port")
def test_the_neighbour_too_sends_others_home_but_nobody_is_sent_home_from_a_port_or_after_leaving() -> None:
    readings = {"sharing": "bump_to_port"}
    places = {NEW_YORK: port(NEW_YORK), CHARLESTON: "S14", BOSTON: port(BOSTON), NORFOLK: "S02"}
    assert set(orders(roll(standing(places, readings=readings), 12))) == {NEW_YORK, CHARLESTON}
    state = roll(standing(places | {BOSTON: "S26"}, readings=readings), 12)
    assert orders(state)[BOSTON] == (port(BOSTON), ADVANCE), "Charleston advances from S14 to S26"
    gone = GAME.leave(standing(places | {BOSTON: "S26"}, readings=readings), BOSTON)
    assert BOSTON not in orders(roll(gone, 12))
    foreign = standing(
        {NEW_YORK: "S01", BOSTON: port(BOSTON), NORFOLK: port(NORFOLK)}, readings=readings | {"ports_counted": "foreign_count"}
    )
    assert set(orders(roll(play(foreign, 8), 8))) == {NEW_YORK}, "it stops on Boston's port"
