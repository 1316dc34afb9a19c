"""Who is paired with this table, and the small file that remembers it over a restart.

A guest's token is known to his phone alone: here is only its SHA-256. The file is written whole and renamed, readable by
this user only; a file that cannot be read is set aside, and everybody pairs again.
"""

from __future__ import annotations

import hashlib
import json
import os
import unicodedata
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.events import BadInput, brief

FORMAT = 1
LONGEST_NAME = 24
SPECTATOR, SEAT, HOST = "spectator", "seat", "host"


@dataclass(frozen=True)
class Guest:
    """One paired phone. `proof` is the hash of its token; `start` the run of the program in which it was last seen."""

    id: int
    name: str
    proof: str
    seat: str = ""
    is_host: bool = False
    start: int = 0

    def role(self, seats: tuple[str, ...]) -> str:
        """What he is at a table with these seats."""
        return HOST if self.is_host else SEAT if self.seat in seats else SPECTATOR


def proof_of(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def clean_name(name: object) -> str:
    """A name as it may be shown: one line of printable characters, not too long, without towers of accents."""
    if not isinstance(name, str):
        raise BadInput(f"name: must be a text of 1 to {LONGEST_NAME} characters, not {brief(name)}")
    kept = ""
    for letter in unicodedata.normalize("NFC", name[:1000]):
        if letter.isspace():
            kept += " "
        elif letter.isprintable() and not (_is_mark(letter) and kept[-2:] and all(map(_is_mark, kept[-2:]))):
            kept += letter
    kept = " ".join(kept.split())
    if not 1 <= len(kept) <= LONGEST_NAME:
        raise BadInput(f"name: must have 1 to {LONGEST_NAME} characters that can be shown")
    return kept


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me")


@dataclass(frozen=True)
class Kept:
    """What the file holds."""

    start: int = 0  # how often the program was started
    last_id: int = 0
    guests: tuple[Guest, ...] = ()


def load(file: Path) -> tuple[Kept, str]:
    """What is kept, and what a person should be told about the file (empty: nothing)."""
    try:
        data = json.loads(file.read_text("utf-8"))
        return _kept(data), ""
    except FileNotFoundError:
        return Kept(), ""
    except OSError as error:
        return Kept(), f"{file.name} cannot be read ({error.strerror}): phones must pair again."
    except (ValueError, TypeError, KeyError, RecursionError):
        aside = file.with_suffix(".damaged")
        try:
            os.replace(file, aside)
        except OSError:
            return Kept(), f"{file.name} is damaged: phones must pair again."
        return Kept(), f"{file.name} was damaged and is set aside as {aside.name}: phones must pair again."


def _kept(data: Any) -> Kept:
    if data["format"] != FORMAT:
        raise ValueError("another format")
    guests = tuple(Guest(**row) for row in data["guests"])
    for guest in guests:
        right = (type(guest.id), type(guest.seat), type(guest.is_host), type(guest.start)) == (int, str, bool, int)
        if not right or len(guest.proof) != 64 or clean_name(guest.name) != guest.name:
            raise ValueError("not a guest")
    return Kept(int(data["start"]), int(data["last_id"]), guests)


def save(file: Path, kept: Kept) -> str:
    """Write all of it, or leave what was there. The answer says what went wrong; empty: nothing."""
    text = json.dumps({"format": FORMAT, **asdict(kept)})
    new = file.with_suffix(".new")
    try:
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            os.fchmod(handle, 0o600)
            out.write(text)
            out.flush()
            os.fsync(handle)
        os.replace(new, file)
    except OSError as error:
        return f"Who is paired could not be saved ({error.strerror}): after a restart phones must pair again."
    return ""
