"""An evening of each game, with everything that can go wrong in one; the shortest game whole, the others from a late position."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games import all_games
from tests.night.evening import NAME, PATIENCE, Evening

WHOLE = "siege"
OTHERS = tuple(name for name in all_games() if name != WHOLE)
LATE = 40  # events before an end that chance has found
expect.set_options(timeout=PATIENCE * 1000)
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.usefixtures("emulator")]

Phones = Callable[[Evening, str], Page]


@pytest.fixture
def phone(browser: Browser) -> Phones:
    """A phone in somebody's hand: it scans the code and looks at the game."""

    def come_in(evening: Evening, name: str) -> Page:
        page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(f"http://{NAME}:{evening.port}/join#{evening.token}")
        page.fill("#name", name)
        page.get_by_role("button", name="Come in").click()
        expect(page.locator("#me")).to_contain_text(name)
        page.goto(f"http://{NAME}:{evening.port}/play")
        return page

    return come_in


def shows_the_latest(page: Page, evening: Evening) -> None:
    """The page has whatever the table knew when we asked, or something newer."""
    version = evening.host.look()["version"]
    page.wait_for_function("(version) => Number(document.body.dataset.version) >= version", arg=version)


def test_a_whole_game_with_every_fault_on_the_way(tmp_path: Path, phone: Phones) -> None:
    with Evening(tmp_path, WHOLE) as evening:
        evening.begin()
        anna, ben = phone(evening, "Anna"), phone(evening, "Ben")
        expect(anna.locator("#live")).to_be_visible()
        expect(anna.locator("figcaption")).to_contain_text("Synthetic")
        while not evening.seen_moves():
            evening.another_if_over()
            evening.goes_on(1)
        for fault in (the_eye_dies, the_camera_goes, partial(a_phone_is_lost, ben), partial(take_over_a_seat, ben), the_service_dies):
            evening.another_if_over()
            fault(evening)
            evening.goes_on(2)
        evening.another_if_over()
        shows_the_latest(anna, evening)
        evening.play_to_the_end(600)
        expect(anna.locator("#turn")).to_contain_text(evening.host.look()["outcome"]["text"])
        evening.check_record()


def the_eye_dies(evening: Evening) -> None:
    evening.kill_eye()


def the_camera_goes(evening: Evening) -> None:
    evening.take_camera_away()
    evening.goes_on(1)  # tapped, since nobody sees it
    evening.bring_camera_back()


def a_phone_is_lost(page: Page, evening: Evening) -> None:
    page.context.set_offline(True)
    evening.goes_on(2)
    page.context.set_offline(False)
    shows_the_latest(page, evening)


def the_service_dies(evening: Evening) -> None:
    """Nothing that anybody was told is lost."""
    known = evening.export()["events"]
    evening.kill_service()
    evening.start_service()
    assert evening.export()["events"][: len(known)] == known
    evening.let_them_play()


def take_over_a_seat(page: Page, evening: Evening) -> None:
    """Sit down in the middle, make one move by tapping, give the seat back: the computer waits meanwhile."""
    page.get_by_role("button", name="Play Attacker").click()
    turn = "() => document.querySelector('#turn').textContent"
    evening.wait_for(lambda: evening.is_over or page.evaluate(turn).startswith("Your turn"))
    if evening.is_over:
        return
    before = evening.length
    page.locator("#moves summary").first.click()
    page.locator("#moves button").first.click()
    page.locator("#confirm button").first.click()
    evening.wait_for(lambda: evening.length > before)
    if not evening.is_over:
        page.get_by_role("button", name="Let the computer play Attacker").click()
        evening.wait_for(lambda: all(player["guest"] is None for player in evening.host.look()["players"]))


@pytest.mark.parametrize("game", OTHERS)
def test_a_late_evening_with_the_die_and_the_service_failing(tmp_path: Path, phone: Phones, game: str) -> None:
    with Evening(tmp_path, game) as evening:
        evening.wait_for(lambda: evening.die_is_ready)
        evening.begin(late=LATE)
        anna, ben = phone(evening, "Anna"), phone(evening, "Ben")
        evening.goes_on(3)
        for fault in (the_die_is_pulled_out, the_eye_dies, the_service_dies):
            evening.another_if_over()
            fault(evening)
            evening.goes_on(2)
            for page in (anna, ben):
                shows_the_latest(page, evening)
        evening.wait_for(lambda: evening.die_is_ready)
        while not evening.has_rolled:
            evening.another_if_over()
            evening.goes_on(1)
        if not evening.is_over:
            evening.end_by_host()
        evening.check_record()


def the_die_is_pulled_out(evening: Evening) -> None:
    evening.unplug_die()
    evening.goes_on(2)  # the companion throws instead
    evening.plug_die()
