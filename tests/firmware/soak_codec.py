"""A million inputs through both codecs: python -m tests.firmware.soak_codec [count] [seed]"""

from __future__ import annotations

import sys
import time

from tests.firmware.codec_agreement import inputs


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    started = time.monotonic()
    for done, _ in enumerate(inputs(seed, count), 1):
        if done % 100_000 == 0:
            print(f"{done} inputs, {time.monotonic() - started:.0f} s", flush=True)
    print(f"The C and the Python codec agreed on {count} inputs (seed {seed}).")


if __name__ == "__main__":
    main()
