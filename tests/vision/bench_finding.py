"""What finding and watching cost: `python -m tests.vision.bench_finding`.

One thread, in that thread's processor time, so that other work on the machine does not count. Each step is measured in turn with one
`cvtColor BGR2GRAY` of the same frame; the figure is the ratio of the medians. The frames are those of a synthetic evening, enlarged
to 1080p, with sensor noise added.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import cv2
import numpy as np

from tests.vision.evening import board, corners, frame
from vision.finding import Finder, calibrate_view
from vision.gate import Gate
from vision.tags import Places, seen_tags, view_from_tags
from vision.view import Array

ROUNDS = 60
LIMITS = {"idle gate": 0.2, "check of tags": 3.0, "check of tags and board": 3.0, "cold acquisition by tags": 25.0}


def large(picture: Array, size: tuple[int, int], seed: int) -> Array:
    grown = cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC).astype(np.float32)
    return np.clip(grown + np.random.default_rng(seed).normal(0, 1.5, grown.shape), 0, 255).astype(np.uint8)


def ratio(step: Callable[[Array], object], pictures: list[Array]) -> tuple[float, float]:
    """Milliseconds of a step, and how many conversions to grey that is."""
    steps, greys = [], []
    for n in range(ROUNDS):
        picture = pictures[n % len(pictures)]
        start = time.thread_time()
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        middle = time.thread_time()
        step(picture)
        greys.append(middle - start)
        steps.append(time.thread_time() - middle)
    return 1000 * statistics.median(steps), statistics.median(steps) / statistics.median(greys)


def main() -> None:
    cv2.setNumThreads(1)
    for game in ("fighting_marines", "kop_the_kaiser"):
        for size in ((1920, 1080), (1280, 720)):
            grow = size[0] / 1280
            empty = large(frame(game, "empty_s00"), size, 0)
            began = time.thread_time()
            view, residual = calibrate_view(empty, board(game), (corners(game, "empty_s00") + 0.5) * grow - 0.5)
            print(f"{game} {size[0]} × {size[1]}: calibrated in {time.thread_time() - began:.1f} s, residual {residual:.2f} px")
            finder = Finder(board(game), view, empty)
            pictures = [large(frame(game, "teach_s00"), size, seed) for seed in range(1, 5)]
            places, gate = Places.of(finder.tags, view), Gate()
            ticks = iter(range(10**9))
            for picture in pictures * 8:
                gate.is_still(picture, next(ticks) / 15)
            by_likeness = Finder(board(game), view, empty, tags={})
            steps: dict[str, Callable[[Array], object]] = {
                "idle gate": lambda p, gate=gate, ticks=ticks: gate.is_still(p, next(ticks) / 15),
                "check of tags": places.in_place,
                "check of tags and board": lambda p, finder=finder, view=view: finder.check(p, view),
                "cold acquisition by tags": finder.acquire,
                "  of it, seeing the tags": seen_tags,
                "  and their pose": lambda p, finder=finder: view_from_tags(seen_tags(p), finder.tags, finder.view),
                "acquisition by likeness": lambda p, finder=by_likeness: finder.likeness.guess(p),
            }  # type: ignore[misc, dict-item]
            for name, step in steps.items():
                cost, times = ratio(step, pictures)
                limit = f" (limit {LIMITS[name]:g})" if name in LIMITS and size[0] == 1920 else ""
                print(f"  {name:28} {cost:8.3f} ms  {times:7.2f} ×{limit}")


if __name__ == "__main__":
    main()
