"""Under what conditions the table is seen: camera, light, cardboard, tags, and what the sensor adds. All in plain numbers."""

from __future__ import annotations

from dataclasses import dataclass

from vision.view import View

ALL_TAGS = tuple(range(8))


@dataclass(frozen=True)
class Lamp:
    """A lamp, in millimetres from the board's middle; `strength` is its light on the board's middle, 1.0 a well lit table."""

    at: tuple[float, float] = (-250.0, -350.0)
    height: float = 1100.0
    kelvin: float = 4500.0
    strength: float = 0.8
    width: float = 90.0  # of its bulb or shade: the wider, the softer the shadows
    green: float = 0.0  # tint of cheap tubes, as a fraction


@dataclass(frozen=True)
class Glare:
    """The lamp's mirror image on a varnished board: where in fractions of the board, how wide (mm), how strong."""

    at: tuple[float, float] = (0.6, 0.4)
    radius: float = 60.0
    strength: float = 1.2


@dataclass(frozen=True)
class PlayerShadow:
    """A player leans over the table: from which side (degrees clockwise from the top), how far in (fraction), how dark."""

    side: float = 200.0
    reach: float = 0.4
    depth: float = 0.5
    soft: float = 60.0  # millimetres from light to dark


@dataclass(frozen=True)
class Pose:
    """How the board lies against where it lay first: millimetres, and degrees clockwise about its middle."""

    dx: float = 0.0
    dy: float = 0.0
    degrees: float = 0.0
    with_tags: bool = True  # the tags moved with it; else they stayed behind


@dataclass(frozen=True)
class Conditions:
    # Camera. With `view` the rest of this group is not used; else a camera is placed so that the board fills the frame.
    view: View | None = None
    size: tuple[int, int] = (1280, 720)
    height: float = 0.0  # of the camera over the board, millimetres; 0: as near as the frame allows
    tilt: float = 0.0  # degrees off straight down
    towards: float = 180.0  # from which side it looks, degrees clockwise from the top
    turn: float = 0.0  # degrees that the picture is turned
    aim: tuple[float, float] = (0.0, 0.0)  # where its axis meets the board, millimetres off the middle
    focal: float = 0.85  # in widths of the frame
    lens: tuple[float, float] = (-0.03, 0.0)
    fill: float = 0.92  # how much of the frame the board and its tags take
    # Cardboard
    curl: tuple[float, float, float] = (0.0, 0.0, 0.0)  # as in vision.view.Bend, about the board's middle
    crease: tuple[float, float, float] = (0.0, 0.0, 0.0)
    thickness: float = 2.5
    platform_thickness: float = 2.0
    pose: Pose = Pose()
    # Light
    lamps: tuple[Lamp, ...] = (Lamp(),)
    ambient: float = 0.25
    ambient_kelvin: float = 5200.0
    white_kelvin: float = 4500.0  # what the locked white balance takes for white
    glare: Glare | None = None
    shadow: PlayerShadow | None = None
    # Sensor
    exposure: float = 0.0  # in stops
    noise: float = 1.6  # grey levels of 255
    blur: float = 0.5  # sigma in pixels
    vignette: float = 0.12
    flicker: float = 0.006  # how much the brightness differs from frame to frame
    jpeg: int = 90  # 0: not compressed
    # Table
    tags: tuple[int, ...] = ALL_TAGS
    hidden_tags: tuple[int, ...] = ()  # lying there, but something lies over them
    tag_style: str = ""  # band, loose or underlay; empty: by seed
    cloth: str = ""  # see cloth.CLOTHS; empty: by seed
    art: str = ""  # see style.ERAS; empty: by seed
    clutter: int = 0  # dice, coins and buttons that lie about beside the board
    mess: float = 1.0  # how badly people place things; 0: every piece in the middle
