"""Royal Purple as the companion asks it: what is due, what is legal, how an event is ruled, what stands on the board."""

from __future__ import annotations

from collections.abc import Callable

from companion.events import Event, Form, Move, Roll
from companion.game import Terms
from companion.games.royal_purple.ending import outcome
from companion.games.royal_purple.go_squares import FOLLOW
from companion.games.royal_purple.ground import ground_of
from companion.games.royal_purple.marking import mark_objections, marker_colour, marks, put_marker
from companion.games.royal_purple.moving import can_step, give_up, may_give_up, move_objections, moves, pass_objections, play
from companion.games.royal_purple.order import drop_from_roll_off, end_turn, throw_for_first
from companion.games.royal_purple.state import LEFT, State, accepted, in_play, markers_of, without
from companion.games.royal_purple.turn import settle, throw
from companion.layout import Layout, Standing
from companion.ruling import Accepted, Due, Objection, Refused, Verdict
from companion.words import say

# --- what is due ---


def due(state: State) -> tuple[Due, ...]:
    if outcome(state):
        return ()
    dice = state.ground.dice
    if state.roll_off:
        return tuple(Due(seat, "roll", say("throw_for_first", seat=seat), dice) for seat in state.roll_off.waiting)
    asked = [*_marks_due(state)]
    if state.throw:
        return (*asked, *_moves_due(state))
    return (*asked, Due(state.turn, "roll", say("throw", seat=state.turn), dice))


def _marks_due(state: State) -> list[Due]:
    """RP-30: mark at once; RP-31: but nobody has to."""
    if not (open_marks := marks(state)):
        return []
    seat, squares = open_marks[0].seat, tuple(dict.fromkeys(move.to for move in open_marks))
    return [Due(seat, "move", say("mark", seat=seat, squares=squares), optional=True)]


def _moves_due(state: State) -> list[Due]:
    asked = []
    for colour, number in state.throw:
        values = {"seat": state.turn, "piece": state.ground.name[colour], "number": number}
        if can_step(state, colour):
            asked.append(Due(state.turn, "move", say("move", **values, meaning=state.ground.meaning(number))))
        elif may_give_up(state, colour):
            asked.append(Due(state.turn, "move", say("may_give_up", **values), optional=True))
    return asked


def legal_moves(state: State) -> list[Move]:
    if outcome(state):
        return []
    return marks(state) + (moves(state) if state.throw else [])


# --- ruling on an event ---


def rule(state: State, event: Event) -> Verdict:
    if ended := outcome(state):
        return Refused((Objection(ended.rules, say("over")),))
    if isinstance(event, Roll):
        objections = _roll_objections(state, event)
        act = throw_for_first if state.roll_off else throw
        return Refused(tuple(objections)) if objections else settle(act(state, event))
    objections = _too_soon_or_not_his_turn(state, event) or OBJECTIONS[event.do](state, event)
    return Refused(tuple(objections)) if objections else settle(ACTS[event.do](state, event))


def _roll_objections(state: State, event: Roll) -> list[Objection]:
    ground, held = state.ground, []
    if state.roll_off and event.seat not in state.roll_off.waiting:
        held.append(Objection(("RP-11",), say("has_thrown_for_first", seat=event.seat)))
    elif not state.roll_off and event.seat != state.turn:
        held.append(_not_his_turn(state, event.seat))
    elif state.throw:
        held.append(Objection(("RP-14",), say("play_the_throw_first")))
    if len(event.dice) != len(ground.dice):
        rules, key = (("RP-50",), "needs_two_dice") if ground.is_pair else (("RP-03",), "needs_one_die")
        held.append(Objection(rules, say(key)))
    return held


def _not_his_turn(state: State, seat: str) -> Objection:
    if seat in state.gone:
        return Objection(("X-A07",), say("has_left", seat=seat))
    if not in_play(state, seat):
        return Objection(("RP-24",), say("is_out", seat=seat))
    return Objection(("RP-13",), say("not_your_turn", seat=state.turn))


def _too_soon_or_not_his_turn(state: State, move: Move) -> list[Objection]:
    if state.roll_off:
        return [Objection(("RP-11",), say("throw_for_first_first"))]
    if move.do == "mark":  # a mark may come late, in the next player's turn
        return []
    return [] if move.seat == state.turn else [_not_his_turn(state, move.seat)]


def _objections_to_mark(state: State, move: Move) -> list[Objection]:
    colour = marker_colour(state, move)
    if state.ground.owner[colour] != move.seat:
        return [Objection(("RP-04",), say("not_your_marker", piece=state.ground.marker[colour]))]
    return mark_objections(state, colour, move.to)


OBJECTIONS: dict[str, Callable[[State, Move], list[Objection]]] = {
    "move": move_objections,
    "mark": _objections_to_mark,
    "pass": pass_objections,
}
ACTS: dict[str, Callable[[State, Move], Accepted]] = {
    "move": play,
    "mark": lambda state, move: put_marker(state, marker_colour(state, move), move.to),
    "pass": lambda state, move: give_up(state, move.piece),
}


# --- the host's acts ---


def skip(state: State, seat: str) -> State:
    """Pass over what a seat owes: its throw for the first turn, or its turn."""
    if outcome(state):
        return state
    if state.roll_off:
        return _settled(drop_from_roll_off(state, seat)) if seat in state.roll_off.waiting else state
    return _settled(end_turn(state)) if seat == state.turn else state


def leave(state: State, seat: str) -> State:
    """A player is gone (X-A07): his turns are skipped, and by readings his pieces go too, or the game ends."""
    if outcome(state) or seat in state.gone:
        return state
    what, colours = state.ground.readings["leaver"], state.ground.pieces[seat]
    if what == "end_game":
        return state._replace(ended=LEFT)
    after = state._replace(gone=(*state.gone, seat), stops=tuple(stop for stop in state.stops if stop.colour not in colours))
    if what == "remove_pieces":
        marked = [square for colour in colours for square in markers_of(state, colour)]
        after = after._replace(places=without(after.places, colours), markers=without(after.markers, marked))
    if after.roll_off:
        return _settled(drop_from_roll_off(after, seat))
    return _settled(end_turn(after) if seat == after.turn else after)


def _settled(state: State) -> State:
    after: State = settle(accepted(state)).state
    return after


# --- what stands on the real board, and what a move may look like ---


def layout(state: State) -> Layout:
    """Markers lie on the board; a piece on a marked square stands on the marker."""
    ground = state.ground
    lying = [Standing(ground.marker[colour], square) for colour in ground.colours for square in markers_of(state, colour)]
    pieces = [
        Standing(ground.name[colour], state.places[colour], level=int(state.places[colour] in state.markers))
        for colour in ground.colours
        if colour in state.places
    ]
    return Layout((*lying, *pieces))


def forms(terms: Terms) -> tuple[Form, ...]:
    ground = ground_of(terms)
    squares, pieces = tuple(terms.board.spaces), tuple(ground.name.values())
    markers = tuple(ground.marker.values()) if ground.is_pair else ()
    return (
        Form("move", pieces, squares, squares, ("", FOLLOW)),
        Form("mark", markers, (), squares),
        Form("pass", pieces),
    )
