"""Reading a journal's file, while a table writes it or later. Nothing here can change it."""

from __future__ import annotations

import json
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
    """The history as the tables of a connection have it."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    def games(self) -> list[Game]:
        return [_game(row) for row in self._db.execute(f"{_GAMES} ORDER BY id")]

    def events(self, game: int) -> list[Entry]:
        return [_entry(row) for row in self._db.execute(f"{_EVENTS} WHERE game = ? ORDER BY number", (game,))]

    def all_events(self, after: int = 0) -> list[Entry]:
        return [_entry(row) for row in self._db.execute(f"{_EVENTS} WHERE sequence > ? ORDER BY sequence", (after,))]

    def boots(self) -> list[Boot]:
        return [Boot(*row) for row in self._db.execute("SELECT number, uid, label FROM boots ORDER BY number")]

    def house_rules(self, game: str) -> dict[str, Any]:
        kept = self._db.execute("SELECT name, value FROM house_rules WHERE game = ? ORDER BY name", (game,))
        return {name: json.loads(value) for name, value in kept}

    def damage(self) -> str:
        """What a thorough look finds wrong with the file; empty if all is well."""
        found = str(self._db.execute("PRAGMA integrity_check(1)").fetchone()[0])
        return "" if found == "ok" else found

    def counters(self) -> Counters:
        last = "SELECT (SELECT max(sequence) FROM events), (SELECT max(id) FROM games), (SELECT max(number) FROM boots)"
        sequence, game, boot = self._db.execute(last).fetchone()
        numbers = self._db.execute("SELECT id, (SELECT max(number) FROM events WHERE game = games.id) FROM games")
        return Counters(sequence or 0, game or 0, boot or 0, {game: number or 0 for game, number in numbers})


class Reader(Stored):
    """A read-only look at a journal. Close it when done, or use it in a `with`."""

    def __init__(self, view: file.View) -> None:
        super().__init__(view.db)
        self._view = view

    @classmethod
    def open(cls, path: str | PathLike[str], connect: file.Connect = file.connect) -> Self:
        path = Path(path)
        if not path.exists():
            raise JournalUnavailable(f"There is no journal at {path} yet; start a game first.")
        try:
            return cls(file.view(path, connect))
        except (JournalUnavailable, Unfit, *file.FAULTS) as fault:
            raise JournalUnavailable(f"The journal {path} cannot be read: {file.explain(fault, path)}.") from fault

    def close(self) -> None:
        self._view.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _game(row: tuple[Any, ...]) -> Game:
    game, uid, name, label, terms, state, outcome, imported = row
    return Game(game, uid, name, label, json.loads(terms), state, _maybe(outcome), bool(imported))


def _entry(row: tuple[Any, ...]) -> Entry:
    sequence, game, number, boot, ms, label, source, kind, body, answers, ruling = row
    told = json.loads(body)
    return Entry(sequence, game, number, boot, ms, label, source, kind, told, answers, _maybe(ruling))


def _maybe(text: str | None) -> Any:
    return None if text is None else json.loads(text)
