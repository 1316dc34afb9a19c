"""Pictures of every page at the size of a phone, a tablet and a TV, into pictures/.

`python -m tests.web.browser.pictures [how their names begin]`. Look at each before calling a change of the pages done.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from companion.journal import Journal
from companion.table import Rolled, Start, Table
from tests.web.browser.conftest import CHROMIUM, NAME, begin
from tests.web.browser.pictures_camera import shoot_camera, shoot_demonstration
from tests.web.browser.pictures_mapping import shoot_mapping
from tests.web.browser.studio import FOLDER, Studio
from web.server import Server


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
        studio = Studio(browser, server, only)
        if not only.startswith(("camera", "demonstration", "map")):
            shoot(studio, table)
        if not only or only.startswith("map"):
            shoot_mapping(studio)
        if not only or only.startswith("camera"):
            shoot_camera(studio, table, folder)
        if not only or only.startswith("demonstration"):
            shoot_demonstration(studio, table, folder)
        browser.close()


def shoot(studio: Studio, table: Table) -> None:
    take = studio.take
    take("home", "/", join=False)
    take("join", "/join#token", join=False)  # as from the QR code
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
    take("guide", "/guide/https", join=False)
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
