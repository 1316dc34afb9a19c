"""Pieces as somebody put them on the board: read from a call, and made into a position by the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.draw import draw_piece
from companion.events import BadInput, Event, brief, event_from_json, known_keys, one_of
from companion.game import Game, Terms
from companion.layout import Layout, Standing
from companion.ledger import Ledger
from companion.referee import settled_state
from companion.words import Translate
from web.answers import whole

FIELDS = ("layout", "platform", "turn")
MOST_PIECES = 500


class Arranged(NamedTuple):
    """What somebody put on the board: the pieces, where a turning platform points, and whose turn it is to be (empty: as it is)."""

    layout: Layout
    turn: str


def read(game: Game, terms: Terms, data: Mapping[str, Any], present: Layout) -> Arranged:
    """From a call. Only nonsense is refused here: what may stand where is for the rules to say."""
    given = data.get("layout")
    if given is None:
        standing = present.standing
    elif isinstance(given, list) and len(given) <= MOST_PIECES:
        standing = tuple(_standing(game, terms, item) for item in given)
    else:
        raise BadInput(f"layout: must be a list of at most {MOST_PIECES} pieces, not {brief(given)}")
    platform = present.platform
    if data.get("platform") is not None:
        if platform is None:
            raise BadInput("platform: this board has none")
        platform = whole(data, "platform")
    turn = one_of("turn", data["turn"], terms.seats) if data.get("turn") else ""
    return Arranged(Layout(standing, platform), turn)


def _standing(game: Game, terms: Terms, item: object) -> Standing:
    if not isinstance(item, Mapping):
        raise BadInput(f'layout: must hold pieces such as {{"piece": …, "space": …}}, not {brief(item)}')
    known_keys("layout", item, Standing._fields)  # the level follows from what lies on what
    supply = {supply.piece: supply for supply in game.pieces(terms)}
    piece = one_of("piece", item.get("piece"), supply)
    face = one_of("face", item.get("face", ""), supply[piece].faces or ("",))
    return Standing(piece, one_of("space", item.get("space"), terms.board.spaces), face)


def position_of(game: Game, state: Any, arranged: Arranged) -> dict[str, Any]:
    """The position in which this stands; raises BadInput with the rules' reason if it cannot."""
    after = game.rearrange(settled_state(game, state), arranged.layout)
    if arranged.turn:
        after = with_turn(game, after, arranged.turn)
    return game.position(after)


def with_turn(game: Game, state: Any, seat: str) -> Any:
    """Whoever is due before that seat is passed over."""
    for _ in range(3 * len(state.ground.terms.seats)):
        due = [d.seat for d in game.due(state) if not d.optional]
        if seat in due or not due:
            break
        state = game.skip(state, due[0])
    if seat not in [d.seat for d in game.due(state)]:
        raise BadInput(f"turn: it cannot be the turn of {seat} in this position")
    return state


def corrected(ledger: Ledger, data: dict[str, Any]) -> dict[str, Any]:
    """The fields of the host's act, with the position in place of the pieces. A move that stands ends what its seat owed."""
    game, state = ledger.game, ledger.state
    present = game.layout(settled_state(game, state))
    arranged = read(game, ledger.terms, data, present)
    if "event" in data:
        event: Event = event_from_json(data["event"], ledger.terms.seats, game.forms(ledger.terms))
        state = game.skip(settled_state(game, state), event.seat)
    rest = {field: value for field, value in data.items() if field not in FIELDS}
    return rest | {"position": position_of(game, state, arranged)}


def box_to_json(game: Game, terms: Terms, translate: Translate) -> list[dict[str, Any]]:
    """What the box holds, for the tray beside the board."""
    return [
        {"piece": s.piece, "name": game.words.name(s.piece, translate), "number": s.number, "faces": list(s.faces),
         "svg": _drawn(Standing(s.piece, "", (*s.faces, "")[0]))}
        for s in game.pieces(terms)
    ]  # fmt: skip


def _drawn(piece: Standing) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-13 -13 26 26">{draw_piece(piece, 0, 0, 10)}</svg>'
