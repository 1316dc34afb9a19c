"""Events as one short line of text, the same in every game: for the terminal, for playthrough files, for records.

red: roll 5                              two dice: roll 3 4
attacker: move knight c0 > d2            do, piece, from > to
red: mark > e4                           what an act does not need is left out
black: exchange red-private > yellow (black-private)      the detail stands in brackets
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.events import BadInput, Event, Form, Move, Roll, brief, dice_from_json, one_of
from companion.game import Game, Terms
from companion.words import Translate


def to_text(event: Event) -> str:
    """The event without its seat."""
    if isinstance(event, Roll):
        return "roll " + " ".join(map(str, event.dice))
    parts = [event.do, event.piece, event.start, f"> {event.to}" if event.to else "", f"({event.detail})" if event.detail else ""]
    return " ".join(part for part in parts if part)


def to_words(game: Game, terms: Terms, event: Event, translate: Translate) -> str:
    """A roll or a move for people: 'move the Knight from c0 to d2'."""

    def name(id: str) -> str:
        space = terms.board.spaces.get(id)
        return space.name if space else game.words.name(id, translate)

    if isinstance(event, Roll):
        return translate("rolled {faces}").format(faces=game.words.listed(list(map(str, event.dice)), translate))
    text = translate(event.do.replace("_", " "))
    if event.piece:
        text += " " + game.words.name(event.piece, translate)  # a piece may be called like the space it starts on
    if event.start:
        text += " " + translate("from {place}").format(place=name(event.start))
    if event.to:
        text += " " + translate("to {place}").format(place=name(event.to))
    return text + (f" ({name(event.detail)})" if event.detail else "")


def from_text(text: str, seat: str, forms: Iterable[Form]) -> Event:
    """Read one event of a seat. Refuses nonsense; what the rules say of it is another matter."""
    if len(text) > 300:
        raise BadInput("move: that line is too long")
    rest, _, bracket = text.strip().partition("(")
    before, _, after = rest.partition(">")
    do, *words = before.split() or [""]
    if do == "roll":
        return Roll(seat, dice_from_json([int(w) if w.isdecimal() and len(w) < 4 else w for w in words]))
    by_do = {form.do: form for form in forms}
    form = by_do[one_of("move", do, (*by_do, "roll"))]
    piece = start = ""
    for word in words:
        if not piece and word in form.piece:
            piece = word
        elif not start and word in form.start:
            start = word
        else:
            known = "; ".join(", ".join(values[:12]) for values in (form.piece, form.start) if values)
            raise BadInput(f"move: {brief(word)} is not known after '{do}'" + (f"; allowed are {known}" if known else ""))
    given = {"piece": piece, "start": start, "to": after.strip(), "detail": bracket.strip().removesuffix(")").strip()}
    for field, value in given.items():
        allowed = getattr(form, field)
        if allowed:
            one_of({"start": "from"}.get(field, field), value, allowed)
        elif value:
            raise BadInput(f"move: '{do}' takes no {brief(value)}")
    return Move(seat, do, **given)
