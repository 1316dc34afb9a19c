"""A state as JSON and back (see POSITION.md). Impossible positions are refused with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.events import BadInput, brief, dice_from_json, known_keys, one_of
from companion.game import Terms
from companion.games.royal_game.ground import DISCS, Ground, ground_of
from companion.games.royal_game.road import OUT
from companion.games.royal_game.rules import with_choices
from companion.games.royal_game.state import Discs, State, Tally, first_state, in_play, spaces_of
from companion.games.royal_game.steps import discs_before
from companion.games.royal_game.throw import Throw, is_doublet
from companion.games.royal_game.two_dice import numbers_of
from companion.roll_off import RollOff

FIELDS = (
    "turn", "discs", "captured", "first_chances", "entered", "scores", "throw", "sixes", "doublets", "opening", "ended", "gone",
)  # fmt: skip
THROW_FIELDS = ("dice", "open", "mover", "steps", "borrowers", "chance", "goes_out")
MOST_POINTS = 10**6


# --- writing ---


def position(state: State) -> dict[str, Any]:
    ground = state.ground
    tallies = dict(zip(ground.seats, state.tallies, strict=True))
    places = zip(ground.roads, state.discs, strict=True)
    return {
        "turn": ground.seats[state.turn],
        "discs": {road.seat: [road.id(disc) for disc in discs] for road, discs in places},
        "captured": {seat: tally.captured for seat, tally in tallies.items()},
        "first_chances": {seat: tally.chances for seat, tally in tallies.items()},
        "entered": [seat for seat, tally in tallies.items() if tally.entered],
        "scores": {seat: tally.score for seat, tally in tallies.items()},
        "throw": None if state.throw is None else _throw_to_json(ground, state.throw),
        "sixes": state.sixes,
        "doublets": state.doublets,
        "opening": None if state.opening is None else {
            "waiting": list(state.opening.waiting), "thrown": dict(state.opening.thrown),
        },
        "ended": "left" if state.ended == "left" else "",
        "gone": list(state.gone),
    }  # fmt: skip


def _throw_to_json(ground: Ground, throw: Throw) -> dict[str, Any]:
    road = ground.roads[throw.mover]
    return {
        "dice": list(throw.dice),
        "open": list(throw.open),
        "mover": ground.seats[throw.mover],
        "steps": [[road.id(start), road.id(end)] for start, end in throw.steps],
        "borrowers": [ground.seats[seat] for seat in throw.borrowers],
        "chance": throw.chance,
        "goes_out": throw.goes_out,
    }


# --- reading ---


def from_position(terms: Terms, data: dict[str, Any]) -> State:
    """The state that a position describes; see POSITION.md for what may be left out."""
    known_keys("position", data, FIELDS)
    ground = ground_of(terms)
    discs = _discs(ground, data)
    occupied, walls = spaces_of(ground, discs)
    state = first_state(ground)._replace(
        discs=discs, occupied=occupied, walls=walls, tallies=_tallies(ground, discs, data),
        opening=_opening(ground, data.get("opening")),
        turn=ground.seats.index(one_of("turn", data.get("turn", ground.seats[0]), ground.seats)),
        ended=_ended(ground, discs, data), gone=_seats(ground, "gone", data.get("gone", [])),
    )  # fmt: skip
    if state.ended:
        return _with_throw(state._replace(opening=None), {**data, "throw": None})
    _check_whose_turn(state, data)
    return with_choices(_with_throw(state, data))


def _ended(ground: Ground, discs: tuple[Discs, ...], data: Mapping[str, Any]) -> str:
    home = [road.seat for road, places in zip(ground.roads, discs, strict=True) if places[0] == road.home]
    if len(home) > 1:
        raise BadInput(f"discs: {home[0]} and {home[1]} have all discs Home, but the first of them ends the game (RG-28, RG-46)")
    return "home" if home else one_of("ended", data.get("ended", "") or "", ("", "left"))


def _check_whose_turn(state: State, data: Mapping[str, Any]) -> None:
    """What must hold while a game goes on."""
    seats, throw = state.ground.seats, data.get("throw")
    if len(state.gone) == len(seats):
        raise BadInput("gone: if everybody has left, the game has ended")
    if state.opening and any(place != OUT for places in state.discs for place in places):
        raise BadInput("opening: while it is open who begins, all discs are in the start circles (RG-03)")
    if state.opening and throw is not None:
        raise BadInput("throw: while it is open who begins there is no throw to play")
    if state.opening and any(seat in state.gone for seat in state.opening.waiting):
        raise BadInput("opening waiting: a player who has left does not throw")
    if not state.opening and throw is None and seats[state.turn] in state.gone:
        raise BadInput(f"turn: {seats[state.turn]} has left, so it is not his turn")


def _discs(ground: Ground, data: Mapping[str, Any]) -> tuple[Discs, ...]:
    given = _by_seat(ground, "discs", data.get("discs"), None)
    discs = tuple(_places(ground, number, given[seat]) for number, seat in enumerate(ground.seats))
    owner: dict[int, str] = {}
    for road, places in zip(ground.roads, discs, strict=True):
        for place in places:
            if place == OUT or place == road.home:
                continue
            if places.count(place) > 2 and not ground.third_disc:
                raise BadInput(f"discs {road.seat}: only two discs may stand on {road.id(place)} (RG-22, RG-A13)")
            other = owner.setdefault(road.bits[place], road.seat)
            if other != road.seat:
                raise BadInput(f"discs: {other} and {road.seat} stand on {road.id(place)}; only one colour may (RG-15, RG-18)")
    return discs


def _tallies(ground: Ground, discs: tuple[Discs, ...], data: Mapping[str, Any]) -> tuple[Tally, ...]:
    captured, chances, scores = (_by_seat(ground, field, data.get(field), 0) for field in ("captured", "first_chances", "scores"))
    entered = _seats(ground, "entered", data.get("entered", []))
    tallies = []
    for seat, places in zip(ground.seats, discs, strict=True):
        out = places.count(OUT)
        taken = _whole(f"captured {seat}", captured[seat], 0, DISCS)
        if taken > out:
            raise BadInput(f"captured {seat}: only {out} of its discs are in the start circle, so {taken} cannot be captured")
        ahead = _whole(f"first_chances {seat}", chances[seat], 0, DISCS)
        if ahead > taken:
            raise BadInput(f"first_chances {seat}: only captured discs have one, and {taken} are captured (RG-43)")
        points = _whole(f"scores {seat}", scores[seat], -MOST_POINTS, MOST_POINTS)
        if points % 10:
            raise BadInput(f"scores {seat}: points come in tens (RG-42, RG-43, RG-45), not {points}")
        tallies.append(Tally(taken, ahead, seat in entered or out < DISCS or taken > 0, points))
    return tuple(tallies)


def _places(ground: Ground, seat: int, value: object) -> tuple[int, ...]:
    """The progress of one seat's four discs, from the spaces they stand on; discs that are not named are in the start circle."""
    road = ground.roads[seat]
    field = f"discs {road.seat}"
    if value is None:
        return (OUT,) * DISCS
    if not isinstance(value, list):
        raise BadInput(f"{field}: must be a list of spaces, not {brief(value)}")
    if len(value) > DISCS:
        raise BadInput(f"{field}: there are only {DISCS} discs, not {len(value)} (RG-02)")
    places = []
    for id in value:
        one_of(field, id, ground.terms.board.spaces)
        if id not in road.progress:
            raise BadInput(f"{field}: a disc of {road.seat} cannot stand on {id}, which is not on its way Home (RG-07, RG-08)")
        places.append(road.progress[id])
    return tuple(sorted([*places, *[OUT] * (DISCS - len(places))]))


def _opening(ground: Ground, value: object) -> RollOff | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BadInput(f"opening: must be an object with waiting and thrown, not {brief(value)}")
    known_keys("opening", value, ("waiting", "thrown"))
    waiting = _seats(ground, "opening waiting", value.get("waiting", list(ground.seats)))
    thrown = value.get("thrown", {})
    _by_seat(ground, "opening thrown", thrown, None)
    most = 6 * len(ground.dice)
    totals = tuple((seat, _whole("opening thrown", total, len(ground.dice), most)) for seat, total in thrown.items())
    if not waiting or any(seat in waiting for seat, _ in totals):
        raise BadInput("opening: somebody must still have to throw, and nobody throws twice")
    return RollOff(waiting, totals)


def _with_throw(state: State, data: Mapping[str, Any]) -> State:
    """The throw that is being played, and how many sixes or doublets came in a row."""
    value = data.get("throw")
    dice: tuple[int, ...] = ()
    if value is not None:
        if not isinstance(value, dict):
            raise BadInput(f"throw: must be an object such as {{\"dice\": [5]}}, not {brief(value)}")
        known_keys("throw", value, THROW_FIELDS)
        dice = dice_from_json(value.get("dice"))
        if len(dice) != len(state.ground.dice):
            raise BadInput(f"throw dice: this game is played with {len(state.ground.dice)} (RG-29), not {len(dice)}")
    state = state._replace(
        sixes=_whole("sixes", data.get("sixes", int(6 in dice)), 0, 10**6),
        doublets=_whole("doublets", data.get("doublets", int(is_doublet(dice))), 0, 10**6),
    )
    return state._replace(throw=_throw(state, value, dice)) if value is not None else state


def _throw(state: State, value: Mapping[str, Any], dice: tuple[int, ...]) -> Throw:
    ground = state.ground
    mover = ground.seats.index(one_of("throw mover", value.get("mover", ground.seats[state.turn]), ground.seats))
    if ground.seats[mover] in state.gone:
        raise BadInput(f"throw mover: {ground.seats[mover]} has left")
    steps = _steps(ground, mover, value.get("steps", []))
    try:
        discs_before(state.discs[mover], steps)
    except ValueError as error:
        raise BadInput(f"throw steps: {ground.seats[mover]} has no discs that can have made them") from error
    throw = Throw(
        dice,
        _open(value.get("open", list(numbers_of(state, dice))), dice),
        mover,
        steps,
        tuple(ground.seats.index(seat) for seat in _seats(ground, "throw borrowers", value.get("borrowers", []))),
        _truth("throw chance", value.get("chance", False)),
        goes_out := _truth("throw goes_out", value.get("goes_out", False)),
        dice in ground.again and not goes_out,
    )
    if throw.goes_out:
        if not in_play(state, state.turn) or mover != state.turn or throw.open:
            raise BadInput("throw goes_out: then the thrower has a disc in play, and no number is open (RG-27)")
    elif not throw.open:
        raise BadInput("throw open: a throw that is being played has a number left")
    return throw


def _open(value: object, dice: tuple[int, ...]) -> tuple[int, ...]:
    """Numbers that this throw can have opened: its faces, 12 for a six, and the undersides of a doublet."""
    can_be = [*dice, *(7 - face for face in dice if is_doublet(dice))]
    if not isinstance(value, list) or len(value) > len(can_be):
        raise BadInput(f"throw open: must be a list of numbers that are left of {list(dice)}, not {brief(value)}")
    for number in value:
        face = 6 if number == 12 and 6 in dice else number
        if isinstance(number, bool) or face not in can_be:
            raise BadInput(f"throw open: {brief(number)} is not left of {list(dice)}")
        can_be.remove(face)
    return tuple(value)


def _steps(ground: Ground, mover: int, value: object) -> tuple[tuple[int, int], ...]:
    road = ground.roads[mover]
    if not isinstance(value, list) or len(value) > DISCS or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
        raise BadInput("throw steps: must be a list of at most four pairs of spaces, such as [[\"T00\", \"T03\"]]")
    return tuple((road.progress[one_of("throw steps", a, road.progress)], road.progress[one_of("throw steps", b, road.progress)])
                 for a, b in value)  # fmt: skip


# --- small parts ---


def _by_seat(ground: Ground, field: str, value: object, default: Any) -> dict[str, Any]:
    """A value for each seat; seats that are not named have the default."""
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise BadInput(f"{field}: must map seats to values, such as {{\"{ground.seats[0]}\": …}}")
    known_keys(field, value, ground.seats)
    return {seat: value.get(seat, default) for seat in ground.seats}


def _seats(ground: Ground, field: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > len(ground.seats):
        raise BadInput(f"{field}: must be a list of seats, not {brief(value)}")
    seats = tuple(one_of(field, seat, ground.seats) for seat in value)
    if len(set(seats)) != len(seats):
        raise BadInput(f"{field}: a seat is named twice")
    return seats


def _whole(field: str, value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadInput(f"{field}: must be a whole number from {least} to {most}, not {brief(value)}")
    return value


def _truth(field: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise BadInput(f"{field}: must be true or false, not {brief(value)}")
    return value
