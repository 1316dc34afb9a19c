"""What a table does with its journal when all is well."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from journal_model import TERMS

from companion.events import BadInput
from companion.journal import Draft, Journal, Reader

NAME = "table.journal"


def roll(face: int, game: int | None = None, source: str = "die:AB12") -> Draft:
    return Draft("rolled", source, {"seat": "Red", "roll": [face]}, game)


def test_a_game_is_resumed_from_its_terms_and_events(tmp_path: Path) -> None:
    with Journal.open(tmp_path / NAME) as journal:
        game = journal.start_game(TERMS)
        rolled = journal.append(roll(5, game))
        moved = Draft("moved", "phone:Ann", {"do": "go"}, game, rolled.sequence, {"accepted": True})
        assert journal.append(moved).durable
    with Journal.open(tmp_path / NAME) as journal:
        (found,) = journal.games()
        assert (found.id, found.name, found.terms, found.state) == (game, "siege", TERMS, "running")
        first, second = journal.events(game)
        assert (first.kind, first.source, first.body, first.number) == ("rolled", "die:AB12", {"seat": "Red", "roll": [5]}, 1)
        assert (second.answers, second.ruling, second.number) == (first.sequence, {"accepted": True}, 2)
        journal.append(roll(6, game))
        third = journal.events(game)[-1]
        assert (third.number, third.sequence) == (3, 3)
        assert (first.boot, third.boot) == (1, 2)


def test_rolls_of_no_game_are_kept_too(tmp_path: Path) -> None:
    with Journal.open(tmp_path / NAME) as journal:
        journal.append(roll(3))
        (entry,) = journal.all_events()
        assert (entry.game, entry.number, entry.sequence) == (None, None, 1)


def test_each_game_counts_its_own_events(tmp_path: Path) -> None:
    with Journal.open(tmp_path / NAME) as journal:
        one, two = journal.start_game(TERMS), journal.start_game(TERMS)
        for game in (one, two, two, one):
            journal.append(roll(1, game))
        assert [(e.sequence, e.number) for e in journal.events(one)] == [(1, 1), (4, 2)]
        assert [(e.sequence, e.number) for e in journal.events(two)] == [(2, 1), (3, 2)]
        assert [e.sequence for e in journal.all_events(after=2)] == [3, 4]


def test_a_game_ends_and_can_go_on_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path / NAME) as journal:
        game = journal.start_game(TERMS)
        journal.finish(game, {"winners": ["Red"]})
        assert (journal.game(game).state, journal.game(game).outcome) == ("finished", {"winners": ["Red"]})
        journal.reopen(game)
        assert (journal.game(game).state, journal.game(game).outcome) == ("running", None)
        journal.abandon(game, "supper")
        assert (journal.game(game).state, journal.game(game).outcome) == ("abandoned", {"why": "supper"})


def test_house_rules_stay_until_forgotten(tmp_path: Path) -> None:
    with Journal.open(tmp_path / NAME) as journal:
        journal.keep_house_rule("siege", "SG-4", "strict")
        journal.keep_house_rule("siege", "SG-9", "loose")
        journal.keep_house_rule("duel", "DU-1", "strict")
        journal.keep_house_rule("siege", "SG-9", None)
    with Journal.open(tmp_path / NAME) as journal:
        assert journal.house_rules("siege") == {"SG-4": "strict"}
        assert journal.house_rules("race") == {}


def test_each_start_is_a_new_boot_with_a_growing_number_and_a_random_id(tmp_path: Path) -> None:
    for _ in range(3):
        Journal.open(tmp_path / NAME).close()
    with Reader.open(tmp_path / NAME) as reader:
        assert [boot.number for boot in reader.boots()] == [1, 2, 3]
        assert len({boot.uid for boot in reader.boots()}) == 3


def test_rolls_are_counted_by_die_and_face_but_not_those_of_imported_games(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "elsewhere") as other:
        foreign = other.start_game(TERMS)
        other.append(roll(6, foreign))
        doc = other.export(foreign)
    with Journal.open(tmp_path / NAME) as journal:
        game = journal.start_game(TERMS)
        for face in (1, 6, 6):
            journal.append(roll(face, game))
        journal.append(Draft("rolled", "die:CD34", {"roll": [2, 3]}))
        journal.append(Draft("moved", "die:AB12", {"roll": [4]}))
        journal.append(Draft("rolled", "die:EF56", "what a strange body"))
        journal.import_game(doc)
        assert journal.roll_counts() == {"die:AB12": {1: 1, 6: 2}, "die:CD34": {2: 1, 3: 1}}


def test_what_is_appended_together_has_one_receipt_and_may_answer_each_other(tmp_path: Path) -> None:
    with Journal.open(tmp_path / NAME) as journal:
        receipt = journal.append_all([roll(5), Draft("ruled", "host", {}, None, 1)])
        assert (receipt.sequence, receipt.durable) == (2, True)
        assert journal.append_all([]).sequence == 2


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        (Draft("", "host"), "kind"),
        (Draft("a\nb", "host"), "kind"),
        (Draft("k" * 65, "host"), "kind"),
        (Draft("rolled", "\x1b[2J"), "source"),
        (Draft("rolled", "host", {"x": float("nan")}), "body"),
        (Draft("rolled", "host", {"x": object()}), "body"),
        (Draft("rolled", "host", "x" * 70_000), "body"),
        (Draft("rolled", "host", {}, ruling={1, 2}), "ruling"),
        (Draft("rolled", "host", {}, game=7), "game"),
        (Draft("rolled", "host", {}, answers=2), "answers"),
        (Draft("rolled", "host", {}, answers=0), "answers"),
    ],
)
def test_what_no_journal_could_hold_is_refused_by_name_and_changes_nothing(tmp_path: Path, draft: Draft, field: str) -> None:
    with Journal.open(tmp_path / NAME) as journal:
        journal.append(roll(1))
        with pytest.raises(BadInput, match=f"^{field}: "):
            journal.append_all([roll(2), draft if draft.answers != 2 else Draft("rolled", "host", {}, answers=4)])
        assert journal.append(roll(3)).sequence == 2
        assert [entry.body["roll"] for entry in journal.all_events()] == [[1], [3]]


@pytest.mark.parametrize("depth", [100, 900, 100_000])
def test_bodies_nested_too_deeply_are_refused(tmp_path: Path, depth: int) -> None:
    deep: Any = []
    for _ in range(depth):
        deep = [deep]
    with Journal.open(tmp_path / NAME) as journal, pytest.raises(BadInput, match=r"^body: must not be nested"):
        journal.append(Draft("moved", "phone:Ann", deep))


def test_text_of_any_kind_comes_back_as_it_was(tmp_path: Path) -> None:
    body = {"name": "Jürgen 🎲", "half": "\ud83d", "nul": "a\x00b", "quote": "'; DROP TABLE events; --", "big": 10**30}
    with Journal.open(tmp_path / NAME) as journal:
        assert journal.append(Draft("moved", "phone:Zoë", body)).durable
        assert journal.all_events()[0].body == body


def test_terms_must_name_the_game(tmp_path: Path) -> None:
    with Journal.open(tmp_path / NAME) as journal:
        for bad in ({}, {"game": 7}, {"game": "siege", "seats": "Red"}, {"game": "siege", "readings": []}, "siege"):
            with pytest.raises(BadInput, match=r"^terms"):
                journal.start_game(bad)  # type: ignore[arg-type]
        assert journal.games() == []


def test_nothing_is_written_while_nothing_happens(tmp_path: Path) -> None:
    def on_disk() -> list[tuple[str, int, bytes]]:
        return [(file.name, file.stat().st_mtime_ns, file.read_bytes()) for file in sorted(tmp_path.iterdir())]

    threads = threading.active_count()
    with Journal.open(tmp_path / NAME) as journal:
        game = journal.start_game(TERMS)
        for face in range(1, 7):
            journal.append(roll(face, game))
        ask_everything(journal, game)  # the first question marks in shared memory what it has seen
        before, written = on_disk(), bytes_written()
        for _ in range(100):
            ask_everything(journal, game)
        assert bytes_written() == written
        assert on_disk() == before
        assert threading.active_count() == threads


def ask_everything(journal: Journal, game: int) -> None:
    """Questions are no happenings, nor is having nothing to retry."""
    journal.events(game), journal.games(), journal.house_rules("siege"), journal.roll_counts(), journal.retry()


def bytes_written() -> int:
    fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(fields["wchar"])


def test_without_a_file_the_game_goes_on_and_every_receipt_says_so() -> None:
    with Journal.without_file() as journal:
        game = journal.start_game(TERMS)
        receipt = journal.append(roll(5, game))
        assert (receipt.durable, receipt.sequence) == (False, 1)
        assert receipt.trouble.startswith("Not saved: this table has no journal. The game goes on;")
        assert journal.events(game)[0].body["roll"] == [5]
        assert journal.export(game)["events"][0]["kind"] == "rolled"


def test_a_journal_is_made_with_the_folders_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b %41?mode=ro#c" / NAME
    with Journal.open(path) as journal:
        assert journal.append(roll(1)).durable
    assert path.exists()
    assert os.listdir(tmp_path) == ["a"]
