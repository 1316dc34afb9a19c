"""The few threads on which Flask works. Nobody ever waits for them without end, least of all the end of the program.

A thread of the standard pool is joined when the interpreter ends. One whose answer was meant for an event loop that has just
stopped waits for ever there, and with it the whole service after a SIGTERM. These do not hold anything up; what they do for the
table is saved by the table, and each file that they write is complete or not there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import Any


class Workers(Executor):
    """Like a `ThreadPoolExecutor`, made of daemon threads."""

    def __init__(self, number: int) -> None:
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._threads = [threading.Thread(target=self._run, name=f"page {i}", daemon=True) for i in range(1, number + 1)]
        for thread in self._threads:
            thread.start()

    def submit(self, work: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._work.put((future, lambda: work(*args, **named)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """They end after what was handed in; `wait` is not done here."""
        for _ in self._threads:
            self._work.put(None)

    def _run(self) -> None:
        while (item := self._work.get()) is not None:
            future, work = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as error:  # whoever asked hears of it; the thread goes on
                future.set_exception(error)
            del item, future, work  # an answer must not stay in memory until the next call
