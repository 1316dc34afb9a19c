"""Rolls through a real pseudo-terminal with noise both ways: is every roll delivered once, and none wrong?

The same loop serves the test run and the soak (`soak_noise.py`). It counts what the die put on the line, frame by frame, with all
the repeats that the noise made necessary.
"""

from __future__ import annotations

import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from companion.dice import serial_port
from companion.dice.events import DiceEvent, DiceRolled, RollChecked
from companion.dice.serial_port import SerialDice
from companion.dice.virtual_die import VirtualDie
from tests.dice.line import Noise
from tests.dice.pty_die import PtyDie

SPEED = 200.0  # both clocks: the pauses between repeats would only be waited out
PATIENCE_MS = 300
SECONDS_WITHOUT_PROGRESS = 60.0


@dataclass
class Outcome:
    """What came of one run."""

    rate: float
    frames: int  # that the die sent
    damaged_bytes: int
    made: list[tuple[int, int, tuple[int, ...]]]  # boot, number, faces
    told: list[tuple[int, int, tuple[int, ...]]]
    verdicts: list[str]
    seconds: float

    def wrong(self) -> int:
        return len(set(self.told) - set(self.made))

    def doubled(self) -> int:
        return len(self.told) - len(set(self.told))

    def lost(self) -> int:
        return len(set(self.made) - set(self.told))

    def __str__(self) -> str:
        return (
            f"{self.rate:7.2%} bad bytes: {self.frames} frames, {self.damaged_bytes} bytes damaged, {len(self.made)} rolls, "
            f"wrong {self.wrong()}, doubled {self.doubled()}, lost {self.lost()}, proven {self.verdicts.count('proven')}, "
            f"failed {self.verdicts.count('failed')}, {self.seconds:.1f} s"
        )


class _Presser:
    """Presses as soon as the die has a nonce, or has waited too long for one; after enough frames lets the queue run empty."""

    def __init__(self, pty: PtyDie, noise: Noise, frames: int) -> None:
        self._pty, self._noise, self._frames = pty, noise, frames
        self.sent = self._pressed_at = 0
        self.is_done = threading.Event()

    def carry(self, data: bytes) -> bytes:
        self.sent += data.count(b"$")
        return self._noise(data)

    def press(self) -> None:
        die, now = self._pty.die, self._pty.now_ms()
        if self.sent < self._frames:
            if die._nonce or now - self._pressed_at > PATIENCE_MS:
                self._pressed_at = now
                die.press("AB"[self.sent % 2], now)
        elif not die._queue:
            self.is_done.set()


def run(rate: float, frames: int, seed: int) -> Outcome:
    """Send at least so many frames at this rate of bad bytes, both ways, then wait until the last roll is through."""
    told: list[tuple[int, int, tuple[int, ...]]] = []
    verdicts: list[str] = []

    def hear(event: DiceEvent) -> None:
        if isinstance(event, DiceRolled):
            told.append((event.boot, event.number, event.faces))
        elif isinstance(event, RollChecked):
            verdicts.append(event.verdict)
        event.confirm()

    with tempfile.TemporaryDirectory() as folder:
        pty = PtyDie(Path(folder) / "die", VirtualDie(), SPEED)
        up, down = Noise(rate, seed), Noise(rate, seed + 1)
        presser = _Presser(pty, up, frames)
        pty.to_die, pty.to_host, pty.each_turn = down, presser.carry, presser.press
        started = time.monotonic()
        with (
            mock.patch.object(serial_port, "READ_TIMEOUT", serial_port.READ_TIMEOUT / SPEED),
            SerialDice(hear, [str(pty.link)], clock=lambda: time.monotonic() * SPEED),
        ):
            _wait_while_progress(presser)
        pty.close()
    made = [(roll.boot, roll.number, roll.faces) for roll in pty.die.made]
    return Outcome(rate, presser.sent, up.damaged + down.damaged, made, told, verdicts, time.monotonic() - started)


def _wait_while_progress(presser: _Presser) -> None:
    last, since = -1, time.monotonic()
    while not presser.is_done.wait(0.2):
        if presser.sent != last:
            last, since = presser.sent, time.monotonic()
        if time.monotonic() - since > SECONDS_WITHOUT_PROGRESS:
            raise TimeoutError(f"the line stands still after {last} frames")
