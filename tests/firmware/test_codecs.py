"""The firmware's codec, compiled for this machine, against the specification's vectors and against the Python codec."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.dice import protocol
from companion.dice.protocol import (
    Button,
    DieHeartbeat,
    DieHello,
    Err,
    Fault,
    Ok,
    Revealed,
    Rolled,
    encode_body,
)
from tests.firmware.codec_agreement import agree_on_body, agree_on_stream, inputs, said_in_c
from tests.firmware.portable import Event, Hello, Receiver, Status, c_body, c_frame, c_receive, library

pytestmark = pytest.mark.usefixtures("toolchain")
VECTORS = Path(__file__).resolve().parents[2] / "firmware" / "vectors"
BODY_MAX = 80


def vectors(name: str) -> Iterator[list[str]]:
    for line in (VECTORS / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split(" ")


def unhex(text: str) -> bytes:
    return b"" if text == "-" else bytes.fromhex(text)


def test_the_firmware_computes_every_crc_of_the_vectors() -> None:
    for body, crc in vectors("crc.txt"):
        value = 0xFFFF
        for byte in unhex(body):
            value = library().frame_crc(value, byte)
        assert f"{value:04X}" == crc


def test_the_firmware_reads_every_stream_of_the_vectors_and_counts_the_same() -> None:
    for stream, crc, wrong, too_long, count, *bodies in vectors("frames.txt"):
        receiver = Receiver()
        delivered = c_receive(receiver, unhex(stream))
        assert delivered == [unhex(body).decode() for body in bodies]
        assert len(delivered) == int(count)
        assert (receiver.crc_errors, receiver.format_errors, receiver.long_errors) == (
            int(crc), int(wrong), int(too_long))


def test_the_firmware_judges_every_body_of_the_vectors() -> None:
    seen = set()
    for body, verdict, word, framed in vectors("from_host.txt"):
        said = said_in_c(unhex(body))
        assert said[0] == verdict, unhex(body)
        assert verdict != "OK" or said[1] == word
        assert c_frame(unhex(body)) == unhex(framed)
        seen.add(verdict)
    assert seen == {"OK", "DROP", "UNKNOWN", "ARG"}


def test_both_codecs_agree_on_ten_thousand_near_misses() -> None:
    assert sum(1 for _ in inputs(seed=20, count=10_000)) == 10_000


@settings(max_examples=500, deadline=None)
@given(st.binary(max_size=200))
def test_both_receivers_agree_on_any_bytes(data: bytes) -> None:
    agree_on_stream(data)


@settings(max_examples=500, deadline=None)
@given(st.text(alphabet=[chr(code) for code in range(0x20, 0x7F)], max_size=90))
def test_both_sides_agree_on_any_printable_body(body: str) -> None:
    agree_on_body(body)


def test_a_receiver_that_never_counted_would_be_noticed() -> None:
    """The comparison itself can fail: a stream that C has read with one byte more is not the same."""
    receiver = Receiver()
    c_receive(receiver, b"$")
    assert c_receive(receiver, b"00,HB*2E4F\n") != protocol.Framer().feed(b"00,HB*2E4F\n")


# --- what the die says

U8, U16, U32 = st.integers(0, 255), st.integers(0, 65_535), st.integers(0, 2**32 - 1)
LARGEST = 2**32 - 1


@settings(max_examples=300, deadline=None)
@given(U8, U16, U32, U32, st.sampled_from("ABH"), st.integers(2, 100), st.booleans(), st.data())
def test_a_roll_is_spelled_as_the_python_codec_spells_it(
    ss: int, boot: int, number: int, at: int, cause: str, sides: int, nonce: bool, data: st.DataObject
) -> None:
    faces = data.draw(st.lists(st.integers(1, sides), min_size=1, max_size=5))
    event = Event(type=0, ss=ss, at=at, number=number, button=cause.encode(), what=sides, count=len(faces),
                  nonce_used=nonce)
    event.bytes[: len(faces)] = faces
    body = c_body("report_event", boot, ctypes.byref(event))
    assert body == encode_body(Rolled(ss, boot, number, at, cause, sides, nonce, tuple(faces)))


@settings(max_examples=200, deadline=None)
@given(U8, U16, U32, U32, st.binary(min_size=16, max_size=16), st.sampled_from("ABC"), st.booleans())
def test_the_other_events_are_spelled_as_the_python_codec_spells_them(
    ss: int, boot: int, number: int, at: int, secret: bytes, button: str, down: bool
) -> None:
    reveal = Event(type=1, ss=ss, number=number)
    reveal.bytes[:] = list(secret)
    assert c_body("report_event", boot, ctypes.byref(reveal)) == encode_body(Revealed(ss, boot, number, secret))
    pressed = Event(type=2, ss=ss, at=at, button=button.encode(), what=down)
    assert c_body("report_event", boot, ctypes.byref(pressed)) == encode_body(
        Button(ss, boot, at, button, "D" if down else "U"))
    for what, code in enumerate(("STUCK", "FREED")):
        fault = Event(type=3, ss=ss, at=at, button=button.encode(), what=what)
        assert c_body("report_event", boot, ctypes.byref(fault)) == encode_body(Fault(ss, boot, at, code, button))
    for health, word in enumerate(("START", "RCT", "APT"), 1):
        fault = Event(type=3, ss=ss, at=at, what=2, health=health)
        assert c_body("report_event", boot, ctypes.byref(fault)) == encode_body(Fault(ss, boot, at, "ENTROPY", word))


@settings(max_examples=200, deadline=None)
@given(st.binary(min_size=4, max_size=4), U16, U32, U8, U8, U8)
def test_hello_heartbeat_and_answers_are_spelled_as_the_python_codec_spells_them(
    device: bytes, boot: int, uptime: int, next_ss: int, heard: int, ss: int
) -> None:
    hello = Hello(boot=boot, uptime=uptime, next_ss=next_ss, heard=heard)
    hello.id[:] = list(device)
    assert c_body("report_hello", ctypes.byref(hello)) == encode_body(
        DieHello(0, 1, "1.0.0", device.hex().upper(), boot, uptime, next_ss, heard))
    assert c_body("report_heartbeat", boot, uptime) == encode_body(DieHeartbeat(0, boot, uptime))
    assert c_body("report_ok", ss) == encode_body(Ok(ss))
    for index, reason in enumerate(protocol.ERRORS):
        assert c_body("report_refusal", ss, index) == encode_body(Err(ss, reason))


@settings(max_examples=200, deadline=None)
@given(U8, U32, st.lists(U16, min_size=6, max_size=6), U8, st.integers(0, 3), U8)
def test_the_status_is_spelled_as_the_python_codec_spells_it(
    ss: int, uptime: int, counters: list[int], queued: int, health: int, cause: int
) -> None:
    *errors, stack = counters
    status = Status(uptime=uptime, queued=queued, health=health, stack_free=stack, reset_cause=cause)
    status.crc_errors, status.format_errors, status.overruns, status.framing_errors, status.alone = errors
    spelled = protocol.Status(uptime, *errors, queued, protocol.HEALTH[health], stack, cause).args()
    assert c_body("report_status", ss, ctypes.byref(status)) == encode_body(Ok(ss, spelled))


def test_no_body_of_the_die_is_longer_than_a_body_may_be() -> None:
    roll = Event(type=0, ss=255, at=LARGEST, number=LARGEST, button=b"A", what=100, count=5, nonce_used=1)
    roll.bytes[:5] = [100] * 5
    status = Status(uptime=LARGEST, queued=255, health=1, stack_free=65_535, reset_cause=255)
    for name in ("crc_errors", "format_errors", "overruns", "framing_errors", "alone"):
        setattr(status, name, 65_535)
    longest = [
        c_body("report_event", 65_535, ctypes.byref(roll)),
        c_body("report_event", 65_535, ctypes.byref(Event(type=1, ss=255, number=LARGEST))),
        c_body("report_status", 255, ctypes.byref(status)),
        c_body("report_hello", ctypes.byref(Hello(boot=65_535, uptime=LARGEST, next_ss=255, heard=255))),
        c_body("report_commitment", 255, LARGEST, bytes(16)),
    ]
    assert max(map(len, longest)) <= BODY_MAX
    assert all(c_frame(body.encode()) for body in longest)
