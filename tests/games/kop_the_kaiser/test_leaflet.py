"""The leaflet of Kop the Kaiser, sentence by sentence, in its own order."""

from __future__ import annotations

import pytest

from companion.events import BadInput, Move, Roll
from companion.games.kop_the_kaiser import GAME
from tests.games.kop_the_kaiser.at_the_table import (
    ADVANCE,
    BALTIMORE,
    BOSTON,
    CHARLESTON,
    INFANTRY,
    NEW_YORK,
    NORFOLK,
    PHILADELPHIA,
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

# --- the object of the game ---


@pytest.mark.rule("KK-02")
@pytest.mark.rule("KK-07")
def test_armies_start_from_one_of_six_ports_and_so_up_to_six_may_play() -> None:
    assert len(GAME.board().of_kind("port")) == 6
    assert sorted(len(seats) for seats in GAME.variant("standard").seatings) == [2, 3, 4, 5, 6]
    with pytest.raises(BadInput, match="2 or 3 or 4 or 5 or 6 players, not 7"):
        GAME.terms(seats=7)
    with pytest.raises(BadInput, match="not 1"):
        GAME.terms(seats=(BOSTON,))


@pytest.mark.rule("KK-01")
def test_the_first_army_to_arrive_in_berlin_wins() -> None:
    state = roll(standing({NEW_YORK: pink(NEW_YORK, 5), BOSTON: pink(BOSTON, 5)}), 7)
    assert not GAME.outcome(state), "not before the counter stands there"
    state = accepted(state, move(state, NEW_YORK, "BERLIN")).state
    ended = GAME.outcome(state)
    assert ended
    assert ended.winners == (NEW_YORK,)
    assert "KK-01" in ended.rules
    assert not GAME.due(state)
    assert not GAME.legal_moves(state)


# --- 1. ports and counters ---


@pytest.mark.rule("KK-03")
def test_each_player_selects_a_port_of_his_own() -> None:
    assert GAME.terms(seats=(BOSTON, NORFOLK)).seats == (NORFOLK, BOSTON), "in clockwise order"
    with pytest.raises(BadInput, match="a seat is named twice"):
        GAME.terms(seats=(BOSTON, BOSTON))
    with pytest.raises(BadInput, match="'savannah' is not known"):
        GAME.terms(seats=(BOSTON, "savannah"))


@pytest.mark.rule("KK-04")
def test_each_player_chooses_a_counter_and_places_it_on_his_starting_point() -> None:
    terms = GAME.terms(seats=(NEW_YORK, NORFOLK, BOSTON), options={"armies": "aviation,cavalry"})
    state = GAME.set_up(terms)
    assert {(s.piece, s.space) for s in GAME.layout(state).standing} == {
        ("aviation", port(NEW_YORK)), ("cavalry", port(NORFOLK)), ("infantry", port(BOSTON)),
    }  # fmt: skip


@pytest.mark.rule("KK-04")
def test_nobody_moves_another_players_counter() -> None:
    state = roll(beginning(NEW_YORK, BOSTON), 7)
    verdict = refused(state, Move(BOSTON, "move", INFANTRY, port(NEW_YORK), "S07", ADVANCE))
    assert verdict.rules == ("KK-04",)
    assert reasons(verdict) == "The Infantry is not your army. Yours is the Artillery."


# --- 2. who begins ---


@pytest.mark.rule("KK-06")
def test_each_player_in_turn_from_left_to_right_rolls_to_determine_who_shall_be_first() -> None:
    state = GAME.set_up(GAME.terms(seats=6))
    assert {d.seat for d in GAME.due(state)} == set(GAME.seats), "no rule says who throws first"
    state = accepted(state, Roll(PHILADELPHIA, (2, 3))).state
    assert [d.seat for d in GAME.due(state)] == [BALTIMORE]
    verdict = refused(state, Roll(BOSTON, (1, 1)))
    assert verdict.rules == ("KK-06",)
    assert "it is Baltimore's turn to throw" in reasons(verdict)
    assert refused(state, Roll(PHILADELPHIA, (6, 6))).rules == ("KK-06",), "only one throw each"
    for seat in (BALTIMORE, NORFOLK, CHARLESTON, NEW_YORK, BOSTON):
        state = accepted(state, Roll(seat, (1, 2))).state
    assert state.dice == PHILADELPHIA


@pytest.mark.rule("KK-06")
def test_nobody_moves_before_it_is_known_who_begins() -> None:
    state = GAME.set_up(GAME.terms(seats=2))
    assert refused(state, move(state, NEW_YORK, "S07")).rules == ("KK-06",)


@pytest.mark.rule("KK-06")
def test_the_highest_number_has_the_first_chance() -> None:
    state = GAME.set_up(GAME.terms(seats=(NEW_YORK, BOSTON, NORFOLK)))
    state = accepted(state, Roll(NEW_YORK, (2, 2))).state
    state = accepted(state, Roll(BOSTON, (6, 5))).state
    verdict = accepted(state, Roll(NORFOLK, (5, 5)))
    assert told(verdict)[-1] == "Boston has the first turn."
    assert [(d.seat, d.what) for d in GAME.due(verdict.state)] == [(BOSTON, "roll")]


@pytest.mark.rule("KK-08")
def test_those_who_have_tied_roll_again_until_the_tie_is_decided() -> None:
    state = GAME.set_up(GAME.terms(seats=(NEW_YORK, BOSTON, NORFOLK)))
    state = accepted(state, Roll(NEW_YORK, (5, 5))).state
    state = accepted(state, Roll(BOSTON, (1, 5))).state
    verdict = accepted(state, Roll(NORFOLK, (6, 4)))
    assert told(verdict)[-1] == "A tie: New York and Norfolk throw again."
    state = verdict.state
    assert {d.seat for d in GAME.due(state)} == {NEW_YORK, NORFOLK}
    assert refused(state, Roll(BOSTON, (6, 6))).rules == ("KK-08",)
    state = accepted(accepted(state, Roll(NORFOLK, (3, 3))).state, Roll(NEW_YORK, (4, 2))).state
    assert {d.seat for d in GAME.due(state)} == {NEW_YORK, NORFOLK}, "tied again"
    state = accepted(accepted(state, Roll(NORFOLK, (1, 1))).state, Roll(NEW_YORK, (2, 1))).state
    assert state.dice == NEW_YORK


# --- the table of rolls ---


@pytest.mark.rule("KK-05")
@pytest.mark.parametrize("thrown", [(6,), (1, 2, 3)])
def test_two_dice_are_rolled(thrown: tuple[int, ...]) -> None:
    verdict = refused(beginning(), Roll(NEW_YORK, thrown))
    assert verdict.rules == ("KK-05",)
    assert reasons(verdict) == "Kop the Kaiser is played with two dice."


@pytest.mark.rule("KK-10")
def test_seven_advance_seven_and_retain_dice_and_the_player_to_the_left_retreats_seven() -> None:
    state = roll(beginning(), 7)
    assert orders(state) == {NEW_YORK: ("S07", ADVANCE), CHARLESTON: ("S34", RETREAT)}
    assert carry_out(state).dice == NEW_YORK


@pytest.mark.rule("KK-11")
def test_eleven_advance_eleven_and_retain_dice_and_the_player_to_the_left_retreats_eleven() -> None:
    state = roll(beginning(), 11)
    assert orders(state) == {NEW_YORK: ("S11", ADVANCE), CHARLESTON: ("S30", RETREAT)}
    assert carry_out(state).dice == NEW_YORK


@pytest.mark.rule("KK-12")
def test_two_retreat_two_and_retain_dice_and_the_player_to_the_left_advances_two() -> None:
    state = roll(beginning(), 2)
    assert orders(state) == {NEW_YORK: ("S47", RETREAT), CHARLESTON: ("S42", ADVANCE)}
    assert carry_out(state).dice == NEW_YORK


@pytest.mark.rule("KK-13")
def test_three_retreat_three_and_retain_dice_and_the_player_to_the_left_advances_three() -> None:
    state = roll(beginning(), 3)
    assert orders(state) == {NEW_YORK: ("S46", RETREAT), CHARLESTON: ("S43", ADVANCE)}
    assert carry_out(state).dice == NEW_YORK


@pytest.mark.rule("KK-14")
def test_twelve_retreat_twelve_and_retain_dice_and_the_player_to_the_left_advances_twelve() -> None:
    state = roll(beginning(), 12)
    assert orders(state) == {NEW_YORK: ("S37", RETREAT), CHARLESTON: ("S04", ADVANCE)}
    assert carry_out(state).dice == NEW_YORK


@pytest.mark.rule("KK-16")
@pytest.mark.parametrize("number", [4, 5, 6, 8, 9, 10])
def test_four_five_six_eight_nine_and_ten_are_rolled_for_again_three_times(number: int) -> None:
    state = roll(beginning(), number)
    assert orders(state) == {}, "the initial roll itself moves nobody"
    other = 9 if number != 9 else 8
    for attempts_left in ("3 tries left", "2 tries left", "your last try"):
        assert attempts_left in GAME.words.tell(GAME.due(state)[0].say)
        assert state.dice == NEW_YORK
        state = roll(state, other)
    assert state.dice == BOSTON


@pytest.mark.rule("KK-18")
@pytest.mark.rule("KK-20")
def test_if_it_is_not_rerolled_the_dice_are_surrendered_to_the_player_on_the_right() -> None:
    state = play(beginning(), 6, 5, 8)
    verdict = accepted(state, Roll(NEW_YORK, (4, 6)))
    assert told(verdict) == ["New York rolled 10, not 6.", "The dice go to Boston."]
    state = verdict.state
    assert refused(state, Roll(NEW_YORK, (1, 1))).rules == ("KK-20",)
    assert reasons(refused(state, Roll(NEW_YORK, (1, 1)))) == "Boston has the dice."
    for seat in (BOSTON, PHILADELPHIA, BALTIMORE, NORFOLK, CHARLESTON, NEW_YORK):
        assert state.dice == seat
        state = play(state, 6, 5, 5, 5)


@pytest.mark.rule("KK-19")
def test_a_number_moves_nobody_but_the_roller() -> None:
    state = roll(play(beginning(), 8), 8)
    assert orders(state) == {NEW_YORK: ("S08", ADVANCE)}
    verdict = refused(state, move(state, CHARLESTON, "S33", RETREAT))
    assert "KK-19" in verdict.rules
    assert "does not move the Artillery" in reasons(verdict)


@pytest.mark.rule("KK-34")
def test_the_summary_applies_only_while_an_army_is_dodging_the_submarines() -> None:
    state = standing({NEW_YORK: pink(NEW_YORK, 2), CHARLESTON: pink(CHARLESTON, 3)})
    verdict = accepted(state, Roll(NEW_YORK, dice(11)))
    assert orders(verdict.state) == {NEW_YORK: (pink(NEW_YORK, 3), ADVANCE), CHARLESTON: (pink(CHARLESTON, 2), ADVANCE)}
    assert "KK-34" in verdict.rules


# --- 3. dodging the submarines ---


@pytest.mark.rule("KK-09")
def test_the_player_who_won_the_first_chance_rolls_again() -> None:
    state = beginning(first=NORFOLK)
    assert all(where(state, seat) == (port(seat), ADVANCE) for seat in GAME.seats), "his throw of 12 moved nobody"
    assert GAME.words.tell(GAME.due(state)[0].say) == "Norfolk, roll the dice."
    assert refused(state, move(state, NORFOLK, "S40")).rules == ("KK-09", "KK-15")


@pytest.mark.rule("KK-21")
def test_he_advances_to_his_right_around_the_blue_path() -> None:
    state = roll(beginning(first=BOSTON), 7)
    assert orders(state)[BOSTON] == ("S15", ADVANCE)
    verdict = refused(state, move(state, BOSTON, "S02"))
    assert "KK-21" in verdict.rules
    assert "KK-10" in verdict.rules
    assert "The Signal Corps advances now, to its own right. You moved it back." in reasons(verdict)


@pytest.mark.rule("KK-10")
def test_a_counter_that_goes_too_far_is_told_how_far_it_should_go() -> None:
    state = roll(beginning(), 7)
    verdict = refused(state, move(state, NEW_YORK, "S08"))
    assert verdict.rules == ("KK-10",)
    assert reasons(verdict) == "7 was rolled, and that does not lead to S08: the Infantry advances 7 spaces to S07, ADVANCE up."


@pytest.mark.rule("KK-21")
def test_a_counter_is_moved_from_where_it_stands() -> None:
    state = roll(standing({NEW_YORK: "S04", BOSTON: port(BOSTON)}), 7)
    verdict = refused(state, move(state, NEW_YORK, "S11", start=port(NEW_YORK)))
    assert verdict.rules == ("KK-21",)
    assert "stands on S04" in reasons(verdict)


@pytest.mark.rule("KK-23")
def test_starting_points_are_not_counted_as_spaces() -> None:
    state = roll(standing({NEW_YORK: "S04", BALTIMORE: port(BALTIMORE)}), 7)
    assert orders(state)[NEW_YORK] == ("S11", ADVANCE), "past Boston"
    for wrong in ("S10", port(BOSTON)):
        verdict = refused(state, move(state, NEW_YORK, wrong))
        assert verdict.rules == ("KK-23", "KK-10")
        assert "Ports are not counted as spaces" in reasons(verdict)
    assert refused(state, move(state, NEW_YORK, "S09")).rules == ("KK-10",), "that is simply two short"


@pytest.mark.rule("KK-22")
def test_the_defeated_player_at_his_left_must_retire_to_his_own_left() -> None:
    state = roll(beginning(NEW_YORK, BALTIMORE), 7)
    assert orders(state)[BALTIMORE] == ("S18", RETREAT)
    verdict = refused(state, move(state, BALTIMORE, "S31"))
    assert verdict.rules == ("KK-22", "KK-10")
    assert "retreats now, to its own left. You moved it forward." in reasons(verdict)


@pytest.mark.rule("KK-10")
def test_the_next_roll_waits_until_every_counter_has_been_moved_in_any_order() -> None:
    state = roll(beginning(), 7)
    verdict = refused(state, Roll(NEW_YORK, (1, 1)))
    assert verdict.rules == ("KK-10",)
    assert reasons(verdict) == "The last throw must be played first: move the Infantry and Artillery."
    state = accepted(state, move(state, CHARLESTON, "S34", RETREAT)).state
    assert reasons(refused(state, Roll(NEW_YORK, (1, 1)))).endswith("move the Infantry.")
    assert refused(state, move(state, CHARLESTON, "S27", RETREAT)).rules == ("KK-10",), "moved once, not twice"
    state = accepted(state, move(state, NEW_YORK, "S07")).state
    assert [(d.seat, d.what) for d in GAME.due(state)] == [(NEW_YORK, "roll")]


@pytest.mark.rule("KK-24")
def test_an_army_past_its_starting_point_to_the_right_always_shows_advance() -> None:
    state = roll(standing({NEW_YORK: ("S46", RETREAT), BOSTON: port(BOSTON)}), 7)
    assert orders(state)[NEW_YORK] == ("S05", ADVANCE)
    verdict = refused(state, move(state, NEW_YORK, "S05", RETREAT))
    assert verdict.rules == ("KK-24",)
    assert "turn the counter so that ADVANCE is up" in reasons(verdict)


@pytest.mark.rule("KK-25")
def test_an_army_that_retired_to_the_left_of_its_starting_point_always_shows_retreat() -> None:
    state = roll(standing({NEW_YORK: "S01", BOSTON: "S12"}), 12)
    assert orders(state)[NEW_YORK] == ("S37", RETREAT)
    verdict = refused(state, move(state, NEW_YORK, "S37", ADVANCE))
    assert verdict.rules == ("KK-25",)
    assert "turn the counter so that RETREAT is up" in reasons(verdict)
    assert where(play(carry_out(state), 7), NEW_YORK) == ("S44", RETREAT), "as long as it remains there"


@pytest.mark.rule("KK-12")
def test_a_defeat_means_a_victory_for_the_player_at_his_left() -> None:
    state = beginning(NEW_YORK, BOSTON, BALTIMORE)
    verdict = accepted(state, Roll(NEW_YORK, (1, 1)))
    assert told(verdict) == [
        "New York rolled 2, a defeat.",
        "The Infantry retreats 2 spaces to S47, RETREAT up.",
        "The Artillery advances 2 spaces to S26, ADVANCE up.",
    ]


@pytest.mark.rule("KK-15")
@pytest.mark.parametrize("total", [7, 11, 2, 3, 12])
def test_a_first_roll_of_7_11_2_3_or_12_entitles_to_another_roll_and_so_on(total: int) -> None:
    state = beginning()
    for _ in range(3):
        state = play(state, total)
        assert state.dice == NEW_YORK
        assert state.number == 0


@pytest.mark.rule("KK-16")
@pytest.mark.rule("KK-17")
def test_after_a_5_he_rolls_up_to_three_times_and_moves_five_if_he_repeats_it() -> None:
    state = play(beginning(), 5, 9, 7)
    verdict = accepted(state, Roll(NEW_YORK, (1, 4)))
    assert told(verdict) == ["New York repeated the 5.", "The Infantry advances 5 spaces to S05, ADVANCE up."]
    assert "KK-17" in verdict.rules
    assert where(carry_out(verdict.state), NEW_YORK) == ("S05", ADVANCE)


@pytest.mark.rule("KK-17")
def test_the_attempts_are_over_with_the_first_success() -> None:
    state = play(beginning(), 5, 5)
    assert state.number == 0, "the next throw is an initial roll"
    assert where(play(state, 7), NEW_YORK) == ("S12", ADVANCE)


@pytest.mark.rule("KK-18")
def test_after_three_attempts_in_vain_he_must_surrender_the_dice() -> None:
    state = play(beginning(), 5, 9, 7, 4)
    assert state.dice == BOSTON
    assert where(state, NEW_YORK) == (port(NEW_YORK), ADVANCE)
    assert roll(state, 5).number == 5, "the next player begins with an initial roll"


@pytest.mark.rule("KK-16")
def test_nobody_else_rolls_and_nobody_moves_between_the_attempts() -> None:
    state = roll(beginning(), 5)
    assert refused(state, Roll(BOSTON, (1, 4))).rules == ("KK-16",)
    assert refused(state, move(state, NEW_YORK, "S05")).rules == ("KK-16",)


# --- 4. in France ---


@pytest.mark.rule("KK-26")
@pytest.mark.rule("KK-27")
def test_from_the_last_space_left_of_his_starting_point_he_advances_into_in_france() -> None:
    state = roll(standing({NEW_YORK: "S48", BOSTON: port(BOSTON)}), 7)
    verdict = accepted(state, move(state, NEW_YORK, pink(NEW_YORK, 1)))
    assert where(verdict.state, NEW_YORK) == (pink(NEW_YORK, 1), ADVANCE)
    assert refused(state, move(state, NEW_YORK, pink(BOSTON, 1))).rules == ("KK-27", "KK-10"), "each army has its own way"


@pytest.mark.rule("KK-26")
def test_on_the_same_space_with_retreat_up_he_passes_his_port_and_stays_out_of_france() -> None:
    state = roll(standing({NEW_YORK: ("S48", RETREAT), BOSTON: port(BOSTON)}), 7)
    assert orders(state)[NEW_YORK] == ("S07", ADVANCE)
    verdict = refused(state, move(state, NEW_YORK, pink(NEW_YORK, 1)))
    assert "KK-26" in verdict.rules
    assert "may not go into France" in reasons(verdict)


@pytest.mark.rule("KK-28")
def test_he_cannot_advance_further_than_in_france_on_one_roll() -> None:
    state = roll(standing({NEW_YORK: "S47", BOSTON: port(BOSTON)}), 11)
    assert orders(state)[NEW_YORK] == (pink(NEW_YORK, 1), ADVANCE)
    for too_far in (pink(NEW_YORK, 2), pink(NEW_YORK, 5), "BERLIN"):
        verdict = refused(state, move(state, NEW_YORK, too_far))
        assert verdict.rules == ("KK-28", "KK-11")
        assert "stops In France" in reasons(verdict)


@pytest.mark.rule("KK-29")
@pytest.mark.rule("KK-30")
@pytest.mark.parametrize("totals", [(7,), (11,), (10, 10), (4, 3, 4)])
def test_in_the_pink_he_climbs_one_division_on_his_own_7_or_11_or_a_repeated_number(totals: tuple[int, ...]) -> None:
    state = play(standing({NEW_YORK: pink(NEW_YORK, 2), BOSTON: port(BOSTON)}), *totals[:-1])
    assert where(state, NEW_YORK) == (pink(NEW_YORK, 2), ADVANCE)
    state = roll(state, totals[-1])
    assert orders(state)[NEW_YORK] == (pink(NEW_YORK, 3), ADVANCE)
    verdict = refused(state, move(state, NEW_YORK, pink(NEW_YORK, 4)))
    assert "KK-29" in verdict.rules
    assert "only one division at a time" in reasons(verdict)


@pytest.mark.rule("KK-30")
def test_in_the_pink_no_other_roll_carries_him_upward() -> None:
    state = standing({NEW_YORK: port(NEW_YORK), CHARLESTON: pink(CHARLESTON, 2)})
    verdict = accepted(state, Roll(NEW_YORK, (6, 6)))
    assert CHARLESTON not in orders(verdict.state)
    assert "KK-30" in verdict.rules


@pytest.mark.rule("KK-31")
@pytest.mark.rule("KK-32")
@pytest.mark.parametrize(("roller", "total"), [(NEW_YORK, 2), (NEW_YORK, 3), (NEW_YORK, 12), (BOSTON, 7), (BOSTON, 11)])
def test_in_the_pink_he_retreats_one_division_on_his_own_initial_roll_or_a_roll_of_the_player_to_his_right(
    roller: str, total: int
) -> None:
    state = roll(standing({NEW_YORK: pink(NEW_YORK, 4), BOSTON: port(BOSTON), NORFOLK: port(NORFOLK)}, roller), total)
    assert orders(state)[NEW_YORK] == (pink(NEW_YORK, 3), ADVANCE)
    for too_far in (pink(NEW_YORK, 2), "S48"):
        verdict = refused(state, move(state, NEW_YORK, too_far))
        assert "KK-31" in verdict.rules
        assert "retreats only one division" in reasons(verdict)


@pytest.mark.rule("KK-32")
def test_in_the_pink_a_number_that_is_not_repeated_does_not_drive_him_back() -> None:
    state = play(standing({NEW_YORK: pink(NEW_YORK, 4), BOSTON: port(BOSTON)}), 6, 2, 3, 12)
    assert where(state, NEW_YORK) == (pink(NEW_YORK, 4), ADVANCE)


@pytest.mark.rule("KK-33")
def test_when_he_has_to_retreat_from_in_france_the_rules_apply_just_as_before() -> None:
    state = roll(standing({NEW_YORK: pink(NEW_YORK, 1), BOSTON: port(BOSTON), NORFOLK: port(NORFOLK)}, BOSTON), 11)
    assert orders(state)[NEW_YORK] == ("S38", ADVANCE), "eleven spaces, the first of them S48"
    state = carry_out(state)
    assert where(play(state, 7), NEW_YORK) == ("S31", ADVANCE), "then seven more, like any army on blue"


# --- 5. and 6. the end ---


@pytest.mark.rule("KK-35")
def test_an_army_forced_to_retire_the_complete_circuit_surrenders_and_is_out_of_the_game() -> None:
    state = standing({NEW_YORK: ("S05", RETREAT), BOSTON: "S20", NORFOLK: port(NORFOLK)}, BOSTON)
    state = roll(state, 7)
    verdict = refused(state, move(state, NEW_YORK, port(NEW_YORK)))
    assert verdict.rules == ("KK-35",)
    assert "take it off the board" in reasons(verdict)
    verdict = accepted(state, surrender(state, NEW_YORK))
    assert told(verdict) == ["The Infantry of New York has surrendered and is out of the game."]
    state = carry_out(verdict.state)
    assert where(state, NEW_YORK) is None
    assert refused(state, Roll(NEW_YORK, (1, 1))).rules == ("KK-35",)
    assert refused(state, Move(NEW_YORK, "move", INFANTRY, "S05", "S07", ADVANCE)).rules == ("KK-35",)
    assert play(state, 6, 5, 5, 5).dice == NORFOLK
    assert play(state, 6, 5, 5, 5, 6, 5, 5, 5).dice == BOSTON


@pytest.mark.rule("KK-35")
def test_an_army_that_is_not_driven_all_the_way_round_does_not_surrender() -> None:
    state = roll(standing({NEW_YORK: ("S08", RETREAT), BOSTON: "S20", NORFOLK: port(NORFOLK)}, BOSTON), 7)
    assert orders(state)[NEW_YORK] == ("S01", RETREAT)
    verdict = refused(state, surrender(state, NEW_YORK))
    assert verdict.rules == ("KK-35", "KK-10")
    assert "not beaten yet: the Infantry retreats 7 spaces to S01" in reasons(verdict)


@pytest.mark.rule("KK-36")
def test_the_player_who_first_enters_berlin_kops_the_kaiser_and_wins_the_game() -> None:
    state = roll(play(standing({NEW_YORK: pink(NEW_YORK, 5), BOSTON: port(BOSTON)}), 8), 8)
    verdict = accepted(state, move(state, NEW_YORK, "BERLIN"))
    assert told(verdict) == ["The Infantry of New York is in Berlin and kops the Kaiser. New York wins!"]
    assert "KK-36" in verdict.rules
    for event in (Roll(NEW_YORK, (1, 1)), move(verdict.state, BOSTON, "S10")):
        assert reasons(refused(verdict.state, event)) == "The game is over."
