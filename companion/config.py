"""One settings file, in TOML, with a working default for everything.

`companion config` prints the file with every setting and what it means. A file needs to hold only what differs.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.events import BadInput, brief
from companion.languages import languages
from companion.voice import VERBOSITIES


def state_folder() -> Path:
    """Where this machine keeps what a program remembers."""
    given = os.environ.get("STATE_DIRECTORY") or os.environ.get("XDG_STATE_HOME")
    folder = Path(given.split(":")[0]) if given else Path.home() / ".local" / "state"
    return folder if os.environ.get("STATE_DIRECTORY") else folder / "companion"


def settings_file() -> Path:
    given = os.environ.get("COMPANION_CONFIG")
    return Path(given) if given else Path.home() / ".config" / "companion.toml"


@dataclass(frozen=True)
class Setting:
    """One setting: its section and name, the default, what it means, and what is wrong with a value (empty: nothing)."""

    section: str
    name: str
    default: Any
    meaning: str
    problem: Callable[[Any], str]


def _one_of(*allowed: str) -> Callable[[Any], str]:
    return lambda value: "" if value in allowed else f"must be one of {', '.join(allowed)}"


def _text(value: Any) -> str:
    return "" if isinstance(value, str) and len(value) <= 1000 and value.isprintable() else "must be a text"


def _texts(value: Any) -> str:
    good = isinstance(value, list) and len(value) <= 32 and all(isinstance(v, str) and v and len(v) <= 500 for v in value)
    return "" if good else 'must be a list of texts, such as ["/dev/ttyUSB0"]'


def _flag(value: Any) -> str:
    return "" if isinstance(value, bool) else "must be true or false"


def _whole(least: int, most: int) -> Callable[[Any], str]:
    def problem(value: Any) -> str:
        good = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return "" if good else f"must be a whole number from {least} to {most}"

    return problem


def _pin(value: Any) -> str:
    return "" if value == 0 or not _whole(2, 27)(value) else "must be a GPIO number from 2 to 27, or 0 for none"


def _pins(value: Any) -> str:
    good = isinstance(value, dict) and all(isinstance(k, str) and not _pin(v) for k, v in value.items())
    return "" if good else "must map seats to GPIO numbers, such as {red = 5, blue = 6}"


ENGINES = ("piper", "flite", "espeak-ng")
SETTINGS = (
    Setting("table", "journal", "", "Where games are kept. Empty: table.journal in this machine's place for such files.", _text),
    Setting("table", "language", "en", f"What the companion speaks and writes: {', '.join(languages())}.", _one_of(*languages())),
    Setting("dice", "ports", [], "Serial ports of electronic dice. Empty: every USB port that may be one.", _texts),
    Setting("dice", "serial", True, "Look for electronic dice at all.", _flag),
    Setting("dice", "simulated", True, "Let the companion roll when asked and no die is there.", _flag),
    Setting("gpio", "on", True, "Use buttons and light on a Raspberry Pi's pins, where there are any.", _flag),
    Setting("gpio", "roll", 17, "The roll button for everybody (BCM number; 0: none).", _pin),
    Setting("gpio", "roll_of_seat", {}, "Roll buttons of single seats, by seat.", _pins),
    Setting("gpio", "ready", 27, "The button that says everybody is ready.", _pin),
    Setting("gpio", "take_back", 22, "The button that takes the last move back.", _pin),
    Setting("gpio", "repeat", 23, "The button that repeats the last announcement.", _pin),
    Setting("gpio", "light", 24, "The status LED.", _pin),
    Setting("gpio", "debounce_ms", 20, "How long a button must rest before it counts.", _whole(1, 500)),
    Setting("camera", "source", "", "The camera above the table: 0, /dev/video0 or pi (see: companion camera list). Empty: none.", _text),
    Setting("camera", "pictures_mb", 200, "Space for the two pictures of each ruling; 0 keeps none.", _whole(0, 100_000)),
    Setting("web", "on", True, "Serve the pages for phones and TV.", _flag),
    Setting("web", "port", 8000, "Their port; a free one is taken if somebody else has it.", _whole(1, 65535)),
    Setting("web", "names", [], "Further names by which phones call this box.", _texts),
    Setting("web", "certificate", "", "A certificate file (PEM) for HTTPS, if you have one.", _text),
    Setting("web", "key", "", "The key file that belongs to it.", _text),
    Setting("voice", "verbosity", "normal", "full (with the rules), normal, rolls, or silent.", _one_of(*VERBOSITIES)),
    Setting("voice", "engine", "", "piper, flite, espeak-ng or none. Empty: the best there is.", _one_of("", *ENGINES, "none")),
    Setting("voice", "piper_voice", "", "The .onnx file of a Piper voice, if you have one.", _text),
)  # fmt: skip


@dataclass(frozen=True)
class Config:
    """The settings in force, as `config["voice", "verbosity"]`."""

    values: dict[tuple[str, str], Any]
    file: Path | None = None

    def __getitem__(self, key: tuple[str, str]) -> Any:
        return self.values[key]

    @property
    def journal(self) -> Path:
        given = self["table", "journal"]
        return Path(given).expanduser() if given else state_folder() / "table.journal"


def load_config(file: Path | None = None) -> Config:
    """The settings of a file; without one, the usual file if it exists, else the defaults."""
    usual = settings_file()
    values = {(s.section, s.name): s.default for s in SETTINGS}
    if file is None:
        if not usual.exists():
            return Config(values)
        file = usual
    try:
        text = file.read_text("utf-8")
        data = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{brief(str(file))}: cannot be read ({error.__class__.__name__})") from error
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{brief(str(file))}: not TOML: {error}") from error
    for section, given in data.items():
        if not isinstance(given, dict) or section not in {s.section for s in SETTINGS}:
            sections = ", ".join(dict.fromkeys(s.section for s in SETTINGS))
            raise BadInput(f"{_where(file, text, section)}: {brief(section)} is no section; there are {sections}")
        for name, value in given.items():
            setting = next((s for s in SETTINGS if (s.section, s.name) == (section, name)), None)
            if setting is None:
                names = ", ".join(s.name for s in SETTINGS if s.section == section)
                raise BadInput(f"{_where(file, text, section, name)}: [{section}] has no setting {brief(name)}; it has {names}")
            if problem := setting.problem(value):
                raise BadInput(f"{_where(file, text, section, name)}: {section}.{name} {problem}, not {brief(value)}")
            values[section, name] = value
    return Config(values, file)


def _where(file: Path, text: str, section: str, name: str = "") -> str:
    """File and line of a section or of a setting in it, for a message. TOML's own reader does not tell lines."""
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r'\s*\[+\s*"?([^]"]+?)"?\s*]', line)
        key = re.match(r'\s*"?([\w.-]+)"?\s*=', line)
        if header:
            inside = header[1]
        here = inside if header else ".".join(part for part in (inside, key[1]) if part) if key else ""
        if here == (f"{section}.{name}" if name else section):
            return f"{file}, line {number}"
    return str(file)


def default_file() -> str:
    """The settings file with every setting, its meaning and its default."""
    lines = ["# Tabletop Companion. Every line here is the default; delete what you do not change."]
    for section in dict.fromkeys(s.section for s in SETTINGS):
        lines += ["", f"[{section}]"]
        for s in (s for s in SETTINGS if s.section == section):
            value = "{}" if s.default == {} else json.dumps(s.default)
            lines += [f"# {s.meaning}", f"{s.name} = {value}"]
    return "\n".join(lines) + "\n"
