"""The host's memory for commit and reveal (`firmware/PROTOCOL.md`, section 7): what was promised, and was it kept?

One `Witness` for each connection to a die. It decides what to ask for next (`wants`), takes the die's answers, and
gives a verdict on every revealed roll. No I/O.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from companion.dice.proof import NONCE_BYTES, is_proven
from companion.dice.protocol import AskCommitment, GiveNonce, Message, Revealed, Rolled

KEPT = 16  # promises and rolls remembered; the die's own queue is shorter


@dataclass
class Promise:
    """A commitment that the die gave, and the one nonce that we answered it with."""

    commitment: bytes
    nonce: bytes
    is_taken: bool = False  # the die said OK to the nonce
    is_rolled: bool = False

    @property
    def is_open(self) -> bool:
        return self.is_taken and not self.is_rolled


@dataclass(frozen=True)
class Verdict:
    word: str
    commitment: bytes = b""
    nonce: bytes = b""
    secret: bytes = b""


class Witness:
    """What one die has promised in one boot."""

    def __init__(self, draw: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._draw = draw
        self._promises: dict[int, Promise] = {}
        self._rolls: dict[int, Rolled] = {}
        self._current: int | None = None  # the roll that the die will make next, once it has told

    def wants(self) -> Message | None:
        """The command that brings the next roll nearer to being witnessed (its number is filled in later)."""
        if self._current is None:
            return AskCommitment(0)
        promise = self._promises[self._current]
        return None if promise.is_taken else GiveNonce(0, self._current, promise.nonce)

    def ask_again(self) -> None:
        """The link was made anew: let the die tell where it stands."""
        self._current = None

    def has_open_promise(self) -> bool:
        """The die is bound to a roll that it has not made yet."""
        return bool(self._promises) and next(reversed(self._promises.values())).is_open

    def committed(self, number: int, commitment: bytes) -> None:
        """The die told the commitment of roll `number`."""
        if number not in self._promises:  # the first word counts: a die that changes it will be found out
            self._promises[number] = Promise(commitment, self._draw(NONCE_BYTES))
        self._current = number
        _keep_newest(self._promises)

    def nonce_taken(self, number: int) -> None:
        if number in self._promises:
            self._promises[number].is_taken = True

    def rolled(self, roll: Rolled) -> Verdict | None:
        """A roll arrived. A verdict now only if the die left out a nonce that it had taken."""
        self._current = None
        promise = self._promises.get(roll.number)
        if promise is not None:
            promise.is_rolled = True
        if roll.nonce_used:
            self._rolls[roll.number] = roll
            _keep_newest(self._rolls)
        elif promise is not None and promise.is_taken:
            return Verdict("failed", promise.commitment, promise.nonce)
        return None

    def revealed(self, message: Revealed) -> Verdict:
        promise, roll = self._promises.get(message.number), self._rolls.get(message.number)
        if promise is None or roll is None:
            return Verdict("unwitnessed", secret=message.secret)
        kept = is_proven(promise.commitment, message.secret, promise.nonce, roll.sides, roll.faces)
        return Verdict("proven" if kept else "failed", promise.commitment, promise.nonce, message.secret)


def _keep_newest(records: dict[int, Promise] | dict[int, Rolled]) -> None:
    while len(records) > KEPT:
        del records[next(iter(records))]
