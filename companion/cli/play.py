"""companion play: a hot-seat game in the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import click

from companion.cli.check import show
from companion.cli.choices import chosen_terms, game_choices, read_text
from companion.cli.terminal_board import draw_terminal
from companion.events import BadInput, Event, Roll, brief
from companion.game import Game, parse_json
from companion.games import all_games, find_game
from companion.notation import from_text, to_text
from companion.record import Record, record_from_json
from companion.referee import ACCEPTED, judge
from companion.ruling import Due

DICE = {1: "⚀ 1", 2: "⚁ 2", 3: "⚂ 3", 4: "⚃ 4", 5: "⚄ 5", 6: "⚅ 6"}
HELP = """
  a number            do that move of the list          Enter        do the only move there is, else roll
  throw               roll, whatever else may be done   ?            this help
  roll 5, roll 3 4    what your own dice showed          back         take the last move back ('back roll': a roll too)
  move … > …          a move in words                    red: …       the same for a named seat
  list                all legal moves                    rule SG-17   what a rule says
  save FILE           keep the game                      quit         leave (the game is kept if it was saved)
"""


@click.command()
@click.argument("game", required=False)
@game_choices
@click.option("--seed", type=int, help="Make the companion's dice repeatable.")
@click.option("--resume", "resume_file", default="", metavar="FILE", help="Go on with a game that was saved.")
@click.option("--save", "save_file", default="", metavar="FILE", help="Keep the game in this file after every move.")
def play(
    game: str | None, variant: str, seats: str, readings: tuple[str, ...], options: tuple[str, ...], board_name: str,
    seed: int | None, resume_file: str, save_file: str,
) -> None:  # fmt: skip
    """Play a game in this terminal, all players at one keyboard.

    \b
    Examples:  companion play siege
               companion play royal_purple --variant children --seats 3
               companion play kop_the_kaiser --seats new-york,boston --reading after_repeat=pass
               companion play --resume tuesday.json
    """
    if resume_file:
        record = record_from_json(parse_json(read_text(resume_file), "file"))
        save_file = save_file or resume_file
    else:
        chosen = find_game(game) if game else _ask_for_game()
        record = Record(chosen, chosen_terms(chosen, variant, seats, readings, options, board_name))
    Session(record, Random(seed) if seed is not None else SystemRandom(), save_file).run()


def _ask_for_game() -> Game:
    games = list(all_games().values())
    for number, g in enumerate(games, 1):
        click.echo(f"  {number}  {g.title}")
    picked = click.prompt("Which game", type=click.IntRange(1, len(games)), default=1)
    return games[picked - 1]


class Session:
    """One game at one keyboard. All that is kept is the record; the state is the record replayed."""

    def __init__(self, record: Record, chance: Random, save_file: str) -> None:
        self.record = record
        self.chance = chance
        self.save_file = save_file
        self.states = record.states()

    @property
    def state(self) -> Any:
        return self.states[-1]

    def run(self) -> None:
        game = self.record.game
        click.secho(f"{game.title}: {', '.join(self.record.terms.seats)}. Type ? for help.", bold=True)
        while True:
            click.echo()
            click.echo(draw_terminal(self.record.terms.board, game.layout(self.state)))
            outcome = game.outcome(self.state)
            if outcome:
                click.secho(game.words.tell(outcome.why), fg="green", bold=True)
                for seat, score in outcome.scores:
                    click.echo(f"  {game.words.name(seat)}: {score}")
            due = game.due(self.state)
            for d in due:
                click.secho(("You may: " if d.optional else "Due: ") + game.words.tell(d.say), fg=None if d.optional else "cyan")
            moves = game.legal_moves(self.state)
            for number, move in enumerate(moves[:12], 1):
                click.echo(f"  {number:2}  {game.words.name(move.seat)}: {to_text(move)}")
            if len(moves) > 12:
                click.echo(f"      … {len(moves) - 12} more: type 'list'")
            if not self._take(click.prompt(">", default="", show_default=False, prompt_suffix=" "), moves):
                return

    def _take(self, line: str, moves: list[Any]) -> bool:
        """Do what a line says. False: leave."""
        text = line.strip()
        word, _, rest = text.partition(" ")
        try:
            if text in ("quit", "q", "exit"):
                return False
            if text == "?":
                click.echo(HELP)
            elif text == "list":
                for number, move in enumerate(moves, 1):
                    click.echo(f"  {number:2}  {move.seat}: {to_text(move)}")
            elif word == "rule":
                click.echo(self.record.game.rulebook.text(rest.strip()))
            elif word == "back":
                self._back(rest.strip())
            elif word == "save":
                self.save_file = rest.strip() or self.save_file
                self._save(aloud=True)
            else:
                self._play(self._event(text, moves))
        except BadInput as error:
            click.secho(str(error), fg="red")
        return True

    def _event(self, text: str, moves: list[Any]) -> Event:
        game, due = self.record.game, self.record.game.due(self.state)
        if not due:
            raise BadInput("The game is over. Type 'back' or 'quit'.")
        rolls = [d for d in due if d.what == "roll"]
        if not text:
            if moves and len(moves) == len({m.seat for m in moves}):  # nobody has a choice, as with a forgotten marker
                return moves[0]  # type: ignore[no-any-return]
            if moves and not rolls:
                raise BadInput("A move is due: type its number, or '?' for help.")
            return self._throw(rolls)
        if text == "throw":
            return self._throw(rolls)
        if text.isdecimal() and len(text) < 6:
            if not 1 <= int(text) <= len(moves):
                raise BadInput(f"There is no move number {text}; to tell a roll, type 'roll {text}'.")
            return moves[int(text) - 1]  # type: ignore[no-any-return]
        seat, colon, rest = text.partition(":")
        forms, seats = game.forms(self.record.terms), self.record.terms.seats
        if colon:
            if seat not in seats:
                raise BadInput(f"{brief(seat)} is no seat here; seats are {', '.join(seats)}")
            return from_text(rest, seat, forms)
        if text.startswith("roll") and rolls:
            return from_text(text, rolls[0].seat, forms)
        moving = [d.seat for d in due if d.what == "move"]
        return from_text(text, (moving or [due[0].seat])[0], forms)

    def _throw(self, rolls: list[Due]) -> Roll:
        if not rolls:
            raise BadInput("No roll is due now.")
        return Roll(rolls[0].seat, tuple(self.chance.randint(1, 6) for _ in rolls[0].dice))

    def _play(self, event: Event) -> None:
        game = self.record.game
        if isinstance(event, Roll):
            click.secho(f"{game.words.name(event.seat)}: {' '.join(DICE[face] for face in event.dice)}", bold=True)
        ruling = judge(game, self.state, event)
        if ruling.status != ACCEPTED:
            show(game, ruling)
            return
        for text in ruling.said:
            click.echo(text)
        self.record = self.record.with_event(event)
        self.states.append(ruling.state)
        self._save()

    def _back(self, what: str) -> None:
        if not self.record.events:
            raise BadInput("Nothing has happened yet.")
        last = self.record.events[-1]
        if isinstance(last, Roll) and what != "roll":
            raise BadInput("The last thing was a roll. Type 'back roll' if everybody agrees to take it back.")
        self.record = self.record.without_last()
        self.states.pop()
        click.echo(f"Taken back: {last.seat}: {to_text(last)}")
        self._save()

    def _save(self, aloud: bool = False) -> None:
        if not self.save_file:
            if aloud:
                raise BadInput("Type a file name after 'save'.")
            return
        path = Path(self.save_file)
        try:
            part = path.with_name(path.name + ".part")  # a half-written file never replaces a whole one
            part.write_text(json.dumps(self.record.to_json(), indent=1, ensure_ascii=False), "utf-8")
            part.replace(path)
        except OSError as error:
            raise BadInput(
                f"Not saved: {brief(self.save_file)} cannot be written ({error.strerror}). The game goes on."
            ) from error
        if aloud:
            click.echo(f"Saved in {self.save_file}.")
