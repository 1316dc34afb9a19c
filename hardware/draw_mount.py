"""Draws the camera's mount for a board: python hardware/draw_mount.py 480x480

How high the camera must hang follows from the board, the band of tags round it and the camera's angle of view; the post and the arm
follow from that. `mount/mount.svg` is the drawing for the largest of our own boards; give a size and a camera for yours.
"""

from __future__ import annotations

import argparse
import html
from dataclasses import dataclass
from math import radians, tan
from pathlib import Path

from companion.games import all_games
from companion.tags import BAND_MM, TAG_MM

HERE = Path(__file__).resolve().parent
SPARE = 1.06  # a board is never laid down quite straight
FRAME_PIXELS = (1920, 1080)
CLAMP, POST_OVER_ARM, COUNTERWEIGHT, ARM_DROP = 60, 40, 180, 35  # mm
LEAST_TAG_PIXELS = 30  # five for each cell of a tag


@dataclass(frozen=True)
class Camera:
    """Angles of view in degrees, along the wide and the narrow side of the picture, as its maker gives them."""

    title: str
    wide: float
    narrow: float


CAMERAS = {
    "module3": Camera("Raspberry Pi Camera Module 3", 66, 41),
    "module3-wide": Camera("Raspberry Pi Camera Module 3 Wide", 102, 67),
    "webcam": Camera("a USB webcam of 78° (diagonal)", 70, 43),
}


@dataclass(frozen=True)
class Mount:
    """All measures in millimetres. The long side of the board lies along the wide side of the picture."""

    board: tuple[float, float]
    camera: Camera

    @property
    def seen(self) -> tuple[float, float]:
        """What must be in the picture: the board and its band of tags, long side first, and a little more."""
        long, short = sorted(self.board, reverse=True)
        return (long + 2 * BAND_MM) * SPARE, (short + 2 * BAND_MM) * SPARE

    @property
    def height(self) -> int:
        """Lens above the table."""
        long, short = self.seen
        needed = max(long / 2 / tan(radians(self.camera.wide / 2)), short / 2 / tan(radians(self.camera.narrow / 2)))
        return -int(-needed // 10) * 10  # up to whole centimetres

    @property
    def reach(self) -> int:
        """From the post, at the table's edge, to the middle of the board."""
        return -int(-(self.seen[1] / 2 + CLAMP) // 10) * 10

    @property
    def post(self) -> int:
        return self.height + ARM_DROP + POST_OVER_ARM

    @property
    def arm(self) -> int:
        return self.reach + COUNTERWEIGHT

    @property
    def pixels_per_mm(self) -> float:
        """Where the picture is narrowest against what it shows."""
        across = 2 * self.height * tan(radians(self.camera.wide / 2))
        return FRAME_PIXELS[0] / across

    @property
    def tag_pixels(self) -> float:
        return TAG_MM * self.pixels_per_mm


def draw(mount: Mount) -> str:
    """Seen from the side, to scale, with every measure that is sawn or set."""
    left, floor = 260.0, mount.height + 260.0
    middle = left + mount.reach
    half = (min(mount.board) + 2 * BAND_MM) / 2
    width, height = middle + max(mount.seen[1] / 2, half) + 240, floor + 330
    arm_y = floor - mount.height - ARM_DROP
    lens = floor - mount.height
    size = width / 55
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" font-size="{size:.0f}">',
        "<title>Camera mount</title>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        _box(left - 30, floor, width - left - 60, 28, "#d7ccc8"),  # table
        _box(middle - half, floor - 4, 2 * half, 4, "#f9a825"),  # board with its band
        _box(left - 10, arm_y - POST_OVER_ARM, 20, floor - arm_y + POST_OVER_ARM + 60, "#90a4ae"),  # post
        _box(left - 45, floor - 30, 90, 30, "#546e7a") + _box(left - 45, floor + 28, 90, 30, "#546e7a"),  # clamp
        _box(left - COUNTERWEIGHT, arm_y - 10, mount.arm, 20, "#90a4ae"),  # arm
        _box(left - COUNTERWEIGHT - 30, arm_y - 45, 60, 90, "#455a64"),  # counterweight
        _box(middle - 20, arm_y + 10, 40, ARM_DROP - 10, "#263238"),  # camera
    ]
    reach = tan(radians(mount.camera.narrow / 2)) * mount.height
    for side in (-1, 1):
        parts.append(_line(middle, lens, middle + side * reach, floor, "#1565c0", dashed=True))
    x = middle + max(half, reach) + 60
    parts += [
        _measure(x, lens, x, floor, f"{mount.height} lens above the table", size),
        _measure(left, floor + 120, middle, floor + 120, f"{mount.reach} post to middle", size),
        _measure(middle - half, floor + 190, middle + half, floor + 190, f"{2 * half:.0f} board and tags", size),
        _measure(left - 100, arm_y - POST_OVER_ARM, left - 100, floor, f"{mount.post} post", size),
        _measure(left - COUNTERWEIGHT, arm_y - 90, middle, arm_y - 90, f"{mount.arm} arm", size),
    ]
    board = f"{mount.board[0]:g} × {mount.board[1]:g} mm"
    lines = (
        f"For a board of {board} under {mount.camera.title}. Measures in millimetres.",
        f"At {FRAME_PIXELS[0]} × {FRAME_PIXELS[1]} a millimetre has {mount.pixels_per_mm:.1f} pixels, a tag {mount.tag_pixels:.0f}. "
        "The long side of the board lies along the long side of the picture.",
    )
    for number, text in enumerate(lines):
        parts.append(f'<text x="40" y="{floor + 250 + number * size * 1.5:.0f}">{html.escape(text)}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def _box(x: float, y: float, width: float, height: float, fill: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} fill="{fill}" stroke="#212121" stroke-width="1.5"/>'


def _line(x0: float, y0: float, x1: float, y1: float, colour: str, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="12 8"' if dashed else ""
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{colour}" stroke-width="2"{dash}/>'


def _measure(x0: float, y0: float, x1: float, y1: float, text: str, size: float) -> str:
    """A line with ends, and its length beside it."""
    upright = x0 == x1
    ends = [
        _line(x - 10 * upright, y - 10 * (not upright), x + 10 * upright, y + 10 * (not upright), "#c62828")
        for x, y in ((x0, y0), (x1, y1))
    ]
    x, y = ((x0 + x1) / 2 + size * 1.2 * upright, (y0 + y1) / 2 - size * 0.5 * (not upright))
    turn = f' transform="rotate(90 {x:.0f} {y:.0f})"' if upright else ""
    label = f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" fill="#c62828"{turn}>{html.escape(text)}</text>'
    return "\n".join([_line(x0, y0, x1, y1, "#c62828"), *ends, label])


def largest_board() -> tuple[float, float]:
    sizes = [game.board().size_mm for game in all_games().values()]
    return max(size[0] for size in sizes), max(size[1] for size in sizes)


def size(text: str) -> tuple[float, float]:
    try:
        width, height = (float(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"write WIDTHxHEIGHT in millimetres, as 480x480, not {text!r}") from None
    if not (50 <= width <= 3000 and 50 <= height <= 3000):
        raise argparse.ArgumentTypeError("each side must have 50 to 3000 mm")
    return width, height


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("board", nargs="?", type=size, default=largest_board(), help="WIDTHxHEIGHT in mm (default: our largest)")
    parser.add_argument("--camera", choices=CAMERAS, default="module3")
    parser.add_argument("--out", type=Path, default=HERE / "mount" / "mount.svg")
    words = parser.parse_args()
    mount = Mount(words.board, CAMERAS[words.camera])
    words.out.parent.mkdir(parents=True, exist_ok=True)
    words.out.write_text(draw(mount), "utf-8")
    print(f"Drawn to {words.out}: lens {mount.height} mm above the table, post {mount.post} mm, arm {mount.arm} mm.")
    if mount.tag_pixels < LEAST_TAG_PIXELS:
        print(f"The tags would have only {mount.tag_pixels:.0f} pixels: take a camera with a narrower view, or a smaller board.")


if __name__ == "__main__":
    main()
