"""What a board, the seats and the readings fix for a whole game of Fighting Marines.

Spaces become numbers (their place in the board file). A man is called by his colour and rank ("red-captain"): equal men cannot
be told apart. A seat owns one colour, or two when two play; a colour has its circles, its insignia in the corner and eight men.
"""

from __future__ import annotations

from functools import lru_cache

from companion.board import Board, Space
from companion.game import Terms
from companion.games.fighting_marines.purse import Purse

COLOURS = ("red", "black", "yellow", "green")  # clockwise
TWO_SEATS = {"red-black": ("red", "black"), "yellow-green": ("yellow", "green")}  # FM-42
SEATS = (*COLOURS, *TWO_SEATS)
PRIVATE, CAPTAIN, COLONEL = "private", "captain", "colonel"
MEN = {PRIVATE: 5, CAPTAIN: 2, COLONEL: 1}  # FM-05, of each colour
PRICE = {PRIVATE: 2, CAPTAIN: 3, COLONEL: 5}  # FM-35
RING = 44  # spaces of the base and of the platform (FM-02, FM-03)
SECTION = 11
STANDARD, TWO_PLAYERS = "standard", "two_players"

ALL_CHIPS = Purse(100, 50, 50)  # FM-07
DEAL = Purse(24, 12, 12)  # FM-11
USUAL_STAKE = 5  # FM-A21

ALL_MEN = tuple(f"{colour}-{rank}" for colour in COLOURS for rank in MEN)
COLOUR = {man: man.split("-")[0] for man in ALL_MEN}
RANK = {man: man.split("-")[1] for man in ALL_MEN}


class Ground:
    """The tables of one board, one seating and one set of readings."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.seats = terms.seats
        readings = terms.readings
        self.order = self.seats[::-1] if readings["left_is"] == "counterclockwise" else self.seats  # FM-15, X-A02
        self.colours = {seat: TWO_SEATS.get(seat, (seat,)) for seat in self.seats}
        self.in_play = tuple(colour for seat in self.seats for colour in self.colours[seat])  # FM-A29
        self.owner = {colour: seat for seat in self.seats for colour in self.colours[seat]}
        self.men = tuple(man for man in ALL_MEN if COLOUR[man] in self.in_play)
        self.owner_of = {man: self.owner[COLOUR[man]] for man in self.men}
        self._lay_out_the_board(terms.board)
        self._look_up_the_readings(readings)

    def _lay_out_the_board(self, board: Board) -> None:
        self.spaces = tuple(board.spaces.values())
        self.ids = tuple(board.spaces)
        self.index = {space.id: i for i, space in enumerate(self.spaces)}
        self.colour_at = tuple(str(space.facts.get("colour", "")) for space in self.spaces)
        self.number_at = tuple(int(space.facts.get("number", 0)) for space in self.spaces)  # of base spaces
        self.base = {space.number("number"): self.index[space.id] for space in board.of_kind("base")}
        on_platform = sorted(board.of_kind("platform"), key=lambda space: space.number("place"))
        self.platform = tuple(self.index[space.id] for space in on_platform)
        self.place_at = {space: place for place, space in enumerate(self.platform)}
        self.arrow_space = self.index[board.of_kind("arrow")[0].id]
        self.neutral = frozenset(self.index[space.id] for space in board.of_kind("neutral"))
        self.circles = {colour: self._of(colour, board.of_kind("circle")) for colour in COLOURS}
        self.all_circles = frozenset(self.index[space.id] for space in board.of_kind("circle"))
        self.insignia = {colour: self._of(colour, board.of_kind("insignia")) for colour in COLOURS}

    def _of(self, colour: str, spaces: tuple[Space, ...]) -> tuple[int, ...]:
        return tuple(self.index[space.id] for space in spaces if space.facts["colour"] == colour)

    def _look_up_the_readings(self, readings: dict[str, str]) -> None:
        """What depends on a reading is looked up once. A reading that is still open counts as its default here."""
        if readings["arrow_space"] == "neutral":  # FM-A03
            self.neutral |= {self.arrow_space}
        self.must_capture = readings["capture"] == "compulsory"
        self.any_man_moves_in = readings["captor_moves"] == "any_circle_man"
        self.wins_at_once = readings["stop_order"] in ("as_called", "thrower_then_rotation")
        self.one_by_one = readings["stop_order"] == "thrower_then_rotation"
        self.split_pool = readings["double_victory"] == "split_pool"
        self.first_call_wins = readings["double_victory"] == "first_call"
        self.must_call = readings["must_call"] == "yes"
        self.fresh_men_wait = readings["fresh_man"] != "same_stop"
        self.must_fill = readings["fill"] == "compulsory"
        self.neutral_holds_one = readings["neutral_capacity"] == "one"
        self.pays_in_chips = readings["ransom_unit"] == "chips"
        self.ransom_when = readings["ransom_when"]
        self.credit = readings["broke"] == "credit"
        self.free_after_round = readings["broke"] == "free_after_round"
        self.all_divided = readings["chips"] == "all_divided"
        self.no_waiting_in_corner = readings["regained_wait"] == "stays_captive"
        self.regain_in_same_stop = readings["regain_when"] == "same_stop"
        self.one_colour_wins = readings["two_player_goal"] == "eight_of_one_colour"
        self.either_colour_matches = readings["two_player_match"] == "either_own"
        self.colours_may_share = readings["two_player_stack"] == "colour"
        self.tied_throw_again = readings["tie_reroll"] != "everybody"
        self.leaver = readings["leaver"]

    @property
    def deal(self) -> Purse:
        """What each player gets at the start (FM-11, FM-A20)."""
        players = len(self.seats)
        return ALL_CHIPS.shared(players) if self.all_divided and players < 4 else DEAL

    def facing(self, base_space: int, arrow: int) -> int:
        """The platform space in front of a base space while the arrow points at that number (FM-17)."""
        return self.platform[(self.number_at[base_space] - arrow) % RING]

    def faced(self, platform_space: int, arrow: int) -> int:
        """The base space in front of which a platform space lies."""
        return self.base[(arrow + self.place_at[platform_space] - 1) % RING + 1]

    def matches(self, man: str, space: int) -> bool:  # FM-19, FM-A27, FM-A38
        colour = self.colour_at[space]
        if self.either_colour_matches:
            return self.owner.get(colour) == self.owner_of[man]
        return colour == COLOUR[man]

    def share_no_space(self, one: str, other: str) -> bool:  # FM-38, FM-A28
        if self.colours_may_share:
            return COLOUR[one] == COLOUR[other]
        return self.owner_of[one] == self.owner_of[other]


@lru_cache(maxsize=64)
def ground_of(terms: Terms) -> Ground:
    return Ground(terms)


# --- what a board must have ---


def board_problems(board: Board) -> list[str]:
    """What Fighting Marines misses on a board, in words for whoever maps one."""
    problems = [
        f"{space.id} must be exactly one of base, platform or insignia"
        for space in board.spaces.values()
        if len({"base", "platform", "insignia"} & space.kinds) != 1
    ]
    problems += _ring_problems(board, "base", "number", range(1, RING + 1))
    problems += _ring_problems(board, "platform", "place", range(RING))
    if problems:
        return problems
    return [*_section_problems(board), *_platform_problems(board), *_corner_problems(board)]


def _ring_problems(board: Board, kind: str, fact: str, wanted: range) -> list[str]:  # FM-02, FM-03
    found = [space.facts.get(fact) for space in board.of_kind(kind)]
    missing = [number for number in wanted if number not in found]
    problems = []
    if missing:
        problems.append(f"the {kind} needs {RING} spaces with a {fact} from {wanted[0]} to {wanted[-1]}; {missing[0]} is missing")
    if len(found) > RING:
        problems.append(f"the {kind} has {len(found)} spaces; Fighting Marines has {RING}")
    return problems


def _section_problems(board: Board) -> list[str]:  # FM-02, FM-08
    base = sorted(board.of_kind("base"), key=lambda space: space.number("number"))
    problems = [f"{space.id} needs a colour: {', '.join(COLOURS)}" for space in base if space.facts.get("colour") not in COLOURS]
    for colour in COLOURS:
        section = [space for space in base if space.facts.get("colour") == colour]
        circles = [space for space in section if "circle" in space.kinds]
        if len(section) != SECTION:
            problems.append(f"the {colour} section needs {SECTION} base spaces, and this board has {len(section)}")
        if len(circles) != MEN[PRIVATE]:
            problems.append(f"the {colour} section needs {MEN[PRIVATE]} circles, and this board has {len(circles)}")
    colours = [space.facts.get("colour") for space in base]
    borders = sum(one != other for one, other in zip(colours, colours[1:] + colours[:1], strict=True))
    if not problems and borders != len(COLOURS):
        problems.append("the spaces of each section must lie side by side")
    return problems + [f"{s.id} is a circle and must be on the base" for s in board.of_kind("circle") if "base" not in s.kinds]


def _platform_problems(board: Board) -> list[str]:  # FM-03
    problems = []
    if (have := len(board.of_kind("arrow"))) != 1:
        problems.append(f"the platform needs 1 space of kind 'arrow', and this board has {have}")
    for kind in ("arrow", "neutral"):  # how many are Neutral, the board says: mapping.toml names what the leaflet says of it
        astray = [space.id for space in board.of_kind(kind) if "platform" not in space.kinds]
        problems += [f"{id} is of kind '{kind}' and must be on the platform" for id in astray]
    for space in board.of_kind("platform"):
        if {"arrow", "neutral"} <= space.kinds:
            problems.append(f"{space.id} cannot be both the arrow and neutral")
        plain = not {"arrow", "neutral"} & space.kinds
        if plain and space.facts.get("colour") not in COLOURS:
            problems.append(f"{space.id} needs a colour: {', '.join(COLOURS)}")
        if not plain and "colour" in space.facts:
            problems.append(f"{space.id} is the arrow or neutral and must have no colour")
    return problems


def _corner_problems(board: Board) -> list[str]:  # FM-09
    problems = []
    for colour in COLOURS:
        for rank in (CAPTAIN, COLONEL):
            have = sum(s.facts.get("colour") == colour and s.facts.get("rank") == rank for s in board.of_kind("insignia"))
            if have != MEN[rank]:
                problems.append(f"the {colour} corner needs {MEN[rank]} insignia for a {rank}, and this board has {have}")
    return problems
