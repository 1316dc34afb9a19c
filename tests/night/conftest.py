from __future__ import annotations

import os
import shutil
from typing import Any

import pytest

from firmware.emulator import emulated_die
from tests.web.phone import NAME

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    if not CHROMIUM:
        pytest.skip("Chromium is not installed: apt-get install --no-install-recommends chromium")
    return {"executable_path": CHROMIUM, "args": ["--no-sandbox", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]}


@pytest.fixture(scope="session")
def emulator() -> None:
    """The die's binary and the emulator that runs it."""
    if not all(shutil.which(tool) for tool in ("avr-gcc", "gcc", "make")):
        pytest.skip("the die cannot be built here: apt-get install gcc-avr avr-libc binutils-avr gcc make libsimavr-dev libelf-dev")
    emulated_die.build()
