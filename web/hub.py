"""The live stream: server-sent events, a full snapshot on connect and one with every change.

The table calls `tell` on its own thread, which only notes the news and wakes the loop. The loop makes the snapshot once for all
(in well under a millisecond) and puts it into each stream's letter box. A letter box holds one letter: a phone that reads slowly
misses what lies between and gets the newest. Serials only grow, so a page knows which of two snapshots is newer.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

from companion.ledger import Ledger
from companion.news import News, View
from companion.table import Table
from web.access import Access
from web.guests import SPECTATOR, Guest
from web.patience import Patience
from web.snapshot import LAST_NEWS, Told, card_to_json, snapshot

log = logging.getLogger(__name__)
HEARTBEAT_SECONDS = 15.0
PRESENCE_SECONDS = 1.0  # who is online is told at most so often: phones come and go
SEND_SECONDS = 20.0  # a phone that takes nothing for so long is gone
STREAMS_PER_SESSION = 4
STREAMS_PER_ADDRESS = 64
OPENINGS, OPENING_SECONDS = 60, 10.0  # an address may open so many streams in so long
MOST_ADDRESSES = 1000  # whose openings are remembered

STREAM_HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]


class Picture(NamedTuple):
    """A snapshot ready to be sent: what everybody gets, as JSON without the braces."""

    serial: int
    view: View
    everybody: bytes


class Stream:
    """One open page."""

    def __init__(self, guest: int, address: str) -> None:
        self.guest = guest  # 0: the table's own screen
        self.address = address
        self.letter: Picture | None = None
        self.beat = False
        self.is_over = False
        self.bye = ""  # why it is over, for the page
        self.wake = asyncio.Event()

    def end(self, bye: str = "") -> None:
        self.is_over, self.bye = True, bye
        self.wake.set()


class Hub:
    def __init__(
        self, table: Table, access: Access, host_facts: Callable[[], dict[str, Any]] = dict,
        besides: Callable[[View], dict[str, Any]] = lambda view: {"set_up": None, "camera": False},
    ) -> None:  # fmt: skip
        self.table = table
        self.access = access
        self.host_facts = host_facts  # what only the host sees
        self.besides = besides  # what everybody sees that the table does not know
        self.boot = secrets.token_hex(4)
        self.streams: dict[Stream, None] = {}  # in the order in which they were opened
        self._openings: dict[str, deque[float]] = {}
        self.online: frozenset[int] = frozenset()
        self._told: deque[bytes] = deque(maxlen=LAST_NEWS)  # as JSON
        self._card: tuple[Ledger | None, bytes] = (None, b"[]")  # the house-rule card as JSON, and the ledger that it is of
        self._of_hosts: tuple[int, bytes] = (0, b"")  # what hosts get besides, and the serial of the picture that it belongs to
        self._ids = count(1)
        self._serial = 0
        self._change = 0  # grows with whatever would change a snapshot
        self._drawn = -1  # the change that the last picture shows
        self._picture: Picture | None = None
        self._lock = threading.Lock()
        self._drawing = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._delivered = 0  # the serial of the last picture that every stream got
        self._beating: asyncio.Task[None] | None = None
        self._presence_due = False
        table.subscribe(self.tell)
        access.listen(self.refresh)

    # --- from any thread; never waits ---

    def tell(self, view: View, news: tuple[News, ...]) -> None:
        """For `Table.subscribe`."""
        with self._lock:
            told = (Told(next(self._ids), view.version, n) for n in news if n.text)
            self._told.extend(_json(item.to_json()) for item in told)
        self.refresh()

    def refresh(self) -> None:
        """Something that a snapshot shows is different now."""
        with self._lock:
            self._change += 1
        self._call(self._deliver)

    def _call(self, what: Callable[..., None], *args: Any) -> None:
        """Have the loop do it, if it still runs."""
        if loop := self._loop:
            with suppress(RuntimeError):  # it has just ended
                loop.call_soon_threadsafe(what, *args)

    # --- pictures, from any thread ---

    def picture(self) -> Picture:
        """The snapshot as of now; made once for each change."""
        with self._drawing:
            with self._lock:
                change, told = self._change, tuple(self._told)
            view = self.table.view
            if self._picture is None or change != self._drawn or view is not self._picture.view:
                self._serial += 1
                everybody = [
                    _inside({"serial": self._serial, "boot": self.boot}),
                    _inside(snapshot(view, self.access.guests(), self.online, self.table.translate)),
                    _inside(self.besides(view)),
                    b'"card":' + self._card_of(view.ledger),
                    b'"news":[' + b",".join(told) + b"]",
                ]
                self._picture = Picture(self._serial, view, b",".join(everybody))
                self._drawn = change
            return self._picture

    def _card_of(self, ledger: Ledger | None) -> bytes:
        """The largest part of a snapshot, and the one that hardly ever changes."""
        known, card = self._card
        if ledger is None:
            return b"[]"
        if known is None or known.game is not ledger.game or known.terms.chosen != ledger.terms.chosen:
            card = _json(card_to_json(ledger.card()))
        self._card = (ledger, card)
        return card

    def json_for(self, guest: Guest | None, picture: Picture | None = None) -> bytes:
        """The snapshot as this guest may see it (None: the table's own screen)."""
        picture = picture or self.picture()
        seats = picture.view.ledger.terms.seats if picture.view.ledger else ()
        mine = _you(guest, seats)
        if guest and guest.is_host:
            mine += b"," + self._for_hosts(picture.serial)
        return b"{%b,%b}" % (mine, picture.everybody)

    def _for_hosts(self, serial: int) -> bytes:
        """What only hosts get; made when one is there to get it."""
        known, facts = self._of_hosts
        if known != serial:
            facts = _inside({"host": self.host_facts()})
            self._of_hosts = serial, facts
        return facts

    # --- on the loop ---

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._beating = asyncio.create_task(self._beat())

    async def stop(self) -> None:
        """End every stream in good order."""
        self._loop = None
        if self._beating:
            self._beating.cancel()
        for stream in self.streams:
            stream.end("the table is closed")

    def _deliver(self) -> None:
        """Changes that came quickly after each other are in one picture."""
        if not self.streams:
            return
        try:
            picture = self.picture()
        except Exception:  # one picture that cannot be drawn must not end the stream for the evening
            log.exception("a snapshot failed")
            return
        if picture.serial != self._delivered:
            self._delivered = picture.serial
            for stream in self.streams:
                stream.letter = picture
                stream.wake.set()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for stream in self.streams:
                stream.beat = True
                stream.wake.set()

    def drop(self, guest: int, bye: str) -> None:
        """End all streams of a guest, from any thread."""
        self._call(self._end, guest, bye)

    def _end(self, guest: int, bye: str) -> None:
        for stream in self.streams:
            if stream.guest == guest:
                stream.end(bye)

    def open(self, guest: Guest | None, address: str) -> Stream | None:
        """A new stream; None if this address has too many. A page that is opened again wins over an older one of the phone."""
        if self._opens_too_often(address) or sum(s.address == address for s in self.streams) >= STREAMS_PER_ADDRESS:
            return None
        own = [s for s in self.streams if guest and s.guest == guest.id and not s.is_over]
        if len(own) >= STREAMS_PER_SESSION:
            own[0].end("opened elsewhere")
        stream = Stream(guest.id if guest else 0, address)
        self.streams[stream] = None
        self._presence_changed()
        return stream

    def _opens_too_often(self, address: str) -> bool:
        now = time.monotonic()
        times = self._openings.pop(address, deque(maxlen=OPENINGS))
        self._openings[address] = times  # the latest stands last
        if len(self._openings) > MOST_ADDRESSES:
            del self._openings[next(iter(self._openings))]
        if len(times) == OPENINGS and now - times[0] < OPENING_SECONDS:
            return True
        times.append(now)
        return False

    async def run(self, stream: Stream, receive: Receive, send: Send) -> None:
        """Feed one page until it or the table goes. Raises TimeoutError if the page takes nothing any more."""
        watch, patience = asyncio.create_task(_watch(stream, receive)), Patience(SEND_SECONDS)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
            stream.letter = self.picture()
            while not stream.is_over:
                stream.wake.clear()
                if frame := self._frame(stream):
                    await _send(send, frame, patience)
                else:
                    await stream.wake.wait()
            if stream.bye:
                await _send(send, b"event: bye\ndata: " + json.dumps({"why": stream.bye}).encode() + b"\n\n", patience)
            await send({"type": "http.response.body", "body": b""})
        finally:
            watch.cancel()
            patience.end()
            self.streams.pop(stream, None)
            self._presence_changed()

    def _frame(self, stream: Stream) -> bytes:
        """What this page gets next; empty: nothing now."""
        letter, beat = stream.letter, stream.beat
        stream.letter, stream.beat = None, False
        if letter is None:
            return b": still here\n\n" if beat else b""
        guest = self.access.guest(stream.guest) if stream.guest else None
        if stream.guest and guest is None:
            stream.end("you are not paired any more")
            return b""
        return b"id: %d\ndata: %b\n\n" % (letter.serial, self.json_for(guest, letter))

    def _presence_changed(self) -> None:
        """Told a little later and all together: a phone that churns must not keep all others busy."""
        if self._loop and not self._presence_due:
            self._presence_due = True
            self._loop.call_later(PRESENCE_SECONDS, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_due = False
        online = frozenset(s.guest for s in self.streams)
        if online != self.online:
            self.online = online
            self.refresh()


async def _watch(stream: Stream, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def _send(send: Send, body: bytes, patience: Patience) -> None:
    with patience:
        await send({"type": "http.response.body", "body": body, "more_body": True})


def you(guest: Guest | None, seats: tuple[str, ...]) -> dict[str, Any]:
    if guest is None:
        return {"role": SPECTATOR, "seat": "", "name": "", "guest": 0}
    seat = guest.seat if guest.seat in seats or not seats else ""
    return {"role": guest.role(seats), "seat": seat, "name": guest.name, "guest": guest.id}


@lru_cache(512)
def _you(guest: Guest | None, seats: tuple[str, ...]) -> bytes:
    return _inside({"you": you(guest, seats)})


_encoded = json.JSONEncoder(separators=(",", ":")).encode


def _json(data: Any) -> bytes:
    return _encoded(data).encode("ascii")


def _inside(data: dict[str, Any]) -> bytes:
    """The fields of an object, to be joined with others."""
    return _json(data)[1:-1]
