"""Chips: white ones, red ones worth five of them, blue ones worth ten (FM-07).

Payments are exact. Whoever has no small chips changes a large one with the bank (FM-12) or, when the bank has run dry, with
somebody at the table. Somebody always can: of 100 white and 50 red chips six purses at most share, one holds enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Purse(NamedTuple):
    """A number of chips of each colour."""

    white: int = 0
    red: int = 0
    blue: int = 0

    @property
    def value(self) -> int:
        return self.white + 5 * self.red + 10 * self.blue

    @property
    def chips(self) -> int:
        return sum(self)

    def plus(self, other: Purse) -> Purse:
        return Purse(self.white + other.white, self.red + other.red, self.blue + other.blue)

    def minus(self, other: Purse) -> Purse:
        return Purse(self.white - other.white, self.red - other.red, self.blue - other.blue)

    def shared(self, players: int) -> Purse:
        return Purse(self.white // players, self.red // players, self.blue // players)

    def smallest(self, count: int) -> Purse:
        """That many chips, the least valuable first."""
        white = min(self.white, count)
        red = min(self.red, count - white)
        return Purse(white, red, min(self.blue, count - white - red))

    def exactly(self, value: int) -> Purse | None:
        """Chips of exactly this value, large ones first; None if a chip must be changed before."""
        blue = min(self.blue, value // 10)
        red = min(self.red, (value - 10 * blue) // 5)
        white = value - 10 * blue - 5 * red
        return Purse(white, red, blue) if white <= self.white else None


Purses = Mapping[str, Purse]
RED, BLUE = Purse(red=1), Purse(blue=1)
FIVE_WHITE, TWO_RED = Purse(white=5), Purse(red=2)


class Paid(NamedTuple):
    """The purses after a payment, the chips that were handed over, and how often somebody had to change one."""

    purses: dict[str, Purse]
    handed: Purse
    changed: int


def pay(purses: Purses, payer: str, payee: str, amount: int, *, in_chips: bool) -> Paid:
    """Pay a value, or a number of chips of whatever colour (FM-A16). Purses are asked for change in the order given."""
    after, changed = dict(purses), 0
    handed = after[payer].smallest(amount) if in_chips else after[payer].exactly(amount)
    while handed is None:
        change_one(after, payer)
        changed += 1
        handed = after[payer].exactly(amount)
    after[payer] = after[payer].minus(handed)
    after[payee] = after[payee].plus(handed)
    return Paid(after, handed, changed)


def change_one(purses: dict[str, Purse], payer: str) -> None:
    """Change one large chip of the payer: a red one, or else a blue one."""
    large, small = (RED, FIVE_WHITE) if purses[payer].red else (BLUE, TWO_RED)
    changer = next(
        name for name, purse in purses.items() if name != payer and purse.white >= small.white and purse.red >= small.red
    )
    purses[payer] = purses[payer].minus(large).plus(small)
    purses[changer] = purses[changer].minus(small).plus(large)
