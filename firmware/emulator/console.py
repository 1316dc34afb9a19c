"""A die for the desk without a die: python firmware/emulator/console.py

Runs the real firmware in the emulator, says on which port it is, and lets you press its buttons by typing A, B or C.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # so that it runs from anywhere

from firmware.emulator.emulated_die import BUTTONS, EmulatedDie, EmulatorError, build, is_built

PIPS = {0: "dark", 7: "seven: look at the companion"}
TUMBLE_SECONDS = 0.75


def shown(die: EmulatedDie) -> str:
    faces = ", ".join(PIPS.get(face, str(face)) for face in die.faces())
    states = [name.lower() for name in ("TURN", "THINK", "SEARCH") if name in die.lit()]
    return f"faces: {faces}" + (f"   lights: {' '.join(states)}" if states else "")


def wait_virtual(die: EmulatedDie, seconds: float) -> None:
    until = die.now() + seconds
    while die.now() < until:
        pass


def main() -> int:
    try:
        if not is_built():
            build()
        with EmulatedDie() as die:
            print(f"The die is on {die.path}   (companion dice test --port {die.path})")
            print("A, B or C and Enter presses that button; Enter alone looks; Q ends.", flush=True)
            for line in sys.stdin:
                wish = line.strip().upper()
                if wish == "Q":
                    break
                if wish in BUTTONS:
                    die.tap(wish)
                    wait_virtual(die, TUMBLE_SECONDS)
                elif wish:
                    print("A, B, C, Enter or Q")
                    continue
                print(shown(die), flush=True)
    except EmulatorError as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
