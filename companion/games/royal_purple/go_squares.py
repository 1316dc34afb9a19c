"""Go squares: when a piece is sent on, and where to (RP-35 to RP-40)."""

from __future__ import annotations

from companion.games.royal_purple.stepping import (
    Mover,
    is_foreign_castle,
    is_foreign_land,
    is_foreign_throne,
    is_occupied,
    is_throne_too_early,
    waits_for_partner,
)
from companion.ruling import Objection
from companion.words import say

FOLLOW = "follow"  # the detail of a move that goes on from a Go square


def leads_into_castle(m: Mover, go: str) -> bool:  # RP-A10
    return m.ground.readings["go_into_castle"] == "void" and is_foreign_castle(m, m.ground.go[go])


def leads_into_throne(m: Mover, go: str) -> bool:  # RP-A11
    end = m.ground.go[go]
    if end not in m.ground.throne_side:
        return False
    never = m.ground.readings["go_into_throne"] == "never"
    return never or is_throne_too_early(m, end) or waits_for_partner(m, end) or is_foreign_throne(m, end)


def is_void(m: Mover, go: str) -> bool:
    """The Go square sends where this piece may never go: it is then an ordinary square."""
    return leads_into_castle(m, go) or leads_into_throne(m, go)


def is_unmarked(m: Mover, square: str) -> bool:
    return square not in m.markers


def is_shared(m: Mover, square: str) -> bool:
    """Somebody else's marker or piece is there: one may be sent there, but does not mark it (RP-38, RP-A38)."""
    return is_foreign_land(m, square) or is_occupied(m, square)


def must_follow(m: Mover, square: str) -> bool:  # RP-37
    return square in m.ground.go and is_unmarked(m, square) and not is_void(m, square)


def may_follow(m: Mover, square: str) -> bool:  # RP-37, RP-39
    return square in m.ground.go and not is_void(m, square) and not own_go_is_barred(m, square)


def own_go_is_barred(m: Mover, square: str) -> bool:  # RP-A12
    if m.ground.readings["own_go_onto_foreign"] == "allowed" or is_unmarked(m, square):
        return False
    return is_shared(m, m.ground.go[square])


def follow_objections(m: Mover, square: str, follows: bool) -> list[Objection]:
    """What is wrong with going on, or with staying, on the square he stepped to."""
    if not follows:
        if must_follow(m, square):
            return [Objection(("RP-35", "RP-37"), say("must_follow", square=square, end=m.ground.go[square]))]
        return []
    if square not in m.ground.go:
        return [Objection(("RP-10", "RP-35"), say("no_go_square", square=square))]
    end, held = m.ground.go[square], []
    if leads_into_castle(m, square):
        held.append(Objection(("RP-28", "RP-A10"), say("go_into_castle", square=square, end=end)))
    if leads_into_throne(m, square):
        held.append(Objection(("RP-A11",), say("go_into_throne", square=square, end=end)))
    if own_go_is_barred(m, square):
        held.append(Objection(("RP-A12",), say("own_go_onto_foreign", square=square, end=end)))
    return held


def ways_to_stop(m: Mover, square: str) -> list[str]:
    """The details with which he may step on that square: staying, following, or either."""
    if square not in m.ground.go:
        return [""]
    return [detail for detail in ("", FOLLOW) if not follow_objections(m, square, bool(detail))]


def route(m: Mover, square: str, follows: bool) -> tuple[str, ...]:
    """The squares on which he stops, one after another; by a reading one Go square may send him to the next (RP-A06)."""
    stops = [square]
    if follows:
        stops.append(m.ground.go[square])
        while m.ground.readings["go_chain"] == "yes" and must_follow(m, stops[-1]) and stops[-1] not in stops[:-1]:
            stops.append(m.ground.go[stops[-1]])
    return tuple(stops)
