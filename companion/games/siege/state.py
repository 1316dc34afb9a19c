"""A state of Siege: who stands where, whose turn it is, and what is left of the opening."""

from __future__ import annotations

from typing import NamedTuple

from companion.game import Terms
from companion.games.siege.ground import Ground, ground_of
from companion.games.siege.opening import Opening, first_opening
from companion.games.siege.ways import COMMANDER, FOOTMAN, KNIGHT
from companion.layout import Layout, Standing

# Phases. All but the first two are ends.
PLACING, PLAY = "placing", "play"
COMMANDER_CAPTURED, KNIGHTS_CAPTURED = "commander_captured", "knights_captured"  # SG-42, SG-43
NO_MOVE, SIEGE_LIFTED, DRAWN, LEFT = "no_move", "siege_lifted", "draw", "left"  # SG-A06, SG-A21, X-A07

Stand = tuple[int, int, int, int]  # whose turn, Knights, Defenders and Commander, as in a state


class State(NamedTuple):
    """Who stands where is told by sets of squares, as bits."""

    ground: Ground
    knights: int
    defenders: int
    commander: int  # 0 before he is placed, and when he is captured
    to_move: int  # 0 the Attacker, 1 the Defender
    opening: Opening
    phase: str
    quiet: int  # turns since the last capture
    seen: tuple[Stand, ...]  # what stood after each turn since the last one that cannot be undone; what stands now is last
    gone: tuple[str, ...]  # players who left


def set_up(terms: Terms) -> State:
    ground = ground_of(terms)
    return State(ground, ground.starts, ground.dots, 0, 1, first_opening(ground), PLACING, 0, (), ())  # SG-05, SG-07


def layout(state: State) -> Layout:
    """What should stand on the real board. Men of a kind are all alike (SG-08, SG-19, SG-24)."""
    ground = state.ground
    men = [Standing(KNIGHT, id) for id in ground.ids(state.knights)]
    men += [Standing(FOOTMAN, id) for id in ground.ids(state.defenders)]
    men += [Standing(COMMANDER, id) for id in ground.ids(state.commander)]
    return Layout(tuple(men))
