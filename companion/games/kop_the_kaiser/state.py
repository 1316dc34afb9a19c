"""The state of a game, and the questions that everybody asks of it."""

from __future__ import annotations

from typing import NamedTuple

from companion.game import Terms
from companion.games.kop_the_kaiser.ground import PORT, Ground, Track, ground_of, next_seat
from companion.roll_off import RollOff
from companion.ruling import Outcome
from companion.words import say

VICTORIES, DEFEATS = (7, 11), (2, 3, 12)  # KK-10 to KK-14; every other total is a number to repeat
NUMBERS = (4, 5, 6, 8, 9, 10)  # KK-16
ROW = {7: "KK-10", 11: "KK-11", 2: "KK-12", 3: "KK-13", 12: "KK-14"} | dict.fromkeys(NUMBERS, "KK-17")


class Order(NamedTuple):
    """A counter that has to be moved because of the last throw, and the step where it must come to rest."""

    seat: str
    target: int


class State(NamedTuple):
    ground: Ground
    steps: tuple[int, ...]  # where each seat's army stands, counted from its own port
    roll_off: RollOff | None  # the throws for the first turn, until somebody has won them
    dice: str = ""  # the seat that has the dice
    number: int = 0  # the number to be repeated; 0: the next throw is an initial roll
    failed: int = 0  # attempts that did not repeat it
    throw: int = 0  # the total that moves counters, while some are still to be moved
    owed: tuple[Order, ...] = ()
    gone: tuple[str, ...] = ()  # players who left
    ended: str = ""  # "left" when a player's leaving ended the game

    def step(self, seat: str) -> int:
        return self.steps[self.ground.index[seat]]

    def track(self, seat: str) -> Track:
        return self.ground.tracks[seat]

    def space(self, seat: str) -> str:
        """Where the army stands; a vanquished one stands nowhere."""
        return self.track(seat).spaces.get(self.step(seat), "")

    def order(self, seat: str) -> Order | None:
        return next((order for order in self.owed if order.seat == seat), None)


def set_up(terms: Terms) -> State:
    """Every army on its own port (KK-03, KK-04); then everybody throws for the first turn (KK-06)."""
    return State(ground_of(terms), (PORT,) * len(terms.seats), RollOff(terms.seats))


def is_vanquished(state: State, seat: str) -> bool:
    return state.step(seat) == state.track(seat).vanquished


def playing(state: State) -> tuple[str, ...]:
    """The seats still in the game."""
    return tuple(seat for seat in state.ground.seats if seat not in state.gone and not is_vanquished(state, seat))


def left_neighbour(state: State, seat: str) -> str:
    """The player at the left, whom a throw of 7, 11, 2, 3 or 12 moves too; empty: there is none."""
    ground = state.ground
    if ground.left_port_only:  # KK-A08
        next_port = next_seat(ground.to_left, seat, ground.to_left)
        return next_port if next_port in playing(state) else ""
    return next_seat(ground.to_left, seat, playing(state))  # KK-A07: with two players the other one is both neighbours


def is_repeated(state: State) -> bool:
    """Is the throw that moves counters a number that was repeated, not an initial roll?"""
    return state.number > 0 and state.throw == state.number


def demanding_rules(state: State) -> tuple[str, ...]:
    """The rules by which the last throw moves counters."""
    return ("KK-17", "KK-19") if is_repeated(state) else (ROW[state.throw],)


def outcome(state: State) -> Outcome | None:
    if state.ended:
        return Outcome((), say("left"), ("X-A07",))
    in_game = playing(state)
    for seat in in_game:
        if state.step(seat) == state.track(seat).goal:
            return Outcome((seat,), say("kops_the_kaiser", seat=seat, army=state.ground.army[seat]), ("KK-01", "KK-36"))
    if not in_game:
        return Outcome((), say("nobody_left"), ("KK-35", "KK-A29"))
    if len(in_game) == 1 and not state.ground.must_reach_berlin:
        return Outcome(in_game, say("last_army", seat=in_game[0], army=state.ground.army[in_game[0]]), ("KK-35", "KK-A29"))
    return None


# --- the way of the dice ---


def pass_dice(state: State) -> State:
    """The dice go on to the next player still in the game (KK-18, KK-20); who is alone keeps them."""
    following = next_seat(state.ground.dice_order, state.dice, playing(state))
    return state._replace(dice=following or state.dice, number=0, failed=0, throw=0)


def settle(state: State) -> State:
    """When the last counter owed has been moved: who rolls next? When the game is over, nothing is owed any more."""
    if outcome(state):
        return state._replace(number=0, failed=0, throw=0, owed=())
    if state.owed or not state.throw:
        return state
    keeps = not (is_repeated(state) and state.ground.passes_after_repeat)  # KK-15, KK-A05, KK-A24
    if keeps and state.dice in playing(state):
        return state._replace(number=0, failed=0, throw=0)
    return pass_dice(state)  # KK-A28: a vanquished roller has no further roll
