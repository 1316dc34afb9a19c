"""The Royal Game as the rest of the companion sees it: the functions of a `companion.game.Game`."""

from __future__ import annotations

from dataclasses import replace

from companion.events import Event, Form, Move, Roll
from companion.game import Terms
from companion.games.royal_game.after_throw import nearest_out, put_out
from companion.games.royal_game.ending import outcome
from companion.games.royal_game.ground import DISCS, ground_of
from companion.games.royal_game.lending import decline, end_of_play
from companion.games.royal_game.one_die import play as play_with_one_die
from companion.games.royal_game.one_die import throw_die
from companion.games.royal_game.opening import asked, begin, opening_choices, without
from companion.games.royal_game.plans import choices_for
from companion.games.royal_game.refusals import against
from companion.games.royal_game.road import OUT, SEATS
from companion.games.royal_game.state import State, first_state, next_seat, spaces_of
from companion.games.royal_game.throw import Throw
from companion.games.royal_game.two_dice import play as play_with_two_dice
from companion.games.royal_game.two_dice import throw_dice
from companion.layout import Layout, Standing
from companion.roll_off import RollOff
from companion.ruling import Due, Refused, Verdict
from companion.words import say

__all__ = ["due", "forms", "layout", "leave", "legal_moves", "outcome", "rule", "seat_problem", "set_up", "skip"]


def set_up(terms: Terms) -> State:
    """All discs in the start circles; who begins is still open."""
    state = first_state(ground_of(terms))
    opens = RollOff(state.ground.seats)
    return state._replace(opening=opens, choices=opening_choices(state.ground, opens))


def seat_problem(variant: str, seats: tuple[str, ...], readings: object) -> str:
    """Two players sit opposite each other (RG-A52)."""
    if len(seats) == 2 and (SEATS.index(seats[1]) - SEATS.index(seats[0])) != 2:
        return "two players sit opposite each other: red and yellow, or blue and green (RG-A52)"
    return ""


def due(state: State) -> tuple[Due, ...]:
    ground, throw = state.ground, state.throw
    if throw is None:
        if state.ended:
            return ()
        return asked(state, state.opening) if state.opening else ground.asks_throw[state.turn]
    prompts = ground.asks_move[throw.mover]
    if (state.turn, throw.open) not in prompts:
        prompts[state.turn, throw.open] = (_asks_move(state, throw),)
    return prompts[state.turn, throw.open]


def _asks_move(state: State, throw: Throw) -> Due:
    seat, thrower = state.ground.seats[throw.mover], state.ground.seats[state.turn]
    if throw.goes_out:
        return Due(seat, "move", say("put_out", seat=seat))
    if seat != thrower:
        return Due(seat, "move", say("play_lent", seat=seat, numbers=throw.open, thrower=thrower))
    return Due(seat, "move", say("play", seat=seat, numbers=throw.open))


def legal_moves(state: State) -> list[Move]:
    return [*state.choices]


def rule(state: State, event: Event) -> Verdict:
    ground = state.ground
    if isinstance(event, Roll):
        return throw_dice(state, event) if ground.two_dice else throw_die(state, event)
    if event not in state.choices:
        return Refused(against(state, event))
    step = ground.steps.get(event)
    if step is None:
        return begin(state, event.seat) if state.opening else decline(state)
    if step.end == OUT:
        return put_out(state, step)
    return play_with_two_dice(state, step) if ground.two_dice else play_with_one_die(state, step)


# --- the host's acts ---


def skip(state: State, seat: str) -> State:
    """Pass over what a seat owes: its throw for the first turn, its throw, or the rest of the throw that it plays."""
    if state.opening:
        return without(state, seat) if seat in state.opening.waiting else state
    if state.ended or seat not in {d.seat for d in due(state)}:
        return state
    if state.throw is None:
        return state._replace(turn=next_seat(state, state.turn), sixes=0, doublets=0)
    return end_of_play(state, replace(state.throw, chance=False))[0]


def leave(state: State, seat: str) -> State:
    """A player is gone (X-A07): his turns are skipped, and he cannot win."""
    if state.ended or seat in state.gone:
        return state
    ground = state.ground
    gone = (*state.gone, seat)
    if ground.leaver == "end_game" or len(gone) == len(ground.seats):
        return state._replace(gone=gone, ended="left", throw=None, choices=(), opening=None)
    state = state._replace(gone=gone)
    if state.opening:
        return without(state, seat)
    if state.throw:
        here = tuple(borrower for borrower in state.throw.borrowers if ground.seats[borrower] != seat)
        state = state._replace(throw=replace(state.throw, borrowers=here))
    state = skip(state, seat)
    return _without_pieces(state, ground.seats.index(seat)) if ground.leaver == "remove_pieces" else state


def _without_pieces(state: State, seat: int) -> State:
    discs = (*state.discs[:seat], (OUT,) * DISCS, *state.discs[seat + 1 :])
    tally = state.tallies[seat]._replace(captured=0, chances=0)
    occupied, walls = spaces_of(state.ground, discs)
    tallies = (*state.tallies[:seat], tally, *state.tallies[seat + 1 :])
    return with_choices(state._replace(discs=discs, occupied=occupied, walls=walls, tallies=tallies))


def with_choices(state: State) -> State:
    """The state with its legal moves worked out anew; a throw that allows none is lost (RG-A16)."""
    throw = state.throw
    if state.opening:
        return state._replace(choices=opening_choices(state.ground, state.opening))
    if throw is None:
        return state._replace(choices=())
    choices: tuple[Move, ...] = (nearest_out(state).move,) if throw.goes_out else choices_for(state, throw)
    return state._replace(choices=choices) if choices else end_of_play(state, throw)[0]


# --- what stands on the real board, and what a move may look like ---


def layout(state: State) -> Layout:
    """Discs in start circles and Home lie side by side; two on one space of the road lie on each other."""
    ground = state.ground
    standing = []
    for road, discs in zip(ground.roads, state.discs, strict=True):
        if road.seat in state.gone and ground.leaver == "remove_pieces":
            continue
        for number, disc in enumerate(discs):
            level = discs[:number].count(disc) if OUT < disc < road.home else 0
            standing.append(Standing(road.piece, road.id(disc), level=level))
    return Layout(tuple(standing))


def forms(terms: Terms) -> tuple[Form, ...]:
    ground = ground_of(terms)
    pieces = tuple(road.piece for road in ground.roads)
    spaces = tuple(terms.board.spaces)
    starts = tuple(road.start for road in ground.roads)
    circles = tuple(road.spaces[0] for road in ground.roads)
    return (
        Form("move", pieces, spaces, spaces),
        Form("enter", pieces, starts, circles),
        Form("out", pieces, spaces, starts),
        Form("pass"),
        Form("begin"),
    )
