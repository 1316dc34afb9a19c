"""companion board: list, show, validate and draw boards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from companion.board import BadBoard, Board, load_board
from companion.cli.choices import print_json, read_text
from companion.draw import draw_png, draw_svg
from companion.events import BadInput, brief
from companion.game import parse_json, state_from_json
from companion.games import all_games, find_game
from companion.mapping.store import MOST_FILE, OwnBoards, boards_folder


@click.group()
def board() -> None:
    """Boards are files: see them, check them, draw them.

    \b
    Examples:  companion board list
               companion board show siege
               companion board validate my-own-board.json
               companion board draw siege siege.png
               companion board draw siege siege.svg --position game.json
               companion board import grandmothers-board.json
    """


@board.command("list")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def list_boards(as_json: bool) -> None:
    """The boards that come with the companion, and those of this house (mapped at /map, or imported)."""
    boards = [(game, game.board(name)) for game in all_games().values() for name in game.boards()]
    boards += [(find_game(own.game), own) for own in OwnBoards(boards_folder()).all().values()]
    if as_json:
        print_json(
            [
                {"game": g.name, "name": b.name, "title": b.title, "standing": b.standing, "spaces": len(b.spaces)}
                for g, b in boards
            ]
        )
        return
    for g, b in boards:
        click.echo(
            f"{g.name:18} {b.name:16} {b.title} ({b.standing}; {len(b.spaces)} spaces, {b.size_mm[0]:g} × {b.size_mm[1]:g} mm)"
        )


@board.command("import")
@click.argument("file", type=click.Path())
def bring_in(file: str) -> None:
    """Bring in a board file that somebody shared. It is checked as if it were meant to harm."""
    try:
        with Path(file).open("rb") as stream:
            data = stream.read(MOST_FILE + 1)
    except OSError as error:
        raise BadInput(f"{brief(file)}: cannot be read ({error.strerror})") from error
    name = OwnBoards(boards_folder()).bring_in(data)
    click.echo(f"Brought in as {name}; `companion board show {name}` tells of it, and a new game can be played on it.")


@board.command()
@click.argument("board_or_game")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def show(board_or_game: str, as_json: bool) -> None:
    """What a board holds, and how sure we are of it. BOARD_OR_GAME is a game's name or a board file."""
    b = find_board(board_or_game)
    kinds = Counter(kind for s in b.spaces.values() for kind in s.kinds)
    standings = Counter(s.standing for s in b.spaces.values())
    if as_json:
        spaces = {s.id: {"kinds": sorted(s.kinds), "facts": dict(s.facts), "links": dict(s.links)} for s in b.spaces.values()}
        counts = {"kinds": dict(kinds), "standings": dict(standings)}
        print_json({"game": b.game, "name": b.name, "standing": b.standing, **counts, "spaces": spaces})
        return
    click.secho(f"{b.title}: {b.standing}", bold=True)
    for note in b.notes:
        click.echo(f"  {note}")
    click.echo("  kinds of spaces: " + ", ".join(f"{kind} {n}" for kind, n in kinds.most_common()))
    click.echo("  known from: " + ", ".join(f"{standing} {n}" for standing, n in standings.most_common()))
    for kind in kinds:
        ids = [s.id for s in b.of_kind(kind)]
        if len(ids) <= 30:
            click.echo(f"  {kind}: {' '.join(ids)}")


@board.command()
@click.argument("file")
@click.pass_context
def validate(ctx: click.Context, file: str) -> None:
    """Can this board file be played on? Everything that is missing is said; exit code 1 if anything is."""
    try:
        b = load_board(Path(file))
        find_game(b.game).board(b)
    except BadBoard as error:
        click.secho(f"{file} cannot be played on yet:", fg="red")
        for problem in error.problems:
            click.echo(f"  - {problem}")
        ctx.exit(1)
    click.secho(f"{file}: a good board for {find_game(b.game).title}, {len(b.spaces)} spaces.", fg="green")


@board.command()
@click.argument("board_or_game")
@click.argument("out", type=click.Path(dir_okay=False))
@click.option("--position", "position_file", default="", help="Draw this position (a file as for `companion check`) on it.")
@click.option("--width", default=1200, show_default=True, help="Width of a PNG in pixels.")
def draw(board_or_game: str, out: str, position_file: str, width: int) -> None:
    """Draw a board as SVG or PNG, by the ending of OUT. Without a position, the set-up is drawn."""
    if not 50 <= width <= 10_000:
        raise BadInput(f"width: must be 50 to 10000 pixels, not {width}")
    if not out.endswith((".svg", ".png")):
        raise BadInput(f"out: must end in .svg or .png, not {brief(out)}")
    b = find_board(board_or_game)
    game = find_game(b.game)
    if position_file:
        data = parse_json(read_text(position_file), "position")
        if not isinstance(data, dict):
            raise BadInput("position: must be an object")
        state = state_from_json(
            game, {k: v for k, v in data.items() if k not in ("roll", "move", "moves")} | {"board": _as_given(data, b)}
        )
    else:
        state = game.set_up(game.terms(board=b))
    svg = draw_svg(state.ground.terms.board, game.layout(state))
    try:
        Path(out).write_bytes(svg.encode() if out.endswith(".svg") else draw_png(svg, width))
    except OSError as error:
        raise BadInput(f"out: {brief(out)} cannot be written ({error.strerror})") from error
    click.echo(f"Drawn to {out}.")


def _as_given(data: dict[str, object], b: Board) -> object:
    from companion.board import board_to_json

    return data.get("board") or board_to_json(b)


def find_board(name: str) -> Board:
    """A board file, a board of this house, or the usual board of a game."""
    if name not in all_games() and (own := OwnBoards(boards_folder()).board(name)):
        return own
    if name.endswith(".json") or "/" in name:
        b = load_board(Path(name))
        return find_game(b.game).board(b)
    return find_game(name).board()
