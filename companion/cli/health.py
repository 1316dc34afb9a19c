"""companion doctor, config and languages: is all well, and how is it set?"""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.choices import print_json
from companion.config import default_file, load_config
from companion.doctor import BAD, GOOD, MISSING, examine
from companion.games import all_games
from companion.languages import language, languages
from companion.ledger_words import WORDS as LEDGER_WORDS
from companion.table_words import WORDS as TABLE_WORDS


@click.command()
@click.option("--config", "config_file", default="", metavar="FILE", help="Another settings file than the usual one.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_context
def doctor(ctx: click.Context, config_file: str, as_json: bool) -> None:
    """Look at devices, disk, journal, voice, clock and power, and say what to do. Exit code 1 if something is wrong.

    \b
    Example:  companion doctor
    """
    findings = list(examine(load_config(Path(config_file)) if config_file else None))
    if as_json:
        print_json([vars(f) for f in findings])
    else:
        for f in findings:
            colour = {GOOD: "green", MISSING: "yellow", BAD: "red"}[f.state]
            click.secho(f"{f.state:8}", fg=colour, nl=False)
            click.echo(f"{f.part}: {f.found}" + (f"\n        {f.advice}" if f.advice else ""))
    ctx.exit(1 if any(f.state == BAD for f in findings) else 0)


@click.command()
def config() -> None:
    """Print the settings file with every setting, its meaning and its default.

    \b
    Example:  companion config > ~/.config/companion.toml
    """
    click.echo(default_file(), nl=False)


@click.command("languages")
@click.option("--missing", default="", metavar="CODE", help="Which sentences this language lacks.")
def show_languages(missing: str) -> None:
    """The languages of the companion, and how complete each is.

    \b
    Example:  companion languages --missing de
    """
    sentences = all_sentences()
    for code in [missing] if missing else languages():
        lacks = language(code).missing(sentences)
        click.echo(f"{code}  {language(code).name}: {len(sentences) - len(lacks)} of {len(sentences)} sentences and names")
        if missing:
            for text in lacks:
                click.echo(f"  {text}")


def all_sentences() -> list[str]:
    books = [LEDGER_WORDS, TABLE_WORDS, *(game.words for game in all_games().values())]
    return sorted({text for words in books for text in (*words.sentences.values(), *words.names.values())} | {"and"})
