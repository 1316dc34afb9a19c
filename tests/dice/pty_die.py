"""A virtual die behind a real pseudo-terminal: the serial host meets a kernel's tty, and a cable that can be pulled.

The die lives in one thread. `link` is a path that leads to the terminal while the die is plugged in. `speed` lets the die's clock
run faster than the wall's, so that a test does not wait for 30 ms pauses.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

from companion.dice.virtual_die import VirtualDie
from tests.dice.line import Channel, clean


class PtyDie:
    def __init__(self, link: Path, die: VirtualDie | None = None, speed: float = 1.0) -> None:
        self.link, self.speed = link, speed
        self.die = die or VirtualDie()
        self.to_die: Channel = clean
        self.to_host: Channel = clean
        self.chunk = 0  # bytes written at once; 0: as they come
        self.cut_after: int | None = None  # unplug after so many more bytes, wherever that is
        self.each_turn: Callable[[], None] = lambda: None  # on the die's thread, as a finger on its buttons
        self._master = -1
        self._started = time.monotonic()
        self._lock = threading.RLock()
        self._stopping = False
        self.plug()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def now_ms(self) -> int:
        return int((time.monotonic() - self._started) * 1000 * self.speed)

    def plug(self) -> None:
        with self._lock:
            self._master, slave = os.openpty()
            tty.setraw(slave)
            self.link.symlink_to(os.ttyname(slave))
            self._slave = slave  # held until the host has opened it: a terminal nobody holds reports a hang-up
            self.die.output()

    def unplug(self) -> None:
        with self._lock:
            self.link.unlink(missing_ok=True)
            for handle in (self._master, self._slave):
                with contextlib.suppress(OSError):
                    os.close(handle)
            self._master = self._slave = -1

    def press(self, button: str = "A") -> None:
        with self._lock:
            self.die.press(button, self.now_ms())

    def reset(self) -> None:
        with self._lock:
            self.die = VirtualDie(self.die.device, self.die.boot + 1)
            self._started = time.monotonic()

    def close(self) -> None:
        self._stopping = True
        self._thread.join(5)
        self.unplug()

    def _run(self) -> None:
        while not self._stopping:
            with self._lock:
                master = self._master
            if master < 0:
                time.sleep(0.002)
                continue
            ready = select.select([master], [], [], 0.005 / self.speed)[0]
            with self._lock:
                if master == self._master:
                    self._turn(bool(ready))

    def _turn(self, has_input: bool) -> None:
        if has_input:
            self.die.receive(self.to_die(os.read(self._master, 4096)), self.now_ms())
        self.each_turn()
        self.die.tick(self.now_ms())
        self._write(self.to_host(self.die.output()))

    def _write(self, data: bytes) -> None:
        if self.cut_after is not None and data:
            rest = self.cut_after - len(data)
            if rest <= 0:
                os.write(self._master, data[: self.cut_after])
                self.cut_after = None
                self.unplug()
                return
            self.cut_after = rest
        step = self.chunk or max(len(data), 1)
        for start in range(0, len(data), step):
            os.write(self._master, data[start : start + step])
