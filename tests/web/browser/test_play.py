"""Whole games by tapping, in real browsers."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import MakePhone, Phone
from tests.web.browser.whole_games import EVENINGS, Evening, play_by_tapping
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


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda e: f"{e.name}-{e.variant}-{e.players}")
def test_every_game_is_played_to_its_end_by_as_many_phones(phone: MakePhone, server: Server, evening: Evening) -> None:
    """The two long ones only from their last acts on; `tests.web.browser.soak_play` taps all of every one."""
    assert play_by_tapping(phone, server, evening, MOST_BY_HAND) >= LEAST_BY_HAND
