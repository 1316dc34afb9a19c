"""How each record is written.

Every statement may be run again without changing anything: after an error in the middle of a commit nobody knows whether it took
place, and writing the same once more must not double it. A row is told to be the same by its number together with a random id or
the boot; the same number with another one is an error, never silence.
"""

from __future__ import annotations

from typing import Any

from companion.journal.records import Boot, Ending, Entry, Game, HouseRule, Row, to_json

Statement = tuple[str, tuple[Any, ...]]

_BOOT = """INSERT INTO boots (number, uid, label) SELECT ?1, ?2, ?3
    WHERE NOT EXISTS (SELECT 1 FROM boots WHERE number = ?1 AND uid = ?2)"""
_GAME = """INSERT INTO games (id, uid, name, label, terms, state, outcome, imported) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
    WHERE NOT EXISTS (SELECT 1 FROM games WHERE id = ?1 AND uid = ?2)"""
_ENTRY = """INSERT INTO events (sequence, game, number, boot, ms, label, source, kind, body, answers, ruling)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
    WHERE NOT EXISTS (SELECT 1 FROM events WHERE sequence = ?1 AND boot = ?4)"""
_ENDING = "UPDATE games SET state = ?2, outcome = ?3 WHERE id = ?1"
_RULE = "INSERT OR REPLACE INTO house_rules (game, name, value) VALUES (?, ?, ?)"
_NO_RULE = "DELETE FROM house_rules WHERE game = ? AND name = ?"


def statement(row: Row) -> Statement:
    match row:
        case Entry():
            head = (row.sequence, row.game, row.number, row.boot, row.ms, row.label, row.source, row.kind)
            return _ENTRY, (*head, to_json(row.body), row.answers, _maybe(row.ruling))
        case Game():
            terms, outcome = to_json(row.terms), _maybe(row.outcome)
            return _GAME, (row.id, row.uid, row.name, row.label, terms, row.state, outcome, int(row.imported))
        case Ending():
            return _ENDING, (row.game, row.state, _maybe(row.outcome))
        case Boot():
            return _BOOT, (row.number, row.uid, row.label)
        case HouseRule(value=None):
            return _NO_RULE, (row.game, row.name)
        case HouseRule():
            return _RULE, (row.game, row.name, to_json(row.value))


def _maybe(value: Any) -> str | None:
    return None if value is None else to_json(value)
