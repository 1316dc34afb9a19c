"""The state from what somebody put on the board: whatever can stand there can be set up, and what cannot is refused with a reason."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from companion.events import BadInput
from companion.game import Game, Terms, state_from_json, state_to_json
from companion.games import find_game
from companion.layout import Layout, Standing, changes
from companion.ruling import Accepted
from tests.games.test_properties import each_table, seeds, somewhere

FEW = settings(max_examples=8, deadline=None)


def bag(layout: Layout) -> Counter[tuple[str, str, str]]:
    return Counter((s.piece, s.space, s.face) for s in layout.standing)


def works(game: Game, state: Any) -> None:
    """Play can go on from here, and the state survives a file."""
    assert bool(game.due(state)) != bool(game.outcome(state))
    for move in game.legal_moves(state)[:20]:
        assert isinstance(game.rule(state, move), Accepted)
    again = state_from_json(game, state_to_json(game, state))
    assert game.position(again) == game.position(state)
    assert game.legal_moves(again) == game.legal_moves(state)


def put_up(game: Game, state: Any, wanted: Layout) -> bool:
    """Whether this can stand; if it can, it does, and if not, the reason is told."""
    try:
        after = game.rearrange(state, wanted)
    except BadInput as error:
        reason = str(error)
    else:
        assert bag(game.layout(after)) == bag(wanted)
        works(game, after)
        return True
    assert len(reason) > 15
    return False


def with_one_moved(layout: Layout, piece: Standing, to: str, face: str = "") -> Layout:
    left = list(layout.standing)
    left.remove(piece)
    return Layout((*left, Standing(piece.piece, to, face or piece.face)), layout.platform)


# --- in every game ---


@each_table
@FEW
@given(seed=seeds)
def test_what_stands_there_already_changes_nothing(game: Game, terms: Terms, seed: int) -> None:
    state = somewhere(game, terms, seed)
    layout = game.layout(state)
    shuffled = Layout(tuple(Random(seed).sample(layout.standing, len(layout.standing))), layout.platform)
    after = game.rearrange(state, shuffled)
    assert game.layout(after) == layout
    assert game.legal_moves(after) == game.legal_moves(state)
    assert game.due(after) == game.due(state)


@each_table
@FEW
@given(seed=seeds)
def test_one_piece_moved_by_hand_stands_there_or_the_reason_is_told(game: Game, terms: Terms, seed: int) -> None:
    state, chance = somewhere(game, terms, seed), Random(seed)
    layout, spaces = game.layout(state), list(terms.board.spaces)
    for _ in range(12):
        put_up(game, state, with_one_moved(layout, chance.choice(layout.standing), chance.choice(spaces)))


@each_table
def test_pieces_can_be_moved_by_hand_at_all(game: Game, terms: Terms) -> None:
    chance, spaces = Random(1), list(terms.board.spaces)
    for seed in range(4):
        state = somewhere(game, terms, seed)
        standing = game.layout(state).standing
        tries = (with_one_moved(game.layout(state), chance.choice(standing), chance.choice(spaces)) for _ in range(200))
        assert any(put_up(game, state, wanted) for wanted in tries)


@each_table
@FEW
@given(seed=seeds)
def test_one_piece_taken_off_by_hand_is_gone_or_the_reason_is_told(game: Game, terms: Terms, seed: int) -> None:
    state = somewhere(game, terms, seed)
    layout = game.layout(state)
    gone = Random(seed).choice(layout.standing)
    left = list(layout.standing)
    left.remove(gone)
    put_up(game, state, Layout(tuple(left), layout.platform))


@each_table
@FEW
@given(seed=seeds)
def test_every_position_of_a_running_game_can_be_put_up_from_any_other(game: Game, terms: Terms, seed: int) -> None:
    goal = somewhere(game, terms, seed)
    if game.outcome(goal):
        return
    for start in (game.set_up(terms), somewhere(game, terms, seed + 1)):
        if game.outcome(start):
            continue
        after = game.rearrange(start, game.layout(goal))
        assert bag(game.layout(after)) == bag(game.layout(goal))
        assert game.layout(after).platform == game.layout(goal).platform
        works(game, after)


@each_table
def test_a_piece_more_than_the_box_holds_is_refused(game: Game, terms: Terms) -> None:
    state = game.set_up(terms)
    layout = game.layout(state)
    free = [space for space in terms.board.spaces if space not in {s.space for s in layout.standing}]
    for supply in game.pieces(terms):
        face = supply.faces[0] if supply.faces else ""
        more = tuple(Standing(supply.piece, space, face) for space in free[: supply.number + 1])
        with pytest.raises(BadInput, match=f"there are only {supply.number}"):
            game.rearrange(state, Layout(more, layout.platform))


@each_table
def test_the_box_holds_whatever_stands_on_the_board(game: Game, terms: Terms) -> None:
    box = {supply.piece: supply for supply in game.pieces(terms)}
    for seed in range(4):
        for standing, count in bag(game.layout(somewhere(game, terms, seed))).items():
            supply = box[standing[0]]
            assert count <= supply.number
            assert standing[2] in (supply.faces or ("",))


@each_table
def test_nonsense_is_refused_by_name(game: Game, terms: Terms) -> None:
    state = game.set_up(terms)
    layout = game.layout(state)
    piece = layout.standing[0]
    for wrong, named in (
        (piece._replace(piece="bishop"), "bishop"),
        (piece._replace(space="zz9"), "zz9"),
        (piece._replace(face="sideways"), "sideways"),
    ):
        with pytest.raises(BadInput, match=named):
            game.rearrange(state, Layout((*layout.standing[1:], wrong), layout.platform))


# --- what is particular ---


def state_of(game: str, position: dict[str, Any], **terms: Any) -> Any:
    return state_from_json(find_game(game), {"game": game, "position": position, **terms})


def put(state: Any, game: str, take: tuple[str, str], to: str = "", face: str = "") -> Any:
    """The state after a hand took a piece and put it somewhere, or nowhere."""
    found = find_game(game)
    layout = found.layout(state)
    piece = next((s for s in layout.standing if (s.piece, s.space) == take), Standing(take[0], ""))
    left = [s for s in layout.standing if s is not piece]
    there = [Standing(piece.piece, to, face or piece.face)] if to else []
    return found.rearrange(state, Layout((*left, *there), layout.platform))


def test_siege_keeps_the_turn_and_forgets_what_stood_before() -> None:
    state = state_of("siege", {"to_move": "defender", "knights": ["d4", "b2"], "defenders": ["c3"], "commander": "d6", "quiet_turns": 7})
    after = find_game("siege").position(put(state, "siege", ("knight", "b2"), "b3"))
    assert (after["to_move"], sorted(after["knights"]), after["quiet_turns"], len(after["seen"])) == ("defender", ["b3", "d4"], 7, 1)


def test_siege_refuses_two_on_a_square_and_a_commander_outside_the_castle() -> None:
    state = state_of("siege", {"to_move": "attacker", "knights": ["d4", "b2"], "defenders": ["c3"], "commander": "d6"})
    with pytest.raises(BadInput, match="SG-10"):
        put(state, "siege", ("knight", "b2"), "c3")
    with pytest.raises(BadInput, match="SG-25"):
        put(state, "siege", ("commander", "d6"), "c1")


def test_a_commander_put_on_his_crown_begins_the_game_of_siege() -> None:
    siege = find_game("siege")
    state = put(siege.set_up(siege.terms()), "siege", ("commander", ""), "d6")
    assert [due.seat for due in siege.due(state)] == ["attacker"]
    assert len(siege.position(state)["unmoved"]) == 4


def test_a_commander_taken_away_is_captured() -> None:
    siege = find_game("siege")
    state = state_of("siege", {"to_move": "attacker", "knights": ["d4"], "defenders": ["c3"], "commander": "d6"})
    ended = siege.outcome(put(state, "siege", ("commander", "d6")))
    assert ended
    assert ended.winners == ("attacker",)


def test_a_marker_stays_under_the_prince_who_is_put_on_it() -> None:
    purple = find_game("royal_purple")
    state = state_of("royal_purple", {"turn_of": "red", "princes": {"red": "e4", "blue": "c9", "yellow": "j9", "green": "k1"},
                                      "markers": {"red": ["b2", "e5"]}})  # fmt: skip
    after = put(state, "royal_purple", ("red-prince", "e4"), "e5")
    assert Standing("red-prince", "e5", level=1) in purple.layout(after).standing
    assert purple.position(after)["markers"]["red"] == ["b2", "e5"]


def test_a_prince_put_elsewhere_may_mark_where_he_stands_now() -> None:
    position = {"turn_of": "blue", "princes": {"red": "e4", "blue": "c9", "yellow": "j9", "green": "k1"}, "may_mark": {"red": ["e4"]}}
    after = put(state_of("royal_purple", position), "royal_purple", ("red-prince", "e4"), "f5")
    assert find_game("royal_purple").position(after)["may_mark"] == {"red": ["f5"]}


def test_royal_purple_refuses_a_foreign_castle_and_a_second_marker_on_a_square() -> None:
    purple = find_game("royal_purple")
    state = purple.set_up(purple.terms())
    castle = purple.position(state)["princes"]
    away = put(state, "royal_purple", ("blue-prince", castle["blue"]), "e4")
    with pytest.raises(BadInput, match="RP-28"):
        put(away, "royal_purple", ("red-prince", castle["red"]), castle["blue"])
    marked = put(state, "royal_purple", ("red-marker", ""), "e5")
    with pytest.raises(BadInput, match="RP-34"):
        put(marked, "royal_purple", ("blue-marker", ""), "e5")


def test_royal_purple_keeps_the_throw() -> None:
    position = {"turn_of": "red", "throw": {"red": 4}, "princes": {"red": "e4", "blue": "c9", "yellow": "j9", "green": "k1"}}
    after = put(state_of("royal_purple", position), "royal_purple", ("blue-prince", "c9"), "c8")
    assert find_game("royal_purple").position(after)["throw"] == {"red": 4}


def test_a_disc_put_home_is_home_and_a_captured_one_lies_in_its_start_circle() -> None:
    royal = find_game("royal_game")
    state = state_of("royal_game", {"turn": "red", "discs": {"red": ["T05", "T09", "red-3", "home"], "yellow": ["T07"]},
                                    "captured": {"yellow": 1}, "throw": {"dice": [3]}}, seats=["red", "yellow"])  # fmt: skip
    after = royal.position(put(state, "royal_game", ("red-disc", "red-3"), "home"))
    assert after["discs"]["red"].count("home") == 2
    assert after["throw"]["dice"] == [3]
    with pytest.raises(BadInput, match="missing; what was captured lies in yellow-start"):
        put(state, "royal_game", ("yellow-disc", "T07"))
    with pytest.raises(BadInput, match="only one colour may"):
        put(state, "royal_game", ("yellow-disc", "T07"), "T05")


def test_an_army_moved_by_hand_owes_no_move_and_one_that_is_missing_is_vanquished() -> None:
    kop = find_game("kop_the_kaiser")
    state = kop.set_up(kop.terms(seats=3))
    first = kop.terms(seats=3).seats[0]
    army = kop.layout(state).standing[0].piece
    moved = put(state, "kop_the_kaiser", (army, kop.layout(state).standing[0].space), "S20", "retreat")
    assert kop.position(moved)["armies"][army] == {"space": "S20", "face": "retreat"}
    assert [d.seat for d in kop.due(moved)] == [first]
    out = put(moved, "kop_the_kaiser", (army, "S20"))
    assert kop.position(out)["armies"][army] == "vanquished"
    assert [d.seat for d in kop.due(out)] != [first]


def test_a_marine_taken_off_the_board_is_held_by_whose_throw_it_is_and_comes_back_when_put_back() -> None:
    marines = find_game("fighting_marines")
    state = somewhere(marines, marines.terms(seats=4), 5)
    while marines.position(state)["phase"] != "stop":
        state = somewhere(marines, marines.terms(seats=4), Random(repr(marines.position(state))).randrange(10**6))
    thrower = marines.position(state)["thrower"]
    man = next(s for s in marines.layout(state).standing if not s.piece.startswith(thrower) and s.piece.endswith("private"))
    held = put(state, "fighting_marines", (man.piece, man.space))
    before, after = (Counter((c["man"], c["holder"]) for c in marines.position(s)["captives"]) for s in (state, held))
    assert after - before == Counter([(man.piece, thrower)])
    back = put(held, "fighting_marines", (man.piece, ""), man.space)
    assert marines.layout(back).standing == marines.layout(state).standing
    assert marines.position(back)["chips"] == marines.position(state)["chips"]


def test_the_platform_is_turned_by_hand() -> None:
    marines = find_game("fighting_marines")
    state = marines.set_up(marines.terms())
    layout = marines.layout(state)
    after = marines.rearrange(state, layout._replace(platform=9))
    assert marines.layout(after).platform == 9
    assert not changes(layout, marines.layout(after)._replace(platform=layout.platform))
    with pytest.raises(BadInput, match="arrow"):
        marines.rearrange(state, layout._replace(platform=45))
