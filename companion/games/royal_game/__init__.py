"""The Royal Game (McLoughlin Bros.): four discs race round the board and Home, with one die or with two."""

from pathlib import Path

from companion.game import Game, Variant
from companion.games.royal_game import position, rearrange, road, rules
from companion.games.royal_game.ground import ONE_DIE, RULEBOOK, TWO_DICE
from companion.games.royal_game.words import WORDS

SEATINGS = (road.SEATS, ("red", "blue", "yellow"), ("red", "yellow"))  # RG-01, RG-A52

GAME = Game(
    name="royal_game",
    title="The Royal Game",
    seats=road.SEATS,
    variants=(Variant(ONE_DIE, "with one die", SEATINGS), Variant(TWO_DICE, "with two dice", SEATINGS)),
    rulebook=RULEBOOK,
    words=WORDS,
    folder=Path(__file__).parent,
    set_up=rules.set_up,
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
    board_problems=road.board_problems,
    pieces=rearrange.pieces,
    rearrange=rearrange.rearrange,
    seat_problem=rules.seat_problem,
)
