"""The tags' data is OpenCV's own dictionary, and their places round a board are what the module says."""

from __future__ import annotations

import cv2
import pytest

from companion import tags


@pytest.mark.parametrize("tag", range(8))
def test_the_stored_bits_are_those_of_opencvs_dictionary(tag: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, tags.DICTIONARY))
    picture = cv2.aruco.generateImageMarker(dictionary, tag, 6, borderBits=1)
    assert sorted(tags.cells(tag)) == sorted((x, y) for y in range(6) for x in range(6) if picture[y][x] == 0)


@pytest.mark.parametrize("size", [(400, 355), (40, 40), (516.0, 446.0)])
def test_tags_lie_outside_the_board_and_clear_of_each_other(size: tuple[float, float]) -> None:
    places = tags.tag_corners(size)
    assert sorted(places) == list(range(8))
    for tag, ((x0, y0), _, (x1, y1), _) in places.items():
        assert (x1 - x0, y1 - y0) == (tags.TAG_MM, tags.TAG_MM)
        assert x1 <= -tags.QUIET_MM or y1 <= -tags.QUIET_MM or x0 >= size[0] + tags.QUIET_MM or y0 >= size[1] + tags.QUIET_MM
        for other, ((a0, b0), _, (a1, b1), _) in places.items():
            apart = max(a0 - x1, x0 - a1, b0 - y1, y0 - b1)
            assert tag == other or apart >= 2 * tags.QUIET_MM, "each tag has its own white round it"


def test_tags_go_clockwise_from_the_top_left() -> None:
    centre = {tag: (corners[0][0] + 15, corners[0][1] + 15) for tag, corners in tags.tag_corners((400, 300)).items()}
    assert centre == {
        0: (-20, -20), 1: (200, -20), 2: (420, -20), 3: (420, 150), 4: (420, 320), 5: (200, 320), 6: (-20, 320), 7: (-20, 150),
    }  # fmt: skip
