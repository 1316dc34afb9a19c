"""Pieces set by hand, in a real browser: by tapping, by dragging with a finger or a mouse, and by keyboard."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.browser.conftest import MakePhone, begin
from tests.web.browser.test_access_for_all import walk_to
from web.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def space(page: Page, id: str) -> Locator:
    return page.locator(f"#arrange [data-space='{id}'] polygon")


def settled(page: Page, piece: str, id: str, there: int = 1) -> None:
    """The table has drawn that piece there (or not there any more)."""
    title = page.locator(f"#arrange [data-piece='{piece}'] title")
    expect(title.filter(has_text=f" on {id}")).to_have_count(there)


def layout(server: Server) -> Counter[tuple[str, str]]:
    ledger = server.room.table.view.ledger
    assert ledger
    return Counter((s.piece, s.space) for s in ledger.game.layout(ledger.state).standing)


def last_line(server: Server) -> str:
    ledger = server.room.table.view.ledger
    assert ledger
    return type(ledger.lines[-1].act).__name__


def drag_with_a_finger(page: Page, start: Locator, end: Locator | None) -> None:
    """Real touch events: down, a few moves, up. Without an end the finger goes beside the board."""
    start.scroll_into_view_if_needed()
    one, two = middle(start), middle(end) if end else None
    target = two or (page.viewport_size["width"] / 2, 90) if page.viewport_size else (0, 0)
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    send("touchStart", one)
    for part in (0.1, 0.4, 0.7, 1):
        send("touchMove", (one[0] + (target[0] - one[0]) * part, one[1] + (target[1] - one[1]) * part))
    send("touchEnd")
    touch.detach()


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# --- check a rule ---


def test_any_position_is_set_by_tapping_and_a_move_tried_in_it(phone: MakePhone) -> None:
    ada = phone().join("Ada")
    page = ada.go("/check?game=siege")
    page.get_by_role("button", name="Move the pieces").tap()
    space(page, "c0").tap()
    expect(page.locator(".arrange-hint")).to_contain_text("Knight: tap where it goes")
    space(page, "b3").tap()
    settled(page, "knight", "b3")
    expect(page.locator("#arrange [data-status=refused]")).to_contain_text("SG-06")  # the Commander is not placed
    page.locator("[data-tray=commander]").tap()
    space(page, "d6").tap()
    settled(page, "commander", "d6")
    expect(page.locator("#arrange [data-status=refused]")).to_have_count(0)
    space(page, "d5").tap()
    page.get_by_role("button", name="Take it off the board").tap()
    settled(page, "defender", "d5", there=0)
    expect(page.locator("[data-tray=defender]")).to_be_visible()
    page.get_by_role("button", name="Use this position").tap()
    expect(page.locator("#arrange")).to_be_hidden()
    ada.rests()
    page.locator("#board [data-space=b3] polygon").tap()
    page.locator("#board [data-space=b4] polygon").tap()
    page.get_by_role("button", name="May I do this?").tap()
    expect(page.locator("#verdict [data-status=refused] .rule").first).to_contain_text("SG-")
    page.locator("#board [data-space=b3] polygon").tap()
    page.locator("#board [data-space=c5] polygon").tap()
    page.get_by_role("button", name="May I do this?").tap()
    expect(page.locator("#verdict [data-status=accepted]")).to_be_visible()


def test_what_cannot_stand_is_said_at_once_and_can_be_put_right(phone: MakePhone) -> None:
    page = phone().join("Ada").go("/check?game=royal_game")
    page.get_by_role("button", name="Move the pieces").tap()
    red = page.locator("#arrange [data-space=red-start] polygon")
    red.tap()
    page.get_by_role("button", name="Take it off the board").tap()
    expect(page.locator("#arrange [data-status=refused]")).to_contain_text("missing")
    expect(page.get_by_role("button", name="Use this position")).to_be_disabled()
    page.locator("[data-tray=red-disc]").tap()
    space(page, "T05").tap()
    settled(page, "red-disc", "T05")
    expect(page.get_by_role("button", name="Use this position")).to_be_enabled()


def test_a_counter_is_turned_over_and_the_turn_is_chosen(phone: MakePhone) -> None:
    page = phone().join("Ada").go("/check?game=kop_the_kaiser")
    page.get_by_role("button", name="Move the pieces").tap()
    army = page.locator("#arrange [data-piece]").first
    name = army.get_attribute("data-piece")
    page.locator("#arrange [data-space].can").first.locator("polygon").tap()
    page.get_by_label("Or choose where it goes").select_option("S20")
    expect(page.locator("#arrange [data-piece] title").filter(has_text="on S20, advance")).to_have_count(1)
    space(page, "S20").tap()
    page.get_by_role("button", name="Turn it over").tap()
    expect(page.locator("#arrange [data-piece] title").filter(has_text="on S20, retreat")).to_have_count(1)
    turn = page.get_by_label("Whose turn it is")
    turn.select_option(index=1)
    chosen = turn.evaluate("(s) => s.options[1].text")
    expect(page.locator(".arrange-done")).to_contain_text(f"Then: {chosen}")
    page.get_by_role("button", name="Use this position").tap()
    expect(page.locator("#state")).to_contain_text(chosen)
    assert name


def test_the_platform_is_turned_in_the_check(phone: MakePhone) -> None:
    page = phone().join("Ada").go("/check?game=fighting_marines")
    page.get_by_role("button", name="Move the pieces").tap()
    page.get_by_label("The platform's arrow points at").fill("9")
    page.get_by_label("The platform's arrow points at").press("Enter")
    page.get_by_role("button", name="One more").tap()
    expect(page.get_by_label("The platform's arrow points at")).to_have_value("10")
    page.get_by_role("button", name="Use this position").tap()
    expect(page.locator("#arrange")).to_be_hidden()


def test_a_position_is_set_by_keyboard_alone(phone: MakePhone) -> None:
    page = phone(size=(1280, 900)).join("Ada").go("/check?game=siege")
    expect(page.get_by_role("button", name="Move the pieces")).to_be_visible()
    walk_to(page, "#set")
    page.keyboard.press("Enter")
    expect(page.locator("[data-tray=commander]")).to_be_visible()
    walk_to(page, "[data-tray=commander]")
    page.keyboard.press("Enter")
    expect(page.locator("#arrange [data-space=d6].can")).to_have_count(1)
    walk_to(page, "#arrange [data-space=d6]")
    page.keyboard.press("Enter")
    settled(page, "commander", "d6")
    expect(page.get_by_role("button", name="Use this position")).to_be_enabled()
    walk_to(page, "[data-key=use]")
    page.keyboard.press("Enter")
    expect(page.locator("#state")).to_contain_text("Attacker")


# --- the host ---


def test_the_host_corrects_the_position_by_dragging_with_a_finger(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 1)
    page = phone().become_host().page
    page.get_by_role("button", name="Put the position right").tap()
    expect(space(page, "c0")).to_be_visible()
    drag_with_a_finger(page, space(page, "c0"), space(page, "c3"))
    settled(page, "knight", "c3")
    drag_with_a_finger(page, space(page, "d0"), None)
    settled(page, "knight", "d0", there=0)
    page.get_by_label("Why, for the record").fill("a sleeve")
    page.get_by_role("button", name="This is how it stands").click()  # Chromium takes a tap right after a drag for a part of it
    expect(page.locator("#arrange")).to_be_hidden()
    assert layout(server)["knight", "c3"] == 1
    assert sum(count for (piece, _), count in layout(server).items() if piece == "knight") == 3
    assert last_line(server) == "Corrected"


def test_a_mouse_drags_a_marker_from_beside_the_board(phone: MakePhone, server: Server) -> None:
    begin(server, "royal_purple", 30)
    page = phone(size=(1280, 900)).become_host().page
    page.get_by_role("button", name="Put the position right").click()
    marker = page.locator("[data-tray=red-marker]")
    expect(marker).to_be_visible()
    free = next(id for id in ("f5", "g5", "f6", "g6", "h5") if not any(at == id for _, at in layout(server)))
    space(page, free).scroll_into_view_if_needed()
    marker.drag_to(space(page, free))
    settled(page, "red-marker", free)
    page.get_by_role("button", name="This is how it stands").click()
    expect(page.locator("#arrange")).to_be_hidden()
    assert layout(server)["red-marker", free] == 1


def test_the_host_lets_a_refused_move_stand_by_its_button(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 1)
    host = phone().become_host()
    host.go("/play")
    host.shows()
    host.tap("c0")
    host.tap("c3")
    expect(host.page.locator("#answer [data-status=refused]")).to_be_visible()
    host.page.get_by_role("link", name="Let it stand").tap()
    settled(host.page, "knight", "c3")
    host.page.get_by_role("button", name="This is how it stands").tap()
    expect(host.page.locator("#arrange")).to_be_hidden()
    assert layout(server)["knight", "c3"] == 1
    assert last_line(server) == "LetStand"
    ledger = server.room.table.view.ledger
    assert ledger
    assert [due.seat for due in ledger.due] == ["defender"]


def test_a_guest_sees_no_button_to_let_it_stand(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 1)
    ada = phone().join("Ada", "Attacker")
    ada.go("/play")
    ada.shows()
    ada.tap("c0")
    ada.tap("c3")
    expect(ada.page.locator("#answer [data-status=refused]")).to_be_visible()
    expect(ada.page.get_by_role("link", name="Let it stand")).to_have_count(0)


def test_an_address_with_nonsense_to_let_stand_does_nothing(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 1)
    host = phone().become_host()
    before = server.room.table.view.version
    for nonsense in ("%7B", "5", "%5B%5D", "%7B%22seat%22%3A%22%3Cimg%20src%3Dx%3E%22%7D"):
        page = host.go(f"/host?stand={nonsense}")
        expect(page.get_by_role("button", name="Put the position right")).to_be_visible()
        assert page.locator("img[src=x]").count() == 0
    assert server.room.table.view.version == before


def test_a_correction_of_what_has_changed_meanwhile_is_not_put_in_force(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 1)
    page = phone().become_host().page
    page.get_by_role("button", name="Put the position right").tap()
    space(page, "c0").tap()
    space(page, "c3").tap()
    settled(page, "knight", "c3")
    begin(server, "siege", 2)
    page.get_by_role("button", name="This is how it stands").tap()
    expect(page.locator("#answer [data-status=stale]")).to_be_visible()
    assert layout(server)["knight", "c3"] == 0


