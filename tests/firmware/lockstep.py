"""A small host that moves the die's virtual time itself: every test with it is the same on every run and every machine.

It follows `firmware/PROTOCOL.md` with the companion's own codec, but on purpose not with the companion's session: whatever is
sent and heard here is written out where a test can see it.
"""

from __future__ import annotations

from dataclasses import replace

from companion.dice.protocol import (
    DIE_EVENTS,
    Ack,
    AskStatus,
    DieEvent,
    DieHello,
    Err,
    Framer,
    HostHello,
    Message,
    Ok,
    ProtocolError,
    Rolled,
    Status,
    decode_from_die,
    encode,
)
from firmware.emulator.emulated_die import EmulatedDie

FIRST_START_MS = 1200  # a die without an id takes up to a second before it speaks


class LockstepHost:
    def __init__(self, die: EmulatedDie) -> None:
        self.die = die
        self.framer = Framer()
        self.events: list[DieEvent] = []  # accepted: in order, without doubles
        self.doubles = 0
        self.acknowledges = True
        self.hello: DieHello | None = None
        self._expected: int | None = None
        self._seq = 0

    # --- bytes and time

    def hear(self, milliseconds: float = 50.0, data: bytes = b"", frames: int = 0) -> list[Message]:
        """Send bytes, let time pass (until so many frames have come, if given), take what the die says."""
        heard = []
        for body in self.framer.feed(self.die.exchange(data, milliseconds, frames)):
            try:
                heard.append(decode_from_die(body))
            except ProtocolError as error:
                raise AssertionError(f"the die must never say this: {body}") from error
        for message in heard:
            if isinstance(message, DieHello):
                self._meet(message)
            elif isinstance(message, DIE_EVENTS):
                self._take(message)
        return heard

    def send(self, message: Message, milliseconds: float = 5.0) -> list[Message]:
        return self.hear(milliseconds, encode(message))

    def _meet(self, hello: DieHello) -> None:
        is_same_boot = self.hello is not None and self.hello.boot == hello.boot
        has_head_already = self._expected == (hello.next_seq + 1) % 256  # taken, not yet acknowledged
        if not (is_same_boot and has_head_already):
            self._expected = hello.next_seq
        self.hello = hello

    def _take(self, event: DieEvent) -> None:
        assert self.hello is not None
        if event.boot != self.hello.boot:
            return
        if event.seq == self._expected:
            self.events.append(event)
            self._expected = (event.seq + 1) % 256
        elif self._expected is not None and event.seq == (self._expected - 1) % 256:
            self.doubles += 1
        else:
            return
        if self.acknowledges:
            self.hear(4.0, encode(Ack(event.seq, event.boot)))

    # --- conversation

    def link(self) -> DieHello:
        """HELLO until the die has heard it."""
        for _ in range(20):
            self.hear(FIRST_START_MS if self.hello is None else 100)
            self.send(HostHello(0, 1), 20)
            if self.hello is not None and self.hello.heard == 1:
                return self.hello
        raise AssertionError("the die does not answer")

    def ask(self, command: Message, tries: int = 10) -> Ok | Err:
        """One command, repeated until it is answered (section 5)."""
        self._seq = self._seq % 255 + 1
        return self.ask_again(replace(command, seq=self._seq), tries)

    def ask_again(self, command: Message, tries: int = 10) -> Ok | Err:
        for _ in range(tries):
            for message in self.send(command, 10) + self.hear(40):
                if isinstance(message, Ok | Err) and message.seq == command.seq:
                    return message
        raise AssertionError(f"no answer to {command}")

    def do(self, command: Message) -> tuple[str, ...]:
        """A command that must be carried out."""
        answer = self.ask(command)
        assert isinstance(answer, Ok), answer
        return answer.args

    def status(self) -> Status:
        return Status.parse(self.do(AskStatus(0)))

    def wait_until_healthy(self) -> None:
        for _ in range(40):
            if self.status().health == "OK":
                return
            self.hear(100)
        raise AssertionError("the die never trusted its noise")

    # --- playing

    def press(self, button: str = "A", milliseconds: float = 60.0) -> None:
        """A clean press and release."""
        self.die.tap(button, milliseconds)
        self.hear(milliseconds + 40)

    @property
    def rolls(self) -> list[Rolled]:
        return [event for event in self.events if isinstance(event, Rolled)]
