"""How sure a belief is, for whoever is shown what the camera sees."""

from __future__ import annotations

import pytest

from vision.marks import EMPTY, SURE, Belief, Content

A, B = "red-prince", "red-marker"
FAR, NEAR = SURE + 1, SURE - 1


@pytest.mark.parametrize(
    ("costs", "sure"),
    [
        ({EMPTY: 0.0, (A,): FAR}, True),
        ({EMPTY: 0.0, (A,): NEAR}, False),
        ({(A,): 0.0, EMPTY: FAR, (B,): FAR}, True),
        ({(A,): 0.0, EMPTY: FAR, (B,): NEAR}, False),
        ({(A,): 0.0, EMPTY: FAR, (B, A): 0.7}, True),  # nobody sees what lies under the Prince
        ({(B, A): 0.0, (A,): NEAR, EMPTY: FAR}, False),  # two that show, or one?
        ({}, False),
    ],
)
def test_a_belief_is_sure_of_what_shows(costs: dict[Content, float], sure: bool) -> None:
    assert Belief(costs).is_sure is sure


def test_nobody_is_sure_of_what_is_covered() -> None:
    assert not Belief({EMPTY: 0.0}, "covered").is_sure
