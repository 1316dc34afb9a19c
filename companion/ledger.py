"""The ledger: one game act by act, and what the referee answered. Pure: no clock, no disk, no device.

Every state is the ledger replayed. Taking back removes lines from it (the journal keeps them for ever); the host's acts are lines
like any other, so the record shows them. The table (see `companion.table`) is this, with a journal below and devices around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.acts import (
    Act,
    Agreed,
    Corrected,
    Decided,
    Left,
    LetStand,
    Paused,
    Played,
    Skipped,
    TookBack,
    Touched,
    Voted,
)
from companion.events import BadInput, Move, Roll
from companion.game import Game, Terms
from companion.ledger_words import WORDS
from companion.mapping.palette import OWN, board_readings
from companion.notation import to_text
from companion.referee import ACCEPTED, REFUSED, SILENT, Ruling, judge, settled_state
from companion.rulebook import ASK, Reading
from companion.ruling import Due, Outcome
from companion.words import Say, Translate, say

HOST = "host"


class Line(NamedTuple):
    """One act of the game as it stands: its number, who did it, and the states around it."""

    number: int
    act: Act
    by: str
    before: Any
    after: Any
    ruling: Ruling | None = None


@dataclass(frozen=True)
class Answer:
    """The referee's answer to an act. Only an accepted act changes the ledger."""

    status: str
    ledger: Ledger
    why: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    ruling: Ruling | None = None
    then: Act | None = None  # an act of the referee's own that follows (a lost turn)
    house_rule: tuple[str, str] | None = None  # a decision to offer as house rule for the next game

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "status": self.status,
            "citations": list(self.citations),
            "why": list(self.why),
            "said": list(self.said),
        }
        if self.ruling and self.ruling.readings:
            out["readings"] = [reading.name for reading in self.ruling.readings]
        return out


@dataclass(frozen=True)
class PastRuling:
    """What the rules say of an act of the past, in the position it was done in."""

    line: Line
    ruling: Ruling | None  # None: the act was the host's, no rule speaks of it
    remedy: str  # what this table does about it now, in words


@dataclass(frozen=True)
class Ledger:
    game: Game
    start: Any  # the first state
    lines: tuple[Line, ...] = ()
    agreed: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    votes: tuple[Voted, ...] = ()
    touched: Touched | None = None
    paused: bool = False
    translate: Translate = str

    # --- reading it ---

    @property
    def state(self) -> Any:
        return self.lines[-1].after if self.lines else self.start

    @property
    def terms(self) -> Terms:
        terms: Terms = self.state.ground.terms
        return terms

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(settled_state(self.game, self.state))

    @property
    def present(self) -> tuple[str, ...]:
        return tuple(seat for seat in self.terms.seats if seat not in self.gone)

    @property
    def must_agree(self) -> tuple[str, ...]:
        """Seats that have not agreed to the house-rule card yet."""
        return tuple(seat for seat in self.present if seat not in self.agreed)

    @property
    def due(self) -> tuple[Due, ...]:
        return self.game.due(settled_state(self.game, self.state))

    def legal_moves(self) -> list[Move]:
        return self.game.legal_moves(settled_state(self.game, self.state))

    def card(self) -> list[tuple[Reading, str]]:
        """The house-rule card: what a board of one's own has otherwise than the leaflet, and every reading and the value in force."""
        own = [(reading, OWN) for reading in board_readings(self.game, self.terms.board)]
        return own + [(reading, self.terms.readings[reading.name]) for reading in self.game.rulebook.readings]

    def seat_to_roll(self, faces: int, seat: str = "") -> str:
        """Whose roll this many dice can be, if a roll of so many is due: of that seat, or of whoever is due first."""
        for due in self.due:
            if due.what == "roll" and len(due.dice) == faces and seat in ("", due.seat):
                return due.seat
        return ""

    def line(self, number: int) -> Line:
        for line in self.lines:
            if line.number == number:
                return line
        first, last = (self.lines[0].number, self.lines[-1].number) if self.lines else (0, 0)
        raise BadInput(f"number: there is no act {number} in this game now; it has acts {first} to {last}")

    # --- disputes ---

    def suppose(self, event: Roll | Move) -> Ruling:
        """What would the referee say to this, now?"""
        return judge(self.game, self.state, event, self.translate)

    def was_legal(self, number: int) -> PastRuling:
        """Was act `number` legal? By the readings that were in force then."""
        line = self.line(number)
        if not isinstance(line.act, Played | LetStand):
            return PastRuling(line, None, self._tell(say("host_act")))
        ruling = judge(self.game, line.before, line.act.event, self.translate)
        if ruling.status == ACCEPTED:
            return PastRuling(line, ruling, self._tell(say("was_legal", number=number)))
        if isinstance(line.act, LetStand):
            return PastRuling(line, ruling, self._tell(say("let_stand_then", number=number)))
        key = "rewind_now" if self.terms.readings.get("late_illegal") == "rewind" else "stands_now"
        return PastRuling(line, ruling, self._tell(say(key, number=number)))

    # --- acting ---

    def apply(self, act: Act, number: int, by: str = HOST) -> Answer:
        """Answer an act of a seat or of the host (`by`). The act gets this number if it is accepted."""
        if isinstance(act, Played):
            return self._played(act, number, by)
        if isinstance(act, TookBack):
            return self._take_back(act, by)
        if isinstance(act, Agreed):
            return self._agree(act, by)
        if isinstance(act, Voted):
            return self._vote(act, number, by)
        if isinstance(act, Touched):
            return self._touch(act, by)
        if by != HOST:
            return self._no("host_only")
        return self._host_act(act, number)

    def _host_act(self, act: Act, number: int) -> Answer:
        if isinstance(act, LetStand):
            after = self._position(act.position)
            said = say("let_stand", seat=act.event.seat, move=to_text(act.event))
            return self._yes(Line(number, act, HOST, self.state, after), said)
        if isinstance(act, Corrected):
            return self._yes(Line(number, act, HOST, self.state, self._position(act.position)), say("corrected"))
        if isinstance(act, Skipped):
            after = self.game.skip(self.state, act.seat)
            if self.game.position(after) == self.game.position(self.state):
                return self._no("owes_nothing", seat=act.seat)
            said = say("turn_lost" if act.rule else "skipped", seat=act.seat)
            return self._yes(Line(number, act, HOST, self.state, after), said, citations=(act.rule,) if act.rule else ())
        if isinstance(act, Left):
            if act.seat in self.gone:
                return self._no("gone_already", seat=act.seat)
            line = Line(number, act, HOST, self.state, self.game.leave(self.state, act.seat))
            left = replace(self, gone=self.gone | {act.seat})
            return left._yes(line, say("left", seat=act.seat), citations=("X-A07",))
        if isinstance(act, Decided):
            return self._decide(act.reading, act.value, number, act)
        assert isinstance(act, Paused)
        if act.on == self.paused:
            return self._no("paused_already" if act.on else "not_paused")
        return self._only(replace(self, paused=act.on), say("paused" if act.on else "goes_on"))

    # --- playing ---

    def _played(self, act: Played, number: int, by: str) -> Answer:
        event = act.event
        if self.paused:
            return self._no("is_paused")
        if by not in (HOST, event.seat):
            return self._no("not_your_seat", seat=event.seat)
        if self.must_agree:
            return self._no("agree_first", seats=self.must_agree)
        if isinstance(event, Move) and self._breaks_touch(event):
            assert self.touched
            return replace(self._no("touched", piece=self.touched.piece), citations=("X-A06",))
        ruling = judge(self.game, self.state, event, self.translate)
        if ruling.status == ACCEPTED:
            line = Line(number, act, by, self.state, ruling.state, ruling)
            after = replace(self, lines=(*self.lines, line), touched=None)
            return Answer(ACCEPTED, after, (), ruling.said, ruling.citations, ruling)
        then = None
        if (
            act.made
            and ruling.status == REFUSED
            and isinstance(event, Move)
            and self.terms.readings.get("illegal_move") == "turn_lost"
        ):
            owes = any(due.seat == event.seat and not due.optional for due in self.due)
            then = Skipped(event.seat, "X-A04") if owes else None
        return Answer(ruling.status, self, ruling.why, (), ruling.citations, ruling, then)

    def _touch(self, act: Touched, by: str) -> Answer:
        if by not in (HOST, act.seat):
            return self._no("not_your_seat", seat=act.seat)
        if self.terms.readings.get("touch_move") != "on":
            return self._no("touch_is_free")
        if self.touched or act.seat not in {due.seat for due in self.due}:
            return self._no("touch_later")
        return self._only(replace(self, touched=act), say("has_touched", seat=act.seat, piece=act.piece))

    def _breaks_touch(self, move: Move) -> bool:  # X-A06
        touched = self.touched
        if touched is None or touched.seat != move.seat or move.piece == "":
            return False

        def is_it(other: Move) -> bool:
            return other.piece == touched.piece and touched.start in ("", other.start)

        return not is_it(move) and any(is_it(other) for other in self.legal_moves() if other.seat == move.seat)

    def _take_back(self, act: TookBack, by: str) -> Answer:
        """A player: his own last move, while nobody has acted after it. The host: anything."""
        try:
            line = self.line(act.to)
        except BadInput as error:
            return Answer(REFUSED, self, (str(error),))
        undone = self.lines[self.lines.index(line) :]
        if by != HOST:
            own = isinstance(line.act, Played) and isinstance(line.act.event, Move) and line.act.event.seat == by
            if not own or len(undone) > 1:
                return self._no("take_back_host_only" if own else "take_back_own_only")
        rolls = [u.act.event for u in undone if isinstance(u.act, Played) and isinstance(u.act.event, Roll)]
        said = [say("took_back", who=by, count=len(undone), number=act.to)]
        said += [say("took_back_roll", seat=roll.seat, dice=roll.dice) for roll in rolls]
        gone = frozenset(u.act.seat for u in undone if isinstance(u.act, Left))
        after = replace(self, lines=self.lines[: len(self.lines) - len(undone)], gone=self.gone - gone, touched=None)
        return Answer(ACCEPTED, after, (), tuple(map(self._tell, said)))

    # --- the house-rule card and votes ---

    def _agree(self, act: Agreed, by: str) -> Answer:
        if by not in (HOST, act.seat):
            return self._no("not_your_seat", seat=act.seat)
        if act.seat in self.agreed:
            return self._no("agreed_already", seat=act.seat)
        after = replace(self, agreed=self.agreed | {act.seat})
        return self._only(after, say("agreed", seat=act.seat) if after.must_agree else say("all_agreed"))

    def _vote(self, act: Voted, number: int, by: str) -> Answer:
        """Undecided: the most votes. Decided already: every seat must want the change."""
        if by not in (HOST, act.seat):
            return self._no("not_your_seat", seat=act.seat)
        if act.seat in self.gone:
            return self._no("gone_already", seat=act.seat)
        self._check_value(act.reading, act.value)
        votes = (*(v for v in self.votes if (v.seat, v.reading) != (act.seat, act.reading)), act)
        ballot = {v.seat: v.value for v in votes if v.reading == act.reading}
        voted = replace(self, votes=votes)
        waiting = [seat for seat in self.present if seat not in ballot]
        if waiting:
            return voted._only(voted, say("voted", seat=act.seat, seats=waiting))
        counted = replace(self, votes=tuple(v for v in votes if v.reading != act.reading))
        (value, most), *others = Counter(ballot[seat] for seat in self.present).most_common()
        now = self.terms.readings[act.reading]
        if now != ASK:
            if others or value == now:
                return counted._only(counted, say("needs_everybody", reading=act.reading, value=now))
        elif others and others[0][1] == most:
            return counted._only(counted, say("vote_tied", reading=act.reading))
        return counted._decide(act.reading, value, number, act)

    def _decide(self, reading: str, value: str, number: int, act: Act) -> Answer:
        self._check_value(reading, value)
        meaning = self.game.rulebook.reading(reading)
        if self.terms.readings[reading] == value:
            return self._no("decided_already", reading=reading, value=value)
        try:
            after = self.game.from_position(self.terms.with_readings({reading: value}), self.game.position(self.state))
        except BadInput as error:
            return Answer(REFUSED, self, (self._tell(say("impossible_now", reason=str(error))),))
        line = Line(number, act, HOST if isinstance(act, Decided) else "vote", self.state, after)
        answer = self._yes(line, say("decided", meaning=meaning.values[value]), citations=(meaning.id,))
        return replace(answer, house_rule=(reading, value))

    def _check_value(self, reading: str, value: str) -> None:
        if value not in (values := self.game.rulebook.reading(reading).values):
            raise BadInput(f"value: '{value}' is not a value of {reading}; allowed are {', '.join(values)}")

    # --- answers ---

    def _position(self, position: Mapping[str, Any]) -> Any:
        return self.game.from_position(self.terms, dict(position))

    def _tell(self, what: Say) -> str:
        """In the table's words; seats and pieces by the game's names."""
        values = {key: self.game.words.name(value, self.translate) for key, value in what.values.items()}
        return WORDS.tell(Say(what.key, values), self.translate)

    def _yes(self, line: Line, said: Say, citations: tuple[str, ...] = ()) -> Answer:
        after = replace(self, lines=(*self.lines, line), touched=None)
        return Answer(ACCEPTED, after, (), (self._tell(said),), citations)

    def _only(self, after: Ledger, said: Say) -> Answer:
        """Accepted, without a line in the game's record."""
        return Answer(ACCEPTED, after, (), (self._tell(said),))

    def _no(self, key: str, **values: Any) -> Answer:
        return Answer(REFUSED, self, (self._tell(say(key, **values)),))


def open_ledger(game: Game, terms: Terms, position: Mapping[str, Any] | None = None, translate: Translate = str) -> Ledger:
    """A game that begins with the set-up, or with a position."""
    start = game.set_up(terms) if position is None else game.from_position(terms, dict(position))
    return Ledger(game, start, translate=translate)


__all__ = ["ACCEPTED", "HOST", "REFUSED", "SILENT", "Answer", "Ledger", "Line", "PastRuling", "open_ledger"]
