"""What a file says it is, from its first bytes: nobody's picture is unpacked before its size is known."""

from __future__ import annotations

from companion.events import BadInput

MOST_BYTES = 12_000_000
MOST_PIXELS = 40_000_000
FEWEST = 400  # pixels of the shorter side: less shows no lines


def picture_size(data: bytes) -> tuple[int, int]:
    """Width and height of a JPEG or PNG; `BadInput` says what to do with anything else."""
    if len(data) > MOST_BYTES:
        raise BadInput(f"picture: larger than {MOST_BYTES // 1_000_000} MB; take it with a lower resolution, or send a smaller copy")
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        size = _png(data)
    elif data.startswith(b"\xff\xd8\xff"):
        size = _jpeg(data)
    else:
        raise BadInput(f"picture: this is {_named(data)}, not a picture; take a photo, or choose a JPEG or PNG file")
    if size is None or min(size) < 1:
        raise BadInput("picture: the file is broken off; take the picture again")
    if size[0] * size[1] > MOST_PIXELS:
        million = size[0] * size[1] // 1_000_000
        raise BadInput(f"picture: {million} megapixels are too many; set the camera to 12, or send a smaller copy")
    if min(size) < FEWEST:
        raise BadInput(f"picture: only {size[0]} × {size[1]} pixels; take it larger, so that the lines of the board can be seen")
    return size


def _named(data: bytes) -> str:
    for start, name in (
        (b"%PDF", "a PDF"), (b"GIF8", "a GIF"), (b"PK", "a ZIP archive"), (b"RIFF", "a WebP picture or a film"), (b"<svg", "a drawing (SVG)"),
        (b"{", "a text file"),
    ):  # fmt: skip
        if data.lstrip().startswith(start):
            return name
    return "a HEIC picture or a film" if data[4:8] == b"ftyp" else "some other file"


def _png(data: bytes) -> tuple[int, int] | None:
    if len(data) < 24 or data[12:16] != b"IHDR":
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """The largest frame that any of its headers claims."""
    at, largest = 2, None
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return largest
        mark = data[at + 1]
        if mark == 0xFF:
            at += 1
            continue
        if mark in (0xD9, 0xDA):  # the end, or the pixels themselves
            return largest
        if 0xD0 <= mark <= 0xD8 or mark == 0x01:
            at += 2
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if length < 2:
            return None
        if 0xC0 <= mark <= 0xCF and mark not in (0xC4, 0xC8, 0xCC) and at + 9 <= len(data):
            size = int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
            largest = max(largest or (0, 0), size, key=lambda s: s[0] * s[1])
        at += 2 + length
    return None
