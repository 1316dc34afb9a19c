"""Engines that turn a sentence into a WAV file: Piper if its owner supplies a voice, else flite, else espeak-ng.

flite's voice 'rms' was understood best by a recogniser among what Debian ships; espeak-ng speaks many languages.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.languages import ENGLISH, Language

LONGEST = 20  # seconds an engine may take for one sentence
FLITE_VOICE = "rms"


@dataclass(frozen=True)
class Engine:
    """A program that speaks. `command` makes its call for a sentence and the file to write; text goes in on standard input."""

    name: str
    command: Callable[[Path], list[str]]

    def render(self, text: str, file: Path) -> bool:
        """Write the sentence as WAV. False, and no file, if the engine fails: a broken voice never stops the game."""
        part = file.with_suffix(".part")
        try:
            subprocess.run(
                self.command(part),
                input=text.encode(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=LONGEST,
                check=True,
            )
            part.replace(file)
        except (OSError, subprocess.SubprocessError):
            part.unlink(missing_ok=True)
            return False
        return True


def find_engine(language: Language | None = None, piper_voice: str = "", wanted: str = "") -> Engine | None:
    """The best engine here that speaks the language; `wanted` names one, `none` asks for silence."""
    english = language is None or language.code == ENGLISH
    engines = [
        (
            "piper",
            bool(piper_voice) and Path(piper_voice).is_file(),
            lambda out: ["piper", "--model", piper_voice, "--output_file", str(out)],
        ),
        ("flite", english, lambda out: ["flite", "-voice", FLITE_VOICE, "-f", "/dev/stdin", "-o", str(out)]),
        ("espeak-ng", True, lambda out: ["espeak-ng", "-v", language.espeak if language else "en", "--stdin", "-w", str(out)]),
    ]
    for name, usable, command in engines:
        if usable and wanted in ("", name) and shutil.which(name):
            return Engine(name, command)
    return None
