"""Computer players at a table: they throw, move the pieces through whatever hands they are given, and answer what the camera asks.

    players = Players(table, hands, throw, humans=lambda: {"red"})
    players.begin("siege")          # a new game; `players.join()` lets them take the empty seats of the game that runs
    players.leave()                 # they stop; the game stays

They know nothing that a person at the table would not: what the table shows, and what they themselves want to do. A move is made on the
board, never told: the camera has to see it. Only where it says nothing for a long time do they tap it, as people would.
A seat that somebody takes is his; he moves on his phone, and the hands put the pieces as he said.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from random import Random
from typing import Protocol

from companion.acts import Act, Agreed, Played, Voted
from companion.demonstration.choices import attempt, choose, layout_after
from companion.events import BadInput, Event, Move, Roll
from companion.games import find_game
from companion.layout import Layout, changes
from companion.ledger import Ledger
from companion.news import News, Observed, View
from companion.referee import SILENT
from companion.rulebook import ASK
from companion.table import Abandon, Do, Rolled, Start, Table
from companion.table_requests import Choose

SOURCE = "demonstration"
READY = "ready"  # the kind of what a camera says when all pieces stand right, as in vision.reports
USUAL = "royal_game"
PATIENCE = 20.0  # seconds for the table's answer
STOPS = 5.0  # seconds to end what they are doing
WRONG = 0.15  # how often something is tried, before a move, that the rules refuse
BETWEEN = 3  # moves at least between two of these
THINKS = 1.0  # seconds before somebody acts
SEES = 14.0  # seconds for the camera to see a move before it is tapped
LEAST = 6.0  # of these, however fast they play: the eye is no faster for it
SETTLES = 60.0  # seconds for the camera to say that all pieces stand right, before anybody plays
EXPLAINS = 9.0  # seconds that a wrong move stands, so that all can read what is wrong with it
PRESSES = 6.0  # seconds for somebody to press the die that is here, before the players throw their own


class Hands(Protocol):
    """Whoever moves the pieces on the real or rendered board."""

    def put(self, layout: Layout, seat: str, at_once: bool = False) -> None: ...


Throw = Callable[[int], tuple[int, ...] | None]


class Players:
    """One thread that plays every seat that no human holds. `pace` 2 is twice as fast."""

    def __init__(
        self, table: Table, hands: Hands, throw: Throw, humans: Callable[[], Collection[str]] = tuple, pace: float = 1.0,
        chance: Random | None = None, waits_for_die: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        self.table, self.hands, self.throw, self.humans, self.pace = table, hands, throw, humans, pace
        self.chance = chance or Random()
        self.waits_for_die = waits_for_die
        self.on = False
        self.changed: Callable[[], None] = lambda: None  # called when they begin or stop
        self._news = threading.Condition()
        self._count = 0
        self._stop = threading.Event()
        self._stands: tuple[int, Layout] | None = None  # what the hands were told last, and for which game
        self._ready = 0  # the game whose pieces the camera has seen to stand right
        self._asked: Observed | None = None
        self._moves = 0  # since something wrong was tried
        self._thread = threading.Thread(target=self._run, name="players", daemon=True)
        table.subscribe(self._hear)

    # --- from any thread ---

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._wake()
        if self._thread.is_alive():
            self._thread.join(STOPS)

    def begin(self, name: str = USUAL, position: dict[str, object] | None = None) -> str:
        """A new game for computer players; why not, if it cannot be."""
        game = find_game(name or USUAL)
        ledger = self.table.view.ledger
        told = self.table.ask(Start({"game": game.name}, position, instead=bool(ledger and ledger.outcome))).result(PATIENCE)
        if told.status != "accepted":
            return " ".join(told.why)
        self.join()
        return ""

    def join(self) -> None:
        """Take the empty seats of the game that runs."""
        self.on = True
        self._wake()
        self.changed()

    def leave(self, end_game: bool = False) -> None:
        self.on = False
        self._wake()
        if end_game and self.table.view.ledger:
            self.table.ask(Abandon("the demonstration was ended")).result(PATIENCE)
        self.changed()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that they play now."""
        ledger = self.table.view.ledger
        if not self.on or ledger is None:
            return ()
        held = set(self.humans())
        return tuple(seat for seat in ledger.present if seat not in held)

    def _hear(self, view: View, news: tuple[News, ...]) -> None:
        if view.observed and view.observed.kind == READY:
            self._ready = view.game
        self._wake()

    def _wake(self) -> None:
        with self._news:
            self._count += 1
            self._news.notify_all()

    # --- on their own thread ---

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                if not self._turn():
                    self._wait(1.0)
            except (BadInput, TimeoutError):
                self._wait(1.0)

    def _wait(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Until this is so, or the time is over, or all is."""
        end = time.monotonic() + seconds
        while not self._stop.is_set() and not until():
            with self._news:
                count, left = self._count, end - time.monotonic()
                if left <= 0:
                    return until()
                self._news.wait_for(lambda before=count: self._count != before, min(left, 0.5))  # type: ignore[misc]
        return until()

    def _think(self, seconds: float) -> bool:
        """A pause in which nothing may happen; False: something did, look again."""
        version = self.table.view.version
        self._wait(seconds / self.pace, lambda: self.table.view.version != version or not self.on)
        return self.table.view.version == version and self.on

    def _turn(self) -> bool:
        """One thing that a player does; False while there is nothing."""
        view = self.table.view
        ledger = view.ledger
        if ledger is None:
            self._stands = None
            return False
        self._tidy(view.game, ledger)
        seats = self.seats
        if not self.on or not seats or ledger.paused:
            return False
        if ledger.outcome:
            self.leave()
            return False
        if agreeing := [seat for seat in ledger.must_agree if seat in seats]:
            return self._do(Agreed(agreeing[0]), agreeing[0])
        if ledger.must_agree:
            return False
        if self._ready != view.game:  # as people do, they wait until the camera has seen the set-up; but not for ever
            self._wait(SETTLES, lambda: self._ready == view.game or self._is_past(view) or self._answer_camera(view, seats))
            self._ready = view.game
            return True
        if self._answer_camera(view, seats):
            return True
        if not self._think(THINKS):
            return True
        if self._moves >= BETWEEN and self.chance.random() < WRONG and (bad := attempt(ledger, seats, self.chance)):
            self._moves = 0
            return self._try(view, bad.move, bad.layout)
        event = choose(ledger, seats, self.chance)
        if isinstance(event, Roll):
            return self._throw(view, event.seat)
        self._moves += 1
        return event is not None and self._move(view, ledger, event)

    def _tidy(self, game: int, ledger: Ledger) -> None:
        """The pieces stand as the table says: set up for a new game, and wherever somebody moved by phone."""
        layout = ledger.game.layout(ledger.state)
        if self._stands is None or self._stands[0] != game:
            self._put(game, layout, "", at_once=True)
        elif changes(self._stands[1], layout):
            act = ledger.lines[-1].act if ledger.lines else None
            self._put(game, layout, act.event.seat if isinstance(act, Played) else "")

    def _put(self, game: int, layout: Layout, seat: str, at_once: bool = False) -> None:
        self._stands = (game, layout)
        self.hands.put(layout, seat, at_once)

    def _do(self, act: Act, seat: str) -> bool:
        told = self.table.ask(Do(act, seat, SOURCE)).result(PATIENCE)
        if told.status == SILENT and told.answer and told.answer.ruling:
            self._vote([reading.name for reading in told.answer.ruling.readings])
        return told.status == "accepted"

    def _vote(self, readings: Collection[str]) -> None:
        """The leaflet does not decide: each player votes for the reading that is usual."""
        for name in readings:
            for seat in self.seats:
                ledger = self.table.view.ledger
                if ledger and ledger.terms.readings[name] == ASK:
                    self._do(Voted(seat, name, ledger.game.rulebook.reading(name).default), seat)

    # --- dice ---

    def _throw(self, view: View, seat: str) -> bool:
        if self.waits_for_die() and self._wait(PRESSES / self.pace, lambda: self._is_past(view)):
            return True
        due = next((d for d in view.ledger.due if d.what == "roll" and d.seat == seat), None) if view.ledger else None
        if due is None or self._is_past(view):
            return True
        faces = self.throw(len(due.dice))
        if faces is None:  # a die was pressed: its roll comes by itself
            return self._wait(3.0, lambda: self._is_past(view))
        self.table.ask(Rolled(faces, seat, SOURCE)).result(PATIENCE)
        return True

    def _is_past(self, view: View) -> bool:
        return self.table.view.version != view.version or not self.on

    # --- moves ---

    def _move(self, view: View, ledger: Ledger, event: Event) -> bool:
        """Make it on the board and let the camera see it; what leaves no trace there is said by a tap."""
        assert isinstance(event, Move)
        after = layout_after(ledger, event)
        if after is None or not changes(ledger.game.layout(ledger.state), after):
            return self._do(Played(event), event.seat)
        self._put(view.game, after, event.seat)
        self._wait(max(SEES / self.pace, LEAST), lambda: self._is_past(view) or self._answer_camera(view, (event.seat,), event))
        if self._is_past(view):
            return True
        return self._do(Played(event), event.seat)

    def _try(self, view: View, move: Move, stands: Layout) -> bool:
        """Make a move that the rules refuse, hear the referee out, and put it back."""
        assert view.ledger
        self._put(view.game, stands, move.seat)
        self._wait(SEES, lambda: self._is_past(view) or self.table.view.observed is not None)
        if not self._is_past(view):
            self._wait(EXPLAINS / self.pace, lambda: self._is_past(view))
        ledger = self.table.view.ledger
        if ledger:
            self._put(view.game, ledger.game.layout(ledger.state), move.seat)
            self._wait(SEES, lambda: self._is_past(view) or self.table.view.observed is None)
        return True

    # --- what the camera asks ---

    def _answer_camera(self, view: View, seats: Collection[str], meant: Move | None = None) -> bool:
        """As a person would, by tapping: what was meant, or that all stands right."""
        observed = self.table.view.observed
        if observed is None or not observed.choices or observed is self._asked:
            return False
        answers = [number for number, choice in enumerate(observed.choices) if self._is_mine(choice.acts, seats, meant)]
        if not answers:
            return False
        self._asked = observed
        self._wait(THINKS / self.pace)
        seat = meant.seat if meant else next(iter(seats))
        told = self.table.ask(Choose(answers[0], observed.text, seat, SOURCE)).result(PATIENCE)
        return told.status == "accepted"

    @staticmethod
    def _is_mine(acts: Collection[tuple[str, Act]], seats: Collection[str], meant: Move | None) -> bool:
        if meant is None:
            return not acts  # nothing was moved: it stands right
        return [act.event for _, act in acts if isinstance(act, Played)] == [meant]


__all__ = ["SOURCE", "USUAL", "Hands", "Players"]
