"""Buttons, LEDs and resets of the flashed binary in the emulator."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.dice.protocol import (
    AskRoll,
    AskStatus,
    Button,
    DieEvent,
    DieHello,
    Fault,
    Framer,
    HostHello,
    SetDue,
    SetLight,
    Status,
    encode,
)
from firmware.emulator.emulated_die import BAUD, HZ, EmulatedDie
from tests.firmware.lockstep import LockstepHost

NewDie = Callable[..., EmulatedDie]
NewHost = Callable[..., LockstepHost]
STATE_LIGHTS = {"TURN", "THINK", "SEARCH"}


def faults(events: list[DieEvent]) -> list[tuple[str, str]]:
    return [(event.code, event.detail) for event in events if isinstance(event, Fault)]


# --- buttons


def test_button_a_rolls_one_die_and_button_b_two(host: LockstepHost) -> None:
    host.press("A")
    host.press("B")
    assert [(roll.cause, len(roll.faces), roll.sides) for roll in host.rolls] == [("A", 1, 6), ("B", 2, 6)]


@pytest.mark.parametrize("due", [1, 2])
def test_both_buttons_roll_what_is_due(host: LockstepHost, due: int) -> None:
    host.do(SetDue(0, due))
    host.press("A")
    host.press("B")
    assert [len(roll.faces) for roll in host.rolls] == [due, due]
    host.do(SetDue(0, 0))
    host.press("A")
    host.press("B")
    assert [len(roll.faces) for roll in host.rolls[2:]] == [1, 2]


def test_bounce_gives_one_roll_for_each_press(host: LockstepHost) -> None:
    rng = random.Random(5)
    for number in range(1, 41):
        host.die.bounce("A", True, rng.randrange(1, 40), rng.uniform(100, 4500))
        host.hear(40)
        host.die.bounce("A", False, rng.randrange(1, 40), rng.uniform(100, 4500))
        host.hear(40)
        assert [roll.number for roll in host.rolls] == list(range(1, number + 1))
    assert len(host.events) == 40


def test_a_glitch_shorter_than_the_debounce_is_never_a_press(host: LockstepHost) -> None:
    rng = random.Random(6)
    for _ in range(150):
        host.die.glitch(rng.choice("ABC"), rng.uniform(1, 4990))
        host.hear(rng.uniform(6, 14))
    assert host.events == []


def test_whatever_is_longer_than_six_milliseconds_is_a_press(host: LockstepHost) -> None:
    rng = random.Random(7)
    for number in range(1, 60):
        host.die.glitch("A", rng.uniform(6001, 9000))
        host.hear(rng.uniform(20, 30))
        assert len(host.rolls) == number


def test_two_buttons_at_once_are_two_rolls(host: LockstepHost) -> None:
    for _ in range(10):
        host.die.press("A")
        host.die.press("B")
        host.hear(50)
        host.die.release("A")
        host.die.release("B")
        host.hear(50)
    assert [roll.cause for roll in host.rolls] == ["A", "B"] * 10
    assert [roll.number for roll in host.rolls] == list(range(1, 21))


def test_the_spare_button_is_told_down_and_up(host: LockstepHost) -> None:
    host.press("C")
    assert [(event.button, event.edge) for event in host.events if isinstance(event, Button)] == [("C", "D"), ("C", "U")]
    assert host.rolls == []


@pytest.mark.parametrize("button", ["A", "B", "C"])
def test_a_stuck_button_is_told_after_ten_seconds_and_told_when_it_is_free(host: LockstepHost, button: str) -> None:
    host.die.press(button)
    for _ in range(9):
        host.send(HostHello(0, 1), 1090)
    assert faults(host.events) == []
    host.hear(500)
    assert faults(host.events) == [("STUCK", button)]
    host.hear(20_000)
    assert len(faults(host.events)) == 1
    host.die.release(button)
    host.hear(100)
    assert faults(host.events) == [("STUCK", button), ("FREED", button)]
    assert len(host.rolls) == (0 if button == "C" else 1)


def test_a_button_held_while_switching_on_does_not_roll_and_is_told_as_stuck(new_die: NewDie) -> None:
    host = LockstepHost(new_die(paused=True, held="A"))
    host.hear(11_000)
    host.link()
    host.hear(100)
    assert faults(host.events) == [("STUCK", "A")]
    assert host.rolls == []
    assert host.status().rolled_alone == 0


# --- lights


def test_the_faces_show_what_was_rolled_after_the_animation(host: LockstepHost) -> None:
    for _ in range(20):
        host.press("B")
        host.hear(700)
        assert host.die.faces() == host.rolls[-1].faces
    host.press("A")
    host.hear(700)
    assert host.die.faces() == (host.rolls[-1].faces[0], 0)


def test_the_animation_does_not_delay_the_event(host: LockstepHost) -> None:
    host.die.frames()
    edge = host.die.press("B")
    host.hear(20)
    (roll,) = [sent for sent in host.die.frames() if ",ROLL," in sent.text]
    assert (roll.end - edge) / HZ < 0.010
    shown = set()
    for _ in range(12):
        shown.add(host.die.faces())
        host.hear(50)
    assert len(shown) > 4  # it is still tumbling long after the roll is told
    host.hear(200)
    assert host.die.faces() == host.rolls[0].faces


def test_what_does_not_fit_a_face_lights_all_seven_leds(host: LockstepHost) -> None:
    while not host.rolls or min(host.rolls[-1].faces) <= 6:
        host.do(AskRoll(0, 2, 100))
        host.hear(700)
    assert host.die.faces() == (7, 7)


@pytest.mark.parametrize(
    ("state", "expected"), [("OFF", set()), ("TURN", {"TURN"}), ("THINK", {"THINK"}), ("SEARCH", {"SEARCH"})]
)
def test_the_state_light_shows_what_the_host_wants(host: LockstepHost, state: str, expected: set[str]) -> None:
    host.do(SetLight(0, state))
    seen: set[str] = set()
    for _ in range(12):
        host.hear(100)
        seen |= host.die.lit() & STATE_LIGHTS
    assert seen == expected


def test_the_led_on_the_board_blinks_while_the_firmware_runs(host: LockstepHost) -> None:
    seen = []
    for _ in range(30):
        host.hear(100)
        seen.append("ALIVE" in host.die.lit())
    assert True in seen
    assert False in seen


# --- resets


@pytest.mark.parametrize(("cause", "bit"), [("power", 1), ("external", 2), ("brownout", 4), ("watchdog", 8)])
def test_a_reset_is_a_new_boot_and_its_cause_is_told(host: LockstepHost, cause: str, bit: int) -> None:
    boot = host.link().boot
    host.die.reset(cause)
    host.hear(100)
    assert host.link().boot == boot + 1
    assert host.status().reset_cause == bit


def test_the_watchdog_ends_an_endless_loop(host: LockstepHost) -> None:
    boot = host.link().boot
    host.die.hang()
    heard = host.hear(500)
    assert [message.boot for message in heard if isinstance(message, DieHello)] == [boot + 1]
    host.link()
    assert host.status().reset_cause == 8
    host.wait_until_healthy()
    host.press("A")
    assert host.rolls[-1].boot == boot + 1


def test_a_reset_at_any_moment_of_starting_never_brings_a_boot_number_back(new_die: NewDie, tmp_path: Path) -> None:
    host = LockstepHost(new_die(paused=True, eeprom=tmp_path / "eeprom"))
    host.link()
    rng = random.Random(8)
    boots = [host.link().boot]
    for _ in range(300):
        host.die.reset(rng.choice(("power", "brownout", "external")))
        heard = host.hear(rng.uniform(0.05, 8))
        boots += [message.boot for message in heard if isinstance(message, DieHello)]
    assert len(boots) > 50
    assert boots == sorted(set(boots))


def test_what_waited_is_gone_after_a_reset_and_the_host_sees_why(host: LockstepHost) -> None:
    host.acknowledges = False
    for _ in range(3):
        host.press("A")
    boot = host.link().boot
    host.die.reset("brownout")
    host.hear(100)
    hello = host.link()
    assert (hello.boot, hello.next_seq) == (boot + 1, 0)
    assert host.status().queued == 0


# --- the other build


def test_the_115200_build_speaks_too(firmware: None, tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2] / "firmware"
    subprocess.run(["make", "-s", "-C", str(root), "BAUD=115200", f"BUILD={tmp_path}", f"{tmp_path}/die.elf"], check=True)
    with EmulatedDie(paused=True, elf=tmp_path / "die.elf", baud=115200) as die:
        host = LockstepHost(die)
        assert host.link().version == 1
        assert abs(die.tell("now")["baud"] / 115_200 - 1) < 0.025


# --- the receiver


def test_bytes_lost_in_the_receiver_are_counted_and_the_command_comes_again(host: LockstepHost) -> None:
    host.die.overrun(3)
    assert isinstance(Status.parse(host.ask(AskStatus(0)).args), Status)  # type: ignore[union-attr]
    assert host.status().overruns >= 1


def test_a_host_that_floods_the_receiver_loses_bytes_and_harms_nothing(host: LockstepHost) -> None:
    flood = b"".join(encode(AskStatus(1 + number % 255)) for number in range(400))
    answers = [message for message in host.hear(3000, flood) if message.TYPE == "OK"]
    assert 0 < len(answers) < 400  # an answer takes longer than a question: what finds no room is lost, and counted
    assert host.status().overruns > 0
    host.press("A")
    assert len(host.rolls) == 1
    assert host.status().reset_cause == 1  # the watchdog had no reason to bite


@pytest.mark.parametrize("baud", [9_600, 57_600, 115_200, 500_000])
def test_a_host_at_the_wrong_baud_is_not_understood_and_the_die_goes_on(new_die: NewDie, baud: int) -> None:
    die = new_die(paused=True, baud=baud)
    heard = Framer().feed(die.exchange(b"", 2500, 0) + die.exchange(encode(HostHello(0, 1)) * 5, 500, 0))
    assert heard == []
    for _ in range(3):
        die.tap("A")
        die.run(800)
    assert 1 <= die.faces()[0] <= 6
    die.tell(f"baud {BAUD}")
    host = LockstepHost(die)
    host.link()
    status = host.status()
    assert status.rolled_alone == 3
    assert status.framing_errors + status.format_errors + status.crc_errors > 0 or baud > BAUD
