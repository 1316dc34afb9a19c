"""The demonstration on the pages: who may begin and end it, and who sees the rendered camera's picture."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.phone import Phone
from tests.web.test_camera import FakeCamera
from web.server import Server

Join = Callable[..., Phone]
Players = dict[str, Phone]


class FakePlayers:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.on = False
        self.begun: list[str] = []
        self.why = ""
        self.seats: tuple[str, ...] = ()

    def begin(self, name: str) -> str:
        self.begun.append(name)
        self.on = not self.why
        return self.why

    def join(self) -> None:
        self.on = True

    def leave(self, end_game: bool = False) -> None:
        self.on = False


@pytest.fixture
def players(server: Server) -> FakePlayers:
    server.room.demonstration = players = FakePlayers()
    server.room.camera = FakeCamera()
    return players


def test_anybody_here_begins_one_at_one_tap_while_no_game_runs(players: FakePlayers, join: Join, stranger: Phone) -> None:
    assert stranger.post("/api/demonstration", on=True).status == 401
    anna = join("Anna")
    told = anna.get("/api/demonstration").json
    assert (told["offered"], told["on"], told["free"]) == (True, False, True)
    assert anna.post("/api/demonstration", on=True, game="siege").json["on"] is True
    assert players.begun == ["siege"]
    assert anna.post("/api/demonstration", on=False).json["on"] is False


def test_a_game_of_people_is_the_hosts_to_fill_up(siege: Players, players: FakePlayers) -> None:
    assert siege["attacker"].post("/api/demonstration", on=True).status == 403
    assert siege["host"].post("/api/demonstration", on=True).json["on"] is True
    assert players.begun == []  # the game goes on; only empty seats are taken
    told = siege["attacker"].get("/api/demonstration").json
    assert (told["mine"], told["names"]["attacker"]) == ("attacker", "Attacker")
    assert siege["host"].get("/api/demonstration").json["mine"] == ""


def test_why_it_did_not_begin_is_told(players: FakePlayers, join: Join) -> None:
    players.why = "A game is running."
    assert join("Anna").post("/api/demonstration", on=True).json["why"] == ["A game is running."]


def test_nonsense_is_refused_by_name(players: FakePlayers, join: Join) -> None:
    anna = join("Anna")
    assert "on:" in anna.post("/api/demonstration", on="yes").json["error"]
    assert "game" in anna.post("/api/demonstration", on=True, game="chess").json["error"]


def test_a_table_with_a_camera_of_its_own_shows_none(join: Join) -> None:
    anna = join("Anna")
    assert anna.get("/api/demonstration").json["offered"] is False
    assert "--stand-ins" in anna.post("/api/demonstration", on=True).json["error"]


def test_the_rendered_picture_is_for_everybody_here_and_a_real_one_for_seats(
    server: Server, players: FakePlayers, join: Join, stranger: Phone
) -> None:
    anna = join("Anna")
    assert stranger.get("/api/camera/picture").status == 401
    assert anna.get("/api/camera/picture").status == 200
    server.room.demonstration = None  # a real camera sees people's hands and homes
    assert anna.get("/api/camera/picture").status == 403
