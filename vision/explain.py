"""What the umpire saw, in words: which pieces stand wrong and by which rule, what to put back, what to ask, what is missing."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any, NamedTuple

from companion.board import Board
from companion.events import Form, Move
from companion.game import Game
from companion.layout import Change, Layout, Standing, changes
from companion.referee import REFUSED, Ruling, describe, judge
from companion.ruling import Accepted
from companion.words import Translate
from vision.hypotheses import FAULT, SURE, Evidence
from vision.marks import EMPTY, Sighting, contents
from vision.umpire import Hidden, Wrong

MOST_TOLD = 6  # changes in one explanation
MOST_TRIED = 200  # illegal moves put before the referee

DONE = {
    "move": "The {piece} was moved from {start} to {to}.",
    "put": "{piece} was put on {to}.",
    "take": "The {piece} on {start} is gone.",
    "flip": "The {piece} on {to} was turned over: {face} is up.",
    "turn": "The platform points at {to}.",
}
UNSEEN = {
    "covered": "I cannot see {spaces}: something lies over it.",
    "unreadable": "I cannot see {spaces}: it is too dark, too bright, or outside the picture.",
    "doubtful": "I am not sure what stands on {spaces}. Please straighten the pieces there, or tell me on the phone.",
    "strange": "Something that I do not know lies on {spaces}.",
    "between": "The platform stands between two spaces. Turn it until the arrow points at one of them.",
}


class Explained(NamedTuple):
    """Why something on the board is wrong, and what to do about it; each a list of sentences."""

    what: tuple[str, ...]
    why: tuple[str, ...]
    citations: tuple[str, ...]
    put_back: tuple[str, ...]


def explain(game: Game, state: Any, wrong: Wrong, translate: Translate = str) -> Explained:
    """Piece by piece what is wrong, with the rule where it can be told as a move. `state` is what the table knows."""
    board: Board = state.ground.terms.board
    ruling = nearest_ruling(game, state, wrong, translate)
    if ruling:
        seat = game.words.name(ruling.event.seat, translate)
        why = tuple(f"{seat}: {text}" for text in ruling.why)
    else:
        why = tuple(game.words.tell(due.say, translate) for due in game.due(wrong.state)[:1] if not due.optional)
    told = [tell(game, change, DONE[change.do], board, translate) for change in wrong.changes[:MOST_TOLD]]
    if len(wrong.changes) > MOST_TOLD:
        told.append(translate("And {count} more.").format(count=len(wrong.changes) - MOST_TOLD))
    back = tuple(describe(game, change, translate, board) for change in wrong.put_back)
    return Explained(tuple(told), why, ruling.citations if ruling else (), back[:MOST_TOLD])


def tell(game: Game, change: Change, sentence: str, board: Board, translate: Translate = str) -> str:
    values = {key: game.words.name(value, translate) for key, value in change._asdict().items()}
    values |= {key: space_name(game, board, getattr(change, key), translate) for key in ("start", "to")}
    text = translate(sentence).format(**values)
    return text[:1].upper() + text[1:]


def space_name(game: Game, board: Board, space: str, translate: Translate = str) -> str:
    if space in game.words.names or space not in board.spaces:
        return game.words.name(space, translate)
    return board.spaces[space].name


# --- the rule behind it ---


def nearest_ruling(game: Game, state: Any, wrong: Wrong, translate: Translate = str) -> Ruling | None:
    """The referee's refusal of the move that the change comes nearest to, if there is such a move."""
    seats = state.ground.terms.seats
    forms = game.forms(state.ground.terms)
    tried = [(wrong.state, move) for move in _as_moves(forms, wrong.changes, seats)]
    tried += _done_otherwise(game, state, forms, wrong)
    rulings = [judge(game, before, move, translate) for before, move in tried[:MOST_TRIED]]
    refused = [ruling for ruling in rulings if ruling.status == REFUSED]
    usual = Counter(ruling.citations for ruling in refused)
    movers = {due.seat for due in game.due(wrong.state) if due.what == "move"}
    named = {field for change in wrong.changes for field in (change.piece, change.start, change.to)} - {""}
    colours = {word for change in wrong.changes for word in change.piece.split("-")}

    def rank(ruling: Ruling) -> tuple[float, ...]:
        """Names most of what changed; by its owner; unlike what the others would be told; by somebody who is to move."""
        move = ruling.event
        assert isinstance(move, Move)
        told = len({move.piece, move.start, move.to} & named)
        own = bool(colours & set(move.seat.split("-")))
        return (told, own, -usual[ruling.citations], move.seat in movers, bool(move.detail))

    return max(refused, key=rank, default=None)


def _as_moves(forms: tuple[Form, ...], wrong: tuple[Change, ...], seats: tuple[str, ...]) -> list[Move]:
    """Well-formed moves that come to one of these changes."""
    named = {piece for form in forms for piece in form.piece}
    moves: list[Move] = []
    for change, form in product(wrong, forms):
        piece = change.piece if form.piece else ""
        if (form.piece and piece not in form.piece) or (not form.piece and change.piece in named) or not any(form[1:4]):
            continue
        start = change.start if form.start else ""
        to = _turned_to(form, change) if change.do == "turn" else change.to if form.to else ""
        if (form.start and start not in form.start) or (form.to and to not in form.to) or (change.to and not to):
            continue
        details = [d for d in form.detail if d == change.face] or list(form.detail[:2]) or [""]
        moves += [Move(seat, form.do, piece, start, to, detail) for seat, detail in product(seats, details)]
    return moves


def _turned_to(form: Form, change: Change) -> str:
    """A platform's move names the space in front of its arrow; its change, the number of that space."""
    return next((to for to in form.to if not form.start and to.lstrip("B0") == change.to), "")


def _done_otherwise(game: Game, state: Any, forms: tuple[Form, ...], wrong: Wrong) -> list[tuple[Any, Move]]:
    """A legal move as another kind of act: who took a man away where he only might have stepped in wanted to capture."""
    taken = {change.start for change in wrong.changes if change.do == "take"}
    tried = []
    for move in wrong.moves:
        if move.to in taken:
            others = (form for form in forms if form.do != move.do and not form.detail)
            fits = (f for f in others if move.piece in f.piece and move.start in f.start and move.to in f.to)
            tried += [(state, move._replace(do=form.do)) for form in fits]
        verdict = game.rule(state, move)
        assert isinstance(verdict, Accepted)
        state = verdict.state
    return tried


# --- what cannot be seen ---


def unseen(game: Game, board: Board, hidden: Hidden, translate: Translate = str) -> str:
    names = game.words.listed([space_name(game, board, space, translate) for space in hidden.spaces[:MOST_TOLD]], translate)
    return translate(UNSEEN.get(hidden.why, UNSEEN["unreadable"])).format(spaces=names)


# --- setting up, resuming, packing up ---


class SettingUp(NamedTuple):
    """What is still to be done until all stands right, and what cannot be seen yet."""

    todo: tuple[Change, ...]
    unseen: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        return not self.todo and not self.unseen


def missing(layout: Layout, sighting: Sighting) -> SettingUp:
    """Which pieces are missing or misplaced. A space without a piece may be hidden; one with a piece must be seen."""
    evidence = Evidence(sighting)
    there = contents(layout)
    wrong = evidence.disturbed(there, FAULT)
    doubtful = {space for space, cost in wrong.items() if cost < FAULT + SURE}
    standing = [s for s in layout.standing if s.space not in wrong or s.space in doubtful]
    for space in wrong.keys() - doubtful:
        standing += [Standing(*_piece_and_face(mark, space)) for mark in evidence.best(space)]
    platform = layout.platform if not evidence.against_platform(layout.platform) else evidence.platform
    seen = Layout(tuple(standing), platform)
    todo = changes(seen, layout)
    if platform is None and layout.platform is not None:
        todo = (Change("turn", "platform", "", str(layout.platform)), *(c for c in todo if c.do != "turn"))
    hidden = [space for space in evidence.hidden if there.get(space, EMPTY)]
    return SettingUp(todo, tuple(sorted((*hidden, *doubtful))))


def _piece_and_face(mark: str, space: str) -> tuple[str, str, str]:
    piece, _, face = mark.partition("/")
    return piece, space, face


def set_up_help(game: Game, board: Board, found: SettingUp, translate: Translate = str) -> tuple[str, ...]:
    told = [describe(game, change, translate, board) for change in found.todo[:MOST_TOLD]]
    if len(found.todo) > MOST_TOLD:
        told.append(translate("And {count} more.").format(count=len(found.todo) - MOST_TOLD))
    if not told and found.unseen:
        told.append(unseen(game, board, Hidden(found.unseen, "doubtful"), translate))
    return tuple(told)


def off_the_board(game: Game, state: Any, begun_with: Layout, sighting: Sighting, translate: Translate = str) -> tuple[str, ...]:
    """Before the box is closed: pieces that the game began with and that are not on the board any more."""
    seen = Counter(
        mark.partition("/")[0]
        for belief in sighting.beliefs.values()
        if not belief.hidden and belief.costs
        for mark in belief.best
    )
    gone = Counter(s.piece for s in begun_with.standing) - seen
    return tuple(
        translate("{count} × {piece}").format(count=number, piece=game.words.name(piece, translate))
        for piece, number in sorted(gone.items())
    )
