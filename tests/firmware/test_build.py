"""The build: reproducible, strict, small, and flashed with the command that the documents name."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.firmware import line_coverage

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
pytestmark = pytest.mark.usefixtures("toolchain")


def make(*arguments: str, where: Path = FIRMWARE) -> str:
    done = subprocess.run(["make", "-C", str(where), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_builds_in_two_places_give_the_same_hex_file(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "a longer name" / "there"
    shutil.copytree(FIRMWARE, there, ignore=shutil.ignore_patterns("build"))
    make(f"BUILD={here}", f"{here}/die.hex")
    make("build/die.hex", where=there)
    first, second = (here / "die.hex").read_bytes(), (there / "build" / "die.hex").read_bytes()
    assert first == second
    assert len(first) > 10_000


def test_the_build_says_how_much_flash_and_ram_it_takes_and_leaves_room() -> None:
    told = re.search(r"flash (\d+) of 32768 bytes .*RAM (\d+) of 2048 bytes", make())
    assert told
    flash, ram = map(int, told.groups())
    assert flash < 30_720  # what an old boot loader leaves
    assert ram < 2048 - 512  # the rest is for the stack


def test_a_warning_is_an_error(tmp_path: Path) -> None:
    shutil.copytree(FIRMWARE, tmp_path / "firmware", ignore=shutil.ignore_patterns("build"))
    planted = tmp_path / "firmware" / "text.c"
    planted.write_text(planted.read_text() + "\nuint8_t planted(uint32_t x);\nuint8_t planted(uint32_t x) { return x; }\n")
    done = subprocess.run(["make", "-C", str(planted.parent)], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "-Werror=conversion" in done.stderr


def test_nothing_in_the_binary_allocates_memory(firmware: None) -> None:
    symbols = subprocess.run(["avr-nm", str(FIRMWARE / "build" / "die.elf")], capture_output=True, text=True, check=True)
    assert not re.search(r"\b(malloc|calloc|realloc|free|__brkval)\b", symbols.stdout)


def test_flashing_uses_avrdude_with_the_port_that_was_given() -> None:
    command = make("-n", "flash", "PORT=/dev/ttyACM7")
    assert re.search(r"avrdude .*-p atmega328p .*-P /dev/ttyACM7 .*flash:w:build/die.hex:i", command)


@pytest.mark.slow
def test_more_than_95_percent_of_the_lines_run_in_the_emulator(firmware: None) -> None:
    assert line_coverage.report() > line_coverage.GOAL
