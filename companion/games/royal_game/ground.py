"""What board, variant and readings fix for a whole game: each seat's road, and each reading as a plain yes or no.

A reading on which the table has not decided counts as its default here; the referee asks wherever that matters.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from companion.events import Roll
from companion.game import Terms
from companion.games.royal_game.road import Row, roads_of
from companion.games.royal_game.throw import Throw, is_doublet
from companion.rulebook import ASK, load_rulebook
from companion.ruling import Due
from companion.words import say

ONE_DIE, TWO_DICE = "one_die", "two_dice"
DISCS = 4  # each player has four (RG-02)
CAPTURE, REACHED_HOME, PENALTY = 20, 10, 20  # points: RG-42, RG-45, RG-43
RULEBOOK = load_rulebook(Path(__file__).parent / "rulebook.toml")


class Ground:
    """The fixed part of one game."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.seats = terms.seats
        roads = roads_of(terms.board)
        self.roads = tuple(roads.of_seat[seat] for seat in terms.seats)
        self.steps = roads.steps
        self.safe = self.roads[0].safe
        self.circles = {road.enter.bit: seat for seat, road in enumerate(self.roads)}  # entering circles and their owners
        self.two_dice = terms.variant == TWO_DICE
        self.readings = {
            name: RULEBOOK.reading(name).default if value == ASK else value for name, value in terms.readings.items()
        }
        self._order()
        self._dice()
        self._moving()
        self._scoring()
        self.single_throws = tuple(self._single_throws(seat) for seat in range(len(self.seats)))

    def _order(self) -> None:
        players, reading = len(self.seats), self.readings
        to_the_left = 1 if reading["left_is"] == "clockwise" else -1
        self.after = tuple((seat + to_the_left) % players for seat in range(players))
        self.tied_only = reading["tie_reroll"] == "tied_only"
        self.first = "roll" if self.two_dice or reading["first"] == "highest" else reading["first"]
        self.lowest_first = self.two_dice and reading["two_dice_first"] == "lowest"
        self.leaver = reading["leaver"]

    def _dice(self) -> None:
        reading = self.readings
        self.dice = ("first", "second") if self.two_dice else ("die",)
        # For each mover, by thrower and open numbers; filled as they come.
        self.asks_move: tuple[dict[tuple[int, tuple[int, ...]], tuple[Due, ...]], ...] = tuple({} for _ in self.seats)
        self.enters = tuple((road.enter.move,) for road in self.roads)
        self.says_lost = tuple((say("lost", seat=seat),) for seat in self.seats)
        self.says_again = tuple((say("throws_again", seat=seat),) for seat in self.seats)
        self.asks_throw = tuple((Due(seat, "roll", say("throw", seat=seat), self.dice),) for seat in self.seats)
        self.sixes_count = not self.two_dice or reading["two_dice_six"] == "six_moves_12"
        self.six_either = self.sixes_count and reading["six"] == "6_or_12"
        self.numbers = {face: face for face in range(1, 6)} | {6: 12 if self.sixes_count else 6}  # RG-25, RG-A24
        faces = range(1, 7)
        throws = [(a, b) for a in faces for b in faces] if self.two_dice else [(a,) for a in faces]
        self.again = frozenset(  # throws that earn another one: RG-25, RG-37
            dice for dice in throws if (self.sixes_count and 6 in dice) or is_doublet(dice)
        )
        self.third_doublet_costs = reading["third_doublet"] == "nearest_disc_out"
        self.home_is_in_play = reading["home_counts_as_in_play"] == "yes"
        self.loans = reading["unentered_throw"]
        self.reentry_lends = reading["reentry_lends"] == "yes"
        self.one_disc_total = self.two_dice and reading["two_dice_split"] == "one_disc_total"
        self.larger_only = reading["one_die_only"] == "larger"
        self.doublet_partial = reading["doublet_partial"]
        self.entered_disc_only = reading["other_die"] == "entered_disc"

    def _moving(self) -> None:
        reading = self.readings
        self.enter_on_five = reading["enter_on_five"]
        self.third_disc = reading["third_disc"] == "yes"
        self.lone_owner_falls = reading["entering_circle"] == "both"
        # RG-44 says it outright for two dice; there no reading of RG-19 takes it away.
        self.entry_captures = self.two_dice or reading["entering_circle"] != "nobody"
        self.hits_blockades = reading["hit_blockade"] == "captures_both"
        self.lane_pairs = reading["lane_blockade"] == "yes"
        # Where one may perhaps not stop beside another disc (RG-14, RG-A49).
        self.guarded = self.safe | sum(road.lane for road in self.roads if not self.lane_pairs)
        self.breaking = reading["break_blockade"]
        self.may_pass = reading["must_move"] == "may_pass"

    def _scoring(self) -> None:
        reading = self.readings
        self.scores = self.two_dice or reading["one_die_points"] == "on"
        self.next_throw_is_chance = self.scores and reading["first_chance"] == "next_throw"
        self.floor_zero = reading["floor_zero"] == "yes"
        self.finisher_breaks_tie = reading["tie"] == "finisher"
        # The readings under which nearly all games with one die are played: see `one_die`.
        unusual = self.third_disc or self.hits_blockades or self.may_pass or self.six_either or self.scores
        self.is_usual = self.enter_on_five == "must" and self.breaking == "never" and not unusual

    def _single_throws(self, seat: int) -> dict[Roll, tuple[int, Throw, Row]]:
        """What a seat's throw of one die allows, by that throw: its face, the Throw, and all steps of as many spaces."""
        return {Roll(self.seats[seat], (face,)): (face, *self._single_throw(seat, face)) for face in range(1, 7)}

    def _single_throw(self, seat: int, face: int) -> tuple[Throw, Row]:
        number = self.numbers[face]
        return Throw((face,), (number,), seat, again=(face,) in self.again), self.roads[seat].steps[number]

    def counts(self, throw: Throw) -> tuple[int, ...]:
        """How many spaces one step may be."""
        numbers = throw.open
        if self.one_disc_total and len(numbers) == 2 and not throw.steps and not throw.is_doublet:
            numbers = (sum(numbers),)  # RG-A35
        if self.six_either and 12 in throw.open:
            numbers += tuple(number - 6 for number in numbers if number >= 12)  # RG-A17
        return tuple(dict.fromkeys(numbers))

    def rows(self, throw: Throw) -> tuple[Row, ...]:
        """All steps of as many spaces as the open numbers say."""
        road = self.roads[throw.mover]
        return tuple(road.steps[count] for count in self.counts(throw))


@lru_cache(maxsize=256)
def ground_of(terms: Terms) -> Ground:
    return Ground(terms)
