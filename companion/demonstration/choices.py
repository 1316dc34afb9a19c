"""What a computer player does next: something that is due, by chance, but a win is not missed; now and then something illegal. Pure."""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import NamedTuple

from companion.events import Event, Move, Roll
from companion.layout import Layout
from companion.ledger import Ledger
from companion.referee import ACCEPTED, REFUSED, judge
from companion.simulation import random_event

TRIES = 60  # of moves made up at random until one is refused


class Attempt(NamedTuple):
    """A move that the rules refuse, and how the board looks when it is made all the same."""

    move: Move
    layout: Layout


def choose(ledger: Ledger, seats: Collection[str], chance: Random) -> Event | None:
    """A roll or move of one of these seats; None while nobody of them has anything to do."""
    rolls = [due for due in ledger.due if due.what == "roll" and due.seat in seats]
    moves = [move for move in ledger.legal_moves() if move.seat in seats]
    if wins := [move for move in moves if move.seat in _winners(ledger, move)]:
        return chance.choice(wins)
    if set(ledger.terms.seats) <= set(seats):
        event = random_event(ledger.game, ledger.state, chance)
        return event if isinstance(event, Move) else Roll(rolls[0].seat, ()) if rolls else None
    if moves and (not rolls or chance.random() < 0.9):
        return chance.choice(moves)
    return Roll(rolls[0].seat, ()) if rolls else None


def _winners(ledger: Ledger, move: Move) -> Collection[str]:
    ruling = judge(ledger.game, ledger.state, move)
    outcome = ledger.game.outcome(ruling.state) if ruling.status == ACCEPTED else None
    return outcome.winners if outcome else ()


def layout_after(ledger: Ledger, event: Event) -> Layout | None:
    """How the board looks after this; None where it is not accepted."""
    ruling = judge(ledger.game, ledger.state, event)
    return ledger.game.layout(ruling.state) if ruling.status == ACCEPTED else None


def attempt(ledger: Ledger, seats: Collection[str], chance: Random) -> Attempt | None:
    """A piece carried where it may not go: a well-formed move of whoever is to move, refused by the rules, that nothing legal looks like."""
    due = [d.seat for d in ledger.due if d.what == "move" and d.seat in seats]
    layout = ledger.game.layout(ledger.state)
    forms = [form for form in ledger.game.forms(ledger.terms) if form.piece and form.start and form.to]
    if not due or not forms:
        return None
    taken = {standing.space for standing in layout.standing}
    alone = [s for s in layout.standing if sum(other.space == s.space for other in layout.standing) == 1]
    legal = ledger.legal_moves()
    allowed = [after for move in legal if (after := layout_after(ledger, move))]
    allowed += [ledger.game.layout(line.before) for line in ledger.lines[-8:]]
    for _ in range(TRIES):
        form, seat = chance.choice(forms), chance.choice(due)
        own = {move.piece for move in legal if move.seat == seat}
        pieces = [s for s in alone if s.piece in own and s.piece in form.piece and s.space in form.start]
        free = [space for space in form.to if space not in taken and space in ledger.terms.board.spaces]
        if not pieces or not free:
            continue
        piece = chance.choice(pieces)
        move = Move(seat, form.do, piece.piece, piece.space, chance.choice(free), chance.choice(form.detail) if form.detail else "")
        standing = tuple(s._replace(space=move.to, level=0) if s is piece else s for s in layout.standing)
        stands = layout._replace(standing=standing)
        bag = sorted(standing)
        if any(sorted(other.standing) == bag for other in allowed):
            continue
        if judge(ledger.game, ledger.state, move).status == REFUSED:
            return Attempt(move, stands)
    return None
