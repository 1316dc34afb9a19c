"""A second reading of the leaflet, slow and plain: it knows nothing of bits or tables, only of columns and rows.

It works on the JSON position, so that it shares no code with the game; tests compare the two move by move.
"""

from __future__ import annotations

from typing import Any

from companion.board import Board

Plain = tuple[str, str, str]  # piece, from, to


class Oracle:
    def __init__(self, board: Board, readings: dict[str, str], position: dict[str, Any]) -> None:
        self.readings = readings
        self.at = {(s.number("column"), s.number("row")): s for s in board.spaces.values()}
        self.place = {s.id: place for place, s in self.at.items()}
        self.knights = [self.place[id] for id in position["knights"]]
        self.defenders = [self.place[id] for id in position["defenders"]]
        self.commander = self.place[position["commander"]]
        self.unmoved = [self.place[id] for id in position["unmoved"]]
        self.turns = position["opening"]
        self.attacker_moves = position["to_move"] == "attacker"

    def is_(self, kind: str, place: tuple[int, int]) -> bool:
        return place in self.at and kind in self.at[place].kinds

    def named(self, piece: str, start: tuple[int, int], end: tuple[int, int]) -> Plain:
        return piece, self.at[start].id, self.at[end].id

    def legal(self) -> set[Plain]:
        if self.attacker_moves:
            return {self.named("knight", k, e) for k in self.knights for e in self.leaps(k) if e not in self.knights}
        return self.escaping(self.defender_moves())

    # --- each piece ---

    def leaps(self, start: tuple[int, int]) -> list[tuple[int, int]]:
        found = []
        for across, along in ((1, 2), (-1, 2), (2, 1), (-2, 1), (1, -2), (-1, -2), (2, -1), (-2, -1)):
            end = start[0] + across, start[1] + along
            inside, lands_inside = self.is_("castle", start), self.is_("castle", end)
            if end not in self.at or (inside and not lands_inside):
                continue
            if along < 0 and not inside:
                if not lands_inside:
                    continue
                if along == -1 and self.readings["back_into_castle"] == "only_two_back_one_side":
                    continue
            found.append(end)
        return found

    def steps(self, start: tuple[int, int]) -> list[tuple[tuple[int, int], bool]]:
        """Where a Defender may step, and whether diagonally."""
        found = []
        for across in (-1, 0, 1):
            for along in (-1, 0, 1):
                end, slanted = (start[0] + across, start[1] + along), bool(across and along)
                if end == start or end not in self.at or self.is_("blue", end):
                    continue
                crosses = self.is_("castle", start) != self.is_("castle", end)
                if crosses and slanted and self.readings["castle_wall"] == "orthogonal_crossing_only":
                    continue
                found.append((end, slanted))
        return found

    def taken(self) -> list[tuple[int, int]]:
        return [*self.knights, *self.defenders, self.commander]

    def footman_moves(self) -> set[Plain]:
        found = set()
        for start in self.defenders:
            for end, slanted in self.steps(start):
                if end not in self.taken() or (slanted and end in self.knights):
                    found.add(self.named("defender", start, end))
        return found

    def commander_moves(self) -> set[Plain]:
        found = set()
        column, row = self.commander
        for across, along in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            for far in (1, 2, 3):
                end = column + across * far, row + along * far
                if not self.is_("castle", end) or end in self.defenders:
                    break
                found.add(self.named("commander", self.commander, end))
                if end in self.knights:
                    break
        for side in (-1, 1):
            other = column + side, row
            if self.is_("crown", self.commander) and self.is_("crown", other) and other not in self.defenders:
                found.add(self.named("commander", self.commander, other))
        return found

    # --- the special rule ---

    def risk(self) -> str:
        his_own = any(e == self.commander or e in self.defenders for k in self.knights for e in self.leaps(k))
        taken_by_men = {to for _, _, to in self.footman_moves() | self.commander_moves()}
        knights = any(self.at[k].id in taken_by_men for k in self.knights)
        return {(True, True): "both", (True, False): "defender", (False, True): "attacker", (False, False): "nothing"}[
            his_own, knights
        ]

    def lifts(self, risk: str) -> bool:
        return risk in ("both", "defender") if self.readings["threat_test"] == "own_side_only" else risk != "nothing"

    def defender_moves(self) -> set[Plain]:
        for_good = self.readings["special_exempt"] == "from_then_on"
        everything = self.footman_moves() | self.commander_moves()
        if self.readings["exempt_counts"] == "yes" or for_good:
            counted = len(self.turns)
        else:
            counted = sum(not self.lifts(risk) for risk in self.turns)
        if counted >= 4:
            return everything
        if self.lifts(self.risk()) or (for_good and any(map(self.lifts, self.turns))):
            return everything if self.readings["exempt_commander"] == "yes" else self.footman_moves() or everything
        if self.readings["special_men"] == "any_on_dot":
            men = [d for d in self.defenders if self.is_("dot", d)]
        else:
            men = self.unmoved
        keeping = set()
        for move in self.footman_moves():
            start, end = self.place[move[1]], self.place[move[2]]
            if start in men and not self.is_("dot", end) and not self.is_("start", end):
                keeping.add(move)
        return keeping or everything

    # --- check ---

    def escaping(self, moves: set[Plain]) -> set[Plain]:
        if self.readings["commander_check"] != "must_escape":
            return moves
        safe = set()
        for move in moves:
            end = self.place[move[2]]
            commander = end if move[0] == "commander" else self.commander
            if not any(commander in self.leaps(k) for k in self.knights if k != end):
                safe.add(move)
        return safe or moves
