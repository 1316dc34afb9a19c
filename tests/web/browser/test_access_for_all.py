"""The pages for everybody: by keyboard alone, by ear, in light and dark, on an old phone."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect

from companion.events import Roll
from companion.games import find_game
from companion.notation import to_text
from companion.table import Rolled
from tests.web.browser.conftest import MOVED_ON, MakePhone, Phone, begin
from tests.web.browser.whole_games import random_game
from web.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
PAGES = ("/", "/join", "/play", "/check", "/rulebook?game=siege", "/dice", "/host", "/record", "/tv", "/map", "/guide", "/guide/https")
AXE = Path(__file__).parents[3] / "build" / "axe"
NAMELESS = """() => [...document.querySelectorAll("button, a, input, select, textarea, summary, [role=button]")]
  .filter((e) => e.checkVisibility() && !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length))
  .map((e) => e.outerHTML)"""

AGAIN = """async ([url, method, body]) =>
  (await fetch(url, {method, body, headers: {"Content-Type": "application/json"}})).text()"""


def test_a_whole_game_is_played_by_keyboard_alone(phone: MakePhone, server: Server) -> None:
    """Kop the Kaiser, on one keyboard for both seats: dice typed, counters moved on the board and by their buttons, to the end."""
    game = find_game("kop_the_kaiser")
    terms = game.terms(seats=2)
    events = random_game(game, terms, 1835)
    begin(server, game.name, seats=list(terms.seats))
    host = phone(size=(1280, 900)).become_host()
    page, table = host.go("/play"), server.room.table
    for number, event in enumerate(events[:60]):
        host.shows()
        before = table.view.version
        if isinstance(event, Roll):
            type_dice(page, event)
        elif number % 2 or not event.to:
            walk_to(page, f"#moves [data-key={json.dumps(f'move {event.seat} {to_text(event)}')}]")
            page.keyboard.press("Enter")
            confirm(page)
        else:
            walk_to(page, f"#board [data-space='{event.start}'].can")
            page.keyboard.press("Enter")
            walk_to(page, f"#board [data-space='{event.to}'].can")
            page.keyboard.press("Enter")
            confirm(page)
        page.wait_for_function(MOVED_ON, arg=before)
    assert table.view.ledger
    assert table.view.ledger.outcome
    expect(page.get_by_role("link", name="See the whole game")).to_be_visible()


def type_dice(page: Page, roll: Roll) -> None:
    if not page.locator("#roll details[open]").count():
        walk_to(page, "#roll summary")
        page.keyboard.press("Enter")
    for face in roll.dice:
        walk_to(page, f"#roll [data-face='{face}']")
        page.keyboard.press("Enter")


def confirm(page: Page) -> None:
    expect(page.get_by_role("button", name="Do it")).to_be_focused()
    page.keyboard.press("Enter")


def open_everything(phone: Phone) -> Page:
    """The page with all that folds unfolded, and the pieces ready to be set by hand where it has them."""
    page = phone.rests()
    for summary in page.locator("main details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()
    by_hand = page.locator("#set, [data-key=arrange]")
    if by_hand.count() and by_hand.first.is_visible():
        by_hand.first.click()
        expect(page.locator("#arrange [data-piece]").first).to_be_attached()
        page.locator("#arrange [data-space].can").first.press("Enter")  # one is chosen
        expect(page.locator(".arrange-picked")).to_be_visible()
    return phone.rests()


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
        fetched = subprocess.run(fetch, capture_output=True, text=True)
        if fetched.returncode:
            pytest.skip(f"not a full pass: axe-core could not be fetched ({fetched.stderr.strip().splitlines()[-1:]})")
    return script.read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(phone: MakePhone, server: Server, axe: str, scheme: str) -> None:
    begin(server, "siege", 5)
    server.room.table.ask(Rolled((3, 4))).result()
    host = phone(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce").become_host()
    found = []
    for path in PAGES:
        host.go(path)
        page = open_everything(host)
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
        host.go(path)
        page = open_everything(host)
        assert page.evaluate(NAMELESS) == [], path


def test_no_page_weighs_more_than_100_kb(phone: MakePhone, server: Server) -> None:
    begin(server, "fighting_marines", 20)
    host = phone().become_host()
    for path in PAGES:
        asked: dict[str, tuple[str, str | None]] = {}

        def note(request: Request, asked: dict[str, tuple[str, str | None]] = asked) -> None:
            asked[request.url] = (request.method, request.post_data)

        host.page.on("request", note)
        host.go(path)
        page = host.rests()
        host.page.remove_listener("request", note)
        questions = [(url, *how) for url, how in asked.items() if not url.endswith("/events")]
        weights = {url: len(gzip.compress(page.evaluate(AGAIN, [url, how, body]).encode())) for url, how, body in questions}
        assert len(weights) > 2
        assert sum(weights.values()) < 100_000, (path, weights)
