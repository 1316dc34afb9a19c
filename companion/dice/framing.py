r"""Frames of the die's line: bytes in, checked bodies out (`firmware/PROTOCOL.md`, section 2).

A frame is `$body*CCCC\n`. `Framer` is the state table of the specification, byte for byte as the firmware has
it, so both sides accept and count alike whatever arrives. It never raises: noise is counted, not reported.
"""

from __future__ import annotations

from binascii import crc_hqx

MAX_BODY = 80
COUNTER_MAX = 65_535


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    return crc_hqx(data, 0xFFFF)


def frame(body: str) -> bytes:
    """The bytes on the wire for a body; the body must be one that a receiver would accept."""
    data = body.encode("ascii")
    if len(data) > MAX_BODY or any(b < 0x20 or b > 0x7E or b in b"$*" for b in data):
        raise ValueError(f"not a body: {body[:MAX_BODY]!r}")
    return b"$%b*%04X\n" % (data, crc16(data))


_HUNT, _BODY, _CRC, _END = range(4)
_HEX_DIGITS = frozenset(b"0123456789ABCDEF")


class Framer:
    """Finds frames in a stream of bytes; the state table of section 2, with its counters."""

    def __init__(self) -> None:
        self.good = self.crc_errors = self.format_errors = self.long_errors = 0
        self.reset()

    def reset(self) -> None:
        """Forget a half-read frame, as after a reconnection. The counters stay."""
        self._state = _HUNT
        self._body = bytearray()
        self._crc = bytearray()

    def feed(self, data: bytes) -> list[str]:
        """Every body that is complete and checked after these bytes, in order."""
        bodies = []
        for byte in data:
            if byte == 0x24:  # '$' always starts afresh
                if self._state != _HUNT:
                    self._count_format()
                self._state = _BODY
                self._body.clear()
                self._crc.clear()
            elif self._state == _BODY:
                self._in_body(byte)
            elif self._state == _CRC:
                self._in_crc(byte)
            elif self._state == _END and self._at_end(byte):
                bodies.append(self._body.decode("ascii"))
        return bodies

    def _in_body(self, byte: int) -> None:
        if byte == 0x2A:  # '*'
            self._state = _CRC
        elif byte < 0x20 or byte > 0x7E:
            self._count_format()
            self._state = _HUNT
        elif len(self._body) == MAX_BODY:
            self.long_errors = min(self.long_errors + 1, COUNTER_MAX)
            self._state = _HUNT
        else:
            self._body.append(byte)

    def _in_crc(self, byte: int) -> None:
        if byte not in _HEX_DIGITS:
            self._count_format()
            self._state = _HUNT
            return
        self._crc.append(byte)
        if len(self._crc) == 4:
            self._state = _END

    def _at_end(self, byte: int) -> bool:
        self._state = _HUNT
        if byte != 0x0A:
            self._count_format()
        elif int(self._crc, 16) != crc16(bytes(self._body)):
            self.crc_errors = min(self.crc_errors + 1, COUNTER_MAX)
        else:
            self.good += 1
            return True
        return False

    def _count_format(self) -> None:
        self.format_errors = min(self.format_errors + 1, COUNTER_MAX)
