"""Cuts the power under a journal again and again, and tells what was lost."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from apsw_connection import ApswConnection
from journal_model import Model, digest, facts, night
from simulated_disk import Cut, Op, SimulatedDisk, cut_power

from companion.journal import Draft, Journal, JournalUnavailable

NAME = "table.journal"


class Tally(NamedTuple):
    cuts: int
    lost: int  # something acknowledged was missing
    corrupt: int  # the file was unusable, or held what no moment of the evening held
    example: str = ""

    def __str__(self) -> str:
        return f"{self.cuts} power cuts: {self.lost} lost something acknowledged, {self.corrupt} corrupt. {self.example}"


def cut_and_count(cuts: int, seed: int, steps: int, mutate: Callable[[Any], Any] = lambda db: db) -> Tally:
    """Writes an evening, cuts the power at so many points of it, and opens what each cut left as the table would."""
    rnd = random.Random(seed)
    with folder() as recorded:
        log, moments = record(recorded, steps, seed, mutate)
    lost = corrupt = 0
    example = ""
    with folder() as place:
        for number, cut in enumerate(cut_power(log, cuts, rnd)):
            fault = fault_of(cut, moments, place, go_on=number % 10 == 0)
            lost += fault.startswith("lost")
            corrupt += fault.startswith("corrupt")
            example = example or (f"{fault} {cut.where}" if fault else "")
    return Tally(cuts, lost, corrupt, example)


def record(place: Path, steps: int, seed: int, mutate: Callable[[Any], Any]) -> tuple[list[Op], dict[str, int]]:
    """What the disk saw of an evening in three sittings, and each moment of that evening by its digest. The first sitting ends
    well, the second is broken off, the third is the one that finds what is left."""
    disk, model = SimulatedDisk(place), Model()
    disk.on_connect = lambda db: mutate(checkpoint_often(db))
    moments = {digest(model.facts()): 0}
    journal = Journal.open(place / NAME, disk.connect)
    for done, step in enumerate(night(steps, seed), 1):
        step(journal)
        step(model)
        moments[digest(model.facts())] = done
        if not journal.trouble:
            disk.acknowledge(done)
        if done in (steps // 3, steps * 2 // 3):
            assert facts(journal) == model.facts()
            if done == steps // 3:
                journal.close()
            else:
                break_off(journal, disk, place)
            journal = Journal.open(place / NAME, disk.connect)
    journal.close()
    return disk.log, moments


def break_off(journal: Journal, disk: SimulatedDisk, place: Path) -> None:
    """As if the program had been killed: the files stay as they are, with their log, and the lock goes."""
    happened = len(disk.log)
    with folder() as aside:
        shutil.copytree(place, aside, dirs_exist_ok=True)
        journal.close()
        for file in place.iterdir():
            file.unlink()
        shutil.copytree(aside, place, dirs_exist_ok=True)
    del disk.log[happened:]


def checkpoint_often(db: ApswConnection) -> ApswConnection:
    """So that an evening has many checkpoints to be cut in."""
    db.execute("PRAGMA wal_autocheckpoint=40")
    return db


def fault_of(cut: Cut, moments: dict[str, int], place: Path, go_on: bool) -> str:
    for old in place.iterdir():
        old.unlink()
    for name, content in cut.files.items():
        (place / name).write_bytes(content)
    try:
        journal = Journal.open(place / NAME)
    except JournalUnavailable as fault:
        return f"corrupt: {fault}"
    with journal:
        if any("kept as" in notice for notice in journal.notices):
            return f"corrupt: {journal.notices}"
        found = moments.get(digest(facts(journal)))
        if found is None:
            return "corrupt: what is left is no moment of the evening"
        if found < cut.acknowledged:
            return f"lost: {cut.acknowledged} were acknowledged, {found} are left"
        if go_on and not journal.append(Draft("rolled", "die:AB12", {"roll": [6]})).durable:
            return f"corrupt: it does not go on ({journal.trouble})"
    return ""


class NotSynced:
    """Mutant: the log is not synced at every commit."""

    def __init__(self, db: ApswConnection) -> None:
        self._db = db
        self.close = db.close

    def execute(self, sql: str, values: Any = (), /) -> Any:
        return self._db.execute(sql.replace("synchronous=FULL", "synchronous=NORMAL"), values)


class AcknowledgedEarly:
    """Mutant: a commit is only done with the next statement, so that the receipt comes before it."""

    def __init__(self, db: ApswConnection) -> None:
        self._db = db
        self._owed = False

    def execute(self, sql: str, values: Any = (), /) -> Any:
        self._pay()
        if sql == "COMMIT":
            self._owed = True
            return None
        return self._db.execute(sql, values)

    def close(self) -> None:
        self._pay()
        self._db.close()

    def _pay(self) -> None:
        if self._owed:
            self._owed = False
            self._db.execute("COMMIT")


@contextmanager
def folder() -> Iterator[Path]:
    """A folder in memory if there is one: what matters here happens above the real disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)
