"""A host session and a virtual die on one line, in virtual time, with whatever noise a test wants between them."""

from __future__ import annotations

import random
from collections.abc import Callable

from companion.dice.events import DeviceChanged, DiceEvent, DiceRolled, RollChecked
from companion.dice.records import DieRecords
from companion.dice.session import Session
from companion.dice.virtual_die import VirtualDie

Channel = Callable[[bytes], bytes]


def clean(data: bytes) -> bytes:
    return data


def dead(_: bytes) -> bytes:
    return b""


class Noise:
    """A channel that damages `rate` of all bytes: flipped bits mostly, some lost, doubled, or followed by rubbish."""

    def __init__(self, rate: float, seed: int) -> None:
        self.rate, self._rng, self.damaged = rate, random.Random(seed), 0

    def __call__(self, data: bytes) -> bytes:
        if not self.rate:
            return data
        rng, out, start = self._rng, bytearray(), 0
        while (place := start + int(rng.expovariate(self.rate))) < len(data):
            out += data[start:place]
            out += self._damage(data[place])
            self.damaged += 1
            start = place + 1
        return bytes(out + data[start:])

    def _damage(self, byte: int) -> bytes:
        kind = self._rng.random()
        if kind < 0.6:
            return bytes([byte ^ 1 << self._rng.randrange(8)])
        if kind < 0.75:
            return b""
        if kind < 0.85:
            return bytes([byte, byte])
        return bytes([byte]) + self._rng.randbytes(self._rng.randrange(1, 12))


class Line:
    """Runs both ends in steps of one millisecond; confirms every event at once unless told otherwise."""

    def __init__(self, die: VirtualDie | None = None, records: DieRecords | None = None) -> None:
        self.die = die or VirtualDie()
        self.session = Session("virtual", records)
        self.to_die: Channel = clean
        self.to_host: Channel = clean
        self.confirms = True
        self.events: list[DiceEvent] = []
        self.now_ms = 0
        self._booted_ms = 0
        self.session.opened(0.0)
        self._carry()

    @property
    def die_ms(self) -> int:
        return self.now_ms - self._booted_ms

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.now_ms += 1
            self.die.tick(self.die_ms)
            self.session.tick(self.now_ms / 1000)
            self._carry()

    def run_until(self, wanted: Callable[[], object], limit_ms: int = 60_000) -> None:
        end = self.now_ms + limit_ms
        while not wanted():
            assert self.now_ms < end, f"not within {limit_ms} ms; {self.events[-3:]}"
            self.run(1)

    def press(self, button: str = "A") -> None:
        self.die.press(button, self.die_ms)
        self._carry()

    def reset_die(self) -> None:
        self.die = VirtualDie(self.die.device, self.die.boot + 1)
        self._booted_ms = self.now_ms
        self._carry()

    def unplug(self) -> None:
        self.session.closed(self.now_ms / 1000)
        self._take_events()

    def plug(self) -> None:
        self.die.output()  # what was sent into the air
        self.session.opened(self.now_ms / 1000)
        self._carry()

    def _carry(self) -> None:
        while True:
            self._take_events()
            down, up = self.session.take_bytes(), self.die.output()
            if not down and not up:
                return
            self.die.receive(self.to_die(down), self.die_ms)
            if self.session.state != "closed":
                self.session.receive(self.to_host(up), self.now_ms / 1000)

    def _take_events(self) -> None:
        for event in self.session.take_events():
            self.events.append(event)
            if self.confirms:
                event.confirm()

    # --- what a test asks about

    def rolls(self) -> list[DiceRolled]:
        return [event for event in self.events if isinstance(event, DiceRolled)]

    def checks(self) -> list[RollChecked]:
        return [event for event in self.events if isinstance(event, RollChecked)]

    def states(self) -> list[str]:
        return [event.state for event in self.events if isinstance(event, DeviceChanged)]


def linked(**options: object) -> Line:
    line = Line(**options)  # type: ignore[arg-type]
    line.run_until(lambda: line.session.state == "linked")
    line.run(20)
    return line
