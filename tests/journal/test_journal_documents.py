"""A game as one JSON document: out of one journal and into another, from friends and from strangers."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from journal_model import TERMS, facts, night

from companion.events import BadInput
from companion.journal import Draft, Journal, document

NAME = "table.journal"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / NAME) as journal:
        yield journal


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Journal]:
    """Another house's journal, with a past of its own."""
    with Journal.open(tmp_path / "elsewhere") as journal:
        for step in night(70, seed=8):
            step(journal)
        yield journal


def played(path: Path) -> dict[str, Any]:
    """A game over three sittings."""
    for sitting in range(3):
        with Journal.open(path) as journal:
            game = journal.games()[0].id if sitting else journal.start_game(TERMS)
            rolled = journal.append(Draft("rolled", "die:AB12", {"roll": [sitting + 1]}, game))
            journal.append(Draft("rolled", "die:CD34", {"roll": [6]}))
            journal.append(Draft("moved", "phone:Zoë", {"to": "d4"}, game, rolled.sequence, {"accepted": True}))
            if sitting == 2:
                journal.finish(game, {"winners": ["Red"]})
            doc = journal.export(game)
    return doc


@pytest.fixture
def doc(tmp_path: Path) -> dict[str, Any]:
    return played(tmp_path / "origin")


def test_a_document_says_what_it_is_and_counts_within_the_game(doc: dict[str, Any]) -> None:
    assert (doc["format"], doc["version"]) == ("tabletop-companion game", 1)
    assert (doc["terms"], doc["state"], doc["outcome"]) == (TERMS, "finished", {"winners": ["Red"]})
    assert [event["number"] for event in doc["events"]] == [1, 2, 3, 4, 5, 6]
    assert [event["answers"] for event in doc["events"]] == [None, 1, None, 3, None, 5]
    assert [event["boot"] for event in doc["events"]] == [0, 0, 1, 1, 2, 2]


def test_a_document_is_text_that_people_can_read_with_a_line_for_each_event(doc: dict[str, Any]) -> None:
    text = document.dump(doc)
    assert document.load(text) == document.load(text.encode()) == json.loads(text) == doc
    assert sum("die:AB12" in line or "phone:Zoë" in line for line in text.splitlines()) == 6


def test_an_imported_game_is_exported_as_the_same_document(elsewhere: Journal, doc: dict[str, Any]) -> None:
    imported = elsewhere.import_game(document.load(document.dump(doc)))
    assert imported.new
    assert imported.receipt.durable
    assert elsewhere.export(imported.game) == doc
    assert elsewhere.game(imported.game).imported


def test_an_import_leaves_everything_else_as_it_was(elsewhere: Journal, doc: dict[str, Any]) -> None:
    before = facts(elsewhere)
    elsewhere.import_game(doc)
    after = facts(elsewhere)
    assert after["games"][:-1] == before["games"]
    assert after["events"][: len(before["events"])] == before["events"]
    assert after["rules"] == before["rules"]


def test_an_imported_game_can_be_played_on(journal: Journal, doc: dict[str, Any]) -> None:
    doc["state"], doc["outcome"] = "running", None
    game = journal.import_game(doc).game
    assert journal.append(Draft("rolled", "die:AB12", {"roll": [4]}, game)).durable
    assert [entry.number for entry in journal.events(game)] == [1, 2, 3, 4, 5, 6, 7]
    assert journal.events(game)[-1].boot == journal.boot.number
    assert len(journal.export(game)["boots"]) == 4


def test_the_same_game_twice_is_recognised_and_left_alone(elsewhere: Journal, doc: dict[str, Any]) -> None:
    first = elsewhere.import_game(doc)
    before = facts(elsewhere)
    again = elsewhere.import_game(copy.deepcopy(doc))
    assert (again.game, again.new) == (first.game, False)
    assert facts(elsewhere) == before


def test_a_game_that_is_here_but_otherwise_is_refused_and_left_alone(journal: Journal, doc: dict[str, Any]) -> None:
    game = journal.import_game(doc).game
    before = facts(journal)
    doc["events"][0]["body"] = {"roll": [6]}
    with pytest.raises(BadInput, match=f"game {game} is this game with other content; nothing was changed"):
        journal.import_game(doc)
    assert facts(journal) == before


def test_ones_own_game_is_recognised_too(elsewhere: Journal) -> None:
    assert elsewhere.import_game(elsewhere.export(1))[:2] == (1, False)


def test_two_games_of_the_same_sitting_share_its_boot(tmp_path: Path, journal: Journal) -> None:
    with Journal.open(tmp_path / "origin") as origin:
        games = [origin.start_game(TERMS), origin.start_game(TERMS)]
        for game in games:
            origin.append(Draft("rolled", "die:AB12", {"roll": [1]}, game))
        docs = [origin.export(game) for game in games]
    ids = [journal.import_game(doc).game for doc in docs]
    assert len(journal.boots()) == 2
    assert [journal.export(game) for game in ids] == docs


def spoilt(doc: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The document with one field changed, or taken out if the value is `...`."""
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    place: Any = doc
    for key in way:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return doc


FIELDS = ["format", "version", "uid", "label", "state", "outcome", "terms", "boots", "events", "terms.game"]
EVENT_FIELDS = ["number", "boot", "ms", "label", "source", "kind", "body", "answers", "ruling"]
PLACES = [*FIELDS, "boots.0.uid", "boots.0.label", *[f"events.1.{field}" for field in EVENT_FIELDS]]


@pytest.mark.parametrize("path", PLACES)
def test_every_missing_field_is_named(journal: Journal, doc: dict[str, Any], path: str) -> None:
    with pytest.raises(BadInput, match=path.split(".")[-1]):
        journal.import_game(spoilt(doc, path, ...))
    assert (journal.games(), journal.all_events()) == ([], [])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("format", "chess"), ("version", 2), ("version", True), ("version", "1"),
        ("uid", "../../etc/passwd"), ("uid", "A" * 32), ("uid", 7), ("uid", "a" * 33),
        ("label", ""), ("label", "\x1b[31m"), ("label", "x" * 65), ("label", None),
        ("state", "won"), ("state", ["running"]), ("state", None),
        ("terms", []), ("terms.game", ""), ("terms.game", None), ("terms.seats", "Red"), ("terms.variant", 3),
        ("terms.readings", "strict"), ("terms.options", 3),
        ("boots", {}), ("boots", None), ("boots", []), ("boots.0", "x"), ("boots.0.uid", "z" * 32), ("boots.0.label", 1),
        ("boots.0.more", 1), ("more", 1), ("events.0.more", 1),
        ("events", {}), ("events", "x"), ("events", []), ("events.0", None), ("events.0", []),
        ("events.0.number", 2), ("events.1.number", 1), ("events.0.number", True), ("events.0.number", 1.0),
        ("events.0.boot", 3), ("events.0.boot", -1), ("events.0.boot", 1), ("events.3.boot", 0), ("events.0.boot", "0"),
        ("events.0.ms", -1), ("events.0.ms", 2**60), ("events.0.ms", 1.5), ("events.0.ms", "0"),
        ("events.0.source", ""), ("events.0.source", "x" * 201), ("events.0.source", "a\nb"), ("events.0.source", 5),
        ("events.0.kind", ""), ("events.0.kind", "x" * 65), ("events.0.kind", None),
        ("events.0.body", "x" * 70_000), ("events.0.body", float("inf")), ("events.0.body", {"x": {1, 2}}),
        ("events.0.ruling", "x" * 70_000), ("events.0.ruling", float("nan")),
        ("events.0.answers", 1), ("events.1.answers", 2), ("events.1.answers", 0), ("events.1.answers", "1"),
        ("events.1.answers", True), ("events.1.answers", -5),
        ("outcome", "x" * 70_000), ("outcome", object()),
    ],
)  # fmt: skip
def test_every_wrong_field_is_named_and_nothing_comes_in(journal: Journal, doc: dict[str, Any], path: str, value: Any) -> None:
    with pytest.raises(BadInput) as refusal:
        journal.import_game(spoilt(doc, path, value))
    said = str(refusal.value)
    assert path.split(".")[0].removesuffix("s") in said
    assert "\n" not in said
    assert len(said) < 300
    assert said.isprintable()
    assert (journal.games(), journal.all_events()) == ([], [])
    assert journal.append(Draft("rolled", "die:AB12", {"roll": [1]})).sequence == 1


@pytest.mark.parametrize("doc", [None, 7, "x", [], {}, [{}], True, {"format": {}}])
def test_what_is_no_document_at_all_is_said_so(journal: Journal, doc: Any) -> None:
    with pytest.raises(BadInput, match=r"^(document|format): "):
        journal.import_game(doc)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[" * 200_000, '{"a":' * 100_000, b"\xff\xfe\x00", b"\x80", "NaN", "1e999", "\ud800", "9" * 5000, b"\0" * 100],
)
def test_text_that_is_no_json_is_one_clear_line(text: str | bytes) -> None:
    with pytest.raises(BadInput) as refusal:
        document.load(text)
    assert str(refusal.value).startswith("document: ")
    assert "\n" not in str(refusal.value)


def test_a_text_that_is_too_long_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_TEXT", 1000)
    with pytest.raises(BadInput, match="must be at most"):
        document.load("[" + " " * 2000)


@pytest.mark.parametrize(("bound", "field"), [("MAX_EVENTS", "events"), ("MAX_BOOTS", "boots")])
def test_lists_that_are_too_long_are_refused(
    journal: Journal, doc: dict[str, Any], monkeypatch: pytest.MonkeyPatch, bound: str, field: str
) -> None:
    monkeypatch.setattr(document, bound, 2)
    with pytest.raises(BadInput, match=f"{field}: must have at most 2 items"):
        journal.import_game(doc)


def test_hostile_text_is_kept_as_text(journal: Journal, doc: dict[str, Any]) -> None:
    doc["events"][0]["source"] = "'); DROP TABLE events; --"
    doc["events"][0]["body"] = {"__import__": "os", "name": "<script>alert(1)</script>", "$ref": "/etc/passwd"}
    game = journal.import_game(doc).game
    assert journal.export(game) == doc
