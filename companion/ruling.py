"""What the rules answer.

A game's `rule` gives a verdict: `Accepted` with the new state, or `Refused` with every objection that holds. Faults are values,
never exceptions. The referee adds the third answer, silent (see `companion.referee`), and turns verdicts into words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.words import Say


class Objection(NamedTuple):
    """One reason against a move: the rules or readings that decide it, and the reason in words."""

    rules: tuple[str, ...]
    why: Say


class Accepted(NamedTuple):
    """The event stands. `rules` are the rules that shaped what it did."""

    state: Any
    said: tuple[Say, ...] = ()
    rules: tuple[str, ...] = ()


class Refused(NamedTuple):
    """The event does not stand, for these reasons; the state is as it was."""

    objections: tuple[Objection, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(rule for objection in self.objections for rule in objection.rules))


Verdict = Accepted | Refused


def refuse(*rules: str, why: Say) -> Refused:
    """A refusal for one reason."""
    return Refused((Objection(rules, why),))


class Due(NamedTuple):
    """What somebody has to do, or may do, now. `dice` names the dice of a roll; an optional act may be left out."""

    seat: str
    what: str  # "roll" or "move"
    say: Say
    dice: tuple[str, ...] = ()
    optional: bool = False


class Outcome(NamedTuple):
    """How a game ended. No winner: drawn or undecided; `why` tells."""

    winners: tuple[str, ...]
    why: Say
    rules: tuple[str, ...] = ()
    scores: tuple[tuple[str, int], ...] = ()
