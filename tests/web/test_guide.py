"""The guide on the box: served without pairing, complete, true to the pages and to the rulebooks, and harmless."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games import all_games
from tests.web.phone import Phone
from web.guide import FOLDER, rendered

PAGES = sorted(FOLDER.glob("*.md"))
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
RULE = re.compile(r"\b([A-Z]{2}-\d\d)(?: to ([A-Z]{2}-\d\d))?")
LABELS = re.compile(r"\*\*?([A-Z][^*]+?)\*\*?")
WEB = Path(__file__).parents[2] / "web"


def test_there_is_a_page_for_every_game_and_the_contents_name_every_page() -> None:
    names = {page.stem for page in PAGES}
    assert set(all_games()) <= names
    contents = (FOLDER / "index.md").read_text("utf-8")
    assert [name for name in names - {"index"} if f"({name}.md)" not in contents] == []


@each_page
def test_a_page_is_served_to_a_phone_that_has_not_paired(stranger: Phone, page: Path) -> None:
    reply = stranger.get("/guide" if page.stem == "index" else f"/guide/{page.stem}")
    text = reply.body.decode()
    assert reply.status == 200
    assert page.read_text("utf-8").splitlines()[0].removeprefix("# ") in text
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert not re.search(r"<(script(?! src)|style|iframe|img)\b|\son\w+=|style=", text), "nothing that the policy forbids"


@each_page
def test_every_link_of_a_page_leads_to_a_page_of_the_box(stranger: Phone, page: Path) -> None:
    _, html = rendered(page.read_text("utf-8"))
    for address in re.findall(r'href="([^"]*)"', html):
        assert stranger.get(address).status == 200, address


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_the_rules_that_a_page_names_stand_in_that_games_rulebook(game: object) -> None:
    text = (FOLDER / f"{game.name}.md").read_text("utf-8")  # type: ignore[attr-defined]
    named = {id for pair in RULE.findall(text) for id in pair if id}
    assert len(named) > 10
    assert named <= game.rulebook.ids()  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["first-evening", "demonstration", "disputes", "trouble"])
def test_every_button_that_the_guide_names_is_on_a_page(name: str) -> None:
    shown = "\n".join(p.read_text("utf-8") for folder in ("static", "templates") for p in (WEB / folder).glob("*.*"))
    shown += (WEB / "pages.py").read_text("utf-8")
    named = {label.rstrip(".,:") for label in LABELS.findall((FOLDER / f"{name}.md").read_text("utf-8"))}
    sentences = {label for label in named if len(label.split()) > 7 or label in NOT_BUTTONS}
    assert [label for label in sorted(named - sentences) if label not in shown] == []


NOT_BUTTONS = {  # what the guide stresses without meaning a button
    "Dice", "Moves", "Take back", "Legal", "Not legal", "The leaflet does not say", "The phone says that it has lost the table",
    "The page does not open at all", "My phone is empty, broken or gone", "The host's phone is gone", "Somebody had to leave",
    "The electronic die is silent", "A roll was shown but did not count", "No voice", "The plug was pulled", "Everything is slow",
    "Pieces on the real board are somewhere else", "The camera asks", "The camera is mistaken, or asks too often",
}  # fmt: skip


@pytest.mark.parametrize("name", ["..%2f..%2fpyproject", "../web/API", "index.md", "nothing", "%2e%2e/API", "first-evening/..", "\u202e"])
def test_only_the_guides_own_pages_are_served(stranger: Phone, name: str) -> None:
    assert stranger.send("GET", f"/guide/{name.encode('ascii', 'ignore').decode() or '%E2%80%AE'}").status == 404


def test_markdown_that_means_harm_is_only_text() -> None:
    _, html = rendered(
        "# x\n<script>alert(1)</script> <b onclick=x>b</b>\n\n[a](javascript:alert(1)) [b](https://evil.example) [c](//evil.example)\n\n"
        "[d](../API.md) ![e](https://evil.example/e.png)\n\n<style>*{}</style>\n"
    )
    assert "<script" not in html
    assert "<b onclick" not in html
    assert "<style" not in html
    assert not re.search(r'(href|src)="(?!/guide"|")', html)


def test_the_start_page_leads_to_the_guide(stranger: Phone) -> None:
    assert 'href="/guide"' in stranger.get("/").body.decode()
