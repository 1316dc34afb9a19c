"""Cards to keep beside the board: a game's moves and short rules, in the words of its rulebook."""

from __future__ import annotations

from typing import NamedTuple

from companion.game import Game
from companion.printing.contents import contents
from companion.printing.paper import Drawing, print_packed
from companion.printing.pen import BOLD, GREY, INK, PLAIN, Pen, wrapped

WIDTH, HEIGHT = 94.0, 122.0  # four on A4 and on Letter, six on A3
EDGE = 6.0
TITLE, TEXT, LEADING, INDENT = 4.2, 3.0, 4.0, 3.0


class Line(NamedTuple):
    text: str
    font: str
    citation: str = ""


def cards_pdf(game: Game, paper: str) -> bytes:
    pen = Pen(f"{game.title}: move cards")
    print_packed(pen, f"{game.title}: move cards", cards(game), paper)
    return pen.done()


def cards(game: Game) -> list[Drawing]:
    """As many cards as the rules need."""
    room = int((HEIGHT - 2 * EDGE - TITLE - 5) / LEADING)
    pages: list[list[Line]] = [[]]
    for block in _blocks(game):
        if len(pages[-1]) + len(block) > room:
            pages.append([])
        pages[-1] += block
    return [_card(game, number, len(pages), lines) for number, lines in enumerate(pages, 1)]


def _blocks(game: Game) -> list[list[Line]]:
    """Lines that stay together: a rule, and with the first one of a part its heading."""
    blocks = []
    for part in contents(game).card:
        heading = [Line(part.heading, BOLD)]
        for id in part.rules:
            lines = wrapped(game.rulebook.text(id), TEXT, WIDTH - 2 * EDGE - INDENT - 11)
            blocks.append(heading + [Line(text, PLAIN, id if n == 0 else "") for n, text in enumerate(lines)])
            heading = []
    return blocks


def _card(game: Game, number: int, of: int, lines: list[Line]) -> Drawing:
    def draw(pen: Pen) -> None:
        pen.rectangle(0, 0, WIDTH, HEIGHT, stroke=GREY, line=0.15)
        pen.text(EDGE, EDGE + TITLE, game.title, TITLE, font=BOLD)
        pen.text(WIDTH - EDGE, EDGE + TITLE, f"{number}/{of}" if of > 1 else "", TEXT, GREY, "right")
        pen.line(EDGE, EDGE + TITLE + 1.8, WIDTH - EDGE, EDGE + TITLE + 1.8, INK, 0.3)
        y = EDGE + TITLE + 3
        for line in lines:
            y += LEADING
            pen.text(EDGE + (INDENT if line.font == PLAIN else 0), y, line.text, TEXT, font=line.font)
            if line.citation:
                pen.text(EDGE, y, "•", TEXT)
            pen.text(WIDTH - 3, y, line.citation, 2.2, GREY, "right")

    return Drawing(f"card {number}", WIDTH, HEIGHT, draw)
