"""The guide for players: the Markdown files in `guide/`, served as pages, since the table may have no internet.

The files are our own, and still nothing in them can become more than text: HTML is shown, not obeyed, and a link leads to
another page of this box or nowhere.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from flask import abort, render_template
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from web.pages import pages

FOLDER = Path(__file__).parent / "guide"
_WITHIN = re.compile(r"/[a-z_-]*|[a-z_-]+\.md")  # a page of the box, or a file beside this one


@pages.get("/guide")
def guide() -> str:
    return guide_page("index")


@pages.get("/guide/<name>")
def guide_page(name: str) -> str:
    if name not in {file.stem for file in FOLDER.glob("*.md")}:
        abort(404)
    title, html = rendered((FOLDER / f"{name}.md").read_text("utf-8"))
    return render_template("guide.html", title=title, text=html, is_contents=name == "index")


@cache
def rendered(text: str) -> tuple[str, Markup]:
    """The title and the page."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    for token in (inner for block in tokens for inner in (block, *(block.children or ()))):
        if token.type == "link_open":
            token.attrSet("href", _address(token))
        elif token.type == "image":
            token.attrSet("src", "")
    title = next((after.content for token, after in pairwise(tokens) if token.tag == "h1"), "Guide")
    return title, Markup(markdown.renderer.render(tokens, markdown.options, {}))


def _address(link: Token) -> str:
    to = str(link.attrGet("href") or "")
    if not _WITHIN.fullmatch(to):
        return "/guide"
    return f"/guide/{to.removesuffix('.md')}" if to.endswith(".md") else to
