"""companion print: boards, tag frames, move cards and pieces as PDF at true size."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.board import Board
from companion.cli.board import find_board
from companion.events import BadInput, brief
from companion.games import find_game

PAPER_NAMES = ("A4", "A3", "Letter")  # as in companion.printing.paper, which is imported late: most commands print nothing


def paper_and_out(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--paper", type=click.Choice(PAPER_NAMES, case_sensitive=False), default="A4", show_default=True),
        click.option("--out", default="", metavar="FILE", help="Where to write the PDF (default: a name that says what it is)."),
    ):
        command = option(command)
    return command


@click.group("print")
def print_out() -> None:
    """Paper: boards, tag frames, move cards and pieces as vector PDF at true size.

    Print at 100 %, not "fit to page"; every page has a line to check it with.

    \b
    Examples:  companion print board siege
               companion print board my-own-board.json --paper A3
               companion print frame 400x355
               companion print cards royal_purple
               companion print pieces siege --out pieces.pdf
               companion print all siege
    """


@print_out.command("board")
@click.argument("board_or_game")
@click.option("--tags/--no-tags", default=True, help="With or without the tags by which the camera finds the board.")
@paper_and_out
def print_board(board_or_game: str, tags: bool, paper: str, out: str) -> None:
    """A board. BOARD_OR_GAME is a game's name or a board file."""
    from companion.printing.board import board_pdf

    board = find_board(board_or_game)
    write(out or f"{board.game}-board.pdf", board_pdf(board, paper, tags))


@print_out.command("frame")
@click.argument("size_or_game")
@paper_and_out
def print_frame(size_or_game: str, paper: str, out: str) -> None:
    """The tags on strips, to lay round one's own board. SIZE_OR_GAME is WIDTHxHEIGHT in millimetres, a game or a board file."""
    from companion.printing.frame import frame_pdf

    write(out or "frame.pdf", frame_pdf(board_size(size_or_game), paper))


@print_out.command("cards")
@click.argument("game")
@paper_and_out
def print_cards(game: str, paper: str, out: str) -> None:
    """Move cards: what each throw or piece may do, in the words of the rulebook."""
    from companion.printing.cards import cards_pdf

    found = find_game(game)
    write(out or f"{found.name}-cards.pdf", cards_pdf(found, paper))


@print_out.command("pieces")
@click.argument("game")
@paper_and_out
def print_pieces(game: str, paper: str, out: str) -> None:
    """Every piece of a game, to cut out; two-sided counters have both faces side by side."""
    from companion.printing.pieces import pieces_pdf

    found = find_game(game)
    write(out or f"{found.name}-pieces.pdf", pieces_pdf(found, paper))


@print_out.command("all")
@click.argument("board_or_game")
@click.option("--tags/--no-tags", default=True, help="With or without the tags by which the camera finds the board.")
@click.option("--paper", type=click.Choice(PAPER_NAMES, case_sensitive=False), default="A4", show_default=True)
@click.option("--folder", default=".", metavar="FOLDER", help="Where to write the files.")
def print_all(board_or_game: str, tags: bool, paper: str, folder: str) -> None:
    """Board, cards and pieces of a game."""
    from companion.printing.board import board_pdf
    from companion.printing.cards import cards_pdf
    from companion.printing.pieces import pieces_pdf

    board: Board = find_board(board_or_game)
    game = find_game(board.game)
    for name, pdf in (
        ("board", board_pdf(board, paper, tags)),
        ("cards", cards_pdf(game, paper)),
        ("pieces", pieces_pdf(game, paper)),
    ):
        write(str(Path(folder) / f"{game.name}-{name}.pdf"), pdf)


def board_size(text: str) -> tuple[float, float]:
    """'400x355', or the size of the board that is named."""
    parts = text.lower().replace("×", "x").split("x")
    if len(parts) == 2 and all(len(part) < 8 and part.replace(".", "", 1).isdecimal() for part in parts):
        return float(parts[0]), float(parts[1])
    return find_board(text).size_mm


def write(out: str, pdf: bytes) -> None:
    try:
        Path(out).write_bytes(pdf)
    except OSError as error:
        raise BadInput(f"out: {brief(out)} cannot be written ({error.strerror})") from error
    click.echo(f"Written to {out}. Print it at 100 %; the check line must measure 100 mm.")
