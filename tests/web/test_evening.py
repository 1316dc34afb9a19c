"""What the evening came to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from companion.journal.records import Game
from tests.web.phone import Phone
from web.evening import of_the_evening

Players = dict[str, Phone]
NOW = datetime(2031, 5, 2, 1, 30, tzinfo=UTC)


def begun(number: int, label: str, imported: bool = False) -> Game:
    return Game(number, f"{number}", "siege", label, {}, imported=imported)


def at(hours: float) -> str:
    return (NOW + timedelta(hours=hours)).isoformat()


def test_an_evening_goes_on_over_midnight_and_does_not_reach_back_to_yesterday() -> None:
    games = [begun(1, at(-26)), begun(2, at(-5)), begun(3, at(-3), imported=True), begun(4, at(0))]
    assert [game.id for game in of_the_evening(games)] == [2, 4]


def test_a_clock_that_means_nothing_leaves_the_latest_game() -> None:
    assert [game.id for game in of_the_evening([begun(1, "long ago"), begun(2, at(0)), begun(3, "no clock")])] == [3]
    assert [game.id for game in of_the_evening([begun(1, at(400)), begun(2, at(0))])] == [2]
    assert of_the_evening([]) == []


def test_a_table_that_has_not_played_has_no_evening_yet(join: Callable[..., Phone]) -> None:
    assert join().get("/api/evening").json == {"games": [], "seats": [], "rules": []}


def test_the_evening_tells_its_games_its_luck_and_what_was_refused(host: Phone) -> None:
    assert host.post("/api/start", game="kop_the_kaiser", seats=["new-york", "boston"]).json["status"] == "accepted"
    for seat in ("new-york", "boston"):
        host.act("agreed", seat=seat)
    wanted = {"new-york": [2, 5], "boston": [6, 6]}
    for seat, faces in wanted.items():
        assert host.post("/api/roll", seen=host.look()["version"], seat=seat, faces=faces).json["status"] == "accepted"
    assert host.post("/api/abandon", why="supper").status == 200
    assert host.post("/api/start", game="siege").json["status"] == "accepted"
    for seat in ("attacker", "defender"):
        host.act("agreed", seat=seat)
    refused = host.act("played", event={"seat": "attacker", "do": "move", "piece": "knight", "from": "c0", "to": "c3"}).json
    assert refused["status"] == "refused"
    told = host.get("/api/evening").json
    assert [(g["game"], g["state"], g["rolls"], g["moves"], g["refused"]) for g in told["games"]] == [
        ("kop_the_kaiser", "abandoned", 2, 0, 0),
        ("siege", "running", 0, 0, 1),
    ]
    assert {s["seat"]: (s["dice"], s["mean"]) for s in told["seats"]} == {"new-york": (2, 3.5), "boston": (2, 6.0)}
    assert {r["rule"] for r in told["rules"]} <= set(refused["rules"])
    assert [(r["times"], r["text"]) for r in told["rules"]] == [(1, refused["rules"][r["rule"]]) for r in told["rules"]]
    assert told["rules"]


def test_a_stranger_does_not_see_the_evening(stranger: Phone) -> None:
    assert stranger.get("/api/evening").status == 401
