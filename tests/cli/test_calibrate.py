"""companion calibrate and companion see, on pictures that are kept with the tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.vision.evening import FOLDER, truth

KOP = FOLDER / "kop_the_kaiser"
EMPTY, TEACH = str(KOP / "000_empty_s00.jpg"), str(KOP / "001_teach_s00.jpg")
WHO = ("--seats", "new-york,philadelphia,baltimore,charleston", "--option", "armies=artillery,infantry,cavalry,aviation")
GAME = ("calibrate", "kop_the_kaiser", "--board", str(KOP / "board.json"), *WHO)
CORNERS = " ".join(f"{x + 2:.0f},{y + 1:.0f}" for x, y in truth("kop_the_kaiser")["empty_s00"]["board_corners_px"])


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("calibration") / "kop.json"


@pytest.fixture
def calibrated(kept: Path, run: Run) -> Path:
    if not kept.exists():
        result = run(*GAME, "--empty", EMPTY, "--teach", TEACH, "--corners", CORNERS, "--out", str(kept))
        assert result.exit_code == 0, result.output
    return kept


def test_a_board_is_learned_from_two_pictures_without_a_question(run: Run, calibrated: Path) -> None:
    data = json.loads(calibrated.read_text("utf-8"))
    assert {piece["mark"] for piece in data["pieces"]} == {f"{army}/advance" for army in ("artillery", "infantry", "cavalry", "aviation")}
    assert data["residual_px"] < 1


def test_see_tells_what_stands_where_and_draws_it(run: Run, calibrated: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "seen.png"
    result = run("see", TEACH, "--calibration", str(calibrated), "--overlay", str(drawn), "--json")
    assert result.exit_code == 0, result.output
    (seen,) = json.loads(result.output)
    taught = truth("kop_the_kaiser")["teach_s00"]["pieces"].values()
    assert {space for space, what in seen["spaces"].items() if what.get("content")} == {piece["space"] for piece in taught}
    assert all(0 <= what.get("chance", 1) <= 1 for what in seen["spaces"].values())
    assert drawn.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((*GAME, "--empty", EMPTY), "both --empty and --teach"),
        (GAME, "give a SOURCE"),
        ((*GAME, "--empty", EMPTY, "--teach", __file__), "is no picture"),
        ((*GAME, "--empty", EMPTY, "--teach", "nowhere.jpg"), "is no picture"),
        ((*GAME, "--empty", EMPTY, "--teach", TEACH, "--corners", "1,2 3,4"), "four pairs"),
        ((*GAME, "--empty", EMPTY, "--teach", TEACH, "--corners", "0,0 0,9 9,9 9,0"), "clockwise"),
        (("see", TEACH, "--calibration", __file__), "calibration"),
        (("see", TEACH, "--calibration", "nowhere.json"), "cannot be read"),
    ],
)
def test_bad_input_is_one_clear_line(run: Run, words: tuple[str, ...], expected: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert expected in result.output
    assert "Traceback" not in result.output


def test_another_board_than_the_calibrated_one_is_named(run: Run, calibrated: Path) -> None:
    result = run("see", str(FOLDER / "fighting_marines" / "000_empty_s00.jpg"), "--calibration", str(calibrated))
    assert result.exit_code == 2
    assert "Kop the Kaiser" in result.output
