"""Electronic dice on serial ports: `SerialDice` finds them, keeps them, and tells what they roll.

    dice = SerialDice(queue.put)                                  # every USB port that may be a die
    dice = SerialDice(queue.put, ports=["/dev/ttyUSB0", "socket://192.168.1.9:7000"])
    dice.start(); dice.set_due(2); dice.set_light("TURN"); ...; dice.stop()

Theory of operation
-------------------
Each port has one thread (`PortLine`) that owns everything of that port: it opens it, reads, lets a `Session` think, and writes.
Wishes of the table and confirmations come from other threads as small pieces of work, for which the thread is woken. So nothing
that the table calls ever waits for a port.

A port that disappears, at whatever byte, is closed and opened again with growing pauses; the session meanwhile says "searching".
`on_event` is called on the port's thread and should only put the event somewhere. Remember `event.confirm()` (see `events.py`).
Opening the port of a real Arduino resets it: it is back within two seconds, with a new boot number.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

import serial
from serial.tools import list_ports

from companion.dice.events import DeviceChanged, DiceEvent, OnEvent
from companion.dice.protocol import BAUD, AskRoll, AskStatus, SetDue, SetLight
from companion.dice.records import DieRecords
from companion.dice.session import Session, checked

try:
    from termios import error as TermiosError
except ImportError:  # not a POSIX system
    TermiosError = OSError  # type: ignore[misc,assignment]

log = logging.getLogger(__name__)

# What an unplugged port raises depends on the call that meets it; SerialException is an OSError.
GONE = (OSError, TermiosError, TypeError)
READ_TIMEOUT = 0.05  # how often an idle line looks at its timers
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
SCAN_EVERY = 1.0
NO_DIE_AFTER = 15.0  # a found port that says no HELLO for so long belongs to something else
USB_VENDORS = {
    0x2341: "Arduino",
    0x2A03: "Arduino",
    0x1A86: "WCH (CH340)",
    0x0403: "FTDI",
    0x10C4: "Silicon Labs (CP210x)",
}


class PortGoneError(Exception):
    """The port was unplugged."""


OnTraffic = Callable[[str, str, bytes], None]  # port, "<" from the die or ">" to it, bytes


def find_ports() -> list[str]:
    """USB serial ports of the makers that Arduinos and their clones use. PTYs and Bluetooth are never listed."""
    return sorted(port.device for port in list_ports.comports() if port.vid in USB_VENDORS)


def explain(error: BaseException) -> str:
    """One line about a port that cannot be opened, with what to do; empty if it is simply not there."""
    number = getattr(error, "errno", None)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ECONNREFUSED, errno.EIO):
        return ""
    if number in (errno.EACCES, errno.EPERM):
        return "no permission to open it: add your user to the group dialout and log in again"
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "exclusively" in str(error):
        return "another program is using it: close that program"
    return f"it cannot be opened as a serial port: {' '.join(str(error).split())[:200]}"


class PortLine(threading.Thread):
    """One port, for as long as the companion runs."""

    def __init__(
        self,
        url: str,
        on_event: OnEvent,
        records: DieRecords,
        baud: int = BAUD,
        on_traffic: OnTraffic | None = None,
        leaves_strangers: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name=f"die {url}", daemon=True)
        self.url = url
        self.session = Session(url, records, on_confirm=self.do)
        self.is_stranger = False  # nothing on this port speaks like a die
        self._on_event, self._on_traffic = on_event, on_traffic
        self._baud, self._leaves_strangers, self._clock = baud, leaves_strangers, clock
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._stopping = threading.Event()
        self._port: Any = None
        self._complaint = ""

    # --- from any thread

    def do(self, work: Callable[[], None]) -> None:
        """Have this done on the line's thread, soon."""
        self._work.put(work)
        self._wake()

    def stop(self) -> None:
        """Let go of the port; `join` waits until it is free."""
        self._stopping.set()
        self._wake()

    def _wake(self) -> None:
        cancel = getattr(self._port, "cancel_read", None)  # a URL port has none: it wakes by its timeout
        if cancel and threading.current_thread() is not self:
            with contextlib.suppress(*GONE):  # if the port goes away just now, its thread will notice
                cancel()

    # --- on the line's own thread

    def run(self) -> None:
        pause = FIRST_PAUSE
        self.session.closed(self._clock())
        self._deliver()
        while not self._stopping.is_set() and not self.is_stranger:
            if self._open():
                was_linked = self._talk_until_gone()
                pause = FIRST_PAUSE if was_linked else pause
            if self._stopping.is_set():  # we let go of the die, it is not missing: nobody is told to look for it
                return
            self._deliver()
            self._stopping.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    def _open(self) -> bool:
        options: dict[str, Any] = {} if "://" in self.url else {"exclusive": True}
        try:
            self._port = serial.serial_for_url(self.url, self._baud, timeout=READ_TIMEOUT, write_timeout=1.0, **options)
        except (*GONE, ValueError) as error:
            self._complain(explain(error))
            return False
        self._complain("")
        return True

    def _complain(self, text: str) -> None:
        """Once for each new reason."""
        if text and text != self._complaint:
            self._hand_on(DeviceChanged(self.session.source, "port_error", text, self.url))
        self._complaint = text

    def _talk_until_gone(self) -> bool:
        """Whether there was a die."""
        session, opened_at, was_linked = self.session, self._clock(), False
        session.opened(opened_at)
        try:
            while not self._stopping.is_set():
                self._deliver()
                self._write(session.take_bytes())
                session.receive(self._read(), self._clock())
                was_linked = was_linked or session.state == "linked"
                if self._leaves_strangers and not was_linked and self._clock() - opened_at > NO_DIE_AFTER:
                    self.is_stranger = True
                    break
        except PortGoneError as error:
            log.info("%s is gone: %s", self.url, error)
        self._deliver()  # what came with the last bytes
        port, self._port = self._port, None
        with contextlib.suppress(*GONE):  # closing what is no longer there
            port.close()
        session.closed(self._clock())
        return was_linked

    def _read(self) -> bytes:
        try:
            data: bytes = self._port.read(self._port.in_waiting or 1)
        except GONE as error:
            raise PortGoneError(repr(error)) from error
        if data and self._on_traffic:
            self._on_traffic(self.url, "<", data)
        return data

    def _write(self, data: bytes) -> None:
        if not data:
            return
        try:
            self._port.write(data)
        except GONE as error:
            raise PortGoneError(repr(error)) from error
        if self._on_traffic:
            self._on_traffic(self.url, ">", data)

    def _deliver(self) -> None:
        """Hand on what happened and do what was asked, until both are done; the bytes to send are complete then."""
        while True:
            for event in self.session.take_events():
                self._hand_on(event)
            try:
                self._work.get_nowait()()
            except Empty:
                break
        self.session.tick(self._clock())

    def _hand_on(self, event: Any) -> None:
        try:
            self._on_event(event)
        except Exception:
            log.exception("the receiver of dice events failed on %r", event)


class SerialDice:
    """All electronic dice of this machine."""

    def __init__(
        self,
        on_event: OnEvent,
        ports: Sequence[str] | None = None,
        baud: int = BAUD,
        on_traffic: OnTraffic | None = None,
        find: Callable[[], list[str]] = find_ports,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`ports`: paths or URLs; None looks for USB ports again and again, and lets go of those that are no dice."""
        self._on_event, self._baud, self._on_traffic, self._clock = on_event, baud, on_traffic, clock
        self._given, self._find = ports, find
        self._records = DieRecords()
        self._lines: dict[str, PortLine] = {}
        self._wishes: dict[str, dict[str | None, SetDue | SetLight]] = {}  # by kind, then by die (None: all)
        self._stopping = threading.Event()
        self._scanner = threading.Thread(target=self._scan, name="dice ports", daemon=True)
        self._lock = threading.Lock()

    def start(self) -> None:
        for url in self._given or ():
            self._add(url)
        if self._given is None:
            self._scanner.start()

    def stop(self) -> None:
        """Every port is free when this returns."""
        self._stopping.set()
        if self._scanner.is_alive():
            self._scanner.join(5)
        lines = list(self._lines.values())
        for line in lines:
            line.stop()
        for line in lines:
            line.join(5)

    def __enter__(self) -> SerialDice:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def set_due(self, count: int, source: str | None = None) -> None:
        """How many dice are due: 1, 2, or 0 for the players' choice. Without `source`, on every die, also those to come."""
        self._wish(SetDue(0, count), source)

    def set_light(self, state: str, source: str | None = None) -> None:
        """OFF, TURN, THINK or SEARCH."""
        self._wish(SetLight(0, state), source)

    def ask_roll(self, count: int, sides: int = 6, source: str | None = None) -> None:
        """Roll without a button."""
        self._ask(AskRoll(0, count, sides), source)

    def ask_status(self, source: str | None = None) -> None:
        """Each die answers with a DeviceHealth."""
        self._ask(AskStatus(0), source)

    def ports(self) -> list[tuple[str, str, str]]:
        """(port, state, die) of each port in use; state is closed, searching, linked, old_die or new_die."""
        with self._lock:
            return [(url, line.session.state, line.session.source) for url, line in self._lines.items()]

    # --- wishes

    def _wish(self, message: SetDue | SetLight, source: str | None) -> None:
        checked(message)
        with self._lock:
            if source is None:
                self._wishes[message.TYPE] = {None: message}
            else:
                self._wishes.setdefault(message.TYPE, {})[source] = message
        for line in self._those(source):
            line.do(partial(self._grant, line.session))

    def _ask(self, message: AskRoll | AskStatus, source: str | None) -> None:
        checked(message)
        for line in self._those(source):
            line.do(partial(line.session.ask, message))

    def _those(self, source: str | None) -> list[PortLine]:
        with self._lock:
            return [line for line in self._lines.values() if source in (None, line.session.source)]

    def _grant(self, session: Session) -> None:
        """On the line's thread: what this die, which is known by now, shall have."""
        with self._lock:
            wishes = [by_die.get(session.source, by_die.get(None)) for by_die in self._wishes.values()]
        for message in wishes:
            if message:
                session.wish(message)

    # --- ports

    def _hear(self, line_url: str, event: DiceEvent) -> None:
        if isinstance(event, DeviceChanged) and event.state == "linked":
            self._grant(self._lines[line_url].session)
        self._on_event(event)

    def _add(self, url: str) -> None:
        line = PortLine(
            url, partial(self._hear, url), self._records, self._baud, self._on_traffic, self._given is None, self._clock
        )
        with self._lock:
            self._lines[url] = line
        line.start()

    def _scan(self) -> None:
        told = False
        while not self._stopping.is_set():
            found = self._find()
            for url in found:
                if url not in self._lines:
                    self._add(url)
            self._forget_unplugged(found)
            if not found and not told:
                told = True
                self._on_event(DeviceChanged("", "searching", port="every USB port"))
            self._stopping.wait(SCAN_EVERY)

    def _forget_unplugged(self, found: list[str]) -> None:
        """A found port that is no longer there may come back under another name."""
        for url, line in list(self._lines.items()):
            if url not in found and line.session.state == "closed":
                line.stop()
                with self._lock:
                    del self._lines[url]
