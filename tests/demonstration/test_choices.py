"""What computer players choose: what is due from their own seats, and now and then what the rules refuse."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.acts import Played
from companion.demonstration.choices import attempt, choose, layout_after
from companion.events import Move, Roll
from companion.games import all_games, find_game
from companion.layout import changes
from companion.ledger import ACCEPTED, Ledger, open_ledger
from companion.referee import REFUSED, judge

GAMES = tuple(all_games())


def begun(name: str) -> Ledger:
    game = find_game(name)
    terms = game.terms()
    return replace(open_ledger(game, terms), agreed=frozenset(terms.seats))


def played(ledger: Ledger, chance: Random) -> Ledger:
    event = choose(ledger, ledger.terms.seats, chance)
    assert event
    if isinstance(event, Roll):
        due = next(d for d in ledger.due if d.what == "roll" and d.seat == event.seat)
        event = Roll(event.seat, tuple(chance.randint(1, 6) for _ in due.dice))
    answer = ledger.apply(Played(event), len(ledger.lines) + 1, event.seat)
    assert answer.status == ACCEPTED, answer.why
    return answer.ledger


@pytest.mark.parametrize("name", GAMES)
def test_whatever_they_choose_is_accepted(name: str) -> None:
    ledger, chance = begun(name), Random(name)
    for _ in range(60):
        if ledger.outcome:
            break
        ledger = played(ledger, chance)
    assert ledger.outcome or len(ledger.lines) == 60


@pytest.mark.parametrize("name", GAMES)
def test_they_choose_for_their_own_seats_only(name: str) -> None:
    ledger, chance = begun(name), Random(7)
    seat = ledger.terms.seats[0]
    mine = set()
    for _ in range(60):
        if ledger.outcome:
            break
        event = choose(ledger, (seat,), chance)
        if event is not None:
            mine.add(event.seat)
            assert event.seat == seat
            assert seat in {due.seat for due in ledger.due}
        ledger = played(ledger, chance)
    assert mine == {seat}


@pytest.mark.parametrize("name", GAMES)
def test_a_wrong_attempt_is_refused_and_looks_like_nothing_legal(name: str) -> None:
    ledger, chance = begun(name), Random(3)
    found = 0
    for _ in range(150):
        if ledger.outcome:
            break
        if bad := attempt(ledger, ledger.terms.seats, chance):
            found += 1
            assert judge(ledger.game, ledger.state, bad.move).status == REFUSED
            done = changes(ledger.game.layout(ledger.state), bad.layout)
            assert [(c.do, c.start, c.to) for c in done] == [("move", bad.move.start, bad.move.to)]
            legal = [layout_after(ledger, move) for move in ledger.legal_moves()]
            assert all(after and changes(after, bad.layout) for after in legal)
        ledger = played(ledger, chance)
    assert found > 0


def test_a_move_that_is_refused_leads_to_no_layout() -> None:
    assert layout_after(begun("siege"), Move("attacker", "move", "knight", "c0", "c1")) is None
