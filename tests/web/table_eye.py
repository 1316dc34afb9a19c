"""For tests: a real eye in its own process, whose camera shows whatever picture lies in a file."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vision.lookout import Lookout, from_settings
from vision.sources import read_picture


class PictureFile:
    def __init__(self, path: Path) -> None:
        self.path, self.read_at, self.picture = path, 0.0, read_picture(path)

    def read(self) -> tuple[Any, float] | None:
        time.sleep(0.05)
        if (changed := self.path.stat().st_mtime) != self.read_at and (picture := read_picture(self.path)) is not None:
            self.picture, self.read_at = picture, changed
        return self.picture, time.monotonic()

    def close(self) -> None:
        pass


def make(settings: Mapping[str, Any]) -> tuple[PictureFile, Lookout]:
    source, lookout = from_settings(settings)
    source.close()
    return PictureFile(Path(settings["source"])), lookout
