"""Boards of Kop the Kaiser: our reconstruction, other layouts written as files, and what the validator says."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import hypot
from pathlib import Path
from typing import Any

import pytest

from companion.board import BadBoard, board_from_json, board_to_json, load_board
from companion.games.kop_the_kaiser import GAME
from companion.shapes import disc, sector, write_board
from companion.simulation import play_random
from tests.games.kop_the_kaiser.at_the_table import (
    ADVANCE,
    BALTIMORE,
    BOSTON,
    CHARLESTON,
    NEW_YORK,
    NORFOLK,
    PHILADELPHIA,
    RETREAT,
    beginning,
    orders,
    play,
    roll,
    standing,
    where,
)

OTHER_ORDER = (NEW_YORK, NORFOLK, BOSTON, CHARLESTON, PHILADELPHIA, BALTIMORE)  # to the right
GAPS = (5, 6, 4, 7, 5, 3)  # blue spaces after each of these ports


def round_board(divisions: int) -> dict[str, Any]:
    """A round board of thirty blue spaces, unevenly divided, with its ports in another order and other ids."""
    count, spaces, number = sum(GAPS), [], 0
    for i in range(count):  # angles run clockwise from the top, so the path runs against them
        outline = sector(250, 250, 190, 220, -i * 12, -(i + 1) * 12 + 1)
        spaces.append(space(f"b{i}", ["blue"], {"next": f"b{(i + 1) % count}"}, outline))
    for seat, gap in zip(OTHER_ORDER, GAPS, strict=True):
        links = {"right": f"b{number}", "left": f"b{(number - 1) % count}", "up": f"{seat}.1"}
        angle = -number * 12
        spaces.append(space(f"{seat}.0", ["port"], links, sector(250, 250, 222, 245, angle - 4, angle + 4), {"port": seat}))
        for k in range(1, divisions + 1):
            outer = 190 - (k - 1) * 130 / divisions
            up = f"{seat}.{k + 1}" if k < divisions else "middle"
            outline = sector(250, 250, outer - 120 / divisions, outer, angle - 8, angle + 8)
            spaces.append(space(f"{seat}.{k}", ["pink"], {"up": up}, outline))
        number += gap
    spaces.append(space("middle", ["berlin"], {}, disc(250, 250, 50)))
    return {
        "game": "kop_the_kaiser", "name": "family", "title": "Our own copy", "standing": "own copy", "size_mm": [500, 500],
        "art": {}, "notes": [], "spaces": spaces,
    }  # fmt: skip


def space(
    id: str, kinds: list[str], links: dict[str, str], outline: object, facts: dict[str, str] | None = None
) -> dict[str, Any]:
    return {"id": id, "kinds": kinds, "facts": facts or {}, "links": links, "outline": outline, "standing": "own copy"}


def test_a_different_layout_is_played_by_writing_a_file(tmp_path: Path) -> None:
    write_board(tmp_path / "board-family.json", round_board(divisions=3))
    board = GAME.board(load_board(tmp_path / "board-family.json"))
    state = beginning(board=board)
    assert state.ground.tracks[NEW_YORK].last == 30
    assert orders(roll(state, 7)) == {NEW_YORK: ("b6", ADVANCE), BALTIMORE: ("b20", RETREAT)}, "Baltimore is at his left here"
    assert play(state, 6, 5, 5, 5).dice == NORFOLK
    state = standing({NEW_YORK: "b25", NORFOLK: "norfolk.0"}, board=board)
    state = play(state, 7)
    assert where(state, NEW_YORK) == ("new-york.1", ADVANCE)
    state = play(state, 7, 7, 7)
    assert where(state, NEW_YORK) == ("middle", ADVANCE)
    assert GAME.outcome(state)


@pytest.mark.parametrize("divisions", [1, 2, 7])
def test_random_games_end_on_other_layouts(divisions: int) -> None:
    board = board_from_json(round_board(divisions))
    for seats in (2, 6):
        assert play_random(GAME, GAME.terms(seats=seats, board=board), f"{divisions} {seats}").finished


def test_a_short_path_wraps_round_without_confusion() -> None:
    state = standing({NEW_YORK: "new-york.1", NORFOLK: "norfolk.0"}, board=board_from_json(round_board(2)))
    assert where(play(state, 12, 12, 12), NEW_YORK) == ("b24", RETREAT), "b18, b6, then over its port"


# --- our reconstruction ---


def test_the_reconstruction_has_eight_spaces_between_ports_and_five_divisions_to_berlin() -> None:
    board = GAME.board()
    assert [len(board.of_kind(kind)) for kind in ("blue", "port", "pink", "berlin")] == [48, 6, 30, 1]
    assert board.spaces["NewYork-1"].name == "In France"
    assert board.standing == "reconstruction"


def test_every_counter_of_22_millimetres_has_room_in_its_space_and_no_two_spaces_share_a_centre() -> None:
    spaces = list(GAME.board().spaces.values())
    assert all(s.area >= 24 * 30 for s in spaces)
    gaps = [hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1]) for i, a in enumerate(spaces) for b in spaces[:i]]
    assert min(gaps) >= 22


def test_the_board_file_is_what_its_script_writes() -> None:
    script = Path(__file__).parents[3] / "hardware/boards/kop_the_kaiser.py"
    module: dict[str, Any] = {"__name__": "kop_the_kaiser_board"}
    exec(compile(script.read_text("utf-8"), script.name, "exec"), module)
    assert json.loads((GAME.folder / "board-reconstruction.json").read_text("utf-8")) == json.loads(json.dumps(module["board"]()))


# --- the validator ---

Spaces = dict[str, dict[str, Any]]


def drop_berlin(spaces: Spaces) -> None:
    del spaces["BERLIN"]
    for space in spaces.values():
        if space.get("links", {}).get("up") == "BERLIN":
            space["links"] = {}


def turn_round(spaces: Spaces) -> None:
    blue = [s for s in spaces.values() if "blue" in s["kinds"]]
    for space in blue:
        space["links"] = {"next": f"S{(int(space['id'][1:]) - 2) % 48 + 1:02}"}
    for space in spaces.values():
        if "port" in space["kinds"]:
            links = space["links"]
            links["left"], links["right"] = links["right"], links["left"]


def two_ports_in_one_gap(spaces: Spaces) -> None:
    spaces["PORT-Boston"]["links"] |= {"left": "S48", "right": "S01"}


@pytest.mark.rule("KK-02")
@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda s: s.pop("PORT-Boston"), r"one port must be Boston \(fact 'port': boston\), and this board has 0 \(KK-02\)"),
        (lambda s: s["PORT-Boston"]["facts"].update(port="savannah"), "PORT-Boston must be named as one of the ports"),
        (lambda s: s["PORT-Boston"]["facts"].update(port="norfolk"), r"must be Norfolk \(fact 'port': norfolk\), and this board has 2"),
        (drop_berlin, "one space must be Berlin .* has 0"),
        (lambda s: s["S07"].update(kinds=[]), "S07 must be exactly one of blue, port, pink, berlin"),
        (lambda s: s["S07"].update(kinds=["blue", "pink"]), "S07 must be exactly one of"),
        (lambda s: s["S07"].update(links={}), "S07 is blue and needs a link 'next' to a space that is blue"),
        (lambda s: s["S07"]["links"].update(next="BERLIN"), "S07 is blue and needs a link 'next' to a space that is blue"),
        (lambda s: s["PORT-Boston"]["links"].pop("up"), "PORT-Boston is port and needs a link 'up' to a space that is pink"),
        (lambda s: s["Boston-3"]["links"].update(up="S01"), "Boston-3 is pink and needs a link 'up' .* pink or berlin"),
        (lambda s: s["S48"]["links"].update(next="S40"), "does not come back to S01: S48 leads to S40, where it was before"),
        (lambda s: s["S07"]["links"].update(next="S09"), "the blue path misses S08"),
        (lambda s: s["PORT-Boston"]["links"].update(right="S12"), "between S08 and S12, but the space after S08 is S09"),
        (two_ports_in_one_gap, "PORT-NewYork and PORT-Boston both lie between S48 and S01"),
        (lambda s: s["Boston-3"]["links"].update(up="Norfolk-4"), "Norfolk-4 is reached from PORT-Boston and again from"),
        (lambda s: s["Boston-3"]["links"].update(up="Boston-2"), "Boston-2 is reached .* again from PORT-Boston"),
        (lambda s: s["PORT-Boston"]["links"].update(up="Boston-2"), "no port leads to Boston-1"),
        (turn_round, r"run clockwise; an army advances to its owner's right, which is counter-clockwise \(KK-21\)"),
    ],
)
def test_the_validator_says_what_is_missing(spoil: Callable[[Spaces], object], problem: str) -> None:
    data = board_to_json(GAME.board())
    spaces = {space["id"]: space for space in data["spaces"]}
    spoil(spaces)
    board = board_from_json(data | {"spaces": list(spaces.values())})
    with pytest.raises(BadBoard, match=problem):
        GAME.board(board)


def test_a_board_without_a_blue_path_is_refused_in_words() -> None:
    data = board_to_json(GAME.board())
    data["spaces"] = [s for s in data["spaces"] if s["id"] == "BERLIN"]
    with pytest.raises(BadBoard, match="the blue path is missing"):
        GAME.board(board_from_json(data))
