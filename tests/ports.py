"""A port for a service that a test starts as a program of its own."""

from __future__ import annotations

import socket
from contextlib import suppress
from random import SystemRandom

PORTS = range(20_000, 30_000)  # below those that the system hands out to clients, whose closed connections would hold it for a minute


def free_port() -> int:
    chance = SystemRandom()
    while True:
        port = chance.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("", port))
            return port
