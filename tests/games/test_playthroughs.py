"""Every playthrough file is replayed; every variant has at least one that goes from the first throw to the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import all_games
from tests.games.playthrough import PLAYTHROUGHS, replay


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda p: f"{p.parent.parent.name}/{p.stem}")
def test_a_playthrough_replays_as_written(path: Path) -> None:
    replay(path)


@pytest.mark.parametrize(("game", "variant"), [(g.name, v.name) for g in all_games().values() for v in g.variants])
def test_every_variant_has_a_playthrough_from_set_up_to_the_end(game: str, variant: str) -> None:
    whole = []
    for path in PLAYTHROUGHS:
        text = path.read_text("utf-8")
        if f"game: {game}\n" in text and f"variant: {variant}\n" in text and "\nposition:" not in text and "\nover:" in text:
            whole.append(path)
    assert whole, f"no playthrough of {game}, {variant}, runs from the set-up to its end"


def test_a_wrong_line_in_a_playthrough_is_noticed(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("game: siege\nvariant: standard\n\n---\nattacker: move knight c0 > d2\n")
    with pytest.raises(AssertionError, match=r"wrong.txt:5: attacker: move"):
        replay(wrong)
