"""What anybody can do to a running game: play, take back, correct, vote, leave. Past tense, plain data, JSON both ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.events import BadInput, Event, Form, brief, event_from_json, event_to_json, known_keys, one_of


@dataclass(frozen=True)
class Played:
    """A roll or a move. `made`: the pieces were really moved (a camera saw it), not only asked about on a phone."""

    event: Event
    made: bool = False


@dataclass(frozen=True)
class LetStand:
    """The host lets a move stand that the rules refuse; the position is what then stands on the board."""

    event: Event
    position: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True)
class Corrected:
    """The host put the position right by hand."""

    position: Mapping[str, Any] = field(hash=False)
    why: str = ""


@dataclass(frozen=True)
class TookBack:
    """Everything from act number `to` on was taken back."""

    to: int


@dataclass(frozen=True)
class Skipped:
    """What this seat owed now was passed over. `rule` is the reading behind it, if there is one."""

    seat: str
    rule: str = ""


@dataclass(frozen=True)
class Left:
    """This player is gone for good."""

    seat: str


@dataclass(frozen=True)
class Agreed:
    """This seat agrees to the house-rule card."""

    seat: str


@dataclass(frozen=True)
class Voted:
    """This seat wants this reading."""

    seat: str
    reading: str
    value: str


@dataclass(frozen=True)
class Decided:
    """The host's casting vote on a reading that the seats could not agree on."""

    reading: str
    value: str


@dataclass(frozen=True)
class Touched:
    """A seat touched a piece (reading touch_move)."""

    seat: str
    piece: str
    start: str = ""


@dataclass(frozen=True)
class Paused:
    """The game rests, or goes on."""

    on: bool
    why: str = ""


Act = Played | LetStand | Corrected | TookBack | Skipped | Left | Agreed | Voted | Decided | Touched | Paused
KINDS: dict[str, type[Act]] = {
    "played": Played, "let_stand": LetStand, "corrected": Corrected, "took_back": TookBack, "skipped": Skipped, "left": Left,
    "agreed": Agreed, "voted": Voted, "decided": Decided, "touched": Touched, "paused": Paused,
}  # fmt: skip
NAMES = {kind: name for name, kind in KINDS.items()}


def act_to_json(act: Act) -> dict[str, Any]:
    """The act's fields; its kind is `NAMES[type(act)]`."""
    out = dict(vars(act))
    if isinstance(act, Played | LetStand):
        out["event"] = event_to_json(act.event)
    return {key: value for key, value in out.items() if value not in ("", False) or key == "on"}


def act_from_json(kind: object, data: object, seats: tuple[str, ...], forms: tuple[Form, ...]) -> Act:
    """An act from a phone or a file; nonsense is refused with the field's name."""
    made = KINDS[one_of("act", kind, KINDS)]
    if not isinstance(data, Mapping):
        raise BadInput(f"act: must be an object, not {brief(data)}")
    names = tuple(made.__dataclass_fields__)
    known_keys("act", data, names)
    values: dict[str, Any] = {}
    for name in names:
        if name == "event":
            values[name] = event_from_json(data.get(name), seats, forms)
        elif name == "seat":
            values[name] = one_of(name, data.get(name), seats)
        elif name == "position":
            values[name] = _typed(name, data.get(name), dict)
        elif name == "to":
            values[name] = _typed(name, data.get(name), int)
        elif name in ("on", "made"):
            values[name] = _typed(name, data.get(name, False), bool)
        else:
            values[name] = _typed(name, data.get(name, ""), str)[:200]
    return made(**values)


def _typed(name: str, value: object, kind: type) -> Any:
    if type(value) is not kind:
        wanted = {dict: "an object", int: "a whole number", bool: "true or false", str: "a text"}[kind]
        raise BadInput(f"{name}: must be {wanted}, not {brief(value)}")
    return value
