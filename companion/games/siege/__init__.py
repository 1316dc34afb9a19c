"""Siege (1966): four Knights besiege a Castle; four Defenders and their Commander hold it."""

from pathlib import Path

from companion.game import Game, Variant
from companion.games.siege import ending, ground, position, rearrange, rules, state
from companion.games.siege.tables import SEATS
from companion.games.siege.words import WORDS
from companion.rulebook import load_rulebook

FOLDER = Path(__file__).parent

GAME = Game(
    name="siege",
    title="Siege",
    seats=SEATS,
    variants=(Variant("standard", "the game for two", (SEATS,)),),
    rulebook=load_rulebook(FOLDER / "rulebook.toml"),
    words=WORDS,
    folder=FOLDER,
    set_up=state.set_up,
    due=rules.due,
    legal_moves=rules.legal_moves,
    rule=rules.rule,
    layout=state.layout,
    outcome=ending.outcome,
    position=position.position,
    from_position=position.from_position,
    forms=rules.forms,
    skip=rules.skip,
    leave=rules.leave,
    board_problems=ground.board_problems,
    pieces=rearrange.pieces,
    rearrange=rearrange.rearrange,
    may_not_end={},
)
