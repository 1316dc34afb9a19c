"""Each way in that must stay shut, by its name."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from companion.board import board_to_json
from companion.dice.events import DeviceChanged
from companion.events import BadInput
from companion.games import find_game
from companion.table import Table
from tests.web.conftest import first_move
from tests.web.phone import Phone, Reply
from web import guard
from web.access import Access, Denied
from web.server import Server

Join = Callable[..., Phone]
Players = dict[str, Phone]

XSS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    "</title><svg onload=alert(1)>",
    "javascript:alert(1)",
    "{{7*7}}${7*7}<%=7*7%>",
    "]]><!--",
    "\u2028alert(1)",
    "&lt;b&gt;",
    "a\x00b\r\nSet-Cookie: x=y",
]


def raw(server: Server, request: bytes, address: str = "127.0.0.1") -> bytes:
    """Send bytes as they are and read until the server closes or rests."""
    with socket.create_connection(("127.0.0.1", server.port), 5, (address, 0)) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
            if b"\r\n\r\n" in answer:
                return answer
        return answer


# --- where a request comes from ---


@pytest.mark.parametrize(
    "origin",
    ["http://evil.test", "null", None, "http://table.test", "https://table.test:{port}", "http://evil.table.test:{port}"],
)
def test_cross_origin_post(server: Server, host: Phone, origin: str | None) -> None:
    given = origin and origin.format(port=server.port)
    reply = host.post("/api/start", {"Origin": given}, game="siege")
    assert reply.status == 403
    assert host.look()["game"] is None


def test_cross_origin_post_that_a_browser_marks_as_such(host: Phone) -> None:
    assert host.post("/api/start", {"Sec_Fetch_Site": "cross-site"}, game="siege").status == 403
    assert host.post("/api/start", {"Sec_Fetch_Site": "same-origin"}, game="siege").status == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None, "application/jsonx"]
)
def test_text_plain_json(host: Phone, kind: str | None) -> None:
    assert host.post("/api/start", {"Content_Type": kind}, game="siege").status == 415
    assert host.look()["game"] is None


@pytest.mark.parametrize(
    "name", ["evil.test", "table.test.evil.test", "", "table.test@evil.test", "10.1.2.3", "[::1]", "0x7f.1", "127.0.0.2"]
)
def test_wrong_host(server: Server, host: Phone, name: str) -> None:
    for path in ("/api/state", "/events", "/", "/static/x.js"):
        reply = host.get(path, Host=name, Origin=None)
        assert reply.status == 421, (path, reply)
        assert name not in reply.body.decode() or not name


def test_two_host_headers(server: Server, host: Phone) -> None:
    request = f"GET /api/state HTTP/1.1\r\nHost: table.test\r\nHost: evil.test\r\nCookie: companion={host.cookie}\r\n\r\n"
    assert raw(server, request.encode()).startswith((b"HTTP/1.1 400", b"HTTP/1.1 421"))


def test_rebinding(server: Server, host: Phone) -> None:
    """A page of another name whose name now leads to us: its origin and Host agree with each other, and are not ours."""
    other = Phone(server.port, name="rebound.evil.test")
    other.cookie = host.cookie
    assert other.get("/api/state").status == 421
    assert other.post("/api/start", game="siege").status == 421
    with other.stream() as stream:
        assert stream.status == 421


def test_the_box_is_known_by_its_names_and_by_the_address_that_was_called(server: Server, host: Phone) -> None:
    for name in (
        "table.test",
        "TABLE.TEST",
        "localhost",
        "127.0.0.1",
        f"{socket.gethostname()}",
        f"{socket.gethostname()}.local",
        "table.test.",
    ):
        assert host.get("/api/state", Host=f"{name}:{server.port}", Origin=None).status == 200, name


@pytest.mark.parametrize(
    "name",
    [
        "X_Forwarded_For",
        "Forwarded",
        "X_Real_IP",
        "X_Forwarded_Host",
        "X_Forwarded_Proto",
        "X_Forwarded_Prefix",
        "X_HTTP_Method_Override",
    ],
)
def test_forged_forwarded_headers(server: Server, name: str) -> None:
    """They make nobody the table's own screen, change no Host, and lift no wait."""
    values = {"Forwarded": "for=127.0.0.1;host=localhost"}
    forged = {name: values.get(name, "127.0.0.1" if name in ("X_Forwarded_For", "X_Real_IP") else "localhost")}
    phone = Phone(server.port)
    assert phone.get("/api/pairing", **forged).status == 401
    assert phone.get("/api/state", Host="evil.test", **forged).status == 421
    statuses = [phone.post("/api/host", forged, code="0").status for _ in range(5)]
    assert statuses[-1] == 429


# --- who may do what ---


def test_replay_after_kick(server: Server, siege: Players) -> None:
    anna, host = siege["attacker"], siege["host"]
    cookie, old_qr = anna.cookie, server.room.access.join_token
    host.post("/api/kick", guest=anna.look()["you"]["guest"])
    anna.cookie = cookie
    assert anna.get("/api/state").status == 401
    assert anna.post("/api/act", kind="agreed", seen=0, seat="attacker").status == 401
    assert anna.post("/api/join", token=old_qr, name="Anna again").status == 401
    with anna.stream() as stream:
        assert stream.status == 401


HOST_ACTS: list[dict[str, Any]] = [
    {"kind": "paused", "on": True},
    {"kind": "skipped", "seat": "defender"},
    {"kind": "left", "seat": "attacker"},
    {"kind": "corrected", "position": {}},
    {"kind": "let_stand", "position": {}, "event": {"seat": "attacker", "roll": [1]}},
    {"kind": "decided", "reading": "x", "value": "y"},
]


@pytest.mark.parametrize("act", HOST_ACTS, ids=lambda act: act["kind"])
def test_guest_calling_host_acts(siege: Players, join: Join, act: dict[str, Any]) -> None:
    before = siege["host"].look()
    assert siege["attacker"].act(**act).status == 403
    assert join("Watcher").act(**act).status == 403
    assert siege["host"].look()["version"] == before["version"]


@pytest.mark.parametrize(
    ("call", "fields"),
    [
        ("start", {"game": "siege"}),
        ("resume", {}),
        ("abandon", {}),
        ("kick", {"guest": 1}),
        ("renew", {}),
        ("settings", {"verbosity": "full"}),
    ],
)
def test_guest_calling_host_calls(siege: Players, call: str, fields: dict[str, Any]) -> None:
    before = siege["host"].look()["version"]
    assert siege["attacker"].post(f"/api/{call}", **fields).status == 403
    assert siege["host"].look()["version"] == before


def test_spectator_acting(siege: Players, join: Join) -> None:
    watcher = join("Watcher")
    move = first_move(watcher.look(), "defender")
    assert watcher.act("played", event=move).status == 403
    assert watcher.act("voted", seat="defender", reading="x", value="y").status == 403
    assert watcher.roll(3).status == 403


def test_seat_acting_for_another(siege: Players) -> None:
    anna = siege["attacker"]
    assert anna.act("played", event=first_move(anna.look(), "defender")).status == 403
    for act in ({"kind": "agreed"}, {"kind": "voted", "reading": "x", "value": "y"}, {"kind": "touched", "piece": "x"}):
        assert anna.act(**act, seat="defender").status == 403
    assert siege["host"].look()["record"] == []


def test_roll_out_of_turn_or_twice(host: Phone, join: Join) -> None:
    seats = host.post("/api/start", game="kop_the_kaiser", seats=2).json["state"]["game"]["seats"]
    phones = {seat: join(seat, seat) for seat in seats}
    for seat, phone in phones.items():
        phone.act("agreed", seat=seat)
    state = host.look()
    due = state["due"][0]
    waiting = next(phones[seat] for seat in seats if seat != due["seat"])
    thrower = phones[due["seat"]]
    owed = {d["seat"] for d in state["due"] if d["what"] == "roll"}
    if waiting.look()["you"]["seat"] not in owed:
        refused = waiting.roll(6, 6)
        assert refused.json["status"] == "refused"
        assert host.look()["last_roll"] is None, "nobody's screen shows it"
    assert waiting.post("/api/roll", seen=state["version"], seat=due["seat"], faces=[6, 6]).status == 403
    faces = [3] * len(due["dice"])
    first = thrower.post("/api/roll", seen=state["version"], faces=faces)
    twice = thrower.post("/api/roll", seen=state["version"], faces=faces)
    assert (first.json["status"], twice.status) == ("accepted", 409)
    assert host.look()["record_length"] == 1


# --- guessing ---


def test_code_brute_force(server: Server, stranger: Phone) -> None:
    """Soon the server listens only now and then, and the right code is not heard in between either."""
    statuses = [stranger.post("/api/host", code=f"{guess:08}").status for guess in range(12)]
    assert statuses[:2] == [401, 401]
    assert statuses[-1] == 429
    reply = stranger.post("/api/host", code=server.room.access.host_code)
    assert reply.status == 429
    assert int(reply.headers["retry-after"]) >= 1
    assert Phone(server.port, "127.0.0.77").post("/api/host", code=server.room.access.host_code).status == 200, (
        "others are not hit"
    )


def test_code_brute_force_from_new_sessions_and_with_right_joins_between() -> None:
    now = [0.0]
    access = Access(clock=lambda: now[0])
    heard = 0
    for guess in range(500):
        now[0] += 1
        guest, _ = access.join(access.join_token, f"Guest {guess}", None, "10.0.0.1")
        wrong = "x" * 8
        for known in (guest, None):
            try:
                access.become_host(wrong, "Eve", known, "10.0.0.1")
            except Denied as denied:
                heard += "Too many" not in str(denied)
    assert heard < 15, "in 500 seconds"


def test_code_brute_force_of_one_session_over_many_addresses() -> None:
    access = Access(clock=lambda: 0.0)
    guest, _ = access.join(access.join_token, "Eve", None, "10.0.0.1")
    heard = 0
    for number in range(100):
        try:
            access.become_host("wrong", "", guest, f"10.0.1.{number}")
        except Denied as denied:
            heard += "Too many" not in str(denied)
    assert heard <= 4


def test_wrong_tokens_are_slowed_down_too(stranger: Phone) -> None:
    assert [stranger.post("/api/join", token="x" * 32, name="Eve").status for _ in range(6)][-1] == 429


# --- what is said to whom ---


def harmless(reply: Reply) -> None:
    """Nothing in this answer can run in a browser."""
    kind = reply.headers["content-type"].partition(";")[0]
    assert kind in ("application/json", "text/plain", "image/svg+xml"), reply
    assert reply.headers["x-content-type-options"] == "nosniff"
    policy = reply.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    if kind == "image/svg+xml":
        for element in ElementTree.fromstring(reply.body).iter():
            assert element.tag.partition("}")[2] in ("svg", "title", "rect", "g", "polygon", "text", "circle", "path"), (
                element.tag
            )
            assert not [name for name in element.attrib if name.lower().startswith("on") or "href" in name.lower()]


@pytest.mark.parametrize("text", XSS)
def test_xss_corpus_in_names(server: Server, host: Phone, text: str) -> None:
    phone = Phone(server.port)
    reply = phone.post("/api/join", token=server.room.access.join_token, name=text[:24])
    assert reply.status in (200, 400)
    harmless(reply)
    state = host.get("/api/state")
    harmless(state)
    assert b"\n" not in state.body
    assert json.loads(state.body)["host"]["guests"]


@pytest.mark.parametrize("text", XSS)
def test_xss_corpus_in_game_names_rulebook_searches_and_paths(host: Phone, text: str) -> None:
    quoted = quote(text, safe="")
    for path in (
        f"/api/rulebook/{quoted}",
        f"/api/rulebook/siege?q={quoted}",
        f"/api/board/{quoted}.svg",
        f"/api/board/siege.svg?board={quoted}",
        f"/api/board/siege.svg?marked={quoted}",
        f"/{quoted}",
        f"/api/{quoted}",
        f"/static/{quoted}",
    ):
        reply = host.get(path)
        assert reply.status in (200, 400, 404), (path, reply)
        harmless(reply)
    harmless(host.post("/api/start", game=text))
    harmless(host.post("/api/check", game="siege", move=text))


@pytest.mark.parametrize("text", XSS)
def test_xss_corpus_in_die_text(table: Table, host: Phone, text: str) -> None:
    table.ask(DeviceChanged(text, "linked", text, port=text)).result()
    harmless(host.get("/api/state"))
    assert text in host.look()["devices"][0]["state"]


@pytest.mark.slow
@pytest.mark.parametrize("text", XSS)
def test_xss_corpus_in_a_board_from_a_file(host: Phone, text: str) -> None:
    """Every text of a board file in turn."""
    board = board_to_json(find_game("siege").board())
    places = [
        ("title",),
        ("name",),
        ("spaces", 0, "name"),
        ("spaces", 0, "kinds", 0),
        ("art", next(iter(board.get("art", {"": ""})))),
    ]
    drawn = 0
    for place in places:
        copy: Any = json.loads(json.dumps(board))
        inner = copy
        try:
            for step in place[:-1]:
                inner = inner[step]
            inner[place[-1]] = text
        except (KeyError, IndexError, TypeError):
            continue
        harmless(host.post("/api/check?defaults=1&picture=1", game="siege", board=copy, move="place commander > d6"))
        started = host.post("/api/start", game="siege", board=copy, instead=True)
        harmless(started)
        if started.status == 200 and started.json["status"] == "accepted":
            harmless(host.get("/api/board.svg"))
            drawn += 1
    assert drawn or not text.isprintable(), "some boards with such texts are accepted, and must be drawn"


@pytest.mark.slow
@pytest.mark.parametrize("text", XSS)
def test_xss_corpus_in_an_imported_game_file(table: Table, host: Phone, text: str) -> None:
    """Every text of a game's file in turn, as another house may have written it; then every call that shows a game of the past."""
    begin = host.post("/api/start", game="siege")
    assert begin.json["status"] == "accepted"
    assert host.post("/api/abandon", why="supper").status == 200
    whole = table.journal.export(1)
    places: list[tuple[Any, ...]] = [
        ("label",), ("outcome", "why"), ("terms", "game"), ("terms", "variant"), ("terms", "seats", 0), ("terms", "board", "title"),
        ("terms", "board", "name"), ("terms", "board", "notes", 0), ("terms", "board", "spaces", 0, "id"), ("boots", 0, "label"),
        ("events", 0, "label"), ("events", 0, "source"), ("events", 0, "kind"), ("events", 0, "body"),
    ]  # fmt: skip
    taken = 0
    for number, place in enumerate(places):
        document: Any = json.loads(json.dumps(whole)) | {"uid": f"{number + 1:032x}"}
        inner = document
        for step in place[:-1]:
            inner = inner[step]
        inner[place[-1]] = text
        try:
            game = table.journal.import_game(document).game
        except BadInput:
            continue
        taken += 1
        for path in ("/api/history", f"/api/record?game={game}", f"/api/export/{game}", f"/api/board.svg?game={game}&at=0", "/api/dice"):
            reply = host.get(path)
            assert reply.status in (200, 400, 404), (path, place, reply)
            harmless(reply)
    assert taken >= 3 or not text.isprintable(), "files with such texts are accepted, and must be shown"


@pytest.mark.parametrize("text", XSS)
def test_xss_corpus_in_a_board_file_name(server: Server, host: Phone, tmp_path: Path, text: str) -> None:
    """A board of this house, by the name that its file was given."""
    with contextlib.suppress(OSError, ValueError):  # no file can have some of these names, but a call can
        (tmp_path / f"{text}.json").write_text("{}")
    for name in (text, f"{tmp_path}/{text}.json", f"../{text}"):
        harmless(host.post("/api/start", game="siege", board=name))
        harmless(host.post("/api/check", game="siege", board=name, move="place commander > d6"))
        harmless(host.get(f"/api/board/siege.svg?board={quote(name, safe='')}"))
    harmless(host.get("/api/games"))


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/..%2fserver.py",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/static//etc/passwd",
        "/../../etc/passwd",
        "/api/export/../../etc/passwd",
        "/api/board/..%2f..%2fsiege.svg",
        "/api/rulebook/..%2fsiege",
        "/static/..%5cserver.py",
        "/api/export/%00",
    ],
)
def test_traversal(server: Server, host: Phone, path: str) -> None:
    request = (
        f"GET {path} HTTP/1.1\r\nHost: table.test:{server.port}\r\nCookie: companion={host.cookie}\r\nConnection: close\r\n\r\n"
    )
    answer = raw(server, request.encode())
    assert answer.split(b" ")[1] in (b"400", b"404"), answer[:200]
    assert b"root:" not in answer


# --- too much ---


def test_giant_body(server: Server, host: Phone) -> None:
    assert host.send("POST", "/api/check", b" " * (guard.LARGEST_BODY + 1)).status == 413
    head = f"POST /api/join HTTP/1.1\r\nHost: table.test:{server.port}\r\nOrigin: http://table.test:{server.port}\r\n"
    head += "Content-Type: application/json\r\n"
    claimed = raw(server, f"{head}Content-Length: 99999999999\r\n\r\n".encode())
    assert claimed.startswith(b"HTTP/1.1 413"), "refused by what it says, before it comes"
    chunked = f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    assert b" 413 " in raw(server, chunked + (b"10000\r\n" + b"x" * 0x10000 + b"\r\n") * 5)
    assert host.look()


def test_giant_head_and_nested_json(server: Server, host: Phone) -> None:
    with pytest.raises((ConnectionError, OSError, AssertionError)):
        assert host.get("/api/state", Cookie="x" * 100_000).status == 200
    for body in (
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b'{"name": ' + b"9" * 50_000 + b"}",
        b"\xff\xfe",
        b"nul",
        b'{"token": "\\ud800", "name": "\\udfff"}',
    ):
        assert host.send("POST", "/api/join", body).status == 400


def test_long_names_and_texts(siege: Players) -> None:
    assert siege["host"].post("/api/join", name="x" * 10_000).status == 400
    assert siege["host"].act("paused", on=True, why="x" * 100_000).json["status"] == "accepted"
    assert siege["attacker"].post("/api/act", kind="played", seen=10**400, event={}).status == 400


def test_other_methods(host: Phone) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"):
        assert host.send(method, "/api/state").status in (400, 405), method
    assert host.send("GET", "/api/act").status == 405
    assert host.send("POST", "/api/state", b"{}").status == 405


def test_a_fault_shows_no_traceback(host: Phone, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("web.reference.all_games", broken)
    reply = host.get("/api/games")
    assert reply.status == 500
    assert b"secret" not in reply.body
    assert b"Traceback" not in reply.body
    assert "secret detail" in caplog.text, "but the log has it"
    assert host.look(), "and the next call is answered"


def test_every_answer_carries_the_security_headers(server: Server, host: Phone, stranger: Phone) -> None:
    replies = [
        host.get("/api/state"),
        stranger.get("/api/state"),
        host.get("/nothing"),
        host.get("/api/state", Host="evil.test"),
        host.post("/api/start", {"Origin": "http://evil.test"}),
        host.get("/api/join.svg"),
        host.send("PUT", "/x"),
    ]
    with host.stream() as stream:
        replies.append(Reply(stream.status, {k.lower(): v for k, v in stream.answer.getheaders()}, b""))
    for reply in replies:
        for name, value in guard.SECURITY_HEADERS:
            assert reply.headers[name.decode()] == value.decode()
        assert reply.headers["cache-control"] == "no-store"
        assert "server" not in reply.headers


def test_half_a_request_does_nothing(server: Server, siege: Players) -> None:
    """A body that breaks off where it happens to be good JSON."""
    host = siege["host"]
    body = json.dumps({"kind": "paused", "seen": host.look()["version"], "on": True}).encode()
    head = f"POST /api/act HTTP/1.1\r\nHost: {host.host}\r\nOrigin: http://{host.host}\r\nCookie: companion={host.cookie}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body) + 5}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), 5) as connection:
        connection.sendall(head.encode() + body)
    assert not host.look()["paused"]
    assert not host.look()["paused"]
