"""What a phone does apart from showing pages: it locks, speaks, trembles and prints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from companion.acts import Played
from companion.events import Roll
from companion.table import Do, Rolled
from tests.web.browser.conftest import PATIENCE, MakePhone, begin, play_on
from web.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
HIDDEN = """(hidden) => {
  Object.defineProperty(document, "hidden", {configurable: true, get: () => hidden});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
COUNTED = """
  window.spoken = []; window.trembled = 0;
  SpeechSynthesis.prototype.speak = (words) => window.spoken.push(words.text);
  Navigator.prototype.vibrate = () => { window.trembled += 1; return true; };
"""


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait for something on the server's side."""
    end = monotonic() + PATIENCE / 1000
    while not holds():
        assert monotonic() < end
        page.wait_for_timeout(20)


def test_a_locked_phone_lets_go_of_its_line_and_catches_up_when_it_is_back(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 4)
    ada = phone().join("Ada", "Attacker")
    page, hub = ada.go("/play"), server.room.hub
    ada.shows()
    until(page, lambda: len(hub.streams) == 1)
    page.evaluate(HIDDEN, True)
    until(page, lambda: not hub.streams)
    play_on(server.room.table, 3)
    assert page.evaluate("document.body.dataset.version") != str(server.room.table.view.version)
    page.evaluate(HIDDEN, False)
    ada.shows()
    assert len(hub.streams) == 1
    expect(page.get_by_text("Attacker: Ada (you)")).to_be_visible()


def test_a_phone_speaks_and_trembles_only_after_its_owner_tapped_the_switches(phone: MakePhone, server: Server) -> None:
    begin(server, "royal_game", seats=["red", "yellow"])
    ada = phone()
    ada.context.add_init_script(COUNTED)
    ada.join("Ada", "Yellow")
    page, table = ada.go("/play"), server.room.table
    ada.shows()
    table.ask(Rolled((4,), "red")).result()
    ada.shows()
    assert page.evaluate("[spoken.length, trembled]") == [0, 0]
    page.get_by_text("This phone: colours, type, speech").tap()
    page.get_by_label("Speak announcements on this phone").tap()
    page.get_by_label("Vibrate when it is my turn").tap()
    page.wait_for_function("() => spoken.length === 1 && trembled === 1")  # each shows at once that it works
    table.ask(Rolled((2,), "yellow")).result()  # red begins
    page.wait_for_function("() => spoken.length > 1")
    ledger = table.view.ledger
    assert ledger
    while (due := table.view.ledger.due[0]).seat == "red":  # type: ignore[union-attr]
        before = page.evaluate("trembled")
        assert table.view.ledger
        moves = table.view.ledger.legal_moves()
        event = Roll("red", (3,)) if due.what == "roll" else moves[0]
        table.ask(Do(Played(event))).result()
    page.wait_for_function("(before) => trembled > before", arg=before)  # now it is Yellow's turn


def test_the_record_is_printed_without_the_furniture_of_the_page(phone: MakePhone, server: Server, tmp_path: Path) -> None:
    begin(server, "siege", 12)
    page = phone(size=(1000, 1200)).join("Ada").go("/record")
    expect(page.locator("#log li")).to_have_count(12)
    page.wait_for_function("() => document.querySelector('#board svg')")
    page.emulate_media(media="print")
    for furniture in (".tabs", ".top", "#share button", "#forth"):
        expect(page.locator(furniture).first).to_be_hidden()
    expect(page.locator("#log li").last).to_be_visible()
    page.pdf(path=tmp_path / "record.pdf", format="A4")
    with pypdfium2.PdfDocument(tmp_path / "record.pdf") as printed:
        text = "\n".join(sheet.get_textpage().get_text_bounded() for sheet in printed)
        assert 1 <= len(printed) <= 4
    assert "12." in text
    assert "Siege" in text
    assert "Was that legal?" not in text
