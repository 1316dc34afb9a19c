"""Guests who mean harm, or have many phones: an honest phone is answered all the same."""

from __future__ import annotations

import contextlib
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from companion.table import Table
from tests.web.phone import NAME, Phone
from web import guard, hub
from web.server import Server
from web.sockets import Sockets

Join = Callable[..., Phone]
CULPRIT, HONEST = "127.0.0.66", "127.0.0.7"


def connect(server: Server, address: str = CULPRIT) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), 10, (address, 0))


@contextlib.contextmanager
def together(sockets: list[socket.socket]) -> Iterator[list[socket.socket]]:
    try:
        yield sockets
    finally:
        for each in sockets:
            each.close()


def is_closed(connection: socket.socket) -> bool:
    """Whether the server ends it, sooner or later (the socket's own time limit is the test's)."""
    try:
        while connection.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


def timed(phone: Phone, times: int) -> list[float]:
    """How long an honest phone waits for each of so many looks, in seconds."""
    waits = []
    for _ in range(times):
        began = time.perf_counter()
        assert phone.get("/api/state").status == 200
        waits.append(time.perf_counter() - began)
    return waits


def report(what: str, waits: list[float]) -> float:
    p99 = sorted(waits)[int(len(waits) * 0.99)]
    print(f"{what}: p50 {statistics.median(waits) * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms of {len(waits)} looks")
    return p99


def test_slow_headers(table: Table) -> None:
    """A head that comes drop by drop is cut off at the deadline, however busily it drips."""
    with Server(table, "127.0.0.1", 0, names=[NAME], sockets=Sockets(head_seconds=0.5)) as server:
        with together([connect(server) for _ in range(20)]) as slow:
            for each in slow:
                each.sendall(f"GET /api/state HTTP/1.1\r\nHost: {NAME}\r\nX-a: ".encode())
            ended = time.monotonic() + 8
            alive = set(slow)
            while alive and time.monotonic() < ended:
                for each in tuple(alive):
                    try:
                        each.sendall(b"b")
                        each.setblocking(False)
                        if each.recv(1) == b"":
                            alive.discard(each)
                    except BlockingIOError:
                        pass
                    except OSError:
                        alive.discard(each)
                    finally:
                        each.setblocking(True)
                time.sleep(0.05)
            assert not alive
        assert Phone(server.port).get("/api/state").status == 401


def test_slow_bodies_do_not_use_up_the_threads(server: Server, join: Join, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 1.0)
    anna = join("Anna", address=HONEST)
    head = f"POST /api/join HTTP/1.1\r\nHost: {NAME}\r\nOrigin: http://{NAME}\r\n"
    head += "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n"
    with together([connect(server) for _ in range(40)]) as slow:
        for each in slow:
            each.sendall(head.encode() + b"{")
        assert timed(anna, 5)
        for each in slow:
            assert each.recv(65536).startswith(b"HTTP/1.1 408")
            assert is_closed(each)


def test_pages_that_are_asked_for_and_never_read_do_not_use_up_the_threads(server: Server, join: Join) -> None:
    anna, greedy = join("Anna", address=HONEST), join("Eve", address=CULPRIT)
    ask = f"GET /api/games HTTP/1.1\r\nHost: {NAME}\r\nCookie: companion={greedy.cookie}\r\n\r\n".encode()
    with together([]) as greedy_sockets:
        for _ in range(24):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            one.bind((CULPRIT, 0))
            one.connect(("127.0.0.1", server.port))
            one.sendall(ask * 8)
            greedy_sockets.append(one)
        assert timed(anna, 10)


def test_one_address_with_too_many_sockets_loses_those_that_rest_longest(table: Table) -> None:
    with (
        Server(table, "127.0.0.1", 0, names=[NAME], sockets=Sockets(per_address=8)) as server,
        together([connect(server) for _ in range(20)]) as idle,
    ):
        for each in idle[:12]:
            assert is_closed(each)
        assert Phone(server.port, CULPRIT).get("/api/state").status == 401, "even the same address still gets an answer"


def test_sockets_in_all_are_bounded(table: Table) -> None:
    with (
        Server(table, "127.0.0.1", 0, names=[NAME], sockets=Sockets(in_all=10)) as server,
        together([connect(server, f"127.0.1.{number}") for number in range(1, 31)]) as idle,
    ):
        for each in idle[:20]:
            assert is_closed(each)
        assert len(server.web.sockets.open) <= 10


def test_open_streams_of_one_address_are_bounded(server: Server, join: Join, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "STREAMS_PER_ADDRESS", 3)
    monkeypatch.setattr(guard, "REFUSED_STREAM_SECONDS", 0)
    phones = [join(f"Guest {number}", address=CULPRIT) for number in range(4)]
    pages = [phone.stream() for phone in phones]
    assert [page.status for page in pages] == [200, 200, 200, 429]
    for page in pages:
        page.close()


@pytest.mark.slow
def test_200_idle_sockets(server: Server, join: Join) -> None:
    anna = join("Anna", address=HONEST)
    with together([connect(server) for _ in range(200)]):
        p99 = report("an honest phone beside 200 idle sockets", timed(anna, 200))
    assert p99 < 5, "answered at all"


@pytest.mark.slow
def test_64_churning_streams(server: Server, join: Join) -> None:
    """From sixteen addresses, in a process of their own; an honest phone looks meanwhile."""
    anna = join("Anna", address=HONEST)
    culprits = [join(f"Eve {number}", address=f"127.0.2.{number + 1}") for number in range(16)]
    command = [sys.executable, "-m", "tests.web.churn", str(server.port), *(f"{c.address}={c.cookie}" for c in culprits)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as churning:
        assert churning.stdin
        assert churning.stdout
        assert churning.stdout.readline() == "churning\n"
        p99 = report("an honest phone beside 64 churning streams", timed(anna, 200))
        churning.stdin.close()
        opened, refused = map(int, churning.stdout.read().split())
    print(f"{opened} streams were opened and dropped meanwhile, {refused} refused")
    assert opened > 64
    assert p99 < 10, "answered at all"
    assert _soon(lambda: not server.room.hub.streams)


def test_an_address_that_opens_streams_without_end_is_refused_slowly(
    server: Server, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "REFUSED_STREAM_SECONDS", 0.01)
    eve, anna = join("Eve", address=CULPRIT), join("Anna", address=HONEST)
    statuses = []
    for _ in range(hub.OPENINGS + 1):
        with eve.stream() as page:
            statuses.append(page.status)
    assert statuses[:-1] == [200] * hub.OPENINGS
    assert statuses[-1] == 429
    with anna.stream() as page:
        assert page.status == 200


def _soon(condition: Callable[[], bool]) -> bool:
    ends = time.monotonic() + 10
    while not condition() and time.monotonic() < ends:
        time.sleep(0.01)
    return condition()
