"""companion watch: a recorded evening from the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run

EVENING = Path(__file__).parents[1] / "vision" / "evenings" / "kop_the_kaiser"
ARMIES = "artillery,infantry,cavalry,aviation,engineers,signal-corps"
SEATS = {
    "blue": {"port": "NewYork", "branch": "Artillery"}, "orange": {"port": "Philadelphia", "branch": "Aviation"},
    "green": {"port": "Baltimore", "branch": "Cavalry"}, "red": {"port": "Charleston", "branch": "Infantry"},
}  # fmt: skip
ROLLS = {"game": "kop_the_kaiser", "seats": SEATS, "order": ["blue", "orange", "green", "red"], "rolls": [["blue", 4], ["blue", 11]]}


@pytest.fixture(scope="module")
def calibration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The eye, taught on two pictures of the evening."""
    from click.testing import CliRunner

    from companion.cli import main

    file = tmp_path_factory.mktemp("calibration") / "board.json"
    first = json.loads((EVENING / "truth.jsonl").read_text().splitlines()[0])
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in first["board_corners_px"])
    words = [
        "calibrate", "kop_the_kaiser", "--seats", "new-york,charleston,baltimore,philadelphia", "--option", f"armies={ARMIES}",
        "--board", str(EVENING / "board.json"), "--corners", corners, "--out", str(file),
        "--empty", str(EVENING / "000_empty_s00.jpg"), "--teach", str(EVENING / "001_teach_s00.jpg"),
    ]  # fmt: skip
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    return file


@pytest.fixture
def rolls(tmp_path: Path) -> Path:
    file = tmp_path / "rolls.json"
    file.write_text(json.dumps(ROLLS))
    return file


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "evening"
    folder.mkdir()
    for name in ("000_empty_s00.jpg", "001_teach_s00.jpg"):
        shutil.copyfile(EVENING / name, folder / name)
    return folder


@pytest.mark.slow
def test_every_ruling_is_a_line_of_json_and_the_summary_comes_last(run: Run, calibration: Path, rolls: Path, pictures: Path) -> None:
    result = run("watch", str(pictures), "--rolls", str(rolls), "--calibration", str(calibration))
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(line["frame"], line["kind"]) for line in lines[:-1]] == [("000_empty_s00.jpg", "set_up"), ("001_teach_s00.jpg", "ready")]
    assert lines[0]["text"].startswith("Put a ")
    assert lines[-1]["summary"]["pictures"] == 2
    assert lines[-1]["summary"]["moves"] == 0


@pytest.mark.slow
def test_pictures_of_another_size_and_broken_files_are_left_out_and_named(
    run: Run, calibration: Path, rolls: Path, pictures: Path
) -> None:
    import cv2

    small = cv2.resize(cv2.imread(str(pictures / "001_teach_s00.jpg")), (320, 180))
    cv2.imwrite(str(pictures / "002_small.jpg"), small)
    (pictures / "003_broken.jpg").write_bytes(b"no picture")
    result = run("watch", str(pictures), "--rolls", str(rolls), "--calibration", str(calibration), "--quiet")
    assert result.exit_code == 0, result.output
    assert "002_small.jpg has another size" in result.stderr
    (line,) = result.stdout.splitlines()
    assert json.loads(line)["summary"]["pictures"] == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rolls_text", "says"),
    [("{", "rolls: not JSON"), ("[]", "roll list: must be an object"), ('{"game": "siege", "rolls": []}', "board")],
)
def test_a_bad_roll_list_ends_in_one_line(
    rolls_text: str, says: str, run: Run, calibration: Path, tmp_path: Path, pictures: Path
) -> None:
    file = tmp_path / "bad.json"
    file.write_text(rolls_text)
    result = run("watch", str(pictures), "--rolls", str(file), "--calibration", str(calibration))
    assert result.exit_code == 2
    assert says in result.stderr
    assert "Traceback" not in result.stderr


def test_a_calibration_that_is_not_there_ends_in_one_line(run: Run, rolls: Path, pictures: Path, tmp_path: Path) -> None:
    result = run("watch", str(pictures), "--rolls", str(rolls), "--calibration", str(tmp_path / "none.json"))
    assert result.exit_code == 2
    assert "calibration" in result.stderr


@pytest.mark.slow
def test_a_camera_is_no_recording(run: Run, calibration: Path, rolls: Path) -> None:
    result = run("watch", "0", "--rolls", str(rolls), "--calibration", str(calibration))
    assert result.exit_code == 2
    assert "a video or a folder of pictures" in result.stderr
