"""The rules of Siege, on a state of four integers.

`knights` and `defenders` are sets of squares as bits, `commander` is a square's number. The board's part of every rule is already
in the tables of `ground`; what is left depends on who stands where, whose turn it is, and the opening rule.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.events import Event, Form, Move, Roll
from companion.game import Terms
from companion.games.siege.ground import (
    ATTACKER,
    COMMANDER,
    DEFENDER,
    FOOTMAN,
    KNIGHT,
    Ground,
    ground_of,
)
from companion.layout import Layout, Standing
from companion.ruling import Accepted, Due, Objection, Outcome, Refused, Verdict, refuse
from companion.words import Say, say

TAKEN, UNPLACED = -1, -2  # a Commander who is on no square
QUIET_END = 100  # SG-A21: fifty turns each
SEATS = (ATTACKER, DEFENDER)


class State(NamedTuple):
    ground: Ground
    knights: int
    defenders: int
    commander: int
    to_move: int  # 0 the Attacker, 1 the Defender
    turns: int  # of the Defender, while the opening rule may still bind him (0 to 4)
    unmoved: int  # Defenders that have not left the square they started from
    lifted: bool  # the opening rule is off for good (reading special_exempt)
    quiet: int  # turns since the last capture
    seen: tuple[int, ...]  # positions since the last move that cannot be undone, this one last
    ended: str = ""  # "draw", or "left" when a player's leaving ended it
    gone: tuple[str, ...] = ()  # players who left


def set_up(terms: Terms) -> State:
    ground = ground_of(terms)
    return State(ground, ground.starts, ground.dots, UNPLACED, 1, 0, ground.dots, False, 0, ())


# --- whose turn, and how it ended ---


def due(state: State) -> tuple[Due, ...]:
    if outcome(state):
        return ()
    if state.commander == UNPLACED:
        return (Due(DEFENDER, "move", say("place_commander")),)
    seat = SEATS[state.to_move]
    asks = [Due(seat, "move", say("your_move", seat=seat))]
    if may_claim_draw(state):
        asks += [Due(s, "move", say("may_claim_draw", seat=s), optional=True) for s in SEATS if s not in state.gone]
    return tuple(asks)


def outcome(state: State) -> Outcome | None:
    if state.commander == TAKEN:
        return Outcome((ATTACKER,), say("commander_captured"), ("SG-02", "SG-42"))
    if not state.knights:
        return Outcome((DEFENDER,), say("knights_captured"), ("SG-03", "SG-43"))
    if state.ended == "draw":
        return Outcome((), say("drawn"), ("SG-A21",))
    if state.ended == "left":
        return Outcome((), say("left"), ("X-A07",))
    ground = state.ground
    if ground.draw == "siege_lifted" and state.quiet >= QUIET_END:
        return Outcome((DEFENDER,), say("siege_lifted"), ("SG-A21",))
    if ground.no_move != "pass" and state.commander >= 0 and not _moves(state):
        if ground.no_move == "draw":
            return Outcome((), say("no_move_draw", seat=SEATS[state.to_move]), ("SG-A06",))
        return Outcome((SEATS[1 - state.to_move],), say("no_move_loses", seat=SEATS[state.to_move]), ("SG-A06",))
    return None


def may_claim_draw(state: State) -> bool:  # SG-A21
    draw = state.ground.draw
    if draw in ("never", "siege_lifted"):
        return False
    if draw == "threefold_or_50" and state.quiet >= QUIET_END:
        return True
    seen = state.seen
    return len(seen) > 4 and seen.count(seen[-1]) >= 3


# --- the opening rule, SG-44 to SG-49 ---


def threatened(state: State) -> int:
    """The squares of pieces that could be taken at the other side's next turn (SG-48, SG-A17)."""
    ground, knights, defenders, commander = state.ground, state.knights, state.defenders, state.commander
    own = defenders | 1 << commander
    at_risk = 0
    for square in _bits(knights):
        at_risk |= ground.knight_reach[square] & own
    if ground.own_side_only:
        return at_risk
    for square in _bits(defenders):
        at_risk |= ground.footman_strikes[square] & knights
    for c in ground.commander_moves[commander]:
        if c.bit & knights and not c.over & (defenders | knights):
            at_risk |= c.bit
    return at_risk


def opening_binds(state: State) -> bool:
    """Must the Defender move a man off his starting square this turn (SG-44 to SG-46)?"""
    if state.turns >= 4 or state.lifted or not _opening_men(state) or threatened(state):
        return False
    return bool(_opening_moves(state))  # SG-A06: a rule that cannot be kept lapses for the turn


def _opening_men(state: State) -> int:  # SG-45, SG-A14, SG-A23
    return state.unmoved if state.ground.four_different else state.defenders & state.ground.dots


def _opening_moves(state: State) -> list[Move]:
    free = ~(state.knights | state.defenders | 1 << state.commander | state.ground.dotted)
    rows = state.ground.footman_moves
    return [c.move for square in _bits(_opening_men(state)) for c in rows[square] if c.bit & free]


def _is_exempt_turn(state: State) -> bool:
    return state.turns < 4 and (state.lifted or bool(threatened(state)))


def commander_stays(state: State) -> bool:
    """In an exempt turn, does the Commander still have to stay (SG-A19)? Never when nobody else can move."""
    if state.ground.exempt_commander or not _is_exempt_turn(state):
        return False
    occupied = state.knights | state.defenders | 1 << state.commander
    return bool(_footman_moves(state, occupied))


# --- the list of legal moves ---


def legal_moves(state: State) -> list[Move]:
    if state.commander < 0:
        if state.commander == UNPLACED and not state.ended:
            return [Move(DEFENDER, "place", COMMANDER, to=id) for id in state.ground.ids(state.ground.crowns)]
        return []
    if state.ended or not state.knights:
        return []
    moves = _moves(state)
    if not moves:
        if state.ground.no_move != "pass":
            return []
        moves = [Move(SEATS[state.to_move], "pass")]
    if state.quiet >= QUIET_END or len(state.seen) > 4:
        if outcome(state):
            return []
        if may_claim_draw(state):
            moves += [Move(seat, "draw") for seat in SEATS if seat not in state.gone]
    return moves


def _moves(state: State) -> list[Move]:
    """The moves of the side whose turn it is."""
    ground, knights, defenders, commander, to_move = state[:5]
    if to_move == 0:
        moves = []
        rows, left = ground.knight_moves, knights
        while left:
            bit = left & -left
            left ^= bit
            for c in rows[bit.bit_length() - 1]:
                if not c.bit & knights:  # SG-10
                    moves.append(c.move)
        return moves
    if state.turns < 4 and opening_binds(state):
        return _opening_moves(state)
    occupied = knights | defenders | 1 << commander
    moves = _footman_moves(state, occupied)
    if state.turns >= 4 or not commander_stays(state):
        for c in ground.commander_moves[commander]:
            if not (c.bit & defenders or c.over & occupied):  # SG-10, SG-28
                moves.append(c.move)
    return _escapes(state, moves) if ground.must_escape else moves


def _footman_moves(state: State, occupied: int) -> list[Move]:
    moves = []
    rows, left, knights = state.ground.footman_moves, state.defenders, state.knights
    while left:
        bit = left & -left
        left ^= bit
        for c in rows[bit.bit_length() - 1]:
            if not c.bit & occupied or (c.slanted and c.bit & knights):  # SG-10, SG-34
                moves.append(c.move)
    return moves


def _escapes(state: State, moves: list[Move]) -> list[Move]:  # SG-A22, must_escape
    safe = [move for move in moves if not _commander_at_risk(_after(state, move))]
    return safe or moves


def _commander_at_risk(state: State) -> bool:
    return any(state.ground.knight_reach[square] >> state.commander & 1 for square in _bits(state.knights))


# --- ruling on one event ---


def rule(state: State, event: Event) -> Verdict:
    if isinstance(event, Roll):
        return refuse("SG-09", why=say("no_dice"))
    if event.do == "move":
        reasons = objections(state, event)
        if reasons:
            return Refused(reasons)
        return _accept_move(state, event)
    if ended := outcome(state):
        return refuse(*ended.rules, why=say("over"))
    if event.do == "place":
        return _rule_on_placing(state, event)
    if event.do == "draw":
        if not may_claim_draw(state):
            return refuse("SG-A21", why=say("no_draw_yet"))
        return Accepted(state._replace(ended="draw"), (say("drawn"),), ("SG-A21",))
    return _rule_on_passing(state, event)


def objections(state: State, move: Move) -> tuple[Objection, ...]:
    """Every rule that stands against a move; none when it is legal."""
    ground, knights, defenders, commander, to_move = state[:5]
    if commander < 0 or not knights or state.ended or ground.draw == "siege_lifted":
        if ended := outcome(state):
            return (Objection(ended.rules, say("over")),)
        if commander == UNPLACED:
            return (Objection(("SG-06", "SG-A27"), say("place_first")),)
    if move.seat != SEATS[to_move]:
        return (Objection(("SG-30",), say("not_your_turn", seat=SEATS[to_move])),)
    start = ground.index[move.start]
    own = knights if move.piece == KNIGHT else defenders if move.piece == FOOTMAN else 1 << commander
    if not own >> start & 1 or (move.piece == KNIGHT) == to_move:
        return (Objection(("SG-09",), say("no_such_piece", piece=move.piece, start=move.start)),)
    candidate = ground.by_move.get(move)
    if candidate and to_move == 0 and not candidate.bit & knights:
        return ()
    bit = 1 << ground.index[move.to]
    held = list(ground.forbidden.get(move, ()))
    if move.start == move.to:
        held.append(Objection(("SG-09",), say("stands_still")))
    elif bit & (knights if to_move == 0 else defenders | 1 << commander):
        held.append(Objection(("SG-10",), say("own_piece_there", end=move.to)))
    if candidate and candidate.over & (knights | defenders):
        held.append(Objection(("SG-28",), say("commander_jumps", end=move.to)))
    if bit & knights and move.piece == FOOTMAN:
        if bit & ground.blue:
            held.append(Objection(("SG-37",), say("knight_on_blue", end=move.to)))
        elif candidate and not candidate.slanted:
            held.append(Objection(("SG-34", "SG-36"), say("straight_capture", end=move.to)))
    if state.turns < 4 and to_move == 1:
        held += _opening_objections(state, move, bit)
    if ground.must_escape and not held and move not in _moves(state):
        held.append(Objection(("SG-A22",), say("leaves_commander", end=move.to)))
    return tuple(held)


def _opening_objections(state: State, move: Move, bit: int) -> list[Objection]:
    if not opening_binds(state):
        if move.piece == COMMANDER and commander_stays(state):
            return [Objection(("SG-49", "SG-A19"), say("exempt_defender_only"))]
        return []
    if move.piece == COMMANDER:
        return [Objection(("SG-44",), say("opening_defender_only", turn=state.turns + 1))]
    held = []
    if not _opening_men(state) >> state.ground.index[move.start] & 1:
        held.append(Objection(("SG-45", "SG-A14"), say("opening_fresh_man", start=move.start)))
    if bit & state.ground.dotted:
        held.append(Objection(("SG-46",), say("opening_no_dot", end=move.to)))
    return held


def _accept_move(state: State, move: Move) -> Accepted:
    after = _after(state, move)
    candidate = state.ground.by_move[move]
    rules: tuple[str, ...] = candidate.rules
    said: tuple[Say, ...] = ()
    if state.turns < 4 and state.to_move == 1:
        rules, said = _opening_notes(state, rules)
    if after.quiet == 0:  # something was captured
        rules, said = _capture_notes(state, after, move, rules, said)
    return Accepted(after, said, rules)


def _opening_notes(state: State, rules: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Say, ...]]:
    if opening_binds(state):
        return (*rules, "SG-44", "SG-45", "SG-46"), ()
    if at_risk := state.ground.ids(threatened(state)):
        return (*rules, "SG-48", "SG-49"), (say("opening_lifted", spaces=at_risk),)
    return rules, ()


def _capture_notes(
    state: State, after: State, move: Move, rules: tuple[str, ...], said: tuple[Say, ...]
) -> tuple[tuple[str, ...], tuple[Say, ...]]:
    rules = (*rules, "SG-41")
    if move.piece == KNIGHT:
        victim = COMMANDER if after.commander == TAKEN else FOOTMAN
        rules = (*rules, "SG-32", "SG-33")
    else:
        victim = KNIGHT
        if move.piece == FOOTMAN:
            rules = (*rules, "SG-34", "SG-35")
        else:
            rules = (*rules, "SG-39" if "SG-29" in rules else "SG-38")
    said = (*said, say("captures", piece=move.piece, victim=victim, end=move.to))
    if ended := outcome(after):
        return (*rules, *ended.rules), (*said, ended.why)
    return rules, said


def _after(state: State, move: Move) -> State:
    """The state after a legal move."""
    ground, knights, defenders, commander, to_move, turns, unmoved, lifted, quiet, seen, ended, gone = state
    start, bit = 1 << ground.index[move.start], ground.by_move[move].bit
    if to_move == 0:
        knights ^= start | bit
        captured = bit & (defenders | 1 << commander)
        # Outside the Castle a Knight only ever goes forward (SG-13): no earlier position can come back.
        lasting = captured or not start & ground.castle
        if captured:
            if bit == 1 << commander:
                commander = TAKEN
            else:
                defenders ^= bit
                unmoved &= ~bit
    else:
        if turns < 4:
            turns += ground.exempt_counts or not _is_exempt_turn(state)  # SG-47, SG-A20
        if start == 1 << commander and move.piece == COMMANDER:
            commander = bit.bit_length() - 1
        else:
            defenders ^= start | bit
            unmoved &= ~start
        captured = lasting = knights & bit
        knights &= ~bit
    key = (knights << 64 | defenders) << 8 | commander + 1 << 1 | 1 - to_move
    after = State(
        ground, knights, defenders, commander, 1 - to_move, turns, unmoved, lifted,
        0 if captured else quiet + 1, (key,) if lasting else (*seen, key), ended, gone,
    )  # fmt: skip
    if turns < 4 and ground.lifted_for_good and to_move == 0 and commander >= 0 and threatened(after):
        after = after._replace(lifted=True)  # SG-A16
    if gone and SEATS[after.to_move] in gone:
        after = skip(after, SEATS[after.to_move])
    return after


def _rule_on_placing(state: State, move: Move) -> Verdict:
    ground = state.ground
    if move.seat != DEFENDER:
        return refuse("SG-06", why=say("defender_places"))
    if state.commander != UNPLACED:
        return refuse("SG-06", "SG-A27", why=say("already_placed"))
    square = ground.index[move.to]
    if not ground.crowns >> square & 1:
        return refuse("SG-06", why=say("not_a_crown", end=move.to))
    after = state._replace(commander=square, to_move=0)
    if ATTACKER in state.gone:
        after = after._replace(to_move=1)
    return Accepted(after, (say("commander_placed", end=move.to),), ("SG-05", "SG-06", "SG-07", "SG-31"))


def _rule_on_passing(state: State, move: Move) -> Verdict:
    if state.commander == UNPLACED:
        return refuse("SG-06", "SG-A27", why=say("place_first"))
    if move.seat != SEATS[state.to_move]:
        return refuse("SG-30", why=say("not_your_turn", seat=SEATS[state.to_move]))
    if _moves(state):
        return refuse("SG-09", why=say("must_move"))
    return Accepted(skip(state, move.seat), (say("passes", seat=move.seat),), ("SG-A06",))


# --- the host's acts ---


def skip(state: State, seat: str) -> State:
    """Pass over a turn; four turns are four turns (SG-A20). The Commander waits on the first Crown if nobody places him."""
    if outcome(state) or SEATS[state.to_move] != seat:
        return state
    if state.commander == UNPLACED:
        crown = (state.ground.crowns & -state.ground.crowns).bit_length() - 1
        return state._replace(commander=crown, to_move=0)
    turns = state.turns + (state.to_move == 1 and state.turns < 4)
    return state._replace(to_move=1 - state.to_move, turns=turns, quiet=state.quiet + 1)


def leave(state: State, seat: str) -> State:
    """A player is gone (X-A07). Without either side's pieces there is nothing left to besiege: the game ends."""
    if outcome(state) or seat in state.gone:
        return state
    if state.ground.readings["leaver"] != "skip" or len(state.gone) == 1:
        return state._replace(ended="left")
    after = state._replace(gone=(*state.gone, seat))
    return skip(after, seat)


# --- what stands on the real board, and what a move may look like ---


def layout(state: State) -> Layout:
    ground = state.ground
    men = [Standing(KNIGHT, id) for id in ground.ids(state.knights)]
    men += [Standing(FOOTMAN, id) for id in ground.ids(state.defenders)]
    if state.commander >= 0:
        men.append(Standing(COMMANDER, ground.spaces[state.commander].id))
    return Layout(tuple(men))


def forms(terms: Terms) -> tuple[Form, ...]:
    ids = tuple(terms.board.spaces)
    return (
        Form("move", (KNIGHT, FOOTMAN, COMMANDER), ids, ids),
        Form("place", (COMMANDER,), (), ids),
        Form("draw"),
        Form("pass"),
    )


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        found.append(bit.bit_length() - 1)
    return found
