"""The readings about ransom, chips and regained men, each of their values."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.fighting_marines.scene import GAME, accepted, chips, everybody_ready, legal, on, play, refused, scene


def reading(name: str, value: str, **what: Any) -> Any:
    return scene(readings={name: value}, **what)


# --- ransom ---

LOST_COLONEL = {"men": {"B02": ""}, "captives": [("red-colonel", "black")]}
BUY_COLONEL = "red: ransom red-colonel black > B02"


@pytest.mark.reading("ransom_unit", "value")
def test_a_ransom_of_five_is_worth_five_white_chips() -> None:
    state = play(reading("ransom_unit", "value", **LOST_COLONEL), BUY_COLONEL)
    assert GAME.position(state)["chips"]["red"] == {"white": 19, "red": 11, "blue": 12}


@pytest.mark.reading("ransom_unit", "chips")
def test_a_ransom_of_five_is_five_chips_the_cheapest_first() -> None:
    state = reading("ransom_unit", "chips", options={"stake": "21"}, **LOST_COLONEL)
    verdict = accepted(state, BUY_COLONEL)
    assert GAME.position(verdict.state)["chips"]["red"] == {"white": 0, "red": 10, "blue": 12}
    assert "FM-A16" in verdict.rules


HOLDS_A_CAPTAIN = {"men": {"B02": ""}, "captives": [("red-private", "black"), ("black-captain", "red")]}
HOLDS_A_PRIVATE = {"men": {"B02": ""}, "captives": [("red-private", "black"), ("green-private", "red")]}
BUY_PRIVATE = "red: ransom red-private black > B02"


@pytest.mark.reading("ransom_when", "no_same_rank")
def test_ransom_is_allowed_to_whoever_holds_no_man_of_the_same_rank() -> None:
    assert BUY_PRIVATE in legal(reading("ransom_when", "no_same_rank", **HOLDS_A_CAPTAIN))
    assert refused(reading("ransom_when", "no_same_rank", **HOLDS_A_PRIVATE), BUY_PRIVATE) == ("FM-34", "FM-A17")


@pytest.mark.reading("ransom_when", "holds_nothing")
def test_ransom_is_allowed_to_whoever_holds_no_man_at_all() -> None:
    assert refused(reading("ransom_when", "holds_nothing", **HOLDS_A_CAPTAIN), BUY_PRIVATE) == ("FM-34", "FM-A17")
    nothing = reading("ransom_when", "holds_nothing", men={"B02": ""}, captives=[("red-private", "black")])
    assert BUY_PRIVATE in legal(nothing)


@pytest.mark.reading("ransom_when", "always")
def test_ransom_is_always_allowed() -> None:
    assert BUY_PRIVATE in legal(reading("ransom_when", "always", **HOLDS_A_PRIVATE))


def broke(value: str, **more: Any) -> Any:
    """Red has put all 48 chips into the pool; Black has held the red Colonel since stop 5, and this is stop 9."""
    what = {"men": {"B02": ""}, "captives": [("red-colonel", "black", 5)], "options": {"stake": "48"}, "stop": 9}
    return reading("broke", value, **(what | more))


@pytest.mark.reading("broke", "stays")
def test_the_man_of_a_player_who_cannot_pay_stays_captive() -> None:
    assert refused(broke("stays"), BUY_COLONEL) == ("FM-35", "FM-A18")


@pytest.mark.reading("broke", "credit")
def test_a_player_who_cannot_pay_owes_the_ransom() -> None:
    state = play(broke("credit"), BUY_COLONEL)
    assert GAME.position(state)["debts"] == [{"debtor": "red", "creditor": "black", "amount": 5}]
    assert on(state, "B02") == ["red-colonel"]


def test_a_debt_is_paid_from_the_next_ransom_as_far_as_it_goes() -> None:
    debts = [{"debtor": "red", "creditor": "black", "amount": 5}]
    purses = GAME.position(broke("credit"))["chips"]
    purses["green"], purses["pool"] = {"white": 2}, {"white": 94, "red": 48, "blue": 48}
    more = {"men": {"B35": ""}, "captives": [("green-private", "red")], "debts": debts, "chips": purses}
    state = play(broke("credit", **more), "green: ransom green-private red > B35")
    assert GAME.position(state)["debts"] == [{"debtor": "red", "creditor": "black", "amount": 3}]
    assert (chips(state, "red"), chips(state, "black"), chips(state, "green")) == (0, 2, 0)


def test_a_debt_is_paid_from_the_pool() -> None:
    debts = [{"debtor": "red", "creditor": "black", "amount": 5}]
    state = broke("credit", men={"B10": "red-private"}, captives=[], landed=["red"], debts=debts)
    pool = chips(state, "pool")
    state = everybody_ready(play(state, "red: land red-private B10 > P23"))
    assert GAME.position(state)["debts"] == []
    assert (chips(state, "red"), chips(state, "black")) == (pool - 5, 5)


def test_debts_count_in_the_final_scores() -> None:
    debts = [{"debtor": "red", "creditor": "black", "amount": 5}]
    men = {"B35": "green-private", "B02": ""}
    state = broke("credit", men=men, landed=["green"], captives=[("red-private", "black")], debts=debts)
    state = everybody_ready(play(state, "green: land green-private B35 > P04"))
    scores = dict(GAME.outcome(state).scores)
    assert (scores["red"], scores["black"]) == (-5, 5)


@pytest.mark.reading("broke", "free_after_round")
def test_the_man_of_a_player_who_cannot_pay_comes_back_free_after_a_round() -> None:
    state = play(broke("free_after_round"), BUY_COLONEL)
    assert on(state, "B02") == ["red-colonel"]
    assert (chips(state, "red"), chips(state, "black")) == (0, 0)
    early = broke("free_after_round", captives=[("red-colonel", "black", 6)])
    assert refused(early, BUY_COLONEL) == ("FM-35", "FM-A18")


@pytest.mark.reading("chips", "48_each")
def test_two_or_three_players_have_48_chips_each() -> None:
    for variant, players in (("standard", 3), ("two_players", 2)):
        terms = GAME.terms(variant, players, readings={"chips": "48_each"}, options={"stake": "0"})
        purses = GAME.position(GAME.set_up(terms))["chips"]
        assert all(purses[seat] == {"white": 24, "red": 12, "blue": 12} for seat in terms.seats)


@pytest.mark.reading("chips", "all_divided")
def test_two_or_three_players_divide_all_chips() -> None:
    shares = (("standard", 3, (33, 16, 16)), ("two_players", 2, (50, 25, 25)), ("standard", 4, (24, 12, 12)))
    for variant, players, share in shares:
        terms = GAME.terms(variant, players, readings={"chips": "all_divided"}, options={"stake": "0"})
        purses = GAME.position(GAME.set_up(terms))["chips"]
        assert all(tuple(purses[seat].values()) == share for seat in terms.seats)


# --- regaining ---

NO_CIRCLE = {"men": {"red-captain1": ""}, "captives": [("red-captain", "black")]}  # Red's five circles are full


@pytest.mark.reading("regained_wait", "corner")
def test_a_regained_man_without_a_vacant_circle_waits_in_his_corner() -> None:
    state = play(reading("regained_wait", "corner", **NO_CIRCLE), "red: ransom red-captain black > red-captain1")
    assert on(state, "red-captain1") == ["red-captain"]


@pytest.mark.reading("regained_wait", "stays_captive")
def test_without_a_vacant_circle_a_man_stays_captive() -> None:
    state = reading("regained_wait", "stays_captive", **NO_CIRCLE)
    assert refused(state, "red: ransom red-captain black > red-captain1") == ("FM-A22",)
    state = play(state, "red: land red-private B10 > P23")
    assert "red: ransom red-captain black > B10" in legal(state)


@pytest.mark.reading("regain_when", "any_interval")
def test_a_man_may_be_regained_at_any_later_stop() -> None:
    state = reading("regain_when", "any_interval", men={"B02": ""}, captives=[("red-private", "black", 1)], stop=9)
    assert BUY_PRIVATE in legal(state)


@pytest.mark.reading("regain_when", "same_stop")
def test_a_man_may_be_regained_only_at_the_stop_of_his_capture() -> None:
    late = reading("regain_when", "same_stop", men={"B02": ""}, captives=[("red-private", "black", 8)], stop=9)
    assert refused(late, BUY_PRIVATE) == ("FM-A23",)
    now = reading("regain_when", "same_stop", men={"B02": ""}, captives=[("red-private", "black", 9)], stop=9)
    assert BUY_PRIVATE in legal(now)
