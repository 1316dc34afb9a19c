"""Dice without electronics: simulated, and typed in by someone who reads out a wooden one."""

from __future__ import annotations

import contextlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dice.events import DiceEvent, DiceRolled
from companion.dice.fairness import Fairness
from companion.dice.simulated import SimulatedDie
from companion.dice.typed import TypedDie, TypedRollError, parse_roll


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("5", (5,)),
        (" 5\n", (5,)),
        ("3 4", (3, 4)),
        ("3+4", (3, 4)),
        ("3 + 4", (3, 4)),
        ("3,4", (3, 4)),
        ("3, 4", (3, 4)),
        ("3;4/5&6|1", (3, 4, 5, 6, 1)),
        ("3 and 4", (3, 4)),
        ("3 AND 4", (3, 4)),
        ("3\t4", (3, 4)),
        ("05", (5,)),
    ],
)
def test_a_typed_roll_is_read_as_people_write_it(text: str, faces: tuple[int, ...]) -> None:
    assert parse_roll(text) == faces


@pytest.mark.parametrize(
    "text",
    ["", " ", "five", "7", "0", "-3", "3-4", "3.5", "34", "3++4", "+", "3+", "³", "٣", "５", "1e1", "0x3", "1 2 3 4 5 6"]
    + ["5" * 99, "3 \x00", "$00,HB*2E4F", "<b>3</b>", "3; DROP TABLE", "9" * 10_000, "\ud800", "3and4"],
)
def test_what_is_no_roll_gets_one_line_that_says_what_to_type(text: str) -> None:
    with pytest.raises(TypedRollError) as caught:
        parse_roll(text)
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 120


@given(st.text(), st.none() | st.integers(1, 5), st.integers(2, 100))
def test_hostile_text_raises_nothing_but_its_own_error(text: str, count: int | None, sides: int) -> None:
    with contextlib.suppress(TypedRollError):
        faces = parse_roll(text, count, sides)
        assert all(1 <= face <= sides for face in faces)
        assert count in (None, len(faces))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.sampled_from([" ", "+", ", ", " & ", "  "]))
def test_every_roll_can_be_typed(faces: list[int], between: str) -> None:
    assert parse_roll(between.join(map(str, faces)), len(faces)) == tuple(faces)


def test_the_wrong_number_of_dice_is_told() -> None:
    with pytest.raises(TypedRollError, match=r"One die is due; type its face, for example: 3$"):
        parse_roll("3 4", 1)
    with pytest.raises(TypedRollError, match=r"2 dice are due; type each face, for example: 3 4$"):
        parse_roll("6", 2)


def test_two_faces_written_together_are_asked_for_apart_not_guessed() -> None:
    with pytest.raises(TypedRollError, match="no 34; put a blank between two faces"):
        parse_roll("34", 1)
    assert parse_roll("34", 1, sides=100) == (34,)


def test_a_typed_die_tells_its_rolls_in_order_and_nothing_on_an_error() -> None:
    events: list[DiceEvent] = []
    die = TypedDie(events.append)
    die.enter("5", cause="red")
    with pytest.raises(TypedRollError):
        die.enter("nonsense")
    die.enter("3 4", count=2)
    told = [(event.faces, event.number, event.cause) for event in events if isinstance(event, DiceRolled)]
    assert told == [((5,), 1, "red"), ((3, 4), 2, "")]


def test_the_same_number_of_another_run_is_another_roll() -> None:
    first, second = TypedDie(lambda _: None).enter("5"), TypedDie(lambda _: None).enter("5")
    assert first.number == second.number
    assert first.key != second.key


def test_a_roll_of_a_die_without_memory_can_be_confirmed_like_any_other() -> None:
    TypedDie(lambda _: None).enter("5").confirm()


def test_a_simulated_die_is_fair_and_shows_every_face() -> None:
    counts: Counter[int] = Counter()
    die = SimulatedDie(lambda _: None)
    for _ in range(3000):
        counts.update(die.roll(2).faces)
    fairness = Fairness(tuple(counts[face] for face in range(1, 7)))
    assert fairness.rolls == 6000
    assert fairness.chance > 1e-9  # a fair die fails this once in a thousand million runs


def test_a_seed_repeats_the_rolls() -> None:
    first, second = (SimulatedDie(lambda _: None, seed=7) for _ in range(2))
    assert [first.roll(2).faces for _ in range(50)] == [second.roll(2).faces for _ in range(50)]


@pytest.mark.parametrize(("count", "sides"), [(0, 6), (-1, 6), (1, 1), (1, 0)])
def test_an_impossible_roll_is_refused(count: int, sides: int) -> None:
    with pytest.raises(ValueError, match="cannot roll"):
        SimulatedDie(lambda _: None).roll(count, sides)
