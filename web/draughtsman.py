"""What the pages need of whoever reads pictures of boards; the camera's side offers it, the command line joins the two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

Corners = Sequence[Sequence[float]]


class Draughtsman(Protocol):
    def accept(self, data: bytes) -> tuple[bytes, list[list[float]], list[str]]: ...

    def snapped(self, jpeg: bytes, corners: Corners) -> list[list[float]]: ...

    def flat(self, jpeg: bytes, corners: Corners, size_mm: tuple[float, float]) -> bytes: ...

    def reference(self, flat: bytes) -> bytes: ...

    def suggest(self, flat: bytes, kind: str, size_mm: tuple[float, float]) -> dict[str, Any]: ...

    def colours(self, flat: bytes, outlines: Sequence[Sequence[Sequence[float]]], size_mm: tuple[float, float]) -> list[str]: ...

    def sorted_by_colour(self, seen: Sequence[str], printed: Sequence[str]) -> list[int]: ...
