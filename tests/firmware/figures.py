"""Figures of the flashed binary, in virtual time: python -m tests.firmware.figures

Pin edge → last byte of the event, and frames a second. They do not depend on this machine. The emulated line takes eleven bits a
byte where a real one takes ten, so the real figures are a little better.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from companion.dice.protocol import AskCommitment, AskRoll, GiveNonce, SetDue, encode, parse_commitment
from firmware.emulator import emulated_die
from firmware.emulator.emulated_die import HZ, EmulatedDie
from tests.firmware.lockstep import LockstepHost


def new_host(seed: int = 1) -> LockstepHost:
    host = LockstepHost(EmulatedDie(paused=True, seed=seed))
    host.link()
    host.wait_until_healthy()
    return host


def edge_to_last_byte(host: LockstepHost, button: str, before: Callable[[LockstepHost], None]) -> float:
    """Milliseconds from the pin's edge to the end of the stop bit of the event's last byte."""
    before(host)
    host.die.frames()
    edge = host.die.press(button)
    host.die.run(15)
    rolls = [sent for sent in host.die.frames() if ",ROLL," in sent.text]
    host.hear(30)
    host.die.release(button)
    host.hear(60)
    return (rolls[0].end - edge) * 1000 / HZ


def any_moment(rng: random.Random) -> Callable[[LockstepHost], None]:
    """A press at any phase of the millisecond, of the tick, of the heartbeat."""
    return lambda host: host.die.run(rng.uniform(0, 300))


def just_witnessed(rng: random.Random) -> Callable[[LockstepHost], None]:
    """A press right after the host has asked for a commitment and given a nonce: the hashes are not yet done."""

    def ask(host: LockstepHost) -> None:
        host.die.run(rng.uniform(0, 50))
        number, _ = parse_commitment(host.do(AskCommitment(0)))
        nonce = encode(GiveNonce(0xEE, number, rng.randbytes(16)))
        host.hear(rng.uniform(2.0, 6.0), nonce)

    return ask


def latencies(count: int, seed: int = 1) -> dict[str, list[float]]:
    rng = random.Random(seed)
    found: dict[str, list[float]] = {}
    for name, before in (("idle", any_moment(rng)), ("just witnessed", just_witnessed(rng))):
        for button, dice in (("A", "one die"), ("B", "two dice")):
            host = new_host(seed)
            with host.die:
                found[f"{dice}, {name}"] = [edge_to_last_byte(host, button, before) for _ in range(count)]
    return found


def rolls_a_second(count: int = 300) -> float:
    """Rolls that are asked for, made, sent and acknowledged, one after the other."""
    host = new_host()
    with host.die:
        started = host.die.now()
        for number in range(count):
            seq = 1 + (0x80 + number) % 255
            while not host.rolls or host.rolls[-1].number <= number:
                host.hear(20, encode(AskRoll(seq, 2, 6)), 2)
        return count / (host.die.now() - started)


def answers_a_second(count: int = 300) -> float:
    """Short commands, each sent when the one before was answered."""
    host = new_host()
    with host.die:
        started = host.die.now()
        for number in range(count):
            host.die.exchange(encode(SetDue(1 + number % 255, number % 3)), 20, 1)
        return count / (host.die.now() - started)


def frames_a_second_streaming(count: int = 500) -> float:
    """Short commands back to back, as fast as the line carries them; every one must be answered."""
    host = new_host()
    with host.die:
        data = b"".join(encode(SetDue(1 + number % 255, 1)) for number in range(count))
        host.die.frames()
        started, answered, last = host.die.now(), 0, 0
        host.die.exchange(data, 1, 0)
        while answered < count:
            host.die.run(50)
            sent = [frame for frame in host.die.frames() if ",OK" in frame.text]
            if not sent:
                break
            answered, last = answered + len(sent), sent[-1].end
        assert answered == count, f"{count - answered} of {count} were not answered"
        return count / (last / HZ - started)


def main() -> None:
    emulated_die.build()
    for name, values in latencies(200).items():
        print(f"pin edge → last byte of the event, {name}: {min(values):.2f} to {max(values):.2f} ms, "
              f"mean {sum(values) / len(values):.2f} ms ({len(values)} presses)")
    print(f"rolls a second, asked for, made, sent and acknowledged: {rolls_a_second():.0f}")
    print(f"commands a second, each after the answer to the last: {answers_a_second():.0f}")
    print(f"commands a second, back to back, all answered: {frames_a_second_streaming():.0f}")


if __name__ == "__main__":
    main()
