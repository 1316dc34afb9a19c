"""Where frames come from: a camera, a video file, a folder of pictures, or any function that draws them.

    source = open_source("0")            # or "/dev/video2", "pi", "evening.mp4", "pictures/"
    while (got := source.read()) or not source.ended:
        if got:
            picture, time = got
    source.close()

Of a camera the newest frame wins: whoever reads slowly misses frames, and never sees old ones. A camera that is lost is searched
for, with growing pauses, and comes back by itself; `on_event` hears of both, on the camera's thread. Files give every frame in
order, at the times they were taken.
"""

from __future__ import annotations

import logging
import os
import threading
import time as clock
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import BadInput, brief
from vision import devices

log = logging.getLogger(__name__)
Array = NDArray[Any]

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
VIDEOS = (".mp4", ".avi", ".mkv", ".mov", ".webm", ".mjpg", ".mjpeg", ".m4v")
RATE = 15.0  # frames a second, where a source does not say
PATIENCE = 0.5  # seconds that `read` waits for a camera
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0  # seconds between two searches for a lost camera
MISSED = 5  # frames in a row that may fail before a camera counts as lost
SETTLE = 20  # frames for which a camera may find its exposure before it is locked


class Frame(NamedTuple):
    picture: Array  # blue, green, red, 8 bits
    time: float  # seconds; only differences mean anything


class Source(Protocol):
    @property
    def ended(self) -> bool:
        """No frame will ever come again."""
        ...

    def read(self) -> Frame | None:
        """The newest frame, after waiting a little while for it; None if there is none yet."""
        ...

    def close(self) -> None: ...


class CameraEvent(NamedTuple):
    kind: str  # "found", "lost", or "unlocked" (found, but some settings go on changing by themselves)
    text: str


OnEvent = Callable[[CameraEvent], None]


def open_source(address: str, on_event: OnEvent | None = None, settings: Mapping[str, float] | None = None) -> Source:
    """The source that this address means; BadInput says what it may be."""
    path = Path(address)
    if address.isdecimal() or address == "pi" or address.startswith(("pi:", "/dev/video")):
        return Camera(address, on_event=on_event, settings=settings)
    if path.is_dir():
        return Folder(path)
    if path.is_file() and path.suffix.lower() in PICTURES:
        return Folder(path)
    if path.is_file():
        return Video(path)
    raise BadInput(
        f"{brief(address)} is no camera, video or folder of pictures: give a number or /dev/video0 for a USB camera "
        "(`companion camera list` shows them), pi for a Pi camera, or the path of a file or folder"
    )


class Folder:
    """The pictures of a folder in the order of their names, or one picture. `repeat` shows each so many times, so that a recorded
    evening of stills holds still."""

    def __init__(self, path: Path, repeat: int = 1, rate: float = RATE) -> None:
        files = [path] if path.is_file() else sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES)
        if not files:
            raise BadInput(f"{path} holds no picture: put files named .jpg or .png there")
        self.path = path
        self.skipped: list[str] = []  # files that are no pictures
        self.name = ""  # of the latest frame's file
        self._frames = self._all(files, max(1, repeat))
        self._rate, self._count = rate, 0
        self._next: Array | None = None
        self._fetch()

    @property
    def ended(self) -> bool:
        return self._next is None

    def read(self) -> Frame | None:
        if self._next is None:
            return None
        frame = Frame(self._next, self._count / self._rate)
        self.name = self._next_name
        self._count += 1
        self._fetch()
        return frame

    def close(self) -> None:
        self._next = None
        self._frames = iter(())

    def _fetch(self) -> None:
        self._next_name, self._next = next(self._frames, ("", None))

    def _all(self, files: list[Path], repeat: int) -> Iterator[tuple[str, Array]]:
        for file in files:
            picture = read_picture(file)
            if picture is None:
                self.skipped.append(file.name)
                log.warning("%s is no picture and was left out", file.name)
                continue
            for _ in range(repeat):
                yield file.name, picture


def read_picture(path: Path) -> Array | None:
    """A picture file as a frame; None when it is none."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError:
        return None
    return cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None


def write_picture(path: Path, picture: Array) -> None:
    try:
        done, data = cv2.imencode(path.suffix.lower(), picture)
        if not done:
            raise OSError("not a kind of picture")
        path.write_bytes(data.tobytes())
    except (OSError, cv2.error) as error:
        raise BadInput(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}") from error


class Video:
    """Every frame of a video file, at the times it says."""

    def __init__(self, path: Path) -> None:
        # What is wrong with a file we say ourselves, in one line.
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._rate = rate if 0.1 < rate < 1000 else RATE
        self._count = 0
        self._next = self._fetch() if self._capture.isOpened() else None
        if self._next is None:
            self.close()
            raise BadInput(f"{path.name} is no video that can be read: give a file such as evening.mp4")

    @property
    def ended(self) -> bool:
        return self._next is None

    def read(self) -> Frame | None:
        if self._next is None:
            return None
        frame = Frame(self._next, self._count / self._rate)
        self._count += 1
        self._next = self._fetch()
        return frame

    def close(self) -> None:
        self._next = None
        self._capture.release()

    def _fetch(self) -> Array | None:
        got, picture = self._capture.read()
        return picture if got else None


class Drawn:
    """Frames that a function draws, at most so many a second; None from it ends the source."""

    def __init__(self, draw: Callable[[], Array | None], rate: float = RATE) -> None:
        self._draw, self._pause = draw, 1 / rate
        self._due = clock.monotonic()
        self.ended = False

    def read(self) -> Frame | None:
        if self.ended:
            return None
        clock.sleep(max(0.0, self._due - clock.monotonic()))
        self._due = max(self._due + self._pause, clock.monotonic())
        picture = self._draw()
        if picture is None:
            self.ended = True
            return None
        return Frame(picture, clock.monotonic())

    def close(self) -> None:
        self.ended = True


class Camera:
    """A camera with a thread of its own that grabs frames, keeps the newest, and searches for the camera when it is lost."""

    ended = False

    def __init__(
        self, address: str, on_event: OnEvent | None = None, settings: Mapping[str, float] | None = None,
        open_device: Callable[[str], devices.Device] | None = None, first_pause: float = FIRST_PAUSE,
    ) -> None:  # fmt: skip
        self.address = address
        self.settings: dict[str, float] = dict(settings or {})  # locked values, kept so that a camera that returns gets the same
        self.unlocked: tuple[str, ...] = ()  # what could not be locked
        self.missing = ""  # why it gives no pictures just now; empty while it does
        self.locked = threading.Event()  # set once locking was tried
        self._on_event = on_event or (lambda event: log.info("%s", event.text))
        self._open, self._first_pause = open_device or devices.open_device, first_pause
        self._newest: Frame | None = None
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {address}", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        with self._changed:
            if self._newest is None:
                self._changed.wait_for(lambda: self._newest is not None or self._stop.is_set(), PATIENCE)
            frame, self._newest = self._newest, None
            return frame

    def close(self) -> None:
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        self._thread.join(5)
        self.ended = True

    def _run(self) -> None:
        pause, said = self._first_pause, False
        while not self._stop.is_set():
            try:
                device = self._open(self.address)
            except Exception as error:  # drivers raise anything; none of it may end the search
                if not said:
                    self._say("lost", f"camera {self.address} is not there ({error}); it is searched for, the game goes on by phone")
                    said = True
                self._stop.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            why = self._grab(device)
            if why is None:
                return
            self._say("lost", f"camera {self.address} is lost ({why}); it is searched for, the game goes on by phone")
            pause, said = self._first_pause, True
            self._stop.wait(pause)

    def _grab(self, device: devices.Device) -> str | None:
        """Read until stopped (None), or until the camera is lost (why)."""
        count = missed = 0
        try:
            while not self._stop.is_set():
                picture = device.read()
                if picture is None or not picture.size:
                    missed += 1
                    if missed >= MISSED:
                        return "it gives no pictures"
                    self._stop.wait(0.05)
                    continue
                missed = 0
                if count == 0:
                    self._say("found", f"camera {self.address} gives pictures of {picture.shape[1]} × {picture.shape[0]}")
                count += 1
                if count == (1 if self.settings else SETTLE):
                    self._lock(device)
                with self._changed:
                    self._newest = Frame(picture, clock.monotonic())
                    self._changed.notify_all()
            return None
        except Exception as error:  # an unplugged camera raises whatever its driver likes
            return str(error) or type(error).__name__
        finally:
            try:
                device.close()
            except Exception as error:
                log.info("closing camera %s: %s", self.address, error)

    def _lock(self, device: devices.Device) -> None:
        self.settings, self.unlocked = device.lock(self.settings)
        self.locked.set()
        if self.unlocked:
            names = ", ".join(self.unlocked)
            self._say("unlocked", f"camera {self.address} cannot lock {names}: colours may drift; keep the lamp as it is")

    def _say(self, kind: str, text: str) -> None:
        self.missing = text if kind == "lost" else ""
        self._on_event(CameraEvent(kind, text))
