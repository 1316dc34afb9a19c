"""Commit and reveal: how the faces of a roll follow from the die's secret and the host's nonce.

`firmware/PROTOCOL.md`, section 7. Pure functions over bytes; anyone may check a roll with these few lines.
"""

from __future__ import annotations

import hashlib

SECRET_BYTES = NONCE_BYTES = COMMITMENT_BYTES = 16
NO_NONCE = bytes(NONCE_BYTES)


def commitment(secret: bytes) -> bytes:
    """What the die publishes before it knows the nonce."""
    return hashlib.blake2s(secret, digest_size=COMMITMENT_BYTES, person=b"TTcommit").digest()


def stream(secret: bytes, nonce: bytes) -> bytes:
    """The bytes from which the faces are taken, in order."""
    return hashlib.blake2s(secret + nonce, digest_size=32, person=b"TTCfaces").digest()


def faces_of(secret: bytes, nonce: bytes, sides: int, count: int) -> tuple[int, ...] | None:
    """The faces of a roll, every face equally likely; None if the stream runs out, when there is no roll."""
    if not 2 <= sides <= 100:
        raise ValueError(f"a die has 2 to 100 sides, not {sides}")
    limit = 256 - 256 % sides  # bytes from here on would make the low faces likelier
    faces = [byte % sides + 1 for byte in stream(secret, nonce) if byte < limit]
    return tuple(faces[:count]) if len(faces) >= count else None


def is_proven(committed: bytes, secret: bytes, nonce: bytes, sides: int, faces: tuple[int, ...]) -> bool:
    """Whether these faces follow from a secret that was fixed by `committed`."""
    return commitment(secret) == committed and faces_of(secret, nonce, sides, len(faces)) == faces
