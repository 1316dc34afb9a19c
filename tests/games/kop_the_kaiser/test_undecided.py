"""Where the leaflet does not decide and the table has not chosen a reading, the referee stays silent."""

from __future__ import annotations

import pytest

from companion.events import Roll
from companion.games.kop_the_kaiser import GAME
from companion.referee import SILENT, judge
from tests.games.kop_the_kaiser.at_the_table import (
    BALTIMORE,
    BOSTON,
    CHARLESTON,
    NEW_YORK,
    NORFOLK,
    PHILADELPHIA,
    RETREAT,
    beginning,
    dice,
    pink,
    port,
    roll,
    standing,
    surrender,
)


@pytest.mark.parametrize(
    ("name", "places", "total"),
    [
        ("retreat_from", {NEW_YORK: port(NEW_YORK), CHARLESTON: "S10"}, 7),
        ("left_neighbour", {NEW_YORK: port(NEW_YORK), BALTIMORE: "S10"}, 7),
        ("ports_counted", {NEW_YORK: "S04", BALTIMORE: "S10"}, 7),
        ("may_stop_on_port", {NEW_YORK: "S02", BALTIMORE: "S10"}, 12),
        ("france_exact", {NEW_YORK: "S45", BALTIMORE: "S10"}, 7),
        ("france_by_neighbour", {NEW_YORK: "S20", CHARLESTON: "S37"}, 12),
        ("pink_retreat", {NEW_YORK: pink(NEW_YORK, 3), CHARLESTON: "S10"}, 12),
        ("pink_roller_hits_left", {NEW_YORK: pink(NEW_YORK, 3), CHARLESTON: "S10"}, 7),
        ("leave_france", {NEW_YORK: pink(NEW_YORK, 1), CHARLESTON: "S10"}, 12),
        ("vanquished", {NEW_YORK: ("S04", RETREAT), CHARLESTON: "S10"}, 3),
        ("sharing", {NEW_YORK: "S04", BALTIMORE: "S32", PHILADELPHIA: "S11"}, 7),
    ],
)
def test_a_roll_is_left_open_where_it_hangs_on_an_undecided_reading(name: str, places: dict[str, object], total: int) -> None:
    state = standing(places, readings={name: "ask"})
    ruling = judge(GAME, state, Roll(NEW_YORK, dice(total)))
    assert ruling.status == SILENT
    assert [reading.name for reading in ruling.readings] == [name]
    harmless = judge(GAME, state, Roll(NEW_YORK, (4, 4)))
    assert harmless.status == "accepted", "a number moves nobody yet"


@pytest.mark.parametrize(
    ("name", "totals"), [("after_repeat", (5, 5)), ("dice_pass", (5, 6, 6, 6)), ("seven_out", (5, 7)), ("tries", (5, 6, 6))]
)
def test_the_way_of_the_dice_is_left_open_where_it_hangs_on_an_undecided_reading(name: str, totals: tuple[int, ...]) -> None:
    state = beginning(NEW_YORK, BOSTON, NORFOLK, readings={name: "ask"})
    *before, last = totals
    for total in before:
        ruling = judge(GAME, state, Roll(NEW_YORK, dice(total)))
        assert ruling.status == "accepted"
        state = ruling.state
    ruling = judge(GAME, state, Roll(NEW_YORK, dice(last)))
    if ruling.status != SILENT:  # a repeated number: the dice move on with the counter
        ruling = judge(GAME, ruling.state, GAME.legal_moves(ruling.state)[0])
    assert [reading.name for reading in ruling.readings] == [name]


def test_whether_the_last_army_has_won_is_left_open_if_the_table_has_not_decided() -> None:
    state = roll(standing({NEW_YORK: ("S04", RETREAT), BOSTON: port(BOSTON)}, readings={"last_army": "ask"}), 12)
    ruling = judge(GAME, state, surrender(state, NEW_YORK))
    assert [reading.name for reading in ruling.readings] == ["last_army"]
