"""Line coverage of the firmware as it was executed in the emulator: python -m tests.firmware.line_coverage

Runs the tests of the chip with every executed address recorded, and maps addresses to lines with binutils. A line that ends in a
comment with the word "fatal" is left out; there is none such at present.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from firmware.emulator import emulated_die
from firmware.emulator.emulated_die import ELF, FIRMWARE

TESTS = ("test_die_speaks.py", "test_die_buttons_and_lights.py")
GOAL = 95.0
Lines = dict[str, set[int]]


def instruction_addresses() -> list[str]:
    listing = subprocess.run(["avr-objdump", "-d", "-j", ".text", str(ELF)], capture_output=True, text=True, check=True)
    return re.findall(r"^\s+([0-9a-f]+):\t", listing.stdout, re.MULTILINE)


def line_of_each(addresses: list[str]) -> dict[int, tuple[str, int]]:
    """Address to (file, line), for what was compiled from the firmware's own files."""
    asked = subprocess.run(["avr-addr2line", "-e", str(ELF)], input="\n".join(addresses), capture_output=True,
                           text=True, check=True).stdout.splitlines()
    found = {}
    for address, place in zip(addresses, asked, strict=True):
        name, _, number = place.split(" ")[0].rpartition(":")
        if number.isdigit() and int(number) and (FIRMWARE / Path(name).name).exists():
            found[int(address, 16)] = (Path(name).name, int(number))
    return found


def is_fatal(name: str, number: int) -> bool:
    return "fatal" in (FIRMWARE / name).read_text().splitlines()[number - 1].partition("/*")[2]


def measure(executed: set[int]) -> tuple[Lines, Lines]:
    """(lines that have code, lines that ran)"""
    code: Lines = defaultdict(set)
    ran: Lines = defaultdict(set)
    for address, (name, number) in line_of_each(instruction_addresses()).items():
        if is_fatal(name, number):
            continue
        code[name].add(number)
        if address in executed:
            ran[name].add(number)
    return code, ran


def run_tests(folder: Path) -> set[int]:
    here = Path(__file__).parent
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(str(here / name) for name in TESTS)]
    subprocess.run(command, env={**os.environ, "DIE_COVERAGE": str(folder)}, check=True, cwd=here.parents[1],
                   stdout=subprocess.DEVNULL)
    return {int(line, 16) for path in folder.glob("*.txt") for line in path.read_text().split()}


def percent(code: Lines, ran: Lines) -> float:
    return 100.0 * sum(map(len, ran.values())) / sum(map(len, code.values()))


def report() -> float:
    emulated_die.build()
    with tempfile.TemporaryDirectory() as folder:
        code, ran = measure(run_tests(Path(folder)))
    for name in sorted(code):
        missed = sorted(code[name] - ran[name])
        print(f"{name:14} {len(ran[name]):4} of {len(code[name]):4} lines"
              + (f"   not: {', '.join(map(str, missed))}" if missed else ""))
    total = percent(code, ran)
    print(f"{total:.1f} % of the firmware's lines were executed in the emulator")
    return total


if __name__ == "__main__":
    sys.exit(0 if report() > GOAL else 1)
