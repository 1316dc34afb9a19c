"""The loop: still or moving, found or lost, said once or not at all, with pictures or without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.events import BadInput, Move, Roll
from companion.games import find_game
from companion.layout import Layout
from tests.vision.fakes import FRAME, Evening, World, table
from tests.vision.made_up import play, visible_moves
from vision import reports
from vision.lookout import Lookout, calibration_of
from vision.marks import contents
from vision.pictures import Pictures, small_jpeg
from vision.reports import Report, report_from_json
from vision.scene import scene_from_json, scene_of, scene_to_json
from vision.watch import AT_ONCE, Watcher

SIEGE = {"to_move": "attacker", "knights": ["d2", "f2"], "defenders": ["c5", "e5"], "commander": "d6"}


@pytest.fixture
def world() -> World:
    game = find_game("siege")
    return table(game, game.terms(), SIEGE)


def legal(world: World) -> Move:
    return visible_moves(world.ledger.game, world.ledger.state)[0]


def make(world: World, move: Move) -> None:
    """Somebody moves a piece on the board; the table does not know yet."""
    game = world.ledger.game
    world.layout = game.layout(play(game, world.ledger.state, (move,)))


def misplace(world: World) -> None:
    """A Knight stands where no Knight can go."""
    world.layout = Layout(tuple(s._replace(space="d3") if s.space == "d2" else s for s in world.layout.standing))


def kinds(told: list[Report]) -> list[str]:
    return [report.kind for report in told]


def test_a_board_that_stands_right_is_looked_at_twice_and_then_only_now_and_then(world: World) -> None:
    evening = Evening(world)
    assert evening.watch(1) == []
    assert world.looks == 2
    assert evening.watch(60) == []
    assert world.looks < 25


def test_a_move_is_told_once_and_again_only_if_the_table_does_not_answer(world: World) -> None:
    evening = Evening(world)
    evening.watch(1)
    move = legal(world)
    make(world, move)
    world.still = False
    assert evening.watch(2) == []
    world.still = True
    told = evening.watch(5)
    assert kinds(told) == [reports.MADE]
    assert told[0].moves == (move,)
    assert kinds(evening.watch(10)) == [reports.MADE]
    world.play(move)
    evening.show()
    assert evening.watch(30) == []


def test_nothing_is_decided_while_something_moves(world: World) -> None:
    evening = Evening(world)
    misplace(world)
    world.still = False
    assert evening.watch(60) == []
    assert world.looks == 0


def test_a_wrong_move_is_explained_after_two_looks_and_accepted_as_soon_as_it_is_put_right(world: World) -> None:
    evening = Evening(world)
    right = world.layout
    misplace(world)
    assert evening.watch(0.2) == []
    told = evening.watch(30)
    assert kinds(told) == [reports.WRONG]
    assert told[0].citations
    assert "Knight was moved from d2 to d3" in told[0].text
    assert "Move the Knight from d3 to d2." in told[0].text
    world.layout = right
    assert kinds(evening.watch(2)) == [reports.PUT_RIGHT]


def discolour(world: World) -> None:
    """One Defender looks like a Knight: a fault on one space only."""
    world.layout = Layout(tuple(s._replace(piece="knight") if s.space == "c5" else s for s in world.layout.standing))


def test_what_looks_wrong_on_one_space_only_is_asked_about_and_nobody_is_accused(world: World) -> None:
    evening = Evening(world)
    discolour(world)
    told = evening.watch(20)
    assert kinds(told) == [reports.DOUBTED]
    assert told[0].spaces == ("c5",)
    assert told[0].text.startswith("Please look at c5, I may be mistaken.")


def test_a_doubt_that_was_spoken_of_does_not_freeze_the_game(world: World) -> None:
    evening = Evening(world)
    discolour(world)
    evening.watch(5)
    move = legal(world)
    make(world, move)
    discolour(world)
    told = evening.watch(5)
    assert [report.moves for report in told if report.kind == reports.MADE] == [(move,)]


def test_a_space_that_the_players_vouch_for_is_right_until_it_changes(world: World) -> None:
    evening = Evening(world)
    discolour(world)
    evening.watch(5)
    evening.watcher.trust(["c5"])
    assert evening.watch(30) == []
    world.layout = Layout(tuple(s for s in world.layout.standing if s.space != "c5"))
    assert kinds(evening.watch(30)) in ([reports.DOUBTED], [reports.UNFINISHED])


def test_what_was_seen_to_stand_right_is_confirmed_to_the_eye(world: World) -> None:
    evening = Evening(world)
    evening.watch(2)
    assert world.confirmed[-1] == contents(world.layout)
    count = len(world.confirmed)
    world.hidden = frozenset({"a3"})
    evening.watch(20)
    assert len(world.confirmed) == count


def test_a_wrong_move_that_becomes_a_legal_one_is_simply_made(world: World) -> None:
    evening = Evening(world)
    misplace(world)
    assert kinds(evening.watch(5)) == [reports.WRONG]
    make(world, legal(world))
    assert kinds(evening.watch(2)) == [reports.MADE]


def test_nobody_is_accused_while_a_hand_lies_on_the_board(world: World) -> None:
    evening = Evening(world)
    misplace(world)
    world.hidden = frozenset({"a3", "b3"})
    told = evening.watch(30)
    assert kinds(told) == [reports.UNSEEN]
    assert told[0].spaces


def test_a_resting_hand_is_mentioned_only_when_it_hides_something_and_stays(world: World) -> None:
    evening = Evening(world)
    world.hidden = frozenset({"a3", "b3"})
    assert evening.watch(60) == []
    make(world, legal(world))
    world.hidden = frozenset({legal(world).to})
    assert evening.watch(3) == []
    assert kinds(evening.watch(10)) == [reports.UNSEEN]
    world.hidden = frozenset()
    assert kinds(evening.watch(3)) == [reports.MADE]


def test_a_mug_that_stays_does_not_stop_the_game_beside_it(world: World) -> None:
    evening = Evening(world)
    move = legal(world)
    free = [s for s in world.ledger.terms.board.spaces if s not in (move.start, move.to)]
    world.hidden = frozenset(free[-1:])
    make(world, move)
    assert reports.MADE in kinds(evening.watch(20))


def test_a_piece_in_the_hand_gets_time_before_anybody_speaks_of_it(world: World) -> None:
    evening = Evening(world)
    world.layout = Layout(tuple(s for s in world.layout.standing if s.space != "d2"))
    assert evening.watch(5) == []
    told = evening.watch(10)
    assert kinds(told) == [reports.UNFINISHED]
    assert "The Knight on d2 is gone." in told[0].text


def test_a_bumped_board_is_found_again_and_all_is_said_to_stand(world: World) -> None:
    evening = Evening(world)
    evening.watch(1)
    world.still = False
    evening.watch(1)
    world.bump()
    world.still = True
    assert kinds(evening.watch(5)) == [reports.BUMPED, reports.FOUND]
    assert world.acquired == 1
    assert evening.watch(20) == []


def test_after_a_bump_pieces_that_slid_are_named_and_nobody_is_told_off(world: World) -> None:
    evening = Evening(world)
    right = world.layout
    world.bump()
    misplace(world)
    told = evening.watch(10)
    assert kinds(told) == [reports.BUMPED, reports.SET_UP]
    assert "Move the Knight from d3 to d2." in told[1].text
    assert told[1].citations == ()
    world.layout = right
    assert kinds(evening.watch(3)) == [reports.FOUND]


def test_a_piece_that_slid_onto_a_legal_place_is_not_taken_for_a_move(world: World) -> None:
    evening = Evening(world)
    world.bump()
    make(world, legal(world))
    assert reports.MADE not in kinds(evening.watch(20))


def test_whoever_plays_on_after_a_bump_is_watched_again_as_before(world: World) -> None:
    evening = Evening(world)
    world.bump()
    discolour(world)  # the eye takes a Defender for a Knight, and will go on doing so
    assert kinds(evening.watch(10)) == [reports.BUMPED, reports.SET_UP]
    tapped = legal(world)
    make(world, tapped)
    world.play(tapped)
    evening.show()
    discolour(world)
    evening.watch(10)
    seen = legal(world)
    make(world, seen)
    discolour(world)
    told = [report for report in evening.watch(10) if report.kind == reports.MADE]
    assert [report.moves for report in told] == [(seen,)]


def test_a_lost_board_is_said_once_with_what_to_do(world: World) -> None:
    evening = Evening(world)
    evening.watch(1)
    world.still = False
    evening.watch(1)
    world.still, world.lost = True, "the picture is black: switch on a lamp"
    told = evening.watch(30)
    assert kinds(told) == [reports.LOST]
    assert told[0].text == "The picture is black: switch on a lamp."
    world.lost = ""
    make(world, legal(world))
    assert kinds(evening.watch(5)) == [reports.MADE]


def test_setting_up_says_what_is_missing_until_all_stands_right(world: World) -> None:
    right = world.layout
    world.layout = Layout(right.standing[2:])
    evening = Evening(world, set_up=True)
    told = evening.watch(5)
    assert kinds(told) == [reports.SET_UP]
    assert told[0].text.count("Put a") == 2
    world.layout = Layout(right.standing[1:])
    assert [report.text.count("Put a") for report in evening.watch(5)] == [1]
    world.layout = right
    assert kinds(evening.watch(5)) == [reports.READY]
    assert evening.watch(20) == []


def test_nothing_counts_as_a_move_before_all_has_stood_right(world: World) -> None:
    evening = Evening(world, set_up=True)
    make(world, legal(world))
    assert kinds(evening.watch(10)) == [reports.SET_UP]


def test_a_takeback_is_told_as_one(world: World) -> None:
    evening = Evening(world)
    before, move = world.layout, legal(world)
    make(world, move)
    evening.watch(2)
    world.play(move)
    evening.show()
    evening.watch(2)
    world.layout = before
    told = evening.watch(5)
    assert kinds(told) == [reports.TAKEN_BACK]
    assert told[0].back == 1


def royal_purple_after_a_move() -> tuple[World, Move]:
    """A Prince has moved to a square that he may mark; the next player has not thrown."""
    game = find_game("royal_purple")
    terms = game.terms()
    world = table(game, terms)
    number = 0
    while True:
        rolls = [due for due in world.ledger.due if due.what == "roll"]
        moves = [m for m in world.ledger.legal_moves() if m.do == "move"]
        marks = [m for m in world.ledger.legal_moves() if m.do == "mark"]
        if marks and world.ledger.lines:
            world.layout = game.layout(world.ledger.state)
            return world, marks[0]
        number += 1
        world.play(moves[0] if moves else Roll(rolls[0].seat, (number % 6 + 1,) * len(rolls[0].dice)))


def test_a_forgotten_marker_is_reminded_of_once_before_the_next_player_starts() -> None:
    world, mark = royal_purple_after_a_move()
    evening = Evening(world)
    assert evening.watch(2) == []
    told = evening.watch(60)
    assert kinds(told) == [reports.REMINDER]
    assert (mark,) in told[0].choices
    assert told[0].text
    make(world, mark)
    world.still = False
    evening.watch(1)
    world.still = True
    assert [report.moves for report in evening.watch(2)] == [(mark,)]


def test_a_recorded_picture_needs_no_patience(world: World) -> None:
    evening = Evening(world, AT_ONCE)
    misplace(world)
    assert kinds(evening.watch(0.4)) == [reports.WRONG]


def test_while_the_game_rests_nothing_is_looked_at(world: World) -> None:
    world.ledger = world.ledger.__class__(**{**vars(world.ledger), "paused": True})
    evening = Evening(world)
    misplace(world)
    assert evening.watch(10) == []
    assert world.looks == 0


def test_at_the_end_it_says_what_is_not_on_the_board(world: World) -> None:
    evening = Evening(world)
    evening.watch(1)
    (report,) = evening.watcher.packing_up()
    assert report.kind == reports.PACKING
    assert "2 × Knight" in report.text


# --- pictures and the off switch ---


def test_every_ruling_keeps_its_two_pictures(world: World, tmp_path: Path) -> None:
    pictures = Pictures(tmp_path)
    evening = Evening(world, pictures=pictures)
    evening.watch(1)
    make(world, legal(world))
    world.still = False
    evening.watch(1)
    world.still = True
    (report,) = evening.watch(2)
    assert report.pictures == ("1/000001-before.jpg", "1/000001-after.jpg")
    assert all((pictures.read(name) or b"").startswith(b"\xff\xd8") for name in report.pictures)


def test_when_the_camera_is_off_nothing_is_looked_at_kept_or_shown(world: World, tmp_path: Path) -> None:
    pictures = Pictures(tmp_path)
    kept = pictures.keep(1, 1, b"before", b"after")
    evening = Evening(world, pictures=pictures)
    evening.watcher.switch(False)
    misplace(world)
    assert evening.watch(30) == []
    assert world.looks == 0
    assert pictures.read(kept[0]) is None
    assert pictures.keep(1, 2, b"before", b"after") == ()
    assert evening.watcher.packing_up() == []
    evening.watcher.switch(True)
    assert kinds(evening.watch(5)) == [reports.WRONG]
    assert pictures.read(kept[0]) == b"before"


def test_pictures_never_take_more_room_than_allowed_and_the_oldest_go_first(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path, most_bytes=5000)
    for number in range(1, 31):
        pictures.keep(number // 10, number, b"x" * 300, b"y" * 300)
    left = sorted(path.name for path in tmp_path.rglob("*.jpg"))
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.jpg")) <= 5000
    assert left[-1] == "000030-before.jpg"
    assert len(left) == 16
    assert pictures.last_ruling(3) == 30
    assert not (tmp_path / "0").exists()


@pytest.mark.parametrize("name", ["../secret.jpg", "1/../../secret-after.jpg", "/etc/passwd", "1/000001-after.png", ""])
def test_a_picture_name_cannot_lead_elsewhere(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret.jpg").write_bytes(b"x")
    (tmp_path / "kept").mkdir()
    assert Pictures(tmp_path / "kept").read(name) is None


def test_a_disk_that_refuses_pictures_does_not_stop_the_game(world: World, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    evening = Evening(world, pictures=Pictures(tmp_path / "file"))
    make(world, legal(world))
    assert kinds(evening.watch(2)) == [reports.MADE]


def test_kept_pictures_are_small() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (1080, 1920, 3), np.uint8)
    assert len(small_jpeg(noise)) < 200_000
    assert small_jpeg(FRAME).startswith(b"\xff\xd8")


# --- as JSON ---


@pytest.mark.parametrize("name", ["siege", "royal_purple", "royal_game", "kop_the_kaiser", "fighting_marines"])
def test_a_scene_arrives_in_the_other_process_as_it_was_sent(name: str) -> None:
    game = find_game(name)
    world = table(game, game.terms())
    while len(world.ledger.lines) < 12:
        moves, rolls = world.ledger.legal_moves(), [due for due in world.ledger.due if due.what == "roll"]
        world.play(moves[0] if moves else Roll(rolls[0].seat, (len(world.ledger.lines) % 6 + 1,) * len(rolls[0].dice)))
    sent = scene_of(world.ledger, 7, 3)
    arrived = scene_from_json(scene_to_json(world.ledger, 7, 3))
    assert game.position(arrived.state) == game.position(sent.state)
    assert (arrived.version, arrived.number, arrived.mover, arrived.past) == (7, 3, sent.mover, sent.past)


def test_a_report_arrives_as_it_was_sent(world: World) -> None:
    move = legal(world)
    sent = Report(reports.ASKED, "Which?", 3, (move,), ((move,), ()), 2, (), ("d4",), ("SG-09",), 7.5, ("1/000001-after.jpg",))
    game, terms = world.ledger.game, world.ledger.terms
    assert report_from_json(sent.to_json(), game, terms) == sent


# --- one camera, any board ---


def test_a_lookout_without_a_calibration_says_so_once_and_the_game_goes_on(world: World, tmp_path: Path) -> None:
    lookout = Lookout(lambda board: (_ for _ in ()).throw(BadInput("run companion calibrate")))
    lookout.show(scene_of(world.ledger, 1, 1))
    assert kinds(lookout.frame(FRAME, 1.0)) == [reports.CAMERA]
    assert lookout.frame(FRAME, 2.0) == []
    assert lookout.packing_up() == []
    with pytest.raises(BadInput, match="companion calibrate siege"):
        calibration_of(tmp_path, world.ledger.terms.board)


def test_a_lookout_makes_one_watcher_for_each_board_and_keeps_the_off_switch(world: World) -> None:
    made: list[Watcher] = []

    def make_one(board: Any) -> Watcher:
        made.append(Watcher(world, world, world, world.view))
        return made[-1]

    lookout = Lookout(make_one)
    lookout.switch(False)
    lookout.show(scene_of(world.ledger, 1, 1))
    lookout.show(scene_of(world.ledger, 2, 1))
    assert len(made) == 1
    assert made[0].is_off
    lookout.switch(True)
    misplace(world)
    told = [kind for number in range(10) for kind in kinds(lookout.frame(FRAME, number * 0.5))]
    assert told == [reports.WRONG]
