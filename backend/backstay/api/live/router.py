"""The live stream: server-sent events, resumable.

On (re)connecting a client gets `hello`, missed events or a `gap`, and the loads of all links; then new
events. Each minute the stream checks that its user is still signed in and may still see the site, and ends
otherwise. It ends after 15 minutes in any case, and the browser reopens it. A wallboard's stream also ends at
once when its token is revoked or renewed.
"""

import asyncio
import functools
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse
from ninja import Router

from backstay.api.http.auth import WallboardScreen, may_still_see, reader, site_of
from backstay.api.http.connections import DATABASE_ERRORS, closes_connections
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import Problem
from backstay.api.live.messages import LiveMessages
from backstay.api.live.schemas import LiveMessage
from backstay.core.errors import TooMany, Unavailable
from backstay.live.clients import Client
from backstay.live.frames import KEEP_ALIVE, PACKED_HEAD, Frame, frame, position
from backstay.live.hub import Hub

router = Router(tags=["live"])
KEEP_ALIVE_S = 10.0
LONGEST_S = 900.0
MOST_CLIENTS = 500


@functools.cache
def hub() -> Hub:
    """The process's hub, created for the first client."""
    return Hub(settings.REDIS_URL, LiveMessages())


@router.get(
    "/live",
    response={
        200: LiveMessage,
        400: Problem,
        401: Problem,
        403: Problem,
        404: Problem,
        429: Problem,
        503: Problem,
    },
    operation_id="live",
    description="Server-sent events; resumable by Last-Event-ID.",
)
def live(request: HttpRequest, site: Text | None = None) -> StreamingHttpResponse:
    """Loads, events and notices of one site."""
    if not isinstance(request, ASGIRequest):
        raise Unavailable("This process does not serve the live stream: ask the web process.")
    client = _client(request, site)
    if len(hub().clients) >= MOST_CLIENTS:
        raise Unavailable("Too many live streams are open here; poll instead.", retry_after_s=30)
    if hub().clients.count_of(client.reader) >= settings.LIVE_STREAMS_PER_USER:
        raise TooMany(
            f"You have {settings.LIVE_STREAMS_PER_USER} live streams open; poll instead.", retry_after_s=30
        )
    may_continue = closes_connections(functools.partial(may_still_see, request, client.site))
    frames = _stream(
        client,
        may_continue,
        position(request.headers.get("Last-Event-ID")),
        "Last-Event-ID" in request.headers,
    )
    is_packed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = StreamingHttpResponse(
        _packed(frames) if is_packed else frames, content_type="text/event-stream"
    )
    response["Vary"] = "Accept-Encoding, Cookie"
    if is_packed:
        response["Content-Encoding"] = "gzip"
    response["Cache-Control"] = "no-cache, no-transform"
    response["X-Accel-Buffering"] = "no"
    return response


@closes_connections
def _client(request: HttpRequest, site: str | None) -> Client:
    """Read once in the request's thread, whose connection must not be kept for the whole stream."""
    who = reader(request)
    is_withdrawable = isinstance(who, WallboardScreen)
    return Client(site_of(request, site).name, who.reader, is_withdrawable=is_withdrawable)


async def _packed(frames: AsyncGenerator[Frame]) -> AsyncGenerator[bytes]:
    """A compressed stream. Frames hold no secrets, so that compressing them is safe (the BREACH attack)."""
    async with aclosing(frames):
        yield PACKED_HEAD
        async for encoded in frames:
            yield encoded.packed


async def _stream(
    client: Client, may_continue: Callable[[], bool], after: str | None, resumes: bool
) -> AsyncGenerator[Frame]:
    site = client.site
    served_from = await hub().join(client)
    try:
        # Withdrawn since the request was authenticated, it would miss the message that ends it.
        if client.is_withdrawable and not await _permitted(may_continue):
            return
        messages = LiveMessages()
        yield Frame(b"retry: 1000\n" + frame("hello", messages.notice("hello", site), served_from))
        if resumes:
            missed = None if after is None else await hub().replay(site, after, served_from)
            for encoded in [frame("gap", messages.notice("gap", site))] if missed is None else missed:
                yield encoded
        for encoded in await hub().first_loads(site):
            yield encoded
        async for encoded in _frames(client, may_continue):
            yield encoded
    finally:
        hub().leave(client)


async def _frames(client: Client, may_continue: Callable[[], bool]) -> AsyncIterator[Frame]:
    """The client's frames, with keep-alives, until the stream ends."""
    loop = asyncio.get_running_loop()
    end, check_at = loop.time() + LONGEST_S, loop.time() + settings.LIVE_RECHECK_S
    while loop.time() < end:
        if loop.time() >= check_at:
            check_at = loop.time() + settings.LIVE_RECHECK_S
            if not await _permitted(may_continue):
                return
        try:
            encoded = await asyncio.wait_for(client.frames.get(), KEEP_ALIVE_S)
        except TimeoutError:
            encoded = KEEP_ALIVE
        if encoded is None:
            return
        yield encoded


async def _permitted(may_continue: Callable[[], bool]) -> bool:
    """Without the database permissions are unknown, and no stream has anything to send."""
    try:
        return await sync_to_async(may_continue, thread_sensitive=False)()
    except DATABASE_ERRORS:
        return True
