"""The JSON API of the running table: its state, acts and rolls, games, and who is paired. `API.md` tells the conventions."""

from __future__ import annotations

import threading
from typing import Any

from flask import Blueprint, Response

from companion.acts import NAMES, Act, Agreed, LetStand, Played, TookBack, Touched, Voted, act_from_json
from companion.board import board_to_json
from companion.events import BadInput, Roll, brief, dice_from_json, one_of
from companion.games import all_games, find_game
from companion.journal import JournalUnavailable
from companion.ledger import HOST, Ledger
from companion.table import Abandon, Do, Resume, Rolled, Start
from companion.table_requests import Choose
from companion.voice import VERBOSITIES
from web import arranging
from web.access import SeatTaken
from web.answers import any_body, as_json, ask, body, pressed, refused, ruling, stale, tell, text, whole, with_state
from web.cookies import cleared, with_token
from web.guard import Refusal
from web.guests import Guest
from web.mapping import own_board
from web.openapi import document
from web.room import must_be_guest, must_be_host, must_be_paired, must_have_a_seat, room, who

api = Blueprint("api", __name__, url_prefix="/api")
OF_A_SEAT = (Played, TookBack, Agreed, Voted, Touched)  # what a player does for himself; the rest is the host's
BY_HAND = ("corrected", "let_stand")  # the host may tell the pieces instead of the position
WITHOUT_SEEN = (Agreed, Voted)  # several phones do these at once, and none of them hurts
MOST_DICE = 8
_one_at_a_time = threading.Lock()  # so that a tap which came twice sees what its twin has done


@api.get("/openapi.json")
def openapi() -> Response:
    return as_json(document())


@api.get("/state")
def state() -> Response:
    must_be_paired()
    return Response(room().hub.json_for(who().guest), mimetype="application/json")


# --- acts and rolls ---


@api.post("/act")
def act() -> Response:
    guest = must_have_a_seat()
    data = any_body()
    kind, seen = data.pop("kind", None), whole(data, "seen")
    del data["seen"]
    with _one_at_a_time:
        ledger = room().table.view.ledger
        if ledger is None:
            return refused(tell("no_game"))
        if kind in BY_HAND and any(field in data for field in arranging.FIELDS):
            must_be_host()
            if seen != room().table.view.version:
                return stale()
            data = arranging.corrected(ledger, data)
        done = act_from_json(kind, data, ledger.terms.seats, ledger.game.forms(ledger.terms))
        by = _by(guest, done)
        if seen != room().table.view.version and not isinstance(done, WITHOUT_SEEN):
            return stale()
        return ruling(ask(Do(done, by, f"phone:{guest.id}", seen)))


def _by(guest: Guest, act: Act) -> str:
    """In whose name this guest does it; refuses what is not his to do."""
    if isinstance(act, Played | LetStand):
        seat = act.event.seat
    else:
        seat = getattr(act, "seat", guest.seat)
    if not guest.is_host and not isinstance(act, OF_A_SEAT):
        raise Refusal(403, f"Only the host can do that ({NAMES[type(act)]}).")
    if not guest.is_host and seat != guest.seat:
        raise Refusal(403, "That is not your seat.")
    is_own = isinstance(act, Played | Agreed | Voted | Touched) and seat == guest.seat
    return guest.seat if is_own or not guest.is_host else HOST


@api.post("/choose")
def choose() -> Response:
    """The answer to what the camera asks: the number of a choice, and the text that was seen."""
    guest = must_have_a_seat()
    data = body("choice", "text")
    with _one_at_a_time:
        chosen = Choose(whole(data, "choice"), text(data, "text"), HOST if guest.is_host else guest.seat, f"phone:{guest.id}")
        return ruling(ask(chosen))


@api.post("/roll")
def roll() -> Response:
    guest = must_be_guest()
    data = body("faces", "seat", "seen", "dice")
    seen = whole(data, "seen")
    faces = dice_from_json(data["faces"]) if data.get("faces") is not None else None
    count = whole(data, "dice", 1)
    if not 1 <= count <= MOST_DICE:
        raise BadInput(f"dice: must be 1 to {MOST_DICE}, not {brief(count)}")
    with _one_at_a_time:
        view = room().table.view
        if seen != view.version:
            return stale()
        if view.ledger is None:  # the announcer: anybody who is paired may throw
            thrown = faces or room().throw(count)
            return ruling(ask(Rolled(thrown, "", _source(faces, guest)))) if thrown else pressed()
        must_have_a_seat()
        seat = _rolling_seat(view.ledger, guest, data)
        due = next((len(d.dice) for d in view.ledger.due if d.what == "roll" and d.seat == seat), 0)
        if not due or view.ledger.outcome:
            return refused(tell("not_your_roll"))
        wanted = due - len(view.held) if len(view.held) < due else due
        thrown = faces or room().throw(wanted)
        if thrown is None:
            return pressed()
        event = Roll(seat, thrown)
        by = guest.seat if seat == guest.seat else HOST
        return ruling(ask(Do(Played(event), by, _source(faces, guest), seen)))


def _rolling_seat(ledger: Ledger, guest: Guest, data: dict[str, Any]) -> str:
    """Whose roll it is to be: one's own; the host may name another, or means whoever is due."""
    if not guest.is_host:
        if data.get("seat", guest.seat) != guest.seat:
            raise Refusal(403, "That is not your seat.")
        return guest.seat
    if "seat" in data:
        return one_of("seat", data["seat"], ledger.terms.seats)
    due = [d.seat for d in ledger.due if d.what == "roll"]
    return guest.seat if guest.seat in due else next(iter(due), "")


def _source(faces: tuple[int, ...] | None, guest: Guest) -> str:
    return f"typed:{guest.id}" if faces else "phone"


# --- games ---


@api.post("/start")
def start() -> Response:
    must_be_host()
    data = body("game", "variant", "seats", "board", "readings", "options", "position", "instead")
    instead, position = data.pop("instead", False), data.pop("position", None)
    if not isinstance(instead, bool):
        raise BadInput(f"instead: must be true or false, not {brief(instead)}")
    if position is not None and not isinstance(position, dict):
        raise BadInput(f"position: must be an object, not {brief(position)}")
    game = find_game(data.get("game"))
    if (own := own_board(game, data.get("board"))) is not None:
        data["board"] = board_to_json(own)  # whole: the game keeps the board that it is played on
    given = data.get("readings", {})
    if isinstance(given, dict):
        data["readings"] = house_rules(game.name) | given
    return ruling(ask(Start(data | {"game": game.name}, position, instead)))


def house_rules(name: str) -> dict[str, str]:
    """The readings that this house has decided on in earlier games, as far as they still exist."""
    known = {r.name: r for r in find_game(name).rulebook.readings}
    try:
        reader = room().reader()
        if reader is None:
            return {}
        with reader:
            kept = reader.house_rules(name)
    except JournalUnavailable:
        return {}
    return {reading: value for reading, value in kept.items() if reading in known and value in known[reading].values}


@api.post("/resume")
def resume() -> Response:
    must_be_host()
    return ruling(ask(Resume(whole(body("game"), "game", 0))))


@api.post("/abandon")
def abandon() -> Response:
    must_be_host()
    return ruling(ask(Abandon(text(body("why"), "why", "")[:200])))


# --- who is here ---


@api.get("/pairing")
def pairing() -> Response:
    """Where others come in. The host's code is for the table's own screen and for hosts."""
    must_be_paired()
    asking = who()
    out = {"join": room().join_url, "address": room().address, "name": room().name}
    if asking.is_screen or (asking.guest and asking.guest.is_host):
        out["code"] = room().access.host_code
    return as_json(out)


@api.get("/join.svg")
def qr() -> Response:
    must_be_paired()
    return Response(room().qr_svg(), mimetype="image/svg+xml")


@api.post("/join")
def join() -> Response:
    """Come in, or change one's name; take a seat at once if one is named. A taken seat does not keep anybody out."""
    data = body("token", "name", "seat")
    asking, access = who(), room().access
    seat = _seat(data) if data.get("seat") else ""
    if asking.guest and not data.get("token"):
        guest, secret = access.rename(asking.guest, data.get("name")), ""
    else:
        guest, secret = access.join(text(data, "token"), data.get("name"), asking.guest, asking.address)
    why = ""
    try:
        guest = access.take_seat(guest, seat) if seat else guest
    except SeatTaken as taken:
        why = str(taken)
    return with_token(_arrived(guest, why), secret, asking)


@api.post("/host")
def host() -> Response:
    data = body("code", "name")
    asking = who()
    name = data.get("name") or ("" if asking.guest else "Host")
    guest, secret = room().access.become_host(text(data, "code"), name, asking.guest, asking.address)
    return with_token(_arrived(guest), secret, asking)


def _arrived(guest: Guest, why: str = "") -> Response:
    """`why` tells why the wanted seat was not to be had."""
    return as_json({"guest": guest.id, "name": guest.name, "seat": guest.seat, "role": guest.role(room().seats), "why": why})


@api.post("/seat")
def seat() -> Response:
    """Sit down, stand up (an empty seat); the host may place anybody anywhere."""
    guest = must_be_guest()
    data = body("seat", "guest")
    wanted = _seat(data)
    if "guest" in data:
        must_be_host()
        guest = _guest(data)
        room().access.take_seat(guest, wanted, even_if_taken=True)
    else:
        room().access.take_seat(guest, wanted)
    return with_state({})


@api.post("/hand_over")
def hand_over() -> Response:
    """A ticket for another phone; with it, joining takes over this seat."""
    guest = must_be_guest()
    body()
    ticket = room().access.hand_over(guest)
    return as_json({"ticket": ticket, "url": f"{room().address}/join#{ticket}"})


@api.post("/leave")
def leave() -> Response:
    guest = must_be_guest()
    body()
    room().hub.drop(guest.id, "you left")  # first: the stream ends with its own farewell, not because its guest is unknown
    room().access.leave(guest)
    return cleared(as_json({}))


@api.post("/kick")
def kick() -> Response:
    must_be_host()
    guest = _guest(body("guest"))
    room().hub.drop(guest.id, "the host ended your visit")  # first, as in leave
    room().access.kick(guest)
    return with_state({})


@api.post("/renew")
def renew() -> Response:
    """A new QR code; the old one lets nobody in any more."""
    must_be_host()
    body()
    room().access.renew_join()
    return with_state({})


@api.post("/settings")
def settings() -> Response:
    must_be_host()
    verbosity = one_of("verbosity", body("verbosity").get("verbosity"), VERBOSITIES)
    voice = room().voice
    if voice is None:
        raise BadInput("verbosity: this table has no voice")
    voice.verbosity = verbosity
    room().hub.refresh()
    return with_state({})


def _guest(data: dict[str, Any]) -> Guest:
    guest = room().access.guest(whole(data, "guest"))
    if guest is None:
        raise BadInput(f"guest: {brief(data['guest'])} is not here")
    return guest


def _seat(data: dict[str, Any]) -> str:
    seats = room().seats or tuple(sorted({seat for game in all_games().values() for seat in game.seats}))
    return one_of("seat", data.get("seat"), ("", *seats)) if data.get("seat") != "" else ""
