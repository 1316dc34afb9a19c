"""uvicorn's HTTP protocol with limits on sockets: nobody can hold the door shut by opening many, or by saying nothing.

A socket that has not sent a whole request head within `HEAD_SECONDS` is closed. An address that has too many loses the one
that has been idle longest, so that a phone behind the same router as the culprit still gets in.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from web.backoff import neighbourhood

HEAD_SECONDS = 10.0
PER_ADDRESS = 64
IN_ALL = 900  # below the usual limit of 1024 open files


class Sockets:
    """All open connections of one server."""

    def __init__(self, per_address: int = PER_ADDRESS, in_all: int = IN_ALL, head_seconds: float = HEAD_SECONDS) -> None:
        self.per_address, self.in_all, self.head_seconds = per_address, in_all, head_seconds
        self.open: dict[LimitedProtocol, None] = {}  # in the order of their last request

    def come(self, new: LimitedProtocol) -> bool:
        """False: there is no room for it."""
        near = [p for p in self.open if p.neighbourhood == new.neighbourhood]
        crowd = near if len(near) >= self.per_address else list(self.open) if len(self.open) >= self.in_all else []
        if crowd:
            idle = next((p for p in crowd if p.is_idle), None)
            if idle is None:
                return False
            idle.drop()
        self.open[new] = None
        return True

    def go(self, protocol: LimitedProtocol) -> None:
        self.open.pop(protocol, None)

    def used(self, protocol: LimitedProtocol) -> None:
        if protocol in self.open:
            del self.open[protocol]
            self.open[protocol] = None

    def abort(self, client: Any) -> None:
        """End a connection whose phone takes nothing any more."""
        for protocol in tuple(self.open):
            if protocol.client == client:
                protocol.drop()

    def protocol(self) -> type[LimitedProtocol]:
        """The protocol class for uvicorn's `Config(http=…)`."""
        return type("LimitedProtocolOfServer", (LimitedProtocol,), {"sockets": self})


class LimitedProtocol(H11Protocol):
    sockets: Sockets
    neighbourhood = ""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.neighbourhood = neighbourhood(self.client[0]) if self.client else ""
        if not self.sockets.come(self):
            transport.abort()
            return
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_came()
        self.sockets.go(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.is_idle:
            self._head_came()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.is_idle:
            self._expect_head()  # also for one that is being closed: it may not take what it still has to get

    @property
    def is_idle(self) -> bool:
        """No request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def drop(self) -> None:
        self.sockets.go(self)
        self.transport.abort()

    def _expect_head(self) -> None:
        self._head_came()
        self._deadline = self.loop.call_later(self.sockets.head_seconds, self.drop)

    def _head_came(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None
        self.sockets.used(self)
