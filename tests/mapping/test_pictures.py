"""Pictures from which no board can be mapped are refused with what to do; those from which one can are taken (synthetic)."""

from __future__ import annotations

import struct
import zlib
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from companion.events import BadInput
from companion.mapping.picture import picture_size
from tests.mapping.old_boards import old, photograph
from vision.mapping import Draughtsman
from vision.rendered import Picture


@cache
def photo(game: str = "siege", number: int = 0) -> Picture:
    return photograph(old(game, number))


def jpeg(frame: Any, quality: int = 90) -> bytes:
    return bytes(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def why_not(data: bytes) -> str:
    with pytest.raises(BadInput) as refused:
        Draughtsman().accept(data)
    return str(refused.value)


def test_a_good_picture_is_taken_and_its_corners_are_suggested() -> None:
    frame, true = photo().frame, np.array(photo().truth.corners)
    kept, corners, notes = Draughtsman().accept(jpeg(frame))
    assert notes == []
    assert np.abs(np.array(corners) * (frame.shape[1], frame.shape[0]) - true - 0.5).max() < 4
    assert picture_size(kept) == (frame.shape[1], frame.shape[0])


def test_a_larger_picture_is_kept_smaller() -> None:
    kept, corners, _ = Draughtsman().accept(jpeg(cv2.resize(photo().frame, None, fx=2, fy=2)))
    assert max(picture_size(kept)) == 2400
    assert corners


def test_blurred() -> None:
    assert "blurred; hold the camera still" in why_not(jpeg(cv2.GaussianBlur(photo().frame, (0, 0), 9)))


def test_shaken() -> None:
    shaken = cv2.blur(photo().frame, (41, 1))
    assert "blurred" in why_not(jpeg(cv2.blur(shaken, (1, 21))))


@pytest.mark.parametrize("cut", ["left", "top"])
def test_cut_off(cut: str) -> None:
    frame, corners = photo().frame, np.array(photo().truth.corners)
    middle = int(corners[:, 0].min() + 60) if cut == "left" else int(corners[:, 1].min() + 60)
    said = why_not(jpeg(frame[:, middle:] if cut == "left" else frame[middle:]))
    assert "cut off; step back" in said or "all four corners in view" in said


def test_glare() -> None:
    frame = photo().frame.astype(np.float32)
    x, y = np.array(photo().truth.corners).mean(0)
    rows, columns = np.mgrid[: frame.shape[0], : frame.shape[1]]
    shine = 420 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 190.0**2))
    assert "a lamp glares" in why_not(jpeg(np.clip(frame + shine[..., None], 0, 255).astype(np.uint8)))


def test_no_board_in_it() -> None:
    chance = np.random.default_rng(3)
    cloth = cv2.GaussianBlur(chance.normal(0, 60, (900, 1200, 3)).astype(np.float32), (0, 0), 1.5)
    assert "no board is seen" in why_not(jpeg(np.clip(120 + 2 * cloth, 0, 255).astype(np.uint8)))


def test_a_covered_lens() -> None:
    assert "black or blank" in why_not(jpeg(np.full((900, 1200, 3), 4, np.uint8)))


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says that it is huge."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))  # noqa: E731
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")


def test_a_hundred_megapixels_are_not_unpacked() -> None:
    assert "100 megapixels are too many; set the camera to 12" in why_not(bomb(10_000, 10_000))
    assert "megapixels are too many" in why_not(bomb(2**31 - 1, 2**31 - 1))


def test_a_second_header_that_says_it_is_small_deceives_nobody() -> None:
    small = bytearray(jpeg(np.full((450, 500, 3), 140, np.uint8)))
    at = small.index(b"\xff\xc0")
    huge = bytearray(small[at : at + 19])
    huge[5:9] = struct.pack(">HH", 30_000, 30_000)
    assert "megapixels are too many" in why_not(bytes(small[:at] + huge + small[at:]))


OTHERS = {
    "a PDF": b"%PDF-1.7\n" + bytes(500), "a ZIP archive": b"PK\x03\x04" + bytes(500), "a GIF": b"GIF89a" + bytes(500),
    "a text file": b'{"a": 1}', "a drawing (SVG)": b"<svg xmlns='http://www.w3.org/2000/svg'/>", "some other file": bytes(500),
    "a HEIC picture or a film": b"\x00\x00\x00\x18ftypheic" + bytes(500), "a WebP picture or a film": b"RIFF" + bytes(500),
}  # fmt: skip


@pytest.mark.parametrize("what", OTHERS)
def test_a_file_that_is_only_called_a_picture(what: str) -> None:
    said = why_not(OTHERS[what])
    assert f"this is {what}, not a picture" in said
    assert "take a photo, or choose a JPEG or PNG file" in said


@pytest.mark.parametrize("keep", [4, 30, 160])
def test_a_picture_that_broke_off(keep: int) -> None:
    said = why_not(jpeg(np.full((450, 500, 3), 140, np.uint8))[:keep])
    assert "take it again" in said or "take the picture again" in said


def test_too_small_and_too_many_bytes() -> None:
    assert "only 200 × 150 pixels; take it larger" in why_not(jpeg(np.full((150, 200, 3), 140, np.uint8)))
    assert "larger than 12 MB" in why_not(b"\xff\xd8\xff" + bytes(12_000_001))
