"""The calls behind the wizard: only the host maps; every step can be taken back and gone on with; what is missing is said in words; games keep
the board that they were played on."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.board import board_to_json
from companion.games import all_games, find_game
from companion.ledger import open_ledger
from companion.mapping.draft import checked_step, said
from companion.mapping.palette import palette_of
from companion.mapping.store import OwnBoards
from tests.mapping.host import mapped, steps_of
from tests.mapping.old_boards import Old, old
from tests.web.phone import Phone
from web.server import Server

JPEG = bytes(cv2.imencode(".jpg", np.full((450, 500, 3), 140, np.uint8))[1])
WHOLE = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]


class Drawing:
    """Reads no picture, and suggests nothing."""

    def accept(self, data: bytes) -> tuple[bytes, list[list[float]], list[str]]:
        return data, WHOLE, ["A note."]

    def snapped(self, jpeg: bytes, corners: Any) -> Any:
        return corners

    def snapped_shape(self, flat: bytes, shape: Any, before: Any) -> Any:
        return shape

    def flat(self, jpeg: bytes, corners: Any, size_mm: Any) -> bytes:
        return jpeg

    def reference(self, flat: bytes) -> bytes:
        return flat

    def suggest(self, flat: bytes, kind: str, size_mm: Any) -> dict[str, Any]:
        return {}

    def colours(self, flat: bytes, outlines: Any, size_mm: Any) -> list[str]:
        return ["#808080" for _ in outlines]

    def sorted_by_colour(self, seen: Any, printed: Any) -> list[int]:
        return [0 for _ in seen]


@pytest.fixture
def mapper(server: Server, host: Phone) -> Phone:
    server.room.draughtsman = Drawing()
    return host


def begun(mapper: Phone, game: str) -> str:
    id = str(mapper.post("/api/map/new", game=game).json["draft"])
    assert mapper.post("/api/map/picture", draft=id, picture=base64.b64encode(JPEG).decode()).status == 200
    return id


def told(mapper: Phone, one: Old, but: Callable[[dict[str, Any]], bool] = lambda step: False) -> str:
    id = begun(mapper, one.game)
    steps = [step for step in steps_of(one) if not but(step)]
    for start in range(0, len(steps), 200):
        reply = mapper.post("/api/map/steps", draft=id, steps=steps[start : start + 200])
        assert reply.status == 200, reply
    return id


def saved(mapper: Phone, one: Old) -> tuple[str, str]:
    """Draft and name of a board that was mapped and kept."""
    id = told(mapper, one)
    reply = mapper.post("/api/map/save", draft=id, agreed=False).json
    assert reply["saved"], reply
    return id, str(reply["saved"])


def marks(one: Old, name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda step: step.get("mark") == name


# --- whose it is ---

CALLS = {
    "new": {"game": "siege"}, "forget": {"draft": "01234567"}, "picture": {"draft": "01234567"}, "steps": {"draft": "01234567", "steps": [{}]},
    "undo": {"draft": "01234567"}, "suggest": {"draft": "01234567", "what": "colours"}, "save": {"draft": "01234567"},
    "import": {"file": "{}"}, "delete": {"name": "x"},
}  # fmt: skip


def test_only_the_host_maps(server: Server, mapper: Phone, join: Callable[..., Phone], stranger: Phone) -> None:
    id, name = saved(mapper, old("siege", 1))
    looks = ("", f"/draft/{id}", f"/draft/{id}/photo.jpg", f"/draft/{id}/flat.jpg", f"/board/{name}.json")
    guest = join("Anna")
    before = sorted(server.room.boards.folder.rglob("*"))
    for phone, status in ((guest, 403), (stranger, 401)):
        assert {phone.get(f"/api/map{path}").status for path in looks} == {status}
        assert {phone.post(f"/api/map/{call}", **fields).status for call, fields in CALLS.items()} == {status}
    assert sorted(server.room.boards.folder.rglob("*")) == before
    assert {mapper.get(f"/api/map{path}").status for path in looks} == {200}


# --- step by step ---


@pytest.mark.parametrize("game", list(all_games()))
def test_every_step_can_be_taken_back_and_gone_on_with(game: str, mapper: Phone) -> None:
    one = old(game, 0)
    id = begun(mapper, game)
    views = [mapper.get(f"/api/map/draft/{id}").json]
    steps = steps_of(one)[1:12]
    for step in steps:
        views.append(mapper.post("/api/map/steps", draft=id, steps=[step]).json)
    for number in range(len(steps) - 1, -1, -1):
        back = mapper.post("/api/map/undo", draft=id).json
        assert {**back, "notes": []} == {**views[number], "notes": []}
        if number == 5:
            assert mapper.post("/api/map/steps", draft=id, steps=[steps[5]]).json == views[6]
            mapper.post("/api/map/undo", draft=id)


def test_a_draft_is_gone_on_with_after_the_box_was_switched_off(mapper: Phone, server: Server) -> None:
    id = told(mapper, old("royal_game", 0))
    again = OwnBoards(server.room.boards.folder)
    kept = again.draft(id)
    game = find_game("royal_game")
    spaces = said(kept["steps"], palette_of(game))
    assert kept["game"] == "royal_game"
    assert spaces == said(steps_of(old("royal_game", 0)), palette_of(game))
    assert again.get_picture(id, "photo") == JPEG
    assert [d["draft"] for d in mapper.get("/api/map").json["drafts"]] == [id]


def test_a_draft_with_a_damaged_step_keeps_the_others(mapper: Phone, server: Server) -> None:
    id = told(mapper, old("siege", 1))
    file = server.room.boards.folder / "drafts" / id / "draft.json"
    file.write_text(file.read_text("utf-8").replace('"crown"', '"throne"', 1), "utf-8")
    view = mapper.get(f"/api/map/draft/{id}").json
    assert view["missing"] == ["Siege needs 2 Crown squares, and this board has 1"]


def test_a_better_picture_keeps_what_was_said_of_the_board(mapper: Phone) -> None:
    id = told(mapper, old("siege", 1))
    before = mapper.get(f"/api/map/draft/{id}").json
    after = mapper.post("/api/map/picture", draft=id, picture=base64.b64encode(JPEG).decode()).json
    assert after["notes"] == ["A note."]
    assert (after["spaces"], after["shape"], after["missing"]) == (before["spaces"], before["shape"], [])


class Above:
    is_on, stands_right = True, 0

    def __init__(self, answer: dict[str, Any]) -> None:
        self.answer = answer

    def ask(self, question: dict[str, Any], seconds: float = 3.0) -> dict[str, Any]:
        return self.answer if question == {"do": "still"} else {}


def test_the_camera_above_the_table_takes_the_picture(mapper: Phone, server: Server) -> None:
    id = mapper.post("/api/map/new", game="siege").json["draft"]
    assert "take the picture with the phone" in mapper.post("/api/map/picture", draft=id).error
    server.room.camera = Above({"picture": base64.b64encode(JPEG).decode()})  # type: ignore[assignment]
    view = mapper.post("/api/map/picture", draft=id).json
    server.room.camera = None
    assert view["camera"]
    assert view["picture"]
    assert mapper.get(f"/api/map/draft/{id}/photo.jpg").body == JPEG


# --- what is missing ---

MISSING = [
    ("siege", "crown", "Siege needs 2 Crown squares, and this board has 0"),
    ("siege", "start", "Siege needs 4 Knights' squares with black dots, and this board has 0"),
    ("royal_purple", "castle-red", "Royal Purple needs one Castle with the owner red, and this board has 0"),
    ("royal_purple", "throne-south", "Royal Purple needs a Throne for the south pair"),
    ("royal_purple", "noble", "Royal Purple needs 10 or more Noble squares: five for a Prince"),
    ("kop_the_kaiser", "port-boston", "one port must be Boston, and this board has 0 (KK-02)"),
    ("fighting_marines", "circle", "the red section needs 5 circles, and this board has 0"),
    ("fighting_marines", "arrow", "the platform needs 1 space of kind 'arrow'"),
    ("royal_game", "entering-red", "red"),
]


@pytest.mark.parametrize(("game", "mark", "words"), MISSING, ids=[f"{game} {mark}" for game, mark, _ in MISSING])
def test_the_wizard_says_what_the_game_still_needs(game: str, mark: str, words: str, mapper: Phone) -> None:
    one = old(game, 0)
    id = told(mapper, one, marks(one, mark))
    missing = mapper.get(f"/api/map/draft/{id}").json["missing"]
    assert any(words in text for text in missing), missing
    assert mapper.post("/api/map/save", draft=id).json["saved"] == ""
    rest = [step for step in steps_of(one) if marks(one, mark)(step)]
    assert mapper.post("/api/map/steps", draft=id, steps=rest).json["missing"] == []


def test_the_first_steps_are_asked_for_in_their_order(mapper: Phone) -> None:
    id = mapper.post("/api/map/new", game="siege").json["draft"]
    asked = [mapper.get(f"/api/map/draft/{id}").json["missing"][0]]
    for step in steps_of(old("siege", 1))[:3]:
        asked.append(mapper.post("/api/map/steps", draft=id, steps=[step]).json["missing"][0])
    words = ("Take a picture", "Measure the board", "what kind of board", "Siege needs")
    assert all(word in text for word, text in zip(words, asked, strict=True)), asked


NONSENSE = [
    ({"do": "jump"}, "do"), ({"do": "size", "size_mm": [1, 2]}, "ruler"), ({"do": "size", "size_mm": [400, float("1e9")]}, "ruler"),
    ({"do": "corners", "corners": [[0, 0], [0, 1], [1, 1], [1, 0]]}, "clockwise"), ({"do": "title", "title": "\x00"}, "name"),
    ({"do": "mark", "mark": "throne", "spaces": ["a1"]}, "mark"), ({"do": "mark", "mark": "crown", "spaces": ["../a"]}, "name of a space"),
    ({"do": "shape", "shape": {"kind": "ring", "centre": [0.5, 0.5], "radii": [0.1, 0.2, 0.3, 0.4], "first": 0, "count": 44, "arrow": 1}}, "smaller"),
    ({"do": "shape", "shape": {"kind": "grid", "columns": [0, 1] * 40, "rows": [0, 1]}}, "lines"),
    ({"do": "shape", "shape": {"kind": "path", "parts": [{"mark": "blue", "corners": WHOLE, "count": 10**6}]}}, "count"),
    ({"do": "link", "mark": "crown", "space": "a1", "to": "a2"}, "sends nowhere"), ("corners", "object"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "why"), NONSENSE, ids=[why for _, why in NONSENSE])
def test_nonsense_is_refused_and_changes_nothing(step: Any, why: str, mapper: Phone) -> None:
    id = begun(mapper, "siege")
    before = mapper.get(f"/api/map/draft/{id}").json
    reply = mapper.post("/api/map/steps", draft=id, steps=[{"do": "title", "title": "good"}, step])
    assert reply.status == 400
    assert why in reply.error
    assert {**mapper.get(f"/api/map/draft/{id}").json, "notes": []} == {**before, "notes": []}


# --- the leaflet ---


def two_thrones(mapper: Phone) -> str:
    id = told(mapper, old("royal_purple", 0))
    mapper.post("/api/map/steps", draft=id, steps=[{"do": "mark", "mark": "throne-south", "spaces": ["d9"]}])
    return id


def test_what_contradicts_the_leaflet_is_named_and_is_played_only_if_the_host_says_so(mapper: Phone) -> None:
    id = two_thrones(mapper)
    reply = mapper.post("/api/map/save", draft=id).json
    assert reply["saved"] == ""
    assert "so the leaflet's board has two (RP-08); this board has 3" in reply["differs"][0]
    assert mapper.post("/api/map/save", draft=id, agreed=True).json["saved"]


def test_and_then_it_stands_on_the_house_rule_card(mapper: Phone, server: Server) -> None:
    name = mapper.post("/api/map/save", draft=two_thrones(mapper), agreed=True).json["saved"]
    mapper.post("/api/start", game="royal_purple", board=name)
    first = mapper.look()["card"][0]
    assert "(RP-08); this board has 3" in first["question"]
    assert (first["value"], first["default"]) == ("own", "leaflet")
    other = open_ledger(find_game("royal_purple"), find_game("royal_purple").terms())
    assert all(not reading.name.startswith("board_") for reading, _ in other.card())


NEUTRALS = {"do": "mark", "mark": "neutral", "spaces": ["P05"]}


def test_the_rules_take_from_the_board_what_the_leaflet_leaves_open(mapper: Phone) -> None:
    """Size and counts: a third Neutral space, a larger and a smaller field of Siege."""
    id = told(mapper, old("fighting_marines", 0))
    view = mapper.post("/api/map/steps", draft=id, steps=[NEUTRALS]).json
    assert view["missing"] == []
    assert "two Neutral spaces (FM-03); this board has 3" in view["differs"][0]
    game, sizes = find_game("siege"), set()
    for number in range(3):
        board = mapped(old("siege", number))
        state = game.set_up(game.terms(board=board))
        sizes.add(len(board.of_kind("green")))
        assert {piece.space for piece in game.layout(state).standing} <= {*board.spaces}
    assert len(sizes) > 1


# --- games keep their board ---


def test_changing_a_board_changes_no_game_that_was_begun_on_it(mapper: Phone, server: Server) -> None:
    id, name = saved(mapper, old("siege", 1))
    began = server.room.boards.board(name)
    assert began
    mapper.post("/api/start", game="siege", board=name)
    ledger = server.room.table.view.ledger
    assert ledger
    assert ledger.terms.board == began
    mapper.post("/api/map/steps", draft=id, steps=[{"do": "title", "title": "Changed"}, {"do": "mark", "mark": "blue", "spaces": ["a1"]}])
    assert mapper.post("/api/map/save", draft=id).json["saved"] == name  # the same file, another board
    changed = server.room.boards.board(name)
    assert changed
    assert changed != began
    number = server.room.table.view.game
    mapper.post("/api/abandon", why="bedtime")
    mapper.post("/api/map/delete", name=name)
    assert server.room.boards.board(name) is None
    reader = server.room.reader()
    assert reader
    with reader:
        assert board_to_json(began) == reader.export(number)["terms"]["board"]
    assert mapper.post("/api/resume", game=number).json["status"] == "accepted"
    again = server.room.table.view.ledger
    assert again
    assert again.terms.board == began


def test_a_board_of_another_game_is_refused(mapper: Phone) -> None:
    _, name = saved(mapper, old("siege", 1))
    reply = mapper.post("/api/start", game="royal_game", board=name)
    assert reply.status == 400
    assert "is a board for siege" in reply.error


@pytest.mark.parametrize("game", list(all_games()))
def test_a_game_is_begun_on_a_mapped_board_and_its_picture_is_drawn(game: str, mapper: Phone, server: Server) -> None:
    _, name = saved(mapper, old(game, 0))
    assert mapper.post("/api/start", game=game, board=name).json["status"] == "accepted"
    ledger = server.room.table.view.ledger
    assert ledger
    assert board_to_json(ledger.terms.board) == board_to_json(server.room.boards.board(name) or find_game(game).board())
    assert mapper.get(f"/api/board/{game}.svg?board={name}&setup=1").status == 200


def test_steps_that_a_program_writes_are_those_that_the_draft_checks() -> None:
    for game in all_games():
        palette = palette_of(find_game(game))
        for step in steps_of(old(game, 2)):
            assert checked_step(step, palette) == step


def test_no_draft_lives_outside_the_folder_of_boards(mapper: Phone, server: Server, tmp_path: Path) -> None:
    outside = set(tmp_path.rglob("*")) - set(server.room.boards.folder.rglob("*"))
    for id in ("../../x", "%2e%2e", "0123456", "01234567/.."):
        assert mapper.get(f"/api/map/draft/{id}").status in (400, 404)
        assert mapper.post("/api/map/undo", draft=id).status == 400
    assert set(tmp_path.rglob("*")) - set(server.room.boards.folder.rglob("*")) == outside
