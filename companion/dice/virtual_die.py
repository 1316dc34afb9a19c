"""A die in software that speaks the wire protocol: the device's side of `firmware/PROTOCOL.md`, without I/O.

It is what the firmware does, in Python, so that the host can be developed and broken on purpose without hardware.
Bytes from the host go into `receive`, time into `tick` (milliseconds since boot), buttons into `press`; what the die
would put on the line comes out of `output`. Section numbers point into the specification.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from companion.dice import proof
from companion.dice.protocol import (
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
    HostHello,
    Message,
    Ok,
    ProtocolError,
    Revealed,
    Rolled,
    SetDue,
    SetLight,
    Status,
    decode_from_host,
    encode,
)

QUEUE = 8
RESEND_MS, SLOW_RESEND_MS, QUICK_TRIES = 30, 250, 20
HEARTBEAT_MS, HOST_GONE_MS = 1_000, 10_000
SILENT_WHEN_WRONG = ("ACK", "HB", "HELLO")


class VirtualDie:
    """One die between power-on and power-off; a reset is a new one with `boot` one higher."""

    def __init__(
        self, device: str = "0000D1CE", boot: int = 1, draw: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        self.device, self.boot, self._draw = device, boot, draw
        self.health = "OK"
        self.due, self.light = 0, "OFF"
        self.rolled_alone = 0
        self.made: list[Rolled] = []  # every roll, for whoever tests the host
        self._framer = Framer()
        self._out = bytearray()
        self._queue: deque[DieEvent] = deque()
        self._next_seq = self._tries = 0
        self._resend_at = self._beat_at = 0
        self._heard = 0
        self._heard_at = -HOST_GONE_MS
        self._last_command: int | None = None
        self._number = 1
        self._secret = draw(proof.SECRET_BYTES)
        self._nonce: bytes | None = None
        self._now = 0
        self._hello()

    # --- the world

    def output(self) -> bytes:
        """What the die has put on the line since the last call."""
        data, self._out = bytes(self._out), bytearray()
        return data

    def tick(self, now: int) -> None:
        """Time has come to `now`: resend, beat, notice that the host is gone (sections 6 and 8)."""
        self._now = now
        if self._queue and now >= self._resend_at:
            self._send(self._queue[0])
            self._resend_at = now + (RESEND_MS if self._tries < QUICK_TRIES else SLOW_RESEND_MS)
            self._tries += 1
        if now - self._beat_at >= HEARTBEAT_MS:
            self._beat_at = now
            self._send(DieHeartbeat(0, self.boot, now % 2**32))
        if self._heard and self._is_host_silent():
            self.due, self.light = 0, "SEARCH"

    def press(self, button: str, now: int) -> Rolled | None:
        """A debounced press; the roll that it made, if it made one."""
        self._now = now
        if button == "C":
            self._post(Button(0, self.boot, now % 2**32, button, "D"))
            return None
        if self.health != "OK":
            self._post(Fault(0, self.boot, now % 2**32, "ENTROPY", self.health))
            return None
        if not self._has_room() and not self._is_host_silent():
            return None
        return self._roll(button, self.due or (1 if button == "A" else 2), 6)

    def release(self, button: str, now: int) -> None:
        self._now = now
        if button == "C":
            self._post(Button(0, self.boot, now % 2**32, button, "U"))

    def receive(self, data: bytes, now: int) -> None:
        """Bytes from the host."""
        self._now = now
        for body in self._framer.feed(data):
            try:
                message = decode_from_host(body)
            except ProtocolError as error:
                self._answer_nonsense(body, error.reason)
            else:
                self._obey(message)
        self.tick(now)

    # --- commands (section 5)

    def _answer_nonsense(self, body: str, reason: str) -> None:
        if reason == "DROP":
            self._framer.format_errors += 1
            return
        self._heard_at = self._now
        if body[3:].split(",")[0] not in SILENT_WHEN_WRONG:
            self._send(Err(int(body[:2], 16), reason))

    def _obey(self, message: Message) -> None:
        self._heard_at = self._now
        if message.TYPE == "HELLO":
            if isinstance(message, HostHello):
                self._heard = VERSION
                self._last_command = None
            self._hello()
        elif isinstance(message, Ack):
            self._forget(message)
        elif message.TYPE != "HB":
            self._send(self._carry_out(message) if self._heard else Err(message.seq, "HELLO"))

    def _carry_out(self, command: Message) -> Ok | Err:
        answer = self._answer(command)
        if isinstance(answer, Ok):
            self._last_command = command.seq
        return answer

    def _answer(self, command: Message) -> Ok | Err:
        seq = command.seq
        match command:
            case SetDue(count=count):
                self.due = count
            case SetLight(state=state):
                self.light = state
            case AskRoll() if seq == self._last_command:
                pass  # a repeat: answered, not rolled again
            case AskRoll() if self.health != "OK":
                return Err(seq, "ENTROPY")
            case AskRoll(count=count, sides=sides):
                if not self._has_room() or not self._roll("H", count, sides):
                    return Err(seq, "BUSY")
            case AskCommitment() if self.health != "OK":
                return Err(seq, "ENTROPY")
            case AskCommitment():
                return Ok(seq, (str(self._number), proof.commitment(self._secret).hex().upper()))
            case GiveNonce(number=number, nonce=nonce):
                if number != self._number:
                    return Err(seq, "LATE")
                self._nonce = nonce
            case AskStatus():
                return Ok(seq, self._status().args())
        return Ok(seq)

    def _status(self) -> Status:
        framer = self._framer
        wrong_format = min(framer.format_errors + framer.long_errors, 65_535)
        uptime = self._now % 2**32
        alone, queued = self.rolled_alone, len(self._queue)
        return Status(uptime, framer.crc_errors, wrong_format, 0, 0, alone, queued, self.health, 1_000, 1)

    # --- events (sections 6 and 7)

    def _is_host_silent(self) -> bool:
        return self._now - self._heard_at >= HOST_GONE_MS

    def _has_room(self) -> bool:
        return len(self._queue) + (2 if self._nonce else 1) <= QUEUE

    def _roll(self, cause: str, count: int, sides: int) -> Rolled | None:
        secret, nonce, number = self._secret, self._nonce, self._number
        self._secret, self._nonce = self._draw(proof.SECRET_BYTES), None
        faces = proof.faces_of(secret, nonce or proof.NO_NONCE, sides, count)
        if faces is None:
            return None
        self._number += 1
        fits = len(self._queue) + (2 if nonce else 1) <= QUEUE
        roll = Rolled(0, self.boot, number, self._now % 2**32, cause, sides, nonce is not None, faces)
        if not self._heard or not fits:
            self.rolled_alone += 1
            return roll
        self.made.append(roll)
        self._post(roll)
        if nonce is not None:
            self._post(Revealed(0, self.boot, number, secret))
        return roll

    def _post(self, event: DieEvent) -> None:
        if not self._heard or len(self._queue) >= QUEUE:
            return
        self._queue.append(replace(event, seq=self._next_seq))
        self._next_seq = (self._next_seq + 1) % 256
        if len(self._queue) == 1:
            self._send_head_now()

    def _send_head_now(self) -> None:
        self._tries, self._resend_at = 0, self._now
        self.tick(self._now)

    def _forget(self, ack: Ack) -> None:
        if self._queue and (self._queue[0].seq, self.boot) == (ack.seq, ack.boot):
            self._queue.popleft()
            self._send_head_now()

    def _hello(self) -> None:
        next_seq = self._queue[0].seq if self._queue else self._next_seq
        uptime = self._now % 2**32
        self._send(DieHello(0, VERSION, "virtual", self.device, self.boot, uptime, next_seq, self._heard))

    def _send(self, message: Message) -> None:
        self._out += encode(message)
