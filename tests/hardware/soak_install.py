"""The installer in a clean Debian from debootstrap: installed, again, updated, rolled back, broken, taken away. Needs root.

    python -m tests.hardware.soak_install
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.hardware import installed
from tests.hardware.clean_root import SUITE, NotToBeHad, bootstrapped


def main() -> int:
    folder = Path(tempfile.mkdtemp(prefix="clean-debian-"))
    started = time.monotonic()
    try:
        root = bootstrapped(folder / "root")
        print(f"a clean Debian {SUITE}: {time.monotonic() - started:.0f} s", flush=True)
        print(installed.install(root).splitlines()[-2], flush=True)
        for check in (
            installed.is_a_service,
            installed.starts_answers_and_stops,
            installed.has_everything_with_it,
            installed.is_the_same_after_another_run,
            installed.goes_back_and_forward,
            installed.comes_back_by_itself,
            installed.starts_answers_and_stops,
            installed.goes_away,
        ):
            check(root)
            print(f"{check.__name__.replace('_', ' ')}: {time.monotonic() - started:.0f} s", flush=True)
    except NotToBeHad as reason:
        print(f"NOT RUN: {reason}")
        return 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
