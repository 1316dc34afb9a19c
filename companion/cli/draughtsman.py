"""Whoever reads pictures of boards, fetched when somebody maps one: OpenCV takes some 40 MB that most evenings do not need."""

from __future__ import annotations

import importlib.util
from typing import Any

from companion.events import BadInput


class Draughtsman:
    """`vision.mapping.Draughtsman`, from the first question on."""

    def __getattr__(self, name: str) -> Any:
        try:
            from vision.mapping import Draughtsman as Seeing
        except ImportError as error:
            raise BadInput(f"picture: pictures cannot be read on this box ({error})") from error
        return getattr(Seeing(), name)


def find_draughtsman() -> Any:
    """None where there is no OpenCV."""
    return Draughtsman() if importlib.util.find_spec("cv2") else None
