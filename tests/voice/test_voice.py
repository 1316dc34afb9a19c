"""What is said, in which order, and that it can be heard and understood."""

from __future__ import annotations

import array
import math
import shutil
import threading
import wave
from pathlib import Path

import pytest

from companion.languages import language, languages
from companion.news import CHATTY, NORMAL, PROMPT, ROLL, RULE, RULING, URGENT, News, View
from companion.voice import VERBOSITIES, Voice, find_engine
from companion.voice.engines import Engine
from companion.voice.player import Player
from companion.voice.pronunciation import spoken

ENGLISH = language("en")
needs_flite = pytest.mark.skipif(not shutil.which("flite"), reason="flite is not installed")
needs_espeak = pytest.mark.skipif(not shutil.which("espeak-ng"), reason="espeak-ng is not installed")


class Listener(Player):
    """A loudspeaker that writes down what it plays, and can be made to wait."""

    def __init__(self) -> None:
        super().__init__(())
        object.__setattr__(self, "heard", [])
        object.__setattr__(self, "free", threading.Event())
        object.__setattr__(self, "done", threading.Semaphore(0))

    heard: list[str]
    free: threading.Event
    done: threading.Semaphore

    def play(self, file: Path) -> bool:
        self.free.wait(30)
        self.heard.append(file.read_text())
        self.done.release()
        return True

    def hears(self, count: int) -> list[str]:
        self.free.set()
        for _ in range(count):
            assert self.done.acquire(timeout=30)
        return self.heard


class Scribe(Engine):
    """An engine that writes the words instead of the sound."""

    def __init__(self) -> None:
        super().__init__("scribe", lambda out: [])

    def render(self, text: str, file: Path) -> bool:
        file.write_text(text)
        return True


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def voice(listener: Listener, tmp_path: Path) -> Voice:
    return Voice(Scribe(), listener, cache=tmp_path)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Red rolled 5.", "Red rolled five."),
        ("The dice show 3 and 12.", "The dice show three and twelve."),
        ("A Knight may not leap to e4 (SG-13, SG-15).", "A Knight may not leap to E four."),
        ("draw stays threefold_or_50: fine", "draw stays threefold or 50: fine"),
        ("Red: move knight c0 > d2", "Red: move knight C zero D two"),
    ],
)
def test_numbers_squares_and_signs_are_written_the_way_they_are_spoken(written: str, said: str) -> None:
    assert spoken(written, ENGLISH) == said


def test_whatever_a_phone_or_a_die_sends_only_letters_numbers_and_stops_reach_the_engine() -> None:
    said = spoken("<script>alert(1)</script> \x1b[2J $(reboot) `x` \x00 --flag", ENGLISH)
    assert not set(said) & set("<>$`()[]/\x1b\x00")


def test_the_urgent_goes_before_the_chatty(voice: Voice, listener: Listener) -> None:
    voice.start()
    voice.say("first")  # is being spoken while the others come
    voice.say("chatter", CHATTY)
    voice.say("normal", NORMAL)
    voice.say("urgent", URGENT)
    heard = listener.hears(4)
    assert heard.index("urgent") < heard.index("normal") < heard.index("chatter")
    voice.stop()


def test_the_same_sentence_is_never_said_three_times_in_a_row(voice: Voice, listener: Listener) -> None:
    voice.start()
    for text in ("again", "again", "again", "other", "again"):
        voice.say(text)
    assert listener.hears(4) == ["again", "again", "other", "again"]
    voice.stop()


def test_the_last_announcement_is_repeated_on_request_even_a_third_time(voice: Voice, listener: Listener) -> None:
    voice.start()
    voice.hear(View(), [News("Red rolled 5.", kind=ROLL)])
    for _ in range(3):
        voice.hear(View(), [News("", URGENT)])
    assert listener.hears(4) == ["Red rolled five."] * 4
    voice.stop()


NEWS = [
    News("roll", kind=ROLL),
    News("event"),
    News("refusal", kind=RULING),
    News("prompt", kind=PROMPT),
    News("rule", kind=RULE),
]


@pytest.mark.parametrize(
    ("verbosity", "wanted"),
    [
        ("full", ["roll", "event", "refusal", "prompt", "rule"]),
        ("normal", ["roll", "event", "refusal", "prompt"]),
        ("rolls", ["roll"]),
        ("silent", []),
    ],
)
def test_the_verbosity_decides_what_is_said(voice: Voice, verbosity: str, wanted: list[str]) -> None:
    assert verbosity in VERBOSITIES
    voice.verbosity = verbosity
    assert [n.text for n in NEWS if voice.is_wanted(n)] == wanted


def test_a_code_is_spelt_and_lies_in_no_file(voice: Voice, listener: Listener) -> None:
    voice.start()
    voice.spell("The host's code is:", "40002")
    assert listener.hears(6) == ["The host's code is:", "four", "zero", "zero", "zero", "two"]
    kept = {file.read_text() for file in voice.cache.rglob("*") if file.is_file()}
    assert kept == {"The host's code is:", "four", "zero", "two"}
    voice.stop()


def test_a_table_that_is_to_be_silent_does_not_spell_either(voice: Voice, listener: Listener) -> None:
    for voice.verbosity in ("silent", "rolls"):
        voice.spell("The host's code is:", "1234")
    voice.start()
    voice.say("Red rolled 3.")
    assert listener.hears(1) == ["Red rolled three."]
    voice.stop()


def test_speaking_never_keeps_the_table_waiting_and_chatter_is_dropped_when_too_much_waits(
    voice: Voice, listener: Listener
) -> None:
    voice.start()  # the loudspeaker is blocked all the while
    for number in range(200):
        voice.say(f"chatter {'x' * number}", CHATTY)
    voice.say("urgent", URGENT)
    heard = listener.hears(12)
    assert "urgent" in heard[:2]
    voice.stop()


def test_a_phrase_is_rendered_once_and_kept(tmp_path: Path) -> None:
    rendered = []

    class Counting(Scribe):
        def render(self, text: str, file: Path) -> bool:
            rendered.append(text)
            return super().render(text, file)

    voice = Voice(Counting(), None, cache=tmp_path)
    assert voice.phrase("Red rolled 5.") == voice.phrase("Red rolled 5.")
    assert rendered == ["Red rolled five."]


def test_without_engine_or_loudspeaker_the_voice_is_silent_and_nothing_breaks(tmp_path: Path) -> None:
    assert not Voice(None, None).speak("hello")
    broken = Engine("broken", lambda out: ["/nowhere/engine", str(out)])
    assert Voice(broken, None, cache=tmp_path).phrase("hello") is None
    assert list(tmp_path.iterdir()) == []
    unwritable = tmp_path / "file"
    unwritable.write_text("")
    assert Voice(Scribe(), None, cache=unwritable / "inside").phrase("hello") is None


def test_engines_are_taken_in_the_order_piper_flite_espeak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("piper", "flite", "espeak-ng"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    model = tmp_path / "voice.onnx"
    model.write_text("")

    def found(**how: object) -> str | None:
        engine = find_engine(**how)  # type: ignore[arg-type]
        return engine and engine.name

    assert found(piper_voice=str(model)) == "piper"
    assert found() == "flite"
    assert found(piper_voice="/nowhere.onnx") == "flite"
    assert found(language=language("de")) == "espeak-ng"
    (tmp_path / "flite").unlink()
    assert found() == "espeak-ng"
    assert found(wanted="none") is None
    (tmp_path / "espeak-ng").unlink()
    assert found() is None


def loudness_and_seconds(file: Path) -> tuple[float, float]:
    with wave.open(str(file)) as sound:
        assert sound.getsampwidth() == 2
        samples = array.array("h", sound.readframes(sound.getnframes()))
        return math.sqrt(sum(s * s for s in samples) / len(samples)), sound.getnframes() / sound.getframerate()


@needs_flite
def test_flite_really_speaks(tmp_path: Path) -> None:
    file = Voice(find_engine(wanted="flite"), None, cache=tmp_path).phrase("Red rolled 5. Blue, it is your turn.")
    assert file
    loudness, seconds = loudness_and_seconds(file)
    assert loudness > 300
    assert 1 < seconds < 8


@needs_espeak
@pytest.mark.parametrize("code", languages())
def test_espeak_really_speaks_every_language(tmp_path: Path, code: str) -> None:
    words = language(code)
    file = Voice(find_engine(words, wanted="espeak-ng"), None, words=words, cache=tmp_path).phrase(f"{words('and')} 5.")
    assert file
    loudness, seconds = loudness_and_seconds(file)
    assert loudness > 300
    assert seconds > 0.3


GRAMMAR = """#JSGF V1.0;
grammar rolls;
public <roll> = (red | blue | yellow | green | black) rolled (one | two | three | four | five | six);
"""


@needs_flite
@pytest.mark.slow
def test_a_recogniser_understands_every_roll(tmp_path: Path) -> None:
    """Among thirty rolls it must pick the right one nearly always; by chance it would be one in thirty."""
    pocketsphinx = pytest.importorskip("pocketsphinx")
    grammar = tmp_path / "rolls.gram"
    grammar.write_text(GRAMMAR)
    decoder = pocketsphinx.Decoder(jsgf=str(grammar), lm=None, loglevel="FATAL")
    voice = Voice(find_engine(wanted="flite"), None, cache=tmp_path)
    right = 0
    for seat in ("Red", "Blue", "Yellow", "Green", "Black"):
        for face in range(1, 7):
            file = voice.phrase(f"{seat} rolled {face}.")
            assert file
            with wave.open(str(file)) as sound:
                decoder.start_utt()
                decoder.process_raw(sound.readframes(sound.getnframes()), full_utt=True)
                decoder.end_utt()
            understood = decoder.hyp().hypstr if decoder.hyp() else ""
            right += understood == spoken(f"{seat} rolled {face}", ENGLISH).lower()
    assert right >= 28
