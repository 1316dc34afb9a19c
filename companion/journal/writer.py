"""The one connection that writes the journal's file, and the queue of what it could not write yet.

Whatever is to be written goes through the queue, in groups. A group is written as a whole or not at all, and the queue only ever
empties from the front. After an error the disk may have more than we know, or less than its cache says (a failed sync is not
repaired by a later one that succeeds). So the file is then opened anew, its log is moved into it and begun afresh, and only what
is committed after that counts as saved.
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
from companion.journal.records import Boot, Entry, JournalUnavailable, Reopened, Row
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
        self._boot: Boot | None = None
        self._saved = 0  # the last sequence known to be in the file

    def look(self) -> Counters:
        """What the file has. On a disk that cannot be written, reading it will do."""
        with suppress(*file.FAULTS):
            self._attach()
        last = self._stored().counters()
        self._saved = last.sequence
        return last

    def begin(self, boot: Boot) -> None:
        self.save(boot)
        self._boot = boot

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
            if isinstance(fault, sqlite3.Error) and file.code_of(fault) not in _HARMLESS:
                self._detach()

    def waiting(self) -> Iterator[Row]:
        return (row for group in self._queue for row in group)

    def read(self, ask: Callable[[Stored], _T]) -> _T:
        """Ask the file; what waits is not in the answer."""
        try:
            return ask(self._stored())
        except file.FAULTS as fault:
            raise JournalUnavailable(f"The journal cannot be read: {file.explain(fault, self._path)}.") from fault

    def close(self) -> None:
        self._detach()
        self._close_view()
        if self._lock is not None:
            self._lock.release()

    def _attach(self) -> schema.Connection:
        if self._db is not None:
            return self._db
        if self._path is None or self._lock is None:
            raise JournalUnavailable("this table has no journal")
        if self._place is None:
            file.make_folder(self._path.parent)
        self._lock.acquire()
        db, notices = file.open_for_writing(self._path, self._connect, begin=self._place is None)
        self.notices += notices
        try:
            self._begin_log_afresh(db)
            self._place = _place(self._path)
            if self._boot is not None:
                self._write(db, (self._boot, Reopened(self._boot.number)))
        except BaseException:
            _close(db)
            raise
        self._db = db
        self._close_view()
        return db

    def _begin_log_afresh(self, db: schema.Connection) -> None:
        """Move the log into the file. What a killed program left there was perhaps never synced: from here on it is."""
        if Stored(db).counters().sequence < self._saved:
            raise JournalUnavailable("an older file has taken its place; put the right one back")
        busy, frames, moved = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if self._boot is not None and (busy or moved < frames):
            raise JournalUnavailable("another program is reading it and must end first")

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
        if _place(self._path) != self._place:
            raise FileNotFoundError(errno.ENOENT, "the file was moved or deleted", str(self._path))
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
            return Stored(self._db)
        if self._view is None:
            self._view = self._open_view()
        return Stored(self._view.db)

    def _open_view(self) -> file.View:
        if self._path is None:
            return file.View(schema.empty())
        if self._place is not None:
            _place(self._path)  # raises if the file is gone
        try:
            return file.view(self._path, self._connect)
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
