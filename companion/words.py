"""What is said, apart from how it is worded.

Rules make a `Say`: a key and its values. A game's words file holds one English sentence for each key; a translation holds the
same sentence in another language. So every sentence is made in one place, and can be shown, spoken or translated.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Translate = Callable[[str], str]


class Say(NamedTuple):
    """Something to be said: the key of a sentence and the values that go into it."""

    key: str
    values: Mapping[str, Any] = {}


def say(key: str, **values: Any) -> Say:
    return Say(key, values)


class Words:
    """The sentences of one game (`sentences`), and the names of its seats, pieces and places (`names`)."""

    def __init__(self, sentences: Mapping[str, str], names: Mapping[str, str] | None = None) -> None:
        self.sentences = dict(sentences)
        self.names = dict(names or {})

    def tell(self, what: Say, translate: Translate = str) -> str:
        """The sentence in words. Values that are ids of this game are replaced by their names."""
        sentence = translate(self.sentences[what.key])
        values = {key: self.name(value, translate) for key, value in what.values.items()}
        text = sentence.format(**values)
        return text[:1].upper() + text[1:]

    def name(self, value: Any, translate: Translate = str) -> str:
        if isinstance(value, Say):
            text = self.tell(value, translate)
            return text[:1].lower() + text[1:]
        if isinstance(value, tuple | list):
            return self.listed([self.name(v, translate) for v in value], translate)
        if isinstance(value, str) and value in self.names:
            return translate(self.names[value])
        return str(value)

    def listed(self, parts: list[str], translate: Translate = str) -> str:
        if len(parts) < 2:
            return "".join(parts)
        return ", ".join(parts[:-1]) + " " + translate("and") + " " + parts[-1]

    def fields(self, key: str) -> set[str]:
        """The values that a sentence needs."""
        return {name for _, name, _, _ in string.Formatter().parse(self.sentences[key]) if name}
