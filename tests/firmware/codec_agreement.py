"""The C codec against the Python codec on the same input: used by the tests and, with a million inputs, by the soak."""

from __future__ import annotations

import random
from collections.abc import Iterator

from companion.dice.protocol import (
    Ack,
    AskRoll,
    Framer,
    GiveNonce,
    HostHello,
    Message,
    OtherVersion,
    ProtocolError,
    SetDue,
    SetLight,
    decode_from_host,
    encode_body,
    frame,
)
from tests.firmware.portable import Receiver, c_command, c_frame, c_receive

VERDICTS = ("OK", "DROP", "UNKNOWN", "ARG")
TYPES = ("HELLO", "HB", "ACK", "DUE", "LED", "ROLL", "COMMIT", "NONCE", "STAT")
LIGHTS = ("OFF", "TURN", "THINK", "SEARCH")


def agree_on_stream(data: bytes) -> None:
    """Both receivers deliver the same bodies and count the same errors, for one stream of any bytes."""
    ours, theirs = Framer(), Receiver()
    bodies = ours.feed(data)
    assert c_receive(theirs, data) == bodies, data
    assert (theirs.crc_errors, theirs.format_errors, theirs.long_errors) == (
        ours.crc_errors, ours.format_errors, ours.long_errors), data


def agree_on_body(body: str) -> None:
    """Both frame it alike, and both make the same of it as a command."""
    data = body.encode("latin-1")
    try:
        framed = frame(body)
    except (ValueError, UnicodeEncodeError):
        framed = b""
    assert c_frame(data) == framed, body
    if not framed:
        return  # such a body never comes out of a receiver
    assert said_in_c(data) == said_in_python(body), body


def said_in_python(body: str) -> tuple[object, ...]:
    try:
        message = decode_from_host(body)
    except ProtocolError as error:
        return (error.reason,)
    return ("OK", message.TYPE, message.seq, *_values(message))


def _values(message: Message) -> tuple[object, ...]:
    match message:
        case HostHello(version=version) | OtherVersion(version=version):
            return (version,)
        case Ack(boot=boot):
            return (boot,)
        case SetDue(count=count):
            return (count,)
        case SetLight(state=state):
            return (LIGHTS.index(state),)
        case AskRoll(count=count, sides=sides):
            return (count, sides)
        case GiveNonce(number=number, nonce=nonce):
            return (number, nonce)
        case _:
            return ()


def said_in_c(body: bytes) -> tuple[object, ...]:
    command = c_command(body)
    verdict = VERDICTS[command.verdict]
    if verdict != "OK":
        return (verdict,)
    word = TYPES[command.type]
    values: tuple[object, ...] = ()
    if word in ("HELLO", "ACK", "DUE", "LED"):
        values = (command.number,)
    elif word == "ROLL":
        values = (command.number, command.sides)
    elif word == "NONCE":
        values = (command.number, bytes(command.nonce))
    return ("OK", word, command.ss, *values)


# --- inputs that come near to being right, which is where codecs differ

_FIELDS = ("0", "1", "2", "3", "5", "6", "00", "01", "-1", "+1", "100", "101", "255", "256", "65535", "65536",
           "4294967295", "4294967296", "99999999999", "", " ", "1 ", "OFF", "TURN", "THINK", "SEARCH", "off", "A", "x",
           "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcdef", "F" * 31, "F" * 33)
_HEADS = ("00", "01", "FF", "7a", "7A", "0", "000", "", "G0", " 1")
_TYPES = (*TYPES, "OK", "ERR", "HELL", "HELLOO", "LONGTYPE", "LONGTYPES", "", "Hb", "A1", "h")


def random_body(rng: random.Random) -> str:
    if rng.random() < 0.3:
        return encode_body(random_command(rng))
    if rng.random() < 0.2:
        letters = ((rng.randrange(1, 256), rng.randrange(0x20, 0x7F)) for _ in range(rng.randrange(90)))
        return "".join(chr(rng.choice(pair)) for pair in letters)  # NUL ends a string in C and is in no body
    fields = [rng.choice(_FIELDS) for _ in range(rng.choice((0, 0, 1, 1, 2, 2, 3)))]
    body = ",".join([rng.choice(_HEADS), rng.choice(_TYPES), *fields])
    if rng.random() < 0.2 and body:
        place = rng.randrange(len(body))
        body = body[:place] + chr(rng.randrange(0x20, 0x7F)) + body[place + rng.randrange(2):]
    return body


def random_command(rng: random.Random) -> Message:
    seq = rng.randrange(256)
    return rng.choice((
        HostHello(seq, 1), Ack(seq, rng.randrange(65536)), SetDue(seq, rng.randrange(3)),
        SetLight(seq, rng.choice(LIGHTS)), AskRoll(seq, rng.randint(1, 5), rng.randint(2, 100)),
        GiveNonce(seq, rng.randrange(2**32), rng.randbytes(16)),
    ))


def random_stream(rng: random.Random) -> bytes:
    """Frames and rubbish, then damaged as a line damages them."""
    parts = []
    for _ in range(rng.randrange(1, 5)):
        kind = rng.random()
        if kind < 0.6:
            parts.append(frame(encode_body(random_command(rng))))
        elif kind < 0.7:
            parts.append(frame("x" * rng.randrange(70, 81)))
        elif kind < 0.8:
            parts.append(b"$" + bytes(rng.choice(b"abc,*$\n\r0AF") for _ in range(rng.randrange(100))))
        else:
            parts.append(rng.randbytes(rng.randrange(40)))
    data = bytearray(b"".join(parts))
    for _ in range(rng.choice((0, 0, 1, 2, 5))):
        _damage(data, rng)
    return bytes(data)


def _damage(data: bytearray, rng: random.Random) -> None:
    if not data:
        return
    place = rng.randrange(len(data))
    kind = rng.randrange(4)
    if kind == 0:
        data[place] ^= 1 << rng.randrange(8)
    elif kind == 1:
        del data[place]
    elif kind == 2:
        data.insert(place, data[place])
    else:
        del data[place:place + rng.randrange(1, 20)]


def inputs(seed: int, count: int) -> Iterator[None]:
    """Compares that many inputs; yields after each, so that a caller can show how far it is."""
    rng = random.Random(seed)
    for _ in range(count):
        if rng.random() < 0.5:
            agree_on_stream(random_stream(rng))
        else:
            agree_on_body(random_body(rng))
        yield
