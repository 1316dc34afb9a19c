"""The rules of Corner Race: a throw, then a step; whoever is first on the last space wins."""

from __future__ import annotations

from companion.games.corner_race.state import RUNNERS, SEATS, State

from companion.events import Event, Form, Move, Roll
from companion.game import Terms
from companion.ruling import Accepted, Due, Objection, Outcome, Refused, Verdict, refuse
from companion.words import Say, say

LONGEST_STEP = 3  # CR-05; a greater number is a step of one, forward or back (CR-06)


def outcome(state: State) -> Outcome | None:
    last = len(state.ground.way) - 1
    for seat, far in zip(SEATS, state.at, strict=True):
        if far == last:
            return Outcome((seat,), say("wins", seat=seat), ("CR-09",))
    return Outcome((), say("left"), ("CR-A02",)) if state.gone else None


def due(state: State) -> tuple[Due, ...]:
    if outcome(state):
        return ()
    seat = SEATS[state.turn]
    if state.throw:
        return (Due(seat, "move", say("move_now", seat=seat, number=state.throw)),)
    return (Due(seat, "roll", say("throw_now", seat=seat), ("die",)),)


def targets(state: State) -> tuple[int, ...]:
    """Where the throw can bring the Runner whose turn it is."""
    far, last = state.at[state.turn], len(state.ground.way) - 1
    if state.throw > LONGEST_STEP:
        return tuple(end for end in (far + 1, far - 1) if end >= 0)  # CR-06
    end = far + state.throw  # CR-05
    if end > last:
        return () if state.ground.must_be_exact else (last,)  # CR-07, CR-A01
    return (end,) if state.throw else ()


def legal_moves(state: State) -> list[Move]:
    if outcome(state):
        return []
    seat, way = SEATS[state.turn], state.ground.way
    return [Move(seat, "move", RUNNERS[seat], way[state.at[state.turn]], way[end]) for end in targets(state)]


def rule(state: State, event: Event) -> Verdict:
    if ended := outcome(state):
        return refuse(*ended.rules, why=say("over"))
    seat = SEATS[state.turn]
    if event.seat != seat:
        return refuse("CR-03", why=say("not_your_turn", seat=seat))
    if isinstance(event, Roll):
        return _throw(state, event)
    if not state.throw:
        return refuse("CR-04", why=say("throw_first"))
    if objections := _objections(state, event):
        return Refused(objections)
    return _step(state, state.ground.way.index(event.to))


def _throw(state: State, roll: Roll) -> Verdict:
    if state.throw:
        return refuse("CR-04", why=say("already_thrown", number=state.throw))
    if len(roll.dice) != 1:
        return refuse("CR-04", why=say("one_die"))
    thrown = state._replace(throw=roll.dice[0])
    if not targets(thrown):  # CR-07: by itself, and said
        return Accepted(_pass_on(thrown), (say("too_far", seat=roll.seat, number=roll.dice[0]),), ("CR-04", "CR-07"))
    return Accepted(thrown, (), ("CR-04",))


def _objections(state: State, move: Move) -> tuple[Objection, ...]:
    """Everything that stands against this move."""
    way, far = state.ground.way, state.at[state.turn]
    found: list[tuple[str, Say]] = []
    if move.piece != RUNNERS[move.seat]:
        found.append(("CR-01", say("not_your_runner")))
    elif move.start != way[far]:
        found.append(("CR-01", say("stands_elsewhere", space=way[far])))
    if way.index(move.to) not in targets(state):
        near = "CR-06" if state.throw > LONGEST_STEP else "CR-05"
        found.append((near, say("wrong_step" if near == "CR-05" else "wrong_short_step", number=state.throw)))
    return tuple(Objection((rule,), why) for rule, why in found)


def _step(state: State, end: int) -> Accepted:
    said, rules = [], ["CR-06" if state.throw > LONGEST_STEP else "CR-05"]
    at = list(state.at)
    at[state.turn] = end
    other = 1 - state.turn
    if at[other] == end and end > 0:  # CR-08
        at[other] = 0
        said.append(say("sent_back", seat=SEATS[other]))
        rules.append("CR-08")
    after = _pass_on(state._replace(at=(at[0], at[1])))
    if ended := outcome(after):
        said.append(ended.why)
    return Accepted(after, tuple(said), tuple(rules))


def _pass_on(state: State) -> State:
    return state._replace(turn=1 - state.turn, throw=0)


def skip(state: State, seat: str) -> State:
    return _pass_on(state) if seat == SEATS[state.turn] and not outcome(state) else state


def leave(state: State, seat: str) -> State:
    """One alone runs no race (CR-A02)."""
    return state if outcome(state) else state._replace(gone=(seat,))


def forms(terms: Terms) -> tuple[Form, ...]:
    spaces = tuple(terms.board.spaces)
    return (Form("move", tuple(RUNNERS.values()), spaces, spaces),)
