"""The portable parts of the firmware one by one, on this machine, with the sanitizers on."""

from __future__ import annotations

import ctypes
import itertools
import random
import subprocess
from collections.abc import Callable

import pytest

from companion.dice import proof
from companion.dice.protocol import Ack, Framer, GiveNonce, HostHello, decode_from_die, encode
from tests.firmware.codec_agreement import random_body, random_command
from tests.firmware.portable import (
    BUILD,
    FIRMWARE,
    PORTABLE,
    Debounce,
    Entropy,
    Event,
    Fair,
    fuzz_program,
    library,
)
from tests.firmware.test_codecs import unhex, vectors

pytestmark = pytest.mark.usefixtures("toolchain")
HEALTH_OK, HEALTH_START, HEALTH_RCT, HEALTH_APT = range(4)


def test_portable_files_include_no_header_of_a_controller() -> None:
    for name in PORTABLE:
        assert "avr/" not in (FIRMWARE / f"{name}.c").read_text()
        header = FIRMWARE / f"{name}.h"
        assert "avr/" not in header.read_text()


def test_no_file_of_the_firmware_asks_for_dynamic_memory() -> None:
    for path in (*FIRMWARE.glob("*.c"), *FIRMWARE.glob("*.h")):
        assert not {"malloc(", "calloc(", "realloc(", "free("} & set(path.read_text().replace("(", "( ").split()), path


# --- debounce


def settle(samples: str, start: int = 0) -> list[int]:
    """The places at which a button changes; a sample is 1 for down."""
    state = Debounce(settled=start)
    return [place for place, sample in enumerate(samples) if library().host_debounce(ctypes.byref(state), int(sample))]


def test_a_press_counts_after_six_equal_samples() -> None:
    assert settle("1" * 20) == [5]
    assert settle("0" * 20, start=1) == [5]


def test_five_samples_are_not_enough_however_often_they_come() -> None:
    assert settle(("1" * 5 + "0") * 50) == []


def test_bounces_delay_a_press_and_never_double_it() -> None:
    assert settle("10110" + "1" * 20) == [10]
    assert settle("1010101" + "1" * 6 + "0101" + "1" * 20) == [11]


def test_eight_buttons_are_debounced_without_touching_each_other() -> None:
    rng = random.Random(3)
    state, alone = Debounce(), [Debounce() for _ in range(8)]
    for _ in range(5000):
        raw = sum((rng.random() < 0.9) << bit for bit in range(8)) if rng.random() < 0.7 else rng.randrange(256)
        together = library().host_debounce(ctypes.byref(state), raw)
        single = sum(
            bool(library().host_debounce(ctypes.byref(one), raw >> bit & 1)) << bit for bit, one in enumerate(alone)
        )
        assert together == single


# --- entropy


def pool() -> Entropy:
    entropy = Entropy()
    library().entropy_reset(ctypes.byref(entropy))
    return entropy


def feed(entropy: Entropy, samples: list[int]) -> int:
    for sample in samples:
        library().entropy_sample(ctypes.byref(entropy), sample)
        if library().entropy_must_stir(ctypes.byref(entropy)):
            library().entropy_stir(ctypes.byref(entropy))
    return int(library().entropy_health(ctypes.byref(entropy)))


def noise(seed: int, count: int) -> list[int]:
    rng = random.Random(seed)
    return [round(rng.gauss(512, 3)) & 0xFF for _ in range(count)]


def draw(entropy: Entropy, count: int = 16) -> bytes:
    room = (ctypes.c_uint8 * count)()
    library().entropy_draw(ctypes.byref(entropy), room, count)
    return bytes(room)


def test_a_pool_is_not_trusted_before_512_samples() -> None:
    entropy = pool()
    assert feed(entropy, noise(1, 511)) == HEALTH_START
    assert feed(entropy, noise(2, 1)) == HEALTH_OK


def test_forty_one_equal_samples_fail_the_repetition_test() -> None:
    entropy = pool()
    feed(entropy, [*noise(1, 600), 7])
    assert feed(entropy, [9] * 40) == HEALTH_OK
    assert feed(entropy, [9]) == HEALTH_RCT


def test_a_source_that_mostly_says_the_same_fails_the_proportion_test() -> None:
    rng = random.Random(4)
    mostly = [7 if rng.random() < 0.9 else rng.randrange(256) for _ in range(2000)]
    mostly = [sample if place % 20 else place % 251 for place, sample in enumerate(mostly)]  # never 41 running
    entropy = pool()
    states = set()
    for sample in mostly:
        states.add(feed(entropy, [sample]))
    assert HEALTH_APT in states
    assert HEALTH_RCT not in states


def test_good_noise_raises_no_false_alarm_in_a_million_samples() -> None:
    entropy = pool()
    feed(entropy, noise(5, 512))
    for seed in range(10):
        assert feed(entropy, noise(seed, 100_000)) == HEALTH_OK


def test_trust_comes_back_only_after_as_many_good_samples_as_at_the_start() -> None:
    entropy = pool()
    feed(entropy, noise(1, 600))
    assert feed(entropy, [9] * 50) == HEALTH_RCT
    assert feed(entropy, noise(2, 511)) == HEALTH_RCT
    assert feed(entropy, noise(3, 2)) == HEALTH_OK


def test_every_sample_changes_every_later_secret() -> None:
    samples = noise(1, 600)
    first = pool()
    feed(first, samples)
    for place in (0, 15, 16, 300, 599):
        other = pool()
        feed(other, [*samples[:place], samples[place] ^ 1, *samples[place + 1:]])
        assert draw(other) != draw(first_copy(first))


def first_copy(entropy: Entropy) -> Entropy:
    copy = Entropy()
    ctypes.memmove(ctypes.byref(copy), ctypes.byref(entropy), ctypes.sizeof(copy))
    return copy


def test_drawing_twice_gives_different_secrets_and_leaves_no_trace_of_them() -> None:
    entropy = pool()
    feed(entropy, noise(1, 600))
    secrets = [draw(entropy) for _ in range(1000)]
    assert len(set(secrets)) == 1000
    assert not any(secret[:4] in bytes(entropy) for secret in secrets[-3:])


def test_chacha_is_chacha() -> None:
    """The first block of ChaCha8 for an all-zero key and nonce, as in the published test vectors (TC1, 256-bit key)."""
    block = (ctypes.c_uint32 * 16)()
    library().chacha8_block((ctypes.c_uint32 * 8)(), (ctypes.c_uint32 * 4)(), block)
    assert bytes(block)[:16].hex() == "3e00ef2f895f40d67f5bb8e81f09a5a1"


# --- fair rolls


def roll(secret: bytes, nonce: bytes, sides: int, count: int) -> tuple[int, ...] | None:
    fair = Fair()
    lib = library()
    lib.fair_reset(ctypes.byref(fair))
    lib.fair_set_secret(ctypes.byref(fair), secret)
    lib.fair_set_nonce(ctypes.byref(fair), nonce)
    faces = (ctypes.c_uint8 * 5)()
    rolled = lib.fair_roll(ctypes.byref(fair), count, sides, faces)
    return tuple(faces[:count]) if rolled else None


def test_every_roll_of_the_vectors_comes_out_the_same_on_the_die() -> None:
    checked = 0
    for secret, nonce, sides, count, commitment, stream, *faces in vectors("rolls.txt"):
        fair = Fair()
        library().fair_reset(ctypes.byref(fair))
        library().fair_set_secret(ctypes.byref(fair), unhex(secret))
        library().fair_set_nonce(ctypes.byref(fair), unhex(nonce))
        told = (ctypes.c_uint8 * 16)()
        library().fair_commitment(ctypes.byref(fair), told)
        library().fair_prepare(ctypes.byref(fair))
        assert bytes(told).hex().upper() == commitment
        assert bytes(fair.stream).hex().upper() == stream
        expected = tuple(map(int, faces)) if faces and faces != ["-"] else None
        assert roll(unhex(secret), unhex(nonce), int(sides), int(count)) == expected
        checked += 1
    assert checked >= 20


def test_the_die_and_the_host_agree_on_ten_thousand_rolls() -> None:
    rng = random.Random(6)
    for _ in range(10_000):
        secret, nonce, sides, count = rng.randbytes(16), rng.randbytes(16), rng.randint(2, 100), rng.randint(1, 5)
        assert roll(secret, nonce, sides, count) == proof.faces_of(secret, nonce, sides, count)


# --- the queue


def test_the_queue_keeps_order_and_numbers_round_the_wrap() -> None:
    lib = library()
    events = ctypes.create_string_buffer(4096)
    lib.events_reset(events)
    lib.events_to_send.restype = ctypes.POINTER(Event)
    for number in range(600):
        assert lib.events_add(events, ctypes.byref(Event(type=0, number=number)), 0)
        head = lib.events_to_send(events, 0)
        assert (head.contents.number, head.contents.ss) == (number, number % 256)
        assert not lib.events_acknowledge(events, (number + 1) % 256, 0)
        assert lib.events_acknowledge(events, number % 256, 0)


def test_the_ninth_event_finds_no_room() -> None:
    events = ctypes.create_string_buffer(4096)
    library().events_reset(events)
    added = [library().events_add(events, ctypes.byref(Event()), 0) for _ in range(9)]
    assert added == [True] * 8 + [False]


def test_an_event_is_sent_every_30_ms_and_after_twenty_times_every_250_ms() -> None:
    lib = library()
    events = ctypes.create_string_buffer(4096)
    lib.events_reset(events)
    lib.events_to_send.restype = ctypes.POINTER(Event)
    start = 2**32 - 300  # over the wrap of the clock
    lib.events_add(events, ctypes.byref(Event()), start)
    sent = []
    for passed in range(1500):
        now = (start + passed) % 2**32
        if lib.events_to_send(events, ctypes.c_uint32(now)):
            sent.append(passed)
            lib.events_sent(events, ctypes.c_uint32(now))
    gaps = [later - earlier for earlier, later in itertools.pairwise(sent)]
    assert sent[0] == 0
    assert gaps[:20] == [30] * 20
    assert set(gaps[20:]) == {250}


# --- lights


def test_each_face_lights_as_many_leds_as_it_has_pips() -> None:
    leds_of_line = (1, 2, 2, 2)  # centre, two diagonals, middle row
    for face in range(8):
        lines = library().lights_face(face)
        assert sum(leds for bit, leds in enumerate(leds_of_line) if lines >> bit & 1) == face
    assert library().lights_face(100) == library().lights_face(7)


# --- EEPROM

READ = ctypes.CFUNCTYPE(ctypes.c_uint8, ctypes.c_uint16)
WRITE = ctypes.CFUNCTYPE(None, ctypes.c_uint16, ctypes.c_uint8)


class PowerCut(Exception):
    """Power fails in the middle of a write."""


class Eeprom:
    """Cells that count their writes; a write may be cut off, which leaves rubbish in the cell, and a cell may be dead."""

    def __init__(self) -> None:
        self.cells = bytearray(b"\xff" * 1024)
        self.writes = [0] * 1024
        self.dead: set[int] = set()
        self.cut_after: int | None = None
        self.rng = random.Random(9)
        self.off = False

    def read(self, address: int) -> int:
        return self.cells[address]

    def write(self, address: int, byte: int) -> None:
        if self.off or address in self.dead:
            return
        if self.cut_after == 0:
            self.cells[address] = self.rng.randrange(256)
            self.off = True
            return
        if self.cut_after is not None:
            self.cut_after -= 1
        self.cells[address] = byte
        self.writes[address] += 1

    def boot(self) -> int:
        self.off = False
        number = int(library().lifetime_next_boot(READ(self.read), WRITE(self.write)))
        if self.off:
            self.cut_after = None
            raise PowerCut
        return number


def test_the_boot_counter_goes_up_by_one_over_its_wrap() -> None:
    eeprom = Eeprom()
    boots = [eeprom.boot() for _ in range(66_000)]
    assert boots == [number % 65_536 for number in range(1, 66_001)]


def test_a_thousand_starts_wear_no_cell_more_than_a_fortieth() -> None:
    eeprom = Eeprom()
    for _ in range(1000):
        eeprom.boot()
    assert max(eeprom.writes) <= 25


@pytest.mark.parametrize("written", range(4))
def test_a_power_cut_while_the_counter_is_written_never_brings_an_old_number_back(written: int) -> None:
    eeprom = Eeprom()
    last = 0
    for start in range(400):
        if start % 3 == 2:
            eeprom.cut_after = written
        try:
            number = eeprom.boot()
        except PowerCut:
            continue
        assert last < number <= last + 2
        last = number


def test_a_dead_cell_does_not_stop_the_counter() -> None:
    eeprom = Eeprom()
    eeprom.dead = {5, 40, 41, 100}
    assert [eeprom.boot() for _ in range(300)] == list(range(1, 301))


def keep_id(eeprom: Eeprom, device: bytes, until: int = 6) -> None:
    for index in range(until):
        library().lifetime_keep_id_byte(WRITE(eeprom.write), device, index)


def kept_id(eeprom: Eeprom) -> bytes | None:
    room = (ctypes.c_uint8 * 4)()
    return bytes(room) if library().lifetime_id(READ(eeprom.read), room) else None


def test_the_id_is_kept_and_a_torn_one_is_none() -> None:
    eeprom = Eeprom()
    assert kept_id(eeprom) is None
    keep_id(eeprom, b"\x12\x34\x56\x78", until=5)
    assert kept_id(eeprom) is None
    keep_id(eeprom, b"\x12\x34\x56\x78")
    assert kept_id(eeprom) == b"\x12\x34\x56\x78"
    eeprom.boot()
    assert kept_id(eeprom) == b"\x12\x34\x56\x78"


# --- the whole die, with the address sanitizer


def script(rng: random.Random) -> bytes:
    """Bytes of a host, buttons, noise, time and a full line in any order."""
    parts: list[Callable[[], bytes]] = [
        lambda: encode(random_command(rng)),
        lambda: encode(HostHello(0, 1)),
        lambda: encode(Ack(rng.randrange(8), 1)),
        lambda: encode(GiveNonce(1, rng.randrange(1, 8), rng.randbytes(16))),
        lambda: b"$" + random_body(rng).encode("latin-1") + b"*0000\n",
        lambda: bytes(byte for byte in rng.randbytes(30) if byte < 0xF0),
        lambda: bytes([0xF0, rng.randrange(8)]),
        lambda: bytes([rng.choice((0xF1, 0xF1, 0xF2)), rng.randrange(256)]),
        lambda: bytes([rng.choice((0xF3, 0xF3, 0xF4)), rng.randrange(256)]),
        lambda: bytes([rng.choice((0xF5, 0xF6, 0xF7, 0xF3)), rng.randrange(256)]),
    ]
    start = bytes([0xF1, 200, 0xF4, 0, 0xF3, 255])
    clean = (bytes(byte for byte in part if byte < 0xF0 or part[0] >= 0xF0)
             for part in (rng.choice(parts)() for _ in range(200)) if part)
    return start + b"".join(clean)


def test_the_whole_die_survives_any_host_and_says_nothing_that_is_not_in_the_protocol() -> None:
    rng = random.Random(11)
    said: set[str] = set()
    for _ in range(60):
        played = subprocess.run([fuzz_program()], input=script(rng), capture_output=True, check=False)
        assert played.returncode == 0, played.stderr.decode()[-2000:]
        framer = Framer()
        said |= {decode_from_die(body).TYPE for body in framer.feed(played.stdout)}
        assert (framer.crc_errors, framer.format_errors, framer.long_errors) == (0, 0, 0)
    assert said >= {"HELLO", "HB", "ROLL", "REVEAL", "BTN", "FAULT", "OK", "ERR"}


def test_the_sanitizers_are_on() -> None:
    symbols = subprocess.run(["nm", "-D", str(fuzz_program())], capture_output=True, text=True, check=True).stdout
    assert "__asan_init" in symbols
    assert "__ubsan_handle" in subprocess.run(
        ["nm", "-D", str(BUILD / "libdie.so")], capture_output=True, text=True, check=True).stdout
