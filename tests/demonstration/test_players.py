"""Computer players at a table whose camera is a fake that sees everything, or asks, or sees nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.acts import Agreed, Played
from companion.demonstration import players as module
from companion.demonstration.choices import layout_after
from companion.demonstration.players import Players
from companion.events import Move
from companion.journal import Journal
from companion.layout import Layout, changes
from companion.news import Choice, Observed
from companion.table import Do, Table
from companion.table_requests import Notice

PATIENCE = 30.0


class SeeingHands:
    """Hands, and an eye that sees at once which legal move they made. `asks`: it asks instead; `blind`: it sees nothing."""

    def __init__(self, table: Table, asks: bool = False, blind: bool = False) -> None:
        self.table, self.asks, self.blind = table, asks, blind
        self.stands: Layout | None = None
        self.wrong: list[Layout] = []
        self.put_back = 0

    def put(self, layout: Layout, seat: str, at_once: bool = False) -> None:
        self.stands = layout
        ledger = self.table.view.ledger
        if ledger is None or self.blind or at_once:
            return
        if not changes(ledger.game.layout(ledger.state), layout):
            self.put_back += self.table.view.observed is not None
            self.table.put(Notice(None))
            return
        fitting = [m for m in ledger.legal_moves() if (after := layout_after(ledger, m)) and not changes(after, layout)]
        if not fitting:
            self.wrong.append(layout)
            self.table.put(Notice(Observed("wrong", "That is not legal.")))
        elif self.asks:
            choices = tuple(Choice(str(move), ((move.seat, Played(move, made=True)),)) for move in fitting)
            self.table.put(Notice(Observed("asked", "Which was it?", (*choices, Choice("None of these.")))))
        else:
            self.table.put(Do(Played(fitting[0], made=True), fitting[0].seat, "camera", self.table.view.version))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(Journal.open(tmp_path / "table.journal")) as table:
        yield table


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("THINKS", 0.0), ("SEES", 2.0), ("LEAST", 0.0), ("SETTLES", 0.0), ("EXPLAINS", 0.0)):
        monkeypatch.setattr(module, name, seconds)


@pytest.fixture
def seat_players(table: Table) -> Iterator[Callable[..., Players]]:
    running: list[Players] = []

    def make(hands: SeeingHands, **given: object) -> Players:
        chance = Random(5)
        players = Players(table, hands, lambda dice: tuple(chance.randint(1, 6) for _ in range(dice)), chance=chance, **given)  # type: ignore[arg-type]
        running.append(players)
        players.start()
        return players

    yield make
    for players in running:
        players.stop()


def wait_for(table: Table, condition: Callable[[], bool]) -> None:
    done = threading.Event()
    table.subscribe(lambda view, news: done.set() if condition() else None)
    assert condition() or done.wait(PATIENCE)


def lines(table: Table) -> int:
    return len(table.view.ledger.lines) if table.view.ledger else 0


def is_over(table: Table) -> bool:
    return bool(table.view.ledger and table.view.ledger.outcome)


@pytest.mark.parametrize("name", ["siege", "royal_game", "royal_purple"])
def test_they_play_and_the_pieces_stand_as_the_table_says(table: Table, seat_players: Callable[..., Players], name: str) -> None:
    hands = SeeingHands(table)
    players = seat_players(hands)
    assert players.begin(name) == ""
    wait_for(table, lambda: lines(table) >= 30 or is_over(table))
    ledger = table.view.ledger
    assert ledger
    moves = [line for line in ledger.lines if isinstance(line.act, Played) and isinstance(line.act.event, Move)]
    seen = [line for line in moves if line.act.made]  # type: ignore[union-attr]
    assert seen  # made on the board and seen there, not told


def test_a_wrong_move_is_tried_and_put_back(table: Table, seat_players: Callable[..., Players], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WRONG", 1.0)
    hands = SeeingHands(table)
    seat_players(hands).begin("siege")
    wait_for(table, lambda: hands.put_back >= 1 or is_over(table))
    assert hands.wrong
    assert hands.put_back >= 1


def test_what_the_camera_asks_is_answered_with_what_was_meant(table: Table, seat_players: Callable[..., Players]) -> None:
    seat_players(SeeingHands(table, asks=True)).begin("siege")
    wait_for(table, lambda: lines(table) >= 6)
    assert table.view.ledger
    assert all(line.act.made for line in table.view.ledger.lines if isinstance(line.act, Played))


def test_a_move_that_nobody_sees_is_tapped(table: Table, seat_players: Callable[..., Players], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SEES", 0.05)
    seat_players(SeeingHands(table, blind=True)).begin("siege")
    wait_for(table, lambda: lines(table) >= 4)
    assert table.view.ledger
    assert not any(line.act.made for line in table.view.ledger.lines if isinstance(line.act, Played))


def test_a_seat_that_somebody_holds_is_his_and_the_hands_move_for_him(table: Table, seat_players: Callable[..., Players]) -> None:
    hands = SeeingHands(table)
    players = seat_players(hands, humans=lambda: {"attacker"})
    players.begin("siege")
    assert players.seats == ("defender",)
    table.ask(Do(Agreed("attacker"), "attacker", "phone:1")).result(PATIENCE)
    wait_for(table, lambda: lines(table) == 1)  # the defender placed his Commander; now it is the attacker's turn
    ledger = table.view.ledger
    assert ledger
    move = next(m for m in ledger.legal_moves() if m.seat == "attacker")
    wanted = layout_after(ledger, move)
    assert wanted
    told = table.ask(Do(Played(move), "attacker", "phone:1")).result(PATIENCE)
    assert told.status == "accepted"
    wait_for(table, lambda: lines(table) >= 3)  # the defender goes on
    acts = [line.act for line in table.view.ledger.lines] if table.view.ledger else []
    assert [act.event.seat for act in acts[:3] if isinstance(act, Played)] == ["defender", "attacker", "defender"]


def test_they_stop_when_they_are_told_and_the_game_ends_with_them(table: Table, seat_players: Callable[..., Players]) -> None:
    players = seat_players(SeeingHands(table))
    players.begin("siege")
    wait_for(table, lambda: lines(table) >= 2)
    players.leave(end_game=True)
    assert not players.on
    assert table.view.ledger is None
    assert players.seats == ()


def test_no_demonstration_begins_while_people_play(table: Table, seat_players: Callable[..., Players]) -> None:
    players = seat_players(SeeingHands(table))
    assert players.begin("siege") == ""
    assert players.begin("siege") != ""
