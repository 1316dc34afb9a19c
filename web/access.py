"""Pairing and roles: who may come in, and what he is.

A player comes in with the join token in the QR code. A host comes in with a short code that is shown at the table, serves
once, and is then replaced. Both get an opaque random token, kept in a cookie; the table keeps only its hash and can revoke it.
A seat belongs to a guest until he gives it up, hands it over with a ticket, or the host gives it to another.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from hmac import compare_digest
from pathlib import Path

from companion.events import BadInput
from web.backoff import Backoff, neighbourhood
from web.guests import LONGEST_NAME, Guest, Kept, clean_name, load, proof_of, save

MOST_GUESTS = 100
FORGOTTEN_AFTER_STARTS = 30  # of the program, without being seen: a Pi has no clock to count days with
FORGOTTEN_AFTER = 30 * 24 * 3600.0  # seconds without being seen, while the program runs on
TICKET_SECONDS = 600.0
CODE_DIGITS = 8


class Denied(Exception):
    """A wrong code or token; `wait` is how many seconds must pass before another try is heard."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


class SeatTaken(Exception):
    """Somebody sits there."""


class Access:
    """May be used from any thread. `listen` hears of every change: who came, who went, who sits where."""

    def __init__(self, file: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.file = file
        self.backoff = Backoff(clock)
        self.notice = ""
        self._clock = clock
        self._lock = threading.RLock()
        self._listeners: list[Callable[[], None]] = []
        self._tickets: dict[str, tuple[int, float]] = {}  # proof of a hand-over ticket: whose, and until when
        kept = Kept()
        if file:
            kept, self.notice = load(file)
        self._start, self._last_id = kept.start + 1, kept.last_id
        fresh = (g for g in kept.guests if self._start - g.start <= FORGOTTEN_AFTER_STARTS)
        self._guests = {guest.id: guest for guest in fresh}
        self._ids = {guest.proof: guest.id for guest in self._guests.values()}
        self._seen = {guest.id: clock() for guest in self._guests.values()}
        self._unseen: set[int] = set()  # guests of an earlier start who have just come back
        self.join_token = _token()
        self.host_code = _code()

    def keep(self) -> None:
        """Write down who was seen for the first time since the program started."""
        if self._unseen:
            with self._lock:
                for guest in filter(None, map(self.guest, self._unseen.copy())):
                    self._put(replace(guest, start=self._start))
                self._unseen.clear()
                self._save()

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    # --- who ---

    def who(self, token: str) -> Guest | None:
        """The guest whose token this is."""
        if not token or len(token) > 100:
            return None
        guest = self._guests.get(self._ids.get(proof_of(token), 0))  # without the lock: the loop asks this
        if guest is None:
            return None
        if self._clock() - self._seen.get(guest.id, 0.0) > FORGOTTEN_AFTER:
            self.leave(guest)
            return None
        self._seen[guest.id] = self._clock()
        if guest.start != self._start:
            self._unseen.add(guest.id)  # `keep` writes it down
        return guest

    def guest(self, id: int) -> Guest | None:
        return self._guests.get(id)

    def guests(self) -> list[Guest]:
        return sorted(self._guests.values(), key=lambda g: g.id)

    # --- coming in ---

    def join(self, token: str, name: object, known: Guest | None, address: str) -> tuple[Guest, str]:
        """Come in with the join token or a hand-over ticket. The second value is a new secret for the phone, if it needs one."""
        wanted = clean_name(name)
        keys = self._keys("join", known, address)
        with self._lock:
            self._may_try(keys)
            giver = self._redeemed(token)
            if giver is None and not compare_digest(_bytes(token), _bytes(self.join_token)):
                self.backoff.failed(*keys)
                raise Denied("This is not the table's present QR code. Scan the one that the table shows now.", self._wait(keys))
            self.backoff.passed(*keys)
            guest, secret = self._come_in(wanted, known)
            if giver and giver.id != guest.id:
                self._put(replace(giver, seat=""))
                guest = self._put(replace(guest, seat=giver.seat))
            self._changed()
            return guest, secret

    def become_host(self, code: str, name: object, known: Guest | None, address: str) -> tuple[Guest, str]:
        """Come in as host, or become one. The code is used up."""
        wanted = clean_name(name) if name or not known else known.name
        keys = self._keys("host", known, address)
        with self._lock:
            self._may_try(keys)
            if not compare_digest(_bytes("".join(code.split())), _bytes(self.host_code)):
                self.backoff.failed(*keys)
                raise Denied("That is not the code. Read it again from the table's own screen.", self._wait(keys))
            self.backoff.passed(*keys)
            self.host_code = _code()
            guest, secret = self._come_in(wanted, known)
            guest = self._put(replace(guest, is_host=True))
            self._changed()
            return guest, secret

    def rename(self, guest: Guest, name: object) -> Guest:
        wanted = clean_name(name)
        with self._lock:
            guest = self._put(replace(self._present(guest), name=self._unique(wanted, guest.id)))
            self._changed()
            return guest

    # --- seats ---

    def take_seat(self, guest: Guest, seat: str, even_if_taken: bool = False) -> Guest:
        """Sit down (an empty seat: stand up). Only the host may move somebody out of a seat."""
        with self._lock:
            guest = self._present(guest)
            for other in self.guests():
                if seat and other.seat == seat and other.id != guest.id:
                    if not even_if_taken:
                        raise SeatTaken(f"{other.name} sits there. The host, or {other.name}, can give you the seat.")
                    self._put(replace(other, seat=""))
            guest = self._put(replace(guest, seat=seat))
            self._changed()
            return guest

    def hand_over(self, guest: Guest) -> str:
        """A ticket with which another phone takes this guest's seat; it serves once and not for long."""
        with self._lock:
            guest = self._present(guest)
            if not guest.seat:
                raise BadInput("seat: you have none to hand over")
            ticket = _token()
            self._tickets = {proof: kept for proof, kept in self._tickets.items() if kept[0] != guest.id}
            self._tickets[proof_of(ticket)] = (guest.id, self._clock() + TICKET_SECONDS)
            return ticket

    # --- going out ---

    def leave(self, guest: Guest) -> None:
        with self._lock:
            self._forget(guest)
            self._changed()

    def kick(self, guest: Guest) -> None:
        """Out, and not in again by the QR code that he has seen."""
        with self._lock:
            self._forget(guest)
            self.join_token = _token()
            self._changed()

    def renew_join(self) -> None:
        """From now on only a new QR code lets anybody in."""
        with self._lock:
            self.join_token = _token()
            self._changed()

    # --- inside ---

    def _keys(self, purpose: str, known: Guest | None, address: str) -> tuple[tuple[str, object], ...]:
        by_address = (purpose, neighbourhood(address))
        return (by_address, (purpose, known.id)) if known else (by_address,)

    def _may_try(self, keys: Iterable[tuple[str, object]]) -> None:
        if (wait := self.backoff.wait(*keys)) > 0:
            raise Denied(f"Too many wrong tries. Try again in {int(wait) + 1} seconds.", wait)

    def _wait(self, keys: Iterable[tuple[str, object]]) -> float:
        return self.backoff.wait(*keys)

    def _redeemed(self, ticket: str) -> Guest | None:
        id, until = self._tickets.pop(proof_of(ticket), (0, 0.0))
        giver = self.guest(id)
        return giver if giver and giver.seat and self._clock() < until else None

    def _come_in(self, name: str, known: Guest | None) -> tuple[Guest, str]:
        if known and known.id in self._guests:
            return self._put(replace(self._present(known), name=self._unique(name, known.id))), ""
        self._make_room()
        secret = _token()
        self._last_id += 1
        guest = Guest(self._last_id, self._unique(name, self._last_id), proof_of(secret), start=self._start)
        self._seen[guest.id] = self._clock()
        return self._put(guest), secret

    def _unique(self, name: str, id: int) -> str:
        """Two players called Anna are Anna and Anna 2."""
        taken = {g.name.casefold() for g in self._guests.values() if g.id != id}
        tried, number = name, 1
        while tried.casefold() in taken:
            number += 1
            tried = f"{name[: LONGEST_NAME - 4].rstrip()} {number}"
        return tried

    def _make_room(self) -> None:
        """The room is full: whoever has no seat and was not seen for the longest time goes."""
        while len(self._guests) >= MOST_GUESTS:
            ranked = sorted(self._guests.values(), key=lambda g: (g.is_host, bool(g.seat), self._seen[g.id]))
            self._forget(ranked[0])

    def _present(self, guest: Guest) -> Guest:
        return self._guests.get(guest.id) or self._gone()

    def _gone(self) -> Guest:
        raise BadInput("guest: is not here any more")

    def _put(self, guest: Guest) -> Guest:
        self._guests[guest.id] = guest
        self._ids[guest.proof] = guest.id
        return guest

    def _forget(self, guest: Guest) -> None:
        self._guests.pop(guest.id, None)
        self._ids.pop(guest.proof, None)
        self._seen.pop(guest.id, None)

    def _changed(self) -> None:
        self._save()
        for listener in self._listeners:
            listener()

    def _save(self) -> None:
        if self.file:
            self.notice = save(self.file, Kept(self._start, self._last_id, tuple(self.guests())))


def _token() -> str:
    return secrets.token_urlsafe(24)


def _code() -> str:
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")  # JSON may carry half characters
