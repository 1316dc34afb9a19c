"""companion watch: the referee of a recorded evening."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.choices import read_text
from companion.events import BadInput
from companion.game import parse_json

if TYPE_CHECKING:
    from vision.evening import RecordedEvening, Ruling
    from vision.sources import Source

APART = 10.0  # seconds that count between two pictures of a folder


@click.command()
@click.argument("source")
@click.option("--rolls", "rolls_file", required=True, metavar="FILE", help="The game, its seats and every roll, as JSON.")
@click.option("--calibration", "calibration_file", required=True, metavar="FILE", help="What `companion calibrate` has written.")
@click.option("--pictures", "pictures_folder", default="", metavar="FOLDER", help="Keep the two pictures of every ruling here.")
@click.option("--quiet", is_flag=True, help="Only the summary.")
def watch(source: str, rolls_file: str, calibration_file: str, pictures_folder: str, quiet: bool) -> None:
    """Referee a recorded evening: SOURCE is a video, or a folder of pictures, each of a table at rest.

    Every ruling is one line of JSON: the picture, the kind of ruling (made, asked, taken_back, wrong, unfinished, unseen, bumped,
    set_up, ready, …), the moves or the reason in words, and the rules it cites. The last line is the summary.

    \b
    The roll list:  {"game": "fighting_marines", "seats": ["red", "black", "yellow", "green"], "order": ["red", …],
                     "rolls": [["red", 3], ["black", [2, 4]], …]}
    Example:        companion watch evening/ --rolls evening/evening.json --calibration board.json
    """
    from vision.calibration import load_calibration
    from vision.evening import RecordedEvening, roll_list
    from vision.gate import Gate
    from vision.pictures import Pictures
    from vision.sources import Camera, Folder, open_source
    from vision.watch import AT_ONCE, USUAL, Watcher

    calibration = load_calibration(Path(calibration_file))
    rolls = roll_list(parse_json(read_text(rolls_file), "rolls"), calibration.board)
    frames = open_source(source)
    try:
        if isinstance(frames, Camera):
            raise BadInput("watch: SOURCE must be a video or a folder of pictures; `companion run` watches a camera")
        stills = isinstance(frames, Folder)
        pictures = Pictures(Path(pictures_folder)) if pictures_folder else None
        gate: Any = Stills() if stills else Gate()
        finder, eye = calibration.finder(), calibration.eye()
        watcher = Watcher(gate, finder, eye, calibration.view, pictures, patience=AT_ONCE if stills else USUAL)
        evening = RecordedEvening.of(watcher, rolls)
        for ruling in _rulings(frames, evening, calibration.view.size, stills):
            if not quiet:
                click.echo(json.dumps(ruling.to_json(), ensure_ascii=False))
        click.echo(json.dumps({"summary": evening.summary()}, ensure_ascii=False))
    finally:
        frames.close()


class Stills:
    """The gate of a folder: every picture was taken when nothing moved."""

    def is_still(self, frame: Any, time: float) -> bool:
        return True


def _rulings(frames: Source, evening: RecordedEvening, size: tuple[int, int], stills: bool) -> Any:
    number = 0
    while not frames.ended:
        got = frames.read()
        if got is None:
            continue
        name = getattr(frames, "name", "") or f"{got.time:.2f} s"
        if (got.picture.shape[1], got.picture.shape[0]) != size:
            click.secho(f"{name} has another size than the calibration, and was left out.", fg="yellow", err=True)
            continue
        said: list[Ruling]
        if stills:
            said = evening.stills(got.picture, name, number * APART)
        else:
            said = evening.frame(got.picture, name, got.time)
        number += 1
        yield from said
