"""The part of the OpenAPI document that tells of mapping one's own board."""

from __future__ import annotations

from companion.mapping.palette import SHAPES
from web.openapi import OF_HOST, call
from web.openapi_schemas import ANY, FLAG, TEXT, Schema, closed, many, obj

DRAFT = {"type": "string", "description": "The name of a draft, from `new`."}
VIEW = {
    **obj("draft game spaces missing steps", draft=TEXT, game=TEXT, spaces=many(ANY), missing=many(TEXT), steps={"type": "integer"}),
    "description": "The draft as it is: what was said, its spaces with their outlines as parts of the board, what is missing, in words.",
}
STEPS = {
    "type": "array", "minItems": 1, "maxItems": 200, "items": ANY,
    "description": "Each an object with `do`: corners, size, shape, mark, link or title; see companion/mapping/draft.py.",
}  # fmt: skip


def mapping_paths() -> dict[str, dict[str, Schema]]:
    return {
        "/map": {"get": call("Games that can be mapped, drafts, and the boards of this house", OF_HOST, ANY, None, "403")},
        "/map/new": {"post": call("Begin to map a board", OF_HOST, VIEW, closed("game", game=TEXT))},
        "/map/draft/{id}": {"get": call("A draft", OF_HOST, VIEW, None, "400 403")},
        "/map/draft/{id}/{which}.jpg": {
            "get": call("Its picture: `photo` as taken, `flat` the board alone", OF_HOST, "image/jpeg", None, "400 403 404")
        },
        "/map/forget": {"post": call("Drop a draft", OF_HOST, ANY, closed("draft", draft=DRAFT))},
        "/map/picture": {
            "post": call(
                "A picture of the empty board, in base64 (JPEG or PNG); without one the camera above the table takes it", OF_HOST, VIEW,
                closed("draft", draft=DRAFT, picture=TEXT),
            )
        },
        "/map/steps": {
            "post": call(
                "Say something of the board; `snap` moves it onto what is seen", OF_HOST, VIEW,
                closed("draft steps", draft=DRAFT, steps=STEPS, snap=FLAG),
            )
        },
        "/map/undo": {"post": call("Take the last step back", OF_HOST, VIEW, closed("draft", draft=DRAFT))},
        "/map/suggest": {
            "post": call(
                "Steps that the picture suggests: the lines of a kind of board, or marks by their colours", OF_HOST,
                obj("steps", steps=many(ANY)),
                closed("draft what", draft=DRAFT, what={"enum": ["shape", "colours"]}, kind={"enum": list(SHAPES)}),
            )
        },
        "/map/save": {
            "post": call(
                "Keep the board; `agreed`: although it differs from the leaflet", OF_HOST,
                obj("saved missing differs", saved=TEXT, missing=many(TEXT), differs=many(TEXT)), closed("draft", draft=DRAFT, agreed=FLAG),
            )
        },
        "/map/board/{name}.json": {"get": call("A board of this house as a file, to be shared", OF_HOST, ANY, None, "403 404")},
        "/map/import": {"post": call("Bring in a board file that somebody sent", OF_HOST, obj("name", name=TEXT), closed("file", file=TEXT))},
        "/map/delete": {"post": call("Delete a board of this house; games keep theirs", OF_HOST, ANY, closed("name", name=TEXT))},
    }  # fmt: skip
