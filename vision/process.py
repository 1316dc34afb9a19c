"""The eye in a process of its own, so that seeing never delays a page, a roll or a ruling.

Lines of JSON go both ways. To the eye: `{"scene": …}` (what the table knows, see `vision.scene`), `{"camera": "off"}`, `{"trust": [spaces]}`,
`{"ask": {"id": 7, "do": "picture"}}` (see `vision.asking`), `{"stage": …}` (for a rendered table, see `vision.rendered.stage`).
From it: reports (see `vision.reports`), and answers.
If it dies it is started again and told the latest; the table never waits for it.

    eye = EyeProcess("vision.lookout:from_settings", {"source": "0", …}, hear)     # function(settings) -> source, watcher
    eye.start(); eye.send({"scene": …}); eye.stop()
"""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from companion.events import BadInput
from vision.reports import CAMERA, Report
from vision.scene import Scene, scene_from_json

if TYPE_CHECKING:  # the table's process does without OpenCV and its 40 MB
    from vision.marks import Sighting
    from vision.watch import Frame

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds before it is started again
LONG_ENOUGH = 20.0  # seconds after which a run counts as good
# Pictures that are done with go back to the system at once; else glibc keeps some 50 to 100 MB of them, and a Pi has 1 GB.
MEMORY = {"MALLOC_MMAP_THRESHOLD_": "1048576", "MALLOC_TRIM_THRESHOLD_": "1048576", "MALLOC_ARENA_MAX": "2"}
STOPS = 5.0  # seconds for it to end when it is told to
ANSWER = "answer"  # to a question of the table's; no report
MOST_WAITING = 200  # messages to an eye that does not read; scenes replace each other anyway


class Source(Protocol):
    """Where frames come from. `read` waits a little while for the newest one and gives its time in seconds, or None."""

    def read(self) -> tuple[Frame, float] | None: ...

    def close(self) -> None: ...


class Watching(Protocol):
    """A watcher (`vision.watch`), or one for every board (`vision.lookout`)."""

    @property
    def scene(self) -> Scene | None: ...

    @property
    def sighting(self) -> Sighting | None: ...

    def show(self, scene: Scene | None, set_up: bool = False) -> None: ...

    def switch(self, on: bool) -> None: ...

    def trust(self, spaces: Collection[str]) -> None: ...

    def frame(self, frame: Frame, time: float) -> list[Report]: ...

    def packing_up(self) -> list[Report]: ...


Factory = Callable[[Mapping[str, Any]], tuple[Source, Watching]]


# --- in the eye's own process ---


def find_factory(name: str) -> Factory:
    module, _, function = name.partition(":")
    factory: Factory = getattr(importlib.import_module(module), function)
    return factory


def serve(factory: Factory, settings: Mapping[str, Any], lines: Any, say: Callable[[Mapping[str, Any]], None]) -> None:
    """Watch until the lines from the table end. What it says it says as JSON."""
    inbox: queue.SimpleQueue[Mapping[str, Any] | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(lines, inbox), name="lines", daemon=True).start()
    try:
        source, watcher = factory(settings)
    except BadInput as error:
        say({"kind": CAMERA, "text": str(error)})
        return
    over, missing = 0, ""
    try:
        while True:
            while not inbox.empty():
                message = inbox.get()
                if message is None:
                    return
                _obey(watcher, message)
                if "stage" in message and hasattr(source, "tell"):
                    source.tell(message["stage"])
                if "ask" in message:
                    say(_answer(watcher, message["ask"], missing))
            got = source.read()
            if (why := getattr(source, "missing", "")) != missing:
                missing = why
                say({"kind": CAMERA, "text": why or "The camera is back."})
            if got is None:
                continue
            for report in watcher.frame(*got):
                say(report.to_json())
            scene = watcher.scene
            if scene and scene.number != over and watcher.sighting and scene.game.outcome(scene.state):
                over = scene.number
                for report in watcher.packing_up():
                    say(report.to_json())
    finally:
        source.close()


def _listen(lines: Any, inbox: queue.SimpleQueue[Mapping[str, Any] | None]) -> None:
    for line in lines:
        try:
            inbox.put(json.loads(line))
        except ValueError:
            log.warning("the eye heard a line that is no JSON")
    inbox.put(None)


def _obey(watcher: Watching, message: Mapping[str, Any]) -> None:
    if "camera" in message:
        watcher.switch(message["camera"] != "off")
    if "trust" in message:
        watcher.trust([str(space) for space in message["trust"]])
    if "scene" in message:
        scene = message["scene"]
        watcher.show(scene_from_json(scene) if scene else None, bool(message.get("set_up")))


def _answer(watcher: Watching, question: Mapping[str, Any], missing: str) -> dict[str, Any]:
    answer = getattr(watcher, "answer", None)
    told = {"error": missing} if missing else answer(question) if answer else {"error": "This camera answers no questions."}
    return {"kind": ANSWER, "id": question.get("id"), **told}


def main() -> None:
    """Run by `EyeProcess`: the factory's name is the argument, the settings come as the first line."""
    settings = json.loads(sys.stdin.readline() or "{}")
    out, sys.stdout = sys.stdout, sys.stderr  # a library that prints must not break the lines

    def say(report: Mapping[str, Any]) -> None:
        out.write(json.dumps(report) + "\n")
        out.flush()

    try:
        serve(find_factory(sys.argv[1]), settings, sys.stdin, say)
    except (BrokenPipeError, KeyboardInterrupt):
        return  # the table is gone


# --- in the table's process ---


class EyeProcess:
    """Keeps the eye running. Everything here returns at once; `hear` is called on a thread of its own."""

    def __init__(
        self, factory: str, settings: Mapping[str, Any], hear: Callable[[Mapping[str, Any]], None], pause: float = FIRST_PAUSE
    ) -> None:
        self.factory, self.settings, self.hear, self.first_pause = factory, settings, hear, pause
        self.process: subprocess.Popen[str] | None = None
        self.starts = 0
        self._latest: dict[str, Mapping[str, Any]] = {}  # what a new process has to be told
        self._lock = threading.Lock()
        self._outbox: queue.Queue[Mapping[str, Any]] = queue.Queue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._keep_running, name="eye", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def send(self, message: Mapping[str, Any]) -> None:
        with self._lock:
            for key in ("stage", "scene", "camera"):
                if key in message:
                    self._latest[key] = message
        if self._outbox.qsize() < MOST_WAITING:
            self._outbox.put(message)

    def stop(self) -> None:
        self._stopping.set()
        process = self.process
        if process is not None:
            process.terminate()
        if self._thread.is_alive():
            self._thread.join(timeout=STOPS)
        if self._thread.is_alive() and self.process is not None:  # a camera's driver may hold it; nobody waits for that
            self.process.kill()

    def _keep_running(self) -> None:
        pause = self.first_pause
        while not self._stopping.is_set():
            began = time.monotonic()
            self._run_once()
            if self._stopping.is_set():
                return
            if time.monotonic() - began > LONG_ENOUGH:
                pause = self.first_pause
            self.hear({"kind": CAMERA, "text": "The camera stopped and is being started again. The game goes on without it."})
            self._stopping.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _run_once(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", "vision.process", self.factory],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1, env=os.environ | MEMORY,
            start_new_session=True,  # Ctrl-C in the terminal is for the table, which ends the eye itself
        )  # fmt: skip
        self.process = process
        self.starts += 1
        if self._stopping.is_set():
            process.terminate()
        assert process.stdin
        assert process.stdout
        with self._lock:
            self._outbox = queue.Queue()
            for message in (self.settings, *self._latest.values()):
                self._outbox.put(message)
        done = threading.Event()
        writer = threading.Thread(target=self._write, args=(process.stdin, self._outbox, done), name="to the eye", daemon=True)
        writer.start()
        for line in process.stdout:
            try:
                self.hear(json.loads(line))
            except ValueError:
                log.warning("the eye said something that is no report")
        process.wait()
        done.set()
        writer.join()
        process.stdout.close()

    @staticmethod
    def _write(pipe: Any, outbox: queue.Queue[Mapping[str, Any]], done: threading.Event) -> None:
        try:
            while not done.is_set():
                try:
                    message = outbox.get(timeout=0.2)
                except queue.Empty:
                    continue
                pipe.write(json.dumps(message) + "\n")
                pipe.flush()
        except (OSError, ValueError):
            pass  # it died; the next one hears the latest
        finally:
            with contextlib.suppress(OSError):
                pipe.close()


if __name__ == "__main__":
    main()
