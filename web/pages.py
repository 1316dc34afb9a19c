"""The pages: what a browser is served. They are frames that the ES modules in `static/` fill from the JSON API.

Nothing here is secret and nothing here acts, so a page needs no pairing: the API and the stream do.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.events import BadInput
from companion.game import Game
from companion.games import all_games, find_game
from companion.rulebook import Reading, Rule, Settled
from web.room import room, who

pages = Blueprint("pages", __name__, template_folder="templates", static_folder="static", static_url_path="/static")

# endpoint, label, picture in icon.svg
TABS = (
    ("play", "Play", "play"), ("check", "Check", "check"), ("rulebook", "Rules", "book"), ("dice", "Dice", "dice"),
    ("record", "Record", "record"), ("host", "Host", "host"),
)  # fmt: skip
DOORS = (
    ("join", "Join", "join", "Your name and your seat."),
    ("play", "Play", "play", "The board, whose turn, what is legal."),
    ("check", "Check a rule", "check", "May I do this? Any game, any position."),
    ("rulebook", "Rulebook", "book", "Every rule, in plain words."),
    ("dice", "Dice", "dice", "The last roll, large; and is it fair?"),
    ("record", "Record", "record", "Move by move, and the luck of the evening."),
    ("tv", "Table view", "tv", "For the TV in the room."),
    ("host", "Host", "host", "Begin a game, seats, house rules."),
    ("guide", "Guide", "book", "The first evening, each game on a page, and help."),
)


@pages.context_processor
def everywhere() -> dict[str, Any]:
    return {"tabs": TABS}


@pages.get("/")
def home() -> str:
    return render_template("home.html", doors=DOORS)


@pages.get("/join")
def join() -> str:
    return render_template("join.html")


@pages.get("/play")
def play() -> str:
    return render_template("play.html")


@pages.get("/dice")
def dice() -> str:
    return render_template("dice.html")


@pages.get("/record")
def record() -> str:
    return render_template("record.html")


@pages.get("/host")
def host() -> str:
    return render_template("host.html")


@pages.get("/map")
def map_board() -> str:
    return render_template("map.html")


@pages.get("/tv")
def tv() -> str:
    return render_template("tv.html")


@pages.get("/favicon.ico")
def favicon() -> AnyResponse:
    return redirect(url_for("pages.static", filename="icon.svg"))


# --- check a rule ---


@pages.get("/check")
def check() -> str:
    return render_template("check.html", games=list(all_games().values()))


# --- the rulebook ---


@pages.get("/rulebook")
def rulebook() -> str:
    game = _chosen_game()
    query = request.args.get("q", "").strip()[:60]
    found = game.rulebook.search(query) if query else game.rulebook.entries
    return render_template(
        "rulebook.html", game=game, games=list(all_games().values()), query=query, found=found, card=_card(game),
        rules=[e for e in found if isinstance(e, Rule)], readings=[e for e in found if isinstance(e, Reading)],
        settled=[e for e in found if isinstance(e, Settled)],
    )  # fmt: skip


def _chosen_game() -> Game:
    """The game that was asked for; otherwise the one that is played."""
    ledger = room().table.view.ledger
    try:
        return find_game(request.args.get("game") or (ledger.game.name if ledger else next(iter(all_games()))))
    except BadInput:
        return next(iter(all_games().values()))


def _card(game: Game) -> dict[str, str]:
    """The readings in force, if this game is played here and whoever asks belongs to the table."""
    ledger = room().table.view.ledger
    if ledger is None or ledger.game.name != game.name or not who().may_look:
        return {}
    return dict(ledger.terms.readings)
