"""Where a piece may step: the rules that close a square, a way, or a direction.

Each rule that can forbid a step is a small predicate beside its id. A step is legal when none of them holds; a refusal lists
those that do. So the list of legal moves and the explanation of an illegal one cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from companion.games.royal_purple.ground import EVERY_WAY, MEANING, Ground, reach
from companion.games.royal_purple.state import State, has_support, may_sit
from companion.ruling import Objection
from companion.words import Say, say


class Mover(NamedTuple):
    """One piece about to move, and what it sees of the others."""

    ground: Ground
    colour: str
    start: str
    others: frozenset[str]  # squares where other pieces stand in the way
    markers: Mapping[str, str]
    realm: tuple[str, ...]  # the colours whose markers leave a square open to it
    has_support: bool  # enough Nobles of its own
    may_sit: bool  # and nothing else bars it from the Throne


def mover(state: State, colour: str) -> Mover:
    ground, supported = state.ground, has_support(state, colour)
    return Mover(
        ground, colour, state.places[colour], _others(state, colour), state.markers, ground.realm(colour),
        supported, supported and may_sit(state, colour),
    )  # fmt: skip


def _others(state: State, colour: str) -> frozenset[str]:
    ground = state.ground
    if ground.is_children and ground.readings["child_share"] == "yes":  # RP-A48
        return frozenset()
    partners = ground.pieces[ground.owner[colour]]
    return frozenset(
        square
        for other, square in state.places.items()
        if other != colour and not (other in partners and ground.is_own_throne(colour, square))  # RP-A44: they share it
    )


# --- rules that close a square to stop on ---


def is_foreign_castle(m: Mover, square: str) -> bool:  # RP-28; RP-A33: an empty corner is closed too
    return m.ground.castle_owner.get(square, m.colour) != m.colour


def is_throne_too_early(m: Mover, square: str) -> bool:  # RP-46, RP-A20
    if m.has_support or m.ground.readings["early_throne"] != "barred":
        return False
    return m.ground.is_own_throne(m.colour, square)


def waits_for_partner(m: Mover, square: str) -> bool:  # RP-A45
    if not m.has_support or m.may_sit or m.ground.readings["early_throne"] != "barred":
        return False
    return m.ground.is_own_throne(m.colour, square)


def is_foreign_throne(m: Mover, square: str) -> bool:  # RP-08, RP-A21
    if m.ground.readings["foreign_throne"] == "ordinary" or square not in m.ground.throne_side:
        return False
    return not m.ground.is_own_throne(m.colour, square)


def is_occupied(m: Mover, square: str) -> bool:  # RP-25
    return square in m.others


def is_foreign_land(m: Mover, square: str) -> bool:  # RP-26, RP-27
    holder = m.markers.get(square)
    return holder is not None and holder not in m.realm


def is_foreign_go(m: Mover, square: str) -> bool:  # RP-40
    return square in m.ground.go and is_foreign_land(m, square)


def goes_back(m: Mover, square: str) -> bool:  # RP-A49
    if not (m.ground.is_children and m.ground.readings["child_forward_only"] == "yes"):
        return False
    return m.ground.rows_forward(m.colour, m.start, square) < 0


# --- rules that close a square to pass over in a move of two ---


def passes_marker(m: Mover, square: str) -> bool:  # RP-A02
    return m.ground.readings["two_step_through"] == "blocked" and is_foreign_land(m, square)


def passes_piece(m: Mover, square: str) -> bool:  # RP-A02
    return m.ground.readings["two_step_through"] != "free_jump" and square in m.others


def passes_castle_or_throne(m: Mover, square: str) -> bool:  # RP-A05
    if m.ground.readings["pass_castle"] == "yes":
        return False
    return square in m.ground.throne_side or is_foreign_castle(m, square)


Closing = tuple[tuple[str, ...], Callable[[Mover, str], bool], str]
STOPPING: tuple[Closing, ...] = (
    (("RP-28",), is_foreign_castle, "foreign_castle"),
    (("RP-46", "RP-A20"), is_throne_too_early, "throne_too_early"),
    (("RP-A45",), waits_for_partner, "waits_for_partner"),
    (("RP-08", "RP-A21"), is_foreign_throne, "foreign_throne"),
    (("RP-25",), is_occupied, "occupied"),
    (("RP-26",), is_foreign_land, "foreign_land"),
    (("RP-40",), is_foreign_go, "foreign_go"),
    (("RP-A49",), goes_back, "goes_back"),
)
PASSING: tuple[Closing, ...] = (
    (("RP-A02",), passes_marker, "passes_marker"),
    (("RP-A02",), passes_piece, "passes_piece"),
    (("RP-A05",), passes_castle_or_throne, "passes_castle_or_throne"),
)


def stop_objections(m: Mover, square: str) -> list[Objection]:
    return [Objection(rules, say(key, square=square)) for rules, closes, key in STOPPING if closes(m, square)]


def pass_objections(m: Mover, ways: tuple[str, ...]) -> list[Objection]:
    """None when any of the ways is open; a single step ("") always is."""
    if any(can_pass(m, way) for way in ways):
        return []
    return [Objection(rules, say(key, square=way)) for way in ways for rules, closes, key in PASSING if closes(m, way)]


def can_stop(m: Mover, square: str) -> bool:
    for _, closes, _ in STOPPING:  # noqa: SIM110 - asked of every square of the board after every play
        if closes(m, square):
            return False
    return True


def can_pass(m: Mover, way: str) -> bool:
    return not way or not any(closes(m, way) for _, closes, _ in PASSING)


# --- the throw ---


def open_ends(m: Mover, number: int) -> Iterator[str]:
    """The squares to which a throw can bring the piece."""
    for end, ways in m.ground.reach[number][m.start].items():
        if can_stop(m, end) and any(can_pass(m, way) for way in ways):
            yield end


def step_objections(m: Mover, number: int, end: str) -> list[Objection]:
    """Everything against stepping to that square with that throw."""
    ways = m.ground.reach[number][m.start].get(end)
    held = stop_objections(m, end) if end != m.start or ways else []
    if ways is None:
        return [direction_objection(m.ground, number, m.start, end), *held]
    return held + pass_objections(m, ways)


def direction_objection(ground: Ground, number: int, start: str, end: str) -> Objection:
    """Why a throw does not lead from one square to another (RP-15 to RP-20)."""
    meaning = MEANING[number]
    values = {"number": number, "start": start, "end": end, "meaning": ground.meaning(number)}
    if end in reach(ground.board, True)[number][start]:
        return Objection((meaning.rule, "RP-A03"), Say("bends", values))
    if start == end:
        return Objection(("RP-22",), Say("stands_still", values))
    here, there = ground.board.spaces[start], ground.board.spaces[end]
    across, along = (there.number(fact) - here.number(fact) for fact in ("column", "row"))
    far = max(abs(across), abs(along))
    if not any((dx * far, dy * far) == (across, along) for dx, dy in meaning.directions):
        return Objection((meaning.rule,), Say("wrong_way", values))
    if far > meaning.squares:
        return Objection((meaning.rule,), Say("too_far", values))
    return Objection(("RP-29",), Say("no_square_between", values))


def closing_rules(m: Mover, number: int) -> tuple[str, ...]:
    """The rules that leave nothing of a throw, for the record of a lost play (RP-23, RP-A17)."""
    rules = ["RP-29"] if meets_edge(m.ground, m.start, number) else []
    for end in m.ground.reach[number][m.start]:
        rules += [rule for objection in step_objections(m, number, end) for rule in objection.rules]
    return tuple(dict.fromkeys(rules))


def meets_edge(ground: Ground, start: str, number: int) -> bool:  # RP-29
    """Would one of this throw's directions lead off the board at once?"""
    return len([end for end, ways in ground.reach[number][start].items() if "" in ways]) < len(MEANING[number].directions)


def is_shut_in(m: Mover, *, pieces_count: bool) -> bool:
    """No throw at all could move him (RP-24). Do other pieces count, or only what stays for good (RP-A19)?"""
    seen = m if pieces_count else m._replace(others=frozenset())
    return not any(True for number in EVERY_WAY for _ in open_ends(seen, number))
