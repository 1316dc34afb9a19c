"""How a game ends and who wins."""

from __future__ import annotations

from companion.games.royal_game.state import State
from companion.ruling import Outcome
from companion.words import say


def outcome(state: State) -> Outcome | None:
    if not state.ended:
        return None
    ground = state.ground
    if state.ended == "left":
        return Outcome((), say("left"), ("X-A07",), _scores(state))
    finisher = ground.seats[finished(state)]
    if not ground.scores:
        return Outcome((finisher,), say("first_home", seat=finisher), ("RG-28", "RG-A02"))
    return _by_points(state, finisher)


def finished(state: State) -> int:
    """The seat that has all its discs Home."""
    return next(
        number
        for number, (discs, road) in enumerate(zip(state.discs, state.ground.roads, strict=True))
        if discs[0] == road.home
    )


def _by_points(state: State, finisher: str) -> Outcome:
    """The highest score wins (RG-46, RG-47); on a tie the finisher, or all who share it (RG-A46). A leaver cannot win (X-A07)."""
    ground = state.ground
    rules: tuple[str, ...] = ("RG-46", "RG-47") if ground.two_dice else ("RG-A02", "RG-28")
    scores = {seat: points for seat, points in _scores(state) if seat not in state.gone}
    top = max(scores.values())
    winners = tuple(seat for seat, points in scores.items() if points == top)
    if len(winners) > 1:
        rules += ("RG-A46",)
        if ground.finisher_breaks_tie and finisher in winners:
            winners = (finisher,)
    key = "most_points" if len(winners) == 1 else "shared_points"
    return Outcome(winners, say(key, seats=winners, points=top), rules, _scores(state))


def _scores(state: State) -> tuple[tuple[str, int], ...]:
    if not state.ground.scores:
        return ()
    return tuple((seat, tally.score) for seat, tally in zip(state.ground.seats, state.tallies, strict=True))
