"""Playing through the API: acts, rolls, disputes, votes, the record, and what is asked without a game."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from companion.dice.events import DiceRolled, RollChecked
from companion.dice.proof import commitment, faces_of, is_proven
from companion.games import all_games
from companion.table import Table
from companion.voice import Voice
from tests.web.conftest import first_move
from tests.web.phone import Phone
from web.server import Server

Join = Callable[..., Phone]
Players = dict[str, Phone]


def event_of(move: dict[str, Any]) -> dict[str, Any]:
    return {key: move[key] for key in ("seat", "do", "piece", "from", "to", "detail") if move[key]}


def test_a_snapshot_has_everything_a_page_needs(siege: Players) -> None:
    state = siege["defender"].look()
    assert state["game"]["title"] == "Siege"
    assert state["you"] == {"role": "seat", "seat": "defender", "name": "Ben", "guest": 3}
    assert state["due"][0]["seat"] == "defender"
    assert state["due"][0]["text"]
    assert state["legal"]
    assert state["layout"]
    assert {p["seat"]: p["name"] for p in state["players"]} == {"attacker": "Anna", "defender": "Ben"}
    assert {"id", "name", "question", "value", "default", "values", "impact"} <= set(state["card"][0])
    assert state["must_agree"] == []
    assert state["news"][0]["text"] == "A game of Siege begins."


def test_a_move_is_accepted_told_and_written_in_the_record(siege: Players) -> None:
    ben = siege["defender"]
    answer = ben.act("played", event=first_move(ben.look(), "defender")).json
    assert answer["status"] == "accepted"
    assert answer["steps"]
    assert answer["state"]["version"] > 0
    record = siege["attacker"].look()["record"]
    assert (record[0]["number"], record[0]["by"], record[0]["status"]) == (1, "defender", "accepted")
    assert siege["attacker"].get("/api/record").json["lines"] == [line | {"pictures": []} for line in record]


def test_a_ruling_is_no_error_and_tells_the_rule_and_what_would_be_legal(siege: Players) -> None:
    ben = siege["defender"]
    move = first_move(ben.look(), "defender")
    wrong = next(space for space in ("a1", "b3", "d4") if space not in {m["to"] for m in ben.look()["legal"]})
    reply = ben.act("played", event=move | {"to": wrong})
    assert reply.status == 200
    assert reply.json["status"] == "refused"
    assert reply.json["why"]
    assert set(reply.json["rules"]) == set(reply.json["citations"]) != set()
    assert move in [event_of(m) for m in reply.json["legal"]]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"kind": "played"}, "seen: must be a whole number, not None"),
        ({"kind": "played", "seen": "7"}, "seen: must be a whole number, not '7'"),
        ({"seen": 1}, "act: missing; it must be one of"),
        ({"kind": "exec", "seen": 1}, "act: 'exec' is not known"),
        ({"kind": "played", "seen": 1}, "an event must be an object"),
        ({"kind": "played", "seen": 1, "event": {"seat": "defender", "do": "fly"}}, "do: 'fly' is not known"),
        ({"kind": "agreed", "seen": 1, "seat": "pink"}, "seat: 'pink' is not known"),
        ({"kind": "agreed", "seen": 1, "seat": "defender", "sudo": True}, "act: 'sudo' is not known here"),
    ],
)
def test_bad_input_is_one_line_that_names_the_field(siege: Players, fields: dict[str, Any], line: str) -> None:
    reply = siege["defender"].post("/api/act", **fields)
    assert reply.status == 400
    assert reply.error.startswith(line)
    assert "\n" not in reply.error


def test_a_stale_act_gets_a_conflict_and_a_fresh_view_and_moves_nothing(siege: Players) -> None:
    ben = siege["defender"]
    state = ben.look()
    move = first_move(state, "defender")
    first = ben.post("/api/act", kind="played", seen=state["version"], event=move)
    twin = ben.post("/api/act", kind="played", seen=state["version"], event=move)
    assert (first.status, twin.status) == (200, 409)
    assert twin.json["state"]["record_length"] == 1
    assert twin.json["state"]["version"] == ben.look()["version"]


def test_a_tap_of_the_host_that_comes_twice_counts_once(siege: Players) -> None:
    host = siege["host"]
    seen = host.look()["version"]
    replies = [host.post("/api/act", kind="skipped", seen=seen, seat="defender") for _ in range(2)]
    assert [r.status for r in replies] == [200, 409]


def test_two_phones_agree_at_the_same_moment(host: Phone, join: Join) -> None:
    host.post("/api/start", game="siege")
    seen = host.look()["version"]
    for seat in ("attacker", "defender"):
        assert join(seat, seat).post("/api/act", kind="agreed", seen=seen, seat=seat).json["status"] == "accepted"


def test_a_player_takes_his_own_move_back_and_not_another_s(siege: Players) -> None:
    ben = siege["defender"]
    ben.act("played", event=first_move(ben.look(), "defender"))
    assert siege["attacker"].act("took_back", to=1).json["status"] == "refused"
    assert ben.act("took_back", to=1).json["status"] == "accepted"
    assert ben.look()["record"] == []


def test_the_host_pauses_corrects_skips_and_ends(siege: Players) -> None:
    host = siege["host"]
    assert host.act("paused", on=True).json["status"] == "accepted"
    assert siege["attacker"].look()["paused"]
    host.act("paused", on=False)
    position = host.get("/api/position").json["position"]
    assert host.act("corrected", position=position, why="a sleeve").json["status"] == "accepted"
    assert host.look()["record"][-1]["text"] == "The host put the position right. a sleeve"
    assert host.post("/api/abandon", why="bed time").json["status"] == "accepted"
    assert host.look()["game"] is None
    assert host.post("/api/resume", game=1).json["status"] == "accepted"
    assert host.look()["record_length"] == 1


def test_a_second_game_needs_a_word_that_the_first_may_end(siege: Players) -> None:
    host = siege["host"]
    assert host.post("/api/start", game="kop_the_kaiser").json["status"] == "refused"
    assert host.post("/api/start", game="kop_the_kaiser", instead=True).json["status"] == "accepted"
    assert siege["attacker"].look()["you"]["role"] == "spectator", "that game has no such seat"


def test_the_table_votes_on_an_unclear_rule_and_keeps_it_for_the_next_game(host: Phone, join: Join) -> None:
    (game,) = (g for g in host.get("/api/games").json if g["name"] == "siege")
    reading = next(r for r in game["readings"] if r["decided_by"] == "rules")
    value = next(v for v in reading["values"] if v != reading["default"])
    host.post("/api/start", game="siege", readings={reading["name"]: "ask"})
    for seat in ("attacker", "defender"):
        phone = join(seat, seat)
        answer = phone.act("voted", seat=seat, reading=reading["name"], value=value).json
        assert answer["status"] == "accepted"
        if seat == "attacker":
            assert phone.look()["votes"] == [{"seat": seat, "reading": reading["name"], "value": value}]
    assert {c["name"]: c["value"] for c in host.look()["card"]}[reading["name"]] == value
    host.post("/api/start", game="siege", instead=True)
    assert {c["name"]: c["value"] for c in host.look()["card"]}[reading["name"]] == value


def test_a_roll_is_thrown_or_told_by_whoever_is_due(host: Phone, join: Join) -> None:
    seats = host.post("/api/start", game="kop_the_kaiser", seats=2).json["state"]["game"]["seats"]
    phones = {seat: join(seat, seat) for seat in seats}
    for seat, phone in phones.items():
        phone.act("agreed", seat=seat)
    due = host.look()["due"][0]
    assert due["what"] == "roll"
    first = phones[due["seat"]].roll(*[6] * len(due["dice"])).json
    assert first["status"] == "accepted"
    due = host.look()["due"][0]
    assert phones[due["seat"]].roll().json["status"] == "accepted"
    faces = host.look()["last_roll"]["faces"]
    assert len(faces) == len(due["dice"])
    assert set(faces) <= {1, 2, 3, 4, 5, 6}
    assert len(host.get("/api/dice").json["rolls"]) == 2
    luck = {s["seat"]: s for s in host.get("/api/dice").json["seats"]}
    assert sum(s["rolls"] for s in luck.values()) == 4
    assert luck[seats[0]]["text"]


def test_without_a_game_the_dice_are_announced(join: Join) -> None:
    anna = join("Anna")
    assert anna.roll(3, 4).json["said"] == ["The dice show 3 and 4."]
    seen = anna.look()["version"]
    assert anna.post("/api/roll", seen=seen, dice=5).json["status"] == "accepted"
    assert anna.post("/api/roll", seen=seen, dice=5).status == 409, "a tap that came twice"
    assert len(anna.look()["last_roll"]["faces"]) == 5
    assert anna.post("/api/roll", seen=anna.look()["version"], dice=9).status == 400
    sources = {d["die"]: d["counts"] for d in anna.get("/api/dice").json["dice"]}
    assert sources["typed:1"] == [0, 0, 1, 1, 0, 0]
    assert sum(sources["phone"]) == 5


def test_the_proof_of_a_committed_roll_can_be_repeated_from_what_the_api_tells(table: Table, join: Join) -> None:
    secret, nonce = bytes(range(16)), bytes(range(16, 32))
    faces = faces_of(secret, nonce, 6, 2)
    assert faces
    table.ask(DiceRolled("AB12", faces, 1, 1, nonce_used=True)).result()
    table.ask(RollChecked("AB12", 1, 1, "proven", commitment(secret), nonce, secret)).result()
    proof = join("Anna").get("/api/dice").json["proof"]
    told = [bytes.fromhex(proof[name]) for name in ("commitment", "secret", "nonce")]
    assert proof["verdict"] == "proven"
    assert is_proven(*told, proof["sides"], tuple(proof["faces"]))


def test_a_past_move_is_ruled_on_with_pictures(siege: Players) -> None:
    ben = siege["defender"]
    ben.act("played", event=first_move(ben.look(), "defender"))
    told = siege["attacker"].get("/api/was/1").json
    assert told["ruling"]["status"] == "accepted"
    assert told["remedy"]
    assert told["before"]["svg"] != told["after"]["svg"]
    assert siege["attacker"].get("/api/was/99").status == 400


def test_the_record_keeps_what_was_refused_and_after_which_act(siege: Players) -> None:
    ben, anna = siege["defender"], siege["attacker"]
    leap = {"seat": "attacker", "do": "move", "piece": "knight", "from": "c0", "to": "c3"}
    anna.act("played", event=leap)
    ben.act("played", event=first_move(ben.look(), "defender"))
    refused = anna.act("played", event=leap).json
    record = ben.get("/api/record").json
    assert [(told["after"], told["status"]) for told in record["disputes"]] == [(0, "refused"), (1, "refused")]
    assert record["disputes"][1]["why"] == refused["why"]
    assert record["disputes"][1]["citations"] == refused["citations"]
    assert len(record["lines"]) == 1


def test_a_rule_is_checked_with_no_game_running(join: Join) -> None:
    anna = join("Anna")
    question = {
        "game": "siege",
        "position": {"to_move": "attacker", "knights": ["b3"], "defenders": ["d4"], "commander": "d6"},
        "move": "move knight b3 > b4",
    }
    reply = anna.send("POST", "/api/check?picture=1", json.dumps(question).encode())
    assert reply.json["status"] == "refused"
    (ruling,) = reply.json["rulings"]
    assert ruling["rules"]
    assert ElementTree.fromstring(ruling["before"]["svg"]).tag.endswith("svg")
    assert anna.post("/api/check", game="siege").error.startswith("move: missing")
    assert anna.post("/api/check", game="chess", move="x").status == 400
    assert anna.post("/api/check", game="siege", moves=["x"] * 51).status == 400


def test_any_position_can_be_looked_at(join: Join) -> None:
    told = join("Anna").post("/api/position", game="siege").json
    assert told["due"]
    assert told["legal"]
    assert told["layout"]


def test_the_rulebook_is_searched(join: Join) -> None:
    anna = join("Anna")
    everything = anna.get("/api/rulebook/siege").json["entries"]
    found = anna.get("/api/rulebook/siege?q=knight").json["entries"]
    assert 0 < len(found) < len(everything)
    assert anna.get("/api/rulebook/chess").status == 404


@pytest.mark.parametrize("name", sorted(all_games()))
def test_every_game_can_be_drawn_and_listed(join: Join, name: str) -> None:
    anna = join("Anna")
    picture = ElementTree.fromstring(anna.get(f"/api/board/{name}.svg?setup=1").body)
    assert picture.tag.endswith("svg")
    assert anna.get(f"/api/board/{name}.json").json["game"] == name
    assert name in [g["name"] for g in anna.get("/api/games").json]


def test_the_board_shows_the_present_a_past_act_and_marks(siege: Players) -> None:
    ben = siege["defender"]
    move = first_move(ben.look(), "defender")
    ben.act("played", event=move)
    now, then = ben.get("/api/board.svg").body, ben.get("/api/board.svg?at=0").body
    assert now != then
    assert now == ben.get("/api/board.svg?at=1").body
    assert f'data-target="{move["to"]}"'.encode() in ben.get(f"/api/board.svg?marked={move['to']},nowhere").body
    assert ben.get("/api/board.svg?at=x").status == 400


def test_a_game_of_the_history_can_be_read_and_taken_away(siege: Players) -> None:
    ben, host = siege["defender"], siege["host"]
    ben.act("played", event=first_move(ben.look(), "defender"))
    host.post("/api/abandon")
    (game,) = ben.get("/api/history").json
    assert game["state"] == "abandoned"
    number = game["number"]
    assert len(ben.get(f"/api/record?game={number}").json["lines"]) == 1
    assert ben.get(f"/api/board.svg?game={number}&at=1").status == 200
    export = ben.get(f"/api/export/{number}")
    assert export.headers["content-disposition"] == f'attachment; filename="game-{number}.json"'
    assert ben.get("/api/export/99").status == 400
    assert ben.get("/api/record").status == 404


def test_the_host_sees_how_all_is_and_what_to_do(siege: Players) -> None:
    findings = siege["host"].get("/api/health").json
    assert {"part", "state", "found", "advice"} == set(findings[0])
    assert siege["attacker"].get("/api/health").status == 403


def test_a_picture_is_sent_packed_where_the_browser_can_unpack_it_and_json_never_is(siege: Players) -> None:
    host = siege["host"]
    packed, plain = host.get("/api/board.svg", Accept_Encoding="gzip, br"), host.get("/api/board.svg")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in host.get("/api/state", Accept_Encoding="gzip").headers


def test_the_host_sets_how_much_the_voice_says(server: Server, siege: Players) -> None:
    host = siege["host"]
    assert host.post("/api/settings", verbosity="silent").status == 400, "this table has no voice"
    server.room.voice = Voice(None, None)
    assert host.post("/api/settings", verbosity="silent").json["state"]["host"]["verbosity"] == "silent"
    assert server.room.voice.verbosity == "silent"
    assert host.post("/api/settings", verbosity="shouting").status == 400


@pytest.mark.slow
@pytest.mark.parametrize("name", ["siege", "kop_the_kaiser"])
def test_a_whole_game_is_played_by_phones_alone(host: Phone, join: Join, name: str) -> None:
    state = host.post("/api/start", game=name).json["state"]
    phones = {seat: join(seat, seat) for seat in state["game"]["seats"]}
    for seat, phone in phones.items():
        phone.act("agreed", seat=seat)
    chance, state = Random(7), host.look()
    for _ in range(1500):
        if state["outcome"]:
            break
        legal = state["legal"]
        if legal:
            move = chance.choice(legal)
            reply = phones[move["seat"]].post("/api/act", kind="played", seen=state["version"], event=event_of(move))
        else:
            reply = phones[state["due"][0]["seat"]].post("/api/roll", seen=state["version"])
        assert reply.status == 200, reply
        assert reply.json["status"] == "accepted", reply.json
        state = reply.json["state"]
    assert state["outcome"], "the game did not end"
    assert state["outcome"]["text"]
