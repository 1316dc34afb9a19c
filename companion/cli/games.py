"""companion games, companion rules: what can be played, and by which rules."""

from __future__ import annotations

import click

from companion.cli.choices import print_json
from companion.events import BadInput
from companion.games import all_games, find_game
from companion.rulebook import Reading, Rule


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def games(as_json: bool) -> None:
    """The games, their variants and how many play.

    \b
    Example:  companion games
    """
    if as_json:
        print_json(
            [
                {
                    "name": g.name,
                    "title": g.title,
                    "variants": [
                        {"name": v.name, "title": v.title, "players": sorted(v.players), "seats": [list(s) for s in v.seatings]}
                        for v in g.variants
                    ],
                    "boards": list(g.boards()),
                    "options": [{"name": o.name, "question": o.question, "default": o.default} for o in g.options],
                }
                for g in all_games().values()
            ]
        )
        return
    for g in all_games().values():
        click.secho(f"{g.title}  ({g.name})", bold=True)
        for v in g.variants:
            counts = ", ".join(map(str, sorted(v.players)))
            click.echo(f"  {v.name:20} {v.title}; players: {counts}; usual seats: {', '.join(v.seatings[0])}")
        for o in g.options:
            click.echo(f"  --option {o.name}={o.default}   {o.question}")


@click.command()
@click.argument("game")
@click.option("--search", default="", metavar="WORD", help="Only what mentions this word or rule number.")
@click.option("--readings", "only_readings", is_flag=True, help="Only the unclear points and their readings.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def rules(game: str, search: str, only_readings: bool, as_json: bool) -> None:
    """The rulebook of a game in our own words, with the place in its leaflet.

    \b
    Examples:  companion rules siege
               companion rules royal_purple --search noble
               companion rules kop_the_kaiser --readings
    """
    rulebook = find_game(game).rulebook
    entries = rulebook.search(search) if search else rulebook.entries
    if only_readings:
        entries = [e for e in entries if isinstance(e, Reading)]
    if as_json:
        print_json([vars(e) | {"kind": e.__class__.__name__.lower()} for e in entries])
        return
    if not entries:
        raise BadInput(f"search: nothing in this rulebook mentions '{search}'")
    for e in entries:
        click.secho(e.id, bold=True, nl=False)
        if isinstance(e, Rule):
            click.echo(f"  {e.text}")
            click.secho(
                f"       {e.place}" + (f"; left to the players: {e.left_to_players}" if e.left_to_players else ""), dim=True
            )
        elif isinstance(e, Reading):
            click.echo(f"  {e.question}")
            for value, meaning in e.values.items():
                mark = "*" if value == e.default else " "
                click.echo(f"     {mark} {e.name}={value}: {meaning}")
        else:
            click.echo(f"  {e.question}")
            click.echo(f"       {e.answer}")
