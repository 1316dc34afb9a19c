"""The host's side of one line to one die: bytes and time in, events and bytes out. No I/O, no threads.

Theory of operation
-------------------
A driver tells the session what happens: `opened`, `receive(bytes)`, `tick` (often; a few times in 100 ms), `closed`. It always
says what time it is, in seconds of any clock that never goes back. After each of these calls it sends `take_bytes()` and hands
on `take_events()`. Sections are those of `firmware/PROTOCOL.md`.

* **Link** (section 4). Searching until a HELLO of our version says that the die has heard us; searching again when the die is
  silent, the port closes, or another `boot` shows up.
* **Events** (section 6). Only the expected sequence number is taken. It is acknowledged when its `confirm()` is called, so that
  the die keeps what is not yet safe. What was taken last is remembered by device id, outside the session (`records.py`): a die
  that comes back on another port goes on where it stopped.
* **Commands** (section 5). One in flight, repeated until answered. A `wish` (dice due, light) is sent until the die has it, and
  again after every new link; what is `ask`ed for (a roll, the status) is asked once.
* **Proof** (section 7). Between rolls the session fetches the commitment and gives a nonce (`witness.py`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from companion.dice.events import ButtonPressed, DeviceChanged, DeviceHealth, DiceEvent, DiceRolled, RollChecked
from companion.dice.protocol import (
    DIE_EVENTS,
    VERSION,
    Ack,
    AskCommitment,
    AskRoll,
    AskStatus,
    Button,
    DieEvent,
    DieHeartbeat,
    DieHello,
    Err,
    Fault,
    Framer,
    GiveNonce,
    HostHeartbeat,
    HostHello,
    Message,
    Ok,
    OtherVersion,
    ProtocolError,
    Revealed,
    Rolled,
    SetDue,
    SetLight,
    Status,
    decode_from_die,
    decode_from_host,
    encode,
    encode_body,
    parse_commitment,
)
from companion.dice.records import DieRecord, DieRecords
from companion.dice.witness import Verdict

HELLO_EVERY, HELLO_APART = 1.0, 0.1
HEARTBEAT_EVERY, DIE_GONE_AFTER = 2.0, 3.5
COMMAND_EVERY, COMMAND_TRIES = 0.1, 10
NO_ANSWER_AFTER = 10.0
WITNESS_AGAIN_AFTER = 5.0  # a die without entropy need not be asked all the time
FAULT_STATES = {"STUCK": "stuck", "FREED": "freed", "ENTROPY": "no_entropy"}


Wish = TypeVar("Wish", bound=Message)


@dataclass
class Flight:
    """The one command that waits for its answer."""

    message: Message
    tries: int
    again_at: float


def checked(message: Wish) -> Wish:
    """The message, if the die would take it; ProtocolError if not."""
    decode_from_host(encode_body(message))
    return message


class Session:
    """One line to one die."""

    def __init__(
        self,
        port: str = "",
        records: DieRecords | None = None,
        on_confirm: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        """`on_confirm` gets the work of a `confirm()`, to run it on the driver's own thread; without it, it runs at once."""
        self.port = port
        self.state = "closed"  # closed, searching, linked, old_die, new_die
        self.source = ""
        self.hello: DieHello | None = None
        self.framer = Framer()
        self.doubles = self.strays = 0
        self._records = records or DieRecords()
        self._on_confirm = on_confirm
        self._record: DieRecord | None = None
        self._told = ""
        self._events: list[DiceEvent] = []
        self._out = bytearray()
        self._now = self._heard_at = self._hello_at = self._hello_due = self._answered_at = 0.0
        self._beat_at = self._witness_at = 0.0
        self._uptime_zero = 0.0  # our clock when the die's uptime was 0
        self._flight: Flight | None = None
        self._command_seq = 0
        self._asked: deque[Message] = deque()
        self._wishes: dict[str, Message] = {}
        self._granted: dict[str, Message] = {}

    # --- what the driver calls

    def opened(self, now: float) -> None:
        """The port is open; nothing is known about what is behind it."""
        self._now = self._heard_at = now
        self.framer.reset()
        self._unlink("searching")
        self._say_hello()

    def closed(self, now: float) -> None:
        """The port is gone. Wishes and records stay."""
        self._now = now
        self._out.clear()
        self._unlink("searching")
        self.state = "closed"

    def receive(self, data: bytes, now: float) -> None:
        """Bytes from the die."""
        self._now = now
        for body in self.framer.feed(data):
            try:
                message = decode_from_die(body)
            except ProtocolError:
                self.strays += 1
            else:
                self._heard_at = now
                self._hear(message)
        self.tick(now)

    def tick(self, now: float) -> None:
        """Time has passed: repeat, beat, give up."""
        self._now = now
        if self.state == "closed":
            return
        if self.state == "linked":
            if now - self._heard_at >= DIE_GONE_AFTER:
                self._search()
            elif now - self._beat_at >= HEARTBEAT_EVERY:
                self._beat_at = now
                self._send(HostHeartbeat(0))
        elif now >= self._hello_due:
            self._say_hello()
        self._fly()

    def take_bytes(self) -> bytes:
        """What is to be sent."""
        data, self._out = bytes(self._out), bytearray()
        return data

    def take_events(self) -> list[DiceEvent]:
        """What has happened since the last call."""
        events, self._events = self._events, []
        return events

    # --- what the table wants of the die

    def wish(self, message: SetDue | SetLight) -> None:
        """From now on the die shall have this, over every new link."""
        self._wishes[message.TYPE] = checked(message)

    def ask(self, message: AskRoll | AskStatus) -> None:
        """Once. A roll comes as DiceRolled with cause H, or DeviceChanged "refused"; a status as DeviceHealth."""
        checked(message)
        if self.state == "linked":
            self._asked.append(message)
        elif isinstance(message, AskRoll):
            self._tell("refused", "no die")

    # --- link (section 4)

    def _say_hello(self) -> None:
        self._hello_at, self._hello_due = self._now, self._now + HELLO_EVERY
        self._send(HostHello(0, VERSION))

    def _search(self) -> None:
        """The die behind the open port is not the one we knew, or not there: meet it again."""
        self._unlink("searching")
        self._hello_due = self._hello_at + HELLO_APART  # at once, but a babbling die gets no storm of answers

    def _unlink(self, state: str, detail: str = "") -> None:
        refused = [message for message in self._asked if isinstance(message, AskRoll)]
        if self._flight and isinstance(self._flight.message, AskRoll):
            refused.append(self._flight.message)
        for _ in refused:
            self._tell("refused", "the link was lost")
        self._asked.clear()
        self._granted.clear()
        self._flight = None
        if self._record:
            self._records.leave(self._record)
            self._record = None
        self._enter(state, detail)

    def _enter(self, state: str, detail: str = "") -> None:
        self.state = state
        if self._told != state:
            self._told = state
            self._tell(state, detail)

    def _hear(self, message: Message) -> None:
        if isinstance(message, DieHello):
            self._hear_hello(message)
        elif isinstance(message, OtherVersion):
            self._unlink("old_die" if message.version < VERSION else "new_die", str(message.version))
        elif self.state != "linked" or self._record is None:
            pass  # an event will come again; anything else was not for us
        elif isinstance(message, DieHeartbeat | Rolled | Revealed | Button | Fault) and message.boot != self._record.boot:
            self._search()
        elif isinstance(message, DieHeartbeat):
            self._set_clock(message.uptime)
        elif isinstance(message, DIE_EVENTS):
            self._take_event(message, self._record)
        elif isinstance(message, Ok | Err):
            self._land(message, self._record)

    def _hear_hello(self, hello: DieHello) -> None:
        if hello.heard != VERSION:
            self._search()
            return
        self._set_clock(hello.uptime)
        self._record = record = self._records.meet(hello, self.port, self)
        self.source, self.hello = record.source, hello
        record.witness.ask_again()
        self._witness_at = 0.0
        if record.was_restarted:
            record.was_restarted = False
            self._tell("restarted")
        self._answered_at = self._now
        if self.state != "linked":
            self._beat_at = self._now
            self._enter("linked", hello.firmware)

    def _set_clock(self, uptime: int) -> None:
        self._uptime_zero = self._now - uptime / 1000

    # --- events (section 6)

    def _take_event(self, event: DieEvent, record: DieRecord) -> None:
        if event.seq == record.last_seq:
            self.doubles += 1
            if record.is_confirmed:
                self._send(Ack(event.seq, event.boot))
        elif event.seq == (record.last_seq + 1) % 256:
            record.last_seq, record.is_confirmed = event.seq, False
            self._publish(event, record)
        else:
            self.strays += 1
            if self._now - self._hello_at >= HELLO_EVERY:
                self._say_hello()  # its answer says which event the die stands at

    def _confirmer(self, event: DieEvent, record: DieRecord) -> Callable[[], None]:
        work = partial(self._confirm, event.seq, record)
        return partial(self._on_confirm, work) if self._on_confirm else work

    def _confirm(self, seq: int, record: DieRecord) -> None:
        if seq != record.last_seq or record.is_confirmed:
            return
        record.is_confirmed = True
        if record is self._record:
            self._send(Ack(seq, record.boot))

    def _publish(self, event: DieEvent, record: DieRecord) -> None:
        confirm = self._confirmer(event, record)
        if isinstance(event, Rolled):
            self._publish_roll(event, record, confirm)
        elif isinstance(event, Revealed):
            self._publish_verdict(event.number, record, record.witness.revealed(event), confirm)
        elif isinstance(event, Fault):
            state = FAULT_STATES[event.code]
            self._events.append(DeviceChanged(self.source, state, event.detail, self.port, confirm))
        elif event.edge == "D":
            self._events.append(ButtonPressed(self.source, event.button, confirm))
        else:
            confirm()  # a button that came up is nothing to the table

    def _publish_roll(self, roll: Rolled, record: DieRecord, confirm: Callable[[], None]) -> None:
        broken = record.witness.rolled(roll)
        self._witness_at = 0.0
        self._events.append(
            DiceRolled(
                source=self.source,
                faces=roll.faces,
                number=roll.number,
                boot=roll.boot,
                sides=roll.sides,
                cause=roll.cause,
                age=self._age(roll.at),
                nonce_used=roll.nonce_used,
                confirm=confirm,
            )
        )
        if broken:
            self._publish_verdict(roll.number, record, broken)

    def _publish_verdict(
        self, number: int, record: DieRecord, verdict: Verdict, confirm: Callable[[], None] = lambda: None
    ) -> None:
        proof = (verdict.word, verdict.commitment, verdict.nonce, verdict.secret)
        self._events.append(RollChecked(self.source, record.boot, number, *proof, confirm=confirm))

    def _age(self, at: int) -> float:
        """Seconds since the die's clock showed `at`; it wraps after 49 days, and a moment in the future is now."""
        uptime = (self._now - self._uptime_zero) * 1000
        age = (uptime - at) % 2**32
        return age / 1000 if age < 2**31 else 0.0

    # --- commands (section 5)

    def _fly(self) -> None:
        if self.state != "linked":
            return
        if self._flight is None:
            self._take_off()
        elif self._now >= self._flight.again_at:
            if self._flight.tries >= COMMAND_TRIES:
                self._crash(self._flight.message)
                return
            self._flight.tries += 1
            self._flight.again_at = self._now + COMMAND_EVERY
            self._send(self._flight.message)

    def _crash(self, command: Message) -> None:
        """Never answered. On a bad line the next may get through; a die that answers nothing at all is met again."""
        self._flight = None
        if self._now - self._answered_at >= NO_ANSWER_AFTER:
            self._search()
        elif isinstance(command, AskRoll):
            self._tell("refused", "no answer")
        elif isinstance(command, AskCommitment | GiveNonce):
            self._witness_at = self._now + WITNESS_AGAIN_AFTER

    def _take_off(self) -> None:
        command = self._next_command()
        if command is None:
            return
        self._command_seq = self._command_seq % 255 + 1
        message = replace(command, seq=self._command_seq)
        self._flight = Flight(message, 1, self._now + COMMAND_EVERY)
        self._send(message)

    def _next_command(self) -> Message | None:
        if self._asked:
            return self._asked.popleft()
        for name, wish in self._wishes.items():
            if self._granted.get(name) != wish:
                return wish
        if self._record and self._now >= self._witness_at:
            return self._record.witness.wants()
        return None

    def _land(self, answer: Ok | Err, record: DieRecord) -> None:
        if self._flight is None or answer.seq != self._flight.message.seq:
            return  # the answer to a repeat that was answered already
        self._answered_at = self._now
        command, self._flight = self._flight.message, None
        if isinstance(answer, Err) and answer.reason == "HELLO":
            self._search()
        elif isinstance(answer, Err):
            self._land_refused(command, answer.reason, record)
        else:
            self._land_done(command, answer.args, record)

    def _land_done(self, command: Message, args: tuple[str, ...], record: DieRecord) -> None:
        wish = replace(command, seq=0)
        try:
            if isinstance(command, SetDue | SetLight):
                self._granted[command.TYPE] = wish
            elif isinstance(command, AskCommitment):
                record.witness.committed(*parse_commitment(args))
            elif isinstance(command, GiveNonce):
                record.witness.nonce_taken(command.number)
            elif isinstance(command, AskStatus):
                self._events.append(DeviceHealth(self.source, Status.parse(args)))
        except ValueError:
            self.strays += 1
            self._witness_at = self._now + WITNESS_AGAIN_AFTER

    def _land_refused(self, command: Message, reason: str, record: DieRecord) -> None:
        if isinstance(command, AskRoll):
            self._tell("refused", reason)
        elif isinstance(command, SetDue | SetLight):
            self._granted[command.TYPE] = replace(command, seq=0)  # asking again would not help
        elif reason == "LATE":
            record.witness.ask_again()
        else:
            self._witness_at = self._now + WITNESS_AGAIN_AFTER

    # --- out

    def _tell(self, state: str, detail: str = "") -> None:
        self._events.append(DeviceChanged(self.source, state, detail, self.port))

    def _send(self, message: Message) -> None:
        self._out += encode(message)
