"""Commit and reveal: firmware/PROTOCOL.md, section 7."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from companion.dice.proof import NO_NONCE, commitment, faces_of, is_proven, stream

VECTORS = Path(__file__).parents[2] / "firmware" / "vectors"
SECRET, NONCE = bytes(range(16)), bytes(range(100, 116))

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = """0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15  14 10 4 8 9 15 13 6 1 12 0 2 11 7 5 3
11 8 12 0 5 2 15 13 10 14 3 6 7 1 9 4  7 9 3 1 13 12 11 14 2 6 5 10 4 0 15 8
9 0 5 7 2 4 10 15 14 1 11 12 6 8 3 13  2 12 6 10 0 11 8 3 4 13 7 5 15 14 1 9
12 5 1 15 14 13 4 10 0 7 6 3 9 2 8 11  13 11 7 14 12 1 3 9 5 0 15 4 8 6 2 10
6 15 14 9 11 3 0 8 12 2 13 7 1 4 10 5  10 2 8 4 7 6 1 5 15 11 9 14 3 12 13 0"""


def one_block_blake2s(data: bytes, size: int, person: bytes) -> bytes:
    """RFC 7693 for at most one block, as the die computes it: the recipe at the end of section 7."""
    mask = 0xFFFFFFFF
    person_words = [int.from_bytes(person[i : i + 4], "little") for i in (0, 4)]
    h = list(IV)
    h[0] ^= 0x01010000 ^ size
    h[6] ^= person_words[0]
    h[7] ^= person_words[1]
    m = [int.from_bytes(data.ljust(64, b"\0")[4 * i : 4 * i + 4], "little") for i in range(16)]
    v = [*h, *IV]
    v[12] ^= len(data)
    v[14] ^= mask

    def turn(x: int, n: int) -> int:
        return (x >> n | x << (32 - n)) & mask

    def mix(a: int, b: int, c: int, d: int, x: int, y: int) -> None:
        for word, first, second in ((x, 16, 12), (y, 8, 7)):
            v[a] = v[a] + v[b] + word & mask
            v[d] = turn(v[d] ^ v[a], first)
            v[c] = v[c] + v[d] & mask
            v[b] = turn(v[b] ^ v[c], second)

    order = list(map(int, ORDER.split()))
    lanes = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
             (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))  # fmt: skip
    for turn_number in range(10):
        s = order[16 * turn_number : 16 * turn_number + 16]
        for i, lane in enumerate(lanes):
            mix(*lane, m[s[2 * i]], m[s[2 * i + 1]])
    return b"".join((h[i] ^ v[i] ^ v[i + 8]).to_bytes(4, "little") for i in range(8))[:size]


def test_the_recipe_for_the_die_gives_the_published_hash_of_abc() -> None:
    expected = "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"  # RFC 7693, appendix B
    assert one_block_blake2s(b"abc", 32, bytes(8)).hex() == expected


def test_the_recipe_for_the_die_gives_what_the_host_checks() -> None:
    assert commitment(SECRET) == one_block_blake2s(SECRET, 16, b"TTcommit")
    assert stream(SECRET, NONCE) == one_block_blake2s(SECRET + NONCE, 32, b"TTCfaces")


def test_the_faces_follow_from_the_stream_byte_by_byte() -> None:
    expected = []
    for byte in stream(SECRET, NONCE):
        if byte < 252:
            expected.append(byte % 6 + 1)
    assert faces_of(SECRET, NONCE, 6, 5) == tuple(expected[:5])


def test_a_true_roll_is_proven_and_every_change_of_it_is_not() -> None:
    committed, faces = commitment(SECRET), faces_of(SECRET, NONCE, 6, 2)
    assert faces
    assert is_proven(committed, SECRET, NONCE, 6, faces)
    other = bytes(16)
    assert not is_proven(other, SECRET, NONCE, 6, faces)
    assert not is_proven(committed, other, NONCE, 6, faces)
    assert not is_proven(committed, SECRET, NO_NONCE, 6, faces)
    assert not is_proven(committed, SECRET, NONCE, 6, (faces[0] % 6 + 1, faces[1]))


@pytest.mark.parametrize("sides", [2, 3, 6, 20, 86, 100])
def test_every_face_is_equally_likely(sides: int) -> None:
    rng = random.Random(sides)
    counts: Counter[int] = Counter()
    for _ in range(6000):
        counts.update(faces_of(rng.randbytes(16), NONCE, sides, 5) or ())
    expected = counts.total() / sides
    chi_square = sum((counts[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    assert set(counts) == set(range(1, sides + 1))
    assert chi_square < sides - 1 + 5 * (2 * (sides - 1)) ** 0.5


def test_a_stream_that_runs_out_is_no_roll() -> None:
    assert faces_of(SECRET, NONCE, 6, 33) is None


@pytest.mark.parametrize("sides", [-1, 0, 1, 101])
def test_a_die_of_impossible_sides_is_refused(sides: int) -> None:
    with pytest.raises(ValueError, match="2 to 100"):
        faces_of(SECRET, NONCE, sides, 1)


def test_the_roll_vectors_hold() -> None:
    for line in (VECTORS / "rolls.txt").read_text().splitlines()[1:]:
        secret, nonce, sides, count, committed, bytes_taken, *faces = line.split(" ")
        key, given = bytes.fromhex(secret), bytes.fromhex(nonce)
        assert commitment(key).hex().upper() == committed
        assert stream(key, given).hex().upper() == bytes_taken
        assert faces_of(key, given, int(sides), int(count)) == tuple(map(int, faces))
