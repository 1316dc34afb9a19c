"""The die's side of the line, sections 3 to 7 of firmware/PROTOCOL.md, as the virtual die shows it."""

from __future__ import annotations

from companion.dice.protocol import (
    Ack,
    AskCommitment,
    AskRoll,
    DieHello,
    Err,
    Framer,
    GiveNonce,
    HostHello,
    Message,
    Ok,
    Rolled,
    SetDue,
    decode_from_die,
    encode,
    frame,
)
from companion.dice.virtual_die import QUEUE, VirtualDie


def said(die: VirtualDie) -> list[Message]:
    return [decode_from_die(body) for body in Framer().feed(die.output())]


def asked(die: VirtualDie, *messages: Message, now: int = 10) -> list[Message]:
    die.receive(b"".join(map(encode, messages)), now)
    return said(die)


def greeted() -> VirtualDie:
    die = VirtualDie()
    asked(die, HostHello(0, 1))
    return die


def test_it_says_hello_at_boot_and_answers_hello() -> None:
    die = VirtualDie("ABCDEF01", 7)
    (boot_hello,) = said(die)
    assert boot_hello == DieHello(0, 1, "virtual", "ABCDEF01", 7, 0, 0, 0)
    (answer,) = asked(die, HostHello(0, 1))
    assert isinstance(answer, DieHello)
    assert answer.heard == 1


def test_another_version_gets_a_hello_but_no_link() -> None:
    die = VirtualDie()
    said(die)
    die.receive(frame("00,HELLO,2,what,ever"), 5)
    (answer,) = said(die)
    assert isinstance(answer, DieHello)
    assert answer.heard == 0
    assert asked(die, SetDue(1, 2)) == [Err(1, "HELLO")]


def test_nonsense_is_answered_as_the_specification_says() -> None:
    die = greeted()
    for body, answer in {
        "garbage": None,
        "05,NOPE": Err(5, "UNKNOWN"),
        "06,DUE,7": Err(6, "ARG"),
        "07,ACK,x": None,
        "00,HB,1": None,
        "00,HELLO,1,1": None,
    }.items():
        die.receive(frame(body), 10)
        assert said(die) == ([answer] if answer else []), body


def test_a_repeated_roll_command_is_answered_but_rolled_once() -> None:
    die = greeted()
    answers = asked(die, AskRoll(9, 1, 6), AskRoll(9, 1, 6), AskRoll(9, 1, 6))
    assert [answer for answer in answers if isinstance(answer, Ok)] == [Ok(9)] * 3
    assert len(die.made) == 1
    asked(die, HostHello(0, 1), AskRoll(9, 1, 6))
    assert len(die.made) == 2


def test_an_event_is_resent_every_30_ms_then_every_250_until_its_own_acknowledgement() -> None:
    die = greeted()
    die.press("A", 1000)
    sent = [now for now in range(1000, 3000) if any(isinstance(m, Rolled) for m in _tick(die, now))]
    assert sent[:3] == [1000, 1030, 1060]
    assert sent[-1] - sent[-2] == 250
    asked(die, Ack(0, die.boot + 1), Ack(1, die.boot), now=3000)
    assert die._queue
    asked(die, Ack(0, die.boot), now=3000)
    assert not die._queue


def _tick(die: VirtualDie, now: int) -> list[Message]:
    die.tick(now)
    return said(die)


def test_a_press_without_room_makes_no_roll_while_the_host_is_there() -> None:
    die = greeted()
    rolls = [die.press("A", 20) for _ in range(QUEUE + 3)]
    assert [roll is not None for roll in rolls] == [True] * QUEUE + [False] * 3
    assert asked(die, AskRoll(3, 1, 6), now=30)[-1:] == [Err(3, "BUSY")]


def test_alone_it_rolls_all_the_same_and_the_numbers_show_the_gap() -> None:
    die = VirtualDie()
    assert all(die.press("B", ms) for ms in range(100))
    assert (die.rolled_alone, len(die._queue)) == (100, 0)
    asked(die, HostHello(0, 1), now=200)
    for ms in range(20_000, 20_020):  # the host was heard, and is gone
        die.tick(ms)
        assert die.press("A", ms)
    assert (len(die._queue), die.rolled_alone) == (QUEUE, 112)
    assert [event.number for event in die._queue if isinstance(event, Rolled)] == list(range(101, 101 + QUEUE))


def test_a_nonce_for_another_roll_is_late_and_a_second_one_replaces_the_first() -> None:
    die = greeted()
    (answer,) = asked(die, AskCommitment(1))
    assert isinstance(answer, Ok)
    assert answer.args[0] == "1"
    assert asked(die, GiveNonce(2, 2, bytes(16))) == [Err(2, "LATE")]
    assert asked(die, GiveNonce(3, 1, bytes(16)), GiveNonce(4, 1, b"\1" * 16)) == [Ok(3), Ok(4)]
    assert die._nonce == b"\1" * 16


def test_without_entropy_it_refuses_by_every_way() -> None:
    die = greeted()
    die.health = "RCT"
    assert die.press("A", 20) is None
    asked(die)
    assert asked(die, AskRoll(1, 1, 6), AskCommitment(2)) == [Err(1, "ENTROPY"), Err(2, "ENTROPY")]


def test_buttons_roll_one_and_two_or_what_is_due() -> None:
    die = greeted()
    counts = []
    for due in (0, 1, 2):
        asked(die, SetDue(due + 1, due))
        for button in "AB":
            roll = die.press(button, 20)
            assert roll
            counts.append(len(roll.faces))
    assert counts == [1, 2, 1, 1, 2, 2]
