"""What can be asked of a journal, whoever has it: the table that writes it or somebody who only reads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import Any

from companion.events import BadInput, brief
from companion.journal import document
from companion.journal.records import ROLLED, Boot, Entry, Game, count_rolls


class History(ABC):
    @abstractmethod
    def games(self) -> list[Game]:
        """Every game, in the order in which they came into the journal."""

    @abstractmethod
    def events(self, game: int) -> list[Entry]:
        """What happened in a game, in order."""

    @abstractmethod
    def all_events(self, after: int = 0, kind: str = "") -> list[Entry]:
        """Every event, of this kind if one is given, whose sequence is greater than `after`; also those of no game."""

    @abstractmethod
    def boots(self) -> list[Boot]:
        """Every start of the program that wrote here or came with an imported game."""

    @abstractmethod
    def house_rules(self, game: str) -> dict[str, Any]:
        """The decisions that this house keeps for games of that name."""

    def game(self, wanted: int) -> Game:
        for game in self.games():
            if game.id == wanted:
                return game
        raise BadInput(f"game: there is no game {brief(wanted)} in the journal")

    def export(self, game: int) -> dict[str, Any]:
        """A game as one document; `document.dump` makes readable text of it."""
        return document.export(self.game(game), self.events(game), self.boots())

    def roll_counts(self) -> dict[str, Counter[int]]:
        """How often each die of this house showed each face: what came with an imported game does not count."""
        foreign = {game.id for game in self.games() if game.imported}
        return count_rolls(entry for entry in self.all_events(kind=ROLLED) if entry.game not in foreign)
