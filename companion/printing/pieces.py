"""Pieces to cut out: round counters with colour, shape and letters, so that nobody needs to see colours to tell them apart."""

from __future__ import annotations

from companion.draw import draw_piece
from companion.game import Game
from companion.layout import Standing
from companion.looks import look
from companion.printing.contents import PieceKind, contents
from companion.printing.paper import Drawing, print_packed
from companion.printing.pen import GREY, Pen

PALE = "#f6f2e7"  # the ground of a counter's other face, as it is drawn on pages
# Ranks of one colour are told apart from above by what lies round the shape; whatever is not named has its own colour there.
GROUNDS = {"crown": PALE, "diamond": PALE, "star": "#6b3fa0"}


def pieces_pdf(game: Game, paper: str) -> bytes:
    pen = Pen(f"{game.title}: pieces")
    print_packed(pen, f"{game.title}: pieces to cut out", counters(game), paper)
    return pen.done()


def counters(game: Game) -> list[Drawing]:
    """Every piece of the game, largest first; both faces of a counter are neighbours, to be glued back to back."""
    kinds = sorted(contents(game).pieces, key=lambda kind: -kind.mm)
    return [_counter(kind, face) for kind in kinds for _ in range(kind.count) for face in kind.faces]


def _counter(kind: PieceKind, face: str) -> Drawing:
    style = look(kind.name)
    radius = kind.mm / 2
    ground = PALE if face == "retreat" else GROUNDS.get(style.shape, style.fill)
    shape_radius = radius * {"disc": 0.86, "small-square": 0.58}.get(style.shape, 0.7)

    def draw(pen: Pen) -> None:
        pen.circle(radius, radius, radius, fill=ground, stroke=GREY, width=0.15)
        shape = draw_piece(Standing(kind.name, "", face), radius, radius, shape_radius)
        pen.picture(f"<svg>{shape}</svg>")

    return Drawing(f"{kind.name} {face}".strip(), kind.mm, kind.mm, draw)
