"""The journal's file: the one who may write it, opening it, setting an unfit one aside, and what disk trouble means in words.

A file is first looked at through a read-only connection, which leaves it and its write-ahead log exactly as they are, so that
an unfit one can be set aside untouched. Only a fit one is opened for writing.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TypeVar

from companion.journal import schema
from companion.journal.records import JournalUnavailable
from companion.journal.schema import Connection, Unfit

_T = TypeVar("_T")
Connect = Callable[[Path, str], Connection]
"""Opens a path in SQLite's mode `ro`, `rw` or `rwc`, in autocommit. Tests put their own under the journal."""

SIDECARS = ("-wal", "-shm", "-journal")
FAULTS = (sqlite3.Error, OSError)
"""What a disk in trouble raises."""

_ROOM = 32 * 1024  # bytes that SQLite takes beside the file, and calls an I/O error if they are not there
_WAIT_FOR_LOCK = 1.0  # seconds; only a foreign program can make us wait
_ENVIRONMENT = {
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOLFS,
}  # fmt: skip


def connect(path: Path, mode: str) -> Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=_WAIT_FOR_LOCK,
        check_same_thread=False,
    )


class Lock:
    """Only one journal writes a file. The lock goes with its process, however that ends, and children do not inherit it."""

    _here: set[Path] = set()  # the system's lock is per process, so this process keeps its own list

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + ".lock")
        self._file: int | None = None

    def acquire(self) -> None:
        if self._file is not None:
            return
        if self._path.resolve() in self._here:
            raise JournalUnavailable("this program has it open already; close it first")
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            os.close(file)
            if fault.errno in (errno.EACCES, errno.EAGAIN):
                raise JournalUnavailable("another table is using it; close that one or choose another path") from fault
            raise
        self._file = file
        self._here.add(self._path.resolve())

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
            self._here.discard(self._path.resolve())


def open_for_writing(path: Path, connect: Connect, begin: bool) -> tuple[Connection, list[str]]:
    """The writing connection on a fit and current file, and what to tell. `begin`: an unfit or missing file is begun afresh."""
    notices: list[str] = []
    if not begin:
        path.stat()  # raises if it is gone
    while True:
        try:
            empty = examine(path, connect)
            break
        except Unfit as unfit:
            if not begin:
                raise JournalUnavailable(f"{unfit}; start the table anew, which will set it aside") from unfit
            aside = set_aside(path, unfit.label)
            notices.append(f"The journal {path} cannot be used: {unfit}. It is kept as {aside}; a new one is begun.")
    if empty:
        notices.append(f"The journal {path} was an empty file; a new one is begun in it.")
    renew_log(path)
    db = connect(path, "rwc" if begin else "rw")
    try:
        if (mode := db.execute("PRAGMA journal_mode=WAL").fetchone()[0]) != "wal":
            raise JournalUnavailable(f"this disk cannot hold a write-ahead log (SQLite offers only '{mode}')")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA foreign_keys=ON")
        schema.migrate(db)
    except BaseException:
        db.close()
        raise
    return db, notices


def examine(path: Path, connect: Connect) -> bool:
    """Raises `Unfit`, with the file untouched, if it cannot be the journal. Tells whether it is there but empty."""
    size = _size_of_file(path)
    if size is not None and not _may_write(path):
        raise PermissionError(errno.EACCES, "may not be written", str(path))
    if not size:
        return size is not None
    if _size(path, "-journal"):
        _settle(path, connect)
    db = _diagnosed(lambda: connect(path, "ro"))
    try:
        _diagnosed(lambda: schema.check(db))
    finally:
        db.close()
    return False


def _size_of_file(path: Path) -> int | None:
    """None where there is no file. To be asked before SQLite sees the path, since it deletes the log of an empty file without
    a word; and it takes a file of one byte for empty."""
    try:
        found = path.stat()
    except FileNotFoundError:
        found = None
    if found is not None and not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "something that is not a file"
        raise JournalUnavailable(f"{kind} stands in its place; move it away or choose another path")
    size = None if found is None else found.st_size if found.st_size > 1 else 0
    if not size and _size(path, "-wal"):
        raise Unfit("corrupt", "its write-ahead log has lost the file it belongs to")
    return size


def _settle(path: Path, connect: Connect) -> None:
    """A power cut while the very first page was written leaves a rollback journal, which a reader may not play back."""
    db = connect(path, "rw")
    try:
        _diagnosed(lambda: db.execute("SELECT count(*) FROM sqlite_schema").fetchone())
    finally:
        db.close()


def _diagnosed(look: Callable[[], _T]) -> _T:
    """An error that the disk is not to blame for means that the file is damaged."""
    try:
        return look()
    except sqlite3.Error as fault:
        if code_of(fault) in _ENVIRONMENT:
            raise
        raise Unfit("corrupt", f"it is damaged ({fault})") from fault


def renew_log(path: Path) -> None:
    """Write the log once more as it is, and sync it. SQLite takes what it finds there for committed; but what a killed program
    left was perhaps never synced, and what a failed sync left never will be, for the system believes that it is."""
    if _size(path, "-wal"):
        content = _beside(path, "-wal").read_bytes()
        with _beside(path, "-wal").open("r+b") as log:
            log.write(content)
            log.flush()
            os.fsync(log.fileno())


def set_aside(path: Path, label: str) -> Path:
    """Rename the file with its sidecars to a name that nothing has yet."""
    for number in count(1):
        aside = path.with_name(f"{path.name}.{label}-{number}")
        if not any(_beside(aside, suffix).exists() for suffix in ("", *SIDECARS)):
            break
    # The file first: if we are cut off in between, the next start finds a log without its file, and sets that aside too.
    for suffix in ("", *SIDECARS):
        if _beside(path, suffix).exists():
            _beside(path, suffix).rename(_beside(aside, suffix))
    sync_folder(path.parent)
    return aside


class View:
    """A read-only look at a journal. Where the disk does not even let SQLite read, at a copy of it in memory."""

    def __init__(self, db: Connection, copy: tempfile.TemporaryDirectory[str] | None = None) -> None:
        self.db = db
        self._copy = copy

    def close(self) -> None:
        self.db.close()
        if self._copy is not None:
            self._copy.cleanup()


def view(path: Path, connect: Connect, thorough: bool) -> View:
    """Reading needs a sidecar to be written, and an older version needs to be migrated: a copy does where that cannot be."""
    if not _size_of_file(path):
        return View(schema.empty())
    if not _may_write(path) and not _beside(path, "-wal").exists():
        return _view_of_copy(path, connect)  # SQLite would leave a log beside it that the table may not write
    try:
        return _view_of_file(path, connect, thorough) or _view_of_copy(path, connect)
    except sqlite3.Error as fault:
        try:
            return _view_of_copy(path, connect)
        except FAULTS:
            raise fault from None  # the disk's own trouble tells more than that of the copy


def _view_of_file(path: Path, connect: Connect, thorough: bool) -> View | None:
    db = connect(path, "ro")
    try:
        db.execute("PRAGMA query_only=ON")
        if _diagnosed(lambda: schema.check(db, thorough)) == schema.CURRENT:
            return View(db)
    except BaseException:
        db.close()
        raise
    db.close()
    return None


def _view_of_copy(path: Path, connect: Connect) -> View:
    in_memory = Path("/dev/shm")
    folder = tempfile.TemporaryDirectory(dir=in_memory if os.access(in_memory, os.W_OK) else None)
    try:
        copy = Path(folder.name, "copy")
        for suffix in ("", "-wal", "-journal"):
            if _size(path, suffix):
                shutil.copyfile(_beside(path, suffix), _beside(copy, suffix))
        db = connect(copy, "rwc")
        try:
            _diagnosed(lambda: schema.check(db))
            schema.migrate(db)
            db.execute("PRAGMA query_only=ON")
        except BaseException:
            db.close()
            raise
        return View(db, folder)
    except BaseException:
        folder.cleanup()
        raise


def code_of(fault: BaseException) -> int:
    """SQLite's primary error code; 0 if it has none."""
    return int(getattr(fault, "sqlite_errorcode", 0) or 0) & 0xFF


def explain(fault: BaseException, path: Path | None) -> str:
    """Why the disk did not do it, for people."""
    code, number = code_of(fault), getattr(fault, "errno", None)
    denied = number in (errno.EACCES, errno.EPERM)
    if isinstance(fault, JournalUnavailable | Unfit):
        return str(fault).removesuffix(".")
    if code == sqlite3.SQLITE_FULL or number in (errno.ENOSPC, errno.EDQUOT) or (code and _is_full(path)):
        return "the disk is full; free some space"
    if number == errno.EROFS or ((code or denied) and _is_read_only(path)):
        return "the disk is read-only; make it writable"
    if denied or (code and not _is_allowed(path)):
        return "permission is missing; let this user read and write the file, those beside it and their folder"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "another program holds it; close that one"
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return "it is damaged; export this game, then start the table anew, which will set it aside"
    if isinstance(fault, sqlite3.Error) and not code:
        return "a part of it is damaged and cannot be shown"
    if number == errno.ENOENT:
        return "it was moved, replaced or deleted; put it back, or export this game before you stop"
    return f"the disk reports an error ({fault}); check the disk and its space"


def _is_full(path: Path | None) -> bool:
    disk = _disk(path)
    return disk is not None and disk.f_bavail * disk.f_frsize < _ROOM


def _is_read_only(path: Path | None) -> bool:
    disk = _disk(path)
    return disk is not None and bool(disk.f_flag & os.ST_RDONLY)


def _disk(path: Path | None) -> os.statvfs_result | None:
    try:
        return None if path is None else os.statvfs(path.parent)
    except OSError:
        return None


def _is_allowed(path: Path | None) -> bool:
    if path is None:
        return True
    folder = os.access(path.parent, os.R_OK | os.W_OK | os.X_OK, effective_ids=True)
    files = (_beside(path, suffix) for suffix in ("", *SIDECARS))
    return folder and all(_may_write(file) for file in files if file.exists())


def _may_write(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK, effective_ids=True)


def make_folder(folder: Path) -> None:
    """The folder with its parents, durably: a new name is only on the disk once the folder that holds it is synced."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _size(path: Path, suffix: str) -> int:
    try:
        return _beside(path, suffix).stat().st_size
    except FileNotFoundError:
        return 0
