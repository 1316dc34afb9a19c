"""Fixtures of the firmware's tests: everything is built once, with the same make targets that a builder uses."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.emulator import emulated_die
from firmware.emulator.emulated_die import EmulatedDie
from tests.firmware.lockstep import LockstepHost

NEEDED = {"avr-gcc": "gcc-avr avr-libc", "avr-objcopy": "binutils-avr", "gcc": "gcc", "make": "make"}


@pytest.fixture(scope="session")
def toolchain() -> None:
    missing = [package for tool, package in NEEDED.items() if not shutil.which(tool)]
    if missing:
        pytest.skip(f"the firmware cannot be built here: apt-get install {' '.join(missing)}")


@pytest.fixture(scope="session")
def firmware(toolchain: None) -> None:
    """The binary that would be flashed, and the emulator that runs it."""
    emulated_die.build()


@pytest.fixture
def new_die(firmware: None) -> Iterator[Callable[..., EmulatedDie]]:
    """Makes emulated dice, and switches them off at the end."""
    made: list[EmulatedDie] = []
    folder = os.environ.get("DIE_COVERAGE")  # line_coverage.py asks for a record of what ran

    def make(**options: Any) -> EmulatedDie:
        if folder:
            options["coverage"] = Path(folder) / f"{uuid.uuid4()}.txt"
        made.append(EmulatedDie(**options))
        return made[-1]

    yield make
    for die in made:
        die.close()


@pytest.fixture
def new_host(new_die: Callable[..., EmulatedDie]) -> Callable[..., LockstepHost]:
    """A host in lock step with a die that is linked and trusts its noise."""

    def make(**options: Any) -> LockstepHost:
        host = LockstepHost(new_die(paused=True, **options))
        host.link()
        host.wait_until_healthy()
        return host

    return make


@pytest.fixture
def host(new_host: Callable[..., LockstepHost]) -> LockstepHost:
    return new_host()
