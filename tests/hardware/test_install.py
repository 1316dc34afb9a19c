"""hardware/install.sh: it leaves a service that starts, answers and stops, and it can be taken back."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.hardware import installed
from tests.hardware.clean_root import ROOT, NotToBeHad, layered

SCRIPT = ROOT / "hardware" / "install.sh"
UNIT = ROOT / "hardware" / "pi" / "tabletop-companion.service"


def installer(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", str(SCRIPT), *words], capture_output=True, text=True)


# --- without a root of its own ---


def test_a_dry_run_says_everything_and_does_nothing() -> None:
    before = sorted(Path("/opt").iterdir()), Path("/etc/systemd/system/tabletop-companion.service").exists()
    answer = installer("--dry-run", "--name", "games", "--port", "8080")
    assert answer.returncode == 0, answer.stderr
    for part in ("apt-get", "useradd", "venv --system-site-packages", "pip install", "tabletop-companion.service", "ln -sfn", "games"):
        assert part in answer.stdout
    assert before == (sorted(Path("/opt").iterdir()), Path("/etc/systemd/system/tabletop-companion.service").exists())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--fast",), "I do not know '--fast'"),
        (("--dry-run", "--port", "70000"), "--port: a number from 1 to 65535"),
        (("--dry-run", "--port", "80; reboot"), "--port: a number"),
        (("--dry-run", "--port"), "the last word lacks its value"),
        (("--dry-run", "--name", "$(reboot)"), "--name: small letters"),
        (("--dry-run", "--purge"), "--purge goes with --uninstall"),
    ],
)
def test_wrong_words_get_one_clear_line(words: tuple[str, ...], says: str) -> None:
    answer = installer(*words)
    assert answer.returncode != 0
    assert says in answer.stderr
    assert len(answer.stderr.splitlines()) == 1


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed here")
def test_the_units_exposure_is_at_most_one_and_a_half() -> None:
    answer = subprocess.run(
        ["systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=15", str(UNIT)], capture_output=True, text=True
    )
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", answer.stdout)
    assert found, answer.stdout + answer.stderr
    assert float(found[1]) <= 1.5
    assert answer.returncode == 0


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed here")
def test_systemd_finds_nothing_to_complain_about_in_the_unit(tmp_path: Path) -> None:
    # The program lies elsewhere on this machine; all else is the unit as it is.
    (tmp_path / UNIT.name).write_text(re.sub(r"^ExecStart=.*$", "ExecStart=/bin/true", UNIT.read_text("utf-8"), flags=re.M), "utf-8")
    answer = subprocess.run(["systemd-analyze", "verify", "--man=no", str(tmp_path / UNIT.name)], capture_output=True, text=True)
    assert (answer.returncode, [line for line in answer.stderr.splitlines() if UNIT.name in line]) == (0, [])


# --- in a root of its own (a clean Debian from debootstrap: soak_install.py) ---


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_script_leaves_a_service_that_starts_answers_and_stops_and_can_be_taken_away(tmp_path: Path) -> None:
    try:
        root = layered(tmp_path)
    except NotToBeHad as reason:
        pytest.skip(str(reason))
    installed.install(root)
    installed.is_a_service(root)
    installed.starts_answers_and_stops(root)
    installed.has_everything_with_it(root)
    installed.is_the_same_after_another_run(root)
    installed.goes_away(root)
    shutil.rmtree(tmp_path, ignore_errors=True)
