"""How well an evening was refereed: the figures that count, by game and by disturbance.

    score = Score()
    score.frame("siege", "warm lamp", truth, rulings, evening.ledger, sighting)
    print(score.table())

A *step* is a settled picture after something was done. A legal step is right when the table then knows exactly what stands there,
asked when the referee asked or said where it is not sure, wrong when it took it for something else, missed when it said nothing. An
illegal step is found when the referee complained, or asked the players to look at the very space. A complaint about a legal step
or about nothing is a false alarm.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.game import Game
from companion.layout import Layout, Standing
from companion.ledger import Ledger
from companion.ruling import Accepted
from vision import reports
from vision.evening import Ruling
from vision.marks import EMPTY, Sighting, contents

COLUMNS = (
    "spaces", "spaces_wrong", "boards", "boards_exact", "steps", "right", "asked", "missed", "wrong",
    "illegal", "illegal_found", "illegal_missed", "false_alarms",
)  # fmt: skip
COMPLAINTS = (reports.WRONG, reports.UNFINISHED)
QUESTIONS = (reports.ASKED, reports.UNSEEN, reports.DOUBTED, reports.REMINDER)


@dataclass(frozen=True)
class TrueFrame:
    """What is really there. `verdict`: legal, illegal, correction (an illegal step put right), or none (nothing to judge)."""

    name: str
    verdict: str
    layout: Layout
    covered: frozenset[str] = frozenset()  # spaces of which something can be seen no more
    kind: str = "settled"
    rule: str = ""


@dataclass
class Score:
    counts: defaultdict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    faults: list[str] = field(default_factory=list)

    def frame(
        self, game: str, disturbance: str, truth: TrueFrame, rulings: Iterable[Ruling], ledger: Ledger, sighting: Sighting | None
    ) -> None:
        count = self.counts[game, disturbance]
        rulings = list(rulings)
        kinds = {ruling.report.kind for ruling in rulings}
        if sighting is not None:
            self._spaces(count, truth, sighting)
        known = ledger.game.layout(ledger.state)
        is_known = _same(known, truth.layout)
        if truth.verdict in ("legal", "correction"):
            short = reports.MADE in kinds and not is_known and _one_move_short(ledger, truth.layout)
            self._legal(count, kinds | {reports.REMINDER} if short else kinds, is_known, f"{game} {disturbance} {truth.name}")
        elif truth.verdict == "illegal":
            found = bool(kinds & {*COMPLAINTS}) or _points_at(rulings, known, truth.layout)
            result = "illegal_found" if found else "illegal_missed"
            count.update(("illegal", result))
            if not found:
                self.faults.append(f"{game} {disturbance} {truth.name}: illegal missed, said {sorted(kinds)}")
        elif kinds & {*COMPLAINTS}:
            count["false_alarms"] += 1
            self.faults.append(f"{game} {disturbance} {truth.name}: false alarm {_texts(rulings)}")
        elif reports.MADE in kinds and not is_known:
            count["wrong"] += 1
            self.faults.append(f"{game} {disturbance} {truth.name}: a move where none was made")

    def _legal(self, count: Counter[str], kinds: set[str], is_known: bool, name: str) -> None:
        count["steps"] += 1
        if kinds & {*COMPLAINTS}:
            count["false_alarms"] += 1
            self.faults.append(f"{name}: false alarm")
        if kinds & {*QUESTIONS}:
            count["asked"] += 1
        elif is_known:
            count["right"] += 1
        elif reports.MADE in kinds:
            count["wrong"] += 1
            self.faults.append(f"{name}: taken for another move")
        else:
            count["missed"] += 1
            self.faults.append(f"{name}: missed, said {sorted(kinds)}")

    def _spaces(self, count: Counter[str], truth: TrueFrame, sighting: Sighting) -> None:
        there = contents(truth.layout)
        wrong = 0
        for space, belief in sighting.beliefs.items():
            if space in truth.covered or belief.hidden:
                continue
            count["spaces"] += 1
            wrong += belief.best != there.get(space, EMPTY)
        count["spaces_wrong"] += wrong
        if not truth.covered:
            count["boards"] += 1
            platform = sighting.arrow.number if sighting.arrow else None
            count["boards_exact"] += not wrong and not sighting.hidden and platform == truth.layout.platform

    @property
    def total(self) -> Counter[str]:
        return sum(self.counts.values(), Counter())

    def table(self) -> str:
        """The figures as lines of text, with a total."""
        rows = [("game", "disturbance", *COLUMNS)]
        rows += [(*key, *(str(count[c]) for c in COLUMNS)) for key, count in sorted(self.counts.items())]
        rows.append(("all", "", *(str(self.total[c]) for c in COLUMNS)))
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def _same(one: Layout, other: Layout) -> bool:
    return contents(one) == contents(other) and one.platform == other.platform


def _one_move_short(ledger: Ledger, truth: Layout) -> bool:
    """All but the last move was seen (a marker under its Prince): the referee will remind of that one, and be told."""
    game, state = ledger.game, ledger.state
    verdicts = (game.rule(state, move) for move in game.legal_moves(state))
    return any(isinstance(verdict, Accepted) and _same(game.layout(verdict.state), truth) for verdict in verdicts)


def _points_at(rulings: Iterable[Ruling], known: Layout, truth: Layout) -> bool:
    """Did a question name a space where something is really wrong?"""
    expected, there = contents(known), contents(truth)
    wrong = {space for space in {*expected, *there} if expected.get(space) != there.get(space)}
    return any(wrong & {*ruling.report.spaces} for ruling in rulings if ruling.report.kind in (reports.DOUBTED, reports.UNSEEN))


def _texts(rulings: Iterable[Ruling]) -> list[str]:
    return [ruling.report.text for ruling in rulings]


# --- evenings with a truth file ---


def true_frames(folder: Path, game: Game, evening: dict[str, Any]) -> list[TrueFrame]:
    """The truth of a path-traced evening (see its README) in our own words."""
    armies = {
        name: about["branch"].lower() for name, about in evening["seats"].items() if isinstance(about, dict) and "branch" in about
    }
    frames = []
    for line in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        data = json.loads(line)
        standing = []
        for id, piece in data["pieces"].items():
            name = armies.get(id) or re.sub(r"\d+$", "", id)
            standing.append(Standing(name, piece["space"], str(piece.get("face") or "").lower()))
        arrow = (data.get("platform") or {}).get("arrow")
        covered = frozenset(data.get("covered_spaces") or ())
        frames.append(
            TrueFrame(data["frame"], data["verdict"], Layout(tuple(standing), arrow), covered, data["kind"], data.get("rule") or "")
        )
    return frames
