"""A game as one readable JSON document, and back.

The document has nothing in it that belongs to one journal: events are numbered within the game, and boots are listed in the
order in which the game saw them. So what is imported elsewhere and exported again is the same document.

A document comes from anywhere. It is checked field by field before anything is done with it, and nothing in it is trusted to
be a path, a query or code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from companion.events import BadInput, brief, known_keys
from companion.journal.records import (
    MAX_WORD,
    STATES,
    Boot,
    Entry,
    Game,
    checked_terms,
    line,
    plain,
    to_json,
    whole,
)

FORMAT, VERSION = "tabletop-companion game", 1
MAX_TEXT = 64 * 1024 * 1024
MAX_EVENTS, MAX_BOOTS = 100_000, 10_000
MAX_MS = 2**53

_HEAD = ("format", "version", "uid", "label", "state", "outcome", "terms", "boots", "events")
_BOOT = ("uid", "label")
_EVENT = ("number", "boot", "ms", "label", "source", "kind", "body", "answers", "ruling")


def export(game: Game, entries: list[Entry], boots: Iterable[Boot]) -> dict[str, Any]:
    seen = list(dict.fromkeys(entry.boot for entry in entries))
    by_number = {boot.number: boot for boot in boots}
    number_of = {entry.sequence: entry.number for entry in entries}
    return {
        "format": FORMAT,
        "version": VERSION,
        "uid": game.uid,
        "label": game.label,
        "state": game.state,
        "outcome": game.outcome,
        "terms": game.terms,
        "boots": [{"uid": by_number[boot].uid, "label": by_number[boot].label} for boot in seen],
        "events": [
            {
                "number": entry.number,
                "boot": seen.index(entry.boot),
                "ms": entry.ms,
                "label": entry.label,
                "source": entry.source,
                "kind": entry.kind,
                "body": entry.body,
                "answers": number_of.get(entry.answers) if entry.answers else None,
                "ruling": entry.ruling,
            }
            for entry in entries
        ],
    }


def dump(doc: Mapping[str, Any]) -> str:
    """The document as text: one line an event."""
    fields = [f" {to_json(key)}: {to_json(value)}" for key, value in doc.items() if key != "events"]
    events = ",\n".join(f"  {to_json(event)}" for event in doc["events"])
    return "{\n" + ",\n".join(fields) + ',\n "events": [\n' + events + "\n ]\n}\n"


def load(text: str | bytes) -> dict[str, Any]:
    """A checked document from the text of a file."""
    if len(text) > MAX_TEXT:
        raise BadInput(f"document: must be at most {MAX_TEXT // 1024 // 1024} MiB long")
    try:
        doc = json.loads(text)
    except RecursionError as error:
        raise BadInput("document: nested too deeply") from error
    except ValueError as error:
        raise BadInput(f"document: not JSON: {error}") from error
    return check(doc)


def check(doc: object) -> dict[str, Any]:
    """The same document, every field of it checked, as a copy."""
    doc = _object(doc, "document", ("format", "version"))
    if doc["format"] != FORMAT:
        raise BadInput(f"format: must be '{FORMAT}', not {brief(doc['format'])}")
    if doc["version"] != VERSION or isinstance(doc["version"], bool):
        raise BadInput(f"version: this program reads version {VERSION}, not {brief(doc['version'])}; update it")
    _object(doc, "document", _HEAD)
    known_keys("document", doc, _HEAD)
    if doc["state"] not in STATES:
        raise BadInput(f"state: must be one of {', '.join(STATES)}, not {brief(doc['state'])}")
    boots = [_boot(boot, f"boots[{i}]") for i, boot in enumerate(_list(doc["boots"], "boots", MAX_BOOTS))]
    if len({boot["uid"] for boot in boots}) < len(boots):
        raise BadInput("boots: must not name the same boot twice")
    events: list[dict[str, Any]] = []
    for i, event in enumerate(_list(doc["events"], "events", MAX_EVENTS)):
        events.append(_event(event, f"events[{i}]", i + 1, len(boots)))
        if i and events[i]["boot"] < events[i - 1]["boot"]:
            raise BadInput(f"events[{i}].boot: must not go back from {events[i - 1]['boot']} to {events[i]['boot']}")
    if {event["boot"] for event in events} != set(range(len(boots))):
        raise BadInput("boots: must list those that the events name, and no others")
    return {
        "format": FORMAT,
        "version": VERSION,
        "uid": _uid(doc["uid"], "uid"),
        "label": line(doc["label"], "label", MAX_WORD),
        "state": doc["state"],
        "outcome": plain(doc["outcome"], "outcome"),
        "terms": checked_terms(doc["terms"]),
        "boots": boots,
        "events": events,
    }


def rows(doc: Mapping[str, Any], game: int, boots: Mapping[str, int], after: int) -> tuple[Game, list[Entry]]:
    """The rows of a checked document in a journal that gives the game this id, its boots these numbers and its events the
    sequences after `after`."""
    terms = doc["terms"]
    head = Game(game, doc["uid"], terms["game"], doc["label"], terms, doc["state"], doc["outcome"], imported=True)
    return head, [
        Entry(
            sequence=after + event["number"],
            game=game,
            number=event["number"],
            boot=boots[doc["boots"][event["boot"]]["uid"]],
            ms=event["ms"],
            label=event["label"],
            source=event["source"],
            kind=event["kind"],
            body=event["body"],
            answers=event["answers"] and after + event["answers"],
            ruling=event["ruling"],
        )
        for event in doc["events"]
    ]


def _boot(boot: object, where: str) -> dict[str, Any]:
    boot = _object(boot, where, _BOOT)
    known_keys(where, boot, _BOOT)
    return {"uid": _uid(boot["uid"], f"{where}.uid"), "label": line(boot["label"], f"{where}.label", MAX_WORD)}


def _event(event: object, where: str, number: int, boots: int) -> dict[str, Any]:
    event = _object(event, where, _EVENT)
    known_keys(where, event, _EVENT)
    answers = event["answers"]
    if answers is not None:
        whole(answers, f"{where}.answers", 1, number - 1)
    return {
        "number": whole(event["number"], f"{where}.number", number, number),
        "boot": whole(event["boot"], f"{where}.boot", 0, boots - 1),
        "ms": whole(event["ms"], f"{where}.ms", 0, MAX_MS),
        "label": line(event["label"], f"{where}.label", MAX_WORD),
        "source": line(event["source"], f"{where}.source"),
        "kind": line(event["kind"], f"{where}.kind", MAX_WORD),
        "body": plain(event["body"], f"{where}.body"),
        "answers": answers,
        "ruling": plain(event["ruling"], f"{where}.ruling"),
    }


def _object(value: object, where: str, needed: Iterable[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadInput(f"{where}: must be an object, not {brief(value)}")
    for key in needed:
        if key not in value:
            raise BadInput(f"{where}: '{key}' is missing")
    return value


def _list(value: object, where: str, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise BadInput(f"{where}: must be a list, not {brief(value)}")
    if len(value) > most:
        raise BadInput(f"{where}: must have at most {most} items, not {len(value)}")
    return value


def _uid(value: object, where: str) -> str:
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{32}", value):
        raise BadInput(f"{where}: must be 32 of the characters 0-9 and a-f, not {brief(value)}")
    return value

