"""The journal as the table has it. See the package for what is guaranteed.

Numbers are given out here, in memory, so that an event has its sequence even while the disk cannot take it. What is asked is
answered from the file together with what still waits to be written.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self

from companion.events import BadInput, brief
from companion.journal import document, file
from companion.journal.history import History
from companion.journal.reader import Stored
from companion.journal.records import (
    ABANDONED,
    FINISHED,
    MAX_WORD,
    RUNNING,
    Boot,
    Draft,
    Ending,
    Entry,
    Game,
    HouseRule,
    JournalUnavailable,
    Receipt,
    Row,
    checked_terms,
    line,
    plain,
    whole,
)
from companion.journal.writer import Writer


class Imported(NamedTuple):
    """`new` is False if the journal had this very game already."""

    game: int
    new: bool
    receipt: Receipt


class Journal(History):
    def __init__(self, path: Path | None, connect: file.Connect = file.connect) -> None:
        """For `open` and `without_file`."""
        self.path = path
        self._writer = Writer(path, connect)
        try:
            last = self._writer.look()
        except BaseException:
            self._writer.close()
            raise
        self._sequence, self._last_game, self._last_boot = last.sequence, last.game, last.boot + 1
        self._numbers = last.numbers
        self._born = time.monotonic()
        self.boot = Boot(self._last_boot, uuid.uuid4().hex, _label())
        self._writer.save(self.boot)

    @classmethod
    def open(cls, path: str | PathLike[str], connect: file.Connect = file.connect) -> Self:
        """The journal at the path, begun if there is none. On a disk that cannot be written it opens too, with `trouble` set.

        Raises `JournalUnavailable` if it cannot even be read, or if another table has it. `without_file` then still lets the
        game go on.
        """
        try:
            return cls(Path(path), connect)
        except (JournalUnavailable, *file.FAULTS) as fault:
            why = file.explain(fault, Path(path))
            raise JournalUnavailable(f"The journal {path} cannot be used: {why}.") from fault

    @classmethod
    def without_file(cls) -> Self:
        """A journal that keeps everything in memory, never saves, and says so with every receipt."""
        return cls(None)

    @property
    def notices(self) -> list[str]:
        """What a person should be told about the file: it was set aside, it was empty."""
        return self._writer.notices

    @property
    def trouble(self) -> str:
        """Why the latest was not saved; empty if all is saved."""
        return self._writer.trouble

    # What happens at the table

    def start_game(self, terms: dict[str, Any]) -> int:
        """The id of a new game, whose terms are kept as they are. It is durable when the first event of it is."""
        terms = checked_terms(terms)
        self._last_game += 1
        self._numbers[self._last_game] = 0
        self._save(Game(self._last_game, uuid.uuid4().hex, terms["game"], _label(), terms))
        return self._last_game

    def append(self, draft: Draft) -> Receipt:
        return self.append_all((draft,))

    def append_all(self, drafts: Iterable[Draft]) -> Receipt:
        """All of them, or none. Raises `BadInput`, with nothing changed, only for what no journal could hold."""
        first = self._sequence + 1
        checked = [self._checked(draft, first + i) for i, draft in enumerate(drafts)]
        return self._save(*[self._numbered(draft) for draft in checked])

    def finish(self, game: int, outcome: Any) -> Receipt:
        return self._end(game, FINISHED, outcome)

    def abandon(self, game: int, why: str) -> Receipt:
        return self._end(game, ABANDONED, {"why": why})

    def reopen(self, game: int) -> Receipt:
        """A finished or abandoned game goes on, as when the host takes back the last move."""
        return self._end(game, RUNNING, None)

    def keep_house_rule(self, game: str, name: str, value: Any) -> Receipt:
        """Keep a decision for the next games of that name; None forgets it."""
        return self._save(HouseRule(line(game, "game", MAX_WORD), line(name, "name"), plain(value, "value")))

    def import_game(self, doc: object) -> Imported:
        """A game from a document of anywhere. It comes as a whole; one that is here already is recognised and left alone."""
        checked = document.check(doc)
        for here in self.games():
            if here.uid == checked["uid"]:
                if self.export(here.id) != checked:
                    raise BadInput(f"document: game {here.id} is this game with other content; nothing was changed")
                return Imported(here.id, False, self.retry())
        boots = {boot.uid: boot.number for boot in self.boots()}
        strangers = [boot for boot in checked["boots"] if boot["uid"] not in boots]
        new = [Boot(self._last_boot + i, boot["uid"], boot["label"]) for i, boot in enumerate(strangers, 1)]
        boots |= {boot.uid: boot.number for boot in new}
        game, entries = document.rows(checked, self._last_game + 1, boots, self._sequence)
        self._last_boot += len(new)
        self._last_game = game.id
        self._numbers[game.id] = len(entries)
        self._sequence += len(entries)
        return Imported(game.id, True, self._save(game, *new, *entries))

    def retry(self) -> Receipt:
        """Try again to save what is only in memory."""
        return self._save()

    def close(self) -> Receipt:
        """Save what can be saved and let go of the file."""
        receipt = self._save()
        self._writer.close()
        return receipt

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What happened: the file, and what waits to be written to it

    def games(self) -> list[Game]:
        games = {game.id: game for game in self._writer.read(Stored.games)}
        for row in self._writer.waiting():
            if isinstance(row, Game):
                games[row.id] = row
            elif isinstance(row, Ending):
                games[row.game] = replace(games[row.game], state=row.state, outcome=row.outcome)
        return list(games.values())

    def events(self, game: int) -> list[Entry]:
        return self._with_waiting(self._writer.read(lambda file: file.events(game)), lambda entry: entry.game == game)

    def all_events(self, after: int = 0, kind: str = "") -> list[Entry]:
        stored = self._writer.read(lambda file: file.all_events(after, kind))
        return self._with_waiting(stored, lambda entry: entry.sequence > after and kind in ("", entry.kind))

    def boots(self) -> list[Boot]:
        boots = {boot.number: boot for boot in self._writer.read(Stored.boots)}
        boots |= {row.number: row for row in self._writer.waiting() if isinstance(row, Boot)}
        return list(boots.values())

    def house_rules(self, game: str) -> dict[str, Any]:
        rules = self._writer.read(lambda file: file.house_rules(game))
        rules |= {row.name: row.value for row in self._writer.waiting() if isinstance(row, HouseRule) and row.game == game}
        return {name: value for name, value in sorted(rules.items()) if value is not None}

    def _with_waiting(self, stored: list[Entry], wanted: Callable[[Entry], bool]) -> list[Entry]:
        """An event may be in both, if the disk took it and failed only after that."""
        entries = {entry.sequence: entry for entry in stored}
        waiting = (row for row in self._writer.waiting() if isinstance(row, Entry))
        entries |= {entry.sequence: entry for entry in waiting if wanted(entry)}
        return list(entries.values())

    # Numbers and receipts

    def _checked(self, draft: Draft, sequence: int) -> Draft:
        """The draft as the journal can keep it: a copy that nobody else can change."""
        if draft.game is not None:
            self._known(draft.game)
        if draft.answers is not None:
            whole(draft.answers, "answers", 1, sequence - 1)
        return replace(
            draft,
            kind=line(draft.kind, "kind", MAX_WORD),
            source=line(draft.source, "source"),
            body=plain(draft.body, "body"),
            ruling=plain(draft.ruling, "ruling"),
        )

    def _numbered(self, draft: Draft) -> Entry:
        self._sequence += 1
        number = None
        if draft.game is not None:
            number = self._numbers[draft.game] = self._numbers[draft.game] + 1
        return Entry(
            sequence=self._sequence,
            game=draft.game,
            number=number,
            boot=self.boot.number,
            ms=int((time.monotonic() - self._born) * 1000),
            label=_label(),
            source=draft.source,
            kind=draft.kind,
            body=draft.body,
            answers=draft.answers,
            ruling=draft.ruling,
        )

    def _end(self, game: int, state: str, outcome: Any) -> Receipt:
        return self._save(Ending(self._known(game), state, plain(outcome, "outcome")))

    def _known(self, game: int) -> int:
        if game not in self._numbers:
            raise BadInput(f"game: there is no game {brief(game)} in the journal")
        return game

    def _save(self, *rows: Row) -> Receipt:
        waited = self._count_waiting()
        new = sum(isinstance(row, Entry) for row in rows)
        self._writer.save(*rows)
        waiting = self._count_waiting()
        saved = waited + new - waiting
        return Receipt(self._sequence, not self.trouble, self.trouble, waiting, rescued=min(waited, saved))

    def _count_waiting(self) -> int:
        return sum(isinstance(row, Entry) for row in self._writer.waiting())


def _label() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")
