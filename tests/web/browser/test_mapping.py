"""The wizard at phone size, by hands that have an old board (synthetic) before them: one board of each kind. All fifteen, and whole games on
them, are in `tests.mapping.soak_own_boards`."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.mapping.host import CLOSE, outlines_off
from tests.mapping.old_boards import old, photograph
from tests.mapping.wizard import Wizard
from tests.web.browser.conftest import MakePhone
from tests.web.browser.test_access_for_all import NAMELESS, axe
from vision.mapping import Draughtsman
from web.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
__all__ = ["axe"]


@pytest.mark.parametrize(("game", "number"), [("siege", 1), ("fighting_marines", 1), ("kop_the_kaiser", 0), ("royal_game", 1)])
def test_a_board_is_mapped_by_thumb_and_can_be_played_on(game: str, number: int, phone: MakePhone, server: Server, axe: str) -> None:
    server.room.draughtsman = Draughtsman()
    one = old(game, number)
    photo = photograph(one)
    high, wide = photo.frame.shape[:2]
    host = phone(bypass_csp=True, reduced_motion="reduce").become_host()
    hands = Wizard(host, one)
    hands.begin()
    hands.photograph(bytes(cv2.imencode(".jpg", photo.frame, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]))
    hands.corners(((np.array(photo.truth.corners) + 0.5) / (wide, high)).tolist())
    serious(hands, axe)
    hands.lines()
    right, coloured = hands.names()
    assert right >= 0.9 * coloured
    serious(hands, axe)
    hands.page.reload()  # and goes on where it was
    expect(hands.page.locator("#title")).to_be_visible()
    hands.press("Undo")
    expect(hands.page.locator("#stage")).to_be_visible()
    lost = hands.draft()["steps"]
    hands.page.reload()
    expect(hands.page.locator("#stage")).to_be_visible()
    assert hands.draft()["steps"] == lost
    hands.press("Names")
    hands.names(again=True)
    name = hands.save("Grandmother's board")
    board = server.room.boards.board(name)
    assert board
    off = list(outlines_off(one.board, {s.id: s.outline for s in board.spaces.values()}).values())
    assert sum(part <= CLOSE for part in off) >= 0.9 * len(off), sorted(off)[-8:]
    page = host.go("/host")
    page.locator("#new-game").select_option(game)
    page.locator("#new-board").select_option(name)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#board svg")).to_be_visible()
    ledger = server.room.table.view.ledger
    assert ledger
    assert ledger.terms.board == board


def serious(hands: Wizard, axe: str) -> None:
    page = hands.settled()
    assert page.evaluate(NAMELESS) == []
    page.evaluate(axe)
    result = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    assert [
        f"{v['id']}: {n['target']} {n['failureSummary'][:200]}" for v in result["violations"] if v["impact"] in ("serious", "critical")
        for n in v["nodes"][:4]
    ] == []  # fmt: skip


def test_the_wizard_by_keyboard(phone: MakePhone, server: Server) -> None:
    """Handles move by the arrow keys, spaces are named by Enter, and whoever is no host is told so."""
    server.room.draughtsman = Draughtsman()
    one = old("siege", 1)
    photo = photograph(one)
    host = phone(size=(1280, 900)).become_host()
    hands = Wizard(host, one)
    hands.begin()
    hands.photograph(bytes(cv2.imencode(".jpg", photo.frame)[1]))
    page = hands.settled()
    page.locator(".sheet [data-grip='0']").focus()
    for _ in range(2):  # the handle keeps the focus when it is drawn anew
        before = hands.draft()
        with page.expect_response("**/api/map/steps"):
            page.keyboard.press("ArrowRight")
        hands.settled()
        expect(page.locator(".sheet [data-grip='0']")).to_be_focused()
        assert hands.draft()["steps"] == before["steps"] + 1
    hands.press("Undo")
    hands.press("Undo")
    hands.corners(((np.array(photo.truth.corners) + 0.5) / (photo.frame.shape[1], photo.frame.shape[0])).tolist())
    hands.press("The lines are right")
    page.locator("[data-mark='crown']").focus()
    page.keyboard.press("Enter")
    hands.settled()
    page.locator(".sheet [data-space='c6']").focus()
    page.keyboard.press("Enter")
    hands.settled()
    assert "crown" in next(space["marks"] for space in hands.draft()["spaces"] if space["id"] == "c6")
    guest = phone().join("Anna")
    expect(guest.go("/map").get_by_text("Only the host maps boards.")).to_be_visible()
