"""Calls about what has happened: the record, the games of the history, disputes, and the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response

from companion.acts import Played
from companion.check import explained
from companion.dice.fairness import Tally
from companion.draw import draw_svg
from companion.events import BadInput, Roll, event_from_json
from companion.journal import ROLLED, Entry, Game, JournalUnavailable, Reader
from companion.ledger import Ledger
from companion.notation import to_words
from companion.referee import settled_state
from companion.table import replay
from web.answers import as_json, query_whole
from web.guard import Refusal
from web.reference import marked, svg
from web.room import must_be_paired, room, who
from web.snapshot import layout_to_json, line_to_json, outcome_to_json

past = Blueprint("past", __name__, url_prefix="/api")
LAST_ROLLS = 60
KEPT_REPLAYS = 8


# --- the running game, or one of the history ---


@past.get("/record")
def record() -> Response:
    """Every act of the running game, or of game `game` of the history."""
    must_be_paired()
    ledger, translate, seen = _ledger(), room().table.translate, _pictures()
    outcome = ledger.outcome
    return as_json(
        {
            "game": ledger.game.name,
            "title": translate(ledger.game.title),
            "seats": list(ledger.terms.seats),
            "lines": [line_to_json(ledger, line, translate) | {"pictures": list(seen.get(line.number, ()))} for line in ledger.lines],
            "disputes": _disputes(ledger),
            "outcome": outcome and outcome_to_json(ledger.game, outcome, translate),
        }
    )


def _disputes(ledger: Ledger) -> list[dict[str, Any]]:
    """What was tried and not accepted, and after which act: the ledger keeps only what stands, the journal has it all."""
    if not room().table.journal.path:
        return []
    with journal_reader() as reader:
        entries = reader.events(query_whole("game", 0) or room().table.view.game)
    seats, forms, translate = ledger.terms.seats, ledger.game.forms(ledger.terms), room().table.translate
    out, after = [], 0
    for entry in entries:
        if entry.kind != "refused":
            after = max(after, _number(entry))
        elif isinstance(entry.body, dict) and isinstance(entry.ruling, dict) and "event" in entry.body:
            try:
                event = event_from_json(entry.body["event"], seats, forms)
            except BadInput:  # nonsense from a file, or from a program that is no page
                continue
            text = f"{ledger.game.words.name(event.seat, translate)}: {to_words(ledger.game, ledger.terms, event, translate)}"
            told = entry.ruling
            why, rules = texts(told.get("why")), texts(told.get("citations"))
            out.append({"after": after, "text": text, "status": str(told.get("status")), "why": why, "citations": rules})
    return out


def texts(data: object) -> list[str]:
    """A file may hold anything."""
    return [str(text) for text in data] if isinstance(data, list) else []


def _number(entry: Entry) -> int:
    number = entry.body.get("number") if isinstance(entry.body, dict) else 0
    return number if isinstance(number, int) else 0


@past.get("/board.svg")
def board() -> Response:
    """The board as it stands, or (`at`) as it stood after that act; `at=0` is the beginning."""
    must_be_paired()
    ledger = _ledger()
    at = query_whole("at", -1)
    state = ledger.state if at < 0 else ledger.start if at == 0 else ledger.line(at).after
    return svg(draw_svg(ledger.terms.board, ledger.game.layout(settled_state(ledger.game, state)), marked()))


@past.get("/was/<int:number>")
def was(number: int) -> Response:
    """Was act `number` legal? With the board before and after it."""
    must_be_paired()
    ledger, translate = _ledger(), room().table.translate
    then = ledger.was_legal(number)
    line = then.line
    out: dict[str, Any] = {"game": ledger.game.name, "line": line_to_json(ledger, line, translate), "remedy": then.remedy}
    out["pictures"] = list(_pictures().get(number, ()))
    out["ruling"] = explained(ledger.game, then.ruling, translate) if then.ruling else None
    for side, state in (("before", line.before), ("after", line.after)):
        layout = ledger.game.layout(settled_state(ledger.game, state))
        out[side] = layout_to_json(layout) | {"svg": draw_svg(ledger.terms.board, layout)}
    return as_json(out)


def _pictures() -> Mapping[int, tuple[str, ...]]:
    """What the camera kept of each act, for those who may see it: the seats and the host."""
    here, guest = room(), who().guest
    if here.camera is None or guest is None or not (guest.is_host or guest.seat in here.seats):
        return {}
    return here.camera.pictures_of(query_whole("game", 0) or here.table.view.game)


def _ledger() -> Ledger:
    wanted = query_whole("game", 0)
    view = room().table.view
    if view.ledger and wanted in (0, view.game):
        return view.ledger
    if not wanted:
        raise Refusal(404, "No game is running.")
    with journal_reader() as reader:
        kept = reader.game(wanted)
        entries = reader.events(wanted)
    return _replayed(kept, entries)


def _replayed(kept: Game, entries: list[Entry]) -> Ledger:
    """A game of the history; the last few stay at hand for whoever turns over its pages."""
    here = room()
    key = (kept.uid, entries[-1].sequence if entries else 0)
    if key not in here.replays:
        ledger = replay(kept.terms, entries, here.table.translate)
        here.replays = {**dict(list(here.replays.items())[1 - KEPT_REPLAYS :]), key: ledger}
        return ledger
    return here.replays[key]


def journal_reader() -> Reader:
    try:
        reader = room().reader()
    except JournalUnavailable as error:
        raise Refusal(503, str(error)) from error
    if reader is None:
        raise BadInput("game: this table keeps no history")
    return reader


# --- the history ---


@past.get("/history")
def history() -> Response:
    must_be_paired()
    if not room().table.journal.path:
        return as_json([])
    with journal_reader() as reader:
        games = reader.games()
    return as_json(
        [
            {"number": g.id, "game": g.name, "begun": g.label, "state": g.state, "outcome": g.outcome,
             "seats": g.terms.get("seats"), "imported": g.imported}
            for g in games
        ]
    )  # fmt: skip


@past.get("/export/<int:number>")
def export(number: int) -> Response:
    """A game as one file, to keep or to share."""
    must_be_paired()
    with journal_reader() as reader:
        document = reader.export(number)
    response = as_json(document)
    response.headers["Content-Disposition"] = f'attachment; filename="game-{number}.json"'
    return response


# --- the dice ---


@past.get("/dice")
def dice() -> Response:
    """How often each die showed each face, what that means, what each seat threw, and the proof of the last committed roll."""
    must_be_paired()
    view = room().table.view
    rolls: list[Entry] = []
    checked: list[Entry] = []
    if room().table.journal.path:
        with journal_reader() as reader:
            foreign = {game.id for game in reader.games() if game.imported}
            rolls = [e for e in reader.all_events(kind=ROLLED) if e.game not in foreign and isinstance(e.body, dict)]
            checked = reader.all_events(kind="roll_checked")
    return as_json(
        {
            "dice": _dice(rolls),
            "seats": _seats(view.ledger) if view.ledger else [],
            "rolls": [_roll(entry) for entry in rolls[-LAST_ROLLS:]],
            "proof": _proof(checked[-1], rolls) if checked else None,
        }
    )


def _faces(entry: Entry) -> list[int]:
    faces = entry.body.get("roll", [])
    return [f for f in faces if type(f) is int] if isinstance(faces, list) else []


def _roll(entry: Entry) -> dict[str, Any]:
    return {"version": entry.sequence, "faces": _faces(entry), "source": entry.source, "game": entry.game, "time": entry.label}


def _dice(rolls: list[Entry]) -> list[dict[str, Any]]:
    tally = Tally()
    for entry in rolls:
        sides = entry.body.get("sides", 6)
        if type(sides) is int and sides >= 2:
            tally.add(entry.source, sides, [f for f in _faces(entry) if 1 <= f <= sides])
    return [
        {"die": source, "sides": sides, "counts": list(f.counts), "rolls": f.rolls, "verdict": f.verdict, "text": str(f),
         "chi_square": f.chi_square, "chance": f.chance}
        for (source, sides), f in tally.dice().items()
    ]  # fmt: skip


def _seats(ledger: Ledger) -> list[dict[str, Any]]:
    """What each seat threw in this game: the luck ledger."""
    counts: dict[str, Counter[int]] = {seat: Counter() for seat in ledger.terms.seats}
    for line in ledger.lines:
        if isinstance(line.act, Played) and isinstance(line.act.event, Roll):
            counts[line.act.event.seat].update(line.act.event.dice)
    out = []
    for seat, faces in counts.items():
        shown = tuple(faces[face] for face in range(1, 7))
        total = sum(shown)
        mean = sum(face * count for face, count in enumerate(shown, 1)) / total if total else None
        name = ledger.game.words.name(seat, room().table.translate)
        text = _luck(name, total, mean)
        out.append({"seat": seat, "name": name, "counts": list(shown), "rolls": total, "mean": mean, "text": text})
    return out


def _luck(name: str, dice: int, mean: float | None) -> str:
    if mean is None:
        return f"{name} has not thrown yet."
    strays = abs(mean - 3.5) > 2 * (35 / 12 / dice) ** 0.5  # about one series in twenty does
    word = ("above" if mean > 3.5 else "below") if strays else "about"
    return f"{name} threw {mean:.1f} on average with {dice} dice, {word} the 3.5 of fair dice."


def _proof(entry: Entry, rolls: list[Entry]) -> dict[str, Any]:
    """All that somebody needs to repeat the check of the last committed roll."""
    told = entry.body if isinstance(entry.body, dict) else {}
    roll = next((r for r in reversed(rolls) if r.body.get("key") == told.get("key")), None)
    known = {name: told.get(name) for name in ("key", "verdict", "commitment", "nonce", "secret")}
    of_roll = {"faces": _faces(roll), "sides": roll.body.get("sides", 6)} if roll else {"faces": [], "sides": None}
    return known | of_roll | {"source": entry.source}
