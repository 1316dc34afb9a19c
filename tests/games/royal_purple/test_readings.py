"""Each value of each reading, at the point where it matters."""

from __future__ import annotations

from typing import Any

import pytest

from companion.events import BadInput
from companion.notation import from_text
from companion.referee import judge
from tests.games.royal_purple.boards import ODD, TALL
from tests.games.royal_purple.table import (
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
    winners,
)

PRINCESS = "prince_and_princess"


def with_reading(name: str, value: str, turn_of: str = "red", princes: dict[str, str] | None = None, **fields: Any) -> Any:
    return at(turn_of, princes, readings={name: value}, **fields)


def pair(name: str, value: str, princes: dict[str, str], **fields: Any) -> Any:
    return with_reading(name, value, "south", princes, variant=PRINCESS, **fields)


# --- the throw ---


@pytest.mark.reading("frame", "board")
@pytest.mark.reading("frame", "seat")
def test_up_is_the_same_for_everybody_or_seen_from_the_seat_and_no_move_changes() -> None:
    board = with_reading("frame", "board", throw={"red": 4})
    seat = with_reading("frame", "seat", throw={"red": 4})
    tell = GAME.words.tell
    assert tell(GAME.due(board)[0].say) == "Red, move the red Prince with the 4: one or two squares up or down."
    assert tell(GAME.due(seat)[0].say).endswith("one or two squares away from you or towards you.")
    assert GAME.legal_moves(board) == GAME.legal_moves(seat)


def through(value: str) -> tuple[bool, bool]:
    """May he pass a marker, may he pass a Prince?"""
    fields: dict[str, Any] = {"throw": {"red": 4}}
    marker = with_reading("two_step_through", value, "red", {"red": "f4"}, markers={"blue": ["f5"]}, **fields)
    prince = with_reading("two_step_through", value, "red", {"red": "f4", "blue": "f5"}, **fields)
    return "f6" in ends(marker), "f6" in ends(prince)


@pytest.mark.reading("two_step_through", "blocked")
def test_a_move_of_two_passes_neither_marker_nor_prince() -> None:
    assert through("blocked") == (False, False)
    state = at("red", {"red": "f4", "blue": "f5"}, throw={"red": 4}, markers={"blue": ["f5"]})
    assert against(state, "red: move red-prince f4 > f6") == {"RP-A02"}


@pytest.mark.reading("two_step_through", "princes_only_block")
def test_a_move_of_two_may_pass_a_marker_but_no_prince() -> None:
    assert through("princes_only_block") == (True, False)


@pytest.mark.reading("two_step_through", "free_jump")
def test_a_move_of_two_may_pass_anything() -> None:
    assert through("free_jump") == (True, True)


@pytest.mark.reading("two_step_bend", "straight")
def test_a_move_of_two_is_straight() -> None:
    state = with_reading("two_step_bend", "straight", "red", {"red": "f4"}, throw={"red": 6})
    assert "f6" not in ends(state)
    assert against(state, "red: move red-prince f4 > f6") == {"RP-20", "RP-A03"}
    assert "RP-A03" in against(state, "red: move red-prince f4 > f4")


@pytest.mark.reading("two_step_bend", "free")
def test_a_move_of_two_may_turn_and_even_come_back() -> None:
    state = with_reading("two_step_bend", "free", "red", {"red": "f4"}, throw={"red": 6})
    assert {"f6", "f2", "h4", "d4", "f4"} <= ends(state)
    up_and_down = with_reading("two_step_bend", "free", "red", {"red": "f4"}, throw={"red": 4}, markers={"blue": ["f5", "f3"]})
    assert due(up_and_down) == ["blue roll"], "no way out, no way back"
    one_way = with_reading("two_step_bend", "free", "red", {"red": "f4"}, throw={"red": 6}, markers={"blue": ["g5", "g3", "e3"]})
    assert "f6" in ends(one_way), "by e5"


@pytest.mark.reading("passed_square", "nothing")
def test_a_square_only_passed_is_not_marked() -> None:
    state = with_reading("passed_square", "nothing", "red", {"red": "f4"}, throw={"red": 4})
    assert legal(after(state, "red: move red-prince f4 > f6"), "mark") == ["mark > f6"]


@pytest.mark.reading("passed_square", "marked")
def test_a_square_passed_may_be_marked_too_but_sends_nobody() -> None:
    state = with_reading("passed_square", "marked", "red", {"red": "f4"}, throw={"red": 4})
    assert legal(after(state, "red: move red-prince f4 > f6"), "mark") == ["mark > f5", "mark > f6"]
    over_go = with_reading("passed_square", "marked", "red", {"red": "c4"}, throw={"red": 6})
    state = after(over_go, "red: move red-prince c4 > e6")
    assert position(state)["princes"]["red"] == "e6"
    assert legal(state, "mark") == ["mark > d5", "mark > e6"]


@pytest.mark.reading("pass_castle", "no")
@pytest.mark.reading("pass_castle", "yes")
def test_a_throne_is_not_passed_or_it_is() -> None:
    throw = {"throw": {"red": 5}}
    assert ends(with_reading("pass_castle", "no", "red", {"red": "e11"}, **throw)) == {"d11", "c11"}
    assert "RP-A05" in against(
        with_reading("pass_castle", "no", "red", {"red": "e11"}, **throw), "red: move red-prince e11 > g11"
    )
    assert ends(with_reading("pass_castle", "yes", "red", {"red": "e11"}, **throw)) == {"d11", "c11", "g11"}


# --- Go squares ---


@pytest.mark.reading("go_chain", "no")
@pytest.mark.reading("go_chain", "yes")
def test_one_go_square_sends_to_the_next_only_by_a_reading_and_each_once() -> None:
    def run(value: str) -> Any:
        state = with_reading("go_chain", value, "red", {"red": "c6"}, layout=ODD, throw={"red": 2})
        return after(state, "red: move red-prince c6 > d6 (follow)")

    assert position(run("no"))["princes"]["red"] == "d8"
    assert legal(run("no"), "mark") == ["mark > d6", "mark > d8"]
    assert position(run("yes"))["princes"]["red"] == "d6", "round by d8 and h8, and there it ends"
    assert legal(run("yes"), "mark") == ["mark > d6", "mark > d8", "mark > h8"]


@pytest.mark.reading("go_noble_counts", "yes")
@pytest.mark.reading("go_noble_counts", "no")
def test_a_noble_to_which_a_go_square_sends_counts_or_is_not_marked() -> None:
    def run(value: str) -> Any:
        state = with_reading("go_noble_counts", value, layout=ODD, throw={"red": 3})
        return after(state, "red: move red-prince a1 > b2 (follow)")

    assert legal(run("yes"), "mark") == ["mark > b2", "mark > c3"]
    assert "RP-41" in accepted(run("yes"), "red: mark > c3").rules
    assert legal(run("no"), "mark") == ["mark > b2"]
    assert "RP-A07" in against(run("no"), "red: mark > c3")


@pytest.mark.reading("go_into_castle", "void")
@pytest.mark.reading("go_into_castle", "allowed")
def test_a_go_square_into_anothers_castle_is_void_or_followed() -> None:
    void = with_reading("go_into_castle", "void", "red", {"red": "a3"}, layout=ODD, throw={"red": 2})
    assert ends(void) == {"b3"}
    assert against(void, "red: move red-prince a3 > b3 (follow)") == {"RP-28", "RP-A10"}
    allowed = with_reading("go_into_castle", "allowed", "red", {"red": "a3"}, layout=ODD, throw={"red": 2})
    assert ends(allowed) == {"b3+"}
    inside = after(allowed, "red: move red-prince a3 > b3 (follow)")
    assert position(inside)["princes"]["red"] == "a11"
    assert legal(inside, "mark") == ["mark > b3"]
    assert against(inside, "red: mark > a11") == {"RP-A26"}


@pytest.mark.reading("go_into_throne", "wins_if_five")
@pytest.mark.reading("go_into_throne", "never")
def test_a_go_square_may_lead_to_the_throne_with_five_nobles_or_never() -> None:
    five = {"red": ["c3", "i3", "c9", "i9", "g5"]}

    def before(value: str, markers: dict[str, list[str]]) -> Any:
        return with_reading("go_into_throne", value, "red", {"red": "a5"}, layout=ODD, throw={"red": 2}, markers=markers)

    wins = before("wins_if_five", five)
    assert ends(wins) == {"b5+"}
    assert winners(after(wins, "red: move red-prince a5 > b5 (follow)")) == ("red",)
    assert ends(before("wins_if_five", {})) == {"b5"}, "not before he has five"
    assert ends(before("never", five)) == {"b5"}
    assert against(before("never", five), "red: move red-prince a5 > b5 (follow)") == {"RP-A11"}


@pytest.mark.reading("own_go_onto_foreign", "allowed")
@pytest.mark.reading("own_go_onto_foreign", "barred")
def test_a_go_square_of_ones_own_leads_on_to_anothers_ground_or_not() -> None:
    markers = {"red": ["b2"], "blue": ["e4"]}
    allowed = with_reading("own_go_onto_foreign", "allowed", throw={"red": 3}, markers=markers)
    assert ends(allowed) == {"b2", "b2+"}
    barred = with_reading("own_go_onto_foreign", "barred", throw={"red": 3}, markers=markers)
    assert ends(barred) == {"b2"}
    assert against(barred, "red: move red-prince a1 > b2 (follow)") == {"RP-A12"}
    still_sent = with_reading("own_go_onto_foreign", "barred", throw={"red": 3}, markers={"blue": ["e4"]})
    assert ends(still_sent) == {"b2+"}


# --- bottled up ---


@pytest.mark.reading("bottled_test", "own_turn")
@pytest.mark.reading("bottled_test", "at_once")
def test_a_prince_is_bottled_up_at_his_own_turn_or_at_once() -> None:
    def run(value: str) -> Any:
        state = with_reading(
            "bottled_test", value, "blue", {"blue": "a3"}, throw={"blue": 1}, markers={"green": ["b1"], "yellow": ["b2"]}
        )
        return after(state, "blue: move blue-prince a3 > a2", "blue: mark > a2")

    assert position(run("own_turn"))["out"] == []
    assert position(run("at_once"))["out"] == ["red"]


@pytest.mark.reading("bottled_by_prince", "waits")
@pytest.mark.reading("bottled_by_prince", "out")
def test_a_prince_in_the_way_only_makes_him_wait_or_puts_him_out() -> None:
    fields: dict[str, Any] = {"markers": {"green": ["b1"], "yellow": ["b2"]}}
    waits = with_reading("bottled_by_prince", "waits", "red", {"blue": "a2"}, **fields)
    assert due(waits) == ["red roll"]
    assert "RP-23" in accepted(waits, "red: roll 4").rules
    out = with_reading("bottled_by_prince", "out", "red", {"blue": "a2"}, **fields)
    assert position(out)["out"] == ["red"]
    assert due(out) == ["blue roll"]


def shut_in(reading_value: str) -> Any:
    """Red is bottled up; blue is next. Red has marked c1 and stands in his Castle."""
    markers = {"blue": ["a2", "b1", "b2"], "red": ["c1"]}
    return with_reading("out_player", reading_value, "red", markers=markers)


@pytest.mark.reading("out_player", "remove_prince")
def test_the_prince_of_a_player_who_is_out_is_taken_off_and_his_markers_stay() -> None:
    state = shut_in("remove_prince")
    assert "red" not in position(state)["princes"]
    assert position(state)["markers"]["red"] == ["c1"]


@pytest.mark.reading("out_player", "leave_all")
def test_prince_and_markers_of_a_player_who_is_out_stay_and_bar_the_way() -> None:
    state = shut_in("leave_all")
    assert position(state)["princes"]["red"] == "a1"
    assert position(state)["out"] == ["red"]
    assert position(state)["markers"]["red"] == ["c1"]


@pytest.mark.reading("out_player", "remove_all")
def test_prince_and_markers_of_a_player_who_is_out_are_taken_off() -> None:
    state = shut_in("remove_all")
    assert "red" not in position(state)["princes"]
    assert position(state)["markers"]["red"] == []


@pytest.mark.reading("last_standing", "play_on")
@pytest.mark.reading("last_standing", "wins")
def test_the_last_player_plays_on_or_wins() -> None:
    def run(value: str) -> Any:
        return with_reading("last_standing", value, "red", variant="two_handed", markers={"yellow": ["a2", "b1", "b2"]})

    assert due(run("play_on")) == ["yellow roll"]
    assert winners(run("play_on")) is None
    assert winners(run("wins")) == ("yellow",)


# --- Thrones and Castles ---


@pytest.mark.reading("early_throne", "barred")
def test_the_throne_is_closed_before_five_nobles() -> None:
    state = with_reading("early_throne", "barred", "red", {"red": "f10"}, throw={"red": 1})
    assert ends(state) == {"f9"}
    assert against(state, "red: move red-prince f10 > f11") == {"RP-46", "RP-A20"}


@pytest.mark.reading("early_throne", "ordinary_square_unmarked")
def test_the_throne_may_be_entered_early_as_a_square_that_nobody_marks() -> None:
    state = with_reading("early_throne", "ordinary_square_unmarked", "red", {"red": "f10"}, throw={"red": 1})
    state = after(state, "red: move red-prince f10 > f11")
    assert winners(state) is None
    assert against(state, "red: mark > f11") == {"RP-A22"}


@pytest.mark.reading("early_throne", "ordinary_square_marked")
def test_the_throne_may_be_entered_early_and_marked_which_shuts_out_the_neighbour() -> None:
    state = with_reading("early_throne", "ordinary_square_marked", "red", {"red": "f10"}, throw={"red": 1})
    state = after(state, "red: move red-prince f10 > f11", "red: mark > f11")
    assert position(state)["markers"]["red"] == ["f11"]
    neighbour = with_reading(
        "early_throne", "ordinary_square_marked", "green", {"green": "f10"}, throw={"green": 1},
        markers={"red": ["f11"], "green": FIVE["green"]},
    )  # fmt: skip
    assert "RP-26" in against(neighbour, "green: move green-prince f10 > f11")


@pytest.mark.reading("foreign_throne", "barred")
@pytest.mark.reading("foreign_throne", "ordinary")
def test_the_throne_of_the_other_side_is_closed_or_an_ordinary_square() -> None:
    barred = with_reading("foreign_throne", "barred", "red", {"red": "f2"}, throw={"red": 1})
    assert "RP-A21" in against(barred, "red: move red-prince f2 > f1")
    open_ = with_reading("foreign_throne", "ordinary", "red", {"red": "f2"}, throw={"red": 1}, markers={"red": FIVE["red"]})
    state = after(open_, "red: move red-prince f2 > f1")
    assert winners(state) is None
    assert legal(state, "mark") == []


@pytest.mark.reading("mark_castle", "no")
@pytest.mark.reading("mark_castle", "yes")
def test_his_own_castle_is_not_marked_or_may_be() -> None:
    def run(value: str) -> Any:
        state = with_reading("mark_castle", value, "red", {"red": "a2"}, throw={"red": 1})
        return after(state, "red: move red-prince a2 > a1")

    assert against(run("no"), "red: mark > a1") == {"RP-A26"}
    assert position(after(run("yes"), "red: mark > a1"))["markers"]["red"] == ["a1"]


# --- markers ---

THIRTY = [s.id for s in GAME.board().spaces.values() if s.kinds == {"plain"} and s.id not in ("a2", "a3", "f2")][:30]


@pytest.mark.reading("markers_out", "continue_unmarked")
def test_without_markers_he_moves_on_and_marks_nothing() -> None:
    state = with_reading("markers_out", "continue_unmarked", throw={"red": 1}, markers={"red": THIRTY})
    state = after(state, "red: move red-prince a1 > a2")
    assert due(state) == ["blue roll"]
    assert against(state, "red: mark > a2") == {"RP-02", "RP-A27"}


@pytest.mark.reading("markers_out", "player_out")
def test_who_has_placed_his_last_marker_is_out() -> None:
    state = with_reading("markers_out", "player_out", throw={"red": 1}, markers={"red": THIRTY[:29]})
    state = after(state, "red: move red-prince a1 > a2", "red: mark > a2")
    assert position(state)["out"] == ["red"]


@pytest.mark.reading("markers_out", "lift_own_oldest")
def test_he_takes_up_his_oldest_marker_but_never_from_a_noble() -> None:
    markers = ["c3", *THIRTY[:29]]
    state = with_reading("markers_out", "lift_own_oldest", throw={"red": 1}, markers={"red": markers})
    state = after(state, "red: move red-prince a1 > a2", "red: mark > a2")
    assert position(state)["markers"]["red"] == ["c3", *THIRTY[1:29], "a2"]


@pytest.mark.reading("mark_deadline", "next_throw")
@pytest.mark.reading("mark_deadline", "next_piece_touched")
def test_marking_closes_with_the_next_throw_or_with_the_next_move() -> None:
    def run(value: str) -> Any:
        state = with_reading("mark_deadline", value, throw={"red": 1})
        return after(state, "red: move red-prince a1 > a2", "blue: roll 1")

    assert "RP-A28" in against(run("next_throw"), "red: mark > a2")
    late = run("next_piece_touched")
    assert due(late) == ["red move optional", "blue move"]
    assert position(after(late, "red: mark > a2"))["markers"]["red"] == ["a2"]
    moved = after(late, "blue: move blue-prince a11 > a10")
    assert "RP-A28" in against(moved, "red: mark > a2")


@pytest.mark.reading("mark_deadline", "next_piece_touched")
def test_a_late_mark_may_take_the_next_players_last_square_and_with_it_his_play() -> None:
    state = with_reading("mark_deadline", "next_piece_touched", "red", {"red": "c9"}, throw={"red": 3})
    state = after(state, "red: move red-prince c9 > b10 (follow)", "blue: roll 3")
    assert ends(state) == {"b10+"}
    verdict = accepted(state, "red: mark > b10")
    assert "The blue Prince cannot move with a 3 and loses this play." in [GAME.words.tell(s) for s in verdict.said]
    assert due(verdict.state) == ["yellow roll"], "and with his play the marking of e8 is closed"


@pytest.mark.reading("mark_deadline", "next_piece_touched")
def test_ones_own_next_throw_closes_the_marking_in_any_case() -> None:
    alone = with_reading("mark_deadline", "next_piece_touched", variant="two_handed", throw={"red": 1}, out=["yellow"])
    state = after(alone, "red: move red-prince a1 > a2", "red: roll 1")
    assert "RP-32" in against(state, "red: mark > a2")


@pytest.mark.reading("auto_mark", "off")
@pytest.mark.reading("auto_mark", "on")
def test_the_companion_only_reminds_or_marks_by_itself() -> None:
    off = after(with_reading("auto_mark", "off", throw={"red": 3}), "red: move red-prince a1 > b2 (follow)")
    assert position(off)["markers"]["red"] == []
    assert "Red, put a marker on b2 and e4." in [GAME.words.tell(d.say) for d in GAME.due(off)]
    on = after(with_reading("auto_mark", "on", throw={"red": 3}), "red: move red-prince a1 > b2 (follow)")
    assert position(on)["markers"]["red"] == ["b2", "e4"]
    assert due(on) == ["blue roll"]


@pytest.mark.reading("auto_mark", "on")
def test_the_companion_never_marks_a_sixth_noble() -> None:
    state = with_reading("auto_mark", "on", "red", {"red": "e6"}, throw={"red": 1}, markers={"red": FIVE["red"]})
    assert position(after(state, "red: move red-prince e6 > e7"))["markers"]["red"] == FIVE["red"]


# --- players ---


@pytest.mark.reading("three_handed", "allow")
@pytest.mark.reading("three_handed", "refuse")
def test_three_may_play_the_main_game_or_not() -> None:
    assert new_game("four_handed", 3, three_handed="allow").ground.seats == ("red", "blue", "yellow")
    closed = at("red", {"red": "j1"}, seats=3, throw={"red": 2})
    assert against(closed, "red: move red-prince j1 > k1") == {"RP-28"}, "the empty corner"
    for seats in (3, ["red", "blue", "green"]):
        with pytest.raises(BadInput, match="the main game is for four"):
            new_game("four_handed", seats, three_handed="refuse")


@pytest.mark.reading("two_hand_corners", "diagonal")
@pytest.mark.reading("two_hand_corners", "facing")
def test_two_sit_in_diagonal_or_in_facing_corners() -> None:
    assert new_game("two_handed", two_hand_corners="diagonal").ground.seats == ("red", "yellow")
    assert new_game("two_handed", two_hand_corners="facing").ground.seats == ("red", "blue")
    assert new_game("two_handed", 2, two_hand_corners="facing").ground.seats == ("red", "blue")
    assert new_game("two_handed", ["green", "blue"]).ground.seats == ("blue", "green")
    for corners, seats in (("diagonal", ["red", "blue"]), ("facing", ["red", "yellow"]), ("diagonal", ["red", "green"])):
        with pytest.raises(BadInput, match="the two must sit in"):
            new_game("two_handed", seats, two_hand_corners=corners)


# --- a dead game ---


def walled(value: str, go_squares: tuple[str, ...] = ("d5", "h5")) -> Any:
    """Two behind walls of markers, so that neither reaches his Throne. Red has more Nobles, yellow stands nearer to his. The
    two Go squares that would send red over the wall are yellow's, unless others are given."""
    columns = "abcdefghijk"
    markers = {"yellow": [*(c + "6" for c in columns), *go_squares, "i9"], "red": [*(c + "7" for c in columns), "e3"]}
    return with_reading("dead_game", value, "red", {"red": "c2", "yellow": "g9"}, variant="two_handed", markers=markers)


@pytest.mark.reading("dead_game", "undecided")
def test_a_dead_game_ends_undecided() -> None:
    state = walled("undecided")
    assert winners(state) == ()
    assert GAME.outcome(state).rules == ("RP-A34",)


def test_a_go_square_that_sends_over_the_wall_keeps_the_game_alive() -> None:
    assert winners(walled("undecided", ("d5",))) is None
    assert winners(walled("undecided", ())) is None


def test_too_few_nobles_or_markers_end_a_game_as_walls_do() -> None:
    nobles = [s["id"] for s in TALL["spaces"] if "noble" in s["kinds"]]  # 17 of them
    others = {"yellow": nobles[:5], "green": nobles[5:10], "blue": nobles[10:15]}
    few = at("red", layout=TALL, markers=others, out=["yellow", "green", "blue"])
    assert winners(few) == (), "two Nobles are left"
    alive = at("red", layout=TALL, markers=others | {"blue": nobles[10:12]}, out=["yellow", "green", "blue"])
    assert winners(alive) is None, "five are left"
    thirty = [s.id for s in GAME.board().spaces.values() if s.kinds == {"plain"}][:28]
    spent = at("red", variant="two_handed", markers={"red": ["c3", "e3", *thirty]}, out=["yellow"])
    assert winners(spent) == (), "no marker is left for a third Noble"
    enough = at("red", variant="two_handed", markers={"red": ["c3", "e3", *thirty[:25]]}, out=["yellow"])
    assert winners(enough) is None


@pytest.mark.reading("dead_game", "most_nobles_wins")
def test_in_a_dead_game_the_player_with_most_nobles_wins() -> None:
    state = walled("most_nobles_wins")
    assert winners(state) == ("red",)


@pytest.mark.reading("dead_game", "nearest_throne")
def test_in_a_dead_game_the_prince_nearest_to_his_throne_wins() -> None:
    state = walled("nearest_throne")
    assert winners(state) == ("yellow",)
    assert GAME.outcome(state).scores == (("red", 9), ("yellow", 8))


# --- Prince and Princess ---


@pytest.mark.reading("pair_territory", "separate")
@pytest.mark.reading("pair_territory", "shared")
def test_the_partners_territory_is_closed_or_shared() -> None:
    fields: dict[str, Any] = {"throw": {"red": 1}, "markers": {"green": ["f5"], "blue": ["f3"]}}
    assert due(pair("pair_territory", "separate", {"red": "f4"}, **fields)) == ["north roll"], "closed on both sides"
    assert ends(pair("pair_territory", "shared", {"red": "f4"}, **fields)) == {"f5"}


@pytest.mark.reading("pair_order", "free")
@pytest.mark.reading("pair_order", "princess_first")
def test_the_dice_are_played_in_either_order_or_the_princess_first() -> None:
    free = pair("pair_order", "free", {}, throw={"red": 1, "green": 1})
    assert legal(free) == ["move red-princess a1 > a2", "move green-prince k1 > k2"]
    first = pair("pair_order", "princess_first", {}, throw={"red": 1, "green": 1})
    assert legal(first) == ["move red-princess a1 > a2"]
    assert against(first, "south: move green-prince k1 > k2") == {"RP-A41"}
    assert legal(after(first, "south: move red-princess a1 > a2"))[0] == "move green-prince k1 > k2"


@pytest.mark.reading("pair_order", "princess_first")
def test_when_the_princess_cannot_move_she_loses_her_play_and_the_prince_moves() -> None:
    state = pair("pair_order", "princess_first", {"blue": "a2"})
    verdict = accepted(state, "south: roll 1 1")
    assert "The red Princess cannot move with a 1 and loses this play." in [GAME.words.tell(s) for s in verdict.said]
    assert legal(verdict.state) == ["move green-prince k1 > k2"]


# Green can only leave b1 with a 2 when red has left c1; a1 is red's Castle.
JAM: dict[str, Any] = {"red": "c1", "green": "b1"}


@pytest.mark.reading("pair_must_use_both", "no")
def test_the_die_of_a_piece_that_its_partner_blocks_may_be_laid_aside() -> None:
    state = pair("pair_must_use_both", "no", JAM, throw={"red": 1, "green": 2})
    assert due(state) == ["south move", "south move optional"]
    given_up = after(state, "south: pass green-prince", "south: move red-princess c1 > c2")
    assert due(given_up)[-1] == "north roll"
    played = after(state, "south: move red-princess c1 > c2")
    assert ends(played, "green-prince") == {"c1"}
    assert "RP-22" in against(played, "south: pass green-prince"), "he chose the order in which the Prince can move"
    assert "RP-22" in against(state, "south: pass red-princess")
    choice = pair("pair_must_use_both", "no", {"red": "c2", "green": "b1"}, throw={"red": 1, "green": 2})
    assert ends(choice, "red-princess") == {"c1", "c3"}, "he may even block his own Prince"


@pytest.mark.reading("pair_must_use_both", "yes_if_possible")
def test_both_dice_must_be_played_if_there_is_a_way() -> None:
    state = pair("pair_must_use_both", "yes_if_possible", JAM, throw={"red": 2, "green": 2})
    assert ends(state) == {"d1"}
    assert "RP-A42" in against(state, "south: pass green-prince")
    choice = pair("pair_must_use_both", "yes_if_possible", {"red": "c2", "green": "b1"}, throw={"red": 1, "green": 2})
    assert ends(choice, "red-princess") == {"c3"}, "c1 would block the Prince"
    assert against(choice, "south: move red-princess c2 > c1") == {"RP-A42"}


@pytest.mark.reading("pair_nobles", "each")
@pytest.mark.reading("pair_nobles", "total")
def test_five_nobles_each_or_five_between_them() -> None:
    markers = {"red": FIVE["red"][:3], "green": FIVE["green"][:2]}
    fields: dict[str, Any] = {"throw": {"red": 1, "green": 3}, "markers": markers}
    each = pair("pair_nobles", "each", {"red": "f10", "green": "e10"}, **fields)
    assert "RP-A20" in against(each, "south: move red-princess f10 > f11")
    total = pair("pair_nobles", "total", {"red": "f10", "green": "e10"}, **fields)
    state = after(total, "south: move red-princess f10 > f11", "south: move green-prince e10 > f11")
    assert winners(state) == ("south",)
    sixth = pair("pair_nobles", "total", {"red": "e6"}, throw={"red": 1}, markers=markers)
    assert against(after(sixth, "south: move red-princess e6 > e7"), "south: mark red-marker > e7") == {"RP-43"}


@pytest.mark.reading("seated_die", "ignored")
@pytest.mark.reading("seated_die", "may_leave")
def test_the_die_of_a_piece_on_the_throne_is_ignored_or_may_be_played() -> None:
    ignored = pair("seated_die", "ignored", {"red": "f11"}, markers={"red": FIVE["red"]})
    verdict = accepted(ignored, "south: roll 2 1")
    assert "The die of the red Princess is not played." in [GAME.words.tell(s) for s in verdict.said]
    assert legal(verdict.state) == ["move green-prince k1 > k2"]
    assert against(verdict.state, "south: move red-princess f11 > e11") == {"RP-A44"}
    may = after(pair("seated_die", "may_leave", {"red": "f11"}, markers={"red": FIVE["red"]}), "south: roll 2 1")
    assert ends(may, "red-princess") == {"e11", "g11"}
    assert "pass red-princess" in legal(may, "pass")
    assert due(after(may, "south: pass red-princess", "south: move green-prince k1 > k2"))[-1] == "north roll"


@pytest.mark.reading("pair_throne", "own_five")
@pytest.mark.reading("pair_throne", "both_five")
def test_one_of_the_pair_may_sit_down_before_the_other_has_five_or_not() -> None:
    fields: dict[str, Any] = {"throw": {"red": 1}, "markers": {"red": FIVE["red"]}}
    assert "f11" in ends(pair("pair_throne", "own_five", {"red": "f10"}, **fields))
    both = pair("pair_throne", "both_five", {"red": "f10"}, **fields)
    assert against(both, "south: move red-princess f10 > f11") == {"RP-A45"}


@pytest.mark.reading("pair_piece_out", "opponent_wins")
@pytest.mark.reading("pair_piece_out", "play_on")
def test_when_one_of_the_pair_is_out_the_opponent_wins_or_its_partner_plays_on_alone() -> None:
    markers = {"blue": ["a2", "b1", "b2"], "green": FIVE["green"]}
    lost = pair("pair_piece_out", "opponent_wins", {"green": "f10"}, markers=markers)
    assert winners(lost) == ("north",)
    on = pair("pair_piece_out", "play_on", {"green": "f10"}, markers=markers)
    assert due(on) == ["south roll"]
    on = after(on, "south: roll 4 1")
    assert legal(on) == ["move green-prince f10 > f11", "move green-prince f10 > f9"]
    assert winners(after(on, "south: move green-prince f10 > f11")) == ("south",)


# --- children ---


@pytest.mark.reading("child_share", "no")
@pytest.mark.reading("child_share", "yes")
def test_children_keep_apart_or_share_a_square() -> None:
    fields: dict[str, Any] = {"variant": "children", "throw": {"red": 4}}
    assert ends(with_reading("child_share", "no", "red", {"red": "f4", "blue": "f5"}, **fields)) == {"f3", "f2"}
    shared = with_reading("child_share", "yes", "red", {"red": "f4", "blue": "f5"}, **fields)
    assert ends(shared) == {"f5", "f6", "f3", "f2"}
    assert position(after(shared, "red: move red-prince f4 > f5"))["princes"]["red"] == "f5"


@pytest.mark.reading("child_forward_only", "no")
@pytest.mark.reading("child_forward_only", "yes")
def test_children_may_step_back_or_only_forward() -> None:
    fields: dict[str, Any] = {"variant": "children", "throw": {"red": 3}}
    assert ends(with_reading("child_forward_only", "no", "red", {"red": "f4"}, **fields)) == {"e5", "g5", "e3", "g3"}
    forward = with_reading("child_forward_only", "yes", "red", {"red": "f4"}, **fields)
    assert ends(forward) == {"e5", "g5"}
    assert against(forward, "red: move red-prince f4 > e3") == {"RP-A49"}
    blue = with_reading("child_forward_only", "yes", "blue", {"blue": "f8"}, variant="children", throw={"blue": 4})
    assert ends(blue) == {"f7", "f6"}


# --- points of every game ---


@pytest.mark.reading("tie_reroll", "tied_only")
@pytest.mark.reading("tie_reroll", "everybody")
def test_after_a_tie_only_the_tied_throw_again_or_everybody() -> None:
    throws = ("red: roll 5", "blue: roll 5", "yellow: roll 2", "green: roll 3")
    assert due(after(new_game(tie_reroll="tied_only"), *throws)) == ["red roll", "blue roll"]
    assert len(due(after(new_game(tie_reroll="everybody"), *throws))) == 4


@pytest.mark.reading("left_is", "clockwise")
@pytest.mark.reading("left_is", "counterclockwise")
def test_the_turn_passes_clockwise_or_the_other_way() -> None:
    def following(value: str) -> str:
        state = with_reading("left_is", value, throw={"red": 1})
        return due(after(state, "red: move red-prince a1 > a2"))[-1]

    assert following("clockwise") == "blue roll"
    assert following("counterclockwise") == "green roll"


@pytest.mark.reading("leaver", "skip")
@pytest.mark.reading("leaver", "remove_pieces")
@pytest.mark.reading("leaver", "end_game")
def test_a_leavers_pieces_stay_or_go_or_the_game_ends() -> None:
    def left(value: str) -> Any:
        return GAME.leave(with_reading("leaver", value, markers={"red": ["b1"]}), "red")

    assert position(left("skip"))["princes"]["red"] == "a1"
    assert due(left("skip")) == ["blue roll"]
    assert against(left("skip"), "red: roll 3") == {"X-A07"}
    assert "red" not in position(left("remove_pieces"))["princes"]
    assert position(left("remove_pieces"))["markers"]["red"] == []
    assert winners(left("end_game")) == ()


# --- readings on which the table has not decided ---


def status(state: Any, line: str) -> tuple[str, list[str]]:
    seat, _, text = line.partition(":")
    answer = judge(GAME, state, from_text(text.strip(), seat, GAME.forms(state.ground.terms)))
    return answer.status, [r.name for r in answer.readings]


def test_the_referee_is_silent_only_where_an_open_reading_decides() -> None:
    state = with_reading("two_step_through", "ask", "red", {"red": "f4"}, throw={"red": 4}, markers={"blue": ["f5"]})
    assert status(state, "red: move red-prince f4 > f6") == ("silent", ["two_step_through"])
    assert status(state, "red: move red-prince f4 > f3") == ("accepted", [])
    assert status(state, "red: move red-prince f4 > g4") == ("refused", [])


def test_with_all_readings_open_the_referee_asks_only_about_those_that_matter_here() -> None:
    every = {r.name: "ask" for r in GAME.rulebook.readings if r.decided_by == "rules"}
    state = at("red", {"red": "f4"}, throw={"red": 1}, readings=every)
    assert status(state, "red: move red-prince f4 > f5") == ("silent", ["auto_mark", "left_is"])
    assert status(state, "red: move red-prince f4 > g4") == ("refused", [])
    assert status(state, "red: roll 3") == ("refused", [])
