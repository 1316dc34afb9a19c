"""The state of a game of Fighting Marines, and the small questions that every rule asks of it.

A game goes round in phases: the dice are thrown (`throw`), the platform is turned (`turn`), and then everybody acts until all
are ready (`stop`). It begins with the throw for the first turn (`roll_off`).
"""

from __future__ import annotations

from typing import NamedTuple

from companion.game import Terms
from companion.games.fighting_marines.ground import ALL_CHIPS, COLOUR, PRIVATE, RING, Ground, ground_of
from companion.games.fighting_marines.purse import Purse
from companion.roll_off import RollOff, seats_from

ROLL_OFF, THROW, TURN, STOP, OVER = PHASES = ("roll_off", "throw", "turn", "stop", "over")
BANK, POOL = "bank", "pool"
VICTORY, LEFT = "victory", "left"  # how a game ended

Men = tuple[tuple[str, ...], ...]  # the men on each space, in the order of the board's spaces


class Captive(NamedTuple):
    """A captured man, who holds him, and at which stop he was taken."""

    man: str
    holder: str
    since: int


class Debt(NamedTuple):
    """A ransom that somebody still owes (FM-A18, credit)."""

    debtor: str
    creditor: str
    amount: int


class State(NamedTuple):
    ground: Ground
    phase: str
    roll_off: RollOff | None
    thrower: str  # whose throw it is, or was last; empty before the first
    arrow: int  # the number at which the platform's arrow points
    turn_to: int  # where the thrower must turn it; 0 when that is done
    men: Men
    purses: tuple[Purse, ...]  # of the seats in their order, then the pool and the bank
    captives: tuple[Captive, ...] = ()
    stop: int = 0  # how often the platform has stopped
    ready: tuple[str, ...] = ()
    fresh: frozenset[int] = frozenset()  # circles filled during this stop (FM-A10)
    landed: tuple[str, ...] = ()  # colours with all eight men on the platform, the earliest first
    called: tuple[str, ...] = ()  # seats that called "Victory" (FM-A09)
    debts: tuple[Debt, ...] = ()
    gone: tuple[str, ...] = ()  # players who left
    ended: str = ""
    winners: tuple[str, ...] = ()


def set_up(terms: Terms) -> State:
    ground = ground_of(terms)
    return State(ground, ROLL_OFF, RollOff(ground.seats), "", RING, 0, first_men(ground), first_purses(ground))  # FM-10


def first_men(ground: Ground) -> Men:  # FM-08, FM-09
    men: list[tuple[str, ...]] = [()] * len(ground.spaces)
    for colour in ground.in_play:
        for space in ground.circles[colour]:
            men[space] = (f"{colour}-{PRIVATE}",)
        for space in ground.insignia[colour]:
            men[space] = (f"{colour}-{ground.spaces[space].facts['rank']}",)
    return tuple(men)


def first_purses(ground: Ground) -> tuple[Purse, ...]:  # FM-11, FM-12, FM-13
    stake = ground.deal.smallest(int(ground.terms.option["stake"]))
    pool, bank = Purse(), ALL_CHIPS
    for _ in ground.seats:
        pool, bank = pool.plus(stake), bank.minus(ground.deal)
    return (*[ground.deal.minus(stake)] * len(ground.seats), pool, bank)


# --- questions ---


def playing(state: State) -> tuple[str, ...]:
    """The seats that still play, in rotation from the thrower."""
    order = state.ground.order
    return tuple(seat for seat in seats_from(order, state.thrower or order[0]) if seat not in state.gone)


def in_front(state: State, base_space: int) -> int:
    return state.ground.facing(base_space, state.arrow)


def vacant_circles(state: State, colour: str) -> list[int]:
    return [space for space in state.ground.circles[colour] if not state.men[space]]


def free_insignia(state: State, colour: str) -> list[int]:
    return [space for space in state.ground.insignia[colour] if not state.men[space]]


def waiting_places(state: State, colour: str) -> list[int]:
    """Where a regained man may go: a vacant circle; if there is none, his corner (FM-37, FM-A22)."""
    return vacant_circles(state, colour) or ([] if state.ground.no_waiting_in_corner else free_insignia(state, colour))


def held_by(state: State, seat: str) -> list[Captive]:
    return [captive for captive in state.captives if captive.holder == seat]


def lost_by(state: State, seat: str) -> list[Captive]:
    owner_of = state.ground.owner_of
    return [captive for captive in state.captives if owner_of[captive.man] == seat]


def has_landed(state: State, colour: str) -> bool:
    """Are all eight men of a colour on the platform? They are when none is anywhere else."""
    ground, men = state.ground, state.men
    if any(men[space] for space in ground.circles[colour]) or any(men[space] for space in ground.insignia[colour]):
        return False
    return ground.owner[colour] not in state.gone and not any(COLOUR[captive.man] == colour for captive in state.captives)


def complete(state: State) -> tuple[str, ...]:
    """The seats that have landed all the men they need, the earliest first (FM-14, FM-A26)."""
    enough, landed = any if state.ground.one_colour_wins else all, state.landed
    seats = [seat for seat in playing(state) if enough(colour in landed for colour in state.ground.colours[seat])]
    return tuple(sorted(seats, key=lambda seat: completed_at(state, seat)))


def completed_at(state: State, seat: str) -> int:
    """A place in the order in which seats landed their last man."""
    times = [state.landed.index(colour) for colour in state.ground.colours[seat] if colour in state.landed]
    return min(times) if state.ground.one_colour_wins else max(times)


# --- changes ---


def with_landed(state: State) -> State:
    """Note which colours have all eight men on the platform; a colour that lost one, and its caller, drop out."""
    now = [colour for colour in state.ground.in_play if has_landed(state, colour)]
    if not (now or state.landed or state.called):
        return state
    after = state._replace(landed=tuple(dict.fromkeys((*(colour for colour in state.landed if colour in now), *now))))
    return after._replace(called=tuple(seat for seat in state.called if seat in complete(after)))


def moved(men: Men, man: str, start: int, to: int) -> Men:
    return put(taken(men, man, start), man, to)


def taken(men: Men, man: str, start: int) -> Men:
    left = list(men[start])
    left.remove(man)
    return (*men[:start], tuple(left), *men[start + 1 :])


def put(men: Men, man: str, to: int) -> Men:
    return (*men[:to], tuple(sorted((*men[to], man))), *men[to + 1 :])


def given_back(state: State, man: str) -> State:
    """A man comes back while it is not his owner's act: he waits in his corner (FM-A22), on his own rank's insignia if he can.

    A full corner means that a circle stands empty, and he goes there (FM-37).
    """
    ground, colour, rank = state.ground, *man.split("-")
    free = sorted(free_insignia(state, colour), key=lambda space: ground.spaces[space].facts["rank"] != rank)
    to = (free or vacant_circles(state, colour))[0]
    fresh = state.fresh if free else state.fresh | {to}
    return state._replace(men=put(state.men, man, to), fresh=fresh)


def purses_to_ask(state: State, payee: str) -> dict[str, Purse]:
    """All purses by name, in the order in which they are asked for change: the bank first (FM-12), then the payee."""
    names = (*state.ground.seats, POOL, BANK)
    by_name = dict(zip(names, state.purses, strict=True))
    return {name: by_name[name] for name in dict.fromkeys((BANK, payee, *names))}


def purse_of(state: State, name: str) -> Purse:
    return state.purses[(*state.ground.seats, POOL, BANK).index(name)]


def with_purses(state: State, purses: dict[str, Purse]) -> State:
    return state._replace(purses=tuple(purses[name] for name in (*state.ground.seats, POOL, BANK)))
