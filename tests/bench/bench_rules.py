"""How fast the rules are beside other games in Python: python-chess for Siege, LUDOpy for The Royal Game.

    python tests/bench/bench_rules.py [--rounds 15] [--slice 0.2]

Ours and the peer take turns in one process, each for a slice of CPU time, the order changing from round to round; the figure
is the median of the rounds' ratios. So a busy machine slows both sides of each ratio alike. Peers are installed with
`pip install -e .[bench]`.

What is compared with what: python-chess's `is_legal` answers yes or no, and its `push` trusts the move it is given. Siege's
`refusal` says yes or every rule that forbids; `game.rule` does that, makes the new state and says which rules shaped it.
So a ruling without a new state stands beside `is_legal`, `game.rule` beside `is_legal` and, where legal, `push` and `pop`; and
`game.rule` beside `is_legal` alone is printed without a target. A playout of ours rules on every move that it takes from the
list; the line without a target trusts the list, as `push` does.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import chess

from companion.events import Move, Roll
from companion.game import Game
from companion.games import all_games, find_game
from companion.games.siege.play import play_defender, play_knight
from companion.games.siege.refusal import refusal_of_defender, refusal_of_knight
from companion.ruling import Accepted, Refused

TEN_MEN = "4k3/2pppp2/8/8/8/8/2NNNN2/4K3 w - - 0 1"  # as many men as Siege has, and four Knights among them
MOST_PLIES = 200
Work = Callable[[], int]  # does some work, and says how much


class Part(NamedTuple):
    """One line of the table."""

    what: str
    ours: Work
    peer: Work
    peer_name: str
    target: float = 0  # 0: none


# --- Siege and python-chess ---


def siege_positions(game: Game, chance: Random, wanted: int = 200) -> list[Any]:
    """Positions of the first forty moves of random games."""
    found: list[Any] = []
    while len(found) < wanted:
        state = siege_start(game)
        for _ in range(40):
            moves = game.legal_moves(state)
            if not moves:
                break
            found.append(state)
            state = game.rule(state, chance.choice(moves)).state
    return found[:wanted]


def siege_start(game: Game) -> Any:
    placed = game.rule(game.set_up(game.terms()), Move("defender", "place", "commander", to="d6"))
    assert isinstance(placed, Accepted)
    return placed.state


def siege_queries(game: Game, positions: list[Any], chance: Random, wanted: int = 1500) -> list[tuple[Any, Move]]:
    """Moves to be ruled on: half of them legal, half a piece of the side to move sent where it may not go."""
    legal = [(state, move) for state in positions for move in game.legal_moves(state)]
    ids = list(positions[0].ground.terms.board.spaces)
    illegal = []
    while len(illegal) < wanted // 2:
        state, move = chance.choice(legal)
        move = move._replace(to=chance.choice(ids))
        if isinstance(game.rule(state, move), Refused):
            illegal.append((state, move))
    return chance.sample(legal, wanted // 2) + illegal


def siege_parts() -> list[Part]:
    game, chance = find_game("siege"), Random(4)
    positions = siege_positions(game, chance)
    queries = siege_queries(game, positions, chance)
    start = siege_start(game)
    board = chess.Board(TEN_MEN)
    legal = list(board.legal_moves)
    shifted = [chess.Move(m.from_square, (m.to_square + 9) % 64) for m in legal]
    illegal = [m for m in shifted if not board.is_legal(m)]
    mixed = chance.sample(legal, len(illegal)) + illegal
    legal_moves, rule = game.legal_moves, game.rule

    def lists() -> int:
        for state in positions:
            legal_moves(state)
        return len(positions)

    def chess_lists() -> int:
        for _ in range(20):
            list(board.legal_moves)
        return 20

    def verdicts() -> int:
        for state, move in queries:
            attempt = state.ground.attempts[move]
            (refusal_of_defender if attempt.side else refusal_of_knight)(state, attempt)
        return len(queries)

    def rulings() -> int:
        for state, move in queries:
            rule(state, move)
        return len(queries)

    def chess_verdicts() -> int:
        for move in mixed:
            board.is_legal(move)
        return len(mixed)

    def chess_rulings() -> int:
        for move in mixed:
            if board.is_legal(move):
                board.push(move)
                board.pop()
        return len(mixed)

    def playout() -> int:
        state, plies = start, 0
        while plies < MOST_PLIES and (moves := legal_moves(state)):
            state = rule(state, moves[int(chance.random() * len(moves))]).state
            plies += 1
        return plies

    def trusting_playout() -> int:
        state, plies = start, 0
        while plies < MOST_PLIES and (moves := legal_moves(state)):
            move = moves[int(chance.random() * len(moves))]
            attempt = state.ground.attempts[move]
            if attempt is None:  # a draw is claimed, or there is no move
                state = rule(state, move).state
            else:
                state = (play_defender if attempt.side else play_knight)(state, attempt).state
            plies += 1
        return plies

    def chess_playout() -> int:
        board, plies = chess.Board(TEN_MEN), 0
        while plies < MOST_PLIES and (moves := list(board.legal_moves)):
            board.push(moves[int(chance.random() * len(moves))])
            plies += 1
        return plies

    return [
        Part("Siege: list of legal moves", lists, chess_lists, "python-chess", 5),
        Part("Siege: one move, legal or every rule against it", verdicts, chess_verdicts, "is_legal", 2),
        Part("Siege: game.rule on one move, with its new state", rulings, chess_rulings, "is_legal, push, pop", 2),
        Part("Siege: game.rule on one move, with its new state", rulings, chess_verdicts, "is_legal"),
        Part("Siege: plies of random playouts, all ruled on", playout, chess_playout, "python-chess", 6),
        Part("Siege: plies of random playouts, list trusted", trusting_playout, chess_playout, "python-chess"),
    ]


# --- The Royal Game and LUDOpy ---


def royal_game_parts() -> list[Part]:
    import ludopy  # it brings OpenCV along, so only when it is needed

    game, random = find_game("royal_game"), Random(4).random
    terms = game.terms(seats=4)
    due, legal_moves, rule = game.due, game.legal_moves, game.rule
    rolls = {seat: [Roll(seat, (face,)) for face in range(1, 7)] for seat in terms.seats}

    def turns() -> int:
        """One game, counted in throws; a throw and the move it allows are one turn, as LUDOpy counts."""
        state, throws = game.set_up(terms), 0
        while asked := due(state):
            state = rule(state, rolls[asked[0].seat][int(random() * 6)]).state
            throws += 1
            if moves := legal_moves(state):
                state = rule(state, moves[int(random() * len(moves))]).state
        return throws

    def ludo_turns() -> int:
        ludo, throws, over = ludopy.Game(), 0, False
        while not over:
            (_, movable, *_), _ = ludo.get_observation()
            over = ludo.answer_observation(movable[int(random() * len(movable))] if len(movable) else -1)[5]
            throws += 1
        return throws

    return [Part("The Royal Game: turns of random games, four players", turns, ludo_turns, "LUDOpy", 8)]


# --- measuring ---


def rate(work: Work, seconds: float) -> float:
    begun, done = process_time(), 0
    while (used := process_time() - begun) < seconds:
        done += work()
    return done / used


def measure(part: Part, rounds: int, seconds: float) -> tuple[list[float], list[float]]:
    """Rates of ours and of the peer, round by round, the order changing each time."""
    ours, peer = [], []
    for number in range(rounds):
        if number % 2:
            peer.append(rate(part.peer, seconds))
        ours.append(rate(part.ours, seconds))
        if not number % 2:
            peer.append(rate(part.peer, seconds))
    return ours, peer


def report(part: Part, ours: list[float], peer: list[float]) -> str:
    ratios = sorted(a / b for a, b in zip(ours, peer, strict=True))
    low, high = ratios[len(ratios) // 4], ratios[3 * len(ratios) // 4]
    ratio = median(ratios)
    target = f"{part.target:g} {'reached' if ratio >= part.target else 'MISSED'}" if part.target else "none"
    rates = f"{part.what:52} {median(ours):>10,.0f}/s  {part.peer_name:20} {median(peer):>10,.0f}/s"
    return f"{rates} {ratio:6.2f} {f'({low:.2f} to {high:.2f})':18} {target}"


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--rounds", type=int, default=15, help="how often both sides are measured")
    options.add_argument("--slice", type=float, default=0.2, help="seconds of CPU time for each side of a round")
    chosen = options.parse_args()
    parts = siege_parts()
    if "royal_game" in all_games():
        parts += royal_game_parts()
    else:
        print("The Royal Game is not here yet; its part is left out.")
    print(f"{'what':52} {'ours':>12}  {'peer':33} {'ratio':>6} {'(middle half)':18} target")
    for part in parts:
        print(report(part, *measure(part, chosen.rounds, chosen.slice)), flush=True)


if __name__ == "__main__":
    main()
