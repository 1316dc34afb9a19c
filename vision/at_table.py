"""The camera as a guest at the table: what it sees becomes acts, questions and explanations there.

    camera = CameraAtTable(table)
    camera.eye = EyeProcess(factory, settings, camera.hear)
    table.subscribe(camera.follow); camera.start()

It works on a thread of its own: the table only drops its views here, and goes on.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping
from concurrent.futures import TimeoutError as TookTooLong
from itertools import count
from typing import Any, Protocol

from companion.acts import Act, Played, TookBack
from companion.events import BadInput, Move
from companion.ledger import HOST, Ledger
from companion.news import NORMAL, URGENT, Choice, News, Observed, View
from companion.notation import to_words
from companion.referee import ACCEPTED, describe, judge
from companion.table import Table
from companion.table_requests import DoAll, Notice
from vision import reports
from vision.pictures import Pictures
from vision.process import ANSWER
from vision.reports import Moves, Report, report_from_json
from vision.scene import scene_to_json

SOURCE = "camera"
PATIENCE = 30.0  # seconds for the table's answer
LOOKS = 5.0  # seconds for the watchdog's
STOPS = 5.0  # seconds to end what is under way
ANSWER_SECONDS = 3.0  # for the eye's answer to a page: it may be busy learning a board


class Line(Protocol):
    """The way to the eye's process."""

    def send(self, message: Mapping[str, Any]) -> None: ...


class CameraAtTable:
    def __init__(self, table: Table, eye: Line | None = None, pictures: Pictures | None = None) -> None:
        self.table, self.eye, self.pictures = table, eye, pictures
        self.is_on = True
        self._is_ending = False
        self.stands_right = 0  # the game whose pieces were seen to stand right before anything was played
        self._ids = count(1)
        self._answers: dict[int, queue.SimpleQueue[Mapping[str, Any]]] = {}
        self._inbox: queue.SimpleQueue[View | Mapping[str, Any] | None] = queue.SimpleQueue()
        self._sent: tuple[int, int] = (-1, -1)
        self._asked: Observed | None = None  # the last question with pictures, to be kept with its answer
        self._doubt: Observed | None = None  # what was asked of the players, until they answer
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    # --- from any thread ---

    def start(self) -> None:
        self._inbox.put(self.table.view)
        self._thread.start()

    def release(self) -> None:
        """The evening ends: whoever waits for the eye, or asks from now on, hears at once that it does not answer."""
        self._is_ending = True
        for waiting in tuple(self._answers.values()):
            waiting.put({"busy": True})

    def stop(self) -> None:
        self.release()
        self._inbox.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=STOPS)

    def follow(self, view: View, news: tuple[News, ...]) -> None:
        """A subscriber of the table."""
        self._inbox.put(view)

    def hear(self, report: Mapping[str, Any]) -> None:
        if report.get("kind") != ANSWER:
            self._inbox.put(report)
        elif waiting := self._answers.get(report.get("id", 0)):
            waiting.put(report)

    def ask(self, question: Mapping[str, Any], seconds: float = ANSWER_SECONDS) -> Mapping[str, Any]:
        """The eye's answer to a question of `vision.asking`; `{"busy": true}` if it has none in time."""
        if not self.is_on:
            return {"error": "The camera is off. Switch it on first."}
        return self._ask(question, seconds)

    def look_now(self) -> None:
        """The watchdog's round trip: a picture, asked for as a page asks for it; raises when the eye does not answer in time. That
        there is none to be had (switched off, unplugged) is an answer too."""
        if self.eye is None or self._ask({"do": "picture"}, LOOKS).get("busy"):
            raise TookTooLong("no answer from the eye's process")

    def _ask(self, question: Mapping[str, Any], seconds: float) -> Mapping[str, Any]:
        if self.eye is None:
            return {"error": "The camera does not run."}
        id, waiting = next(self._ids), queue.SimpleQueue[Mapping[str, Any]]()
        self._answers[id] = waiting
        try:
            if self._is_ending:
                return {"busy": True}
            self.eye.send({"ask": {**question, "id": id}})
            return waiting.get(timeout=seconds)
        except queue.Empty:
            return {"busy": True}
        finally:
            del self._answers[id]

    def switch(self, on: bool) -> None:
        """The off switch: here, in the eye's process, and for every picture that was kept."""
        self.is_on = on
        if self.pictures:
            self.pictures.off = not on
        if self.eye:
            self.eye.send({"camera": "on" if on else "off"})
        if not on:
            self.table.put(Notice(None))

    def read(self, name: str) -> bytes | None:
        """A picture that was kept; none while the camera is off."""
        return self.pictures.read(name) if self.pictures and self.is_on else None

    def pictures_of(self, game: int) -> Mapping[int, tuple[str, ...]]:
        """Names of the pictures before and after each act of a game, as far as there are any."""
        return self.pictures.of_game(game) if self.pictures and self.is_on else {}

    # --- on its own thread ---

    def _run(self) -> None:
        while True:
            item = self._inbox.get()
            latest: View | None = None
            while item is not None:
                if isinstance(item, View):
                    latest = item
                else:
                    self._take(item)
                if self._inbox.empty():
                    break
                item = self._inbox.get()
            if latest is not None:
                self._show(self.table.view)
            if item is None:
                return

    def _show(self, view: View) -> None:
        """Tell the eye what the table knows; a game that begins or goes on is set up first."""
        now = (view.game, view.version)
        if self.eye is None:
            return
        if self._doubt and view.observed is None:  # the players have looked: it stands right
            self.eye.send({"trust": list(self._doubt.spaces)})
        if view.observed is not self._doubt:
            self._doubt = None
        self._keep_with_answer(view)
        if now == self._sent:
            return
        set_up = view.ledger is not None and view.game != self._sent[0]
        self._sent = now
        scene = scene_to_json(view.ledger, view.version, view.game) if view.ledger else None
        self.eye.send({"scene": scene, "set_up": set_up})

    def _keep_with_answer(self, view: View) -> None:
        """The pictures of a question belong to the move that was its answer."""
        asked, self._asked = self._asked, view.observed if view.observed and view.observed.choices else None
        if not asked or view.observed or not view.ledger or not view.ledger.lines or not self.pictures:
            return
        line = view.ledger.lines[-1]
        if any(act == line.act for choice in asked.choices for _, act in choice.acts):
            self.pictures.note(view.game, line.number, asked.pictures)

    def _take(self, data: Mapping[str, Any]) -> None:
        view = self.table.view
        if not self.is_on:
            return
        try:
            ledger = view.ledger
            report = report_from_json(data, ledger.game, ledger.terms) if ledger else report_from_json(data)
        except (BadInput, KeyError, TypeError, ValueError):
            return  # not worth a word: the next look says it again
        if report.kind == reports.CAMERA:
            self._notice(report)
        elif view.ledger is not None and report.version == view.version:
            self._act(report, view.ledger)

    def _act(self, report: Report, ledger: Ledger) -> None:
        if report.kind == reports.MADE:
            self._do([(move.seat, Played(move, made=True)) for move in report.moves], report)
        elif report.kind == reports.TAKEN_BACK and (acts := _by_their_owners(ledger, report.back)):
            self._do(acts, report)
        else:
            self._notice(report, _choices(ledger, report))

    def _do(self, acts: list[tuple[str, Act]], report: Report) -> None:
        try:
            told = self.table.ask(DoAll(tuple(acts), SOURCE, report.version)).result(PATIENCE)
        except (BadInput, TookTooLong):
            return
        view = self.table.view
        if told.status == ACCEPTED and self.pictures and view.ledger:
            done = [act for _, act in acts]
            for line in view.ledger.lines[-len(acts) :]:
                if line.act in done:
                    self.pictures.note(view.game, line.number, report.pictures)
        if told.status == ACCEPTED and self.table.view.observed:
            self._doubt = None
            self.table.ask(Notice(None)).result(PATIENCE)

    def _notice(self, report: Report, choices: tuple[Choice, ...] = ()) -> None:
        observed = Observed(report.kind, report.text, choices, report.spaces or _spaces(report), report.pictures, report.citations, report.changes)
        if report.kind == reports.READY:
            self.stands_right = self.table.view.game
        stands = report.kind in (*reports.STANDING, reports.REMINDER, reports.TAKEN_BACK)
        self._doubt = observed if report.kind in (reports.DOUBTED, reports.UNSEEN) and report.spaces else None
        if report.text:
            self.table.ask(Notice(observed, URGENT if report.kind == reports.WRONG else NORMAL)).result(PATIENCE)
        if not stands:
            self.table.ask(Notice(None)).result(PATIENCE)


def _spaces(report: Report) -> tuple[str, ...]:
    return tuple(dict.fromkeys(space for c in report.changes for space in (c.start, c.to) if space))


def _by_their_owners(ledger: Ledger, to: int) -> list[tuple[str, Act]]:
    """Each takes back his own move, the last one first; empty if a roll or an act of the host lies between."""
    undone = [line for line in ledger.lines if line.number >= to]
    acts: list[tuple[str, Act]] = []
    for line in reversed(undone):
        if not isinstance(line.act, Played) or not isinstance(line.act.event, Move):
            return []
        acts.append((line.act.event.seat, TookBack(line.number)))
    return acts


# --- questions ---


def _choices(ledger: Ledger, report: Report) -> tuple[Choice, ...]:
    told = [_in_words(ledger, moves) for moves in report.choices]
    choices = []
    for moves, text in zip(report.choices, told, strict=True):
        if told.count(text) > 1:
            text = "; ".join(_move_in_words(ledger, move) for move in moves)
        choices.append(Choice(text, tuple((move.seat, Played(move, made=True)) for move in moves)))
    if report.back:
        back: tuple[tuple[str, Act], ...] = tuple(_by_their_owners(ledger, report.back)) or ((HOST, TookBack(report.back)),)
        choices.append(Choice(ledger.translate("It was taken back."), back))
    if report.kind in (reports.DOUBTED, reports.UNSEEN) and report.spaces:
        choices.append(Choice(ledger.translate("It stands right.")))
    elif choices:
        choices.append(Choice(ledger.translate("None of these.")))
    return tuple(choices)


def _move_in_words(ledger: Ledger, move: Move) -> str:
    """'Defender from d4 to c3', or with its own verb: 'Exchange …'."""
    text = to_words(ledger.game, ledger.terms, move, ledger.translate)
    verb = ledger.translate("move") + " "
    text = text.removeprefix(verb) if move.do == "move" and move.piece else text
    return text[:1].upper() + text[1:]


def _in_words(ledger: Ledger, moves: Moves) -> str:
    """What a hand does for the moves; where that is nothing, the game's own words."""
    state = ledger.state
    told: list[str] = []
    for move in moves:
        ruling = judge(ledger.game, state, move, ledger.translate)
        told += [describe(ledger.game, c, ledger.translate, ledger.terms.board) for c in ruling.changes] or ruling.said
        state = ruling.state
    return " ".join(told)
