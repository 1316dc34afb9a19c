"""A real table, really served, and Chromium at phone size. The table is called table.test, for a browser grants localhost
what it does not grant a page of the local network."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.acts import Agreed, Played
from companion.events import Event, Move, Roll
from companion.journal import Journal
from companion.notation import to_text
from companion.table import Do, Start, Table
from web.server import Server

NAME = "table.test"
PHONE, TABLET, TV = (390, 844), (820, 1180), (1920, 1080)
UP_TO_DATE = """(version) => Number(document.body.dataset.version) >= version && !document.body.ariaBusy
  && (document.querySelector("#board").dataset.shows ?? "") === document.body.dataset.board"""
MOVED_ON = "(version) => Number(document.body.dataset.version) > version && !document.body.ariaBusy"
QUIET = """() => {
  const seen = performance.getEntriesByType("resource").length + document.body.innerHTML.length, now = performance.now();
  if (window.quiet?.seen !== seen) window.quiet = { seen, since: now };
  const line = document.querySelector("#line")?.textContent.trim();
  return document.readyState === "complete" && line !== "Not connected" && !document.body.ariaBusy && !window.fetching
    && now - window.quiet.since > 300;
}"""
# For every page: how many questions to the table wait for their answer.
COUNTED = """
  const ask = window.fetch;
  window.fetching = 0;
  window.fetch = (...how) => {
    window.fetching += 1;
    return ask(...how).finally(() => { window.fetching -= 1; });
  };
"""
PATIENCE = int(os.environ.get("PATIENCE", 30_000))  # milliseconds for whatever must come to be: a busy machine is slow, not wrong
expect.set_options(timeout=PATIENCE)
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's Chromium; it finds the table by its name."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed: apt-get install --no-install-recommends chromium")
    return {"executable_path": CHROMIUM, "args": ["--no-sandbox", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Table(Journal.open(tmp_path / "table.journal")) as table, Server(table, "127.0.0.1", 0, names=(NAME,)) as server:
        server.room.address = f"http://{NAME}:{server.port}"
        server.room.name = f"http://{NAME}:{server.port}"
        yield server


def begin(server: Server, game: str, steps: int = 0, **terms: Any) -> None:
    """A game at the table, agreed by everybody, some random moves played."""
    table = server.room.table
    table.ask(Start({"game": game, **terms}, instead=True)).result()
    assert table.view.ledger
    for seat in table.view.ledger.must_agree:
        table.ask(Do(Agreed(seat))).result()
    play_on(table, steps)


def play_on(table: Table, steps: int, seed: int = 3) -> None:
    """Random legal play."""
    choose = Random(seed)
    for _ in range(steps):
        ledger = table.view.ledger
        assert ledger
        rolls = [d for d in ledger.due if d.what == "roll"]
        moves = ledger.legal_moves()
        event: Event
        if rolls and (not moves or choose.random() < 0.5):
            event = Roll(rolls[0].seat, tuple(choose.randint(1, 6) for _ in rolls[0].dice))
        elif moves:
            event = choose.choice(moves)
        else:
            return
        table.ask(Do(Played(event))).result()


class Phone:
    """One person's browser."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.context = context
        self.server = server
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda message: self.faults.append(message.text) if message.type == "error" else None)

    def go(self, path: str) -> Page:
        self.page.goto(f"http://{NAME}:{self.server.port}{path}")
        return self.page

    def rests(self) -> Page:
        """Everything has been fetched and drawn, and the page waits for nothing."""
        self.page.wait_for_function(QUIET)
        return self.page

    def shows(self) -> Page:
        """The play page has caught up with the table, the picture of the board included, and waits for nothing."""
        self.page.wait_for_function(UP_TO_DATE, arg=self.server.room.table.view.version)
        return self.page

    def tap(self, space: str) -> None:
        self.page.locator(f'#board [data-space="{space}"] polygon').tap()

    def do(self, event: Event) -> None:
        """As a player does it: dice typed as they lie, a piece and its target tapped, anything else by its button."""
        page, before = self.shows(), self.server.room.table.view.version
        if isinstance(event, Roll):
            self._roll(event)
        else:
            self._move(event)
        page.wait_for_function(MOVED_ON, arg=before)

    def _roll(self, roll: Roll) -> None:
        if not self.page.locator("#roll details[open]").count():
            self.page.locator("summary", has_text="I rolled real dice").tap()
        for face in roll.dice:
            self.page.locator(f"#roll [data-face='{face}']").tap()

    def _move(self, move: Move) -> None:
        page, button = self.page, f"[data-key={json.dumps(f'move {move.seat} {to_text(move)}')}]"
        expect(page.locator(f"#moves {button}")).to_have_count(1)
        on_board = move.start and move.to and page.locator(f"#board [data-space='{move.start}'].can").count()
        if on_board and page.locator(f"#board [data-space='{move.to}']").count():
            self.tap(move.start)
            self.tap(move.to)
            expect(page.locator("#confirm button").first).to_be_visible()
            if page.locator(f"#confirm {button}").count():
                page.locator(f"#confirm {button}").tap()
        else:
            page.locator(f"#moves details:has({button})").evaluate_all("(all) => all.forEach((d) => d.open = true)")
            page.locator(f"#moves {button}").tap()
        page.get_by_role("button", name="Do it").tap()

    def join(self, name: str, seat: str = "") -> Phone:
        """As with the QR code: its address, a name, a seat."""
        page = self.go(f"/join#{self.server.room.access.join_token}")
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Come in").click()
        expect(page.get_by_text(f"You are {name}")).to_be_visible()
        if seat:
            page.get_by_role("button", name=f"{seat}: free").click()
            expect(page.get_by_role("button", name=f"{seat}: yours")).to_be_visible()
        return self

    def become_host(self) -> Phone:
        page = self.go("/join")
        page.get_by_text("I am the host").click()
        page.get_by_label("Host code").fill(self.server.room.access.host_code)
        page.get_by_role("button", name="Become host").click()
        expect(page.get_by_role("heading", name="Guests")).to_be_visible()
        return self

    def begin(self, game: str, players: int = 0) -> Phone:
        page = self.page if self.page.url.endswith("/host") else self.go("/host")
        page.locator("#new-game").select_option(game)
        if players:
            page.locator("#new-players").select_option(str(players))
        page.get_by_role("button", name="Begin").click()
        expect(page.locator("#board svg")).to_be_visible()
        return self

    def sound(self) -> None:
        """Nothing went wrong in the page. Chromium also writes down refusals of the server, which are answers, and a header
        that it heeds only under HTTPS."""
        harmless = ("Failed to load resource", "Cross-Origin-Opener-Policy header has been ignored")
        assert [fault for fault in self.faults if not any(text in fault for text in harmless)] == []


MakePhone = Callable[..., Phone]


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[MakePhone]:
    """Makes phones; each has its own cookies."""
    contexts: list[BrowserContext] = []
    phones: list[Phone] = []

    def make(size: tuple[int, int] = PHONE, **more: Any) -> Phone:
        is_phone = size == PHONE
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, has_touch=is_phone, is_mobile=is_phone, **more
        )
        context.add_init_script(COUNTED)
        contexts.append(context)
        phones.append(Phone(context, server))
        return phones[-1]

    yield make
    for each in phones:
        each.sound()
    for context in contexts:
        context.close()
