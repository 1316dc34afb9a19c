"""What looking costs, beside one cvtColor BGR2GRAY of the same frame, alternating in one run, one thread.

    python -m tests.vision.bench_eye [ROUNDS]

The pictures are path-traced (synthetic); 1080p is the same picture enlarged.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from statistics import median
from time import thread_time

import cv2
import numpy as np

from tests.vision import evening
from tests.vision.test_sighting import learned
from vision.calibration import pitch_for
from vision.flat import Flat
from vision.sighting import Eye
from vision.steady import Steady
from vision.view import Array, View

GOALS = {"720p": 1.25, "1080p": 1.0}


def ratios(rounds: int, frame: Array, act: Callable[[], object]) -> tuple[float, float]:
    """Median ratio to the grey picture, and the median cost in milliseconds."""
    act()
    shares, costs = [], []
    for _ in range(rounds):
        start = thread_time()
        cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        middle = thread_time()
        act()
        end = thread_time()
        shares.append((end - middle) / max(middle - start, 1e-9))
        costs.append(1000 * (end - middle))
    return median(shares), median(costs)


def look_anew(eye: Eye, frame: Array, view: View) -> None:
    eye.forget()
    eye.look(frame, view, {})


def main(rounds: int = 200) -> None:
    cv2.setNumThreads(1)
    for game in evening.GAMES:
        calibration = learned(game)
        frame = evening.frame(game, "teach_s00")
        view, eye, wanted = calibration.finder().acquire(frame), calibration.eye(), {}
        sighting = eye.look(frame, view, wanted)
        for size, factor in (("720p", 1.0), ("1080p", 1.5)):
            large = cv2.resize(frame, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
            wide = replace(view, size=(large.shape[1], large.shape[0]), focal=view.focal * factor)
            flat = Flat(calibration.board, pitch_for(calibration.board, wide))
            steady = Steady(large, wide, wanted, sighting, flat, calibration.noise)
            noise = np.random.default_rng(1).normal(0, 1, large.shape)
            again = np.clip(large + noise, 0, 255).astype(np.uint8)
            assert steady.is_same(again, wide, wanted)
            share, cost = ratios(rounds, again, partial(steady.is_same, again, wide, wanted))
            print(f"{game} {size}: steady frame -> sighting {share:.2f} of a grey picture (goal {GOALS[size]}; {cost:.3f} ms)")
        share, cost = ratios(max(3, rounds // 40), frame, partial(look_anew, eye, frame, view))
        print(f"{game} 720p: changed frame -> sighting {cost:.0f} ms ({share:.0f} grey pictures)")
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
