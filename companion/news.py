"""What the table tells everybody: one immutable picture, and sentences about what changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.acts import Act
from companion.layout import Change
from companion.ledger import Ledger

URGENT, NORMAL, CHATTY = 0, 1, 2
EVENT, ROLL, PROMPT, RULING, RULE, DEVICE = "event", "roll", "prompt", "ruling", "rule", "device"
SEEN = "seen"  # what a camera noticed


class Choice(NamedTuple):
    """One answer to a question: in words, and what is then done, act by act, each in the name of a seat or of the host."""

    text: str
    acts: tuple[tuple[str, Act], ...] = ()


class Observed(NamedTuple):
    """What a camera noticed and what still stands: a question, something to put right, something it cannot see."""

    kind: str
    text: str
    choices: tuple[Choice, ...] = ()
    spaces: tuple[str, ...] = ()  # the ones that are meant
    pictures: tuple[str, ...] = ()  # names of pictures, before and after
    citations: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()  # what a hand has to do until all stands right


class LastRoll(NamedTuple):
    """What the dice showed last, whosever they were and whether or not it counted."""

    faces: tuple[int, ...]
    source: str
    seat: str
    counted: bool
    why_not: str = ""


@dataclass(frozen=True)
class View:
    """What everyone may see, as of one version. Versions only grow."""

    version: int = 0
    game: int = 0  # of the journal; 0: none runs
    ledger: Ledger | None = None
    last_roll: LastRoll | None = None
    held: tuple[int, ...] = ()  # dice of a roll that is not complete yet
    trouble: str = ""  # why the latest is not saved; empty: all is saved
    devices: tuple[tuple[str, str], ...] = ()  # source, and its state in words
    observed: Observed | None = None  # what a camera noticed and what has not been settled yet


class News(NamedTuple):
    """Something to be told: the sentence, how urgent it is, and of what kind. An empty sentence asks to repeat the last."""

    text: str
    urgency: int = NORMAL
    kind: str = EVENT
