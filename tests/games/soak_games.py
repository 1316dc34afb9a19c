"""10,000 random games of every variant and number of players, and the rules that chance never reached.

python -m tests.games.soak_games [--games N] [--first SEED] [GAME[/VARIANT[/PLAYERS]] …]

Game number N is always the same game, so a long run may be cut into parts: `--first` says with which number to begin.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable
from statistics import median, quantiles

from companion.game import Game, Terms
from companion.games import all_games
from companion.simulation import play_random

REPORT_EVERY = 1000


def run(game: Game, terms: Terms, numbers: range) -> Counter[str]:
    """Play these games, and say how they went now and then. A fault of the rules ends the run with the game's number."""
    lengths, winners, touched, unfinished = list[int](), Counter[str](), Counter[str](), 0
    began = time.process_time()
    for number in numbers:
        try:
            played = play_random(game, terms, f"soak {number}")
        except Exception as error:
            raise AssertionError(f"{game.name} {terms.variant} {len(terms.seats)}: game {number} failed") from error
        lengths.append(len(played.events))
        touched += played.rules
        outcome = game.outcome(played.state)
        unfinished += outcome is None
        if outcome:
            winners.update(outcome.winners or ("nobody",))
        if len(lengths) % REPORT_EVERY == 0 or len(lengths) == len(numbers):
            late = quantiles(lengths, n=20)[18] if len(lengths) > 1 else lengths[0]
            print(
                f"{game.name} {terms.variant} {len(terms.seats)}: games {numbers[0]} to {number} clean, "
                f"events median {median(lengths):g}, 95 % {late:g}, most {max(lengths)}, unfinished {unfinished}, "
                f"won {dict(winners)}, {sum(lengths) / (time.process_time() - began):,.0f} events/s",
                flush=True,
            )
    return touched


def is_wanted(game: Game, variant: str, players: int, wanted: Iterable[str]) -> bool:
    names = {game.name, f"{game.name}/{variant}", f"{game.name}/{variant}/{players}"}
    return not wanted or any(name in names for name in wanted)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--games", type=int, default=10_000, help="how many games of each")
    options.add_argument("--first", type=int, default=0, help="the number of the first game")
    options.add_argument("wanted", nargs="*", metavar="GAME[/VARIANT[/PLAYERS]]", help="all games, if none is named")
    chosen = options.parse_args()
    for game in all_games().values():
        touched = Counter[str]()
        for variant in game.variants:
            for seats in variant.seatings:
                if is_wanted(game, variant.name, len(seats), chosen.wanted):
                    touched += run(game, game.terms(variant.name, seats), range(chosen.first, chosen.first + chosen.games))
        if touched:
            enforced = {rule.id for rule in game.rulebook.rules if not rule.left_to_players}
            never = ", ".join(sorted(enforced - set(touched)))
            print(f"{game.name}: {len(enforced & set(touched))} of {len(enforced)} enforced rules exercised; never: {never}")


if __name__ == "__main__":
    main()
