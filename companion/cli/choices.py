"""Options that several commands share, and what they mean."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.board import Board, load_board
from companion.events import BadInput, brief
from companion.game import Game, Terms
from companion.mapping.store import OwnBoards, boards_folder

MOST_BYTES = 20_000_000


def game_choices(command: Callable[..., Any]) -> Callable[..., Any]:
    """--variant, --seats, --reading, --option and --board."""
    for option in (
        click.option("--variant", default="", help="One of the leaflet's games (see: companion games)."),
        click.option("--seats", default="", help="How many play, or which seats: 3, or red,blue,green."),
        click.option("--reading", "readings", multiple=True, metavar="NAME=VALUE", help="A reading of an unclear rule."),
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Something else agreed before play."),
        click.option("--board", "board_name", default="", help="A board of the game by name, or a board file."),
    ):
        command = option(command)
    return command


def chosen_terms(
    game: Game, variant: str, seats: str, readings: tuple[str, ...], options: tuple[str, ...], board_name: str
) -> Terms:
    named = [seat.strip() for seat in seats.split(",") if seat.strip()]
    who: int | list[str] = int(seats) if seats.strip().isdecimal() and len(seats) < 4 else named
    return game.terms(variant, who, board_by_name(game, board_name), pairs("reading", readings), pairs("option", options))


def board_by_name(game: Game, name: str) -> Board | str | None:
    """A board file if the name is one, otherwise the name of one of the game's own."""
    if name and name not in game.boards() and (own := OwnBoards(boards_folder()).board(name)):
        return own
    if name and name not in game.boards() and (name.endswith(".json") or "/" in name):
        return load_board(Path(name))
    return name or None


def pairs(what: str, given: tuple[str, ...]) -> dict[str, str]:
    out = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"{what}: write NAME=VALUE, not {brief(text)}")
        out[name] = value
    return out


def read_text(file: str) -> str:
    """A file's text, or standard input for '-'."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise BadInput(f"{brief(file)}: larger than {MOST_BYTES // 1_000_000} MB")
        return data.decode("utf-8")
    except OSError as error:
        raise BadInput(f"{brief(file)}: cannot be read ({error.strerror or error.__class__.__name__})") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{brief(file)}: not a text file in UTF-8") from error


def print_json(data: object) -> None:
    click.echo(json.dumps(data, indent=1, ensure_ascii=False))
