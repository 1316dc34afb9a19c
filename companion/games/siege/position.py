"""A Siege position as JSON, for files, disputes and bug reports. Its fields are described in `POSITION.md` beside this file."""

from __future__ import annotations

from typing import Any

from companion.events import BadInput, brief, known_keys, one_of
from companion.game import Terms
from companion.games.siege.ending import MEMORY, phase_by_readings
from companion.games.siege.ground import MEN, Ground, ground_of
from companion.games.siege.opening import TURNS, Opening, at_defenders_turn, turns_counted
from companion.games.siege.state import (
    COMMANDER_CAPTURED,
    DRAWN,
    KNIGHTS_CAPTURED,
    LEFT,
    PLACING,
    PLAY,
    Stand,
    State,
)
from companion.games.siege.tables import SEATS

FIELDS = ("to_move", "knights", "defenders", "commander", "opening", "unmoved", "quiet_turns", "seen", "ended", "gone")
CAPTURED, NOT_PLACED = "captured", "not placed"  # a Commander on no square
RISKS = ("nothing", "defender", "attacker", "both")  # whose pieces could be taken, in the order of `opening`
MOST_TURNS = 10**6


def position(state: State) -> dict[str, Any]:
    ground = state.ground
    return {
        "to_move": SEATS[state.to_move],
        "knights": ground.ids(state.knights),
        "defenders": ground.ids(state.defenders),
        "commander": _commander_text(ground, state.commander, CAPTURED if state.phase == COMMANDER_CAPTURED else NOT_PLACED),
        "opening": [RISKS[risk] for risk in state.opening.risks],
        "unmoved": ground.ids(state.opening.unmoved),
        "quiet_turns": state.quiet,
        "seen": [_stand_to_text(ground, stand) for stand in state.seen],
        "ended": state.phase if state.phase in (DRAWN, LEFT) else "",
        "gone": list(state.gone),
    }


def from_position(terms: Terms, data: dict[str, Any]) -> State:
    """The state that a position describes. Fields that are left out take their value in a game well past its opening."""
    known_keys("position", data, FIELDS)
    ground = ground_of(terms)
    stand = to_move, knights, defenders, commander = _stand(ground, data)
    state = State(
        ground, knights, defenders, commander, to_move, _opening(ground, data, stand),
        _phase(data, knights, to_move),
        _whole("quiet_turns", data.get("quiet_turns", 0), MOST_TURNS), _seen(ground, data, stand), _gone(data),
    )  # fmt: skip
    if data["commander"] == NOT_PLACED:
        _check_before_the_first_move(state)
    if state.phase == PLAY and SEATS[to_move] in state.gone:
        raise BadInput(f"gone: the {SEATS[to_move]} has left, so it cannot be his turn (X-A07)")
    return state._replace(phase=phase_by_readings(state))


# --- the pieces ---


def _stand(ground: Ground, data: dict[str, Any]) -> Stand:
    to_move = SEATS.index(one_of("to_move", data.get("to_move"), SEATS))
    knights = _squares(ground, "knights", data.get("knights"))
    defenders = _squares(ground, "defenders", data.get("defenders"))
    commander = _commander(ground, data.get("commander"))
    if defenders & ground.blue:
        raise BadInput(f"defenders: {ground.ids(defenders & ground.blue)[0]} is blue, where no Defender may stand (SG-22)")
    if commander & ~ground.castle:
        raise BadInput("commander: he must stand in the Castle (SG-25)")
    for shared, what in ((knights & defenders, "a Knight and a Defender"), (knights & commander, "a Knight and the Commander"),
                         (defenders & commander, "a Defender and the Commander")):  # fmt: skip
        if shared:
            raise BadInput(f"position: {what} stand on {ground.ids(shared)[0]}; only one piece may (SG-10)")
    return to_move, knights, defenders, commander


def _squares(ground: Ground, field: str, value: object) -> int:
    if not isinstance(value, list):
        raise BadInput(f"{field}: must be a list of squares, not {brief(value)}")
    if len(value) > MEN:
        raise BadInput(f"{field}: there are only {MEN}, not {len(value)} (SG-01)")
    mask = 0
    for id in value:
        bit = ground.square[one_of(field, id, ground.square)]
        if mask & bit:
            raise BadInput(f"{field}: two stand on {id}; only one piece may (SG-10)")
        mask |= bit
    return mask


def _commander(ground: Ground, value: object) -> int:
    return ground.square.get(one_of("commander", value, (*ground.square, CAPTURED, NOT_PLACED)), 0)


def _commander_text(ground: Ground, commander: int, nowhere: str) -> str:
    return "".join(ground.ids(commander)) or nowhere


# --- the opening ---


def _opening(ground: Ground, data: dict[str, Any], stand: Stand) -> Opening:
    to_move, _, defenders, commander = stand
    given = data.get("opening", [RISKS[0]] * TURNS)
    if not isinstance(given, list) or len(given) > MOST_TURNS:
        raise BadInput(f"opening: must be a list with one of {', '.join(RISKS)} for each of the Defender's turns so far")
    risks = tuple(RISKS.index(one_of("opening", risk, RISKS)) for risk in given)
    lasts = turns_counted(ground, risks) < TURNS
    usual = ground.ids(defenders & ground.dots) if len(risks) < TURNS else []
    unmoved = _squares(ground, "unmoved", data.get("unmoved", usual))
    if unmoved & ~(defenders & ground.dots):
        raise BadInput("unmoved: these are Defenders that still stand on the dotted square they started from")
    moved = (defenders & ~unmoved).bit_count()
    if moved > len(risks):
        raise BadInput(f"unmoved: {moved} Defenders cannot have moved in {len(risks)} turns of the Defender (SG-30)")
    opening = Opening(lasts, unmoved, risks)
    return at_defenders_turn(ground, opening, *stand[1:]) if lasts and to_move == 1 and commander else opening


# --- how far the game is ---


def _phase(data: dict[str, Any], knights: int, to_move: int) -> str:
    captured = data["commander"] == CAPTURED
    if captured and not knights:
        raise BadInput("position: all Knights and the Commander are gone; only one side can have won (SG-42, SG-43)")
    if captured and to_move != 1:
        raise BadInput("to_move: the Attacker has just captured the Commander, so it would be the Defender's turn (SG-42)")
    if not knights and to_move != 0:
        raise BadInput("to_move: the Defender has just captured the last Knight, so it would be the Attacker's turn (SG-43)")
    won = COMMANDER_CAPTURED if captured else KNIGHTS_CAPTURED if not knights else ""
    ended = one_of("ended", data.get("ended", ""), ("", DRAWN, LEFT))
    if won and ended:
        raise BadInput(f"ended: the game was won already, it cannot end as '{ended}'")
    return won or ended or (PLACING if data["commander"] == NOT_PLACED else PLAY)


def _check_before_the_first_move(state: State) -> None:
    ground, opening = state.ground, state.opening
    standing = state.knights == ground.starts and state.defenders == opening.unmoved == ground.dots
    if not standing or state.to_move != 1 or opening.risks or state.quiet or state.seen:
        raise BadInput("commander: he is placed before the first move, when all others stand on their dots (SG-06)")


def _gone(data: dict[str, Any]) -> tuple[str, ...]:
    gone = data.get("gone", [])
    if not isinstance(gone, list) or len(gone) > 1:
        raise BadInput("gone: must be a list of at most one of the two players")
    return tuple(one_of("gone", seat, SEATS) for seat in gone)


def _whole(field: str, value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise BadInput(f"{field}: must be a whole number from 0 to {most}, not {brief(value)}")
    return value


# --- positions that could come back ---


def _seen(ground: Ground, data: dict[str, Any], stand: Stand) -> tuple[Stand, ...]:
    """What is remembered. Whoever corrects a position on the board begins anew: nobody can tell what else was wrong before."""
    now = () if data["commander"] == NOT_PLACED else (stand,)
    if "seen" not in data:
        return now
    given = data["seen"]
    if not isinstance(given, list) or len(given) > MEMORY + 1:
        raise BadInput(f"seen: must be a list of at most {MEMORY + 1} positions")
    seen = tuple(_stand_from_text(ground, text) for text in given)
    return seen if seen[-1:] == now else now


def _stand_to_text(ground: Ground, stand: Stand) -> str:
    """'attacker: c3 e5 / d4 / d6' is the side to move, the Knights, the Defenders and the Commander."""
    to_move, knights, defenders, commander = stand
    pieces = (" ".join(ground.ids(knights)), " ".join(ground.ids(defenders)), _commander_text(ground, commander, CAPTURED))
    return f"{SEATS[to_move]}: {' / '.join(pieces)}"


def _stand_from_text(ground: Ground, text: object) -> Stand:
    seat, _, rest = text.partition(":") if isinstance(text, str) else ("", "", "")
    pieces = rest.split("/")
    if len(pieces) != 3:
        raise BadInput(f"seen: {brief(text)} is not of the form 'attacker: c3 e5 / d4 / d6' (Knights, Defenders, Commander)")
    knights, defenders, commander = pieces
    fields = {"to_move": seat, "knights": knights.split(), "defenders": defenders.split(), "commander": commander.strip()}
    return _stand(ground, fields)
