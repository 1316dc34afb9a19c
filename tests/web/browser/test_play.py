"""Whole games by tapping, in real browsers."""

from __future__ import annotations

import json
from random import Random

import pytest
from playwright.sync_api import Page, expect

from companion.acts import Played
from companion.events import Event, Roll
from companion.game import Game, Terms
from companion.games import find_game
from companion.notation import to_text
from companion.referee import judge
from companion.table import Do
from tests.web.browser.conftest import MakePhone, Phone, begin
from web.server import Server

pytestmark = pytest.mark.slow
LAST_BY_HAND = 24  # acts of a long game that the phones play; the table plays the ones before


def everybody_agrees(*phones: Phone) -> None:
    for each in phones:
        each.page.get_by_role("button", name="I agree").click()
    for each in phones:
        expect(each.page.get_by_text("First everybody agrees")).to_have_count(0)


def tap(page: Page, space: str) -> None:
    page.locator(f'[data-space="{space}"] polygon').tap()


def test_two_phones_play_a_whole_siege_by_tapping(phone: MakePhone, server: Server) -> None:
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
        page = phones[move.seat].page
        expect(page.locator(f"[data-space='{move.to if not move.start else move.start}'].can")).to_have_count(1)
        if move.start:
            tap(page, move.start)
        tap(page, move.to)
        before = table.view.version
        page.get_by_role("button", name="Do it").tap()
        expect(page.get_by_role("button", name="Do it")).to_have_count(0)
        assert table.view.version > before
    assert table.view.ledger is not None
    assert table.view.ledger.outcome is not None
    for each in (*phones.values(), host):
        expect(each.page.get_by_role("link", name="See the whole game")).to_be_visible()


def whole_game(game: Game, terms: Terms) -> list[Event]:
    """A game to its end: the first of a row of random ones that ends soon enough."""
    for seed in range(200):
        choose, state, events = Random(seed), game.set_up(terms), []
        for _ in range(1500):
            due, moves = game.due(state), game.legal_moves(state)
            if not due:
                return events
            rolls = [d for d in due if d.what == "roll"]
            event: Event
            if rolls and (not moves or choose.random() < 0.5):
                event = Roll(rolls[0].seat, tuple(choose.randint(1, 6) for _ in rolls[0].dice))
            else:
                event = choose.choice(moves)
            events.append(event)
            state = judge(game, state, event).state
    raise AssertionError("no random game came to its end")


def do(page: Page, event: Event) -> None:
    """As a player does it: dice typed as they lie, a piece and its target tapped, anything else by its button."""
    if isinstance(event, Roll):
        summary = page.locator("summary", has_text="I rolled real dice")
        if not page.locator("#roll details[open]").count():
            summary.tap()
        for face in event.dice:
            page.locator(f"#roll [data-face='{face}']").tap()
        return
    on_board = page.locator(f"[data-space='{event.start}'].can")
    button = f"[data-key={json.dumps(f'move {event.seat} {to_text(event)}')}]"
    expect(page.locator(f"#moves {button}")).to_have_count(1)
    if event.start and event.to and on_board.count() and page.locator(f"[data-space='{event.to}']").count():
        tap(page, event.start)
        tap(page, event.to)
        which = page.locator(f"#confirm {button}")
        if which.count():
            which.tap()
    else:
        page.locator(f"#moves details:has({button})").evaluate_all("(all) => all.forEach((d) => d.open = true)")
        page.locator(f"#moves {button}").tap()
    page.get_by_role("button", name="Do it").tap()


@pytest.mark.parametrize(
    ("name", "players"), [("royal_purple", 3), ("royal_game", 4), ("fighting_marines", 4), ("kop_the_kaiser", 6), ("siege", 2)]
)
def test_every_game_is_brought_to_its_end_by_as_many_phones(phone: MakePhone, server: Server, name: str, players: int) -> None:
    game = find_game(name)
    terms = game.terms(seats=players)
    events = whole_game(game, terms)
    begin(server, name, seats=list(terms.seats))
    table = server.room.table
    for event in events[:-LAST_BY_HAND]:
        assert table.ask(Do(Played(event))).result().status == "accepted"
    phones = {}
    for number, seat in enumerate(terms.seats):
        phones[seat] = phone().join(f"Guest {number}")
        phones[seat].page.get_by_role("button", name=": free").first.click()
        phones[seat].go("/play")
    for event in events[-LAST_BY_HAND:]:
        page, before = phones[event.seat].page, table.view.version
        page.wait_for_function("(version) => document.body.dataset.version == version", arg=str(before))
        do(page, event)
        page.wait_for_function("(version) => Number(document.body.dataset.version) > version", arg=before)
    assert table.view.ledger
    assert table.view.ledger.outcome
    for each in phones.values():
        expect(each.page.get_by_role("link", name="See the whole game")).to_be_visible()
