"""Which moves a turn of Siege allows."""

from __future__ import annotations

from companion.events import Move
from companion.games.siege.ground import COMMANDER, Attempt, bits, open_moves
from companion.games.siege.opening import commander_stays, men_to_move, opening_moves
from companion.games.siege.state import State


def moves_of_turn(state: State) -> list[Move]:
    """The moves of the side whose turn it is, while the game is in play."""
    ground, knights = state.ground, state.knights
    if state.to_move == 0:
        return open_moves(ground.knight_rows, knights, knights, 0)  # no enemy is in a Knight's way (SG-32)
    defenders, commander, opening = state.defenders, state.commander, state.opening
    occupied = knights | defenders | commander
    if opening.binds:
        return opening_moves(ground, men_to_move(ground, defenders, opening.unmoved), knights, occupied)
    moves = open_moves(ground.footman_rows, defenders, occupied, knights)
    if not (opening.lifted and commander_stays(state)):
        moves += open_moves(ground.commander_rows, commander, occupied, knights)
    return escapes(state, moves) if ground.must_escape else moves


def escapes(state: State, moves: list[Move]) -> list[Move]:
    """SG-A22: of these moves, those after which no Knight could take the Commander; all of them, if there is none."""
    attempts = state.ground.attempts
    return [move for move in moves if not exposes_commander(state, attempts[move])] or moves


def exposes_commander(state: State, attempt: Attempt) -> bool:
    target = attempt.end if attempt.kind == COMMANDER else state.commander
    return any(state.ground.knight_reach[square] & target for square in bits(state.knights & ~attempt.end))
