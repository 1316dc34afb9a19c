"""The OpenAPI document of the JSON API, served at /api/openapi.json. A test compares it with the routes that exist."""

from __future__ import annotations

from functools import cache

from companion.voice import VERBOSITIES
from web.access import CODE_DIGITS
from web.guests import LONGEST_NAME
from web.openapi_schemas import (
    ACT,
    ANY,
    ATTEMPTS,
    BY_HAND,
    FACES,
    FLAG,
    LONG,
    SCHEMAS,
    SEEN,
    SWITCH,
    TERMS,
    TEXT,
    WHOLE,
    Schema,
    closed,
    many,
    obj,
    ref,
)

SVG = "image/svg+xml"
PAIRED, OF_GUEST, OF_SEAT, OF_HOST = "Anybody who is paired.", "A paired phone.", "A seat or the host.", "The host."
OF_SEAT_OR_RENDERED = "A seat or the host; of a rendered table anybody who is paired."
IN_PATH: dict[str, Schema] = {
    "id": TEXT,
    "which": {"enum": ["photo", "flat"]},
    "name": TEXT,
    "number": {"type": "integer", "minimum": 0},
}
CAMERA_TERMS = {name: schema for name, schema in TERMS.items() if name != "position"}
CALIBRATION = closed(
    "step", **CAMERA_TERMS, step={"enum": ["begin", "empty", "corners", "pieces", "again", "close"]}, way={"enum": ["start", "each"]},
    corners={"type": "array", "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}},
)  # fmt: skip
PICTURE: dict[str, Schema] = {"picture": SWITCH, "defaults": SWITCH, "marked": TEXT}
OF_HISTORY: dict[str, Schema] = {"game": {"type": "integer", "minimum": 0}}


def call(
    summary: str,
    who: str,
    answer: Schema | str = ANY,
    given: Schema | None = None,
    errors: str = "400",
    query: dict[str, Schema] | None = None,
) -> Schema:
    """One operation. `answer` is a schema, or the media type of what is not JSON."""
    content = {answer: {"schema": TEXT}} if isinstance(answer, str) else {"application/json": {"schema": answer}}
    codes = ["405", "413", "421", "429", "503", *errors.split()] + ([] if who == "Anybody." else ["401"])
    codes += ["403", "408", "415"] if given is not None else []
    responses: Schema = {code: {"$ref": "#/components/responses/Error"} for code in sorted(set(codes))}
    if "409" in responses:
        responses["409"] = {"description": "Somebody was quicker.", "content": {"application/json": {"schema": ref("Stale")}}}
    out: Schema = {
        "summary": summary,
        "description": who,
        "responses": {"200": {"description": "Done.", "content": content}, **responses},
        "parameters": [{"name": name, "in": "query", "schema": schema} for name, schema in (query or {}).items()],
    }
    if given is not None:
        out["requestBody"] = {"required": True, "content": {"application/json": {"schema": given}}}
    return out


def paths() -> dict[str, dict[str, Schema]]:
    from web.openapi_mapping import mapping_paths  # which is made of what stands above

    name = {"type": "string", "maxLength": 1000}
    answer = ref("Answer")
    return {
        "/state": {"get": call("The whole snapshot", PAIRED, ref("State"))},
        "/act": {"post": call("Do something in the game", OF_SEAT, answer, ACT, "400 409")},
        "/choose": {
            "post": call(
                "Answer what the camera asks", OF_SEAT, answer, closed("choice text", choice=WHOLE, text=TEXT), "400 409"
            )
        },
        "/picture/{name}": {"get": call("A picture that the camera kept of a ruling", OF_SEAT, "image/jpeg", None, "403 404")},
        "/camera": {"post": call("Switch the camera on or off", OF_HOST, ref("Seen"), closed("on", on=FLAG))},
        "/demonstration": {
            "get": call("Whether computer players are here, and which seats they hold", PAIRED, ref("Demonstration")),
            "post": call(
                "Begin or end a demonstration evening",
                "A paired phone; the host, while a game of people runs.",
                ref("Demonstration"),
                closed("on", on=FLAG, game=TEXT),
            ),
        },
        "/camera/picture": {
            "get": call("What the camera sees just now", OF_SEAT_OR_RENDERED, "image/jpeg", None, "403 404")
        },
        "/camera/overlay": {
            "get": call("Where the camera sees each space, in parts of its picture", OF_SEAT, obj("spaces", spaces=many(ANY)), None, "403 404")
        },
        "/camera/position": {
            "post": call("What stands where by the camera's word", OF_SEAT, ANY, closed("game", **CAMERA_TERMS), "400 404")
        },
        "/calibration": {
            "get": call("How far the calibration is", OF_HOST, ANY, None, "403 404"),
            "post": call("One step of a calibration", OF_HOST, ANY, CALIBRATION, "400 404"),
        },
        "/set_up": {"post": call("All stands right", OF_HOST, ref("Seen"), closed("right", right=FLAG))},
        "/roll": {
            "post": call(
                "Tell what dice showed, or have them thrown",
                "Whoever is due; without a game anybody who is paired.",
                answer,
                closed("seen", seen=SEEN, faces=FACES, seat=TEXT, dice={"type": "integer", "minimum": 1, "maximum": 8}),
                "400 409",
            )
        },
        "/start": {"post": call("Begin a game", OF_HOST, answer, closed("game", **TERMS, instead=FLAG), "400")},
        "/resume": {"post": call("Go on with a game of the history (0: the latest)", OF_HOST, answer, closed(game=WHOLE))},
        "/abandon": {"post": call("End the game without a winner", OF_HOST, answer, closed(why=LONG))},
        "/check": {
            "post": call(
                "May I do this? Body as for `companion check`",
                PAIRED,
                obj("status rulings", status=TEXT, rulings=many(ANY)),
                closed("game", **TERMS, **ATTEMPTS),
                query=PICTURE,
            )
        },
        "/position": {
            "get": call("The present position", PAIRED, ref("Position"), None, "400 404", PICTURE),
            "post": call(
                "How a position looks (after moves, with pieces put by hand), and what is due and legal in it",
                PAIRED,
                ref("Position"),
                closed("game", **TERMS, **ATTEMPTS, **BY_HAND),
                query=PICTURE,
            ),
        },
        "/games": {"get": call("The games with variants, seats, readings", PAIRED, many(ANY))},
        "/rulebook/{name}": {"get": call("A rulebook, or what in it mentions q", PAIRED, ANY, None, "404", {"q": name})},
        "/board/{name}.svg": {
            "get": call("A board", PAIRED, SVG, None, "400 404", {"board": TEXT, "marked": TEXT, "setup": SWITCH})
        },
        "/board/{name}.json": {"get": call("A board's spaces", PAIRED, ANY, None, "400 404", {"board": TEXT})},
        "/board.svg": {
            "get": call(
                "The board as it stands, or after act `at`",
                PAIRED,
                SVG,
                None,
                "400 404",
                {"marked": TEXT, "at": {"type": "integer", "minimum": 0}, **OF_HISTORY},
            )
        },
        "/record": {
            "get": call(
                "The game act by act, and what was tried and not accepted",
                PAIRED,
                obj("lines disputes", lines=many(ref("Line")), disputes=many(ANY)),
                None,
                "400 404",
                OF_HISTORY,
            )
        },
        "/was/{number}": {"get": call("Was that act legal?", PAIRED, ANY, None, "400 404", OF_HISTORY)},
        "/history": {"get": call("The games of this table", PAIRED, many(ANY))},
        "/evening": {
            "get": call(
                "The games of this evening, who threw what in them, and the rules that refused most",
                PAIRED,
                obj("games seats rules", games=many(ANY), seats=many(ANY), rules=many(ANY)),
            )
        },
        "/export/{number}": {"get": call("A game as a file", PAIRED, ANY, None, "400 404")},
        "/dice": {
            "get": call(
                "Counts, fairness, luck, proof",
                PAIRED,
                obj("dice seats rolls proof", dice=many(ANY), seats=many(ANY), rolls=many(ANY)),
            )
        },
        "/pairing": {
            "get": call("Where others come in", PAIRED, obj("join address name", join=TEXT, address=TEXT, name=TEXT, code=TEXT))
        },
        "/join.svg": {"get": call("The QR code", PAIRED, SVG)},
        "/join": {
            "post": call(
                "Come in with the QR code's token, or change one's name",
                "Anybody.",
                ref("Arrived"),
                closed("name", token=LONG, name={"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}, seat=TEXT),
                "400 401",
            )
        },
        "/host": {
            "post": call(
                "Become host by the code on the table's screen",
                "Anybody.",
                ref("Arrived"),
                closed("code", code={"type": "string", "description": f"{CODE_DIGITS} digits; spaces do not matter"}, name=LONG),
                "400 401",
            )
        },
        "/seat": {
            "post": call(
                "Sit down, or stand up",
                "A paired phone; for others the host.",
                ref("Seen"),
                closed("seat", seat=TEXT, guest=WHOLE),
                "400 409",
            )
        },
        "/hand_over": {
            "post": call(
                "A ticket that gives this seat to another phone", OF_GUEST, obj("ticket url", ticket=TEXT, url=TEXT), closed()
            )
        },
        "/leave": {"post": call("Forget this phone", OF_GUEST, ANY, closed())},
        "/kick": {"post": call("Send a guest away and change the QR code", OF_HOST, ref("Seen"), closed("guest", guest=WHOLE))},
        "/renew": {"post": call("Change the QR code", OF_HOST, ref("Seen"), closed())},
        "/settings": {
            "post": call(
                "How much the voice says", OF_HOST, ref("Seen"), closed("verbosity", verbosity={"enum": list(VERBOSITIES)})
            )
        },
        "/health": {"get": call("What is well, what is not, and what to do", OF_HOST, many(ANY), None, "403")},
        "/openapi.json": {"get": call("This document", "Anybody.")},
        **mapping_paths(),
    }


@cache
def document() -> Schema:
    all_paths = {}
    for path, operations in paths().items():
        held = [n for n in IN_PATH if "{" + n + "}" in path]
        parameters = [{"name": n, "in": "path", "required": True, "schema": IN_PATH[n]} for n in held]
        all_paths[f"/api{path}"] = {**operations, **({"parameters": parameters} if parameters else {})}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tabletop Companion",
            "version": "1",
            "description": "The table's state, its referee, its games and rulebooks. Changes come at /events.",
        },
        "paths": all_paths,
        "components": {
            "schemas": SCHEMAS,
            "responses": {"Error": {"description": "Not done; why.", "content": {"application/json": {"schema": ref("Error")}}}},
        },
    }
