"""Reading a call's body, and the forms in which calls are answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import TimeoutError as TooLong
from typing import Any

from flask import Response, request

from companion.check import explained
from companion.events import BadInput, brief, known_keys
from companion.game import parse_json
from companion.table import Put, Told
from companion.words import Words
from web.guard import Refusal
from web.room import room, who
from web.snapshot import move_to_json

MOST_LEGAL = 200  # moves told with a refusal
ASK_SECONDS = 10.0

WORDS = Words(
    {
        "not_your_roll": "It is not your roll now.",
        "no_game": "No game is running.",
        "stale": "Something happened meanwhile. Look again.",
    }
)


def body(*known: str) -> dict[str, Any]:
    """The JSON object of a POST; only these fields may be in it."""
    data = any_body()
    if data and not known:
        raise BadInput(f"body: must be empty, such as {{}}, but {brief(next(iter(data)))} is given")
    known_keys("body", data, known)
    return data


def any_body() -> dict[str, Any]:
    data = parse_json(request.get_data().decode("utf-8", "replace") or "{}", "body")
    if not isinstance(data, dict):
        raise BadInput(f"body: must be an object, not {brief(data)}")
    return data


def text(data: Mapping[str, Any], field: str, default: str | None = None) -> str:
    value = data.get(field, default)
    if not isinstance(value, str) or len(value) > 1000:
        raise BadInput(f"{field}: must be a text, not {brief(value)}")
    return value


def whole(data: Mapping[str, Any], field: str, default: int | None = None) -> int:
    value = data.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 2**53:
        raise BadInput(f"{field}: must be a whole number, not {brief(value)}")
    return value


def query_flag(name: str) -> bool:
    return request.args.get(name, "") in ("1", "true", "yes")


def query_whole(name: str, default: int) -> int:
    given = request.args.get(name, "")
    if given == "":
        return default
    if not given.isdecimal() or not given.isascii() or len(given) > 9:
        raise BadInput(f"{name}: must be a whole number, not {brief(given)}")
    return int(given)


def ask(what: Put) -> Told:
    """The table's answer; it never makes a phone wait for ever."""
    try:
        return room().table.ask(what).result(ASK_SECONDS)
    except TooLong as error:
        raise Refusal(503, "The table is busy. Try again.", [(b"retry-after", b"2")]) from error


def tell(key: str) -> str:
    return room().table.translate(WORDS.sentences[key])


def as_json(data: object, status: int = 200) -> Response:
    return Response(json.dumps(data), status, mimetype="application/json")


def with_state(data: Mapping[str, Any], status: int = 200) -> Response:
    """An answer together with the table as it is now, for whoever asks."""
    asking = who().guest
    state = room().hub.json_for(room().access.guest(asking.id) if asking else None)
    inside = json.dumps(data)[1:-1].encode()
    return Response(b"{" + inside + (b"," if inside else b"") + b'"state":' + state + b"}", status, mimetype="application/json")


def stale() -> Response:
    """What the phone saw is not so any more: nothing was done, and here is what is so."""
    return with_state({"error": tell("stale")}, 409)


def refused(*why: str) -> Response:
    return with_state({"status": "refused", "why": list(why), "said": [], "citations": [], "rules": {}})


def pressed() -> Response:
    """A die was pressed; its roll comes by itself, as a new state."""
    return with_state({"status": "accepted", "why": [], "said": [], "citations": [], "rules": {}})


def ruling(told: Told) -> Response:
    """The referee's word. A refusal is an answer like any other, not an error."""
    if told.status == "stale":
        return stale()
    out: dict[str, Any] = {"status": told.status, "why": list(told.why), "said": list(told.said)}
    out |= {"citations": list(told.citations), "rules": {}}
    if told.answer:
        ledger, translate = told.answer.ledger, room().table.translate
        out["rules"] = {id: ledger.game.rulebook.text(id) for id in told.citations}
        if told.answer.ruling:
            full = explained(ledger.game, told.answer.ruling, translate)
            out |= {"event": full["event"], "steps": full["steps"], "changes": full["changes"]}
            out["readings"] = full.get("readings", [])
            legal = told.answer.ruling.legal[:MOST_LEGAL]
            out["legal"] = [move_to_json(ledger.game, ledger.terms, move, translate) for move in legal]
    return with_state(out)
