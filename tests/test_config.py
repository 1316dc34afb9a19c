"""One settings file; what is wrong in it is named with its line."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.config import SETTINGS, default_file, load_config
from companion.events import BadInput


def test_the_printed_file_holds_every_setting_with_its_default_and_loads(tmp_path: Path) -> None:
    text = default_file()
    data = tomllib.loads(text)
    for setting in SETTINGS:
        assert data[setting.section][setting.name] == setting.default
        assert setting.meaning in text
        assert setting.problem(setting.default) == ""
    file = tmp_path / "companion.toml"
    file.write_text(text)
    assert load_config(file).values == load_config(Path("/dev/null")).values


def test_a_file_holds_only_what_differs(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text('[voice]\nverbosity = "rolls"\n')
    config = load_config(file)
    assert config["voice", "verbosity"] == "rolls"
    assert config["table", "language"] == "en"


WRONG = {
    "unknown section": ("[dice]\n\n[cheese]\nage = 3\n", "line 3: 'cheese' is no section"),
    "unknown setting": ("# mine\n[dice]\nportz = []\n", "line 3: [dice] has no setting 'portz'; it has ports"),
    "wrong kind": ('[gpio]\non = true\nroll = "seventeen"\n', "line 3: gpio.roll must be a GPIO number"),
    "wrong choice": ('[voice]\nverbosity = "loud"\n', "line 2: voice.verbosity must be one of full"),
    "not TOML": ("[dice\n", "not TOML"),
    "a setting outside a section": ("ports = []\n", "line 1: 'ports' is no section"),
    "dotted": ("voice.verbosity = 5\n", "line 1: voice.verbosity must be"),
    "a pin that does not exist": ("[gpio]\nready = 99\n", "line 2: gpio.ready must be a GPIO number from 2 to 27"),
    "seats without pins": ('[gpio]\nroll_of_seat = {red = "x"}\n', "line 2: gpio.roll_of_seat must map seats"),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_setting_is_named_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(text)
    with pytest.raises(BadInput) as error:
        load_config(file)
    assert said in str(error.value)


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        load_config(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="cannot be read"):
        load_config(tmp_path / "bytes.toml")


def test_the_journal_lies_where_services_and_people_expect_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "service"))
    assert load_config(Path("/dev/null")).journal == tmp_path / "service" / "table.journal"
    monkeypatch.delenv("STATE_DIRECTORY")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert load_config(Path("/dev/null")).journal == tmp_path / "state" / "companion" / "table.journal"
