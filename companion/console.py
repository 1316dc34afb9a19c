"""The table by keyboard: everything a host and players can do, typed. Complete without camera and phones.

A line is either a roll or a move (`roll 5`, `red: move …`, or the number of a listed move), or one of the words in HELP.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.acts import Agreed, Corrected, Decided, Left, LetStand, Paused, Played, Skipped, TookBack, Voted
from companion.dice.events import ButtonPressed
from companion.events import BadInput, Event, Roll, brief, dice_from_json
from companion.game import Game, parse_json
from companion.games import all_games, find_game
from companion.ledger import ACCEPTED, HOST, SILENT, Ledger
from companion.notation import from_text, to_text
from companion.referee import Ruling, describe
from companion.rulebook import ASK
from companion.table import Abandon, Do, Resume, Rolled, SaveAgain, Start, Table, Told

HELP = """\
  start GAME [VARIANT] [SEATS]   begin a game            resume [NUMBER]         go on with a game of the history
  agree [SEAT]                   agree to the card       card                    the house rules in force
  roll 5 | roll 3 4              tell what dice showed   throw                   let the companion throw
  3 | red: move …                a move, by number or in words                   list    all legal moves
  may red: move …                would that be legal?    was 12                  was number 12 legal?
  back [NUMBER]                  take back               record                  what happened so far
  vote SEAT READING VALUE        vote on an unclear rule decide READING VALUE    the host's casting vote
  skip SEAT   leave SEAT         pass over; gone         pause   go on           rest
  correct FILE   stand FILE      put the position right by hand; let a refused move stand (FILE: the position as JSON)
  repeat                         say it again            save                    try again to save
  end                            end without a winner    quit                    leave; the game is kept"""


class Console:
    def __init__(self, table: Table, throw: Callable[[int], tuple[int, ...] | None]) -> None:
        """`throw` gives the faces of so many dice, or None where a die was pressed whose roll comes by itself."""
        self.table = table
        self.throw = throw
        self._last_refused: Event | None = None

    def line(self, text: str) -> list[str]:
        """Do what a line says; what is to be shown comes back. Nonsense is answered, never raised."""
        text = text.strip()[:2000]
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        try:
            command = getattr(self, f"_do_{word}", None) if word.isalpha() else None
            if command:
                return list(command(rest))
            return self._event(text)
        except BadInput as error:
            return [str(error)]

    # --- games ---

    def _do_help(self, rest: str) -> list[str]:
        return HELP.splitlines()

    def _do_start(self, rest: str) -> list[str]:
        words = rest.split()
        if not words:
            return ["Which? " + ", ".join(all_games())]
        game = find_game(words[0])
        terms: dict[str, object] = {"game": game.name, "readings": self._house_rules(game)}
        for word in words[1:]:
            if word.isdecimal() and len(word) < 3:
                terms["seats"] = int(word)
            elif word in {v.name for v in game.variants}:
                terms["variant"] = word
            else:
                terms["seats"] = word.split(",")
        told = self.table.ask(Start(terms)).result()
        return self._told(told) or self._do_card("")

    def _house_rules(self, game: Game) -> dict[str, str]:
        known = {r.name: r for r in game.rulebook.readings}
        kept = self.table.journal.house_rules(game.name)
        return {name: value for name, value in kept.items() if name in known and value in known[name].values}

    def _do_resume(self, rest: str) -> list[str]:
        return self._told(self.table.ask(Resume(_number(rest) if rest else 0)).result())

    def _do_end(self, rest: str) -> list[str]:
        return self._told(self.table.ask(Abandon(rest or "ended by agreement")).result())

    def _do_save(self, rest: str) -> list[str]:
        self.table.ask(SaveAgain()).result()
        return [self.table.view.trouble or "Everything is saved."]

    # --- the card ---

    def _do_card(self, rest: str) -> list[str]:
        lines = ["House rules in force (those that matter most; 'card all' shows every one):"]
        for reading, value in self.ledger.card():
            if rest == "all" or reading.impact == "high" or value != reading.default:
                meaning = "not decided: the table will be asked" if value == ASK else reading.values[value]
                lines.append(f"  {reading.name} = {value}: {meaning}")
        if self.ledger.must_agree:
            lines.append("Type 'agree' for everybody, or 'agree SEAT'.")
        return lines

    def _do_agree(self, rest: str) -> list[str]:
        seats = (self._seat(rest),) if rest else self.ledger.must_agree
        return [line for seat in seats for line in self._told(self.table.ask(Do(Agreed(seat), HOST)).result())]

    def _do_vote(self, rest: str) -> list[str]:
        seat, reading, value = _words(rest, 3, "vote SEAT READING VALUE")
        return self._told(self.table.ask(Do(Voted(self._seat(seat), reading, value), HOST)).result())

    def _do_decide(self, rest: str) -> list[str]:
        reading, value = _words(rest, 2, "decide READING VALUE")
        return self._told(self.table.ask(Do(Decided(reading, value))).result())

    # --- the host's acts ---

    def _do_skip(self, rest: str) -> list[str]:
        return self._told(self.table.ask(Do(Skipped(self._seat(rest)))).result())

    def _do_leave(self, rest: str) -> list[str]:
        return self._told(self.table.ask(Do(Left(self._seat(rest)))).result())

    def _do_pause(self, rest: str) -> list[str]:
        return self._told(self.table.ask(Do(Paused(True, rest))).result())

    def _do_go(self, rest: str) -> list[str]:
        return self._told(self.table.ask(Do(Paused(False))).result())

    def _do_back(self, rest: str) -> list[str]:
        lines = self.ledger.lines
        if not lines:
            return ["Nothing has happened yet."]
        return self._told(self.table.ask(Do(TookBack(_number(rest) if rest else lines[-1].number))).result())

    def _do_correct(self, rest: str) -> list[str]:
        return self._told(self.table.ask(Do(Corrected(_position_file(rest)))).result())

    def _do_stand(self, rest: str) -> list[str]:
        if self._last_refused is None:
            return ["No move was refused just now."]
        return self._told(self.table.ask(Do(LetStand(self._last_refused, _position_file(rest)))).result())

    def _do_repeat(self, rest: str) -> list[str]:
        self.table.ask(ButtonPressed("console", "repeat")).result()
        return []

    # --- disputes and the record ---

    def _do_may(self, rest: str) -> list[str]:
        return ruling_lines(self.ledger, self.ledger.suppose(self._parse(rest)))

    def _do_was(self, rest: str) -> list[str]:
        past = self.ledger.was_legal(_number(rest))
        lines = [past.remedy]
        return lines + (ruling_lines(self.ledger, past.ruling) if past.ruling else [])

    def _do_record(self, rest: str) -> list[str]:
        return record_lines(self.ledger) or ["Nothing has happened yet."]

    def _do_list(self, rest: str) -> list[str]:
        return [f"  {n:2}  {m.seat}: {to_text(m)}" for n, m in enumerate(self.ledger.legal_moves(), 1)]

    # --- rolls and moves ---

    def _do_throw(self, rest: str) -> list[str]:
        ledger = self.table.view.ledger
        due = next((d for d in ledger.due if d.what == "roll"), None) if ledger else None
        faces = self.throw(len(due.dice) if due else 1)
        if faces is None:
            return []
        return self._told(self.table.ask(Rolled(faces, due.seat if due else "", "simulated")).result())

    def _do_roll(self, rest: str) -> list[str]:
        faces = dice_from_json([int(w) if w.isdecimal() and len(w) < 4 else w for w in rest.replace("+", " ").split()])
        return self._told(self.table.ask(Rolled(faces)).result())

    def _event(self, text: str) -> list[str]:
        event = self._parse(text)
        if isinstance(event, Roll):
            return self._told(self.table.ask(Rolled(event.dice, event.seat)).result())
        told = self.table.ask(Do(Played(event), HOST)).result()
        self._last_refused = None if told.status == ACCEPTED else event
        return self._told(told)

    def _parse(self, text: str) -> Event:
        ledger = self.ledger
        moves = ledger.legal_moves()
        if text.isdecimal() and len(text) < 6:
            if not 1 <= int(text) <= len(moves):
                raise BadInput(f"There is no move number {text}; to tell a roll, type 'roll {text}'.")
            return moves[int(text) - 1]
        seat, colon, rest = text.partition(":")
        forms = ledger.game.forms(ledger.terms)
        if colon:
            return from_text(rest, self._seat(seat.strip()), forms)
        if not text:
            raise BadInput("Type 'help' for what can be typed.")
        due = [d.seat for d in ledger.due if d.what == "move"] or [d.seat for d in ledger.due] or [ledger.terms.seats[0]]
        return from_text(text, due[0], forms)

    # --- showing ---

    @property
    def ledger(self) -> Ledger:
        if self.table.view.ledger is None:
            raise BadInput("No game is running: type 'start GAME' or 'resume'.")
        return self.table.view.ledger

    def _seat(self, name: str) -> str:
        seats = self.ledger.terms.seats
        if name not in seats:
            raise BadInput(f"{brief(name)} is no seat here; seats are {', '.join(seats)}")
        return name

    def _told(self, told: Told) -> list[str]:
        """What an answer adds to the news, which everybody hears anyway."""
        if told.answer and told.answer.ruling and told.status != ACCEPTED:
            return ruling_lines(self.ledger, told.answer.ruling)
        return list(told.why) if told.status != ACCEPTED else []


def ruling_lines(ledger: Ledger, ruling: Ruling, most_legal: int = 12) -> list[str]:
    word = {ACCEPTED: "LEGAL", SILENT: "THE LEAFLET DOES NOT DECIDE"}.get(ruling.status, "NOT LEGAL")
    lines = [f"{word}: {ruling.event.seat}: {to_text(ruling.event)}", *(f"  {why}" for why in ruling.why)]
    if ruling.status == ACCEPTED:
        return lines + [f"  - {describe(ledger.game, change, ledger.translate, ledger.terms.board)}" for change in ruling.changes]
    lines += [f"  {id}: {ledger.game.rulebook.text(id)}" for id in ruling.citations if not ruling.readings]
    for reading in ruling.readings:
        lines += [f"  vote SEAT {reading.name} {value}: {meaning}" for value, meaning in reading.values.items()]
    if ruling.legal:
        more = f" and {len(ruling.legal) - most_legal} more" if len(ruling.legal) > most_legal else ""
        lines.append("  Legal would be: " + "; ".join(f"{m.seat}: {to_text(m)}" for m in ruling.legal[:most_legal]) + more)
    return lines


def record_lines(ledger: Ledger) -> list[str]:
    """The game act by act."""
    lines = []
    for line in ledger.lines:
        act = line.act
        if isinstance(act, Played):
            text = f"{act.event.seat}: {to_text(act.event)}"
        else:
            text = f"({line.by}) {type(act).__name__}: " + ", ".join(
                f"{k}={v}" for k, v in vars(act).items() if isinstance(v, str) and v
            )
        said = f"   {' '.join(line.ruling.said)}" if line.ruling and line.ruling.said else ""
        lines.append(f"{line.number:4}  {text}{said}")
    return lines


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise BadInput(f"A number is needed, not {brief(text)}.")
    return int(text)


def _words(text: str, count: int, usage: str) -> list[str]:
    words = text.split()
    if len(words) != count:
        raise BadInput(f"Type: {usage}")
    return words


def _position_file(name: str) -> dict[str, object]:
    try:
        data = parse_json(Path(name).read_text("utf-8"), "position")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{brief(name)}: cannot be read") from error
    position = data.get("position", data) if isinstance(data, dict) else data
    if not isinstance(position, dict):
        raise BadInput("position: must be an object")
    return position
