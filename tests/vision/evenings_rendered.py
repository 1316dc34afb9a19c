"""Rendered evenings (synthetic): seeded players play by the rules, now and then wrongly, and a camera looks on.

    for shot in evening(game, terms, seed, "warm", steps=20):
        shot.frame, shot.truth, shot.events     # the picture, what is really there, and what dice and phones said before it

Seeds are split in the open: those below 1,000 may be used while the eye is being built, those from 10,000 on only for figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

from companion.acts import Played
from companion.events import Event, Move, Roll
from companion.game import Game, Terms
from companion.layout import Layout, Standing
from companion.ledger import ACCEPTED, Ledger, open_ledger
from companion.simulation import random_event
from tests.vision.made_up import one_turn, play, sighting, visible_moves, wrong_change
from tests.vision.score import Score, TrueFrame
from vision.calibration import Calibration, calibrate
from vision.evening import RecordedEvening, Ruling
from vision.expected import still_to_do
from vision.marks import Content, contents
from vision.rendered import Conditions, Cover, Picture, Pose, Scene, random_conditions
from vision.rendered.disturb import random_bump, random_hand, random_mug
from vision.reports import Moves, Report
from vision.umpire import Ask, Made, Nothing, TakenBack, see
from vision.view import Array
from vision.watch import AT_ONCE, Watcher

TUNING, JUDGING = range(1000), 10_000
LIGHTS = ("warm", "cool", "mixed", "bright", "dark", "glare", "shadow", "noise")  # they come after the calibration
WRONG, HAND, MUG, BUMP = 0.12, 0.15, 0.08, 0.04  # how often, of all steps
TAPPED = 2.0  # pixels by which a person taps beside a corner
MOST_ACTS = {"fighting_marines": 6}  # in one step; two elsewhere


@dataclass(frozen=True)
class Shot:
    frame: Array
    truth: TrueFrame
    events: tuple[Event, ...]  # rolls and words since the last shot: dice and phones told the table of them
    ledger: Ledger  # the table as it should be after this shot
    disturbance: str


@dataclass
class Stage:
    """One table under one camera, calibrated, with its seeded chance."""

    game: Game
    terms: Terms
    calibration: Calibration
    scene: Scene
    disturbance: str
    chance: Random
    pose: Pose | None = None
    drawn: int = 0

    def draw(self, layout: Layout, covers: tuple[Cover, ...] = ()) -> Picture:
        self.drawn += 1
        return self.scene.draw(layout, covers, self.drawn, pose=self.pose)


def stage(game: Game, terms: Terms, seed: int, disturbance: str = "plain", size: tuple[int, int] | None = None) -> Stage:
    """Set the table and teach the eye: the empty board, then one of each piece."""
    conditions = random_conditions(seed, disturbance)
    taught_in = random_conditions(seed) if disturbance in LIGHTS else conditions
    if size:
        conditions, taught_in = replace(conditions, size=size), replace(taught_in, size=size)
    chance = Random(f"{game.name} {disturbance} {seed}")
    calibration = _calibrated(game, terms, taught_in, seed, chance)
    return Stage(game, terms, calibration, Scene(terms.board, conditions, seed), disturbance, chance)


def _calibrated(game: Game, terms: Terms, conditions: Conditions, seed: int, chance: Random) -> Calibration:
    scene = Scene(terms.board, conditions, seed)
    number = game.layout(game.set_up(terms)).platform
    one_of_each = teaching(game, terms, number)
    empty, taught = scene.draw(Layout((), number), step_seed=90_001), scene.draw(one_of_each, step_seed=90_002)
    tapped = [(float(x) + chance.gauss(0, TAPPED), float(y) + chance.gauss(0, TAPPED)) for x, y in empty.truth.corners]
    standing: dict[str, Content] = contents(one_of_each)
    return calibrate(terms.board, empty.frame, taught.frame, standing, tapped, number, "rendered")


def teaching(game: Game, terms: Terms, number: int | None) -> Layout:
    """One of each piece and face, well apart, on spaces that do not turn."""
    marks = [(supply.piece, face) for supply in game.pieces(terms) for face in (supply.faces or ("",))]
    free = [space for space in terms.board.spaces.values() if "platform" not in space.kinds and space.area > 150]
    chosen: list[Any] = []
    while len(chosen) < len(marks):  # each as far as can be from those before
        far = max(free, key=lambda s: min((np.hypot(*np.subtract(s.centre, c.centre)) for c in chosen), default=0.0))
        free.remove(far)
        chosen.append(far)
    return Layout(tuple(Standing(piece, space.id, face) for (piece, face), space in zip(marks, chosen, strict=True)), number)


# --- playing ---


def evening(at: Stage, steps: int) -> Iterator[Shot]:
    """The set-up, then so many steps, each a picture or more."""
    game, chance = at.game, at.chance
    ledger = replace(open_ledger(game, at.terms), agreed=frozenset(at.terms.seats))
    yield _shot(at, "ready", "none", game.layout(ledger.state), (), ledger)
    for number in range(1, steps + 1):
        ledger, events = until_a_move(ledger, chance)
        moves = dutiful(game, ledger.state, one_turn(game, ledger.state, chance, chance.randint(1, MOST_ACTS.get(game.name, 2))))
        if not moves:
            return
        before = game.layout(ledger.state)
        name, verdict = f"{number:03}", "legal"
        if chance.random() < BUMP and at.disturbance in ("plain", "bump"):
            at.pose = random_bump(chance.randrange(10**6), 15.0 if at.disturbance == "plain" else 40.0, 8.0)
            yield _shot(at, f"{name} bump", "none", before, events, ledger, "bump")
            events = ()
        if chance.random() < WRONG and (wrong := _clearly_wrong(game, ledger, chance)):
            yield _shot(at, f"{name} wrong", "illegal", wrong, events, ledger)
            events, verdict = (), "correction"
        after = _played(ledger, *moves)
        stands = game.layout(after.state)
        if chance.random() < HAND:
            hand = random_hand(chance.randrange(10**6), at.terms.board.size_mm)
            yield _shot(at, f"{name} hand", "none", stands, events, ledger, "hand", (hand,))
            events = ()
        yield _shot(at, name, verdict, stands, events, after)
        ledger = after
        if chance.random() < MUG:
            mug = random_mug(chance.randrange(10**6), at.terms.board.size_mm)
            yield _shot(at, f"{name} mug", "none", stands, (), ledger, "mug", (mug,))


def dutiful(game: Game, state: Any, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """The moves, and all that the rules still expect of whoever made them: whether a marker lies under its Prince nobody can see,
    so a picture in which it does not yet has no right answer."""
    while moves and (todo := still_to_do(game, play(game, state, moves), moves[-1].seat)):
        moves = (*moves, todo[0])
    return moves


def _shot(
    at: Stage, name: str, verdict: str, layout: Layout, events: tuple[Event, ...], ledger: Ledger, disturbance: str = "",
    covers: tuple[Cover, ...] = (),
) -> Shot:  # fmt: skip
    picture = at.draw(layout, covers)
    covered = frozenset(space for space, part in picture.truth.covered.items() if part > 0.03)
    return Shot(picture.frame, TrueFrame(name, verdict, layout, covered), events, ledger, disturbance or at.disturbance)


def until_a_move(ledger: Ledger, chance: Random) -> tuple[Ledger, tuple[Event, ...]]:
    """Dice are thrown and words said until somebody makes a move that can be seen."""
    game, events = ledger.game, []
    while not ledger.outcome:
        if visible_moves(game, ledger.state) and chance.random() < 0.85:
            break
        trace = set(visible_moves(game, ledger.state))
        quiet = [move for move in ledger.legal_moves() if move not in trace]
        rolls = [due for due in ledger.due if due.what == "roll"]
        event: Event | None
        if rolls and (not quiet or chance.random() < 0.5):
            event = Roll(rolls[0].seat, tuple(chance.randint(1, 6) for _ in rolls[0].dice))
        else:
            event = chance.choice(quiet) if quiet else None
        if event is None:
            if trace:
                break
            event = random_event(game, ledger.state, chance)
            assert event
        ledger = _played(ledger, event)
        events.append(event)
    return ledger, tuple(events)


def _played(ledger: Ledger, *events: Event) -> Ledger:
    for event in events:
        answer = ledger.apply(Played(event), len(ledger.lines) + 1, event.seat)
        assert answer.status == ACCEPTED, answer.why
        ledger = answer.ledger
    return ledger


def _clearly_wrong(game: Game, ledger: Ledger, chance: Random) -> Layout | None:
    """A wrong change that can be seen: of a piece that stands alone, to where it does not become legal by chance."""
    layout = game.layout(ledger.state)
    alone = {space for space, content in contents(layout).items() if len(content) == 1}
    for _ in range(20):
        _, wrong = wrong_change(game, ledger.state, layout, chance)
        gone = {s.space for s in layout.standing} - {s.space for s in wrong.standing}
        crowded = [space for space, content in contents(wrong).items() if len(content) > 1 and content != contents(layout).get(space)]
        if crowded or not gone <= alone:
            continue
        past = tuple(_past(ledger))
        answer = see(game, ledger.state, sighting(game, ledger.state, wrong, Random(1)), past)
        if not isinstance(answer, Made | Nothing | TakenBack | Ask):
            return wrong
    return None


def _past(ledger: Ledger) -> Iterator[Any]:
    from vision.scene import scene_of

    yield from scene_of(ledger).past


# --- refereeing ---


class StillTable:
    def is_still(self, frame: Array, time: float) -> bool:
        return True


def referee(at: Stage, shots: Iterator[Shot], score: Score) -> None:
    """Watch an evening and keep score. Where the referee asks, the players answer right."""
    calibration = at.calibration
    watcher = Watcher(StillTable(), calibration.finder(), calibration.eye(), calibration.view, patience=AT_ONCE)
    table: RecordedEvening | None = None
    for number, shot in enumerate(shots):
        if table is None:
            from collections import deque

            table = RecordedEvening(watcher, shot.ledger, deque(), answer=_no_answer)
            table.show(set_up=True)
        if shot.events:
            table.ledger = _played(table.ledger, *shot.events)
            table.show()
        rulings: list[Ruling] = table.stills(shot.frame, shot.truth.name, number * 10.0)
        score.frame(at.game.name, shot.disturbance, shot.truth, rulings, table.ledger, watcher.sighting)
        if shot.truth.verdict in ("legal", "correction") and table.ledger != shot.ledger:
            table.ledger = shot.ledger  # whatever was asked or missed, the players tell on the phone
            table.show()
            table.stills(shot.frame, shot.truth.name, number * 10.0 + 5.0)


def _no_answer(question: Report) -> Moves:
    return ()


def moves_of(shots: list[Shot]) -> list[Move]:
    return [line.act.event for line in shots[-1].ledger.lines if isinstance(line.act, Played) and isinstance(line.act.event, Move)]


__all__ = ["JUDGING", "TUNING", "Shot", "Stage", "evening", "moves_of", "play", "referee", "stage", "teaching", "until_a_move"]
