"""Recorded evenings: the roll list, rolls taken up when they are due, and rulings picture by picture."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.events import BadInput, Roll
from companion.games import find_game
from companion.layout import Layout
from tests.vision.fakes import FRAME, VIEW
from tests.vision.made_up import one_turn, play, sighting, visible_moves
from tests.vision.score import Score, TrueFrame
from vision import reports
from vision.evening import RecordedEvening, begun_by, dice_for, quiet_words, roll_list
from vision.marks import Arrow, Sighting
from vision.watch import AT_ONCE, Watcher

MARINES = {"game": "fighting_marines", "seats": {"red": "left", "black": "top", "yellow": "right", "green": "front"}, "order": ["red"]}
KAISER = {
    "game": "kop_the_kaiser",
    "seats": {
        "blue": {"port": "NewYork", "branch": "Artillery"}, "orange": {"port": "Philadelphia", "branch": "Aviation"},
        "green": {"port": "Baltimore", "branch": "Cavalry"}, "red": {"port": "Charleston", "branch": "Infantry"},
    },
    "order": ["blue", "orange", "green", "red"],
}  # fmt: skip


class Camera:
    """Sees what a test says."""

    def __init__(self) -> None:
        self.layout = Layout(())
        self.hidden: frozenset[str] = frozenset()
        self.chance = Random(1)
        self.watcher = Watcher(self, self, self, VIEW, patience=AT_ONCE)

    def is_still(self, frame: Any, time: float) -> bool:
        return True

    def acquire(self, frame: Any) -> Any:
        return VIEW

    def check(self, frame: Any, view: Any) -> Any:
        class Check:
            in_place = True

        return Check()

    def look(self, frame: Any, view: Any, wanted: Any) -> Sighting:
        scene = self.watcher.scene
        assert scene
        seen = sighting(scene.game, scene.state, self.layout, self.chance, self.hidden)
        between = self.layout.platform is None and scene.game.layout(scene.state).platform
        return seen._replace(arrow=Arrow(None, 4.0, (44, 1))) if between else seen

    def confirm(self, standing: Any) -> None:
        pass

    def forget(self) -> None:
        pass


class Show:
    def __init__(self, data: dict[str, Any]) -> None:
        self.camera = Camera()
        self.table = RecordedEvening.of(self.camera.watcher, roll_list(data))
        self.count = 0

    @property
    def game(self) -> Any:
        return self.table.ledger.game

    def picture(self, layout: Layout) -> list[str]:
        self.camera.layout = layout
        self.count += 1
        return [ruling.report.kind for ruling in self.table.stills(FRAME, f"{self.count:03}.jpg", 10.0 * self.count)]


def test_players_may_be_called_by_their_colours_and_get_their_ports_and_armies() -> None:
    rolls = roll_list(KAISER | {"rolls": [["blue", 4], ["red", [3, 4]], ["green", 7, 12]]})
    assert rolls.terms.seats == ("new-york", "charleston", "baltimore", "philadelphia")
    assert rolls.terms.option["armies"].startswith("artillery,infantry,cavalry,aviation")
    assert [(r.seat, r.dice, r.total, r.frame) for r in rolls.rolls] == [
        ("new-york", (), 4, -1), ("charleston", (3, 4), 0, -1), ("baltimore", (), 7, 12),
    ]  # fmt: skip
    assert {due.seat for due in rolls.game.due(rolls.start)} == {"new-york"}


@pytest.mark.parametrize("name", ["fighting_marines", "kop_the_kaiser", "royal_purple", "royal_game"])
def test_whoever_is_named_first_begins_without_a_throw_for_it(name: str) -> None:
    game = find_game(name)
    terms = game.terms()
    for seat in terms.seats:
        state = begun_by(game, game.set_up(terms), seat)
        assert {due.seat for due in game.due(state) if not due.optional} == {seat}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ([], "roll list: must be an object"),
        ({"game": "chess"}, "chess"),
        (MARINES | {"seats": {"pink": ""}}, "'pink' is no seat"),
        (MARINES | {"rolls": [["red"]]}, "number 1 must be"),
        (MARINES | {"rolls": [["pink", 3]]}, "number 1"),
        (MARINES | {"rolls": [["red", "x"]]}, "a total or a list of dice"),
        (MARINES | {"rolls": [["red", [9]]]}, "a die shows 1 to 6"),
        (MARINES | {"rolls": [["red", 3, None]]}, "the picture must be"),
        (MARINES | {"rolls": 3}, "rolls: must be a list"),
        (MARINES | {"order": ["pink"]}, "order"),
    ],
)
def test_a_bad_roll_list_is_named_in_one_line(data: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says.replace("(", r"\(")):
        roll_list(data)


def test_a_total_stands_for_dice_only_where_their_sum_decides() -> None:
    rolls = roll_list(MARINES | {"rolls": [["red", 7]]})
    due = rolls.game.due(rolls.start)[0]
    assert sum(dice_for(rolls.game, rolls.start, rolls.rolls[0], due)) == 7
    game = find_game("royal_game")
    terms = game.terms("two_dice")
    state = begun_by(game, game.set_up(terms), terms.seats[0])
    due = game.due(state)[0]
    with pytest.raises(BadInput, match="give the dice as a list"):
        dice_for(game, state, rolls.rolls[0]._replace(seat=due.seat), due)
    with pytest.raises(BadInput, match="cannot show 40"):
        dice_for(rolls.game, rolls.start, rolls.rolls[0]._replace(total=40), due)


def test_the_next_roll_shows_that_everybody_was_ready() -> None:
    """Fighting Marines: two stops, seen only when they are over; nobody's "ready" was written down."""
    show = Show(MARINES | {"rolls": [["red", 3], ["black", 6], ["yellow", 5]]})
    game, state = show.game, show.table.ledger.state
    assert show.picture(game.layout(state)) == [reports.READY]
    chance = Random(3)
    for seat, total in (("red", 3), ("black", 6)):
        for word in _words_until(game, state, seat):
            state = play(game, state, (word,))
        state = game.rule(state, Roll(seat, (total // 2, total - total // 2))).state
        state = play(game, state, one_turn(game, state, chance, 5))
        assert show.picture(game.layout(state)) == [reports.MADE]
        assert show.game.layout(show.table.ledger.state) == game.layout(state)


def _words_until(game: Any, state: Any, seat: str) -> list[Any]:
    words = []
    while not any(due.what == "roll" and due.seat == seat for due in game.due(state)):
        word = next(move for move in game.legal_moves(state) if move.do == "ready")
        words.append(word)
        state = play(game, state, (word,))
    return words


def test_a_wrong_turn_of_the_platform_is_judged_by_the_roll_that_was_just_thrown() -> None:
    show = Show(MARINES | {"rolls": [["red", 3], ["black", 6]]})
    game, state = show.game, show.table.ledger.state
    show.picture(game.layout(state))
    turned = game.layout(state)._replace(platform=3)
    assert show.picture(turned) == [reports.MADE]
    assert show.picture(turned._replace(platform=10)) == [reports.WRONG]
    assert show.picture(turned._replace(platform=None)) == [reports.UNSEEN]
    assert show.picture(turned._replace(platform=9)) == [reports.MADE]
    assert not show.table.rolls


def test_rolls_that_move_nothing_are_passed_over() -> None:
    show = Show(KAISER | {"rolls": [["blue", 4], ["blue", 9], ["blue", 4], ["blue", 7]]})
    game = show.game
    state = show.table.ledger.state
    assert show.picture(game.layout(state)) == [reports.READY]
    for dice in ((2, 2), (4, 5), (1, 3)):
        state = game.rule(state, Roll("new-york", dice)).state
    state = play(game, state, visible_moves(game, state))
    assert show.picture(game.layout(state)) == [reports.MADE]
    assert show.picture(game.layout(state)) == []


def test_a_recording_may_begin_after_the_set_up() -> None:
    show = Show(KAISER | {"rolls": [["blue", 7]]})
    game = show.game
    state = game.rule(show.table.ledger.state, Roll("new-york", (3, 4))).state
    moves = game.legal_moves(state)
    state = play(game, state, moves[:1])
    show.picture(game.layout(state))
    assert show.picture(game.layout(play(game, state, moves[1:]))) == [reports.MADE]


def test_a_roll_may_be_bound_to_a_picture() -> None:
    show = Show(KAISER | {"rolls": [["blue", 7, 2]]})
    game, start = show.game, show.table.ledger.state
    show.picture(game.layout(start))
    assert len(show.table.rolls) == 1
    show.picture(game.layout(start))
    show.picture(game.layout(start))
    assert not show.table.rolls


def test_quiet_words_are_found_and_nothing_else() -> None:
    show = Show(MARINES | {"rolls": [["red", 3]]})
    assert quiet_words(show.table.ledger, "red") == ()
    assert quiet_words(show.table.ledger, "black") is None


def test_the_summary_counts_pictures_and_rulings() -> None:
    show = Show(KAISER | {"rolls": [["blue", 7]]})
    show.picture(Layout(()))
    show.picture(show.game.layout(show.table.ledger.state))
    summary = show.table.summary()
    assert summary["pictures"] == 2
    assert summary["moves"] == summary["illegal"] == 0
    assert summary["game_over"] is False


# --- the scorer ---


def test_the_scorer_tells_right_from_asked_missed_wrong_and_false() -> None:
    show = Show(KAISER | {"rolls": [["blue", 7]]})
    ledger = show.table.ledger
    right = show.game.layout(ledger.state)
    other = Layout(right.standing[1:])
    score = Score()

    def step(verdict: str, layout: Layout, *kinds: str, spaces: tuple[str, ...] = ()) -> None:
        from vision.evening import Ruling
        from vision.reports import Report

        rulings = [Ruling("x", Report(kind, spaces=spaces)) for kind in kinds]
        score.frame("kop", "plain", TrueFrame("x", verdict, layout), rulings, ledger, None)

    step("legal", right, reports.MADE)
    step("legal", right, reports.UNSEEN)
    step("legal", other)
    step("legal", other, reports.MADE)
    step("legal", right, reports.WRONG)
    step("illegal", other, reports.WRONG)
    step("illegal", other, reports.DOUBTED, spaces=(right.standing[0].space,))
    step("illegal", other, reports.DOUBTED, spaces=("S01",))
    step("none", right, reports.WRONG)
    step("none", other, reports.MADE)
    total = score.total
    assert {name: total[name] for name in ("steps", "right", "asked", "missed", "wrong", "illegal", "illegal_found", "false_alarms")} == {
        "steps": 5, "right": 2, "asked": 1, "missed": 1, "wrong": 2, "illegal": 3, "illegal_found": 2, "false_alarms": 2,
    }  # fmt: skip
    assert "illegal_missed" in score.table()
    assert len(score.faults) == 6
