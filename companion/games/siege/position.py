"""A Siege position as JSON, for files, disputes and bug reports. Its fields are described in `POSITION.md` beside this file."""

from __future__ import annotations

from typing import Any

from companion.events import BadInput, brief, known_keys, one_of
from companion.game import Terms
from companion.games.siege.ground import MEN, Ground, ground_of
from companion.games.siege.rules import SEATS, TAKEN, UNPLACED, State

FIELDS = ("to_move", "knights", "defenders", "commander", "defender_turns", "unmoved", "rule_lifted", "quiet_turns", "seen",
          "ended", "gone")  # fmt: skip
NOWHERE = {"captured": TAKEN, "not placed": UNPLACED}


def position(state: State) -> dict[str, Any]:
    ground = state.ground
    commander = next((word for word, code in NOWHERE.items() if code == state.commander), None)
    return {
        "to_move": SEATS[state.to_move],
        "knights": ground.ids(state.knights),
        "defenders": ground.ids(state.defenders),
        "commander": commander or ground.spaces[state.commander].id,
        "defender_turns": state.turns,
        "unmoved": ground.ids(state.unmoved),
        "rule_lifted": state.lifted,
        "quiet_turns": state.quiet,
        "seen": [_key_to_text(ground, key) for key in state.seen],
        "ended": state.ended,
        "gone": list(state.gone),
    }


def from_position(terms: Terms, data: dict[str, Any]) -> State:
    """The state that a position describes. Fields that are left out take their value in a game well past its opening."""
    known_keys("position", data, FIELDS)
    ground = ground_of(terms)
    knights = _squares(ground, "knights", data.get("knights"))
    defenders = _squares(ground, "defenders", data.get("defenders"))
    commander = _commander(ground, data.get("commander"))
    unmoved = _squares(ground, "unmoved", data.get("unmoved", []))
    turns = _whole("defender_turns", data.get("defender_turns", 4), 4)
    to_move = SEATS.index(one_of("to_move", data.get("to_move"), SEATS))
    if defenders & ground.blue:
        raise BadInput("defenders: a Defender may not stand on blue (SG-22)")
    for one, other, what in ((knights, defenders, "a Knight and a Defender"),
                             (knights, 1 << max(commander, 0) if commander >= 0 else 0, "a Knight and the Commander"),
                             (defenders, 1 << max(commander, 0) if commander >= 0 else 0, "a Defender and the Commander")):  # fmt: skip
        if shared := ground.ids(one & other):
            raise BadInput(f"position: {what} stand on {shared[0]}; only one piece may (SG-10)")
    if commander >= 0 and not ground.castle >> commander & 1:
        raise BadInput("commander: he must stand in the Castle (SG-25)")
    if commander == TAKEN and not knights:
        raise BadInput("position: all Knights and the Commander are gone; only one side can have won (SG-42, SG-43)")
    if commander == UNPLACED and (knights != ground.starts or defenders != ground.dots or to_move != 1 or turns):
        raise BadInput("commander: he is placed before the first move, when all others stand on their dots (SG-06)")
    if unmoved & ~(defenders & ground.dots):
        raise BadInput("unmoved: these are Defenders that still stand on the dotted square they started from")
    lifted = data.get("rule_lifted", False)
    if not isinstance(lifted, bool):
        raise BadInput("rule_lifted: must be true or false")
    seen = data.get("seen", [])
    if not isinstance(seen, list) or len(seen) > 10_000:
        raise BadInput("seen: must be a list of earlier positions")
    gone = data.get("gone", [])
    if not isinstance(gone, list) or len(gone) > 1:
        raise BadInput("gone: at most one of the two players")
    return State(
        ground, knights, defenders, commander, to_move, turns, unmoved, lifted,
        _whole("quiet_turns", data.get("quiet_turns", 0), 10**6),
        tuple(_key_from_text(ground, text) for text in seen),
        one_of("ended", data.get("ended", "") or "", ("", "draw", "left")),
        tuple(one_of("gone", seat, SEATS) for seat in gone),
    )  # fmt: skip


def _squares(ground: Ground, field: str, value: object) -> int:
    if not isinstance(value, list):
        raise BadInput(f"{field}: must be a list of squares, not {brief(value)}")
    if len(value) > MEN:
        raise BadInput(f"{field}: there are only {MEN}, not {len(value)} (SG-01)")
    mask = 0
    for id in value:
        bit = 1 << ground.index[one_of(field, id, ground.index)]
        if mask & bit:
            raise BadInput(f"{field}: two stand on {id}; only one piece may (SG-10)")
        mask |= bit
    return mask


def _commander(ground: Ground, value: object) -> int:
    if isinstance(value, str) and value in NOWHERE:
        return NOWHERE[value]
    return ground.index[one_of("commander", value, (*ground.index, *NOWHERE))]


def _whole(field: str, value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise BadInput(f"{field}: must be a whole number from 0 to {most}, not {brief(value)}")
    return value


def _key_to_text(ground: Ground, key: int) -> str:
    """'attacker: c3 e5 / d4 / d6' is the side to move, the Knights, the Defenders and the Commander."""
    to_move, commander = key & 1, (key >> 1 & 127) - 1
    knights, defenders = key >> 72, key >> 8 & (1 << 64) - 1
    square = ground.spaces[commander].id if commander >= 0 else "-"
    return f"{SEATS[to_move]}: {' '.join(ground.ids(knights))} / {' '.join(ground.ids(defenders))} / {square}"


def _key_from_text(ground: Ground, text: object) -> int:
    try:
        assert isinstance(text, str)
        seat, rest = text.split(":")
        knights, defenders, commander = (part.split() for part in rest.split("/"))
        place = -1 if commander == ["-"] else ground.index[commander[0]]
        masks = [sum(1 << ground.index[id] for id in ids) for ids in (knights, defenders)]
        return (masks[0] << 64 | masks[1]) << 8 | place + 1 << 1 | SEATS.index(seat)
    except (AssertionError, ValueError, KeyError, IndexError) as error:
        raise BadInput(f"seen: {brief(text)} is not of the form 'attacker: c3 e5 / d4 / d6'") from error



