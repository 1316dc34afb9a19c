"""Named disturbances: conditions drawn at random by seed, plain but for the one thing named (or all of them together)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vision.rendered.chance import chance
from vision.rendered.conditions import ALL_TAGS, Conditions, Glare, Lamp, PlayerShadow, Pose
from vision.rendered.covers import Hand, Mug

Dice = np.random.Generator


def _plain(dice: Dice) -> Conditions:
    lamp = Lamp(
        at=(float(dice.uniform(-450, 450)), float(dice.uniform(-450, 300))),
        height=float(dice.uniform(800, 1500)),
        kelvin=float(dice.uniform(3900, 5200)),
        strength=float(dice.uniform(0.65, 0.8)),
        width=float(dice.uniform(60, 220)),
        green=float(dice.uniform(-0.02, 0.05)),
    )
    return Conditions(
        tilt=float(dice.uniform(0, 12)),
        towards=float(dice.uniform(0, 360)),
        turn=float(dice.uniform(-4, 4)),
        aim=(float(dice.uniform(-12, 12)), float(dice.uniform(-12, 12))),
        focal=float(dice.uniform(0.7, 1.05)),
        lens=(float(dice.uniform(-0.09, 0.02)), float(dice.uniform(0, 0.02))),
        curl=(float(dice.uniform(0, 0.15)), 0.0, float(dice.uniform(0, 0.15))),
        lamps=(lamp,),
        ambient=float(dice.uniform(0.12, 0.3)),
        ambient_kelvin=float(dice.uniform(4500, 6500)),
        noise=float(dice.uniform(1.0, 2.2)),
        blur=float(dice.uniform(0.35, 0.7)),
        jpeg=int(dice.integers(85, 96)),
        clutter=int(dice.integers(0, 5)),
    )


def _lamp(c: Conditions, kelvin: float, ambient_kelvin: float) -> Conditions:
    return replace(c, lamps=tuple(replace(lamp, kelvin=kelvin) for lamp in c.lamps), ambient_kelvin=ambient_kelvin)


def _warm(c: Conditions, dice: Dice) -> Conditions:
    return _lamp(c, float(dice.uniform(2600, 3100)), 3200.0)


def _cool(c: Conditions, dice: Dice) -> Conditions:
    return _lamp(c, float(dice.uniform(6500, 8500)), 7500.0)


def _mixed(c: Conditions, dice: Dice) -> Conditions:
    warm = replace(c.lamps[0], kelvin=float(dice.uniform(2600, 3000)), strength=0.5)
    window = Lamp(at=(float(dice.choice([-1500, 1500])), float(dice.uniform(-400, 400))), height=900.0, kelvin=7500.0, strength=0.35, width=600.0)
    return replace(c, lamps=(warm, window))


def _glare(c: Conditions, dice: Dice) -> Conditions:
    at = (float(dice.uniform(0.2, 0.8)), float(dice.uniform(0.2, 0.8)))
    return replace(c, glare=Glare(at, float(dice.uniform(35, 75)), float(dice.uniform(0.7, 1.8))))


def _shadow(c: Conditions, dice: Dice) -> Conditions:
    side, reach, depth, soft = dice.uniform((0, 0.25, 0.35, 30), (360, 0.5, 0.65, 90))
    return replace(c, shadow=PlayerShadow(float(side), float(reach), float(depth), float(soft)))


def _tilt(c: Conditions, dice: Dice) -> Conditions:
    return replace(c, tilt=float(dice.uniform(22, 35)))


def _curl(c: Conditions, dice: Dice) -> Conditions:
    ways = (float(dice.uniform(0.5, 2.0)), float(dice.uniform(-0.4, 0.4)), float(dice.uniform(0.0, 1.0)))
    return replace(c, curl=ways, crease=(float(dice.choice([0.0, 90.0])), 0.0, float(dice.uniform(0.5, 2.5))))


def _hide(count: int) -> Callable[[Conditions, Dice], Conditions]:
    def hidden(c: Conditions, dice: Dice) -> Conditions:
        return replace(c, hidden_tags=tuple(sorted(int(t) for t in dice.choice(ALL_TAGS, count, replace=False))))

    return hidden


DISTURBANCES: dict[str, Callable[[Conditions, Dice], Conditions]] = {
    "plain": lambda c, dice: c,
    "warm": _warm,
    "cool": _cool,
    "mixed": _mixed,
    "bright": lambda c, dice: replace(c, exposure=1.0),
    "dark": lambda c, dice: replace(c, exposure=-1.0, noise=c.noise * 1.3),
    "glare": _glare,
    "shadow": _shadow,
    "tilt": _tilt,
    "curl": _curl,
    "noise": lambda c, dice: replace(c, noise=float(dice.uniform(4, 7)), blur=float(dice.uniform(0.6, 1.0)), jpeg=int(dice.integers(60, 80))),
    "one_tag": _hide(1),
    "four_tags": _hide(4),
    "bump": lambda c, dice: replace(c, fill=0.66),  # room in the frame for draw(pose=random_bump(seed))
    "no_tags": lambda c, dice: replace(c, tags=()),
}
TOGETHER = ("mixed", "shadow", "glare", "curl", "four_tags", "tilt")


def random_conditions(seed: int, disturbance: str = "plain") -> Conditions:
    """Conditions by seed with this disturbance: a name of DISTURBANCES, or "together" for many at once."""
    conditions = _plain(chance(seed, "plain"))
    if disturbance == "together":
        for name in TOGETHER:
            conditions = DISTURBANCES[name](conditions, chance(seed, name))
        return conditions
    return DISTURBANCES[disturbance](conditions, chance(seed, disturbance))


def random_bump(seed: int, most_mm: float = 40.0, most_degrees: float = 30.0) -> Pose:
    """A knock by up to so much, with the tags or without."""
    dice = chance(seed, "bump")
    far, way = float(dice.uniform(0.3, 1) * most_mm), float(dice.uniform(0, 2 * np.pi))
    degrees = float(dice.choice([-1, 1]) * dice.uniform(0.2, 1) * most_degrees)
    return Pose(far * float(np.cos(way)), far * float(np.sin(way)), degrees, with_tags=bool(dice.random() < 0.5))


def random_hand(seed: int, size_mm: tuple[float, float]) -> Hand:
    """A hand somewhere over a board of this size; `motion` is left to the caller."""
    dice = chance(seed, "a hand")
    at = dice.uniform(0.15, 0.85, 2) * np.array(size_mm)
    pose = str(dice.choice(["reach", "reach", "flat", "fist"]))
    side, height = float(dice.uniform(0, 360)), float(dice.uniform(10, 25) if pose == "flat" else dice.uniform(15, 60))
    return Hand((float(at[0]), float(at[1])), side, height, pose, seed=seed)


def random_mug(seed: int, size_mm: tuple[float, float]) -> Mug:
    dice = chance(seed, "a mug")
    at = dice.uniform(0.1, 0.9, 2) * np.array(size_mm)
    return Mug((float(at[0]), float(at[1])), seed, float(dice.uniform(34, 44)), float(dice.uniform(75, 105)))
