"""The umpire finds just the move that was made, or asks; it never takes a wrong change for a move, and explains it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from companion.events import Move
from companion.game import Game, Terms
from companion.games import all_games, find_game
from companion.layout import Change, Layout, Standing
from companion.ruling import Accepted
from tests.vision.made_up import after_random_play, one_turn, play, sighting, visible_moves, wrong_change
from vision.explain import explain, missing, off_the_board, set_up_help, unseen
from vision.hypotheses import Evidence, explanations
from vision.marks import EMPTY, STRANGE, Arrow, Belief, Sighting, contents
from vision.umpire import Ask, Hidden, Made, Nothing, Past, TakenBack, Unfinished, Wrong, see

TABLES = [
    pytest.param(game, game.terms(variant.name, seats), id=f"{game.name}-{variant.name}-{len(seats)}")
    for game in all_games().values()
    for variant in game.variants
    for seats in variant.seatings
]
each_table = pytest.mark.parametrize(("game", "terms"), TABLES)
SEEDS = range(int(os.environ.get("UMPIRE_SEEDS", "12")))


def many_times(test: Callable[[Game, Terms, int], None]) -> Callable[[Game, Terms], None]:
    """The same test from many positions; always the same ones, so that it holds today as it did yesterday."""

    def repeated(game: Game, terms: Terms) -> None:
        for seed in SEEDS:
            try:
                test(game, terms, seed)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}: {error}") from error

    repeated.__name__, repeated.__doc__ = test.__name__, test.__doc__
    return repeated


def stands(layout: Layout) -> tuple[Any, ...]:
    return contents(layout), layout.platform


@each_table
@many_times
def test_when_nothing_changed_it_sees_nothing(game: Game, terms: Terms, seed: int) -> None:
    state = after_random_play(game, terms, seed)
    assert see(game, state, sighting(game, state, game.layout(state), Random(seed))) == Nothing()


@each_table
@many_times
def test_after_legal_moves_of_one_turn_it_finds_just_them_or_asks_with_them_among_the_choices(
    game: Game, terms: Terms, seed: int
) -> None:
    chance = Random(seed)
    state = after_random_play(game, terms, seed)
    moves = one_turn(game, state, chance, chance.choice((1, 1, 2, 4, 8)))
    after = play(game, state, moves)
    seen = see(game, state, sighting(game, state, game.layout(after), chance))
    if stands(game.layout(after)) == stands(game.layout(state)):
        assert seen == Nothing()
    elif isinstance(seen, Ask):
        assert all(stands(game.layout(play(game, state, choice))) == stands(game.layout(after)) for choice in seen.candidates)
        assert any(game.position(play(game, state, choice)) == game.position(after) for choice in seen.candidates)
    else:
        assert isinstance(seen, Made), seen
        assert stands(game.layout(play(game, state, seen.moves))) == stands(game.layout(after))


@each_table
@many_times
def test_a_single_move_is_found_exactly(game: Game, terms: Terms, seed: int) -> None:
    chance = Random(seed)
    state = after_random_play(game, terms, seed)
    moves = visible_moves(game, state)
    if not moves:
        return
    move = chance.choice(moves)
    after = play(game, state, (move,))
    seen = see(game, state, sighting(game, state, game.layout(after), chance))
    if isinstance(seen, Ask):
        assert (move,) in seen.candidates
    else:
        assert isinstance(seen, Made)
        assert seen.moves == (move,) or game.position(play(game, state, seen.moves)) == game.position(after)


@each_table
@many_times
def test_a_wrong_change_is_never_accepted_and_always_explained(game: Game, terms: Terms, seed: int) -> None:
    chance = Random(seed)
    state = after_random_play(game, terms, seed)
    _, wrong = wrong_change(game, state, game.layout(state), chance)
    seen = see(game, state, sighting(game, state, wrong, chance))
    if isinstance(seen, Made):  # then chance has found a legal move
        assert stands(game.layout(play(game, state, seen.moves))) == stands(wrong)
    elif isinstance(seen, Ask):
        assert all(stands(game.layout(play(game, state, choice))) == stands(wrong) for choice in seen.candidates)
    elif isinstance(seen, Wrong):
        told = explain(game, state, seen)
        assert told.what
        assert told.put_back
        assert set(told.citations) <= game.rulebook.ids()
    else:  # a piece in the hand: it may still become a move
        assert isinstance(seen, Unfinished | Hidden), seen
        assert not isinstance(seen, Unfinished) or seen.changes


@each_table
@many_times
def test_a_move_whose_place_is_hidden_is_not_guessed(game: Game, terms: Terms, seed: int) -> None:
    chance = Random(seed)
    state = after_random_play(game, terms, seed)
    moves = [move for move in visible_moves(game, state) if move.to in terms.board.spaces]
    if not moves:
        return
    after = play(game, state, (chance.choice(moves),))
    before, there = contents(game.layout(state)), contents(game.layout(after))
    changed = [s for s in {*before, *there} if before.get(s, EMPTY) != there.get(s, EMPTY)]
    if not changed:
        return
    hidden = chance.choice(sorted(changed))
    seen = see(game, state, sighting(game, state, game.layout(after), chance, frozenset({hidden})))
    if isinstance(seen, Made):  # what is certain without the hidden space may be said
        assert hidden not in {space for move in seen.moves for space in (move.start, move.to)}
    elif isinstance(seen, Hidden):
        assert hidden in seen.spaces or seen.why == "doubtful"
    else:
        assert not isinstance(seen, Wrong) or len(changed) > 1


@each_table
@many_times
def test_going_back_to_the_layout_before_the_last_move_is_a_takeback_and_no_accusation(
    game: Game, terms: Terms, seed: int
) -> None:
    chance = Random(seed)
    state = after_random_play(game, terms, seed)
    moves = visible_moves(game, state)
    if not moves:
        return
    after = play(game, state, (chance.choice(moves),))
    past = (Past(3, game.layout(state)), Past(4, game.layout(state)))
    seen = see(game, after, sighting(game, after, game.layout(state), chance), past)
    if isinstance(seen, Ask):
        assert seen.back == 4
    elif isinstance(seen, Made):  # a legal move leads back there: then it was that, or it is asked
        assert stands(game.layout(play(game, after, seen.moves))) == stands(game.layout(state))
    else:
        assert isinstance(seen, TakenBack), seen
        assert seen.to == 4


# --- single cases, by hand ---


def siege_state(**fields: Any) -> Any:
    game = find_game("siege")
    position = {"to_move": "attacker", "knights": ["d2"], "defenders": ["c5"], "commander": "d6"} | fields
    return game, game.from_position(game.terms(), position)


def test_weak_evidence_is_neither_a_move_nor_an_accusation() -> None:
    game, state = siege_state()
    seen = sighting(game, state, game.layout(state), Random(1))
    blurred = dict(seen.beliefs) | {"d2": Belief({("knight",): 10.0, EMPTY: 0.0})}
    answer = see(game, state, seen._replace(beliefs=blurred))
    assert answer == Hidden(("d2",), "doubtful")


def test_a_piece_in_the_hand_is_not_wrong_yet() -> None:
    game, state = siege_state()
    lifted = Layout(tuple(s for s in game.layout(state).standing if s.piece != "knight"))
    answer = see(game, state, sighting(game, state, lifted, Random(2)))
    assert isinstance(answer, Unfinished)
    assert answer.changes == (Change("take", "knight", "d2"),)


def test_something_strange_on_a_space_hides_it() -> None:
    game, state = siege_state()
    move = visible_moves(game, state)[0]
    seen = sighting(game, state, game.layout(play(game, state, (move,))), Random(3))
    with_die = dict(seen.beliefs) | {move.to: Belief({STRANGE: 0.0, EMPTY: 9.0, ("knight",): 9.0})}
    answer = see(game, state, seen._replace(beliefs=with_die))
    assert isinstance(answer, Hidden)
    assert (answer.spaces, answer.why, answer.guess) == ((move.to,), "strange", (move,))
    assert move.to in unseen(game, state.ground.terms.board, answer)


def test_a_platform_between_two_spaces_decides_nothing() -> None:
    game = find_game("fighting_marines")
    state = after_random_play(game, game.terms(), 5)
    seen = sighting(game, state, game.layout(state), Random(1))._replace(arrow=Arrow(None, 12.0, (1, 2)))
    assert see(game, state, seen) == Hidden((), "between")


def marines_at_a_stop() -> Any:
    """Red's turn of the platform is done: men stand before spaces of their colour."""
    game = find_game("fighting_marines")
    return next((game, s) for n in range(200) if len(visible_moves(game, s := after_random_play(game, game.terms(), n, (40,)))) > 3)


def test_men_of_several_seats_who_acted_at_once_are_all_found() -> None:
    game, state = marines_at_a_stop()
    chance = Random(4)
    moves = one_turn(game, state, chance, 8)
    assert len({move.seat for move in moves}) > 1
    seen = see(game, state, sighting(game, state, game.layout(play(game, state, moves)), chance))
    assert isinstance(seen, Made)
    assert sorted(seen.moves) == sorted(moves)


def test_the_search_never_looks_at_the_whole_product() -> None:
    game, state = marines_at_a_stop()
    chance = Random(4)
    after = play(game, state, one_turn(game, state, chance, 8))
    looked_at = explanations(game, state, Evidence(sighting(game, state, game.layout(after), chance)))
    assert len(looked_at) < 600


def test_a_wrong_turn_of_the_platform_cites_the_rule_and_says_how_to_put_it_right() -> None:
    game = find_game("fighting_marines")
    state = next(s for n in range(99) if (s := after_random_play(game, game.terms(), n)).phase == "turn")
    layout = game.layout(state)
    wrong = layout._replace(platform=state.turn_to % 44 + 1)
    seen = see(game, state, sighting(game, state, wrong, Random(1)))
    assert isinstance(seen, Wrong)
    told = explain(game, state, seen)
    assert "FM-16" in told.citations
    assert told.put_back == (f"Turn the platform until the arrow points at {state.turn_to}.",)


def test_a_marker_of_somebody_who_is_not_to_move_is_named_with_the_rule() -> None:
    game = find_game("royal_purple")
    state = after_random_play(game, game.terms(), 3)
    layout = game.layout(state)
    free = next(s for s in ("d4", "e6", "g5") if s not in contents(layout))
    seen = see(game, state, sighting(game, state, layout._replace(standing=(*layout.standing, Standing("blue-marker", free))), Random(1)))
    assert isinstance(seen, Wrong)
    told = explain(game, state, seen)
    assert told.what == (f"Blue marker was put on {free}.",)
    assert "RP-30" in told.citations
    assert told.put_back == (f"Take the blue marker off {free}.",)


def nobody_sees_under(seen: Sighting, tops: Mapping[str, str]) -> Sighting:
    """The sighting if whatever is under these pieces does not show."""
    beliefs = dict(seen.beliefs)
    for space, top in tops.items():
        least = min(cost for content, cost in beliefs[space].costs.items() if top in content)
        beliefs[space] = Belief({content: least if top in content else cost for content, cost in beliefs[space].costs.items()})
    return seen._replace(beliefs=beliefs)


def purple(markers: dict[str, list[str]], **fields: Any) -> tuple[Game, Any]:
    game = find_game("royal_purple")
    princes = {"red": "e4", "blue": "c9", "yellow": "j9", "green": "k1"}
    return game, game.from_position(game.terms(), {"turn_of": "red", "princes": princes, "markers": markers, **fields})


def test_a_marker_that_nobody_can_see_under_its_prince_lies_where_the_leaflet_wants_it() -> None:
    game, state = purple({}, throw={"red": 2})
    move = Move("red", "move", "red-prince", "e4", "f4")
    layout = game.layout(play(game, state, (move,)))
    seen = see(game, state, nobody_sees_under(sighting(game, state, layout, Random(1)), {"f4": "red-prince"}))
    assert isinstance(seen, Made)
    assert seen.moves == (move, Move("red", "mark", "", "", "f4"))


def test_a_prince_beside_whom_a_marker_would_be_seen_has_not_marked_yet() -> None:
    game, state = purple({}, throw={"red": 2})
    move = Move("red", "move", "red-prince", "e4", "f4")
    seen = see(game, state, sighting(game, state, game.layout(play(game, state, (move,))), Random(1)))
    assert isinstance(seen, Made)
    assert seen.moves == (move,)


def test_a_marker_that_was_never_there_holds_up_no_move_and_is_spoken_of_when_its_prince_has_left() -> None:
    game, state = purple({"red": ["e4"]}, throw={"red": 2})
    after = play(game, state, (Move("red", "move", "red-prince", "e4", "f4"), Move("red", "mark", "", "", "f4")))
    layout = game.layout(after)
    without = layout._replace(standing=tuple(s for s in layout.standing if s.space != "e4"))
    made = see(game, state, sighting(game, state, without, Random(1)))
    assert isinstance(made, Made)
    assert [move.to for move in made.moves] == ["f4", "f4"]
    spoken = see(game, after, sighting(game, after, without, Random(1)))
    assert isinstance(spoken, Wrong)
    assert not spoken.is_sure
    assert spoken.put_back == (Change("put", "red-marker", "", "e4"),)


def test_a_counter_that_was_not_turned_over_is_put_right_by_turning_it() -> None:
    game = find_game("kop_the_kaiser")
    terms = game.terms(seats=2)
    for number in range(300):
        state = after_random_play(game, terms, number)
        for move in visible_moves(game, state):
            before = next(s for s in game.layout(state).standing if s.piece == move.piece)
            if move.do == "move" and before.face != move.detail:
                after = game.layout(play(game, state, (move,)))
                wrong = Layout(tuple(s._replace(face=before.face) if s.piece == move.piece else s for s in after.standing))
                seen = see(game, state, sighting(game, state, wrong, Random(1)))
                assert isinstance(seen, Wrong)
                assert explain(game, state, seen).citations
                return
    raise AssertionError("no counter ever had to be turned over")


def test_equal_layouts_by_different_moves_are_asked_about() -> None:
    """Two men of a kind are held by two players: which of them gave his back cannot be seen."""
    game = find_game("fighting_marines")
    terms = game.terms()
    for number in range(388, 800):  # one of the first of these will do; it is rare
        state = after_random_play(game, terms, number, (200, 300))
        by_look: dict[Any, set[Move]] = {}
        for move in visible_moves(game, state):
            if move.do == "ransom":
                by_look.setdefault((move.piece, move.to), set()).add(move)
        for moves in by_look.values():
            if len(moves) > 1:
                after = play(game, state, (min(moves),))
                seen = see(game, state, sighting(game, state, game.layout(after), Random(1)))
                assert isinstance(seen, Ask)
                assert {choice[0] for choice in seen.candidates} >= moves
                return
    raise AssertionError("nobody could ever be ransomed from two players")


# --- setting up and packing up ---


@each_table
@many_times
def test_set_up_help_leads_to_the_layout_and_then_says_that_all_is_right(game: Game, terms: Terms, seed: int) -> None:
    chance = Random(seed)
    state = after_random_play(game, terms, seed)
    layout = game.layout(state)
    assert missing(layout, sighting(game, state, layout, chance)).is_right
    standing = [s for s in layout.standing if chance.random() < 0.7]
    found = missing(layout, sighting(game, state, layout._replace(standing=tuple(standing)), chance))
    assert len(found.todo) == len(layout.standing) - len(standing)
    assert all(change.do == "put" for change in found.todo)
    assert bool(set_up_help(game, terms.board, found)) == bool(found.todo)


def test_at_the_end_it_names_what_is_not_on_the_board() -> None:
    game = find_game("siege")
    game_, state = siege_state()
    begun = game.layout(game.set_up(state.ground.terms))
    told = off_the_board(game, state, begun, sighting(game_, state, game.layout(state), Random(1)))
    assert told == ("3 × Defender", "3 × Knight")


def test_every_rule_that_is_cited_can_be_read() -> None:
    game, state = siege_state()
    knight = next(s for s in game.layout(state).standing if s.piece == "knight")
    wrong = Layout(tuple(s._replace(space="d3") if s == knight else s for s in game.layout(state).standing))
    seen = see(game, state, sighting(game, state, wrong, Random(1)))
    assert isinstance(seen, Wrong)
    told = explain(game, state, seen)
    assert told.citations
    assert all(game.rulebook.text(rule) for rule in told.citations)
    assert told.why[0].startswith("Attacker: ")


def test_a_played_move_is_accepted_by_the_rules_whatever_was_seen() -> None:
    """What the umpire calls made can be played at once."""
    game = find_game("royal_game")
    for number in range(30):
        state = after_random_play(game, game.terms(), number)
        chance = Random(number)
        moves = one_turn(game, state, chance, 3)
        seen = see(game, state, sighting(game, state, game.layout(play(game, state, moves)), chance))
        if isinstance(seen, Made):
            for move in seen.moves:
                verdict = game.rule(state, move)
                assert isinstance(verdict, Accepted)
                state = verdict.state
