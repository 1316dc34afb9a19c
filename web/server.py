"""Puts the web part together and serves it: uvicorn, the guard, the live stream, and Flask behind a2wsgi.

with Table(journal) as table, Server(table, port=8000) as server:
    print(server.room.qr_text(), server.room.access.host_code)
"""

from __future__ import annotations

import logging
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Self

import uvicorn
from a2wsgi import WSGIMiddleware
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from companion.board import BadBoard
from companion.events import BadInput
from companion.table import Table
from companion.voice import Voice
from web.access import Access, Denied, SeatTaken
from web.answers import with_state
from web.api import api
from web.camera import camera
from web.demonstration import demonstration
from web.evening import evening
from web.guard import App, Guard, Refusal, error_body
from web.mapping import mapping
from web.past import past
from web.questions import questions
from web.reference import reference
from web.room import Room, Throw, simulated, who
from web.sockets import Sockets
from web.workers import Workers

log = logging.getLogger(__name__)
WORKERS = 8
START_SECONDS = 10.0
STOP_SECONDS = 5.0


@dataclass
class Web:
    """A whole application, not yet served."""

    app: Guard
    room: Room
    sockets: Sockets
    close: Callable[[], None]


def make_app(
    table: Table,
    voice: Voice | None = None,
    guests_file: Path | None = None,
    names: Iterable[str] = (),
    sockets: Sockets | None = None,
    throw: Throw = simulated,
) -> Web:
    """The application for a running table. `guests_file` remembers who is paired, `names` are further names of this box."""
    room = Room(table, Access(guests_file), voice, throw)
    flask = make_flask(room)
    pages = WSGIMiddleware(flask, WORKERS)  # type: ignore[arg-type]
    pages.executor = Workers(WORKERS)  # type: ignore[assignment]
    sockets = sockets or Sockets()
    inner: App = pages  # type: ignore[assignment]
    return Web(Guard(inner, room.hub, room.access, sockets, names), room, sockets, pages.executor.shutdown)


def make_flask(room: Room) -> Flask:
    flask = Flask("web")
    flask.extensions["companion"] = room
    flask.url_map.merge_slashes = False  # a wrong address is answered, not led elsewhere
    flask.json.ensure_ascii = True  # type: ignore[attr-defined]
    for blueprint in (api, reference, questions, past, evening, camera, demonstration, mapping):
        flask.register_blueprint(blueprint)
    try:
        import web.guide  # noqa: F401  (its pages join the others)
        from web.pages import pages
    except ModuleNotFoundError as error:
        if error.name != "web.pages":
            raise
    else:
        flask.register_blueprint(pages)
    flask.register_error_handler(Exception, _explain)
    flask.before_request(room.access.keep)
    return flask


def _explain(error: Exception) -> Response:
    """Whatever went wrong, in one line, as JSON for calls and as plain text for pages."""
    if isinstance(error, Refusal):
        return _error(error.status, str(error), {k.decode(): v.decode() for k, v in error.headers})
    if isinstance(error, BadInput | BadBoard):
        return _error(400, str(error))
    if isinstance(error, Denied):
        if error.wait > 0:
            return _error(429, str(error), {"Retry-After": str(int(error.wait) + 1)})
        return _error(401, str(error))
    if isinstance(error, SeatTaken):
        return with_state({"error": str(error)}, 409) if who().guest else _error(409, str(error))
    if isinstance(error, HTTPException):
        status = error.code or 500
        allow = {"Allow": ", ".join(error.valid_methods or ())} if isinstance(error, MethodNotAllowed) else {}
        return _error(status, {404: "There is nothing here."}.get(status, HTTPStatus(status).phrase), allow)
    log.error("a call failed", exc_info=error)
    return _error(500, "Something went wrong here. The game is not touched; try again.")


def _error(status: int, text: str, headers: dict[str, str] | None = None) -> Response:
    body, kind = error_body(request.path, text)
    return Response(body, status, headers, content_type=kind)


class Server:
    """Serves a table until it is stopped. It has a thread of its own."""

    def __init__(
        self,
        table: Table,
        host: str = "0.0.0.0",
        port: int = 8000,
        voice: Voice | None = None,
        guests_file: Path | None = None,
        names: Iterable[str] = (),
        certificate: tuple[str, str] | None = None,
        sockets: Sockets | None = None,
        throw: Throw = simulated,
    ) -> None:
        cert, key = _readable(certificate) if certificate else (None, None)
        self.web = make_app(table, voice, guests_file, names, sockets, throw)
        self.room = self.web.room
        self._socket = _listen(host, port)
        self.port: int = self._socket.getsockname()[1]
        scheme = "https" if certificate else "http"
        shown = own_address() if host in ("0.0.0.0", "::", "") else host
        self.room.address = f"{scheme}://{f'[{shown}]' if ':' in shown else shown}:{self.port}"
        self.room.name = f"{scheme}://{socket.gethostname().partition('.')[0]}.local:{self.port}"
        self._uvicorn = uvicorn.Server(
            uvicorn.Config(
                self.web.app,
                http=self.web.sockets.protocol(),
                ws="none",
                loop="asyncio",
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,  # there is no proxy, so nobody may speak for another address
                server_header=False,
                h11_max_incomplete_event_size=16 * 1024,
                timeout_graceful_shutdown=2,
                ssl_certfile=cert,
                ssl_keyfile=key,
            )
        )
        self._thread = threading.Thread(target=self._uvicorn.run, kwargs={"sockets": [self._socket]}, name="web", daemon=True)

    def start(self) -> None:
        self._thread.start()
        deadline = threading.Event()
        for _ in range(int(START_SECONDS / 0.01)):
            if self._uvicorn.started or not self._thread.is_alive():
                break
            deadline.wait(0.01)
        if not self._uvicorn.started:
            raise OSError("The pages could not be started.")

    def stop(self) -> None:
        """End every stream and answer what is under way."""
        for stream in tuple(self.room.hub.streams):
            self.room.hub.drop(stream.guest, "the table is closed")
        self._uvicorn.should_exit = True
        self._thread.join(STOP_SECONDS)
        self._socket.close()
        self.web.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _readable(certificate: tuple[str, str]) -> tuple[str, str]:
    """Said now, in a line: later it would only be a server that does not start."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*certificate)
    except OSError as error:
        raise BadInput(f"web.certificate and web.key: they cannot be used ({error.strerror or error})") from error
    return certificate


def _listen(host: str, port: int) -> socket.socket:
    """A socket on the wanted port, or on a free one if somebody else has that."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (port, 0):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, wanted))
            listening.listen(256)
            listening.setblocking(False)
            return listening
        except OSError:
            listening.close()
            if wanted == 0:
                raise
    raise AssertionError


def own_address() -> str:
    """The address of this box on the local network; nothing is sent to find out."""
    for elsewhere in ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((elsewhere, 9))
                return str(probe.getsockname()[0])
            except OSError:
                continue
    return "127.0.0.1"
