"""Writes the vectors that the C and the Python side both read: `python firmware/vectors/generate.py`.

The inputs are chosen by hand, and some by a seeded generator; the answers come from `companion.dice`. A test
checks that the files are what this script writes, and others check the answers against published values.
"""

from __future__ import annotations

import random
from pathlib import Path

from companion.dice import proof
from companion.dice.protocol import (
    FROM_DIE,
    FROM_HOST,
    Framer,
    ProtocolError,
    Table,
    crc16,
    decode_from_die,
    decode_from_host,
    frame,
)

HERE = Path(__file__).parent
KEY = "00112233445566778899AABBCCDDEEFF"


def _lines(text: str) -> list[str]:
    """One body a line; `<KEY>` stands for 32 digits, and a line's `|` only marks where a blank ends it."""
    return [line.replace("<KEY>", KEY).replace("<key>", KEY.lower()).rstrip("|") for line in text.split("\n")]


HOST_BODIES = ["", *_lines("""\
00,HELLO,1
00,HELLO,2
00,HELLO,2,more,%%
00,HELLO,2,
00,HELLO,0
7F,HELLO,1
00,HELLO,1,more
00,HELLO
00,HELLO,
00,HELLO,256
00,HELLO,01
00,HB
FF,HB
00,HB,
00,HB,1
05,ACK,0
05,ACK,65535
05,ACK,65536
05,ACK
05,ACK,-1
05,ACK,+1
05,ACK, 1
05,ACK,1,2
01,DUE,0
01,DUE,1
01,DUE,2
01,DUE,3
01,DUE,02
01,DUE,A
01,DUE,
01,DUE
01,DUE,1,1
01,LED,OFF
01,LED,TURN
01,LED,THINK
01,LED,SEARCH
01,LED,off
01,LED,
01,LED,OFFF
01,LED,OF
01,LED,TURN,OFF
01,LED
01,ROLL,1,6
01,ROLL,5,100
01,ROLL,0,6
01,ROLL,6,6
01,ROLL,1,1
01,ROLL,1,101
01,ROLL,1
01,ROLL,1,6,6
01,ROLL,1,4294967302
01,ROLL,257,6
01,ROLL,,6
01,COMMIT
01,COMMIT,1
01,COMMIT,
01,STAT
01,STAT,1
01,STATS
01,STA
01,BURST,9
01,NONCE,1,<KEY>
01,NONCE,0,<KEY>
01,NONCE,4294967295,<KEY>
01,NONCE,4294967296,<KEY>
01,NONCE,99999999999,<KEY>
01,NONCE,18446744073709551617,<KEY>
01,NONCE,1,<key>
01,NONCE,1,<KEY>0
01,NONCE,1,0123456789ABCDEF
01,NONCE,1
01,NONCE,<KEY>
01,NONCE,1,
01,NONCE,01,<KEY>
,
0
00
00,
0,HB
00HB
00,hb
0a,HB
G0,HB
00,HB1
00,ABCDEFGH
00,ABCDEFGHI
 00,HB
00 ,HB
00, HB
00,HB |
000,HB
00,,HB
00,H-B,1
01,OK
FF,ZZZZZZZZ,""")]

DIE_BODIES = ["", *_lines("""\
00,HELLO,1,1.0.0,7F3A09C2,17,1234,00,0
00,HELLO,1,1.0.0-rc+1,00000000,65535,4294967295,FF,1
00,HELLO,2,anything
00,HELLO,1
00,HELLO,1,1.0.0,7F3A09C2,17,1234,00
00,HELLO,1,a b,7F3A09C2,17,1234,00,0
00,HELLO,1,1.0.0,7f3a09c2,17,1234,00,0
00,HELLO,1,1.0.0,7F3A09C2,65536,1234,00,0
00,HELLO,1,1234567890123,7F3A09C2,17,1234,00,0
00,HELLO,1,,7F3A09C2,17,1234,00,0
00,HB,17,1000
00,HB,17
00,HB,17,1000,1
00,HB,17,4294967296
2A,ROLL,17,9,48211,A,6,1,3,5
00,ROLL,0,1,0,B,6,0,6
FF,ROLL,65535,4294967295,4294967295,H,100,1,1,2,3,4,100
2A,ROLL,17,9,48211,A,6,1,7
2A,ROLL,17,9,48211,A,6,1,0
2A,ROLL,17,9,48211,A,6,1
2A,ROLL,17,9,48211,A,1,1,1
2A,ROLL,17,9,48211,A,101,1,1
2A,ROLL,17,9,48211,C,6,1,1
2A,ROLL,17,9,48211,A,6,2,1
2A,ROLL,17,9,48211,A,6,1,1,1,1,1,1,1
2A,ROLL,17,9,48211,A,6,1,01
2B,REVEAL,17,9,<KEY>
2B,REVEAL,17,9,<key>
2B,REVEAL,17,9,<KEY>0
2B,REVEAL,17,9
03,BTN,17,99,C,D
03,BTN,17,99,C,U
03,BTN,17,99,D,D
03,BTN,17,99,A,X
03,BTN,17,99,A
04,FAULT,17,99,STUCK,A
04,FAULT,17,99,FREED,C
04,FAULT,17,99,ENTROPY,RCT
04,FAULT,17,99,ENTROPY,START
04,FAULT,17,99,ENTROPY,A
04,FAULT,17,99,STUCK,RCT
04,FAULT,17,99,ENTROPY,OK
04,FAULT,17,99,FIRE,A
05,OK
05,OK,10,<KEY>
05,OK,1000,0,0,0,0,0,0,OK,812,01
05,OK,
05,OK,a
05,OK,1,2,3,4,5,6,7,8,9,10,11,12
05,OK,1,2,3,4,5,6,7,8,9,10,11,12,13
05,OK,<KEY>0
05,ERR,ARG
05,ERR,UNKNOWN
05,ERR,HELLO
05,ERR,LATE
05,ERR,BUSY
05,ERR,ENTROPY
05,ERR
05,ERR,OOPS
05,ACK,17
05,NOPE
5,OK
05,ok""")]


def edge_streams() -> list[bytes]:
    """Every edge of the frame reader's state table."""
    good = frame("00,HB")
    over = b"A" * 81
    return [
        *(b"", good, good + good, good[:-1], good[:-1] + b"\r\n", good + b"\r\n", b"\x00\xff" + good, frame("")),
        *(frame("A" * 80), b"$%b*%04X\n" % (over, crc16(over)), b"$" + b"A" * 80 + b"\x80", b"$" + over + good),
        *(b"$" + good, b"$$$" + good, good[:4] + good, good[:-2] + good, good[:-1] + good, b"$00,HB*" + good),
        *(good.replace(b"*", b"*0"), good[:-5] + good[-5:].lower(), b"$00,HB*ZZZZ\n" + good, b"$00,HB*123\n"),
        *(b"$00,HB*12345\n", b"$00,HB*0000\n", b"$00,HB*0000\n" + good, b"$00,\x7fHB*", b"$00,\x1fHB"),
        *(b"$00,\nHB*" + good, b"$*FFFF\n", b"$**FFFF\n", b"*FFFF\n", b"\n\n", b"$a*b*1234\n", good[1:] + good),
        *(b"$00,HC" + good[6:], b"$ ~*%04X\n" % crc16(b" ~"), b"$00,HB\n" + good, good[:-1] + b"0\n"),
    ]


def damaged_streams(count: int = 60) -> list[bytes]:
    """Three frames in a row with a few bytes flipped, lost, doubled or put in."""
    rng = random.Random(1)
    streams = []
    for _ in range(count):
        data = bytearray(b"".join(frame(rng.choice(HOST_BODIES + DIE_BODIES)) for _ in range(3)))
        for _ in range(rng.randrange(1, 6)):
            place = rng.randrange(len(data))
            match rng.randrange(4):
                case 0:
                    data[place] ^= 1 << rng.randrange(8)
                case 1:
                    del data[place]
                case 2:
                    data.insert(place, data[place])
                case 3:
                    data[place:place] = bytes(rng.choice(b"$*\n0A,\x00\xff") for _ in range(4))
        streams.append(bytes(data))
    return streams


def hexed(data: bytes) -> str:
    return data.hex().upper() or "-"


def frame_line(data: bytes) -> str:
    framer = Framer()
    bodies = [hexed(body.encode()) for body in framer.feed(data)]
    counts = (framer.crc_errors, framer.format_errors, framer.long_errors, len(bodies))
    return " ".join([hexed(data), *map(str, counts), *bodies])


def body_line(body: str, table: Table) -> str:
    decode = decode_from_host if table is FROM_HOST else decode_from_die
    try:
        verdict = f"OK {decode(body).TYPE}"
    except ProtocolError as error:
        verdict = error.reason + " -"
    return f"{hexed(body.encode())} {verdict} {hexed(frame(body))}"


def roll_lines() -> list[str]:
    rng = random.Random(2)
    lines = []
    for sides, count in [(6, 1), (6, 2), (2, 5), (100, 5), (4, 1), (20, 3), (3, 2), (86, 5)] * 5:
        secret = rng.randbytes(proof.SECRET_BYTES)
        nonce = rng.choice([proof.NO_NONCE, rng.randbytes(proof.NONCE_BYTES)])
        columns = [hexed(secret), hexed(nonce), str(sides), str(count), hexed(proof.commitment(secret))]
        faces = proof.faces_of(secret, nonce, sides, count)
        assert faces is not None
        lines.append(" ".join([*columns, hexed(proof.stream(secret, nonce)), *map(str, faces)]))
    return lines


def crc_lines() -> list[str]:
    texts = [b"", b"123456789", b"A", b"00,HB", b"A" * 80]
    return [f"{hexed(text)} {crc16(text):04X}" for text in texts]


def files() -> dict[str, str]:
    """Each file's name and its text."""
    verdicts = "body, verdict (OK, DROP, UNKNOWN, ARG), type or -, the whole frame"
    contents = {
        "crc.txt": ("CRC-16/CCITT-FALSE: body, crc", crc_lines()),
        "frames.txt": (
            "the frame reader: stream, counters crc, format and long, how many bodies, each body",
            [frame_line(data) for data in edge_streams() + damaged_streams()],
        ),
        "from_host.txt": (
            f"what the die makes of a body: {verdicts}",
            [body_line(body, FROM_HOST) for body in HOST_BODIES],
        ),
        "from_die.txt": (
            f"what the host makes of a body: {verdicts}",
            [body_line(body, FROM_DIE) for body in DIE_BODIES],
        ),
        "rolls.txt": ("a roll: secret, nonce, sides, count, commitment, stream, each face", roll_lines()),
    }
    return {name: f"# {what}\n" + "\n".join(rows) + "\n" for name, (what, rows) in contents.items()}


if __name__ == "__main__":
    for name, text in files().items():
        (HERE / name).write_text(text, encoding="ascii")
