"""10,000 random games of every variant and number of players, and the rules that chance never reached.

python -m tests.games.soak_games [GAMES] [GAME …]
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from statistics import median, quantiles

from companion.game import Game, Terms
from companion.games import all_games
from companion.simulation import play_random


def run(game: Game, terms: Terms, count: int) -> Counter[str]:
    lengths, winners, touched, unfinished = [], Counter[str](), Counter[str](), 0
    began = time.process_time()
    for number in range(count):
        played = play_random(game, terms, f"soak {number}")
        lengths.append(len(played.events))
        touched += played.rules
        outcome = game.outcome(played.state)
        unfinished += outcome is None
        if outcome:
            winners.update(outcome.winners or ("nobody",))
    spent = time.process_time() - began
    late = quantiles(lengths, n=20)[18] if count > 1 else lengths[0]
    print(
        f"{game.name} {terms.variant} {len(terms.seats)}: {count} games clean, events median {median(lengths):g}, 95 % {late:g}, "
        f"most {max(lengths)}, unfinished {unfinished}, won {dict(winners)}, {sum(lengths) / spent:,.0f} events/s",
        flush=True,
    )
    return touched


def main(count: int, names: list[str]) -> None:
    for game in all_games().values():
        if names and game.name not in names:
            continue
        touched = Counter[str]()
        for variant in game.variants:
            for seats in variant.seatings:
                touched += run(game, game.terms(variant.name, seats), count)
        enforced = {rule.id for rule in game.rulebook.rules if not rule.left_to_players}

        never = ", ".join(sorted(enforced - set(touched)))
        print(f"{game.name}: {len(enforced & set(touched))} of {len(enforced)} enforced rules exercised; never: {never}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, sys.argv[2:])
