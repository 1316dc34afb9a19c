"""What the camera says and asks, on the phones: who may answer, who may see its pictures, and who may switch it off."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.acts import Played
from companion.layout import Change
from companion.news import Choice, Observed
from companion.notation import to_words
from companion.table import Table
from companion.table_requests import Notice
from tests.web.conftest import first_move
from tests.web.phone import Phone
from web.server import Server

Join = Callable[..., Phone]
Players = dict[str, Phone]
AFTER = "1/000001-after.jpg"
JPEG = b"\xff\xd8picture"


class FakeCamera:
    """Remembers what it was told."""

    is_on = True
    stands_right = 0

    def __init__(self) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self.told: dict[str, Mapping[str, Any]] = {"picture": {"picture": base64.b64encode(JPEG).decode()}}
        self.kept: dict[int, tuple[str, ...]] = {}

    def switch(self, on: bool) -> None:
        self.is_on = on

    def pictures_of(self, game: int) -> Mapping[int, tuple[str, ...]]:
        return self.kept

    def ask(self, question: Mapping[str, Any], seconds: float = 3.0) -> Mapping[str, Any]:
        self.asked.append(question)
        return self.told.get(question["do"], {"error": "Not now."}) if self.is_on else {"error": "The camera is off."}

    def read(self, name: str) -> bytes | None:
        return JPEG if name == AFTER and self.is_on else None


def ask_which(table: Table) -> str:
    """The camera asks which of two moves it was."""
    ledger = table.view.ledger
    assert ledger
    first, second = ledger.legal_moves()[:2]
    choices = tuple(Choice(to_words(ledger.game, ledger.terms, move, str), ((move.seat, Played(move)),)) for move in (first, second))
    table.ask(Notice(Observed("asked", "Which was it?", choices, (first.to,), (AFTER,)))).result()
    return first.seat


def test_what_the_camera_asks_is_on_every_phone_and_its_answer_is_played(siege: Players, table: Table) -> None:
    seat = ask_which(table)
    seen = siege[seat].look()["observed"]
    assert seen["text"] == "Which was it?"
    assert len(seen["choices"]) == 2
    before = table.view.version
    answer = siege[seat].post("/api/choose", choice=1, text="Which was it?").json
    assert answer["status"] == "accepted"
    assert table.view.version > before
    assert siege[seat].look()["observed"] is None


def test_an_answer_to_a_question_that_is_gone_is_stale(siege: Players, table: Table) -> None:
    seat = ask_which(table)
    before = table.view.version
    for wrong in (
        {"choice": 0, "text": "Another question"},
        {"choice": 7, "text": "Which was it?"},
        {"choice": -1, "text": "Which was it?"},
    ):
        assert siege[seat].post("/api/choose", **wrong).status in (409, 400)
    assert table.view.version == before


def test_nobody_answers_for_another_seat(siege: Players, table: Table) -> None:
    seat = ask_which(table)
    other = next(name for name in ("attacker", "defender") if name != seat)
    before = table.view.version
    answer = siege[other].post("/api/choose", choice=0, text="Which was it?")
    assert answer.json["status"] == "refused"
    assert table.view.version == before


@pytest.mark.parametrize(
    "body", [{}, {"choice": "0", "text": "x"}, {"choice": 0}, {"choice": 0, "text": 5}, {"choice": 0, "text": "x", "more": 1}]
)
def test_nonsense_is_refused(siege: Players, body: dict[str, object]) -> None:
    assert siege["attacker"].post("/api/choose", **body).status == 400


def test_pictures_are_for_the_host_and_the_seats_only(siege: Players, join: Join, server: Server) -> None:
    server.room.camera = FakeCamera()
    assert siege["attacker"].get("/api/picture/" + AFTER).status == 200
    assert siege["attacker"].get("/api/picture/other.jpg").status == 404
    assert join("Eve").get("/api/picture/" + AFTER).status == 403
    assert Phone(server.port).get("/api/picture/" + AFTER).status == 401


def test_only_the_host_switches_the_camera_and_off_is_off(siege: Players, host: Phone, server: Server) -> None:
    camera = server.room.camera = FakeCamera()
    assert siege["attacker"].post("/api/camera", on=False).status == 403
    assert host.post("/api/camera", on="no").status == 400
    assert host.post("/api/camera", on=False).status == 200
    assert camera.is_on is False
    assert host.look()["host"]["camera"] is False
    assert siege["attacker"].get("/api/picture/" + AFTER).status == 404


# --- the live picture ---


def test_the_live_picture_is_for_the_host_and_the_seats_and_is_never_kept(siege: Players, join: Join, server: Server) -> None:
    assert siege["host"].get("/api/camera/picture").status == 404
    server.room.camera = FakeCamera()
    for who in ("host", "attacker"):
        reply = siege[who].get("/api/camera/picture")
        assert (reply.status, reply.body) == (200, JPEG)
        assert "no-store" in reply.headers["cache-control"]
    watching = join("Eve")
    for path in ("/api/camera/picture", "/api/camera/overlay"):
        assert watching.get(path).status == 403
        assert Phone(server.port).get(path).status == 401
    assert watching.post("/api/camera/position", game="siege").status == 403


def test_off_is_off_for_the_live_picture_too(siege: Players, server: Server) -> None:
    camera = server.room.camera = FakeCamera()
    camera.is_on = False
    reply = siege["host"].get("/api/camera/picture")
    assert reply.status == 404
    assert "off" in reply.json["error"]


# --- calibration ---


def test_only_the_host_teaches_the_camera_a_board(siege: Players, server: Server) -> None:
    camera = server.room.camera = FakeCamera()
    camera.told["guide"] = {"step": "empty", "working": False}
    assert siege["attacker"].post("/api/calibration", step="begin", game="siege").status == 403
    assert siege["attacker"].get("/api/calibration").status == 403
    assert siege["host"].post("/api/calibration", step="begin", game="siege").json["step"] == "empty"
    assert camera.asked[-1]["terms"]["game"] == "siege"
    camera.told["guide"] = {"busy": True}
    assert siege["host"].get("/api/calibration").json == {"working": True}


@pytest.mark.parametrize(
    "body",
    [
        {}, {"step": "dance"}, {"step": "begin"}, {"step": "begin", "game": "chess"}, {"step": "corners"}, {"step": "empty", "more": 1},
        {"step": "corners", "corners": [[0, 0], [1, 0], [1, 1]]}, {"step": "corners", "corners": [[0, 0], [1, 0], [1, 1], [0, "1"]]},
        {"step": "corners", "corners": [[0, 0], [1, 0], [1, 1], [0, 1e9]]}, {"step": "pieces", "way": "../../etc"},
    ],
)  # fmt: skip
def test_nonsense_never_reaches_the_camera(siege: Players, server: Server, body: dict[str, object]) -> None:
    camera = server.room.camera = FakeCamera()
    assert siege["host"].post("/api/calibration", **body).status == 400
    assert camera.asked == []


# --- the set-up check ---


def test_without_a_camera_the_host_says_that_all_stands_right(siege: Players) -> None:
    check = siege["attacker"].look()["set_up"]
    assert (check["by"], check["looked"]) == ("hand", False)
    assert siege["attacker"].post("/api/set_up", right=True).status == 403
    assert siege["host"].post("/api/set_up", right="yes").status == 400
    assert siege["host"].post("/api/set_up", right=True).status == 200
    assert siege["attacker"].look()["set_up"] is None


def test_the_first_move_ends_the_set_up_check(siege: Players) -> None:
    state = siege["attacker"].look()
    assert siege["defender"].act("played", event=first_move(state, "defender")).json["status"] == "accepted"
    assert siege["attacker"].look()["set_up"] is None


def test_what_the_camera_sees_wrong_is_on_every_phone_until_it_stands_right(siege: Players, table: Table, server: Server) -> None:
    camera = server.room.camera = FakeCamera()
    standing = siege["host"].look()["layout"][0]
    todo = (Change("put", standing["piece"], "", standing["space"]),)
    table.ask(Notice(Observed("set_up", "Put it there.", spaces=(standing["space"],), changes=todo))).result()
    check = siege["defender"].look()["set_up"]
    assert (check["by"], check["looked"], check["wrong"], check["unseen"]) == ("camera", True, [standing["space"]], [])
    assert standing["space"] in check["todo"][0]
    camera.stands_right = table.view.game
    table.ask(Notice(None)).result()
    assert siege["defender"].look()["set_up"] is None


# --- the camera's position, and pictures in the record ---


def test_the_camera_s_position_comes_with_the_spaces_that_it_could_not_read(siege: Players, server: Server) -> None:
    camera = server.room.camera = FakeCamera()
    space = siege["host"].look()["layout"][0]["space"]
    camera.told["sighting"] = {"layout": [{"piece": "knight", "space": space}], "platform": None, "unsure": [space, "<nowhere>"]}
    seen = siege["attacker"].post("/api/camera/position", game="siege").json
    assert seen["layout"] == [{"piece": "knight", "space": space}]
    assert [each["space"] for each in seen["unsure"]] == [space]


def test_pictures_of_a_move_are_in_the_record_and_in_a_challenge_for_those_who_may_see_them(
    siege: Players, join: Join, server: Server, table: Table
) -> None:
    camera = server.room.camera = FakeCamera()
    state = siege["attacker"].look()
    siege["defender"].act("played", event=first_move(state, "defender"))
    assert table.view.ledger
    number = table.view.ledger.lines[-1].number
    camera.kept = {number: (AFTER,)}
    assert siege["defender"].get("/api/record").json["lines"][-1]["pictures"] == [AFTER]
    assert siege["defender"].get(f"/api/was/{number}").json["pictures"] == [AFTER]
    watching = join("Eve")
    assert watching.get("/api/record").json["lines"][-1]["pictures"] == []
    assert watching.get(f"/api/was/{number}").json["pictures"] == []
