"""Kop the Kaiser (about 1918): armies from six ports race round the submarines, through France and into Berlin."""

from pathlib import Path

from companion.game import Game, Option, Variant
from companion.games.kop_the_kaiser import position, rearrange, rules, state
from companion.games.kop_the_kaiser.board_needs import board_problems
from companion.games.kop_the_kaiser.ground import ARMIES, SEATS, armies_problem
from companion.games.kop_the_kaiser.words import WORDS
from companion.rulebook import load_rulebook

FOLDER = Path(__file__).parent
SIX = SEATS
FIVE = tuple(seat for seat in SEATS if seat != "boston")
FOUR = ("new-york", "charleston", "baltimore", "philadelphia")
THREE = ("new-york", "norfolk", "philadelphia")
TWO = ("new-york", "baltimore")

GAME = Game(
    name="kop_the_kaiser",
    title="Kop the Kaiser",
    seats=SEATS,
    variants=(Variant("standard", "the race to Berlin", (SIX, FIVE, FOUR, THREE, TWO)),),
    rulebook=load_rulebook(FOLDER / "rulebook.toml"),
    words=WORDS,
    folder=FOLDER,
    set_up=state.set_up,
    due=rules.due,
    legal_moves=rules.legal_moves,
    rule=rules.rule,
    layout=rules.layout,
    outcome=state.outcome,
    position=position.position,
    from_position=position.from_position,
    forms=rules.forms,
    skip=rules.skip,
    leave=rules.leave,
    board_problems=board_problems,
    pieces=rearrange.pieces,
    rearrange=rearrange.rearrange,
    options=(Option("armies", "Which army has each port, in the order of the seats?", ",".join(ARMIES), armies_problem),),
)
