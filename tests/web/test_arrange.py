"""Pieces put on the board by hand: asked about by anybody, put in force by the host, and refused with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games import all_games
from companion.table import Table
from tests.web.conftest import first_move
from tests.web.phone import Phone

Players = dict[str, Phone]


def asked(phone: Phone, **body: Any) -> dict[str, Any]:
    reply = phone.post("/api/position?picture=1", **body)
    assert reply.status == 200, reply
    answer: dict[str, Any] = reply.json
    return answer


def moved(layout: list[dict[str, Any]], start: str, to: str) -> list[dict[str, Any]]:
    return [piece | {"space": to} if piece["space"] == start else piece for piece in layout]


@pytest.mark.parametrize("game", all_games())
def test_any_game_is_set_up_by_hand_without_a_game_running(join: Callable[..., Phone], game: str) -> None:
    phone = join()
    first = asked(phone, game=game)
    assert first["status"] == "accepted"
    again = asked(phone, game=game, layout=first["layout"], platform=first["platform"])
    assert (again["status"], again["layout"], again["position"]) == ("accepted", first["layout"], first["position"])
    assert {"piece", "name", "number", "faces", "svg"} <= set(first["pieces"][0])


def test_what_cannot_stand_so_is_told_and_drawn(join: Callable[..., Phone]) -> None:
    phone = join()
    first = asked(phone, game="siege")
    answer = asked(phone, game="siege", layout=[*first["layout"], {"piece": "knight", "space": "d4"}])
    assert answer["status"] == "refused"
    assert "there are only 4" in answer["why"][0]
    assert len(answer["layout"]) == len(first["layout"]) + 1
    assert answer["svg"].count('data-piece="knight"') == 5
    assert "position" not in answer


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"layout": "x"}, "layout"),
        ({"layout": [5]}, "layout"),
        ({"layout": [{"piece": "bishop", "space": "d4"}]}, "bishop"),
        ({"layout": [{"piece": "knight", "space": "z9"}]}, "z9"),
        ({"layout": [{"piece": "knight", "space": "d4", "face": "up"}]}, "face"),
        ({"layout": [{"piece": "knight", "space": "d4", "colour": "red"}]}, "colour"),
        ({"layout": [{"piece": "knight", "space": "d4"}] * 501}, "500"),
        ({"platform": 3}, "platform"),
        ({"turn": "red"}, "turn"),
    ],
)
def test_nonsense_is_named(join: Callable[..., Phone], wrong: dict[str, Any], named: str) -> None:
    reply = join().post("/api/position", game="siege", **wrong)
    assert reply.status == 400
    assert named in reply.error


def test_whose_turn_it_is_can_be_chosen(join: Callable[..., Phone]) -> None:
    position = {"to_move": "attacker", "knights": ["d4", "b2"], "defenders": ["c3"], "commander": "d6"}
    answer = asked(join(), game="siege", position=position, turn="defender")
    assert [due["seat"] for due in answer["due"]] == ["defender"]


def test_after_moves_the_position_goes_on_from_there(join: Callable[..., Phone]) -> None:
    answer = asked(join(), game="siege", moves=["defender: place commander > d6"])
    assert answer["position"]["commander"] == "d6"
    assert {form["do"] for form in answer["forms"]} == {"move", "place", "draw", "pass"}


def test_the_host_puts_the_position_right_by_its_pieces(siege: Players, table: Table) -> None:
    host = siege["host"]
    siege["defender"].act("played", event=first_move(siege["defender"].look(), "defender"))
    layout = host.look()["layout"]
    answer = host.act("corrected", layout=moved(layout, "c0", "c2"), why="a sleeve").json
    assert answer["status"] == "accepted"
    assert {(p["piece"], p["space"]) for p in answer["state"]["layout"]} >= {("knight", "c2")}
    assert answer["state"]["record"][-1]["text"].endswith("a sleeve")
    assert [due["seat"] for due in answer["state"]["due"]] == ["attacker"]


def test_an_impossible_correction_changes_nothing(siege: Players, table: Table) -> None:
    host, before = siege["host"], table.view.version
    reply = host.act("corrected", layout=[{"piece": "commander", "space": "c0"}])
    assert (reply.status, table.view.version) == (400, before)


def test_only_the_host_corrects(siege: Players, table: Table) -> None:
    before = table.view.version
    for seat in ("attacker", "defender"):
        assert siege[seat].act("corrected", layout=siege[seat].look()["layout"]).status == 403
    assert table.view.version == before


def test_a_stale_correction_is_not_put_in_force(siege: Players, table: Table) -> None:
    host = siege["host"]
    seen = host.look()
    siege["defender"].act("played", event=first_move(siege["defender"].look(), "defender"))
    before = table.view.version
    reply = host.post("/api/act", kind="corrected", seen=seen["version"], layout=moved(seen["layout"], "c0", "c2"))
    assert (reply.status, table.view.version) == (409, before)


def test_a_refused_move_is_let_stand_and_the_turn_goes_on(siege: Players) -> None:
    host = siege["host"]
    siege["defender"].act("played", event=first_move(siege["defender"].look(), "defender"))
    leap = {"seat": "attacker", "do": "move", "piece": "knight", "from": "c0", "to": "c2"}
    refused = siege["attacker"].act("played", event=leap).json
    assert refused["status"] == "refused"
    answer = host.act("let_stand", event=refused["event"], layout=moved(host.look()["layout"], "c0", "c2")).json
    assert answer["status"] == "accepted"
    assert [due["seat"] for due in answer["state"]["due"]] == ["defender"]
    assert "let it stand" in answer["state"]["record"][-1]["text"]


def test_a_victory_by_leaving_is_announced(host: Phone) -> None:
    assert host.post("/api/start", game="kop_the_kaiser", seats=2, readings={"leaver": "remove_pieces"}).json["status"] == "accepted"
    first, second = host.look()["game"]["seats"]
    for seat in (first, second):
        host.act("agreed", seat=seat)
    state = host.act("left", seat=first).json["state"]
    assert state["outcome"]["winners"] == [second]
    last = state["news"][-1]
    assert (last["text"], last["urgency"]) == (state["outcome"]["text"], 0)
