"""Fighting Marines (1943): land all your men on a platform that turns, while everybody moves at the same time."""

from pathlib import Path

from companion.game import Game, Option, Variant
from companion.games.fighting_marines import ground, position, rearrange, rules, state
from companion.games.fighting_marines.words import WORDS
from companion.rulebook import load_rulebook

FOLDER = Path(__file__).parent

GAME = Game(
    name="fighting_marines",
    title="Fighting Marines",
    seats=ground.SEATS,
    variants=(
        Variant(ground.STANDARD, "the game for three or four", (ground.COLOURS, ground.COLOURS[:3])),
        Variant(ground.TWO_PLAYERS, "the game for two", (tuple(ground.TWO_SEATS),)),
    ),
    rulebook=load_rulebook(FOLDER / "rulebook.toml"),
    words=WORDS,
    folder=FOLDER,
    set_up=state.set_up,
    due=rules.due,
    legal_moves=rules.legal_moves,
    rule=rules.rule,
    layout=rules.layout,
    outcome=rules.outcome,
    position=position.position,
    from_position=position.from_position,
    forms=rules.forms,
    skip=rules.skip,
    leave=rules.leave,
    board_problems=ground.board_problems,
    pieces=rearrange.pieces,
    rearrange=rearrange.rearrange,
    seat_problem=rules.seat_problem,
    options=(
        Option("stake", "How many chips does each player put into the pool?", str(ground.USUAL_STAKE), rules.stake_problem),
    ),
)
