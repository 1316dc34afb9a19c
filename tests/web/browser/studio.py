"""A browser that takes pictures of a page at the size of a phone, a tablet and a TV, in light and in dark."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.web.browser.conftest import COUNTED, NAME, PHONE, QUIET, TABLET, TV
from web.server import Server

FOLDER = Path(__file__).parents[3] / "pictures"
# In a picture of more or less than the screen, what sticks to the edges of the screen would stand in its middle.
UNROLLED = """() => {
  scrollTo(0, 0);
  document.querySelector(".skip").style.display = "none";
  for (const each of document.querySelectorAll(".top, .tabs, .confirm, .stay")) each.style.position = "static";
  document.body.style.paddingBottom = 0;
}"""
SIZES = {"phone": PHONE, "tablet": TABLET, "tv": TV}


class Studio:
    def __init__(self, browser: Browser, server: Server, only: str) -> None:
        self.browser, self.server, self.only = browser, server, only

    def take(self, name: str, path: str, prepare: Callable[[Page], None] | None = None, sizes: str = "phone tablet tv",
             seat: str = "", host: bool = False, join: bool = True, whole: bool = False, part: str = "") -> None:  # fmt: skip
        """One picture for each size, in light and in dark; of the screen, of the whole page, or of a part of it."""
        if self.only and not name.startswith(self.only):
            return
        for size, dark in product(sizes.split(), (False, True)):
            width, height = SIZES[size]
            context = self.browser.new_context(
                viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
                is_mobile=size == "phone", has_touch=size == "phone", device_scale_factor=1, reduced_motion="reduce",
            )  # fmt: skip
            context.add_init_script(COUNTED)
            page = context.new_page()
            where = f"http://{'localhost' if size == 'tv' and not join else NAME}:{self.server.port}"
            page.goto(where + "/join")
            if join:
                self._come_in(page, seat, host)
            page.goto("about:blank")  # so that an address which differs only after the # is opened anew
            page.goto(where + path)
            page.wait_for_function(QUIET)
            if prepare:
                prepare(page)
                page.wait_for_function(QUIET)
            shade = "-dark" if dark else ""
            if whole or part:
                page.evaluate(UNROLLED)
            if part:
                page.locator(part).screenshot(path=FOLDER / f"{name}-{size}{shade}.png")
            else:
                page.screenshot(path=FOLDER / f"{name}-{size}{shade}.png", full_page=whole)
            context.close()

    def _come_in(self, page: Page, seat: str, host: bool) -> None:
        access = self.server.room.access
        call = """([path, body]) => fetch(path,
          {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)})"""
        for other in access.guests():
            access.leave(other)
        if host:
            page.evaluate(call, ["/api/host", {"code": access.host_code, "name": "Grandmother"}])
        else:
            page.evaluate(call, ["/api/join", {"token": access.join_token, "name": "Ada"}])
        if seat:
            page.evaluate(call, ["/api/seat", {"seat": seat}])
