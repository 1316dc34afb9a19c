"""What the camera says and asks, on the phones: who may answer, who may see its pictures, and who may switch it off."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.acts import Played
from companion.news import Choice, Observed
from companion.notation import to_text
from companion.table import Table
from companion.table_requests import Notice
from tests.web.phone import Phone
from web.server import Server

Join = Callable[..., Phone]
Players = dict[str, Phone]


class FakeCamera:
    """Remembers what it was told."""

    is_on = True

    def switch(self, on: bool) -> None:
        self.is_on = on

    def read(self, name: str) -> bytes | None:
        return b"\xff\xd8picture" if name == "1-1-after.jpg" and self.is_on else None


def ask_which(table: Table) -> str:
    """The camera asks which of two moves it was."""
    assert table.view.ledger
    first, second = table.view.ledger.legal_moves()[:2]
    choices = tuple(Choice(to_text(move), ((move.seat, Played(move)),)) for move in (first, second))
    table.ask(Notice(Observed("asked", "Which was it?", choices, (first.to,), ("1-1-after.jpg",)))).result()
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
    assert siege["attacker"].get("/api/picture/1-1-after.jpg").status == 200
    assert siege["attacker"].get("/api/picture/other.jpg").status == 404
    assert join("Eve").get("/api/picture/1-1-after.jpg").status == 403
    assert Phone(server.port).get("/api/picture/1-1-after.jpg").status == 401


def test_only_the_host_switches_the_camera_and_off_is_off(siege: Players, host: Phone, server: Server) -> None:
    camera = server.room.camera = FakeCamera()
    assert siege["attacker"].post("/api/camera", on=False).status == 403
    assert host.post("/api/camera", on="no").status == 400
    assert host.post("/api/camera", on=False).status == 200
    assert camera.is_on is False
    assert host.look()["host"]["camera"] is False
    assert siege["attacker"].get("/api/picture/1-1-after.jpg").status == 404
