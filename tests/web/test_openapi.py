"""The API's document says what is there, and nothing that is made up from it breaks the server."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jsonschema_rs
import pytest

from companion.table import Table
from tests.web.conftest import first_move
from tests.web.fuzz import evening, made_up_calls, spoiled_questions
from tests.web.phone import Phone
from web.openapi import document
from web.server import make_app, make_flask

Players = dict[str, Phone]


def validate(schema: str, data: Any) -> None:
    whole = {"$ref": f"#/components/schemas/{schema}", "components": document()["components"]}
    problems = [e.message for e in jsonschema_rs.validator_for(whole).iter_errors(data)]
    assert not problems


def test_the_document_names_every_route_and_every_route_is_there(table: Table) -> None:
    web = make_app(table)
    rules = make_flask(web.room).url_map.iter_rules()
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in rules
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    told = {(path, method) for path, item in document()["paths"].items() for method in item if method != "parameters"}
    assert told == routes
    web.close()


def test_the_document_is_served_to_anybody(stranger: Phone) -> None:
    assert stranger.get("/api/openapi.json").json == document()


def test_answers_are_as_the_document_says(siege: Players, join: Callable[..., Phone]) -> None:
    ben, host = siege["defender"], siege["host"]
    for phone in (ben, host, join("Watcher")):
        validate("State", phone.look())
    move = first_move(ben.look(), "defender")
    validate("Answer", ben.act("played", event=move | {"to": "d4"}).json)
    stale = ben.look()["version"]
    validate("Answer", ben.act("played", event=move).json)
    validate("Stale", ben.post("/api/act", kind="played", seen=stale, event=move).json)
    validate("Error", ben.post("/api/act", kind="played").json)
    validate("State", ben.look())
    validate("Arrived", ben.post("/api/join", name="Benno").json)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_5xx_in_2000_calls_made_up_from_the_document() -> None:
    with evening() as at:
        made = made_up_calls(at, each=120)
    print(made, dict(at.statuses))
    assert made >= 2000
    assert at.statuses[200] > 200, "and many of them made sense"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_5xx_for_positions_with_something_wrong_in_them() -> None:
    with evening() as at:
        made = spoiled_questions(at, each=60)
    print(made, dict(at.statuses))
