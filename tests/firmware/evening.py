"""Whole games over the emulated die: real rules, the companion's real serial host, the flashed binary, and faults in between.

`GameAtTheTable` plays a game of the companion by chance and says how many dice are due. `Evening` joins it with `SerialDice` and
one or more emulated dice, keeps a journal of what arrived, and knows what the dice really rolled: the emulator writes down every
frame before the line can spoil it.
"""

from __future__ import annotations

import importlib
import queue
import random
import time
from collections.abc import Callable
from typing import Any

from companion.dice.events import DeviceChanged, DeviceHealth, DiceEvent, DiceRolled, RollChecked
from companion.dice.protocol import Rolled, decode_from_die
from companion.dice.serial_port import SerialDice
from companion.events import Event, Roll
from companion.game import Game
from companion.ruling import Refused
from firmware.emulator.emulated_die import EmulatedDie

MOVES_FIRST = 0.9
BUTTON_IS_UP_AFTER = 45.0  # milliseconds: the roll is there before the finger has left the button
PATIENCE = 60.0  # seconds until a test that waits for something gives up


class GameAtTheTable:
    """A game that makes its moves by chance and gets its rolls from outside."""

    def __init__(self, name: str, seed: int) -> None:
        self.game: Game = importlib.import_module(f"companion.games.{name}").GAME
        self.terms = self.game.terms()
        self.state = self.game.set_up(self.terms)
        self.events: list[Event] = []
        self._chance = random.Random(seed)
        self._seat = ""

    def dice_due(self) -> int:
        """Play on until somebody must roll; how many dice that takes, 0 when the game is over."""
        while True:
            rolls = [due for due in self.game.due(self.state) if due.what == "roll"]
            moves = self.game.legal_moves(self.state)
            if moves and (not rolls or self._chance.random() < MOVES_FIRST):
                self._happen(self._chance.choice(moves))
            elif rolls:
                due = self._chance.choice(rolls)
                self._seat = due.seat
                return len(due.dice)
            else:
                assert self.game.outcome(self.state) is not None
                return 0

    def take(self, faces: tuple[int, ...]) -> None:
        self._happen(Roll(self._seat, faces))

    def _happen(self, event: Event) -> None:
        verdict = self.game.rule(self.state, event)
        assert not isinstance(verdict, Refused), (event, verdict)
        self.state = verdict.state  # type: ignore[union-attr]
        self.events.append(event)

    def replayed(self) -> dict[str, Any]:
        """The position that the game's events lead to when they are played again."""
        state = self.game.set_up(self.terms)
        for event in self.events:
            state = self.game.rule(state, event).state  # type: ignore[union-attr]
        return self.game.position(state)


RollName = tuple[int, int]  # boot and number


class Evening:
    """One game, its dice, and everything that was said."""

    def __init__(self, dice: list[EmulatedDie], game: GameAtTheTable, **options: Any) -> None:
        self.dice, self.game = dice, game
        self.die = dice[0]
        self.journal: list[DiceRolled] = []
        self.verdicts: dict[tuple[str, int, int], str] = {}
        self.changes: list[DeviceChanged] = []
        self.status: DeviceHealth | None = None
        self.truth: list[dict[RollName, tuple[int, ...]]] = [{} for _ in dice]
        self.source_of: dict[str, int] = {}  # which emulated die a source of the host is
        self.resets = 0
        self._events: queue.SimpleQueue[DiceEvent] = queue.SimpleQueue()
        self._taken = 0
        self.host = SerialDice(self._events.put, ports=[die.path for die in dice], **options)

    # --- what comes in

    def pump(self, patience: float = 0.02) -> None:
        """Take one event, if one comes soon: into the journal first, then confirmed."""
        self.note_truth()
        try:
            event = self._events.get(timeout=patience)
        except queue.Empty:
            return
        if isinstance(event, DiceRolled):
            self.journal.append(event)
        elif isinstance(event, RollChecked):
            self.verdicts[event.key] = event.verdict
        elif isinstance(event, DeviceChanged):
            self.changes.append(event)
            if event.state == "linked":
                self.source_of[event.source] = [die.path for die in self.dice].index(event.port)
        elif isinstance(event, DeviceHealth):
            self.status = event
        event.confirm()

    def note_truth(self) -> None:
        """What the dice have put on the line since the last look."""
        for die, truth in zip(self.dice, self.truth, strict=True):
            for frame in die.frames():
                if ",ROLL," in frame.text:
                    roll = decode_from_die(frame.text[1:-5])
                    assert isinstance(roll, Rolled)
                    assert truth.setdefault((roll.boot, roll.number), roll.faces) == roll.faces, "an event has changed"

    def wait_for(self, happened: Callable[[], bool], what: str) -> None:
        give_up = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < give_up, f"waited in vain for {what}; {[str(change) for change in self.changes][-5:]}"
            self.pump()

    def wait_until_linked(self) -> None:
        self.wait_for(lambda: all(state == "linked" for _, state, _ in self.host.ports()), "the link")

    def wait_until_healthy(self) -> None:
        """The die answers that it trusts its source."""
        self.wait_for(lambda: self.ask_status().status.health == "OK", "a healthy die")

    def ask_status(self) -> DeviceHealth:
        self.status = None
        asked = 0.0

        def answered() -> bool:
            nonlocal asked
            if time.monotonic() - asked > 1.0:  # an answer may be lost together with its link
                asked = time.monotonic()
                self.host.ask_status()
            return self.status is not None

        self.wait_for(answered, "the status")
        assert self.status is not None
        return self.status

    def saw(self, state: str, since: int = 0) -> bool:
        return any(change.state == state for change in self.changes[since:])

    # --- playing

    def tap(self, button: str = "B") -> None:
        """A clean press of 30 ms on every die of the table."""
        for die in self.dice:
            die.tap(button, 30)

    def pass_virtual(self, milliseconds: float) -> None:
        """So much time of the die's own clock, while the host goes on."""
        until = self.die.now() + milliseconds / 1000
        self.wait_for(lambda: self.die.now() >= until, "the die's clock")

    def play(self, press: Callable[[Evening, random.Random], None], seed: int) -> None:
        """A whole game; `press` makes each press, with whatever goes wrong then."""
        rng = random.Random(seed)
        with self.host:
            self.wait_until_linked()
            self.wait_until_healthy()
            while due := self.game.dice_due():
                self.host.set_due(due)
                self.game.take(self._next_roll(due, press, rng))
            self._calm_down()

    def _next_roll(self, due: int, press: Callable[[Evening, random.Random], None], rng: random.Random) -> tuple[int, ...]:
        for _ in range(40):
            self.pass_virtual(BUTTON_IS_UP_AFTER)
            press(self, rng)
            waited = self.die.now() + 0.5
            while self.die.now() < waited or self._taken < len(self.journal):
                if self._taken < len(self.journal):
                    roll = self.journal[self._taken]
                    self._taken += 1
                    if len(roll.faces) == due:  # the referee would refuse any other
                        return roll.faces
                else:
                    self.pump()
        raise AssertionError("forty presses and no roll")

    def _calm_down(self) -> None:
        """The line is good again: whatever is still on its way must arrive."""
        for die in self.dice:
            die.clear_faults()
        self.wait_until_linked()
        self.wait_for(lambda: self.ask_status().status.queued == 0, "an empty queue")
        self.wait_for(lambda: not self._is_missing_any(), "the last rolls")

    def _is_missing_any(self) -> bool:
        return self.resets == 0 and len(self.journal) < sum(map(len, self.truth))

    # --- judging

    def received(self, index: int) -> dict[RollName, tuple[int, ...]]:
        return {(roll.boot, roll.number): roll.faces for roll in self.journal if self.source_of[roll.source] == index}

    def assert_nothing_lost_doubled_or_wrong(self) -> None:
        keys = [roll.key for roll in self.journal]
        assert len(keys) == len(set(keys)), "a roll came twice"
        lost = 0
        for index, truth in enumerate(self.truth):
            received = self.received(index)
            assert all(truth[name] == faces for name, faces in received.items()), "a roll that was never made"
            lost += len(truth) - len(received)
        assert lost <= self.resets, "a roll was lost"  # a reset may take the one in flight with it, and only that
        assert "failed" not in self.verdicts.values()
        assert self.game.replayed() == self.game.game.position(self.game.state)
        assert self.game.game.outcome(self.game.state) is not None
