"""How long an honest phone waits beside guests who mean harm: python -m tests.web.bench_crowd [LOOKS]

Alone first; then beside 200 sockets that say nothing, from eight addresses, and 64 streams that are opened and dropped without end, from
sixteen. Server, churn and honest phone each have a process of their own; on a machine of two cores they take them from each other.
"""

from __future__ import annotations

import select
import socket
import subprocess
import sys
import time

from tests.web.bench_live import Served, percentile
from tests.web.phone import Phone

IDLE, IDLE_ADDRESSES, CHURN_ADDRESSES = 200, 8, 16
GOAL_MS = 500


def waits(phone: Phone, looks: int) -> list[float]:
    """Milliseconds for each of so many looks at the table."""
    times = []
    for _ in range(looks):
        began = time.perf_counter()
        assert phone.get("/api/state").status == 200
        times.append((time.perf_counter() - began) * 1000)
    return times


def idle_sockets(port: int) -> list[socket.socket]:
    where = [f"127.0.4.{number % IDLE_ADDRESSES + 1}" for number in range(IDLE)]
    return [socket.create_connection(("127.0.0.1", port), 10, (address, 0)) for address in where]


def still_open(sockets: list[socket.socket]) -> int:
    """The server says nothing on these but good-bye."""
    return len(sockets) - len(select.select(sockets, [], [], 0)[0])


def churn(port: int, cookies: list[str]) -> subprocess.Popen[str]:
    guests = [f"127.0.2.{number}={cookie}" for number, cookie in enumerate(cookies, 1)]
    command = [sys.executable, "-m", "tests.web.churn", str(port), *guests]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "churning\n"
    return process


def main(looks: int) -> None:
    table = Served("table")
    port, (own, *others) = table.facts["port"], table.facts["cookies"]
    honest = Phone(port, "127.0.0.7")
    honest.cookie = own
    try:
        alone = waits(honest, looks)
        print(f"an honest phone alone: p50 {percentile(alone, 50):.1f} ms, p99 {percentile(alone, 99):.1f} ms of {looks} looks")
        churning = churn(port, others[:CHURN_ADDRESSES])
        crowd: list[float] = []
        rested = []
        while len(crowd) < looks:  # whoever says nothing is shut out after ten seconds, and comes back
            idle = idle_sockets(port)
            crowd += waits(honest, looks // 10)
            rested.append(still_open(idle))
            for each in idle:
                each.close()
        opened, refused = churning.communicate("")[0].split()
        p99 = percentile(crowd, 99)
        print(
            f"beside {IDLE} idle sockets and 64 churning streams: p50 {percentile(crowd, 50):.1f} ms, p99 {p99:.1f} ms of {len(crowd)} looks; "
            f"goal at most {GOAL_MS} ms ({'met' if p99 <= GOAL_MS else 'NOT MET'})"
        )
        print(f"meanwhile {opened} streams were opened and {refused} refused; of the idle sockets {min(rested)} to {max(rested)} stayed")
    finally:
        table.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 400)
