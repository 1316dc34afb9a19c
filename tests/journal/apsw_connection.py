"""Lets the journal's own code run on an apsw connection, whose VFS a test can write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

_FLAGS = {
    "ro": apsw.SQLITE_OPEN_READONLY,
    "rw": apsw.SQLITE_OPEN_READWRITE,
    "rwc": apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE,
}


class Rows:
    def __init__(self, rows: list[Any]) -> None:
        self._rows = iter(rows)

    def __iter__(self) -> Iterator[Any]:
        return self._rows

    def fetchone(self) -> Any:
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        return list(self._rows)


class ApswConnection:
    """As much of `sqlite3.Connection` as the journal uses."""

    def __init__(self, path: Path, mode: str, vfs: str) -> None:
        try:
            self._db = apsw.Connection(str(path), flags=_FLAGS[mode], vfs=vfs)
        except apsw.Error as error:
            raise as_sqlite3(error) from error
        self._db.set_busy_timeout(1000)

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        try:
            return Rows(self._db.execute(sql, values).fetchall())
        except apsw.Error as error:
            raise as_sqlite3(error) from error

    def close(self) -> None:
        with suppress(apsw.Error):  # closing never fails for sqlite3 either
            self._db.close()


def as_sqlite3(error: apsw.Error) -> sqlite3.Error:
    kind = {apsw.ConstraintError: sqlite3.IntegrityError, apsw.NotADBError: sqlite3.DatabaseError}
    out = kind.get(type(error), sqlite3.OperationalError)(str(error))
    out.sqlite_errorcode = error.extendedresult or error.result
    return out
