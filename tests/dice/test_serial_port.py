"""Electronic dice on real pseudo-terminals: found, heard, unplugged at any byte, plugged in again."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial

from companion.dice import serial_port
from companion.dice.events import DeviceChanged, DeviceHealth, DiceEvent, DiceRolled, RollChecked
from companion.dice.serial_port import USB_VENDORS, SerialDice, explain, find_ports
from companion.dice.virtual_die import VirtualDie
from tests.dice import noise
from tests.dice.line import dead
from tests.dice.pty_die import PtyDie
from tests.dice.soak_noise import RATES

PlugIn = Callable[..., PtyDie]
Host = Callable[..., SerialDice]


class Table:
    """Keeps what it is told and confirms it, as the real one does."""

    def __init__(self) -> None:
        self.events: list[DiceEvent] = []
        self.confirms = True

    def put(self, event: DiceEvent) -> None:
        self.events.append(event)
        if self.confirms:
            event.confirm()

    def rolls(self) -> list[DiceRolled]:
        return [event for event in self.events if isinstance(event, DiceRolled)]

    def states(self, *wanted: str) -> list[str]:
        told = [event.state for event in self.events if isinstance(event, DeviceChanged)]
        return [state for state in told if state in wanted] if wanted else told


def wait_for(wanted: Callable[[], object]) -> None:
    """Until it is so; a minute without it is a failure."""
    end = time.monotonic() + 60
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def plug_in(tmp_path: Path) -> Iterator[PlugIn]:
    dice: list[PtyDie] = []

    def make(name: str = "die", device: str = "0000D1CE") -> PtyDie:
        dice.append(PtyDie(tmp_path / name, VirtualDie(device)))
        return dice[-1]

    yield make
    for die in dice:
        die.close()


@pytest.fixture
def host(table: Table) -> Iterator[Host]:
    hosts: list[SerialDice] = []

    def make(*ports: object, **options: object) -> SerialDice:
        names = [str(port.link if isinstance(port, PtyDie) else port) for port in ports]
        hosts.append(SerialDice(table.put, names or None, **options))  # type: ignore[arg-type]
        hosts[-1].start()
        return hosts[-1]

    yield make
    for each in hosts:
        each.stop()


def is_witnessed(die: PtyDie) -> Callable[[], bool]:
    return lambda: die.die._nonce is not None


# --- rolls


def test_a_press_reaches_the_table_and_is_proven(table: Table, plug_in: PlugIn, host: Host) -> None:
    die = plug_in()
    host(die)
    wait_for(is_witnessed(die))
    die.press()
    wait_for(lambda: any(isinstance(event, RollChecked) for event in table.events))
    (roll,) = table.rolls()
    assert (roll.source, roll.faces) == ("die:0000D1CE", die.die.made[0].faces)
    assert [event.verdict for event in table.events if isinstance(event, RollChecked)] == ["proven"]


def test_frames_that_come_byte_by_byte_are_read_the_same(
    table: Table, plug_in: PlugIn, host: Host
) -> None:
    die = plug_in()
    die.chunk = 1
    host(die)
    for number in range(1, 6):
        wait_for(is_witnessed(die))
        die.press()
        wait_for(lambda n=number: len(table.rolls()) == n)
    assert [roll.faces for roll in table.rolls()] == [made.faces for made in die.die.made]


def test_a_confirmation_from_another_thread_wakes_the_line_at_once(
    table: Table, plug_in: PlugIn, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial_port, "READ_TIMEOUT", 1000.0)  # so that nothing but being woken helps
    die = plug_in()
    table.confirms = False
    host(die)
    wait_for(is_witnessed(die))
    die.press()
    wait_for(table.rolls)
    die.to_host = dead  # no traffic that would wake it either
    waiting = len(die.die._queue)
    table.rolls()[0].confirm()
    wait_for(lambda: len(die.die._queue) < waiting)


def test_two_dice_at_once_keep_their_rolls_apart(
    table: Table, plug_in: PlugIn, host: Host
) -> None:
    red, blue = plug_in("red", "00000AED"), plug_in("blue", "00000B1E")
    dice = host(red, blue)
    wait_for(lambda: is_witnessed(red)() and is_witnessed(blue)())
    dice.set_due(2)
    dice.set_due(1, "die:00000B1E")
    wait_for(lambda: (red.die.due, blue.die.due) == (2, 1))
    for _ in range(20):
        red.press("A")
        blue.press("A")
        wait_for(lambda: len(table.rolls()) == len(red.die.made) + len(blue.die.made))
    for die, source, count in ((red, "die:00000AED", 2), (blue, "die:00000B1E", 1)):
        told = [(roll.number, roll.faces) for roll in table.rolls() if roll.source == source]
        assert told == [(made.number, made.faces) for made in die.die.made]
        assert {len(faces) for _, faces in told} == {count}


def test_a_wish_made_before_the_die_is_there_reaches_it(
    table: Table, plug_in: PlugIn, host: Host, tmp_path: Path
) -> None:
    dice = host(tmp_path / "die")
    dice.set_light("TURN")
    dice.set_due(1, "die:0000D1CE")
    die = plug_in()
    wait_for(lambda: (die.die.light, die.die.due) == ("TURN", 1))
    assert dice.ports() == [(str(tmp_path / "die"), "linked", "die:0000D1CE")]


def test_the_host_can_roll_and_ask_for_the_status(
    table: Table, plug_in: PlugIn, host: Host
) -> None:
    die = plug_in()
    dice = host(die)
    wait_for(is_witnessed(die))
    dice.ask_roll(2, 20)
    dice.ask_status()
    wait_for(lambda: table.rolls() and any(isinstance(event, DeviceHealth) for event in table.events))
    assert (table.rolls()[0].sides, table.rolls()[0].cause) == (20, "H")
    with pytest.raises(ValueError):
        dice.ask_roll(0)
    with pytest.raises(ValueError):
        dice.set_due(9)


def test_raw_traffic_is_shown_both_ways(plug_in: PlugIn, host: Host) -> None:
    traffic: list[tuple[str, str, bytes]] = []
    die = plug_in()
    host(die, on_traffic=lambda *line: traffic.append(line))
    wait_for(is_witnessed(die))
    up = b"".join(data for _, way, data in traffic if way == "<")
    down = b"".join(data for _, way, data in traffic if way == ">")
    assert b",HELLO,1,virtual," in up
    assert b"00,HELLO,1*" in down


# --- unplugging


@pytest.mark.parametrize("byte", [0, 1, 2, 7, 13, 20, 28, 33])
def test_a_die_unplugged_at_any_byte_of_a_roll_delivers_it_once_when_it_is_back(
    byte: int, table: Table, plug_in: PlugIn, host: Host
) -> None:
    die = plug_in()
    host(die)
    wait_for(is_witnessed(die))
    die.cut_after = byte
    die.press()
    wait_for(lambda: die._master < 0)
    wait_for(lambda: table.states("searching", "linked")[-1] == "searching")
    die.plug()
    wait_for(lambda: table.rolls() and not die.die._queue)
    assert [(roll.number, roll.faces) for roll in table.rolls()] == [(made.number, made.faces) for made in die.die.made]
    assert table.states("searching", "linked") == ["searching", "linked", "searching", "linked"]


def test_a_die_pulled_and_pushed_ten_times_loses_and_doubles_nothing(
    table: Table, plug_in: PlugIn, host: Host
) -> None:
    die = plug_in()
    host(die)
    for number in range(1, 11):
        wait_for(lambda: die.die._heard and table.states("searching", "linked")[-1] == "linked")
        die.cut_after = number * 7
        die.press()
        wait_for(lambda: die._master < 0)
        wait_for(lambda: table.states("searching", "linked")[-1] == "searching")
        die.plug()
        wait_for(lambda n=number: len(table.rolls()) == n)
    assert [roll.faces for roll in table.rolls()] == [made.faces for made in die.die.made]


def test_a_die_that_resets_in_mid_game_is_met_again(
    table: Table, plug_in: PlugIn, host: Host
) -> None:
    die = plug_in()
    host(die)
    wait_for(is_witnessed(die))
    die.reset()
    wait_for(is_witnessed(die))
    die.press()
    wait_for(table.rolls)
    assert table.rolls()[0].boot == 2
    assert "restarted" in table.states()


class FailingPort:
    """A port that works until `fails` is set, then raises as a pulled cable does."""

    def __init__(self, error: Exception, where: str, **_: object) -> None:
        self.error, self.where = error, where
        self.is_open = True

    @property
    def in_waiting(self) -> int:
        return self._step("in_waiting", 0)

    def read(self, _: int) -> bytes:
        return self._step("read", b"")

    def write(self, data: bytes) -> int:
        return self._step("write", len(data))

    def close(self) -> None:
        self.is_open = False
        self._step("close", None)

    def _step(self, name: str, result: object) -> object:  # type: ignore[type-var]
        if name == self.where or (self.where == "close" and name == "read"):
            raise self.error
        return result


KINDS = [serial.SerialException("pulled"), OSError(5, "I/O error"), termios.error(5, "I/O error"), TypeError("no file number")]


@pytest.mark.parametrize("where", ["in_waiting", "read", "write", "close"])
@pytest.mark.parametrize("error", KINDS, ids=lambda error: type(error).__name__)
def test_every_kind_of_exception_at_every_call_means_gone_and_the_port_is_opened_again(
    error: Exception, where: str, table: Table, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[FailingPort] = []

    def open_port(*_: object, **options: object) -> FailingPort:
        opened.append(FailingPort(error, where))
        return opened[-1]

    monkeypatch.setattr(serial_port.serial, "serial_for_url", open_port)
    host("/dev/some-die")
    wait_for(lambda: len(opened) >= 3)
    assert not opened[0].is_open
    assert table.states() == ["searching"]


# --- ports


def test_a_port_by_url_is_heard_too(table: Table, host: Host) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    die = VirtualDie()
    stopping = threading.Event()

    def serve() -> None:
        line, _ = server.accept()
        line.settimeout(0.01)
        started = time.monotonic()
        with line, contextlib.suppress(ConnectionError):  # the host hangs up first
            while not stopping.is_set():
                now = int((time.monotonic() - started) * 1000)
                try:
                    die.receive(line.recv(4096), now)
                except TimeoutError:
                    die.tick(now)
                if die._nonce and not die.made:
                    die.press("A", now)
                line.sendall(die.output())

    thread = threading.Thread(target=serve)
    thread.start()
    dice = host(f"socket://127.0.0.1:{server.getsockname()[1]}")
    wait_for(table.rolls)
    dice.stop()
    stopping.set()
    thread.join()
    server.close()
    assert table.rolls()[0].faces == die.made[0].faces


@pytest.mark.parametrize("name", ["nonsense://x", "socket://", "a\0b", "/etc/passwd", "/", "ß" * 300])
def test_a_port_that_is_none_is_told_in_one_line_and_nothing_falls(
    name: str, table: Table, host: Host
) -> None:
    host(name)
    wait_for(lambda: "port_error" in table.states())
    (told,) = [str(event) for event in table.events if isinstance(event, DeviceChanged) and event.state == "port_error"]
    assert "\n" not in told


def test_a_port_in_use_is_told_once_and_taken_when_it_is_free(
    table: Table, plug_in: PlugIn, host: Host
) -> None:
    die = plug_in()
    with serial.Serial(os.readlink(die.link), exclusive=True):
        host(os.readlink(die.link))
        wait_for(lambda: "port_error" in table.states())
    wait_for(lambda: "linked" in table.states())
    assert [str(event) for event in table.events if isinstance(event, DeviceChanged) and event.state == "port_error"] == [
        f"{os.readlink(die.link)}: another program is using it: close that program"
    ]


def test_what_to_do_about_a_port_is_said_and_a_missing_one_is_only_searched_for() -> None:
    assert "dialout" in explain(serial.SerialException(13, "denied"))
    assert "another program" in explain(serial.SerialException(11, "locked"))
    assert explain(FileNotFoundError(2, "no such file")) == ""
    assert "\n" not in explain(ValueError("two\nlines"))


def test_only_usb_ports_of_the_usual_makers_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [SimpleNamespace(device="/dev/ttyS0", vid=None), SimpleNamespace(device="/dev/ttyACM9", vid=0x1234)]
    listed += [SimpleNamespace(device=f"/dev/ttyUSB{number}", vid=vid) for number, vid in enumerate(USB_VENDORS)]
    monkeypatch.setattr(serial_port.list_ports, "comports", lambda: listed)
    assert find_ports() == [f"/dev/ttyUSB{number}" for number in range(len(USB_VENDORS))]


def test_found_ports_are_taken_as_they_come_and_a_die_may_return_under_another_name(
    table: Table, plug_in: PlugIn, host: Host, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(serial_port, "SCAN_EVERY", 0.01)
    dice = host(find=lambda: sorted(map(str, tmp_path.iterdir())))
    wait_for(lambda: table.states("searching"))
    die = plug_in("first")
    wait_for(is_witnessed(die))
    die.unplug()
    die.link = tmp_path / "second"
    die.press()
    wait_for(lambda: not dice.ports())
    die.plug()
    wait_for(table.rolls)
    assert [port for port, _, _ in dice.ports()] == [str(tmp_path / "second")]
    assert table.rolls()[0].key == ("die:0000D1CE", 1, 1)


def test_a_found_port_with_something_else_behind_it_is_left_alone(
    table: Table, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial_port, "SCAN_EVERY", 0.01)
    monkeypatch.setattr(serial_port, "NO_DIE_AFTER", 0.2)
    master, slave = os.openpty()
    tty.setraw(slave)
    dice = host(find=lambda: [os.ttyname(slave)])
    wait_for(lambda: dice._lines and all(line.is_stranger and not line.is_alive() for line in dice._lines.values()))
    with serial.Serial(os.ttyname(slave), exclusive=True):
        pass  # it is free for others
    dice.stop()
    os.close(master)
    os.close(slave)


def test_a_receiver_that_fails_is_logged_and_the_line_goes_on(
    plug_in: PlugIn, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[DiceEvent] = []

    def fail_on_links(event: DiceEvent) -> None:
        heard.append(event)
        if isinstance(event, DeviceChanged):
            raise RuntimeError("a bug of the table")

    die = plug_in()
    with caplog.at_level(logging.ERROR), SerialDice(fail_on_links, [str(die.link)]):
        wait_for(is_witnessed(die))
        die.press()
        wait_for(lambda: any(isinstance(event, DiceRolled) for event in heard))
    assert "a bug of the table" in caplog.text


def test_stopping_leaves_no_thread_and_a_free_port(plug_in: PlugIn, table: Table) -> None:
    before = set(threading.enumerate())
    die = plug_in()
    with SerialDice(table.put, [str(die.link), "/dev/no-such-die"]):
        wait_for(is_witnessed(die))
        told = table.states()
    assert table.states() == told, "a die that we let go of is not told to be missing"
    left = set(threading.enumerate()) - before - {die._thread}
    assert not left
    with serial.Serial(os.readlink(die.link), exclusive=True):
        pass


# --- noise


@pytest.mark.slow
@pytest.mark.parametrize(("rate", "seed"), [(rate, 7 + 2 * place) for place, rate in enumerate(RATES)])
def test_noise_brings_no_wrong_roll_no_doubled_one_and_loses_none(rate: float, seed: int) -> None:
    outcome = noise.run(rate, 50_000 // len(RATES), seed)
    print(outcome)
    assert outcome.frames >= 50_000 // len(RATES)
    assert (outcome.wrong(), outcome.doubled(), outcome.lost()) == (0, 0, 0)
    assert len(outcome.told) > 20
    assert "failed" not in outcome.verdicts
    assert bool(outcome.damaged_bytes) is bool(rate)
