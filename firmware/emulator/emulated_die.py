"""The die's real firmware, running in the emulator, with its serial port on a PTY.

Tests use it to break the die on purpose; the product uses it as its demonstration die:

    with EmulatedDie() as die:
        open_the_companion_on(die.path)
        die.tap("A")

The emulator itself is a separate program (see README.md beside this file); this module only talks to it.
"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

FIRMWARE = Path(__file__).resolve().parent.parent
ELF = FIRMWARE / "build" / "die.elf"
EMULATOR = FIRMWARE / "build" / "emulator" / "die_emulator"
HZ = 16_000_000
BAUD = 250_000
BUTTONS = ("A", "B", "C")

# Which lines are lit for which face: centre, falling and rising diagonal, middle row.
FACE_OF_LINES: dict[tuple[bool, ...], int] = {
    (False, False, False, False): 0,
    (True, False, False, False): 1,
    (False, True, False, False): 2,
    (True, True, False, False): 3,
    (False, True, True, False): 4,
    (True, True, True, False): 5,
    (False, True, True, True): 6,
    (True, True, True, True): 7,
}


class EmulatorError(RuntimeError):
    """The emulator did not start, has stopped, or did not understand."""


class SentFrame(NamedTuple):
    """A frame that the die put on the line, before any fault: first and last cycle on the wire."""

    start: int
    end: int
    text: str


def pins() -> Mapping[str, str]:
    """Name to port and bit, as the firmware has them: {"BUTTON_A": "D2", …}."""
    found = re.findall(r"^#define PIN_(\w+)\s+([BCD]), (\d)", (FIRMWARE / "pins.h").read_text(), re.MULTILINE)
    return {name: port + bit for name, port, bit in found}


def is_built() -> bool:
    """Whether firmware and emulator are there to be run."""
    return ELF.exists() and EMULATOR.exists()


def build() -> None:
    """Compile firmware and emulator; raises EmulatorError with the compiler's last words."""
    for command in (["make", "-C", str(FIRMWARE)], ["make", "-C", str(FIRMWARE), "emulator"]):
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise EmulatorError(f"cannot run make: {error}") from error
        if done.returncode:
            raise EmulatorError("the firmware does not build: " + done.stderr.strip()[-500:])


class EmulatedDie:
    """One powered die. `paused` stops its time: then `run` and `exchange` move it in lock step with the caller."""

    def __init__(
        self,
        *,
        speed: float = 1.0,
        seed: int = 1,
        paused: bool = False,
        elf: Path = ELF,
        eeprom: Path | None = None,
        coverage: Path | None = None,
        baud: int = BAUD,
        reset_on_open: bool = False,
        held: str = "",
    ) -> None:
        """`held` names buttons that are down from the start; the other arguments are the emulator's options."""
        self.pins = pins()
        self._lock = threading.Lock()
        self._folder = tempfile.TemporaryDirectory(prefix="die-")
        self.path = str(Path(self._folder.name) / "pty")
        command = [str(EMULATOR), "-l", self.path, "-s", str(speed), "-S", str(seed), "-b", str(baud)]
        for flag, value in (("-e", eeprom), ("-c", coverage)):
            command += [flag, str(value)] if value else []
        command += ["-p"] if paused else []
        command += ["-o"] if reset_on_open else []
        for button in BUTTONS:
            command += ["-0" if button in held else "-1", self.pins[f"BUTTON_{button}"]]
        try:
            self._process = subprocess.Popen(
                [*command, str(elf)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
                start_new_session=True,  # Ctrl-C in the terminal is not for the die
            )
        except OSError as error:
            self._folder.cleanup()
            raise EmulatorError(f"the emulator is not there ({error}): run make -C firmware emulator") from error
        if not self._read().get("ready"):
            self.close()
            raise EmulatorError("the emulator did not start")

    # --- talking to the emulator

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            return {}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def tell(self, command: str) -> dict[str, Any]:
        """One command of the emulator (README.md), and its answer."""
        assert self._process.stdin is not None
        with self._lock:
            try:
                self._process.stdin.write(command + "\n")
                self._process.stdin.flush()
            except (OSError, ValueError) as error:
                raise EmulatorError("the emulator has stopped") from error
            answer = self._read()
        if not answer:
            raise EmulatorError("the emulator has stopped")
        if "error" in answer:
            raise EmulatorError(f"{command}: {answer['error']}")
        return answer

    def close(self) -> None:
        """Switch off; EEPROM and coverage are written."""
        if self._process.stdin and not self._process.stdin.closed:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._folder.cleanup()

    def __enter__(self) -> EmulatedDie:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- buttons

    def _pin(self, button: str) -> str:
        return self.pins[f"BUTTON_{button}"]

    def press(self, button: str) -> int:
        """Push the button down; the cycle at which its pin changed."""
        return int(self.tell(f"pin {self._pin(button)} 0")["cycle"])

    def release(self, button: str) -> None:
        self.tell(f"pin {self._pin(button)} 1")

    def tap(self, button: str, milliseconds: float = 60.0) -> int:
        """Push it down and let it come up again after that time."""
        return int(self.tell(f"tap {self._pin(button)} {milliseconds * 1000:.0f}")["cycle"])

    def bounce(self, button: str, down: bool, edges: int, microseconds: float) -> None:
        """Push it down or let go as a cheap button does: random edges first."""
        self.tell(f"bounce {self._pin(button)} {0 if down else 1} {edges} {microseconds}")

    def glitch(self, button: str, microseconds: float) -> None:
        """A spike on the wire."""
        self.tell(f"glitch {self._pin(button)} {microseconds}")

    # --- noise source

    def noise(self, millivolts: float = 2500.0, deviation: float = 30.0) -> None:
        self.tell(f"adc {millivolts} {deviation}")

    def constant(self, millivolts: float) -> None:
        self.tell(f"adc {millivolts} 0")

    # --- the line

    def fault(self, way: str, kind: str, probability: float) -> None:
        """`way` is to_die, to_host or both; the kinds stand in README.md."""
        for one in ("to_die", "to_host") if way == "both" else (way,):
            self.tell(f"fault {one} {kind} {probability}")

    def clear_faults(self) -> None:
        self.tell("fault clear")

    def inject(self, way: str, data: bytes) -> None:
        self.tell(f"inject {way} {data.hex()}")

    def overrun(self, count: int) -> None:
        """The chip's receiver loses that many of the next bytes."""
        self.tell(f"overrun {count}")

    def unplug(self) -> None:
        """Take the line away; the die itself keeps its power."""
        self.tell("unplug")

    def plug(self) -> None:
        self.tell("plug")

    # --- the chip

    def reset(self, cause: str = "external") -> None:
        """power, external, brownout or watchdog."""
        self.tell(f"reset {cause}")

    def hang(self) -> None:
        """Send the processor into an endless loop with interrupts off: only the watchdog can help."""
        self.tell("hang")

    def eeprom(self) -> bytes:
        return bytes.fromhex(self.tell("eeprom")["eeprom"])

    # --- time

    def now(self) -> float:
        """Seconds of virtual time since the start."""
        return int(self.tell("now")["cycle"]) / HZ

    def speed(self, factor: float) -> None:
        self.tell(f"speed {factor}")

    def pause(self) -> None:
        self.tell("pause")

    def resume(self) -> None:
        self.tell("resume")

    def run(self, milliseconds: float) -> None:
        self.tell(f"run {milliseconds}")

    def exchange(self, data: bytes = b"", milliseconds: float = 100.0, frames: int = 1) -> bytes:
        """Send bytes, run until the die has sent so many frames or the time is over, and return what it sent."""
        return bytes.fromhex(self.tell(f"exchange {milliseconds} {frames} {data.hex()}")["bytes"])

    # --- looking

    def frames(self) -> list[SentFrame]:
        """What the die has sent since the last call (the newest 256 frames)."""
        return [SentFrame(*frame) for frame in self.tell("frames")["frames"]]

    def lit(self) -> set[str]:
        """The names of the LED lines that are lit."""
        levels = self.tell("pins")["pins"]
        return {
            name for name, pin in self.pins.items() if levels[pin]["output"] and levels[pin]["high"]
        }

    def faces(self) -> tuple[int, int]:
        """What the two faces show, 0 for a dark one."""
        lit = self.lit()
        one, two = (
            FACE_OF_LINES[tuple(f"{die}_{line}" in lit for line in ("CENTRE", "FALLING", "RISING", "MIDDLE"))]
            for die in ("ONE", "TWO")
        )
        return one, two
