"""The tables of a journal, how an older file becomes a current one, and how a file is found fit or unfit.

Steps are only ever added at the end. A file's `user_version` is the number of steps that it has gone through.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Protocol

from companion.journal.records import JournalUnavailable

APPLICATION_ID = 0x54424C4A  # "TBLJ": tells a journal from other people's databases

_STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE boots (
            number INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, label TEXT NOT NULL
        ) STRICT""",
        """CREATE TABLE games (
            id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, name TEXT NOT NULL, label TEXT NOT NULL,
            terms TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'abandoned')), outcome TEXT,
            imported INTEGER NOT NULL
        ) STRICT""",
        """CREATE TABLE events (
            sequence INTEGER PRIMARY KEY,
            game INTEGER REFERENCES games (id), number INTEGER,
            boot INTEGER NOT NULL REFERENCES boots (number), ms INTEGER NOT NULL, label TEXT NOT NULL,
            source TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
            answers INTEGER REFERENCES events (sequence), ruling TEXT,
            UNIQUE (game, number), CHECK ((game IS NULL) = (number IS NULL))
        ) STRICT""",
    ),
    (
        """CREATE TABLE house_rules (
            game TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (game, name)
        ) STRICT""",
    ),
)
CURRENT = len(_STEPS)


class Cursor(Protocol):
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """As much of a `sqlite3.Connection` in autocommit mode as the journal uses."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Cursor: ...
    def close(self) -> None: ...


class Unfit(Exception):
    """This file cannot be the journal; `label` says in a word why, and is what it is set aside as."""

    def __init__(self, label: str, why: str) -> None:
        super().__init__(why)
        self.label = label


def migrate(db: Connection, to: int = CURRENT) -> None:
    """Bring the file to the version, a step a transaction."""
    for step in range(_pragma(db, "user_version"), to):
        db.execute("BEGIN IMMEDIATE")
        try:
            for statement in _STEPS[step]:
                db.execute(statement)
            db.execute(f"PRAGMA application_id={APPLICATION_ID}")
            db.execute(f"PRAGMA user_version={step + 1}")
            db.execute("COMMIT")
        except BaseException:
            roll_back(db)
            raise


def roll_back(db: Connection) -> None:
    with suppress(sqlite3.Error):  # SQLite may have done so by itself
        db.execute("ROLLBACK")


def check(db: Connection, thorough: bool = True) -> int:
    """The version of a journal that is fit for use; anything else is raised as `Unfit`, or `JournalUnavailable` if foreign."""
    version, tables = _pragma(db, "user_version"), _tables(db)
    if not version and not tables:
        return 0  # begun, but the first step was never finished
    if _pragma(db, "application_id") != APPLICATION_ID:
        raise JournalUnavailable("it is a database of another program; choose another path for the journal")
    if version > CURRENT:
        raise Unfit("newer", f"it was written by a newer version (its format is {version}, this one knows {CURRENT})")
    if version < 1 or tables != _expected(version):  # first, since the check below runs what the tables say
        raise Unfit("corrupt", "it is damaged (its tables are not those of a journal)")
    if thorough and (found := db.execute("PRAGMA integrity_check(1)").fetchone()[0]) != "ok":
        raise Unfit("corrupt", f"it is damaged ({' '.join(str(found).split())})")
    return version


def _pragma(db: Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _tables(db: Connection) -> frozenset[tuple[str, str, str]]:
    found = db.execute("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
    return frozenset((kind, name, sql) for kind, name, sql in found)


@cache
def _expected(version: int) -> frozenset[tuple[str, str, str]]:
    db = empty(version)
    try:
        return _tables(db)
    finally:
        db.close()


def empty(version: int = CURRENT) -> Connection:
    """A journal in memory with nothing in it."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    migrate(db, version)
    return db
