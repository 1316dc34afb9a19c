"""The doctor finds what is broken, and says what to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion import doctor
from companion.config import Config, load_config
from companion.doctor import BAD, GOOD, MISSING, Finding, examine


def config(tmp_path: Path, **values: Any) -> Config:
    base = load_config(Path("/dev/null"))
    given = {("table", "journal"): str(tmp_path / "table.journal")} | {tuple(k.split("__")): v for k, v in values.items()}
    return replace(base, values=base.values | given)  # type: ignore[operator]


def findings(tmp_path: Path, **values: Any) -> dict[str, Finding]:
    return {f.part: f for f in examine(config(tmp_path, **values))}


def test_a_healthy_machine_has_nothing_bad_and_everything_is_looked_at(tmp_path: Path) -> None:
    found = findings(tmp_path)
    assert {"settings", "game", "disk", "journal", "electronic dice", "GPIO buttons", "voice", "camera", "clock", "power"} <= set(
        found
    )
    assert all(f.state != BAD for f in found.values())
    assert all(f.advice for f in found.values() if f.state != GOOD)


def test_a_port_that_is_named_but_not_there_is_bad_and_points_to_the_troubleshooting_page(tmp_path: Path) -> None:
    found = findings(tmp_path, dice__ports=["/dev/ttyNOWHERE"])["electronic dice"]
    assert found.state == BAD
    assert doctor.TROUBLESHOOTING in found.advice
    assert (Path(__file__).parent.parent / doctor.TROUBLESHOOTING).exists()


def test_a_damaged_journal_is_found(tmp_path: Path) -> None:
    (tmp_path / "table.journal").write_bytes(b"SQLite format 3\x00" + b"\x07" * 5000)
    assert findings(tmp_path)["journal"].state == BAD


def test_a_full_disk_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "LITTLE_SPACE", 10**18)
    assert findings(tmp_path)["disk"].state == BAD


def test_a_missing_voice_file_is_found(tmp_path: Path) -> None:
    assert any(f.part == "voice" and f.state == BAD for f in examine(config(tmp_path, voice__piper_voice="/nowhere.onnx")))


@pytest.mark.parametrize(("bits", "state"), [("0x0", GOOD), ("0x50005", BAD), ("0x10000", BAD), ("nonsense", GOOD)])
def test_a_weak_supply_of_a_pi_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bits: str, state: str) -> None:
    told = tmp_path / "get_throttled"
    told.write_text(bits)
    monkeypatch.setattr(doctor, "THROTTLED", told)
    assert findings(tmp_path)["power"].state == state


def test_a_clock_that_was_never_set_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.time, "time", lambda: 5.0)
    assert findings(tmp_path)["clock"].state == MISSING


def test_wrong_settings_do_not_keep_the_doctor_from_looking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("[cheese]\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(file))
    found = {f.part: f for f in examine()}
    assert found["settings"].state == BAD
    assert "disk" in found
