"""The cookie that carries a phone's token."""

from __future__ import annotations

from flask import Response

from web.guard import COOKIE, Who

MAX_AGE = 30 * 24 * 3600


def with_token(response: Response, secret: str, who: Who) -> Response:
    """Give the phone its token, if it has none yet. No script can read it and no other site can make a browser send it."""
    if secret:
        response.set_cookie(COOKIE, secret, MAX_AGE, httponly=True, samesite="Strict", secure=who.is_secure, path="/")
    return response


def cleared(response: Response) -> Response:
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="Strict")
    return response
