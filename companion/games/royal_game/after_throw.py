"""The end of a throw: what it costs, and who throws next.

The functions that end something give the new state, what is to be said, and the rules that shaped it.
"""

from __future__ import annotations

from companion.games.royal_game.ground import PENALTY
from companion.games.royal_game.road import Step
from companion.games.royal_game.state import State, Tally, in_play, make, next_seat
from companion.games.royal_game.steps import moved
from companion.games.royal_game.throw import Throw
from companion.ruling import Accepted
from companion.words import Say, say

Said = tuple[Say, ...]
Rules = tuple[str, ...]
Ending = tuple[State, Said, Rules]


def end_of_throw(state: State, throw: Throw) -> Ending:
    """Another throw for the same player, if this one earned it; else the next player's turn (RG-06, RG-10)."""
    ground, discs, occupied, walls, tallies, turn, _, _, sixes, doublets, opening, ended, gone = state
    said: Said = ()
    rules: Rules = ()
    if ground.scores:
        tallies, said, rules = settle_chance(state, turn, throw)
    if throw.again and ground.seats[turn] not in gone:
        said += ground.says_again[turn]
    else:
        turn, sixes, doublets = next_seat(state, turn), 0, 0
    fields = (ground, discs, occupied, walls, tallies, turn, None, (), sixes, doublets, opening, ended, gone)
    return make(State, fields), said, rules


def settle_chance(state: State, seat: int, throw: Throw) -> tuple[tuple[Tally, ...], Said, Rules]:
    """Twenty points lost for a captured disc that was not entered at its first chance (RG-43, RG-A42, RG-A43, RG-A44)."""
    ground, tallies = state.ground, state.tallies
    mine = tallies[seat]
    missed = mine.chances if ground.next_throw_is_chance else int(throw.chance)
    if not missed:
        return tallies, (), ()
    score = mine.score - PENALTY * missed
    if ground.floor_zero:
        score = max(score, 0)  # RG-A45
    settled = mine._replace(chances=mine.chances - missed, score=score)
    said = (say("first_chance_missed", seat=ground.seats[seat], points=PENALTY * missed),)
    return (*tallies[:seat], settled, *tallies[seat + 1 :]), said, ("RG-43", "RG-A42")


# --- the throw that costs a disc ---


def send_nearest_out(state: State, dice: tuple[int, ...], key: str, rules: Rules) -> Accepted:
    """The throw that costs a disc: the one nearest Home goes out, and the turn ends (RG-27, RG-A21, RG-A22, RG-A25)."""
    ground, turn = state.ground, state.turn
    throw = Throw(dice, (), turn, goes_out=True)
    said = (say(key, seat=ground.seats[turn]),)
    if not in_play(state, turn):
        after, more, more_rules = end_of_throw(state, throw)
        return Accepted(after, (*said, say("nothing_to_put_out", seat=ground.seats[turn]), *more), rules + more_rules)
    return Accepted(state._replace(throw=throw, choices=(nearest_out(state).move,)), said, rules)


def nearest_out(state: State) -> Step:
    """The step that puts the thrower's foremost disc out; discs that are Home stay (RG-A22)."""
    return state.ground.roads[state.turn].outs[in_play(state, state.turn)[-1]]


def going_out_rules(state: State, throw: Throw) -> Rules:
    """Why this throw costs a disc: it is the third with a six, or the third doublet."""
    ground = state.ground
    by_doublet = ground.third_doublet_costs and throw.is_doublet and not (ground.sixes_count and state.sixes == 3)
    return ("RG-A25", "RG-A22") if by_doublet else ("RG-27", "RG-A22")


def put_out(state: State, step: Step) -> Accepted:
    """The disc that such a throw costs. Nobody scores for it (RG-A47)."""
    assert state.throw is not None
    now, _ = moved(state, state.turn, step)
    after, said, rules = end_of_throw(now, state.throw)
    return Accepted(after, said, going_out_rules(state, state.throw) + rules)
