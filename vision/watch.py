"""The whole loop over a source: frames in, reports out.

    watcher = Watcher(gate, finder, eye)
    watcher.show(scene)                       # what the table knows; again after every change there
    for report in watcher.frame(frame, now):  # every frame, at any rate
        …

Nothing is decided while something moves. When all is still: is the board where it was? What stands there? Which move was that?
An answer counts when a second look says the same; an accusation waits longer than an acceptance, and what may still be finished
or uncovered waits longest.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from companion.events import BadInput
from companion.notation import to_text
from companion.referee import describe, settled_state
from companion.words import Translate
from vision import explain, reports
from vision.expected import still_to_do
from vision.finding import BUMP_MM
from vision.hypotheses import wanted
from vision.landmarks import displacement
from vision.marks import EMPTY, Belief, Content, Sighting, contents
from vision.pictures import Pictures, small_jpeg
from vision.reports import Report
from vision.scene import Scene
from vision.umpire import Ask, Hidden, Made, Nothing, Seen, TakenBack, Unfinished, Wrong, see
from vision.view import View

Frame = NDArray[Any]
LOOK_AGAIN = 0.5  # seconds between looks while something is not right
LOOK_ANYWAY = 3.0  # and while all is right and nothing has moved: a gate may miss a quick hand


class Gate(Protocol):
    """Does anything move? True while nothing does, for long enough to be believed."""

    def is_still(self, frame: Frame, time: float) -> bool: ...


class Check(Protocol):
    @property
    def in_place(self) -> bool: ...


class Finder(Protocol):
    """Where is the board? `acquire` raises BadInput with a sentence for people when it is not to be found."""

    def acquire(self, frame: Frame) -> View: ...

    def check(self, frame: Frame, view: View) -> Check: ...


class Eye(Protocol):
    def look(self, frame: Frame, view: View, wanted: Mapping[str, Sequence[Content]]) -> Sighting: ...

    def confirm(self, standing: Mapping[str, Content]) -> None:
        """The last look showed just this."""

    def forget(self) -> None:
        """The board was knocked: nothing that was seen before counts."""


@dataclass(frozen=True)
class Patience:
    """How long an answer must stay the same before it is given: looks, and seconds."""

    looks: int = 2
    asked: float = 1.0
    wrong: float = 1.0
    unseen: float = 5.0
    unfinished: float = 8.0
    covered: float = 8.0  # until what lies on the board is taken as part of the evening
    reminder: float = 4.0
    unanswered: float = 10.0  # until a move is told again that the table did not answer

    def for_(self, seen: Seen) -> float:
        match seen:
            case Nothing() | Made():
                return 0.0
            case Hidden():
                return self.unseen
            case Unfinished():
                return self.unfinished
            case Wrong():
                return self.wrong
            case _:
                return self.asked


USUAL = Patience()
# Looking twice at one and the same picture teaches nothing.
AT_ONCE = Patience(looks=1, asked=0, wrong=0, unseen=0, unfinished=0, reminder=0, unanswered=math.inf)


class Watcher:
    def __init__(
        self, gate: Gate, finder: Finder, eye: Eye, view: View | None = None, pictures: Pictures | None = None,
        translate: Translate = str, patience: Patience = USUAL,
    ) -> None:  # fmt: skip
        self.gate, self.finder, self.eye = gate, finder, eye
        self.pictures, self.translate, self.patience = pictures, translate, patience
        self.view = view
        self.scene: Scene | None = None
        self.is_off = False
        self.setting_up = False  # until all has once been seen to stand right
        self.bumped = False  # since then nothing has been seen to stand right
        self.sighting: Sighting | None = None  # the last one, for whoever wants to draw it
        self._wanted: Mapping[str, Sequence[Content]] = {}
        self._answer: object = None  # what the last looks said, since when, and how often
        self._since, self._looks = 0.0, 0
        self._told: object = None  # the last answer that was reported and still stands
        self._doubted: tuple[str, ...] = ()  # spaces that it was about, if it was a doubt
        self._trusted: dict[str, tuple[Content, Content]] = {}  # spaces that stand right: what stands there, what it looks like
        self._still_since: float | None = None
        self._next_look = 0.0
        self._covered: frozenset[str] = frozenset()
        self._covered_since = 0.0
        self._waits_for: int | None = None  # the version at which a move was reported
        self._reminded: int | None = None
        self._before = b""
        self._rulings = 0

    # --- what the table says ---

    def show(self, scene: Scene | None, set_up: bool = False) -> None:
        """The table changed. With `set_up` the pieces must be seen to stand right before anything counts."""
        if scene is None or self.scene is None or scene.number != self.scene.number:
            self._told = None
            self._rulings = self.pictures.last_ruling(scene.number) if self.pictures and scene else 0
        self.setting_up = set_up or (self.setting_up and scene is not None)
        if self.bumped and scene and self.scene and scene.game.layout(scene.state) != self.scene.game.layout(self.scene.state):
            self.bumped = False  # the players go on, so for them it stands right
        self.scene = scene
        if scene:
            settled = settled_state(scene.game, scene.state)
            self._wanted = wanted(scene.game, settled, tuple(past.layout for past in scene.past))
        self._waits_for = None
        self._forget()

    def switch(self, on: bool) -> None:
        """Off: no frame is looked at, no picture kept or shown, and none of the last is remembered."""
        self.is_off = not on
        if self.pictures:
            self.pictures.off = self.is_off
        if self.is_off:
            self._before, self.sighting, self._told = b"", None, None
        self._forget()

    def stirred(self) -> None:
        """Something moved: what was seen before has to be seen again."""
        self._still_since = None
        self._forget()

    def unsay(self) -> None:
        """What was reported last was not passed on: say it again if it still stands."""
        self._told = None

    def _forget(self) -> None:
        self._answer, self._looks, self._next_look = None, 0, 0.0

    # --- frames ---

    def frame(self, frame: Frame, time: float) -> list[Report]:
        scene = self.scene
        if self.is_off or scene is None or scene.paused:
            return []
        if not self.gate.is_still(frame, time):
            self.stirred()
            return []
        if self._still_since is None:
            self._still_since = time
        if self._waits_for == scene.version and time < self._since + self.patience.unanswered:
            return []
        if time < self._next_look:
            return self._remind(scene, time)
        said = self._where(frame, scene, time)
        if said is None or any(report.kind == reports.LOST for report in said):
            return said or []
        assert self.view
        self.sighting = self.eye.look(frame, self.view, self._wanted)
        if self.setting_up:
            return said + self._help_setting_up(frame, scene, self.sighting, time)
        return said + self._judge(frame, scene, self.sighting, time)

    def _where(self, frame: Frame, scene: Scene, time: float) -> list[Report] | None:
        """Is the board where it was? If not, where is it now? None while it is not to be found."""
        known = self.view
        if known is not None and (self._looks or self.finder.check(frame, known).in_place):
            return []
        try:
            self.view = self.finder.acquire(frame)
        except BadInput as error:
            return self._not_found(str(error), scene, time)
        if known is None or displacement(scene.state.ground.terms.board, known, self.view) < BUMP_MM:
            return []
        self.bumped = True
        self.eye.forget()
        text = self.translate("The board was moved. I have found it again and am looking whether a piece slid.")
        return [Report(reports.BUMPED, text, scene.version)]

    def _not_found(self, why: str, scene: Scene, time: float) -> list[Report] | None:
        """An arm may lie over half of it: only what lasts is worth a word."""
        assert self._still_since is not None
        if time < self._still_since + (self.patience.unseen if self.view else 0.0):
            return None
        return self._once(("lost", why), Report(reports.LOST, why[:1].upper() + why[1:] + ".", scene.version)) or None

    def _judge(self, frame: Frame, scene: Scene, sighting: Sighting, time: float) -> list[Report]:
        seen = self._see(scene, sighting)
        covered = frozenset(space for space, belief in sighting.beliefs.items() if belief.hidden == "covered")
        if 2 * len(covered & self._covered) <= len(covered | self._covered):
            self._covered_since = time  # something else lies there now
        self._covered = covered
        rests = time >= self._covered_since + self.patience.covered  # a mug that stays is part of the evening
        if covered and not isinstance(seen, Nothing) and (isinstance(seen, Wrong | Unfinished) or not rests):
            seen = Hidden(tuple(sorted(covered)), "covered")  # nothing is decided under a hand, and nobody accused beside one
        if not self._is_ripe(seen, time):
            return []
        self._next_look = time + (LOOK_ANYWAY if isinstance(seen, Nothing) else LOOK_AGAIN)
        if isinstance(seen, Nothing):
            return self._all_right(frame, scene)
        self._doubted = _in_doubt(seen)
        return self._once(_key(seen), self._report(seen, scene), frame, time)

    def _see(self, scene: Scene, sighting: Sighting) -> Seen:
        """What happened; a space that is in doubt, and was spoken of, does not stop the game beside it."""
        there = contents(scene.game.layout(scene.state))
        self._trusted = {s: what for s, what in self._trusted.items() if what == (there.get(s, EMPTY), _best(sighting, s))}
        sighting = _believing(sighting, {space: expected for space, (expected, _) in self._trusted.items()})
        seen = see(scene.game, scene.state, sighting, scene.past)
        if not self._doubted or isinstance(seen, Nothing | Made | TakenBack):
            return seen
        without = _believing(sighting, {space: there.get(space, EMPTY) for space in self._doubted})
        beside = see(scene.game, scene.state, without, scene.past, strays=0)
        return beside if isinstance(beside, Made | TakenBack) else seen

    def trust(self, spaces: Collection[str]) -> None:
        """The players say that these spaces stand right, whatever they look like."""
        if self.scene is None or self.sighting is None:
            return
        there = contents(self.scene.game.layout(self.scene.state))
        self._trusted |= {s: (there.get(s, EMPTY), _best(self.sighting, s)) for s in spaces if s in self.sighting.beliefs}
        self._told, self._doubted = None, ()
        self._forget()

    def _is_ripe(self, seen: Seen, time: float) -> bool:
        key = _key(seen)
        if key != self._answer:
            self._answer, self._since, self._looks = key, time, 0
        self._looks += 1
        return self._looks >= self.patience.looks and time >= self._since + self.patience.for_(seen)

    def _all_right(self, frame: Frame, scene: Scene) -> list[Report]:
        if not self._covered:
            self.eye.confirm(contents(scene.game.layout(scene.state)))
        if self.pictures and not self.pictures.off:
            self._before = small_jpeg(frame)
        complained, self._told, self._doubted = self._told, None, ()
        if self.bumped:
            self.bumped = False
            return [Report(reports.FOUND, self.translate("The board was moved, and every piece stands right."), scene.version)]
        if complained is None:
            return []
        was_wrong = isinstance(complained, tuple) and complained[0] in ("wrong", "Unfinished")
        return [Report(reports.PUT_RIGHT, self.translate("Thank you, now it is right.") if was_wrong else "", scene.version)]

    def _once(self, key: object, report: Report, frame: Frame | None = None, time: float = 0.0) -> list[Report]:
        """Say it, unless it was said and still stands. A ruling keeps its two pictures."""
        if key == self._told:
            return []
        self._told = key
        if report.kind in (reports.MADE, reports.TAKEN_BACK):
            self._waits_for, self._since, self._told = report.version, time, None
        if frame is None or not self.pictures or self.pictures.off or self.scene is None:
            return [report]
        self._rulings += 1
        kept = self.pictures.keep(self.scene.number, self._rulings, self._before, small_jpeg(frame))
        return [Report(**{**vars(report), "pictures": kept})]

    # --- in words ---

    def _report(self, seen: Seen, scene: Scene) -> Report:
        game, board, version = scene.game, scene.state.ground.terms.board, scene.version
        settled = settled_state(game, scene.state)
        if self.bumped and isinstance(seen, Made):
            text = self.translate("The board was moved. Was this a move, or did a piece slide?")
            return Report(reports.ASKED, text, version, choices=(seen.moves,))
        if self.bumped and not isinstance(seen, Hidden):
            return self._slid(scene)
        match seen:
            case Made(moves, margin):
                return Report(reports.MADE, version=version, moves=moves, margin=margin)
            case TakenBack(to, margin):
                return Report(reports.TAKEN_BACK, self.translate("That was taken back."), version, back=to, margin=margin)
            case Ask(candidates, back):
                text = self.translate("Which was it?")
                return Report(reports.ASKED, text, version, choices=candidates, back=back)
            case Hidden(spaces, _, guess):
                text = explain.unseen(game, board, seen, self.translate)
                return Report(reports.UNSEEN, text, version, choices=(guess,) if guess else (), spaces=spaces)
            case Unfinished(missing, done):
                todo = [describe(game, change, self.translate, board) for change in missing] or [
                    self.translate("Finish your move, or put it back: {what}").format(
                        what=" ".join(explain.tell(game, c, explain.DONE[c.do], board, self.translate) for c in done)
                    )
                ]
                return Report(reports.UNFINISHED, " ".join(todo), version, changes=missing or done)
            case Wrong():
                told = explain.explain(game, settled, seen, self.translate)
                text, kind = " ".join((*told.what, *told.why, *told.put_back)), reports.WRONG
                if not seen.is_sure:
                    look = self.translate("Please look at {spaces}, I may be mistaken.")
                    names = [explain.space_name(game, board, space, self.translate) for space in seen.spaces]
                    text, kind = look.format(spaces=game.words.listed(names, self.translate)) + " " + text, reports.DOUBTED
                return Report(kind, text, version, changes=seen.put_back, spaces=seen.spaces, citations=told.citations)
            case _:
                raise AssertionError(seen)

    def _slid(self, scene: Scene) -> Report:
        """After a bump nobody is told off: whatever stands elsewhere may have slid."""
        assert self.sighting
        layout = scene.game.layout(scene.state)
        found = explain.missing(layout, self.sighting)
        told = explain.set_up_help(scene.game, scene.state.ground.terms.board, found, self.translate)
        text = self.translate("The board was moved, and pieces slid. {todo}").format(todo=" ".join(told))
        return Report(reports.SET_UP, text, scene.version, changes=found.todo, spaces=found.unseen)

    # --- before, between and after ---

    def _help_setting_up(self, frame: Frame, scene: Scene, sighting: Sighting, time: float) -> list[Report]:
        """Say what is missing until all stands right."""
        found = explain.missing(scene.game.layout(scene.state), sighting)
        key = ("set up", found)
        if key != self._answer:
            self._answer, self._since, self._looks = key, time, 0
        self._looks += 1
        if self._looks < self.patience.looks:
            return []
        self._next_look = time + LOOK_AGAIN
        if found.is_right:
            self.setting_up = self.bumped = False
            self.eye.confirm(contents(scene.game.layout(scene.state)))
            self._told = None
            self._forget()
            return [Report(reports.READY, self.translate("All pieces stand right."), scene.version)]
        told = explain.set_up_help(scene.game, scene.state.ground.terms.board, found, self.translate)
        return self._once(key, Report(reports.SET_UP, " ".join(told), scene.version, changes=found.todo, spaces=found.unseen))

    def _remind(self, scene: Scene, time: float) -> list[Report]:
        """Whoever just moved may have forgotten something that he may still do, until the next one begins."""
        if self._answer != _key(Nothing()) or self._reminded == scene.version or time < self._since + self.patience.reminder:
            return []
        self._reminded = scene.version
        game, state = scene.game, settled_state(scene.game, scene.state)
        forgotten = still_to_do(game, state, scene.mover) if scene.mover else []
        if not forgotten:
            return []
        due = next(due for due in game.due(state) if due.seat == scene.mover)
        text = game.words.tell(due.say, self.translate)
        return [Report(reports.REMINDER, text, scene.version, choices=tuple((move,) for move in forgotten))]

    def packing_up(self) -> list[Report]:
        """The game is over: what of it is not on the board any more, before the box is closed."""
        scene, sighting = self.scene, self.sighting
        if self.is_off or scene is None or sighting is None:
            return []
        begun = scene.game.layout(scene.game.set_up(scene.state.ground.terms))
        gone = explain.off_the_board(scene.game, scene.state, begun, sighting, self.translate)
        if not gone:
            return []
        text = self.translate("Before you close the box, look for what is not on the board: {pieces}.")
        return [Report(reports.PACKING, text.format(pieces=", ".join(gone)), scene.version)]


def _in_doubt(seen: Seen) -> tuple[str, ...]:
    """A space or two of which the eye is not sure; what is covered is another matter."""
    doubted = seen.spaces if (isinstance(seen, Wrong) and not seen.is_sure) or (isinstance(seen, Hidden) and seen.why == "doubtful") else ()
    return doubted if len(doubted) <= 2 else ()


def _best(sighting: Sighting, space: str) -> Content:
    belief = sighting.beliefs[space]
    return EMPTY if belief.hidden or not belief.costs else belief.best


def _believing(sighting: Sighting, standing: Mapping[str, Content]) -> Sighting:
    """The sighting as if these spaces had been seen to hold just this."""
    if not standing:
        return sighting
    return sighting._replace(beliefs={**sighting.beliefs, **{s: Belief({content: 0.0}) for s, content in standing.items()}})


def _key(seen: Seen) -> object:
    """What makes two answers the same: everything but how sure it is."""
    match seen:
        case Made(moves):
            return ("made", tuple(sorted(moves)))  # in whatever order they are explained
        case TakenBack(to):
            return ("back", to)
        case Hidden(_, why, _):
            return ("hidden", why)  # which spaces exactly changes with every breath of a resting hand
        case Wrong(changes):
            return ("wrong", tuple(sorted(changes)))
        case Ask(candidates, back):
            return ("ask", frozenset(tuple(sorted(moves)) for moves in candidates), back)
        case _:
            return (type(seen).__name__, tuple(seen))


def in_words(report: Report) -> str:
    """The report's moves as short lines, for logs and recorded evenings."""
    return "; ".join(f"{move.seat}: {to_text(move)}" for move in report.moves)
