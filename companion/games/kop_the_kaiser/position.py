"""A position of Kop the Kaiser as JSON. Its fields are described in `POSITION.md` beside this file."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from companion.events import BadInput, brief, known_keys, one_of
from companion.game import Terms
from companion.games.kop_the_kaiser.ground import ADVANCE, PORT, RETREAT, Ground, face, ground_of
from companion.games.kop_the_kaiser.state import DEFEATS, NUMBERS, VICTORIES, Order, State, outcome, playing
from companion.roll_off import RollOff

FIELDS = ("armies", "roll_off", "dice", "number", "failed", "throw", "owed", "gone", "ended")
VANQUISHED = "vanquished"


def position(state: State) -> dict[str, Any]:
    ground, roll_off = state.ground, state.roll_off
    return {
        "armies": {ground.army[seat]: _place_to_json(ground, seat, state.step(seat)) for seat in ground.seats},
        "roll_off": {"waiting": list(roll_off.waiting), "thrown": [list(t) for t in roll_off.thrown]} if roll_off else None,
        "dice": state.dice,
        "number": state.number,
        "failed": state.failed,
        "throw": state.throw,
        "owed": {ground.army[seat]: _place_to_json(ground, seat, target) for seat, target in state.owed},
        "gone": list(state.gone),
        "ended": state.ended,
    }


def _place_to_json(ground: Ground, seat: str, step: int) -> Any:
    space = ground.tracks[seat].spaces.get(step)
    return {"space": space, "face": face(step)} if space else VANQUISHED


def from_position(terms: Terms, data: dict[str, Any]) -> State:
    """The state that a position describes. Only `armies` and `dice` (or `roll_off`) are needed."""
    known_keys("position", data, FIELDS)
    ground = ground_of(terms)
    places = _places(ground, "armies", data.get("armies"))
    for army, seat in ground.owner.items():
        if seat not in places:
            raise BadInput(f"armies: the place of the {army} is missing (KK-04)")
    gone = _seats("gone", data.get("gone", []), ground.seats)
    state = State(
        ground,
        tuple(places[seat] for seat in ground.seats),
        _roll_off(data.get("roll_off"), [seat for seat in ground.seats if seat not in gone]),
        number=_one_of_totals("number", data.get("number", 0), (0, *NUMBERS)),
        failed=_one_of_totals("failed", data.get("failed", 0), tuple(range(ground.most_tries))),
        throw=_one_of_totals("throw", data.get("throw", 0), (0, *VICTORIES, *DEFEATS, *NUMBERS)),
        owed=tuple(Order(seat, step) for seat, step in _places(ground, "owed", data.get("owed", {})).items()),
        gone=gone,
        ended=one_of("ended", data.get("ended", ""), ("", "left")),
    )
    _check_armies(state)
    if state.roll_off:
        _check_roll_off(state, data.get("dice", ""))
        return state
    state = state._replace(dice=one_of("dice", data.get("dice"), ground.seats))
    _check_throw(state)
    return state


# --- fields ---


def _places(ground: Ground, field: str, value: object) -> dict[str, int]:
    """Steps by seat, from places by army."""
    if not isinstance(value, dict):
        raise BadInput(f"{field}: must map armies to places such as {{\"space\": …, \"face\": …}}, not {brief(value)}")
    return {ground.owner[one_of(field, army, ground.owner)]: _place(ground, field, army, place) for army, place in value.items()}


def _place(ground: Ground, field: str, army: str, value: object) -> int:
    where, track = f"{field}: {army}", ground.tracks[ground.owner[army]]
    if value == VANQUISHED:
        return track.vanquished
    if not isinstance(value, dict):
        raise BadInput(f"{where}: must be '{VANQUISHED}' or a space and a face, not {brief(value)}")
    known_keys(where, value, ("space", "face"))
    space = one_of(f"{where}: space", value.get("space"), ground.terms.board.spaces)
    is_blue = space in track.blue
    up = one_of(f"{where}: face", value.get("face", None if is_blue else ADVANCE), (ADVANCE, RETREAT))
    step = track.steps.get((space, up))
    if step is None:
        raise BadInput(f"{where}: {_why_never(ground, space, army)}")
    if ground.out_at_last_space and step == -track.last:
        raise BadInput(f"{where}: on {space} with RETREAT up it would be vanquished at this table (KK-A26)")
    return step


def _why_never(ground: Ground, space: str, army: str) -> str:
    kinds, track = ground.terms.board.spaces[space].kinds, ground.tracks[ground.owner[army]]
    if space == track.port or space == track.berlin or space in track.pink:
        return f"on {space} ADVANCE is up (KK-24, KK-A32)"
    if "pink" in kinds:
        return f"{space} is the way of another port (KK-27)"
    return f"{space} is another's port, and ports are no spaces to stop on (KK-23)"


def _seats(field: str, value: object, allowed: Collection[str]) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > len(allowed):
        raise BadInput(f"{field}: must be a list of seats, not {brief(value)}")
    seats = tuple(one_of(field, seat, allowed) for seat in value)
    if len(set(seats)) < len(seats):
        raise BadInput(f"{field}: a seat is named twice")
    return seats


def _one_of_totals(field: str, value: object, allowed: tuple[int, ...]) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
        raise BadInput(f"{field}: must be one of {', '.join(map(str, sorted(allowed)))}, not {brief(value)}")
    return value


def _roll_off(value: object, still_here: list[str]) -> RollOff | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BadInput(f"roll_off: must hold waiting and thrown, not {brief(value)}")
    known_keys("roll_off", value, ("waiting", "thrown"))
    waiting, thrown = _seats("roll_off: waiting", value.get("waiting"), still_here), value.get("thrown", [])
    if not isinstance(thrown, list) or not all(isinstance(t, list) and len(t) == 2 for t in thrown):
        raise BadInput("roll_off: thrown must be a list of pairs such as [\"boston\", 9]")
    seats = _seats("roll_off: thrown", [seat for seat, _ in thrown], still_here)
    if both := set(seats) & set(waiting):
        raise BadInput(f"roll_off: {min(both)} has thrown and cannot be waiting (KK-06)")
    totals = [_one_of_totals("roll_off: thrown", total, tuple(range(2, 13))) for _, total in thrown]
    return RollOff(waiting, tuple(zip(seats, totals, strict=True)))


# --- what cannot be ---


def _check_armies(state: State) -> None:
    if sum(state.step(seat) == state.track(seat).goal for seat in state.ground.seats) > 1:
        raise BadInput("armies: two armies stand in Berlin; the first one there has won (KK-36)")
    vanquished = [seat for seat in state.ground.seats if state.step(seat) == state.track(seat).vanquished]
    if len(vanquished) == len(state.ground.seats) and not state.ground.must_reach_berlin:
        raise BadInput("armies: all are vanquished; the last one left has won (KK-A29)")


def _check_roll_off(state: State, dice: object) -> None:
    assert state.roll_off
    if dice or state.number or state.failed or state.throw or state.owed:
        raise BadInput("roll_off: nobody has the dice or moves before it is known who starts (KK-06)")
    if any(state.steps):
        raise BadInput("roll_off: all armies stand on their ports until it is known who starts (KK-04, KK-06)")
    if not state.roll_off.waiting and not outcome(state):
        raise BadInput("roll_off: waiting is empty, but nobody has the first turn yet (KK-06)")


def _check_throw(state: State) -> None:
    if state.failed and not state.number:
        raise BadInput("failed: there is no number to be repeated (KK-16)")
    if bool(state.throw) != bool(state.owed):
        raise BadInput("throw: it stands there exactly while counters are owed a move")
    if state.throw and state.throw != state.number and (state.number or state.throw in NUMBERS):
        raise BadInput(f"throw: {state.throw} moves nobody while the number to repeat is {state.number or 'not rolled'} (KK-16)")
    if state.dice not in playing(state) and not state.owed and not outcome(state):
        raise BadInput(f"dice: {state.dice} is out of the game and cannot have them (KK-35, KK-A28)")
    for order in state.owed:
        _check_order(state, order)


def _check_order(state: State, order: Order) -> None:
    army, step = state.ground.army[order.seat], state.step(order.seat)
    if order.seat not in playing(state):
        raise BadInput(f"owed: the {army} is out of the game (KK-35)")
    if order.target == step:
        raise BadInput(f"owed: the {army} stands there already")
    forward = order.target > step
    far = abs(order.target - step) > state.throw + 1  # one more where the port is passed
    if order.seat == state.dice and (far or forward != (state.throw not in DEFEATS)):
        raise BadInput(f"owed: a throw of {state.throw} does not move the {army} from {state.space(order.seat)} there")
    if order.seat != state.dice and state.throw == state.number and order.target != PORT:
        raise BadInput(f"owed: a repeated number moves nobody but the roller, so not the {army} (KK-19)")
