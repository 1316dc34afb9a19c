"""The running table: one owner, durable before told, and nothing lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.acts import Agreed, Played, TookBack
from companion.dice.events import ButtonPressed, DiceRolled
from companion.events import BadInput, Move, Roll
from companion.games import find_game
from companion.journal import Journal, Reader
from companion.ledger import ACCEPTED, HOST, REFUSED
from companion.news import News, View
from companion.table import Abandon, Do, Resume, Start, Table, Told

RACE = {"game": "royal_game", "variant": "one_die", "seats": 2}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


@pytest.fixture
def table(path: Path) -> Iterator[Table]:
    with Table(Journal.open(path)) as table:
        yield table


def begin(table: Table, terms: dict[str, Any] = RACE) -> Told:
    told = table.ask(Start(terms)).result()
    assert told.view.ledger
    for seat in told.view.ledger.terms.seats:
        told = table.ask(Do(Agreed(seat), seat)).result()
    return told


def due_seat(table: Table) -> str:
    assert table.view.ledger
    return table.view.ledger.due[0].seat


def die(number: int, *faces: int, boot: int = 1, confirmed: list[int] | None = None) -> DiceRolled:
    return DiceRolled("AB12", faces, number, boot, confirm=lambda: None if confirmed is None else confirmed.append(number))


def test_what_is_told_is_in_the_journal_already(path: Path, table: Table) -> None:
    found: list[tuple[int, int]] = []

    def look(view: View, news: tuple[News, ...]) -> None:
        with Reader.open(path) as reader:
            found.append((view.version, max((e.sequence for e in reader.all_events()), default=0)))

    table.subscribe(look)
    begin(table)
    table.ask(die(1, 5)).result()
    assert len(found) >= 4
    assert all(version <= stored for version, stored in found)


def test_a_subscriber_that_fails_does_not_stop_the_game(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.subscribe(lambda view, news: 1 / 0)  # type: ignore[arg-type, return-value]
    assert begin(table).status == ACCEPTED
    assert "a subscriber failed" in caplog.text


def test_a_roll_of_a_die_on_the_table_counts_for_the_seat_that_is_due(table: Table) -> None:
    begin(table)
    seat = due_seat(table)
    told = table.ask(die(1, 5)).result()
    assert told.status == ACCEPTED
    assert table.view.last_roll
    assert (table.view.last_roll.seat, table.view.last_roll.counted) == (seat, True)
    assert due_seat(table) != seat


def test_a_roll_that_is_not_due_is_shown_and_logged_and_changes_nothing(table: Table) -> None:
    begin(table)
    before = table.view.ledger
    told = table.ask(die(1, 3, 4)).result()  # two dice, where one is due
    assert told.status == REFUSED
    assert told.why == ("This roll needs 1 dice, not 2, so it does not count.",)
    assert table.view.ledger == before
    (*_, entry) = table.journal.events(table.view.game)
    assert (entry.kind, entry.body["roll"]) == ("rolled", [3, 4])
    assert table.view.last_roll
    assert not table.view.last_roll.counted


def test_a_roll_offered_again_by_the_die_is_confirmed_and_not_counted_twice(path: Path, table: Table) -> None:
    confirmed: list[int] = []
    begin(table)
    table.ask(die(7, 5, confirmed=confirmed)).result()
    ledger = table.view.ledger
    table.ask(die(7, 5, confirmed=confirmed)).result()
    assert confirmed == [7, 7]
    assert table.view.ledger == ledger


def test_a_roll_offered_again_after_a_restart_is_known_from_the_journal(path: Path) -> None:
    with Table(Journal.open(path)) as table:
        begin(table)
        table.ask(die(7, 5)).result()
        position = table.view.ledger and table.view.ledger.game.position(table.view.ledger.state)
    with Table(Journal.open(path)) as again:
        again.ask(Resume()).result()
        again.ask(die(7, 5)).result()
        assert again.view.ledger
        assert again.view.ledger.game.position(again.view.ledger.state) == position


def test_dice_without_a_game_are_shown_and_logged(table: Table) -> None:
    told = table.ask(die(1, 2, 6)).result()
    assert told.said == ("The dice show 2 and 6.",)
    (entry,) = table.journal.all_events()
    assert (entry.game, entry.body["roll"]) == (None, [2, 6])


def test_one_die_thrown_twice_makes_a_roll_of_two(table: Table) -> None:
    begin(table, {"game": "royal_game", "variant": "two_dice", "seats": 2})
    seat = due_seat(table)
    told = table.ask(die(1, 3)).result()
    assert table.view.held == (3,)
    assert "throw the other die" in told.said[0]
    table.ask(die(2, 4)).result()
    assert table.view.held == ()
    assert table.view.last_roll
    assert (table.view.last_roll.faces, table.view.last_roll.seat) == ((3, 4), seat)


def test_the_game_is_resumed_exactly_as_it_was(path: Path) -> None:
    with Table(Journal.open(path)) as table:
        begin(table)
        for number in range(1, 6):
            table.ask(die(number, number)).result()
        before = table.view.ledger
        number = table.view.game
    assert before
    with Table(Journal.open(path)) as again:
        assert again.ask(Resume()).result().status == ACCEPTED
        assert again.view.game == number
        assert again.view.ledger
        assert again.view.ledger.game.position(again.view.ledger.state) == before.game.position(before.state)
        assert [line.number for line in again.view.ledger.lines] == [line.number for line in before.lines]
        assert again.view.ledger.must_agree == ()


def test_an_act_made_from_an_old_view_is_stale_and_does_nothing(table: Table) -> None:
    told = begin(table)
    seat = due_seat(table)
    old = told.view.version
    table.ask(die(1, 5)).result()
    ledger = table.view.ledger
    again = table.ask(Do(Played(Roll(seat, (5,))), seat, "phone:1", seen=old)).result()
    assert again.status == "stale"
    assert table.view.ledger == ledger


def test_many_phones_at_once_are_answered_one_after_the_other(table: Table) -> None:
    begin(table)
    seat = due_seat(table)
    version = table.view.version
    answers: list[Told] = []

    def post() -> None:
        answers.append(table.ask(Do(Played(Roll(seat, (5,))), seat, "phone:1", seen=version)).result())

    threads = [threading.Thread(target=post) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(a.status for a in answers) == [ACCEPTED] + ["stale"] * 15


def test_a_second_game_waits_until_the_first_is_ended(table: Table) -> None:
    begin(table)
    assert table.ask(Start(RACE)).result().status == REFUSED
    table.ask(Abandon("supper")).result()
    assert table.ask(Start(RACE)).result().status == ACCEPTED
    assert [g.state for g in table.journal.games()] == ["abandoned", "running"]


def test_nonsense_is_answered_and_the_table_goes_on(table: Table) -> None:
    with pytest.raises(BadInput, match="game: 'chess'"):
        table.ask(Start({"game": "chess"})).result()
    with pytest.raises(BadInput, match="no game 99"):
        table.ask(Resume(99)).result()
    assert table.ask(Do(TookBack(1))).result().why == ("No game is running.",)
    assert begin(table).status == ACCEPTED


def test_the_take_back_button_takes_back_the_last_move_of_its_player(table: Table) -> None:
    begin(table, {"game": "siege"})
    table.ask(Do(Played(Move("defender", "place", "commander", to="d6")), "defender", "phone:1")).result()
    table.ask(ButtonPressed("pi", "take_back")).result()
    assert table.view.ledger
    assert table.view.ledger.lines == ()


def test_the_end_of_a_game_is_kept_and_taking_back_opens_it_again(path: Path, table: Table) -> None:
    game = find_game("siege")
    last = {"to_move": "attacker", "knights": ["b5"], "defenders": [], "commander": "d6"}
    table.ask(Start({"game": "siege"}, last)).result()
    for seat in ("attacker", "defender"):
        table.ask(Do(Agreed(seat), seat)).result()
    told = table.ask(Do(Played(Move("attacker", "move", "knight", "b5", "d6")), "attacker", "phone:1")).result()
    assert "The Attacker wins!" in told.said[-1]
    (kept,) = table.journal.games()
    assert (kept.state, kept.outcome["winners"]) == ("finished", ["attacker"])
    table.ask(Do(TookBack(1), HOST)).result()
    (kept,) = table.journal.games()
    assert kept.state == "running"
    assert game.name == kept.name


def test_whoever_hangs_over_the_news_does_not_hold_up_the_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.STOPS", 0.2)
    go_on, hangs = threading.Event(), threading.Event()

    def hang(view: View, news: tuple[News, ...]) -> None:
        hangs.set()
        go_on.wait(60)

    table = Table(Journal.open(path))
    table.subscribe(hang)
    table.start()
    table.put(Start(RACE))
    assert hangs.wait(10)
    table.stop()
    with Reader.open(path) as reader:
        assert [game.state for game in reader.games()] == ["running"]
    go_on.set()
