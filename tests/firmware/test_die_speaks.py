"""The flashed binary, in the emulator, follows the protocol: meeting, commands, events, commit and reveal."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.dice import proof
from companion.dice.protocol import (
    Ack,
    AskCommitment,
    AskRoll,
    AskStatus,
    DieHeartbeat,
    DieHello,
    Err,
    Fault,
    GiveNonce,
    HostHeartbeat,
    Ok,
    Revealed,
    Rolled,
    SetDue,
    SetLight,
    encode,
    frame,
    parse_commitment,
)
from firmware.emulator.emulated_die import HZ, EmulatedDie
from tests.firmware.lockstep import LockstepHost

NewDie = Callable[..., EmulatedDie]
NewHost = Callable[..., LockstepHost]
NONCE = bytes(range(16))


# --- meeting


def test_a_die_announces_itself_once_and_then_beats_every_second(new_die: NewDie, tmp_path: Path) -> None:
    eeprom = tmp_path / "eeprom"
    first = LockstepHost(new_die(paused=True, eeprom=eeprom))
    first.hear(1500)
    assert first.hello is not None
    first.die.close()
    said = LockstepHost(new_die(paused=True, eeprom=eeprom)).hear(5_500)
    hello = DieHello(0, 1, "1.0.0", first.hello.device, 2, said[0].uptime, 0, 0)  # type: ignore[attr-defined]
    assert said[0] == hello
    assert said[0].uptime < 100  # type: ignore[attr-defined]
    beats = [message.uptime for message in said if isinstance(message, DieHeartbeat)]
    assert len(said) == 6
    assert all(abs(beat - 1000 * (place + 1)) < 25 for place, beat in enumerate(beats))


def test_until_it_has_heard_a_host_it_answers_every_command_with_err_hello(new_die: NewDie) -> None:
    host = LockstepHost(new_die(paused=True))
    host.hear(1200)
    commands = (SetDue(1, 1), SetLight(2, "TURN"), AskRoll(3, 1, 6), AskCommitment(4), AskStatus(5))
    for command in commands:
        assert Err(command.seq, "HELLO") in host.send(command, 10)
    assert host.send(HostHeartbeat(0), 10) == []
    assert host.link().heard == 1
    assert host.status().queued == 0


def test_another_version_is_greeted_but_not_linked(new_die: NewDie) -> None:
    host = LockstepHost(new_die(paused=True))
    host.hear(1200)
    for hello in ("00,HELLO,2", "00,HELLO,0", "00,HELLO,9,with,more,%20"):
        answers = host.hear(10, frame(hello))
        assert [type(answer) for answer in answers] == [DieHello]
        assert answers[0].heard == 0  # type: ignore[attr-defined]
    assert Err(7, "HELLO") in host.send(AskStatus(7), 10)


def test_a_hello_that_is_spelled_wrongly_is_not_answered(host: LockstepHost) -> None:
    for body in ("00,HELLO", "00,HELLO,", "00,HELLO,01", "00,HELLO,1,1", "00,ACK", "01,ACK,x", "00,HB,1"):
        assert host.hear(20, frame(body)) == []


def test_an_id_is_drawn_once_and_kept(new_die: NewDie, tmp_path: Path) -> None:
    ids = []
    for _ in range(3):
        host = LockstepHost(new_die(paused=True, eeprom=tmp_path / "eeprom", seed=5 + len(ids)))
        ids.append(host.link().device)
        host.die.close()
    assert ids[0] != "00000000"
    assert len(set(ids)) == 1


def test_two_dice_draw_different_ids(new_die: NewDie) -> None:
    ids = {LockstepHost(new_die(paused=True, seed=seed)).link().device for seed in range(8)}
    assert len(ids) == 8


def test_a_die_without_noise_still_meets_the_host_but_has_no_id(new_die: NewDie) -> None:
    die = new_die(paused=True)
    die.constant(0)
    host = LockstepHost(die)
    assert host.link().device == "00000000"
    die.noise()
    host.hear(3000)
    assert host.link().device == "00000000"  # a name never changes in a boot
    die.reset()
    host.hear(200)
    assert host.link().device != "00000000"


# --- commands


def test_what_it_does_not_know_and_what_is_spelled_wrongly_is_answered_and_changes_nothing(host: LockstepHost) -> None:
    assert host.hear(20, frame("05,DANCE")) == [Err(5, "UNKNOWN")]
    for number, body in enumerate(("ROLL", "ROLL,0,6", "ROLL,6,6", "ROLL,1,1", "ROLL,1,101", "DUE,3", "LED,RED",
                                   "NONCE,1,00", "STAT,1", "COMMIT,1", "DUE", "LED"), 0x20):
        assert host.hear(20, frame(f"{number:02X},{body}")) == [Err(number, "ARG")]
    assert host.rolls == []
    assert host.status().format_errors == 0


def test_what_is_no_body_is_counted_and_not_answered(host: LockstepHost) -> None:
    for body in ("", "1,STAT", "0g,STAT", "01STAT", "01,stat", "01,", "01,STATSTATS", "01,STAT "):
        assert host.hear(20, frame(body)) == []
    assert host.status().format_errors == 8


def test_a_roll_that_is_asked_for_comes_after_its_ok(host: LockstepHost) -> None:
    for count in range(1, 6):
        heard = host.hear(30, encode(AskRoll(0x30 + count, count, 20)), 2)
        assert isinstance(heard[0], Ok)
        assert isinstance(heard[1], Rolled)
        assert (heard[1].cause, heard[1].sides, len(heard[1].faces)) == ("H", 20, count)
    assert [roll.number for roll in host.rolls] == [1, 2, 3, 4, 5]


def test_a_command_that_comes_twice_rolls_once_and_a_new_hello_makes_it_new(host: LockstepHost) -> None:
    command = AskRoll(0x5A, 1, 6)
    for _ in range(5):
        assert host.ask_again(command) == Ok(0x5A)
    assert len(host.rolls) == 1
    host.link()
    host.ask_again(command)
    assert len(host.rolls) == 2


def test_other_commands_may_run_twice(host: LockstepHost) -> None:
    for _ in range(3):
        assert host.ask_again(SetDue(9, 2)) == Ok(9)
        assert host.ask_again(AskStatus(10)).seq == 10


# --- events


def test_an_event_is_repeated_until_it_is_acknowledged(host: LockstepHost) -> None:
    host.acknowledges = False
    host.die.frames()
    host.press("A")
    host.hear(2400)
    times = [sent.start * 1000 / HZ for sent in host.die.frames() if ",ROLL," in sent.text]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert all(28 <= gap <= 36 for gap in gaps[:20])
    assert all(248 <= gap <= 258 for gap in gaps[20:])
    assert len(gaps) > 24
    roll = host.rolls[0]
    host.send(Ack(roll.seq, roll.boot), 300)
    host.die.frames()
    host.hear(600)
    assert not [sent for sent in host.die.frames() if ",ROLL," in sent.text]


def test_only_the_right_acknowledgement_counts(host: LockstepHost) -> None:
    host.acknowledges = False
    host.press("A")
    roll = host.rolls[0]
    for wrong in (Ack(roll.seq + 1, roll.boot), Ack(roll.seq, roll.boot + 1), Ack(255, roll.boot)):
        host.send(wrong)
        assert host.status().queued == 1
    host.send(Ack(roll.seq, roll.boot))
    assert host.status().queued == 0


def test_eight_rolls_wait_and_the_ninth_press_is_ignored_and_shown(host: LockstepHost) -> None:
    host.acknowledges = False
    for _ in range(8):
        host.press("A")
    assert host.status().queued == 8
    host.die.tap("A")
    host.hear(100)
    seen = set()
    for _ in range(8):
        host.hear(32)
        seen.add(frozenset(host.die.lit() & {"TURN", "THINK", "SEARCH"}))
    assert frozenset({"TURN", "THINK", "SEARCH"}) in seen
    assert isinstance(host.ask(AskRoll(0, 1, 6)), Err)
    host.acknowledges = True
    host.hear(400)
    assert [roll.number for roll in host.rolls] == list(range(1, 9))
    host.press("A")
    assert host.rolls[-1].number == 9
    assert host.status().rolled_alone == 0


def test_a_roll_that_needs_a_reveal_needs_room_for_two(host: LockstepHost) -> None:
    host.acknowledges = False
    for _ in range(7):
        host.press("A")
    number, _ = parse_commitment(host.do(AskCommitment(0)))
    host.do(GiveNonce(0, number, NONCE))
    assert host.ask(AskRoll(0, 1, 6)).reason == "BUSY"  # type: ignore[union-attr]
    assert host.status().queued == 7


def test_without_a_host_it_rolls_for_itself_and_says_later_how_often(new_die: NewDie) -> None:
    die = new_die(paused=True)
    host = LockstepHost(die)
    host.hear(1500)
    shown = set()
    for _ in range(12):
        die.tap("B")
        host.hear(800)
        shown.add(die.faces())
    assert all(1 <= face <= 6 for faces in shown for face in faces)
    assert len(shown) > 3
    host.link()
    assert host.status().rolled_alone == 12
    host.press("A")
    assert host.rolls[0].number == 13
    assert host.rolls[0].seq == 0


def test_a_host_that_falls_silent_leaves_the_die_to_the_players_and_gets_what_fits(host: LockstepHost) -> None:
    host.do(SetDue(0, 2))
    host.do(SetLight(0, "TURN"))
    host.acknowledges = False
    host.hear(9_000)
    assert host.die.lit() & {"TURN", "THINK", "SEARCH"} == {"TURN"}
    host.hear(1_500)
    lit = set()
    for _ in range(10):
        host.hear(150)
        lit |= host.die.lit()
    assert "SEARCH" in lit
    assert "TURN" not in lit
    for _ in range(10):
        host.press("A")
    assert all(len(roll.faces) == 1 for roll in host.rolls)
    host.acknowledges = True
    host.link()
    host.hear(1500)
    assert [roll.number for roll in host.rolls] == list(range(1, 9))
    assert host.status().rolled_alone == 2
    host.do(SetDue(0, 2))
    host.press("A")
    assert (host.rolls[-1].number, len(host.rolls[-1].faces)) == (11, 2)


# --- commit and reveal


@pytest.mark.parametrize("cause", ["A", "B", "H"])
def test_a_roll_with_a_nonce_is_revealed_and_proven(host: LockstepHost, cause: str) -> None:
    number, commitment = parse_commitment(host.do(AskCommitment(0)))
    assert number == 1
    host.do(GiveNonce(0, number, NONCE))
    if cause == "H":
        host.do(AskRoll(0, 5, 100))
    else:
        host.press(cause)
    host.hear(100)
    roll, reveal = host.events
    assert isinstance(roll, Rolled)
    assert isinstance(reveal, Revealed)
    assert roll.nonce_used
    assert (roll.number, reveal.number) == (1, 1)
    assert proof.is_proven(commitment, reveal.secret, NONCE, roll.sides, roll.faces)
    assert not proof.is_proven(commitment, reveal.secret, bytes(16), roll.sides, roll.faces)


def test_the_commitment_stays_until_the_roll_and_is_new_after_it(host: LockstepHost) -> None:
    first = host.do(AskCommitment(0))
    assert host.do(AskCommitment(0)) == first
    host.press("A")
    second = host.do(AskCommitment(0))
    assert second[0] == "2"
    assert second[1] != first[1]


def test_the_last_nonce_counts_and_a_late_one_is_refused(host: LockstepHost) -> None:
    number, commitment = parse_commitment(host.do(AskCommitment(0)))
    host.do(GiveNonce(0, number, NONCE))
    host.do(GiveNonce(0, number, NONCE[::-1]))
    for wrong in (0, 2, 2**32 - 1):
        assert host.ask(GiveNonce(0, wrong, NONCE)).reason == "LATE"  # type: ignore[union-attr]
    host.press("A")
    host.hear(100)
    roll, reveal = host.events
    assert isinstance(roll, Rolled)
    assert isinstance(reveal, Revealed)
    assert proof.is_proven(commitment, reveal.secret, NONCE[::-1], roll.sides, roll.faces)
    assert host.ask(GiveNonce(0, number, NONCE)).reason == "LATE"  # type: ignore[union-attr]


def test_without_a_nonce_nothing_is_revealed(host: LockstepHost) -> None:
    host.press("A")
    host.hear(200)
    assert len(host.events) == 1
    assert not host.rolls[0].nonce_used


def test_many_secrets_are_all_different(host: LockstepHost) -> None:
    seen = set()
    for number in range(1, 251):
        seen.add(host.do(AskCommitment(0)))
        host.do(AskRoll(0, 1, 6))
        host.hear(2)
        assert host.rolls[-1].number == number
    assert len({commitment for _, commitment in seen}) == 250


# --- the noise source


@pytest.mark.parametrize("millivolts", [0, 1234, 5000])
def test_dead_adc_is_told_and_no_roll_is_made(host: LockstepHost, millivolts: int) -> None:
    host.die.constant(millivolts)
    host.hear(1000)
    faults = [event for event in host.events if isinstance(event, Fault)]
    assert [(fault.code, fault.detail) for fault in faults] == [("ENTROPY", "RCT")]
    before = host.die.faces()
    host.press("A")
    assert host.rolls == []
    assert host.die.faces() == before
    assert isinstance(host.events[-1], Fault)
    assert host.ask(AskRoll(0, 1, 6)).reason == "ENTROPY"  # type: ignore[union-attr]
    assert host.ask(AskCommitment(0)).reason == "ENTROPY"  # type: ignore[union-attr]
    assert host.status().health in ("RCT", "APT")
    host.die.noise()
    host.wait_until_healthy()
    host.press("A")
    assert len(host.rolls) == 1


def test_a_failure_that_still_stands_is_told_to_a_host_that_comes_later(new_die: NewDie) -> None:
    die = new_die(paused=True)
    die.constant(2500)
    host = LockstepHost(die)
    host.link()
    host.hear(200)
    assert [(event.code, event.detail) for event in host.events if isinstance(event, Fault)] in (
        [("ENTROPY", "RCT")], [("ENTROPY", "APT")])


def test_two_dead_seconds_are_told_once_and_not_again_and_again(host: LockstepHost) -> None:
    host.die.constant(2500)
    host.hear(5000)
    assert len([event for event in host.events if isinstance(event, Fault)]) == 1


# --- the stack


def test_the_stack_never_came_near_the_variables(host: LockstepHost) -> None:
    host.do(AskCommitment(0))
    host.do(GiveNonce(0, 1, NONCE))
    host.press("B")
    host.hear(100)
    for junk in ("x" * 80, "01," + "A" * 8, "FF,NONCE,4294967295," + "F" * 32):
        host.hear(20, frame(junk))
    assert 300 < host.status().stack_free < 2048 - 1000
