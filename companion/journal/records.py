"""What a journal holds, as plain records, and the bounds of what it takes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from companion.events import BadInput, brief

# Bounds on what anybody may put in. They are far above what a game needs and far below what would hurt.
MAX_WORD, MAX_LINE = 64, 200
MAX_BODY, MAX_TERMS = 64 * 1024, 1024 * 1024
MAX_NESTING = 64

RUNNING, FINISHED, ABANDONED = "running", "finished", "abandoned"
STATES = (RUNNING, FINISHED, ABANDONED)

ROLLED = "rolled"
"""The kind of an entry that tells a roll; its body has the faces in `roll`, its source names the die."""


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class JournalUnavailable(Exception):
    """The journal cannot be had at all; the text is one sentence that says why and what to do."""


@dataclass(frozen=True, slots=True)
class Boot:
    """One start of the program."""

    number: int
    uid: str
    label: str


@dataclass(frozen=True, slots=True)
class Draft:
    """Something that happened, not yet in the journal. `answers` is the sequence of an earlier event of the same game."""

    kind: str
    source: str
    body: Any = field(default_factory=dict)
    game: int | None = None
    answers: int | None = None
    ruling: Any = None


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened, as the journal has it. `number` counts within the game, `ms` since the boot."""

    sequence: int
    game: int | None
    number: int | None
    boot: int
    ms: int
    label: str
    source: str
    kind: str
    body: Any
    answers: int | None
    ruling: Any


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the history."""

    id: int
    uid: str
    name: str
    label: str  # the wall clock when it was started
    terms: dict[str, Any]
    state: str = RUNNING
    outcome: Any = None
    imported: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """A game's state changed."""

    game: int
    state: str
    outcome: Any


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A decision that this house keeps for the next game of that name. A value of None forgets it."""

    game: str
    name: str
    value: Any


Row = Boot | Game | Entry | Ending | HouseRule


@dataclass(frozen=True, slots=True)
class Receipt:
    """The journal's answer. Tell nobody that something counts before `durable`, or tell them the `trouble` with it."""

    sequence: int  # of the last event given so far
    durable: bool
    trouble: str = ""
    waiting: int = 0  # events that are only in memory
    rescued: int = 0  # events that were only in memory before this call, and are on the disk now


def plain(value: Any, where: str, limit: int = MAX_BODY) -> Any:
    """A copy of the value as JSON has it. Refuses what is not JSON, too large or too deep."""
    try:
        text = to_json(value)
        if len(text) > limit:
            raise BadInput(f"{where}: must be at most {limit} characters of JSON, not {len(text)}")
        copy = json.loads(text)
        if text.count("[") + text.count("{") > MAX_NESTING and nesting(copy) > MAX_NESTING:
            raise BadInput(f"{where}: must not be nested deeper than {MAX_NESTING} levels")
    except RecursionError as error:
        raise BadInput(f"{where}: must not be nested deeper than {MAX_NESTING} levels") from error
    except (TypeError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{where}: must be plain JSON ({error})") from error
    return copy


def to_json(value: Any) -> str:
    """Compact JSON that people can read and UTF-8 can hold: half characters, which a phone may send, stay escaped."""
    text = _ENCODER.encode(value)
    return text if text.isascii() else re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


def nesting(value: Any) -> int:
    inner: Iterable[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(nesting, inner), default=0)


def line(value: object, where: str, limit: int = MAX_LINE) -> str:
    """One short printable line, not empty: a kind, a source, a name."""
    if not isinstance(value, str) or not 1 <= len(value) <= limit or not value.isprintable():
        raise BadInput(f"{where}: must be printable text of 1 to {limit} characters, not {brief(value)}")
    return value


def whole(value: object, where: str, least: int, most: int) -> int:
    if most < least:
        raise BadInput(f"{where}: there is nothing yet that it could name")
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadInput(f"{where}: must be a whole number from {least} to {most}, not {brief(value)}")
    return value


def checked_terms(terms: object, where: str = "terms") -> dict[str, Any]:
    """Terms that a journal can keep. Whether they make sense for the game is the game's matter when it is set up."""
    if not isinstance(terms, dict):
        raise BadInput(f"{where}: must be an object with the game, variant, seats, board, readings and options")
    line(terms.get("game"), f"{where}.game", MAX_WORD)
    if not isinstance(terms.get("variant", ""), str):
        raise BadInput(f"{where}.variant: must be a name, not {brief(terms['variant'])}")
    if not isinstance(terms.get("seats", []), list | tuple | int):
        raise BadInput(f"{where}.seats: must be a list of seats, not {brief(terms['seats'])}")
    for name in ("readings", "options"):
        if not isinstance(terms.get(name, {}), dict):
            raise BadInput(f"{where}.{name}: must be an object, not {brief(terms[name])}")
    copy: dict[str, Any] = plain(terms, where, MAX_TERMS)
    return copy


def count_rolls(entries: Iterable[Entry]) -> dict[str, Counter[int]]:
    """How often each die showed each face."""
    counts: dict[str, Counter[int]] = {}
    for entry in entries:
        faces = entry.body.get("roll") if entry.kind == ROLLED and isinstance(entry.body, dict) else None
        if isinstance(faces, list):
            counts.setdefault(entry.source, Counter()).update(face for face in faces if type(face) is int)
    return counts
