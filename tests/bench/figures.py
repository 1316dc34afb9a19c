"""Every figure of the project in one table, with the machine and the date: `make bench` writes FIGURES.md beside this file.

    python -m tests.bench.figures            # all of them, some twenty minutes
    python -m tests.bench.figures whole die  # only those whose name has one of these words; the others stay as they were
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

FILE = Path(__file__).parent / "FIGURES.md"
BENCHES = {
    "whole": ("The whole service: start, memory, idle, die to phone", "tests.bench.bench_whole"),
    "rules": ("Rules, against other engines in the same run", "tests.bench.bench_rules"),
    "table": ("The table: a die's byte to its publication", "tests.table.bench_table"),
    "journal": ("The journal", "tests.journal.bench_journal"),
    "die": ("The die's line", "tests.dice.latency"),
    "live": ("Phones held, and how soon they know", "tests.web.bench_live"),
    "crowd": ("An honest phone beside guests who mean harm", "tests.web.bench_crowd"),
    "page": ("Pages in a browser", "tests.web.bench_page"),
    "ruling": ("A piece that stands free to the ruling", "tests.bench.bench_ruling"),
    "rendered": ("The rendered table (synthetic)", "tests.vision.bench_rendered"),
    "finding": ("Finding the board", "tests.vision.bench_finding"),
    "eye": ("Frame to sighting", "tests.vision.bench_eye"),
}
MOST_SECONDS = 1800
HEAD = "# Figures\nWritten by `make bench`; every line is what the named command printed. Compare ratios, not milliseconds: machines differ.\n"


def machine() -> str:
    words = (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith(("model name", "Model")))
    memory = next((int(line.split()[1]) / 1e6 for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    load = os.getloadavg()[0]
    cpu = next(words, platform.machine())
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{cpu}, {os.cpu_count()} cores, {memory:.1f} GB, {system}; load {load:.1f}"


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []


def run(module: str) -> list[str]:
    """The lines that a benchmark prints; one that fails says so in the table."""
    try:
        done = subprocess.run([sys.executable, "-m", module], capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return [f"NOT MEASURED: no end after {MOST_SECONDS} s"]
    lines = [line.rstrip() for line in done.stdout.splitlines() if line.strip()]
    return lines if done.returncode == 0 else [*lines, f"NOT MEASURED: {(done.stderr.strip().splitlines() or ['it failed'])[-1]}"]


def section(name: str, lines: list[str]) -> str:
    title, module = BENCHES[name]
    when = time.strftime("%Y-%m-%d", time.gmtime())
    rows = "\n".join(f"| {_cell(line)} |" for line in lines)
    return f"## {title}\n`python -m {module}`, {when}, {machine()}\n\n| measured |\n| --- |\n{rows}\n"


def _cell(line: str) -> str:
    return re.sub(r"\s{2,}", " · ", line.strip().replace("|", "·"))


def sections(text: str) -> dict[str, str]:
    """The sections of a file that was written before, by name."""
    parts = {part.partition("\n")[0]: "## " + part.rstrip() + "\n" for part in text.split("\n## ")[1:]}
    return {name: parts[title] for name, (title, _) in BENCHES.items() if title in parts}


def main(words: list[str]) -> None:
    kept = sections(FILE.read_text("utf-8")) if FILE.exists() else {}
    for name, (title, module) in BENCHES.items():
        if words and not any(word in name for word in words):
            continue
        print(f"{title} …", flush=True)
        lines = run(module)
        for line in lines:
            print(f"  {line}", flush=True)
        kept[name] = section(name, lines)
        FILE.write_text("\n".join([HEAD, *(kept[n] for n in BENCHES if n in kept)]), "utf-8")
    print(f"All figures are in {FILE}.")


if __name__ == "__main__":
    main(sys.argv[1:])
