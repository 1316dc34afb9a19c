"""Corner Race by its rulebook. Such a file is what every game has; here it also shows that the example is no sham."""

from __future__ import annotations

import pytest

from companion.events import BadInput, Move, Roll
from companion.game import Game, state_from_json
from companion.games import find_game
from companion.ruling import Accepted, Refused
from tests.sixth_game.conftest import NAME


@pytest.fixture
def race(sixth: None) -> Game:
    return find_game(NAME)


def at(race: Game, sun: str, moon: str, turn: str = "sun", throw: int = 0, **readings: str) -> object:
    return state_from_json(
        race, {"readings": readings, "position": {"turn": turn, "throw": throw, "runners": {"sun": sun, "moon": moon}}}
    )


def move(seat: str, start: str, to: str, piece: str = "") -> Move:
    return Move(seat, "move", piece or {"sun": "red-runner", "moon": "blue-runner"}[seat], start, to)


def ends_on(race: Game, state: object) -> list[str]:
    return [m.to for m in race.legal_moves(state)]


def test_each_player_moves_only_his_own_runner(race: Game) -> None:  # CR-01
    verdict = race.rule(at(race, "a1", "b1", throw=1), move("sun", "b1", "c1", "blue-runner"))
    assert isinstance(verdict, Refused)
    assert "CR-01" in verdict.rules


def test_both_start_on_the_first_space_and_sun_begins(race: Game) -> None:  # CR-02, CR-03
    state = race.set_up(race.terms())
    assert {s.space for s in race.layout(state).standing} == {"a1"}
    assert [d.seat for d in race.due(state)] == ["sun"]
    assert race.rule(state, Roll("moon", (3,))).rules == ("CR-03",)


def test_the_throw_comes_first_and_once(race: Game) -> None:  # CR-04
    assert race.rule(at(race, "a1", "a1"), move("sun", "a1", "b1")).rules == ("CR-04",)
    assert race.rule(at(race, "a1", "a1", throw=2), Roll("sun", (3,))).rules == ("CR-04",)


@pytest.mark.parametrize(("throw", "ends"), [(1, ["b1"]), (2, ["c1"]), (3, ["c2"])])
def test_a_small_number_is_gone_exactly(race: Game, throw: int, ends: list[str]) -> None:  # CR-05
    assert ends_on(race, at(race, "a1", "a1", throw=throw)) == ends
    assert race.rule(at(race, "a1", "a1", throw=throw), move("sun", "a1", "c3")).rules == ("CR-05",)


@pytest.mark.parametrize("throw", [4, 5, 6])
def test_a_great_number_is_one_step_either_way(race: Game, throw: int) -> None:  # CR-06
    assert ends_on(race, at(race, "c1", "a1", throw=throw)) == ["c2", "b1"]
    assert ends_on(race, at(race, "a1", "a1", throw=throw)) == ["b1"]
    assert race.rule(at(race, "c1", "a1", throw=throw), move("sun", "c1", "a2")).rules == ("CR-06",)


def test_a_throw_past_the_end_is_lost_unless_the_table_reads_it_otherwise(race: Game) -> None:  # CR-07, CR-A01
    lost = race.rule(at(race, "b3", "a1"), Roll("sun", (3,)))
    assert isinstance(lost, Accepted)
    assert "CR-07" in lost.rules
    assert race.position(lost.state)["turn"] == "moon"
    state = race.rule(at(race, "b3", "a1", last_step="any"), Roll("sun", (3,))).state
    assert ends_on(race, state) == ["c3"]


def test_whoever_is_landed_on_goes_back_to_the_first_space(race: Game) -> None:  # CR-08
    verdict = race.rule(at(race, "a1", "c1", throw=2), move("sun", "a1", "c1"))
    assert isinstance(verdict, Accepted)
    assert race.position(verdict.state)["runners"] == {"sun": "c1", "moon": "a1"}
    assert [race.words.tell(s) for s in verdict.said] == ["Moon is sent back to the first space!"]


def test_the_last_space_wins(race: Game) -> None:  # CR-09
    verdict = race.rule(at(race, "b3", "a1", throw=1), move("sun", "b3", "c3"))
    assert isinstance(verdict, Accepted)
    ended = race.outcome(verdict.state)
    assert ended is not None
    assert ended.winners == ("sun",)
    assert race.rule(verdict.state, Roll("moon", (1,))).rules == ("CR-09",)


def test_one_who_leaves_ends_the_race(race: Game) -> None:  # CR-A02
    ended = race.outcome(race.leave(race.set_up(race.terms()), "moon"))
    assert ended is not None
    assert ended.winners == ()


@pytest.mark.parametrize(
    "position",
    [
        {"throw": 7}, {"throw": True}, {"turn": "mars"}, {"runners": {"sun": "z9"}}, {"runners": []}, {"dice": 1},
        {"runners": {"sun": "b1", "moon": "b1"}}, {"runners": {"sun": "b3"}, "throw": 3}, {"gone": ["sun", "moon"]},
    ],
)  # fmt: skip
def test_impossible_positions_are_refused_with_the_reason(race: Game, position: dict[str, object]) -> None:
    with pytest.raises(BadInput, match=r"\w+: "):
        state_from_json(race, {"position": position})
