"""The die's wire protocol: bytes in, messages out. No I/O, no clock, no threads.

Theory of operation
-------------------
`firmware/PROTOCOL.md` is the specification; section numbers below point into it.

* `Framer.feed(bytes)` finds the checked bodies in a stream (section 2; its code is in `framing.py`).
* `decode_from_die(body)` and `decode_from_host(body)` turn a body into one of the frozen dataclasses below,
  or raise `ProtocolError`, and nothing else, whatever the body is (section 3).
* `encode(message)` gives the whole frame of any message.

What a message may contain stands in two tables, `FROM_DIE` and `FROM_HOST`: the type's word, its dataclass,
and one `Field` for each value. Reading and writing use the same table, so they cannot disagree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from companion.dice.framing import MAX_BODY, Framer, crc16, frame

__all__ = ["Framer", "ProtocolError", "crc16", "decode_from_die", "decode_from_host", "encode", "frame"]

VERSION = 1
BAUD = 250_000


class ProtocolError(ValueError):
    """A body that this side must not act on; `reason` is DROP, UNKNOWN or ARG (section 3)."""

    def __init__(self, reason: str, body: str) -> None:
        super().__init__(f"{reason}: {body[:MAX_BODY]!r}")
        self.reason = reason


# --- messages (section 3) -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Message:
    """`seq` is the two-digit SS: of this event or command, or of the one that this answers."""

    TYPE: ClassVar[str] = ""
    seq: int


@dataclass(frozen=True, slots=True)
class DieHello(Message):
    """Who the die is, which event it will send next, and which version it has heard from a host (0: none)."""

    TYPE = "HELLO"
    version: int
    firmware: str
    device: str
    boot: int
    uptime: int
    next_seq: int
    heard: int


@dataclass(frozen=True, slots=True)
class OtherVersion(Message):
    """A HELLO of a version that is not ours; only the number can be understood."""

    TYPE = "HELLO"
    version: int


@dataclass(frozen=True, slots=True)
class DieHeartbeat(Message):
    TYPE = "HB"
    boot: int
    uptime: int


@dataclass(frozen=True, slots=True)
class Rolled(Message):
    """An event: these faces were rolled."""

    TYPE = "ROLL"
    boot: int
    number: int
    at: int
    cause: str
    sides: int
    nonce_used: bool
    faces: tuple[int, ...]

    def is_consistent(self) -> bool:
        return 2 <= self.sides <= 100 and all(1 <= face <= self.sides for face in self.faces)


@dataclass(frozen=True, slots=True)
class Revealed(Message):
    """An event: the secret from which roll `number` followed."""

    TYPE = "REVEAL"
    boot: int
    number: int
    secret: bytes


@dataclass(frozen=True, slots=True)
class Button(Message):
    """An event: a button that does not roll went down (D) or up (U)."""

    TYPE = "BTN"
    boot: int
    at: int
    button: str
    edge: str


@dataclass(frozen=True, slots=True)
class Fault(Message):
    """An event: the die found something wrong with itself."""

    TYPE = "FAULT"
    boot: int
    at: int
    code: str
    detail: str

    def is_consistent(self) -> bool:
        return self.detail in (BAD_HEALTH if self.code == "ENTROPY" else BUTTONS)


@dataclass(frozen=True, slots=True)
class Ok(Message):
    TYPE = "OK"
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Err(Message):
    TYPE = "ERR"
    reason: str


@dataclass(frozen=True, slots=True)
class HostHello(Message):
    TYPE = "HELLO"
    version: int


@dataclass(frozen=True, slots=True)
class HostHeartbeat(Message):
    TYPE = "HB"


@dataclass(frozen=True, slots=True)
class Ack(Message):
    """The event `seq` of this boot is safe; the die may forget it."""

    TYPE = "ACK"
    boot: int


@dataclass(frozen=True, slots=True)
class SetDue(Message):
    """How many dice are due; 0 leaves it to the players."""

    TYPE = "DUE"
    count: int


@dataclass(frozen=True, slots=True)
class SetLight(Message):
    TYPE = "LED"
    state: str


@dataclass(frozen=True, slots=True)
class AskRoll(Message):
    TYPE = "ROLL"
    count: int
    sides: int


@dataclass(frozen=True, slots=True)
class AskCommitment(Message):
    TYPE = "COMMIT"


@dataclass(frozen=True, slots=True)
class GiveNonce(Message):
    TYPE = "NONCE"
    number: int
    nonce: bytes


@dataclass(frozen=True, slots=True)
class AskStatus(Message):
    TYPE = "STAT"


DieEvent = Rolled | Revealed | Button | Fault
DIE_EVENTS = (Rolled, Revealed, Button, Fault)

BUTTONS = ("A", "B", "C")
CAUSES = ("A", "B", "H")
BAD_HEALTH = ("START", "RCT", "APT")
HEALTH = ("OK", *BAD_HEALTH)
LIGHTS = ("OFF", "TURN", "THINK", "SEARCH")
ERRORS = ("ARG", "UNKNOWN", "HELLO", "LATE", "BUSY", "ENTROPY")


@dataclass(frozen=True, slots=True)
class Field:
    """How one value is spelled: a pattern that must match wholly, and the way in and out."""

    pattern: re.Pattern[str]
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str
    low: int = 0
    high: int = 0  # numbers only
    most: int = 1  # more than one: this field takes all that is left
    least: int = 1

    def parse(self, text: str) -> Any:
        if not self.pattern.fullmatch(text):
            raise ValueError(text)
        value = self.read(text)
        if self.high and not self.low <= value <= self.high:
            raise ValueError(text)
        return value


def _number(high: int, low: int = 0) -> Field:
    return Field(re.compile(r"0|[1-9][0-9]{0,9}"), int, str, low, high)


def _words(*words: str) -> Field:
    return Field(re.compile("|".join(words)))


def _many(one: Field, least: int, most: int) -> Field:
    return Field(one.pattern, one.read, one.write, one.low, one.high, most, least)


U8, U16, U32 = _number(0xFF), _number(0xFFFF), _number(0xFFFF_FFFF)
HEX2 = Field(re.compile("[0-9A-F]{2}"), lambda text: int(text, 16), "{:02X}".format)
HEX8 = Field(re.compile("[0-9A-F]{8}"))
HEX32 = Field(re.compile("[0-9A-F]{32}"), bytes.fromhex, lambda value: value.hex().upper())
TEXT = Field(re.compile("[0-9A-Za-z.+-]{1,12}"))
FLAG = Field(re.compile("[01]"), lambda text: text == "1", lambda value: "1" if value else "0")
ANSWER = Field(re.compile("[0-9A-Z]{1,32}"))

Table = Mapping[str, tuple[type[Message], tuple[Field, ...]]]

FROM_DIE: Table = {
    "HELLO": (DieHello, (U8, TEXT, HEX8, U16, U32, HEX2, U8)),
    "HB": (DieHeartbeat, (U16, U32)),
    "ROLL": (Rolled, (U16, U32, U32, _words(*CAUSES), U8, FLAG, _many(U8, 1, 5))),
    "REVEAL": (Revealed, (U16, U32, HEX32)),
    "BTN": (Button, (U16, U32, _words(*BUTTONS), _words("D", "U"))),
    "FAULT": (Fault, (U16, U32, _words("STUCK", "FREED", "ENTROPY"), _words(*BUTTONS, *BAD_HEALTH))),
    "OK": (Ok, (_many(ANSWER, 0, 12),)),
    "ERR": (Err, (_words(*ERRORS),)),
}
FROM_HOST: Table = {
    "HELLO": (HostHello, (U8,)),
    "HB": (HostHeartbeat, ()),
    "ACK": (Ack, (U16,)),
    "DUE": (SetDue, (_number(2),)),
    "LED": (SetLight, (_words(*LIGHTS),)),
    "ROLL": (AskRoll, (_number(5, low=1), _number(100, low=2))),
    "COMMIT": (AskCommitment, ()),
    "NONCE": (GiveNonce, (U32, HEX32)),
    "STAT": (AskStatus, ()),
}
_SPELLING = {kind: spelling for table in (FROM_DIE, FROM_HOST) for kind, spelling in table.values()}
_HEAD = re.compile("([0-9A-F]{2}),([A-Z]{1,8})(?:,(.*))?", re.DOTALL)


def decode_from_die(body: str) -> Message:
    """The message that the die sent; raises ProtocolError and nothing else."""
    return _decode(body, FROM_DIE)


def decode_from_host(body: str) -> Message:
    """The message that the host sent, as the die must read it; raises ProtocolError and nothing else."""
    return _decode(body, FROM_HOST)


def _decode(body: str, table: Table) -> Message:
    head = _HEAD.fullmatch(body)
    if not head:
        raise ProtocolError("DROP", body)
    seq, word, rest = int(head[1], 16), head[2], head[3]
    if word not in table:
        raise ProtocolError("UNKNOWN", body)
    kind, spelling = table[word]
    texts = rest.split(",") if rest is not None else []
    try:
        if word == "HELLO" and texts and (version := U8.parse(texts[0])) != VERSION:
            return OtherVersion(seq, version)
        message = kind(seq, *parse_fields(texts, spelling))
    except ValueError as error:
        raise ProtocolError("ARG", body) from error
    if isinstance(message, Rolled | Fault) and not message.is_consistent():
        raise ProtocolError("ARG", body)
    return message


def parse_fields(texts: Sequence[str], spelling: Sequence[Field]) -> list[Any]:
    """The values of these fields, or ValueError. The last field may take a list."""
    if spelling and spelling[-1].most > 1:
        one_each, many = spelling[:-1], spelling[-1]
        rest = texts[len(one_each) :]
        if not many.least <= len(rest) <= many.most:
            raise ValueError("wrong number of fields")
        values = parse_fields(texts[: len(one_each)], one_each)
        return [*values, tuple(many.parse(text) for text in rest)]
    if len(texts) != len(spelling):
        raise ValueError("wrong number of fields")
    return [field.parse(text) for field, text in zip(spelling, texts, strict=True)]


def encode_body(message: Message) -> str:
    """`SS,TYPE[,field]…` of a message."""
    parts = [f"{message.seq:02X}", message.TYPE]
    names = [f.name for f in fields(message)][1:]
    for name, field in zip(names, _SPELLING[type(message)], strict=True):
        value = getattr(message, name)
        parts.extend(map(field.write, value) if field.most > 1 else [field.write(value)])
    return ",".join(parts)


def encode(message: Message) -> bytes:
    """The whole frame of a message."""
    return frame(encode_body(message))


# --- the answers that carry values (section 5) ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Status:
    """What STAT tells about the die."""

    uptime: int
    crc_errors: int
    format_errors: int
    overruns: int
    framing_errors: int
    rolled_alone: int
    queued: int
    health: str
    stack_free: int
    reset_cause: int

    SPELLING: ClassVar[tuple[Field, ...]] = (U32, U16, U16, U16, U16, U16, U8, _words(*HEALTH), U16, HEX2)

    @classmethod
    def parse(cls, args: Sequence[str]) -> Status:
        """From the fields of the OK; ValueError if they are not a status."""
        return cls(*parse_fields(args, cls.SPELLING))

    def args(self) -> tuple[str, ...]:
        return tuple(field.write(getattr(self, f.name))
                     for f, field in zip(fields(self), self.SPELLING, strict=True))


def parse_commitment(args: Sequence[str]) -> tuple[int, bytes]:
    """(roll number, commitment) from the OK that answers COMMIT; ValueError if it is not one."""
    number, commitment = parse_fields(args, (U32, HEX32))
    return number, commitment
