"""Pictures of the wizard that maps a board of one's own: every step, on one old board (synthetic) of each kind."""

from __future__ import annotations

import cv2
import numpy as np
from playwright.sync_api import Page

from companion.games import find_game
from companion.mapping.draft import Step, checked_step
from companion.mapping.palette import palette_of
from tests.mapping.host import steps_of
from tests.mapping.old_boards import Old, old, photograph
from tests.web.browser.studio import Studio
from vision.mapping import Draughtsman

KINDS = (("siege", 1), ("fighting_marines", 1), ("kop_the_kaiser", 0), ("royal_game", 1))
SMALL = "phone tablet"


def shoot_mapping(studio: Studio) -> None:
    studio.server.room.draughtsman = Draughtsman()
    studio.take("map-begin", "/map", host=True, sizes=SMALL)
    for game, number in KINDS:
        one = old(game, number)
        id, said = _photographed(studio, one)
        marks = [number for number, step in enumerate(said) if step["do"] in ("mark", "link")]
        for stage, steps in (("Corners", said[:2]), ("Lines", said[:3]), ("Names", said[: marks[len(marks) // 2]]), ("Save", said)):
            studio.server.room.boards.write_draft(id, game, steps)

            def at(page: Page, stage: str = stage) -> None:
                page.locator("#stages button", has_text=stage).click()

            studio.take(f"map-{game}-{stage.lower()}", f"/map#{id}", at, host=True, sizes=SMALL, whole=True)


def _photographed(studio: Studio, one: Old) -> tuple[str, list[Step]]:
    """A draft with a picture, and all that is to be said of it."""
    photo, boards = photograph(one), studio.server.room.boards
    jpeg, _, _ = Draughtsman().accept(bytes(cv2.imencode(".jpg", photo.frame, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]))
    id = boards.begin(one.game)
    boards.put_picture(id, "photo", jpeg)
    high, wide = photo.frame.shape[:2]
    corners = ((np.array(photo.truth.corners) + 0.5) / (wide, high)).tolist()
    palette = palette_of(find_game(one.game))
    return id, [checked_step({"do": "corners", "corners": corners}, palette), *steps_of(one)[1:]]
