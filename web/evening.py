"""What the evening came to: its games, what every seat threw, and the rules that were asked for most. Read from the journal as it is;
nothing is replayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from flask import Blueprint, Response

from companion.games import all_games
from companion.journal import Entry
from companion.journal import Game as Kept
from web.answers import as_json
from web.past import journal_reader, texts
from web.room import must_be_paired, room

evening = Blueprint("evening", __name__, url_prefix="/api")
AN_EVENING = timedelta(hours=12)
MOST_RULES = 5


@evening.get("/evening")
def so_far() -> Response:
    """The games that were begun in the twelve hours before the latest one, each in a line; their dice and their disputes together."""
    must_be_paired()
    kept: list[tuple[Kept, list[Entry]]] = []
    if room().table.journal.path:
        with journal_reader() as reader:
            kept = [(game, reader.events(game.id)) for game in of_the_evening(reader.games())]
    return as_json(
        {
            "games": [_game(game, events) for game, events in kept],
            "seats": _luck(kept),
            "rules": _rules(kept),
        }
    )


def of_the_evening(games: Iterable[Kept]) -> list[Kept]:
    """A clock that was set in between, or none at all, only makes it show fewer games."""
    own = [(game, _begun(game)) for game in games if not game.imported]
    last = own[-1][1] if own else None
    return [game for game, begun in own if game is own[-1][0] or (begun and last and timedelta(0) <= last - begun < AN_EVENING)]


def _begun(game: Kept) -> datetime | None:
    try:
        return datetime.fromisoformat(game.label).astimezone()
    except (ValueError, OverflowError):
        return None


def _event(entry: Entry) -> dict[str, Any]:
    event = entry.body.get("event") if isinstance(entry.body, dict) and entry.kind == "played" else None
    return event if isinstance(event, dict) else {}


def _dice(event: dict[str, Any]) -> list[int]:
    faces = event.get("roll")
    return [face for face in faces if face in range(1, 7)] if isinstance(faces, list) else []


def _game(game: Kept, events: list[Entry]) -> dict[str, Any]:
    played = [_event(entry) for entry in events if entry.kind == "played"]
    rolls = sum(bool(_dice(event)) for event in played)
    known = all_games().get(game.name)
    outcome = game.outcome if isinstance(game.outcome, dict) else {}
    return {
        "number": game.id,
        "game": game.name,
        "title": room().table.translate(known.title) if known else game.name,
        "begun": game.label,
        "state": game.state,
        "result": str(outcome.get("why", "")),
        "moves": len(played) - rolls,
        "rolls": rolls,
        "refused": sum(entry.kind == "refused" for entry in events),
        "taken_back": sum(entry.kind == "took_back" for entry in events),
    }


def _luck(kept: Iterable[tuple[Kept, list[Entry]]]) -> list[dict[str, Any]]:
    """What every seat threw in all these games together, as the dice that counted."""
    counts: dict[str, Counter[int]] = {}
    for _, events in kept:
        for event in map(_event, events):
            if dice := _dice(event):
                counts.setdefault(str(event.get("seat", "")), Counter()).update(dice)
    out = []
    for seat, faces in counts.items():
        number = faces.total()
        mean = sum(face * count for face, count in faces.items()) / number
        out.append({"seat": seat, "counts": [faces[face] for face in range(1, 7)], "dice": number, "mean": mean})
    return out


def _rules(kept: Iterable[tuple[Kept, list[Entry]]]) -> list[dict[str, Any]]:
    """The rules that refused most often, with their words."""
    times: Counter[tuple[str, str]] = Counter()
    for game, events in kept:
        for entry in events:
            ruling = entry.ruling if entry.kind == "refused" and isinstance(entry.ruling, dict) else {}
            times.update((game.name, rule) for rule in texts(ruling.get("citations")))
    out = []
    for (name, rule), count in times.most_common(MOST_RULES):
        book = all_games()[name].rulebook if name in all_games() else None
        text = book.text(rule) if book and rule in book.ids() else ""
        out.append({"game": name, "rule": rule, "times": count, "text": text})
    return out
