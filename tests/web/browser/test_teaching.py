"""The host teaches the camera a board on the page, with a real eye that looks at rendered pictures (synthetic)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from companion.games import find_game
from companion.layout import Layout
from tests.web.browser.conftest import MakePhone, begin
from vision.at_table import CameraAtTable
from vision.process import EyeProcess
from vision.rendered import Conditions, Scene
from web.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


class Table:
    """What lies under the camera."""

    def __init__(self, file: Path) -> None:
        self.file, self.game = file, find_game("siege")
        self.scene = Scene(self.game.terms().board, Conditions(), seed=3)
        self.show(np.zeros((720, 1280, 3), np.uint8))

    def show(self, frame: object) -> None:
        part = self.file.with_name("part.jpg")
        cv2.imwrite(str(part), frame, [cv2.IMWRITE_JPEG_QUALITY, 95])  # type: ignore[call-overload]
        part.replace(self.file)

    def lay(self, layout: Layout | None = None) -> None:
        self.show(self.scene.draw(layout or Layout(()), step_seed=2).frame)

    @property
    def start(self) -> Layout:
        return self.game.layout(self.game.set_up(self.game.terms()))


@pytest.fixture
def lying(server: Server, tmp_path: Path) -> Iterator[Table]:
    lying = Table(tmp_path / "table.jpg")
    camera = CameraAtTable(server.room.table)
    settings = {"source": str(lying.file), "calibrations": str(tmp_path / "calibrations")}
    eye = EyeProcess("tests.web.table_eye:make", settings, camera.hear)
    camera.eye, server.room.camera = eye, camera
    server.room.table.subscribe(camera.follow)
    eye.start()
    camera.start()
    yield lying
    camera.stop()
    eye.stop()


def test_a_board_is_taught_on_the_page_and_at_once_the_camera_ticks_off_the_set_up(
    phone: MakePhone, server: Server, lying: Table
) -> None:
    begin(server, "siege")
    host = phone().become_host()
    page = host.go("/host")
    page.get_by_role("button", name="Teach it a board").tap()
    page.get_by_role("button", name="The board is empty").tap()
    expect(page.locator("#camera [role=alert]")).to_contain_text("black")
    lying.lay()
    page.get_by_role("button", name="The board is empty").tap()
    expect(page.locator("#camera .live polygon")).to_have_count(len(lying.scene.board.spaces) + 1)
    expect(page.locator("#camera .live img")).to_be_visible()
    lying.lay(lying.start)
    page.locator("summary", has_text="The start position").tap()
    page.get_by_role("button", name="The start position: it stands there").tap()
    expect(page.locator("#camera")).to_contain_text("Saved, and in use at once")
    expect(page.locator("#camera")).to_contain_text("lamp")
    expect(page.locator("#setup")).to_be_hidden()
    missing = lying.start.standing[0]
    begin(server, "siege")
    lying.lay(Layout(lying.start.standing[1:]))
    expect(page.locator("#setup .wrong")).to_contain_text(missing.space)
    lying.lay(lying.start)
    expect(page.locator("#setup")).to_be_hidden()
