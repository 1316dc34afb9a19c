"""The portable half of the firmware, compiled for this machine and called through ctypes."""

from __future__ import annotations

import ctypes
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "firmware"
BUILD = FIRMWARE / "build" / "host"
PORTABLE = ("frame", "text", "command", "report", "events", "entropy", "chacha", "blake2s", "fair",
            "lifetime", "lights", "die")
WARNINGS = ["-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wno-sign-conversion",
            "-Werror"]


class Receiver(ctypes.Structure):
    _fields_ = [("body", ctypes.c_char * 81), ("length", ctypes.c_uint8), ("state", ctypes.c_uint8),
                ("digits", ctypes.c_uint8), ("computed", ctypes.c_uint16), ("received", ctypes.c_uint16),
                ("crc_errors", ctypes.c_uint16), ("format_errors", ctypes.c_uint16),
                ("long_errors", ctypes.c_uint16)]


class Command(ctypes.Structure):
    _fields_ = [("verdict", ctypes.c_uint8), ("type", ctypes.c_uint8), ("ss", ctypes.c_uint8),
                ("number", ctypes.c_uint32), ("sides", ctypes.c_uint8), ("nonce", ctypes.c_uint8 * 16)]


class Event(ctypes.Structure):
    _fields_ = [("type", ctypes.c_uint8), ("ss", ctypes.c_uint8), ("at", ctypes.c_uint32),
                ("number", ctypes.c_uint32), ("button", ctypes.c_char), ("what", ctypes.c_uint8),
                ("health", ctypes.c_uint8), ("count", ctypes.c_uint8), ("nonce_used", ctypes.c_uint8),
                ("bytes", ctypes.c_uint8 * 16)]


class Hello(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint8 * 4), ("boot", ctypes.c_uint16), ("uptime", ctypes.c_uint32),
                ("next_ss", ctypes.c_uint8), ("heard", ctypes.c_uint8)]


class Status(ctypes.Structure):
    _fields_ = [("uptime", ctypes.c_uint32), ("crc_errors", ctypes.c_uint16), ("format_errors", ctypes.c_uint16),
                ("overruns", ctypes.c_uint16), ("framing_errors", ctypes.c_uint16), ("alone", ctypes.c_uint16),
                ("queued", ctypes.c_uint8), ("health", ctypes.c_uint8), ("stack_free", ctypes.c_uint16),
                ("reset_cause", ctypes.c_uint8)]


class Debounce(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint8) for name in ("settled", "count0", "count1", "count2")]


class Entropy(ctypes.Structure):
    _fields_ = [("key", ctypes.c_uint32 * 8), ("waiting", ctypes.c_uint8 * 16), ("waiting_count", ctypes.c_uint8),
                ("last", ctypes.c_uint8), ("repeats", ctypes.c_uint8), ("reference", ctypes.c_uint8),
                ("window", ctypes.c_uint16), ("matches", ctypes.c_uint16), ("good", ctypes.c_uint16),
                ("failure", ctypes.c_uint8)]


class Fair(ctypes.Structure):
    _fields_ = [("number", ctypes.c_uint32), ("secret", ctypes.c_uint8 * 16), ("nonce", ctypes.c_uint8 * 16),
                ("stream", ctypes.c_uint8 * 32), ("has_secret", ctypes.c_bool), ("has_nonce", ctypes.c_bool),
                ("has_stream", ctypes.c_bool)]


def compile_host(output: Path, *flags: str) -> Path:
    BUILD.mkdir(parents=True, exist_ok=True)
    sources = [str(FIRMWARE / f"{name}.c") for name in PORTABLE] + [str(Path(__file__).with_name("host_board.c"))]
    subprocess.run(["gcc", *WARNINGS, *flags, "-I", str(FIRMWARE), "-o", str(output), *sources], check=True)
    return output


@cache
def library() -> ctypes.CDLL:
    """All portable code with the undefined-behaviour sanitizer: any slip ends the test run."""
    path = compile_host(BUILD / "libdie.so", "-shared", "-fPIC", "-fsanitize=undefined", "-fno-sanitize-recover=all")
    lib = ctypes.CDLL(str(path))
    lib.frame_receive.restype = lib.text_read_number.restype = ctypes.c_bool
    lib.fair_roll.restype = lib.events_add.restype = lib.lifetime_id.restype = ctypes.c_bool
    lib.entropy_must_stir.restype = lib.die_work.restype = ctypes.c_bool
    lib.frame_crc.restype = lib.lifetime_next_boot.restype = ctypes.c_uint16
    lib.frame_write.restype = lib.host_debounce.restype = lib.lights_face.restype = ctypes.c_uint8
    lib.host_receive.restype = ctypes.c_size_t
    return lib


@cache
def fuzz_program() -> Path:
    """The whole die as a program with the address sanitizer, too; it plays a script from its input."""
    return compile_host(BUILD / "die_fuzz", "-DFUZZ_MAIN", "-fsanitize=address,undefined",
                        "-fno-sanitize-recover=all")


def c_frame(body: bytes) -> bytes:
    """The frame that the firmware writes around a body; empty if it refuses."""
    room = (ctypes.c_char * 87)()
    count = library().frame_write(body, room)
    return bytes(room.raw[:count])


def c_receive(receiver: Receiver, data: bytes) -> list[str]:
    """The bodies that the firmware's receiver delivers."""
    room = ctypes.create_string_buffer(len(data) + 8)
    count = library().host_receive(ctypes.byref(receiver), data, len(data), room)
    return room.raw[:count].decode("ascii").split("\n")[:-1]


def c_command(body: bytes) -> Command:
    command = Command()
    library().command_read(body, ctypes.byref(command))
    return command


def c_body(function: str, *arguments: object) -> str:
    """What one of the report_… functions writes."""
    room = ctypes.create_string_buffer(200)
    getattr(library(), function)(room, *arguments)
    return room.value.decode("ascii")
