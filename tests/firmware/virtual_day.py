"""Hours of the die's life in lock step with the companion's own session: virtual time only, no thread, no clock."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from companion.dice.events import DeviceChanged, DeviceHealth, DiceRolled, RollChecked
from companion.dice.protocol import AskStatus, Rolled, SetDue, Status, decode_from_die
from companion.dice.session import Session
from firmware.emulator.emulated_die import HZ, EmulatedDie

LONGEST_STEP_MS = 1_100  # a little more than the die's heartbeat


@dataclass
class Day:
    """What came of it."""

    hours: float = 0.0
    presses: int = 0
    rolls: list[DiceRolled] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    truth: dict[int, tuple[int, ...]] = field(default_factory=dict)
    status: Status | None = None


class SessionInLockstep:
    def __init__(self, die: EmulatedDie) -> None:
        self.die, self.session, self.day = die, Session("virtual"), Day()
        self.session.opened(0.0)

    @property
    def now(self) -> float:
        return self._cycle / HZ

    _cycle = 0

    def step(self, milliseconds: float) -> None:
        """Until the die has sent a frame, or so long."""
        answer = self.die.tell(f"exchange {milliseconds} 1 {self.session.take_bytes().hex()}")
        self._cycle = answer["cycle"]
        data = bytes.fromhex(answer["bytes"])
        self.session.receive(data, self.now)
        if b"ROLL" in data:
            self._note_truth()
        for event in self.session.take_events():
            match event:
                case DiceRolled():
                    self.day.rolls.append(event)
                case RollChecked():
                    self.day.verdicts.append(event.verdict)
                case DeviceChanged():
                    self.day.changes.append(event.state)
                case DeviceHealth():
                    self.day.status = event.status
            event.confirm()

    def _note_truth(self) -> None:
        for frame in self.die.frames():
            if ",ROLL," in frame.text:
                roll = decode_from_die(frame.text[1:-5])
                assert isinstance(roll, Rolled)
                assert self.day.truth.setdefault(roll.number, roll.faces) == roll.faces

    def run(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.step(min(LONGEST_STEP_MS, (until - self.now) * 1000 + 0.01))


def live(die: EmulatedDie, hours: float, seed: int = 1) -> Day:
    """So many hours with a press now and then, as at a table."""
    rng = random.Random(seed)
    life = SessionInLockstep(die)
    life.run(3.0)
    while life.now < hours * 3600:
        life.session.wish(SetDue(0, rng.choice((0, 1, 2))))
        life.run(rng.choice((0.3, 2.0, 20.0, 120.0)))
        die.tap(rng.choice("AB"), rng.uniform(20, 400))
        life.day.presses += 1
        life.run(0.6)
    life.session.ask(AskStatus(0))
    life.run(3.0)
    life.day.hours = life.now / 3600
    return life.day


def assert_all_went_well(day: Day) -> None:
    assert day.status is not None
    assert [roll.number for roll in day.rolls] == list(range(1, day.presses + 1)), "a roll was lost or doubled"
    assert {roll.number: roll.faces for roll in day.rolls} == day.truth
    assert {roll.boot for roll in day.rolls} == {1}
    assert set(day.verdicts) == {"proven"}
    assert len(day.verdicts) == day.presses
    assert day.changes == ["searching", "linked"]
    errors = (day.status.crc_errors, day.status.format_errors, day.status.overruns, day.status.framing_errors)
    assert errors == (0, 0, 0, 0)
    assert abs(day.status.uptime / 3_600_000 - day.hours) < 0.01
    assert day.status.health == "OK"
    assert day.status.stack_free > 300
