"""From the corner into a vacant circle (FM-22, FM-23, FM-29, FM-30)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Move
from companion.games.fighting_marines.act import NOT_YOURS, Act, Check, Done, is_not_there
from companion.games.fighting_marines.ground import COLOUR, PRIVATE, RANK
from companion.games.fighting_marines.state import State, moved, vacant_circles
from companion.words import say


def is_not_in_his_corner(state: State, move: Move) -> bool:  # FM-22
    return state.ground.index[move.start] not in state.ground.insignia[COLOUR[move.piece]]


def is_no_circle_of_his(state: State, move: Move) -> bool:  # FM-22, FM-A38
    return state.ground.index[move.to] not in state.ground.circles[COLOUR[move.piece]]


def is_occupied(state: State, move: Move) -> bool:  # FM-38
    return bool(state.men[state.ground.index[move.to]])


def fillings(state: State, seat: str) -> Iterator[Move]:
    ground = state.ground
    for colour in ground.colours[seat]:
        for circle in vacant_circles(state, colour):
            for place in ground.insignia[colour]:
                for man in state.men[place]:
                    yield Move(seat, "fill", man, ground.ids[place], ground.ids[circle])


def fill(state: State, move: Move) -> Done:
    start, to = state.ground.index[move.start], state.ground.index[move.to]
    after = state._replace(men=moved(state.men, move.piece, start, to), fresh=state.fresh | {to})
    who = "FM-23" if RANK[move.piece] == PRIVATE else "FM-22"
    return Done(after, (say("filled", piece=move.piece, to=move.to),), (who, "FM-29", "FM-30"))


FILL = Act(
    fillings,
    (
        NOT_YOURS,
        Check(("FM-22", "FM-23"), is_not_there, "not_there"),
        Check(("FM-22", "FM-23"), is_not_in_his_corner, "not_in_his_corner"),
        Check(("FM-22", "FM-A38"), is_no_circle_of_his, "no_circle_of_his"),
        Check(("FM-38",), is_occupied, "circle_occupied"),
    ),
    fill,
)
