"""How far one army goes: the arithmetic of a forced march, on the line of steps that `ground` describes.

`own` tells whether the army's own player rolled, or the player to his right. Nothing here looks at other armies.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.games.kop_the_kaiser.ground import PORT, Ground, Track


class March(NamedTuple):
    """Where a march ends, and the rules that made it end there."""

    target: int
    rules: tuple[str, ...]


def advance(ground: Ground, track: Track, step: int, count: int, *, own: bool) -> March:
    if track.is_pink(step):
        return _climb(step, own=own)
    reached = step + count
    rules: tuple[str, ...] = ("KK-21", "KK-23")
    if step < PORT <= reached:
        reached, rules = reached + 1, (*rules, "KK-24", "KK-A15")  # −1 is followed by +1
    if reached <= track.last:
        return March(reached, rules)
    return _enter_france(ground, track, reached, rules, own=own)


def retreat(ground: Ground, track: Track, step: int, count: int, *, own: bool) -> March:
    if track.is_pink(step):
        return _fall_back(ground, track, step, count, own=own)
    if ground.retreats_from_port and not own:
        return _go_back(ground, track, PORT, count, ("KK-22", "KK-23", "KK-A06"))
    return _go_back(ground, track, step, count, ("KK-22", "KK-23"))


def _enter_france(ground: Ground, track: Track, reached: int, rules: tuple[str, ...], *, own: bool) -> March:
    if ground.own_roll_into_france and not own:
        return March(track.last, (*rules, "KK-A19"))
    if ground.exact_into_france and reached != track.france:
        return March(track.last, (*rules, "KK-A17"))
    return March(track.france, (*rules, "KK-26", "KK-27", "KK-28"))


def _climb(step: int, *, own: bool) -> March:
    """One division at a time, and only by the player's own 7, 11 or repeated number."""
    if not own:
        return March(step, ("KK-30", "KK-34", "KK-A21"))
    return March(step + 1, ("KK-29", "KK-30", "KK-34"))


def _fall_back(ground: Ground, track: Track, step: int, count: int, *, own: bool) -> March:
    """One division at a time; below In France lies the blue path, where ordinary counting begins again."""
    if own and ground.own_roll_holds_pink:
        return March(step, ("KK-32", "KK-34", "KK-A20"))
    if step > track.france:
        return March(step - 1, ("KK-31", "KK-32", "KK-34"))
    if ground.leaves_france_by_one:
        return March(track.last, ("KK-32", "KK-33", "KK-A23"))
    return _go_back(ground, track, step, count, ("KK-22", "KK-23", "KK-32", "KK-33"))


def _go_back(ground: Ground, track: Track, step: int, count: int, rules: tuple[str, ...]) -> March:
    """Back along the blue path. The own port is not counted (KK-23, KK-A14), and a whole circuit ends the army (KK-35)."""
    reached = step - count
    if step > PORT >= reached:
        rules = (*rules, "KK-25", "KK-A14")
        if not ground.stops_on_port:
            reached -= 1
    end = -track.last if ground.out_at_last_space else track.vanquished
    if reached <= end:
        return March(track.vanquished, (*rules, "KK-35", "KK-A26"))
    return March(reached, rules)
