"""What a throw orders: which counters must be moved, and where to. Nobody chooses anything here."""

from __future__ import annotations

from companion.games.kop_the_kaiser.ground import PORT, face
from companion.games.kop_the_kaiser.march import advance, retreat
from companion.games.kop_the_kaiser.state import VICTORIES, Order, State, demanding_rules, left_neighbour, playing
from companion.words import Say, say


def orders_of(state: State, total: int) -> tuple[tuple[Order, ...], tuple[str, ...]]:
    """The counters that this throw moves, all at once, the roller's first; and the rules that made it so."""
    ground, roller = state.ground, state.dice
    forward = bool(state.number) or total in VICTORIES
    march = (advance if forward else retreat)(ground, state.track(roller), state.step(roller), total, own=True)
    targets, rules = {roller: march.target}, march.rules
    if not state.number and (left := _struck_neighbour(state)):
        march = (retreat if forward else advance)(ground, state.track(left), state.step(left), total, own=False)
        targets[left], rules = march.target, (*rules, *march.rules)
    if ground.bumps and (home := _sent_home(state, targets)):
        targets, rules = targets | home, (*rules, "KK-A30")
    return tuple(Order(seat, target) for seat, target in targets.items() if target != state.step(seat)), rules


def _struck_neighbour(state: State) -> str:
    """The left neighbour, whom an initial 7, 11, 2, 3 or 12 moves the other way (KK-10 to KK-14)."""
    spared = state.ground.pink_roller_spares_left and state.track(state.dice).is_pink(state.step(state.dice))  # KK-A22
    return "" if spared else left_neighbour(state, state.dice)


def _sent_home(state: State, targets: dict[str, int]) -> dict[str, int]:
    """KK-A30, bump_to_port: where an army comes to rest on blue, the others there go home; the roller's own holds its space."""
    rest = {seat: _blue_space(state, seat, targets.get(seat, state.step(seat))) for seat in playing(state)}
    home: dict[str, int] = {}
    for arriving, target in targets.items():
        if rest[arriving] and target != state.step(arriving):
            holds = state.dice if rest[state.dice] == rest[arriving] else arriving
            home |= {seat: PORT for seat, space in rest.items() if space == rest[arriving] and seat != holds}
    return home


def _blue_space(state: State, seat: str, step: int) -> str:
    space = state.track(seat).spaces.get(step, "")
    return space if space and "blue" in state.ground.terms.board.spaces[space].kinds else ""


def is_sent_home(state: State, order: Order) -> bool:
    return state.ground.bumps and order.target == PORT and order.seat != state.dice


def retires_from_port(state: State, order: Order) -> bool:
    """KK-A06, port: the defeated neighbour counts from his port, wherever his army stood."""
    beaten = order.seat != state.dice and state.throw in VICTORIES
    return state.ground.retreats_from_port and beaten and not state.track(order.seat).is_pink(state.step(order.seat))


def rules_of(state: State, order: Order) -> tuple[str, ...]:
    """The rules that demand this one counter's move."""
    return ("KK-A30",) if is_sent_home(state, order) else demanding_rules(state)


# --- the order in words ---


def told(state: State, order: Order) -> Say:
    """What the owner of the counter has to do with it."""
    ground, track, step, target = state.ground, state.track(order.seat), state.step(order.seat), order.target
    values = {"army": ground.army[order.seat], "place": ground.name(track.spaces.get(target, track.port)), "face": face(target)}
    if target == track.vanquished:
        return say("is_vanquished", **values)
    if is_sent_home(state, order):
        return say("is_sent_home", **values)
    if target == track.goal:
        return say("takes_berlin", **values)
    if track.is_pink(target):
        return say("climbs" if target > step > track.last else "falls_back" if step > target else "enters_france", **values)
    if track.is_pink(step):
        return say("falls_out_of_france", **values)
    if retires_from_port(state, order):
        return say("retires_from_port", count=-target, **values)
    return say("advances" if target > step else "retreats", count=spaces_walked(state, step, target), **values)


def spaces_walked(state: State, step: int, target: int) -> int:
    """How many spaces lie from one step to the other, the second one included; the port between them is none (KK-23)."""
    over_port = step < PORT < target or (target < PORT < step and not state.ground.stops_on_port)
    return abs(target - step) - over_port
