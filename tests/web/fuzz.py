"""Calls made up from the OpenAPI document, and good questions with one thing wrong in them: nothing may end in a 5xx.

In process: the whole application with its guard, without a socket.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from urllib.parse import unquote, urlencode

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case

from companion.acts import Agreed
from companion.events import event_to_json
from companion.game import state_to_json
from companion.games import all_games
from companion.journal import Journal
from companion.simulation import play_random
from companion.table import Do, Start, Table
from tests.web.phone import NAME, Reply
from web.backoff import Backoff
from web.openapi import document
from web.server import make_app
from web.snapshot import layout_to_json

HOSTILE: list[Any] = [
    None, True, False, 0, -1, 10**30, 1.5, float("inf"), float("nan"), "", "x", "\ud800", "\x00", "a" * 5000,
    [], {}, [[]], [None], {"": {}},
    [1, "x"], {"a": None}, "red", "roll", "../../x", 2**63,
]  # fmt: skip


class Evening:
    """An application with a table, and a phone of each role."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.web = make_app(table, names=[NAME])
        access = self.web.room.access
        _, host = access.become_host(access.host_code, "Greta", None, "10.0.0.1")
        guest, seat = access.join(access.join_token, "Anna", None, "10.0.0.2")
        _, spectator = access.join(access.join_token, "Ben", None, "10.0.0.3")
        access.take_seat(guest, "red")
        self.cookies = {"host": host, "seat": seat, "spectator": spectator, "nobody": ""}
        self.loop = asyncio.new_event_loop()
        self.statuses: Counter[int] = Counter()

    def call(self, method: str, path: str, query: dict[str, Any], body: bytes, role: str) -> Reply:
        headers = [(b"host", NAME.encode()), (b"origin", f"http://{NAME}".encode()), (b"content-type", b"application/json")]
        if self.cookies[role]:
            headers.append((b"cookie", f"companion={self.cookies[role]}".encode()))
        scope = {
            "type": "http", "method": method, "path": unquote(path), "headers": headers,
            "query_string": urlencode(query, errors="replace").encode(),
            "client": ("10.0.0.9", 5), "server": ("10.0.0.1", 80), "scheme": "http", "http_version": "1.1", "root_path": "",
        }  # fmt: skip
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        self.loop.run_until_complete(self.web.app(scope, receive, send))
        start, *rest = sent
        self.statuses[start["status"]] += 1
        given = {k.decode(): v.decode() for k, v in start["headers"]}
        return Reply(start["status"], given, b"".join(message["body"] for message in rest))

    def begin(self, game: str) -> None:
        """A game in which the red seat, or whichever is first, belongs to the phone with a seat."""
        self.web.room.access.backoff = Backoff()
        ledger = self.table.ask(Start({"game": game}, instead=True)).result().view.ledger
        assert ledger
        for seat in ledger.terms.seats:
            self.table.ask(Do(Agreed(seat))).result()
        guest = self.web.room.access.who(self.cookies["seat"])
        assert guest
        self.web.room.access.take_seat(guest, ledger.terms.seats[0], even_if_taken=True)

    def close(self) -> None:
        self.web.close()
        self.loop.close()


@contextmanager
def evening() -> Iterator[Evening]:
    with Table(Journal.without_file()) as table:
        open_evening = Evening(table)
        try:
            yield open_evening
        finally:
            open_evening.close()


def made_up_calls(at: Evening, each: int, number: int = 1) -> int:
    """So many calls of every operation of the document. The count of calls made."""
    operations = [result.ok() for result in schemathesis.openapi.from_dict(document()).get_all_operations()]
    return sum(_calls_of(operation, at, each, number) for operation in operations)


def _calls_of(operation: Any, at: Evening, each: int, number: int) -> int:
    chance = Random(f"{number} {operation.label}")
    documented = {int(status) for status in operation.definition.raw["responses"]}
    made = 0

    @seed(number)
    @settings(max_examples=each, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def one(case: Case) -> None:
        nonlocal made
        if made % 50 == 0:
            at.begin(chance.choice(list(all_games())))
        made += 1
        role = chance.choice(list(at.cookies)) if chance.random() < 0.5 else "host"
        if case.path in ("/api/leave", "/api/kick"):  # the fuzzer needs its phones
            role = "nobody"
        body = _body(case, at, chance)
        reply = at.call(case.method, case.formatted_path, dict(case.query or {}), body, role)
        assert reply.status in documented, (case.method, case.formatted_path, case.query, body, reply)
        assert reply.status < 500, "503 is documented for a busy table; here it is not busy"
        if reply.status >= 400:
            assert "\n" not in json.loads(reply.body)["error"]

    one()
    return made


def _body(case: Case, at: Evening, chance: Random) -> bytes:
    """The case's body, now and then with the version that is right and with words that are known."""
    if not isinstance(case.body, dict):
        return b"" if case.body is None or not isinstance(case.body, list | str | int) else json.dumps(case.body).encode()
    data = dict(case.body)
    if "seen" in data and chance.random() < 0.8:
        data["seen"] = at.table.view.version
    ledger = at.table.view.ledger
    if "seat" in data and ledger and chance.random() < 0.7:
        data["seat"] = chance.choice(ledger.terms.seats)
    if "kind" in data and ledger and chance.random() < 0.6:
        moves = [event_to_json(move) for move in ledger.legal_moves()] + [
            {"seat": d.seat, "roll": [3] * len(d.dice)} for d in ledger.due
        ]
        data = {"kind": "played", "seen": at.table.view.version, "event": chance.choice(moves or [{}])}
        if chance.random() < 0.5:
            _spoil(data, chance)
    if "game" in data and isinstance(data["game"], str) and chance.random() < 0.9:
        data["game"] = chance.choice(list(all_games()))
    for name in ("variant", "board"):
        if name in data and chance.random() < 0.5:
            del data[name]
    return json.dumps(data).encode()


def spoiled_questions(at: Evening, each: int, number: int = 1) -> int:
    """Positions of random games with one value replaced by nonsense, given to check and to position."""
    made = 0
    for game in all_games().values():
        chance = Random(f"{number} {game.name}")
        played = play_random(game, game.terms(), f"{number}", most_events=40)
        good = json.loads(json.dumps(state_to_json(game, played.state)))
        legal = game.legal_moves(played.state) or [None]
        for _ in range(each):
            question = json.loads(json.dumps(good))
            by_hand = layout_to_json(game.layout(played.state)) | {"turn": chance.choice(played.state.ground.terms.seats)}
            if chance.random() < 0.3:  # pieces that a hand put somewhere, most of them rightly
                chance.choice(by_hand["layout"])["space"] = chance.choice(list(played.state.ground.terms.board.spaces))
                question |= by_hand
            _spoil(question, chance)
            if "layout" not in question and chance.random() < 0.5:
                question["move"] = {"seat": legal[0].seat, "do": legal[0].do} if legal[0] else "x"
                _spoil(question, chance)
                path = "/api/check"
            else:
                path = "/api/position"
            reply = at.call("POST", path, {"picture": "1"}, json.dumps(question).encode(), "spectator")
            assert reply.status in (200, 400), (path, question, reply)
            made += 1
    return made


def _spoil(data: Any, chance: Random) -> None:
    """Replace, remove or add one thing, somewhere deep inside."""
    places: list[tuple[Any, Any]] = []

    def walk(inner: Any) -> None:
        for key in inner if isinstance(inner, dict) else range(len(inner)):
            places.append((inner, key))
            if isinstance(inner[key], dict | list):
                walk(inner[key])

    walk(data)
    inner, key = chance.choice([place for place in places if place[1] != "game"])
    if chance.random() < 0.2:
        del inner[key]
    elif chance.random() < 0.2 and isinstance(inner, dict):
        inner[chance.choice(["x", "", key + "s"])] = chance.choice(HOSTILE)
    else:
        inner[key] = chance.choice(HOSTILE)
