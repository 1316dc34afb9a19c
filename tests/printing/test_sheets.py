"""Printed sheets, scanned back: true size, complete, with every tag in its place."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from companion import tags
from companion.events import BadInput
from companion.game import Game
from companion.games import all_games, find_game
from companion.layout import Layout
from companion.printing.board import board_drawing, board_pdf
from companion.printing.cards import cards_pdf
from companion.printing.contents import contents
from companion.printing.frame import frame_pdf, strips
from companion.printing.paper import MARGIN, OVERLAP, PAPERS, Drawing, cut_lengths
from companion.printing.pen import Pen, text_width, wrapped
from companion.printing.pieces import counters, pieces_pdf
from tests.printing.scan import find_tags, longest_dark_line, page_sizes, put_together, scan, texts

GAMES = list(all_games().values())
by_name = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
PER_MM = 3.0


def in_one_piece(drawing: Drawing) -> Any:
    """The same drawing on a page as large as itself."""
    pen = Pen("whole")
    pen.page(drawing.width, drawing.height)
    drawing.draw(pen)
    picture = scan(pen.done(), PER_MM)[0]
    return picture[: round(drawing.height * PER_MM), : round(drawing.width * PER_MM)]


@pytest.mark.slow
@by_name
@pytest.mark.parametrize("paper", PAPERS)
def test_the_sheets_of_a_board_glue_to_the_whole_board_with_every_tag_in_its_place(game: Game, paper: str) -> None:
    board = game.board()
    drawing = board_drawing(board)
    whole = put_together(board_pdf(board, paper), drawing, paper, PER_MM)
    one = in_one_piece(drawing)
    height, width = min(whole.shape[0], one.shape[0]), min(whole.shape[1], one.shape[1])
    # Half a pixel's blur at edges is all that gluing may change: no strip is missing or comes from elsewhere.
    differs = cv2.blur(cv2.absdiff(whole[:height, :width], one[:height, :width]), (7, 7)).max(axis=2) > 110
    assert differs.mean() < 0.001
    found = find_tags(whole)
    assert sorted(found) == list(range(8))
    for tag, corners in tags.tag_corners(board.size_mm).items():
        in_mm = found[tag] / PER_MM - tags.BAND_MM
        assert np.abs(in_mm - np.array(corners)).max() < 0.35, f"tag {tag} is off its place"


def test_a_missing_strip_would_be_noticed() -> None:
    board = find_game("siege").board()
    drawing = board_drawing(board)
    one = in_one_piece(drawing)
    shifted = np.roll(one, round(OVERLAP * PER_MM), axis=1)
    assert (cv2.blur(cv2.absdiff(shifted, one), (7, 7)).max(axis=2) > 110).mean() > 0.001


@pytest.mark.parametrize(("paper", "size"), PAPERS.items())
def test_pages_have_the_papers_size_upright_or_across(paper: str, size: tuple[float, float]) -> None:
    game = find_game("siege")
    for pdf in (board_pdf(game.board(), paper), cards_pdf(game, paper), pieces_pdf(game, paper), frame_pdf((400, 355), paper)):
        for page in page_sizes(pdf):
            assert page in (pytest.approx(size, abs=0.02), pytest.approx(size[::-1], abs=0.02))


@pytest.mark.parametrize("paper", PAPERS)
def test_the_check_line_on_every_page_is_100_mm(paper: str) -> None:
    game = find_game("siege")
    for pdf in (board_pdf(game.board(), paper), cards_pdf(game, paper), pieces_pdf(game, paper), frame_pdf((400, 355), paper)):
        for page in scan(pdf, 10):
            foot = page[-120:]  # the last 12 mm: the board ends above them
            assert longest_dark_line(foot) == pytest.approx(1000, abs=4)


@by_name
def test_a_reconstructed_board_says_so(game: Game) -> None:
    for with_tags in (True, False):
        printed = " ".join(texts(board_pdf(game.board(), "A3", with_tags)))
        assert ("reconstruction" in printed) == (game.board().standing == "reconstruction")


@by_name
def test_every_space_is_named_on_the_printed_board(game: Game) -> None:
    board = game.board()
    printed = "\n".join(texts(board_pdf(board, "A4")))
    missing = [s.id for s in board.spaces.values() if s.id not in printed and s.name not in printed]
    assert missing == []


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", [(400.0, 355.0), (480.0, 480.0), (120.0, 700.0), (41.0, 41.0)])
def test_every_tag_is_whole_on_exactly_one_strip_and_keeps_its_distance_to_the_ends(paper: str, size: tuple[float, float]) -> None:
    seen: dict[int, int] = {}
    for page in scan(frame_pdf(size, paper), 5):
        for tag, corners in find_tags(page).items():
            seen[tag] = seen.get(tag, 0) + 1
            sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) / 5
            assert sides == pytest.approx([tags.TAG_MM] * 4, abs=0.3)
    assert seen == dict.fromkeys(range(8), 1)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_strips_of_a_side_glued_together_have_the_length_of_the_side(paper: str) -> None:
    for size in ((400.0, 355.0), (1200.0, 90.0), (60.0, 2000.0)):
        length: dict[str, float] = {}
        for strip in strips(size, paper):
            side = strip.name.split()[1]
            length[side] = length.get(side, OVERLAP) + strip.height - OVERLAP
        above, beside = size[0] + 2 * tags.BAND_MM, size[1]
        assert length == pytest.approx({"top": above, "bottom": above, "left": beside, "right": beside})


def test_a_strip_is_never_cut_through_a_tag() -> None:
    pieces = cut_lengths(500, 200, [(0, 40), (180, 220), (460, 500)])
    assert pieces[0][1] == 180
    assert all(end - start <= 200 for start, end in pieces)
    assert pieces[0][0] == 0
    assert pieces[-1][1] == 500


@by_name
def test_a_card_carries_rules_of_the_rulebook_with_their_numbers(game: Game) -> None:
    printed = " ".join(" ".join(texts(cards_pdf(game, "A4"))).split())
    ids = [id for part in contents(game).card for id in part.rules]
    assert len(ids) >= 10
    assert len(ids) == len(set(ids))
    assert [id for id in ids if id not in printed] == []


@by_name
def test_the_piece_sheet_has_every_piece_that_can_stand_on_the_board(game: Game) -> None:
    kinds = {kind.name: kind for kind in contents(game).pieces}
    for variant in game.variants:
        for players in variant.players:
            layout: Layout = game.layout(game.set_up(game.terms(variant.name, players)))
            for piece in layout.standing:
                kind = kinds[piece.piece]
                assert kind.count >= sum(p.piece == piece.piece for p in layout.standing)
                assert piece.face in kind.faces
    assert len(counters(game)) == sum(kind.count * len(kind.faces) for kind in kinds.values())


@by_name
def test_pieces_fit_on_the_spaces_of_the_board(game: Game) -> None:
    smallest = min(space.area for space in game.board().spaces.values()) ** 0.5
    assert all(kind.mm < smallest for kind in contents(game).pieces)


def test_a_counter_is_as_wide_as_it_says() -> None:
    page = scan(pieces_pdf(find_game("siege"), "A4"), 10)[0]
    knight = page[round(MARGIN * 10) : round((MARGIN + 30) * 10), round((MARGIN - 3) * 10) : round((MARGIN + 33) * 10)]
    dark_columns = np.flatnonzero((cv2.cvtColor(knight, cv2.COLOR_BGR2GRAY) < 200).any(axis=0))
    assert (dark_columns[-1] - dark_columns[0]) / 10 == pytest.approx(30, abs=0.4)


def test_the_same_board_gives_the_same_bytes() -> None:
    board = find_game("siege").board()
    assert board_pdf(board, "A4") == board_pdf(board, "A4")


def test_a_word_that_is_wider_than_its_line_is_cut() -> None:
    lines = wrapped("short " + "x" * 300, 3, 40)
    assert "".join(lines).replace(" ", "") == "short" + "x" * 300
    assert all(text_width(line, 3) <= 40 for line in lines)


def test_paper_too_short_for_a_strip_is_refused_with_the_reason() -> None:
    with pytest.raises(BadInput, match="choose larger paper"):
        cut_lengths(500, 45, [(0, 40), (40, 80)])
