"""The live stream: everything at once on connect, a snapshot with every change, and nobody can hold it up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.journal import Journal
from companion.news import News
from companion.table import Rolled, Table
from tests.web.conftest import first_move
from tests.web.phone import NAME, Phone
from web import hub as hub_module
from web.access import Access
from web.hub import Hub
from web.server import Server

Join = Callable[..., Phone]
Players = dict[str, Phone]


def test_connecting_brings_the_whole_snapshot_for_one_s_role(siege: Players) -> None:
    with siege["host"].stream() as of_host, siege["attacker"].stream() as of_seat:
        told, seen = of_host.snapshot(), of_seat.snapshot()
    assert told["you"]["role"] == "host"
    assert told["host"]["guests"]
    assert seen["you"] == {"role": "seat", "seat": "attacker", "name": "Anna", "guest": 2}
    assert "host" not in seen
    assert seen["legal"] == told["legal"]
    assert {k: v for k, v in siege["attacker"].look().items() if k not in ("serial", "players")} == {
        k: v for k, v in seen.items() if k not in ("serial", "players")
    }


def test_a_change_reaches_every_page_as_a_newer_snapshot(siege: Players) -> None:
    ben = siege["defender"]
    with siege["attacker"].stream() as page:
        before = page.snapshot()
        answer = ben.act("played", event=first_move(ben.look(), "defender")).json
        after = page.until(answer["state"]["version"])
    assert after["serial"] > before["serial"]
    assert after["record_length"] == 1
    assert after["news"][-1]["id"] > before["news"][-1]["id"]


def test_a_phone_that_was_away_catches_up_on_coming_back(siege: Players) -> None:
    ben, anna = siege["defender"], siege["attacker"]
    with anna.stream() as page:
        page.snapshot()
    ben.act("played", event=first_move(ben.look(), "defender"))
    ben.act("took_back", to=1)
    ben.act("played", event=first_move(ben.look(), "defender"))
    with anna.stream() as page:
        state = page.snapshot()
    assert state["record_length"] == 1
    assert sum("back" in n["text"] for n in state["news"]) == 1


def test_a_restarted_server_says_so_by_another_boot(tmp_path: Path) -> None:
    boots = []
    for _ in range(2):
        with (
            Table(Journal.open(tmp_path / "table.journal")) as table,
            Server(table, "127.0.0.1", 0, guests_file=tmp_path / "table.guests", names=[NAME]) as server,
        ):
            phone = Phone(server.port)
            phone.post("/api/join", token=server.room.access.join_token, name="Anna")
            with phone.stream() as page:
                boots.append(page.snapshot()["boot"])
    assert boots[0] != boots[1]


def test_players_see_who_is_there(siege: Players, monkeypatch: pytest.MonkeyPatch) -> None:
    def online(state: dict[str, Any]) -> dict[str, bool]:
        return {p["seat"]: p["online"] for p in state["players"]}

    with siege["host"].stream() as page:
        page.snapshot()
        with siege["attacker"].stream():
            while not online(page.snapshot())["attacker"]:
                pass
        while online(page.snapshot())["attacker"]:
            pass


def test_a_kicked_guest_s_stream_ends_with_a_word(siege: Players) -> None:
    anna = siege["attacker"]
    with anna.stream() as page:
        guest = page.snapshot()["you"]["guest"]
        siege["host"].post("/api/kick", guest=guest)
        while (event := page.event()) and event[0] != "bye":
            pass
        assert event
        assert event[1]["why"] in ("the host ended your visit", "you are not paired any more")
        assert page.event() is None


def test_a_role_that_changes_shows_in_the_open_stream(host: Phone, join: Join) -> None:
    host.post("/api/start", game="siege")
    anna = join("Anna")
    with anna.stream() as page:
        assert page.snapshot()["you"]["role"] == "spectator"
        anna.post("/api/seat", seat="attacker")
        while page.snapshot()["you"]["role"] != "seat":
            pass


def test_the_fifth_page_of_one_phone_closes_its_oldest(join: Join) -> None:
    anna = join("Anna")
    pages = [anna.stream() for _ in range(hub_module.STREAMS_PER_SESSION + 1)]
    for page in pages[1:]:
        page.snapshot()
    while (event := pages[0].event()) and event[0] != "bye":
        pass
    assert event == ("bye", {"why": "opened elsewhere"})
    for page in pages:
        page.close()


def test_stopping_ends_every_stream_in_good_order(table: Table) -> None:
    server = Server(table, "127.0.0.1", 0, names=[NAME])
    server.start()
    phone = Phone(server.port)
    phone.post("/api/join", token=server.room.access.join_token, name="Anna")
    with phone.stream() as page:
        page.snapshot()
        server.stop()
        while (event := page.event()) and event[0] != "bye":
            pass
        assert event == ("bye", {"why": "the table is closed"})
        assert page.event() is None, "closed as HTTP wants it, not cut off"


def test_a_page_that_reads_nothing_holds_up_neither_the_table_nor_others_and_then_gets_the_newest(table: Table) -> None:
    """In process, with a phone whose network takes nothing until it is told to."""

    async def evening() -> tuple[list[bytes], list[bytes]]:
        hub = Hub(table, Access())
        await hub.start()
        got: dict[str, list[bytes]] = {"slow": [], "quick": []}
        blocked = asyncio.Event()
        gone = asyncio.Event()

        def page(name: str) -> tuple[Any, Any]:
            async def send(message: Any) -> None:
                if name == "slow" and got["slow"]:
                    await blocked.wait()
                got[name].append(message.get("body", b""))

            async def receive() -> Any:
                await gone.wait()
                return {"type": "http.disconnect"}

            return receive, send

        streams = [hub.open(None, address) for address in ("10.0.0.1", "10.0.0.2")]
        assert streams[0]
        assert streams[1]
        runs = [
            asyncio.create_task(hub.run(stream, *page(name)))
            for stream, name in zip(streams, ("slow", "quick"), strict=True)
            if stream
        ]
        last = 0
        for face in range(60):
            last = (await asyncio.wrap_future(table.ask(Rolled((face % 6 + 1,))))).view.version
        wanted = f'"version":{last}'.encode()
        while not any(wanted in body for body in got["quick"]):
            await asyncio.sleep(0)
        blocked.set()
        while not any(wanted in body for body in got["slow"]):
            await asyncio.sleep(0)
        gone.set()
        await asyncio.gather(*runs)
        await hub.stop()
        return got["slow"], got["quick"]

    slow, _ = asyncio.run(evening())
    snapshots = [body for body in slow if body.startswith(b"id: ")]
    assert len(snapshots) <= 3, "what lay between was left out"


def test_a_page_that_takes_nothing_for_long_is_given_up(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "SEND_SECONDS", 0.05)

    async def evening() -> None:
        hub = Hub(table, Access())
        await hub.start()
        stream = hub.open(None, "10.0.0.1")
        assert stream

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                await asyncio.Event().wait()

        async def receive() -> Any:
            await asyncio.Event().wait()

        with pytest.raises(TimeoutError):
            await hub.run(stream, receive, send)
        assert not hub.streams
        await hub.stop()

    asyncio.run(evening())


def test_a_silent_line_is_kept_open_by_heartbeats(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 0.02)
    with Server(table, "127.0.0.1", 0, names=[NAME]) as server:
        phone = Phone(server.port)
        phone.post("/api/join", token=server.room.access.join_token, name="Anna")
        with phone.stream() as page:
            page.snapshot()
            while page.answer.readline() != b": still here\n":
                pass


def test_a_snapshot_is_made_once_for_all(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    real = hub_module.snapshot
    monkeypatch.setattr(hub_module, "snapshot", lambda *a: made.append(1) or real(*a))
    hub = Hub(table, Access())
    table.ask(Rolled((3,))).result()
    hub.picture()
    for _ in range(10):
        hub.json_for(None)
    assert len(made) == 1


def test_telling_the_hub_never_waits(table: Table) -> None:
    """Even while a snapshot is being made and no loop runs."""
    hub = Hub(table, Access())
    with hub._drawing:
        began = time.monotonic()
        for _ in range(1000):
            hub.tell(table.view, (News("x"),))
        assert time.monotonic() - began < 5  # it would never come back, if it waited


def test_the_wanted_port_or_a_free_one(table: Table) -> None:
    with Server(table, "127.0.0.1", 0, names=[NAME]) as first, Server(table, "127.0.0.1", first.port, names=[NAME]) as second:
        assert first.port != second.port
        assert Phone(second.port).get("/api/state").status == 401
