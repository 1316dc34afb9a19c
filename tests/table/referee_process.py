"""A referee in a process of its own, to be killed: a table with a real journal, a die on a terminal, and buttons on mock pins.

    python -m tests.table.referee_process JOURNAL PORT GAME VARIANT

Every line it prints was durable before: `due WHAT SEQUENCE` tells what is asked for now. It takes `move SEED` and `press` on
standard input. PORT is a serial port, or `gpio`.
"""

from __future__ import annotations

import sys
import threading
from random import Random

from gpiozero.pins.mock import MockFactory

from companion.acts import Agreed, Played
from companion.dice.gpio import GpioDice, GpioPins
from companion.dice.serial_port import SerialDice
from companion.games import find_game
from companion.journal import Journal
from companion.news import News, View
from companion.table import Do, Resume, Start, Table

ROLL_PIN = 17


def due_now(view: View) -> str:
    ledger = view.ledger
    if ledger is None or ledger.must_agree:
        return "wait"
    if ledger.outcome:
        return "over"
    due = ledger.due
    if any(d.what == "move" and not d.optional for d in due):
        return "move"
    return "roll" if any(d.what == "roll" for d in due) else "move"


def main(journal: str, port: str, game: str, variant: str) -> None:
    printing = threading.Lock()

    def tell(view: View, _: tuple[News, ...]) -> None:
        with printing:
            print("due", due_now(view), view.version, flush=True)

    table = Table(Journal.open(journal))
    factory = MockFactory()
    gpio = GpioDice(table.put, GpioPins(roll={"": ROLL_PIN}), factory=factory, settle=0.001)
    dice = gpio if port == "gpio" else SerialDice(table.put, ports=[port])

    def follow(view: View, _: tuple[News, ...]) -> None:
        rolls = [d for d in view.ledger.due if d.what == "roll"] if view.ledger else []
        if rolls:
            dice.set_due(len(rolls[0].dice))

    table.subscribe(follow)
    table.subscribe(tell)
    with table, dice:
        games = table.journal.games()
        if games and games[-1].state == "finished":  # killed after the last move, before anybody could be told
            print("due over", 0, flush=True)
            sys.stdin.read()
            return
        if games:
            table.ask(Resume()).result()
        else:
            fewest = min(find_game(game).variant(variant).players)  # a short game: the kills are the point
            table.ask(Start({"game": game, "variant": variant, "seats": fewest})).result()
        assert table.view.ledger
        for seat in table.view.ledger.must_agree:
            table.ask(Do(Agreed(seat), seat, "phone:test")).result()
        for line in sys.stdin:
            word, _, rest = line.strip().partition(" ")
            if word == "move" and table.view.ledger and (moves := table.view.ledger.legal_moves()):
                move = Random(rest).choice(moves)
                table.ask(Do(Played(move), move.seat, "phone:test")).result()
            elif word == "press":
                pin = factory.pin(ROLL_PIN)
                pin.drive_low()
                threading.Event().wait(0.004)  # a finger is slower than the contact's rest of 1 ms
                pin.drive_high()
                threading.Event().wait(0.004)  # and so is the next finger: a release of no time is a bounce


if __name__ == "__main__":
    main(*sys.argv[1:])
