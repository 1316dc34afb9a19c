"""Sources of frames: files in order, cameras newest first, and cameras that die and come back. No real camera is needed: the fake one
stands behind the same seam as a USB or Pi camera (a loopback video device would need a kernel module)."""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.events import BadInput
from tests.vision.evening import FOLDER
from vision import devices
from vision.devices import list_cameras, lock_capture, open_device
from vision.sources import Camera, CameraEvent, Drawn, Folder, Frame, Source, Video, open_source
from vision.view import Array

PATIENCE = 60.0


def grey(level: int, size: tuple[int, int] = (48, 64)) -> Array:
    return np.full((*size, 3), level, np.uint8)


def everything(source: Source) -> list[Frame]:
    frames = []
    while not source.ended:
        if (frame := source.read()) is not None:
            frames.append(frame)
    source.close()
    return frames


# --- files ---


def test_a_folder_gives_its_pictures_in_order_and_then_ends() -> None:
    source = Folder(FOLDER / "kop_the_kaiser")
    names, times = [], []
    while (frame := source.read()) is not None:
        names.append(source.name)
        times.append(frame.time)
        assert frame.picture.shape == (720, 1280, 3)
    assert names == sorted(p.name for p in (FOLDER / "kop_the_kaiser").glob("*.jpg"))
    assert times == sorted(times)
    assert source.ended


def test_a_folder_of_stills_can_hold_each_picture(tmp_path: Path) -> None:
    for level in (10, 200):
        cv2.imwrite(str(tmp_path / f"{level:03}.png"), grey(level))
    levels = [int(f.picture[0, 0, 0]) for f in everything(Folder(tmp_path, repeat=3))]
    assert levels == [10] * 3 + [200] * 3


def test_a_file_that_is_no_picture_is_left_out_and_named(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), grey(10))
    (tmp_path / "b.jpg").write_bytes(b"not a picture")
    (tmp_path / "c.png").write_bytes(b"")
    source = Folder(tmp_path)
    assert len(everything(source)) == 1
    assert source.skipped == ["b.jpg", "c.png"]


def test_a_video_gives_every_frame_at_its_time(tmp_path: Path) -> None:
    path = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for level in range(0, 200, 20):
        writer.write(grey(level))
    writer.release()
    frames = everything(Video(path))
    assert [round(float(f.picture.mean()), -1) for f in frames] == pytest.approx(list(range(0, 200, 20)), abs=10)
    assert np.diff([f.time for f in frames]) == pytest.approx([0.1] * 9)


@pytest.mark.parametrize(
    ("name", "words"),
    [("nowhere", "is no camera, video or folder"), ("empty", "holds no picture"), ("text.mp4", "is no video that can be read")],
)
def test_what_is_no_source_gets_one_line_that_says_what_to_do(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("hello")
    with pytest.raises(BadInput, match=words) as error:
        open_source(str(tmp_path / name))
    assert "\n" not in str(error.value)


def test_one_picture_is_a_source_too() -> None:
    source = open_source(str(FOLDER / "kop_the_kaiser" / "000_empty_s00.jpg"))
    assert len(everything(source)) == 1


def test_drawn_frames_come_until_there_are_no_more() -> None:
    pictures: list[Array | None] = [grey(1), grey(2), None]
    source = Drawn(lambda: pictures.pop(0), rate=1000)
    assert [int(f.picture[0, 0, 0]) for f in everything(source)] == [1, 2]


# --- cameras ---


class FakeCamera:
    """A camera whose pictures count up; it can be unplugged, and plugged in again, at any moment."""

    def __init__(self, locks: bool = True) -> None:
        self.plugged = threading.Event()
        self.plugged.set()
        self.numbers = itertools.count(1)
        self.opened: list[str] = []
        self.wanted: list[dict[str, float]] = []
        self.closed = 0
        self.locks = locks
        self.allowed = threading.Semaphore(0)  # frames that may still be taken
        self.free = True

    def __call__(self, address: str) -> FakeCamera:
        self.opened.append(address)
        if not self.plugged.is_set():
            raise OSError("no such device")
        return self

    def read(self) -> Array | None:
        if not self.plugged.is_set():
            raise OSError("unplugged")
        if not self.free and not self.allowed.acquire(timeout=0.05):
            raise OSError("unplugged") if not self.plugged.is_set() else TimeoutError("no frame")
        return grey(next(self.numbers) % 250)

    def lock(self, settings: Mapping[str, float]) -> tuple[dict[str, float], tuple[str, ...]]:
        self.wanted.append(dict(settings))
        return {"exposure": settings.get("exposure", 120.0)}, () if self.locks else ("white balance",)

    def close(self) -> None:
        self.closed += 1


def heard(events: queue.Queue[CameraEvent], kind: str) -> CameraEvent:
    while True:
        event = events.get(timeout=PATIENCE)
        if event.kind == kind:
            return event


def until(camera: Camera, wanted: Callable[[Frame], bool]) -> Frame:
    for _ in range(100_000):
        frame = camera.read()
        if frame and wanted(frame):
            return frame
    raise AssertionError("it never came")


def test_a_lost_camera_is_searched_for_and_comes_back_by_itself() -> None:
    fake, events = FakeCamera(), queue.Queue[CameraEvent]()
    camera = Camera("0", events.put, open_device=fake, first_pause=0.001)
    try:
        heard(events, "found")
        for _ in range(3):
            until(camera, lambda frame: True)
            fake.plugged.clear()
            assert "the game goes on by phone" in heard(events, "lost").text
            before = next(fake.numbers)
            fake.plugged.set()
            heard(events, "found")
            until(camera, lambda frame, before=before: int(frame.picture[0, 0, 0]) != before % 250)  # type: ignore[misc]
    finally:
        camera.close()
    assert fake.closed >= 3
    assert set(fake.opened) == {"0"}


def test_a_camera_that_returns_is_locked_at_the_same_values() -> None:
    fake, events = FakeCamera(), queue.Queue[CameraEvent]()
    camera = Camera("0", events.put, settings={"exposure": 77.0}, open_device=fake, first_pause=0.001)
    try:
        assert camera.locked.wait(PATIENCE)
        fake.plugged.clear()
        heard(events, "lost")
        fake.plugged.set()
        camera.locked.clear()
        assert camera.locked.wait(PATIENCE)
    finally:
        camera.close()
    assert fake.wanted[0] == fake.wanted[-1] == {"exposure": 77.0}
    assert len(fake.wanted) >= 2


def test_what_cannot_be_locked_is_said() -> None:
    fake, events = FakeCamera(locks=False), queue.Queue[CameraEvent]()
    camera = Camera("0", events.put, open_device=fake, first_pause=0.001)
    try:
        assert "white balance" in heard(events, "unlocked").text
    finally:
        camera.close()


def test_the_newest_frame_wins_and_none_is_given_twice() -> None:
    fake, events = FakeCamera(), queue.Queue[CameraEvent]()
    fake.free = False
    camera = Camera("0", events.put, open_device=fake, first_pause=0.001)
    try:
        for _ in range(5):
            fake.allowed.release()
        last = until(camera, lambda frame: int(frame.picture[0, 0, 0]) == 5)
        assert int(last.picture[0, 0, 0]) == 5
    finally:
        fake.free = True
        camera.close()


def test_a_camera_that_is_not_there_never_stops_the_program(tmp_path: Path) -> None:
    events = queue.Queue[CameraEvent]()
    camera = Camera(str(tmp_path / "video9"), events.put, first_pause=0.001)
    assert "does not exist" in heard(events, "lost").text
    assert camera.missing
    camera.close()
    assert camera.ended


def test_a_pi_camera_without_its_library_says_what_to_install() -> None:
    with pytest.raises(OSError, match="apt install python3-picamera2"):
        open_device("pi")


def test_a_file_that_is_no_camera_cannot_be_opened_as_one(tmp_path: Path) -> None:
    (tmp_path / "video0").write_text("no")
    with pytest.raises(OSError, match="cannot be opened"):
        open_device(str(tmp_path / "video0"))


# --- which there are, and locking one ---


def test_cameras_are_listed_without_opening_them(tmp_path: Path) -> None:
    for node, name, index in (("video0", "HD Webcam", "0"), ("video1", "HD Webcam", "1"), ("video10", "Doc\x00Cam", "0")):
        (tmp_path / node).mkdir()
        (tmp_path / node / "name").write_text(name + "\n")
        (tmp_path / node / "index").write_text(index + "\n")
    assert [(c.address, c.kind) for c in list_cameras(tmp_path)] == [("/dev/video0", "usb"), ("/dev/video10", "usb")]
    assert list_cameras(tmp_path / "nothing") == []


class FakeProperties:
    def __init__(self, values: dict[int, float], fixed: tuple[int, ...] = ()) -> None:
        self.values, self.fixed = values, fixed

    def get(self, propId: int, /) -> float:
        return self.values.get(propId, 0.0)

    def set(self, propId: int, value: float, /) -> bool:
        if propId in self.fixed or propId not in self.values:
            return False
        self.values[propId] = value
        return True


AUTOMATIC = {
    cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_AUTO_WB: 1.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
}  # fmt: skip


def test_locking_holds_what_the_camera_had_found() -> None:
    properties = FakeProperties(dict(AUTOMATIC))
    locked, failed = lock_capture(properties, {})
    assert locked == {"exposure": 156.0, "white balance": 4600.0}
    assert failed == ()
    assert properties.values[cv2.CAP_PROP_AUTO_EXPOSURE] == devices.MANUAL_EXPOSURE
    assert properties.values[cv2.CAP_PROP_AUTO_WB] == 0


def test_locking_uses_the_values_of_the_calibration_and_names_what_fails() -> None:
    properties = FakeProperties(dict(AUTOMATIC), fixed=(cv2.CAP_PROP_AUTO_WB,))
    locked, failed = lock_capture(properties, {"exposure": 90.0})
    assert locked == {"exposure": 90.0}
    assert failed == ("white balance",)
