"""Single steps: where one disc may go, and what a step does to all discs.

Conditions on a whole throw (dividing a doublet, having to move at all) are in `plans`.
"""

from __future__ import annotations

from companion.games.royal_game.ground import CAPTURE, REACHED_HOME, Ground
from companion.games.royal_game.road import OUT, Step
from companion.games.royal_game.state import Discs, State, Tally, make
from companion.games.royal_game.throw import Throw

NOBODY = -1


def single_steps(state: State, throw: Throw) -> list[Step]:
    """The mover's steps of as many spaces as the open numbers say, each taken for itself; none past Home (RG-13)."""
    places = dict.fromkeys(state.discs[throw.mover])  # equal discs make equal steps
    candidates = [row[place] for row in state.ground.rows(throw) for place in places]
    return [step for step in candidates if step and is_open(state, throw.mover, step)]


def is_open(state: State, seat: int, step: Step) -> bool:
    """Nothing stands in the way of this step, and where it ends others may be joined or captured (RG-23)."""
    return not step.over & state.walls and (not step.bit & state.occupied or may_stop(state, seat, step))


def may_stop(state: State, seat: int, step: Step) -> bool:
    """May a disc end its move on this space, where others stand already?"""
    if step.end in state.discs[seat]:
        return may_join(state, seat, step)
    return is_capturable(state, step.bit)


def may_join(state: State, seat: int, step: Step) -> bool:
    """May it join a disc of its own colour, and form a blockade (RG-22, RG-A51)?"""
    ground = state.ground
    if step.bit & state.walls and not ground.third_disc:  # RG-A13
        return False
    return ground.lane_pairs or not step.bit & ground.roads[seat].lane  # RG-A49


def is_capturable(state: State, bit: int) -> bool:
    """May the opponents' discs on this space be captured by a disc that ends its move there (RG-15)?"""
    ground = state.ground
    if bit & state.walls:
        return ground.hits_blockades and not bit & ground.safe  # RG-A12
    if not bit & ground.safe:
        return True
    return ground.lone_owner_falls and is_owners_circle(state, bit)  # RG-14, RG-18, RG-19


def is_owners_circle(state: State, bit: int) -> bool:
    """Is this an entering circle on which a disc of its owner stands (RG-19, RG-A09)?"""
    owner = state.ground.circles.get(bit)
    return owner is not None and 0 in state.discs[owner]


def is_excused(state: State, throw: Throw, step: Step) -> bool:
    """May the mover refuse this step: a capture (RG-20), breaking his blockade (RG-A14), an entry he need not make (RG-A05)?"""
    if step.at == OUT:
        return not must_enter(state, throw.mover)  # RG-A11: a forced entry captures
    if step.bit & state.occupied and step.end not in state.discs[throw.mover]:
        return True
    return bool(step.leaves & state.walls) and is_free_to_block(state.ground, throw)


def is_free_to_block(ground: Ground, throw: Throw) -> bool:
    """Is nobody forced to break a blockade with this throw (RG-A14)?"""
    if ground.breaking == "on_six_or_doublet":
        return throw.has_moved or not throw.again
    return ground.breaking == "never"


# --- entering ---


def can_enter(state: State, throw: Throw) -> bool:
    """Can the mover enter a disc with this throw (RG-05, RG-33)?"""
    return state.discs[throw.mover][0] == OUT and throw.has_entering_number and is_entrance_open(state, throw.mover)


def is_entrance_open(state: State, seat: int) -> bool:
    ground, circle = state.ground, state.ground.roads[seat].enter.bit
    if not circle & state.occupied:
        return True
    if 0 in state.discs[seat]:
        return ground.third_disc or not circle & state.walls  # RG-A07
    return ground.entry_captures and not circle & state.walls  # RG-A08, RG-A09, RG-44


def must_enter(state: State, seat: int) -> bool:
    """Must a five enter a disc, where it can (RG-17, RG-A05)?"""
    duty = state.ground.enter_on_five
    return duty == "must" or (duty == "must_if_captured" and state.tallies[seat].captured > 0)


def only_entered_disc_moves(ground: Ground, throw: Throw) -> bool:
    """After an entry with one die's five the other die belongs to the disc just entered (RG-34, RG-A31)."""
    if not throw.steps or not ground.entered_disc_only:
        return False
    return throw.steps[-1] == (OUT, 0) and not throw.is_doublet


# --- blockades on doublets ---


def carries_blockade(state: State, throw: Throw, step: Step) -> bool:
    """Would both discs of a blockade have made equal moves on this doublet, and form a blockade again (RG-41, RG-A41)?

    Equal discs cannot be told apart, so the step stands if the throw can be told in a way that keeps the rule.
    """
    mine = state.discs[throw.mover]
    if not throw.steps or not throw.is_doublet or step.end not in mine:
        return False
    before = discs_before(mine, throw.steps)
    pairs = {place for place in before if place >= 0 and before.count(place) > 1}
    steps = (*throw.steps, (step.at, step.end))
    return bool(pairs) and not _can_be_told(tuple((place, place) for place in before), steps, pairs)


def _can_be_told(discs: tuple[tuple[int, int], ...], steps: tuple[tuple[int, int], ...], pairs: set[int]) -> bool:
    """Can these steps be made so that no two discs of a pair meet again? A disc is where it came from and where it is now."""
    if not steps:
        return True
    (start, end), rest = steps[0], steps[1:]
    for disc in {disc for disc in discs if disc[1] == start}:
        origin = disc[0]
        if origin in pairs and (origin, end) in discs:
            continue
        at = discs.index(disc)
        if _can_be_told((*discs[:at], (origin, end), *discs[at + 1 :]), rest, pairs):
            return True
    return False


def discs_before(discs: Discs, steps: tuple[tuple[int, int], ...]) -> Discs:
    """The mover's discs as they stood before these steps. A step that nobody can have made is a ValueError."""
    places = list(discs)
    for start, end in reversed(steps):
        places.remove(end)
        places.append(start)
    return tuple(sorted(places))


# --- what a step does ---


def moved(state: State, seat: int, step: Step) -> tuple[State, int]:
    """The state after a step, with the throw as it was; and whom it captured. Discs that it only passes stay (RG-21)."""
    ground, discs, occupied, walls, _, turn, throw, choices, sixes, doublets, opening, _, gone = state
    at, end, leaves, bit = step.at, step.end, step.leaves, step.bit
    mine, all_discs, victim = [*discs[seat]], [*discs], NOBODY
    if not bit & occupied:
        occupied |= bit
    elif end in mine:
        walls |= bit  # RG-22
    else:
        victim, all_discs[victim] = fallen_on(state, seat, bit)
        walls &= ~bit  # RG-A12: it may have been a blockade
    mine[mine.index(at)] = end
    if not leaves & walls:
        occupied ^= leaves
    elif mine.count(at) == 1:
        walls ^= leaves  # RG-24; of three (RG-A13) two are still a blockade
    mine.sort()
    all_discs[seat] = tuple(mine)
    tallies = tallied(state, seat, step, victim)
    ended = "home" if mine[0] == ground.roads[seat].home else ""  # RG-28, RG-46
    fields = (ground, tuple(all_discs), occupied, walls, tallies, turn, throw, choices, sixes, doublets, opening, ended, gone)
    return make(State, fields), victim


def fallen_on(state: State, seat: int, bit: int) -> tuple[int, Discs]:
    """Whose discs are captured on this space, and that seat's discs afterwards: out of play (RG-16)."""
    for victim, discs in enumerate(state.discs):
        place = state.ground.roads[victim].place_at.get(bit)
        if place in discs and victim != seat:
            return victim, (OUT,) * discs.count(place) + tuple([disc for disc in discs if disc != place])
    raise AssertionError("nobody stands there")


def tallied(state: State, seat: int, step: Step, victim: int) -> tuple[Tally, ...]:
    """The tallies after an entry, a capture or a disc's arrival at Home."""
    ground, tallies = state.ground, [*state.tallies]
    points = REACHED_HOME if step.end == ground.roads[seat].home else 0  # RG-45
    if step.at == OUT:
        captured, chances, _, score = tallies[seat]
        tallies[seat] = make(Tally, (captured and captured - 1, chances and chances - 1, True, score))  # RG-32, RG-A44
    if victim != NOBODY:
        fallen = state.discs[victim].count(ground.roads[victim].place_at[step.bit])  # RG-A12: perhaps a whole blockade
        points += CAPTURE * fallen  # RG-42, RG-44
        captured, chances, entered, score = tallies[victim]
        tallies[victim] = make(Tally, (captured + fallen, chances + fallen * ground.scores, entered, score))
    if points and ground.scores:
        tallies[seat] = tallies[seat]._replace(score=tallies[seat].score + points)
    return tuple(tallies)
