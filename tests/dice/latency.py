"""How long from a die's bytes to the table? `python -m tests.dice.latency [rolls]` writes rolls into a real pseudo-terminal.

Wall time from the write of a whole ROLL frame to the call of `on_event`, and the CPU time of this whole process for each roll,
both ends included. Figures for people: nothing is asserted.
"""

from __future__ import annotations

import os
import statistics
import sys
import threading
import time
import tty

from companion.dice.events import DeviceChanged, DiceEvent, DiceRolled
from companion.dice.protocol import DieHello, Rolled, encode
from companion.dice.serial_port import SerialDice


def main(rolls: int = 5000) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    linked, heard = threading.Event(), threading.Event()
    times: list[float] = []
    written = 0.0

    def hear(event: DiceEvent) -> None:
        if isinstance(event, DiceRolled):
            times.append(time.perf_counter() - written)
            heard.set()
        elif isinstance(event, DeviceChanged) and event.state == "linked":
            linked.set()
        event.confirm()

    with SerialDice(hear, [os.ttyname(slave)]):
        os.read(master, 4096)  # the host's HELLO
        os.write(master, encode(DieHello(0, 1, "latency", "0000D1CE", 1, 0, 0, 1)))
        linked.wait(10)
        started = time.process_time()
        for number in range(rolls):
            roll = encode(Rolled(number % 256, 1, number + 1, 0, "A", 6, False, (3, 4)))
            heard.clear()
            written = time.perf_counter()
            os.write(master, roll)
            heard.wait(10)
            os.read(master, 4096)  # its acknowledgement
        cpu = time.process_time() - started
    os.close(master)
    os.close(slave)
    cuts = statistics.quantiles(times, n=100)
    wall = f"p50 {cuts[49] * 1e6:.0f} us, p99 {cuts[98] * 1e6:.0f} us"
    print(f"{len(times)} rolls: {wall}; {cpu / rolls * 1e6:.0f} us of CPU a roll")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
