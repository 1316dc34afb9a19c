"""The referee: a game's verdict in words, with its citations, and the third answer, *silent*.

Rules are ruled under readings. Where the table has not decided on a reading (`ask`), the referee tries every one of them: if
they all lead to the same, the reading does not matter here; if they differ, the leaflet does not decide, and the referee
says so and offers the readings instead of guessing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from companion.board import Board
from companion.events import BadInput, Event, Move, event_to_json
from companion.game import Game, State
from companion.layout import Change, changes
from companion.rulebook import Reading
from companion.ruling import Accepted, Refused, Verdict
from companion.words import Say, Translate

ACCEPTED, REFUSED, SILENT = "accepted", "refused", "silent"
MOST_TRIALS = 64  # of readings tried together


@dataclass(frozen=True)
class Ruling:
    """The referee's answer to one event."""

    event: Event
    status: str  # accepted, refused or silent
    citations: tuple[str, ...]
    why: tuple[str, ...]  # a refusal's reasons, in words
    said: tuple[str, ...]  # announcements
    state: Any  # the state now: a new one only if accepted
    legal: tuple[Move, ...]  # what would be legal instead of what was refused
    changes: tuple[Change, ...]  # what an accepted event does on the real board
    readings: tuple[Reading, ...] = ()  # what the table has to decide, when silent

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "event": event_to_json(self.event),
            "status": self.status,
            "citations": list(self.citations),
            "why": list(self.why),
            "said": list(self.said),
            "legal": [event_to_json(move) for move in self.legal],
            "changes": [{k: v for k, v in change._asdict().items() if v} for change in self.changes],
        }
        if self.readings:
            out["readings"] = [
                {"id": r.id, "name": r.name, "question": r.question, "default": r.default, "values": dict(r.values)}
                for r in self.readings
            ]
        return out


def settled_state(game: Game, state: State) -> Any:
    """The same state under the defaults of all readings on which the table has not decided."""
    terms = state.ground.terms
    if not terms.undecided:
        return state
    defaults = {name: game.rulebook.reading(name).default for name in terms.undecided}
    return game.from_position(terms.with_readings(defaults), game.position(state))


def judge(game: Game, state: State, event: Event, translate: Translate = str) -> Ruling:
    """Rule on an event in this state."""

    def tell(what: Say) -> str:
        return game.words.tell(what, translate)

    undecided = state.ground.terms.undecided
    settled = settled_state(game, state)
    verdict = game.rule(settled, event)
    if undecided and (open_readings := _deciding_readings(game, settled, event, verdict, undecided)):
        why = tuple(reading.question for reading in open_readings)
        ids = tuple(reading.id for reading in open_readings)
        return Ruling(event, SILENT, ids, why, (), state, (), (), open_readings)
    if isinstance(verdict, Accepted):
        done = changes(game.layout(settled), game.layout(verdict.state))
        after = verdict.state
        if undecided:
            after = game.from_position(state.ground.terms, game.position(after))
        return Ruling(event, ACCEPTED, verdict.rules, (), tuple(map(tell, verdict.said)), after, (), done)
    why = tuple(tell(objection.why) for objection in verdict.objections)
    return Ruling(event, REFUSED, verdict.rules, why, (), state, tuple(game.legal_moves(settled)), ())


def _deciding_readings(
    game: Game, settled: State, event: Event, verdict: Verdict, undecided: tuple[str, ...]
) -> tuple[Reading, ...]:
    """The undecided readings on which this ruling hangs."""
    expected = _effect(game, verdict)
    others = {name: _other_values(game.rulebook.reading(name)) for name in undecided}
    deciding: set[str] = set()
    cited = set(verdict.rules)
    for name, values in others.items():
        for value in values:
            tried = _try(game, settled, event, {name: value})
            if tried and _effect(game, tried) != expected:
                deciding.add(name)
            elif isinstance(tried, Refused):
                cited.update(tried.rules)
    if not deciding and isinstance(verdict, Refused):
        # Two readings may each refuse the same move: then only both together would let it pass.
        against = [name for name in undecided if game.rulebook.reading(name).id in cited]
        for together in islice(product(*(others[name] for name in against)), MOST_TRIALS):
            if isinstance(_try(game, settled, event, dict(zip(against, together, strict=True))), Accepted):
                deciding.update(against)
    return tuple(game.rulebook.reading(name) for name in undecided if name in deciding)


def _other_values(reading: Reading) -> list[str]:
    return [value for value in reading.values if value != reading.default]


def _try(game: Game, settled: State, event: Event, readings: dict[str, str]) -> Verdict | None:
    """The verdict under other readings; None where this position could not have come about under them."""
    try:
        other = game.from_position(settled.ground.terms.with_readings(readings), game.position(settled))
    except BadInput:
        return None
    return game.rule(other, event)


def _effect(game: Game, verdict: Verdict) -> object:
    """What a verdict comes to: refused, or the position it leads to."""
    return game.position(verdict.state) if isinstance(verdict, Accepted) else None


def describe(game: Game, change: Change, translate: Translate = str, board: Board | None = None) -> str:
    """One physical act in words: 'move the Prince from a1 to a2'. With a board, spaces are called by their names."""
    sentence = {
        "move": "Move the {piece} from {start} to {to}.",
        "put": "Put a {piece} on {to}.",
        "take": "Take the {piece} off {start}.",
        "flip": "Turn the {piece} on {to} over, so that {face} is up.",
        "turn": "Turn the platform until the arrow points at {to}.",
    }[change.do]
    if change.do == "move" and change.face:
        sentence = "Move the {piece} from {start} to {to}, with {face} up."
    if change.do == "put" and change.face:
        sentence = "Put a {piece} on {to}, with {face} up."
    called = change._replace(start=_name(board, change.start), to=_name(board, change.to))
    values = {key: game.words.name(value, translate) for key, value in called._asdict().items()}
    return translate(sentence).format(**values)


def _name(board: Board | None, space: str) -> str:
    return board.spaces[space].name if board and space in board.spaces else space
