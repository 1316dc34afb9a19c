"""The companion as a service: systemd is told when it is ready, that it is well, and that it stops; and only what is true."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import service
from companion.game import terms_to_json
from companion.games import find_game
from companion.journal import Journal
from companion.service import RoundTrip, Service, failing, notify, table_answers, watchdog_seconds
from companion.table import Abandon, Start, Table
from tests.ports import free_port

PATIENCE = 60.0


class Systemd:
    """The listening end of NOTIFY_SOCKET."""

    def __init__(self, address: str) -> None:
        self.line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.line.bind("\0" + address[1:] if address.startswith("@") else address)
        self.line.settimeout(PATIENCE)
        self.environment = {"NOTIFY_SOCKET": address}

    def hears(self) -> list[str]:
        return self.line.recv(4096).decode().split("\n")

    def hears_until(self, wanted: Callable[[list[str]], bool]) -> list[str]:
        while not wanted(words := self.hears()):
            pass
        return words


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    listening = Systemd(str(tmp_path / "notify"))
    yield listening
    listening.line.close()


def test_without_systemd_nothing_is_sent() -> None:
    assert notify("READY=1", environment={}) is False
    assert watchdog_seconds({}) == 0
    with Service([], {}):
        pass


def test_a_socket_that_nobody_holds_any_more_harms_nothing(tmp_path: Path) -> None:
    assert notify("READY=1", environment={"NOTIFY_SOCKET": str(tmp_path / "gone")}) is False
    assert notify("READY=1", environment={"NOTIFY_SOCKET": "vsock:2:1234"}) is False


def test_an_abstract_socket_is_reached_too() -> None:
    listening = Systemd(f"@companion-test-{os.getpid()}")
    assert notify("READY=1", "STATUS=yes", environment=listening.environment)
    assert listening.hears() == ["READY=1", "STATUS=yes"]
    listening.line.close()


def test_a_watchdog_meant_for_another_process_is_not_ours() -> None:
    assert watchdog_seconds({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": str(os.getpid())}) == 3
    assert watchdog_seconds({"WATCHDOG_USEC": "3000000"}) == 3
    assert watchdog_seconds({"WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"}) == 0
    assert watchdog_seconds({"WATCHDOG_USEC": "nonsense"}) == 0


def test_the_watchdog_is_fed_while_the_table_answers(systemd: Systemd) -> None:
    with Table(Journal.without_file()) as table, Service([table_answers(table)], systemd.environment | {"WATCHDOG_USEC": "20000"}):
        assert systemd.hears()[0] == "READY=1"
        for _ in range(3):
            assert systemd.hears() == ["WATCHDOG=1", "STATUS=All is well."]
    systemd.hears_until(lambda words: words[0] == "STOPPING=1")


def test_the_round_trip_changes_nothing_at_the_table() -> None:
    with Table(Journal.without_file()) as table:
        told: list[object] = []
        table.subscribe(lambda view, news: told.append(view))
        before = table.view
        assert failing([table_answers(table)]) == {}
        assert table.view == before
        assert told == []


def test_a_table_that_hangs_starves_the_watchdog(systemd: Systemd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "PATIENCE", 0.05)
    go_on = threading.Event()
    with Table(Journal.without_file()) as table:
        table.subscribe(lambda view, news: go_on.wait(PATIENCE) and None)
        with Service([table_answers(table)], systemd.environment | {"WATCHDOG_USEC": "20000"}):
            table.put(Start(terms_to_json(find_game("siege").terms())))  # its news make the subscriber wait
            starved = systemd.hears_until(lambda words: any("No answer" in word for word in words))
            assert starved == ["STATUS=No answer from the table."]
            go_on.set()
            assert systemd.hears_until(lambda words: "WATCHDOG=1" in words), "and when it answers again, all is well"
            table.put(Abandon())


def test_a_part_that_is_not_vital_is_named_but_the_watchdog_is_fed(systemd: Systemd) -> None:
    def no_eye() -> None:
        raise TimeoutError

    with Service([RoundTrip("the camera", no_eye, vital=False)], systemd.environment | {"WATCHDOG_USEC": "20000"}):
        systemd.hears()
        assert systemd.hears() == ["WATCHDOG=1", "STATUS=No answer from the camera."]


@pytest.mark.slow
def test_companion_run_tells_systemd_everything_and_stops_on_sigterm(systemd: Systemd, tmp_path: Path) -> None:
    port = free_port()
    environment = os.environ | systemd.environment | {"WATCHDOG_USEC": "500000", "HOME": str(tmp_path), "STATE_DIRECTORY": str(tmp_path)}
    environment.pop("WATCHDOG_PID", None)
    process = subprocess.Popen(
        [sys.executable, "-c", "from companion.cli import main; main()", "run", "--port", str(port)],
        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert "READY=1" in systemd.hears()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/join", timeout=PATIENCE) as page:
            assert page.status == 200
        systemd.hears_until(lambda words: words == ["WATCHDOG=1", "STATUS=All is well."])
        process.send_signal(signal.SIGTERM)
        systemd.hears_until(lambda words: words[0] == "STOPPING=1")
        output, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, output
    finally:
        process.kill()
        process.communicate()
