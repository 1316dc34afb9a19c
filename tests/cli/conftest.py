"""Runs the command line as a person would, in this process."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from companion.cli import main

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    def companion(*words: str, stdin: object = "") -> Result:
        text = stdin if isinstance(stdin, str | bytes) else json.dumps(stdin)
        result = CliRunner().invoke(main, list(words), input=text)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return companion
