"""The two pictures behind every ruling, before and after: small, few enough for any card, and none at all while the camera is off."""

from __future__ import annotations

import contextlib
import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = logging.getLogger(__name__)
MOST_BYTES = 50_000_000  # of all games together
WIDTH, QUALITY = 640, 70
ACTS = "acts.txt"  # in a game's folder: the number of an act, and the names of its pictures
_NAME = re.compile(r"[0-9]{1,9}/[0-9]{6}-(before|after)\.jpg")


def small_jpeg(frame: NDArray[Any]) -> bytes:
    """A frame small enough to keep: some 30 kB."""
    import cv2  # late: only the eye's process has frames, and the table's does without OpenCV and its 40 MB

    height, width = frame.shape[:2]
    if width > WIDTH:
        frame = cv2.resize(frame, (WIDTH, max(1, round(height * WIDTH / width))), interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if done else b""


class Pictures:
    """Pictures by name ("12/000031-after.jpg": game and ruling), the oldest forgotten first."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self.folder, self.most_bytes = folder, most_bytes
        self.off = False

    def keep(self, game: int, ruling: int, before: bytes, after: bytes) -> tuple[str, ...]:
        """Names of what was kept; nothing while the camera is off, and never a reason to stop the game."""
        if self.off:
            return ()
        kept = []
        for when, data in (("before", before), ("after", after)):
            name = f"{game}/{ruling:06}-{when}.jpg"
            if data and self._write(self.folder / name, data):
                kept.append(name)
        self._make_room()
        return tuple(kept)

    def read(self, name: str) -> bytes | None:
        """A picture by its name; names from outside cannot lead anywhere else."""
        if self.off or not _NAME.fullmatch(name):
            return None
        try:
            return (self.folder / name).read_bytes()
        except OSError:
            return None

    def note(self, game: int, act: int, names: tuple[str, ...]) -> None:
        """These pictures show the act of this number; numbers of acts are never used twice."""
        if self.off or not names:
            return
        try:
            with (self.folder / str(game) / ACTS).open("a", encoding="ascii") as file:
                file.write(f"{act} {' '.join(names)}\n")
        except OSError as error:
            log.warning("which pictures belong to act %s was not kept: %s", act, error)

    def of_game(self, game: int) -> dict[int, tuple[str, ...]]:
        """Names of the pictures of each act of a game, as far as they are still kept."""
        try:
            lines = [] if self.off else (self.folder / str(game) / ACTS).read_text("ascii").splitlines()
        except (OSError, ValueError):
            return {}
        kept = {path.name for path in (self.folder / str(game)).glob("*.jpg")}
        out = {}
        for act, *names in map(str.split, filter(str.strip, lines)):
            found = tuple(name for name in names if _NAME.fullmatch(name) and name.partition("/")[2] in kept)
            if act.isdecimal() and found:
                out[int(act)] = found
        return out

    def last_ruling(self, game: int) -> int:
        """The number of the latest ruling kept of a game, so that a restarted process goes on after it."""
        numbers = [int(path.name[:6]) for path in (self.folder / str(game)).glob("[0-9]*-*.jpg") if path.name[:6].isdecimal()]
        return max(numbers, default=0)

    def _write(self, path: Path, data: bytes) -> bool:
        part = path.with_suffix(".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data)
            part.replace(path)
        except OSError as error:
            log.warning("a picture was not kept: %s", error)
            return False
        return True

    def _make_room(self) -> None:
        found = []
        for path in self.folder.glob("*/*.jpg"):
            try:
                status = path.stat()
            except OSError:
                continue
            found.append((status.st_mtime_ns, status.st_size, path))
        total = sum(size for _, size, _ in found)
        for _, size, path in sorted(found, key=lambda item: (item[0], str(item[2]))):
            if total <= self.most_bytes:
                return
            try:
                path.unlink()
            except OSError:
                continue
            total -= size
            with contextlib.suppress(OSError):  # not empty yet
                if not any(path.parent.glob("*.jpg")):
                    (path.parent / ACTS).unlink(missing_ok=True)
                path.parent.rmdir()
