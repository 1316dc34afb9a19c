"""What must be true of a root into which the companion was installed; used by the test and by the long run."""

from __future__ import annotations

import json
import re

from tests.hardware.clean_root import CleanRoot

HOME = "/opt/tabletop-companion"
UNIT_FILE = "/etc/systemd/system/tabletop-companion.service"
SETTINGS = "/etc/tabletop-companion.toml"
FILES = (UNIT_FILE, "/etc/avahi/services/tabletop-companion.service", "/etc/systemd/journald.conf.d/tabletop-companion.conf")
BIND_PORT_80 = f"{1 << 10:016x}"


def install(root: CleanRoot, *words: str) -> str:
    answer = root.run("bash", "/checkout/hardware/install.sh", *words)
    assert answer.returncode == 0, answer.stdout[-2000:] + answer.stderr[-2000:]
    return answer.stdout


def version(root: CleanRoot, link: str = "current") -> str:
    return str((root.path(HOME) / link).readlink())


def is_a_service(root: CleanRoot) -> None:
    """The account, its groups, and files that systemd finds nothing to complain about."""
    assert {"companion", "video", "dialout", "audio"} <= set(root.run("id", "-nG", "companion").stdout.split())
    assert "port = 80" in root.path(SETTINGS).read_text("utf-8")
    assert [file for file in FILES if not root.has(file)] == []
    assert root.has("/etc/systemd/system/multi-user.target.wants/tabletop-companion.service"), "it starts with the box"
    verified = root.run("systemd-analyze", "verify", "--man=no", UNIT_FILE)
    assert (verified.returncode, [line for line in verified.stderr.splitlines() if "tabletop" in line]) == (0, [])


def starts_answers_and_stops(root: CleanRoot) -> None:
    answer = root.run("python3", "/drive_service.py", network=False)
    assert answer.stdout, answer.stderr
    saw = json.loads(answer.stdout)
    assert "error" not in saw, saw["error"]
    assert (saw["ready"], saw["page"], saw["guide"], saw["watchdog"], saw["exit"]) == (True, 200, True, True, 0)
    assert (saw["user"], saw["capabilities"]) == ("companion", BIND_PORT_80), "port 80, without being root"
    assert "table.journal" in saw["journal"]


def has_everything_with_it(root: CleanRoot) -> None:
    """Boards, rulebooks and fonts came along: what needs all three is made."""
    printed = root.run(f"{HOME}/current/venv/bin/companion", "print", "all", "royal_purple", "--folder", "/tmp")
    assert printed.returncode == 0, printed.stderr
    seen = root.run(f"{HOME}/current/venv/bin/python", "-c", "import cv2, numpy; print(cv2.__version__)")
    assert seen.stdout.startswith("4.14"), seen.stderr


def is_the_same_after_another_run(root: CleanRoot) -> None:
    """Nothing is built or written anew, and the owner's settings stay."""
    before, written = version(root), root.path(UNIT_FILE).stat().st_mtime_ns
    settings = root.path(SETTINGS)
    settings.write_text(settings.read_text("utf-8") + '\n[voice]\nverbosity = "rolls"\n', "utf-8")
    assert "is here already" in install(root)
    assert (version(root), root.path(UNIT_FILE).stat().st_mtime_ns) == (before, written)
    assert "rolls" in settings.read_text("utf-8")


def goes_back_and_forward(root: CleanRoot) -> None:
    """A newer version, back, forward; and one that does not start is never switched to."""
    first = version(root)
    project = root.path("checkout/pyproject.toml")
    project.write_text(project.read_text("utf-8").replace('version = "', 'version = "9.', 1), "utf-8")
    install(root)
    newer = version(root)
    assert newer.startswith("releases/9.")
    assert version(root, "previous") == first
    install(root, "--rollback")
    assert (version(root), version(root, "previous")) == (first, newer)
    install(root, "--rollback")
    assert version(root) == newer
    broken = root.path("checkout/companion/cli/__init__.py")
    broken.write_text("raise SystemExit('broken')\n" + broken.read_text("utf-8"), "utf-8")
    refused = root.run("bash", "/checkout/hardware/install.sh")
    assert refused.returncode != 0
    assert "does not start; nothing was changed" in refused.stderr
    assert version(root) == newer


def comes_back_by_itself(root: CleanRoot) -> None:
    """A version that systemd cannot get ready is taken back at once. (There is no systemd in here: its command is played.)"""
    before = version(root)
    project = root.path("checkout/pyproject.toml")
    project.write_text(re.sub(r'^version = ".*"', 'version = "8.0"', project.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    broken = root.path("checkout/companion/cli/__init__.py")
    broken.write_text(broken.read_text("utf-8").removeprefix("raise SystemExit('broken')\n"), "utf-8")
    played = root.path("usr/local/sbin/systemctl")
    played.parent.mkdir(parents=True, exist_ok=True)
    played.write_text(PLAYED_SYSTEMCTL, "utf-8")
    played.chmod(0o755)
    here = "mkdir -p /run/systemd/system && PATH=/usr/local/sbin:$PATH exec bash /checkout/hardware/install.sh"
    answer = root.run("sh", "-c", here)
    played.unlink()
    root.run("rm", "-rf", "/run/systemd/system")  # the play is over
    assert answer.returncode != 0
    assert "The new version does not start." in answer.stdout, answer.stdout + answer.stderr
    assert f"Back to {before.removeprefix('releases/')}" in answer.stdout
    assert version(root) == before


PLAYED_SYSTEMCTL = """#!/bin/sh
case "$* $(readlink /opt/tabletop-companion/current)" in
  "restart tabletop-companion.service releases/8."*) exit 1 ;;
esac
"""


def goes_away(root: CleanRoot) -> None:
    """The games stay until they are asked to go too."""

    def there(*places: str) -> list[str]:
        return [place for place in places if root.run("test", "-e", place).returncode == 0]

    install(root, "--uninstall")
    assert there(HOME, *FILES) == []
    assert there("/var/lib/tabletop-companion/table.journal", SETTINGS) == ["/var/lib/tabletop-companion/table.journal", SETTINGS]
    install(root, "--uninstall", "--purge")
    assert there("/var/lib/tabletop-companion", SETTINGS) == []
    assert root.run("id", "companion").returncode != 0
