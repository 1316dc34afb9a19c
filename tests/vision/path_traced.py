"""The path-traced evenings, refereed whole and scored (synthetic, but drawn by another program than ours).

    python -m tests.vision.path_traced FOLDER…      # each with its pictures, evening.json and truth.jsonl

The eye is taught on the pictures `empty` and `teach` of the evening and nothing else. Where the referee asks, the players answer right;
so every step is judged by itself.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

import cv2

from companion.board import load_board
from companion.cli.watch import APART, Stills
from tests.vision.made_up import sighting
from tests.vision.score import Score, TrueFrame, true_frames
from vision.calibration import calibrate
from vision.evening import RecordedEvening, roll_list
from vision.marks import contents
from vision.reports import Moves, Report
from vision.scene import scene_of
from vision.umpire import Ask, Made, see
from vision.watch import AT_ONCE, Watcher

BOARDS = Path(__file__).parent / "evenings"


def referee(folder: Path, score: Score, tell: bool = True) -> RecordedEvening:
    data = json.loads((folder / "evening.json").read_text("utf-8"))
    board = load_board(BOARDS / data["game"] / "board.json")
    rolls = roll_list(data, board)
    frames = true_frames(folder, rolls.game, data)
    empty, teach = (cv2.imread(str(folder / frame.name)) for frame in frames[:2])
    start = rolls.game.layout(rolls.start)
    corners = json.loads((folder / "truth.jsonl").read_text("utf-8").splitlines()[0])["board_corners_px"]  # as a person taps them
    calibration = calibrate(board, empty, teach, contents(start), corners, start.platform)
    watcher = Watcher(Stills(), calibration.finder(), calibration.eye(), calibration.view, patience=AT_ONCE)
    evening = RecordedEvening.of(watcher, rolls)
    evening.answer = _wait
    for number, truth in enumerate(frames):
        said = evening.stills(cv2.imread(str(folder / truth.name)), truth.name, number * APART)
        score.frame(data["game"], "path-traced", truth, said, evening.ledger, watcher.sighting)
        if tell:
            told = [ruling.to_json() | {"truth": truth.verdict, "rule": truth.rule} for ruling in said]
            print(truth.name, json.dumps(told, ensure_ascii=False)[:400], flush=True)
        if truth.verdict in ("legal", "correction"):
            tell_the_table(evening, truth)
    return evening


def _wait(question: Report) -> Moves:
    return ()


def tell_the_table(evening: RecordedEvening, truth: TrueFrame) -> None:
    """The players play on the phone what the camera did not see; how they would find it, the umpire finds with perfect eyes."""
    for _ in range(2):  # without the next roll, then with it
        ledger = evening.ledger
        perfect = sighting(ledger.game, ledger.state, truth.layout, Random(1))
        answer = see(ledger.game, ledger.state, perfect, scene_of(ledger).past)
        if isinstance(answer, Made | Ask):
            for move in answer.moves if isinstance(answer, Made) else answer.candidates[0]:
                evening.play(move)
            evening.show()
            return
        evening.watcher.sighting = perfect
        if not evening.take_up_roll(truth.name):
            return


def main() -> None:
    cv2.setNumThreads(1)
    score = Score()
    for folder in sys.argv[1:]:
        evening = referee(Path(folder), score)
        print(json.dumps(evening.summary()))
    print(score.table())
    print("\n".join(score.faults))


if __name__ == "__main__":
    main()
