"""Boards of the house: files that strangers sent, what a file says, and how much of a disk they may take."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.board import BadBoard, board_to_json, load_board
from companion.draw import draw_svg
from companion.events import BadInput
from companion.games import all_games, find_game
from companion.mapping import store
from companion.mapping.palette import against_leaflet, palette_of
from companion.mapping.store import OwnBoards
from companion.printing.board import board_pdf
from tests.mapping.host import mapped
from tests.mapping.old_boards import all_old, old
from tests.printing.scan import texts


def small_picture(width: int = 500, height: int = 450) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((height, width, 3), 140, np.uint8))[1])


def shared(**changes: Any) -> bytes:
    """A good file with some of it changed."""
    data = board_to_json(mapped(old("siege", 1))) | {"picture": {"jpeg": base64.b64encode(small_picture()).decode()}}
    return json.dumps({key: value for key, value in (data | changes).items() if value is not ...}).encode()


@pytest.fixture
def boards(tmp_path: Path) -> OwnBoards:
    return OwnBoards(tmp_path / "boards")


@pytest.mark.parametrize("one", all_old(), ids=lambda one: one.name)
def test_every_old_board_becomes_a_file_that_validates_draws_prints_and_comes_back_the_same(one: Any, boards: OwnBoards) -> None:
    board = mapped(one)
    name = boards.keep(board, small_picture())
    kept, game = boards.board(name), find_game(one.game)
    assert kept
    file = boards.folder / f"{name}.json"
    assert load_board(file) == kept == game.board(kept)
    assert len(file.read_text("utf-8").splitlines()) > len(kept.spaces)  # a line a space: a person can read it
    assert draw_svg(kept, game.layout(game.set_up(game.terms(board=kept)))).count("<svg") == 1
    assert "".join(texts(board_pdf(kept, "A3")))
    assert boards.picture(name) == boards.picture_of(kept) == small_picture()
    assert boards.bring_in(boards.file(name) or b"") == name  # the same board again is not kept twice


HOSTILE = {
    "no JSON": (b"\x89PNG\r\n\x1a\n" + bytes(50), "this is not a board file"),
    "a list": (b"[]", "must hold one object"),
    "nothing": (b"{}", "game: must be a text"),
    "deep": (b'{"spaces": ' + b"[" * 100_000, "this is not a board file"),
    "not a number": (shared(size_mm=[float("nan"), 300]), "this is not a board file"),
    "endless": (shared(size_mm=[float("inf"), 300]), "this is not a board file"),
    "a large number": (shared(size_mm=[10**400, 300]), "size_mm: must be"),
    "too large": (b" " * (store.MOST_FILE + 1), "larger than 3 MB"),
    "too many spaces": (shared(spaces=[{"id": f"s{i}"} for i in range(2001)]), "at most 2000"),
    "spaces of another type": (shared(spaces={"a1": {}}), "spaces: must be a list"),
    "a path as id": (shared(spaces=[{"id": "../../etc/passwd"}]), "needs an id of letters"),
    "a script as title": (shared(title="x" * 121), "title: must be a text of 1 to 120"),
    "a title that is none": (shared(title=["a"]), "title: must be a text"),
    "a game from elsewhere": (shared(game="../siege"), "game"),
    "colours that are code": (shared(art={"green": "url(javascript:alert(1))"}), "art: must map kinds"),
    "notes without end": (shared(notes=["x" * 1001]), "notes: must be a list of short texts"),
    "a picture that is none": (shared(picture={"jpeg": base64.b64encode(b"%PDF-1.7 " + bytes(99)).decode()}), "its picture cannot be used"),
    "a picture that is a text": (shared(picture="http://example.org/x.jpg"), "its picture must be a small JPEG"),
    "a picture in no code": (shared(picture={"jpeg": "<>"}), "its picture cannot be used"),
    "a PNG": (
        shared(picture={"jpeg": base64.b64encode(bytes(cv2.imencode(".png", np.zeros((420, 420, 3), np.uint8))[1])).decode()}),
        "its picture must be a JPEG",
    ),
    "a picture larger than any": (shared(picture={"jpeg": "A" * 2_100_000}), "its picture must be a small JPEG"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_refused_with_the_reason_and_nothing_is_written(what: str, boards: OwnBoards) -> None:
    data, why = HOSTILE[what]
    with pytest.raises(BadInput, match=why):
        boards.bring_in(data)
    assert not list(boards.folder.glob("**/*"))


def bomb(width: int, height: int) -> bytes:
    """A small JPEG that says it is huge."""
    data = bytearray(small_picture())
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return bytes(data)


def test_a_picture_bomb_in_a_board_file_is_never_unpacked(boards: OwnBoards) -> None:
    coded = base64.b64encode(bomb(60_000, 60_000)).decode()
    assert len(coded) < 20_000
    with pytest.raises(BadBoard, match="megapixels are too many"):
        boards.bring_in(shared(picture={"jpeg": coded}))


def test_what_a_stranger_adds_is_not_kept_and_no_board_but_ours_is_the_leaflets(boards: OwnBoards) -> None:
    name = boards.bring_in(shared(standing="leaflet", evil={"a": 1}, name="../../../up", notes=["<script>alert(1)</script>"]))
    data = json.loads((boards.folder / f"{name}.json").read_text("utf-8"))
    assert data["standing"] == "own copy"
    assert {space["standing"] for space in data["spaces"]} == {"own copy"}
    assert "evil" not in data
    assert data["name"] == name
    assert [path.name for path in boards.folder.iterdir()] == [f"{name}.json"]


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".", "x" * 60, "A", "drafts/../x", "x.json"])
def test_no_name_leads_out_of_the_folder(name: str, boards: OwnBoards, tmp_path: Path) -> None:
    boards.folder.mkdir()
    (tmp_path / "x.json").write_bytes(shared())
    assert boards.board(name) is None
    assert boards.file(name) is None
    with pytest.raises(BadInput, match="is not here"):
        boards.delete(name)


@pytest.mark.parametrize("id", ["../boards", "..", "abcd", "ABCDEF12", "0123456g", ""])
def test_no_draft_leads_out_of_the_folder(id: str, boards: OwnBoards) -> None:
    for act in (boards.draft, boards.forget, lambda id: boards.get_picture(id, "photo")):
        with pytest.raises(BadInput, match="is not here"):
            act(id)


def test_titles_alike_get_names_of_their_own_and_never_one_of_the_games(boards: OwnBoards) -> None:
    board = mapped(old("siege", 1))
    names = [boards.keep(board) for _ in range(3)]
    assert len({*names, *find_game("siege").boards()}) == 3 + len(find_game("siege").boards())


def test_boards_and_drafts_are_bounded_on_disk(boards: OwnBoards, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_BOARDS", 2)
    monkeypatch.setattr(store, "MOST_DRAFTS", 2)
    board = mapped(old("siege", 1))
    names = [boards.keep(board) for _ in range(2)]
    with pytest.raises(BadInput, match="delete some first"):
        boards.keep(board)
    assert boards.keep(board, instead_of=names[0]) == names[0]  # a change is no new one
    ids = [boards.begin("siege") for _ in range(2)]
    (boards.folder / "drafts" / ids[0] / "draft.json").write_text("damaged", "utf-8")
    with pytest.raises(BadInput, match="finish or forget one first"):
        boards.begin("siege")
    boards.forget(ids[0])
    assert boards.begin("siege")
    with pytest.raises(BadInput, match="steps are enough"):
        boards.write_draft(ids[1], "siege", [{"do": "title", "title": "x"}] * 2001)
    with pytest.raises(BadInput, match="too much detail"):
        boards.put_picture(ids[1], "photo", bytes(store.MOST_PICTURE + 1))


def test_what_could_not_be_read_again_is_not_kept(boards: OwnBoards, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_FILE", 5_000)
    with pytest.raises(BadBoard, match="larger than"):
        boards.keep(mapped(old("siege", 1)))
    assert not list(boards.folder.glob("*"))


def test_a_damaged_board_is_left_alone_and_the_others_are_shown(boards: OwnBoards) -> None:
    name = boards.keep(mapped(old("siege", 1)))
    (boards.folder / "torn.json").write_bytes(shared()[:500])
    assert list(boards.all()) == [name]


def test_a_shared_file_holds_what_another_house_needs(boards: OwnBoards, tmp_path: Path) -> None:
    name = boards.keep(mapped(old("royal_game", 0)), small_picture())
    other = OwnBoards(tmp_path / "other")
    there = other.bring_in(boards.file(name) or b"")
    assert other.board(there) == boards.board(name)
    assert other.picture(there) == small_picture()


@pytest.mark.parametrize("name", list(all_games()))
def test_our_own_boards_say_what_the_leaflet_says(name: str) -> None:
    game = find_game(name)
    assert against_leaflet(game.board(), palette_of(game)) == []
