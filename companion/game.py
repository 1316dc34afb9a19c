"""What a game is to the rest of the companion: plain functions over frozen states.

A game is one folder under `companion/games/` that offers a `GAME`. It sets up a state from `Terms` (who plays what, on which
board, by which readings), says what is due and from whom, lists legal moves, rules on events, and says what should stand on the
real board. States are immutable; a state's `ground` holds the terms and whatever tables the game made from them once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, Protocol

from companion.board import BadBoard, Board, board_from_json, board_to_json, load_board
from companion.events import BadInput, Event, Form, Move, brief, known_keys, one_of
from companion.layout import Change, Layout, Supply, called, changes
from companion.rulebook import ASK, Rulebook
from companion.ruling import Due, Outcome, Verdict
from companion.words import Words


@dataclass(frozen=True)
class Terms:
    """What is fixed before the first roll."""

    game: str
    variant: str
    seats: tuple[str, ...]  # in clockwise order round the table
    board: Board
    chosen: tuple[tuple[str, str], ...]  # every reading and its value in force; `ask` where the table has not decided
    options: tuple[tuple[str, str], ...] = ()

    @cached_property
    def readings(self) -> dict[str, str]:
        return dict(self.chosen)

    @cached_property
    def option(self) -> dict[str, str]:
        return dict(self.options)

    @property
    def undecided(self) -> tuple[str, ...]:
        return tuple(name for name, value in self.chosen if value == ASK)

    def with_readings(self, readings: Mapping[str, str]) -> Terms:
        return replace(self, chosen=tuple(sorted((self.readings | dict(readings)).items())))


class Ground(Protocol):
    """The fixed part of a game: its terms, and the tables made from them."""

    @property
    def terms(self) -> Terms: ...


class State(Protocol):
    """All that a game's functions need to know of a state: where its terms are."""

    @property
    def ground(self) -> Ground: ...


@dataclass(frozen=True)
class Variant:
    """One of the games in a leaflet. `seatings` are the usual seats for each number of players."""

    name: str
    title: str
    seatings: tuple[tuple[str, ...], ...]

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(len(seats) for seats in self.seatings)


@dataclass(frozen=True)
class Option:
    """Something else to settle before play (a stake, a counter): its name, the question, the default, what is allowed."""

    name: str
    question: str
    default: str
    problem: Callable[[str], str]  # why a value is not allowed; empty: it is


def nothing_wrong(variant: str, seats: tuple[str, ...], readings: Mapping[str, str]) -> str:
    return ""


@dataclass(frozen=True)
class Game:
    name: str
    title: str
    seats: tuple[str, ...]  # all there can be, in clockwise order
    variants: tuple[Variant, ...]  # the first is the leaflet's main game
    rulebook: Rulebook
    words: Words
    folder: Path
    set_up: Callable[[Terms], Any]
    due: Callable[[Any], tuple[Due, ...]]  # empty when the game is over
    legal_moves: Callable[[Any], list[Move]]
    rule: Callable[[Any, Event], Verdict]
    layout: Callable[[Any], Layout]
    outcome: Callable[[Any], Outcome | None]
    position: Callable[[Any], dict[str, Any]]  # the state as JSON
    from_position: Callable[[Terms, dict[str, Any]], Any]  # raises BadInput when impossible
    forms: Callable[[Terms], tuple[Form, ...]]  # every well-formed kind of move
    skip: Callable[[Any, str], Any]  # the host passes over what a seat owes now
    leave: Callable[[Any, str], Any]  # a player is gone for good (X-A07)
    board_problems: Callable[[Board], list[str]]  # what this game misses on a board
    pieces: Callable[[Terms], tuple[Supply, ...]]  # what the box holds for these players
    rearrange: Callable[[Any, Layout], Any]  # the state in which exactly this stands; raises BadInput when impossible
    seat_problem: Callable[[str, tuple[str, ...], Mapping[str, str]], str] = nothing_wrong
    options: tuple[Option, ...] = ()
    may_not_end: Mapping[str, str] = field(default_factory=dict)  # variants whose random play may not end, and why

    def variant(self, name: str) -> Variant:
        by_name = {v.name: v for v in self.variants}
        return by_name[one_of("variant", name, by_name)]

    def boards(self) -> dict[str, Path]:
        """The board files that come with the game; the first is the usual one."""
        return {path.stem.removeprefix("board-"): path for path in sorted(self.folder.glob("board-*.json"))}

    def board(self, given: Board | str | None = None) -> Board:
        """A board that this game can be played on: one of its own by name, or one from outside, checked."""
        if not isinstance(given, Board):
            own = self.boards()
            given = load_board(own[one_of("board", given or next(iter(own)), own)])
        if given.game != self.name:
            raise BadBoard([f"it is a board for {brief(given.game)}, not for {self.name}"])
        if problems := self.board_problems(given):
            raise BadBoard(problems)
        return given

    def terms(
        self,
        variant: str = "",
        seats: int | Iterable[str] = (),
        board: Board | str | None = None,
        readings: Mapping[str, str] | None = None,
        options: Mapping[str, str] | None = None,
    ) -> Terms:
        """Checked terms; whatever is not given takes its usual value."""
        chosen_variant = self.variant(variant or self.variants[0].name)
        in_force = self.rulebook.choose(readings or {})
        chosen_seats = self._seats(chosen_variant, seats, in_force)
        settled = {o.name: o.default for o in self.options}
        for name, value in (options or {}).items():
            option = next((o for o in self.options if o.name == name), None)
            if option is None:
                raise BadInput(f"option: {brief(name)} is not known; allowed are {', '.join(settled) or 'none'}")
            if problem := option.problem(value):
                raise BadInput(f"option {name}: {problem}")
            settled[name] = value
        return Terms(
            self.name, chosen_variant.name, chosen_seats, self.board(board),
            tuple(sorted(in_force.items())), tuple(sorted(settled.items())),
        )  # fmt: skip

    def _seats(self, variant: Variant, seats: int | Iterable[str], readings: Mapping[str, str]) -> tuple[str, ...]:
        counts = " or ".join(map(str, sorted(variant.players)))
        if isinstance(seats, int):
            if seats not in variant.players:
                raise BadInput(f"seats: {self.title}, {variant.title}, is for {counts} players, not {seats}")
            return self._usual_seats(variant, seats, readings)
        named = tuple(seats)
        if not named:
            return self._usual_seats(variant, variant.players[0], readings)
        for seat in named:
            one_of("seats", seat, self.seats)
        if len(set(named)) != len(named):
            raise BadInput("seats: a seat is named twice")
        if len(named) not in variant.players:
            raise BadInput(f"seats: {self.title}, {variant.title}, is for {counts} players, not {len(named)}")
        in_order = tuple(seat for seat in self.seats if seat in named)
        if problem := self.seat_problem(variant.name, in_order, readings):
            raise BadInput(f"seats: {problem}")
        return in_order

    def _usual_seats(self, variant: Variant, players: int, readings: Mapping[str, str]) -> tuple[str, ...]:
        """The usual seats, or the first others that these readings allow (two who must face each other, say)."""
        usual = [seats for seats in variant.seatings if len(seats) == players]
        for seats in (*usual, *combinations(self.seats, players)):
            if not self.seat_problem(variant.name, seats, readings):
                return seats
        raise BadInput(f"seats: {self.seat_problem(variant.name, usual[0], readings)}")


def terms_to_json(terms: Terms, whole_board: bool = True) -> dict[str, Any]:
    out: dict[str, Any] = {"game": terms.game, "variant": terms.variant, "seats": list(terms.seats)}
    out["board"] = board_to_json(terms.board) if whole_board else terms.board.name
    out["readings"] = terms.readings
    if terms.options:
        out["options"] = terms.option
    return out


def terms_from_json(game: Game, data: Mapping[str, Any]) -> Terms:
    """Terms from a file: every field but the game may be left out."""
    variant, seats, board = data.get("variant", ""), data.get("seats", ()), data.get("board")
    if not isinstance(variant, str):
        raise BadInput(f"variant: must be a name, not {brief(variant)}")
    if not (isinstance(seats, int) and not isinstance(seats, bool)) and not (
        isinstance(seats, list | tuple) and all(isinstance(s, str) for s in seats)
    ):
        raise BadInput(f"seats: must be a number of players or a list of seats, not {brief(seats)}")
    for field_name in ("readings", "options"):
        given = data.get(field_name, {})
        if not isinstance(given, dict) or not all(isinstance(v, str) for v in given.values()):
            raise BadInput(f'{field_name}: must map names to values, such as {{"name": "value"}}')
    if isinstance(board, dict):
        board = board_from_json(board)
    elif board is not None and not isinstance(board, str):
        raise BadInput("board: must be the name of a board or a whole board")
    return game.terms(variant, seats, board, data.get("readings", {}), data.get("options", {}))


def state_to_json(game: Game, state: State, whole_board: bool = False) -> dict[str, Any]:
    """A position for a file: the terms, and the game's own position."""
    return terms_to_json(state.ground.terms, whole_board) | {"position": game.position(state)}


def state_from_json(game: Game, data: Mapping[str, Any]) -> Any:
    """A state from a file; without a position, the set-up."""
    terms = terms_from_json(game, data)
    position = data.get("position")
    if position is None:
        return game.set_up(terms)
    if not isinstance(position, dict):
        raise BadInput(f"position: must be an object, not {brief(position)}")
    return game.from_position(terms, position)


def first_possible(
    wanted: Layout, layout: Callable[[Any], Layout], from_position: Callable[[Terms, dict[str, Any]], Any], terms: Terms,
    positions: Iterable[dict[str, Any]],
) -> Any:  # fmt: skip
    """For `rearrange`: the state of the first of these positions that can be. If none can, the first one's reason counts."""
    reason: BadInput | None = None
    for position in positions:
        try:
            state = from_position(terms, position)
        except BadInput as error:
            reason = reason or error
            continue
        if not (differing := changes(wanted, layout(state))):
            return state
        reason = reason or BadInput(f"pieces: it could not stay so: {_at_once(differing[0])}")
    assert reason
    raise reason


def _at_once(change: Change) -> str:
    at = change.start or change.to
    return f"by the rules the {called(change.piece)} on {at} would not be there" if at else "the platform stands elsewhere"


def parse_json(text: str, what: str) -> Any:
    """JSON from outside; whatever is wrong with it becomes one clear line."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise BadInput(f"{what}: nested too deeply") from error
    except ValueError as error:
        raise BadInput(f"{what}: not JSON: {error}") from error


__all__ = [
    "Game", "Option", "State", "Terms", "Variant", "first_possible", "known_keys", "parse_json", "state_from_json", "state_to_json",
    "terms_from_json", "terms_to_json",
]  # fmt: skip
