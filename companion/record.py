"""A game as it happened: its terms and its events. Every state is these, replayed.

Saving, resuming, taking back and disputing a past move are all this one thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.events import BadInput, Event, brief, event_from_json, event_to_json, known_keys
from companion.game import Game, Terms, terms_from_json, terms_to_json
from companion.games import find_game
from companion.referee import ACCEPTED, Ruling, judge

FORMAT = 1
MOST_EVENTS = 200_000


@dataclass(frozen=True)
class Record:
    game: Game
    terms: Terms
    events: tuple[Event, ...] = ()
    start: dict[str, Any] | None = None  # a position, for a game that did not begin with the set-up

    def first_state(self) -> Any:
        return self.game.set_up(self.terms) if self.start is None else self.game.from_position(self.terms, self.start)

    def states(self) -> list[Any]:
        """The state before each event, and the last one. An event that the rules refuse is named by its number."""
        states = [self.first_state()]
        for number, event in enumerate(self.events, 1):
            ruling = judge(self.game, states[-1], event)
            if ruling.status != ACCEPTED:
                raise BadInput(
                    f"events: number {number} is {ruling.status}: {' '.join(ruling.why)} ({', '.join(ruling.citations)})"
                )
            states.append(ruling.state)
        return states

    def ruling_on(self, number: int) -> Ruling:
        """What the referee said to event `number`, counted from 1, in the position it was made in."""
        if not 1 <= number <= len(self.events):
            raise BadInput(f"number: this game has events 1 to {len(self.events)}, not {number}")
        states = Record(self.game, self.terms, self.events[: number - 1], self.start).states()
        return judge(self.game, states[-1], self.events[number - 1])

    def with_event(self, event: Event) -> Record:
        return Record(self.game, self.terms, (*self.events, event), self.start)

    def without_last(self, count: int = 1) -> Record:
        return Record(self.game, self.terms, self.events[: len(self.events) - count], self.start)

    def to_json(self) -> dict[str, Any]:
        out = {"format": FORMAT, **terms_to_json(self.terms)}
        if self.start is not None:
            out["position"] = self.start
        return out | {"events": [event_to_json(event) for event in self.events]}


def record_from_json(data: object) -> Record:
    """A record from a file: hostile until every event has been read and ruled on."""
    if not isinstance(data, dict):
        raise BadInput("record: must be an object with game, seats and events")
    known_keys("record", data, ("format", "game", "variant", "seats", "board", "readings", "options", "position", "events"))
    if data.get("format") != FORMAT:
        raise BadInput(f"format: this companion reads format {FORMAT}, not {brief(data.get('format'))}")
    game = find_game(data.get("game"))
    terms = terms_from_json(game, data)
    events = data.get("events")
    if not isinstance(events, Sequence) or isinstance(events, str) or len(events) > MOST_EVENTS:
        raise BadInput(f"events: must be a list of at most {MOST_EVENTS} events")
    start = data.get("position")
    if start is not None and not isinstance(start, dict):
        raise BadInput("position: must be an object")
    forms = game.forms(terms)
    record = Record(game, terms, tuple(event_from_json(e, terms.seats, forms) for e in events), start)
    record.first_state()
    return record
