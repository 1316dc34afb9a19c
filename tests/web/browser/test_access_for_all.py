"""The pages for everybody: by keyboard alone, by ear, in light and dark, on an old phone."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.table import Rolled
from tests.web.browser.conftest import MakePhone, begin
from web.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
PAGES = ("/", "/join", "/play", "/check", "/rulebook?game=siege", "/dice", "/host", "/record", "/tv")
AXE = Path(__file__).parents[3] / "build" / "axe"
NAMELESS = """() => [...document.querySelectorAll("button, a, input, select, textarea, summary, [role=button]")]
  .filter((e) => e.checkVisibility() && !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length))
  .map((e) => e.outerHTML)"""


def test_a_game_is_played_by_keyboard_alone(phone: MakePhone, server: Server) -> None:
    begin(server, "siege")
    host = phone(size=(1280, 900)).become_host()
    page = host.go("/play")
    table = server.room.table
    for turn in range(6):
        expect(page.locator("#moves button, #moves summary").first).to_be_visible()
        before = table.view.version
        target = "[data-space].can" if turn % 2 else "#moves button, #moves summary"
        walk_to(page, target)
        page.keyboard.press("Enter")
        if turn % 2:  # a piece on the board was chosen; its targets are controls as well
            walk_to(page, "[data-space].can[aria-label*='legal target']")
            page.keyboard.press("Enter")
        elif page.evaluate("document.activeElement.tagName") == "SUMMARY":
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Do it")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Do it")).to_have_count(0)
        assert table.view.version > before


def walk_to(page: Page, selector: str) -> None:
    """Tab until a control of this kind has the focus."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"no control {selector} is reached by Tab")


def test_announcements_reach_the_live_region(phone: MakePhone, server: Server) -> None:
    begin(server, "royal_game")
    page = phone().join("Ada").go("/play")
    page.wait_for_selector("#line[data-state=on]")
    server.room.table.ask(Rolled((4,), "red")).result()
    expect(page.locator("#said")).to_contain_text("rolled 4")


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core, fetched once by npm; it is a tool of the tests and no part of the product."""
    script = AXE / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("npm is not installed, which fetches axe-core")
        AXE.mkdir(parents=True, exist_ok=True)
        fetch = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(AXE), "axe-core@4"]
        subprocess.run(fetch, check=True, capture_output=True)
    return script.read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(phone: MakePhone, server: Server, axe: str, scheme: str) -> None:
    begin(server, "siege", 5)
    server.room.table.ask(Rolled((3, 4))).result()
    host = phone(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce").become_host()
    found = []
    for path in PAGES:
        page = host.go(path)
        page.wait_for_timeout(400)
        for summary in page.locator("main details:not([open]) > summary").all():
            if summary.is_visible():
                summary.click()
        page.evaluate(axe)
        result = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
        found += [
            f"{path}: {v['id']} ({v['impact']}): {n['target']} {n['failureSummary'][:200]}"
            for v in result["violations"] if v["impact"] in ("serious", "critical") for n in v["nodes"][:4]
        ]  # fmt: skip
    assert found == []


def test_every_control_has_a_name(phone: MakePhone, server: Server) -> None:
    begin(server, "royal_purple", 20)
    host = phone().become_host()
    for path in PAGES:
        page = host.go(path)
        page.wait_for_selector("#said", state="attached")
        page.wait_for_timeout(400)
        assert page.evaluate(NAMELESS) == [], path


def test_no_page_weighs_more_than_100_kb(phone: MakePhone, server: Server) -> None:
    begin(server, "fighting_marines", 20)
    host = phone().become_host()
    for path in PAGES:
        weights: dict[str, int] = {}

        def weigh(response: Any, weights: dict[str, int] = weights) -> None:
            if response.status == 200 and not response.url.endswith("/events"):
                weights[response.url] = len(gzip.compress(response.body()))

        host.page.on("response", weigh)
        host.go(path).wait_for_timeout(600)
        host.page.remove_listener("response", weigh)
        assert 0 < sum(weights.values()) < 100_000, (path, weights)
