"""Reading a journal's file, while a table writes it or later. Nothing here can change it."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Self

from companion.journal import file
from companion.journal.history import History
from companion.journal.records import Boot, Entry, Game, JournalUnavailable
from companion.journal.schema import Connection, Unfit

_GAMES = "SELECT id, uid, name, label, terms, state, outcome, imported FROM games"
_EVENTS = "SELECT sequence, game, number, boot, ms, label, source, kind, body, answers, ruling FROM events"


@dataclass(frozen=True, slots=True)
class Counters:
    """The last numbers given out; `numbers` has the last number within each game."""

    sequence: int
    game: int
    boot: int
    numbers: dict[int, int]


class Stored(History):
    """The history as the tables of a connection have it. Raises `JournalUnavailable` if they cannot be read."""

    def __init__(self, db: Connection, path: Path | None) -> None:
        self._db = db
        self._path = path

    def games(self) -> list[Game]:
        return [_game(*row) for row in self._ask(f"{_GAMES} ORDER BY id")]

    def events(self, game: int) -> list[Entry]:
        return [_entry(*row) for row in self._ask(f"{_EVENTS} WHERE game = ? ORDER BY number", game)]

    def all_events(self, after: int = 0, kind: str = "") -> list[Entry]:
        wanted = "WHERE sequence > ? AND ? IN ('', kind) ORDER BY sequence"
        return [_entry(*row) for row in self._ask(f"{_EVENTS} {wanted}", after, kind)]

    def boots(self) -> list[Boot]:
        return [Boot(*row) for row in self._ask("SELECT number, uid, label FROM boots ORDER BY number")]

    def house_rules(self, game: str) -> dict[str, Any]:
        kept = self._ask("SELECT name, value FROM house_rules WHERE game = ? ORDER BY name", game)
        return {name: _json(value, f"the house rule {name}") for name, value in kept}

    def counters(self) -> Counters:
        last = "SELECT (SELECT max(sequence) FROM events), (SELECT max(id) FROM games), (SELECT max(number) FROM boots)"
        ((sequence, game, boot),) = self._ask(last)
        numbers = self._ask("SELECT id, (SELECT max(number) FROM events WHERE game = games.id) FROM games")
        return Counters(sequence or 0, game or 0, boot or 0, {game: number or 0 for game, number in numbers})

    def damage(self) -> str:
        """What a thorough look finds wrong with the file; empty if all is well."""
        try:
            found = str(self._ask("PRAGMA integrity_check(1)")[0][0])
            self.games(), self.all_events(), self.boots()
        except JournalUnavailable as fault:
            found = str(fault)
        return "" if found == "ok" else found

    def _ask(self, sql: str, *values: Any) -> list[Any]:
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as fault:
            raise JournalUnavailable(f"The journal cannot be read: {file.explain(fault, self._path)}.") from fault


class Reader(Stored):
    """A read-only look at a journal. Close it when done, or use it in a `with`."""

    def __init__(self, view: file.View, path: Path) -> None:
        super().__init__(view.db, path)
        self._view = view

    @classmethod
    def open(cls, path: str | PathLike[str], connect: file.Connect = file.connect) -> Self:
        path = Path(path)
        if not path.exists():
            raise JournalUnavailable(f"There is no journal at {path} yet; start a game first.")
        try:
            return cls(file.view(path, connect, thorough=False), path)
        except (JournalUnavailable, Unfit, *file.FAULTS) as fault:
            raise JournalUnavailable(f"The journal {path} cannot be read: {file.explain(fault, path)}.") from fault

    def close(self) -> None:
        self._view.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _game(
    id: int, uid: str, name: str, label: str, terms: str, state: str, outcome: str | None, imported: int
) -> Game:
    where = f"game {id}"
    return Game(id, uid, name, label, _json(terms, where), state, _json(outcome, where), bool(imported))


def _entry(
    sequence: int, game: int | None, number: int | None, boot: int, ms: int, label: str,
    source: str, kind: str, body: str, answers: int | None, ruling: str | None,
) -> Entry:  # fmt: skip
    told, ruled = _json(body, f"event {sequence}"), _json(ruling, f"event {sequence}")
    return Entry(sequence, game, number, boot, ms, label, source, kind, told, answers, ruled)


def _json(text: str | None, where: str) -> Any:
    try:
        return None if text is None else json.loads(text)
    except ValueError as error:
        raise JournalUnavailable(f"The journal cannot be read: {where} is damaged.") from error
