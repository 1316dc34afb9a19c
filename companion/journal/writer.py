"""The one connection that writes the journal's file, and the queue of what it could not write yet.

Whatever is to be written goes through the queue, in groups. A group is written as a whole or not at all, and the queue only ever
empties from the front. After an error the disk may have more than we know, or less than its cache says. So the log is then
renewed, the file is opened anew, and what waits is written once more; writing a row twice is harmless.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from companion.journal import file, schema
from companion.journal.reader import Counters, Stored
from companion.journal.records import Entry, JournalUnavailable, Row
from companion.journal.rows import statement

_T = TypeVar("_T")
_TROUBLE = (JournalUnavailable, *file.FAULTS)
_ROWS_AT_ONCE = 100  # in one transaction, when there is much to catch up with
# After these the connection is as good as before.
_HARMLESS = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CONSTRAINT}


class Writer:
    def __init__(self, path: Path | None, connect: file.Connect) -> None:
        self.notices: list[str] = []
        self.trouble = ""
        self._path = path
        self._connect = connect
        self._lock = file.Lock(path) if path else None
        self._db: schema.Connection | None = None
        self._view: file.View | None = None  # to read, while there is no connection to write
        self._place: tuple[int, int] | None = None  # the device and inode of the file that we wrote to
        self._queue: list[tuple[Row, ...]] = []
        self._suspect = False  # the connection had an error after which it may read, but not write
        self._saved = 0  # the last sequence known to be in the file

    def look(self) -> Counters:
        """What the file has. On a disk that cannot be written, reading it will do."""
        if self._path is not None:
            with suppress(*file.FAULTS):
                self._attach()
        last = self._stored().counters()
        self._saved = last.sequence
        return last

    def save(self, *rows: Row) -> None:
        """Write them after all that waits. What cannot be written waits too, and `trouble` says why."""
        if rows:
            self._queue.append(rows)
        if not self._queue:
            return
        try:
            db = self._attach()
            while self._queue:
                batch = self._next_batch()
                self._write(db, (row for group in batch for row in group))
                del self._queue[: len(batch)]
            self.trouble = ""
        except _TROUBLE as fault:
            waiting = sum(isinstance(row, Entry) for row in self.waiting())
            kept = f"{waiting} event{'s' if waiting != 1 else ''} kept in memory until it can be saved"
            self.trouble = f"Not saved: {file.explain(fault, self._path)}. The game goes on; {kept}."
            self._suspect |= isinstance(fault, sqlite3.Error) and file.code_of(fault) not in _HARMLESS

    def waiting(self) -> Iterator[Row]:
        return (row for group in self._queue for row in group)

    def read(self, ask: Callable[[Stored], _T]) -> _T:
        """Ask the file; what waits is not in the answer."""
        try:
            stored = self._stored()
        except file.FAULTS as fault:
            raise JournalUnavailable(f"The journal cannot be read: {file.explain(fault, self._path)}.") from fault
        return ask(stored)

    def close(self) -> None:
        self._detach()
        self._close_view()
        if self._lock is not None:
            self._lock.release()

    def _attach(self) -> schema.Connection:
        if self._db is not None and not self._suspect:
            return self._db
        if self._path is None or self._lock is None:
            raise JournalUnavailable("this table has no journal")
        if first := self._place is None:
            file.make_folder(self._path.parent)
            self._lock.acquire()
        db, notices = file.open_for_writing(self._path, self._connect, begin=first)
        self.notices += notices
        try:
            if Stored(db, self._path).counters().sequence < self._saved:
                raise JournalUnavailable("an older file has taken its place; put the right one back")
            self._place = _place(self._path)
        except BaseException:
            _close(db)
            raise
        # Only now: closing the last connection would move the log into the file, and that may be all there is to read.
        self._detach()
        self._close_view()
        self._db, self._suspect = db, False
        return db

    def _detach(self) -> None:
        if self._db is not None:
            _close(self._db)
            self._db = None

    def _next_batch(self) -> list[tuple[Row, ...]]:
        """The groups at the front of the queue that make one transaction: at least one."""
        rows = 0
        for count, group in enumerate(self._queue):
            rows += len(group)
            if count and rows > _ROWS_AT_ONCE:
                return self._queue[:count]
        return self._queue[:]

    def _write(self, db: schema.Connection, rows: Iterable[Row]) -> None:
        """One transaction: when this returns, it is on the disk."""
        assert self._path is not None
        if _place(self._path) != self._place:  # if it is nowhere, this has raised that
            self._suspect = True
            raise FileNotFoundError(errno.ENOENT, "the file was replaced", str(self._path))
        db.execute("BEGIN IMMEDIATE")
        try:
            saved = self._saved
            for row in rows:
                db.execute(*statement(row))
                if isinstance(row, Entry):
                    saved = row.sequence
            db.execute("COMMIT")
        except BaseException:
            schema.roll_back(db)
            raise
        self._saved = saved

    def _stored(self) -> Stored:
        if self._db is not None:
            return Stored(self._db, self._path)
        if self._view is None:
            self._view = self._open_view()
        return Stored(self._view.db, self._path)

    def _open_view(self) -> file.View:
        if self._path is None:
            return file.View(schema.empty())
        if self._place is not None:
            _place(self._path)  # raises if the file is gone
        try:
            return file.view(self._path, self._connect, thorough=True)
        except schema.Unfit:
            return file.View(schema.empty())  # it will be set aside as soon as the disk lets us

    def _close_view(self) -> None:
        if self._view is not None:
            self._view.close()
            self._view = None


def _place(path: Path) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_dev, found.st_ino


def _close(db: schema.Connection) -> None:
    with suppress(sqlite3.Error):
        db.close()
