"""Whole games by tapping: as many phones as seats, each doing what is its own to do."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from playwright.sync_api import expect

from companion.acts import Played
from companion.events import Event, Roll
from companion.game import Game, Terms
from companion.games import find_game
from companion.ruling import Accepted
from companion.table import Do
from tests.web.browser.conftest import MakePhone, begin
from web.server import Server


class Evening(NamedTuple):
    name: str
    variant: str
    players: int
    seed: int  # of a short game


EVENINGS = (
    Evening("royal_purple", "children", 3, 75),
    Evening("royal_purple", "four_handed", 4, 28),
    Evening("royal_game", "one_die", 4, 2981),
    Evening("fighting_marines", "standard", 3, 227),
    Evening("kop_the_kaiser", "standard", 6, 675),
)


def random_game(game: Game, terms: Terms, seed: int) -> list[Event]:
    """A game to its end, by chance. The seeds above make short ones; whatever they make is played."""
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


def play_by_tapping(phone: MakePhone, server: Server, evening: Evening, most: int | None = None) -> int:
    """All of it, or the last acts, after the table has played those before. How many were tapped."""
    game = find_game(evening.name)
    terms = game.terms(evening.variant, evening.players)
    events = random_game(game, terms, evening.seed)
    tapped = events[-most:] if most else events
    begin(server, evening.name, variant=evening.variant, seats=list(terms.seats))
    table = server.room.table
    for event in events[: len(events) - len(tapped)]:
        assert table.ask(Do(Played(event))).result().status == "accepted"
    phones = {}
    for number, seat in enumerate(terms.seats):
        phones[seat] = phone().join(f"Guest {number}")
        phones[seat].page.get_by_role("button", name=": free").first.click()
        expect(phones[seat].page.get_by_role("button", name=": yours")).to_be_visible()
        phones[seat].go("/play")
    for event in tapped:
        phones[event.seat].do(event)
    assert table.view.ledger
    assert table.view.ledger.outcome
    for each in phones.values():
        expect(each.page.get_by_role("link", name="See the whole game")).to_be_visible()
        expect(each.page.locator("#turn")).to_contain_text(game.words.tell(table.view.ledger.outcome.why))
    return len(tapped)
