"""Draws a board and what stands on it: as SVG for pages and paper, and from that as PNG."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from math import cos, pi, sin, sqrt
from statistics import median

from companion.board import Board, Space
from companion.layout import Layout, Standing
from companion.looks import ink_on, look
from companion.shapes import on_circle

FONT = "DejaVu Sans, sans-serif"
PAPER, LINE = "#f3ead6", "#4a4032"
SPACE_FILL = "#e9dfc8"
SYMBOLS = {  # a mark beside the colour, for kinds that matter in play
    "circle": "○", "crown": "♛", "dot": "●", "start": "●", "noble": "◎", "throne": "♔", "castle": "", "go": "➜", "safe": "○",
    "arrow": "▲",
    "neutral": "≋", "berlin": "★",
}  # fmt: skip


def draw_svg(board: Board, layout: Layout | None = None, marked: Collection[str] = (), title: str = "") -> str:
    """The board as one SVG picture; `marked` spaces (legal targets) are outlined."""
    width, height = board.size_mm
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" font-family="{FONT}">',
        f"<title>{escape(title or board.title)}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>',
    ]
    turn = platform_turn(board, layout)
    parts += [_space(board, space, turn) for space in board.spaces.values()]
    parts += [_marked(board, board.spaces[id], turn) for id in marked if id in board.spaces]
    parts += _pieces(board, layout.standing if layout else (), turn)
    return "\n".join(parts) + "\n</svg>\n"


def draw_png(svg: str, width: int = 1200) -> bytes:
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))


def platform_turn(board: Board, layout: Layout | None) -> float:
    """Degrees clockwise by which a turning platform stands off its place in the board file."""
    if layout is None or layout.platform is None:
        return 0.0
    ring = max((s.number("number") for s in board.of_kind("base")), default=1)
    return 360 * layout.platform / ring


def placed(space: Space, turn: float, board: Board) -> list[tuple[float, float]]:
    if not turn or "platform" not in space.kinds:
        return list(space.outline)
    cx, cy = board.size_mm[0] / 2, board.size_mm[1] / 2
    angle = turn * pi / 180
    return [
        (cx + (x - cx) * cos(angle) - (y - cy) * sin(angle), cy + (x - cx) * sin(angle) + (y - cy) * cos(angle))
        for x, y in space.outline
    ]


def _middle(points: list[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _bottom(points: list[tuple[float, float]], x: float) -> float:
    """How far down an outline reaches straight below its middle: a slanting space has less room for its name."""
    crossings = [
        y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        for (x0, y0), (x1, y1) in zip(points, (*points[1:], points[0]), strict=True)
        if min(x0, x1) <= x <= max(x0, x1) and x0 != x1
    ]
    return max(crossings, default=max(y for _, y in points))


def _path(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def space_fill(board: Board, space: Space) -> str:
    colour = space.facts.get("colour")
    for name in (*sorted(space.kinds, key=lambda k: list(board.art).index(k) if k in board.art else -1, reverse=True), colour):
        if isinstance(name, str) and name in board.art:
            return board.art[name]
    return SPACE_FILL


def _space(board: Board, space: Space, turn: float) -> str:
    points = placed(space, turn, board)
    x, y = _middle(points)
    size = sqrt(space.area)
    # A player's own start circle holds pieces, not a printed mark.
    symbol = "".join(SYMBOLS.get(kind, "") for kind in sorted(space.kinds) if "owner" not in space.facts or kind != "start")[:1]
    label = space.id if len(space.name) > 8 else space.name
    fill = space_fill(board, space)
    ink = LINE if ink_on(fill) == "#1b1b1b" else "#ffffff"
    out = f'<g data-space="{escape(space.id)}" data-name="{escape(space.name)}">'
    out += f'<polygon points="{_path(points)}" fill="{fill}" stroke="{LINE}" stroke-width="0.6"/>'
    if symbol:
        out += _text(x, y + size * 0.12, symbol, size * 0.4, ink, 0.55)
    foot = min(y + size * 0.44, _bottom(points, x) - size * 0.06)
    out += _text(x, foot, label, min(size * 0.2, size * 1.1 / max(len(label), 1)), ink, 0.85, "label")
    if "go" in space.links:
        out += _text(x, y - size * 0.28, f"Go {space.links['go']}", size * 0.2, ink, 1)
    return out + "</g>"


def _text(x: float, y: float, text: str, size: float, fill: str, opacity: float, kind: str = "") -> str:
    style = f'font-size="{size:.1f}" fill="{fill}" fill-opacity="{opacity:g}" text-anchor="middle"'
    kind = f' class="{kind}"' if kind else ""  # a small screen leaves out labels that nobody could read
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}{kind}>{escape(text)}</text>'


def _marked(board: Board, space: Space, turn: float) -> str:
    points = _path(placed(space, turn, board))
    return f'<polygon points="{points}" fill="none" stroke="#e0571b" stroke-width="2.4" data-target="{escape(space.id)}"/>'


def _pieces(board: Board, standing: tuple[Standing, ...], turn: float) -> list[str]:
    on_space: dict[str, list[Standing]] = {}
    for piece in sorted(standing, key=lambda s: (s.space, s.level)):
        on_space.setdefault(piece.space, []).append(piece)
    parts = []
    usual = median(sqrt(space.area) for space in board.spaces.values())
    for id, pieces in on_space.items():
        space = board.spaces[id]
        x, y = _middle(placed(space, turn, board))
        y -= sqrt(space.area) * 0.05  # leaves the label readable
        room = sqrt(space.area)
        reach = min(room, 1.3 * usual) * 0.34  # pieces do not grow with the space they stand on
        spread = len(pieces) > 1 and not any(p.piece.endswith("marker") for p in pieces)
        for i, piece in enumerate(pieces):
            px, py = x, y
            if spread:  # several share a space: side by side on a small ring
                px, py = on_circle(x, y, min(room * 0.3, reach * 1.6), 360 * i / len(pieces) + 45)
            parts.append(draw_piece(piece, px, py, reach * (0.62 if spread and room < 2 * usual else 1)))
    return parts


def draw_piece(piece: Standing, x: float, y: float, r: float) -> str:
    """One piece as a part of an SVG picture: its shape, colour and letters."""
    style = look(piece.piece)
    fill, ink = style.fill, style.ink
    if piece.face == "retreat":  # the pale side of a two-sided counter, with a coloured rim
        fill, ink = "#f6f2e7", style.fill
    stroke = (
        f'fill="{fill}" stroke="{style.fill if piece.face == "retreat" else "#1b1b1b"}" stroke-width="{max(r * 0.12, 0.5):.1f}"'
    )
    name = piece.piece + (f" on {piece.space}" if piece.space else "") + (f", {piece.face}" if piece.face else "")
    letters = style.letters + {"advance": "▸", "retreat": "◂"}.get(piece.face, "")
    body = _shape(style.shape, x, y, r, stroke)
    label = _text(x, y + r * 0.3, letters, r * (0.9, 0.9, 0.72, 0.6)[min(len(letters), 3)], ink, 1)
    return f'<g data-piece="{escape(piece.piece)}"><title>{escape(name)}</title>{body}{label}</g>'


def _shape(shape: str, x: float, y: float, r: float, stroke: str) -> str:
    if shape == "disc":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" {stroke}/>'
    if shape == "small-square":  # a marker shows as a frame, so that the piece on it is seen
        r *= 1.12
        side = f'width="{2 * r:.1f}" height="{2 * r:.1f}" rx="{r * 0.3:.1f}"'
        return f'<rect x="{x - r:.1f}" y="{y - r:.1f}" {side} fill-opacity="0.75" {stroke}/>'
    corners = {
        "square": [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)],
        "diamond": [(0, -1.1), (1.1, 0), (0, 1.1), (-1.1, 0)],
        "triangle": [(0, -1.15), (1.1, 0.85), (-1.1, 0.85)],
        "crown": [(-0.9, 0.85), (-1, -0.7), (-0.4, -0.1), (0, -1), (0.4, -0.1), (1, -0.7), (0.9, 0.85)],
        "star": [(m * sin(pi * i / 5), -m * cos(pi * i / 5)) for i in range(10) for m in (1.2 if i % 2 == 0 else 0.72,)],
    }[shape]
    return f'<polygon points="{_path([(x + r * dx, y + r * dy) for dx, dy in corners])}" {stroke}/>'
