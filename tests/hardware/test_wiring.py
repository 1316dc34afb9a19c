"""The pin table, the firmware, the settings, the drawings, the parts list and the pages all say the same."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.config import SETTINGS
from companion.doctor import TROUBLESHOOTING
from firmware.emulator.emulated_die import pins as firmware_pins
from hardware import draw_wiring
from hardware.draw_wiring import DIE_STEPS, NANO_LEFT, NANO_RIGHT, PI_STEPS, Pin, drawings, read_pins

ROOT = Path(__file__).resolve().parents[2]
HARDWARE = ROOT / "hardware"
# BCM number to place on the forty-pin header, as printed on every Raspberry Pi since the B+.
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}
# Chip pin to the number printed on Uno and Nano.
BOARD = {f"D{n}": f"D{n}" for n in range(8)} | {f"B{n}": f"D{n + 8}" for n in range(6)} | {f"C{n}": f"A{n}" for n in range(6)}


def parts() -> list[dict[str, str]]:
    with (HARDWARE / "bom.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def quantity(name: str, where: str) -> int:
    return sum(int(row["quantity"]) for row in parts() if row["name"].startswith(name) and where in row["where used"])


def test_the_pin_table_is_the_firmwares_own() -> None:
    assert {pin.name: pin.pin for pin in read_pins("die")} == dict(firmware_pins())


def test_every_pin_of_the_die_has_the_label_that_is_printed_on_the_board() -> None:
    for pin in read_pins("die"):
        assert pin.label == BOARD[pin.pin]
        assert pin.label in NANO_LEFT + NANO_RIGHT


@pytest.mark.parametrize("device", ["die", "pi"])
def test_no_pin_is_used_twice(device: str) -> None:
    assert max(Counter(pin.pin for pin in read_pins(device)).values()) == 1


def test_the_serial_line_is_left_free() -> None:
    assert not {"D0", "D1"} & {pin.pin for pin in read_pins("die")}


def test_the_pi_is_wired_as_the_settings_expect() -> None:
    expected = {setting.name: setting.default for setting in SETTINGS if setting.section == "gpio"}
    wired = {pin.name: int(pin.pin.removeprefix("GPIO")) for pin in read_pins("pi") if pin.part != "amplifier"}
    assert wired == {name: expected[name] for name in wired}
    assert set(wired) == {name for name, value in expected.items() if type(value) is int and name != "debounce_ms"}


def test_every_pin_of_the_pi_has_its_place_on_the_header() -> None:
    for pin in read_pins("pi"):
        assert int(pin.label) == HEADER[int(pin.pin.removeprefix("GPIO"))]


def test_the_comments_of_the_firmware_name_the_same_board_pins() -> None:
    text = (ROOT / "firmware" / "pins.h").read_text()
    told = dict(re.findall(r"#define PIN_(\w+)\s+\w, \d\s+/\* board (\w+)", text))
    assert told == {pin.name: pin.label for pin in read_pins("die")}


# --- drawings


def test_the_drawings_are_what_the_pin_table_gives() -> None:
    for path, svg in drawings().items():
        assert (HARDWARE / path).read_text(encoding="utf-8") == svg, f"{path} is old: python hardware/draw_wiring.py"


def test_every_drawing_is_an_svg_that_names_every_part_it_shows() -> None:
    for path, svg in drawings().items():
        tree = ElementTree.fromstring(svg)
        words = " ".join(element.text or "" for element in tree.iter() if element.tag.endswith("text"))
        device = "die" if "die" in path else "pi"
        shown = [pin for pin in read_pins(device) if is_shown(pin, path)]
        assert svg.count("<polygon") == sum(pin.leds for pin in shown), path
        assert all(pin.label in words for pin in shown), path


def is_shown(pin: Pin, path: str) -> bool:
    step = re.search(r"-(\d)\.svg", path)
    return step is None or pin.step <= int(step[1])


def test_a_changed_pin_would_change_a_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = draw_wiring.draw_die()
    swapped = [
        Pin(**{**vars(pin), "label": {"D4": "D5", "D5": "D4"}.get(pin.label, pin.label)}) for pin in read_pins("die")
    ]
    monkeypatch.setattr("hardware.draw_wiring.read_pins", lambda device: swapped)
    assert draw_wiring.draw_die() != before


# --- parts list


def test_there_are_as_many_leds_and_resistors_as_the_wiring_needs() -> None:
    pins = read_pins("die")
    faces = sum(pin.leds for pin in pins if pin.name.startswith(("ONE", "TWO")))
    states = sum(pin.leds for pin in pins if pin.name in ("TURN", "THINK", "SEARCH"))
    assert quantity("LED", "die: faces") == faces == 14
    assert quantity("LED", "die") == faces + states
    assert quantity("Resistor 680", "die") == faces + states
    assert quantity("Resistor 1 MΩ", "die") == 2
    assert quantity("Push button", "die") == sum(pin.part == "button" for pin in pins)
    assert quantity("Push button", "Pi") == sum(pin.part == "button" for pin in read_pins("pi"))


def test_the_parts_list_has_the_columns_that_it_promises() -> None:
    for row in parts():
        assert list(row) == ["name", "quantity", "where used", "optional", "note"]
        assert row["optional"] in ("yes", "no")
        assert int(row["quantity"]) > 0


# --- pages


def test_assembly_has_a_picture_for_every_step() -> None:
    text = (HARDWARE / "ASSEMBLY.md").read_text()
    assert re.findall(r"\]\(assembly/die-(\d)\.svg\)", text) == [str(step) for step in range(1, DIE_STEPS + 1)]
    assert re.findall(r"\]\(assembly/pi-(\d)\.svg\)", text) == [str(step) for step in range(1, PI_STEPS + 1)]


def test_every_file_that_a_page_names_exists() -> None:
    for page in HARDWARE.glob("*.md"):
        for name in re.findall(r"`((?:wiring/|assembly/)?[\w-]+\.(?:md|csv|svg|py))`|\]\(([^)]+)\)", page.read_text()):
            path = name[0] or name[1]
            places = (HARDWARE / path, ROOT / "companion" / "dice" / path, ROOT / "firmware" / path)
            assert any(place.exists() for place in places), f"{page.name}: {path}"


@pytest.mark.parametrize(
    "trouble",
    ["Swapped wires", "No common ground", "clone without a serial driver", "Permission denied", "It is another board"],
)
def test_every_bad_state_that_a_builder_will_meet_has_an_entry(trouble: str) -> None:
    assert trouble in (ROOT / TROUBLESHOOTING).read_text()


def test_the_decisions_say_why_not() -> None:
    headings = [line for line in (HARDWARE / "DECISIONS.md").read_text().splitlines() if line.startswith("## ")]
    assert all(line.startswith("## Why") for line in headings)
    assert sum("not" in line for line in headings) >= 5
