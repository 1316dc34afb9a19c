"""A disk below SQLite that remembers what was written and what was synced, so that its power can be cut at any point; and that
fails on demand.

A file's bytes are on the disk once it is synced. Of what was written since, any 512-byte sector may or may not have got there;
a new name may not be in its folder yet, and a deleted one may come back, until the folder is synced, which SQLite asks for with
the first sync of a new log or journal. A sync that fails leaves what it should have synced in the cache only, for good: that is
how Linux does it.
"""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import apsw
from apsw_connection import ApswConnection

from companion.journal import file

SECTOR = 512
_serial = count()


class Op(NamedTuple):
    kind: str  # write, truncate, sync, failed sync, delete, ack
    name: str = ""
    at: int = 0  # the offset, the new size, whether the folder is synced, or what is acknowledged
    data: bytes = b""


class SimulatedDisk:
    """`connect` is for `Journal.open`. `log` has all that happened in the folder; `fail(kind, name)` may give an error to be
    raised."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.log: list[Op] = []
        self.fail: Callable[[str, str], apsw.Error | None] = lambda kind, name: None
        self.on_connect: Callable[[ApswConnection], Any] = lambda db: db
        self._vfs = _Vfs(f"simulated-{next(_serial)}", self)

    def connect(self, path: Path, mode: str) -> Any:
        if path.parent != self._folder:
            return file.connect(path, mode)  # another disk
        return self.on_connect(ApswConnection(path, mode, self._vfs.name))

    def renew_log(self, path: Path) -> None:
        """In place of the journal's own, which writes past SQLite: the same, so that this disk sees it."""
        log = path.with_name(path.name + "-wal")
        try:
            if log.exists() and (content := log.read_bytes()):
                self.happen(Op("write", log.name, 0, content))
                self.happen(Op("sync", log.name))
        except apsw.Error as error:
            raise OSError(errno.EIO, str(error)) from error

    def acknowledge(self, done: int) -> None:
        self.log.append(Op("ack", at=done))

    def happen(self, op: Op) -> None:
        error = self.fail(op.kind, op.name)
        if error is None:
            self.log.append(op)
            return
        if op.kind == "sync":
            self.log.append(op._replace(kind="failed sync"))
        raise error


def disk_full() -> apsw.Error:
    return _error(apsw.FullError, apsw.SQLITE_FULL)


def io_error(code: int = apsw.SQLITE_IOERR_WRITE) -> apsw.Error:
    return _error(apsw.IOError, code)


def read_only() -> apsw.Error:
    return _error(apsw.ReadOnlyError, apsw.SQLITE_READONLY)


def _error(kind: type[apsw.Error], code: int) -> apsw.Error:
    error = kind("injected by the test")
    error.result, error.extendedresult = code & 0xFF, code
    return error


class _Vfs(apsw.VFS):
    def __init__(self, name: str, disk: SimulatedDisk) -> None:
        self.name, self._disk = name, disk
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> _File:
        return _File(name, flags, self._disk)

    def xDelete(self, name: str, syncdir: bool) -> None:
        self._disk.happen(Op("delete", os.path.basename(name), int(syncdir)))
        super().xDelete(name, syncdir)


class _File(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int], disk: SimulatedDisk) -> None:
        super().__init__("", name, flags)
        self._disk = disk
        self._name = os.path.basename(name.filename() if isinstance(name, apsw.URIFilename) else name or "temporary")

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.happen(Op("write", self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        self._disk.happen(Op("truncate", self._name, size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        self._disk.happen(Op("sync", self._name))
        super().xSync(flags)


class Cut(NamedTuple):
    """What a power cut leaves: the files, and how much had been acknowledged."""

    files: dict[str, bytes]
    acknowledged: int
    where: str


def cut_power(log: list[Op], cuts: int, rnd: random.Random) -> Iterator[Cut]:
    """So many power cuts at random points of what happened."""
    points = sorted(rnd.choices(range(1, len(log) + 1), k=cuts))
    platter, done = _Platter(rnd), 0
    for number, point in enumerate(points):
        for op in log[done:point]:
            platter.happen(op)
        done = point
        way = _WAYS[number % len(_WAYS)]
        yield Cut(platter.after_cut(way), platter.acknowledged, f"after operation {point} of {len(log)}, {way}")


_WAYS = ("nothing unsynced", "everything unsynced", "some sectors", "some sectors", "a prefix")


class _Platter:
    """What is on the disk for certain, and what may be."""

    def __init__(self, rnd: random.Random) -> None:
        self._rnd = rnd
        self.acknowledged = 0
        self._synced: dict[str, bytearray] = {}
        self._unsynced: dict[str, list[Op]] = {}
        self._named: set[str] = set()  # their names are in the folder for certain
        self._ghosts: dict[str, bytes] = {}  # deleted, but perhaps not for the disk

    def happen(self, op: Op) -> None:
        if op.kind == "ack":
            self.acknowledged = op.at
        elif op.kind in ("write", "truncate"):
            self._synced.setdefault(op.name, bytearray())
            self._unsynced.setdefault(op.name, []).append(op)
        elif op.kind == "failed sync":
            self._unsynced.pop(op.name, None)
        elif op.kind == "sync":
            _apply(self._synced.setdefault(op.name, bytearray()), self._unsynced.pop(op.name, []))
            if op.name not in self._named:
                self._named.add(op.name)
                self._ghosts.clear()
        elif op.kind == "delete":
            content = self._synced.pop(op.name, None)
            self._unsynced.pop(op.name, None)
            if op.at:
                self._ghosts.clear()
            elif content is not None and op.name in self._named:
                self._ghosts[op.name] = bytes(content)
            self._named.discard(op.name)

    def after_cut(self, way: str) -> dict[str, bytes]:
        files: dict[str, bytes] = {}
        for name, synced in self._synced.items():
            if name not in self._named and self._coin():
                continue
            content = bytearray(synced)
            _apply(content, self._survivors(self._unsynced.get(name, []), way))
            files[name] = bytes(content)
        for name, content in self._ghosts.items():
            if name not in files and self._coin():
                files[name] = content
        return files

    def _survivors(self, unsynced: list[Op], way: str) -> Iterable[Op]:
        if way == "nothing unsynced":
            return []
        if way == "everything unsynced":
            return unsynced
        if way == "a prefix":
            return unsynced[: self._rnd.randint(0, len(unsynced))]
        return [sector for op in unsynced for sector in _sectors(op) if self._coin()]

    def _coin(self) -> bool:
        return self._rnd.random() < 0.5


def _sectors(op: Op) -> list[Op]:
    """A write in the pieces that reach the disk each by itself."""
    if op.kind == "truncate":
        return [op]
    pieces, start, end = [], op.at, op.at + len(op.data)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        pieces.append(op._replace(at=start, data=op.data[start - op.at : stop - op.at]))
        start = stop
    return pieces


def _apply(content: bytearray, ops: Iterable[Op]) -> None:
    for op in ops:
        end = op.at + len(op.data) if op.kind == "write" else op.at
        if len(content) < end:
            content.extend(bytes(end - len(content)))
        if op.kind == "write":
            content[op.at : end] = op.data
        else:
            del content[end:]
