"""Between two throws: everybody acts, in any order, until all are ready (FM-18, FM-39, FM-40); then victory is tested (FM-41).

Each platform space lies in front of one base space and so concerns one player: landings and captures of different players never
get in each other's way, whatever their order. Only exchanges, ransoms and the moment of victory depend on it (FM-A07).
"""

from __future__ import annotations

from companion.events import Move
from companion.games.fighting_marines.act import Act, legal, objections
from companion.games.fighting_marines.filling import FILL
from companion.games.fighting_marines.landing import CAPTURE, LAND
from companion.games.fighting_marines.purse import Purse, pay
from companion.games.fighting_marines.regaining import EXCHANGE, RANSOM, with_debts_paid
from companion.games.fighting_marines.state import (
    OVER,
    POOL,
    ROLL_OFF,
    THROW,
    TURN,
    VICTORY,
    State,
    complete,
    playing,
    purse_of,
    purses_to_ask,
    with_landed,
    with_purses,
)
from companion.ruling import Accepted, Objection, Refused, Verdict
from companion.words import Say, say

ACTS: dict[str, Act] = {"land": LAND, "capture": CAPTURE, "fill": FILL, "exchange": EXCHANGE, "ransom": RANSOM}
READY, CALL = "ready", "victory"


# --- who may do what ---


def whose_stop(state: State) -> tuple[str, ...]:
    """The seats that may act now: all at once, or one after the other (FM-39, FM-A07)."""
    if not state.ground.one_by_one:
        return playing(state)
    return tuple(seat for seat in playing(state) if seat not in state.ready)[:1]


def acts(state: State, seat: str) -> list[Move]:
    """What this seat may do with its men. It need do none of it (X-A10), unless a reading says so."""
    return [move for act in ACTS.values() for move in legal(act, state, seat)]


def moves_of(state: State, seat: str) -> list[Move]:
    """All that this seat may do or say."""
    said = [Move(seat, do) for do in (CALL, READY) if not word_objections(state, Move(seat, do))]
    return acts(state, seat) + said


def legal_moves(state: State) -> list[Move]:
    return [move for seat in whose_stop(state) for move in moves_of(state, seat)]


def stop_objections(state: State, seat: str) -> tuple[Objection, ...]:
    """What stands against any act of this seat now."""
    if seat in state.gone:
        return (Objection(("X-A07",), say("you_left", seat=seat)),)
    if state.phase in (ROLL_OFF, THROW):
        return (Objection(("FM-18", "FM-31"), say("throw_first")),)
    if state.phase == TURN:
        return (Objection(("FM-16", "FM-18", "FM-A30"), say("turn_first", to=base_id(state, state.turn_to))),)
    if seat not in whose_stop(state):
        return (Objection(("FM-A07",), say("wait_for", seat=whose_stop(state)[0])),)
    return ()


def base_id(state: State, number: int) -> str:
    return state.ground.ids[state.ground.base[number]]


# --- ruling ---


def rule_on_act(state: State, move: Move) -> Verdict:
    act = ACTS[move.do]
    if held := stop_objections(state, move.seat) or objections(act, state, move):
        return Refused(held)
    done = act.carry_out(state, move)
    rules = ("FM-18", *done.rules) if move.seat == state.thrower else ("FM-18", "FM-39", *done.rules)
    asked_again = {move.seat, *done.touched}
    after = with_landed(done.state)._replace(ready=tuple(seat for seat in state.ready if seat not in asked_again))
    if after.ground.wins_at_once and contenders(after):  # FM-A07
        return victory(after, done.said, (*rules, "FM-A07"))
    return Accepted(after, done.said, rules)


# --- words of a player: ready, and Victory ---


def leaves_a_capture(state: State, seat: str) -> bool:  # FM-A05
    return state.ground.must_capture and any(legal(CAPTURE, state, seat))


def leaves_a_circle_empty(state: State, seat: str) -> bool:  # FM-A11, FM-30
    return state.ground.must_fill and any(legal(FILL, state, seat))


def word_objections(state: State, move: Move) -> tuple[Objection, ...]:
    seat = move.seat
    if move.do == READY:
        if seat in state.ready:
            return (Objection(("FM-40",), say("already_ready")),)
        held = []
        if leaves_a_capture(state, seat):
            held.append(Objection(("FM-A05",), say("must_capture")))
        if leaves_a_circle_empty(state, seat):
            held.append(Objection(("FM-A11", "FM-30"), say("must_fill")))
        return tuple(held)
    if not state.ground.must_call:
        return (Objection(("FM-A09",), say("no_need_to_call")),)
    if seat not in complete(state):
        return (Objection(("FM-14", "FM-41"), say("not_complete")),)
    if seat in state.called:
        return (Objection(("FM-A09",), say("already_called")),)
    return ()


def rule_on_word(state: State, move: Move) -> Verdict:
    if held := stop_objections(state, move.seat) or word_objections(state, move):
        return Refused(held)
    if move.do == READY:
        return closed_if_all_ready(with_ready(state, move.seat), ("FM-40",))
    after = state._replace(called=(*state.called, move.seat))
    said = (say("called", seat=move.seat),)
    if state.ground.wins_at_once:
        return victory(after, said, ("FM-A07", "FM-A09"))
    return Accepted(after, said, ("FM-A09",))


# --- the end of a stop ---


def with_ready(state: State, seat: str) -> State:
    return state._replace(ready=tuple(s for s in state.ground.seats if s == seat or s in state.ready))


def closed_if_all_ready(state: State, rules: tuple[str, ...] = ()) -> Accepted:
    """The next throw waits for everybody (FM-40); before it, all who have landed all their men are found (FM-A07)."""
    if any(seat not in state.ready for seat in playing(state)):
        return Accepted(state, (), rules)
    if contenders(state):
        return victory(state, (), rules)
    return Accepted(next_throw(state), (), (*rules, "FM-15"))


def closed(state: State) -> State:
    """The same for the host, who passes over a seat."""
    after: State = closed_if_all_ready(state).state
    return after


def next_throw(state: State) -> State:
    """The next player throws, in rotation (FM-15)."""
    turn = playing(state)
    after = turn[1 % len(turn)] if turn[0] == state.thrower else turn[0]
    return state._replace(phase=THROW, thrower=after, turn_to=0, ready=(), fresh=frozenset())


def contenders(state: State) -> tuple[str, ...]:
    """Who has won, if the stop is over: in the order in which they landed their last man or called."""
    return state.called if state.ground.must_call else complete(state)


def victory(state: State, said: tuple[Say, ...], rules: tuple[str, ...]) -> Accepted:
    """The game is over, and the pool is won (FM-14, FM-41)."""
    found = contenders(state)
    winners = found
    if len(found) > 1:  # FM-A08
        rules = (*rules, "FM-A08")
        if state.ground.first_call_wins:
            winners = found[:1]
        else:
            in_order = tuple(seat for seat in playing(state) if seat in found)
            winners = in_order if state.ground.split_pool else in_order[:1]
    after = state._replace(phase=OVER, ended=VICTORY, winners=winners, ready=(), turn_to=0)
    after, settled = with_pool_paid(after)
    won = say("victory", seats=winners) if len(winners) == 1 else say("shared_victory", seats=winners)
    return Accepted(after, (*said, won, *settled), (*rules, "FM-14", "FM-41"))


def with_pool_paid(state: State) -> tuple[State, tuple[Say, ...]]:
    """Equal shares; what cannot be divided goes to the first (FM-A08). Debts are paid from it (FM-A18)."""
    share = purse_of(state, POOL).value // len(state.winners)
    purses = purses_to_ask(state, state.winners[0])
    for winner in state.winners[1:]:
        purses = pay(purses, POOL, winner, share, in_chips=False).purses
    first = state.winners[0]
    purses = purses | {first: purses[first].plus(purses[POOL]), POOL: Purse()}
    after = with_purses(state, purses)
    said: tuple[Say, ...] = ()
    for winner in state.winners:
        after, paid = with_debts_paid(after, winner)
        said = (*said, *paid)
    return after, said
