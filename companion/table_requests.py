"""What the table can be asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.acts import Act
from companion.dice.events import DiceEvent
from companion.ledger import HOST, Answer
from companion.news import NORMAL, Observed, View

CONSOLE = "console"


@dataclass(frozen=True)
class Start:
    """Begin a new game; the one that runs is abandoned first only if `instead` says so."""

    terms: dict[str, Any]
    position: dict[str, Any] | None = None
    instead: bool = False


@dataclass(frozen=True)
class Resume:
    """Go on with a game of the journal (0: the latest that still runs)."""

    game: int = 0


@dataclass(frozen=True)
class Abandon:
    """End the running game without a winner (X-A11)."""

    why: str = ""


@dataclass(frozen=True)
class Do:
    """An act of a seat or of the host. `seen` is the version of the view it was made from; a stale one is refused."""

    act: Act
    by: str = HOST
    source: str = CONSOLE
    seen: int | None = None


@dataclass(frozen=True)
class Rolled:
    """Dice that somebody read out or a phone threw. `seat` is empty if anybody's."""

    faces: tuple[int, ...]
    seat: str = ""
    source: str = CONSOLE


@dataclass(frozen=True)
class DoAll:
    """Several acts that belong together, each of a seat or of the host; the first that is not accepted ends it."""

    acts: tuple[tuple[str, Act], ...]
    source: str
    seen: int | None = None


@dataclass(frozen=True)
class Notice:
    """A camera noticed something; None: what it noticed is settled."""

    observed: Observed | None
    urgency: int = NORMAL


@dataclass(frozen=True)
class Choose:
    """Somebody answers what a camera asks: the number of a choice of `View.observed`, whose text he saw."""

    choice: int
    text: str
    by: str = HOST
    source: str = CONSOLE


@dataclass(frozen=True)
class SaveAgain:
    """Try again to save what is only in memory."""


Request = Start | Resume | Abandon | Do | DoAll | Rolled | Notice | Choose | SaveAgain
Put = Request | DiceEvent


@dataclass(frozen=True)
class Told:
    """The table's answer to a request."""

    status: str  # accepted, refused, silent, or stale
    why: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    answer: Answer | None = None
    view: View = field(default_factory=View)
