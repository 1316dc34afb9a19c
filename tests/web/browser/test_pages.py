"""Every page does its work, in a real browser at phone size."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.acts import Played
from companion.dice.events import DeviceChanged
from companion.events import Move
from companion.table import Abandon, Do, Rolled
from tests.web.browser.conftest import MOVED_ON, TV, MakePhone, begin, play_on
from web.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


# --- dice ---


def test_kop_the_kaiser_is_played_by_virtual_rolls(phone: MakePhone, server: Server) -> None:
    begin(server, "kop_the_kaiser", seats=2)
    table = server.room.table
    assert table.view.ledger
    names = dict(zip(table.view.ledger.terms.seats, ("Ada", "Ben"), strict=True))
    phones = {}
    for seat, name in names.items():
        phones[seat] = phone().join(name)
        phones[seat].page.get_by_role("button", name=": free").first.click()
        expect(phones[seat].page.get_by_role("button", name=": yours")).to_be_visible()
        phones[seat].go("/play")
    for _ in range(40):
        ledger = table.view.ledger
        assert ledger
        seat = ledger.due[0].seat
        page, before = phones[seat].shows(), table.view.version
        if ledger.due[0].what == "roll":
            page.get_by_role("button", name="Roll").tap()
        else:
            page.locator("#moves .choices button").first.tap()
            page.get_by_role("button", name="Do it").tap()
        page.wait_for_function(MOVED_ON, arg=before)
    assert table.view.ledger
    assert len(table.view.ledger.lines) >= 40
    expect(phones[seat].page.locator("#dice .die")).to_have_count(2)


def test_dice_that_were_really_rolled_are_typed(phone: MakePhone, server: Server) -> None:
    begin(server, "royal_game")
    page = phone().join("Ada", "Red").go("/play")
    page.get_by_text("I rolled real dice").click()
    page.get_by_role("button", name="The die shows 5").click()
    expect(page.get_by_text("Red rolled 5.").first).to_be_visible()


def test_the_announcer_throws_types_counts_and_shows(phone: MakePhone, server: Server) -> None:
    page = phone().join("Ada").go("/dice")
    expect(page.get_by_text("No roll yet.")).to_be_visible()
    page.get_by_label("How many dice").select_option("2")
    page.get_by_role("button", name="Throw 2 dice").click()
    expect(page.locator("#last .die")).to_have_count(2)
    expect(page.locator("#total")).to_contain_text("together")
    page.get_by_text("I rolled real dice").click()
    page.get_by_role("button", name="The die shows 6").click()
    page.get_by_role("button", name="The die shows 6").click()
    expect(page.locator("#total")).to_have_text("6 and 6: 12 together")
    expect(page.locator("#history li")).to_have_count(2)
    expect(page.get_by_text("Too few rolls to judge").first).to_be_visible()
    server.room.table.ask(Rolled((1,))).result()  # a die of the table itself
    expect(page.locator("#total")).to_have_text("1")


# --- the seat survives ---


def test_a_reload_in_mid_game_keeps_the_seat(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 5)
    page = phone().join("Ada", "Attacker").go("/play")
    expect(page.get_by_text("Attacker: Ada (you)")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Attacker: Ada (you)")).to_be_visible()
    expect(page.get_by_text("Your turn").first).to_be_visible()


def test_a_lost_connection_is_plainly_visible_and_caught_up_with(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 4)
    ada = phone().join("Ada", "Attacker")
    page = ada.go("/play")
    expect(page.locator("#line")).to_have_attribute("data-state", "on")
    ada.context.set_offline(True)
    expect(page.get_by_text("The connection to the table is lost.")).to_be_visible()
    play_on(server.room.table, 1)
    ada.context.set_offline(False)
    expect(page.get_by_text("The connection to the table is lost.")).to_be_hidden()
    ledger = server.room.table.view.ledger
    assert ledger
    expect(page.locator("#news li").first).to_contain_text(str(ledger.lines[-1].act.event.to))  # type: ignore[union-attr]


def test_who_is_not_paired_is_told_where_to_begin(phone: MakePhone) -> None:
    page = phone().go("/play")
    expect(page.get_by_text("This phone does not belong to the table yet.")).to_be_visible()
    expect(page.get_by_role("link", name="Join", exact=True)).to_be_visible()


def test_the_code_may_be_scanned_while_the_page_is_open_already(phone: MakePhone, server: Server) -> None:
    page = phone().go("/join")
    expect(page.get_by_label("Table's join code")).to_be_visible()
    page.goto(f"{page.url}#{server.room.access.join_token}")
    expect(page.get_by_label("Table's join code")).to_be_hidden()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Come in").tap()
    expect(page.get_by_text("You are Ada")).to_be_visible()
    assert "#" not in page.url


def test_whoever_comes_in_on_the_tables_own_screen_is_a_guest_at_once(phone: MakePhone, server: Server) -> None:
    page = phone().page
    page.goto(f"http://localhost:{server.port}/join#{server.room.access.join_token}")
    expect(page.get_by_text("Let another phone in")).to_be_visible()  # it looked on before
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Come in").tap()
    expect(page.get_by_text("You are Ada")).to_be_visible()
    expect(page.get_by_role("button", name="Come in")).to_be_hidden()


def test_a_guest_who_is_sent_away_hears_of_it(phone: MakePhone, server: Server) -> None:
    ada = phone().join("Ada")
    ada.go("/play")
    host = phone().become_host()
    expect(host.page.locator("b.name", has_text="Ada").filter(has_not_text="away")).to_be_visible()
    host.page.get_by_role("button", name="Send away (Ada)").dblclick()  # it asks once more, for five seconds
    expect(ada.page.locator("#banner")).to_contain_text("the host ended your visit")


# --- rules ---


def test_a_rule_is_checked_with_no_game(phone: MakePhone) -> None:
    ada = phone().join("Ada")
    page = ada.go("/check?game=siege")
    expect(page.locator("#board svg")).to_be_visible()
    ada.rests()
    page.locator("[data-space=d6] polygon").tap()
    page.get_by_role("button", name="May I do this?").click()
    expect(page.locator("#verdict [data-status=accepted]")).to_be_visible()
    ada.rests()
    page.locator("[data-space=c0] polygon").tap()
    page.locator("[data-space=c3] polygon").tap()
    page.get_by_role("button", name="May I do this?").click()
    expect(page.locator("#verdict [data-status=refused]")).to_be_visible()
    expect(page.locator("#verdict .rule").first).to_contain_text("SG-")
    page.locator("#verdict .rule a").first.click()
    expect(page.locator("dt:target")).to_be_visible()


def test_a_pasted_position_is_checked_and_nonsense_is_answered(phone: MakePhone) -> None:
    ada = phone().join("Ada")
    page = ada.go("/check?game=siege")
    expect(page.locator("#board svg")).to_be_visible()
    ada.rests()
    page.locator("#from").select_option("pasted")
    for nonsense, named in (("{", "not JSON"), ("[]", "must be an object"), ('{"knights": 5}', "missing"), ('{"game": "chess"}', "chess")):
        page.get_by_label("Position as JSON").fill(nonsense)
        page.get_by_role("button", name="Use this position").click()
        expect(page.locator("#verdict [data-status=refused]")).to_contain_text(named)
    position = {"to_move": "attacker", "knights": ["b3"], "defenders": ["d4"], "commander": "d6"}
    page.get_by_label("Position as JSON").fill(json.dumps(position))
    page.get_by_role("button", name="Use this position").click()
    expect(page.locator("#verdict [data-status=refused]")).to_have_count(0)
    ada.rests()
    page.locator("[data-space=b3] polygon").tap()
    page.locator("[data-space=c1] polygon").tap()
    page.get_by_role("button", name="May I do this?").click()
    expect(page.locator("#verdict .note")).to_be_visible()


def test_a_move_of_the_record_is_challenged(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 6)
    page = phone().join("Ada", "Attacker").go("/check")
    page.get_by_label("Number in the record").fill("3")
    page.get_by_role("button", name="Challenge it").click()
    expect(page.get_by_text("Number 3 was legal.")).to_be_visible()
    page.get_by_text("The board before and after").click()
    expect(page.locator("#verdict svg")).to_have_count(2)


def test_a_tap_on_what_is_not_legal_is_answered_with_the_rule(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 1)
    before = server.room.table.view.version
    ada = phone().join("Ada", "Attacker")
    page = ada.go("/play")
    ada.shows()
    ada.tap("c0")
    ada.tap("h6")
    expect(page.locator("#answer [data-status=refused] .rule").first).to_contain_text("SG-")
    assert server.room.table.view.version == before


def test_where_the_leaflet_is_silent_the_table_votes(phone: MakePhone, server: Server) -> None:
    begin(server, "royal_game", seats=2, readings={"first": "ask"})
    ledger = server.room.table.view.ledger
    assert ledger
    phones = []
    for name in ("Ada", "Ben"):
        phones.append(phone().join(name))
        phones[-1].page.get_by_role("button", name=": free").first.click()
        expect(phones[-1].page.get_by_role("button", name=": yours")).to_be_visible()
        phones[-1].go("/play")
    pages = [each.page for each in phones]
    pages[0].get_by_role("button", name="Roll").click()
    expect(pages[0].locator("#answer [data-status=silent]")).to_be_visible()
    pages[0].locator("#answer .choices button").first.click()
    expect(pages[1].get_by_role("heading", name="A vote")).to_be_visible()
    pages[1].locator("#ask .choices button").first.click()
    expect(pages[1].get_by_role("heading", name="A vote")).to_have_count(0)
    after = server.room.table.view.ledger
    assert after
    assert after.terms.readings["first"] == next(iter(ledger.game.rulebook.reading("first").values))
    before = server.room.table.view.version
    phones[0].shows()
    pages[0].get_by_role("button", name="Roll").click()
    pages[0].wait_for_function(MOVED_ON, arg=before)


def test_the_rulebook_finds_a_word(phone: MakePhone) -> None:
    page = phone().go("/rulebook?game=siege")
    page.get_by_label("Search").fill("castle")
    page.get_by_role("button", name="Look it up").click()
    expect(page.locator("mark").first).to_have_text("castle", ignore_case=True)
    page.get_by_label("Search").fill("zzz<b>")
    page.get_by_role("button", name="Look it up").click()
    expect(page.get_by_text("Nothing found.")).to_be_visible()


# --- host ---


def test_the_host_begins_pauses_and_takes_back(phone: MakePhone, server: Server) -> None:
    host = phone().become_host().begin("siege")
    for seat in ("Attacker", "Defender"):
        host.page.get_by_role("button", name=f"{seat} agrees").click()
        expect(host.page.get_by_role("button", name=f"{seat} agrees")).to_have_count(0)  # until then the page stands still
    expect(host.page.get_by_role("heading", name="2 legal moves")).to_be_visible()
    host.page.locator("#moves .choices button").first.click()
    host.page.get_by_role("button", name="Do it").click()
    expect(host.page.get_by_role("button", name="Take back")).to_be_visible()
    play_on(server.room.table, 4)
    page = host.go("/host")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("heading", name="Siege: paused")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="Siege", exact=True)).to_be_visible()
    page.get_by_text("Take back to any point").click()
    expect(page.locator("#running .log li")).to_have_count(5)
    page.get_by_role("button", name="Take back the last").click()
    expect(page.locator("#running .log li")).to_have_count(4)
    page.locator("#running .log button").last.dblclick()  # it asks once more
    expect(page.get_by_text("Nothing has happened yet.")).to_be_visible()
    ledger = server.room.table.view.ledger
    assert ledger
    assert ledger.lines == ()


def test_an_expert_puts_the_position_right_as_json(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 5)
    page = phone().become_host().page
    page.get_by_text("For experts: the position as JSON").click()
    page.get_by_role("button", name="Load the present position").click()
    box = page.get_by_label("Position as JSON")
    expect(box).not_to_have_value("")
    position = json.loads(box.input_value())
    position["knights"].pop()
    del position["seen"]  # what stood before does not count any more
    box.fill(json.dumps(position))
    page.get_by_role("button", name="Put this position in force").click()
    page.get_by_text("Take back to any point").click()
    expect(page.locator("#running .log li").first).to_contain_text("The host put the position right.")
    ledger = server.room.table.view.ledger
    assert ledger
    assert sorted(ledger.game.position(ledger.state)["knights"]) == sorted(position["knights"])


def test_the_host_sees_what_is_well_and_what_to_do(phone: MakePhone) -> None:
    host = phone().become_host()
    host.page.get_by_role("button", name="Examine everything").click()
    expect(host.page.locator("#findings dt").first).to_be_visible()


# --- record and table ---


def test_the_record_is_scrubbed(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 8)
    refused = Played(Move("attacker", "move", "knight", "c0", "c3"))
    assert server.room.table.ask(Do(refused)).result().status == "refused"
    page = phone().join("Ada").go("/record")
    expect(page.locator("#log .tried")).to_contain_text("Not legal")
    expect(page.locator("#log li:not(.tried)")).to_have_count(8)
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#at")).to_contain_text("7.")
    page.locator("#slider").fill("0")
    expect(page.locator("#at")).to_have_text("Before the first move")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as a file").click()
    assert json.loads(Path(download.value.path()).read_text())


def test_the_record_tells_the_evening_and_leads_to_each_of_its_games(phone: MakePhone, server: Server) -> None:
    begin(server, "kop_the_kaiser", 9)
    begin(server, "siege", 2)
    page = phone().join("Ada").go("/record")
    evening = page.locator("#evening")
    expect(evening.locator("li")).to_have_count(2)
    expect(evening.locator("li").first).to_contain_text("Ended early: another game was begun.")
    evening.get_by_text("Luck ledger of the evening").click()
    expect(evening.locator(".plot").first).to_be_visible()
    evening.get_by_role("button", name="1. Kop the Kaiser").click()
    expect(page.locator("#heading")).to_have_text("Kop the Kaiser")
    expect(page.locator("#log li")).to_have_count(9)


def test_the_table_view_shows_the_way_in_and_follows_the_game(phone: MakePhone, server: Server) -> None:
    tv = phone(size=TV)
    tv.page.goto(f"http://localhost:{server.port}/tv")
    expect(tv.page.get_by_text("Join with your phone")).to_be_visible()
    expect(tv.page.get_by_text("Host code")).to_be_visible()
    begin(server, "siege", 3)
    expect(tv.page.locator("#board svg")).to_be_visible()
    expect(tv.page.locator("#news li").first).to_be_visible()


def test_names_are_text_and_nothing_else(phone: MakePhone, server: Server) -> None:
    begin(server, "siege", 2)
    ada = phone().join("<img src=x onerror=1>", "Attacker")
    for path in ("/play", "/join", "/record", "/dice"):
        ada.go(path)
        ada.page.wait_for_selector("#line[data-state=on]")
        assert ada.page.locator("img[src=x]").count() == 0
    host = phone().become_host()
    expect(host.page.get_by_text("<img src=x onerror=1>").first).to_be_visible()


def test_texts_of_dice_files_and_boards_are_text_and_nothing_else(phone: MakePhone, server: Server) -> None:
    table, hostile = server.room.table, "<img src=x onerror=document.title='mine'>"
    begin(server, "siege", 2)
    table.ask(Abandon("supper")).result()
    document = table.journal.export(1) | {"uid": f"{1:032x}", "outcome": {"why": hostile, "winners": [], "text": hostile}}
    document["terms"] = document["terms"] | {"board": document["terms"]["board"] | {"title": hostile}}
    foreign = table.journal.import_game(document).game
    table.ask(DeviceChanged(hostile, "linked", hostile, port=hostile)).result()
    table.ask(Rolled((3, 4), source=hostile)).result()
    host = phone().become_host()
    seen = 0
    for path in ("/host", "/play", "/dice", "/record", f"/record?game={foreign}", f"/check?was=1&game_number={foreign}", f"/{hostile}"):
        page = host.go(path)
        host.rests()
        assert page.locator("img[src=x]").count() == 0
        assert page.title() != "mine"
        seen += page.locator("body").inner_text().count("<img src=x")
    assert seen >= 3  # they are shown, as what they are
