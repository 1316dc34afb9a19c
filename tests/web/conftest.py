from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.journal import Journal
from companion.table import Table
from tests.web.phone import NAME, Phone
from web.server import Server

Players = dict[str, Phone]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(Journal.open(tmp_path / "table.journal")) as table:
        yield table


@pytest.fixture
def server(table: Table, tmp_path: Path) -> Iterator[Server]:
    with Server(table, "127.0.0.1", 0, guests_file=tmp_path / "table.guests", names=[NAME]) as server:
        yield server


@pytest.fixture
def stranger(server: Server) -> Phone:
    return Phone(server.port)


@pytest.fixture
def host(server: Server) -> Phone:
    phone = Phone(server.port)
    assert phone.post("/api/host", code=server.room.access.host_code, name="Greta").status == 200
    return phone


@pytest.fixture
def join(server: Server) -> Callable[..., Phone]:
    def joined(name: str = "Anna", seat: str = "", address: str = "127.0.0.1") -> Phone:
        phone = Phone(server.port, address)
        reply = phone.post("/api/join", token=server.room.access.join_token, name=name, **({"seat": seat} if seat else {}))
        assert reply.status == 200, reply
        return phone

    return joined


@pytest.fixture
def siege(host: Phone, join: Callable[..., Phone]) -> Players:
    """A game of Siege that has begun: the host, and a phone on each seat."""
    reply = host.post("/api/start", game="siege")
    assert reply.json["status"] == "accepted", reply.json
    players = {seat: join(name, seat) for seat, name in (("attacker", "Anna"), ("defender", "Ben"))}
    for seat, phone in players.items():
        assert phone.act("agreed", seat=seat).json["status"] == "accepted"
    return players | {"host": host}


def first_move(state: dict[str, object], seat: str) -> dict[str, str]:
    """The first legal move of a seat, as an event."""
    legal = state["legal"]
    assert isinstance(legal, list)
    move = next(m for m in legal if m["seat"] == seat)
    return {key: move[key] for key in ("seat", "do", "piece", "from", "to", "detail") if move[key]}
