"""A whole evening as a family has it: the service as a program of its own, the die's real firmware in its emulator, a rendered camera,
phones over HTTP. Whatever can go wrong in it has a method here.

    with Evening(folder, "siege") as evening:
        evening.begin(); evening.goes_on(); evening.kill_service(); …
        evening.check_record()
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any, Self

from companion.games import find_game
from companion.simulation import play_random
from firmware.emulator.emulated_die import EmulatedDie
from tests.ports import free_port
from tests.web.phone import NAME, Phone

PATIENCE = 180.0  # seconds for whatever must come to be: a busy machine is slow, not wrong
STOPS = 60.0  # seconds for a service that is told to end
PACE = 4.0
COMPANION = [sys.executable, "-c", "from companion.cli import main; main()"]


class Evening:
    def __init__(self, folder: Path, game: str, seed: int = 1, pace: float = PACE) -> None:
        self.folder, self.game, self.seed, self.pace = folder, game, seed, pace
        self.journal, self.plug = folder / "table.journal", folder / "camera-plug"
        self.port = free_port()
        self.die = EmulatedDie(seed=seed)
        self.host = Phone(self.port)
        self.said: list[str] = []
        self.starts = 0
        self.number = self.late = 0
        self.process: subprocess.Popen[str] | None = None
        self._over = threading.Event()
        self._thumb = threading.Thread(target=self._press_when_due, name="thumb", daemon=True)
        self.plug.touch()
        (folder / "settings.toml").write_text(
            f'[dice]\nports = ["{self.die.path}"]\n[web]\nnames = ["{NAME}"]\n[voice]\nengine = "none"\n[gpio]\non = false\n', "utf-8"
        )

    def __enter__(self) -> Self:
        try:
            self.start_service()
        except BaseException:
            self._leave()
            raise
        self._thumb.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thumb.join(PATIENCE)
        self._leave()

    def _leave(self) -> None:
        try:
            if self.process and self.process.poll() is None:
                self.stop_service()
        finally:
            self.die.close()

    # --- the service ---

    def start_service(self) -> None:
        """As a user does it: one command; what it prints is all that anybody knows."""
        home = str(self.folder)
        environment = os.environ | {"HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, "PYTHONFAULTHANDLER": "1"}
        given = ["--config", str(self.folder / "settings.toml"), "--journal", str(self.journal), "--port", str(self.port)]
        self.said = []
        self.process = subprocess.Popen(
            [*COMPANION, "run", *given, "--camera", f"rendered:{self.plug}", "--pace", str(self.pace)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
        )  # fmt: skip
        self._reader = threading.Thread(target=self._read, args=(self.process,), daemon=True)
        self._reader.start()
        self.wait_for(lambda: "3. " in self.printed)
        if self.number:  # it goes on, or had ended before
            self.wait_for(lambda: " goes on." in self.printed or "Type 'start GAME'" in self.printed)
        self.starts += 1
        if not self.host.cookie:
            code = re.search(r"type the code (\d+)", self.printed)
            assert code
            assert self.host.post("/api/host", code=code[1], name="Greta").status == 200

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout
        with process.stdout as lines:
            for line in lines:
                self.said.append(line)

    @property
    def printed(self) -> str:
        return "".join(self.said)

    @property
    def token(self) -> str:
        found = re.search(r"/join#(\S+)", self.printed)
        assert found
        return found[1]

    def stop_service(self) -> None:
        """As systemd does it. A service that does not end says where each of its threads is."""
        assert self.process
        self.process.terminate()
        try:
            code = self.process.wait(STOPS)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGABRT)
            self.process.wait(PATIENCE)
            self._reader.join(PATIENCE)
            raise AssertionError(f"SIGTERM did not end the service in {STOPS:.0f} s:\n{self.printed[-8000:]}") from None
        self._reader.join(PATIENCE)
        assert code == 0, self.printed[-8000:]

    def kill_service(self) -> None:
        """The plug is pulled: no farewell, nothing saved but what was saved."""
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)

    @property
    def eye(self) -> int:
        """The process id of the eye; 0: there is none just now."""
        assert self.process
        for entry in Path("/proc").iterdir():
            with suppress(OSError, IndexError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1]) if entry.name.isdecimal() else 0
                if parent == self.process.pid and b"vision.process" in (entry / "cmdline").read_bytes():
                    return int(entry.name)
        return 0

    def kill_eye(self) -> None:
        old = self.eye
        assert old
        os.kill(old, signal.SIGKILL)
        self.wait_for(lambda: self.eye not in (0, old))

    # --- the game ---

    def begin(self, late: int = 0) -> None:
        """Computer players take all seats; with `late` the game begins so many events before an end that chance has found."""
        self.late = late
        given = {"position": late_position(self.game, self.seed, late)} if late else {}
        reply = self.host.post("/api/start", game=self.game, instead=self.host.look()["game"] is not None, **given).json
        assert reply["status"] == "accepted", reply
        self.number = self.host.look()["game"]["number"]
        self.let_them_play()

    def let_them_play(self) -> None:
        if not self.is_over:
            reply = self.host.post("/api/demonstration", on=True).json
            assert reply.get("on") or self.is_over, reply.get("why", reply)

    @property
    def length(self) -> int:
        return int(self.host.look()["record_length"])

    @property
    def is_over(self) -> bool:
        state = self.host.look()
        return state["game"] is None or state["outcome"] is not None

    def another_if_over(self) -> None:
        """Chance may end a game before everything was tried in it: its record is looked at, and the next one begins."""
        if self.is_over:
            self.check_record()
            self.begin(self.late)

    def goes_on(self, acts: int = 1) -> None:
        """So many more acts, or the end."""
        end = self.length + acts
        while not self.is_over and (now := self.length) < end:
            self.wait_for(lambda before=now: self.is_over or self.length != before)  # type: ignore[misc]

    def seen_moves(self) -> int:
        """Moves that the camera saw, of all those in the journal's record."""
        return sum(e["source"] == "camera" and e["kind"] == "played" for e in self.export()["events"])

    @property
    def has_rolled(self) -> bool:
        """The die itself, in this game."""
        return any(e["kind"] == "rolled" and e["source"].startswith("die:") for e in self.export()["events"])

    def play_to_the_end(self, seconds: float) -> None:
        self.wait_for(lambda: self.is_over, seconds)

    def end_by_host(self) -> None:
        assert self.host.post("/api/abandon", why="it is late").json["status"] == "accepted"

    def _press_when_due(self) -> None:
        """Somebody's thumb: whenever a roll is due, and the die is there, its button is pressed."""
        pressed = -1
        while not self._over.wait(0.1):
            try:
                state = self.host.look()
            except (OSError, HTTPException, AssertionError, ValueError):
                continue  # the service is just being killed, or not there yet
            rolls = any(due["what"] == "roll" for due in state["due"]) and not state["must_agree"]
            if rolls and state["version"] != pressed:
                pressed = state["version"]
                self.die.tap("A")

    def wait_for(self, condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(OSError, HTTPException):
                if condition():
                    return
            time.sleep(0.1)
        raise AssertionError(f"it did not come to be in {seconds:.0f} s; the service said last:\n{self.printed[-1500:]}")

    # --- faults ---

    def unplug_die(self) -> None:
        self.die.unplug()
        self.wait_for(lambda: not self.die_is_ready)

    def plug_die(self) -> None:
        self.die.plug()
        self.wait_for(lambda: self.die_is_ready)

    @property
    def die_is_ready(self) -> bool:
        return any(" is ready" in device["state"] for device in self.host.look()["devices"])

    def take_camera_away(self) -> None:
        self.plug.unlink()
        self.wait_for(lambda: "The camera is not there" in self.printed)

    def bring_camera_back(self) -> None:
        self.plug.touch()
        self.wait_for(lambda: "The camera is back" in self.printed)

    # --- afterwards ---

    def export(self) -> dict[str, Any]:
        reply = self.host.get(f"/api/export/{self.number}")
        assert reply.status == 200, reply
        document: dict[str, Any] = reply.json
        return document

    def check_record(self) -> None:
        """The exported record, taken in elsewhere and played through again, comes to the same act by act."""
        file, elsewhere = self.folder / f"{self.number}.json", self.folder / f"elsewhere-{self.number}.journal"
        file.write_text(json.dumps(self.export()), "utf-8")
        _companion("import", str(file), "--journal", str(elsewhere))
        again = json.loads(_companion("export", "1", "--journal", str(elsewhere)))
        assert [(e["kind"], e["body"], e["ruling"]) for e in again["events"]] == [
            (e["kind"], e["body"], e["ruling"]) for e in self.export()["events"]
        ]
        here = _companion("replay", str(self.number), "--journal", str(self.journal), "--json")
        assert json.loads(here) == json.loads(_companion("replay", "1", "--journal", str(elsewhere), "--json"))


def late_position(game: str, seed: int, before: int) -> dict[str, Any]:
    """So many events before the end of a game that chance played."""
    rules = find_game(game)
    terms = rules.terms()
    chance = Random(seed)
    played = next(p for p in (play_random(rules, terms, chance.random()) for _ in range(50)) if p.finished)
    state = rules.set_up(terms)
    for event in played.events[: max(0, len(played.events) - before)]:
        state = rules.rule(state, event).state  # type: ignore[union-attr]
    return rules.position(state)


def _companion(*words: str) -> str:
    done = subprocess.run([*COMPANION, *words], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
