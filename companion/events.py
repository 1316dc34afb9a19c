"""What happens at a table: somebody rolled, somebody moved.

Every game takes the same two events. Dice are events: no rule ever calls a random source or a clock.
A `Move` is one small act of one seat. Its fields mean the same in every game, so that a phone or a camera can make one
without knowing the rules: `piece` is taken from `start` and put on `to`; `do` says what kind of act it is, and `detail` holds
what is left (which die, which captive). A field that an act does not need is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class BadInput(ValueError):
    """Nonsense from outside (a file, a phone, a command line): one line that names the field and what is allowed."""


class Roll(NamedTuple):
    """What the dice of one seat showed, in the order in which the game names its dice."""

    seat: str
    dice: tuple[int, ...]


class Move(NamedTuple):
    """What one seat wants to do."""

    seat: str
    do: str
    piece: str = ""
    start: str = ""
    to: str = ""
    detail: str = ""


Event = Roll | Move


class Form(NamedTuple):
    """A well-formed kind of move: the values each field may take. An empty tuple means that the field is not used."""

    do: str
    piece: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    detail: tuple[str, ...] = ()


_FIELDS = ("piece", "start", "to", "detail")
_JSON_NAMES = {"piece": "piece", "start": "from", "to": "to", "detail": "detail"}


def event_to_json(event: Event) -> dict[str, Any]:
    if isinstance(event, Roll):
        return {"seat": event.seat, "roll": list(event.dice)}
    out: dict[str, Any] = {"seat": event.seat, "do": event.do}
    for field in _FIELDS:
        if value := getattr(event, field):
            out[_JSON_NAMES[field]] = value
    return out


def event_from_json(data: object, seats: Iterable[str], forms: Iterable[Form]) -> Event:
    """Read an event from outside. What the rules say of it is another matter: this only refuses nonsense."""
    if not isinstance(data, Mapping):
        raise BadInput(f'an event must be an object such as {{"seat": …, "roll": [5]}}, not {brief(data)}')
    seat = one_of("seat", data.get("seat"), seats)
    if "roll" in data:
        known_keys("event", data, ("seat", "roll"))
        return Roll(seat, dice_from_json(data["roll"]))
    by_do = {form.do: form for form in forms}
    form = by_do[one_of("do", data.get("do"), by_do)]
    known_keys("event", data, ("seat", "do", *_JSON_NAMES.values()))
    values = []
    for field in _FIELDS:
        name, allowed = _JSON_NAMES[field], getattr(form, field)
        given = data.get(name, "")
        if not allowed:
            if given not in ("", None):
                raise BadInput(f"{name}: '{form.do}' takes none, but {brief(given)} is given")
            values.append("")
        else:
            values.append(one_of(name, given, allowed))
    return Move(seat, form.do, *values)


def dice_from_json(data: object) -> tuple[int, ...]:
    if isinstance(data, bool) or not isinstance(data, int | list):
        raise BadInput(f"roll: must be a list of dice such as [5] or [3, 4], not {brief(data)}")
    dice = [data] if isinstance(data, int) else data
    if not 1 <= len(dice) <= 8:
        raise BadInput(f"roll: must name one to eight dice, not {len(dice)}")
    for die in dice:
        if isinstance(die, bool) or not isinstance(die, int) or not 1 <= die <= 6:
            raise BadInput(f"roll: a die shows 1 to 6, not {brief(die)}")
    return tuple(dice)


def one_of(field: str, value: object, allowed: Iterable[str]) -> str:
    """The value, if it is one of those allowed; otherwise say what is."""
    choices = list(allowed)
    if isinstance(value, str) and value in choices:
        return value
    shown = ", ".join(repr(c) if c == "" else c for c in choices[:60]) + (" …" if len(choices) > 60 else "")
    if value is None or value == "":
        raise BadInput(f"{field}: missing; it must be one of {shown}")
    raise BadInput(f"{field}: {brief(value)} is not known; it must be one of {shown}")


def known_keys(where: str, data: Mapping[str, Any], allowed: Iterable[str]) -> None:
    choices = list(allowed)
    for key in data:
        if key not in choices:
            raise BadInput(f"{where}: {brief(key)} is not known here; allowed are {', '.join(choices)}")


def brief(value: object) -> str:
    """Foreign text, quoted and cut short, safe to put into a message."""
    text = repr(value) if not isinstance(value, str) else f"'{value}'"
    text = "".join(c if c.isprintable() else "?" for c in text)
    return text if len(text) <= 60 else text[:57] + "…"
