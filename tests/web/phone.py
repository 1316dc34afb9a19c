"""A phone as the server sees it: plain HTTP from some address, under a Host name that is not localhost."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any, NamedTuple

NAME = "table.test"


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        return str(self.json["error"])


class Phone:
    def __init__(self, port: int, address: str = "127.0.0.1", name: str = NAME) -> None:
        self.port, self.address, self.name = port, address, name
        self.cookie = ""
        self.seen = 0

    @property
    def host(self) -> str:
        return f"{self.name}:{self.port}"

    def headers(self, **more: str | None) -> dict[str, str]:
        usual = {"Host": self.host, "Origin": f"http://{self.host}", "Content-Type": "application/json"}
        if self.cookie:
            usual["Cookie"] = f"companion={self.cookie}"
        changed = usual | {name.replace("_", "-"): value for name, value in more.items()}
        return {name: value for name, value in changed.items() if value is not None}

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20, source_address=(self.address, 0))
        try:
            connection.request(method, path, body, self.headers(**headers))
            answer = connection.getresponse()
            reply = Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()
        given = reply.headers.get("set-cookie", "")
        if given.startswith("companion="):
            self.cookie = given.partition("=")[2].partition(";")[0].strip('"')
        return reply

    def get(self, path: str, **headers: str | None) -> Reply:
        return self.send("GET", path, **headers)

    def post(self, path: str, _headers: dict[str, str | None] | None = None, **fields: Any) -> Reply:
        return self.send("POST", path, json.dumps(fields).encode(), **(_headers or {}))

    # --- what people do ---

    def look(self) -> dict[str, Any]:
        reply = self.get("/api/state")
        assert reply.status == 200, reply
        self.seen = reply.json["version"]
        state: dict[str, Any] = reply.json
        return state

    def act(self, kind: str, **fields: Any) -> Reply:
        return self.post("/api/act", kind=kind, seen=self.look()["version"], **fields)

    def roll(self, *faces: int) -> Reply:
        return self.post("/api/roll", seen=self.look()["version"], **({"faces": list(faces)} if faces else {}))

    def stream(self, **headers: str | None) -> Stream:
        return Stream(self, self.headers(**headers))


class Stream:
    """An open page: reads server-sent events one by one."""

    def __init__(self, phone: Phone, headers: dict[str, str], timeout: float = 20, receive_buffer: int = 0) -> None:
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.bind((phone.address, 0))
        self.socket.connect(("127.0.0.1", phone.port))
        lines = [f"{name}: {value}" for name, value in headers.items() if name not in ("Origin", "Content-Type")]
        self.socket.sendall(("\r\n".join(["GET /events HTTP/1.1", *lines]) + "\r\n\r\n").encode())
        self.answer = http.client.HTTPResponse(self.socket, method="GET")
        self.answer.begin()

    @property
    def status(self) -> int:
        return self.answer.status

    def event(self) -> tuple[str, dict[str, Any]] | None:
        """The next event: its kind and its data; None at the end. Comments are passed over."""
        kind, data = "message", ""
        while line := self.answer.readline():
            text = line.decode().rstrip("\n")
            if text.startswith("event: "):
                kind = text[7:]
            elif text.startswith("data: "):
                data = text[6:]
            elif not text and data:
                return kind, json.loads(data)
        return None

    def snapshot(self) -> dict[str, Any]:
        event = self.event()
        assert event, "the stream ended"
        kind, data = event
        assert kind == "message", event
        return data

    def until(self, version: int) -> dict[str, Any]:
        """The first snapshot of at least this version."""
        while (state := self.snapshot())["version"] < version:
            pass
        return state

    def close(self) -> None:
        self.answer.close()
        self.socket.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
