"""Ruling on a counter that was moved. Each throw leaves a counter one place to go; everything else is explained here."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.events import Move
from companion.games.kop_the_kaiser.ground import ADVANCE, PORT, Track, face
from companion.games.kop_the_kaiser.orders import is_sent_home, retires_from_port, rules_of, told
from companion.games.kop_the_kaiser.state import Order, State, demanding_rules, is_vanquished, outcome, settle
from companion.ruling import Accepted, Objection, Refused, Verdict
from companion.words import Say, say

MOVE, SURRENDER = "move", "surrender"


def move_for(state: State, order: Order) -> Move:
    """The one move by which an order is carried out."""
    track, army, start = state.track(order.seat), state.ground.army[order.seat], state.space(order.seat)
    if order.target == track.vanquished:
        return Move(order.seat, SURRENDER, army, start)
    return Move(order.seat, MOVE, army, start, track.spaces[order.target], face(order.target))


def rule_on_move(state: State, move: Move) -> Verdict:
    order = state.order(move.seat)
    if order and move == move_for(state, order) and not outcome(state):
        return _carry_out(state, order)
    return Refused(tuple(objections(state, order, move)))


def _carry_out(state: State, order: Order) -> Accepted:
    seats = zip(state.ground.seats, state.steps, strict=True)
    moved = state._replace(
        steps=tuple(order.target if seat == order.seat else step for seat, step in seats),
        owed=tuple(other for other in state.owed if other != order),
    )
    after = settle(moved)
    rules: tuple[str, ...] = (*rules_of(state, order), "KK-24" if face(order.target) == ADVANCE else "KK-25")
    said: list[Say] = []
    if is_vanquished(after, order.seat):
        said.append(say("surrendered", seat=order.seat, army=state.ground.army[order.seat]))
        rules = (*rules_of(state, order), "KK-35")
    if ended := outcome(after):
        return Accepted(after, (*said, ended.why), (*rules, *ended.rules))
    if after.dice != state.dice:
        said.append(say("dice_pass", seat=after.dice))
        rules = (*rules, "KK-20")
    return Accepted(after, tuple(said), rules)


# --- refusals ---


class Attempt(NamedTuple):
    """A counter put on a wrong space: its step before, the step where it belongs, and the step that the wrong space comes
    nearest to in its own counting (None: a space where this army never stands)."""

    track: Track
    step: int
    target: int
    tried: int | None
    kinds: frozenset[str]


def objections(state: State, order: Order | None, move: Move) -> list[Objection]:
    """Every rule that stands against a move that does not carry out an order."""
    ground = state.ground
    if ended := outcome(state):
        return [Objection(ended.rules, say("over"))]
    if move.piece != ground.army[move.seat]:
        return [Objection(("KK-04",), say("not_your_army", army=move.piece, own=ground.army[move.seat]))]
    if order is None:
        return [_nothing_to_move(state, move)]
    held = []
    if move.start != state.space(move.seat):
        rule = "KK-22" if order.target < state.step(move.seat) else "KK-21"
        held.append(Objection((rule,), say("stands_elsewhere", army=move.piece, place=ground.name(state.space(move.seat)))))
    if order.target == state.track(move.seat).vanquished or move.do == SURRENDER:
        return held + _surrender_objections(state, order, move)
    return held + _place_objections(state, order, move)


def _nothing_to_move(state: State, move: Move) -> Objection:
    if move.seat in state.gone:
        return Objection(("X-A07",), say("has_left", seat=move.seat))
    if is_vanquished(state, move.seat):
        return Objection(("KK-35",), say("out_of_game", army=move.piece))
    if state.roll_off:
        return Objection(("KK-06",), say("opening_first"))
    if state.owed:
        return Objection(demanding_rules(state), say("not_moved_now", army=move.piece, total=state.throw))
    return Objection(("KK-16",) if state.number else ("KK-09", "KK-15"), say("roll_first", seat=state.dice))


def _surrender_objections(state: State, order: Order, move: Move) -> list[Objection]:
    if move.do == SURRENDER and order.target != state.track(order.seat).vanquished:
        return [Objection(("KK-35", *rules_of(state, order)), say("no_surrender", army=move.piece, order=told(state, order)))]
    if move.do != SURRENDER:
        return [Objection(("KK-35",), say("must_surrender", order=told(state, order)))]
    return []


def _place_objections(state: State, order: Order, move: Move) -> list[Objection]:
    track = state.track(order.seat)
    if move.to == track.spaces[order.target]:
        if move.detail == face(order.target):
            return []
        key = "show_advance" if face(order.target) == ADVANCE else "show_retreat"
        return [Objection(("KK-24" if key == "show_advance" else "KK-25",), say(key, army=move.piece))]
    kinds = state.ground.terms.board.spaces[move.to].kinds
    attempt = Attempt(track, state.step(order.seat), order.target, _nearest(track, move.to, order.target), kinds)
    goes_on_from_there = not (is_sent_home(state, order) or retires_from_port(state, order))
    slips = WRONG_PLACES if goes_on_from_there else ()
    held = [Objection(rules, say(key, army=move.piece)) for rules, forbids, key in slips if forbids(attempt)]
    wrong = say("wrong_place", total=state.throw, place=state.ground.name(move.to), order=told(state, order))
    return [*held, Objection(rules_of(state, order), wrong)]


def _nearest(track: Track, space: str, target: int) -> int | None:
    steps = [step for step, id in track.spaces.items() if id == space]
    return min(steps, key=lambda step: abs(step - target)) if steps else None


def goes_back_instead(a: Attempt) -> bool:  # KK-21
    return a.tried is not None and a.tried < a.step < a.target


def goes_on_instead(a: Attempt) -> bool:  # KK-22
    return a.tried is not None and a.target < a.step < a.tried


def counts_ports(a: Attempt) -> bool:  # KK-23
    """Stops on a port, or short of the goal by the ports that were passed."""
    if "port" in a.kinds:
        return True
    if a.tried is None or a.track.is_pink(a.tried) or not min(a.step, a.target) < a.tried < max(a.step, a.target):
        return False
    short = abs(a.target - a.tried) - (min(a.target, a.tried) < PORT < max(a.target, a.tried))
    return 0 < short <= a.track.ports_between(a.step, a.target)


def turns_in_with_retreat_up(a: Attempt) -> bool:  # KK-26
    return a.step < PORT and a.tried is not None and a.track.is_pink(a.tried)


def takes_a_foreign_way(a: Attempt) -> bool:  # KK-27
    return "pink" in a.kinds and a.tried is None


def runs_on_through_france(a: Attempt) -> bool:  # KK-28
    return a.tried is not None and not a.track.is_pink(a.step) and a.tried > a.track.france


def climbs_too_far(a: Attempt) -> bool:  # KK-29
    return a.tried is not None and a.track.is_pink(a.step) and a.tried > a.step + 1


def falls_too_far(a: Attempt) -> bool:  # KK-31
    return a.tried is not None and a.step > a.track.france and a.tried < a.step - 1


WRONG_PLACES: tuple[tuple[tuple[str, ...], Callable[[Attempt], bool], str], ...] = (
    (("KK-21",), goes_back_instead, "goes_back_instead"),
    (("KK-22",), goes_on_instead, "goes_on_instead"),
    (("KK-23",), counts_ports, "counts_ports"),
    (("KK-26",), turns_in_with_retreat_up, "turns_in_with_retreat_up"),
    (("KK-27",), takes_a_foreign_way, "takes_a_foreign_way"),
    (("KK-28",), runs_on_through_france, "runs_on_through_france"),
    (("KK-29",), climbs_too_far, "climbs_too_far"),
    (("KK-31",), falls_too_far, "falls_too_far"),
)
