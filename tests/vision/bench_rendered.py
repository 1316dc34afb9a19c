"""How fast the rendered table draws: frames a second of CPU time on one thread, 720p, for the demonstration (goal: 10).

    python -m tests.vision.bench_rendered [--frames 30]

Four kinds of frames of each game's start: nothing changes; a hand moves; one piece moves; the platform turns. The picture is
synthetic. A new scene and a bumped board are drawn from nothing, which is told apart, in seconds.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import median
from time import process_time

import cv2

from companion.games import all_games
from companion.layout import Layout
from vision.rendered import Hand, Pose, Scene, random_conditions

GOAL = 10.0  # frames a second


def seconds(draw: Callable[[int], object], times: int) -> float:
    """The median CPU time of one call."""
    taken = []
    for number in range(times):
        start = process_time()
        draw(number)
        taken.append(process_time() - start)
    return median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=30, help="how many of each kind (default 30)")
    frames = parser.parse_args().frames
    cv2.setNumThreads(1)
    print(f"rendered table, synthetic, 1280 × 720, one thread; frames a second of CPU time, goal {GOAL:g}")
    print(f"{'game':18} {'still':>7} {'hand':>7} {'move':>7} {'platform':>9}   {'new scene':>9} {'bump':>6}  (seconds)")
    for seed, game in enumerate(all_games().values()):
        terms = game.terms()
        layout = game.layout(game.set_up(terms))
        spaces = [id for id, space in terms.board.spaces.items() if "platform" not in space.kinds]
        start = process_time()
        scene = Scene(terms.board, random_conditions(seed), seed)
        scene.draw(layout)
        fresh = process_time() - start

        def still(number: int, scene: Scene = scene, layout: Layout = layout) -> None:
            scene.draw(layout, step_seed=number)

        def hand(number: int, scene: Scene = scene, layout: Layout = layout) -> None:
            scene.draw(layout, (Hand((100 + 5 * number, 200), side=200, motion=(8, 0)),), step_seed=number)

        def move(number: int, scene: Scene = scene, layout: Layout = layout, spaces: list[str] = spaces) -> None:
            moved = layout.standing[0]._replace(space=spaces[number % len(spaces)])
            scene.draw(Layout((moved, *layout.standing[1:]), layout.platform), step_seed=number)

        def turn(number: int, scene: Scene = scene, layout: Layout = layout) -> None:
            scene.draw(layout, step_seed=number, platform=number / 4)

        def bump(number: int, scene: Scene = scene, layout: Layout = layout) -> None:
            scene.draw(layout, step_seed=number, pose=Pose(number + 1, 5, 2))

        rates = [1 / seconds(kind, frames) for kind in (still, hand, move)]
        turning = f"{1 / seconds(turn, frames):9.1f}" if layout.platform is not None else f"{'':9}"
        print(f"{game.name:18} " + " ".join(f"{rate:7.1f}" for rate in rates) + f" {turning}   {fresh:9.2f} {seconds(bump, 3):6.2f}")


if __name__ == "__main__":
    main()
