"""Judge the noise of a real board: python firmware/noise_report.py /dev/ttyUSB0 [samples]

The board runs build/noise.hex (`make -C firmware flash-noise PORT=…`). The limits are those of entropy.c: what fails here,
the die would refuse to roll with.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

REPEAT_LIMIT, WINDOW, WINDOW_LIMIT, ASSUMED_BITS = 41, 512, 410, 0.5
BAUD = 250_000
USUAL_SAMPLES = 20_000


def samples_of(lines: Iterable[str]) -> list[int]:
    """The samples of whole lines; anything else on the line (the first, cut one) is left out."""
    digits = set("0123456789ABCDEF")
    whole = (line.strip() for line in lines)
    return [sample for line in whole if len(line) == 64 and set(line) <= digits for sample in bytes.fromhex(line)]


def min_entropy(samples: Sequence[int]) -> float:
    """Bits a sample by the most common value, at its upper 99 % bound (NIST SP 800-90B, 6.3.1)."""
    seen = max(Counter(samples).values()) / len(samples)
    bound = min(1.0, seen + 2.576 * math.sqrt(seen * (1 - seen) / (len(samples) - 1)))
    return -math.log2(bound)


def longest_run(samples: Sequence[int]) -> int:
    return max(len(list(run)) for _, run in groupby(samples))


def worst_window(samples: Sequence[int]) -> int:
    """How often the first sample of a window comes back in it, at worst."""
    windows = (samples[start:start + WINDOW] for start in range(0, len(samples) - WINDOW + 1, WINDOW))
    return max((window.count(window[0]) for window in map(list, windows)), default=0)


def verdict(samples: Sequence[int]) -> tuple[bool, str]:
    """Whether the die could trust this, and a report in words."""
    if len(samples) < 2 * WINDOW:
        return False, f"only {len(samples)} samples came: is build/noise.hex flashed, and is this the right port?"
    entropy, run, window = min_entropy(samples), longest_run(samples), worst_window(samples)
    good = run < REPEAT_LIMIT and window < WINDOW_LIMIT and entropy >= ASSUMED_BITS
    lines = [
        f"{len(samples)} samples between {min(samples)} and {max(samples)}, {len(set(samples))} different values",
        f"min-entropy {entropy:.2f} bits a sample (the die assumes {ASSUMED_BITS})",
        f"longest run of equal samples {run} (the die gives up at {REPEAT_LIMIT})",
        f"most of one value in {WINDOW} samples {window} (the die gives up at {WINDOW_LIMIT})",
        "good: the die can trust this source" if good else
        "not good: check the two 1 MΩ resistors at A0 and the loose wire (hardware/TROUBLESHOOTING.md, \"It refuses to roll\")",
    ]
    return good, "\n".join(lines)


def main() -> int:
    import serial  # here, so that the judgement can be tested without a port

    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else USUAL_SAMPLES
    samples: list[int] = []
    try:
        with serial.Serial(sys.argv[1], BAUD, timeout=3) as port:
            while len(samples) < wanted and (line := port.readline()):
                samples += samples_of([line.decode("ascii", "replace")])
    except serial.SerialException as error:
        print(f"{sys.argv[1]} cannot be read: {error}")
        return 2
    good, report = verdict(samples)
    print(report)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
