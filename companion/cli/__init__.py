"""The `companion` command. Each group of commands has a file of its own here."""

from __future__ import annotations

from typing import Any

import click

from companion.cli.board import board
from companion.cli.calibrate import calibrate, see
from companion.cli.camera import camera
from companion.cli.check import check
from companion.cli.dice import dice
from companion.cli.games import games, rules
from companion.cli.health import config, doctor, show_languages
from companion.cli.history import export_game, history, import_game, replay
from companion.cli.play import play
from companion.cli.print import print_out
from companion.cli.run import announce, run
from companion.cli.simulate import simulate
from companion.cli.watch import watch
from companion.events import BadInput


class OneLineErrors(click.Group):
    """Bad input of any kind ends in one clear line and exit code 2, never in a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as error:
            raise click.UsageError(str(error)) from error


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="tabletop-companion")
def main() -> None:
    """The referee that a real cardboard game night has never had.

    \b
    companion games                    which games and variants there are
    companion play siege               a game in this terminal
    companion check dispute.json       may I do this?
    companion rules siege --search castle
    """


for command in (
    run,
    announce,
    games,
    rules,
    check,
    play,
    simulate,
    board,
    print_out,
    camera,
    calibrate,
    see,
    watch,
    history,
    replay,
    export_game,
    import_game,
    dice,
    doctor,
    config,
    show_languages,
):
    main.add_command(command)
