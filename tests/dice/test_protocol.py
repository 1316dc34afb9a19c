"""The wire protocol: what stands in firmware/PROTOCOL.md, sections 2 and 3."""

from __future__ import annotations

import contextlib
import importlib.util
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dice.protocol import (
    FROM_DIE,
    FROM_HOST,
    DieHello,
    Err,
    Framer,
    HostHello,
    Message,
    Ok,
    OtherVersion,
    ProtocolError,
    Rolled,
    Status,
    Table,
    crc16,
    decode_from_die,
    decode_from_host,
    encode,
    encode_body,
    frame,
    parse_commitment,
)

FIRMWARE = Path(__file__).parents[2] / "firmware"
VECTORS = FIRMWARE / "vectors"
ROLL = Rolled(0x2A, 17, 9, 48211, "A", 6, True, (3, 5))


def bare(text: str) -> bytes:
    return b"" if text == "-" else bytes.fromhex(text)


def rows(name: str) -> list[list[str]]:
    lines = (VECTORS / name).read_text().splitlines()
    return [line.split(" ") for line in lines if not line.startswith("#")]


def bit_by_bit_crc(data: bytes) -> int:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc


# --- frames


def test_the_crc_gives_the_published_check_value() -> None:
    assert crc16(b"123456789") == 0x29B1


@given(st.binary(max_size=100))
def test_the_crc_is_the_polynomial_of_the_specification(data: bytes) -> None:
    assert crc16(data) == bit_by_bit_crc(data)


def test_a_frame_reads_as_the_specification_shows_it() -> None:
    shown = re.findall(r"^.*(\$\S+\*[0-9A-F]{4})$", (FIRMWARE / "PROTOCOL.md").read_text(), re.MULTILINE)
    assert shown == [encode(ROLL).decode().rstrip("\n")]


BODIES = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters="$*"), max_size=80)


@given(BODIES)
def test_every_body_survives_whole_and_byte_by_byte_with_rubbish_around(body: str) -> None:
    data = b"rubbish\r\n" + frame(body) + b"\x00behind"
    assert Framer().feed(data) == [body]
    slow = Framer()
    assert [found for byte in data for found in slow.feed(bytes([byte]))] == [body]
    assert (slow.good, slow.crc_errors, slow.format_errors, slow.long_errors) == (1, 0, 0, 0)


def test_a_dollar_always_starts_afresh_and_the_broken_frame_is_counted() -> None:
    whole = frame("00,HB")
    for cut in range(1, len(whole)):
        framer = Framer()
        assert framer.feed(whole[:cut] + whole) == ["00,HB"]
        assert framer.format_errors == 1


@given(BODIES, st.data())
def test_no_single_flipped_bit_is_accepted(body: str, data: st.DataObject) -> None:
    whole = bytearray(frame(body))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    assert body not in Framer().feed(bytes(whole))


@pytest.mark.parametrize("ending", [b"\r\n", b"\r", b" \n", b"\n"])
def test_a_frame_ends_in_a_newline_and_nothing_else(ending: bytes) -> None:
    whole = frame("00,HB")[:-1] + ending
    assert bool(Framer().feed(whole)) is (ending == b"\n")


def test_lower_case_crc_is_refused() -> None:
    framer = Framer()
    assert framer.feed(frame("00,HB").lower().replace(b"hb", b"HB")) == []
    assert framer.format_errors == 1


def test_a_body_of_81_is_refused_and_the_next_frame_read() -> None:
    framer = Framer()
    body = b"A" * 81
    assert framer.feed(b"$%b*%04X\n" % (body, crc16(body)) + frame("00,HB")) == ["00,HB"]
    assert (framer.long_errors, framer.format_errors) == (1, 0)


@pytest.mark.parametrize("body", ["a$b", "a*b", "a\nb", "\x7f", "A" * 81])
def test_no_frame_is_made_that_a_receiver_would_refuse(body: str) -> None:
    with pytest.raises(ValueError):
        frame(body)


def test_counters_stop_instead_of_wrapping() -> None:
    framer = Framer()
    framer.feed(b"$\n" * 70_000)
    assert framer.format_errors == 65_535


def test_a_reset_forgets_the_half_read_frame_but_not_the_counters() -> None:
    framer = Framer()
    framer.feed(b"$\n" + frame("00,HB")[:-3])
    framer.reset()
    assert framer.feed(frame("00,HB")[-3:]) == []
    assert framer.format_errors == 1


# --- messages


def messages(table: Table) -> st.SearchStrategy[Message]:
    """Any message of a table that is well-formed, made from its own spelling."""

    def texts(word: str) -> st.SearchStrategy[str]:
        parts = []
        for field in table[word][1]:
            value = st.from_regex(field.pattern, fullmatch=True)
            if field.high:
                value = st.integers(field.low, field.high).map(str)
            many = st.lists(value, min_size=field.least, max_size=field.most).map(",".join)
            parts.append(many)
        joined = st.tuples(*parts).map(lambda values: "".join("," + value for value in values if value))
        return st.tuples(st.integers(0, 255), joined).map(lambda t: f"{t[0]:02X},{word}{t[1]}")

    def decoded(body: str) -> Message | None:
        try:
            return (decode_from_die if table is FROM_DIE else decode_from_host)(body)
        except ProtocolError:  # only those that contradict themselves, such as a seven on a six-sided die
            assert ",ROLL," in body or ",FAULT," in body
            return None

    bodies = st.sampled_from(sorted(table)).flatmap(texts).filter(lambda body: len(body) <= 80)
    return bodies.map(decoded).filter(lambda message: message is not None and type(message) is not OtherVersion)


@given(messages(FROM_DIE))
def test_every_message_of_the_die_survives_the_wire(message: Message) -> None:
    assert [decode_from_die(body) for body in Framer().feed(encode(message))] == [message]


@given(messages(FROM_HOST))
def test_every_message_of_the_host_survives_the_wire(message: Message) -> None:
    assert [decode_from_host(body) for body in Framer().feed(encode(message))] == [message]


@given(st.one_of(st.text(max_size=90), BODIES))
def test_a_hostile_body_raises_nothing_but_its_own_error(body: str) -> None:
    for decode in (decode_from_die, decode_from_host):
        with contextlib.suppress(ProtocolError):
            assert isinstance(decode(body), Message)


@given(st.sampled_from(rows("from_die.txt") + rows("from_host.txt")), st.data())
def test_a_nearly_right_body_is_read_exactly_or_refused(row: list[str], data: st.DataObject) -> None:
    """One character changed: either refused, or the message says exactly what stands in the body."""
    text = list(bare(row[0]).decode() or "0")
    place = data.draw(st.integers(0, len(text) - 1))
    text[place] = data.draw(st.sampled_from("0123456789ABCDEFabc ,-+.²٣"))
    for decode in (decode_from_die, decode_from_host):
        try:
            message = decode("".join(text))
        except ProtocolError:
            continue
        assert isinstance(message, OtherVersion) or encode_body(message) == "".join(text)


def test_a_roll_carries_its_whole_story() -> None:
    assert encode_body(ROLL) == "2A,ROLL,17,9,48211,A,6,1,3,5"
    assert decode_from_die("2A,ROLL,17,9,48211,A,6,1,3,5") == ROLL


@pytest.mark.parametrize("faces", ["7", "0", "", "1,1,1,1,1,1"])
def test_a_roll_that_contradicts_itself_is_refused(faces: str) -> None:
    with pytest.raises(ProtocolError):
        decode_from_die(f"2A,ROLL,17,9,48211,A,6,1,{faces}")


def test_another_version_is_recognised_whatever_follows() -> None:
    assert decode_from_die("00,HELLO,2,new,things, ,") == OtherVersion(0, 2)
    assert decode_from_host("00,HELLO,9") == OtherVersion(0, 9)
    assert decode_from_host("00,HELLO,1") == HostHello(0, 1)


def test_the_longest_messages_fit_into_a_body() -> None:
    hello = DieHello(0, 255, "X" * 12, "F" * 8, 65535, 2**32 - 1, 255, 255)
    roll = Rolled(255, 65535, 2**32 - 1, 2**32 - 1, "H", 100, True, (100,) * 5)
    status = Status(2**32 - 1, 65535, 65535, 65535, 65535, 65535, 255, "START", 65535, 255)
    for message in (hello, roll, Ok(255, status.args()), Err(255, "UNKNOWN")):
        assert Framer().feed(encode(message))


def test_a_status_reads_back_what_it_wrote() -> None:
    status = Status(1000, 1, 2, 3, 4, 5, 6, "RCT", 812, 8)
    assert Status.parse(status.args()) == status


@pytest.mark.parametrize("args", [(), ("1",), ("1", "zz"), ("x",) * 10])
def test_a_wrong_answer_is_no_status_and_no_commitment(args: tuple[str, ...]) -> None:
    for parse in (Status.parse, parse_commitment):
        with pytest.raises(ValueError):
            parse(args)


# --- vectors, which the firmware's tests read too


def test_the_vectors_are_what_their_script_writes() -> None:
    spec = importlib.util.spec_from_file_location("generate", VECTORS / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert {path.name: path.read_text() for path in VECTORS.glob("*.txt")} == module.files()


def test_the_frame_vectors_hold() -> None:
    for stream, crc_errors, format_errors, long_errors, count, *bodies in rows("frames.txt"):
        framer = Framer()
        assert framer.feed(bare(stream)) == [bare(body).decode() for body in bodies]
        counted = (framer.crc_errors, framer.format_errors, framer.long_errors, framer.good)
        assert counted == (int(crc_errors), int(format_errors), int(long_errors), int(count))


@pytest.mark.parametrize(("name", "table"), [("from_host.txt", FROM_HOST), ("from_die.txt", FROM_DIE)])
def test_the_body_vectors_hold_and_show_every_type_accepted_and_refused(name: str, table: Table) -> None:
    decode = decode_from_host if table is FROM_HOST else decode_from_die
    accepted, refused = set(), set()
    for body, verdict, word, whole in rows(name):
        text = bare(body).decode()
        assert frame(text) == bare(whole)
        if verdict == "OK":
            message = decode(text)
            assert word == message.TYPE
            accepted.add(word)
            continue
        with pytest.raises(ProtocolError) as caught:
            decode(text)
        assert caught.value.reason == verdict
        refused |= {word for word in table if f",{word}" in text}
    assert accepted == refused == set(table)


def test_the_crc_vectors_hold() -> None:
    assert all(bit_by_bit_crc(bare(body)) == int(crc, 16) for body, crc in rows("crc.txt"))
