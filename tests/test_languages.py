"""A translation keeps every gap of its sentence, and a whole game can be heard in it."""

from __future__ import annotations

import string

import pytest

from companion.cli.health import all_sentences
from companion.games import find_game
from companion.languages import language, languages
from companion.ledger_words import WORDS as LEDGER_WORDS
from companion.referee import judge
from companion.simulation import play_random
from companion.table_words import WORDS as TABLE_WORDS
from companion.voice.pronunciation import spoken

OTHERS = [code for code in languages() if code != "en"]
COMPLETE_GAMES = {"de": ["kop_the_kaiser"]}


def gaps(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name})


@pytest.mark.parametrize("code", OTHERS)
def test_every_translated_sentence_has_the_gaps_of_its_english_one(code: str) -> None:
    for english, translated in language(code).sentences.items():
        assert gaps(english) == gaps(translated), english
        assert translated.strip()


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_translated_that_is_never_said(code: str) -> None:
    physical = {s for s in language(code).sentences if s.startswith(("Move the", "Put a", "Take the", "Turn the"))}
    assert set(language(code).sentences) - set(all_sentences()) - physical == set()


@pytest.mark.parametrize("code", OTHERS)
def test_the_table_itself_is_translated_completely(code: str) -> None:
    assert language(code).missing([*LEDGER_WORDS.sentences.values(), *TABLE_WORDS.sentences.values()]) == []


@pytest.mark.parametrize(("code", "name"), [(code, name) for code, names in COMPLETE_GAMES.items() for name in names])
def test_a_whole_game_is_announced_without_a_word_of_english(code: str, name: str) -> None:
    game, words = find_game(name), language(code)
    assert words.missing([*game.words.sentences.values(), *game.words.names.values()]) == []
    terms = game.terms(seats=3)
    state = game.set_up(terms)
    said = []
    for event in play_random(game, terms, 5).events:
        ruling = judge(game, state, event, words)
        said += ruling.said
        state = ruling.state
    assert len(said) > 50
    assert not [text for text in said if " the " in text or " rolled " in text]


def test_numbers_are_spoken_in_the_language() -> None:
    assert spoken("Boston würfelt 11, nicht 4.", language("de")) == "Boston würfelt elf, nicht vier."
    assert language("de").number(13) == "13"


def test_what_is_not_translated_stays_english() -> None:
    assert language("de")("Never heard before.") == "Never heard before."
