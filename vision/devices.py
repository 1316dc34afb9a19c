"""Cameras as the operating system knows them: which there are, opening one, locking what they would change by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import cv2
from numpy.typing import NDArray

Array = NDArray[Any]

V4L2_NAMES = Path("/sys/class/video4linux")
SIZES = ((1920, 1080), (1280, 720), (640, 480))  # asked for in this order; a camera gives what it has
MANUAL_EXPOSURE = 1  # V4L2's own numbers: 1 is manual, 3 is automatic


class Device(Protocol):
    """One open camera."""

    def read(self) -> Array | None:
        """The next frame (blue, green, red); None or an error when there is none."""
        ...

    def lock(self, settings: Mapping[str, float]) -> tuple[dict[str, float], tuple[str, ...]]:
        """Stop it from changing exposure, white balance and focus by itself, at these values or at those it has found; the values
        locked, and the names of what could not be."""
        ...

    def close(self) -> None: ...


class Known(NamedTuple):
    address: str  # what to call it by
    name: str
    kind: str  # "usb" or "pi"


def list_cameras(folder: Path = V4L2_NAMES) -> list[Known]:
    """The cameras that the system knows, without opening any."""
    found = [Known(f"pi:{i}" if i else "pi", name, "pi") for i, name in enumerate(_pi_cameras())]
    nodes = sorted(folder.glob("video[0-9]*"), key=lambda p: int("".join(filter(str.isdigit, p.name)) or 0)) if folder.is_dir() else []
    for node in nodes:
        # A camera has several nodes; the first gives pictures, the others describe them.
        if _text(node / "index") not in ("", "0"):
            continue
        found.append(Known(f"/dev/{node.name}", _text(node / "name") or node.name, "usb"))
    return found


def open_device(address: str) -> Device:
    """The camera at "0", "/dev/video0", "pi" or "pi:1"; OSError when it cannot be opened."""
    if address == "pi" or address.startswith("pi:"):
        number = address[3:] or "0"
        if not number.isdecimal():
            raise OSError("a Pi camera is called pi, or pi:1 for the second")
        return PiDevice(int(number))
    return UsbDevice(f"/dev/video{address}" if address.isdecimal() else address)


class UsbDevice:
    """A USB or other V4L2 camera, through OpenCV."""

    def __init__(self, path: str) -> None:
        if not Path(path).exists():
            raise OSError(f"{path} does not exist")
        self._capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise OSError(f"{path} cannot be opened: it is no camera, another program uses it, or your user is not in the group video")
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # USB 2 carries large frames no other way
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        for width, height in SIZES:
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
            if self._capture.get(cv2.CAP_PROP_FRAME_WIDTH) == width:
                break

    def read(self) -> Array | None:
        got, picture = self._capture.read()
        return picture if got else None

    def lock(self, settings: Mapping[str, float]) -> tuple[dict[str, float], tuple[str, ...]]:
        return lock_capture(self._capture, settings)

    def close(self) -> None:
        self._capture.release()


class Properties(Protocol):
    """The part of an OpenCV capture that locking needs."""

    def get(self, propId: int, /) -> float: ...

    def set(self, propId: int, value: float, /) -> bool: ...


# What is locked: the switch of its automatic, the value that switches it off, and the property with the value itself.
LOCKS = {
    "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, float(MANUAL_EXPOSURE), cv2.CAP_PROP_EXPOSURE),
    "white balance": (cv2.CAP_PROP_AUTO_WB, 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
    "focus": (cv2.CAP_PROP_AUTOFOCUS, 0.0, cv2.CAP_PROP_FOCUS),
    "gain": (None, 0.0, cv2.CAP_PROP_GAIN),
}
NEEDED = ("exposure", "white balance")  # a camera may well have no focus or gain to set


def lock_capture(capture: Properties, settings: Mapping[str, float]) -> tuple[dict[str, float], tuple[str, ...]]:
    locked: dict[str, float] = {}
    failed = []
    for name, (switch, off, value) in LOCKS.items():
        wanted = settings.get(name, capture.get(value))
        held = switch is None or (capture.set(switch, off) and capture.get(switch) == off)
        if held and capture.set(value, wanted) and abs(capture.get(value) - wanted) <= max(1.0, 0.05 * abs(wanted)):
            locked[name] = capture.get(value)
        elif name in NEEDED:
            failed.append(name)
    return locked, tuple(failed)


class PiDevice:
    """A Raspberry Pi's own camera, through picamera2."""

    def __init__(self, number: int) -> None:
        try:
            from picamera2 import Picamera2
        except Exception as error:  # it fails in many ways where its libraries are missing
            raise OSError("picamera2 is not installed: sudo apt install python3-picamera2") from error
        self._camera = Picamera2(number)
        # Its "RGB888" is blue, green, red in memory, as OpenCV wants it.
        self._camera.configure(self._camera.create_video_configuration(main={"size": SIZES[0], "format": "RGB888"}))
        self._camera.start()

    def read(self) -> Array | None:
        picture: Array = self._camera.capture_array("main")
        return picture

    def lock(self, settings: Mapping[str, float]) -> tuple[dict[str, float], tuple[str, ...]]:
        found = self._camera.capture_metadata()
        red, blue = found.get("ColourGains", (1.0, 1.0))
        locked = {
            "exposure": settings.get("exposure", float(found.get("ExposureTime", 20000))),
            "gain": settings.get("gain", float(found.get("AnalogueGain", 1.0))),
            "red": settings.get("red", float(red)),
            "blue": settings.get("blue", float(blue)),
        }
        self._camera.set_controls(
            {
                "AeEnable": False, "AwbEnable": False, "ExposureTime": int(locked["exposure"]),
                "AnalogueGain": locked["gain"], "ColourGains": (locked["red"], locked["blue"]),
            }
        )  # fmt: skip
        return locked, ()

    def close(self) -> None:
        self._camera.stop()
        self._camera.close()


def _pi_cameras() -> list[str]:
    try:
        from picamera2 import Picamera2

        return [str(info.get("Model", "Pi camera")) for info in Picamera2.global_camera_info()]
    except Exception:  # not a Pi, or not installed: there is simply none
        return []


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
