"""The ASGI application of the ingest: routes, credentials and bodies on the event loop, Django in threads.

In this order, so that no unauthenticated request causes work: route, method, credential (an HMAC, no query),
body, then the view in one of its lane's threads. Small reports without events are parsed on the event loop
and stored together with those of other agents (`intake.groups`); others have a transaction of their own.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import math
import re
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import TypeVar
from uuid import UUID

from django.conf import settings
from django.core import signals
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone

from backstay.accounts import credentials
from backstay.api.agent import views
from backstay.api.agent.body import MAX_COMPRESSED, MAX_SMALL
from backstay.api.edge.admission import Admission
from backstay.api.edge.bodies import BodyReader, ClientGone, Incoming, Receive, Scope, Send, header
from backstay.api.edge.call_groups import CallGroups
from backstay.api.edge.generation_watch import GenerationWatch
from backstay.api.edge.lanes import Lane, OneAtATime
from backstay.api.http.client_address import client_address
from backstay.api.http.connections import replaces_connections
from backstay.core.errors import BackstayError, Invalid, NotFound, TooLarge, TooMany, TooSlow, Unavailable
from backstay.intake.batches import store_batch
from backstay.intake.groups import store_group
from backstay.telemetry.ingest.batch import Batch, Outcome
from backstay.telemetry.ingest.group import can_join
from backstay.telemetry.ingest.senders import generations_of
from config.security_headers import headers_without_django

log = logging.getLogger(__name__)
T = TypeVar("T")
PREFIX = "/api/agent/v1/"
MEBIBYTE = 1024 * 1024
REPORT_THREADS, ASSIGNMENT_THREADS, IDENTITY_THREADS = 8, 4, 2
"""More threads than processors: they wait for the database most of the time."""
MOST_GATHERED, GROUP_PATIENCE_S = 4096, 4.0
"""Requests that wait for their group, and how long: the agent's own limit is 10 s."""
MOST_WAITING, PATIENCE_S = 1024, 10.0
"""Requests that wait for a thread of their lane, and how long."""
REPORT_S, IDENTITY_S = 20.0, 5.0
"""Deadlines of bodies: 4 MiB at 2 Mbit/s take 17 s; the others have a few hundred bytes."""
REPORTS_WAITING = 2
"""Batches of one agent that wait for its previous one."""
LONGEST_HOLD_S = 8.0
"""A held request is answered before its agent, or a proxy, gives it up."""
GROUP_S, MOST_TOGETHER = 0.1, 256
"""How long reports wait for those of other agents, and how many requests are stored together."""
GROUPED_OCTETS = 16 * 1024
"""Inflated. Larger bodies are parsed in a thread, and stored alone, because parsing stops the event loop."""
LONGEST_WAIT_S, LEAST_GATHERED = 2.0, 64
"""As many requests are admitted as are served within this time, at least so many; other agents are told when
to come again."""
APART_S = 60.0
"""How long an agent stays out of groups after one that could not be stored and whose fault it may be."""
PAUSES, LONGEST_PAUSE_S = 20, 10.0
"""An agent whose large batch was malformed must wait before the next: so many times the processor time that
it cost, at most so long. Parsing delays the reports of others, because it holds Python's lock."""
STUCK_S = 5.0
"""A group that is not stored after this time is a failure of the ingest's health."""
HEALTH_S = 0.5
"""Age up to which a health check's result is given again."""


@dataclass(frozen=True, slots=True)
class Route:
    """One call of the protocol. Without a lane, the view reads nothing and runs on the event loop."""

    method: str
    lane: str | None
    is_authenticated: bool = True
    limit: int = 0
    deadline_s: float = 0.0


ROUTES = {
    "reports": Route("POST", "reports", limit=MAX_COMPRESSED, deadline_s=REPORT_S),
    "desired": Route("GET", "assignments"),
    "reach": Route("GET", None),
    "enrol": Route("POST", "identities", is_authenticated=False, limit=MAX_SMALL, deadline_s=IDENTITY_S),
    "credential": Route("POST", "identities", is_authenticated=False, limit=MAX_SMALL, deadline_s=IDENTITY_S),
}
HEALTH = "health"


class AgentRequest(ASGIRequest):
    """A request that only the agents' routes serve."""

    urlconf = "config.agent_urls"


class AgentHandler(BaseHandler):
    """Django's own handler with an empty middleware chain.

    Sessions, CSRF and content security policy only matter to browsers and cost as much as storing a report.
    """

    def __init__(self) -> None:
        super().__init__()
        self.load_middleware()

    def load_middleware(self, is_async: bool = False) -> None:
        """As Django's with MIDDLEWARE = []."""
        self._view_middleware: list[object] = []
        self._template_response_middleware: list[object] = []
        self._exception_middleware: list[object] = []
        self._middleware_chain = convert_exception_to_response(self._get_response)  # type: ignore[attr-defined]

    def respond(self, scope: Scope, body: bytes) -> HttpResponseBase:
        """The response, already closed. Blocks: call it in a thread."""
        signals.request_started.send(sender=type(self), scope=scope)
        request = AgentRequest({**scope, "query_string": b""}, BytesIO(body))
        response = self.get_response(request)
        response.close()  # Sends request_finished.
        return response


class AgentServer:
    """Serves the agent protocol and refuses everything else."""

    def __init__(self) -> None:
        self._handler = AgentHandler()
        self._lanes = {
            name: Lane(name, threads=threads, most_waiting=MOST_WAITING, patience_s=PATIENCE_S)
            for name, threads in (
                ("reports", REPORT_THREADS),
                ("assignments", ASSIGNMENT_THREADS),
                ("identities", IDENTITY_THREADS),
            )
        }
        self._agents = OneAtATime(REPORTS_WAITING)
        self._generations = GenerationWatch(self._read_generations)
        self._reports = BodyReader(most_bytes=256 * MEBIBYTE, most_per_sender=4, most_waiting=4096)
        self._identities = BodyReader(most_bytes=16 * MEBIBYTE, most_per_sender=32, most_waiting=512)
        self._groups: CallGroups[Batch, Outcome | None] = CallGroups(
            "groups",
            replaces_connections(store_group),
            wait_s=GROUP_S,
            most=MOST_TOGETHER,
            most_waiting=MOST_GATHERED,
            patience_s=GROUP_PATIENCE_S,
        )
        self._gathering = Admission("groups", longest_wait_s=LONGEST_WAIT_S, least=LEAST_GATHERED, rate=200.0)
        self._assigning = Admission(
            "assignments", longest_wait_s=LONGEST_WAIT_S, least=4 * ASSIGNMENT_THREADS, rate=50.0
        )
        self._apart: dict[UUID, float] = {}
        """Agent -> until when it stays out of groups, monotonic seconds."""
        self._paused: dict[UUID, float] = {}
        """Agent -> until when no large body of it is parsed, monotonic seconds."""
        self._health: asyncio.Future[HttpResponseBase] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request (ASGI 3)."""
        if scope["type"] != "http":
            return
        incoming = Incoming(receive)
        try:
            response = await self._respond(scope, incoming)
        except ClientGone:
            return
        except BackstayError as problem:
            if not isinstance(problem, TooSlow | NotFound):
                await incoming.discard()
            response = views.answer(problem)
            response["Connection"] = "close"
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            response = views.answer(BackstayError("Internal error; the server's log has the details."))
        await _send(response, scope, send)

    async def _respond(self, scope: Scope, receive: Incoming) -> HttpResponseBase:
        name = scope["path"].removeprefix(PREFIX) if scope["path"].startswith(PREFIX) else ""
        if name == HEALTH and scope["method"] == "GET":
            return await self._checked(scope)
        route = ROUTES.get(name)
        if route is None:
            raise NotFound("The ingest serves agents only; pages and the public API have another address.")
        if scope["method"] != route.method:
            return self._handler.respond(scope, b"")
        if not route.is_authenticated:
            return await self._identified(route, scope, receive)
        agent = credentials.agent_of(header(scope, b"authorization"), timezone.now())
        if route.lane is None:
            return self._handler.respond(scope, b"")
        if route.limit == 0:
            async with receive.watched():
                return await self._desired(route.lane, scope, agent)
        reading = self._reports.body(scope, receive, str(agent), route.limit, route.deadline_s)
        async with reading as body, receive.watched(), self._agents.of(str(agent)):
            return await self._reported(agent, body)

    async def _reported(self, agent: UUID, body: bytes) -> HttpResponseBase:
        """The response to a request of reports."""
        try:
            return await self._stored(agent, body, timezone.now())
        except views.FAILURES as problem:
            return views.failed(problem)

    async def _stored(self, agent: UUID, body: bytes, now: datetime) -> HttpResponseBase:
        """The acknowledgement, once the reports are stored. Raises views.FAILURES."""
        try:
            request = views.read(agent, body, now, GROUPED_OCTETS)
        except TooLarge:
            return await self._large(agent, body, now)
        if not can_join(request.batch) or time.monotonic() < self._apart.get(agent, 0.0):
            return await self._alone(functools.partial(views.store, request))
        with self._gathering.admitted(agent):
            outcome = await self._groups.result(request.batch)
            if outcome is None:
                outcome = await self._alone(functools.partial(store_batch, request.batch))
                if outcome.rejected:
                    self._apart[agent] = time.monotonic() + APART_S
        return views.acknowledgement(request, outcome)

    async def _large(self, agent: UUID, body: bytes, now: datetime) -> HttpResponseBase:
        """Parse and store in a thread, unless parsing the agent's previous large body was in vain."""
        pause_s = self._paused.get(agent, 0.0) - time.monotonic()
        if pause_s > 0:
            raise TooMany("The previous large batch was malformed.", retry_after_s=math.ceil(pause_s))
        return await self._alone(functools.partial(self._parsed_and_stored, agent, body, now))

    def _parsed_and_stored(self, agent: UUID, body: bytes, now: datetime) -> HttpResponseBase:
        began = time.thread_time()
        try:
            request = views.read(agent, body, now)
            outcome = store_batch(request.batch)
        except (Invalid, TooLarge):
            self._pause(agent, time.thread_time() - began)
            raise
        if views.is_malformed(request, outcome):
            self._pause(agent, time.thread_time() - began)
        return views.acknowledgement(request, outcome)

    def _pause(self, agent: UUID, cost_s: float) -> None:
        self._paused[agent] = time.monotonic() + min(PAUSES * cost_s, LONGEST_PAUSE_S)

    async def _alone(self, function: Callable[[], T]) -> T:
        return await self._lanes["reports"].run(replaces_connections(function))

    async def _desired(self, lane: str, scope: Scope, agent: UUID) -> HttpResponseBase:
        """At once, or when it has changed if the agent prefers to wait for that (RFC 7240, 4.3)."""
        try:
            with self._assigning.admitted(agent):
                response = await self._in_lane(lane, scope, b"")
        except Unavailable as problem:
            return views.failed(problem)  # Its connection stays open: all come again.
        hold_s, known = _preferred_wait_s(scope), _known_generation(scope)
        if response.status_code != 304 or hold_s <= 0 or known is None:
            return response
        if await self._generations.changed(agent, known, hold_s):
            response = await self._in_lane(lane, scope, b"")
        response["Preference-Applied"] = "wait"
        return response

    async def _read_generations(self, agents: Collection[UUID]) -> dict[UUID, int]:
        read = functools.partial(replaces_connections(generations_of), agents)
        return await self._lanes["assignments"].run(read)

    async def _identified(self, route: Route, scope: Scope, receive: Incoming) -> HttpResponseBase:
        assert route.lane is not None
        peer = scope["client"][0] if scope.get("client") else ""
        address = client_address(peer, header(scope, b"x-forwarded-for"), settings.TRUSTED_PROXIES)
        reading = self._identities.body(scope, receive, address, route.limit, route.deadline_s)
        async with reading as body, receive.watched():
            return await self._in_lane(route.lane, scope, body)

    async def _in_lane(self, lane: str, scope: Scope, body: bytes) -> HttpResponseBase:
        return await self._lanes[lane].run(functools.partial(self._handler.respond, scope, body))

    async def _checked(self, scope: Scope) -> HttpResponseBase:
        """The health of the groups, the reports' lane and the database: one check serves all who ask."""
        if self._groups.busy_s > STUCK_S:
            raise Unavailable("A group of reports is not stored; the database may hang.", retry_after_s=2)
        if self._health is None:
            self._health = asyncio.ensure_future(self._in_lane("reports", scope, b""))
            self._health.add_done_callback(
                lambda _: asyncio.get_running_loop().call_later(HEALTH_S, self._forget_health)
            )
        return await asyncio.shield(self._health)

    def _forget_health(self) -> None:
        self._health = None


def _preferred_wait_s(scope: Scope) -> float:
    """Seconds for which the client prefers to wait; 0: none."""
    found = re.search(r"(?:^|[,;\s])wait=(\d{1,4})(?:$|[,;\s])", header(scope, b"prefer"))
    return min(float(found[1]), LONGEST_HOLD_S) if found else 0.0


def _known_generation(scope: Scope) -> int | None:
    known = header(scope, b"if-none-match").strip('"')
    return int(known) if known.isascii() and known.isdigit() else None


async def _send(response: HttpResponseBase, scope: Scope, send: Send) -> None:
    content = response.content if isinstance(response, HttpResponse) else b""
    named = {"Cache-Control": "no-store", **dict(response.items()), **headers_without_django(scope)}
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in named.items()]
    if response.status_code not in {204, 304}:
        headers.append((b"content-length", str(len(content)).encode()))
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": content})
