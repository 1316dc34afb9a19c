"""Soak: `python -m tests.web.soak_api [calls of each operation] [seed]`. Exits with 1 at the first answer that is a 5xx."""

from __future__ import annotations

import sys

from tests.web.fuzz import evening, made_up_calls, spoiled_questions


def main(each: int = 2000, seed: int = 2) -> int:
    try:
        with evening() as at:
            made = made_up_calls(at, each, seed) + spoiled_questions(at, each, seed)
            print(f"{made} calls: {dict(sorted(at.statuses.items()))}")
    except AssertionError as error:
        print(f"not as documented: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
