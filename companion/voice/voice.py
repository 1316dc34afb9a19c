"""What is said when: the order of sentences, and how much of them."""

from __future__ import annotations

import hashlib
import heapq
import threading
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from tempfile import gettempdir
from typing import Self

from companion.events import one_of
from companion.languages import ENGLISH, Language, language
from companion.news import PROMPT, ROLL, RULE, News, View
from companion.voice.engines import Engine
from companion.voice.player import Player
from companion.voice.pronunciation import spoken

VERBOSITIES = {"full": {RULE, PROMPT}, "normal": {PROMPT}, "rolls": set[str](), "silent": set[str]()}
MOST_WAITING = 12  # sentences; when more wait, chatter is dropped
MOST_PHRASES = 2000  # kept as files


class Voice:
    def __init__(
        self,
        engine: Engine | None,
        player: Player | None,
        verbosity: str = "normal",
        words: Language | None = None,
        cache: Path | None = None,
    ) -> None:
        self.engine = engine
        self.player = player
        self.verbosity = one_of("verbosity", verbosity, VERBOSITIES)
        self.language = words or language(ENGLISH)
        self.cache = cache or Path(gettempdir()) / "companion-phrases"
        self.last: tuple[str, ...] = ()  # the sentences of the last announcement, for repeating
        self._recent: list[str] = []
        self._waiting: list[tuple[int, int, str, bool]] = []
        self._order = count()
        self._wake = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)

    # --- from any thread; never waits ---

    def hear(self, _: View, news: Iterable[News]) -> None:
        """For `Table.subscribe`. An empty sentence asks to repeat the last announcement."""
        told = list(news)
        if any(not n.text for n in told):
            self.repeat()
        wanted = [n for n in told if n.text and self.is_wanted(n)]
        if wanted:
            self.last = tuple(n.text for n in wanted)
            for n in wanted:
                self.say(n.text, n.urgency)

    def is_wanted(self, news: News) -> bool:
        if self.verbosity == "silent":
            return False
        if self.verbosity == "rolls":
            return news.kind == ROLL
        return news.kind not in (RULE, PROMPT) or news.kind in VERBOSITIES[self.verbosity]

    def say(self, text: str, urgency: int = 1, asked: bool = False) -> None:
        with self._wake:
            heapq.heappush(self._waiting, (urgency, next(self._order), text, asked))
            if len(self._waiting) > MOST_WAITING:  # the table is faster than any tongue: the least urgent goes
                self._waiting.remove(max(self._waiting, key=lambda item: (item[0], -item[1])))
                heapq.heapify(self._waiting)
            self._wake.notify()

    def spell(self, sentence: str, code: str) -> None:
        """A sentence and then a code, sign by sign: what is spoken is kept as files, and no code must lie in one."""
        if self.verbosity not in ("rolls", "silent"):
            for text in (sentence, *code):
                self.say(text, asked=True)

    def repeat(self) -> None:
        for text in self.last:
            self.say(text, 0, asked=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Say nothing more; a sentence that is being spoken ends by itself."""
        with self._wake:
            self._stopped = True
            self._wake.notify()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # --- the voice's own thread ---

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._waiting and not self._stopped:
                    self._wake.wait()
                if self._stopped:
                    return
                _, _, text, asked = heapq.heappop(self._waiting)
            if asked or self.may_say(text):
                self.speak(text)

    def may_say(self, text: str) -> bool:
        """Never the same sentence three times in a row."""
        if self._recent[-2:] == [text, text]:
            return False
        self._recent = [*self._recent[-1:], text]
        return True

    def speak(self, text: str) -> bool:
        """Say it now. False if it could not be heard."""
        file = self.phrase(text)
        return bool(file and self.player and self.player.play(file))

    def phrase(self, text: str) -> Path | None:
        """The sentence as a WAV file, from the cache if it was ever said before."""
        if self.engine is None:
            return None
        words = spoken(text, self.language)
        name = hashlib.sha256(f"{self.engine.name} {self.language.code} {words}".encode()).hexdigest()[:24]
        file = self.cache / f"{name}.wav"
        if not file.exists():
            try:
                self.cache.mkdir(parents=True, exist_ok=True)
                self._tidy()
            except OSError:
                return None
            if not self.engine.render(words, file):
                return None
        return file

    def _tidy(self) -> None:
        phrases = sorted(self.cache.glob("*.wav"), key=lambda p: p.stat().st_atime)
        for old in phrases[: len(phrases) - MOST_PHRASES + 1] if len(phrases) >= MOST_PHRASES else []:
            old.unlink(missing_ok=True)
