"""A game in a folder of one's own is everywhere: command line, table, phones, paper, and the tests that every game must pass."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.acts import Agreed, Played
from companion.game import terms_to_json
from companion.games import all_games, find_game
from companion.journal import Journal
from companion.simulation import random_event
from companion.table import Do, Start, Table, replay
from tests.sixth_game.conftest import FOLDER, NAME
from tests.web.phone import Phone

ROOT = FOLDER.parents[1]
PRODUCT = ("companion", "web", "vision", "firmware", "hardware")


def companion(*words: str, cwd: Path, stdin: str = "", folder: Path | str = FOLDER) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from companion.cli import main; main()", *words]
    environment = os.environ | {"COMPANION_GAMES": str(folder), "HOME": str(cwd)}
    return subprocess.run(program, env=environment, cwd=cwd, input=stdin, capture_output=True, text=True)


def test_no_file_of_the_product_knows_it() -> None:
    files = [p for folder in PRODUCT for p in (ROOT / folder).rglob("*") if p.suffix in {".py", ".toml", ".json", ".js", ".html"}]
    assert len(files) > 150
    assert [str(p) for p in files if NAME in p.read_text("utf-8", errors="replace")] == []


def test_it_is_there_only_when_its_folder_is_named(tmp_path: Path) -> None:
    assert NAME in companion("games", cwd=tmp_path).stdout
    assert NAME not in companion("games", cwd=tmp_path, folder="").stdout
    several = os.pathsep.join([str(tmp_path), str(FOLDER)])
    listed = json.loads(companion("games", "--json", cwd=tmp_path, folder=several).stdout)
    assert len(listed) == len(all_games()) + 1


@pytest.mark.slow
def test_it_passes_the_tests_that_every_game_must_pass() -> None:
    general = ["tests/games/test_properties.py", "tests/games/test_rearrange.py"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", *general, "-k", NAME]
    answer = subprocess.run(command, env=os.environ | {"COMPANION_GAMES": str(FOLDER)}, cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout[-3000:]
    assert answer.stdout.count("PASSED") >= 15


def test_the_command_line_simulates_checks_draws_and_prints_it(tmp_path: Path) -> None:
    simulated = companion("simulate", NAME, cwd=tmp_path)
    assert "not ended after 20000 events: 0" in simulated.stdout, simulated.stderr
    dispute = {"game": NAME, "position": {"turn": "sun", "throw": 2, "runners": {"sun": "a1", "moon": "c1"}}}
    step = {"seat": "sun", "do": "move", "piece": "red-runner", "from": "a1"}
    legal = companion("check", "-", cwd=tmp_path, stdin=json.dumps(dispute | {"move": step | {"to": "c1"}}))
    wrong = companion("check", "-", cwd=tmp_path, stdin=json.dumps(dispute | {"move": step | {"to": "b1"}}))
    assert (legal.returncode, wrong.returncode) == (0, 1), legal.stderr + wrong.stderr
    assert "CR-05" in wrong.stdout
    assert companion("board", "draw", NAME, "race.png", cwd=tmp_path).returncode == 0
    printed = companion("print", "all", NAME, cwd=tmp_path)
    assert printed.returncode == 0, printed.stderr
    assert sorted(p.name for p in tmp_path.glob("*.p*")) == [
        "corner_race-board.pdf", "corner_race-cards.pdf", "corner_race-pieces.pdf", "race.png",
    ]  # fmt: skip


@pytest.mark.usefixtures("sixth")
def test_the_table_plays_it_to_the_end_and_the_journal_replays_equal(tmp_path: Path) -> None:
    game, chance = find_game(NAME), Random(6)
    with Table(Journal.open(tmp_path / "table.journal")) as table:
        table.ask(Start(terms_to_json(game.terms()))).result()
        for seat in game.seats:
            assert table.ask(Do(Agreed(seat), by=seat)).result().status == "accepted"
        while not (ledger := table.view.ledger).outcome:  # type: ignore[union-attr]
            event = random_event(game, ledger.state, chance)  # type: ignore[union-attr]
            assert event is not None
            assert table.ask(Do(Played(event), by=event.seat)).result().status == "accepted"
        number, played = table.view.game, table.view.ledger
        again = replay(table.journal.games()[0].terms, table.journal.events(number), str)
    assert played is not None
    assert game.position(again.state) == game.position(played.state)


@pytest.mark.usefixtures("sixth")
def test_two_phones_play_it_to_the_end(host: Phone, join: Callable[..., Phone]) -> None:
    chance = Random(3)
    assert host.post("/api/start", game=NAME).json["status"] == "accepted"
    players = {seat: join(name, seat) for seat, name in (("sun", "Anna"), ("moon", "Ben"))}
    for seat, phone in players.items():
        assert phone.act("agreed", seat=seat).json["status"] == "accepted"
    assert host.get(f"/api/board/{NAME}.svg").status == 200
    tried_wrong = False
    while not (state := host.look())["outcome"]:
        due = state["due"][0]
        phone = players[due["seat"]]
        if due["what"] == "roll":
            assert phone.roll(chance.randint(1, 6)).json["status"] == "accepted"
            continue
        legal = [{key: m[key] for key in ("seat", "do", "piece", "from", "to") if m[key]} for m in state["legal"]]
        if not tried_wrong:
            wrong = next(space for space in ("a1", "c3") if space not in {m["to"] for m in legal})
            refused = phone.act("played", event=legal[0] | {"to": wrong}).json
            assert refused["status"] == "refused"
            assert refused["citations"]
            tried_wrong = True
        assert phone.act("played", event=chance.choice(legal)).json["status"] == "accepted"
    assert tried_wrong
