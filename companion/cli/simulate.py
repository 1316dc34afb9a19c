"""companion simulate: many random games, to trust the rules by."""

from __future__ import annotations

import sys
import time
from collections import Counter
from statistics import median

import click

from companion.cli.choices import chosen_terms, game_choices, print_json
from companion.events import BadInput
from companion.games import find_game
from companion.simulation import play_random


@click.command()
@click.argument("game")
@click.option("--games", "count", default=100, show_default=True, help="How many.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same games.")
@game_choices
@click.option("--most-events", default=20_000, show_default=True, help="Give a game up after so many events.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def simulate(
    game: str, count: int, seed: int, variant: str, seats: str, readings: tuple[str, ...], options: tuple[str, ...],
    board_name: str, most_events: int, as_json: bool,
) -> None:  # fmt: skip
    """Play random games; tell how long they last, who wins, and which rules they touch.

    \b
    Example:  companion simulate royal_game --variant two_dice --seats 3 --games 1000 --seed 7
    """
    if count < 1:
        raise BadInput(f"games: must be 1 or more, not {count}")
    if most_events < 1:
        raise BadInput(f"most-events: must be 1 or more, not {most_events}")
    chosen = find_game(game)
    terms = chosen_terms(chosen, variant, seats, readings, options, board_name)
    lengths: list[int] = []
    winners: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    touched: Counter[str] = Counter()
    unfinished = 0
    began = time.process_time()
    with click.progressbar(range(count), label=f"{chosen.title}, {terms.variant}", file=sys.stderr) as numbers:
        for number in numbers:
            played = play_random(chosen, terms, f"{seed} {number}", most_events)
            lengths.append(len(played.events))
            touched.update(played.rules)
            outcome = chosen.outcome(played.state)
            if outcome is None:
                unfinished += 1
                continue
            endings[outcome.why.key] += 1
            winners.update(outcome.winners or ("nobody",))
    spent = time.process_time() - began
    enforced = {r.id for r in chosen.rulebook.rules if not r.left_to_players}
    result = {
        "game": chosen.name, "variant": terms.variant, "seats": list(terms.seats), "games": count, "seed": seed,
        "unfinished": unfinished, "events": sum(lengths), "median_length": median(lengths),
        "shortest": min(lengths), "longest": max(lengths), "winners": dict(winners.most_common()),
        "endings": dict(endings.most_common()), "events_per_second": round(sum(lengths) / max(spent, 1e-9)),
        "rules_exercised": {id: touched[id] for id in sorted(touched)},
        "rules_never_exercised": sorted(enforced - set(touched)),
    }  # fmt: skip
    if as_json:
        print_json(result)
        return
    click.echo(f"{count} games of {chosen.title} ({terms.variant}; {', '.join(terms.seats)}), seed {seed}")

    click.echo(f"  events a game: median {median(lengths):g}, from {min(lengths)} to {max(lengths)}")
    click.echo(f"  not ended after {most_events} events: {unfinished}")

    click.echo("  won by: " + ", ".join(f"{seat} {n}" for seat, n in winners.most_common()))
    click.echo("  ended by: " + ", ".join(f"{key} {n}" for key, n in endings.most_common()))
    click.echo(f"  rate: {result['events_per_second']:,} events a second")
    click.echo(f"  rules exercised: {len(enforced & set(touched))} of {len(enforced)} that the rules enforce")
    if result["rules_never_exercised"]:
        click.echo("  never exercised by chance: " + ", ".join(sorted(enforced - set(touched))))
