"""The leaflet's sentences, in its order. Its chart is in `test_chart.py`."""

from __future__ import annotations

import pytest

from companion.events import BadInput
from companion.games.fighting_marines.state import State
from companion.layout import changes
from companion.ruling import Accepted
from tests.games.fighting_marines.scene import (
    FOUR,
    GAME,
    TWO,
    accepted,
    captives,
    chips,
    due,
    everybody_ready,
    legal,
    on,
    play,
    refused,
    scene,
)


def set_up(seats: int = 4) -> State:
    state: State = GAME.set_up(GAME.terms("two_players" if seats == 2 else "standard", seats))
    return state


def started(seats: int = 4) -> State:
    """The first seat has won the first turn."""
    state = set_up(seats)
    for i, seat in enumerate(state.ground.seats):
        state = play(state, f"{seat}: roll {'6 6' if i == 0 else '1 1'}")
    return state


# --- the playing board and the implements ---


@pytest.mark.rule("FM-01")
def test_two_to_four_players() -> None:
    for players in (2, 3, 4):
        assert len(set_up(players).ground.seats) == players
    for variant, players in (("standard", 2), ("standard", 5), ("two_players", 1), ("two_players", 3)):
        with pytest.raises(BadInput, match="players, not"):
            GAME.terms(variant, players)


@pytest.mark.rule("FM-02")
def test_the_base_has_44_numbered_spaces_in_four_sections_of_eleven() -> None:
    base = GAME.board().of_kind("base")
    assert sorted(space.number("number") for space in base) == list(range(1, 45))
    for colour in FOUR:
        section = sorted(space.number("number") for space in base if space.facts["colour"] == colour)
        assert section == list(range(section[0], section[0] + 11))


@pytest.mark.rule("FM-03")
def test_the_platform_has_41_coloured_spaces_two_neutral_ones_and_an_arrow() -> None:
    board = GAME.board()
    assert len(board.of_kind("platform")) == 44
    assert len([space for space in board.of_kind("platform") if space.facts.get("colour") in FOUR]) == 41
    assert (len(board.of_kind("neutral")), len(board.of_kind("arrow"))) == (2, 1)


@pytest.mark.rule("FM-05")
def test_five_privates_two_captains_and_a_colonel_of_each_colour() -> None:
    men = [standing.piece for standing in GAME.layout(set_up()).standing]
    for colour in FOUR:
        assert [men.count(f"{colour}-{rank}") for rank in ("private", "captain", "colonel")] == [5, 2, 1]


@pytest.mark.rule("FM-06")
def test_the_game_is_played_with_two_dice() -> None:
    assert {d.dice for d in GAME.due(set_up())} == {("first", "second")}
    assert "FM-06" in refused(set_up(), "red: roll 5")
    assert "FM-06" in refused(set_up(), "red: roll 1 2 3")


@pytest.mark.rule("FM-07")
def test_a_red_chip_equals_five_white_ones_and_a_blue_one_ten() -> None:
    purses = GAME.position(set_up())["chips"].values()
    assert [sum(purse[colour] for purse in purses) for colour in ("white", "red", "blue")] == [100, 50, 50]
    assert chips(set_up(), "red") == 19 + 5 * 12 + 10 * 12


# --- setting up the board ---


@pytest.mark.rule("FM-08")
def test_each_player_places_his_five_privates_in_the_five_circles_on_his_base_section() -> None:
    state = set_up()
    circles = ((2, 4, 6, 8, 10), (13, 15, 17, 19, 21), (24, 26, 28, 30, 32), (35, 37, 39, 41, 43))
    for colour, numbers in zip(FOUR, circles, strict=True):
        assert [on(state, f"B{number:02}") for number in numbers] == [[f"{colour}-private"]] * 5


@pytest.mark.rule("FM-09")
def test_each_player_places_his_captains_and_his_colonel_on_the_insignia_in_his_corner() -> None:
    state = set_up()
    for colour in FOUR:
        for place in ("captain1", "captain2", "colonel"):
            assert on(state, f"{colour}-{place}") == [f"{colour}-{place.rstrip('12')}"]


@pytest.mark.rule("FM-10")
def test_the_arrow_points_to_space_44() -> None:
    assert GAME.layout(set_up()).platform == 44


@pytest.mark.rule("FM-11")
def test_48_chips_to_each_player_if_four_play() -> None:
    state = GAME.set_up(GAME.terms(options={"stake": "0"}))
    assert {GAME.position(state)["chips"][seat] == {"white": 24, "red": 12, "blue": 12} for seat in FOUR} == {True}


@pytest.mark.rule("FM-12")
def test_the_remaining_chips_are_put_aside_to_make_change() -> None:
    state = set_up()
    assert GAME.position(state)["chips"]["bank"] == {"white": 4, "red": 2, "blue": 2}
    # A red Private costs two; with reds only, one of them has to be changed. Black has the white chips for it.
    purses = GAME.position(state)["chips"]
    purses["red"], purses["black"] = {"red": 12, "blue": 12}, {"white": 38, "red": 12, "blue": 12}
    state = scene(men={"B02": ""}, captives=[("red-private", "black")], chips=purses)
    verdict = accepted(state, "red: ransom red-private black > B02")
    assert "FM-12" in verdict.rules
    assert chips(verdict.state, "red") == chips(state, "red") - 2
    assert chips(verdict.state, "black") == chips(state, "black") + 2
    assert GAME.position(verdict.state)["chips"]["red"] == {"white": 3, "red": 11, "blue": 12}
    # The bank comes first when it can help.
    purses["bank"], purses["black"] = {"white": 42, "red": 2, "blue": 2}, {"red": 12, "blue": 12}
    state = play(scene(men={"B02": ""}, captives=[("red-private", "black")], chips=purses), "red: ransom red-private black > B02")
    assert GAME.position(state)["chips"]["bank"] == {"white": 37, "red": 3, "blue": 2}


@pytest.mark.rule("FM-13")
def test_each_player_places_the_agreed_number_of_chips_in_the_pool() -> None:
    assert GAME.position(set_up())["chips"]["pool"] == {"white": 20, "red": 0, "blue": 0}
    rich = GAME.set_up(GAME.terms(options={"stake": "30"}))
    assert GAME.position(rich)["chips"]["pool"] == {"white": 96, "red": 24, "blue": 0}
    for stake in ("49", "-1", "1.5", "many", "", "٣" * 9):
        with pytest.raises(BadInput, match="whole number of chips from 0 to 48"):
            GAME.terms(options={"stake": stake})


@pytest.mark.rule("FM-14")
def test_the_first_to_move_all_eight_men_to_the_platform_wins_the_pool() -> None:
    state = scene(men={"B10": "red-private"}, landed=["red"])
    pool, before = chips(state, "pool"), chips(state, "red")
    state = everybody_ready(play(state, "red: land red-private B10 > P23"))
    ended = GAME.outcome(state)
    assert ended is not None
    assert ended.winners == ("red",)
    assert (chips(state, "red"), chips(state, "pool")) == (before + pool, 0)
    assert dict(ended.scores)["red"] == before + pool


# --- first turn ---


@pytest.mark.rule("FM-15")
def test_the_highest_roll_starts_and_the_others_follow_in_rotation() -> None:
    state = play(set_up(), "green: roll 1 1", "red: roll 3 2", "yellow: roll 6 5", "black: roll 6 4")
    assert due(state) == ["yellow roll"]
    assert "FM-15" in refused(state, "red: roll 3 4")
    throwers = []
    for _ in range(5):
        throwers.append(state.thrower)
        state = play(state, f"{state.thrower}: roll 1 1", f"{state.thrower}: turn > B{(state.arrow + 1) % 44 + 1:02}")
        state = everybody_ready(state)
    assert throwers == ["yellow", "green", "red", "black", "yellow"]


# --- how to play ---


@pytest.mark.rule("FM-16")
def test_add_the_numbers_on_both_dice_and_move_the_platform_that_many_spaces() -> None:
    state = play(started(), "red: roll 5 4")
    assert due(state) == ["red move"]
    assert legal(state) == ["red: turn > B09"]
    before = GAME.layout(state)
    state = play(state, "red: turn > B09")
    acts = [(act.do, act.start, act.to) for act in changes(before, GAME.layout(state))]
    assert acts == [("turn", "44", "9")]
    assert "FM-16" in refused(state, "red: turn > B10")  # it stays now


@pytest.mark.rule("FM-17")
def test_continue_from_whatever_space_the_arrow_stops_at() -> None:
    state = everybody_ready(play(started(), "red: roll 5 4", "red: turn > B09"))
    state = play(state, "black: roll 6 6")
    assert legal(state) == ["black: turn > B21"]
    assert refused(state, "black: turn > B12") == ("FM-16", "FM-17", "FM-A30")


@pytest.mark.rule("FM-17")
def test_after_44_the_numbers_begin_again() -> None:
    state = scene(arrow=40, phase="throw")
    assert legal(play(state, "red: roll 2 2")) == ["red: turn > B44"]
    assert legal(play(state, "red: roll 2 3")) == ["red: turn > B01"]


@pytest.mark.rule("FM-18")
def test_when_the_platform_has_stopped_all_players_may_move() -> None:
    state = play(started(), "red: roll 5 4")
    assert refused(state, "yellow: land yellow-private B26 > P17") == ("FM-16", "FM-18", "FM-A30")
    state = play(state, "red: turn > B09")
    assert {line.split(":")[0] for line in legal(state)} == set(FOUR)
    assert "FM-18" in refused(state, "red: land yellow-private B26 > P17")
    assert "FM-18" in refused(everybody_ready(state), "yellow: land yellow-private B26 > P17")


@pytest.mark.rule("FM-19")
def test_if_the_space_on_the_platform_matches_in_colour_the_space_on_the_base() -> None:
    state = scene(arrow=44)
    assert legal(state, "red: land") == [f"red: land red-private B{n:02} > P{n:02}" for n in (2, 6, 10)]
    assert refused(state, "red: land red-private B04 > P04") == ("FM-19", "FM-26")


@pytest.mark.rule("FM-19")
def test_if_such_a_space_is_directly_in_front_of_such_a_man() -> None:
    state = scene(arrow=44)
    assert refused(state, "red: land red-private B02 > P06") == ("FM-19",)
    assert "FM-19" in refused(state, "red: land red-private B02 > B04")
    assert "FM-19" in refused(state, "red: land red-colonel red-colonel > P02")  # not in a circle
    assert "FM-19" in refused(scene(arrow=44, men={"B02": ""}), "red: land red-private B02 > P02")  # nobody there


@pytest.mark.rule("FM-20")
def test_a_man_or_men_may_move() -> None:
    lines = [f"red: land red-private B{n:02} > P{n:02}" for n in (2, 6, 10)]
    state = play(scene(arrow=44), *lines)
    assert [on(state, f"P{n:02}") for n in (2, 6, 10)] == [["red-private"]] * 3


@pytest.mark.rule("FM-21")
def test_each_player_may_place_one_of_his_men_on_each_neutral_space_in_front_of_his_man() -> None:
    state = scene(men={"P43": "red-private"})
    state = play(state, "red: land red-private B08 > P21", "yellow: land yellow-private B30 > P43")
    assert on(state, "P43") == ["red-private", "yellow-private"]
    state = scene(men={"P21": "red-captain"})
    assert refused(state, "red: land red-private B08 > P21") == ("FM-21", "FM-38")


@pytest.mark.rule("FM-22")
def test_a_captain_or_a_colonel_moves_from_the_corner_to_a_vacant_circle_as_the_player_chooses() -> None:
    state = scene(men={"B02": "", "B06": ""}, landed=[])
    assert len(legal(state, "red: fill")) == 6
    state = play(state, "red: fill red-colonel red-colonel > B06", "red: fill red-captain red-captain2 > B02")
    assert (on(state, "B06"), on(state, "B02"), on(state, "red-captain2")) == (["red-colonel"], ["red-captain"], [])
    assert "FM-22" in refused(state, "red: fill red-colonel red-colonel > B06")  # he has left his corner
    assert "FM-22" in refused(scene(men={"B02": ""}), "red: fill red-captain red-captain1 > B03")  # no circle
    assert "FM-22" in refused(scene(men={"B13": ""}), "red: fill red-captain red-captain1 > B13")  # another's circle


@pytest.mark.rule("FM-23")
def test_he_may_choose_instead_one_of_his_ransomed_men() -> None:
    men = {"B02": "", "red-captain1": "red-private", "P21": "red-captain"}
    verdict = accepted(scene(men=men), "red: fill red-private red-captain1 > B02")
    assert "FM-23" in verdict.rules
    assert on(verdict.state, "B02") == ["red-private"]


# --- capturing men ---


@pytest.mark.rule("FM-24")
def test_an_opponents_man_directly_in_front_may_be_captured_removed_and_held() -> None:
    state = scene(men={"P23": "green-private"})
    state = play(state, "red: capture red-private B10 > P23")
    assert captives(state) == [("green-private", "red")]
    assert "green-private" not in on(state, "P23")
    assert "FM-24" in refused(scene(men={"P23": "green-private"}), "red: capture red-private B08 > P23")  # not in front
    assert "FM-24" in refused(scene(), "red: capture red-private B10 > P23")  # nobody there
    assert "FM-24" in refused(scene(), "red: capture red-private B10 > B08")  # nothing to capture on the base
    assert "FM-24" in refused(scene(men={"P23": "red-captain"}), "red: capture red-private B10 > P23")


@pytest.mark.rule("FM-25")
def test_he_immediately_moves_a_man_into_each_space_vacated() -> None:
    men = {"P23": "green-private", "P15": "green-captain"}
    state = play(scene(men=men), "red: capture red-private B10 > P23", "red: capture red-private B02 > P15")
    assert (on(state, "P23"), on(state, "P15")) == (["red-private"], ["red-private"])
    assert (on(state, "B10"), on(state, "B02")) == ([], [])


@pytest.mark.rule("FM-26")
def test_men_come_onto_differently_coloured_spaces_only_by_capture() -> None:
    assert "FM-26" in refused(scene(), "red: land red-private B02 > P15")
    verdict = accepted(scene(men={"P15": "green-private"}), "red: capture red-private B02 > P15")
    assert {"FM-26", "FM-28"} <= set(verdict.rules)


# --- caution ---


@pytest.mark.rule("FM-29", "FM-30")
def test_an_empty_circle_should_be_filled_before_the_next_move_of_the_platform() -> None:
    state = play(scene(), "red: land red-private B10 > P23")
    assert legal(state, "red: fill red-colonel") == ["red: fill red-colonel red-colonel > B10"]
    verdict = accepted(state, "red: fill red-colonel red-colonel > B10")
    assert {"FM-29", "FM-30"} <= set(verdict.rules)
    # Whoever does not, misses his chance.
    state = everybody_ready(state)
    assert "FM-18" in refused(state, "red: fill red-colonel red-colonel > B10")


# --- exchange and ransom of men ---


@pytest.mark.rule("FM-31")
def test_exchanges_and_ransoms_take_place_before_the_dice_are_thrown() -> None:
    lost = {"men": {"B02": ""}, "captives": [("red-private", "black"), ("red-captain", "black"), ("black-captain", "red")]}
    state = everybody_ready(scene(**lost))
    assert refused(state, "red: ransom red-private black > B02") == ("FM-18", "FM-31")
    assert refused(state, "red: exchange red-captain black > B02 (black-captain)") == ("FM-18", "FM-31")
    assert legal(scene(**lost), "red: ransom") == ["red: ransom red-private black > B02"]


@pytest.mark.rule("FM-32")
def test_a_lost_man_is_regained_for_a_man_of_the_holder() -> None:
    state = scene(men={"B02": ""}, captives=[("red-private", "black"), ("black-private", "red")])
    state = play(state, "red: exchange red-private black > B02 (black-private)")
    assert on(state, "B02") == ["red-private"]
    assert captives(state) == []
    assert on(state, "B21") == ["black-private"]  # Black's corner is full, and this circle was vacant


@pytest.mark.rule("FM-32")
def test_or_for_a_man_captured_from_another_opponent() -> None:
    state = scene(men={"B02": ""}, captives=[("red-private", "black"), ("green-private", "red")])
    state = play(state, "red: exchange red-private black > B02 (green-private)")
    assert captives(state) == [("green-private", "black")]
    assert "FM-32" in refused(state, "red: exchange red-private black > B02 (green-private)")
    lost = scene(men={"B02": ""}, captives=[("red-private", "black")])
    assert "FM-32" in refused(lost, "red: exchange red-private black > B02 (green-private)")  # he holds none
    assert "FM-32" in refused(lost, "red: exchange red-private yellow > B02 (green-private)")  # not the holder


@pytest.mark.rule("FM-33")
def test_the_exchange_must_be_made_man_for_man() -> None:
    state = scene(men={"B02": ""}, captives=[("red-private", "black"), ("black-captain", "red")])
    assert refused(state, "red: exchange red-private black > B02 (black-captain)") == ("FM-33",)


@pytest.mark.rule("FM-34")
def test_a_player_without_captured_pieces_to_exchange_may_regain_men_by_ransom() -> None:
    state = scene(men={"B02": ""}, captives=[("red-private", "black")])
    assert on(play(state, "red: ransom red-private black > B02"), "B02") == ["red-private"]
    both = scene(men={"B02": ""}, captives=[("red-private", "black"), ("green-private", "red")])
    assert refused(both, "red: ransom red-private black > B02") == ("FM-34", "FM-A17")
    assert "FM-34" in refused(state, "red: ransom red-private yellow > B02")
    assert "FM-34" in refused(state, "red: ransom red-captain black > B02")


@pytest.mark.rule("FM-35")
@pytest.mark.parametrize(("rank", "price"), [("private", 2), ("captain", 3), ("colonel", 5)])
def test_two_chips_for_a_private_three_for_a_captain_five_for_a_colonel(rank: str, price: int) -> None:
    state = scene(men={"B02": ""}, captives=[(f"red-{rank}", "black")])
    red, black = chips(state, "red"), chips(state, "black")
    verdict = accepted(state, f"red: ransom red-{rank} black > B02")
    assert (chips(verdict.state, "red"), chips(verdict.state, "black")) == (red - price, black + price)
    assert "FM-35" in verdict.rules


@pytest.mark.rule("FM-36")
def test_opponents_holding_men_must_accept_the_exchange_or_the_ransom() -> None:
    state = scene(men={"B02": ""}, captives=[("red-private", "black")], ready=["black"])
    verdict = accepted(state, "red: ransom red-private black > B02")  # nobody asks Black
    assert "FM-36" in verdict.rules
    assert "black move" not in due(verdict.state)
    also_lost = scene(men={"B02": ""}, captives=[("red-private", "black"), ("black-colonel", "green")], ready=["black"])
    verdict = accepted(also_lost, "red: ransom red-private black > B02")
    assert "black move" in due(verdict.state)  # the chips may help him to buy his Colonel back


@pytest.mark.rule("FM-37")
def test_regained_men_are_immediately_placed_in_vacant_circles() -> None:
    men = {"B02": "", "red-captain1": "", "P21": "red-captain"}
    state = scene(men=men, captives=[("red-private", "black")])
    assert refused(state, "red: ransom red-private black > red-captain1") == ("FM-37",)
    assert "FM-37" in refused(state, "red: ransom red-private black > B03")
    assert legal(state, "red: ransom") == ["red: ransom red-private black > B02"]


# --- rules ---


@pytest.mark.rule("FM-38")
def test_a_player_may_not_have_two_of_his_men_on_the_same_space() -> None:
    assert refused(scene(men={"P23": "red-captain"}), "red: land red-private B10 > P23") == ("FM-38", "FM-A15")
    assert refused(scene(), "red: fill red-captain red-captain1 > B10") == ("FM-38",)
    state = scene(men={"B02": ""}, captives=[("red-private", "black")])
    assert refused(state, "red: ransom red-private black > B04") == ("FM-38",)


@pytest.mark.rule("FM-27")
def test_men_on_the_neutral_spaces_cannot_be_captured() -> None:
    assert refused(scene(men={"P21": "black-private"}), "red: capture red-private B08 > P21") == ("FM-27",)


@pytest.mark.rule("FM-39")
def test_there_is_no_waiting_for_turns_in_moving_men_onto_the_platform() -> None:
    state = scene(arrow=44, thrower="red")
    verdict = accepted(state, "green: land green-private B37 > P37")
    assert "FM-39" in verdict.rules
    assert isinstance(accepted(verdict.state, "yellow: land yellow-private B26 > P26"), Accepted)


@pytest.mark.rule("FM-40")
def test_the_dice_are_not_thrown_until_all_players_are_ready() -> None:
    state = play(scene(), "red: ready", "black: ready", "green: ready")
    assert refused(state, "black: roll 3 4") == ("FM-40",)
    assert "FM-40" in refused(state, "red: ready")
    state = play(state, "yellow: ready")
    assert due(state) == ["black roll"]


@pytest.mark.rule("FM-40")
def test_who_was_ready_may_still_move_until_all_are() -> None:
    state = play(scene(), "red: ready")
    assert "red move" not in due(state)
    assert [d.seat for d in GAME.due(state) if d.optional] == ["red"]
    state = play(state, "red: land red-private B10 > P23")
    assert "red move" in due(state)


@pytest.mark.rule("FM-40")
def test_who_was_ready_is_asked_again_when_somebody_captures_his_man() -> None:
    state = play(scene(men={"P23": "green-private"}), "green: ready", "black: ready", "red: capture red-private B10 > P23")
    assert "green move" in due(state)
    assert "black move" not in due(state)


@pytest.mark.rule("FM-41")
def test_getting_all_men_onto_the_platform_ends_the_game() -> None:
    state = everybody_ready(play(scene(men={"B10": "red-private"}, landed=["red"]), "red: land red-private B10 > P23"))
    assert GAME.due(state) == ()
    for line in ("black: roll 3 4", "red: ready", "black: turn > B09", "red: land red-private B02 > P02"):
        assert refused(state, line) == ("FM-14", "FM-41")
    captive = scene(men={"B10": "red-private"}, landed=["red"], captives=[("red-captain", "black")])
    captive = everybody_ready(play(captive, "red: land red-private B10 > P23"))
    assert GAME.outcome(captive) is None  # seven men are not enough


# --- two players ---


@pytest.mark.rule("FM-42")
def test_two_players_use_the_red_and_black_and_the_yellow_and_green_sections() -> None:
    state = set_up(2)
    assert state.ground.seats == TWO
    assert len(GAME.layout(state).standing) == 32
    state = scene(variant="two_players", arrow=44)
    assert len(legal(state, "red-black: land")) == 6  # three red, two black, one black in Neutral
    with pytest.raises(BadInput, match="the seats are red-black and yellow-green"):
        GAME.terms("two_players", ("red", "yellow-green"))
    with pytest.raises(BadInput, match="red, black, yellow and green when three or four"):
        GAME.terms("standard", ("red", "black", "yellow-green"))


@pytest.mark.rule("FM-43")
def test_captures_are_made_only_of_opponents_men() -> None:
    capture = "red-black: capture red-private B10 > P23"
    assert "FM-43" in refused(scene(variant="two_players", men={"P23": "black-private"}), capture)
    verdict = accepted(scene(variant="two_players", men={"P23": "green-private"}), capture)
    assert "FM-43" in verdict.rules
    assert captives(verdict.state) == [("green-private", "red-black")]
