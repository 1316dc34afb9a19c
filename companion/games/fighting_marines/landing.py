"""From the base to the platform: landing on a free space, and capturing (FM-18 to FM-28)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Move
from companion.games.fighting_marines.act import NOT_YOURS, Act, Check, Done, is_not_there
from companion.games.fighting_marines.ground import COLOUR
from companion.games.fighting_marines.state import Captive, State, in_front, moved, taken
from companion.words import say

# --- which man, from where ---


def is_on_the_platform(state: State, move: Move) -> bool:  # FM-A33
    return state.ground.index[move.start] in state.ground.place_at


def is_not_in_a_circle(state: State, move: Move) -> bool:  # FM-19
    ground, start = state.ground, state.ground.index[move.start]
    return start not in ground.all_circles and start not in ground.place_at


def is_fresh(state: State, move: Move) -> bool:  # FM-A10, FM-A24
    return state.ground.fresh_men_wait and state.ground.index[move.start] in state.fresh


SETS_OUT = (
    NOT_YOURS,
    Check(("FM-19",), is_not_there, "not_there"),
    Check(("FM-A33",), is_on_the_platform, "on_the_platform"),
    Check(("FM-19",), is_not_in_a_circle, "not_in_a_circle"),
    Check(("FM-A10",), is_fresh, "fresh_man"),
)


# --- landing ---


def is_not_in_front(state: State, move: Move) -> bool:  # FM-19 B
    ground, start = state.ground, state.ground.index[move.start]
    return bool(ground.number_at[start]) and ground.index[move.to] != in_front(state, start)


def is_the_arrow(state: State, move: Move) -> bool:  # FM-A03
    ground, to = state.ground, state.ground.index[move.to]
    return to == ground.arrow_space and to not in ground.neutral


def is_of_another_colour(state: State, move: Move) -> bool:  # FM-19 A, FM-26
    ground, to = state.ground, state.ground.index[move.to]
    return to in ground.place_at and bool(ground.colour_at[to]) and not ground.matches(move.piece, to)


def an_opponent_stands_there(state: State, move: Move) -> bool:  # FM-A14
    ground, to = state.ground, state.ground.index[move.to]
    return to not in ground.neutral and any(ground.owner_of[man] != move.seat for man in state.men[to])


def an_own_man_stands_there(state: State, move: Move) -> bool:  # FM-38, FM-A15
    ground, to = state.ground, state.ground.index[move.to]
    return to not in ground.neutral and any(ground.share_no_space(man, move.piece) for man in state.men[to])


def an_own_man_is_in_neutral(state: State, move: Move) -> bool:  # FM-21
    ground, to = state.ground, state.ground.index[move.to]
    return to in ground.neutral and any(ground.share_no_space(man, move.piece) for man in state.men[to])


def the_neutral_space_is_full(state: State, move: Move) -> bool:  # FM-A13
    ground, to = state.ground, state.ground.index[move.to]
    return ground.neutral_holds_one and to in ground.neutral and bool(state.men[to])


def landings(state: State, seat: str) -> Iterator[Move]:
    ground = state.ground
    for colour in ground.colours[seat]:
        for circle in ground.circles[colour]:
            for man in state.men[circle]:
                yield Move(seat, "land", man, ground.ids[circle], ground.ids[in_front(state, circle)])


def land(state: State, move: Move) -> Done:
    ground = state.ground
    start, to = ground.index[move.start], ground.index[move.to]
    after = state._replace(men=moved(state.men, move.piece, start, to), fresh=state.fresh - {start})
    if to in ground.neutral:
        return Done(after, (say("landed_on_neutral", piece=move.piece, start=move.start),), ("FM-20", "FM-21"))
    rules = ("FM-19", "FM-20") if ground.colour_at[to] == COLOUR[move.piece] else ("FM-20", "FM-A27")
    return Done(after, (say("landed", piece=move.piece, start=move.start),), rules)


LAND = Act(
    landings,
    (
        *SETS_OUT,
        Check(("FM-19",), is_not_in_front, "not_in_front"),
        Check(("FM-A03",), is_the_arrow, "arrow_closed"),
        Check(("FM-19", "FM-26"), is_of_another_colour, "wrong_colour"),
        Check(("FM-A14",), an_opponent_stands_there, "opponent_there"),
        Check(("FM-38", "FM-A15"), an_own_man_stands_there, "own_man_there"),
        Check(("FM-21", "FM-38"), an_own_man_is_in_neutral, "own_man_in_neutral"),
        Check(("FM-A13",), the_neutral_space_is_full, "neutral_full"),
    ),
    land,
)


# --- capturing ---


def may_take_part(state: State, seat: str, space: int) -> bool:
    """Does a man of this seat stand in that circle who may act at this stop?"""
    if state.ground.fresh_men_wait and space in state.fresh:
        return False
    return any(state.ground.owner_of[man] == seat for man in state.men[space])


def nobody_faces_him(state: State, move: Move) -> bool:  # FM-24, FM-A06
    ground, to = state.ground, state.ground.index[move.to]
    if to not in ground.place_at:
        return True
    if ground.any_man_moves_in:
        return not may_take_part(state, move.seat, ground.faced(to, state.arrow))
    return is_not_in_front(state, move)


def nobody_is_there(state: State, move: Move) -> bool:  # FM-24
    ground, to = state.ground, state.ground.index[move.to]
    return to in ground.place_at and not state.men[to]


def he_is_safe_in_neutral(state: State, move: Move) -> bool:  # FM-27
    to = state.ground.index[move.to]
    return to in state.ground.neutral and bool(state.men[to])


def he_is_no_opponent(state: State, move: Move) -> bool:  # FM-24, FM-43
    ground, to = state.ground, state.ground.index[move.to]
    return to not in ground.neutral and any(ground.owner_of[man] == move.seat for man in state.men[to])


def captures(state: State, seat: str) -> Iterator[Move]:
    ground = state.ground
    circles = [circle for colour in ground.colours[seat] for circle in ground.circles[colour] if state.men[circle]]
    for facing in circles:
        to = in_front(state, facing)
        if state.men[to]:
            for circle in circles if ground.any_man_moves_in else (facing,):
                for man in state.men[circle]:
                    yield Move(seat, "capture", man, ground.ids[circle], ground.ids[to])


def capture(state: State, move: Move) -> Done:
    """The captor's man moves into the space that the captured man leaves (FM-25)."""
    ground = state.ground
    start, to = ground.index[move.start], ground.index[move.to]
    victims, men = state.men[to], state.men
    for victim in victims:
        men = taken(men, victim, to)
    captives = (*state.captives, *(Captive(victim, move.seat, state.stop) for victim in victims))
    after = state._replace(
        men=moved(men, move.piece, start, to), captives=tuple(sorted(captives)), fresh=state.fresh - {start}
    )
    rules = ["FM-24", "FM-25"]
    if not ground.matches(move.piece, to):
        rules += ["FM-26", "FM-28"]  # only a capture leads onto another colour
    if len(ground.seats) == 2:
        rules.append("FM-43")
    said = say("captured", seat=move.seat, men=victims, piece=move.piece, front=ground.ids[ground.faced(to, state.arrow)])
    return Done(after, (said,), tuple(rules), tuple({ground.owner_of[victim] for victim in victims}))


CAPTURE = Act(
    captures,
    (
        *SETS_OUT,
        Check(("FM-24", "FM-A06"), nobody_faces_him, "nobody_faces_him"),
        Check(("FM-24",), nobody_is_there, "nobody_to_capture"),
        Check(("FM-27",), he_is_safe_in_neutral, "safe_in_neutral"),
        Check(("FM-24", "FM-43"), he_is_no_opponent, "no_opponent"),
    ),
    capture,
)
