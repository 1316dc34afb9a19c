"""The rendered table: any board and layout as an overhead camera would see it. Synthetic, and to be labelled so in every figure.

    scene = Scene(board, random_conditions(7, "warm"), seed=7)
    picture = scene.draw(layout, covers=(Hand(at=(200, 300)), Mug(at=(60, 80))), step_seed=12)
    picture.frame    # blue, green, red, 8 bits
    picture.truth    # corners, each piece's real place, covered part of each space, tags: for scoring, never the eye's input

The same board, conditions, seed and step_seed give the same picture. A scene keeps its ground and sprites, so draw many
frames with one. Pieces that nobody touches stay where they are: their places depend on the seed and on what shares their space.

- `Conditions` (camera, cardboard, lamps, sensor, tags, cloth) all have plain defaults; `random_conditions(seed, disturbance)` draws them
  for a name of `DISTURBANCES` or "together". Bumps, hands and mugs belong to a draw: `random_bump`, `random_hand`, `random_mug`.
- `draw(..., pose=Pose(30, -20, 12, with_tags=False))`: the board was bumped. `platform=13.5`: the platform stands between two.
  `at={3: (x, y)}`: the fourth piece of the layout stands at these board millimetres, across a line if need be.
- `piece_bodies={"prince": BUTTON}` replaces a lost piece's body; `Body` and `pawn`, `slab` make others.
"""

from vision.rendered.bodies import BUTTON, COIN, Body, pawn, slab
from vision.rendered.conditions import Conditions, Glare, Lamp, PlayerShadow, Pose
from vision.rendered.covers import Cover, Hand, Mug
from vision.rendered.disturb import DISTURBANCES, random_bump, random_conditions, random_hand, random_mug
from vision.rendered.scene import Picture, PieceTruth, Scene, Truth

__all__ = [
    "BUTTON", "COIN", "DISTURBANCES", "Body", "Conditions", "Cover", "Glare", "Hand", "Lamp", "Mug", "Picture", "PieceTruth",
    "PlayerShadow", "Pose", "Scene", "Truth", "pawn", "random_bump", "random_conditions", "random_hand", "random_mug", "slab",
]  # fmt: skip
