"""Real disks that are full, read-only or forbidden."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from journal_model import TERMS, Model, facts

from companion.journal import Draft, Journal, JournalUnavailable, Reader

NAME = "table.journal"


def mount(*arguments: str) -> None:
    run = subprocess.run(["mount", *arguments], capture_output=True, text=True)
    if run.returncode:
        pytest.skip(f"a small disk cannot be mounted here ({run.stderr.strip()}); the limit on file sizes is tested instead")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place))
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place: Path, leave: int = 0) -> Path:
    """Takes all the room there is."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass
    os.truncate(ballast, max(0, ballast.stat().st_size - leave))
    return ballast


def roll(game: int | None, number: int) -> Draft:
    return Draft("rolled", "die:AB12", {"roll": [number % 6 + 1], "pad": "x" * (number * 97 % 1400)}, game)


def test_a_disk_that_is_full_again_and_again_loses_nothing_and_is_written_again_by_itself(small_disk: Path) -> None:
    model, acknowledged, refused, cycles = Model(), 0, 0, 12
    journal = Journal.open(small_disk / NAME)
    game = journal.start_game(TERMS)
    model.start_game(TERMS)
    for cycle in range(cycles):
        ballast = fill(small_disk, leave=cycle * 3000)
        failed = 0
        while failed < 5:
            draft = roll(game, len(model.events))
            receipt = journal.append(draft)
            model.append(draft)
            failed += not receipt.durable
            acknowledged = receipt.sequence if receipt.durable else acknowledged
            if failed:
                assert receipt.trouble.startswith("Not saved: the disk is full; free some space.")
        refused += failed
        assert facts(journal) == model.facts()
        with Reader.open(small_disk / NAME) as reader:
            stored = reader.all_events()
        assert acknowledged <= len(stored) <= len(model.events)
        assert [entry.sequence for entry in stored] == list(range(1, len(stored) + 1))
        ballast.unlink()
        draft = roll(game, len(model.events))
        receipt = journal.append(draft)
        model.append(draft)
        assert (receipt.durable, receipt.waiting) == (True, 0)
        assert receipt.rescued >= 5
        acknowledged = receipt.sequence
    journal.close()
    assert refused >= 5 * cycles
    with Reader.open(small_disk / NAME) as reader:
        assert facts(reader) == model.facts()
        assert reader.damage() == ""


@pytest.mark.parametrize("clean", [True, False])
def test_a_table_starts_on_a_full_disk_and_is_saved_when_there_is_room(small_disk: Path, clean: bool) -> None:
    """Whether it was closed well, or left with a log and not even room for SQLite's shared memory."""
    path, model = small_disk / NAME, Model()
    with Journal.open(path) as journal:
        for to in (journal, model):
            to.start_game(TERMS)
            to.append(roll(1, 5))
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{path}.left{suffix}")
    if not clean:
        for suffix in ("", "-wal"):
            shutil.move(f"{path}.left{suffix}", f"{path}{suffix}")
    ballast = fill(small_disk)
    with Journal.open(path) as journal:
        assert journal.trouble.startswith("Not saved: the disk is full")
        assert facts(journal) == model.facts()
        journal.append(roll(1, 6))
        model.append(roll(1, 6))
        ballast.unlink()
        assert journal.retry().durable
        assert facts(journal) == model.facts()


def test_the_very_first_start_may_be_on_a_full_disk(small_disk: Path) -> None:
    ballast = fill(small_disk)
    with Journal.open(small_disk / NAME) as journal:
        game = journal.start_game(TERMS)
        assert not journal.append(roll(game, 1)).durable
        ballast.unlink()
        assert journal.append(roll(game, 2)).durable
        assert journal.notices in ([], [f"The journal {small_disk / NAME} was an empty file; a new one is begun in it."])
    with Reader.open(small_disk / NAME) as reader:
        assert len(reader.events(game)) == 2


def test_a_limit_on_the_size_of_files_is_outlasted_like_a_full_disk(tmp_path: Path) -> None:
    """Needs no right to mount anything."""
    model = Model()
    with Journal.open(tmp_path / NAME) as journal:
        for to in (journal, model):
            to.start_game(TERMS)
        for _ in range(4):
            with file_size_limit((tmp_path / f"{NAME}-wal").stat().st_size + 20_000):
                failed = 0
                while failed < 5:
                    draft = roll(1, len(model.events))
                    failed += not journal.append(draft).durable
                    model.append(draft)
                    assert facts(journal) == model.facts()
            assert journal.retry().durable
    with Reader.open(tmp_path / NAME) as reader:
        assert facts(reader) == model.facts()


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("begun", [True, False])
def test_a_table_starts_on_a_read_only_disk_and_is_saved_when_it_can_be_written(small_disk: Path, begun: bool) -> None:
    path, model = small_disk / NAME, Model()
    if begun:
        with Journal.open(path) as journal:
            for to in (journal, model):
                to.start_game(TERMS)
                to.append(roll(1, 5))
    mount("-o", "remount,ro", str(small_disk))
    with Journal.open(path) as journal:
        assert journal.trouble.startswith("Not saved: the disk is read-only; make it writable.")
        assert facts(journal) == model.facts()
        for to in (journal, model):
            game = to.start_game(TERMS)
            to.append(roll(game, 6))
        assert facts(journal) == model.facts()
        mount("-o", "remount,rw", str(small_disk))
        assert journal.retry().durable
    with Reader.open(path) as reader:
        assert facts(reader) == model.facts()


def test_a_reader_reads_a_read_only_disk(small_disk: Path) -> None:
    path = small_disk / NAME
    with Journal.open(path) as journal:
        journal.append(roll(None, 5))
        for suffix in ("", "-wal"):  # one that was left with its log, too
            shutil.copy(f"{path}{suffix}", f"{path}.left{suffix}")
    mount("-o", "remount,ro", str(small_disk))
    for name in (NAME, f"{NAME}.left"):
        with Reader.open(small_disk / name) as reader:
            assert [entry.body["roll"] for entry in reader.all_events()] == [[6]]


def test_a_damaged_file_on_a_read_only_disk_waits_to_be_set_aside(small_disk: Path) -> None:
    path = small_disk / NAME
    path.write_text("not a database " * 100)
    mount("-o", "remount,ro", str(small_disk))
    with Journal.open(path) as journal:
        assert not journal.append(roll(None, 1)).durable
        mount("-o", "remount,rw", str(small_disk))
        assert journal.append(roll(None, 2)).durable
        assert [notice.split("It is kept as ")[1] for notice in journal.notices] == [f"{path}.corrupt-1; a new one is begun."]
    assert (small_disk / f"{NAME}.corrupt-1").read_text() == "not a database " * 100


# Permissions: root may do everything, so these run as somebody else.


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder of a user without rights, and being that user."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    if os.geteuid():
        yield folder
    else:
        os.chown(folder, 65534, 65534)
        os.seteuid(65534)
        try:
            yield folder
        finally:
            os.seteuid(0)
    shutil.rmtree(folder)


@contextmanager
def mode(path: Path, bits: int) -> Iterator[None]:
    before = path.stat().st_mode
    path.chmod(bits)
    try:
        yield
    finally:
        path.chmod(before)


def test_a_file_that_may_not_be_read_is_named_with_what_to_do(as_nobody: Path) -> None:
    path = as_nobody / NAME
    Journal.open(path).close()
    for opened in (Journal.open, Reader.open):
        with mode(path, 0), pytest.raises(JournalUnavailable, match="permission is missing; let this user read and write"):
            opened(path)
    with Journal.open(path) as journal:
        assert journal.append(roll(None, 1)).durable


def test_a_folder_that_may_not_be_entered_is_named_with_what_to_do(as_nobody: Path) -> None:
    path = as_nobody / "closed" / NAME
    path.parent.mkdir()
    with mode(path.parent, 0), pytest.raises(JournalUnavailable, match="permission is missing; let this user read and write"):
        Journal.open(path)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_where_only_reading_is_allowed_the_game_goes_on_unsaved(as_nobody: Path, what: str) -> None:
    path = as_nobody / "mine" / NAME
    with Journal.open(path) as journal:
        game = journal.start_game(TERMS)
        journal.append(roll(game, 1))
    target, bits = (path, 0o444) if what == "file" else (path.parent, 0o555)
    with mode(target, bits):
        journal = Journal.open(path)
        receipt = journal.append(roll(game, 2))
        assert not receipt.durable
        assert "permission is missing" in receipt.trouble
        assert len(journal.events(game)) == 2
        with Reader.open(path) as reader:
            assert len(reader.events(game)) == 1
    assert journal.close().durable
    with Reader.open(path) as reader:
        assert len(reader.events(game)) == 2
