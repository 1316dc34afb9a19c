"""Finds the commands that the documents show: lines of unmarked code blocks, and code within a sentence that begins with a program."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACES = ("*.md", "companion/**/*.md", "firmware/**/*.md", "hardware/*.md", "vision/*.md", "web/**/*.md")
DOCUMENTS = [document for place in PLACES for document in sorted(ROOT.glob(place))]
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
PROGRAMS = (
    "companion", "make", "python", "sudo", "hardware/install.sh", "source", "systemd-analyze", "avrdude", "dmesg", "speaker-test",
    "mkdir", "cp", "git", "pip", "curl", "systemctl", "apt-get",
)  # fmt: skip
SPAN = re.compile(rf"`((?:[A-Z_]+=\S+ )*(?:{'|'.join(PROGRAMS)}) [^`\n]+)`")


def commands(document: Path) -> list[str]:
    """In their order, comments cut off."""
    text = document.read_text("utf-8")
    found = []
    for language, body in BLOCK.findall(text):
        if language in ("", "sh", "bash"):
            found += [line.split("  #")[0].strip() for line in body.splitlines() if line.strip()]
    return found + SPAN.findall(BLOCK.sub("", text))
