"""Made-up sightings: what a camera might believe of a layout, with its noise, its doubts and what is hidden from it."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from companion.events import Move, Roll
from companion.game import Game
from companion.layout import Layout, Standing, Supply
from companion.ruling import Accepted
from companion.simulation import random_event
from vision.hypotheses import wanted
from vision.marks import EMPTY, Arrow, Belief, Content, Sighting, contents


def sighting(
    game: Game, state: Any, truth: Layout, chance: Random, hidden: frozenset[str] = frozenset(), clear: float = 30.0
) -> Sighting:
    """What is believed when `truth` stands there and the table thinks of `state`. `clear`: the usual cost of a wrong content."""
    asked = wanted(game, state)
    there = contents(truth)
    beliefs = {}
    for space, considered in asked.items():
        if space in hidden:
            beliefs[space] = Belief({}, "covered")
            continue
        real = there.get(space, EMPTY)
        costs: dict[Content, float] = {content: max(18.0, chance.gauss(clear, clear / 5)) for content in considered}
        costs[real] = abs(chance.gauss(0, 0.4))
        beliefs[space] = Belief(costs)
    arrow = None if truth.platform is None else Arrow(truth.platform, 360 * truth.platform / 44)
    return Sighting(beliefs, arrow)


def after_random_play(game: Game, terms: Any, seed: int | str, events: tuple[int, ...] = (0, 3, 10, 40, 120)) -> Any:
    """A state that random play reaches, where somebody has a move if that can be."""
    chance, state = Random(seed), game.set_up(terms)
    for _ in range(chance.choice(events)):
        event = random_event(game, state, chance)
        if event is None:
            break
        verdict = game.rule(state, event)
        assert isinstance(verdict, Accepted)
        state = verdict.state
    while not game.legal_moves(state) and (rolls := [d for d in game.due(state) if d.what == "roll"]):
        verdict = game.rule(state, Roll(rolls[0].seat, tuple(chance.randint(1, 6) for _ in rolls[0].dice)))
        assert isinstance(verdict, Accepted)
        state = verdict.state
    return state


def visible_moves(game: Game, state: Any) -> list[Move]:
    """Legal moves that leave a trace on the board."""
    now = game.layout(state)
    return [move for move in game.legal_moves(state) if game.layout(play(game, state, (move,))) != now]


def play(game: Game, state: Any, moves: Iterable[Move]) -> Any:
    for move in moves:
        verdict = game.rule(state, move)
        assert isinstance(verdict, Accepted), move
        state = verdict.state
    return state


def one_turn(game: Game, state: Any, chance: Random, most: int) -> tuple[Move, ...]:
    """Some visible moves, one after the other, of those who are to move now."""
    seats = {move.seat for move in game.legal_moves(state)}
    moves: list[Move] = []
    for _ in range(most):
        if not (legal := [move for move in visible_moves(game, state) if move.seat in seats]):
            break
        moves.append(chance.choice(legal))
        state = play(game, state, moves[-1:])
    return tuple(moves)


def wrong_change(game: Game, state: Any, layout: Layout, chance: Random) -> tuple[str, Layout]:
    """Something that people get wrong: a piece moved, added, taken, exchanged, or turned over, or the platform turned."""
    terms = state.ground.terms
    box: tuple[Supply, ...] = game.pieces(terms)
    spaces = list(terms.board.spaces)
    standing = list(layout.standing)
    kinds = ["move", "add", "take", "exchange"]
    if any(supply.faces for supply in box):
        kinds.append("flip")
    if layout.platform is not None:
        kinds.append("turn")
    kind = chance.choice(kinds)
    if kind == "turn":
        return kind, layout._replace(platform=chance.choice([n for n in range(1, 45) if n != layout.platform]))
    index = chance.randrange(len(standing))
    picked = standing[index]
    if kind == "add":
        supply = chance.choice(box)
        standing.append(Standing(supply.piece, chance.choice(spaces), chance.choice(supply.faces) if supply.faces else ""))
    elif kind == "take":
        del standing[index]
    elif kind == "move":
        standing[index] = picked._replace(space=chance.choice([s for s in spaces if s != picked.space]), level=0)
    elif kind == "exchange":
        other = [s for s in box if s.piece != picked.piece]
        supply = chance.choice(other)
        standing[index] = picked._replace(piece=supply.piece, face=chance.choice(supply.faces) if supply.faces else "")
    else:
        faces = next(s.faces for s in box if s.piece == picked.piece)
        standing[index] = picked._replace(face=next(f for f in faces if f != picked.face))
    return kind, layout._replace(standing=tuple(standing))
