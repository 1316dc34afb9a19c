"""Corner Race: two Runners on a board of three by three. Our own, and the smallest complete example of a game."""

from pathlib import Path

from companion.games.corner_race import position, rules, state
from companion.games.corner_race.words import WORDS

from companion.game import Game, Variant
from companion.rulebook import load_rulebook

FOLDER = Path(__file__).parent

GAME = Game(
    name="corner_race",
    title="Corner Race",
    seats=state.SEATS,
    variants=(Variant("standard", "the race for two", (state.SEATS,)),),
    rulebook=load_rulebook(FOLDER / "rulebook.toml"),
    words=WORDS,
    folder=FOLDER,
    set_up=state.set_up,
    due=rules.due,
    legal_moves=rules.legal_moves,
    rule=rules.rule,
    layout=state.layout,
    outcome=rules.outcome,
    position=position.position,
    from_position=position.from_position,
    forms=rules.forms,
    skip=rules.skip,
    leave=rules.leave,
    board_problems=state.board_problems,
    pieces=state.pieces,
    rearrange=position.rearrange,
)
