"""The doctor: looks at everything the companion stands on, and says for each thing what to do."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.config import Config, load_config, settings_file
from companion.dice.serial_port import find_ports
from companion.events import BadInput
from companion.games import all_games
from companion.journal import JournalUnavailable, Reader
from companion.languages import language
from companion.voice import find_engine, find_player

GOOD, MISSING, BAD = "good", "missing", "bad"  # missing: something else takes its place
LITTLE_SPACE = 50_000_000
TROUBLESHOOTING = "hardware/TROUBLESHOOTING.md"
THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")


@dataclass(frozen=True)
class Finding:
    part: str
    state: str
    found: str
    advice: str = ""


def examine(config: Config | None = None) -> Iterator[Finding]:
    """Everything, one finding after the other. No finding stops the others."""
    try:
        config = config or load_config()
        yield Finding("settings", GOOD, str(config.file or f"all defaults (no file at {settings_file()})"))
    except BadInput as error:
        yield Finding("settings", BAD, str(error), "Mend that line; until then the defaults are looked at.")
        config = load_config(Path(os.devnull))
    yield from _games()
    yield from _journal(config)
    yield from _serial(config)
    yield _gpio(config)
    yield from _voice(config)
    yield _camera()
    yield _clock()
    yield _power()


def _games() -> Iterator[Finding]:
    for game in all_games().values():
        try:
            game.board()
            yield Finding("game", GOOD, game.title)
        except BadInput as error:
            yield Finding("game", BAD, f"{game.title}: {error}", "Install the companion again.")


def _journal(config: Config) -> Iterator[Finding]:
    path = config.journal
    folder = next(p for p in (path.parent, *path.parent.parents) if p.exists())
    if not os.access(folder, os.W_OK):
        yield Finding(
            "disk", BAD, f"{folder} cannot be written", "Give this user the folder, or set table.journal to another place."
        )
    free = shutil.disk_usage(folder).free
    if free < LITTLE_SPACE:
        yield Finding("disk", BAD, f"{free // 1_000_000} MB free", "Make room: without space games are not saved.")
    else:
        yield Finding("disk", GOOD, f"{free // 1_000_000:,} MB free at {folder}")
    if not path.exists():
        yield Finding("journal", GOOD, f"none yet; it will be {path}")
        return
    try:
        with Reader.open(path) as reader:
            damage = reader.damage()
            games = len(reader.games())
    except JournalUnavailable as error:
        yield Finding("journal", BAD, str(error), "Start the companion: it sets a damaged journal aside and begins a new one.")
        return
    if damage:
        yield Finding("journal", BAD, damage, "Start the companion: it sets a damaged journal aside and begins a new one.")
    else:
        yield Finding("journal", GOOD, f"{games} games in {path}, SQLite {sqlite3.sqlite_version}")


def _serial(config: Config) -> Iterator[Finding]:
    if not config["dice", "serial"]:
        yield Finding("electronic dice", MISSING, "switched off in the settings", "Set dice.serial = true to look for them.")
        return
    ports = config["dice", "ports"] or find_ports()
    if not ports:
        yield Finding(
            "electronic dice",
            MISSING,
            "no port that may be a die",
            f"Plug one in; if it is, see {TROUBLESHOOTING}. Typing works too.",
        )
    for port in ports:
        if port.startswith("/") and not Path(port).exists():
            yield Finding(
                "electronic dice", BAD, f"{port} is not there", f"Plug the die in, or mend dice.ports. See {TROUBLESHOOTING}."
            )
        elif port.startswith("/") and not os.access(port, os.R_OK | os.W_OK):
            yield Finding(
                "electronic dice", BAD, f"no permission for {port}", "Add this user to the group dialout and log in again."
            )
        else:
            yield Finding("electronic dice", GOOD, f"{port} ('companion dice test' talks to it)")


def _gpio(config: Config) -> Finding:
    if not config["gpio", "on"]:
        return Finding("GPIO buttons", MISSING, "switched off in the settings", "Set gpio.on = true to use them.")
    if not list(Path("/dev").glob("gpiochip*")):
        return Finding("GPIO buttons", MISSING, "this machine has no GPIO", "Nothing to do: use phones or keyboard.")
    if importlib.util.find_spec("lgpio") is None:
        return Finding(
            "GPIO buttons", BAD, "lgpio is not installed", "sudo apt install python3-lgpio, and make the environment anew."
        )
    return Finding("GPIO buttons", GOOD, "GPIO and lgpio are there")


def _voice(config: Config) -> Iterator[Finding]:
    engine = find_engine(language(config["table", "language"]), config["voice", "piper_voice"], config["voice", "engine"])
    wanted = config["voice", "piper_voice"]
    if wanted and not Path(wanted).is_file():
        yield Finding("voice", BAD, f"the Piper voice {wanted} is not there", "Mend voice.piper_voice, or leave it empty.")
    if engine is None:
        yield Finding(
            "voice", MISSING, "no engine that speaks", "sudo apt install flite espeak-ng. Everything is shown as text too."
        )
    else:
        yield Finding("voice", GOOD, f"{engine.name} speaks")
    player = find_player()
    if player is None:
        yield Finding("loudspeaker", MISSING, "no program that plays sound", "sudo apt install alsa-utils.")
    else:
        yield Finding("loudspeaker", GOOD, player.command[0])


def _camera() -> Finding:
    cameras = sorted(Path("/dev").glob("video*"))
    if cameras:
        return Finding("camera", GOOD, ", ".join(map(str, cameras)))
    return Finding("camera", MISSING, "none", "Nothing to do: moves are typed or tapped.")


def _clock() -> Finding:
    if time.time() < 1_700_000_000:
        return Finding(
            "clock",
            MISSING,
            "it has never been set",
            "Nothing is ordered by the clock; only labels will look odd until it is set.",
        )
    return Finding("clock", GOOD, time.strftime("%Y-%m-%d %H:%M"))


def _power() -> Finding:
    """A Pi tells whether its supply was ever too weak since it started."""
    try:
        bits = int(THROTTLED.read_text(), 16)
    except (OSError, ValueError):
        return Finding("power", GOOD, "this machine does not tell")
    if bits & 0x1:
        return Finding("power", BAD, "too little voltage right now", "Use the official supply and a short cable.")
    if bits & 0x10000:
        return Finding("power", BAD, "too little voltage since it was started", "Use the official supply and a short cable.")
    return Finding("power", GOOD, "enough voltage since it was started")
