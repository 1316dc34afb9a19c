"""The rules of Kop the Kaiser as the rest of the companion sees them: what is due, what is legal, what stands on the board.

The leaflet leaves no choice to anybody: a throw orders counters about (`orders`), hands carry the orders out (`moves`), and the
next throw (`throws`) waits until they have.
"""

from __future__ import annotations

from companion.events import Event, Form, Move, Roll
from companion.game import Terms
from companion.games.kop_the_kaiser.ground import ADVANCE, RETREAT, face, ground_of
from companion.games.kop_the_kaiser.moves import MOVE, SURRENDER, move_for, rule_on_move
from companion.games.kop_the_kaiser.orders import told
from companion.games.kop_the_kaiser.state import State, outcome, pass_dice, playing, settle
from companion.games.kop_the_kaiser.throws import DICE, may_roll, rule_on_roll
from companion.layout import Layout, Standing
from companion.roll_off import RollOff
from companion.ruling import Due, Verdict
from companion.words import Say, say


def rule(state: State, event: Event) -> Verdict:
    return rule_on_roll(state, event) if isinstance(event, Roll) else rule_on_move(state, event)


def due(state: State) -> tuple[Due, ...]:
    if outcome(state):
        return ()
    moves = [Due(order.seat, "move", say("move_counter", seat=order.seat, order=told(state, order))) for order in state.owed]
    rolls = [Due(seat, "roll", _prompt(state, seat), DICE) for seat in may_roll(state)]
    return (*moves, *rolls)


def _prompt(state: State, seat: str) -> Say:
    if state.roll_off:
        return say("roll_for_first", seat=seat)
    if state.number:
        left = state.ground.most_tries - state.failed
        return say("try_last" if left == 1 else "try_again", seat=seat, number=state.number, left=left)
    return say("roll", seat=seat)


def legal_moves(state: State) -> list[Move]:
    return [] if outcome(state) else [move_for(state, order) for order in state.owed]


def layout(state: State) -> Layout:
    """Every counter with the face that is up. A vanquished army is off the board (KK-35)."""
    ground = state.ground
    there = [seat for seat in ground.seats if state.space(seat) and not (seat in state.gone and ground.removes_leavers)]
    return Layout(tuple(Standing(ground.army[seat], state.space(seat), face(state.step(seat))) for seat in there))


def forms(terms: Terms) -> tuple[Form, ...]:
    armies, spaces = tuple(ground_of(terms).owner), tuple(terms.board.spaces)
    return (Form(MOVE, armies, spaces, spaces, (ADVANCE, RETREAT)), Form(SURRENDER, armies, spaces))


# --- the host's acts ---


def skip(state: State, seat: str) -> State:
    """Pass over what a seat owes: its counter stays where it is, or its throw is left out."""
    if outcome(state):
        return state
    if state.order(seat):
        return settle(state._replace(owed=tuple(order for order in state.owed if order.seat != seat)))
    if state.roll_off:
        return _without_opening_throw(state, state.roll_off, seat, keep_throw=True)
    return pass_dice(state) if seat == state.dice and not state.owed else state


def leave(state: State, seat: str) -> State:
    """A player is gone (X-A07): he owes nothing, nobody's throw moves his army, and the dice pass him by."""
    if outcome(state) or seat in state.gone:
        return state
    if state.ground.ends_with_leaver:
        return settle(state._replace(ended="left"))
    after = state._replace(gone=(*state.gone, seat), owed=tuple(order for order in state.owed if order.seat != seat))
    if state.roll_off:
        return _without_opening_throw(after, state.roll_off, seat, keep_throw=False)
    if seat == state.dice and not state.throw:
        return settle(pass_dice(after))
    return settle(after)


def _without_opening_throw(state: State, roll_off: RollOff, seat: str, *, keep_throw: bool) -> State:
    """The throws for the first turn go on without a seat's throw; when all others have thrown, they decide."""
    waiting = tuple(s for s in roll_off.waiting if s != seat)
    thrown = tuple(t for t in roll_off.thrown if keep_throw or t[0] != seat)
    if waiting:
        return settle(state._replace(roll_off=RollOff(waiting, thrown)))
    if not thrown:
        return settle(state._replace(roll_off=RollOff(playing(state))))
    last, total = thrown[-1]
    decided = RollOff((last,), thrown[:-1]).throw(last, total, lowest=False, everybody=())
    if isinstance(decided, str):
        return settle(state._replace(roll_off=None, dice=decided))
    return settle(state._replace(roll_off=decided))
