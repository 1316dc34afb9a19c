"""hardware/packages.sh on machines played by a dpkg and an apt of our own: what is missing is installed, what is there is left alone."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "hardware" / "packages.sh"
RUN = ("flite", "espeak-ng", "alsa-utils", "libgl1", "libglib2.0-0")
VENV = "python3-venv"


def installed_by(folder: Path, states: Mapping[str, str], user: int = 0, what: str = "run") -> tuple[list[str], str]:
    """What it asks apt for on a machine where dpkg tells these states, and what it prints."""
    asked = folder / "asked"
    lines = "".join(f'  "{name}") echo {state} ;;\n' for name, state in states.items())
    programs = {
        "dpkg-query": f'for name in "${{@:3}}"; do case "$name" in\n{lines}esac; done',
        "apt-get": f'[ "$1" = update ] || printf "%s\\n" "$@" > {asked}',
        "id": f"echo {user}",
        "sudo": "exit 1",
    }
    for name, body in programs.items():
        program = folder / name
        program.write_text(f"#!/bin/bash\n{body}\n", "utf-8")
        program.chmod(0o755)
    told = subprocess.run(
        ["bash", str(SCRIPT), what], env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    return [word for word in asked.read_text().split() if word in (*RUN, VENV)] if asked.exists() else [], told.stdout


@pytest.mark.parametrize("state", ["not-installed", "config-files", "half-installed", "unpacked"])
def test_a_package_that_dpkg_only_knows_of_is_installed(tmp_path: Path, state: str) -> None:
    states = dict.fromkeys(RUN, "installed") | {"alsa-utils": state}
    assert installed_by(tmp_path, states)[0] == ["alsa-utils"]


def test_nothing_is_done_where_all_is_there_also_by_a_newer_name(tmp_path: Path) -> None:
    states = dict.fromkeys(RUN[:-1], "installed") | {"libglib2.0-0": "not-installed", "libglib2.0-0t64": "installed"}
    assert installed_by(tmp_path, states) == ([], "")


def test_whoever_may_not_install_is_told_what_is_missing(tmp_path: Path) -> None:
    asked, told = installed_by(tmp_path, {}, user=1000)
    assert asked == []
    assert all(name in told for name in RUN)


def test_without_virtual_environments_nothing_can_go_on(tmp_path: Path) -> None:
    assert installed_by(tmp_path, {}, what="venv")[0] == [VENV]
    with pytest.raises(AssertionError, match=f"has to install: {VENV}"):
        installed_by(tmp_path, {}, user=1000, what="venv")
