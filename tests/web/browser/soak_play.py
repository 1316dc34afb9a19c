"""Soak: `python -m tests.web.browser.soak_play [part of a game's name]`. Every act of a whole game of each kind is tapped, on as many
phones as there are seats. Prints how many and how long; exits with 1 where a game does not come to its end."""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from companion.journal import Journal
from companion.table import Table
from tests.web.browser.conftest import CHROMIUM, NAME, PHONE, Phone
from tests.web.browser.whole_games import EVENINGS, Evening, play_by_tapping
from web.server import Server


def whole(browser: Browser, evening: Evening) -> tuple[int, float]:
    """Acts tapped, and seconds."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        table = stack.enter_context(Table(Journal.open(folder / "table.journal")))
        server = stack.enter_context(Server(table, "127.0.0.1", 0, names=(NAME,)))
        server.room.address = server.room.name = f"http://{NAME}:{server.port}"
        phones: list[Phone] = []

        def make() -> Phone:
            context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True)
            stack.callback(context.close)
            phones.append(Phone(context, server))
            return phones[-1]

        began = time.monotonic()
        tapped = play_by_tapping(make, server, evening)
        for each in phones:
            each.sound()
        return tapped, time.monotonic() - began


def main(only: str = "") -> int:
    with sync_playwright() as play:
        args = ["--no-sandbox", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
        browser = play.chromium.launch(executable_path=CHROMIUM, args=args)
        for evening in EVENINGS:
            if only not in evening.name:
                continue
            try:
                tapped, seconds = whole(browser, evening)
            except AssertionError as error:
                print(f"{evening.name}, {evening.variant}: {error}")
                return 1
            print(f"{evening.name}, {evening.variant}: {evening.players} phones tapped all {tapped} acts in {seconds:.0f} s", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
