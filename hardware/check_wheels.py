"""Does every library have a ready-made wheel for a Raspberry Pi? Asks the package index with pip and writes WHEELS.md.

    python hardware/check_wheels.py
"""

from __future__ import annotations

import datetime
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
# Bookworm has Python 3.11 and glibc 2.36, Trixie 3.13 and 2.41; a wheel made for an older glibc fits.
MACHINES = {
    "Bookworm, 64 bit": ("3.11", ["manylinux2014_aarch64", "manylinux_2_28_aarch64", "manylinux_2_31_aarch64", "manylinux_2_35_aarch64"]),
    "Trixie, 64 bit": ("3.13", ["manylinux2014_aarch64", "manylinux_2_28_aarch64", "manylinux_2_31_aarch64", "manylinux_2_39_aarch64"]),
    "Bookworm, 32 bit": ("3.11", ["manylinux2014_armv7l", "manylinux_2_31_armv7l", "manylinux_2_35_armv7l", "linux_armv7l"]),
}


def wheel(requirement: str, python: str, platforms: list[str], folder: Path) -> str:
    """The wheel's version that pip would take there, or an empty text."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(folder)]
    command += ["--python-version", python, "--implementation", "cp"] + [f"--platform={name}" for name in platforms]
    subprocess.run([*command, requirement], capture_output=True)
    found = sorted(folder.glob("*.whl"))
    return found[0].name.split("-")[1] if found else ""


def everything_needed() -> list[str]:
    """Our own dependencies and whatever those need in turn, as pip resolves them on this machine."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    report = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-", *project["dependencies"]],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return sorted((f"{p['metadata']['name']}=={p['metadata']['version']}" for p in json.loads(report.stdout)["install"]), key=str.lower)


def main() -> int:
    rows, missing = [], []
    for requirement in everything_needed():
        cells = []
        for machine, (python, platforms) in MACHINES.items():
            name = re.split(r"[=<>]", requirement)[0]
            with tempfile.TemporaryDirectory() as folder:
                exact = wheel(requirement, python, platforms, Path(folder))
                found = exact or wheel(name, python, platforms, Path(folder))
            cells.append("yes" if exact else f"only {found}" if found else "no")
            if not exact:
                missing.append(f"{requirement} for {machine}: {cells[-1]}")
        rows.append(f"| {requirement.replace('==', ' ')} | {' | '.join(cells)} |")
        print(rows[-1], flush=True)
    (HERE / "WHEELS.md").write_text(
        f"""# Ready-made wheels for a Raspberry Pi

Written by `python hardware/check_wheels.py` on {datetime.date.today().isoformat()}: for every library that the companion needs, whether the
package index holds a wheel for that machine, so that nothing is compiled on the Pi. `yes`: the very version that this machine takes;
`only N`: another version; `no`: none there. Raspberry Pi OS also asks piwheels.org, which builds 32-bit wheels of most libraries; this
table does not count them. The camera (`python3-picamera2`) and the pins (`python3-lgpio`) come from Raspberry Pi OS itself.

| library | {" | ".join(MACHINES)} |
| --- | {" | ".join("---" for _ in MACHINES)} |
"""
        + "\n".join(rows)
        + "\n",
        "utf-8",
    )
    print("\n".join(["Not there:", *missing] if missing else ["Every wheel is there."]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
