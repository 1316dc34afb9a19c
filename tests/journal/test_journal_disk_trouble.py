"""Disk full, read-only, I/O errors: the game goes on, nothing acknowledged is lost, and it is all written later."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from journal_model import TERMS, Model, digest, facts, night
from power_cuts import NAME, break_off, fault_of, folder
from simulated_disk import SimulatedDisk, cut_power, disk_full, io_error, read_only

from companion.journal import Draft, Journal, Reader, file

TROUBLES = {
    "full": disk_full,
    "write error": io_error,
    "sync error": lambda: io_error(apsw.SQLITE_IOERR_FSYNC),
    "read-only": read_only,
}


@pytest.fixture
def disk(tmp_path: Path) -> SimulatedDisk:
    return SimulatedDisk(tmp_path)


def roll(game: int | None = None, face: int = 5) -> Draft:
    return Draft("rolled", "die:AB12", {"roll": [face]}, game)


def broken(make: Callable[[], apsw.Error]) -> Callable[[str, str], apsw.Error]:
    return lambda kind, name: make()


def healthy(kind: str, name: str) -> None:
    return None


@pytest.mark.parametrize("trouble", TROUBLES)
def test_the_game_goes_on_and_all_is_saved_in_order_when_the_trouble_is_over(
    tmp_path: Path, disk: SimulatedDisk, trouble: str
) -> None:
    journal, model = Journal.open(tmp_path / NAME, disk.connect), Model()
    for number, step in enumerate(night(120, seed=3)):
        disk.fail = broken(TROUBLES[trouble]) if number % 40 >= 20 else healthy
        step(journal)
        step(model)
        assert facts(journal) == model.facts()
        assert bool(journal.trouble) == (number % 40 >= 20)
    disk.fail = healthy
    assert journal.close().durable
    with Reader.open(tmp_path / NAME) as reader:
        assert facts(reader) == model.facts()
        assert reader.damage() == ""


def test_a_receipt_tells_what_waits_and_what_was_rescued(tmp_path: Path, disk: SimulatedDisk) -> None:
    journal = Journal.open(tmp_path / NAME, disk.connect)
    assert journal.append(roll()).durable
    disk.fail = broken(disk_full)
    for waiting in (1, 2, 3):
        receipt = journal.append(roll())
        assert (receipt.durable, receipt.waiting, receipt.sequence) == (False, waiting, waiting + 1)
        assert receipt.trouble.startswith("Not saved: the disk is full; free some space.")
        assert f"{waiting} event" in receipt.trouble
    disk.fail = healthy
    receipt = journal.append(roll())
    assert (receipt.durable, receipt.trouble, receipt.waiting, receipt.rescued) == (True, "", 0, 3)
    assert journal.retry().rescued == 0
    journal.close()


def test_what_is_kept_in_memory_cannot_be_changed_from_outside(tmp_path: Path, disk: SimulatedDisk) -> None:
    journal = Journal.open(tmp_path / NAME, disk.connect)
    disk.fail = broken(disk_full)
    body = {"roll": [1]}
    journal.append(Draft("rolled", "die:AB12", body))
    body["roll"][0] = 6
    disk.fail = healthy
    assert journal.close().durable
    with Reader.open(tmp_path / NAME) as reader:
        assert reader.all_events()[0].body == {"roll": [1]}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_it_starts_on_a_broken_disk_and_is_saved_later(tmp_path: Path, disk: SimulatedDisk, trouble: str) -> None:
    """Both the first start of all, and one that finds games."""
    model = Model()
    for _ in range(2):
        disk.fail = broken(TROUBLES[trouble])
        journal = Journal.open(tmp_path / NAME, disk.connect)
        assert journal.trouble
        assert facts(journal) == model.facts()
        for to in (journal, model):
            game = to.start_game(TERMS)
            to.append(roll(game))
        disk.fail = healthy
        assert journal.retry().durable
        assert facts(journal) == model.facts()
        journal.close()


@pytest.mark.slow
@pytest.mark.parametrize("trouble", TROUBLES)
def test_an_error_in_any_single_operation_loses_and_doubles_nothing(trouble: str) -> None:
    """From the first byte of a new file to the last sync: each write, sync, truncation and deletion fails once, in turn."""
    steps, at = 25, 0
    while fails_once(steps, at, TROUBLES[trouble]):
        at += 1
    assert at > 100


def fails_once(steps: int, at: int, make: Callable[[], apsw.Error]) -> bool:
    """An evening in which the operation with this number fails. Tells whether there was one."""
    happened = 0

    def fail(kind: str, name: str) -> apsw.Error | None:
        nonlocal happened
        happened += 1
        return make() if happened == at + 1 else None

    with folder() as place:
        disk, model = SimulatedDisk(place), Model()
        disk.fail, disk.on_connect = fail, checkpoint_very_often
        journal = Journal.open(place / NAME, disk.connect)
        for step in night(steps, seed=at):
            step(journal)
            step(model)
        assert journal.retry().durable, journal.trouble
        assert facts(journal) == model.facts()
        journal.close()
        with Reader.open(place / NAME) as reader:
            assert facts(reader) == model.facts()
            assert reader.damage() == ""
    return happened > at


def checkpoint_very_often(db: Any) -> Any:
    db.execute("PRAGMA wal_autocheckpoint=8")
    return db


def cuts_after_failed_syncs(cuts: int, monkeypatch: pytest.MonkeyPatch, renew: bool) -> int:
    """How many power cuts do harm in evenings in which one sync in six fails, and what it should have synced never is; and in
    which the program is killed now and then, so that the next one finds in the cache what is not on the disk."""
    harmed, evenings = 0, 8
    for seed in range(evenings):
        rnd = random.Random(seed)
        with folder() as place, monkeypatch.context() as patch:
            disk = SimulatedDisk(place)
            patch.setattr(file, "renew_log", disk.renew_log if renew else lambda path: None)
            moments = evening_with_failing_syncs(place, disk, rnd)
        with folder() as place:
            ends = cut_power(disk.log, cuts // evenings, rnd)
            harmed += sum(bool(fault_of(cut, moments, place, go_on=True)) for cut in ends)
    return harmed


def evening_with_failing_syncs(place: Path, disk: SimulatedDisk, rnd: random.Random) -> dict[str, int]:
    """The moments of it, by what the journal then held. What a start finds counts as acknowledged: it is told to the players."""
    model = Model()
    disk.on_connect = checkpoint_very_often
    sync_error = io_error(apsw.SQLITE_IOERR_FSYNC)
    moments = {digest(model.facts()): 0}
    journal = Journal.open(place / NAME, disk.connect)
    disk.fail = lambda kind, name: sync_error if kind == "sync" and rnd.random() < 1 / 6 else None
    for moment in range(1, 120):
        draft = Draft("rolled", "die:AB12", {"roll": [5], "moment": moment, "pad": "x" * rnd.randint(0, 900)})
        durable = journal.append(draft).durable
        model.append(draft)
        moments[digest(model.facts())] = moment
        if durable:
            disk.acknowledge(moment)
        elif rnd.random() < 0.2:
            break_off(journal, disk, place)
            journal = Journal.open(place / NAME, disk.connect)
            found = facts(journal)
            assert digest(found) in moments
            del model.events[len(found["events"]) :]
            assert found == model.facts()
            moments[digest(found)] = moment
            if not journal.trouble:
                disk.acknowledge(moment)
    disk.fail = healthy
    assert journal.close().durable
    return moments


@pytest.mark.slow
def test_power_cuts_after_failed_syncs_and_kills_lose_nothing_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cuts_after_failed_syncs(1600, monkeypatch, renew=True) == 0


@pytest.mark.slow
def test_trusting_the_log_after_a_failed_sync_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cuts_after_failed_syncs(400, monkeypatch, renew=False) > 0
