"""Scenes for the tests: name the men that matter, and the others stand where they stood at the start.

`scene(arrow=31, men={"B10": "", "P23": "black-private"})` keeps space 10 vacant and puts a black Private on platform space 23.
Men for whom there is no room at home stand on platform spaces that lie in front of no circle, where nobody can get at them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.fighting_marines import GAME
from companion.games.fighting_marines.ground import COLOUR, MEN, RANK, Ground, ground_of
from companion.games.fighting_marines.state import State
from companion.notation import from_text, to_text
from companion.ruling import Accepted, Refused

FOUR = ("red", "black", "yellow", "green")
TWO = ("red-black", "yellow-green")


def scene(
    *,
    arrow: int = 31,
    men: Mapping[str, str | Sequence[str]] | None = None,
    captives: Sequence[tuple[str, str] | tuple[str, str, int]] = (),
    landed: Sequence[str] = (),
    variant: str = "standard",
    seats: int | Sequence[str] = (),
    readings: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    **fields: Any,
) -> State:
    """A stop of the platform. `landed` colours have their men on the platform; `captives` are (man, holder, since)."""
    terms = GAME.terms(variant, seats, readings=readings, options=options)
    ground = ground_of(terms)
    named = {id: [there] if isinstance(there, str) else list(there) for id, there in (men or {}).items()}
    held = [dict(zip(("man", "holder", "since"), captive, strict=False)) for captive in captives]
    whole = placed(ground, arrow, named, [str(captive["man"]) for captive in held], landed)
    position = {"thrower": ground.seats[0], "arrow": arrow, "men": whole, "captives": held, "stop": 9} | fields
    state = GAME.from_position(terms, position)
    assert isinstance(state, State)
    return state


def placed(
    ground: Ground, arrow: int, named: dict[str, list[str]], held: Sequence[str], landed: Sequence[str]
) -> dict[str, list[str]]:
    men = {id: [man for man in there if man] for id, there in named.items()}
    missing = Counter({man: MEN[RANK[man]] for man in ground.men}) - Counter(held)
    missing -= Counter(man for there in men.values() for man in there)
    quiet = [
        ground.ids[space]
        for space in ground.platform
        if space not in ground.neutral | {ground.arrow_space} and ground.faced(space, arrow) not in ground.all_circles
    ]
    for man in missing.elements():
        colour = COLOUR[man]
        home = ground.circles[colour] if RANK[man] == "private" else ground.insignia[colour]
        places = ([] if colour in landed else [ground.ids[space] for space in home]) + quiet
        men[next(id for id in places if id not in men)] = [man]
    return {id: there for id, there in men.items() if there}


def play(state: State, *lines: str) -> State:
    """Each line is an event that must be accepted."""
    for line in lines:
        state = accepted(state, line).state
    return state


def accepted(state: State, line: str) -> Accepted:
    verdict = rule(state, line)
    assert isinstance(verdict, Accepted), f"{line}: {[GAME.words.tell(o.why) for o in verdict.objections]}"
    return verdict


def refused(state: State, line: str) -> tuple[str, ...]:
    """The rules cited against an event that must be refused."""
    verdict = rule(state, line)
    assert isinstance(verdict, Refused), f"{line} was accepted"
    assert line not in legal(state)
    return verdict.rules


def rule(state: State, line: str) -> Any:
    seat, _, text = line.partition(":")
    return GAME.rule(state, from_text(text, seat, GAME.forms(state.ground.terms)))


def legal(state: State, start: str = "") -> list[str]:
    """The legal moves that begin so, as text."""
    lines = [f"{move.seat}: {to_text(move)}" for move in GAME.legal_moves(state)]
    return [line for line in lines if line.startswith(start)]


def on(state: State, space: str) -> list[str]:
    return sorted(standing.piece for standing in GAME.layout(state).standing if standing.space == space)


def captives(state: State) -> list[tuple[str, str]]:
    return [(captive.man, captive.holder) for captive in state.captives]


def due(state: State) -> list[str]:
    return [f"{d.seat} {d.what}" for d in GAME.due(state) if not d.optional]


def chips(state: State, name: str) -> int:
    """The value of somebody's chips, of the pool or of the bank."""
    purse = GAME.position(state)["chips"][name]
    return int(purse["white"] + 5 * purse["red"] + 10 * purse["blue"])


def everybody_ready(state: State) -> State:
    for seat in state.ground.seats:
        if state.phase == "stop" and seat not in (*state.ready, *state.gone):
            state = play(state, f"{seat}: ready")
    return state
