"""Whatever is done to a journal in whatever order, it holds what a plain list would; and a document survives every journey."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from journal_model import Model, facts
from simulated_disk import SimulatedDisk, disk_full, io_error, read_only

from companion.events import BadInput
from companion.journal import Draft, Journal, Reader, document

NAME = "table.journal"

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20)
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4), max_leaves=8
)
lines = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=60)
games = st.sampled_from(["siege", "duel", "race"])
terms = st.fixed_dictionaries(
    {"game": games, "variant": lines, "seats": st.lists(lines, max_size=4), "readings": st.dictionaries(lines, lines, max_size=3)}
)
sittings = st.lists(st.lists(st.tuples(lines, lines, json_values, json_values), max_size=4), max_size=4)


class Evening(RuleBasedStateMachine):
    """A journal and a model of it, on a disk that fails and recovers, with a program that ends and starts again."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name, NAME)
        self.disk = SimulatedDisk(self.path.parent)
        self.model = Model()
        self.broken = False
        self.journal = Journal.open(self.path, self.disk.connect)

    @rule(terms=terms)
    def start(self, terms: dict[str, Any]) -> None:
        assert self.journal.start_game(terms) == self.model.start_game(terms)

    @rule(data=st.data(), count=st.integers(1, 4))
    def append(self, data: st.DataObject, count: int) -> None:
        drafts = []
        for number in range(count):
            earlier = len(self.model.events) + number
            game = data.draw(st.sampled_from([None, *range(1, len(self.model.games) + 1)]))
            answers = data.draw(st.none() | st.integers(1, earlier)) if earlier else None
            body, ruling = data.draw(json_values), data.draw(json_values)
            drafts.append(Draft(data.draw(lines), data.draw(lines), body, game, answers, ruling))
        receipt = self.journal.append_all(drafts)
        self.model.append_all(drafts)
        assert receipt.sequence == len(self.model.events)
        assert receipt.durable == (not receipt.waiting) == (not receipt.trouble) == (not self.broken)

    @precondition(lambda self: self.model.games)
    @rule(data=st.data(), act=st.sampled_from(["finish", "abandon", "reopen"]))
    def change_state(self, data: st.DataObject, act: str) -> None:
        game = data.draw(st.integers(1, len(self.model.games)))
        detail = {"finish": (data.draw(json_values),), "abandon": (data.draw(st.text(max_size=30)),), "reopen": ()}[act]
        for to in (self.journal, self.model):
            getattr(to, act)(game, *detail)

    @rule(game=games, name=lines, value=json_values)
    def keep_house_rule(self, game: str, name: str, value: Any) -> None:
        for to in (self.journal, self.model):
            to.keep_house_rule(game, name, value)

    @rule(trouble=st.sampled_from([disk_full, io_error, read_only]))
    def disk_breaks(self, trouble: Any) -> None:
        self.disk.fail = lambda kind, name: trouble()
        self.broken = True

    @rule()
    def disk_is_mended(self) -> None:
        self.disk.fail = lambda kind, name: None
        self.broken = False
        assert self.journal.retry().durable

    @precondition(lambda self: not self.broken)
    @rule()
    def program_ends_and_starts_again(self) -> None:
        assert self.journal.close().durable
        with Reader.open(self.path) as reader:
            assert facts(reader) == self.model.facts()
            assert reader.damage() == ""
        self.journal = Journal.open(self.path, self.disk.connect)

    @invariant()
    def holds_what_the_model_holds(self) -> None:
        assert facts(self.journal) == self.model.facts()

    def teardown(self) -> None:
        if hasattr(self, "journal"):
            self.disk_is_mended()
            self.journal.close()
            self.folder.cleanup()


Evening.TestCase.settings = settings(
    max_examples=120, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestEvening = pytest.mark.slow(Evening.TestCase)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(terms=terms, sittings=sittings, data=st.data())
def test_a_document_is_the_same_after_every_journey(terms: dict[str, Any], sittings: list[Any], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        game = 0
        for sitting in [[], *sittings]:
            with Journal.open(Path(folder, "origin")) as origin:
                game = game or origin.start_game(terms)
                for kind, source, body, ruling in sitting:
                    mine = [entry.sequence for entry in origin.events(game)]
                    answers = data.draw(st.sampled_from([None, *mine]))
                    origin.append(Draft(kind, source, body, game, answers, ruling))
                    origin.append(Draft("rolled", "die:CD34", {"roll": [1]}))
                doc = origin.export(game)
        with Journal.open(Path(folder, "elsewhere")) as elsewhere:
            imported = elsewhere.import_game(document.load(document.dump(doc)))
            assert elsewhere.export(imported.game) == doc
            assert elsewhere.import_game(doc)[:2] == (imported.game, False)


@settings(max_examples=200, deadline=None)
@given(doc=json_values, key=st.sampled_from(["uid", "label", "state", "outcome", "terms", "boots", "events"]))
def test_no_document_is_taken_for_one_that_is_none(doc: Any, key: str) -> None:
    """Any value in any field is either refused by our own error, or comes out equal."""
    good = {
        "format": document.FORMAT, "version": 1, "uid": "0" * 32, "label": "x", "state": "running", "outcome": None,
        "terms": {"game": "siege"}, "boots": [], "events": [],
    }  # fmt: skip
    with suppress(BadInput):
        assert document.check(good | {key: doc}) == good | {key: doc}
