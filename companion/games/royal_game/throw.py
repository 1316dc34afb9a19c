"""A throw that is being played."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.royal_game.road import OUT, Step

ENTERING_NUMBER = 5  # RG-05


@dataclass(frozen=True, slots=True)
class Throw:
    """What the dice showed, and what is left of it."""

    dice: tuple[int, ...]
    open: tuple[int, ...]  # numbers of spaces that may still be moved; a six that moves 12 is a 12
    mover: int  # who plays it: the thrower, or an opponent for whom it counts (RG-31)
    steps: tuple[tuple[int, int], ...] = ()  # what the mover has done with it: from which progress to which
    borrowers: tuple[int, ...] = ()  # opponents who play the same throw after the mover (RG-A27)
    chance: bool = False  # the thrower can enter a captured disc with it, and has not yet (RG-43)
    goes_out: bool = False  # it costs the thrower the disc that is nearest Home (RG-27)
    again: bool = False  # it earns another throw (RG-25, RG-37)

    @property
    def is_doublet(self) -> bool:
        return is_doublet(self.dice)

    @property
    def has_moved(self) -> bool:
        """Has a disc been moved on it? Entering one is no move."""
        return any(start != OUT for start, _ in self.steps)

    @property
    def has_entering_number(self) -> bool:
        """Is a five open, or does the whole throw make five (RG-05, RG-33)?"""
        if ENTERING_NUMBER in self.open:
            return True
        return len(self.open) == 2 and not self.steps and sum(self.open) == ENTERING_NUMBER

    def left_after(self, step: Step) -> tuple[int, ...]:
        """The numbers that stay open after a step."""
        number = ENTERING_NUMBER if step.at == OUT else step.end - step.at
        for spent in (number, number + 6):  # a six may move 6 instead of 12 (RG-A17)
            if spent in self.open:
                at = self.open.index(spent)
                return self.open[:at] + self.open[at + 1 :]
        return ()  # the total: both dice are spent (RG-A32, RG-A35)

    def after(self, step: Step) -> Throw:
        """What is left of it after a step; an entry uses the chance to enter (RG-43)."""
        steps = (*self.steps, (step.at, step.end))
        return replace(self, open=self.left_after(step), steps=steps, chance=self.chance and step.at != OUT)


def is_doublet(dice: tuple[int, ...]) -> bool:
    return len(dice) == 2 and dice[0] == dice[1]
