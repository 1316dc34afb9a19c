"""Fifteen old boards (synthetic), each photographed, mapped through the real wizard in Chromium, and played on to the end under the real eye.

    python -m tests.mapping.soak_own_boards [--only siege,…] [--minutes 20] [--pictures FOLDER]

Reports for each board: were the corners, lines and colours suggested right; taps and seconds of the wizard; how far outlines are off, as a
part of a space's width; was it found by its own picture; and of the game, steps right, asked, missed and wrong, illegal steps found, and
false alarms. `--minutes` ends a game that is not over by then, and says so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, Error, sync_playwright

from companion.board import Board
from companion.events import BadInput
from companion.journal import Journal
from companion.table import Table
from tests.mapping.host import CLOSE, outlines_off
from tests.mapping.old_boards import Old, all_old, photograph
from tests.mapping.refereed import own_stage
from tests.mapping.wizard import Wizard
from tests.vision.evenings_rendered import Shot, Stage, evening, referee
from tests.vision.score import Score
from tests.web.browser.conftest import CHROMIUM, NAME, PHONE, Phone
from vision.mapping import Draughtsman
from web.server import Server

MOST_STEPS = 3000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="how the names of boards begin, with commas")
    parser.add_argument("--minutes", type=float, default=20.0, help="after which a game is ended (default 20)")
    parser.add_argument("--pictures", default="", metavar="FOLDER", help="keep a screenshot of each step")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    score, failed = Score(), 0
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"])
        for one in all_old():
            if not given.only or one.name.startswith(tuple(given.only.split(","))):
                try:
                    board, picture = mapped_by_hand(browser, one, given.pictures)
                    played(one, board, picture, score, given.minutes)
                except (AssertionError, BadInput, Error) as error:
                    failed += 1
                    print(f"{one.name}: FAILED: {error!r}"[:500], flush=True)
        browser.close()
    print("synthetic: old boards that a script has drawn, on our own rendered table")
    print(score.table())
    print("\n".join(score.faults))
    sys.exit(bool(failed))


def mapped_by_hand(browser: Browser, one: Old, pictures: str = "") -> tuple[Board, bytes]:
    photo = photograph(one)
    high, wide = photo.frame.shape[:2]
    jpeg = bytes(cv2.imencode(".jpg", photo.frame, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        table = stack.enter_context(Table(Journal.open(folder / "table.journal")))
        server = stack.enter_context(Server(table, "127.0.0.1", 0, names=(NAME,)))
        server.room.address = server.room.name = f"http://{NAME}:{server.port}"
        server.room.draughtsman = Draughtsman()
        context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True)
        stack.callback(context.close)
        phone = Phone(context, server).become_host()
        hands = Wizard(phone, one)

        def shoot(step: str) -> None:
            if pictures:
                Path(pictures).mkdir(parents=True, exist_ok=True)
                phone.page.screenshot(path=f"{pictures}/{one.name}-{step}.png", full_page=True)

        began = time.monotonic()
        hands.begin()
        hands.photograph(jpeg)
        shoot("1-corners")
        corners = hands.corners(((np.array(photo.truth.corners) + 0.5) / (wide, high)).tolist())
        shoot("2-lines-suggested")
        lines = hands.lines()
        shoot("3-lines")
        right, of = hands.names()
        shoot("4-names")
        name = hands.save(f"Old {one.name.replace('_', ' ')}")
        shoot("5-saved")
        took = time.monotonic() - began
        phone.sound()
        board, picture = server.room.boards.board(name), server.room.boards.picture(name)
        assert board
        assert picture
    off = np.array(list(outlines_off(one.board, {s.id: s.outline for s in board.spaces.values()}).values()))
    print(
        f"{one.name}: corners suggested {100 * corners:.1f} % of the picture off; lines {'right' if lines else 'corrected'}; "
        f"colours right {right}/{of}; {hands.taps} taps, {took:.0f} s; outlines off: median {100 * np.median(off):.1f} %, "
        f"worst {100 * off.max():.1f} %, within {100 * CLOSE:g} %: {(off <= CLOSE).sum()}/{len(off)}",
        flush=True,
    )
    return board, picture


def played(one: Old, board: Board, picture: bytes, score: Score, minutes: float) -> None:
    at, mine = own_stage(one, board, picture), Score()
    shots = _Until(at, minutes)
    referee(at, iter(shots), mine)
    count = mine.total
    score.faults += [f"{one.name}: {fault}" for fault in mine.faults]
    for key, counts in mine.counts.items():
        score.counts[key].update(counts)
    over = shots.last.ledger.outcome if shots.last else None
    print(
        f"{one.name}: found by its own picture to {at.calibration.residual:.2f} px; {count['steps']} steps, {'to the end' if over else 'not over'}: "
        f"right {count['right']}, asked {count['asked']}, missed {count['missed']}, wrong {count['wrong']}; illegal {count['illegal']}, "
        f"found {count['illegal_found']}; false alarms {count['false_alarms']}",
        flush=True,
    )


class _Until:
    """The shots of an evening until the game or the time is over."""

    def __init__(self, at: Stage, minutes: float) -> None:
        self.at, self.ends, self.last = at, time.monotonic() + 60 * minutes, None

    last: Shot | None

    def __iter__(self) -> Iterator[Shot]:
        for shot in evening(self.at, MOST_STEPS):
            self.last = shot
            yield shot
            if time.monotonic() > self.ends:
                return


if __name__ == "__main__":
    main()
