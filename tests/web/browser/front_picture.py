"""The picture in README.md: a real page of a running game, on which somebody has just tried a move that is not legal.

    python -m tests.web.browser.front_picture
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from companion.journal import Journal
from companion.table import Table
from tests.web.browser.conftest import CHROMIUM, begin
from web.server import Server

OUT = Path(__file__).parents[3] / "web" / "page.png"
JOIN = """([token, seat]) => fetch("/api/join", {method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify({token: token, name: "Ada", seat: seat})}).then((answer) => answer.ok)"""


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    with Table(Journal.open(folder / "table.journal")) as table, Server(table, "127.0.0.1", 0) as server, sync_playwright() as play:
        begin(server, "siege", 12)
        ledger = table.view.ledger
        assert ledger
        legal = ledger.legal_moves()
        move = legal[0]
        wrong = next(space for space in ledger.terms.board.spaces if space not in {m.to for m in legal} | {move.start})
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 820, "height": 1040}, reduced_motion="reduce")
        page.goto(f"http://127.0.0.1:{server.port}/join")
        assert page.evaluate(JOIN, [server.room.access.join_token, ledger.due[0].seat])
        page.goto(f"http://127.0.0.1:{server.port}/play")
        page.locator(f"[data-space='{move.start}'] polygon").click()
        page.locator(f"[data-space='{wrong}'] polygon").click()
        page.locator("#answer").get_by_text("Not legal").wait_for()
        page.evaluate("window.scrollTo(0, 0)")
        page.screenshot(path=OUT)
        browser.close()
    shutil.rmtree(folder)
    print(f"Written to {OUT}.")


if __name__ == "__main__":
    main()
