"""Impossible positions and their reasons; what stays the same over a whole game, under every mix of readings."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.events import BadInput, Move
from companion.game import state_from_json, state_to_json
from companion.games.royal_purple.ground import MARKERS
from companion.referee import settled_state
from companion.ruling import Accepted, Refused
from companion.simulation import random_event
from tests.games.royal_purple.boards import ODD, TALL, board
from tests.games.royal_purple.table import CASTLE, FIVE, GAME, at, due, position

PRINCESS = "prince_and_princess"
PLAIN = [s.id for s in GAME.board().spaces.values() if s.kinds == {"plain"}]


def impossible(reason: str, data: Any, variant: str = "four_handed", **readings: str) -> None:
    terms = GAME.terms(variant, (), None, readings)
    colours = GAME.set_up(terms).ground.colours
    whole = {"turn_of": terms.seats[0], "princes": {c: CASTLE[c] for c in colours}} | data
    with pytest.raises(BadInput, match=reason):
        GAME.from_position(terms, whole)


def castles_but(**places: str) -> dict[str, Any]:
    return {"princes": CASTLE | places}


def test_a_thirty_first_marker_is_impossible() -> None:
    impossible("only 30 of each colour, not 31", {"markers": {"red": PLAIN[:31]}})


def test_a_marker_in_anothers_castle_is_impossible() -> None:
    impossible("a11 is the Castle of blue, which red never enters", {"markers": {"red": ["a11"]}})


def test_a_marker_in_ones_own_castle_is_impossible_unless_the_table_marks_it() -> None:
    impossible("a Castle such as a1 is not marked", {"markers": {"red": ["a1"]}})
    assert position(at("red", markers={"red": ["a1"]}, readings={"mark_castle": "yes"}))["markers"]["red"] == ["a1"]


def test_a_marker_on_a_throne_is_impossible_but_for_one_reading() -> None:
    impossible("a Throne such as f11 is never marked", {"markers": {"red": ["f11"]}})
    impossible("a Throne such as f1 is never marked", {"markers": {"red": ["f1"]}}, early_throne="ordinary_square_marked")
    at("red", markers={"red": ["f11"]}, readings={"early_throne": "ordinary_square_marked"})


def test_two_markers_on_a_square_are_impossible() -> None:
    impossible("b1 has two markers", {"markers": {"red": ["b1"], "blue": ["b1"]}})
    impossible("b1 has two markers", {"markers": {"red": ["b1", "b1"]}})


def test_a_sixth_noble_is_impossible() -> None:
    impossible("6 Nobles are marked", {"markers": {"red": [*FIVE["red"], "e5"]}})
    six = {"markers": {"red": FIVE["red"][:3], "green": FIVE["green"][:3]}}
    impossible("6 Nobles are marked", six, PRINCESS, pair_nobles="total")


def test_markers_in_the_childrens_game_are_impossible() -> None:
    impossible("the children's game has none", {"markers": {"red": ["b1"]}}, "children")
    impossible("the children's game has no markers", {"may_mark": {"red": ["b1"]}}, "children")


def test_two_princes_share_a_square_only_where_a_go_square_sends() -> None:
    impossible("blue stands on f4 as well", castles_but(red="f4", blue="f4"))
    assert due(at("red", {"red": "e4", "blue": "e4"})) == ["red roll"]
    impossible("stands on f4 as well", castles_but(red="f4", blue="f4"), "children")
    at("red", {"red": "f4", "blue": "f4"}, variant="children", readings={"child_share": "yes"})


def test_a_prince_stands_on_anothers_marker_only_where_a_go_square_sends() -> None:
    impossible("f4 has a marker of blue", castles_but(red="f4") | {"markers": {"blue": ["f4"]}})
    at("red", {"red": "e4"}, markers={"blue": ["e4"]})


def test_nobody_stands_in_anothers_castle() -> None:
    impossible("a11 is the Castle of blue", castles_but(red="a11", blue="f4"))
    at("red", {"red": "a11", "blue": "g7"}, layout=ODD, readings={"go_into_castle": "allowed"})


def test_nobody_sits_on_a_throne_that_he_could_not_enter() -> None:
    impossible("the Throne, which nobody enters before he has five Nobles", castles_but(red="f11"))
    impossible("f1 is the Throne of the other side", castles_but(red="f1"))
    at("red", {"red": "f11"}, readings={"early_throne": "ordinary_square_unmarked"})
    at("red", {"red": "f1"}, readings={"foreign_throne": "ordinary"})


def test_a_piece_that_is_out_may_be_off_the_board_and_any_other_must_be_named() -> None:
    without_red = {c: s for c, s in CASTLE.items() if c != "red"}
    impossible("red is missing", {"princes": without_red})
    assert due(at("red", out=["red"])) == ["blue roll"]
    impossible("this piece is out of the game", {"out": ["red"], "throw": {"red": 3}})
    impossible("this piece is out of the game", {"out": ["red"], "may_mark": {"red": ["b1"]}})


def test_only_the_player_whose_turn_it_is_has_a_throw() -> None:
    impossible("throw: 'blue' is not known", {"throw": {"blue": 3}})
    impossible("throw red: must be a whole number from 1 to 6", {"throw": {"red": 7}})
    impossible("throw red: must be a whole number from 1 to 6", {"throw": {"red": True}})


def test_only_the_player_who_moved_last_may_still_mark() -> None:
    impossible("only the player who moved last", {"may_mark": {"red": ["b1"], "blue": ["b11"]}})
    impossible("b1 is marked already", {"may_mark": {"red": ["b1"]}, "markers": {"red": ["b1"]}})
    impossible("named twice", {"may_mark": {"red": ["b1", "b1"]}})
    impossible("a11 is a Castle or Throne that is not marked", {"may_mark": {"red": ["a11"]}})
    impossible("this piece is out of the game", {"may_mark": {"red": ["b1"]}, "gone": ["red"]})


def test_nobody_moves_before_the_throw_for_the_first_turn() -> None:
    waiting = {"roll_off": {"waiting": ["red"], "thrown": {"blue": 3}}, "turn_of": ""}
    impossible("comes before anybody moves", waiting | castles_but(red="a2"))
    impossible("comes before anybody moves", waiting | {"markers": {"red": ["b1"]}})
    impossible("nobody moves yet", waiting | {"throw": {"red": 3}})
    impossible("nobody throws twice", {"roll_off": {"waiting": ["red"], "thrown": {"red": 3}}})
    impossible("who has left does not throw", waiting | {"gone": ["red"]})
    impossible("somebody must still be waiting", {"roll_off": {"waiting": [], "thrown": {"red": 3}}})
    impossible("from 1 to 6", {"roll_off": {"waiting": ["red"], "thrown": {"blue": 9}}})
    impossible("from 2 to 12", {"roll_off": {"waiting": ["south"], "thrown": {"north": 1}}}, PRINCESS)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("princes", ["a1"], "princes: must be an object"),
        ("princes", {"red": "z9"}, "princes red: 'z9' is not known"),
        ("princes", {"pink": "a1"}, "princes: 'pink' is not known"),
        ("markers", {"red": "a1"}, "markers red: must be a list of squares"),
        ("markers", {"red": [7]}, "markers red: 7 is not known"),
        ("turn_of", "pink", "turn_of: 'pink' is not known"),
        ("turn_of", None, "turn_of: missing"),
        ("out", "red", "out: must be a list"),
        ("out", ["red", "red"], "out: names somebody twice"),
        ("gone", ["pink"], "gone: 'pink' is not known"),
        ("ended", "soon", "ended: 'soon' is not known"),
        ("turns", -1, "turns: must be a whole number"),
        ("roll_off", 3, "roll_off: must be an object"),
        ("dice", 3, "'dice' is not known here"),
    ],
)
def test_nonsense_in_a_field_is_refused_with_its_name(field: str, value: Any, reason: str) -> None:
    impossible(reason, {field: value})


# --- what stays the same ---


def any_terms(chance: Random) -> Any:
    """A variant, a board and readings by chance."""
    readings = {r.name: chance.choice(list(r.values)) for r in GAME.rulebook.readings if chance.random() < 0.5}
    readings |= {"two_hand_corners": "diagonal", "three_handed": "allow"}
    variant = chance.choice(GAME.variants)
    layout = chance.choice([None, board(TALL), board(ODD)])
    return GAME.terms(variant.name, chance.choice(variant.seatings), layout, readings)


def check_pieces_and_markers(state: Any) -> None:
    ground = state.ground
    for colour in ground.colours:
        assert (colour in state.places) or colour in state.out or ground.owner[colour] in state.gone
        assert sum(holder == colour for holder in state.markers.values()) <= MARKERS
    assert sum(s.piece.endswith("marker") for s in GAME.layout(state).standing) == len(state.markers)
    assert not any(stop.square in state.markers for stop in state.stops)


def check_moves(state: Any, chance: Random) -> None:
    moves = GAME.legal_moves(state)
    assert {m.seat for m in moves} == {d.seat for d in GAME.due(state) if d.what == "move"}
    for move in moves:
        verdict = GAME.rule(state, move)
        assert isinstance(verdict, Accepted), f"{move}: {verdict}"
        assert position(verdict.state) != position(state)
    for form in GAME.forms(state.ground.terms):
        move = Move(chance.choice(state.ground.seats), form.do, *(chance.choice(v) if v else "" for v in form[1:]))
        if move not in moves:
            verdict = GAME.rule(state, move)
            assert isinstance(verdict, Refused)
            assert all(GAME.words.tell(o.why) for o in verdict.objections)


def check_round_trip(state: Any) -> None:
    again = state_from_json(GAME, state_to_json(GAME, state, whole_board=True))
    assert position(again) == position(state)
    assert GAME.legal_moves(again) == GAME.legal_moves(state)
    assert GAME.due(again) == GAME.due(state)
    assert GAME.layout(again) == GAME.layout(state)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_under_any_readings_on_any_board_rules_and_positions_hold_together(seed: int) -> None:
    chance = Random(seed)
    state = GAME.set_up(any_terms(chance))
    for _ in range(250):
        check_pieces_and_markers(state)
        if chance.random() < 0.1:
            check_moves(state, chance)
            check_round_trip(state)
        luck = chance.random()
        if luck < 0.005:
            seat = chance.choice(state.ground.seats)
            state = GAME.skip(state, seat) if luck < 0.003 else GAME.leave(state, seat)
            continue
        event = random_event(GAME, state, chance)
        if event is None:
            assert GAME.outcome(state)
            break
        verdict = GAME.rule(state, event)
        assert isinstance(verdict, Accepted)
        assert set(verdict.rules) <= GAME.rulebook.ids()
        state = verdict.state


def test_by_the_usual_readings_a_marker_never_leaves_the_board() -> None:
    for variant in GAME.variants:
        chance, state = Random(variant.name), GAME.set_up(GAME.terms(variant.name))
        while event := random_event(GAME, state, chance):
            before, state = state, GAME.rule(state, event).state
            assert before.markers.items() <= state.markers.items()
            if state.turns > 150:
                break


def test_with_readings_still_open_a_state_is_the_same_as_under_their_defaults() -> None:
    every = {r.name: "ask" for r in GAME.rulebook.readings if r.decided_by == "rules"}
    chance, state = Random(4), GAME.set_up(GAME.terms("four_handed", (), None, every))
    for _ in range(80):
        assert GAME.legal_moves(state) == GAME.legal_moves(settled_state(GAME, state))
        event = random_event(GAME, state, chance)
        assert event
        state = GAME.rule(state, event).state
