"""The eye in its own process, and the camera as a guest at the table: moves, questions, accidents, and the off switch."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.acts import Agreed, Played, TookBack
from companion.events import Move
from companion.game import terms_to_json
from companion.games import find_game
from companion.journal import Journal
from companion.layout import Layout
from companion.ledger import ACCEPTED, REFUSED
from companion.news import SEEN, News, View
from companion.table import Table
from companion.table_requests import Choose, Do, Start
from tests.vision.fake_eye import show, write
from tests.vision.made_up import play, visible_moves
from vision import reports
from vision.at_table import CameraAtTable
from vision.pictures import Pictures
from vision.process import EyeProcess, serve
from vision.reports import Report

SIEGE = {"to_move": "attacker", "knights": ["d2", "f2"], "defenders": ["c5", "e5"], "commander": "d6"}
LONG = 60.0  # seconds of patience on a busy machine


def until(is_so: Callable[[], Any], what: str = "") -> Any:
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        if got := is_so():
            return got
        time.sleep(0.02)
    raise AssertionError(f"it did not come to pass: {what or is_so}")


class Room:
    """A table with a game of Siege, everybody agreed, and what was said."""

    def __init__(self, journal: Path) -> None:
        self.table = Table(Journal.open(journal))
        self.news: list[News] = []
        self.table.subscribe(lambda view, news: self.news.extend(news))
        self.game = find_game("siege")

    def begin(self) -> None:
        terms = self.game.terms()
        self.table.ask(Start(terms_to_json(terms), SIEGE)).result(LONG)
        for seat in terms.seats:
            self.table.ask(Do(Agreed(seat), seat)).result(LONG)

    @property
    def view(self) -> View:
        return self.table.view

    @property
    def ledger(self) -> Any:
        assert self.view.ledger
        return self.view.ledger

    def layout_after(self, *moves: Move) -> Layout:
        return self.game.layout(play(self.game, self.ledger.state, moves))

    def told(self, kind: str = SEEN) -> list[str]:
        return [news.text for news in self.news if news.kind == kind]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path / "journal")
    with room.table:
        yield room


class Heard(list[Mapping[str, Any]]):
    """The line to an eye that is not there: what it would have been told."""

    def send(self, message: Mapping[str, Any]) -> None:
        self.append(message)


@pytest.fixture
def camera(room: Room, tmp_path: Path) -> Iterator[CameraAtTable]:
    camera = CameraAtTable(room.table, Heard(), Pictures(tmp_path / "pictures"))
    room.table.subscribe(camera.follow)
    room.begin()
    camera.start()
    yield camera
    camera.stop()


def legal(room: Room) -> Move:
    return visible_moves(room.game, room.ledger.state)[0]


# --- at the table, without a process ---


def test_a_move_that_the_camera_saw_is_played_by_its_seat(room: Room, camera: CameraAtTable) -> None:
    move = legal(room)
    camera.hear(Report(reports.MADE, version=room.view.version, moves=(move,)).to_json())
    until(lambda: room.ledger.lines)
    line = room.ledger.lines[0]
    assert line.act == Played(move, made=True)
    assert line.by == "attacker"


def test_the_eye_is_told_of_every_change_and_asked_to_help_setting_up_once(room: Room, camera: CameraAtTable) -> None:
    heard = camera.eye
    assert isinstance(heard, Heard)
    until(lambda: any("scene" in message and message["scene"] for message in heard))
    move = legal(room)
    camera.hear(Report(reports.MADE, version=room.view.version, moves=(move,)).to_json())
    until(lambda: heard[-1]["scene"]["mover"] == "attacker")
    assert [message["set_up"] for message in heard if message["scene"]].count(True) == 1
    assert heard[-1]["scene"]["version"] == room.view.version


def test_what_the_camera_saw_of_an_older_table_is_dropped(room: Room, camera: CameraAtTable) -> None:
    move = legal(room)
    camera.hear(Report(reports.MADE, version=room.view.version - 1, moves=(move,)).to_json())
    camera.hear(Report(reports.PUT_RIGHT, "Thank you.", room.view.version).to_json())
    until(lambda: "Thank you." in room.told())
    assert not room.ledger.lines


@pytest.mark.parametrize("nonsense", [{}, {"kind": "made", "version": "x"}, {"kind": "made", "moves": [{"seat": "nobody"}]}, {"kind": 3}])
def test_nonsense_from_the_eye_changes_nothing(nonsense: dict[str, Any], room: Room, camera: CameraAtTable) -> None:
    camera.hear({"version": room.view.version} | nonsense)
    camera.hear(Report(reports.READY, "All pieces stand right.", room.view.version).to_json())
    until(lambda: "All pieces stand right." in room.told())
    assert not room.ledger.lines


def test_a_question_can_be_answered_from_a_phone_by_whoever_moved(room: Room, camera: CameraAtTable) -> None:
    first, second = visible_moves(room.game, room.ledger.state)[:2]
    version = room.view.version
    camera.hear(Report(reports.ASKED, "Which was it?", version, choices=((first,), (second,))).to_json())
    observed = until(lambda: room.view.observed)
    assert [choice.text for choice in observed.choices][-1] == "None of these."
    assert len({choice.text for choice in observed.choices}) == 3
    assert room.view.version == version  # a question makes nobody's move stale
    refused = room.table.ask(Choose(1, observed.text, "defender")).result(LONG)
    assert refused.status == REFUSED
    told = room.table.ask(Choose(1, observed.text, "attacker")).result(LONG)
    assert told.status == ACCEPTED
    assert room.ledger.lines[0].act.event == second
    assert room.view.observed is None


@pytest.mark.parametrize(("choice", "text"), [(5, "Which was it?"), (-1, "Which was it?"), (0, "Something else?")])
def test_an_answer_to_another_question_is_stale(choice: int, text: str, room: Room, camera: CameraAtTable) -> None:
    camera.hear(Report(reports.ASKED, "Which was it?", room.view.version, choices=((legal(room),),)).to_json())
    until(lambda: room.view.observed)
    assert room.table.ask(Choose(choice, text)).result(LONG).status == "stale"


def test_something_wrong_stands_on_the_phones_until_it_is_put_right(room: Room, camera: CameraAtTable) -> None:
    report = Report(reports.WRONG, "The Knight was moved.", room.view.version, citations=("SG-09",), pictures=("1/000001-after.jpg",))
    camera.hear(report.to_json())
    observed = until(lambda: room.view.observed)
    assert (observed.kind, observed.citations, observed.pictures) == ("wrong", ("SG-09",), ("1/000001-after.jpg",))
    assert "The Knight was moved." in room.told()
    camera.hear(Report(reports.PUT_RIGHT, "Thank you.", room.view.version).to_json())
    until(lambda: "Thank you." in room.told() and room.view.observed is None)


def test_a_player_may_vouch_for_a_space_that_the_camera_doubts(room: Room, camera: CameraAtTable) -> None:
    camera.hear(Report(reports.DOUBTED, "Please look at c5.", room.view.version, spaces=("c5",)).to_json())
    observed = until(lambda: room.view.observed)
    assert [choice.text for choice in observed.choices] == ["It stands right."]
    assert room.table.ask(Choose(0, observed.text, "defender")).result(LONG).status == ACCEPTED
    heard = camera.eye
    assert isinstance(heard, Heard)
    until(lambda: {"trust": ["c5"]} in heard)


def test_moves_that_are_taken_back_on_the_board_are_taken_back_by_their_owners(room: Room, camera: CameraAtTable) -> None:
    moves = [legal(room)]
    camera.hear(Report(reports.MADE, version=room.view.version, moves=(moves[0],)).to_json())
    until(lambda: len(room.ledger.lines) == 1)
    moves.append(legal(room))
    camera.hear(Report(reports.MADE, version=room.view.version, moves=(moves[1],)).to_json())
    until(lambda: len(room.ledger.lines) == 2)
    camera.hear(Report(reports.TAKEN_BACK, "That was taken back.", room.view.version, back=1).to_json())
    until(lambda: not room.ledger.lines)


def test_a_takeback_over_an_act_of_the_host_is_left_to_the_host(room: Room, camera: CameraAtTable) -> None:
    position = room.game.position(room.ledger.state)
    from companion.acts import Corrected

    room.table.ask(Do(Corrected(position, "to be sure"))).result(LONG)
    camera.hear(Report(reports.TAKEN_BACK, "That was taken back.", room.view.version, back=1).to_json())
    observed = until(lambda: room.view.observed)
    assert observed.choices[0].acts == (("host", TookBack(1)),)
    assert len(room.ledger.lines) == 1


def test_the_off_switch_silences_the_camera_everywhere(room: Room, camera: CameraAtTable) -> None:
    assert camera.pictures
    name = camera.pictures.keep(1, 1, b"before", b"after")[0]
    camera.switch(False)
    assert camera.pictures.read(name) is None
    assert isinstance(camera.eye, Heard)
    assert {"camera": "off"} in camera.eye
    camera.hear(Report(reports.MADE, version=room.view.version, moves=(legal(room),)).to_json())
    camera.stop()
    assert not room.ledger.lines
    camera.switch(True)
    assert camera.pictures.read(name) == b"before"


# --- with a real process ---


@pytest.fixture
def eye(room: Room, tmp_path: Path) -> Iterator[tuple[CameraAtTable, Path]]:
    """A camera whose process reads from a file what stands on the board."""
    file = tmp_path / "board.json"
    camera = CameraAtTable(room.table)
    process = EyeProcess("tests.vision.fake_eye:make", {"file": str(file), "pictures": str(tmp_path / "kept")}, camera.hear, pause=0.05)
    camera.eye = process
    room.table.subscribe(camera.follow)
    camera.start()
    process.start()
    yield camera, file
    process.stop()
    camera.stop()


def test_moves_on_the_board_arrive_in_the_journal(room: Room, eye: tuple[CameraAtTable, Path]) -> None:
    _, file = eye
    room.begin()
    until(lambda: "All pieces stand right." in room.told())
    for number in range(1, 4):
        show(file, room.layout_after(legal(room)))
        until(lambda number=number: len(room.ledger.lines) == number)
    entries = [e for e in room.table.journal.events(room.view.game) if e.kind == "played"]
    assert [entry.source for entry in entries] == ["camera"] * 3


def test_an_eye_that_dies_is_started_again_and_the_game_goes_on(room: Room, eye: tuple[CameraAtTable, Path]) -> None:
    camera, file = eye
    room.begin()
    until(lambda: "All pieces stand right." in room.told())
    write(file, {"die": True})
    until(lambda: file.with_suffix(".died").exists())
    move = legal(room)
    told = room.table.ask(Do(Played(move), move.seat)).result(LONG)  # by phone meanwhile
    assert told.status == ACCEPTED
    until(lambda: any("started again" in text for text in room.told()))
    show(file, room.game.layout(room.ledger.state))
    show(file, room.layout_after(legal(room)))
    until(lambda: len(room.ledger.lines) == 2)
    assert isinstance(camera.eye, EyeProcess)
    assert camera.eye.starts >= 2


def test_an_eye_that_cannot_start_says_why(tmp_path: Path) -> None:
    heard: list[Mapping[str, Any]] = []
    process = EyeProcess("tests.vision.fake_eye:make", {"trouble": "no camera is plugged in"}, heard.append, pause=5)
    process.start()
    until(lambda: any(report.get("text") == "no camera is plugged in" for report in heard))
    process.stop()
    assert not process._thread.is_alive()


def test_stopping_ends_the_process(tmp_path: Path) -> None:
    process = EyeProcess("tests.vision.fake_eye:make", {"file": str(tmp_path / "board.json")}, lambda report: None)
    process.start()
    until(lambda: process.process)
    process.stop()
    assert process.process
    assert process.process.poll() is not None


class _Unplugged:
    """A source without a picture, that says why, until the table hangs up."""

    missing = "camera 9 is not there"

    def read(self) -> None:
        return None

    def close(self) -> None:
        pass


def test_a_camera_that_is_not_there_is_told_once() -> None:
    said: list[Any] = []
    hung_up = threading.Event()

    def lines() -> Iterator[str]:
        hung_up.wait(20)
        yield from ()

    def hear(report: Any) -> None:
        said.append(report)
        hung_up.set()

    serve(lambda settings: (_Unplugged(), None), {}, lines(), hear)  # type: ignore[arg-type, return-value]
    assert [report["text"] for report in said] == ["camera 9 is not there"]
