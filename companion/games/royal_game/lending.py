"""Throws that count for opponents, because the thrower has not entered a disc yet (RG-31)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.royal_game.after_throw import Ending, Rules, Said, end_of_throw
from companion.games.royal_game.plans import choices_for
from companion.games.royal_game.state import State, in_play, next_seat
from companion.games.royal_game.throw import Throw
from companion.ruling import Accepted
from companion.words import say


def lends(state: State) -> bool:
    """Do the thrower's throws count for opponents, as long as they do not enter a disc (RG-31, RG-A30)?"""
    if not state.tallies[state.turn].entered:
        return True
    return state.ground.reentry_lends and not in_play(state, state.turn)


def lend(state: State, throw: Throw, rules: Rules) -> Accepted:
    """Hand the throw on to the opponents who may use it (RG-A27)."""
    borrowers = borrowers_of(state)
    rules += ("RG-31", "RG-A27")
    if not borrowers:
        after, said, more = end_of_throw(state, throw)
        return Accepted(after, (say("lent_to_nobody", seat=state.ground.seats[state.turn]), *said), rules + more)
    after, said, more = next_borrower(state, replace(throw, borrowers=borrowers))
    return Accepted(after, said, rules + more)


def borrowers_of(state: State) -> tuple[int, ...]:
    """The opponents who have a disc to move, from the left: all of them, only the next, or none."""
    loans = state.ground.loans
    if loans == "lost":
        return ()
    opponents, seat = [], next_seat(state, state.turn)
    while seat != state.turn:
        opponents.append(seat)
        seat = next_seat(state, seat)
    found = tuple(seat for seat in opponents if in_play(state, seat))
    return found if loans == "each_entered_opponent" else found[:1]


def next_borrower(state: State, throw: Throw) -> Ending:
    """The throw goes to the first borrower who can do something with it. A second throw stays the thrower's (RG-A29)."""
    ground = state.ground
    said: Said = ()
    for at, seat in enumerate(throw.borrowers):
        # The thrower has discs to enter, so a doublet counts without its undersides (RG-39).
        shown = tuple(ground.numbers[face] for face in throw.dice)
        lent = Throw(throw.dice, shown, seat, borrowers=throw.borrowers[at + 1 :], again=throw.again)
        said += (say("lent", seat=ground.seats[state.turn], borrower=ground.seats[seat]),)
        choices = choices_for(state, lent)
        if choices:
            return state._replace(throw=lent, choices=choices), said, ()
        said += ground.says_lost[seat]
    after, more, rules = end_of_throw(state, replace(throw, borrowers=()))
    return after, said + more, rules


def end_of_play(state: State, throw: Throw) -> Ending:
    """The mover has done what he could or would: the next borrower, or the next throw."""
    if throw.borrowers:
        return next_borrower(state, throw)
    return end_of_throw(state, throw)


def decline(state: State) -> Accepted:
    """Pass: the rest of the throw is not used."""
    ground, throw = state.ground, state.throw
    assert throw is not None
    rules: Rules = ("RG-20", "RG-A14", "RG-A15")
    if throw.mover != state.turn:
        rules = ("RG-31",)
    elif ground.may_pass:
        rules = ("RG-A15",)
    after, said, more = end_of_play(state, throw)
    return Accepted(after, (say("passes", seat=ground.seats[throw.mover]), *said), rules + more)
