"""The rendered table: what it draws is where its truth says it is, and the same again for the same seed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from companion.board import Board, board_from_json
from companion.draw import placed as placed_outline
from companion.games import all_games, find_game
from companion.layout import Layout, Standing
from vision.rendered import (
    BUTTON,
    COIN,
    DISTURBANCES,
    Conditions,
    Hand,
    Mug,
    Pose,
    Scene,
    random_bump,
    random_conditions,
    random_hand,
    random_mug,
)
from vision.view import Array

SMALL = (640, 360)
# No noise, blur or compression: what is left is geometry.
CLEAN = Conditions(noise=0, blur=0, jpeg=0, flicker=0, vignette=0, art="modern", mess=0)
GAMES = sorted(all_games())


@cache
def start(game: str) -> tuple[Board, Layout]:
    rules = find_game(game)
    terms = rules.terms()
    return terms.board, rules.layout(rules.set_up(terms))


@cache
def dotted_board() -> Board:
    """A board whose only art is dark spaces on pale ground, so that a picture of it can be measured."""
    spots = [(40 + 80 * column, 40 + 80 * row) for column in range(4) for row in range(4)]
    data = {
        "game": "dots", "name": "dots", "title": ", a board without a printed name", "standing": "own copy",
        "size_mm": [320, 320], "art": {"dark": "#101010"},
        "spaces": [
            {"id": f"d{n}", "kinds": ["dark"], "standing": "own copy",
             "outline": [[x - 12, y - 12], [x + 12, y - 12], [x + 12, y + 12], [x - 12, y + 12]]}
            for n, (x, y) in enumerate(spots)
        ],
    }  # fmt: skip
    return board_from_json(data)


def small(conditions: Conditions) -> Conditions:
    return replace(conditions, size=SMALL)


def dark_middle(frame: Array, around: Array, reach: int) -> Array:
    """The middle of the dark blob near a pixel, weighted by how dark each pixel is."""
    x0, y0 = (np.round(around) - reach).astype(int)
    part = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)[y0 : y0 + 2 * reach + 1, x0 : x0 + 2 * reach + 1].astype(float)
    linear = (part / 255) ** 2.2
    border = np.concatenate([linear[0], linear[-1], linear[:, 0], linear[:, -1]])
    dark = np.clip(np.median(border) - linear - 0.08 * np.median(border), 0, None)
    y, x = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
    return np.array([(x * dark).sum(), (y * dark).sum()]) / dark.sum() + [x0, y0]


@pytest.mark.parametrize(
    "conditions",
    [
        CLEAN,
        replace(CLEAN, tilt=30, towards=250, turn=8),
        replace(CLEAN, curl=(1.2, 0.3, 0.6), crease=(90.0, 0.0, 2.0), tilt=15),
        replace(CLEAN, pose=Pose(25, -14, 17, with_tags=False)),
    ],
    ids=["from above", "tilted", "curled", "bumped"],
)
def test_spaces_appear_where_the_view_says(conditions: Conditions) -> None:
    board = dotted_board()
    picture = Scene(board, conditions, seed=3).draw(Layout(()))
    view = picture.truth.view
    for space in board.spaces.values():
        outline = np.array(space.outline)
        # The middle of the space's image, not the image of its middle: perspective makes them differ.
        grid = np.stack(np.meshgrid(*(np.linspace(outline[:, i].min(), outline[:, i].max(), 25) for i in (0, 1))), -1).reshape(-1, 2)
        weight = np.ones(len(grid))
        for i in (0, 1):
            weight[(grid[:, i] == outline[:, i].min()) | (grid[:, i] == outline[:, i].max())] *= 0.5
        seen = view.pixels(grid)
        steps = view.pixels(grid + [0.5, 0]) - seen, view.pixels(grid + [0, 0.5]) - seen
        weight *= np.abs(steps[0][:, 0] * steps[1][:, 1] - steps[0][:, 1] * steps[1][:, 0])
        expected = (seen * weight[:, None]).sum(0) / weight.sum()
        measured = dark_middle(picture.frame, expected, int(20 * view.scale(np.array(space.centre))))
        assert np.abs(measured - expected).max() < 0.3, space.id


def test_corners_of_the_board_are_where_the_truth_says() -> None:
    """Straight edges fitted to the picture of a pale board on a dark table cross at the true corners."""
    board = dotted_board()
    conditions = replace(CLEAN, tags=(), cloth="dark wood", tilt=12, turn=5, lens=(0.0, 0.0), thickness=0.3)
    picture = Scene(board, conditions, 4).draw(Layout(()))
    corners = picture.truth.corners.astype(float)
    bright = cv2.GaussianBlur(cv2.cvtColor(picture.frame, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
    lines = [_edge(bright, corners[i], corners[(i + 1) % 4]) for i in range(4)]
    for i in range(4):
        found = np.cross(lines[i - 1], lines[i])
        assert np.abs(found[:2] / found[2] - corners[i]).max() < 0.3


def _edge(bright: Array, start: Array, end: Array) -> Array:
    """The line along which brightness changes most, near the line from start to end, as homogeneous coefficients."""
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]])
    spots = []
    for t in np.linspace(0.1, 0.9, 60):
        offsets = np.arange(-4, 4.01, 0.25)
        at = (start + t * (end - start)) + offsets[:, None] * across
        profile = cv2.remap(bright, at[:, 0].astype(np.float32)[None], at[:, 1].astype(np.float32)[None], cv2.INTER_LINEAR)[0]
        change = np.abs(np.gradient(profile)) ** 2
        spots.append(start + t * (end - start) + (offsets * change).sum() / change.sum() * across)
    vx, vy, x, y = cv2.fitLine(np.array(spots, np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([-vy, vx, vy * x - vx * y])


@pytest.mark.parametrize("style", ["band", "loose", "underlay"])
def test_tags_are_found_where_the_truth_says(style: str) -> None:
    board, layout = start("siege")
    picture = Scene(board, replace(CLEAN, tag_style=style, tilt=10), seed=2).draw(layout)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    corners, ids, _ = detector.detectMarkers(picture.frame)
    assert ids is not None
    assert sorted(ids.ravel().tolist()) == list(range(8))
    for found, tag in zip(corners, ids.ravel().tolist(), strict=True):
        assert np.abs(found[0] - picture.truth.tags_px[tag]).max() < 0.6


def test_hidden_tags_are_not_seen_and_absent_ones_not_there() -> None:
    board, layout = start("siege")
    picture = Scene(board, replace(CLEAN, tags=(0, 1, 2, 3), hidden_tags=(1,)), seed=2).draw(layout)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    _, ids, _ = detector.detectMarkers(picture.frame)
    assert sorted(ids.ravel().tolist()) == [0, 2, 3]
    assert picture.truth.tags_hidden == (1,)
    assert sorted(picture.truth.tags) == [0, 1, 2, 3]


def test_tags_that_stay_behind_do_not_move_with_the_bumped_board() -> None:
    board, layout = start("siege")
    scene = Scene(board, small(CLEAN), seed=2)
    before = scene.draw(layout).truth
    stayed = scene.draw(layout, pose=Pose(40, 10, 20, with_tags=False)).truth
    moved = scene.draw(layout, pose=Pose(40, 10, 20)).truth
    assert np.abs(before.tags_px[0] - stayed.tags_px[0]).max() < 0.01
    assert np.abs(before.tags_px[0] - moved.tags_px[0]).max() > 5
    assert np.abs(before.corners - stayed.corners).max() > 5
    assert np.allclose(stayed.corners, moved.corners)


@pytest.mark.parametrize("game", ["fighting_marines", "royal_purple"])
def test_the_same_seed_gives_the_same_picture_and_another_seed_another(game: str) -> None:
    board, layout = start(game)
    conditions = small(random_conditions(5, "plain"))
    hand = Hand((100, 100), seed=2)
    first, again = Scene(board, conditions, 5), Scene(board, conditions, 5)
    first.draw(layout, step_seed=1)  # what was drawn before does not matter
    one, two = first.draw(layout, (hand,), step_seed=9), again.draw(layout, (hand,), step_seed=9)
    assert np.array_equal(one.frame, two.frame)
    assert one.truth.pieces == two.truth.pieces
    assert not np.array_equal(one.frame, first.draw(layout, (hand,), step_seed=10).frame)
    other = Scene(board, conditions, 6).draw(layout, step_seed=9)
    assert np.abs(one.frame.astype(int) - other.frame).mean() > 5


@pytest.mark.parametrize("disturbance", [*DISTURBANCES, "together"])
def test_every_disturbance_draws_a_readable_picture_of_the_whole_board(disturbance: str) -> None:
    board, layout = start("royal_game")
    for seed in (1, 2):
        conditions = random_conditions(seed, disturbance)
        assert conditions == random_conditions(seed, disturbance)
        picture = Scene(board, small(conditions), seed).draw(layout)
        assert picture.frame.shape == (360, 640, 3)
        assert picture.frame.dtype == np.uint8
        assert (picture.truth.corners > 0).all()
        assert (picture.truth.corners < np.array(SMALL)).all()
        assert 12 < picture.frame.mean() < 235


@pytest.mark.parametrize("game", GAMES)
def test_pieces_stand_in_their_spaces_and_are_seen_there(game: str) -> None:
    board, layout = start(game)
    scene = Scene(board, small(random_conditions(3, "plain")), 3)
    full, bare = scene.draw(layout), scene.draw(Layout((), layout.platform))
    change = np.abs(full.frame.astype(int) - bare.frame).max(2)
    for piece in full.truth.pieces:
        outline = np.array(placed_outline(board.spaces[piece.standing.space], full.truth.degrees or 0.0, board), np.float32)
        assert cv2.pointPolygonTest(outline, piece.at, False) >= 0, piece
        x, y = (round(v) for v in piece.px)
        assert change[y - 2 : y + 3, x - 2 : x + 3].max() > 8, piece


def test_a_piece_that_nobody_touches_stays_where_it_is() -> None:
    board, layout = start("royal_purple")
    scene = Scene(board, small(Conditions()), 8)
    before = scene.draw(layout, step_seed=1).truth.pieces
    moved = Layout((layout.standing[0]._replace(space="c4"), *layout.standing[1:]))
    after = scene.draw(moved, step_seed=2).truth.pieces
    assert [p.at for p in after[1:]] == [p.at for p in before[1:]]
    assert after[0].at != before[0].at


def test_a_piece_can_be_put_across_two_spaces() -> None:
    board, layout = start("siege")
    scene = Scene(board, small(CLEAN), 1)
    edge = (155.0, 312.0)
    piece = scene.draw(layout, at={0: edge}).truth.pieces[0]
    assert piece.at == edge
    assert np.abs(np.array(piece.px) - scene.view.pixels(np.array(edge))).max() < 0.01


def test_a_stack_stands_on_what_is_under_it() -> None:
    board, _ = start("royal_game")
    stack = Layout((Standing("red-disc", "T01", "", 0), Standing("red-disc", "T01", "", 1), Standing("blue-disc", "T05")))
    low, high, beside = Scene(board, small(CLEAN), 1).draw(stack).truth.pieces
    assert (low.height, beside.height) == (0.0, 0.0)
    assert high.height >= 4
    assert np.hypot(high.at[0] - low.at[0], high.at[1] - low.at[1]) < 3


def test_people_stack_a_prince_on_his_marker_or_put_it_beside_him() -> None:
    board, _ = start("royal_purple")
    spaces = ["c3", "d4", "e6", "g5", "h8", "i3", "b6", "f4", "j9", "e2"]
    pairs = Layout(tuple(s for id in spaces for s in (Standing("red-marker", id), Standing("red-prince", id, "", 1))))
    pieces = Scene(board, small(Conditions()), 5).draw(pairs).truth.pieces
    on_top = [prince.height > 0 for prince in pieces[1::2]]
    assert 0 < sum(on_top) < len(on_top)
    for marker, prince, stacked in zip(pieces[::2], pieces[1::2], on_top, strict=True):
        if not stacked:
            assert np.hypot(prince.at[0] - marker.at[0], prince.at[1] - marker.at[1]) > marker.radius + prince.radius - 1


def test_the_platform_turns_clockwise_and_carries_its_riders() -> None:
    board, _ = start("fighting_marines")
    scene = Scene(board, small(CLEAN), 1)
    rider = (Standing("red-private", "P05"), Standing("red-private", "B02"))
    at = {n: scene.draw(Layout(rider, n)).truth.pieces for n in (44, 11)}
    middle = np.array(board.size_mm) / 2
    before, after = (np.array(at[n][0].at) - middle for n in (44, 11))
    assert np.allclose(after, [-before[1], before[0]], atol=1e-6)  # a quarter turn; y runs down
    assert at[44][1].at == at[11][1].at
    assert at[44][0].height == scene.conditions.platform_thickness


def test_the_platform_may_stand_between_two_numbers() -> None:
    board, layout = start("fighting_marines")
    scene = Scene(board, small(CLEAN), 1)
    truth = scene.draw(layout, platform=13.5).truth
    assert truth.degrees == pytest.approx(13.5 * 360 / 44)


def test_a_turned_platform_shows_its_spaces_where_the_turned_outlines_lie() -> None:
    """The pale arrow space against the ring: its middle is brightest where the outline says."""
    board, layout = start("fighting_marines")
    scene = Scene(board, replace(CLEAN, platform_thickness=0.0), 2)
    space = next(s for s in board.spaces.values() if "arrow" in s.kinds)
    for number in (0, 7.25, 30):
        picture = scene.draw(Layout((), layout.platform), platform=number)
        assert picture.truth.degrees is not None
        base = scene.draw(Layout((), layout.platform), platform=number + 5)
        change = np.abs(picture.frame.astype(int) - base.frame).max(2)
        outline = picture.truth.view.pixels(np.array(placed_outline(space, picture.truth.degrees, board)))
        mask = np.zeros(change.shape, np.uint8)
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 1)
        assert change[mask > 0].mean() > 15  # something else stands there five numbers on


def test_hands_and_mugs_cover_what_lies_under_them() -> None:
    board, layout = start("royal_purple")
    scene = Scene(board, Conditions(), 4)
    bare = scene.draw(layout)
    assert set(bare.truth.covered) == set(board.spaces)
    assert not any(bare.truth.covered.values())
    mug = scene.draw(layout, (Mug(board.spaces["f6"].centre),))
    assert mug.truth.covered["f6"] > 0.9
    assert mug.truth.covered["a1"] == 0
    hand = scene.draw(layout, (Hand(board.spaces["e6"].centre, side=180),))
    assert hand.truth.covered["e3"] > 0.7
    assert hand.truth.covered["e9"] == 0
    for picture in (mug, hand):
        change = np.abs(picture.frame.astype(int) - bare.frame).max(2)
        for id, part in picture.truth.covered.items():
            if part > 0.95:
                x, y = np.round(bare.truth.view.pixels(np.array(board.spaces[id].centre))).astype(int)
                assert change[y - 4 : y + 5, x - 4 : x + 5].mean() > 10, id


def test_a_moving_hand_is_smeared() -> None:
    board, layout = start("siege")
    scene = Scene(board, small(CLEAN), 4)
    still = scene.draw(layout, (Hand((200, 150)),)).frame
    moving = scene.draw(layout, (Hand((200, 150), motion=(60, 0)),)).frame
    assert cv2.Laplacian(moving, cv2.CV_32F).var() < cv2.Laplacian(still, cv2.CV_32F).var()


def test_what_lies_about_on_the_table_stays_when_the_board_is_bumped() -> None:
    board, layout = start("siege")
    scene = Scene(board, replace(small(CLEAN), clutter=8, fill=0.5), 4)
    bare = Scene(board, replace(small(CLEAN), clutter=0, fill=0.5), 4)
    pose = Pose(10, 5, 3, with_tags=False)
    litter = [np.abs(a.draw(layout, pose=p).frame.astype(int) - b.draw(layout, pose=p).frame).max(2) > 12 for a, b, p in
              ((scene, bare, Pose(with_tags=False)), (scene, bare, pose))]  # fmt: skip
    assert litter[0].sum() > 60
    assert (litter[0] & litter[1]).sum() > 0.8 * litter[0].sum()


def test_random_bumps_hands_and_mugs_repeat_and_keep_to_their_limits() -> None:
    board, layout = start("siege")
    for seed in range(20):
        bump = random_bump(seed, 40, 30)
        assert bump == random_bump(seed, 40, 30)
        assert np.hypot(bump.dx, bump.dy) <= 40
        assert abs(bump.degrees) <= 30
        assert random_hand(seed, board.size_mm) == random_hand(seed, board.size_mm)
        assert random_mug(seed, board.size_mm) == random_mug(seed, board.size_mm)
    for seed in (1, 2, 3):
        conditions = small(random_conditions(seed, "bump"))
        corners = Scene(board, conditions, seed).draw(layout, pose=random_bump(seed)).truth.corners
        assert (corners > 0).all()
        assert (corners < np.array(SMALL)).all()


def test_a_camera_may_be_given_as_a_view() -> None:
    board, layout = start("siege")
    view = Scene(board, small(random_conditions(3, "tilt")), 1).view
    given = Scene(board, replace(CLEAN, view=view), 1).draw(layout)
    assert given.truth.view == view
    assert given.frame.shape == (SMALL[1], SMALL[0], 3)


def test_a_camera_may_be_hung_at_a_given_height() -> None:
    board, _ = start("siege")
    low, high = (Scene(board, replace(small(CLEAN), height=height, tilt=20), 1).view for height in (600, 1200))
    middle = np.array(board.size_mm) / 2
    assert low.scale(middle) == pytest.approx(2 * high.scale(middle), rel=0.02)


def test_lost_pieces_may_be_replaced_and_unknown_games_get_discs() -> None:
    board, layout = start("royal_purple")
    plain = Scene(board, small(CLEAN), 1).draw(layout)
    other = Scene(board, small(CLEAN), 1, piece_bodies={"prince": BUTTON, "princess": COIN}).draw(layout)
    assert not np.array_equal(plain.frame, other.frame)
    odd = Layout((Standing("zeppelin", "c3"), Standing("zeppelin", "c5", "up")))
    assert len(Scene(board, small(CLEAN), 1).draw(odd).truth.pieces) == 2


def test_a_longer_exposure_is_brighter_and_a_warm_lamp_redder() -> None:
    board, layout = start("siege")

    def colours(conditions: Conditions) -> Array:
        return np.asarray(Scene(board, small(conditions), 1).draw(layout).frame.reshape(-1, 3).mean(0))

    plain = random_conditions(1, "plain")
    usual = colours(plain)
    assert colours(random_conditions(1, "bright")).mean() > usual.mean() + 15
    assert colours(random_conditions(1, "dark")).mean() < usual.mean() - 15
    warm, cool = colours(random_conditions(1, "warm")), colours(random_conditions(1, "cool"))
    assert warm[2] / warm[0] > 1.3 * usual[2] / usual[0] > 1.3 * cool[2] / cool[0]
