"""Moving a piece with its die: what stands against a move, which moves are open, and what a move does."""

from __future__ import annotations

from companion.events import Move
from companion.games.royal_purple.go_squares import (
    FOLLOW,
    follow_objections,
    is_shared,
    is_unmarked,
    is_void,
    route,
    ways_to_stop,
)
from companion.games.royal_purple.ground import MEANING, reach
from companion.games.royal_purple.marking import close_marking, is_sixth_noble, mark_all, stops_to_mark
from companion.games.royal_purple.order import end_turn
from companion.games.royal_purple.state import State, accepted, frozen, has_support, is_seated, joined, without_dice
from companion.games.royal_purple.stepping import Mover, can_pass, meets_edge, mover, open_ends, step_objections
from companion.ruling import Accepted, Objection
from companion.words import Say, say

# --- the dice and their pieces ---


def number_for(state: State, colour: str) -> int:
    """The number that this piece has still to play; 0 for none."""
    return dict(state.throw).get(colour, 0)


def must_wait(state: State, colour: str) -> bool:
    """By a reading the Princess moves first (RP-A41)."""
    first, *_ = state.ground.pieces[state.ground.owner[colour]]
    return state.ground.readings["pair_order"] == "princess_first" and colour != first and number_for(state, first) > 0


def may_give_up(state: State, colour: str) -> bool:
    """May the player lay this die aside? Only the die of a piece that cannot move before its partner has, which he may play
    first and lose (RP-A42); and by a reading that of a piece on the Throne, which may stay (RP-A44)."""
    if not number_for(state, colour) or must_wait(state, colour):
        return False
    if is_seated(state, colour):
        return True
    if state.ground.readings["pair_must_use_both"] == "yes_if_possible" or can_step(state, colour):
        return False
    return any(can_step(state, other) for other, _ in state.throw)


# --- which moves are open ---


def can_step(state: State, colour: str) -> bool:
    """Is there any step that this piece can take with its number?"""
    number = number_for(state, colour)
    return number > 0 and not must_wait(state, colour) and any(open_ends(mover(state, colour), number))


def steps(state: State, colour: str) -> list[Move]:
    """Every step that a piece can take with its number, apart from what the other die asks."""
    number = number_for(state, colour)
    if not number or must_wait(state, colour):
        return []
    m = mover(state, colour)
    seat, name = state.ground.owner[colour], state.ground.name[colour]
    return [Move(seat, "move", name, m.start, end, detail) for end in open_ends(m, number) for detail in ways_to_stop(m, end)]


def moves(state: State) -> list[Move]:
    """Every legal move of the player whose turn it is, once he has thrown."""
    all_steps = [move for colour, _ in state.throw for move in steps(state, colour)]
    if must_use_both(state):
        all_steps = [move for move in all_steps if leaves_other_die(state, move)] or all_steps
    ground = state.ground
    return all_steps + [Move(state.turn, "pass", ground.name[colour]) for colour, _ in state.throw if may_give_up(state, colour)]


def must_use_both(state: State) -> bool:  # RP-A42
    return len(state.throw) > 1 and state.ground.readings["pair_must_use_both"] == "yes_if_possible"


def leaves_other_die(state: State, move: Move) -> bool:
    """Can the other die still be played after this move?"""
    after: State = play(state, move).state
    return any(can_step(after, colour) for colour, _ in after.throw if after.turn == state.turn)


# --- what stands against a move ---


def piece_objections(state: State, piece: str) -> list[Objection]:
    """What stands against moving this piece at all."""
    ground, colour = state.ground, state.ground.colour[piece]
    if ground.owner[colour] != state.turn:
        return [Objection(("RP-04",), say("not_your_piece", piece=piece))]
    if colour in state.out:
        return [Objection(("RP-24",), say("piece_is_out", piece=piece))]
    if not state.throw:
        return [Objection(("RP-14",), say("throw_first", seat=state.turn))]
    if not number_for(state, colour):
        if is_seated(state, colour):
            return [Objection(("RP-A44",), say("sits", piece=piece))]
        return [Objection(("RP-14", "RP-51"), say("die_is_played", piece=piece))]
    if must_wait(state, colour):
        return [Objection(("RP-A41",), say("princess_first", piece=piece))]
    return []


def move_objections(state: State, move: Move) -> list[Objection]:
    """Everything against a move of the player whose turn it is."""
    if held := piece_objections(state, move.piece):
        return held
    colour = state.ground.colour[move.piece]
    m = mover(state, colour)
    if move.start != m.start:
        return [Objection(("RP-14",), say("stands_elsewhere", piece=move.piece, start=move.start, place=m.start))]
    held = step_objections(m, number_for(state, colour), move.to) + follow_objections(m, move.to, move.detail == FOLLOW)
    if is_other_die(state, m, move.to):
        held.append(Objection(("RP-51",), say("other_die", piece=move.piece)))
    if not held and must_use_both(state) and move not in moves(state):
        held.append(Objection(("RP-A42",), say("must_use_both")))
    return held


def is_other_die(state: State, m: Mover, end: str) -> bool:
    """Would only the partner's die bring the piece there (RP-51)?"""
    table = m.ground.reach
    own, others = number_for(state, m.colour), [number for colour, number in state.throw if colour != m.colour]
    return end not in table[own][m.start] and any(end in table[number][m.start] for number in others)


def pass_objections(state: State, move: Move) -> list[Objection]:
    if held := piece_objections(state, move.piece):
        return held
    if may_give_up(state, state.ground.colour[move.piece]):
        return []
    rules = ("RP-22", "RP-A42") if state.ground.is_pair else ("RP-22",)
    return [Objection(rules, say("must_move", piece=move.piece))]


# --- what a move does ---


def play(state: State, move: Move) -> Accepted:
    """Move the piece, follow a Go square, and open the marking of its stops. The turn ends with the last die."""
    ground = state.ground
    colour = ground.colour[move.piece]
    m, number = mover(state, colour), number_for(state, colour)
    stops = route(m, move.to, move.detail == FOLLOW)
    passed = _square_passed(m, number, move.to)
    done = close_others_marking(state)
    after = without_dice(done.state, (colour,))._replace(
        places=frozen({**state.places, colour: stops[-1]}), stops=done.state.stops + stops_to_mark(m, passed, stops)
    )
    done = joined(done, accepted(after, *_told(m, stops), rules=_shaping_rules(state, m, number, stops)))
    if after.stops and ground.readings["auto_mark"] == "on":  # RP-A29
        done = joined(done, mark_all(after))
    return ended_with_last_die(done)


def give_up(state: State, piece: str) -> Accepted:
    """Lay a die aside."""
    colour = state.ground.colour[piece]
    rule = "RP-A44" if is_seated(state, colour) else "RP-A42"
    done = close_others_marking(state)
    left = without_dice(done.state, (colour,))
    return ended_with_last_die(joined(done, accepted(left, say("gives_up", piece=piece), rules=(rule,))))


def ended_with_last_die(done: Accepted) -> Accepted:
    """A turn is over when its last die is played or lost (RP-14)."""
    return done if done.state.throw else joined(done, accepted(end_turn(done.state)))


def close_others_marking(state: State) -> Accepted:
    """Once a player touches his piece, nobody else may mark any more (RP-32, RP-A28)."""
    is_own = any(state.ground.owner[stop.colour] == state.turn for stop in state.stops)
    return accepted(state) if is_own else close_marking(state)


def _square_passed(m: Mover, number: int, end: str) -> str:
    """The square passed in a straight move of two; a bent one marks nothing on its way (RP-A04)."""
    (passed,) = reach(m.ground.board, False)[number][m.start].get(end, ("",))
    return passed if can_pass(m, passed) else ""


def _told(m: Mover, stops: tuple[str, ...]) -> list[Say]:
    if len(stops) == 1:
        return []
    shared = is_shared(m, stops[-1])
    return [say("sent_to_shared" if shared else "sent", piece=m.ground.name[m.colour], start=stops[0], end=stops[-1])]


def _shaping_rules(state: State, m: Mover, number: int, stops: tuple[str, ...]) -> list[str]:
    """The rules that made the move what it is, for the record and for rule coverage."""
    ground, end = m.ground, stops[0]
    rules = [MEANING[number].rule, "RP-14", "RP-13", "RP-21", "RP-22"]
    rules += ["RP-29"] * meets_edge(ground, m.start, number)
    rules += ["RP-27", "RP-34"] * (m.markers.get(end) in m.realm)
    if ground.is_children:
        return rules + ["RP-59", "RP-60"]
    if end in ground.go and not is_void(m, end):
        rules += ["RP-10", "RP-35", "RP-37"] if is_unmarked(m, end) else ["RP-10", "RP-39"]
    for square in stops[1:]:
        rules.append("RP-38" if is_shared(m, square) else "RP-36")
    rules += ["RP-43"] * any(is_sixth_noble(state, m.colour, square) and is_unmarked(m, square) for square in stops)
    rules += ["RP-44"] * has_support(state, m.colour)
    return rules
