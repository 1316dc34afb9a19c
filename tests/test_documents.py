"""Every command that the documents show is executed, as a person would: in a copy of the checkout, with a home of its own.

What cannot run here is listed with the reason, so that nobody adds a command that nobody ever tried.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.documents import DOCUMENTS, ROOT, commands

PATIENCE = 150
# A pattern for the whole command, and why it is not executed as it stands.
NOT_HERE = {
    r"make run": "installs packages on this machine; its target is looked at, and `companion run` is run",
    r"make (test|quick|bench|soak|pictures|lint)": "would run this test within itself, or for an hour; its target is looked at instead",
    r"make -C firmware (clean )?flash.*": "wants a die on a cable; tests/firmware builds what is flashed",
    r"python firmware/noise_report\.py .*": "wants a die on a cable",
    r"avrdude .*": "wants a programmer on a cable",
    r"sudo hardware/install\.sh.*": "tests/hardware/test_install.py and soak_install.py run it in roots of their own",
    r"sudo (nmcli|raspi-config|journalctl|systemctl) .*|sudo raspi-config": "wants a running Raspberry Pi OS",
    r"sudo (apt|apt-get|usermod) .*": "changes the machine",
    r"companion dice raw": "shows what a die says until it is stopped, and no die is here",
    r"apt-get .*": "changes the machine",
    r"python -m tests\.firmware\.(figures|line_coverage)": "tests/firmware runs both",
    r"source .*": "a word of the shell",
    r"(dmesg|speaker-test) .*": "wants real hardware",
    r"python hardware/check_wheels\.py": "asks the package index for minutes",
    r"systemd-analyze .*": "tests/hardware/test_install.py runs it",
    r"python -m tests\.\w+\.bench_\w+": "measures, which is no test",
    r"companion run --emulated-die|python firmware/emulator/console\.py": "builds firmware and emulator; tests/firmware plays through them",
}
MAY_FAIL = {  # and what it then says
    "companion dice test": "No die answered.",
    "companion calibrate siege 0": "camera 0 is not there",
    "companion print board NAME": "'name' is not known",
}
KEYBOARD = "quit\n"
EVENING = "start siege\nagree attacker\nagree defender\n1\nend\nquit\n"
DISPUTE = {
    "game": "siege",
    "position": {"to_move": "attacker", "knights": ["d4", "b2"], "defenders": ["c3", "e5"], "commander": "d6"},
    "move": {"seat": "attacker", "do": "move", "piece": "knight", "from": "b2", "to": "c4"},
}

# Pictures of a table, for the commands that look at one.
WATCHED = ROOT / "tests" / "vision" / "evenings" / "kop_the_kaiser"
SEATS = ["new-york", "charleston", "baltimore", "philadelphia"]
ROLLS = {"game": "kop_the_kaiser", "seats": SEATS, "rolls": []}
CALIBRATE = (
    f"companion calibrate kop_the_kaiser --board evening/board.json --seats {','.join(SEATS)} --empty evening/000_empty_s00.jpg "
    '--teach evening/001_teach_s00.jpg --corners "317,91 949,64 989,621 324,649" --out board.json'
)

Shell = Callable[..., subprocess.Popen[str]]


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A copy of the sources and a home in which one evening has been played."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("companion", "web", "vision", "hardware", "firmware", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "build", "*.avi", "*.mp4"))
    for name in ("pyproject.toml", "README.md", "Makefile"):
        shutil.copy(ROOT / name, folder / name)
    (folder / ".venv").symlink_to(Path(sys.prefix))
    home = tmp_path_factory.mktemp("home")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "COMPANION_", "STATE_"))}
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment |= {"HOME": str(home), "PYTHONPATH": str(folder), "PATH": programs}
    (folder / "dispute.json").write_text(json.dumps(DISPUTE), "utf-8")

    def start(command: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip

    shutil.copytree(WATCHED, folder / "evening")
    shutil.copy(WATCHED / "001_teach_s00.jpg", folder / "table.jpg")
    shutil.copy(WATCHED / "board.json", folder / "lent.json")
    (folder / "evening" / "rolls.json").write_text(json.dumps(ROLLS), "utf-8")
    taught, _ = start(CALIBRATE).communicate("", timeout=PATIENCE)
    assert "Kept in board.json" in taught, taught
    played, _ = start("companion run --no-web").communicate(EVENING, timeout=PATIENCE)
    assert "A game of Siege begins." in played
    return start


def why_not_here(command: str) -> str:
    return next((reason for pattern, reason in NOT_HERE.items() if re.fullmatch(pattern, command)), "")


ALL = [(document, command) for document in DOCUMENTS for command in dict.fromkeys(commands(document))]
# Each once, in the document that shows it first.
RUN = [(document, command) for command, document in {c: d for d, c in reversed(ALL)}.items() if not why_not_here(command)][::-1]


def test_the_documents_show_commands() -> None:
    assert len({command for _, command in RUN}) > 30
    assert {document.name for document, _ in ALL} >= {"README.md", "PI.md", "TABLE.md", "ASSEMBLY.md", "trouble.md"}


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("document", list(dict.fromkeys(document for document, _ in RUN)), ids=lambda d: str(d.relative_to(ROOT)))
def test_every_command_of_a_document_does_what_it_says(document: Path, shell: Shell) -> None:
    if "firmware" in document.parts and not shutil.which("avr-gcc"):
        pytest.skip("the die cannot be built here: apt-get install gcc-avr avr-libc binutils-avr")
    for command in (command for where, command in RUN if where == document):
        process = shell(command)
        try:
            output, _ = process.communicate(KEYBOARD, timeout=PATIENCE)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        assert "Traceback" not in output, f"{command}\n{output}"
        if process.returncode:
            assert MAY_FAIL.get(command, "\0") in output, f"{command} ended with {process.returncode}\n{output}"


@pytest.mark.parametrize("command", sorted({c for _, c in ALL if re.fullmatch(r"make (?!-C).*", c)}))
def test_every_make_target_in_the_documents_exists(command: str) -> None:
    answer = subprocess.run([*command.split(), "-n"], cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: str(d.relative_to(ROOT)))
def test_every_file_that_a_document_names_is_there(document: Path) -> None:
    named = set(re.findall(r"`([a-z_]+(?:/[A-Za-z_.-]+)+|[A-Z_]+\.md|[a-z_]+\.(?:csv|svg|sh))`", document.read_text("utf-8")))
    named = {name for name in named if name.split("/")[0] not in ("raspberrypi.local", "pictures", "build")}
    bases = (ROOT, document.parent, ROOT / "web", ROOT / "companion" / "games" / "siege")
    missing = [name for name in sorted(named) if not any((base / name.rstrip("/")).exists() for base in bases)]
    assert missing == []


def test_a_command_that_nobody_could_run_would_be_noticed() -> None:
    assert why_not_here("companion juggle") == ""
    assert "companion juggle" not in MAY_FAIL
