"""What must hold in every game, every variant and every number of players."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import board_from_json, board_to_json
from companion.events import Event, Form, Move, Roll, event_from_json, event_to_json
from companion.game import Game, Terms, state_from_json, state_to_json
from companion.games import all_games
from companion.layout import changes
from companion.notation import from_text, to_text
from companion.referee import describe
from companion.ruling import Accepted, Refused
from companion.simulation import play_random, random_event

TABLES = [
    pytest.param(game, game.terms(variant.name, seats), id=f"{game.name}-{variant.name}-{len(seats)}")
    for game in all_games().values()
    for variant in game.variants
    for seats in variant.seatings
]
each_table = pytest.mark.parametrize(("game", "terms"), TABLES)
seeds = st.integers(0, 2**32)


def somewhere(game: Game, terms: Terms, seed: int) -> Any:
    """A state that random play reaches."""
    chance, state = Random(seed), game.set_up(terms)
    for _ in range(chance.choice((0, 1, 3, 10, 40, 150, 400))):
        event = random_event(game, state, chance)
        if event is None:
            break
        verdict = game.rule(state, event)
        assert isinstance(verdict, Accepted)
        state = verdict.state
    return state


def any_move(form: Form, terms: Terms, chance: Random) -> Move:
    """A well-formed move of this form, by chance."""
    return Move(chance.choice(terms.seats), form.do, *(chance.choice(v) if v else "" for v in form[1:]))


@each_table
@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_every_listed_move_is_accepted_and_changes_the_state(game: Game, terms: Terms, seed: int) -> None:
    state = somewhere(game, terms, seed)
    moves = game.legal_moves(state)
    assert len(set(moves)) == len(moves)
    for move in moves:
        verdict = game.rule(state, move)
        assert isinstance(verdict, Accepted), f"{to_text(move)}: {verdict}"
        assert game.position(verdict.state) != game.position(state), to_text(move)


@each_table
@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_every_other_well_formed_move_is_refused_with_a_citation_and_a_reason(game: Game, terms: Terms, seed: int) -> None:
    state, chance = somewhere(game, terms, seed), Random(seed)
    listed = set(game.legal_moves(state))
    known = game.rulebook.ids()
    for form in game.forms(terms):
        for _ in range(60):
            move = any_move(form, terms, chance)
            if move in listed:
                continue
            verdict = game.rule(state, move)
            assert isinstance(verdict, Refused), f"{move.seat}: {to_text(move)} was not listed, but accepted"
            assert verdict.rules
            assert set(verdict.rules) <= known
            for objection in verdict.objections:
                assert len(game.words.tell(objection.why)) > 5


@each_table
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_a_roll_that_is_not_due_is_refused_with_a_citation(game: Game, terms: Terms, seed: int) -> None:
    state = somewhere(game, terms, seed)
    due = {(d.seat, len(d.dice)) for d in game.due(state) if d.what == "roll"}
    for seat in terms.seats:
        for dice in ((3,), (3, 4), (1, 2, 3)):
            verdict = game.rule(state, Roll(seat, dice))
            assert isinstance(verdict, Accepted) == ((seat, len(dice)) in due), f"{seat} rolled {dice}; due {due}: {verdict}"
            if isinstance(verdict, Refused):
                assert verdict.rules
                assert all(game.words.tell(objection.why) for objection in verdict.objections)


@each_table
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_a_position_goes_through_json_unchanged(game: Game, terms: Terms, seed: int) -> None:
    state = somewhere(game, terms, seed)
    again = state_from_json(game, state_to_json(game, state))
    assert game.position(again) == game.position(state)
    assert game.legal_moves(again) == game.legal_moves(state)
    assert game.due(again) == game.due(state)
    assert game.layout(again) == game.layout(state)


@each_table
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_moves_go_through_json_and_text_unchanged(game: Game, terms: Terms, seed: int) -> None:
    state = somewhere(game, terms, seed)
    forms = game.forms(terms)
    events: list[Event] = [*game.legal_moves(state), Roll(terms.seats[0], (1, 6))]
    for event in events:
        assert event_from_json(event_to_json(event), terms.seats, forms) == event
        assert from_text(to_text(event), event.seat, forms) == event


@each_table
@settings(max_examples=5, deadline=None)
@given(seed=seeds)
def test_somebody_has_something_to_do_until_the_end_and_then_nobody(game: Game, terms: Terms, seed: int) -> None:
    chance, state = Random(seed), game.set_up(terms)
    for _ in range(3000):
        ended = game.outcome(state)
        due = game.due(state)
        assert bool(due) != bool(ended)
        assert all(game.words.tell(d.say) for d in due)
        asked = {d.seat for d in due if d.what == "move"}
        moves = game.legal_moves(state)
        assert {m.seat for m in moves} == asked, f"asked {asked}, listed {[to_text(m) for m in moves]}"
        if ended:
            assert game.words.tell(ended.why)
            assert set(ended.rules) <= game.rulebook.ids()
            assert not moves
            break
        event = random_event(game, state, chance)
        assert event is not None
        verdict = game.rule(state, event)
        assert isinstance(verdict, Accepted)
        assert all(game.words.tell(said) for said in verdict.said)
        assert set(verdict.rules) <= game.rulebook.ids()
        for change in changes(game.layout(state), game.layout(verdict.state)):
            assert describe(game, change)
        state = verdict.state


@each_table
@settings(max_examples=5, deadline=None)
@given(seed=seeds)
def test_replaying_the_events_gives_the_live_state_again(game: Game, terms: Terms, seed: int) -> None:
    played = play_random(game, terms, seed, most_events=500)
    state = game.set_up(terms)
    for event in played.events:
        state = game.rule(state, event).state
    assert game.position(state) == game.position(played.state)


@each_table
def test_random_play_ends_or_the_game_is_named_as_one_that_may_not(game: Game, terms: Terms) -> None:
    for seed in range(3):
        played = play_random(game, terms, f"end {seed}")
        assert played.finished or terms.variant in game.may_not_end


@each_table
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_whatever_stands_on_the_board_stands_on_a_space_of_it(game: Game, terms: Terms, seed: int) -> None:
    layout = game.layout(somewhere(game, terms, seed))
    assert all(s.space in terms.board.spaces for s in layout.standing)


@each_table
@settings(max_examples=5, deadline=None)
@given(seed=seeds)
def test_a_seat_that_is_skipped_owes_nothing_more_and_a_leaver_never_again(game: Game, terms: Terms, seed: int) -> None:
    state = somewhere(game, terms, seed)
    for d in game.due(state):
        if not d.optional:
            after = game.skip(state, d.seat)
            assert game.position(after) != game.position(state)
    seat = Random(seed).choice(terms.seats)
    state, chance = game.leave(state, seat), Random(seed)
    for _ in range(60):
        assert seat not in {d.seat for d in game.due(state)}
        assert bool(game.due(state)) != bool(game.outcome(state))
        event = random_event(game, state, chance)
        if event is None:
            break
        verdict = game.rule(state, event)
        assert isinstance(verdict, Accepted)
        state = verdict.state
        again = state_from_json(game, state_to_json(game, state))
        assert game.position(again) == game.position(state)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda g: g.name)
def test_every_board_of_a_game_goes_through_its_file_form_and_validates(game: Game) -> None:
    for name in game.boards():
        board = game.board(name)
        assert board.name == name
        assert board_from_json(board_to_json(board)) == board or board_to_json(
            board_from_json(board_to_json(board))
        ) == board_to_json(board)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda g: g.name)
def test_positions_are_documented_field_by_field(game: Game) -> None:
    text = (game.folder / "POSITION.md").read_text("utf-8")
    fields = game.position(game.set_up(game.terms()))
    assert [field for field in fields if f"`{field}`" not in text] == []
