"""A pen that draws on PDF pages in millimetres, from the top left corner, x to the right and y down, as board files do."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FONTS = Path(__file__).parent / "fonts"
PLAIN, BOLD = "DejaVuSans", "DejaVuSans-Bold"
INK, GREY = "#1b1b1b", "#8a8a8a"
Point = tuple[float, float]


class Pen:
    """One PDF document while it is drawn."""

    def __init__(self, title: str) -> None:
        for font in (PLAIN, BOLD):  # registering twice is harmless
            pdfmetrics.registerFont(TTFont(font, FONTS / f"{font}.ttf"))
        self._bytes = io.BytesIO()
        self._canvas = Canvas(self._bytes, pageCompression=1, invariant=1)  # the same drawing gives the same bytes
        self._canvas.setTitle(title)
        self._canvas.setAuthor("Tabletop Companion")
        self._height = 0.0

    def page(self, width: float, height: float) -> None:
        """Begin a page of this size."""
        if self._height:
            self._canvas.showPage()
        self._height = height
        self._canvas.setPageSize((width * mm, height * mm))
        # From here on one unit is a millimetre and y grows downwards; text alone has to be turned back.
        self._canvas.transform(mm, 0, 0, -mm, 0, height * mm)

    def done(self) -> bytes:
        self._canvas.save()
        return self._bytes.getvalue()

    @contextmanager
    def moved(self, x: float, y: float, quarter_turns: int = 0) -> Iterator[None]:
        """Draw as if (x, y) were the corner, turned clockwise by quarters of a circle."""
        self._canvas.saveState()
        self._canvas.translate(x, y)
        self._canvas.rotate(90 * quarter_turns)
        yield
        self._canvas.restoreState()

    @contextmanager
    def inside(self, x: float, y: float, width: float, height: float) -> Iterator[None]:
        """Draw only what falls into this rectangle."""
        self._canvas.saveState()
        window = self._canvas.beginPath()
        window.rect(x, y, width, height)
        self._canvas.clipPath(window, stroke=0, fill=0)
        yield
        self._canvas.restoreState()

    @contextmanager
    def inside_circle(self, x: float, y: float, radius: float) -> Iterator[None]:
        self._canvas.saveState()
        window = self._canvas.beginPath()
        window.circle(x, y, radius)
        self._canvas.clipPath(window, stroke=0, fill=0)
        yield
        self._canvas.restoreState()

    def polygon(self, corners: Sequence[Point], fill: str = "", stroke: str = "", width: float = 0.2) -> None:
        path = self._canvas.beginPath()
        path.moveTo(*corners[0])
        for corner in corners[1:]:
            path.lineTo(*corner)
        path.close()
        self._ink(fill, stroke, width)
        self._canvas.drawPath(path, fill=bool(fill), stroke=bool(stroke))

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: str = "", stroke: str = "", line: float = 0.2, round: float = 0
    ) -> None:
        self._ink(fill, stroke, line)
        self._canvas.roundRect(x, y, width, height, round, fill=bool(fill), stroke=bool(stroke))

    def squares(self, corners: Sequence[Point], side: float, fill: str) -> None:
        """Equal squares as one path, so that no viewer shows hairlines where they touch."""
        path = self._canvas.beginPath()
        for x, y in corners:
            path.rect(x, y, side, side)
        self._ink(fill, "", 0)
        self._canvas.drawPath(path, fill=1, stroke=0)

    def circle(self, x: float, y: float, radius: float, fill: str = "", stroke: str = "", width: float = 0.2) -> None:
        self._ink(fill, stroke, width)
        self._canvas.circle(x, y, radius, fill=bool(fill), stroke=bool(stroke))

    def line(self, x0: float, y0: float, x1: float, y1: float, stroke: str = INK, width: float = 0.2, dashed: bool = False) -> None:
        self._ink("", stroke, width)
        self._canvas.setDash([1.5, 1.5] if dashed else [])
        self._canvas.line(x0, y0, x1, y1)
        self._canvas.setDash([])

    def text(self, x: float, y: float, text: str, size: float, fill: str = INK, align: str = "left", font: str = PLAIN) -> None:
        """A line of text on the base line y; `size` in millimetres."""
        width = text_width(text, size, font)
        self._canvas.saveState()
        self._canvas.translate(x - {"left": 0, "middle": width / 2, "right": width}[align], y)
        self._canvas.scale(1, -1)
        self._canvas.setFillColor(HexColor(fill))
        self._canvas.setFont(font, size)
        self._canvas.drawString(0, 0, text)
        self._canvas.restoreState()

    @contextmanager
    def faint(self, opacity: float) -> Iterator[None]:
        self._canvas.saveState()
        self._canvas.setFillAlpha(opacity)
        yield
        self._canvas.restoreState()

    def picture(self, svg: str) -> None:
        """Draw one of our own SVG pictures (`companion.draw`), one unit a millimetre."""
        for element in ElementTree.fromstring(svg).iter():
            draw = _ELEMENTS[element.tag.rpartition("}")[2]]
            with self.faint(float(element.get("fill-opacity", "1"))):
                draw(self, element)

    def _ink(self, fill: str, stroke: str, width: float) -> None:
        if fill:
            self._canvas.setFillColor(HexColor(fill))
        if stroke:
            self._canvas.setStrokeColor(HexColor(stroke))
            self._canvas.setLineWidth(width)


def text_width(text: str, size: float, font: str = PLAIN) -> float:
    return float(pdfmetrics.stringWidth(text, font, size))


def wrapped(text: str, size: float, width: float, font: str = PLAIN) -> list[str]:
    """The text in lines that fit; a word wider than a line is cut."""
    lines, line = [], ""
    for word in text.split():
        while text_width(word, size, font) > width and len(word) > 1:
            fits = next(n for n in range(len(word) - 1, 0, -1) if n == 1 or text_width(word[:n], size, font) <= width)
            if line:
                lines.append(line)
                line = ""
            lines.append(word[:fits])
            word = word[fits:]
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, font) <= width:
            line = longer
        else:
            lines.append(line)
            line = word
    return [*lines, line] if line else lines


# What `companion.draw` uses of SVG, and no more: something new there fails here at once.
def _nothing(pen: Pen, element: ElementTree.Element) -> None:
    return


def _numbers(element: ElementTree.Element, *names: str) -> list[float]:
    return [float(element.get(name, "0")) for name in names]


def _fill(element: ElementTree.Element) -> str:
    given = element.get("fill", "")
    return "" if given == "none" else given


def _polygon(pen: Pen, element: ElementTree.Element) -> None:
    pairs = (pair.split(",") for pair in element.get("points", "").split())
    (width,) = _numbers(element, "stroke-width")
    pen.polygon([(float(x), float(y)) for x, y in pairs], _fill(element), element.get("stroke", ""), width)


def _rectangle(pen: Pen, element: ElementTree.Element) -> None:
    x, y, width, height, line, round = _numbers(element, "x", "y", "width", "height", "stroke-width", "rx")
    pen.rectangle(x, y, width, height, _fill(element), element.get("stroke", ""), line, round)


def _circle(pen: Pen, element: ElementTree.Element) -> None:
    x, y, radius, line = _numbers(element, "cx", "cy", "r", "stroke-width")
    pen.circle(x, y, radius, _fill(element), element.get("stroke", ""), line)


def _text(pen: Pen, element: ElementTree.Element) -> None:
    x, y, size = _numbers(element, "x", "y", "font-size")
    pen.text(x, y, element.text or "", size, _fill(element) or INK, element.get("text-anchor", "start").replace("start", "left"))


_ELEMENTS = {
    "svg": _nothing, "title": _nothing, "g": _nothing,
    "polygon": _polygon, "rect": _rectangle, "circle": _circle, "text": _text,
}  # fmt: skip
