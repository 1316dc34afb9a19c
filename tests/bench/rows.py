"""One line of the table of figures."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    what: str
    measured: str
    goal: str = ""
    met: bool | None = None  # None: no goal, or not to be judged on this machine

    def __str__(self) -> str:
        verdict = "" if self.met is None else " (met)" if self.met else " (NOT met)"
        return f"{self.what}: {self.measured}" + (f"; goal {self.goal}{verdict}" if self.goal else "")
