"""Whole games by tapping, in real browsers."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from companion.acts import Played
from companion.events import Event, Roll
from companion.game import Game, Terms
from companion.games import find_game
from companion.ruling import Accepted
from companion.table import Do
from tests.web.browser.conftest import MakePhone, Phone, begin
from web.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
MOST_BY_HAND = 44  # of a longer game the table plays the acts before
LEAST_BY_HAND = 40


def everybody_agrees(*phones: Phone) -> None:
    for each in phones:
        each.page.get_by_role("button", name="I agree").click()
    for each in phones:
        expect(each.page.get_by_text("First everybody agrees")).to_have_count(0)


def test_two_phones_play_a_whole_siege_from_the_host_page_to_the_end(phone: MakePhone, server: Server) -> None:
    host = phone().become_host().begin("siege")
    phones = {"attacker": phone().join("Ada", "Attacker"), "defender": phone().join("Ben", "Defender")}
    for each in phones.values():
        each.go("/play")
    everybody_agrees(*phones.values())
    choose = Random(6)
    table = server.room.table
    for _ in range(200):
        ledger = table.view.ledger
        assert ledger is not None
        if ledger.outcome:
            break
        moves = ledger.legal_moves()
        takes = [m for m in moves if m.to in {s.space for s in ledger.game.layout(ledger.state).standing}]
        move = choose.choice(takes or moves)
        phones[move.seat].do(move)
    assert table.view.ledger is not None
    assert table.view.ledger.outcome is not None
    for each in (*phones.values(), host):
        expect(each.page.get_by_role("link", name="See the whole game")).to_be_visible()


def random_game(game: Game, terms: Terms, seed: int) -> list[Event]:
    """A game to its end, by chance. The seeds below make short ones; whatever they make is played."""
    choose, state, events = Random(seed), game.set_up(terms), list[Event]()
    while due := game.due(state):
        rolls, moves = [d for d in due if d.what == "roll"], game.legal_moves(state)
        event: Event
        if rolls and (not moves or choose.random() < 0.5):
            event = Roll(rolls[0].seat, tuple(choose.randint(1, 6) for _ in rolls[0].dice))
        else:
            event = choose.choice(moves)
        verdict = game.rule(state, event)
        assert isinstance(verdict, Accepted)
        events.append(event)
        state = verdict.state
    return events


@pytest.mark.parametrize(
    ("name", "variant", "players", "seed"),
    [
        ("royal_purple", "children", 3, 75),  # whole
        ("royal_purple", "four_handed", 4, 28),
        ("royal_game", "one_die", 4, 642),
        ("fighting_marines", "standard", 3, 227),  # whole
        ("kop_the_kaiser", "standard", 6, 675),  # whole
    ],
)
def test_every_game_is_played_to_its_end_by_as_many_phones(
    phone: MakePhone, server: Server, name: str, variant: str, players: int, seed: int
) -> None:
    game = find_game(name)
    terms = game.terms(variant, players)
    events = random_game(game, terms, seed)
    assert len(events) >= LEAST_BY_HAND
    begin(server, name, variant=variant, seats=list(terms.seats))
    table = server.room.table
    for event in events[:-MOST_BY_HAND]:
        assert table.ask(Do(Played(event))).result().status == "accepted"
    phones = {}
    for number, seat in enumerate(terms.seats):
        phones[seat] = phone().join(f"Guest {number}")
        phones[seat].page.get_by_role("button", name=": free").first.click()
        expect(phones[seat].page.get_by_role("button", name=": yours")).to_be_visible()
        phones[seat].go("/play")
    for event in events[-MOST_BY_HAND:]:
        phones[event.seat].do(event)
    assert table.view.ledger
    assert table.view.ledger.outcome
    for each in phones.values():
        expect(each.page.get_by_role("link", name="See the whole game")).to_be_visible()
        expect(each.page.locator("#turn")).to_contain_text(game.words.tell(table.view.ledger.outcome.why))
