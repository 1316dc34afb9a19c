"""A recorded evening: pictures in order, and what the dice showed. The referee watches it as it would have watched the table.

The roll list is a JSON file:
  game      which game; variant, seats, readings, options, board, position as everywhere (see `companion games`)
  seats     a number, a list of seats, or an object whose keys are what the list calls the players
            ({"blue": {"port": "NewYork", "branch": "Artillery"}}: the words tell which seat and which counter is meant)
  order     who plays after whom; the first one begins, and no throw for the first turn is recorded
  rolls     each [seat, total] or [seat, [die, die]] or [seat, …, frame]: not before that picture (a number from 0, or a name)

Rolls are taken up as they fall due. Where everybody may still act before the next roll (the roll then shows that all were ready),
it is taken up when the picture cannot be explained without it.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple

from companion.acts import Act, Played, TookBack
from companion.board import Board
from companion.events import BadInput, Move, Roll, brief, dice_from_json, one_of
from companion.game import Game, Terms, terms_from_json
from companion.games import find_game
from companion.ledger import ACCEPTED, HOST, Ledger, open_ledger
from companion.notation import to_text
from companion.ruling import Accepted, Due
from vision import reports
from vision.reports import Moves, Report
from vision.scene import scene_of
from vision.umpire import Ask, Made, Nothing, Seen, TakenBack, Wrong, see
from vision.watch import Frame, Watcher

MOST_ROLLS = 100_000
MOST_QUIET = 8  # words in a row, such as "ready", that leave no trace
FACES = range(1, 7)


class RollEntry(NamedTuple):
    """One roll of the list: the dice, or only their total; `frame`: not before this picture."""

    seat: str
    dice: tuple[int, ...]
    total: int = 0
    frame: int | str = -1


@dataclass
class RollList:
    game: Game
    terms: Terms
    start: Any  # the state before the first roll
    rolls: deque[RollEntry]


# --- reading the list ---


def roll_list(data: object, board: Board | None = None) -> RollList:
    """A roll list from a file; whatever is wrong with it is named."""
    if not isinstance(data, dict):
        raise BadInput("roll list: must be an object with game, seats and rolls")
    game = find_game(data.get("game"))
    seat_of, options = _seats(game, data.get("seats", ()))
    given = {key: data[key] for key in ("variant", "readings", "board") if key in data}
    given["options"] = options | (data.get("options") or {})
    named = data.get("seats", ())
    given["seats"] = [seat_of[name] for name in named] if isinstance(named, dict) else named
    terms = terms_from_json(game, given)
    if board is not None:
        terms = replace(terms, board=game.board(board))
    position = data.get("position")
    start = game.set_up(terms) if position is None else game.from_position(terms, position)
    order = data.get("order")
    if isinstance(order, list) and order:
        start = begun_by(game, start, one_of("order", seat_of.get(order[0], order[0]), terms.seats))
    listed = data.get("rolls", [])
    if not isinstance(listed, list) or len(listed) > MOST_ROLLS:
        raise BadInput(f"rolls: must be a list of at most {MOST_ROLLS} rolls such as [\"red\", 7]")
    rolls = deque(_roll(number, item, seat_of, terms) for number, item in enumerate(listed, 1))
    return RollList(game, terms, start, rolls)


def _seats(game: Game, seats: object) -> tuple[dict[str, str], dict[str, str]]:
    """What the list calls each player -> seat; and options that follow (which army has which port)."""
    if not isinstance(seats, dict):
        return {}, {}
    seat_of: dict[str, str] = {}
    armies: dict[str, str] = {}
    known = {_plain(seat): seat for seat in game.seats}
    for name, about in seats.items():
        words = [name, *(about.values() if isinstance(about, dict) else [])]
        seat = next((known[_plain(w)] for w in words if isinstance(w, str) and _plain(w) in known), None)
        if seat is None or seat in seat_of.values():
            raise BadInput(f"seats: {brief(name)} is no seat of {game.title}; allowed are {', '.join(game.seats)}")
        seat_of[name] = seat
        if isinstance(about, dict) and isinstance(about.get("branch"), str):
            armies[seat] = about["branch"].lower().replace(" ", "-")
    if len(armies) < len(seat_of) or not any(option.name == "armies" for option in game.options):
        return seat_of, {}
    mine = [armies[seat] for seat in game.seats if seat in armies]
    usual = next(option.default for option in game.options if option.name == "armies").split(",")
    rest = [army for army in usual if army not in mine]
    return seat_of, {"armies": ",".join([*mine, *rest])}


def _plain(word: str) -> str:
    return re.sub(r"[^a-z]", "", word.lower())


def _roll(number: int, item: object, seat_of: Mapping[str, str], terms: Terms) -> RollEntry:
    if not isinstance(item, list | tuple) or not 2 <= len(item) <= 3:
        raise BadInput(f'rolls: number {number} must be [seat, total] or [seat, [die, die]], not {brief(item)}')
    name = item[0] if isinstance(item[0], str) else ""
    seat = one_of(f"rolls: number {number}: seat", seat_of.get(name, name), terms.seats)
    frame = item[2] if len(item) == 3 else -1
    if isinstance(frame, bool) or not isinstance(frame, int | str):
        raise BadInput(f"rolls: number {number}: the picture must be a number or a name, not {brief(frame)}")
    if isinstance(item[1], list):
        return RollEntry(seat, dice_from_json(item[1]), 0, frame)
    if isinstance(item[1], bool) or not isinstance(item[1], int) or not 1 <= item[1] <= 48:
        raise BadInput(f"rolls: number {number} must be a total or a list of dice, not {brief(item[1])}")
    return RollEntry(seat, (), item[1], frame)


def begun_by(game: Game, start: Any, seat: str) -> Any:
    """The state after the throw for the first turn, won by this seat: nobody wrote that throw down."""
    for mine, theirs in ((6, 1), (1, 6)):
        state = start
        for _ in range(4 * len(game.seats)):
            rolls = [due for due in game.due(state) if due.what == "roll"]
            if not rolls:
                break
            due = next((due for due in rolls if due.seat == seat), rolls[0])
            verdict = game.rule(state, Roll(due.seat, ((mine if due.seat == seat else theirs),) * len(due.dice)))
            if not isinstance(verdict, Accepted):
                break
            state = verdict.state
            if _has_begun(game, state, seat):
                return state
    if _has_begun(game, start, seat):
        return start
    raise BadInput(f"order: {seat} cannot begin here")


def _has_begun(game: Game, state: Any, seat: str) -> bool:
    """The throws for the first turn are over, and this seat is the only one who is to act."""
    position = game.position(state)
    opening = any(position.get(name) for name in ("roll_off", "first_turn", "opening"))
    return not opening and {due.seat for due in game.due(state) if not due.optional} == {seat}


def dice_for(game: Game, state: Any, entry: RollEntry, due: Due) -> tuple[int, ...]:
    """The dice of a roll. A total stands for dice only where every way of throwing it comes to the same."""
    if entry.dice:
        return entry.dice
    ways = [dice for dice in product(FACES, repeat=len(due.dice)) if sum(dice) == entry.total]
    if not ways:
        raise BadInput(f"rolls: {len(due.dice)} dice cannot show {entry.total} together")
    after = [verdict.state for dice in ways if isinstance(verdict := game.rule(state, Roll(entry.seat, dice)), Accepted)]
    first = game.position(after[0]) if after else None
    if any(game.position(state) != first for state in after[1:]):
        raise BadInput(f"rolls: {entry.seat}'s {entry.total} can be thrown in several ways that matter here: give the dice as a list")
    return ways[0]


# --- watching ---


class Ruling(NamedTuple):
    """What the referee said to one picture."""

    frame: str
    report: Report

    def to_json(self) -> dict[str, Any]:
        out = {"frame": self.frame} | self.report.to_json()
        if self.report.moves:
            out["moves"] = [f"{move.seat}: {to_text(move)}" for move in self.report.moves]
        if self.report.choices:
            out["choices"] = ["; ".join(f"{m.seat}: {to_text(m)}" for m in moves) for moves in self.report.choices]
        return out


def first_choice(question: Report) -> Moves:
    """A recorded evening has nobody to ask: what fits best is taken, so that the evening can go on."""
    return question.choices[0] if question.choices and not question.back else ()


@dataclass
class RecordedEvening:
    """The table of a recorded evening: a ledger, the rolls still to come, and the watcher."""

    watcher: Watcher
    ledger: Ledger
    rolls: deque[RollEntry]
    counts: Counter[str] = field(default_factory=Counter)
    frames: int = 0
    version: int = 0
    answer: Callable[[Report], Moves] = first_choice  # who answers what the camera asks
    _taken_up: int = -1  # the picture for which a roll was taken up

    @classmethod
    def of(cls, watcher: Watcher, rolls: RollList) -> RecordedEvening:
        ledger = replace(open_ledger(rolls.game, rolls.terms), start=rolls.start, agreed=frozenset(rolls.terms.seats))
        evening = cls(watcher, ledger, deque(rolls.rolls))
        evening.show(set_up=True)
        return evening

    def show(self, set_up: bool = False) -> None:
        self.version += 1
        self.watcher.show(scene_of(self.ledger, self.version, 1), set_up)

    def stills(self, frame: Frame, name: str, time: float, seconds: float = 1.0, looks: int = 2) -> list[Ruling]:
        """One picture of a table that nobody touches: looked at once, and again with what was found in it."""
        told: list[Ruling] = []
        self.watcher.stirred()
        self.watcher.unsay()
        for number in range(looks):
            told += self.frame(frame, name, time + seconds * number / looks, first=number == 0)
        return told

    def frame(self, frame: Frame, name: str, time: float, first: bool = True) -> list[Ruling]:
        """The next picture."""
        self.frames += first
        self._feed(name)
        said = self.watcher.frame(frame, time)
        if any(report.kind in _UNSURE for report in said) and self.take_up_roll(name):
            said = [report for report in said if report.kind not in _UNSURE] + self._again(frame, time)
        if self.watcher.setting_up and self._is_played_already():
            self.show_playing()
        for report in said:
            self._obey(report)
        self.counts.update(report.kind for report in said)
        return [Ruling(name, report) for report in said]

    def _again(self, frame: Frame, time: float) -> list[Report]:
        """Look once more at the same picture, with the roll known."""
        said: list[Report] = []
        self.watcher.unsay()
        for _ in range(self.watcher.patience.looks):
            said += self.watcher.frame(frame, time)
        return said

    def show_playing(self) -> None:
        self.watcher.setting_up = False
        self.show()

    def _is_played_already(self) -> bool:
        """The recording begins after the first move, not with the set-up."""
        sighting = self.watcher.sighting
        return sighting is not None and isinstance(self._see(self.ledger), Made)

    def _see(self, ledger: Ledger) -> Seen:
        assert self.watcher.sighting
        scene = scene_of(ledger)
        return see(ledger.game, ledger.state, self.watcher.sighting, scene.past)

    # --- rolls ---

    def _feed(self, name: str) -> None:
        """Take up every roll that is due while nothing else is."""
        before = len(self.ledger.lines)
        while self.rolls and self._may(self.rolls[0], name):
            entry = self.rolls[0]
            due = next((d for d in self.ledger.due if d.what == "roll" and d.seat == entry.seat), None)
            if due is None or any(d.what == "move" and not d.optional for d in self.ledger.due):
                break
            if any(d.optional and d.seat == self._mover() for d in self.ledger.due) and entry.frame == -1:
                break  # a marker may still be put down before the next roll
            self._roll(entry, due)
        if len(self.ledger.lines) > before:
            self.show()

    def _mover(self) -> str:
        act = self.ledger.lines[-1].act if self.ledger.lines else None
        return act.event.seat if isinstance(act, Played) and isinstance(act.event, Move) else ""

    def _may(self, entry: RollEntry, name: str) -> bool:
        if entry.frame == -1:
            return True
        if isinstance(entry.frame, int):
            return self.frames - 1 >= entry.frame
        return name >= entry.frame

    def _roll(self, entry: RollEntry, due: Due) -> None:
        dice = dice_for(self.ledger.game, self.ledger.state, entry, due)
        self._apply(Played(Roll(entry.seat, dice)), entry.seat)
        self.rolls.popleft()

    def take_up_roll(self, name: str) -> bool:
        """The picture is not explained: is it, or better, after the next roll? Then everybody was ready for it."""
        if not self.rolls or not self._may(self.rolls[0], name) or self.watcher.sighting is None or self.watcher.setting_up:
            return False
        if self._taken_up == self.frames:
            return False  # one for each picture
        entry, kept, kept_rolls = self.rolls[0], self.ledger, deque(self.rolls)
        words = quiet_words(self.ledger, entry.seat)
        if words is None:
            return False
        now = self._see(self.ledger)
        for move in words:
            self._apply(Played(move), move.seat)
        due = next(d for d in self.ledger.due if d.what == "roll" and d.seat == entry.seat)
        self._roll(entry, due)
        while self.rolls and not self.ledger.legal_moves() and self._may(self.rolls[0], name):
            following = next((d for d in self.ledger.due if d.what == "roll" and d.seat == self.rolls[0].seat), None)
            if following is None:
                break
            self._roll(self.rolls[0], following)
        if _is_better(self._see(self.ledger), now):
            self._taken_up = self.frames
            self.show()
            return True
        self.ledger, self.rolls = kept, kept_rolls
        return False

    # --- acts ---

    def _obey(self, report: Report) -> None:
        moves = self.answer(report) if report.kind in (reports.ASKED, reports.UNSEEN) else report.moves
        for move in moves:
            self._apply(Played(move, made=True), move.seat)
        if report.kind == reports.TAKEN_BACK:
            self._apply(TookBack(report.back), HOST)
        if moves or report.kind == reports.TAKEN_BACK:
            self.show()

    def play(self, move: Move) -> None:
        """Somebody tells on a phone what was moved."""
        self._apply(Played(move), move.seat)

    def _apply(self, act: Act, by: str) -> None:
        answer = self.ledger.apply(act, len(self.ledger.lines) + 1, by)
        if answer.status != ACCEPTED:
            raise BadInput(f"rolls: {' '.join(answer.why)}")
        self.ledger = answer.ledger

    def summary(self) -> dict[str, Any]:
        """How many pictures, and how many of each kind of ruling."""
        names = {
            "moves": reports.MADE, "asked": reports.ASKED, "taken_back": reports.TAKEN_BACK, "illegal": reports.WRONG, "doubted": reports.DOUBTED,
            "unfinished": reports.UNFINISHED, "unseen": reports.UNSEEN, "bumped": reports.BUMPED, "lost": reports.LOST,
        }  # fmt: skip
        out: dict[str, Any] = {"pictures": self.frames} | {name: self.counts[kind] for name, kind in names.items()}
        return out | {"rolls_left": len(self.rolls), "game_over": bool(self.ledger.outcome)}


_UNSURE = (reports.WRONG, reports.DOUBTED, reports.UNFINISHED, reports.UNSEEN, reports.ASKED)


def quiet_words(ledger: Ledger, seat: str) -> tuple[Move, ...] | None:
    """The shortest sequence of words without a trace on the board ("ready") after which this seat rolls."""
    game, layout = ledger.game, ledger.game.layout(ledger.state)
    waiting: deque[tuple[Any, tuple[Move, ...]]] = deque([(ledger.state, ())])
    known = set()
    while waiting:
        state, said = waiting.popleft()
        if any(due.what == "roll" and due.seat == seat for due in game.due(state)):
            return said
        if len(said) >= MOST_QUIET:
            continue
        for move in game.legal_moves(state):
            if move.piece or move.to:
                continue
            verdict = game.rule(state, move)
            if not isinstance(verdict, Accepted) or game.layout(verdict.state) != layout:
                continue
            key = str(game.position(verdict.state))
            if key not in known:
                known.add(key)
                waiting.append((verdict.state, (*said, move)))
    return None


def _is_better(new: Seen, old: Seen) -> bool:
    """With the roll the picture is explained, or fewer things are wrong in it. A platform that stands where only the roll leads
    speaks for the roll, whatever else is not clear."""
    if _wrongly_turned(old) and not _wrongly_turned(new):
        return True
    if isinstance(new, Wrong) and isinstance(old, Wrong):
        return len(new.changes) <= len(old.changes)
    return _rank(new) > _rank(old) or (_rank(new) == _rank(old) < _EXPLAINED)


def _wrongly_turned(seen: Seen) -> bool:
    return isinstance(seen, Wrong) and any(change.do == "turn" for change in seen.changes)


_EXPLAINED = 3


def _rank(seen: Seen) -> int:
    match seen:
        case Made() | Nothing():
            return _EXPLAINED
        case Ask() | TakenBack():
            return 2
        case Wrong():
            return 0
        case _:
            return 1
