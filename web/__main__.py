"""python -m web: a table with its pages, for development. The evening's program is `companion run`."""

from __future__ import annotations

import argparse
import threading
from pathlib import Path

from companion.journal import Journal
from companion.table import Resume, Table
from web.server import Server


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m web", description="A table with its pages, for development.")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="0.0.0.0")
    parser.add_argument("--name", action="append", default=[], help="another name under which this box is called")
    parser.add_argument("--journal", type=Path, help="where games are kept (default: only in memory)")
    given = parser.parse_args()
    journal = Journal.open(given.journal) if given.journal else Journal.without_file()
    guests = given.journal.with_suffix(".guests") if given.journal else None
    with Table(journal) as table, Server(table, given.host, given.port, guests_file=guests, names=given.name) as server:
        if any(g.state == "running" for g in journal.games()):
            table.ask(Resume()).result()
        room = server.room
        print(room.qr_text())
        print(f"{room.join_url}\n{room.name}\nhost code {room.access.host_code}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
