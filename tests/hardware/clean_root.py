"""A Debian to install into, as root, without harm to this machine.

`Bootstrapped` is a clean one: debootstrap's smallest, from the mirror. `Layered` is this machine's own system with a layer over it
that takes every change: no download, so it is quick.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
MIRROR = "http://deb.debian.org/debian"
SUITE = "bookworm"
CARRIED = ("companion", "web", "vision", "hardware", "pyproject.toml", "README.md")
DRIVER = Path(__file__).parent / "drive_service.py"
# pip finds everything beside it and compiles nothing: the root needs no package index, and the test no patience.
ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels", "PIP_NO_COMPILE": "1",
}  # fmt: skip


class NotToBeHad(Exception):
    """Why there can be no such root here."""


class CleanRoot:
    """A root at `folder`; `mounts` are shell commands that complete it, made anew for each command and gone with it."""

    def __init__(self, folder: Path, mounts: str = "", written: Path | None = None) -> None:
        self.folder = folder
        self.written = written or folder  # where what was written there can be read and changed
        self._mounts = mounts + f" mount -t proc proc {shlex.quote(str(folder / 'proc'))} &&"

    def run(self, *command: str, network: bool = True) -> subprocess.CompletedProcess[str]:
        """In this root, in namespaces of its own: mounts, and a network (where port 80 is free), end with the command."""
        namespaces = ["--mount"] if network else ["--mount", "--net"]
        inside = f'{self._mounts} exec chroot {shlex.quote(str(self.folder))} "$@"'
        return subprocess.run(
            ["unshare", *namespaces, "sh", "-c", inside, "sh", *command], env=ENVIRONMENT, capture_output=True, text=True
        )

    def path(self, place: str) -> Path:
        return self.written / place.lstrip("/")

    def has(self, place: str) -> bool:
        return os.path.lexists(self.path(place))

    def carry(self) -> None:
        """Sources and wheels go along."""
        for name in CARRIED:
            source, there = ROOT / name, self.path("checkout") / name
            there.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, there, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, there)
        shutil.copy(DRIVER, self.path("drive_service.py"))
        version = self.run("python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])").stdout.strip() or "3.11"
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(self.path("wheels"))]
        if version != "{}.{}".format(*sys.version_info[:2]):
            command += ["--python-version", version, "--only-binary=:all:"]
        fetched = subprocess.run(
            [*command, *project["project"]["dependencies"], *project["build-system"]["requires"]], capture_output=True, text=True
        )
        if fetched.returncode:
            raise NotToBeHad(f"the wheels cannot be fetched: {fetched.stderr[-300:]}")


def _must_be_possible(*programs: str) -> None:
    if os.geteuid() != 0:
        raise NotToBeHad("only root can make another root")
    if missing := [name for name in (*programs, "unshare", "chroot") if not shutil.which(name)]:
        raise NotToBeHad(f"not installed here: {', '.join(missing)}")
    if subprocess.run(["unshare", "--mount", "--net", "true"], capture_output=True).returncode:
        raise NotToBeHad("this machine allows no namespaces of one's own")
    try:
        urllib.request.urlopen(f"{MIRROR}/dists/{SUITE}/Release", timeout=20).close()
    except OSError as error:
        raise NotToBeHad(f"Debian's mirror cannot be reached ({error})") from error


def bootstrapped(folder: Path) -> CleanRoot:
    _must_be_possible("debootstrap")
    command = ["debootstrap", "--variant=minbase", "--include=systemd,systemd-sysv", SUITE, str(folder), MIRROR]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode:
        raise NotToBeHad(f"debootstrap failed: {made.stdout[-300:]}")
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
    root = CleanRoot(folder)
    root.carry()
    return root


def layered(folder: Path) -> CleanRoot:
    _must_be_possible()
    if not Path("/etc/debian_version").exists():
        raise NotToBeHad("this machine is no Debian")
    for name in ("upper", "work", "root"):
        (folder / name).mkdir(parents=True)
    layers = f"lowerdir=/,upperdir={folder / 'upper'},workdir={folder / 'work'}"
    mount = f"mount -t overlay overlay -o {shlex.quote(layers)} {shlex.quote(str(folder / 'root'))} &&"
    mount += f" mount -t tmpfs none {shlex.quote(str(folder / 'root/run'))} &&"  # whatever runs here is not to be talked to
    mount += f" mount --bind /dev {shlex.quote(str(folder / 'root/dev'))} &&"
    root = CleanRoot(folder / "root", mount, folder / "upper")
    tried = root.run("test", "-x", "/usr/bin/python3")
    if tried.returncode:
        raise NotToBeHad(f"a layer over this machine's system cannot be made: {tried.stderr.strip()[-200:]}")
    if root.run("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))").returncode:
        raise NotToBeHad("this machine's own Python is older than 3.11")
    root.carry()
    return root
