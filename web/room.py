"""What every page and call of one server needs: the table, who is paired, the live stream, the voice."""

from __future__ import annotations

import io
import secrets
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import segno
from flask import current_app, request

from companion.config import Config
from companion.journal import Reader
from companion.ledger import Ledger
from companion.mapping.store import OwnBoards
from companion.news import View
from companion.table import Table
from companion.voice import Voice
from web.access import Access
from web.draughtsman import Draughtsman
from web.guard import WHO, Refusal, Who
from web.guests import Guest
from web.hub import Hub
from web.snapshot import set_up_check

Throw = Callable[[int], tuple[int, ...] | None]


def simulated(dice: int) -> tuple[int, ...]:
    return tuple(secrets.randbelow(6) + 1 for _ in range(dice))


class Camera(Protocol):
    """A camera that watches the table."""

    is_on: bool
    stands_right: int  # the game whose pieces it has seen to stand right before anything was played

    def switch(self, on: bool) -> None: ...

    def read(self, name: str) -> bytes | None:
        """A picture that was kept of a ruling."""

    def pictures_of(self, game: int) -> Mapping[int, tuple[str, ...]]:
        """Names of the pictures before and after each act of a game."""

    def ask(self, question: Mapping[str, Any], seconds: float = 3.0) -> Mapping[str, Any]:
        """The live picture, what it sees, a step of a calibration: see API.md. `error` tells why not, `busy` that it is at work."""


class Demonstration(Protocol):
    """Computer players for the empty seats."""

    on: bool

    @property
    def seats(self) -> tuple[str, ...]: ...

    def begin(self, name: str) -> str: ...

    def join(self) -> None: ...

    def leave(self, end_game: bool = False) -> None: ...


@dataclass
class Room:
    table: Table
    access: Access
    hub: Hub = field(init=False)
    voice: Voice | None = None
    throw: Throw = simulated  # for phones that ask the companion to throw; None: a die was pressed, its roll comes by itself
    address: str = ""  # where phones find the table, as 'http://192.168.1.5:8000'
    replays: dict[tuple[str, int], Ledger] = field(default_factory=dict)  # games of the history that were just looked at
    name: str = ""  # the same with a name, as 'http://pi.local:8000'
    camera: Camera | None = None
    demonstration: Demonstration | None = None  # only at a rendered table
    _taken_up: tuple[int, int] = (0, 0)  # the game that runs, and its last act when it was begun or taken up again
    stands_right: int = 0  # the game of which the host said that all stands right
    boards: OwnBoards = field(init=False)  # of this house
    draughtsman: Draughtsman | None = None  # who reads pictures of boards; None: nobody here can
    config: Config | None = None  # the settings in force; None: the usual ones

    def __post_init__(self) -> None:
        self.hub = Hub(self.table, self.access, self.host_facts, self.besides)
        path = self.table.journal.path  # a table that keeps nothing keeps no boards either
        self.boards = OwnBoards((path.parent if path else Path(tempfile.mkdtemp(prefix="companion-"))) / "boards")

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of the running game; none: no game."""
        ledger = self.table.view.ledger
        return ledger.terms.seats if ledger else ()

    @property
    def join_url(self) -> str:
        """The token stands after the #, which a browser never sends to anybody."""
        return f"{self.address}/join#{self.access.join_token}"

    def qr_svg(self) -> str:
        out = io.BytesIO()
        code = segno.make(self.join_url, error="m")
        code.save(out, kind="svg", border=2, xmldecl=False, omitsize=True, title="Scan to join")
        return out.getvalue().decode()

    def qr_text(self) -> str:
        """The QR code for a terminal."""
        out = io.StringIO()
        segno.make(self.join_url, error="l").terminal(out, compact=True, border=2)
        return out.getvalue()

    def host_facts(self) -> dict[str, Any]:
        """What only the host sees."""
        seats, online = self.seats, self.hub.online
        return {
            "guests": [
                {"guest": g.id, "name": g.name, "role": g.role(seats), "seat": g.seat, "online": g.id in online}
                for g in self.access.guests()
            ],
            "code": self.access.host_code,
            "verbosity": self.voice.verbosity if self.voice else None,
            "notice": self.access.notice,
            "camera": self.camera.is_on if self.camera else None,
        }

    def besides(self, view: View) -> dict[str, Any]:
        """What everybody sees that the table does not know."""
        return {"set_up": self.set_up(view), "camera": self.camera is not None and self.camera.is_on}

    def set_up(self, view: View) -> dict[str, Any] | None:
        """Before the first move, and when a saved game goes on: what is not yet seen to stand right. None: nothing is to be checked."""
        last = view.ledger.lines[-1].number if view.ledger and view.ledger.lines else 0
        return set_up_check(view, self.camera is not None and self.camera.is_on, self._looked_at(view.game, last))

    def _looked_at(self, game: int, last: int) -> bool:
        """Somebody said so, or the game has gone on since it was begun or taken up again."""
        if game != self._taken_up[0]:
            self._taken_up = game, last
        seen = self.camera.stands_right if self.camera else 0
        return game in (self.stands_right, seen) or last != self._taken_up[1]

    def reader(self) -> Reader | None:
        """The journal's file to read in; None: this table keeps none."""
        path: Path | None = self.table.journal.path
        return Reader.open(path) if path and path.exists() else None


# --- in a request ---


def room() -> Room:
    here: Room = current_app.extensions["companion"]
    return here


def who() -> Who:
    asking: Who = request.environ["asgi.scope"][WHO]
    return asking


def must_be_paired() -> None:
    """Whoever has not paired sees and does nothing."""
    if not who().may_look:
        raise Refusal(401, "Pair this phone first: scan the table's QR code.")


def must_be_guest() -> Guest:
    """Somebody with a phone of his own, not the table's screen."""
    guest = who().guest
    if guest is None:
        raise Refusal(401, "Pair this phone first: scan the table's QR code.")
    return guest


def must_be_host() -> Guest:
    guest = must_be_guest()
    if not guest.is_host:
        raise Refusal(403, "Only the host can do that.")
    return guest


def must_have_a_seat() -> Guest:
    """Somebody who plays in the running game, or the host."""
    guest = must_be_guest()
    if not guest.is_host and guest.seat not in room().seats:
        raise Refusal(403, "You are watching. Take a seat first.")
    return guest
