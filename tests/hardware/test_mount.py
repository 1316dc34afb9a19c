"""The camera's mount: at the height that is drawn, board and tags are in the picture, and large enough in it."""

from __future__ import annotations

import csv
import subprocess
import sys
from math import radians, tan
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.games import all_games
from companion.tags import tag_corners
from hardware.draw_mount import CAMERAS, HERE, LEAST_TAG_PIXELS, Mount, draw, largest_board

BOARDS = {game.name: game.board().size_mm for game in all_games().values()}


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("board", BOARDS)
def test_every_tag_is_in_the_picture_and_large_enough_to_be_read(board: str, camera: str) -> None:
    width, depth = BOARDS[board]
    mount = Mount((width, depth), CAMERAS[camera])
    wide, narrow = mount.camera.wide, mount.camera.narrow
    for corners in tag_corners((width, depth)).values():
        for x, y in corners:
            along, across = (x - width / 2, y - depth / 2) if width >= depth else (y - depth / 2, x - width / 2)
            assert abs(along) <= mount.height * tan(radians(wide / 2))
            assert abs(across) <= mount.height * tan(radians(narrow / 2))
    assert mount.tag_pixels >= LEAST_TAG_PIXELS


def test_the_drawing_in_the_folder_is_the_one_for_our_largest_board() -> None:
    text = (HERE / "mount" / "mount.svg").read_text("utf-8")
    assert text == draw(Mount(largest_board(), CAMERAS["module3"])), "run: python hardware/draw_mount.py"
    ElementTree.fromstring(text)


def test_a_drawing_for_ones_own_board_says_its_measures(tmp_path: Path) -> None:
    out = tmp_path / "mine.svg"
    words = ["hardware/draw_mount.py", "300x200", "--camera", "webcam", "--out", str(out)]
    answer = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=HERE.parent)
    mount = Mount((300, 200), CAMERAS["webcam"])
    assert answer.returncode == 0, answer.stderr
    assert str(mount.height) in answer.stdout
    assert f"{mount.height} lens above the table" in out.read_text("utf-8")


@pytest.mark.parametrize("given", ["wide", "10x10", "1x2x3"])
def test_a_wrong_size_gets_one_clear_line(given: str) -> None:
    answer = subprocess.run([sys.executable, "hardware/draw_mount.py", given], capture_output=True, text=True, cwd=HERE.parent)
    assert answer.returncode == 2
    assert "argument board" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_the_parts_list_has_what_camera_lamp_and_paper_need() -> None:
    with (HERE / "bom.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(None not in row and all(row[key] is not None for key in row) for row in rows)
    used = " ".join(row["where used"] for row in rows)
    assert all(part in used for part in ("camera", "camera mount", "light", "board, frame, pieces"))
