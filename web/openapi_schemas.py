"""What the JSON API takes and tells, as schemas of its OpenAPI document (`web.openapi`)."""

from __future__ import annotations

from typing import Any

from companion.acts import KINDS

Schema = dict[str, Any]


def obj(required: str = "", **properties: Schema) -> Schema:
    out: Schema = {"type": "object", "properties": properties}
    return out | ({"required": required.split()} if required else {})


def closed(required: str = "", **properties: Schema) -> Schema:
    """An object that may hold nothing else."""
    return obj(required, **properties) | {"additionalProperties": False}


def many(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


TEXT: Schema = {"type": "string"}
LONG: Schema = {"type": "string", "maxLength": 1000}
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
ANY: Schema = {"type": "object"}
TEXTS = many(TEXT)
NAMES: Schema = {"type": "object", "additionalProperties": TEXT}
FACES: Schema = {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 6}, "minItems": 1, "maxItems": 8}
SWITCH: Schema = {"type": "string", "enum": ["0", "1"]}
SEEN: Schema = {"type": "integer", "description": "The version of the snapshot that this was decided on."}

TERMS: dict[str, Schema] = {
    "game": TEXT,
    "variant": TEXT,
    "seats": {"anyOf": [WHOLE, TEXTS]},
    "board": {"anyOf": [TEXT, ANY]},
    "readings": NAMES,
    "options": NAMES,
    "position": ANY,
}
# Pieces as somebody put them; `turn` passes over whoever is due before that seat.
BY_HAND: dict[str, Schema] = {
    "layout": {"type": "array", "maxItems": 500, "items": closed("piece space", piece=TEXT, space=TEXT, face=TEXT, level=WHOLE)},
    "platform": maybe(WHOLE),
    "turn": TEXT,
}
PIECES: dict[str, Schema] = {
    "layout": many(obj("piece space face level", piece=TEXT, space=TEXT, face=TEXT, level=WHOLE)),
    "platform": maybe(WHOLE),
}

SCHEMAS: dict[str, Schema] = {
    "Error": obj("error", error={"type": "string", "description": "One line that says what to do."}),
    "You": obj("role seat name guest", role={"enum": ["spectator", "seat", "host"]}, seat=TEXT, name=TEXT, guest=WHOLE),
    "Due": obj("seat what dice optional text", seat=TEXT, what={"enum": ["roll", "move"]}, dice=TEXTS, optional=FLAG, text=TEXT),
    "Move": {
        **obj(
            "seat do piece to detail text notation",
            seat=TEXT,
            do=TEXT,
            piece=TEXT,
            to=TEXT,
            detail=TEXT,
            text=TEXT,
            notation=TEXT,
        ),
        "description": "Also has `from`. As an event of an act: the same without empty fields, text and notation.",
    },
    "Reading": obj(
        "id name question default values", id=TEXT, name=TEXT, question=TEXT, value=TEXT, default=TEXT, values=NAMES, impact=TEXT
    ),
    "Line": obj(
        "number kind text by said status",
        number=WHOLE,
        kind=TEXT,
        seat=TEXT,
        roll=many(WHOLE),
        text=TEXT,
        by=TEXT,
        said=TEXT,
        status=TEXT,
    ),
    "Outcome": obj("winners text scores rules", winners=TEXTS, text=TEXT, scores=ANY, rules=TEXTS),
    "News": obj("id version text urgency kind", id=WHOLE, version=WHOLE, text=TEXT, urgency=WHOLE, kind=TEXT),
    "Player": obj("seat seat_name name guest online", seat=TEXT, seat_name=TEXT, name=TEXT, guest=maybe(WHOLE), online=FLAG),
    "Game": obj(
        "name title variant seats number",
        name=TEXT,
        title=TEXT,
        variant=TEXT,
        variant_title=TEXT,
        board=TEXT,
        seats=TEXTS,
        seat_names=NAMES,
        gone=TEXTS,
        options=NAMES,
        number=WHOLE,
    ),
    "State": obj(
        "you version serial boot game due legal layout platform last_roll held trouble devices paused must_agree card votes "
        "record record_length outcome players news observed",
        you=ref("You"),
        version=WHOLE,
        serial=WHOLE,
        boot=TEXT,
        game=maybe(ref("Game")),
        due=many(ref("Due")),
        legal=many(ref("Move")),
        **PIECES,
        last_roll=maybe(
            obj("faces source seat counted why_not", faces=many(WHOLE), source=TEXT, seat=TEXT, counted=FLAG, why_not=TEXT)
        ),
        held=many(WHOLE),
        trouble=TEXT,
        devices=many(obj("source state", source=TEXT, state=TEXT)),
        paused=FLAG,
        must_agree=TEXTS,
        card=many(ref("Reading")),
        votes=many(obj("seat reading value", seat=TEXT, reading=TEXT, value=TEXT)),
        touched=maybe(ANY),
        record=many(ref("Line")),
        record_length=WHOLE,
        outcome=maybe(ref("Outcome")),
        players=many(ref("Player")),
        news=many(ref("News")),
        observed=maybe(
            obj(
                "kind text choices spaces pictures citations",
                kind=TEXT,
                text=TEXT,
                choices=TEXTS,
                spaces=TEXTS,
                pictures=TEXTS,
                citations=TEXTS,
            )
        ),
        camera=FLAG,
        set_up=maybe(obj("by looked wrong unseen todo", by={"enum": ["camera", "hand"]}, looked=FLAG, wrong=TEXTS, unseen=TEXTS, todo=TEXTS)),
        host=ANY,
    ),
    "Answer": obj(
        "status why said citations rules state",
        status={"enum": ["accepted", "refused", "silent"]},
        why=TEXTS,
        said=TEXTS,
        citations=TEXTS,
        rules=NAMES,
        event=ANY,
        steps=TEXTS,
        changes=many(ANY),
        readings=many(ref("Reading")),
        legal=many(ref("Move")),
        state=ref("State"),
    ),
    "Position": {
        **obj(
            "layout platform pieces",
            status={"enum": ["accepted", "refused"]},
            why=TEXTS,
            **PIECES,
            svg=TEXT,
            pieces=many(obj("piece name number faces svg", piece=TEXT, name=TEXT, number=WHOLE, faces=TEXTS, svg=TEXT)),
            **{name: schema for name, schema in TERMS.items() if name != "seats"},
            seats=TEXTS,
            seat_names=NAMES,
            due=many(ref("Due")),
            legal=many(ref("Move")),
            outcome=maybe(ref("Outcome")),
            forms=many(ANY),
        ),
        "description": "Refused: the pieces cannot stand so; then only they, the box (`pieces`) and the picture are told.",
    },
    "Stale": obj("error", error=TEXT, state=ref("State")),
    "Seen": obj("state", state=ref("State")),
    "Arrived": obj("guest name seat role why", guest=WHOLE, name=TEXT, seat=TEXT, role=TEXT, why=TEXT),
    "Demonstration": obj(
        "offered on free seats mine names seen games", offered=FLAG, on=FLAG, free=FLAG, seats=TEXTS, mine=TEXT, names=NAMES, seen=TEXT,
        games=many(obj("name title", name=TEXT, title=TEXT)),
    ),
}

ACT: Schema = {
    **obj(
        "kind seen",
        kind={"enum": list(KINDS)},
        seen=SEEN,
        event=ANY,
        position=ANY,
        to=WHOLE,
        seat=TEXT,
        reading=TEXT,
        value=TEXT,
        piece=TEXT,
        start=TEXT,
        on=FLAG,
        why=TEXT,
        rule=TEXT,
        made=FLAG,
        **BY_HAND,
    ),
    "description": "The kind of act with its fields: played {event}, took_back {to}, agreed {seat}, "
    "voted {seat, reading, value}, touched {seat, piece, start}; "
    "for the host also let_stand {event, position}, corrected {position, why} (either with {layout, platform, turn} "
    "instead of the position), skipped {seat}, "
    "left {seat}, decided {reading, value}, paused {on, why}.",
}

ATTEMPTS: dict[str, Schema] = {
    "roll": FACES,
    "move": {"anyOf": [TEXT, ANY]},
    "moves": {"type": "array", "maxItems": 50},
}
