"""companion camera: which cameras there are, what one sees, and locking what it would change by itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.choices import print_json
from companion.events import BadInput, brief

if TYPE_CHECKING:
    from vision.sources import Frame, Source

WAIT_SECONDS = 15.0
ENDINGS = (".png", ".jpg", ".jpeg")


@click.group()
def camera() -> None:
    """The camera above the table: find it, see through it, hold it still.

    SOURCE is a number or /dev/video0 for a USB camera, pi for a Pi camera, a video file, a picture or a folder of pictures.

    \b
    Examples:  companion camera list
               companion camera preview 0 table.png
               companion camera preview evening.mp4 table.png --seconds 12
               companion camera lock 0
    """


@camera.command("list")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def list_all(as_json: bool) -> None:
    """The cameras that this machine knows."""
    from vision.devices import list_cameras

    found = list_cameras()
    if as_json:
        print_json([known._asdict() for known in found])
        return
    for known in found:
        click.echo(f"{known.address:14} {known.name} ({known.kind})")
    if not found:
        click.echo("No camera is known to this machine. Plug one in, or see the README for Pi cameras; all games also run without.")


@camera.command()
@click.argument("source")
@click.argument("file")
@click.option("--seconds", type=click.FloatRange(0, 86400), default=0.0, help="Of a video or folder: the picture at this time.")
def preview(source: str, file: str, seconds: float) -> None:
    """What SOURCE sees, written to FILE (.png or .jpg): is the whole board in it, sharp and bright enough?"""
    if Path(file).suffix.lower() not in ENDINGS:
        raise BadInput(f"preview writes a .png or .jpg file, not {brief(file)}")
    from vision.sources import write_picture

    with opened(source) as frames:
        settle(frames, source)
        frame = picture_at(frames, source, seconds)
    write_picture(Path(file), frame.picture)
    height, width = frame.picture.shape[:2]
    click.echo(f"{file}: {width} × {height}{advice(frame.picture)}")


@camera.command()
@click.argument("source")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_context
def lock(ctx: click.Context, source: str, as_json: bool) -> None:
    """Let the camera find exposure and white balance once, then hold them. Exit code 1 if it cannot hold them."""
    from vision.sources import Camera

    with opened(source) as frames:
        if not isinstance(frames, Camera):
            raise BadInput(f"lock wants a camera, and {brief(source)} is none: try `companion camera list`")
        settle(frames, source)
        settings, unlocked = dict(frames.settings), frames.unlocked
    if as_json:
        print_json({"source": source, "locked": settings, "unlocked": list(unlocked)})
    else:
        for name, value in settings.items():
            click.echo(f"{name}: held at {value:g}")
        for name in unlocked:
            click.echo(f"{name}: cannot be held; keep the lamp as it is, and calibrate again when it changes")
    ctx.exit(1 if unlocked else 0)


@contextmanager
def opened(source: str) -> Iterator[Source]:
    from vision.sources import open_source

    found = open_source(source, on_event=lambda event: None)
    try:
        yield found
    finally:
        found.close()


def settle(frames: Source, name: str) -> None:
    """A camera takes a second or two to find its exposure; then it is locked."""
    from vision.sources import Camera

    deadline = time.monotonic() + WAIT_SECONDS
    while isinstance(frames, Camera) and not frames.locked.is_set():
        if frames.missing or time.monotonic() > deadline:
            raise BadInput(frames.missing.split(";")[0] or f"camera {name} gave too few pictures: look whether it is plugged in well")
        frames.read()


def picture_at(frames: Source, name: str, seconds: float) -> Frame:
    """The first frame, or of a recording the one at that time."""
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        frame = frames.read()
        if frame and (frame.time >= seconds or not seconds):
            return frame
        if frame:
            deadline = time.monotonic() + WAIT_SECONDS  # a long recording
        elif frames.ended:
            raise BadInput(f"{name} ends before {seconds:g} seconds")
    raise BadInput(f"no picture came from {name}: look whether it is plugged in and used by nothing else")


def advice(picture: Any) -> str:
    """What is wrong with a picture at first sight."""
    bright = float(picture[::8, ::8].mean())
    clipped = float((picture[::8, ::8].max(-1) >= 250).mean())
    if bright < 30:
        return "; it is very dark: switch on a lamp, or take the cover off"
    if clipped > 0.05:
        return f"; {clipped:.0%} of it is too bright to tell colours: turn the lamp away or lower the exposure"
    return ""
