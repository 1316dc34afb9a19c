"""One clock for all that is sent to a page. A stream sends for hours, a little at a time: a time limit around each send would cost
more than what there is to do for it otherwise."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self


class Patience:
    """`with patience:` around each wait of the task that made it. One that lasts longer than `seconds` ends in a TimeoutError; the clock
    runs only while there is something to wait for, and is not set anew each time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._since = -1.0  # no wait
        self._is_over = False
        self._clock: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        self._since = self._loop.time()
        if self._clock is None:
            self._clock = self._loop.call_at(self._since + self.seconds, self._look)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._since = -1.0
        if self._is_over and kind is asyncio.CancelledError and self._task:
            self._task.uncancel()
            raise TimeoutError from error

    def end(self) -> None:
        if self._clock:
            self._clock.cancel()

    def _look(self) -> None:
        self._clock = None
        if self._since < 0:
            return
        ends = self._since + self.seconds
        if ends > self._loop.time():
            self._clock = self._loop.call_at(ends, self._look)
        elif self._task:
            self._is_over = True
            self._task.cancel()
