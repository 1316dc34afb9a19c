"""Pictures of the pages that show the camera: taught step by step, looking on, its position on Check, before and after a move, and the
demonstration. A real eye looks at rendered pictures (synthetic)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect

from companion.games import find_game
from companion.layout import Layout
from companion.news import Choice, Observed
from companion.table import Table
from companion.table_requests import Notice
from tests.web.browser.conftest import begin
from tests.web.browser.studio import Studio
from tests.web.browser.test_teaching import Table as Lying
from vision.at_table import CameraAtTable
from vision.pictures import Pictures, small_jpeg
from vision.process import EyeProcess
from vision.rendered import Conditions, Scene

SMALL = "phone tablet"
PATIENCE = 120_000  # milliseconds: a board that is not there is looked for long


@contextmanager
def watched(studio: Studio, table: Table, folder: Path) -> Iterator[tuple[Lying, CameraAtTable]]:
    lying = Lying(folder / "table.jpg")
    camera = CameraAtTable(table, pictures=Pictures(folder / "kept"))
    eye = EyeProcess("tests.web.table_eye:make", {"source": str(lying.file), "calibrations": str(folder / "calibrations")}, camera.hear)
    camera.eye, studio.server.room.camera = eye, camera
    table.subscribe(camera.follow)
    eye.start()
    camera.start()
    yield lying, camera
    camera.stop()
    eye.stop()
    studio.server.room.camera = None


def shoot_camera(studio: Studio, table: Table, folder: Path) -> None:
    with watched(studio, table, folder) as (lying, camera):
        begin(studio.server, "siege")
        _teaching(studio, lying)
        _watching(studio, lying)
        _disputes(studio, table, lying, camera)


def _teaching(studio: Studio, lying: Lying) -> None:
    other = Scene(find_game("royal_purple").terms().board, Conditions(), seed=3).draw(Layout(()), step_seed=2).frame

    def teach(page: Page) -> None:
        lying.lay()
        page.get_by_role("button", name="Teach it a board").click()
        expect(page.locator("#camera .live img")).to_be_visible()
        expect(page.get_by_role("button", name="The board is empty")).to_be_visible()
        page.locator("#camera").scroll_into_view_if_needed()

    def corners(page: Page) -> None:
        teach(page)
        lying.show(other)
        page.get_by_role("button", name="The board is empty").click()
        expect(page.get_by_role("button", name="The corners are right")).to_be_visible(timeout=PATIENCE)

    def pieces(page: Page) -> None:
        teach(page)
        page.get_by_role("button", name="The board is empty").click()
        expect(page.locator("#camera .live polygon")).to_have_count(len(lying.scene.board.spaces) + 1)

    def done(page: Page) -> None:
        pieces(page)
        lying.lay(lying.start)
        page.locator("summary", has_text="The start position").click()
        page.get_by_role("button", name="The start position: it stands there").click()
        expect(page.locator("#camera")).to_contain_text("Saved, and in use at once")

    for name, prepare in (("empty", teach), ("corners", corners), ("pieces", pieces), ("done", done)):
        studio.take(f"camera-teach-{name}", "/host", prepare, SMALL, host=True, part="#camera")


def _watching(studio: Studio, lying: Lying) -> None:
    """After the board was taught: it ticks off what stands, and shows what it thinks."""
    lying.lay(Layout(lying.start.standing[2:]))
    begin(studio.server, "siege")

    def look(page: Page) -> None:
        page.get_by_role("button", name="Look through it").click()
        expect(page.locator("#camera .live polygon").first).to_be_visible()

    def ticked(page: Page) -> None:
        expect(page.locator("#setup .wrong").first).to_be_visible()

    def sighting(page: Page) -> None:
        page.locator("#from").select_option("camera")
        expect(page.locator("#unsure p")).to_be_visible()

    studio.take("camera-set-up", "/host", ticked, host=True)
    studio.take("camera-set-up-play", "/play", seat="attacker", sizes=SMALL, whole=True)
    studio.take("camera-look", "/host", look, SMALL, host=True, part="#camera")
    lying.lay(lying.start)
    studio.take("camera-position", "/check?game=siege", sighting, host=True, whole=True)


def _disputes(studio: Studio, table: Table, lying: Lying, camera: CameraAtTable) -> None:
    """Pictures before and after a move, in the record, on Check, and in a question."""
    begin(studio.server, "siege", 6)
    ledger = table.view.ledger
    assert ledger
    assert camera.pictures
    before, after = lying.start, ledger.game.layout(ledger.state)
    shots = [small_jpeg(lying.scene.draw(each, step_seed=2).frame) for each in (before, after)]
    names = camera.pictures.keep(table.view.game, 1, *shots)
    number = ledger.lines[-1].number
    camera.pictures.note(table.view.game, number, names)
    studio.take("camera-dispute", f"/check?was={number}", seat="attacker", whole=True)
    studio.take("camera-record", "/record", sizes=SMALL, seat="attacker", whole=True)
    choices = (Choice("Knight to c2"), Choice("Knight to d2"), Choice("None of these."))
    asked = Observed("asked", "Which was it? I could not see it well.", choices, ("c2", "d2"), names)
    table.ask(Notice(asked)).result()
    studio.take("camera-asks", "/play", sizes=SMALL, seat=ledger.due[0].seat, whole=True)
    table.ask(Notice(None)).result()


class Players:
    """As in a demonstration."""

    on = False
    seats: tuple[str, ...] = ()

    def begin(self, name: str) -> str:
        return ""

    def join(self) -> None: ...

    def leave(self, end_game: bool = False) -> None: ...


def shoot_demonstration(studio: Studio, table: Table, folder: Path) -> None:
    room = studio.server.room
    room.demonstration = players = Players()
    studio.take("demonstration-offer", "/", whole=True)
    with watched(studio, table, folder) as (lying, _):
        begin(studio.server, "siege", 3)
        ledger = table.view.ledger
        assert ledger
        lying.lay(ledger.game.layout(ledger.state))
        players.on, players.seats = True, ledger.terms.seats
        studio.take("demonstration", "/play", lambda page: expect(page.locator("#live img")).to_be_visible(), whole=True)
    room.demonstration = None
