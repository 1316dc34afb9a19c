"""Plays a WAV file through whatever this machine has."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

LONGEST = 60  # seconds of speech, after which something is stuck
PROGRAMS = (("pw-play",), ("paplay",), ("aplay", "-q"), ("afplay",), ("ffplay", "-nodisp", "-autoexit", "-loglevel", "quiet"))


@dataclass(frozen=True)
class Player:
    command: tuple[str, ...]

    def play(self, file: Path) -> bool:
        """Play to the end. False if it could not be heard."""
        try:
            subprocess.run(
                [*self.command, str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LONGEST, check=True
            )
        except (OSError, subprocess.SubprocessError):
            return False
        return True


def find_player() -> Player | None:
    for program in PROGRAMS:
        if shutil.which(program[0]):
            return Player(program)
    return None
