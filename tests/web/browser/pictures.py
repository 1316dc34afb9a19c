"""Pictures of every page at the size of a phone, a tablet and a TV, into pictures/.

`python -m tests.web.browser.pictures [part of a name]`. Look at each before calling a change of the pages done.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from companion.journal import Journal
from companion.table import Rolled, Start, Table
from tests.web.browser.conftest import CHROMIUM, NAME, PHONE, QUIET, TABLET, TV, begin
from web.server import Server

FOLDER = Path(__file__).parents[3] / "pictures"
SIZES = {"phone": PHONE, "tablet": TABLET, "tv": TV}


class Studio:
    def __init__(self, browser: Browser, server: Server, only: str) -> None:
        self.browser, self.server, self.only = browser, server, only

    def take(self, name: str, path: str, prepare: Callable[[Page], None] | None = None, sizes: str = "phone tablet tv",
             seat: str = "", host: bool = False, join: bool = True, whole: bool = False) -> None:  # fmt: skip
        """One picture for each size, in light and in dark."""
        if self.only and self.only not in name:
            return
        for size, dark in product(sizes.split(), (False, True)):
            width, height = SIZES[size]
            context = self.browser.new_context(
                viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
                is_mobile=size == "phone", has_touch=size == "phone", device_scale_factor=1, reduced_motion="reduce",
            )  # fmt: skip
            page = context.new_page()
            where = f"http://{'localhost' if size == 'tv' and not join else NAME}:{self.server.port}"
            page.goto(where + "/join")
            if join:
                self._come_in(page, seat, host)
            page.goto(where + path)
            page.wait_for_function(QUIET)
            if prepare:
                prepare(page)
                page.wait_for_function(QUIET)
            shade = "-dark" if dark else ""
            page.screenshot(path=FOLDER / f"{name}-{size}{shade}.png", full_page=whole)
            context.close()

    def _come_in(self, page: Page, seat: str, host: bool) -> None:
        access = self.server.room.access
        call = """([path, body]) => fetch(path,
          {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)})"""
        for other in access.guests():
            access.leave(other)
        if host:
            page.evaluate(call, ["/api/host", {"code": access.host_code, "name": "Grandmother"}])
        else:
            page.evaluate(call, ["/api/join", {"token": access.join_token, "name": "Ada"}])
        if seat:
            page.evaluate(call, ["/api/seat", {"seat": seat}])


def main(only: str = "") -> None:
    FOLDER.mkdir(exist_ok=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        table = stack.enter_context(Table(Journal.open(folder / "table.journal")))
        server = stack.enter_context(Server(table, "127.0.0.1", 0, names=(NAME,)))
        server.room.address = server.room.name = f"http://{NAME}:{server.port}"
        play = stack.enter_context(sync_playwright())
        args = ["--no-sandbox", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
        browser = play.chromium.launch(executable_path=CHROMIUM, args=args)
        shoot(Studio(browser, server, only), table)
        browser.close()


def shoot(studio: Studio, table: Table) -> None:
    take = studio.take
    take("home", "/", join=False)
    take("join", "/join#token", join=False)
    take("play-none", "/play")
    take("host-new", "/host", host=True, whole=True)
    take("dice-none", "/dice")
    for faces in ((4, 2), (6, 1), (3,), (5, 5), (2, 6)):
        table.ask(Rolled(faces)).result()
    take("dice", "/dice", whole=True)
    table.ask(Start({"game": "siege"})).result()
    take("play-agree", "/play", seat="attacker")
    begin(studio.server, "siege", 12)
    take("join-seat", "/join", whole=True)
    ledger = table.view.ledger
    assert ledger
    move = ledger.legal_moves()[0]
    due = ledger.due[0].seat
    take("play", "/play", seat=due)
    take("play-whole", "/play", seat=due, whole=True)

    def pick(page: Page) -> None:
        page.locator(f"[data-space='{move.start}'] polygon").click()

    def pick_target(page: Page) -> None:
        pick(page)
        page.locator(f"[data-space='{move.to}'] polygon").click()

    def pick_wrong(page: Page) -> None:
        pick(page)
        wrong = next(s for s in ledger.terms.board.spaces if s not in {m.to for m in ledger.legal_moves()} and s != move.start)
        page.locator(f"[data-space='{wrong}'] polygon").click()

    def arrange(page: Page) -> None:
        page.locator("#set, [data-key=arrange]").first.click()
        page.locator("#arrange [data-piece]").first.wait_for(state="attached")
        page.locator("#arrange [data-space].can polygon").first.click()


    take("play-picked", "/play", pick, seat=due)
    take("play-confirm", "/play", pick_target, seat=due)
    take("play-refused", "/play", pick_wrong, seat=due, whole=True)
    take("check", "/check", whole=True)
    take("check-purple", "/check?game=royal_purple")
    take("check-by-hand", "/check?game=siege", arrange, whole=True)
    take("check-was", "/check?was=4", whole=True)
    take("rulebook", "/rulebook?game=siege&q=castle")
    take("record", "/record", whole=True)
    take("host", "/host", host=True, whole=True)
    take("host-by-hand", "/host", arrange, host=True, whole=True)
    take("table", "/tv", sizes="tv", join=False)
    take("table", "/tv", sizes="tablet")
    for game, steps in (("kop_the_kaiser", 24), ("fighting_marines", 30), ("royal_game", 60), ("royal_purple", 40)):
        begin(studio.server, game, steps)
        assert table.view.ledger
        seat = next(iter(d.seat for d in table.view.ledger.due), "")
        take(f"play-{game}", "/play", seat=seat, whole=True)
        take(f"table-{game}", "/tv", sizes="tv", join=False)
    take("dice-game", "/dice", whole=True)
    take("record-dice", "/record", whole=True)


if __name__ == "__main__":
    main(*sys.argv[1:2])
