"""companion history, replay, export, import: games of the past."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.cli.choices import print_json, read_text
from companion.config import load_config
from companion.console import record_lines
from companion.events import BadInput, brief
from companion.game import parse_json
from companion.journal import Journal, JournalUnavailable, Reader
from companion.table import replay as replay_game

journal_option = click.option("--journal", "journal_file", default="", metavar="FILE", help="Another journal than the usual one.")


def journal_path(given: str) -> Path:
    return Path(given) if given else load_config().journal


def open_reader(given: str) -> Reader:
    path = journal_path(given)
    if not path.exists():
        raise BadInput(f"journal: {brief(str(path))} does not exist yet; it begins with the first game")
    try:
        return Reader.open(path)
    except JournalUnavailable as error:
        raise BadInput(str(error)) from error


@click.command()
@journal_option
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def history(journal_file: str, as_json: bool) -> None:
    """The games that were played at this table.

    \b
    Example:  companion history
    """
    with open_reader(journal_file) as reader:
        games = reader.games()
    if as_json:
        print_json(
            [
                {
                    "number": g.id,
                    "game": g.name,
                    "begun": g.label,
                    "state": g.state,
                    "outcome": g.outcome,
                    "seats": g.terms.get("seats"),
                }
                for g in games
            ]
        )
        return
    if not games:
        click.echo("No game has been played yet.")
    for g in games:
        won = ", ".join((g.outcome or {}).get("winners", [])) if isinstance(g.outcome, dict) else ""
        click.echo(f"{g.id:4}  {g.label[:16]}  {g.name:18} {g.state}" + (f", won by {won}" if won else ""))


@click.command()
@click.argument("number", type=int)
@journal_option
@click.option("--json", "as_json", is_flag=True, help="For programs: the position after every act.")
def replay(number: int, journal_file: str, as_json: bool) -> None:
    """Play a game of the history through again, act by act, and rule on each as it stood.

    \b
    Example:  companion replay 3
    """
    with open_reader(journal_file) as reader:
        kept = reader.game(number)
        ledger = replay_game(kept.terms, reader.events(number))
    if as_json:
        print_json(
            [{"number": line.number, "by": line.by, "position": ledger.game.position(line.after)} for line in ledger.lines]
        )
        return
    for text in record_lines(ledger):
        click.echo(text)
    outcome = ledger.outcome
    click.secho(ledger.game.words.tell(outcome.why) if outcome else f"The game is {kept.state}.", bold=True)


@click.command("export")
@click.argument("number", type=int)
@click.argument("file", default="-")
@journal_option
def export_game(number: int, file: str, journal_file: str) -> None:
    """Write a game as one readable JSON file, to keep, to share, or to report a fault with.

    \b
    Example:  companion export 3 tuesday.json
    """
    with open_reader(journal_file) as reader:
        text = json.dumps(reader.export(number), indent=1, ensure_ascii=False)
    if file == "-":
        click.echo(text)
        return
    try:
        Path(file).write_text(text + "\n", "utf-8")
    except OSError as error:
        raise BadInput(f"file: {brief(file)} cannot be written ({error.strerror})") from error
    click.echo(f"Game {number} is in {file}.")


@click.command("import")
@click.argument("file")
@journal_option
def import_game(file: str, journal_file: str) -> None:
    """Take a game from a file into the history. It is replayed first: what the rules refuse is not taken.

    \b
    Example:  companion import tuesday.json
    """
    document = parse_json(read_text(file), "file")
    try:
        with Journal.without_file() as trial:
            number = trial.import_game(document).game
            replay_game(trial.game(number).terms, trial.events(number))
        with Journal.open(_made(journal_path(journal_file))) as journal:
            imported = journal.import_game(document)
            if imported.receipt.trouble:
                raise BadInput(f"not saved: {imported.receipt.trouble}")
    except JournalUnavailable as error:
        raise BadInput(str(error)) from error
    click.echo(f"Taken in as game {imported.game}." if imported.new else f"It is here already, as game {imported.game}.")


def _made(path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"journal: {brief(str(path.parent))} cannot be made ({error.strerror})") from error
    return path
