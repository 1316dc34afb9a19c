"""A camera without a picture: the gate, the finder and the eye say what a test tells them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import numpy as np

from companion.acts import Played
from companion.events import BadInput, Event
from companion.game import Game, Terms
from companion.layout import Layout
from companion.ledger import ACCEPTED, Ledger, open_ledger
from tests.vision.made_up import sighting
from vision.marks import Sighting
from vision.reports import Report
from vision.scene import scene_of
from vision.view import View
from vision.watch import USUAL, Patience, Watcher

VIEW = View((640, 480), 600.0, (0.0, 0.0), (0.0, 0.0, 0.0), (-100.0, -100.0, 600.0))
FRAME = np.zeros((48, 64, 3), np.uint8)


@dataclass
class World:
    """What is really there; a test changes it, and the fakes below see it."""

    ledger: Ledger
    layout: Layout
    still: bool = True
    hidden: frozenset[str] = frozenset()
    view: View = VIEW
    lost: str = ""
    looks: int = 0
    acquired: int = 0
    confirmed: list[Any] = field(default_factory=list)
    chance: Random = field(default_factory=lambda: Random(1))

    # the gate
    def is_still(self, frame: Any, time: float) -> bool:
        return self.still

    # the finder
    def acquire(self, frame: Any) -> View:
        self.acquired += 1
        if self.lost:
            raise BadInput(self.lost)
        return self.view

    def check(self, frame: Any, view: View) -> Any:
        world = self

        class Check:
            in_place = view == world.view and not world.lost

        return Check()

    # the eye
    def look(self, frame: Any, view: View, wanted: Any) -> Sighting:
        self.looks += 1
        return sighting(self.ledger.game, self.ledger.state, self.layout, self.chance, self.hidden)

    def confirm(self, standing: Any) -> None:
        self.confirmed.append(standing)

    def forget(self) -> None:
        pass

    # the table
    def play(self, *events: Event) -> None:
        for event in events:
            answer = self.ledger.apply(Played(event), len(self.ledger.lines) + 1, event.seat)
            assert answer.status == ACCEPTED, answer.why
            self.ledger = answer.ledger

    def bump(self) -> None:
        self.view = replace(self.view, shift=(self.view.shift[0] + 20.0, *self.view.shift[1:]))


def table(game: Game, terms: Terms, position: dict[str, Any] | None = None) -> World:
    ledger = replace(open_ledger(game, terms, position), agreed=frozenset(terms.seats))
    return World(ledger, game.layout(ledger.state))


class Evening:
    """A watcher over a world, and a clock that a test turns on."""

    def __init__(self, world: World, patience: Patience = USUAL, pictures: Any = None, set_up: bool = False) -> None:
        self.world = world
        self.watcher = Watcher(world, world, world, world.view, pictures, patience=patience)
        self.now = 0.0
        self.show(set_up)

    def show(self, set_up: bool = False) -> None:
        self.watcher.show(scene_of(self.world.ledger, len(self.world.ledger.lines), 1), set_up)

    def watch(self, seconds: float, rate: float = 5.0) -> list[Report]:
        told = []
        for _ in range(max(1, round(seconds * rate))):
            self.now += 1 / rate
            told += self.watcher.frame(FRAME, self.now)
        return told
