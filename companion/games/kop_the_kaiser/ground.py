"""What a board and the readings fix for a whole game of Kop the Kaiser.

Every army sees the board from its own port, as one line of whole numbers, its *steps*. With L blue spaces:

    −L−1        −L … −1        0        +1 … +L        L+1 …            the last
    vanquished  RETREAT side   port     ADVANCE side   In France, pink  Berlin

The blue path goes round, so +L and −1 are the same space on the board, and the face of the counter tells which is meant (KK-26).
Ports are not counted (KK-23): from −1 the next step forward is +1.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache

from companion.board import Board, Space
from companion.game import Terms

SEATS = ("new-york", "charleston", "norfolk", "baltimore", "philadelphia", "boston")  # the six ports (KK-02), clockwise
ARMIES = ("infantry", "artillery", "aviation", "cavalry", "engineers", "signal-corps")  # KK-A33: six branches
ADVANCE, RETREAT = "advance", "retreat"  # the faces of a counter
PORT = 0


@dataclass(frozen=True)
class Track:
    """The board as one army counts it."""

    port: str
    blue: tuple[str, ...]  # from the first space to the right of the port, round to the last one on its left
    pink: tuple[str, ...]  # from In France upwards
    berlin: str
    before_port: frozenset[str]  # blue spaces after which, going forward, a port lies that is not counted

    @cached_property
    def last(self) -> int:
        """The last blue space before France."""
        return len(self.blue)

    @cached_property
    def france(self) -> int:
        return self.last + 1

    @cached_property
    def goal(self) -> int:
        """Berlin lies one division above the last pink one (KK-A25)."""
        return self.france + len(self.pink)

    @cached_property
    def vanquished(self) -> int:
        return -self.last - 1

    @cached_property
    def spaces(self) -> dict[int, str]:
        """Every step at which an army stands somewhere on the board."""
        forward = dict(enumerate((self.port, *self.blue, *self.pink, self.berlin)))
        return forward | {-number: space for number, space in enumerate(reversed(self.blue), 1)}

    @cached_property
    def steps(self) -> dict[tuple[str, str], int]:
        """The step that a space and the face of the counter stand for."""
        return {(space, face(step)): step for step, space in self.spaces.items()}

    def is_pink(self, step: int) -> bool:
        return step > self.last

    def ports_between(self, one: int, other: int) -> int:
        """How many uncounted ports lie between two steps."""
        low, high = sorted((one, other))
        return sum(self.spaces[s] in self.before_port for s in range(low, min(high, self.last)) if s in self.spaces and s != PORT)


def face(step: int) -> str:  # KK-24, KK-25, KK-A32
    return RETREAT if step < PORT else ADVANCE


class Ground:
    """The tables of one board under one set of readings. An undecided reading counts as its default here."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        readings = terms.readings
        self.passes_after_repeat = readings["after_repeat"] == "pass"
        self.retreats_from_port = readings["retreat_from"] == "port"
        self.left_port_only = readings["left_neighbour"] == "next_port_only"
        self.dice_go_left = readings["dice_pass"] == "left"
        self.seven_loses_dice = readings["seven_out"] == "yes"
        self.most_tries = 2 if readings["tries"] == "2_more" else 3
        self.counts_foreign_ports = readings["ports_counted"] == "foreign_count"
        self.stops_on_port = readings["may_stop_on_port"] == "yes"
        self.exact_into_france = readings["france_exact"] == "yes"
        self.own_roll_into_france = readings["france_by_neighbour"] == "no"
        self.own_roll_holds_pink = readings["pink_retreat"] == "right_only"
        self.pink_roller_spares_left = readings["pink_roller_hits_left"] == "no"
        self.leaves_france_by_one = readings["leave_france"] == "one_space"
        self.out_at_last_space = readings["vanquished"] == "at_last_space"
        self.must_reach_berlin = readings["last_army"] == "must_reach_berlin"
        self.bumps = readings["sharing"] == "bump_to_port"
        self.removes_leavers = readings["leaver"] == "remove_pieces"
        self.ends_with_leaver = readings["leaver"] == "end_game"

        self.seats = terms.seats
        self.index = {seat: i for i, seat in enumerate(terms.seats)}
        self.army = dict(zip(terms.seats, armies_in_order(terms.option["armies"]), strict=False))
        self.owner = {army: seat for seat, army in self.army.items()}
        ports = ports_in_order(terms.board)
        self.tracks = {seat: track_of(terms.board, ports, seat, self.counts_foreign_ports) for seat in terms.seats}
        inside_out = readings["left_is"] == "counterclockwise"
        to_right = tuple(ports)[:: -1 if inside_out else 1]  # an army advances to the right, and so do the dice pass
        self.to_left = to_right[::-1]
        self.dice_order = self.to_left if self.dice_go_left else to_right  # KK-20, KK-A09

    def name(self, space: str) -> str:
        """How a space is spoken of."""
        return self.terms.board.spaces[space].name


def next_seat(order: tuple[str, ...], seat: str, among: Collection[str]) -> str:
    """The first of these seats that follows in that order round the table; none: empty."""
    at = order.index(seat)
    return next((s for s in (*order[at + 1 :], *order[:at]) if s in among), "")


def armies_in_order(chosen: str) -> tuple[str, ...]:
    """The armies in the order of the seats: those chosen, then the rest in the usual order."""
    named = tuple(name.strip() for name in chosen.split(",") if name.strip())
    return (*named, *(army for army in ARMIES if army not in named))


def armies_problem(chosen: str) -> str:
    named = [name.strip() for name in chosen.split(",") if name.strip()]
    if len(chosen) > 200 or any(name not in ARMIES for name in named):
        return f"must be a list such as 'artillery,infantry', in the order of the seats; the armies are {', '.join(ARMIES)}"
    if len(set(named)) < len(named):
        return "an army is named twice; there is one counter of each"
    return ""


# --- reading the board: `companion.games.kop_the_kaiser.board_needs` says what must hold first ---


def ring(board: Board) -> list[Space]:
    """The blue path in the direction of advance."""
    start = board.of_kind("blue")[0]
    path = [start]
    while (following := board.spaces[path[-1].links["next"]]) is not start:
        path.append(following)
    return path


def ports_in_order(board: Board) -> dict[str, Space]:
    """Each seat's port, in the direction of advance."""
    by_left = {port.links["left"]: port for port in board.of_kind("port")}
    return {str(by_left[s.id].facts["port"]): by_left[s.id] for s in ring(board) if s.id in by_left}


def track_of(board: Board, ports: dict[str, Space], seat: str, foreign_ports_count: bool) -> Track:
    port = ports[seat]
    path = [space.id for space in ring(board)]
    start = path.index(port.links["right"])
    path = path[start:] + path[:start]
    uncounted = {p.links["left"]: p.id for p in ports.values()}  # by the blue space before each port (KK-23)
    if foreign_ports_count:  # KK-A13
        foreign = {before: id for before, id in uncounted.items() if id != port.id}
        path = [id for blue in path for id in (blue, foreign.get(blue, "")) if id]
        uncounted = {port.links["left"]: port.id}
    pink = [board.spaces[port.links["up"]]]
    while "pink" in board.spaces[pink[-1].links["up"]].kinds:
        pink.append(board.spaces[pink[-1].links["up"]])
    return Track(port.id, tuple(path), tuple(s.id for s in pink), pink[-1].links["up"], frozenset(uncounted))


@lru_cache(maxsize=64)
def ground_of(terms: Terms) -> Ground:
    return Ground(terms)
