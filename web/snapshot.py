"""What the table looks like now, as plain JSON: everything a page needs, without any secret. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from companion.acts import NAMES, Agreed, Corrected, Decided, Left, LetStand, Paused, Played, Skipped, TookBack, Touched, Voted
from companion.events import Move, Roll
from companion.game import Game, Terms
from companion.layout import Layout
from companion.ledger import Ledger, Line
from companion.news import News, Observed, View
from companion.notation import to_text, to_words
from companion.referee import describe, settled_state
from companion.rulebook import Reading
from companion.ruling import Due, Outcome
from companion.words import Translate
from web.guests import Guest

LAST_LINES = 40  # of the record in a snapshot; /api/record has all
LAST_NEWS = 30


class Told(NamedTuple):
    """A sentence of the table, the version of the view that came with it, and its number in this run of the program."""

    id: int
    version: int
    news: News

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "version": self.version, **self.news._asdict()}


def snapshot(view: View, guests: Iterable[Guest], online: Iterable[int], translate: Translate = str) -> dict[str, Any]:
    """The view for everybody, but for the card and the news, which the hub keeps ready."""
    out: dict[str, Any] = {
        "version": view.version,
        "last_roll": view.last_roll and view.last_roll._asdict(),
        "held": list(view.held),
        "trouble": view.trouble,
        "devices": [{"source": source, "state": state} for source, state in view.devices],
        "players": players(view, guests, set(online), translate),
        "observed": view.observed and observed_to_json(view.observed),
    }
    return out | (of_game(view.game, view.ledger, translate) if view.ledger else NO_GAME)


def observed_to_json(observed: Observed) -> dict[str, Any]:
    """What the camera says or asks; the acts behind a choice stay at the table."""
    choices = [choice.text for choice in observed.choices]
    told = {field: value for field, value in observed._asdict().items() if field != "changes"}
    return {**told, "choices": choices, "spaces": list(observed.spaces), "pictures": list(observed.pictures)}


def set_up_check(view: View, by_camera: bool, looked_at: bool) -> dict[str, Any] | None:
    """What is to be checked on the real board before the first move, or before a saved game goes on. `wrong` and `unseen` are spaces."""
    ledger, observed = view.ledger, view.observed
    if ledger is None or ledger.outcome:
        return None
    if by_camera and observed and observed.kind == "set_up":
        wrong = {space for change in observed.changes for space in (change.start, change.to) if space in ledger.terms.board.spaces}
        unseen = [space for space in observed.spaces if space not in wrong]
        todo = [describe(ledger.game, change, ledger.translate, ledger.terms.board) for change in observed.changes]
        return {"by": "camera", "looked": True, "wrong": sorted(wrong), "unseen": unseen, "todo": todo}
    if looked_at:
        return None
    return {"by": "camera" if by_camera else "hand", "looked": False, "wrong": [], "unseen": [], "todo": []}


NO_GAME: dict[str, Any] = {
    "game": None, "due": [], "legal": [], "layout": [], "platform": None, "paused": False, "must_agree": [],
    "votes": [], "touched": None, "record": [], "record_length": 0, "outcome": None,
}  # fmt: skip


def of_game(number: int, ledger: Ledger, translate: Translate) -> dict[str, Any]:
    game, terms = ledger.game, ledger.terms
    settled = settled_state(game, ledger.state)
    outcome = game.outcome(settled)
    return {
        "game": {
            "name": game.name,
            "title": translate(game.title),
            "variant": terms.variant,
            "variant_title": translate(game.variant(terms.variant).title),
            "board": terms.board.name,
            "seats": list(terms.seats),
            "seat_names": {seat: game.words.name(seat, translate) for seat in terms.seats},
            "gone": sorted(ledger.gone),
            "options": terms.option,
            "number": number,
        },
        "due": [due_to_json(game, due, translate) for due in game.due(settled)],
        "legal": [move_to_json(game, terms, move, translate) for move in game.legal_moves(settled)],
        **layout_to_json(game.layout(settled)),
        "paused": ledger.paused,
        "must_agree": list(ledger.must_agree),
        "votes": [{"seat": v.seat, "reading": v.reading, "value": v.value} for v in ledger.votes],
        "touched": ledger.touched and {"seat": ledger.touched.seat, "piece": ledger.touched.piece, "from": ledger.touched.start},
        "record": [line_to_json(ledger, line, translate) for line in ledger.lines[-LAST_LINES:]],
        "record_length": len(ledger.lines),
        "outcome": outcome and outcome_to_json(game, outcome, translate),
    }


def players(view: View, guests: Iterable[Guest], online: set[int], translate: Translate) -> list[dict[str, Any]]:
    """Who sits where. Without a game: everybody who has chosen a seat."""
    sitting = {guest.seat: guest for guest in guests if guest.seat}
    names = view.ledger.game.words if view.ledger else None
    out = []
    for seat in view.ledger.terms.seats if view.ledger else sorted(sitting):
        guest = sitting.get(seat)
        out.append(
            {
                "seat": seat,
                "seat_name": names.name(seat, translate) if names else seat,
                "name": guest.name if guest else "",
                "guest": guest.id if guest else None,
                "online": bool(guest and guest.id in online),
            }
        )
    return out


# --- parts ---


def due_to_json(game: Game, due: Due, translate: Translate) -> dict[str, Any]:
    text = game.words.tell(due.say, translate)
    return {"seat": due.seat, "what": due.what, "dice": list(due.dice), "optional": due.optional, "text": text}


def move_to_json(game: Game, terms: Terms, move: Move, translate: Translate) -> dict[str, Any]:
    return {
        "seat": move.seat, "do": move.do, "piece": move.piece, "from": move.start, "to": move.to, "detail": move.detail,
        "notation": to_text(move), "text": to_words(game, terms, move, translate),
    }  # fmt: skip


def layout_to_json(layout: Layout) -> dict[str, Any]:
    return {"layout": [piece._asdict() for piece in layout.standing], "platform": layout.platform}


def card_to_json(card: Iterable[tuple[Reading, str]]) -> list[dict[str, Any]]:
    return [
        {"id": r.id, "name": r.name, "question": r.question, "value": value, "default": r.default, "values": dict(r.values),
         "impact": r.impact, "decided_by": r.decided_by}
        for r, value in card
    ]  # fmt: skip


def outcome_to_json(game: Game, outcome: Outcome, translate: Translate) -> dict[str, Any]:
    text = game.words.tell(outcome.why, translate)
    return {"winners": list(outcome.winners), "text": text, "scores": dict(outcome.scores), "rules": list(outcome.rules)}


def line_to_json(ledger: Ledger, line: Line, translate: Translate) -> dict[str, Any]:
    """One line of the record. `status` is the referee's word where a rule was asked, else the kind of act."""
    said = " ".join(line.ruling.said) if line.ruling else ""
    status = line.ruling.status if line.ruling else NAMES[type(line.act)]
    act = line.act
    event = act.event if isinstance(act, Played | LetStand) else None
    return {
        "number": line.number,
        "kind": NAMES[type(act)],
        "seat": event.seat if event else getattr(act, "seat", ""),
        "roll": list(event.dice) if isinstance(event, Roll) else [],
        "text": act_text(ledger, line, translate),
        "by": line.by,
        "said": said,
        "status": status,
    }


def act_text(ledger: Ledger, line: Line, translate: Translate) -> str:
    game, act = ledger.game, line.act

    def name(id: str) -> str:
        return game.words.name(id, translate)

    match act:
        case Played(event):
            return f"{name(event.seat)}: {to_words(game, ledger.terms, event, translate)}"
        case LetStand(event):
            sentence = translate("The host let it stand: {move}")
            return sentence.format(move=f"{name(event.seat)}: {to_words(game, ledger.terms, event, translate)}")
        case Corrected(_, why):
            return translate("The host put the position right.") + (f" {why}" if why else "")
        case Skipped(seat):
            return translate("{seat} was passed over.").format(seat=name(seat))
        case Left(seat):
            return translate("{seat} left the game.").format(seat=name(seat))
        case Decided(reading, value) | Voted(_, reading, value):
            return translate("Decided: {meaning}").format(meaning=game.rulebook.reading(reading).values[value])
        case Agreed() | Touched() | Paused() | TookBack():  # these leave no line
            return ""
