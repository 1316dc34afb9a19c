"""A position of Fighting Marines as JSON, for files, disputes and bug reports. Its fields are described in `POSITION.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from companion.events import BadInput, brief, known_keys, one_of
from companion.game import Terms
from companion.games.fighting_marines.ground import ALL_CHIPS, COLOUR, MEN, RANK, RING, Ground, ground_of
from companion.games.fighting_marines.purse import Purse
from companion.games.fighting_marines.state import (
    BANK,
    LEFT,
    OVER,
    PHASES,
    POOL,
    ROLL_OFF,
    STOP,
    THROW,
    TURN,
    VICTORY,
    Captive,
    Debt,
    Men,
    State,
    complete,
    first_purses,
    with_landed,
)
from companion.roll_off import RollOff

FIELDS = ("phase", "first_turn", "thrower", "arrow", "turn_to", "men", "captives", "chips", "stop", "ready", "fresh", "landed",
          "called", "debts", "gone", "ended", "winners")  # fmt: skip
MOST = 10**6
Item = TypeVar("Item")


def position(state: State) -> dict[str, Any]:
    ground = state.ground
    names = (*ground.seats, POOL, BANK)
    return {
        "phase": state.phase,
        "first_turn": _first_turn(state.roll_off),
        "thrower": state.thrower,
        "arrow": state.arrow,
        "turn_to": state.turn_to,
        "men": {ground.ids[space]: list(there) for space, there in enumerate(state.men) if there},
        "captives": [captive._asdict() for captive in state.captives],
        "chips": {name: purse._asdict() for name, purse in zip(names, state.purses, strict=True)},
        "stop": state.stop,
        "ready": list(state.ready),
        "fresh": [ground.ids[space] for space in sorted(state.fresh)],
        "landed": list(state.landed),
        "called": list(state.called),
        "debts": [debt._asdict() for debt in state.debts],
        "gone": list(state.gone),
        "ended": state.ended,
        "winners": list(state.winners),
    }


def _first_turn(roll_off: RollOff | None) -> dict[str, Any] | None:
    return {"waiting": list(roll_off.waiting), "thrown": dict(roll_off.thrown)} if roll_off else None


def from_position(terms: Terms, data: dict[str, Any]) -> State:
    """The state that a position describes. What is left out takes the value it has when a stop begins."""
    known_keys("position", data, FIELDS)
    ground = ground_of(terms)
    gone = _seats(ground, "gone", data.get("gone", []))
    stop = _whole("stop", data.get("stop", 1), 0, MOST)
    state = State(
        ground,
        phase := one_of("phase", data.get("phase", STOP), PHASES),
        _roll_off(ground, data.get("first_turn")),
        one_of("thrower", data.get("thrower") or "", ("", *ground.seats)),
        _whole("arrow", data.get("arrow"), 1, RING),
        _whole("turn_to", data.get("turn_to", 0), 0, RING),
        _men(ground, data.get("men")),
        _purses(ground, data.get("chips")),
        tuple(sorted(_list("captives", data.get("captives", []), lambda item: _captive(ground, item, stop, gone)))),
        stop,
        _seats(ground, "ready", data.get("ready", [])),
        frozenset(_list("fresh", data.get("fresh", []), lambda id: ground.index[one_of("fresh", id, ground.index)])),
        landed=tuple(_list("landed", data.get("landed", []), lambda colour: one_of("landed", colour, ground.in_play))),
        called=_seats(ground, "called", data.get("called", [])),
        debts=tuple(_list("debts", data.get("debts", []), lambda item: _debt(ground, item))),
        gone=gone,
        ended=one_of("ended", data.get("ended") or "", ("", VICTORY, LEFT)),
        winners=_seats(ground, "winners", data.get("winners", [])),
    )
    _check_men(state)
    found = with_landed(state)
    if found.called != state.called:
        raise BadInput("called: somebody called Victory who has not landed all his men (FM-41)")
    _check_phase(found, phase)
    _check_rest(found)
    return found


# --- single fields ---


def _whole(field: str, value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadInput(f"{field}: must be a whole number from {least} to {most}, not {brief(value)}")
    return value


def _list(field: str, value: object, read: Callable[[Any], Item]) -> list[Item]:
    if not isinstance(value, list) or len(value) > 1000:
        raise BadInput(f"{field}: must be a list, not {brief(value)}")
    return [read(item) for item in value]


def _seats(ground: Ground, field: str, value: object) -> tuple[str, ...]:
    seats = tuple(_list(field, value, lambda seat: one_of(field, seat, ground.seats)))
    if len(set(seats)) != len(seats):
        raise BadInput(f"{field}: a seat is named twice")
    return seats


def _object(field: str, value: object, keys: Iterable[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadInput(f"{field}: must be an object, not {brief(value)}")
    known_keys(field, value, keys)
    return value


def _roll_off(ground: Ground, value: object) -> RollOff | None:
    if value is None:
        return None
    data = _object("first_turn", value, ("waiting", "thrown"))
    waiting = _seats(ground, "waiting", data.get("waiting", []))
    thrown = _object("thrown", data.get("thrown", {}), ground.seats)
    if not waiting or set(waiting) & thrown.keys():
        raise BadInput("first_turn: somebody must still be waiting, and nobody waits who has thrown (FM-15)")
    return RollOff(waiting, tuple((seat, _whole("thrown", total, 2, 12)) for seat, total in thrown.items()))


def _men(ground: Ground, value: object) -> Men:
    men: list[tuple[str, ...]] = [()] * len(ground.spaces)
    for id, there in _object("men", value, ground.ids).items():
        named = [there] if isinstance(there, str) else there
        men[ground.index[id]] = tuple(sorted(_list(f"men {id}", named, lambda man: one_of("men", man, ground.men))))
    return tuple(men)


def _captive(ground: Ground, value: object, stop: int, gone: tuple[str, ...]) -> Captive:
    data = _object("captives", value, Captive._fields)
    man, holder = one_of("man", data.get("man"), ground.men), one_of("holder", data.get("holder"), ground.seats)
    if ground.owner_of[man] == holder:
        raise BadInput(f"captives: {holder} cannot hold a man of his own, the {man} (FM-24)")
    if holder in gone:
        raise BadInput(f"captives: {holder} has left, so the {man} went back to his owner (FM-A32)")
    return Captive(man, holder, _whole("since", data.get("since", 0), 0, stop))


def _debt(ground: Ground, value: object) -> Debt:
    data = _object("debts", value, Debt._fields)
    debtor, creditor = (one_of(field, data.get(field), ground.seats) for field in ("debtor", "creditor"))
    if debtor == creditor:
        raise BadInput("debts: nobody owes himself")
    return Debt(debtor, creditor, _whole("amount", data.get("amount"), 1, MOST))


def _purses(ground: Ground, value: object) -> tuple[Purse, ...]:  # FM-07
    if value is None:
        return first_purses(ground)
    names = (*ground.seats, POOL, BANK)
    data = _object("chips", value, names)
    purses = []
    for name in names:
        chips = _object(f"chips {name}", data.get(name), Purse._fields)
        purses.append(Purse(*(_whole(f"chips {name} {colour}", chips.get(colour, 0), 0, MOST) for colour in Purse._fields)))
    for colour in Purse._fields:
        total, there_are = sum(getattr(purse, colour) for purse in purses), getattr(ALL_CHIPS, colour)
        if total != there_are:
            raise BadInput(f"chips: there are {there_are} {colour} ones, not {total} (FM-07)")
    return tuple(purses)


# --- what cannot be ---


def _check_phase(state: State, phase: str) -> None:
    if (phase == ROLL_OFF) != bool(state.roll_off):
        raise BadInput("first_turn: needed in the phase roll_off, and only there (FM-15)")
    if not state.thrower and phase not in (ROLL_OFF, OVER):
        raise BadInput("thrower: missing; somebody's throw it is, or was (FM-15)")
    owing = state.roll_off.waiting if state.roll_off else (state.thrower,) if phase in (THROW, TURN) else ()
    if set(owing) & set(state.gone):
        raise BadInput("thrower: the throw waits for a player who has left (X-A07)")
    if (phase == TURN) != bool(state.turn_to):
        raise BadInput("turn_to: needed in the phase turn, and only there (FM-16)")
    if (phase == OVER) != bool(state.ended):
        raise BadInput("ended: needed in the phase over, and only there")
    if bool(state.winners) != (state.ended == VICTORY):
        raise BadInput("winners: needed after a victory, and only then (FM-41)")
    if phase == STOP and not [seat for seat in state.ground.seats if seat not in (*state.ready, *state.gone)]:
        raise BadInput("ready: all are, so the next throw is due (FM-40)")
    if len(state.gone) == len(state.ground.seats) and phase != OVER:
        raise BadInput("gone: all have left, so the game is over")
    unclaimed = [seat for seat in complete(state) if phase not in (STOP, OVER) and not state.ground.must_call]
    if unclaimed:
        raise BadInput(f"men: {unclaimed[0]} has all men on the platform, so the game is over (FM-41)")


def _check_men(state: State) -> None:
    ground = state.ground
    for space, there in enumerate(state.men):
        if there:
            _check_space(ground, space, there)
    counts = Counter(man for there in state.men for man in there) + Counter(captive.man for captive in state.captives)
    removed = {man for man in ground.men if ground.owner_of[man] in state.gone}
    if not any(counts[man] for man in removed):
        counts.update({man: MEN[RANK[man]] for man in removed})  # X-A07, remove_pieces
    for man in ground.men:
        if counts[man] != MEN[RANK[man]]:
            raise BadInput(f"men: the {man} must be there {MEN[RANK[man]]} times, captives included, not {counts[man]} (FM-05)")


def _check_space(ground: Ground, space: int, there: tuple[str, ...]) -> None:
    id, man = ground.ids[space], there[0]
    if space not in ground.place_at:
        if space not in (*ground.circles[COLOUR[man]], *ground.insignia[COLOUR[man]]):
            raise BadInput(f"men: the {man} cannot stand on {id}, only in his own circles, his corner or on the platform (FM-08)")
        if len(there) > 1:
            raise BadInput(f"men: only one man may stand on {id} (FM-38)")
        return
    if space == ground.arrow_space and space not in ground.neutral:
        raise BadInput(f"men: nobody may stand on {id}, the space with the arrow (FM-A03)")
    if any(ground.share_no_space(one, other) for i, one in enumerate(there) for other in there[:i]):
        raise BadInput(f"men: two men of one player stand on {id} (FM-38)")
    if space not in ground.neutral and len({ground.owner_of[one] for one in there}) > 1:
        raise BadInput(f"men: men of two players stand on {id}, which is not Neutral (FM-A14)")
    if space in ground.neutral and ground.neutral_holds_one and len(there) > 1:
        raise BadInput(f"men: at this table only one man may stand on {id} (FM-A13)")


def _check_rest(state: State) -> None:
    ground = state.ground
    for space in state.fresh:
        if space not in ground.all_circles or not state.men[space]:
            raise BadInput(f"fresh: {ground.ids[space]} is no circle with a man in it (FM-A10)")
    if state.fresh and state.phase not in (STOP, OVER):
        raise BadInput("fresh: only while the platform stands still (FM-A10)")
    if state.ready and state.phase != STOP:
        raise BadInput("ready: only while the platform stands still (FM-40)")
    if set(state.ready) & set(state.gone):
        raise BadInput("ready: a player who left cannot be ready (X-A07)")
