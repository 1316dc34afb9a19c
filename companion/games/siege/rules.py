"""The rules of Siege: what is due, what is legal, and the ruling on an event.

The board's part of every rule is already in the tables of `ground`. Who stands where decides the rest (`refusal`), with the
special rule of the first four turns (`opening`); what a move does is in `play`, how a game ends in `ending`.
"""

from __future__ import annotations

from companion.events import Event, Form, Move, Roll
from companion.game import Terms
from companion.games.siege import opening
from companion.games.siege.ending import hand_over, may_claim_draw, outcome, pass_turn
from companion.games.siege.ground import QUIET_END
from companion.games.siege.moves import moves_of_turn
from companion.games.siege.play import play_defender, play_knight, with_end
from companion.games.siege.refusal import PLACE_FIRST, out_of_turn, refusal_of_defender, refusal_of_knight
from companion.games.siege.state import DRAWN, LEFT, PLACING, PLAY, State
from companion.games.siege.tables import DEFENDER, SEATS
from companion.games.siege.ways import COMMANDER, FOOTMAN, KNIGHT
from companion.ruling import Accepted, Due, Objection, Refused, Verdict, refuse
from companion.words import Say, say

# --- what is due ---


def due(state: State) -> tuple[Due, ...]:
    if state.phase == PLACING:
        return (Due(DEFENDER, "move", say("place_commander")),)
    if state.phase != PLAY:
        return ()
    asks = [Due(SEATS[state.to_move], "move", prompt(state))]
    if may_claim_draw(state):
        asks += [Due(s, "move", say("may_claim_draw", seat=s), optional=True) for s in SEATS if s not in state.gone]
    return tuple(asks)


def prompt(state: State) -> Say:
    """What the side to move is asked; in his first four turns the Defender is told where he stands with them (SG-A18)."""
    if state.opening.men:
        key = "opening_man_move" if state.ground.any_man_on_a_dot else "opening_move"
        return say(key, turn=opening.turn_number(state))
    if state.opening.lifted and (at_risk := opening.squares_at_risk(state)):
        key = "opening_lifted_for_defenders" if opening.commander_stays(state) else "opening_lifted"
        return say(key, spaces=state.ground.ids(at_risk))
    return say("your_move", seat=SEATS[state.to_move])


# --- the list of legal moves ---


def legal_moves(state: State) -> list[Move]:
    if state.phase != PLAY:
        return placings(state) if state.phase == PLACING else []
    moves = moves_of_turn(state) or [Move(SEATS[state.to_move], "pass")]  # SG-A06
    if (len(state.seen) > 4 or state.quiet >= QUIET_END) and may_claim_draw(state):
        moves += [Move(seat, "draw") for seat in SEATS if seat not in state.gone]
    return moves


def placings(state: State) -> list[Move]:  # SG-06, SG-A27
    return [Move(DEFENDER, "place", COMMANDER, to=id) for id in state.ground.ids(state.ground.crowns)]


# --- ruling on one event ---


def rule(state: State, event: Event) -> Verdict:
    attempt = state.ground.attempts[event]
    if attempt is None:
        return rule_on_other_event(state, event)
    if attempt.side == 0:
        return refusal_of_knight(state, attempt) or play_knight(state, attempt)
    return refusal_of_defender(state, attempt) or play_defender(state, attempt)


def objections(state: State, event: Event) -> tuple[Objection, ...]:
    """Every rule that stands against an event; none when it is legal."""
    verdict = rule(state, event)
    return verdict.objections if isinstance(verdict, Refused) else ()


def rule_on_other_event(state: State, event: Event) -> Verdict:
    """Anything but a seat's own kind of piece sent somewhere."""
    if isinstance(event, Roll):
        return refuse("SG-09", why=say("no_dice"))
    if ended := outcome(state):
        return refuse(*ended.rules, why=say("over"))
    if event.seat in state.gone:
        return refuse("X-A07", why=say("has_left", seat=event.seat))
    if event.do == "place":
        return rule_on_placing(state, event)
    if state.phase == PLACING:
        return Refused((PLACE_FIRST,))
    if event.do == "draw":
        return rule_on_draw(state)
    if event.seat != SEATS[state.to_move]:
        return Refused((out_of_turn(state),))
    if event.do == "pass":
        return rule_on_passing(state)
    return refuse("SG-09", why=say("not_your_piece", piece=event.piece))


# --- other events ---


def rule_on_placing(state: State, move: Move) -> Verdict:
    ground = state.ground
    if move.seat != DEFENDER:
        return refuse("SG-06", why=say("defender_places"))
    if state.phase != PLACING:
        return refuse("SG-06", "SG-A27", why=say("already_placed"))
    square = ground.square[move.to]
    if not square & ground.crowns:
        return refuse("SG-06", why=say("not_a_crown", end=move.to))
    rules = ("SG-01", "SG-05", "SG-06", "SG-07", "SG-08", "SG-31")
    return Accepted(with_commander(state, square), (say("commander_placed", end=move.to),), rules)


def with_commander(state: State, square: int) -> State:
    stand = (0, state.knights, state.defenders, square)
    return hand_over(state._replace(commander=square, to_move=0, phase=PLAY, seen=(stand,)))  # SG-31


def rule_on_draw(state: State) -> Verdict:
    if not may_claim_draw(state):
        return refuse("SG-A21", why=say(f"no_draw_{state.ground.draw}"))
    return Accepted(state._replace(phase=DRAWN), (say("drawn"),), ("SG-A21",))


def rule_on_passing(state: State) -> Verdict:
    if moves_of_turn(state):
        return refuse("SG-09", why=say("must_move"))
    return with_end(pass_turn(state), ("SG-A06",), (say("passes", seat=SEATS[state.to_move]),))


# --- the host's acts ---


def skip(state: State, seat: str) -> State:
    """Pass over a turn. The Commander goes to the first Crown if nobody places him."""
    if outcome(state) or SEATS[state.to_move] != seat:
        return state
    if state.phase == PLACING:
        return with_commander(state, state.ground.square[state.ground.ids(state.ground.crowns)[0]])
    return pass_turn(state)


def leave(state: State, seat: str) -> State:
    """A player is gone (X-A07). Without either side's pieces there is nothing left to besiege: then the game ends."""
    if outcome(state) or seat in state.gone:
        return state
    if state.gone or state.ground.terms.readings["leaver"] in ("remove_pieces", "end_game"):
        return state._replace(phase=LEFT)
    return skip(state._replace(gone=(seat,)), seat)


# --- what a move may look like ---


def forms(terms: Terms) -> tuple[Form, ...]:
    ids = tuple(terms.board.spaces)
    return (
        Form("move", (KNIGHT, FOOTMAN, COMMANDER), ids, ids),
        Form("place", (COMMANDER,), (), ids),
        Form("draw"),
        Form("pass"),
    )
