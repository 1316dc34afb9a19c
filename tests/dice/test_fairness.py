"""How fair a die has been: counts, chi-square, and words that never accuse too early."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dice.fairness import EXPECTED_EACH, Fairness, Tally, chance_of_straying

# Critical values of chi-square as printed in tables: (degrees of freedom, tail, value).
TABLE = [
    *((1, 0.05, 3.841), (1, 0.01, 6.635), (2, 0.05, 5.991), (3, 0.001, 16.266), (5, 0.95, 1.145), (5, 0.5, 4.351)),
    *((5, 0.1, 9.236), (5, 0.05, 11.070), (5, 0.01, 15.086), (5, 0.001, 20.515), (9, 0.05, 16.919), (11, 0.05, 19.675)),
    *((19, 0.05, 30.144), (19, 0.01, 36.191), (50, 0.05, 67.505), (99, 0.05, 123.225), (99, 0.95, 77.046)),
]


@pytest.mark.parametrize(("degrees", "tail", "value"), TABLE)
def test_the_chance_agrees_with_printed_tables(degrees: int, tail: float, value: float) -> None:
    assert chance_of_straying(value, degrees + 1) == pytest.approx(tail, rel=2e-3)


@given(st.floats(1e-6, 700))
def test_for_two_degrees_of_freedom_the_chance_is_the_exponential(value: float) -> None:
    assert chance_of_straying(value, 3) == pytest.approx(math.exp(-value / 2), rel=1e-11)


@given(st.floats(1e-6, 500))
def test_for_one_degree_of_freedom_the_chance_is_the_error_function(value: float) -> None:
    assert chance_of_straying(value, 2) == pytest.approx(math.erfc(math.sqrt(value / 2)), rel=1e-9, abs=1e-14)


@given(st.integers(2, 100), st.floats(0, 500), st.floats(0.001, 100))
def test_the_chance_is_a_probability_and_falls_as_the_die_strays(faces: int, value: float, more: float) -> None:
    first, second = chance_of_straying(value, faces), chance_of_straying(value + more, faces)
    assert 0 <= second <= first <= 1


def test_a_worked_example() -> None:
    die = Fairness((22, 17, 20, 26, 22, 13))
    assert (die.rolls, die.sides, die.expected) == (120, 6, 20)
    assert die.chi_square == pytest.approx((4 + 9 + 0 + 36 + 4 + 49) / 20)
    assert die.chance == pytest.approx(0.403, abs=0.001)
    assert str(die) == "Looks fair: a fair die strays this far in 40 of 100 such series."


@given(st.lists(st.integers(0, 60), min_size=2, max_size=20))
def test_few_rolls_are_never_judged_however_they_fell(counts: list[int]) -> None:
    die = Fairness(tuple(counts))
    if die.rolls < EXPECTED_EACH * die.sides:
        assert die.verdict == "few"
        assert "Too few rolls" in str(die)


def test_a_die_that_always_shows_six_is_not_accused_before_its_time_and_then_it_is() -> None:
    assert Fairness((0, 0, 0, 0, 0, 119)).verdict == "few"
    accused = Fairness((0, 0, 0, 0, 0, 120))
    assert accused.verdict == "unfair"
    assert "less than once in a thousand million" in str(accused)
    assert "The 6 came 120 times; about 20 were to be expected." in str(accused)


def test_an_uneven_die_is_told_without_blame() -> None:
    die = Fairness((20, 20, 20, 20, 10, 35))
    assert die.verdict == "uneven"
    assert "may be chance" in str(die)


def test_fair_dice_are_accused_as_rarely_as_promised_and_loaded_ones_are_found() -> None:
    rng = random.Random(5)

    def counts(weights: list[int]) -> Fairness:
        thrown = rng.choices(range(6), weights, k=1200)
        return Fairness(tuple(thrown.count(face) for face in range(6)))

    fair = [counts([1] * 6).verdict for _ in range(1000)]
    assert fair.count("unfair") <= 2
    assert fair.count("fair") >= 970
    loaded = [counts([10, 10, 10, 10, 10, 16]).verdict for _ in range(100)]
    assert loaded.count("unfair") >= 90


def test_each_die_and_each_number_of_sides_is_counted_for_itself() -> None:
    tally = Tally()
    tally.add("die:A", 6, (3, 3))
    tally.add("die:A", 20, (20,))
    tally.add("die:B", 6, [1])
    assert {die: fairness.counts for die, fairness in tally.dice().items()} == {
        ("die:A", 6): (0, 0, 2, 0, 0, 0),
        ("die:A", 20): (0,) * 19 + (1,),
        ("die:B", 6): (1, 0, 0, 0, 0, 0),
    }
    assert "1: 0  2: 0  3: 2  4: 0  5: 0  6: 0" in tally.report()
    assert "p = " in tally.report()


def test_nothing_rolled_is_nothing_to_report() -> None:
    assert Tally().report() == "No rolls yet."
    assert Fairness((0, 0)).chance == 1.0


@pytest.mark.parametrize(("sides", "faces"), [(6, (7,)), (6, (0,)), (1, (1,)), (6, (-1,))])
def test_a_face_that_the_die_does_not_have_is_not_counted(sides: int, faces: tuple[int, ...]) -> None:
    tally = Tally()
    with pytest.raises(ValueError):
        tally.add("die", sides, faces)
    assert tally.report() == "No rolls yet."
