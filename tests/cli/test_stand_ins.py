"""companion run --stand-ins: what is here is used; for what is not, a stand-in, and a word about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli import stand_ins
from companion.cli.stand_ins import RENDERED, look_round, without_pins
from companion.config import Config, load_config
from companion.voice import Voice


@pytest.fixture
def config(tmp_path: Path) -> Config:
    file = tmp_path / "settings.toml"
    file.write_text("", "utf-8")
    return load_config(file)


@pytest.fixture
def mute() -> Voice:
    return Voice(None, None)


def test_a_bare_machine_gets_a_rendered_table_and_a_thrown_die(config: Config, mute: Voice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stand_ins, "find_ports", list)
    monkeypatch.setattr(stand_ins, "emulator_is_here", lambda: False)
    found = look_round(config, "", False, mute)
    assert found.camera == RENDERED
    assert not found.emulate_die
    camera, die, voice = found.lines
    assert "synthetic" in camera
    assert "the companion throws" in die
    assert "text" in voice


def test_where_it_can_be_built_the_real_firmware_throws(config: Config, mute: Voice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stand_ins, "find_ports", list)
    monkeypatch.setattr(stand_ins, "emulator_is_here", lambda: True)
    found = look_round(config, "", False, mute)
    assert found.emulate_die
    assert "firmware" in found.lines[1]


def test_a_die_that_is_plugged_in_is_used(config: Config, mute: Voice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stand_ins, "find_ports", lambda: ["/dev/ttyUSB0"])
    monkeypatch.setattr(stand_ins, "emulator_is_here", lambda: True)
    found = look_round(config, "", False, mute)
    assert not found.emulate_die
    assert found.lines[1] == "Die: /dev/ttyUSB0."


def test_a_camera_that_is_wanted_and_here_is_used_and_one_that_is_not_is_named(config: Config, mute: Voice, tmp_path: Path) -> None:
    assert look_round(config, str(tmp_path), False, mute).camera == str(tmp_path)  # a folder of pictures is a camera too
    gone = look_round(config, "/dev/video97", False, mute)
    assert gone.camera == RENDERED
    assert "/dev/video97 is not there" in gone.lines[0]


def test_a_machine_without_pins_is_not_asked_for_buttons(config: Config) -> None:
    assert without_pins(config, [])["gpio", "on"] is False
    assert without_pins(config, [Path("/dev/gpiochip0")])["gpio", "on"] is True
