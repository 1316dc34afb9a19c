"""Writes a sentence the way it should be spoken: numbers as words, squares letter by letter, no rule numbers, no signs."""

from __future__ import annotations

import re

from companion.languages import Language

_RULE = re.compile(r"\s*\(?\b[A-Z]{1,2}-A?\d\d\b(?:,\s*[A-Z]{1,2}-A?\d\d\b)*\)?")
_SQUARE = re.compile(r"\b([A-Za-z])(\d{1,2})\b")
_NUMBER = re.compile(r"\b\d{1,4}\b")


def spoken(text: str, language: Language) -> str:
    """`Red moves to e4 (SG-10).` is spoken as `Red moves to E four.`"""
    text = _RULE.sub("", text)
    text = _SQUARE.sub(lambda m: f"{m[1].upper()} {language.number(int(m[2]))}", text)
    text = _NUMBER.sub(lambda m: language.number(int(m[0])), text)
    text = text.replace(">", " ").replace("_", " ")
    text = "".join(c for c in text if c.isalnum() or c in " .,!?:;'’-")
    return " ".join(text.split())
