"""What the host knows of each die over reconnections, by device id. Shared by all ports of one process.

A die that is unplugged and comes back, even on another port, goes on where it stopped: the event that it offers again is known,
and so are the promises it made. Two dice that claim the same id (a copied EEPROM) are kept apart by their ports.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.dice.protocol import DieHello
from companion.dice.witness import Witness

NO_IDENTITY = "00000000"


@dataclass(eq=False)
class DieRecord:
    """One die: the boot it is in, the last event that was taken from it, and what it has promised in this boot."""

    source: str
    boot: int
    last_seq: int
    witness: Witness
    is_confirmed: bool = True
    was_restarted: bool = False  # it broke a promise by starting anew
    holder: object | None = field(default=None, repr=False)  # the session that is linked to it


class DieRecords:
    """All dice that this process has met."""

    def __init__(self, new_witness: Callable[[], Witness] = Witness) -> None:
        self._new_witness = new_witness
        self._by_source: dict[str, DieRecord] = {}
        self._lock = threading.Lock()

    def meet(self, hello: DieHello, port: str, holder: object) -> DieRecord:
        """The record of the die that said this: going on where it stopped, or starting where the die says it stands."""
        with self._lock:
            source = self._source(hello.device, port, holder)
            record = self._continued(self._by_source.get(source), hello, source)
            record.holder = holder
            self._by_source[source] = record
            return record

    def leave(self, record: DieRecord) -> None:
        """The link is gone; another port may go on with this die."""
        with self._lock:
            record.holder = None

    def _source(self, device: str, port: str, holder: object) -> str:
        if device == NO_IDENTITY:
            return f"die@{port}"
        source = f"die:{device}"
        known = self._by_source.get(source)
        is_taken = known is not None and known.holder not in (None, holder)
        return f"{source}@{port}" if is_taken else source

    def _continued(self, known: DieRecord | None, hello: DieHello, source: str) -> DieRecord:
        before_next = (hello.next_seq - 1) % 256
        if known is None:
            return DieRecord(source, hello.boot, before_next, self._new_witness())
        if known.boot != hello.boot:
            restarted = known.witness.has_open_promise()
            return DieRecord(source, hello.boot, before_next, self._new_witness(), was_restarted=restarted)
        if known.last_seq not in (before_next, hello.next_seq):  # another program has taken events meanwhile
            known.last_seq, known.is_confirmed = before_next, True
        return known
