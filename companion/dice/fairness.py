"""How fair has each die been so far? Exact counts, a chi-square test, and a verdict in plain words.

    tally = Tally(); tally.add("die:7F3A09C2", 6, (3, 5)); print(tally.report())

The verdict never accuses on few rolls: below twenty expected for each face it only counts. And since people look again and again,
and at several dice, "unfair" needs odds of one in ten thousand, not the usual one in twenty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

EXPECTED_EACH = 20  # rolls for each face before anything is said
UNEVEN, UNFAIR = 0.01, 0.0001


def chance_of_straying(statistic: float, faces: int) -> float:
    """How likely a fair die is to reach this chi-square or more: the upper tail with one degree of freedom less than faces."""
    return _upper_gamma((faces - 1) / 2, statistic / 2)


def _upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x), by its series below a + 1 and its continued fraction above."""
    if x <= 0:
        return 1.0
    scale = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:
        return max(0.0, 1.0 - scale * _lower_series(a, x))
    return scale * _upper_fraction(a, x)


def _lower_series(a: float, x: float) -> float:
    """sum of x^n / (a (a+1) … (a+n))"""
    term = total = 1 / a
    n = a
    while term > total * 1e-16:
        n += 1
        term *= x / n
        total += term
    return total


def _upper_fraction(a: float, x: float) -> float:
    """1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- …))), built up from the front (Lentz)."""
    b = x + 1 - a
    c, d = math.inf, 1 / b
    value = d
    for n in range(1, 10_000):
        factor = n * (a - n)
        b += 2
        d = 1 / (b + factor * d)
        c = b + factor / c
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


@dataclass(frozen=True)
class Fairness:
    """What can be said about one die. `counts[0]` is how often the one came."""

    counts: tuple[int, ...]

    @property
    def sides(self) -> int:
        return len(self.counts)

    @property
    def rolls(self) -> int:
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """How often each face should have come."""
        return self.rolls / self.sides

    @property
    def chi_square(self) -> float:
        return sum((count - self.expected) ** 2 for count in self.counts) / self.expected if self.rolls else 0.0

    @property
    def chance(self) -> float:
        """How likely a fair die strays this far or further."""
        return chance_of_straying(self.chi_square, self.sides)

    @property
    def verdict(self) -> str:
        """few, fair, uneven or unfair"""
        if self.rolls < self.needed:
            return "few"
        if self.chance >= UNEVEN:
            return "fair"
        return "uneven" if self.chance >= UNFAIR else "unfair"

    @property
    def needed(self) -> int:
        return EXPECTED_EACH * self.sides

    def __str__(self) -> str:
        odds = _odds(self.chance)
        return {
            "few": f"Too few rolls to judge: {self.rolls} of the {self.needed} that are needed.",
            "fair": f"Looks fair: a fair die strays this far {odds}.",
            "uneven": f"A little uneven: a fair die strays this far only {odds}. It may be chance; go on counting.",
            "unfair": f"Does not look fair: a fair die strays this far {odds}. {self._strangest()}",
        }[self.verdict]

    def _strangest(self) -> str:
        face = max(range(self.sides), key=lambda index: abs(self.counts[index] - self.expected))
        times = "once" if self.counts[face] == 1 else f"{self.counts[face]} times"
        return f"The {face + 1} came {times}; about {self.expected:.0f} were to be expected."


def _odds(chance: float) -> str:
    if chance >= 0.01:
        return f"in {chance * 100:.0f} of 100 such series"
    if chance < 1e-9:
        return "less than once in a thousand million such series"
    return f"once in {float(f'{1 / chance:.1e}'):,.0f} such series"


class Tally:
    """Counts of every die, each number of sides for itself."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, int], list[int]] = {}

    def add(self, source: str, sides: int, faces: Iterable[int]) -> None:
        """One roll. A face that the die does not have is an error of the caller."""
        faces = tuple(faces)
        if sides < 2 or not all(1 <= face <= sides for face in faces):
            raise ValueError(f"no roll of a die with {sides} sides: {faces}")
        counts = self._counts.setdefault((source, sides), [0] * sides)
        for face in faces:
            counts[face - 1] += 1

    def dice(self) -> dict[tuple[str, int], Fairness]:
        """What can be said of each (source, sides)."""
        return {die: Fairness(tuple(counts)) for die, counts in sorted(self._counts.items())}

    def report(self) -> str:
        """Every die in a few lines for people."""
        parts = [_paragraph(source, fairness) for (source, _), fairness in self.dice().items()]
        return "\n\n".join(parts) or "No rolls yet."


def _paragraph(source: str, fairness: Fairness) -> str:
    counts = _columns(fairness.counts)
    measure = f"chi-square {fairness.chi_square:.2f} with {fairness.sides - 1} degrees of freedom, p = {fairness.chance:.3g}"
    return f"{source}, {fairness.sides} sides, {fairness.rolls} rolls\n{counts}\n{fairness}\n({measure})"


def _columns(counts: Sequence[int]) -> str:
    return "  ".join(f"{face}: {count}" for face, count in enumerate(counts, 1))
