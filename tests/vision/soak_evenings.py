"""Rendered evenings by the thousand (synthetic): the eye and the umpire together, on seeds never used in tuning.

    python -m tests.vision.soak_evenings [--moves 4000] [--seed 10000] [--games siege,…] [--disturbances plain,warm,…]
                                          [--steps 25]

Reports spaces wrong, boards exact, moves right, asked, missed and wrong, illegal steps found and missed, and false alarms, by game and
by disturbance. Seeds below 1,000 are for tuning, those from 10,000 on for figures. Ctrl-C ends it with the figures so far.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from itertools import count

import cv2

from companion.games import all_games
from tests.vision.evenings_rendered import JUDGING, evening, referee, stage
from tests.vision.score import Score
from vision.finding import NotFound
from vision.rendered import DISTURBANCES

STEPS = 25  # of one evening, usually


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=4000, help="legal steps in all (default 4000)")
    parser.add_argument("--seed", type=int, default=JUDGING, help="the first seed (default 10000)")
    parser.add_argument("--games", default=",".join(all_games()))
    parser.add_argument("--disturbances", default=",".join((*DISTURBANCES, "together")))
    parser.add_argument("--steps", type=int, default=STEPS, help=f"of one evening: the fewer, the more tables (default {STEPS})")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    games = [all_games()[name] for name in given.games.split(",")]
    kinds = given.disturbances.split(",")
    score = Score()
    with suppress(KeyboardInterrupt):
        for number in count():
            if score.total["steps"] >= given.moves:
                break
            game, kind = games[number % len(games)], kinds[number // len(games) % len(kinds)]
            name = f"{game.name} {kind} {given.seed + number}"
            try:
                at = stage(game, game.terms(), given.seed + number, kind)
            except NotFound as error:  # the players are told so, and play by phone
                score.faults.append(f"{name}: the empty board was not found: {error}")
            else:
                referee(at, evening(at, given.steps), score)
            print(f"{name}: {score.total['steps']} steps", flush=True)
    print("synthetic: our own rendered table")
    print(score.table())
    print("\n".join(score.faults))


if __name__ == "__main__":
    main()
