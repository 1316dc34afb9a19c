"""The points that the leaflet leaves open and that admit one sensible answer."""

from __future__ import annotations

import pytest

from companion.game import state_from_json
from tests.games.royal_purple.boards import ODD, TALL, grid
from tests.games.royal_purple.table import FIVE, GAME, accepted, after, against, at, due, ends, legal, new_game, position, winners


@pytest.mark.rule("RP-A08")
def test_with_five_nobles_a_go_square_that_is_a_noble_is_followed_and_not_marked() -> None:
    five = {"red": ["c3", "i3", "c9", "i9", "g5"]}
    state = at("red", {"red": "e4"}, layout=ODD, throw={"red": 1}, markers=five)
    assert "e5+" in ends(state)
    state = after(state, "red: move red-prince e4 > e5 (follow)")
    assert legal(state, "mark") == ["mark > k6"]
    assert against(state, "red: mark > e5") == {"RP-43"}
    again = at("red", {"red": "e4"}, layout=ODD, throw={"red": 1}, markers=five)
    assert "e5" not in ends(again), "unmarked as it is, it must be followed every time"


@pytest.mark.rule("RP-A09")
def test_sent_to_his_own_square_he_goes_there_and_marks_only_the_go_square() -> None:
    state = at("red", throw={"red": 3}, markers={"red": ["e4"]})
    state = after(state, "red: move red-prince a1 > b2 (follow)")
    assert position(state)["princes"]["red"] == "e4"
    assert legal(state, "mark") == ["mark > b2"]


@pytest.mark.rule("RP-A13")
@pytest.mark.rule("RP-A38")
def test_both_squares_of_a_go_move_are_marked_but_not_one_that_another_holds() -> None:
    free = after(at("red", throw={"red": 3}), "red: move red-prince a1 > b2 (follow)")
    assert legal(free, "mark") == ["mark > b2", "mark > e4"]
    held = after(at("red", throw={"red": 3}, markers={"green": ["e4"]}), "red: move red-prince a1 > b2 (follow)")
    assert legal(held, "mark") == ["mark > b2"]


@pytest.mark.rule("RP-A14")
def test_two_who_share_a_square_leave_it_as_usual_and_the_guest_cannot_come_back() -> None:
    state = at("red", {"red": "e4", "blue": "e4"}, throw={"red": 1}, markers={"blue": ["e4"]})
    assert ends(state) == {"e3", "e5"}
    state = after(state, "red: move red-prince e4 > e3", "blue: roll 1")
    assert ends(state) == {"e5"}, "red stands on e3"
    back = at("red", {"red": "e3", "blue": "e5"}, throw={"red": 1}, markers={"blue": ["e4"]})
    assert "e4" not in ends(back)


@pytest.mark.rule("RP-A15")
def test_a_third_prince_may_be_sent_to_a_square_that_two_share() -> None:
    state = at("red", {"green": "e4", "blue": "e4"}, throw={"red": 3}, markers={"blue": ["e4"]})
    state = after(state, "red: move red-prince a1 > b2 (follow)")
    assert list(position(state)["princes"].values()).count("e4") == 3


@pytest.mark.rule("RP-A16")
def test_he_must_move_even_if_the_only_move_throws_him_back() -> None:
    state = at("red", {"red": "c6"}, throw={"red": 3}, markers={"blue": ["b7", "b5", "d7"]})
    assert legal(state) == ["move red-prince c6 > d5 (follow)"]
    assert against(state, "red: pass red-prince") == {"RP-22"}


@pytest.mark.rule("RP-A17")
def test_castles_princes_and_the_edge_lose_a_play_as_markers_do() -> None:
    verdict = accepted(at("red", {"red": "a10", "blue": "a9"}), "red: roll 1")
    assert {"RP-23", "RP-25", "RP-28"} <= set(verdict.rules)
    assert due(verdict.state) == ["blue roll"]


@pytest.mark.rule("RP-A22")
def test_a_throne_is_never_marked() -> None:
    both = {"red": FIVE["red"], "green": FIVE["green"]}
    state = at("south", {"red": "f10"}, variant="prince_and_princess", throw={"red": 1}, markers=both)
    state = after(state, "south: move red-princess f10 > f11")
    assert legal(state, "mark") == []
    assert against(state, "south: mark red-marker > f11") == {"RP-A22"}


@pytest.mark.rule("RP-A23")
def test_a_higher_throw_may_be_taken_as_one_square_so_that_the_throne_is_never_overshot() -> None:
    for number, before in ((4, "f10"), (5, "e11"), (6, "g10"), (4, "f9")):
        state = at("red", {"red": before}, throw={"red": number}, markers={"red": FIVE["red"]})
        assert "f11" in ends(state)


@pytest.mark.rule("RP-A24")
def test_a_throne_of_several_squares_or_outside_the_grid_is_entered_by_an_ordinary_step() -> None:
    five = {"red": ["c2", "g2", "b4", "d4", "f4"]}
    for throne in ("d13", "e13"):
        state = at("red", {"red": throne[0] + "12"}, layout=TALL, throw={"red": 1}, markers=five)
        assert winners(after(state, f"red: move red-prince {throne[0]}12 > {throne}")) == ("red",)
    beyond = grid(
        7, 9, {c + r for c in "bdf" for r in "2468"}, {}, {"north-end": "south", "south-end": "north"},
        outside={"north-end": (4, 10), "south-end": (4, 0)},
    )  # fmt: skip
    state = at("red", {"red": "c9"}, layout=beyond, throw={"red": 3}, markers={"red": ["b2", "b4", "b6", "b8", "f2"]})
    assert winners(after(state, "red: move red-prince c9 > north-end")) == ("red",)


@pytest.mark.rule("RP-A25")
def test_he_need_not_take_the_winning_step() -> None:
    state = at("red", {"red": "f10"}, throw={"red": 1}, markers={"red": FIVE["red"]})
    assert ends(state) == {"f11", "f9"}
    assert winners(after(state, "red: move red-prince f10 > f9")) is None


@pytest.mark.rule("RP-A30")
def test_of_a_go_pair_each_mark_stands_alone() -> None:
    state = after(at("red", throw={"red": 3}), "red: move red-prince a1 > b2 (follow)", "red: mark > e4", "blue: roll 1")
    assert position(state)["markers"]["red"] == ["e4"]
    assert "RP-30" in against(state, "red: mark > b2")


@pytest.mark.rule("RP-A35")
def test_a_noble_to_which_only_a_go_square_leads_is_as_good_as_any() -> None:
    state = at("red", layout=ODD, throw={"red": 3}, markers={"red": ["i3", "c9", "i9", "g5"], "blue": ["b4", "d2"]})
    state = after(state, "red: move red-prince a1 > b2 (follow)")
    assert "RP-42" in accepted(state, "red: mark > c3").rules


@pytest.mark.rule("RP-A36")
def test_a_noble_left_unmarked_is_closed_while_he_stands_there_and_free_afterwards() -> None:
    held = {"red": FIVE["red"]}
    state = at("blue", {"red": "e7", "blue": "e8"}, throw={"blue": 1}, markers=held)
    assert against(state, "blue: move blue-prince e8 > e7") == {"RP-25"}
    state = at("blue", {"red": "e6", "blue": "e8"}, throw={"blue": 1}, markers=held)
    state = after(state, "blue: move blue-prince e8 > e7")
    assert "RP-41" in accepted(state, "blue: mark > e7").rules


@pytest.mark.rule("RP-A37")
def test_a_noble_may_be_left_unmarked_on_purpose_and_does_not_count() -> None:
    state = at("red", {"red": "c4"}, throw={"red": 1}, markers={"red": FIVE["red"][1:]})
    state = after(state, "red: move red-prince c4 > c3", "blue: roll 1")
    throne = at("red", {"red": "f10"}, throw={"red": 1}, markers=position(state)["markers"])
    assert "f11" not in ends(throne)


@pytest.mark.rule("RP-A39")
def test_prince_and_princess_have_the_two_corners_of_their_side_and_each_its_own_colour() -> None:
    ground = new_game("prince_and_princess").ground
    assert ground.pieces == {"south": ("red", "green"), "north": ("yellow", "blue")}
    assert [ground.castle[colour] for colour in ("red", "green", "yellow", "blue")] == ["a1", "k1", "k11", "a11"]
    state = at("south", variant="prince_and_princess", throw={"red": 1, "green": 1})
    state = after(state, "south: move red-princess a1 > a2", "south: move green-prince k1 > k2")
    assert legal(state, "mark") == ["mark red-marker > a2", "mark green-marker > k2"]
    assert against(state, "south: mark green-marker > a2") == {"RP-30"}
    assert against(state, "south: mark blue-marker > a2") == {"RP-04"}


@pytest.mark.rule("RP-A50")
def test_a_child_wins_on_his_own_throne_only() -> None:
    state = at("red", {"red": "f2"}, variant="children", throw={"red": 1})
    assert "RP-A21" in against(state, "red: move red-prince f2 > f1")
    state = at("red", {"red": "f10"}, variant="children", throw={"red": 1})
    assert winners(after(state, "red: move red-prince f10 > f11")) == ("red",)


@pytest.mark.rule("RP-A51")
def test_the_first_line_of_the_table_is_about_the_number_one() -> None:
    assert ends(after(at("red"), "red: roll 1")) == {"a2"}


@pytest.mark.rule("RP-A52")
def test_distances_come_from_the_table_of_moves() -> None:
    far = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2}
    spaces = GAME.board().spaces
    for number, most in far.items():
        state = at("red", {"red": "f6"}, throw={"red": number}, variant="children")
        distances = {max(abs(spaces[end].number(f) - spaces["f6"].number(f)) for f in ("column", "row")) for end in ends(state)}
        assert distances == set(range(1, most + 1))


def test_a_position_that_is_read_settles_what_follows_by_itself() -> None:
    lost = {"turn_of": "red", "throw": {"red": 1}, "princes": {"red": "a1", "blue": "a2", "yellow": "k11", "green": "k1"}}
    state = state_from_json(GAME, {"variant": "four_handed", "position": lost})
    assert due(state) == ["blue roll"]
