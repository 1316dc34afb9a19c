"""What every kind of dice tells the table, in the same words.

A driver (serial port, GPIO, typed, simulated) is given one function, `on_event`, and calls it with one of the frozen
dataclasses below, from whatever thread it happens to run on. Putting them into a queue is the usual use:
`SerialDice(queue.put)`.

**Confirm.** Every event has `confirm()`. Call it once the event is safe (in the journal), also if it does not count. Until
then an electronic die keeps the event, sends nothing newer, and will offer it again after a crash; `key` then names the same
roll, so the journal can tell it from a new one. For dice without a memory `confirm()` does nothing, so a caller need not ask
which kind it has. It may be called from any thread, and twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.dice.protocol import Status

RollKey = tuple[str, int, int]


def _nothing() -> None:
    """Nobody waits for this event to be confirmed."""


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """These faces were rolled. `source` is the die, `boot` its present run, `number` the roll of that run."""

    source: str
    faces: tuple[int, ...]
    number: int
    boot: int
    sides: int = 6
    cause: str = ""  # the button (A, B), H for asked by the host, or the seat
    age: float = 0.0  # seconds since it was rolled, as far as the die can tell
    nonce_used: bool = False  # a RollChecked will follow
    confirm: Callable[[], None] = field(default=_nothing, compare=False, repr=False)

    @property
    def key(self) -> RollKey:
        """Names this roll for ever, over restarts of the die and of the companion."""
        return self.source, self.boot, self.number

    @property
    def total(self) -> int:
        return sum(self.faces)


@dataclass(frozen=True, slots=True)
class RollChecked:
    """Whether roll `key` follows from what the die had committed to.

    `verdict`: "proven"; "failed" (the die contradicts itself); "unwitnessed" (nobody here saw the commitment).
    With `commitment`, `nonce` and `secret` anyone can repeat the check (`companion.dice.proof.is_proven`).
    """

    source: str
    boot: int
    number: int
    verdict: str
    commitment: bytes = b""
    nonce: bytes = b""
    secret: bytes = b""
    confirm: Callable[[], None] = field(default=_nothing, compare=False, repr=False)

    @property
    def key(self) -> RollKey:
        return self.source, self.boot, self.number


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button that does not roll: "ready", "take_back", "repeat", or a letter of an electronic die."""

    source: str
    button: str
    confirm: Callable[[], None] = field(default=_nothing, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """Something about a device that the players should see; `str()` says it in English.

    `state` is one of the keys of `SENTENCES`; `detail` fills its gap.
    """

    source: str
    state: str
    detail: str = ""
    port: str = ""
    confirm: Callable[[], None] = field(default=_nothing, compare=False, repr=False)

    def __str__(self) -> str:
        return SENTENCES[self.state].format(source=self.source or "the die", detail=self.detail, port=self.port)


SENTENCES = {
    "searching": "Searching for the die on {port}.",
    "linked": "{source} is ready on {port} (firmware {detail}).",
    "old_die": "The die on {port} speaks protocol {detail}, which is older than this companion: flash its firmware again.",
    "new_die": "The die on {port} speaks protocol {detail}, which is newer than this companion: update the companion.",
    "restarted": "{source} restarted; a roll it had committed to was never made.",
    "stuck": "Button {detail} of {source} is stuck: free it.",
    "freed": "Button {detail} of {source} works again.",
    "no_entropy": "{source} does not trust its random source ({detail}) and refuses to roll: roll by another way.",
    "refused": "{source} did not roll when asked ({detail}).",
    "no_gpio": "No GPIO on this machine ({detail}); going on without its buttons and light.",
    "bad_pin": "{port} cannot be used ({detail}); going on without it.",
    "port_error": "{port}: {detail}",
}


@dataclass(frozen=True, slots=True)
class DeviceHealth:
    """The answer of an electronic die to "how are you?"."""

    source: str
    status: Status
    confirm: Callable[[], None] = field(default=_nothing, compare=False, repr=False)


DiceEvent = DiceRolled | RollChecked | ButtonPressed | DeviceChanged | DeviceHealth
OnEvent = Callable[[DiceEvent], None]
