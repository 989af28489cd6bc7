"""A fake backend on loopback: real HTTP with the data of `backstay_testing.cli.site`."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from pydantic import BaseModel

AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
"""When the data was measured."""
TOKEN = "a-token-of-the-tests"
PAGE = 2
"""Items per page, whatever the limit, so that every list has several pages."""


@dataclass
class Asked:
    """One received request."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    key: str | None


@dataclass
class World:
    """The fake's responses by method and path: a response, a sequence of responses, or a function."""

    answers: dict[tuple[str, str], Any] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    url: str = ""
    break_next: int = 0
    """Connections to close without a response."""
    other: Callable[[Asked], Any] | None = None
    """Answers requests that `answers` lacks."""

    def answer(self, asked: Asked) -> tuple[int, Any]:
        found = self.answers.get((asked.method, asked.path))
        if found is None:
            found = self._listed(asked)
        if found is None and self.other is not None:
            found = self.other(asked)
        if callable(found):
            found = found(asked)
        if isinstance(found, itertools.chain):
            found = next(found)
        if found is None:
            return 404, {"code": "not_found", "message": f"There is no {asked.path}.", "fields": {}}
        if isinstance(found, tuple):
            return found
        if isinstance(found, list):
            start = int(asked.query.get("cursor", 0))
            more = start + PAGE < len(found)
            return 200, {
                "items": [plain(item) for item in found[start : start + PAGE]],
                "next": str(start + PAGE) if more else None,
            }
        return 200, plain(found)

    def _listed(self, asked: Asked) -> Any:
        """The object of a list that a path such as `/circuits/4` names."""
        path, _, ident = asked.path.rpartition("/")
        items = self.answers.get(("GET", path))
        if asked.method != "GET" or not isinstance(items, list):
            return None
        return next((item for item in map(plain, items) if str(item.get("id")) == ident), None)

    def made(self, method: str, path: str) -> list[Asked]:
        return [item for item in self.asked if (item.method, item.path) == (method, path)]


def plain(answer: Any) -> Any:
    return answer.model_dump(mode="json") if isinstance(answer, BaseModel) else answer


def one_after_another(*answers: Any) -> Any:
    """The next response at each request; the last one is repeated."""
    return itertools.chain(answers[:-1], itertools.repeat(answers[-1]))


def handler(world: World) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            path = parts.path.removeprefix("/api/v1")
            key = self.headers.get("Idempotency-Key")
            asked = Asked(self.command, path, dict(parse_qsl(parts.query)), body, key)
            world.asked.append(asked)
            if world.break_next:
                world.break_next -= 1
                self.close_connection = True
                return
            if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                status, answer = 401, {"code": "unauthenticated", "message": "Sign in.", "fields": {}}
            else:
                status, answer = world.answer(asked)
            raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler


@dataclass
class Ran:
    """The result of a run."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def squeezed(self) -> str:
        """Standard output with repeated blanks removed."""
        return re.sub(r" +", " ", self.out)


Run = Callable[..., Ran]
