"""Royal Purple (1937): each Prince marks the squares he stops on, gathers five Nobles, and makes for the Throne."""

from pathlib import Path

from companion.game import Game, Variant
from companion.games.royal_purple import board_check, ending, ground, position, rearrange, rules, state
from companion.games.royal_purple.ground import CHILDREN, COLOURS, FOUR_HANDED, PAIRS, PRINCESS, TWO_HANDED
from companion.games.royal_purple.words import WORDS

THREE, DIAGONAL = COLOURS[:3], (COLOURS[0], COLOURS[2])
WANDERING = "by chance alone a Prince may need tens of thousands of throws to find the one way left between the markers"

GAME = Game(
    name="royal_purple",
    title="Royal Purple",
    seats=ground.SEATS,
    variants=(
        Variant(FOUR_HANDED, "the main game", (COLOURS, THREE)),
        Variant(PRINCESS, "Prince and Princess, for two", (tuple(PAIRS),)),
        Variant(TWO_HANDED, "the simple game for two", (DIAGONAL,)),
        Variant(CHILDREN, "the simple game for children", (COLOURS, THREE, DIAGONAL)),
    ),
    rulebook=ground.RULEBOOK,
    words=WORDS,
    folder=Path(__file__).parent,
    set_up=state.set_up,
    due=rules.due,
    legal_moves=rules.legal_moves,
    rule=rules.rule,
    layout=rules.layout,
    outcome=ending.outcome,
    position=position.position,
    from_position=position.from_position,
    forms=rules.forms,
    skip=rules.skip,
    leave=rules.leave,
    board_problems=board_check.board_problems,
    pieces=rearrange.pieces,
    rearrange=rearrange.rearrange,
    seat_problem=ground.seat_problem,
    may_not_end=dict.fromkeys((FOUR_HANDED, PRINCESS, TWO_HANDED), WANDERING),
)
