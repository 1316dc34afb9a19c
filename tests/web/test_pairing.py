"""Coming in, sitting down, handing over, going: with real requests."""

from __future__ import annotations

import http.client
import json
import shutil
import ssl
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.events import BadInput
from companion.journal import Journal
from companion.table import Table
from tests.web.phone import NAME, Phone
from web import access as access_module
from web.access import MOST_GUESTS, Access, Denied
from web.backoff import neighbourhood
from web.guests import clean_name
from web.server import Server

Join = Callable[..., Phone]


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_without_pairing_nothing_can_be_seen_or_done(server: Server, stranger: Phone) -> None:
    for rule in (
        "state",
        "games",
        "history",
        "dice",
        "record",
        "pairing",
        "join.svg",
        "board.svg",
        "position",
        "board/siege.svg",
    ):
        assert stranger.get(f"/api/{rule}").status == 401, rule
    for call in ("act", "roll", "start", "seat", "kick", "check", "position", "settings", "leave", "hand_over", "renew"):
        assert stranger.post(f"/api/{call}", seen=0).status == 401, call
    with stranger.stream() as stream:
        assert stream.status == 401


def test_the_qr_token_lets_a_player_in_and_the_code_makes_a_host(server: Server, host: Phone, join: Join) -> None:
    anna = join("Anna")
    assert anna.look()["you"] == {"role": "spectator", "seat": "", "name": "Anna", "guest": 2}
    assert host.look()["you"]["role"] == "host"
    assert "host" not in anna.look()
    assert [g["name"] for g in host.look()["host"]["guests"]] == ["Greta", "Anna"]


def test_the_cookie_can_be_read_by_no_script_and_is_sent_by_no_other_site(server: Server) -> None:
    reply = Phone(server.port).post("/api/join", token=server.room.access.join_token, name="Anna")
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/" in cookie


def test_a_code_serves_once(server: Server, host: Phone, stranger: Phone) -> None:
    code = server.room.access.host_code
    assert stranger.post("/api/host", code=f"{code[:4]} {code[4:]}").status == 200
    assert Phone(server.port).post("/api/host", code=code).status == 401


def test_a_seat_survives_reload_lock_a_new_address_and_a_restart(tmp_path: Path) -> None:
    journal, guests = tmp_path / "table.journal", tmp_path / "table.guests"
    with Table(Journal.open(journal)) as table, Server(table, "127.0.0.1", 0, guests_file=guests, names=[NAME]) as server:
        phone = Phone(server.port)
        phone.post("/api/join", token=server.room.access.join_token, name="Anna", seat="red")
        phone.address = "127.0.0.9"
        assert phone.look()["you"]["seat"] == "red"
        old_qr = server.room.access.join_token
    with Table(Journal.open(journal)) as table, Server(table, "127.0.0.1", 0, guests_file=guests, names=[NAME]) as server:
        phone.port = server.port
        assert phone.look()["you"] == {"role": "spectator", "seat": "red", "name": "Anna", "guest": 1}
        assert Phone(server.port).post("/api/join", token=old_qr, name="Late").status == 401


def test_the_file_holds_no_token_and_is_for_this_user_alone(server: Server, join: Join, tmp_path: Path) -> None:
    phone = join("Anna")
    file = tmp_path / "table.guests"
    assert phone.cookie
    assert phone.cookie not in file.read_text()
    assert server.room.access.host_code not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": 9}', '{"format": 1, "start": 1, "last_id": 1, "guests": [{"id": 1}]}', "[" * 100_000]
)
def test_a_damaged_file_is_set_aside_and_everybody_pairs_again(tmp_path: Path, text: str) -> None:
    file = tmp_path / "table.guests"
    file.write_text(text)
    access = Access(file)
    assert access.guests() == []
    assert "pair again" in access.notice
    assert (tmp_path / "table.damaged").read_text() == text


def test_a_disk_that_cannot_be_written_is_told_and_stops_nobody(tmp_path: Path) -> None:
    access = Access(tmp_path / "no such folder" / "table.guests")
    guest, secret = access.join(access.join_token, "Anna", None, "10.0.0.1")
    assert access.who(secret) == guest
    assert "could not be saved" in access.notice


def test_a_taken_seat_is_refused_and_the_host_can_give_it(server: Server, host: Phone, join: Join) -> None:
    join("Anna", "red")
    ben = join("Ben")
    assert ben.post("/api/seat", seat="red").status == 409
    late = Phone(server.port)
    arrived = late.post("/api/join", token=server.room.access.join_token, name="Late", seat="red").json
    assert (arrived["seat"], arrived["why"]) == ("", "Anna sits there. The host, or Anna, can give you the seat.")
    assert host.post("/api/seat", seat="red", guest=ben.look()["you"]["guest"]).status == 200
    assert ben.look()["you"]["seat"] == "red"


def test_a_guest_cannot_place_another(host: Phone, join: Join) -> None:
    anna, ben = join("Anna", "red"), join("Ben")
    assert ben.post("/api/seat", seat="blue", guest=anna.look()["you"]["guest"]).status == 403


def test_a_ticket_hands_the_seat_to_another_phone_once(server: Server, join: Join) -> None:
    anna = join("Anna", "red")
    ticket = anna.post("/api/hand_over").json["ticket"]
    ben, eve = Phone(server.port), Phone(server.port)
    assert ben.post("/api/join", token=ticket, name="Ben").json["seat"] == "red"
    assert anna.look()["you"]["seat"] == ""
    assert eve.post("/api/join", token=ticket, name="Eve").status == 401


def test_a_ticket_is_worth_nothing_after_a_while_or_without_the_seat() -> None:
    clock = Clock()
    access = Access(clock=clock)
    anna, _ = access.join(access.join_token, "Anna", None, "10.0.0.1")
    anna = access.take_seat(anna, "red")
    late, given_up = access.hand_over(anna), ""
    clock.now += access_module.TICKET_SECONDS + 1
    with pytest.raises(Denied):
        access.join(late, "Ben", None, "10.0.0.2")
    given_up = access.hand_over(anna)
    access.take_seat(anna, "")
    with pytest.raises(Denied):
        access.join(given_up, "Ben", None, "10.0.0.3")


def test_leaving_forgets_the_phone(join: Join) -> None:
    anna = join("Anna", "red")
    old = anna.cookie
    assert anna.post("/api/leave").status == 200
    anna.cookie = old
    assert anna.get("/api/state").status == 401
    assert join("Ben", "red").look()["you"]["seat"] == "red"


def test_joining_again_with_the_same_phone_is_a_new_name_not_a_new_guest(server: Server, join: Join) -> None:
    anna = join("Anna", "red")
    assert anna.post("/api/join", name="Anne").json["name"] == "Anne"
    assert anna.post("/api/join", token=server.room.access.join_token, name="Annie").json["seat"] == "red"
    assert [g.name for g in server.room.access.guests()] == ["Annie"]


def test_two_of_one_name_are_told_apart(join: Join) -> None:
    assert [join("Anna").look()["you"]["name"], join("ANNA").look()["you"]["name"]] == ["Anna", "ANNA 2"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Anna\n  Bell ", "Anna Bell"),
        ("A\u202enna", "Anna"),
        ("Zoe\u0301", "Zoé"),
        ("a" + "\u0301\u0316\u0317\u0318\u0319" * 3, "á\u0316\u0317"),
        ("<b>&\"'", "<b>&\"'"),
        ("\ud83d\ude00 👑", "👑"),
    ],
)
def test_a_name_is_one_short_line_that_can_be_shown(given: str, kept: str) -> None:
    assert clean_name(given) == kept


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "x" * 25, None, 5, ["x"], {"a": 1}])
def test_a_name_that_cannot_be_shown_is_refused(name: object) -> None:
    with pytest.raises(BadInput, match=r"^name: must"):
        clean_name(name)


def test_a_room_that_is_full_forgets_whoever_has_no_seat_and_was_not_seen_longest() -> None:
    clock = Clock()
    access = Access(clock=clock)
    secrets = []
    for number in range(MOST_GUESTS):
        clock.now += 1
        guest, secret = access.join(access.join_token, f"Guest {number}", None, "10.0.0.1")
        secrets.append(secret)
        if number == 0:
            access.take_seat(guest, "red")
    access.join(access.join_token, "One more", None, "10.0.0.1")
    assert len(access.guests()) == MOST_GUESTS
    assert access.who(secrets[0])
    assert access.who(secrets[1]) is None


def test_a_session_ends_when_it_is_not_used_for_a_month() -> None:
    clock = Clock()
    access = Access(clock=clock)
    _, secret = access.join(access.join_token, "Anna", None, "10.0.0.1")
    clock.now += access_module.FORGOTTEN_AFTER - 1
    assert access.who(secret)
    clock.now += access_module.FORGOTTEN_AFTER + 1
    assert access.who(secret) is None


def test_a_session_ends_when_the_program_was_started_often_without_it(tmp_path: Path) -> None:
    file = tmp_path / "table.guests"
    first = Access(file)
    _, secret = first.join(first.join_token, "Anna", None, "10.0.0.1")
    kept = json.loads(file.read_text())
    file.write_text(json.dumps(kept | {"start": kept["start"] + access_module.FORGOTTEN_AFTER_STARTS}))
    assert Access(file).who(secret) is None


def test_who_has_an_ipv6_network_is_still_one_neighbour() -> None:
    assert neighbourhood("2001:db8::1") == neighbourhood("2001:db8::ffff:1")
    assert neighbourhood("2001:db8:0:1::1") != neighbourhood("2001:db8::1")
    assert neighbourhood("::ffff:10.0.0.7") == neighbourhood("10.0.0.7")


def test_the_box_s_own_screen_may_look_and_shows_the_code_but_does_nothing(server: Server) -> None:
    screen = Phone(server.port, name="localhost")
    assert screen.look()["you"]["role"] == "spectator"
    assert screen.get("/api/pairing").json["code"] == server.room.access.host_code
    assert screen.post("/api/roll", seen=0).status == 401
    elsewhere = Phone(server.port)
    assert elsewhere.get("/api/pairing").status == 401


def test_a_player_sees_the_way_in_for_others_but_not_the_host_s_code(server: Server, host: Phone, join: Join) -> None:
    assert set(join("Anna").get("/api/pairing").json) == {"join", "address", "name"}
    assert host.get("/api/pairing").json["code"] == server.room.access.host_code
    assert host.get("/api/join.svg").headers["content-type"].startswith("image/svg+xml")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
def test_over_https_the_cookie_is_sent_over_https_only(table: Table, tmp_path: Path) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}"]
    subprocess.run([*made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    with Server(table, "127.0.0.1", 0, names=[NAME], certificate=(str(certificate), str(key))) as server:
        trust = ssl.create_default_context(cafile=str(certificate))
        trust.check_hostname = False
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=20, context=trust)
        headers = {"Host": NAME, "Origin": f"https://{NAME}", "Content-Type": "application/json"}
        connection.request("POST", "/api/join", json.dumps({"token": server.room.access.join_token, "name": "Anna"}), headers)
        answer = connection.getresponse()
        assert answer.status == 200
        assert "Secure" in (answer.getheader("Set-Cookie") or "")
        assert server.room.join_url.startswith("https://")
        cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        answer.read()
        connection.request("GET", "/events", headers={"Host": NAME, "Cookie": cookie})
        page = connection.getresponse()
        assert (page.status, page.readline()[:3], page.readline()[:6]) == (200, b"id:", b"data: ")
        connection.close()
        page.close()


def test_a_certificate_that_cannot_be_used_is_said_in_a_line(table: Table, tmp_path: Path) -> None:
    rubbish = tmp_path / "rubbish.pem"
    rubbish.write_text("no certificate")
    for certificate in (rubbish, tmp_path / "missing.pem"):
        with pytest.raises(BadInput, match=r"web\.certificate"):
            Server(table, "127.0.0.1", 0, certificate=(str(certificate), str(certificate)))
