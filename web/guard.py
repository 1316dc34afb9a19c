"""The door: checks that come before every page, call and stream, and headers that go out with every answer.

Flask sits behind `a2wsgi`, the live stream does not; so this wraps both. It also keeps slow phones away from Flask's few
threads: a request is read whole before a thread gets it, and a thread's answer is sent after the thread is free again.

Refused here: a Host that is not this box (a page elsewhere whose name was bent to our address), a POST whose Origin is not the
page's own or whose body is not JSON, other methods, bodies that are too large or too slow. Of the request's headers only
those in `PASSED_ON` go further, so that no forwarded header can ever be believed.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any, NamedTuple

from web.access import Access
from web.guests import Guest
from web.hub import Hub, Message, Receive, Send
from web.sockets import Sockets

log = logging.getLogger(__name__)
LARGEST_BODY = 256 * 1024  # a whole board of one's own with a position
LARGEST_FROM_HOST = {"/api/map/picture": 17_000_000, "/api/map/import": 4_000_000}  # pictures in base64, and shared board files
BODY_SECONDS = 10.0
SEND_SECONDS = 30.0
REFUSED_STREAM_SECONDS = 2.0
COMPRESSED = {b"text/html", b"text/css", b"text/javascript", b"application/javascript", b"image/svg+xml"}
COOKIE = "companion"
WHO = "companion.who"  # where Flask finds out who asks

SECURITY_HEADERS = [
    (b"content-security-policy", b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
     b"connect-src 'self'; font-src 'self'; manifest-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; "
     b"frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]  # fmt: skip
PASSED_ON = {b"host", b"cookie", b"content-type", b"accept", b"accept-language", b"if-none-match", b"if-modified-since", b"range"}
LOOPBACK_NAMES = {"localhost", "127.0.0.1", "::1"}

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Who(NamedTuple):
    """Who asks. A browser on the box itself is the table's own screen: it may look without pairing."""

    guest: Guest | None
    address: str
    is_screen: bool = False
    is_secure: bool = False

    @property
    def may_look(self) -> bool:
        return self.is_screen or self.guest is not None


class Refusal(Exception):
    """An answer of the door itself."""

    def __init__(self, status: int, text: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
        super().__init__(text)
        self.status = status
        self.headers = list(headers)


class Guard:
    """The whole application: the stream at /events, Flask for the rest, and the checks around both."""

    def __init__(self, pages: App, hub: Hub, access: Access, sockets: Sockets, names: Iterable[str] = ()) -> None:
        self.pages, self.hub, self.access, self.sockets = pages, hub, access, sockets
        self.names = {name.lower().rstrip(".") for name in (*own_names(), *names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.hub.start()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.hub.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        guarded = _with_headers(scope, send)
        try:
            host = self._checked_host(scope)
            _check_request(scope, host)
            who = self._who(scope, host)
            if scope["path"] == "/events":
                await self._stream(scope, who, receive, guarded)
            else:
                await self._page(scope, who, receive, guarded)
        except Refusal as refusal:
            await _refuse(scope, guarded, refusal)
        except TimeoutError:
            self.sockets.abort(scope.get("client"))
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a request failed")
            await _refuse(scope, guarded, Refusal(500, "Something went wrong here. The game is not touched; try again."))

    async def _stream(self, scope: Scope, who: Who, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            raise Refusal(405, "Only GET is possible here.", [(b"allow", b"GET")])
        if not who.may_look:
            raise Refusal(401, "Pair this phone first: scan the table's QR code.")
        stream = self.hub.open(who.guest, who.address)
        if stream is None:
            await asyncio.sleep(REFUSED_STREAM_SECONDS)  # who comes back at once must not keep the door busy
            raise Refusal(429, "Too many open pages from this address. Close some.", [(b"retry-after", b"10")])
        await self.hub.run(stream, receive, send)

    async def _page(self, scope: Scope, who: Who, receive: Receive, send: Send) -> None:
        is_host = who.guest is not None and who.guest.is_host
        body = await _read_body(scope, receive, LARGEST_FROM_HOST.get(scope["path"], LARGEST_BODY) if is_host else LARGEST_BODY)
        inner = dict(scope)
        inner["headers"] = [(k, v) for k, v in scope["headers"] if k in PASSED_ON]
        inner["headers"].append((b"content-length", str(len(body)).encode()))
        inner[WHO] = who
        answer: list[Message] = []

        async def give() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def collect(message: Message) -> None:
            answer.append(message)

        await self.pages(inner, give, collect)
        if "gzip" in _header(scope, b"accept-encoding"):
            answer = _smaller(answer)
        async with asyncio.timeout(SEND_SECONDS):
            for message in answer:
                await send(message)

    def _checked_host(self, scope: Scope) -> str:
        """The Host header, if it names this box."""
        given = [v for k, v in scope["headers"] if k == b"host"]
        host = given[0].decode("latin-1") if len(given) == 1 else ""
        name = _without_port(host).lower().rstrip(".")
        if name in self.names or _is_own_address(name, scope.get("server")):
            return host
        raise Refusal(421, "This is not a name of the table. Use the address that the table shows.")

    def _who(self, scope: Scope, host: str) -> Who:
        address = (scope.get("client") or ("", 0))[0]
        guest = self.access.who(_cookie(scope))
        is_screen = _is_loopback(address) and _without_port(host).lower() in LOOPBACK_NAMES
        return Who(guest, address, is_screen and guest is None, scope.get("scheme") == "https")


# --- checks ---


def own_names() -> set[str]:
    """What this box is called."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return {"localhost", name, short, f"{short}.local"}


def _is_own_address(name: str, server: Any) -> bool:
    """An address is ours if the connection came to it. No page elsewhere can pretend to be an address."""
    try:
        asked = ip_address(name)
        own = ip_address(str(server[0]).partition("%")[0]) if server else None
    except ValueError:
        return False
    return asked in (own, getattr(own, "ipv4_mapped", None))


def _is_loopback(address: str) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def _check_request(scope: Scope, host: str) -> None:
    if not scope["query_string"].isascii():
        raise Refusal(400, "The address has characters that it must not have.")
    if scope["method"] in ("GET", "HEAD"):
        return
    if scope["method"] != "POST":
        raise Refusal(405, "Only GET and POST are possible here.", [(b"allow", b"GET, HEAD, POST")])
    origin, site = _header(scope, b"origin"), _header(scope, b"sec-fetch-site")
    if origin.lower() != f"{scope.get('scheme', 'http')}://{host}".lower() or site not in ("", "same-origin"):
        raise Refusal(403, "This did not come from a page of the table (Origin).")
    if _header(scope, b"content-type").partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "The body must be application/json.")


def _header(scope: Scope, name: bytes) -> str:
    """A header that must not come twice."""
    given = [v for k, v in scope["headers"] if k == name]
    if len(given) > 1:
        raise Refusal(400, f"The header {name.decode()} comes more than once.")
    return given[0].decode("latin-1") if given else ""


def _cookie(scope: Scope) -> str:
    cookies: SimpleCookie = SimpleCookie()
    try:
        for name, value in scope["headers"]:
            if name == b"cookie":
                cookies.load(value.decode("latin-1"))
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


async def _read_body(scope: Scope, receive: Receive, largest: int = LARGEST_BODY) -> bytes:
    stated = _header(scope, b"content-length")
    if stated.isdecimal() and (len(stated) > 12 or int(stated) > largest):
        raise _too_large(largest)
    body = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":  # half a request is none
                    raise Refusal(400, "The request did not come whole.")
                body += bytes(message.get("body", b""))
                if len(body) > largest:
                    raise _too_large(largest)
                if not message.get("more_body"):
                    return body
    except TimeoutError as error:
        raise Refusal(408, "The request did not come whole in time.", [(b"connection", b"close")]) from error


def _too_large(largest: int) -> Refusal:
    return Refusal(413, f"That is too much: at most {largest // 1024} kB.", [(b"connection", b"close")])


# --- answers ---


def _with_headers(scope: Scope, send: Send) -> Send:
    """Every answer carries the security headers; what a page or call says is not to be kept by anybody."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            scope["companion.begun"] = True
            given = {k for k, _ in message["headers"]}
            extra = [h for h in SECURITY_HEADERS if h[0] not in given]
            if b"cache-control" not in given:
                extra.append((b"cache-control", b"no-store"))
            message = {**message, "headers": [*message["headers"], *extra]}
        await send(message)

    return guarded


def _smaller(answer: list[Message]) -> list[Message]:
    """The answer as gzip, if it is text for a page. JSON stays as it is: it may hold secrets beside what others have typed."""
    start, body = answer[0], b"".join(message["body"] for message in answer[1:])
    headers = dict(start["headers"])
    kind = headers.get(b"content-type", b"").partition(b";")[0]
    if start["status"] != 200 or kind not in COMPRESSED or len(body) < 1000 or b"content-encoding" in headers:
        return answer
    packed = _gzip(body)
    headers |= {b"content-encoding": b"gzip", b"content-length": str(len(packed)).encode(), b"vary": b"Accept-Encoding"}
    return [{**start, "headers": list(headers.items())}, {"type": "http.response.body", "body": packed}]


@lru_cache(64)
def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


async def _refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    if scope.get("companion.begun"):  # too late to say anything: cutting it off is all that is left
        return
    body, kind = error_body(scope["path"], str(refusal))
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode()), *refusal.headers]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def error_body(path: str, text: str) -> tuple[bytes, str]:
    """One line, as JSON for programs and as plain text for people. Plain text needs no escaping."""
    if path.startswith("/api") or path == "/events":
        return json.dumps({"error": text}).encode(), "application/json"
    return f"{text}\n".encode("utf-8", "replace"), "text/plain; charset=utf-8"
