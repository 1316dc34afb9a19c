"""What players and host may do to a running game, and what the record says of it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.acts import (
    KINDS,
    Act,
    Agreed,
    Corrected,
    Decided,
    Left,
    LetStand,
    Paused,
    Played,
    Skipped,
    TookBack,
    Touched,
    Voted,
    act_from_json,
    act_to_json,
)
from companion.events import BadInput, Move, Roll
from companion.games import find_game
from companion.ledger import ACCEPTED, HOST, REFUSED, SILENT, Answer, Ledger, open_ledger

SIEGE = find_game("siege")
PLACE = Move("defender", "place", "commander", to="d6")
LEAP = Move("attacker", "move", "knight", "c0", "d2")
STEP = Move("defender", "move", "defender", "d4", "c3")
WRONG = Move("attacker", "move", "knight", "c0", "c1")


def siege(**readings: str) -> Ledger:
    ledger = open_ledger(SIEGE, SIEGE.terms(readings=readings))
    for seat in ("attacker", "defender"):
        ledger = ledger.apply(Agreed(seat), 0, seat).ledger
    return ledger


def play(ledger: Ledger, *moves: Move) -> Ledger:
    for move in moves:
        answer = ledger.apply(Played(move), len(ledger.lines) + 1, move.seat)
        assert answer.status == ACCEPTED, answer.why
        ledger = answer.ledger
    return ledger


def standing(ledger: Ledger) -> dict[str, Any]:
    """The position as a host would correct it: without the memory of earlier ones."""
    return {key: value for key, value in SIEGE.position(ledger.state).items() if key != "seen"}


def refused(answer: Answer) -> str:
    assert answer.status == REFUSED
    return " ".join(answer.why)


def test_nobody_plays_before_everybody_has_agreed_to_the_house_rules() -> None:
    ledger = open_ledger(SIEGE, SIEGE.terms())
    assert "Attacker and Defender" in refused(ledger.apply(Played(PLACE), 1, "defender"))
    ledger = ledger.apply(Agreed("attacker"), 0, "attacker").ledger
    assert ledger.must_agree == ("defender",)
    answer = ledger.apply(Agreed("defender"), 0, HOST)
    assert answer.said == ("Everybody agrees to the house rules. Let us begin.",)
    assert answer.ledger.apply(Played(PLACE), 1, "defender").status == ACCEPTED


def test_a_seat_acts_only_for_itself_and_the_host_for_anybody() -> None:
    assert "Defender's" in refused(siege().apply(Played(PLACE), 1, "attacker"))
    assert siege().apply(Played(PLACE), 1, HOST).status == ACCEPTED
    for act in (
        Corrected({}),
        Skipped("attacker"),
        Left("attacker"),
        Decided("draw", "never"),
        Paused(True),
        LetStand(WRONG, {}),
    ):
        assert refused(siege().apply(act, 1, "defender")) == "Only the host may do that."


def test_a_player_takes_back_his_own_last_move_while_nobody_has_acted_after_it() -> None:
    ledger = play(siege(), PLACE, LEAP)
    assert "only your own" in refused(ledger.apply(TookBack(2), 3, "defender"))
    back = ledger.apply(TookBack(2), 3, "attacker")
    assert back.status == ACCEPTED
    assert SIEGE.position(back.ledger.state) == SIEGE.position(play(siege(), PLACE).state)
    later = play(ledger, STEP)
    assert "Only the host" in refused(later.apply(TookBack(2), 4, "attacker"))


def test_the_host_takes_back_anything_and_it_is_announced() -> None:
    answer = play(siege(), PLACE, LEAP, STEP).apply(TookBack(1), 4, HOST)
    assert answer.ledger.lines == ()
    assert answer.said == ("Taken back by the host: 3 from number 1 on.",)
    assert "no act 9" in refused(play(siege(), PLACE).apply(TookBack(9), 2, HOST))


def test_the_host_lets_an_illegal_move_stand_and_the_record_says_so() -> None:
    ledger = play(siege(), PLACE)
    position = standing(ledger) | {"knights": ["c1", "d0", "e0", "f0"], "to_move": "defender"}
    answer = ledger.apply(LetStand(WRONG, position), 2, HOST)
    assert answer.said == ("The host lets Attacker's move stand: move knight c0 > c1.",)
    assert SIEGE.position(answer.ledger.state)["knights"] == ["d0", "e0", "f0", "c1"]
    past = answer.ledger.was_legal(2)
    assert past.ruling
    assert past.ruling.status == REFUSED
    assert "SG-11" in past.ruling.citations
    assert past.remedy == "Number 2 was against the rules, and the host let it stand."


def test_the_host_corrects_the_position_but_not_into_an_impossible_one() -> None:
    ledger = play(siege(), PLACE)
    position = standing(ledger)
    answer = ledger.apply(Corrected(position | {"knights": ["b3"]}), 2, HOST)
    assert SIEGE.position(answer.ledger.state)["knights"] == ["b3"]
    with pytest.raises(BadInput, match="only 4, not 5"):
        ledger.apply(Corrected(position | {"knights": ["b1", "b2", "b3", "c1", "c2"]}), 2, HOST)


def test_a_past_move_is_ruled_on_in_its_own_position() -> None:
    past = play(siege(), PLACE, LEAP, STEP).was_legal(2)
    assert past.ruling
    assert past.ruling.status == ACCEPTED
    assert past.remedy == "Number 2 was legal."
    with pytest.raises(BadInput, match="acts 1 to 3"):
        play(siege(), PLACE, LEAP, STEP).was_legal(12)


def test_a_hypothetical_move_changes_nothing() -> None:
    ledger = play(siege(), PLACE)
    assert ledger.suppose(LEAP).status == ACCEPTED
    assert ledger.suppose(WRONG).status == REFUSED
    assert len(ledger.lines) == 1


def test_a_paused_game_takes_no_moves_until_it_goes_on() -> None:
    paused = siege().apply(Paused(True), 0, HOST).ledger
    assert "paused" in refused(paused.apply(Played(PLACE), 1, "defender"))
    assert paused.apply(Paused(False), 0, HOST).ledger.apply(Played(PLACE), 1, "defender").status == ACCEPTED


def test_a_skipped_seat_and_a_leaver_are_in_the_record() -> None:
    ledger = play(siege(), PLACE)
    skipped = ledger.apply(Skipped("attacker"), 2, HOST)
    assert skipped.ledger.due[0].seat == "defender"
    assert skipped.ledger.lines[-1].act == Skipped("attacker")
    assert refused(ledger.apply(Skipped("defender"), 2, HOST)) == "Defender owes nothing now."
    left = ledger.apply(Left("attacker"), 2, HOST)
    assert left.citations == ("X-A07",)
    assert left.ledger.present == ("defender",)
    assert refused(left.ledger.apply(Left("attacker"), 3, HOST)) == "Attacker has left the game."
    back = left.ledger.apply(TookBack(2), 3, HOST).ledger
    assert back.present == ("attacker", "defender")


BACKWARDS = Move("attacker", "move", "knight", "b5", "d4")
OPEN: dict[str, Any] = {"to_move": "attacker", "knights": ["b5"], "defenders": ["e4"], "commander": "d6"}


def asking() -> Ledger:
    ledger = open_ledger(SIEGE, SIEGE.terms(readings={"back_into_castle": "ask"}), OPEN)
    for seat in ("attacker", "defender"):
        ledger = ledger.apply(Agreed(seat), 0, seat).ledger
    return ledger


def test_where_the_leaflet_is_silent_the_seats_vote_and_the_decision_is_kept() -> None:
    ledger = asking()
    answer = ledger.apply(Played(BACKWARDS), 1, "attacker")
    assert answer.status == SILENT
    assert answer.ruling
    assert [r.name for r in answer.ruling.readings] == ["back_into_castle"]
    first = ledger.apply(Voted("attacker", "back_into_castle", "all"), 1, "attacker")
    assert first.said == ("Attacker has voted. Still missing: Defender.",)
    second = first.ledger.apply(Voted("defender", "back_into_castle", "all"), 1, "defender")
    assert second.house_rule == ("back_into_castle", "all")
    assert second.ledger.apply(Played(BACKWARDS), 2, "attacker").status == ACCEPTED


def test_a_tied_vote_is_decided_by_the_host() -> None:
    ledger = asking().apply(Voted("attacker", "back_into_castle", "all"), 1, "attacker").ledger
    tied = ledger.apply(Voted("defender", "back_into_castle", "only_two_back_one_side"), 1, "defender")
    assert tied.said == ("The vote on back_into_castle is tied. The host decides.",)
    decided = tied.ledger.apply(Decided("back_into_castle", "only_two_back_one_side"), 1, HOST)
    assert refused(decided.ledger.apply(Played(BACKWARDS), 2, "attacker"))


def test_in_the_middle_of_a_game_a_reading_changes_only_if_all_want_it() -> None:
    ledger = play(siege(), PLACE).apply(Voted("attacker", "draw", "never"), 2, "attacker").ledger
    against = ledger.apply(Voted("defender", "draw", "threefold"), 2, "defender")
    assert against.said == ("draw stays threefold_or_50: in the middle of a game only all together can change it.".capitalize(),)
    agreed = ledger.apply(Voted("defender", "draw", "never"), 2, "defender")
    assert agreed.ledger.terms.readings["draw"] == "never"
    assert agreed.citations == ("SG-A21",)


@pytest.mark.parametrize(("value", "then"), [("take_back", None), ("turn_lost", Skipped("attacker", "X-A04"))])
def test_an_illegal_move_really_made_costs_the_turn_only_where_the_table_agreed_on_that(value: str, then: Act | None) -> None:
    ledger = play(siege(illegal_move=value), PLACE)
    assert ledger.apply(Played(WRONG, made=True), 2, HOST).then == then
    assert ledger.apply(Played(WRONG), 2, "attacker").then is None  # a question on a phone moves no piece


@pytest.mark.parametrize(("value", "words"), [("stands", "It stands"), ("rewind", "takes the game back")])
def test_an_illegal_move_found_late_stands_or_rewinds_as_the_table_agreed(value: str, words: str) -> None:
    ledger = play(siege(late_illegal=value), PLACE, LEAP, STEP)
    # Only a fault of an older companion can have accepted it; here it is put into the record by hand.
    lines = list(ledger.lines)
    lines[1] = lines[1]._replace(act=Played(WRONG))
    broken = Ledger(ledger.game, ledger.start, tuple(lines), ledger.agreed)
    assert words in broken.was_legal(2).remedy


def test_a_touched_piece_must_be_moved_where_the_table_plays_so() -> None:
    assert refused(play(siege(), PLACE).apply(Touched("attacker", "knight", "d0"), 0, "attacker"))
    ledger = play(siege(touch_move="on"), PLACE).apply(Touched("attacker", "knight", "d0"), 0, "attacker").ledger
    answer = ledger.apply(Played(LEAP), 2, "attacker")
    assert answer.citations == ("X-A06",)
    assert ledger.apply(Played(Move("attacker", "move", "knight", "d0", "e2")), 2, "attacker").status == ACCEPTED


ACTS: list[Act] = [
    Played(LEAP, True),
    Played(Roll("attacker", (3,))),
    LetStand(WRONG, {"to_move": "defender"}),
    Corrected({"a": 1}, "slid"),
    TookBack(3),
    Skipped("attacker", "X-A04"),
    Left("defender"),
    Agreed("attacker"),
    Voted("attacker", "draw", "never"),
    Decided("draw", "never"),
    Touched("attacker", "knight", "c0"),
    Paused(True),
    Paused(False, "supper"),
]


@pytest.mark.parametrize("act", ACTS, ids=lambda a: type(a).__name__)
def test_every_act_goes_through_json_unchanged(act: Act) -> None:
    kind = next(name for name, made in KINDS.items() if made is type(act))
    terms = SIEGE.terms()
    assert act_from_json(kind, act_to_json(act), terms.seats, SIEGE.forms(terms)) == act


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        ("danced", {}, "act: 'danced'"),
        ("left", [], "act: must be an object"),
        ("left", {"seat": "umpire"}, "seat: 'umpire'"),
        ("left", {"seat": "attacker", "x": 1}, "'x' is not known"),
        ("took_back", {"to": "3"}, "to: must be a whole number"),
        ("took_back", {"to": True}, "to: must be a whole number"),
        ("paused", {"on": 1}, "on: must be true or false"),
        ("corrected", {"position": []}, "position: must be an object"),
        ("voted", {"seat": "attacker", "reading": 5, "value": ""}, "reading: must be a text"),
        ("played", {"event": {"seat": "attacker", "roll": [9]}}, "1 to 6"),
    ],
)
def test_a_nonsensical_act_names_the_field(kind: str, data: object, said: str) -> None:
    terms = SIEGE.terms()
    with pytest.raises(BadInput, match=said):
        act_from_json(kind, data, terms.seats, SIEGE.forms(terms))


def test_a_vote_for_an_unknown_reading_or_value_is_nonsense() -> None:
    with pytest.raises(BadInput, match="gravity"):
        siege().apply(Voted("attacker", "gravity", "off"), 1, "attacker")
    with pytest.raises(BadInput, match="'maybe' is not a value of draw"):
        siege().apply(Voted("attacker", "draw", "maybe"), 1, "attacker")
