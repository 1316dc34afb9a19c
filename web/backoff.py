"""Longer and longer waits for whoever guesses. Nobody is banned: a wait ends by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

FREE_TRIES = 3
LONGEST_WAIT = 300.0  # seconds
FORGOTTEN_AFTER = 1800.0
MOST_KEYS = 4096  # a guesser with many addresses must not fill the memory


@dataclass
class Failures:
    count: int = 0
    last: float = 0.0

    def wait(self, now: float) -> float:
        if self.count < FREE_TRIES:
            return 0.0
        pause = min(2.0 ** (self.count - FREE_TRIES), LONGEST_WAIT)
        return max(0.0, self.last + pause - now)


class Backoff:
    """Counts failures by key (a purpose with a session, a purpose with an address). May be used from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: dict[Hashable, Failures] = {}
        self._lock = threading.Lock()

    def wait(self, *keys: Hashable) -> float:
        """Seconds until another try is heard; 0: now."""
        now = self._clock()
        with self._lock:
            return max((self._failures[key].wait(now) for key in keys if key in self._failures), default=0.0)

    def failed(self, *keys: Hashable) -> None:
        now = self._clock()
        with self._lock:
            for key in keys:
                known = self._failures.pop(key, Failures())
                count = known.count if now - known.last < FORGOTTEN_AFTER else 0
                self._failures[key] = Failures(count + 1, now)  # the latest stands last
            while len(self._failures) > MOST_KEYS:
                del self._failures[next(iter(self._failures))]

    def passed(self, *keys: Hashable) -> None:
        with self._lock:
            for key in keys:
                self._failures.pop(key, None)


def neighbourhood(address: str) -> str:
    """The address as far as it names one machine: whoever has an IPv6 address has 2**64 of them."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(IPv6Address(int(parsed) >> 64 << 64)) + "/64"
    return str(parsed)
