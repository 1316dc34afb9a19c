"""Readers, while the table writes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from journal_model import TERMS

from companion.journal import Draft, Journal, Reader

NAME = "table.journal"


def roll(game: int, number: int) -> Draft:
    return Draft("rolled", "die:AB12", {"roll": [number % 6 + 1]}, game)


def test_readers_see_every_acknowledged_event_and_whole_groups_only(tmp_path: Path) -> None:
    """Each look is a prefix of what was written, never less than what was acknowledged before it, never half a group."""
    path, acknowledged, done, faults = tmp_path / NAME, [0], threading.Event(), []

    def look_until_done() -> None:
        try:
            with Reader.open(path) as reader:
                while not done.is_set():
                    least = acknowledged[0]
                    sequences = [entry.sequence for entry in reader.events(1)]
                    assert sequences == list(range(1, len(sequences) + 1))
                    assert len(sequences) >= least
                    assert len(sequences) % 3 == 0
        except BaseException as fault:
            faults.append(fault)

    with Journal.open(path) as journal:
        game = journal.start_game(TERMS)
        readers = [threading.Thread(target=look_until_done) for _ in range(3)]
        for reader in readers:
            reader.start()
        for number in range(200):
            receipt = journal.append_all([roll(game, number + i) for i in range(3)])
            assert receipt.durable
            acknowledged[0] = receipt.sequence
        done.set()
        for reader in readers:
            reader.join()
    assert faults == []


def test_another_process_reads_while_the_table_writes(tmp_path: Path) -> None:
    count = "import sys; from companion.journal import Reader; print(len(Reader.open(sys.argv[1]).events(1)))"
    with Journal.open(tmp_path / NAME) as journal:
        game = journal.start_game(TERMS)
        for number in range(1, 4):
            journal.append(roll(game, number))
            told = subprocess.run([sys.executable, "-c", count, tmp_path / NAME], capture_output=True, text=True, check=True)
            assert int(told.stdout) == number


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    Journal.open(tmp_path / NAME).close()
    with Reader.open(tmp_path / NAME) as reader:
        for statement in ("DELETE FROM events", "PRAGMA user_version=9", "DROP TABLE games", "PRAGMA journal_mode=DELETE"):
            with pytest.raises(sqlite3.OperationalError):
                reader._db.execute(statement)
        reader._db.execute("PRAGMA query_only=OFF")
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader._db.execute("DELETE FROM boots")


def test_a_reader_that_stays_in_the_middle_of_reading_does_not_stop_the_table(tmp_path: Path) -> None:
    with Journal.open(tmp_path / NAME) as journal:
        game = journal.start_game(TERMS)
        journal.append(roll(game, 1))
        with Reader.open(tmp_path / NAME) as reader:
            reader._db.execute("BEGIN")
            assert len(reader.events(game)) == 1
            for number in range(50):
                assert journal.append(roll(game, number)).durable
            assert len(reader.events(game)) == 1  # what it saw when it began
            reader._db.execute("COMMIT")
            assert len(reader.events(game)) == 51


def test_the_table_starts_and_saves_while_somebody_is_in_the_middle_of_reading(tmp_path: Path) -> None:
    path = tmp_path / NAME
    Journal.open(path).close()
    with Reader.open(path) as reader:
        reader._db.execute("BEGIN")
        assert reader.games() == []
        with Journal.open(path) as journal:
            assert journal.append(roll(journal.start_game(TERMS), 1)).durable
        reader._db.execute("COMMIT")
        assert len(reader.games()) == 1
