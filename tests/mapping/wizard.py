"""The wizard in a browser, used by a host who has the old board before him: he drags, types and taps; what the wizard has right he leaves.

A handle is dragged to within a thumb's usual error; the wizard moves it onto what is seen."""

from __future__ import annotations

from math import hypot
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from companion.games import find_game
from companion.mapping.palette import Palette, palette_of
from tests.mapping.host import THUMB, Name, pairs, thumb, true_names, true_shape
from tests.mapping.old_boards import Old
from tests.web.browser.conftest import Phone

WORKS = "() => !document.body.ariaBusy"
TAP = 2.5  # pixels of the screen by which a finger taps beside the middle of a space or circle
PICTURE = 0.002  # of the picture: a corner this near is left alone
LINE = 0.0015  # of the board


class Wizard:
    def __init__(self, phone: Phone, one: Old) -> None:
        self.phone, self.page, self.one = phone, phone.page, one
        self.chance = Random(one.name)
        self.taps = 0

    # --- hands ---

    def settled(self) -> Page:
        self.page.wait_for_function(WORKS)
        return self.phone.rests()

    def draft(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate("async () => (await fetch('/api/map/draft/' + location.hash.slice(1))).json()")
        return found

    def press(self, name: str) -> None:
        self.taps += 1
        self.page.get_by_role("button", name=name, exact=True).click()
        self.settled()

    def drag(self, grip: int, to: list[float]) -> None:
        """To a place of the sheet, as parts of it."""
        self.taps += 1
        sheet, dot = self.page.locator(".sheet > svg"), self.page.locator(f".sheet [data-grip='{grip}']")
        dot.scroll_into_view_if_needed()
        self.page.evaluate("y => window.scrollTo(0, y)", self.page.evaluate("() => document.querySelector('.sheet').offsetTop - 40"))
        box, place = sheet.bounding_box(), dot.bounding_box()
        assert box
        assert place
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + to[0] * box["width"], box["y"] + to[1] * box["height"], steps=4)
        self.page.mouse.up()
        self.settled()

    def tap(self, at: list[float]) -> None:
        self.taps += 1
        self.page.evaluate("y => window.scrollTo(0, y)", self.page.evaluate("() => document.querySelector('.sheet').offsetTop - 40"))
        box = self.page.locator(".sheet > svg").bounding_box()
        assert box
        self.page.mouse.click(box["x"] + at[0] * box["width"], box["y"] + at[1] * box["height"])
        self.settled()

    def count(self, label: str, value: float) -> None:
        field = self.page.get_by_label(label, exact=True)
        if abs(float(field.input_value()) - value) > 1e-6:
            self.taps += 1
            field.fill(f"{value:g}")
            field.press("Enter")
            field.blur()
            self.settled()

    # --- the steps ---

    def begin(self) -> None:
        self.phone.go("/map")
        self.page.locator("#map-game").select_option(self.one.game)
        self.press("Map a board")

    def photograph(self, jpeg: bytes) -> None:
        self.page.locator("#upload").set_input_files({"name": "board.jpg", "mimeType": "image/jpeg", "buffer": jpeg})
        expect(self.page.locator("#wide")).to_be_visible()
        self.settled()

    def corners(self, true: list[list[float]]) -> float:
        """How far the suggested ones were off at worst, as a part of the picture."""
        seen = self.draft()["corners"] or [[9.0, 9.0]] * 4
        worst = max(hypot(a[0] - b[0], a[1] - b[1]) for a, b in zip(seen, true, strict=True))
        for number, (was, wanted) in enumerate(zip(seen, true, strict=True)):
            if hypot(was[0] - wanted[0], was[1] - wanted[1]) > PICTURE:
                self.drag(number, thumb([wanted], self.chance)[0])
        wide, high = self.one.board.size_mm
        self.page.locator("#wide").fill(f"{wide:g}")
        self.page.locator("#high").fill(f"{high:g}")
        self.press("These are corners and size")
        expect(self.page.locator("#kind")).to_be_visible()
        return worst

    def lines(self) -> bool:
        """Whether the suggested lines needed no other number."""
        true, was = true_shape(self.one), self.draft()["shape"]
        return bool({"grid": self._grid, "ring": self._ring, "path": self._path, "cross": self._cross}[true["kind"]](true, was))

    def _grid(self, true: dict[str, Any], was: dict[str, Any]) -> bool:
        right = self._ends(true, was, "Columns", "Rows")
        if true["extra"]:
            self.press("Squares beside the grid, or none")
            have = [tuple(cell) for cell in self.draft()["shape"]["extra"]]
            wide, high = true["columns"][1] - true["columns"][0], true["rows"][1] - true["rows"][0]
            for column, row in true["extra"]:
                if (column, row) not in have:
                    self.tap([true["columns"][0] + (column - 0.5) * wide, true["rows"][-1] - (row - 0.5) * high])
            self.press("Move the lines")
        return right

    def _cross(self, true: dict[str, Any], was: dict[str, Any]) -> bool:
        right = was["arm"] == true["arm"]
        self.count("Spaces along an arm", true["arm"])
        right &= self._ends(true, was)
        self._discs(true)
        return right

    def _ends(self, true: dict[str, Any], was: dict[str, Any], *counted: str) -> bool:
        """Numbers first, then the two corners of the squares where they are not right."""
        for label, lines in zip(counted, ("columns", "rows"), strict=False):
            self.count(label, len(true[lines]) - 1)
        right = all(len(true[lines]) == len(was[lines]) for lines in ("columns", "rows"))
        for _ in range(2):
            now = self.draft()["shape"]
            for grip, end in ((0, 0), (1, -1)):
                wanted = [true["columns"][end], true["rows"][end]]
                if max(abs(now["columns"][end] - wanted[0]), abs(now["rows"][end] - wanted[1])) > 4 * LINE:
                    self.drag(grip, thumb([wanted], self.chance, THUMB / 2)[0])
                    right = False
        return right

    def _ring(self, true: dict[str, Any], was: dict[str, Any]) -> bool:
        right = was["count"] == true["count"]
        self.count("Spaces round the ring", true["count"])
        self.count("The arrow points at", true["arrow"])
        step = 360 / true["count"]
        turned = (was["first"] - true["first"] + step / 2) % step - step / 2  # which of the spaces is the first is printed on it
        right &= abs(turned) < step / 10
        self.count("Space 1 begins at (degrees)", round(true["first"] + (turned if abs(turned) < step / 10 else 0), 2))
        labels = ("Ring: outer edge", "Ring: inner edge", "Platform: outer edge", "Platform: inner edge")
        for label, radius, seen in zip(labels, true["radii"], was["radii"], strict=True):
            if abs(radius - seen) > 2 * LINE:
                self.count(f"{label} (% of the width)", round(1000 * radius) * 2 / 10)
                right = False
        self._discs(true)
        return right

    def _discs(self, true: dict[str, Any]) -> None:
        self.press("Circles: tap each")
        for disc in true["discs"]:
            self.tap(thumb([disc["at"]], self.chance, TAP)[0])
        self.press("Move the lines")

    def _path(self, true: dict[str, Any], was: dict[str, Any]) -> bool:
        self.page.locator("#repeat").select_option("6")
        self.settled()
        for number, part in enumerate(true["parts"]):
            if "corners" in part:
                self.press(f"+ strip: {part['mark']}")
                self.count("Spaces in this strip", part["count"])
                for _ in range(2):  # where a corner was moved onto a wrong line, once more
                    for grip in range(4):
                        now = self.draft()["shape"]["parts"][number]["corners"][grip]
                        if hypot(now[0] - part["corners"][grip][0], now[1] - part["corners"][grip][1]) > 3 * LINE:
                            self.drag(grip, thumb([part["corners"][grip]], self.chance, THUMB / 2)[0])
            else:
                self.press(f"+ circle: {part['mark']}")
                self.drag(0, thumb([part["at"]], self.chance)[0])
        return True

    def names(self, again: bool = False) -> tuple[int, int]:
        """How many marks that are told by colour were suggested right, and of how many; then all the names by hand."""
        if not again:
            self.press("The lines are right")
        expect(self.page.locator("#missing")).to_be_visible()
        palette = palette_of(find_game(self.one.game))
        draft = self.draft()
        here = self.mapped(draft)
        wanted = list(true_names(self.one, palette))
        marks = {space["id"]: [*space["marks"], *_by_place(palette, space["kinds"])] for space in draft["spaces"]}
        coloured = [name for name in wanted if palette.marks[name.mark].colour and not palette.marks[name.mark].link]
        right = sum(name.mark in marks[here[name.space]] for name in coloured)
        for name in sorted(wanted, key=lambda name: name.mark):
            sends = draft_links(draft, here[name.space])
            if name.mark not in marks[here[name.space]] or (name.to and here[name.to] not in sends):
                self._name(name, here)
        return right, len(coloured)

    def _name(self, name: Name, here: dict[str, str]) -> None:
        button = self.page.locator(f"[data-mark='{name.mark}']")
        if button.get_attribute("aria-pressed") != "true":
            button.click()
        for space in (name.space, name.to) if name.to else (name.space,):
            self.taps += 1
            self.page.locator(f".sheet [data-space='{here[space]}']").first.click()
            self.settled()

    def mapped(self, draft: dict[str, Any]) -> dict[str, str]:
        wide, high = self.one.board.size_mm
        return pairs(self.one.board, {s["id"]: [[x * wide, y * high] for x, y in s["outline"]] for s in draft["spaces"]})

    def save(self, title: str) -> str:
        self.page.locator("#stages button", has_text="Save").click()
        self.page.locator("#title").fill(title)
        self.press("Save the board")
        expect(self.page.locator("#saved")).to_be_visible()
        return str(self.draft()["saved"])


def draft_links(draft: dict[str, Any], space: str) -> set[str]:
    return {to for s in draft["spaces"] if s["id"] == space for to in s["links"].values()}


def _by_place(palette: Palette, kinds: list[str]) -> list[str]:
    """What a space is by its part of the board needs no mark."""
    return [mark.name for mark in palette.marks.values() if mark.adds and not mark.sets and {*mark.adds} <= {*kinds}]
