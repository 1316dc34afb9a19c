"""A table that goes on until it is killed. It resumes the running game, or starts one, and tells each sequence that was
acknowledged, on standard output, only after the receipt."""

from __future__ import annotations

import os
import struct
import sys

from companion.journal import Draft, Journal

ACK = struct.Struct("<Q")
MOVES_A_GAME = 150


def body_of(sequence: int) -> dict[str, object]:
    return {"roll": [sequence % 6 + 1], "pad": "d" * (sequence * 37 % 900)}


def main(path: str) -> None:
    journal = Journal.open(path)
    assert not journal.notices
    while True:
        running = [game.id for game in journal.games() if game.state == "running"]
        game = running[0] if running else journal.start_game({"game": "siege"})
        sequence = len(journal.all_events())
        for _ in range(len(journal.events(game)), MOVES_A_GAME, 2):
            drafts = [Draft("rolled", "die:AB12", body_of(sequence + i), game) for i in (1, 2)]
            receipt = journal.append_all(drafts)
            assert receipt.durable
            sequence = receipt.sequence
            os.write(1, ACK.pack(sequence))
        journal.finish(game, {"last": sequence})


if __name__ == "__main__":
    main(sys.argv[1])
