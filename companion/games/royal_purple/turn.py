"""A turn: the throw, and what follows from any event by itself.

A *consequence* is a function that gives the next step when it applies: a lost play, a piece shut in, a dead game. `settle` runs
them after every event until none applies.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.events import Roll
from companion.games.royal_purple.ending import is_dead, outcome
from companion.games.royal_purple.marking import close_marking, marks
from companion.games.royal_purple.moving import can_step, close_others_marking, ended_with_last_die, must_wait, number_for
from companion.games.royal_purple.order import end_turn
from companion.games.royal_purple.state import (
    DEAD,
    State,
    accepted,
    in_play,
    is_seated,
    joined,
    markers_left,
    markers_of,
    standing,
    without,
    without_dice,
)
from companion.games.royal_purple.stepping import closing_rules, is_shut_in, mover
from companion.roll_off import seats_from
from companion.ruling import Accepted
from companion.words import Say, say

# --- the throw (RP-03, RP-14) ---


def throw(state: State, event: Roll) -> Accepted:
    """One throw of the player's dice. It is the deadline for the marks of the play before (RP-32)."""
    ground = state.ground
    waits = ground.readings["mark_deadline"] == "next_piece_touched" and _marker_waits(state, event.seat)
    done = accepted(state) if waits else close_marking(state)
    dice = tuple(zip(ground.pieces[event.seat], event.dice, strict=True))  # RP-51: the coloured die is the Princess's
    rules = ("RP-03", "RP-14", *(("RP-50", "RP-51") if ground.is_pair else ()))
    done = joined(done, accepted(done.state._replace(throw=dice), _threw(state, event), rules=rules))
    for colour, _ in dice:
        if not die_counts(done.state, colour):
            done = joined(done, _ignored(done.state, colour))
    return ended_with_last_die(done)


def _marker_waits(state: State, seat: str) -> bool:
    """Somebody else than the thrower may still mark."""
    return any(state.ground.owner[stop.colour] != seat for stop in state.stops)


def _threw(state: State, event: Roll) -> Say:
    if state.ground.is_pair:
        return say("threw_two", seat=event.seat, coloured=event.dice[0], white=event.dice[1])
    return say("threw", seat=event.seat, number=event.dice[0])


def die_counts(state: State, colour: str) -> bool:
    """The die of a piece that is out, or sits on the Throne, is thrown and ignored (RP-A44, RP-A46)."""
    if colour in state.out:
        return False
    return not is_seated(state, colour) or state.ground.readings["seated_die"] == "may_leave"


def _ignored(state: State, colour: str) -> Accepted:
    rule = "RP-A46" if colour in state.out else "RP-A44"
    return accepted(without_dice(state, (colour,)), say("die_ignored", piece=state.ground.name[colour]), rules=(rule,))


# --- consequences ---


def turn_of_nobody(state: State) -> Accepted | None:
    """A player who is out or has left is passed over."""
    return None if in_play(state, state.turn) else accepted(end_turn(state))


def shut_in(state: State) -> Accepted | None:
    """RP-24: a piece that no throw could move is out. Tested before its owner throws, or by a reading at any time (RP-A18)."""
    pieces_count = state.ground.readings["bottled_by_prince"] == "out"
    for seat in _seats_tested(state):
        for colour in in_play(state, seat):
            if not is_seated(state, colour) and is_shut_in(mover(state, colour), pieces_count=pieces_count):
                said = say("shut_in", piece=state.ground.name[colour])
                return put_out(state, colour, said, ("RP-24", "RP-A18", "RP-A19", "RP-A31"))
    return None


def _seats_tested(state: State) -> tuple[str, ...]:
    if state.ground.readings["bottled_test"] == "at_once":
        return seats_from(state.ground.seats, state.turn, state.ground.clockwise)
    return () if state.throw else (state.turn,)


def no_marker_left(state: State) -> Accepted | None:
    """By a reading a player who has placed his last marker is out (RP-A27)."""
    if state.ground.readings["markers_out"] != "player_out":
        return None
    for seat in standing(state):
        for colour in in_play(state, seat):
            if markers_left(state, colour) <= 0:
                said = say("out_of_markers", piece=state.ground.name[colour])
                return put_out(state, colour, said, ("RP-02", "RP-A27", "RP-A31"))
    return None


def put_out(state: State, colour: str, said: Say, rules: tuple[str, ...]) -> Accepted:
    """A piece is out of the game. Its Prince is taken off; by readings all of it stays, or all of it goes (RP-A31)."""
    what = state.ground.readings["out_player"]
    after = without_dice(state, (colour,))._replace(
        out=(*state.out, colour),
        stops=tuple(stop for stop in state.stops if stop.colour != colour),
        places=state.places if what == "leave_all" else without(state.places, (colour,)),
        markers=without(state.markers, markers_of(state, colour)) if what == "remove_all" else state.markers,
    )
    done = accepted(after, said, rules=rules)
    return ended_with_last_die(done) if state.throw else done


def lost_play(state: State) -> Accepted | None:
    """RP-23: no square is open for the throw. Of two dice each is lost only when the other cannot be played before it."""
    if not state.throw or any(can_step(state, colour) for colour, _ in state.throw):
        return None
    lost = [colour for colour, _ in state.throw if not must_wait(state, colour)]
    said = [say("lost_play", piece=state.ground.name[colour], number=number_for(state, colour)) for colour in lost]
    closed = [rule for colour in lost for rule in closing_rules(mover(state, colour), number_for(state, colour))]
    done = close_others_marking(state)
    return ended_with_last_die(joined(done, accepted(without_dice(done.state, lost), *said, rules=("RP-23", *closed))))


def dead_game(state: State) -> Accepted | None:
    """RP-A34: looked at whenever a play is over and marked."""
    if state.ended or state.throw or marks(state) or not is_dead(state):
        return None
    return accepted(state._replace(ended=DEAD), rules=("RP-A34",))


CONSEQUENCES: tuple[Callable[[State], Accepted | None], ...] = (turn_of_nobody, shut_in, no_marker_left, lost_play, dead_game)


def settle(done: Accepted) -> Accepted:
    """The event with all that follows from it by itself, to the end of the game if that is where it leads."""
    while not (ended := outcome(done.state)):
        if done.state.roll_off:
            return done
        step = next((step for follows in CONSEQUENCES if (step := follows(done.state))), None)
        if step is None:
            return done
        done = joined(done, step)
    return joined(done, accepted(done.state, ended.why, rules=ended.rules))
