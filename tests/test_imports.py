"""Who may import whom: rules in the middle, devices at the edge. The design's map, enforced."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# What a game may know: the vocabulary, never another game, a device, a clock or a source of chance.
VOCABULARY = {"events", "words", "ruling", "layout", "rulebook", "board", "game", "roll_off"}
NOT_IN_RULES = {"random", "secrets", "time", "datetime", "threading", "socket", "os", "sys", "subprocess", "sqlite3"}
# A library of a device lives in one layer.
LAYERS = {
    "serial": ("companion/dice/",),
    "gpiozero": ("companion/dice/",),
    "lgpio": ("companion/dice/",),
    "cv2": ("vision/",),
    "picamera2": ("vision/",),
    "flask": ("web/",),
    "uvicorn": ("web/",),
    "a2wsgi": ("web/",),
    "sqlite3": ("companion/journal/", "companion/doctor.py"),
    "click": ("companion/cli/",),
    "reportlab": ("companion/printing/",),
}


def imports(source: str) -> set[str]:
    """Every module that a file imports, late imports included."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{name.name}" for name in node.names}
    return found


def violations(path: str, source: str) -> list[str]:
    """What this file imports and may not."""
    wrong = []
    for name in sorted(imports(source)):
        top, *rest = name.split(".")
        if top in LAYERS and not path.startswith(LAYERS[top]):
            wrong.append(f"{path} imports {name}: {top} belongs to {', '.join(LAYERS[top])}")
        if path.startswith("companion/") and not path.startswith("companion/cli/") and top in ("vision", "web"):
            wrong.append(f"{path} imports {name}: only the command line joins them")
        if (path.startswith("vision/") and top == "web") or (path.startswith("web/") and top == "vision"):
            wrong.append(f"{path} imports {name}: vision and web never know each other")
        if path.startswith("companion/games/") and path.count("/") > 2:
            own = path.split("/")[2]
            in_vocabulary = top == "companion" and rest[:1] and (rest[0] in VOCABULARY or rest[:2] == ["games", own])
            standard = top in sys.stdlib_module_names and top not in NOT_IN_RULES
            if not in_vocabulary and not standard and name not in ("companion", "companion.games"):
                wrong.append(f"{path} imports {name}: a game knows only the vocabulary")
        if (
            top in ("tests", "firmware", "hardware")
            and path.startswith(("companion/", "vision/"))
            and not path.startswith("companion/cli/")
        ):
            wrong.append(f"{path} imports {name}: the product does not need its tests")
    return wrong


SOURCES = sorted(p for folder in ("companion", "vision", "web") for p in (ROOT / folder).rglob("*.py"))


def test_every_import_follows_the_design() -> None:
    assert len(SOURCES) > 50
    assert [w for p in SOURCES for w in violations(p.relative_to(ROOT).as_posix(), p.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("companion/games/siege/rules.py", "import random"),
        ("companion/games/siege/rules.py", "from companion.games.royal_game import rules"),
        ("companion/games/siege/rules.py", "from companion.journal import Journal"),
        ("companion/table.py", "import serial"),
        ("companion/table.py", "def late():\n    import cv2"),
        ("companion/table.py", "from web import server"),
        ("web/api.py", "import vision.eye"),
        ("vision/eye.py", "from web.server import make_app"),
        ("companion/ledger.py", "from tests.games import playthrough"),
    ],
)
def test_a_planted_violation_is_found(path: str, source: str) -> None:
    assert violations(path, source)


def test_the_tables_process_does_without_opencv() -> None:
    """It would cost 40 MB there; only the eye's process looks at pictures, and whoever maps a board."""
    modules = "companion.cli.run, companion.cli.draughtsman, vision.at_table, vision.pictures, vision.process, web.server"
    told = subprocess.run(
        [sys.executable, "-c", f"import sys, {modules}; print('cv2' in sys.modules, 'numpy' in sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.split() == ["False", "False"]
