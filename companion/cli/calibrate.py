"""companion calibrate and companion see: teach the eye this board and these pieces, and ask it what it sees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.camera import opened, picture_at, settle
from companion.cli.choices import chosen_terms, game_choices, print_json, read_text
from companion.config import state_folder
from companion.events import BadInput, brief
from companion.game import Game, Terms, parse_json
from companion.games import find_game
from companion.mapping.store import OwnBoards, boards_folder

if TYPE_CHECKING:
    from vision.calibration import Calibration
    from vision.marks import Content, Sighting


@click.command()
@click.argument("game")
@click.argument("source", default="")
@game_choices
@click.option("--empty", metavar="PICTURE", help="A picture of the empty board, instead of asking for it.")
@click.option("--teach", metavar="PICTURE", help="A picture of the start position, or of what --standing tells.")
@click.option("--standing", metavar="FILE", help='What stands in the teaching picture: JSON such as {"a1": ["red-prince"]}.')
@click.option(
    "--corners", metavar="X,Y X,Y X,Y X,Y", help="The board's corners in the empty picture, clockwise from its top left."
)
@click.option("--platform", type=int, help="The number at which a platform's arrow points in the empty picture.")
@click.option("--out", metavar="FILE", help="Where to write the calibration; without it, where the companion looks for it.")
@click.option("--overlay", metavar="PICTURE", help="Draw what was learned over the teaching picture.")
def calibrate(
    game: str, source: str, variant: str, seats: str, readings: tuple[str, ...], options: tuple[str, ...], board_name: str,
    empty: str | None, teach: str | None, standing: str | None, corners: str | None, platform: int | None, out: str | None,
    overlay: str | None,
) -> None:  # fmt: skip
    """Teach the eye a board and its pieces under the lamp of this table.

    With SOURCE (a camera, see `companion camera`) it asks for one thing after the other: the empty board, then the start position.
    With --empty and --teach it asks nothing.

    \b
    Examples:  companion calibrate kop_the_kaiser 0 --seats 4
               companion calibrate siege --empty empty.jpg --teach start.jpg --corners "310,92 949,64 989,621 324,649"
               companion calibrate royal_purple --board my-board.json --empty empty.jpg --teach one-of-each.jpg --standing what.json
    """
    from vision.calibration import LAMP_IS_GOOD, calibration_file, lamp_check
    from vision.calibration import calibrate as learn
    from vision.marks import contents

    found = find_game(game)
    terms = chosen_terms(found, variant, seats, readings, options, board_name)
    start = found.layout(found.set_up(terms))
    stands = _standing(read_text(standing), found, terms) if standing else contents(start)
    if not stands:
        raise BadInput("calibrate: nothing stands on the board at the start of this game; tell with --standing what does")
    given = _corners(corners) if corners else None
    number = platform if platform is not None else start.platform
    if empty and teach:
        bare, taught = _picture(empty), _picture(teach)
    elif empty or teach:
        raise BadInput("calibrate: give both --empty and --teach, or a SOURCE to take the pictures from")
    elif not source:
        raise BadInput("calibrate: give a SOURCE (see `companion camera list`), or pictures with --empty and --teach")
    else:
        bare, taught = _ask_for_pictures(source, terms, bool(standing))
    click.echo("Finding the board and learning the pieces …", err=True)
    own = OwnBoards(boards_folder()).picture_of(terms.board)
    calibration = learn(terms.board, bare, taught, stands, given, number, source, own)
    file = Path(out) if out else calibration_file(state_folder() / "calibrations", terms.board, source)
    calibration.save(file)
    click.echo(f"The board's lines fit to {calibration.residual:.2f} pixels; {len(calibration.tags)} tags learned.")
    for piece in calibration.pieces.values():
        click.echo(f"  {piece.mark}: about {2 * piece.radius:.0f} mm wide")
    for line in lamp_check(calibration) or [LAMP_IS_GOOD]:
        click.echo(line)
    if overlay:
        _draw(calibration, taught, Path(overlay))
    click.echo(f"Kept in {file}")


@click.command()
@click.argument("images", nargs=-1, required=True, metavar="IMAGE…")
@click.option("--calibration", "file", required=True, metavar="FILE", help="What `companion calibrate` has written.")
@click.option("--overlay", metavar="PICTURE", help="Draw what was seen; with several images a number is added to the name.")
@click.option("--json", "as_json", is_flag=True, help="For programs: every space with what may stand there and how sure that is.")
def see(images: tuple[str, ...], file: str, overlay: str | None, as_json: bool) -> None:
    """What stands where in IMAGE, as the eye sees it.

    \b
    Examples:  companion see table.jpg --calibration board.json
               companion see table.jpg --calibration board.json --overlay seen.png --json
    """
    from vision.calibration import load_calibration

    calibration = load_calibration(Path(file))
    eye, finder = calibration.eye(), calibration.finder()
    told = []
    for count, image in enumerate(images, 1):
        picture = _picture(image)
        view = finder.acquire(picture)
        sighting = eye.look(picture, view)
        if overlay:
            name = Path(overlay)
            _write(name.with_stem(f"{name.stem}-{count}") if len(images) > 1 else name, picture, view, eye.flat, sighting)
        told.append(_to_json(image, sighting))
        if not as_json:
            _tell(image, sighting)
    if as_json:
        print_json(told)


def _to_json(image: str, sighting: Sighting) -> dict[str, Any]:
    from math import exp

    spaces: dict[str, Any] = {}
    for name, belief in sighting.beliefs.items():
        if belief.hidden:
            spaces[name] = {"hidden": belief.hidden}
            continue
        weights = {content: exp(-cost) for content, cost in belief.costs.items()}
        total = sum(weights.values())
        likely = sorted(weights, key=lambda content: -weights[content])[:3]
        spaces[name] = {
            "content": list(belief.best),
            "chance": round(weights[belief.best] / total, 4),
            "others": {"+".join(c) or "empty": round(weights[c] / total, 4) for c in likely[1:] if weights[c] / total > 0.001},
        }
    out: dict[str, Any] = {"image": image, "spaces": spaces}
    if sighting.arrow:
        arrow = sighting.arrow
        out["platform"] = {"number": arrow.number, "between": arrow.between, "degrees": round(arrow.degrees, 2)}
    return out


def _tell(image: str, sighting: Sighting) -> None:
    click.echo(f"{image}:")
    if sighting.arrow:
        number, between = sighting.arrow.number, sighting.arrow.between
        click.echo(
            f"  the arrow points at {number}"
            if number
            else f"  the platform stands between {between[0]} and {between[1]}"
            if between
            else ""
        )
    for name, belief in sighting.beliefs.items():
        if belief.hidden:
            click.echo(f"  {name}: {belief.hidden}")
        elif belief.best:
            second = sorted(belief.costs.values())[1]
            click.echo(f"  {name}: {', '.join(belief.best)}" + ("" if second > 4 else " (not sure)"))


def _standing(text: str, game: Game, terms: Terms) -> dict[str, Content]:
    data = parse_json(text, "standing")
    known = isinstance(data, dict) and all(isinstance(v, list) and all(isinstance(m, str) for m in v) for v in data.values())
    if not known:
        raise BadInput('standing: must map spaces to lists of pieces, such as {"a1": ["red-prince"]}')
    for space in data:
        if space not in terms.board.spaces:
            raise BadInput(f"standing: {brief(space)} is no space of {terms.board.title}")
    return {space: tuple(sorted(marks)) for space, marks in data.items() if marks}


def _corners(text: str) -> list[tuple[float, float]]:
    try:
        points = [tuple(float(v) for v in pair.split(",")) for pair in text.split()]
    except ValueError:
        points = []
    if len(points) != 4 or any(len(point) != 2 for point in points):
        raise BadInput('corners: write four pairs of pixels, such as "310,92 949,64 989,621 324,649"')
    return [(x, y) for x, y in points]


def _picture(file: str) -> Any:
    from vision.sources import read_picture

    picture = read_picture(Path(file))
    if picture is None:
        raise BadInput(f"{brief(file)}: is no picture that can be read; give a .jpg or .png")
    return picture


def _ask_for_pictures(source: str, terms: Terms, own_standing: bool) -> tuple[Any, Any]:
    with opened(source) as frames:
        settle(frames, source)
        click.prompt(
            f"1 of 2. Take everything off the board ({terms.board.title}) and keep hands away. Press Enter",
            default="",
            show_default=False,
        )
        bare = picture_at(frames, source, 0.0).picture
        what = "the pieces as your list tells" if own_standing else "the start position"
        click.prompt(f"2 of 2. Set up {what} and keep hands away. Press Enter", default="", show_default=False)
        return bare, picture_at(frames, source, 0.0).picture


def _draw(calibration: Calibration, picture: Any, file: Path) -> None:
    eye = calibration.eye()
    view = calibration.finder().acquire(picture)
    _write(file, picture, view, eye.flat, eye.look(picture, view))


def _write(file: Path, picture: Any, view: Any, flat: Any, sighting: Sighting) -> None:
    from vision.overlay import overlay
    from vision.sources import write_picture

    write_picture(file, overlay(picture, view, flat, sighting))


__all__ = ["calibrate", "see"]
