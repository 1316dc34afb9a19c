"""The camera's question on a phone: shown, answered by a tap, and gone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import MakePhone, begin
from tests.web.test_camera import FakeCamera, ask_which
from web.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def test_what_the_camera_asks_is_answered_by_a_tap(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 4)
    ada = phone().join("Ada", "Attacker")
    ben = phone().join("Ben", "Defender")
    pages = {"attacker": ada.go("/play"), "defender": ben.go("/play")}
    table = server.room.table
    seat = ask_which(table)
    assert table.view.observed
    before, choice = table.view.version, table.view.observed.choices[1].text
    for page in pages.values():
        expect(page.locator("#camera")).to_contain_text("Which was it?")
    pages[seat].locator("#camera").get_by_role("button", name=choice).click()
    for page in pages.values():
        expect(page.locator("#camera section")).to_have_count(0)
    assert table.view.version > before


def test_the_host_switches_the_camera_off(phone: MakePhone, server: Server) -> None:
    server.room.camera = FakeCamera()
    host = phone().become_host()
    host.page.get_by_role("button", name="The camera watches. Switch it off").click()
    expect(host.page.get_by_role("button", name="The camera is off. Switch it on")).to_be_visible()
    assert server.room.camera.is_on is False
