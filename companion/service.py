"""The companion under systemd: says when it is ready, and proves now and then that it is well.

A unit of `Type=notify` gives the process a socket (NOTIFY_SOCKET); with WatchdogSec it also wants to hear WATCHDOG=1 in time, or it
ends the process and starts it anew. That word must mean something, so it is sent only after every vital round trip was made: a
question that really went through the table and came back, a page that was really fetched. A round that is not vital (the camera:
the table goes on without it) is only named in the status line.

Without systemd nothing is sent, and nothing else changes.
"""

from __future__ import annotations

import http.client
import logging
import os
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from companion.acts import Paused
from companion.table import Do, Table

log = logging.getLogger(__name__)
PATIENCE = 5.0  # seconds for one round trip


@dataclass(frozen=True)
class RoundTrip:
    """A question to some part of the companion. It returns when answered, and raises when not, or not in time."""

    name: str
    ask: Callable[[], object]
    vital: bool = True


def notify(*words: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell systemd, as in notify("READY=1", "STATUS=…"). False: nobody listens."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            line.connect("\0" + address[1:] if address[0] == "@" else address)
            line.sendall("\n".join(words).encode())
    except OSError as error:
        log.warning("systemd could not be told %s: %s", words[0], error)
        return False
    return True


def watchdog_seconds(environment: Mapping[str, str] = os.environ) -> float:
    """How often systemd wants to hear from this process; 0: it does not."""
    wanted, whose = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", str(os.getpid()))
    return int(wanted) / 1_000_000 if wanted.isdecimal() and whose == str(os.getpid()) else 0.0


class Service:
    """Ready on entering, stopping on leaving, and in between the round trips, twice in each time that systemd waits."""

    def __init__(self, rounds: Sequence[RoundTrip], environment: Mapping[str, str] = os.environ) -> None:
        self.rounds = rounds
        self._environment = environment
        self._every = watchdog_seconds(environment) / 2
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def __enter__(self) -> Self:
        notify("READY=1", "STATUS=The table is open.", environment=self._environment)
        if self._every:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        notify("STOPPING=1", "STATUS=Saving.", environment=self._environment)
        self._stop.set()

    def _watch(self) -> None:
        while not self._stop.is_set():
            failed = failing(self.rounds)
            vital = [name for name, is_vital in failed.items() if is_vital]
            status = "STATUS=" + (f"No answer from {', '.join(failed)}." if failed else "All is well.")
            notify(*([] if vital else ["WATCHDOG=1"]), status, environment=self._environment)
            self._stop.wait(self._every)


def failing(rounds: Sequence[RoundTrip]) -> dict[str, bool]:
    """Which rounds were not answered just now, and whether each is vital."""
    failed = {}
    for trip in rounds:
        try:
            trip.ask()
        except Exception as error:  # whatever went wrong there: that part does not answer
            log.warning("no answer from %s: %s", trip.name, error or type(error).__name__)
            failed[trip.name] = trip.vital
    return failed


def table_answers(table: Table) -> RoundTrip:
    """A question through the table's own queue that changes nothing: an act made from a view that never was is stale."""
    return RoundTrip("the table", lambda: table.ask(Do(Paused(True), source="watchdog", seen=-1)).result(PATIENCE))


def pages_answer(port: int, secure: bool = False) -> RoundTrip:
    """A real request over the network stack of this box."""

    def ask() -> None:
        # The certificate is made out to the box's name, not to its loopback address; what counts here is the answer.
        connection = (
            http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=ssl._create_unverified_context())
            if secure
            else http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        )
        try:
            connection.request("GET", "/join")
            status = connection.getresponse().status
        finally:
            connection.close()
        if status != http.client.OK:
            raise ConnectionError(f"the pages answered {status}")

    return RoundTrip("the pages", ask)


def camera_answers(ask: Callable[[], object]) -> RoundTrip:
    """A picture from the eye's own process. The table goes on without it, so it is named and not fatal."""
    return RoundTrip("the camera", ask, vital=False)
