"""The bench itself: what it promises to tests and to the demonstration."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import serial

from companion.dice.protocol import AskRoll, DieHello, Framer, HostHello, decode_from_die, encode
from firmware.emulator import emulated_die
from firmware.emulator.emulated_die import BAUD, EMULATOR, EmulatedDie, EmulatorError
from tests.firmware.evening import Evening, GameAtTheTable
from tests.firmware.lockstep import LockstepHost

NewDie = Callable[..., EmulatedDie]


def play(die: EmulatedDie) -> list[tuple[int, int, str]]:
    """Everything that a die says in a short life with faults."""
    host = LockstepHost(die)
    host.link()
    die.fault("both", "corrupt", 0.01)
    for _ in range(10):
        die.bounce("A", True, 12, 3000)
        host.hear(50)
        die.bounce("A", False, 12, 3000)
        host.hear(50)
        host.send(AskRoll(0x70, 5, 6), 30)
    return [tuple(frame) for frame in die.frames()]


def test_the_same_seed_gives_the_same_life_to_the_cycle_and_another_seed_another(new_die: NewDie) -> None:
    first, second, other = (play(new_die(paused=True, seed=seed)) for seed in (7, 7, 8))
    assert first == second
    assert first != other


def test_a_command_with_bad_words_is_refused_and_changes_nothing(new_die: NewDie) -> None:
    die = new_die(paused=True)
    before = die.tell("now")
    for command in ("dance", "", "pin", "pin E9 1", "pin D2 x", "bounce D2 0", "fault to_die gremlins 1", "fault up drop 1",
                    "reset gently", "run", "run -5", "exchange 5", "adc 1", "inject to_die", "speed fast", "tap D2",
                    "overrun many", "baud x", "x" * 5000):
        with pytest.raises(EmulatorError):
            die.tell(command)
    assert die.tell("now") == before


def test_a_missing_binary_is_named(firmware: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(EmulatorError, match="did not start"):
        EmulatedDie(elf=tmp_path / "nothing.elf")
    assert "make -C firmware" in capfd.readouterr().err


def test_a_missing_emulator_is_named(firmware: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(emulated_die, "EMULATOR", tmp_path / "nothing")
    with pytest.raises(EmulatorError, match="make -C firmware emulator"):
        EmulatedDie()


def test_after_it_has_stopped_it_says_so(new_die: NewDie) -> None:
    die = new_die(paused=True)
    die.tell("quit")
    with pytest.raises(EmulatorError, match="stopped"):
        die.tell("now")


def test_end_of_input_stops_it_and_leaves_no_link_behind(firmware: None, tmp_path: Path) -> None:
    link = tmp_path / "pty"
    done = subprocess.run([EMULATOR, "-l", link, emulated_die.ELF], input="", capture_output=True, text=True, check=True)
    assert str(link) in done.stdout
    assert not link.is_symlink()


def test_a_plain_program_can_open_it_as_a_serial_port(new_die: NewDie) -> None:
    die = new_die(speed=20.0)
    framer = Framer()
    with serial.Serial(die.path, BAUD, timeout=0.5) as port:
        for _ in range(50):
            port.write(encode(HostHello(0, 1)))
            hellos = [message for message in map(decode_from_die, framer.feed(port.read(100)))
                      if isinstance(message, DieHello)]
            if hellos and hellos[-1].heard == 1:
                break
    assert hellos[-1].heard == 1
    die.tap("B")


def test_opening_the_port_resets_the_chip_when_it_is_asked_to_behave_like_a_real_board(new_die: NewDie) -> None:
    die = new_die(paused=True, reset_on_open=True)
    host = LockstepHost(die)
    first = host.link().boot
    descriptor = os.open(die.path, os.O_RDWR | os.O_NOCTTY)
    try:
        while host.link().boot == first:  # the emulator looks at its port between two commands
            pass
        assert host.link().boot == first + 1
    finally:
        os.close(descriptor)


@pytest.mark.slow
def test_rolls_go_on_when_the_companion_is_restarted_and_the_board_resets_on_open(new_die: NewDie) -> None:
    die = new_die(speed=2.0, reset_on_open=True)
    evening = Evening([die], GameAtTheTable("fighting_marines", seed=4))
    rolled = []
    for _ in range(3):
        evening = Evening([die], evening.game)
        with evening.host:
            evening.wait_until_linked()
            evening.wait_until_healthy()
            for _ in range(2):
                evening.tap()
                before = len(evening.journal)
                evening.wait_for(lambda was=before, now=evening: len(now.journal) > was, "a roll")  # type: ignore[misc]
                evening.pass_virtual(60)
            rolled += [(roll.boot, roll.number) for roll in evening.journal]
        for _ in range(3):
            die.now()  # the emulator sees between two commands that the port was closed
    assert len(rolled) == len(set(rolled)) == 6
    assert len({boot for boot, _ in rolled}) == 3


def test_the_licence_of_the_emulator_is_told_in_its_folder() -> None:
    text = (emulated_die.FIRMWARE / "emulator" / "README.md").read_text()
    assert "GNU GPL, version 3" in text


def test_neither_the_firmware_nor_the_companion_includes_anything_of_simavr() -> None:
    root = emulated_die.FIRMWARE.parent
    for path in (*(root / "firmware").glob("*.[ch]"), *(root / "companion").rglob("*.py")):
        assert "simavr" not in path.read_text(), path


def test_the_console_shows_the_faces_after_a_press(firmware: None) -> None:
    console = emulated_die.FIRMWARE / "emulator" / "console.py"
    typed = "\n\n" + "B\n" * 3 + "x\nq\n"
    done = subprocess.run([sys.executable, console], input=typed, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert "companion dice test --port" in lines[0]
    assert lines[2:4] == ["faces: dark, dark"] * 2
    assert "A, B, C, Enter or Q" in lines
    assert re.fullmatch(r"faces: [1-6], [1-6]", lines[6])
