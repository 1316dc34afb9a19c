"""Languages: English is in the code, every other language is one TOML file here.

A file maps each English sentence (with its gaps, such as {seat}) and each name to its translation, under `[sentences]`, and
gives the numbers as words under `numbers`. What a file does not have stays English. `companion languages` tells what is missing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from companion.events import one_of

FOLDER = Path(__file__).parent
ENGLISH = "en"
_UP_TO_TWELVE = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@dataclass(frozen=True)
class Language:
    code: str
    name: str
    sentences: dict[str, str] = field(hash=False)
    numbers: tuple[str, ...] = tuple(_UP_TO_TWELVE)  # as words, from zero
    espeak: str = "en"  # the voice of espeak-ng

    def __call__(self, english: str) -> str:
        """The sentence in this language; English where there is none."""
        return self.sentences.get(english, english)

    def number(self, value: int) -> str:
        return self.numbers[value] if 0 <= value < len(self.numbers) else str(value)

    def missing(self, sentences: Iterable[str]) -> list[str]:
        return sorted(set(sentences) - set(self.sentences)) if self.code != ENGLISH else []


def languages() -> list[str]:
    return sorted([ENGLISH, *(path.stem for path in FOLDER.glob("*.toml"))])


@cache
def language(code: str) -> Language:
    if one_of("language", code, languages()) == ENGLISH:
        return Language(ENGLISH, "English", {})
    data = tomllib.loads((FOLDER / f"{code}.toml").read_text("utf-8"))
    return Language(code, data["name"], data["sentences"], tuple(data["numbers"]), data.get("espeak", code))
