"""The journal: everything that happened at the table, in order, in one SQLite file.

    journal = Journal.open("table.journal")       # journal.notices: what a person should be told (a file set aside …)
    game = journal.start_game(terms_to_json(terms))
    receipt = journal.append(Draft("rolled", "die:AB12", {"seat": "Red", "roll": [5]}, game))
    if not receipt.durable: say(receipt.trouble)  # the game goes on
    journal.finish(game, {"winners": ["Red"]})

What is guaranteed
- A receipt with `durable` means: this and everything given before it is on the disk, synced, and survives a crash of the
  program or a power cut at any later instant. What one `append_all` was given is there as a whole or not at all.
- Without `durable` (disk full, read-only, I/O error) nothing is thrown at the table: everything is kept in memory in order,
  `trouble` says why, and any later call, or `retry()`, writes it all, in that order, as soon as the disk lets it. Until
  then it is lost if the program ends; `export` still gives it. Nothing is ever written twice.
- Order is the sequence, which never repeats within a file. Boots are numbered in the order in which they came. The wall
  clock is only a label.
- A file that is damaged or of a newer version is renamed, never changed, and `notices` says to what.
- Nothing is written unless something is appended.

One thread at a time uses a `Journal`; the table owns it. Everybody else reads through a `Reader`, which cannot write.
"""

from companion.journal.journal import Imported, Journal
from companion.journal.reader import Reader
from companion.journal.records import ROLLED, Boot, Draft, Entry, Game, JournalUnavailable, Receipt, count_rolls

__all__ = [
    "ROLLED", "Boot", "Draft", "Entry", "Game", "Imported", "Journal", "JournalUnavailable", "Reader", "Receipt",
    "count_rolls",
]  # fmt: skip
