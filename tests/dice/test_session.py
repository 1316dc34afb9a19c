"""The host's side of the line: firmware/PROTOCOL.md, sections 4 to 7, against a die in software."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dice import proof
from companion.dice.events import SENTENCES, ButtonPressed, DeviceChanged, DeviceHealth
from companion.dice.protocol import (
    FROM_DIE,
    Ack,
    AskRoll,
    AskStatus,
    DieHeartbeat,
    DieHello,
    Framer,
    Message,
    Ok,
    OtherVersion,
    Revealed,
    Rolled,
    SetDue,
    SetLight,
    decode_from_host,
    encode,
)
from companion.dice.records import DieRecords
from companion.dice.session import Session
from companion.dice.virtual_die import VirtualDie
from tests.dice.line import Line, Noise, clean, dead, linked
from tests.dice.test_protocol import messages


def sent(session: Session) -> list[Message]:
    return [decode_from_host(body) for body in Framer().feed(session.take_bytes())]


def met(next_seq: int = 0, boot: int = 5) -> Session:
    """A session that has just met a die, with nothing left to send."""
    session = Session("port")
    session.opened(0.0)
    session.receive(encode(DieHello(0, 1, "1.0", "ABCDEF01", boot, 1000, next_seq, 1)), 0.0)
    session.take_bytes()
    session.take_events()
    return session


# --- meeting


def test_a_die_is_searched_for_then_linked_and_says_who_it_is() -> None:
    line = linked()
    assert line.states() == ["searching", "linked"]
    assert line.session.source == "die:0000D1CE"
    assert str(line.events[1]) == "die:0000D1CE is ready on virtual (firmware virtual)."


def test_hello_is_repeated_every_second_until_it_is_answered() -> None:
    session = Session()
    session.opened(10.0)
    hellos = 0
    for tenth in range(100, 150):
        session.tick(tenth / 10)
        hellos += len(sent(session))
    assert hellos == 5


def test_a_die_that_has_not_heard_us_is_not_linked() -> None:
    session = Session()
    session.opened(0.0)
    session.receive(encode(DieHello(0, 1, "1.0", "ABCDEF01", 5, 0, 0, 0)), 0.5)
    assert session.state == "searching"


@pytest.mark.parametrize(("version", "state", "side"), [(0, "old_die", "flash"), (2, "new_die", "update the companion")])
def test_another_version_is_told_plainly_and_no_event_of_it_is_taken(version: int, state: str, side: str) -> None:
    session = Session("port")
    session.opened(0.0)
    session.receive(b"".join([b"$00,HELLO,%d" % version, b"*0000\n"]), 0.1)
    assert session.state == "searching"
    session.take_events()
    other = {0: b"$00,HELLO,0*4A86\n", 2: b"$00,HELLO,2*6AC4\n"}[version]
    assert Framer().feed(other)
    session.receive(other, 0.2)
    (event,) = session.take_events()
    assert isinstance(event, DeviceChanged)
    assert event.state == state
    assert side in str(event)
    session.receive(encode(Rolled(0, 5, 1, 0, "A", 6, False, (3,))), 0.3)
    assert session.take_events() == []


def test_a_silent_die_is_searched_for_after_three_and_a_half_seconds_and_found_again() -> None:
    line = linked()
    line.to_host = dead
    line.run(3_400)
    assert line.session.state == "linked"
    line.run(1_200)
    assert line.session.state == "searching"
    line.to_host = clean
    line.run(1_100)
    assert line.states() == ["searching", "linked", "searching", "linked"]


def test_a_reset_is_noticed_even_if_its_hello_was_lost() -> None:
    line = linked()
    line.to_host = dead
    line.reset_die()
    line.to_host = clean
    line.run(1_500)
    assert line.session.state == "linked"
    assert line.session.hello
    assert line.session.hello.boot == 2
    line.press()
    assert line.rolls()[-1].boot == 2


def test_a_reset_between_promise_and_roll_is_told() -> None:
    line = linked()
    line.reset_die()
    line.run(100)
    assert "restarted" in line.states()


# --- events


def test_a_press_becomes_one_roll_with_its_number_sides_and_cause() -> None:
    line = linked()
    line.session.wish(SetDue(0, 2))
    line.run(10)
    line.press("A")
    (roll,) = line.rolls()
    made = line.die.made[0]
    assert (roll.faces, roll.sides, roll.cause, roll.number) == (made.faces, 6, "A", 1)
    assert len(roll.faces) == 2
    assert roll.total == sum(made.faces)
    assert roll.key == ("die:0000D1CE", 1, 1)


def test_an_event_is_acknowledged_only_when_confirmed() -> None:
    line = linked()
    line.confirms = False
    line.press()
    line.run(500)
    assert len(line.rolls()) == 1
    line.press()
    line.run(500)
    assert len(line.rolls()) == 1  # the second waits behind the first
    line.rolls()[0].confirm()
    line.rolls()[0].confirm()
    line.confirms = True
    line.run(50)
    line.checks()[0].confirm()
    line.run(50)
    assert [roll.number for roll in line.rolls()] == [1, 2]


def test_a_double_is_acknowledged_again_but_not_counted_again() -> None:
    session = met()
    roll = encode(Rolled(0, 5, 1, 0, "A", 6, False, (3,)))
    session.receive(roll, 0.1)
    (event,) = session.take_events()
    session.receive(roll + roll, 0.2)
    assert not any(isinstance(message, Ack) for message in sent(session))
    event.confirm()
    session.receive(roll, 0.3)
    assert [message for message in sent(session) if isinstance(message, Ack)] == [Ack(0, 5), Ack(0, 5)]
    assert session.take_events() == []
    assert session.doubles == 3


@pytest.mark.parametrize("seq", [0x11, 0x0F, 0x80, 0x8F, 0xFF])
def test_an_event_out_of_order_is_neither_taken_nor_acknowledged(seq: int) -> None:
    session = met(next_seq=0x10)
    for expected in (0x10,) if seq == 0x0F else ():
        session.receive(encode(Rolled(expected, 5, 1, 0, "A", 6, False, (3,))), 0.1)
        session.take_events()
    session.receive(encode(Rolled(seq, 5, 2, 0, "A", 6, False, (4,))), 0.2)
    assert session.take_events() == []
    assert not any(isinstance(message, Ack) for message in sent(session))


def test_the_sequence_wraps_without_loss_or_double() -> None:
    line = linked()
    for _ in range(600):
        line.press()
        line.run(5)
    assert [roll.number for roll in line.rolls()] == list(range(1, 601))


def test_events_before_the_link_are_left_with_the_die() -> None:
    session = Session()
    session.opened(0.0)
    session.receive(encode(Rolled(0, 5, 1, 0, "A", 6, False, (3,))), 0.1)
    assert not [event for event in session.take_events() if not isinstance(event, DeviceChanged)]


def test_an_event_kept_over_an_unplugging_comes_once() -> None:
    line = linked()
    line.confirms = False
    line.press()
    line.unplug()
    line.run(2_000)
    line.plug()
    line.run(200)
    assert len(line.rolls()) == 1
    line.rolls()[0].confirm()
    line.confirms = True
    line.press()
    line.run(1_000)
    assert [roll.number for roll in line.rolls()] == [1, 2]


def test_a_roll_made_while_unplugged_arrives_with_its_age() -> None:
    line = linked()
    line.unplug()
    line.run(1_000)
    line.press()
    line.run(4_000)
    line.plug()
    line.run(300)
    (roll,) = line.rolls()
    assert roll.age == pytest.approx(4.0, abs=0.3)


def test_a_die_that_moves_to_another_port_goes_on_where_it_stopped() -> None:
    records = DieRecords()
    first = linked(records=records)
    first.press()
    first.unplug()
    second = Line(first.die, records)
    second.run(50)
    second.press()
    second.run(50)
    assert [roll.key for roll in first.rolls() + second.rolls()] == [("die:0000D1CE", 1, 1), ("die:0000D1CE", 1, 2)]


def test_two_dice_with_the_same_id_are_kept_apart() -> None:
    records = DieRecords()
    first, second = linked(records=records), linked(records=records)
    first.press()
    second.press()
    assert first.rolls()[0].source == "die:0000D1CE"
    assert second.rolls()[0].source == "die:0000D1CE@virtual"


def test_a_die_without_identity_is_named_by_its_port() -> None:
    line = linked(die=VirtualDie("00000000"))
    assert line.session.source == "die@virtual"


def test_events_taken_by_another_program_meanwhile_do_not_block_the_line() -> None:
    line = linked()
    line.press()
    line.unplug()
    other = Line(line.die)
    other.now_ms = line.now_ms
    other.run(50)
    for _ in range(3):
        other.press()
        other.run(20)
    line.plug()
    line.press()
    line.run(50)
    assert [roll.number for roll in line.rolls()] == [1, 5]


def test_a_stray_sequence_makes_the_host_ask_where_the_die_stands() -> None:
    line = linked()
    line.run(1_500)
    line.session._record.last_seq = 0x50  # type: ignore[union-attr]
    line.press()
    line.run(100)
    assert len(line.rolls()) == 1


def test_a_plain_button_and_faults_reach_the_table_in_words() -> None:
    line = linked()
    line.press("C")
    line.die.release("C", line.die_ms)
    line.die.health = "RCT"
    line.press("A")
    line.run(50)
    assert [event for event in line.events if isinstance(event, ButtonPressed)] == [ButtonPressed("die:0000D1CE", "C")]
    assert "refuses to roll" in str(line.events[-1])
    assert line.rolls() == []


def test_every_state_has_its_sentence() -> None:
    for state in SENTENCES:
        text = str(DeviceChanged("die:1", state, "detail", "port"))
        assert "{" not in text
        assert text.endswith((".", "detail"))


# --- commands


def test_wishes_are_repeated_until_the_die_has_them_and_again_after_a_reset() -> None:
    line = linked()
    line.to_die = dead
    line.session.wish(SetDue(0, 1))
    line.session.wish(SetLight(0, "TURN"))
    line.run(350)
    line.to_die = clean
    line.run(400)
    assert (line.die.due, line.die.light) == (1, "TURN")
    line.reset_die()
    line.run(200)
    assert (line.die.due, line.die.light) == (1, "TURN")


def test_a_roll_asked_by_the_host_is_made_once_though_every_answer_is_lost_for_a_while() -> None:
    line = linked()
    line.to_host = dead
    line.session.ask(AskRoll(0, 3, 20))
    line.run(450)
    line.to_host = clean
    line.run(400)
    (roll,) = line.rolls()
    assert (len(roll.faces), roll.sides, roll.cause) == (3, 20, "H")
    assert len(line.die.made) == 1


def test_a_roll_that_the_die_refuses_is_told() -> None:
    line = linked()
    line.die.health = "APT"
    line.session.ask(AskRoll(0, 1, 6))
    line.run(50)
    assert [event.detail for event in line.events if isinstance(event, DeviceChanged) and event.state == "refused"] == ["ENTROPY"]


def test_a_roll_asked_while_the_die_is_away_or_lost_in_a_reset_is_told_and_never_made_later() -> None:
    line = linked()
    line.to_die = dead
    line.session.ask(AskRoll(0, 1, 6))
    line.session.ask(AskRoll(0, 2, 6))
    line.run(5)
    line.to_die = clean
    line.reset_die()
    line.run(100)
    line.unplug()
    line.session.ask(AskRoll(0, 1, 6))
    line.plug()
    line.run(100)
    assert line.states().count("refused") == 3
    assert line.rolls() == []


def test_a_die_that_speaks_but_answers_nothing_for_ten_seconds_is_searched_for() -> None:
    line = linked()
    line.to_die = dead
    line.session.wish(SetDue(0, 1))
    line.run(9_500)
    assert line.session.state == "linked"
    line.run(1_600)
    assert line.session.state == "searching"


def test_a_roll_that_was_never_answered_is_told_and_not_asked_again() -> None:
    line = linked()
    line.to_die = dead
    line.session.ask(AskRoll(0, 1, 6))
    line.run(1_100)
    line.to_die = clean
    line.run(2_000)
    assert line.states()[-1] == "refused"
    assert line.die.made == []


def test_status_comes_as_health() -> None:
    line = linked()
    line.session.ask(AskStatus(0))
    line.run(20)
    (health,) = [event for event in line.events if isinstance(event, DeviceHealth)]
    assert health.status.health == "OK"
    assert health.status.uptime == pytest.approx(line.die_ms, abs=30)


@pytest.mark.parametrize("wrong", [SetDue(0, 3), SetDue(0, -1), SetLight(0, "RED"), SetLight(0, "$")])
def test_a_wrong_wish_is_refused_at_once(wrong: SetDue | SetLight) -> None:
    with pytest.raises(ValueError):
        Session().wish(wrong)
    with pytest.raises(ValueError):
        Session().ask(AskRoll(0, 9, 6))


def test_the_answer_to_an_older_command_is_not_taken_for_the_present_one() -> None:
    line = linked()
    line.session.wish(SetDue(0, 2))
    line.to_die = dead
    line.run(5)
    line.session.receive(encode(Ok(0xEE)), line.now_ms / 1000)
    line.to_die = clean
    line.run(200)
    assert line.die.due == 2


def test_the_heartbeat_keeps_the_host_known_to_the_die() -> None:
    line = linked()
    line.session.wish(SetLight(0, "TURN"))
    line.run(15_000)
    assert line.die.light == "TURN"
    line.to_die = dead
    line.run(12_000)
    assert (line.die.light, line.die.due) == ("SEARCH", 0)


# --- proof


def test_every_roll_with_a_nonce_is_proven_and_anyone_can_repeat_the_check() -> None:
    line = linked()
    for _ in range(20):
        line.press("B")
        line.run(20)
    assert [check.verdict for check in line.checks()] == ["proven"] * 20
    for roll, check in zip(line.rolls(), line.checks(), strict=True):
        assert roll.key == check.key
        assert proof.is_proven(check.commitment, check.secret, check.nonce, roll.sides, roll.faces)


def test_a_die_that_changes_a_face_is_found_out() -> None:
    line = linked()

    def cheat(data: bytes) -> bytes:
        for made in line.die.made:
            face = made.faces[0] % 6 + 1
            data = data.replace(encode(made), encode(Rolled(made.seq, *list(_values(made))[:-1], faces=(face,))))
        return data

    line.to_host = cheat
    line.press()
    line.run(50)
    assert [check.verdict for check in line.checks()] == ["failed"]


def _values(roll: Rolled) -> tuple[object, ...]:
    return roll.boot, roll.number, roll.at, roll.cause, roll.sides, roll.nonce_used, roll.faces


def test_a_die_that_swaps_its_secret_late_is_found_out() -> None:
    line = linked()
    line.die._secret = bytes(16)
    line.press()
    line.run(50)
    assert [check.verdict for check in line.checks()] == ["failed"]


def test_a_die_that_drops_the_nonce_it_took_is_found_out() -> None:
    line = linked()
    line.die._nonce = None
    line.press()
    line.run(50)
    assert not line.rolls()[0].nonce_used
    assert [check.verdict for check in line.checks()] == ["failed"]


def test_rolls_made_without_a_nonce_or_for_another_host_are_unwitnessed_never_failed() -> None:
    line = linked()
    line.to_die = dead
    for _ in range(3):
        line.press()
    line.to_die = clean
    line.run(300)
    assert [check.verdict for check in line.checks()] == ["proven"]  # only the first had a nonce
    line.unplug()
    line.press()
    stranger = Line(line.die)
    stranger.now_ms = line.now_ms
    stranger.run(300)
    assert [check.verdict for check in stranger.checks()] == ["unwitnessed"]


def test_a_die_without_entropy_is_asked_for_its_commitment_again_but_not_all_the_time() -> None:
    line = linked(die=VirtualDie())
    line.die.health = "START"
    line.press()
    line.run(100)
    line.session._record.witness.ask_again()  # type: ignore[union-attr]
    asked: list[bytes] = []

    def listen(data: bytes) -> bytes:
        asked.extend([data] * data.count(b",COMMIT*"))
        return data

    line.to_die = listen
    line.run(20_000)
    assert 3 <= len(asked) <= 6
    line.die.health = "OK"
    line.run(6_000)
    line.press()
    line.run(50)
    assert line.checks()[-1].verdict == "proven"


# --- rubbish


@given(st.lists(st.one_of(st.binary(max_size=40), messages(FROM_DIE).map(encode)), max_size=30))
def test_whatever_a_die_sends_the_session_does_not_fall(chunks: list[bytes]) -> None:
    line = linked()
    session = line.session
    for number, chunk in enumerate(chunks):
        session.receive(chunk, line.now_ms / 1000 + number / 10)
        for event in session.take_events():
            str(event)
            event.confirm()
    session.take_bytes()


@given(st.integers(0, 2**32), st.sampled_from([0.001, 0.01, 0.03]))
def test_noise_both_ways_gives_no_wrong_and_no_doubled_roll_and_loses_none(seed: int, rate: float) -> None:
    line = linked()
    line.to_die, line.to_host = Noise(rate, seed), Noise(rate, seed + 1)
    for _ in range(10):
        line.press()
        line.run(50)
    line.run_until(lambda: len(line.rolls()) >= len(line.die.made), 300_000)
    truth = [(made.number, made.faces) for made in line.die.made]
    assert [(roll.number, roll.faces) for roll in line.rolls()] == truth
    assert "failed" not in [check.verdict for check in line.checks()]


def test_an_unknown_version_and_a_heartbeat_are_no_events() -> None:
    assert OtherVersion(0, 3).TYPE == DieHello.TYPE
    session = met()
    session.receive(encode(DieHeartbeat(0, 5, 2000)) + encode(Revealed(9, 5, 1, bytes(16))), 1.0)
    assert session.take_events() == []
