"""Which moves a turn of Siege allows."""

from __future__ import annotations

from companion.events import Move
from companion.games.siege.opening import commander_stays, opening_moves
from companion.games.siege.state import State
from companion.games.siege.tables import Attempt, commander_moves, footman_moves, knight_moves, rows_of
from companion.games.siege.ways import COMMANDER


def moves_of_turn(state: State) -> list[Move]:
    """The moves of the side whose turn it is, while the game is in play."""
    ground, knights, defenders, commander, to_move, opening, _, _, _, _ = state
    if to_move == 0:
        return knight_moves(ground.knight_rows, knights)
    own = defenders | commander
    if opening.men:
        return opening_moves(ground, opening.men, own, knights)
    moves = footman_moves(ground.footman_rows, defenders, own, knights)
    if not (opening.lifted and commander_stays(state)):
        moves += commander_moves(ground.commander_rows, commander, own | knights, own)
    return escapes(state, moves) if ground.must_escape else moves


def escapes(state: State, moves: list[Move]) -> list[Move]:
    """SG-A22: of these moves, those after which no Knight could take the Commander; all of them, if there is none."""
    attempts = state.ground.attempts
    return [move for move in moves if not exposes_commander(state, attempts[move])] or moves


def exposes_commander(state: State, attempt: Attempt) -> bool:
    target = attempt.end if attempt.kind == COMMANDER else state.commander
    return any(row.reach & target for row in rows_of(state.ground.knight_rows, state.knights & ~attempt.end))
