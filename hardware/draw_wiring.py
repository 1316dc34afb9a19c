"""Draws the wiring from pins.csv: python hardware/draw_wiring.py

`wiring/die.svg` and `wiring/pi.svg` are the whole; `assembly/die-N.svg` and `assembly/pi-N.svg` are the steps: what is new is in
colour, what is there already is grey. Nothing is drawn by hand, so a drawing cannot differ from the pin table, and a test
compares the pin table with the firmware and with the companion's settings.
"""

from __future__ import annotations

import csv
import html
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
NANO_LEFT = ("D13", "3V3", "REF", "A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "5V", "RST", "GND", "VIN")
NANO_RIGHT = ("D12", "D11", "D10", "D9", "D8", "D7", "D6", "D5", "D4", "D3", "D2", "GND", "RST", "RX0", "TX1")
LINE_COLOURS = {"CENTRE": "#c62828", "FALLING": "#1565c0", "RISING": "#2e7d32", "MIDDLE": "#ef6c00"}
STATE_COLOURS = {"TURN": "#2e7d32", "THINK": "#f9a825", "SEARCH": "#1565c0", "light": "#2e7d32"}
GROUND, PLUS, BUTTON, GREY, INK = "#212121", "#ad1457", "#6a1b9a", "#bdbdbd", "#212121"
PIP_PLACES = {
    "CENTRE": ((1, 1),), "FALLING": ((0, 0), (2, 2)), "RISING": ((0, 2), (2, 0)), "MIDDLE": ((0, 1), (2, 1)),
}
DIE_STEPS, PI_STEPS = 7, 3
PITCH = 40


@dataclass(frozen=True)
class Pin:
    device: str
    name: str
    pin: str
    label: str
    part: str
    leds: int
    step: int
    note: str


def read_pins(device: str) -> list[Pin]:
    with (HERE / "pins.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["device"] == device]
    return [Pin(**{**row, "leds": int(row["leds"]), "step": int(row["step"])}) for row in rows]  # type: ignore[arg-type]


@dataclass
class Sheet:
    """An SVG that is being written. `step` is the one to show in colour; None shows everything."""

    width: int
    height: int
    title: str
    step: int | None = None
    parts: list[str] = field(default_factory=list)

    def shows(self, step: int) -> bool:
        return self.step is None or step <= self.step

    def colour(self, step: int, colour: str) -> str:
        return colour if self.step is None or step == self.step else GREY

    def line(self, points: list[tuple[float, float]], colour: str, width: float = 2.5) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linejoin="round"/>')

    def box(self, x: float, y: float, width: float, height: float, fill: str, stroke: str = INK, radius: float = 3) -> None:
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" '
                          f'fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>')

    def dot(self, x: float, y: float, radius: float, fill: str, stroke: str = INK) -> None:
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{stroke}" stroke-width="1"/>')

    def text(self, x: float, y: float, words: str, size: int = 13, anchor: str = "start", colour: str = INK) -> None:
        self.parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">'
                          f"{html.escape(words)}</text>")

    def svg(self) -> str:
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'font-family="DejaVu Sans, Arial, sans-serif">')
        back = f'<rect width="{self.width}" height="{self.height}" fill="#ffffff"/>'
        return "\n".join([head, f"<title>{html.escape(self.title)}</title>", back, *self.parts, "</svg>", ""])


# --- parts; every one lies on a row and reaches from x to its end


def resistor(sheet: Sheet, x: float, y: float, value: str, colour: str) -> None:
    sheet.box(x, y - 6, 46, 12, "#fff8e1", colour)
    sheet.text(x + 23, y + 4, value, 9, "middle", colour)


def led(sheet: Sheet, x: float, y: float, colour: str, points: int = 1) -> None:
    """A triangle towards the bar; the bar is the short leg, the flat side. `points` 1: to the right, -1: to the left."""
    tip = x + 7 * points
    base = x - 7 * points
    corners = f"{base:g},{y - 7:g} {base:g},{y + 7:g} {tip:g},{y:g}"
    sheet.parts.append(f'<polygon points="{corners}" fill="{colour}" stroke="{colour}"/>')
    sheet.line([(tip, y - 7), (tip, y + 7)], colour, 2)


def button(sheet: Sheet, x: float, y: float, letter: str, colour: str) -> None:
    sheet.box(x, y - 13, 42, 26, "#f3e5f5", colour, 5)
    sheet.dot(x + 21, y, 8, "#ffffff", colour)
    sheet.text(x + 21, y + 4, letter, 11, "middle", colour)


def loose_wire(sheet: Sheet, x: float, y: float, colour: str) -> None:
    sheet.parts.append(f'<path d="M{x:g},{y:g} q-18,-24 -2,-40 q20,-18 4,-38" fill="none" stroke="{colour}" stroke-width="2.5"/>')


# --- the die


def nano(sheet: Sheet, x: float, y: float) -> dict[str, tuple[float, float]]:
    """The board with its USB plug up; where each pin is. GND and RST on the right carry a star."""
    height = PITCH * len(NANO_LEFT)
    sheet.box(x, y, 170, height, "#e0f2f1", "#00695c", 10)
    sheet.box(x + 60, y - 22, 50, 36, "#cfd8dc", "#546e7a")
    sheet.text(x + 85, y - 28, "USB", 12, "middle")
    sheet.text(x + 85, y + height / 2, "Arduino Nano", 15, "middle", "#00695c")
    places: dict[str, tuple[float, float]] = {}
    for column, labels in ((x, NANO_LEFT), (x + 170, NANO_RIGHT)):
        is_left = column == x
        for row, label in enumerate(labels):
            at = (column, y + PITCH * (row + 0.5))
            sheet.dot(*at, 5, "#ffd54f")
            sheet.text(at[0] + (10 if is_left else -10), at[1] + 4, label, 12, "start" if is_left else "end")
            places[label if label not in places else label + "*"] = at
    return places


def led_row(sheet: Sheet, pin: Pin, at: tuple[float, float], colour: str, rail: float) -> None:
    """Pin, resistor, LED, ground; a pair has two of each, side by side."""
    way = 1 if rail > at[0] else -1
    fork = at[0] + 40 * way
    sheet.line([at, (fork, at[1])], colour)
    for offset in (0,) if pin.leds == 1 else (-10, 10):
        y = at[1] + offset
        sheet.line([(fork, at[1]), (fork, y), (rail, y)], colour)
        resistor(sheet, fork + (14 if way > 0 else -60), y, "680 Ω" if pin.device == "die" else "330 Ω", colour)
        led(sheet, fork + 90 * way, y, colour, way)
        sheet.dot(rail, y, 3, colour, colour)


def button_row(sheet: Sheet, at: tuple[float, float], letter: str, colour: str, rail: float) -> None:
    way = 1 if rail > at[0] else -1
    sheet.line([at, (rail, at[1])], colour)
    button(sheet, at[0] + (60 if way > 0 else -102), at[1], letter, colour)
    sheet.dot(rail, at[1], 3, colour, colour)


def face(sheet: Sheet, x: float, y: float, which: str, pins: list[Pin]) -> None:
    """How the seven LEDs stand, in the colours of their lines."""
    sheet.box(x, y, 96, 96, "#fafafa", INK, 12)
    for pin in pins:
        if not pin.name.startswith(which) or not sheet.shows(pin.step):
            continue
        line = pin.name.split("_")[1]
        for column, row in PIP_PLACES[line]:
            sheet.dot(x + 20 + 28 * column, y + 20 + 28 * row, 9, sheet.colour(pin.step, LINE_COLOURS[line]))
    sheet.text(x + 48, y + 114, "first die" if which == "ONE" else "second die", 13, "middle")


def noise_input(sheet: Sheet, at: tuple[float, float], colour: str, rail: float) -> None:
    node = (at[0] - 90, at[1])
    sheet.line([at, node], colour)
    sheet.dot(*node, 4, colour, colour)
    sheet.line([node, (node[0], at[1] - 92)], colour)
    sheet.box(node[0] - 6, at[1] - 70, 12, 46, "#fff8e1", colour)
    sheet.text(node[0] - 10, at[1] - 44, "1 MΩ", 11, "end", colour)
    sheet.text(node[0] - 8, at[1] - 84, "to 5V", 12, "end", PLUS if colour != GREY else GREY)
    sheet.line([node, (rail, at[1])], colour)
    sheet.box(node[0] - 70, at[1] - 6, 46, 12, "#fff8e1", colour)
    sheet.text(node[0] - 47, at[1] + 4, "1 MΩ", 9, "middle", colour)
    sheet.dot(rail, at[1], 3, colour, colour)
    loose_wire(sheet, node[0] + 40, at[1], colour)      # on the side of A0, never on the side of ground
    sheet.text(node[0] + 40, at[1] - 104, "10 cm loose wire", 11, "middle", colour)
    five = (at[0], at[1] + PITCH * 8)
    sheet.line([five, (five[0] - 40, five[1])], colour)
    sheet.text(five[0] - 46, five[1] + 4, "5V to the upper 1 MΩ", 12, "end", colour)


def draw_die(step: int | None = None) -> str:
    pins = read_pins("die")
    sheet = Sheet(1060, 760, "Wiring of the electronic die", step)
    places = nano(sheet, 420, 90)
    left, right = 150.0, 830.0
    ground_step = 1
    if sheet.shows(ground_step):
        colour = sheet.colour(ground_step, GROUND)
        for rail, label in ((left, "GND"), (right, "GND*")):
            at = places[label]
            sheet.line([at, (rail, at[1]), (rail, 100)], colour, 4)
            sheet.text(rail, 92, "ground (GND)", 12, "middle", colour)
    for pin in pins:
        if not sheet.shows(pin.step) or pin.step == 0:
            continue
        at = places[pin.label]
        rail = left if pin.label in NANO_LEFT else right
        if pin.part == "button":
            button_row(sheet, at, pin.name[-1], sheet.colour(pin.step, BUTTON), rail)
        elif pin.part == "LED":
            hue = STATE_COLOURS.get(pin.name) or LINE_COLOURS[pin.name.split("_")[1]]
            led_row(sheet, pin, at, sheet.colour(pin.step, hue), rail)
        else:
            noise_input(sheet, at, sheet.colour(pin.step, PLUS), rail)
        note = pin.note.split(":")[0] if pin.name in STATE_COLOURS else ""
        if note:
            sheet.text(left - 8, at[1] + 4, note, 12, "end", sheet.colour(pin.step, INK))
    face(sheet, 900, 130, "TWO", pins)
    face(sheet, 900, 310, "ONE", pins)
    sheet.text(30, 40, sheet.title if step is None else f"Step {step} of {DIE_STEPS}: what is new is in colour", 20)
    if step is None:
        sheet.text(30, 730, "The bar of an LED is its short leg and flat side; it looks towards ground. "
                            "One resistor at every LED. The colours of the lines are those of the pips.", 13)
    return sheet.svg()


# --- the Pi


def header(sheet: Sheet, x: float, y: float, used: dict[str, Pin]) -> dict[int, tuple[float, float]]:
    """The forty pins; 1 and 2 are at the end away from the USB sockets."""
    sheet.box(x - 22, y - 22, 84, 20 * 30 + 24, "#e8f5e9", "#1b5e20", 8)
    places = {}
    for number in range(1, 41):
        at = (x + (0 if number % 2 else 40), y + 30 * ((number - 1) // 2))
        places[number] = at
        is_used = str(number) in used
        sheet.dot(*at, 7, "#ffd54f" if is_used else "#eceff1")
        sheet.text(at[0], at[1] + 4, str(number), 9, "middle")
    return places


def draw_pi(step: int | None = None) -> str:
    pins = read_pins("pi")
    used = {pin.label: pin for pin in pins}
    sheet = Sheet(1060, 740, "Wiring of the Raspberry Pi's buttons, light and loudspeaker", step)
    places = header(sheet, 440, 90, used)
    left, right = 240.0, 780.0
    colour = sheet.colour(1, GROUND)
    for rail, number in ((left, 9), (right, 14)):
        sheet.line([places[number], (rail, places[number][1])], colour, 4)
        sheet.line([(rail, places[number][1]), (rail, places[19][1])], colour, 4)
        sheet.text(rail, places[number][1] - 10, f"ground (pin {number})", 12, "middle", colour)
    amplifier = [pin for pin in pins if pin.part == "amplifier"]
    for pin in pins:
        if not sheet.shows(pin.step) or pin.part == "amplifier":
            continue
        at = places[int(pin.label)]
        rail = left if int(pin.label) % 2 else right
        hue = sheet.colour(pin.step, BUTTON if pin.part == "button" else STATE_COLOURS["light"])
        if pin.part == "button":
            button_row(sheet, at, "", hue, rail)
        else:
            led_row(sheet, pin, at, hue, rail)
        words = f"{pin.note} ({pin.pin})"
        sheet.text(rail + (-10 if rail == left else 10), at[1] + 4, words, 11, "end" if rail == left else "start", hue)
    if sheet.shows(amplifier[0].step):
        draw_amplifier(sheet, places, amplifier)
    sheet.text(30, 40, sheet.title if step is None else f"Step {step} of {PI_STEPS}: what is new is in colour", 20)
    return sheet.svg()


def draw_amplifier(sheet: Sheet, places: dict[int, tuple[float, float]], pins: list[Pin]) -> None:
    step = pins[0].step
    colour = sheet.colour(step, LINE_COLOURS["FALLING"])
    x, y = 640.0, 470.0
    sheet.box(x, y, 130, 190, "#e3f2fd", colour, 8)
    sheet.text(x + 65, y - 8, "MAX98357A", 13, "middle", colour)
    ends = [(int(pin.label), pin.name.split("_")[1].upper(), colour) for pin in pins]
    ends = [(2, "VIN", sheet.colour(step, PLUS)), *ends, (34, "GND", sheet.colour(step, GROUND))]
    for row, (number, words, hue) in enumerate(ends):
        at, to = places[number], (x, y + 24 + 36 * row)
        bend = 530.0 - 8 * row
        start = [at] if number % 2 == 0 else [at, (at[0], at[1] + 15), (places[2][0], at[1] + 15)]
        sheet.line([*start, (bend, start[-1][1]), (bend, to[1]), to], hue)
        sheet.text(to[0] + 8, to[1] + 4, f"{words} (pin {number})", 11)
    sheet.line([(x + 130, y + 70), (x + 180, y + 70)], colour)
    sheet.line([(x + 130, y + 110), (x + 180, y + 110)], colour)
    sheet.parts.append(f'<path d="M{x + 180:g},{y + 60:g} h20 l30,-25 v110 l-30,-25 h-20 z" fill="#fafafa" '
                       f'stroke="{colour}" stroke-width="2"/>')
    sheet.text(x + 205, y + 160, "loudspeaker", 12, "middle", colour)


def drawings() -> dict[str, str]:
    """Every drawing by its path below this folder."""
    made = {"wiring/die.svg": draw_die(), "wiring/pi.svg": draw_pi()}
    made |= {f"assembly/die-{step}.svg": draw_die(step) for step in range(1, DIE_STEPS + 1)}
    return made | {f"assembly/pi-{step}.svg": draw_pi(step) for step in range(1, PI_STEPS + 1)}


def main() -> None:
    for path, svg in drawings().items():
        (HERE / path).parent.mkdir(exist_ok=True)
        (HERE / path).write_text(svg, encoding="utf-8")
        print(HERE.name + "/" + path)


if __name__ == "__main__":
    main()
