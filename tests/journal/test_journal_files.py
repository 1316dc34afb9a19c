"""Files that are old, damaged, newer, foreign, or no files at all."""

from __future__ import annotations

import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from journal_model import TERMS, Model, facts, night
from simulated_disk import SimulatedDisk, disk_full

from companion.journal import Draft, Journal, JournalUnavailable, Reader, schema

NAME = "table.journal"
ROLL = Draft("rolled", "die:AB12", {"roll": [5]})


def written(path: Path, steps: int = 40) -> Model:
    """A journal of an evening, closed."""
    model = Model()
    with Journal.open(path) as journal:
        for step in night(steps, seed=5):
            step(journal)
            step(model)
    return model


def left_with_log(path: Path) -> Model:
    """A journal as a killed program leaves it, most of it in its log."""
    model = Model()
    with Journal.open(path.with_name("source")) as journal:
        for step in night(40, seed=5):
            step(journal)
            step(model)
        for suffix in ("", "-wal", "-shm"):
            shutil.copy(f"{journal.path}{suffix}", f"{path}{suffix}")
    return model


def begun_afresh(path: Path, kind: str) -> Path:
    """Opens what is unfit; gives the name it is kept under, which the notice tells."""
    with Journal.open(path) as journal:
        (notice,) = journal.notices
        assert journal.games() == []
        assert journal.append(ROLL).durable
    match = re.search(rf"It is kept as (\S+\.{kind}-\d+); a new one is begun\.$", notice)
    assert match, notice
    return Path(match[1])


def tampered(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


# Older


def test_a_file_that_was_only_begun_is_finished(tmp_path: Path) -> None:
    path = tmp_path / NAME
    tampered(path, "PRAGMA journal_mode=WAL", "CREATE TABLE x (y)", "DROP TABLE x")
    with Journal.open(path) as journal:
        assert journal.notices == []
        assert journal.append(ROLL).durable


def test_a_file_of_version_1_is_brought_forward_with_all_that_it_holds(tmp_path: Path) -> None:
    path = tmp_path / NAME
    made_by_version_1(path)
    with Journal.open(path) as journal:
        assert journal.notices == []
        assert journal.game(1).outcome == {"winners": ["Red"]}
        assert [entry.body for entry in journal.events(1)] == [{"roll": [4]}]
        journal.keep_house_rule("siege", "SG-4", "strict")
        assert journal.append(ROLL).sequence == 2
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (schema.CURRENT,)
    db.close()


def test_a_reader_shows_a_file_of_version_1_without_changing_it(tmp_path: Path) -> None:
    path = tmp_path / NAME
    made_by_version_1(path)
    before = path.read_bytes()
    with Reader.open(path) as reader:
        assert [entry.body for entry in reader.events(1)] == [{"roll": [4]}]
        assert reader.house_rules("siege") == {}
    assert path.read_bytes() == before


def made_by_version_1(path: Path) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    schema.migrate(db, to=1)
    db.execute("INSERT INTO boots VALUES (1, 'b', 'yesterday')")
    db.execute("""INSERT INTO games VALUES (1, 'g', 'siege', 'yesterday', '{"game":"siege"}', 'finished',
        '{"winners":["Red"]}', 0)""")
    db.execute("""INSERT INTO events VALUES (1, 1, 1, 1, 0, 'yesterday', 'die:AB12', 'rolled', '{"roll":[4]}', NULL, NULL)""")
    assert not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'house_rules'").fetchall()
    db.close()


def test_a_step_forward_that_fails_halfway_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / NAME
    made_by_version_1(path)
    disk = SimulatedDisk(tmp_path)
    disk.fail = lambda kind, name: disk_full() if kind == "write" and name == f"{NAME}-wal" else None
    with Journal.open(path, disk.connect) as journal:
        assert journal.trouble.startswith("Not saved: the disk is full")
        assert [entry.body for entry in journal.events(1)] == [{"roll": [4]}]
        assert journal.house_rules("siege") == {}
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    db.close()
    with Journal.open(path) as journal:
        assert not journal.trouble
        assert [entry.body for entry in journal.events(1)] == [{"roll": [4]}]


# Damaged


def test_random_bytes_are_set_aside_untouched(tmp_path: Path) -> None:
    path = tmp_path / NAME
    rubbish = random.Random(1).randbytes(50_000)
    path.write_bytes(rubbish)
    assert begun_afresh(path, "corrupt").read_bytes() == rubbish


def test_a_text_is_set_aside_untouched(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_text("Shopping: milk, dice.\n")
    assert begun_afresh(path, "corrupt").read_text() == "Shopping: milk, dice.\n"


def test_a_second_damaged_file_never_takes_the_place_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / NAME
    for number in (1, 2, 3):
        path.write_text(f"damage {number}")
        for suffix in ("-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        assert begun_afresh(path, "corrupt").name == f"{NAME}.corrupt-{number}"
    assert [(tmp_path / f"{NAME}.corrupt-{number}").read_text() for number in (1, 2, 3)] == [
        "damage 1", "damage 2", "damage 3",
    ]  # fmt: skip


@pytest.mark.parametrize("content", [b"", b"\0"])
def test_an_empty_file_is_begun_in_with_a_word_about_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / NAME
    path.write_bytes(content)
    with Journal.open(path) as journal:
        assert journal.notices == [f"The journal {path} was an empty file; a new one is begun in it."]
        assert journal.append(ROLL).durable


@pytest.mark.parametrize("left", [b"", b"S", None])
def test_a_log_that_lost_its_file_is_set_aside_not_deleted(tmp_path: Path, left: bytes | None) -> None:
    path = tmp_path / NAME
    left_with_log(path)
    log = Path(f"{path}-wal").read_bytes()
    path.unlink()
    if left is not None:
        path.write_bytes(left)
    aside = begun_afresh(path, "corrupt")
    assert log
    assert Path(f"{aside}-wal").read_bytes() == log


@pytest.mark.parametrize("cut", [2, 50, 99, 100, 511, 1000, 4095, 4096, 8192, 12_288, 20_000])
def test_a_truncated_file_is_set_aside_with_what_is_left_of_it(tmp_path: Path, cut: int) -> None:
    path = tmp_path / NAME
    written(path)
    whole = path.read_bytes()
    assert len(whole) > cut
    path.write_bytes(whole[:cut])
    assert begun_afresh(path, "corrupt").read_bytes() == whole[:cut]


@pytest.mark.slow
def test_a_page_of_rubbish_anywhere_never_crashes_and_is_never_lost(tmp_path: Path) -> None:
    """Rubbish may fall where it does no harm; then the journal goes on as it is. Else it is set aside."""
    source = tmp_path / "source"
    written(source)
    whole, rnd, aside = source.read_bytes(), random.Random(2), 0
    for number in range(60):
        path = tmp_path / f"damaged{number}"
        start = rnd.randrange(0, len(whole) - 512)
        damaged = whole[:start] + rnd.randbytes(512) + whole[start + 512 :]
        path.write_bytes(damaged)
        with Journal.open(path) as journal:
            with suppress(JournalUnavailable):  # a rotten row
                journal.all_events()
            assert journal.append(ROLL).durable
            if journal.notices:
                aside += 1
                assert Path(f"{path}.corrupt-1").read_bytes() == damaged
    assert 5 < aside < 60


def test_a_damaged_file_is_set_aside_with_its_log_untouched(tmp_path: Path) -> None:
    path = tmp_path / NAME
    left_with_log(path)
    damaged = path.read_bytes()[:100] + os.urandom(3996)
    path.write_bytes(damaged)
    log = bytearray(Path(f"{path}-wal").read_bytes())
    del log[32 + 4120 * 3 :]  # so that the log does not mend the page
    Path(f"{path}-wal").write_bytes(log)
    aside = begun_afresh(path, "corrupt")
    assert aside.read_bytes() == damaged
    assert Path(f"{aside}-wal").read_bytes() == log


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE house_rules",
        "ALTER TABLE events ADD COLUMN more TEXT",
        "CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM events; END",
        "CREATE VIEW evil AS SELECT * FROM events",
        "PRAGMA user_version=-3",
        "PRAGMA user_version=1",
    ],
)
def test_a_file_with_other_tables_than_ours_is_set_aside(tmp_path: Path, statement: str) -> None:
    path = tmp_path / NAME
    written(path)
    tampered(path, statement)
    begun_afresh(path, "corrupt")


@pytest.mark.parametrize("rot", ["'{'", "CAST(x'7b22ff227d' AS TEXT)"])
def test_a_rotten_row_spoils_its_game_but_no_other(tmp_path: Path, rot: str) -> None:
    path = tmp_path / NAME
    with Journal.open(path) as journal:
        for game in (journal.start_game(TERMS), journal.start_game(TERMS)):
            journal.append(Draft("rolled", "die:AB12", {"roll": [5]}, game))
    tampered(path, f"UPDATE events SET body = {rot} WHERE game = 1")
    with Journal.open(path) as journal:
        assert journal.notices == []
        assert len(journal.games()) == 2
        assert journal.events(2)[0].body == {"roll": [5]}
        with pytest.raises(JournalUnavailable, match=r"The journal cannot be read: .*damaged"):
            journal.events(1)
        assert journal.append(ROLL).durable
    with Reader.open(path) as reader:
        assert "damaged" in reader.damage()


# Newer and foreign


def test_a_file_of_a_newer_version_is_set_aside_with_its_log_untouched(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with Journal.open(path.with_name("source")) as journal:
        journal.append(ROLL)
        tampered(journal.path, f"PRAGMA user_version={schema.CURRENT + 7}")
        for suffix in ("", "-wal"):
            shutil.copy(f"{journal.path}{suffix}", f"{path}{suffix}")
    before = [Path(f"{path}{suffix}").read_bytes() for suffix in ("", "-wal")]
    aside = begun_afresh(path, "newer")
    assert [Path(f"{aside}{suffix}").read_bytes() for suffix in ("", "-wal")] == before
    with pytest.raises(JournalUnavailable, match=f"written by a newer version .its format is {schema.CURRENT + 7}"):
        Reader.open(aside)


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / NAME
    tampered(path, "CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    with pytest.raises(JournalUnavailable, match="a database of another program; choose another path"):
        Journal.open(path)
    assert path.read_bytes() == before


# No files


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    for opened in (Journal.open, Reader.open):
        with pytest.raises(JournalUnavailable, match="a folder stands in its place; move it away or choose another path"):
            opened(tmp_path / NAME)
    assert (tmp_path / NAME).is_dir()


def test_a_pipe_in_its_place_is_named_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / NAME)
    with pytest.raises(JournalUnavailable, match="something that is not a file stands in its place"):
        Journal.open(tmp_path / NAME)


def test_a_file_where_its_folder_should_be_is_a_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "folder").touch()
    with pytest.raises(JournalUnavailable, match=r"cannot be used: .*folder.*\.$"):
        Journal.open(tmp_path / "folder" / NAME)


def test_a_reader_says_so_where_there_is_no_journal_yet(tmp_path: Path) -> None:
    with pytest.raises(JournalUnavailable, match=r"There is no journal at .* yet; start a game first"):
        Reader.open(tmp_path / NAME)
    assert list(tmp_path.iterdir()) == []


def test_a_reader_says_what_is_wrong_with_a_damaged_file_and_leaves_it(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("not a database, but long enough to have been one " * 30)
    with pytest.raises(JournalUnavailable, match="cannot be read: it is damaged"):
        Reader.open(tmp_path / NAME)
    assert [file.name for file in tmp_path.iterdir()] == [NAME]


# Whose it is


def test_only_one_journal_of_a_program_has_the_file(tmp_path: Path) -> None:
    with Journal.open(tmp_path / NAME) as journal:
        with pytest.raises(JournalUnavailable, match="has it open already"):
            Journal.open(tmp_path / "." / NAME)
        assert journal.append(ROLL).durable
    Journal.open(tmp_path / NAME).close()


def test_another_program_is_told_that_the_file_is_in_use(tmp_path: Path) -> None:
    other = "import sys; from companion.journal import Journal; Journal.open(sys.argv[1])"
    with Journal.open(tmp_path / NAME) as journal:
        run = subprocess.run([sys.executable, "-c", other, tmp_path / NAME], capture_output=True, text=True)
        assert "another table is using it; close that one or choose another path" in run.stderr
        assert journal.append(ROLL).durable


def test_a_file_taken_away_is_noticed_and_written_again_when_it_is_back(tmp_path: Path) -> None:
    path, away = tmp_path / NAME, tmp_path / "away"
    with Journal.open(path) as journal:
        assert journal.append(ROLL).durable
        path.rename(away)
        receipt = journal.append(ROLL)
        assert not receipt.durable
        assert "it was moved, replaced or deleted; put it back, or export this game" in receipt.trouble
        assert [entry.sequence for entry in journal.all_events()] == [1, 2]
        away.rename(path)
        assert journal.retry().durable
    with Reader.open(path) as reader:
        assert [entry.sequence for entry in reader.all_events()] == [1, 2]


def test_a_file_replaced_by_its_own_copy_is_written_on(tmp_path: Path) -> None:
    """As when a disk is unplugged and mounted again, or somebody restores the very same file."""
    path, copy = tmp_path / NAME, tmp_path / "copy"
    with Journal.open(path) as journal:
        journal.append(ROLL)
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{copy}{suffix}")
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").unlink()
        for suffix in ("", "-wal"):
            Path(f"{copy}{suffix}").rename(f"{path}{suffix}")
        assert not journal.append(ROLL).durable
        assert journal.append(ROLL).durable
    with Reader.open(path) as reader:
        assert [entry.sequence for entry in reader.all_events()] == [1, 2, 3]
        assert reader.damage() == ""


def test_an_older_file_in_its_place_is_not_written_to_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / NAME
    Journal.open(path).close()
    older = path.read_bytes()
    with Journal.open(path) as journal:
        game = journal.start_game(TERMS)
        assert journal.append(Draft("rolled", "die:AB12", {"roll": [1]}, game)).durable
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").rename(tmp_path / f"away{suffix}")
        path.write_bytes(older)
        for _ in range(3):
            receipt = journal.append(Draft("rolled", "die:AB12", {"roll": [2]}, game))
            assert not receipt.durable
        assert "an older file has taken its place; put the right one back" in receipt.trouble
        assert [entry.number for entry in journal.events(game)] == [1, 2, 3, 4]
        assert len(journal.export(game)["events"]) == 4
    assert path.read_bytes() == older


def test_terms_of_every_game_stay_readable_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / NAME
    model = left_with_log(path)
    with Journal.open(path) as journal:
        assert journal.notices == []
        assert facts(journal) == model.facts()
        assert journal.games()[0].terms["seats"] == TERMS["seats"]
