"""The unclear points that admit one sensible answer."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.games.fighting_marines.scene import (
    FOUR,
    GAME,
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


@pytest.mark.rule("FM-A01")
def test_the_board_file_gives_the_order_of_colours_and_one_colour_has_eleven() -> None:
    colours = Counter(space.facts.get("colour") for space in GAME.board().of_kind("platform"))
    assert sorted(colours[colour] for colour in FOUR) == [10, 10, 10, 11]


@pytest.mark.rule("FM-A02")
def test_the_circles_of_the_chart_belong_to_the_colours_it_names() -> None:
    board = GAME.board()
    for colour, numbers in {"red": (2, 8, 10), "black": (17,), "yellow": (26, 30, 32), "green": (41,)}.items():
        for number in numbers:
            space = board.spaces[f"B{number:02}"]
            assert "circle" in space.kinds
            assert space.facts["colour"] == colour


@pytest.mark.rule("FM-A04")
def test_to_the_left_is_the_way_in_which_the_numbers_grow() -> None:
    assert legal(play(scene(arrow=9, phase="throw"), "red: roll 1 2")) == ["red: turn > B12"]


@pytest.mark.rule("FM-A12")
def test_of_several_vacant_circles_the_player_chooses() -> None:
    state = scene(men={"B02": "", "B06": "", "B10": "", "red-captain1": ["red-captain"]})
    targets = {line.split("> ")[1] for line in legal(state, "red: fill red-colonel")}
    assert targets == {"B02", "B06", "B10"}


@pytest.mark.rule("FM-A14")
def test_a_space_of_ones_own_colour_with_an_opponent_on_it_is_entered_only_by_capture() -> None:
    state = scene(men={"P23": "green-private"})
    assert refused(state, "red: land red-private B10 > P23") == ("FM-A14",)
    assert on(play(state, "red: capture red-private B10 > P23"), "P23") == ["red-private"]


@pytest.mark.rule("FM-A15")
def test_a_man_waits_while_one_of_his_own_stands_in_front() -> None:
    assert "FM-A15" in refused(scene(men={"P23": "red-colonel"}), "red: land red-private B10 > P23")


@pytest.mark.rule("FM-A19")
def test_a_captive_need_not_be_bought_back() -> None:
    state = scene(men={"B02": ""}, captives=[("red-private", "black")])
    assert "red: ready" in legal(state)
    assert captives(everybody_ready(state)) == [("red-private", "black")]


@pytest.mark.rule("FM-A21")
def test_the_stake_is_five_if_nobody_says_otherwise() -> None:
    state = GAME.set_up(GAME.terms())
    assert (state.ground.terms.option["stake"], chips(state, "pool")) == ("5", 20)


@pytest.mark.rule("FM-A24")
def test_a_man_who_came_back_cannot_capture_at_the_same_stop() -> None:
    men = {"B10": "", "P23": "green-private"}
    state = scene(men=men, captives=[("red-private", "black"), ("black-private", "red")])
    state = play(state, "red: exchange red-private black > B10 (black-private)")
    assert refused(state, "red: capture red-private B10 > P23") == ("FM-A10",)
    ransomed = scene(men=men, captives=[("red-private", "black")])
    ransomed = play(ransomed, "red: ransom red-private black > B10")
    assert refused(ransomed, "red: capture red-private B10 > P23") == ("FM-A10",)


@pytest.mark.rule("FM-A25")
def test_whoever_receives_a_third_players_man_holds_him_with_the_same_duties() -> None:
    state = scene(men={"B02": "", "B35": ""}, captives=[("red-private", "black"), ("green-private", "red")], ready=["green"])
    verdict = accepted(state, "red: exchange red-private black > B02 (green-private)")
    assert "FM-A25" in verdict.rules
    assert "green move" in due(verdict.state)  # his man has another holder now
    state = play(verdict.state, "green: ransom green-private black > B35")
    assert on(state, "B35") == ["green-private"]


@pytest.mark.rule("FM-A29")
def test_with_three_players_the_fourth_section_stays_empty_and_its_colour_is_nobodys() -> None:
    state = scene(seats=3, arrow=44, men={"P04": "black-private"})
    assert not any(standing.piece.startswith("green") for standing in GAME.layout(state).standing)
    assert refused(scene(seats=3, arrow=44), "red: land red-private B04 > P04") == ("FM-19", "FM-26")
    verdict = accepted(state, "red: capture red-private B04 > P04")  # a green space, by capture
    assert "FM-28" in verdict.rules
    other = GAME.terms("standard", ("green", "yellow", "red"))
    assert other.seats == ("red", "yellow", "green")  # any three, clockwise


@pytest.mark.rule("FM-A30")
def test_a_wrong_turn_of_the_platform_is_put_right_before_any_man_moves() -> None:
    state = play(scene(arrow=44, phase="throw"), "red: roll 5 4")
    assert "FM-A30" in refused(state, "red: turn > B10")
    assert "FM-A30" in refused(state, "yellow: land yellow-private B26 > P17")
    assert "FM-A30" in refused(state, "red: roll 1 1")
    assert due(play(state, "red: turn > B09"))[0] == "red move"


@pytest.mark.rule("FM-A31")
def test_doubles_count_as_their_total() -> None:
    state = everybody_ready(play(scene(arrow=44, phase="throw"), "red: roll 4 4", "red: turn > B08"))
    assert due(state) == ["black roll"]  # no second throw


@pytest.mark.rule("FM-A32")
def test_the_captives_of_a_player_who_leaves_go_back_to_their_owners() -> None:
    held = [("red-private", "black"), ("red-captain", "black"), ("green-colonel", "yellow")]
    state = scene(men={"B02": "", "red-captain1": ""}, captives=held, ready=["red"])
    state = GAME.leave(state, "black")
    assert captives(state) == [("green-colonel", "yellow")]
    assert on(state, "red-captain1") == ["red-captain"]  # the insignia first
    assert on(state, "B02") == ["red-private"]  # then the vacant circle
    assert "red move" in due(state)


@pytest.mark.rule("FM-A33")
def test_men_on_the_platform_neither_move_on_nor_go_home() -> None:
    state = scene(men={"P23": "red-captain", "B02": ""})
    assert "FM-A33" in refused(state, "red: land red-captain P23 > P24")
    assert "FM-A33" in refused(state, "red: land red-captain P23 > B02")
    assert "FM-A33" in refused(state, "red: capture red-captain P23 > P15")
    assert "FM-22" in refused(state, "red: fill red-captain P23 > B02")


@pytest.mark.rule("FM-A34")
def test_on_chart_space_2_red_stands_on_the_base_and_green_on_the_platform() -> None:
    as_printed = scene(men={"P15": "red-private", "B02": ""})  # Red on the platform: nobody could capture anybody
    assert legal(as_printed, "red: capture") == []
    as_meant = scene(men={"P15": "green-private", "B02": "red-private"})
    assert legal(as_meant, "red: capture") == ["red: capture red-private B02 > P15"]


@pytest.mark.rule("FM-A35")
def test_the_chart_fixes_where_the_two_neutral_spaces_lie() -> None:
    first, second = (space.number("place") for space in GAME.board().of_kind("neutral"))
    assert abs(first - second) == 22


@pytest.mark.rule("FM-A36")
def test_the_thrower_turns_the_platform() -> None:
    state = play(scene(arrow=44, phase="throw"), "red: roll 5 4")
    assert refused(state, "black: turn > B09") == ("FM-A36",)
    assert "FM-16" in refused(scene(phase="throw"), "red: turn > B09")


@pytest.mark.rule("FM-A37")
def test_no_holder_can_keep_a_man_for_ever() -> None:
    for holder in ("black", "yellow", "green"):
        state = scene(men={"B02": ""}, captives=[("red-private", holder)])
        assert legal(state, "red: ransom") == [f"red: ransom red-private {holder} > B02"]


@pytest.mark.rule("FM-A38")
def test_men_stay_in_their_own_section() -> None:
    state = scene(variant="two_players", men={"B02": "", "B13": ""}, captives=[("red-private", "yellow-green")])
    assert "FM-A38" in refused(state, "red-black: fill red-captain red-captain1 > B13")
    assert "FM-A38" in refused(state, "red-black: ransom red-private yellow-green > B13")


def test_a_man_returned_by_another_waits_in_his_corner_on_his_own_insignia_if_he_can() -> None:
    held = [("red-captain", "black"), ("black-captain", "red")]
    state = scene(men={"B02": "", "black-captain2": "", "black-colonel": "", "P21": "black-colonel", "B13": ""}, captives=held)
    state = play(state, "red: exchange red-captain black > B02 (black-captain)")
    assert on(state, "black-captain2") == ["black-captain"]
    assert "black: fill black-captain black-captain2 > B13" in legal(state)  # where he goes then is his owner's choice


# --- what the host may pass over ---


def test_the_host_passes_over_a_throw_a_turn_and_a_player_who_dawdles() -> None:
    state = scene(phase="throw", arrow=44)
    assert due(GAME.skip(state, "red")) == ["black roll"]
    turned = GAME.skip(play(state, "red: roll 5 4"), "red")
    assert GAME.layout(turned).platform == 9
    assert "yellow move" not in due(GAME.skip(turned, "yellow"))
    for seat in FOUR:
        turned = GAME.skip(turned, seat)
    assert due(turned) == ["black roll"]
    assert GAME.skip(turned, "red") == turned  # he owes nothing


def test_the_throw_for_the_first_turn_goes_on_without_a_player_who_is_passed_over_or_leaves() -> None:
    state = play(GAME.set_up(GAME.terms()), "red: roll 3 3", "black: roll 2 2", "yellow: roll 3 3")
    assert due(GAME.skip(state, "green")) == ["red roll", "yellow roll"]  # level
    assert due(GAME.leave(GAME.leave(state, "green"), "red")) == ["yellow roll"]
    assert due(GAME.leave(GAME.leave(state, "red"), "green")) == ["yellow roll"]
    state = GAME.set_up(GAME.terms())
    for seat in FOUR:
        state = GAME.skip(state, seat)
    assert state.phase == "throw"


def test_the_throw_of_a_player_who_leaves_passes_on() -> None:
    assert due(GAME.leave(scene(phase="throw"), "red")) == ["black roll"]
    turning = GAME.leave(play(scene(phase="throw", arrow=44), "red: roll 5 4"), "red")
    assert (turning.phase, turning.arrow) == ("stop", 9)
    assert due(everybody_ready(turning)) == ["black roll"]
    assert GAME.leave(turning, "red") == turning


def test_every_sentence_is_said_somewhere_and_every_word_that_is_said_has_one() -> None:
    code = "\n".join(path.read_text("utf-8") for path in GAME.folder.glob("*.py") if path.name != "words.py")
    said = set(re.findall(r'say\(\s*"(\w+)"', code)) | set(re.findall(r'Check\([^\n]*, "(\w+)"\)', code)) | {"victory"}
    said |= {"shared_victory"}  # chosen by the number of winners
    assert said == set(GAME.words.sentences)
