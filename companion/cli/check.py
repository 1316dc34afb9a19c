"""companion check: may I do this?"""

from __future__ import annotations

import click

from companion.check import check as check_moves
from companion.check import explained
from companion.cli.choices import print_json, read_text
from companion.game import Game, parse_json
from companion.notation import to_text
from companion.referee import ACCEPTED, REFUSED, SILENT, Ruling, describe

EXIT = {ACCEPTED: 0, REFUSED: 1, SILENT: 3}


@click.command()
@click.argument("file")
@click.option("--defaults", is_flag=True, help="Take our default for every reading that the file does not choose.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_context
def check(ctx: click.Context, file: str, defaults: bool, as_json: bool) -> None:
    """Rule on a move in a position: legal, illegal and by which rule, or not decided by the leaflet.

    FILE is JSON ('-' reads it from standard input):

    \b
    {"game": "siege",
     "position": {"to_move": "attacker", "knights": ["b3"], "defenders": ["d4"], "commander": "d6"},
     "move": "move knight b3 > c1"}

    `position` may be left out (the set-up), `roll` is what the dice showed ([5]), and `moves` is a list of moves, each as
    text or as an object.
    A move is of the seat that is due unless it begins with another ("red: move …"). `readings` names those that your
    table has chosen; where the ruling hangs on another, the answer is "silent".

    Exit code: 0 legal, 1 illegal, 3 silent, 2 bad input.
    """
    game, _, rulings = check_moves(parse_json(read_text(file), "file"), defaults)
    if as_json:
        print_json([explained(game, ruling) for ruling in rulings])
    else:
        for ruling in rulings:
            show(game, ruling)
    ctx.exit(EXIT[rulings[-1].status])


def show(game: Game, ruling: Ruling, most_legal: int = 24) -> None:
    """A ruling for people."""
    colour = {ACCEPTED: "green", REFUSED: "red", SILENT: "yellow"}[ruling.status]
    word = {ACCEPTED: "LEGAL", REFUSED: "NOT LEGAL", SILENT: "THE LEAFLET DOES NOT DECIDE"}[ruling.status]
    click.secho(word, fg=colour, bold=True, nl=False)
    click.echo(f"   {ruling.event.seat}: {to_text(ruling.event)}")
    for text in (*ruling.why, *ruling.said):
        click.echo(f"  {text}")
    for change in ruling.changes:
        click.echo(f"  - {describe(game, change, board=ruling.state.ground.terms.board)}")
    if ruling.status == REFUSED:
        for id in ruling.citations:
            click.secho(f"  {id}: {game.rulebook.text(id)}", dim=True)
        if ruling.legal:
            more = f" and {len(ruling.legal) - most_legal} more" if len(ruling.legal) > most_legal else ""
            listed = "; ".join(f"{m.seat}: {to_text(m)}" for m in ruling.legal[:most_legal])
            click.echo(f"  Legal would be: {listed}{more}")
    for reading in ruling.readings:
        click.echo(f"  {reading.id} {reading.question}")
        for value, meaning in reading.values.items():
            click.echo(f"    {reading.name}={value}{' (our default)' if value == reading.default else ''}: {meaning}")
