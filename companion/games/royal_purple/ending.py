"""How a game of Royal Purple ends: with a King, or when nobody can become one."""

from __future__ import annotations

from functools import lru_cache

from companion.games.royal_purple.go_squares import may_follow
from companion.games.royal_purple.ground import NOBLES_NEEDED, Ground
from companion.games.royal_purple.state import (
    DEAD,
    LEFT,
    State,
    in_play,
    is_seated,
    markers_left,
    nobles_marked,
    standing,
    support,
)
from companion.games.royal_purple.stepping import Mover, can_pass, can_stop, is_foreign_land, passes_marker
from companion.ruling import Outcome
from companion.words import say


def outcome(state: State) -> Outcome | None:
    if state.ended == LEFT:
        return Outcome((), say("left"), ("X-A07",))
    if not (still := standing(state)):
        return Outcome((), say("nobody_left"), ("RP-24", "RP-A32"))
    for seat in _seats_on_throne(state):
        if is_crowned(state, seat):
            return _crowned(state, seat)
    if state.out and state.ground.is_pair and state.ground.readings["pair_piece_out"] == "opponent_wins":
        return _broken_pair(state)
    if len(still) == 1 and state.ground.readings["last_standing"] == "wins":  # RP-A32
        return Outcome(still, say("last_standing", seat=still[0]), ("RP-A32",))
    if state.ended == DEAD:
        return _dead_game(state)
    return None


# --- a King ---


def _seats_on_throne(state: State) -> list[str]:
    """The players with a piece on their Throne: only they can have won."""
    ground = state.ground
    return [
        ground.owner[colour]
        for colour, place in state.places.items()
        if place in ground.throne[colour] and in_play(state, ground.owner[colour])
    ]


def is_crowned(state: State, seat: str) -> bool:
    """Every piece with which the seat still plays has its Nobles and sits on the Throne (RP-45, RP-53, RP-61)."""
    return all(is_seated(state, colour) for colour in in_play(state, seat))


def _crowned(state: State, seat: str) -> Outcome:
    if state.ground.is_children:
        return Outcome((seat,), say("child_wins", seat=seat), ("RP-61",))
    if state.ground.is_pair:
        return Outcome((seat,), say("pair_wins", seat=seat), ("RP-45", "RP-52", "RP-53"))
    return Outcome((seat,), say("wins", seat=seat), ("RP-45",))


def _broken_pair(state: State) -> Outcome:
    """A pair that lost a piece can never both reach the Throne: the other player wins (RP-53, RP-A46)."""
    whole = tuple(seat for seat in standing(state) if not set(state.ground.pieces[seat]) & set(state.out))
    if len(whole) == 1:
        return Outcome(whole, say("broken_pair", seat=whole[0]), ("RP-53", "RP-A46"))
    return Outcome((), say("nobody_left"), ("RP-53", "RP-A46"))


# --- nobody can become King any more (RP-A34) ---


def is_dead(state: State) -> bool:
    """No player who still plays could ever gather enough Nobles and reach his Throne."""
    if state.ground.is_children or state.roll_off:
        return False
    return not any(_can_win(state, seat) for seat in standing(state))


def _can_win(state: State, seat: str) -> bool:
    ground, colours = state.ground, in_play(state, seat)
    free = {noble for noble in ground.nobles if noble not in state.markers}
    missing = {colour: max(0, NOBLES_NEEDED - support(state, colour)) for colour in colours}
    if ground.readings["pair_nobles"] == "each" and sum(missing.values()) > len(free):  # Prince and Princess share what is left
        return False
    within_reach = {colour: _lasting_reach(state, colour) for colour in colours}
    if not all(within_reach[colour] & ground.throne[colour] for colour in colours):
        return False
    to_come = {colour: min(len(free & within_reach[colour]), _markers_to_come(state, colour)) for colour in colours}
    if ground.readings["pair_nobles"] == "total":
        return max(missing.values()) <= sum(to_come.values())
    return all(missing[colour] <= to_come[colour] for colour in colours)


def _markers_to_come(state: State, colour: str) -> int:  # RP-A27
    return NOBLES_NEEDED if state.ground.readings["markers_out"] == "lift_own_oldest" else markers_left(state, colour)


def _lasting_reach(state: State, colour: str) -> frozenset[str]:
    """Every square that a piece might still stop on one day: only markers bar it, for pieces walk off. Where a reading takes
    markers off the board again, no wall lasts."""
    ground = state.ground
    if ground.readings["out_player"] == "remove_all" or ground.readings["markers_out"] == "lift_own_oldest":
        return frozenset(ground.board.spaces)
    return _walk(ground, colour, state.places[colour], tuple(state.markers.items()))


@lru_cache(maxsize=256)  # late in a game pieces go to and fro between the same markers
def _walk(ground: Ground, colour: str, start: str, markers: tuple[tuple[str, str], ...]) -> frozenset[str]:
    m = _alone(ground, colour, start, dict(markers))
    stops, passes = _open_without_markers(ground, colour)
    stops = stops - {square for square in m.markers if is_foreign_land(m, square)}
    passes = passes - {square for square in m.markers if passes_marker(m, square)}
    sends = {square: end for square, end in ground.go.items() if square in stops and may_follow(m, square)}
    # Two squares lead no farther than one and one, unless a square may be passed but not stopped on.
    ways = ground.single_steps if passes <= stops else ground.every_way
    found, todo = {start}, [start]
    while todo:
        for end, passed in ways[todo.pop()]:
            if end in stops and end not in found and ("" in passed or not passes.isdisjoint(passed)):
                new = {end, sends.get(end, end)} - found
                found |= new
                todo += new
    return frozenset(found)


@lru_cache(maxsize=256)
def _open_without_markers(ground: Ground, colour: str) -> tuple[frozenset[str], frozenset[str]]:
    """The squares on which a piece with all its Nobles could stop on a board without markers, and those it could pass."""
    m = _alone(ground, colour, ground.castle[colour], {})
    squares = ground.board.spaces
    return frozenset(s for s in squares if can_stop(m, s)), frozenset(s for s in squares if can_pass(m, s))


def _alone(ground: Ground, colour: str, start: str, markers: dict[str, str]) -> Mover:
    return Mover(ground, colour, start, frozenset(), markers, ground.realm(colour), has_support=True, may_sit=True)


def _dead_game(state: State) -> Outcome:
    rule, still = state.ground.readings["dead_game"], standing(state)
    if rule == "most_nobles_wins":
        nobles = {seat: sum(nobles_marked(state, colour) for colour in state.ground.pieces[seat]) for seat in still}
        best = tuple(seat for seat in still if nobles[seat] == max(nobles.values()))
        return Outcome(best, say("dead_most_nobles", seats=best), ("RP-A34",), tuple(nobles.items()))
    if rule == "nearest_throne":
        squares = {seat: sum(_squares_to_throne(state, colour) for colour in in_play(state, seat)) for seat in still}
        best = tuple(seat for seat in still if squares[seat] == min(squares.values()))
        return Outcome(best, say("dead_nearest_throne", seats=best), ("RP-A34",), tuple(squares.items()))
    return Outcome((), say("dead_undecided"), ("RP-A34",))


def _squares_to_throne(state: State, colour: str) -> int:
    """Steps to the Throne on an empty board."""
    spaces = state.ground.board.spaces
    here = spaces[state.places[colour]]
    return min(
        max(abs(here.number(fact) - spaces[throne].number(fact)) for fact in ("column", "row"))
        for throne in state.ground.throne[colour]
    )
