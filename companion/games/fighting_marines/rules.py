"""Fighting Marines as the rest of the companion sees it: what is due, what is legal, how an event is ruled, what stands where."""

from __future__ import annotations

from companion.events import Event, Form, Move, Roll
from companion.game import Terms
from companion.games.fighting_marines import stop
from companion.games.fighting_marines.ground import DEAL, RING, TWO_PLAYERS, ground_of
from companion.games.fighting_marines.state import (
    LEFT,
    OVER,
    ROLL_OFF,
    STOP,
    THROW,
    TURN,
    State,
    given_back,
    held_by,
    with_landed,
)
from companion.games.fighting_marines.throwing import DICE, rule_on_roll, rule_on_turn, turn_moves, turned, without
from companion.layout import Layout, Standing
from companion.ruling import Due, Outcome, Verdict, refuse
from companion.words import say

MOST_STAKE = DEAL.chips  # FM-11: nobody can put more into the pool than he has


def stake_problem(value: str) -> str:  # FM-13, FM-A21
    if value.isdecimal() and len(value) < 4 and int(value) <= MOST_STAKE:
        return ""
    return f"must be a whole number of chips from 0 to {MOST_STAKE}"


def seat_problem(variant: str, seats: tuple[str, ...], readings: object) -> str:  # FM-01, FM-42
    if any(("-" in seat) != (variant == TWO_PLAYERS) for seat in seats):
        pairs = "red-black and yellow-green, when two play; red, black, yellow and green when three or four do"
        return f"the seats are {pairs}"
    return ""


# --- what is due ---


def due(state: State) -> tuple[Due, ...]:
    if state.phase == ROLL_OFF:
        assert state.roll_off
        return tuple(Due(seat, "roll", say("throw_for_first_turn", seat=seat), DICE) for seat in state.roll_off.waiting)
    if state.phase == THROW:
        return (Due(state.thrower, "roll", say("throw", seat=state.thrower), DICE),)
    if state.phase == TURN:
        to = stop.base_id(state, state.turn_to)
        return (Due(state.thrower, "move", say("turn", seat=state.thrower, to=to)),)
    if state.phase == STOP:
        return due_in_a_stop(state)
    return ()


def due_in_a_stop(state: State) -> tuple[Due, ...]:
    """Everybody acts and says when he is ready; until all are, who was ready may still change his mind (FM-40)."""
    asks = []
    for seat in stop.whose_stop(state):
        if seat not in state.ready:
            asks.append(Due(seat, "move", say("act", seat=seat)))
        elif stop.moves_of(state, seat):
            asks.append(Due(seat, "move", say("may_still_act", seat=seat), optional=True))
    return tuple(asks)


def legal_moves(state: State) -> list[Move]:
    if state.phase == TURN:
        return turn_moves(state)
    return stop.legal_moves(state) if state.phase == STOP else []


def outcome(state: State) -> Outcome | None:
    if state.phase != OVER:
        return None
    if state.ended == LEFT:
        return Outcome((), say("everybody_left"), ("X-A07",), scores(state))
    key = "victory" if len(state.winners) == 1 else "shared_victory"
    return Outcome(state.winners, say(key, seats=state.winners), ("FM-14", "FM-41"), scores(state))


def scores(state: State) -> tuple[tuple[str, int], ...]:
    """The value of everybody's chips, what is owed to him and by him included."""
    worth = {seat: purse.value for seat, purse in zip(state.ground.seats, state.purses, strict=False)}
    for debt in state.debts:
        worth[debt.debtor] -= debt.amount
        worth[debt.creditor] += debt.amount
    return tuple(worth.items())


# --- ruling ---


def rule(state: State, event: Event) -> Verdict:
    if ended := outcome(state):
        return refuse(*ended.rules, why=say("over"))
    if isinstance(event, Roll):
        return rule_on_roll(state, event)
    if event.do == "turn":
        return rule_on_turn(state, event)
    if event.do in stop.ACTS:
        return stop.rule_on_act(state, event)
    return stop.rule_on_word(state, event)


# --- the host's acts ---


def skip(state: State, seat: str) -> State:
    """Pass over what this seat owes: its throw, the turn of the platform, or its acts at this stop."""
    if state.phase == ROLL_OFF and state.roll_off and seat in state.roll_off.waiting:
        return without(state, seat)
    if state.phase == THROW and seat == state.thrower:
        return stop.next_throw(state)
    if state.phase == TURN and seat == state.thrower:
        return turned(state)
    if state.phase == STOP and seat not in state.ready:
        return stop.closed(stop.with_ready(state, seat))
    return state


def leave(state: State, seat: str) -> State:
    """A player is gone (X-A07). The men whom he holds go back to their owners (FM-A32)."""
    if state.phase == OVER or seat in state.gone:
        return state
    gone = (*state.gone, seat)
    if state.ground.leaver == "end_game" or len(gone) == len(state.ground.seats):
        return with_landed(state._replace(phase=OVER, ended=LEFT, gone=gone, roll_off=None, ready=(), turn_to=0))
    returned = held_by(state, seat)
    for captive in returned:
        state = given_back(state, captive.man)
    asked_again = {seat, *(state.ground.owner_of[captive.man] for captive in returned)}
    after = state._replace(
        gone=gone,
        captives=tuple(captive for captive in state.captives if captive.holder != seat),
        ready=tuple(s for s in state.ready if s not in asked_again),
    )
    if state.ground.leaver == "remove_pieces":
        after = without_men(after, seat)
    return going_on_without(with_landed(after), seat)


def going_on_without(state: State, seat: str) -> State:
    """What a player who left still owed is passed over."""
    if state.phase == ROLL_OFF:
        return without(state, seat)
    if state.phase == THROW and seat == state.thrower:
        return stop.next_throw(state)
    if state.phase == TURN and seat == state.thrower:
        return turned(state)
    return stop.closed(state) if state.phase == STOP else state


def without_men(state: State, seat: str) -> State:
    owner_of = state.ground.owner_of
    men = tuple(tuple(man for man in there if owner_of[man] != seat) for there in state.men)
    fresh = frozenset(space for space in state.fresh if men[space])
    return state._replace(men=men, captives=tuple(c for c in state.captives if owner_of[c.man] != seat), fresh=fresh)


# --- what stands on the real board, and what a move may look like ---


def layout(state: State) -> Layout:
    ids = state.ground.ids
    standing = tuple(Standing(man, ids[space]) for space, men in enumerate(state.men) for man in men)
    return Layout(standing, state.arrow)


def forms(terms: Terms) -> tuple[Form, ...]:
    ground = ground_of(terms)
    men, ids = ground.men, ground.ids
    return (
        Form("turn", to=tuple(ids[ground.base[number]] for number in range(1, RING + 1))),
        Form("land", men, ids, ids),
        Form("capture", men, ids, ids),
        Form("fill", men, ids, ids),
        Form("exchange", men, ground.seats, ids, men),
        Form("ransom", men, ground.seats, ids),
        Form(stop.READY),
        Form(stop.CALL),
    )
