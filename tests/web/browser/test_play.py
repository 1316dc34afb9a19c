"""Whole games by tapping, in real browsers."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import MakePhone, Phone
from web.server import Server

pytestmark = pytest.mark.slow


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
    choose = random.Random(6)
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
