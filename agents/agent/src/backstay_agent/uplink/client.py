"""The backend's agent protocol over HTTP/1.1: one keep-alive client, a new connection for each `reach`; every
answer becomes a value or an error (errors.py)."""

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from backstay_agent import __version__
from backstay_agent.host.clock import Clock
from backstay_agent.uplink.errors import (
    NoAnswerInTimeError,
    RefusedError,
    TooLargeError,
    UnauthorisedError,
    UnavailableError,
)
from backstay_wire import (
    WIRE_VERSION,
    BatchReply,
    ClockReading,
    Credential,
    Desired,
    Enrol,
    Enrolled,
    Reached,
    Renew,
    SpoolState,
)

Shape = TypeVar("Shape", bound=BaseModel)

_PREFIX = "/api/agent/v1"
_CONNECT_S = 3.0
_IDLE_S = 50.0
"""A connection unused for longer is replaced. A quiet agent sends after 45 s at most, and the ingest closes
what is idle for 60 s (docs/deploy.md)."""
_LATER = {408, 425, 429}
_LONGEST_WAIT_S = 300.0
_GZIP_LEVEL = 1
"""Small batches each second: level 1 costs a third of level 6 and yields 5 % more octets."""


def compress(
    payloads: Sequence[bytes], spool: SpoolState, sent_ns: int, clock: ClockReading | None = None
) -> bytes:
    """A gzip ReportBatch from already encoded reports: they are not decoded for sending."""
    reading = clock.model_dump_json() if clock is not None else "null"
    head = f'{{"wire":{WIRE_VERSION},"sent":{sent_ns},"clock":{reading},"spool":{spool.model_dump_json()},'
    head += '"reports":['
    return gzip.compress(head.encode() + b",".join(payloads) + b"]}", _GZIP_LEVEL)


@dataclass(frozen=True, slots=True)
class Newer:
    """Reply to a request for a newer desired state."""

    desired: Desired | None
    """None: the generation is unchanged."""
    held: bool
    """Whether the backend waited for a change: the next request may follow at once."""


class BackendClient:
    """Calls to one backend."""

    def __init__(
        self, base_url: str, clock: Clock, ca_file: Path | None = None, answer_s: float = 10.0
    ) -> None:
        self._clock = clock
        # Without TLS no certificates are loaded: that saves several MB on a management network.
        secure = base_url.startswith("https:")
        self._verify = (str(ca_file) if ca_file else True) if secure else False
        self._base_url = base_url.rstrip("/") + _PREFIX
        self._answer_s = answer_s
        self._http = self._new_http(httpx.Limits(max_connections=4, keepalive_expiry=_IDLE_S))
        self.credential = ""
        self.server_offset_s = 0.0
        """The backend's clock minus ours, as of its last answer."""

    def _new_http(self, limits: httpx.Limits) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=self._base_url,
            headers={"User-Agent": f"backstay-agent/{__version__}"},
            timeout=httpx.Timeout(self._answer_s, connect=_CONNECT_S),
            limits=limits,
            verify=self._verify,
            trust_env=False,
            follow_redirects=False,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def enrol(self, request: Enrol) -> Enrolled:
        """`POST enrol`. Raises BackendError."""
        answer = await self._call("POST", "/enrol", request.model_dump_json().encode(), anonymous=True)
        return _parse(Enrolled, answer)

    async def renew(self, request: Renew) -> Credential:
        """`POST credential`. Raises BackendError."""
        answer = await self._call("POST", "/credential", request.model_dump_json().encode(), anonymous=True)
        return _parse(Credential, answer)

    async def desired(self) -> Desired:
        """`GET desired`. Raises BackendError."""
        return _parse(Desired, await self._call("GET", "/desired"))

    async def newer(self, generation: int, hold_s: int = 0) -> Newer:
        """`GET desired`; nothing while the generation is unchanged (RFC 9110, 13.1.2). Raises BackendError.

        `hold_s`: ask the backend to answer only when it has changed, or after this time (RFC 7240, 4.3).
        """
        headers = {"If-None-Match": f'"{generation}"'}
        if hold_s:
            headers["Prefer"] = f"wait={hold_s}"
        answer = await self._call("GET", "/desired", headers=headers)
        held = "wait" in answer.headers.get("Preference-Applied", "")
        return Newer(None if answer.status_code == 304 else _parse(Desired, answer), held)

    async def reach(self) -> Reached:
        """`GET reach` over a new connection, closed afterwards. Raises BackendError.

        A connection that was opened before a change may survive what cuts new ones off: another source
        address, a return path that is missing, a filter for new connections.
        """
        async with self._new_http(httpx.Limits(max_keepalive_connections=0)) as http:
            return _parse(
                Reached, await self._call("GET", "/reach", headers={"Connection": "close"}, http=http)
            )

    async def report(self, body: bytes) -> BatchReply:
        """`POST reports` with a gzip ReportBatch; a 4xx that carries a BatchReply is an answer, not an error.

        Raises BackendError.
        """
        answer = await self._call("POST", "/reports", body, {"Content-Encoding": "gzip"})
        if 400 <= answer.status_code < 500 and answer.status_code not in (401, 413, *_LATER):
            try:
                return BatchReply.model_validate_json(answer.content)
            except ValidationError:
                raise RefusedError(answer.status_code, _reason(answer)) from None
        return _parse(BatchReply, answer)

    def now(self) -> float:
        """Unix time by the backend's clock, as far as known."""
        return self._clock.wall_ns() / 1e9 + self.server_offset_s

    async def _call(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        *,
        anonymous: bool = False,
        http: httpx.AsyncClient | None = None,
    ) -> httpx.Response:
        sent = {"Content-Type": "application/json"} if body is not None else {}
        if self.credential and not anonymous:
            sent["Authorization"] = f"Bearer {self.credential}"
        try:
            client = http or self._http
            answer = await client.request(method, path, content=body, headers=sent | (headers or {}))
        except httpx.ReadTimeout as error:
            raise NoAnswerInTimeError("no answer in time") from error
        except httpx.HTTPError as error:
            raise UnavailableError(f"{type(error).__name__}: {error}") from error
        retry_after = _date(answer)
        if retry_after is not None:
            self.server_offset_s = retry_after - self._clock.wall_ns() / 1e9
        return answer


def _parse(shape: type[Shape], answer: httpx.Response) -> Shape:
    """The body of a 2xx answer as a wire message. Raises BackendError; a body that is not a wire message
    comes from a proxy or another release, and the condition may be temporary."""
    try:
        return shape.model_validate_json(_good(answer))
    except ValidationError as error:
        raise UnavailableError(
            f"the answer is no {shape.__name__} ({error.error_count()} problems)"
        ) from None


def _good(answer: httpx.Response) -> bytes:
    """The body of a 2xx answer. Raises BackendError for any other."""
    status = answer.status_code
    if 200 <= status < 300:
        return answer.content
    if status == 401:
        raise UnauthorisedError(f"401: {_reason(answer)}")
    if status == 413:
        raise TooLargeError(f"413: {_reason(answer)}")
    if status in _LATER or status >= 500:
        raise UnavailableError(f"{status}: {_reason(answer)}", _retry_after(answer))
    raise RefusedError(status, _reason(answer))


def _reason(answer: httpx.Response) -> str:
    return answer.text[:300].strip() or answer.reason_phrase


def _date(answer: httpx.Response) -> float | None:
    try:
        return parsedate_to_datetime(answer.headers.get("Date", "")).timestamp()
    except ValueError:
        return None


def _retry_after(answer: httpx.Response) -> float | None:
    """Retry-After (RFC 9110, section 10.2.3): seconds or a date; at most five minutes."""
    retry_after = answer.headers.get("Retry-After", "").strip()
    if retry_after.isdigit():
        return min(float(retry_after), _LONGEST_WAIT_S)
    try:
        wait = (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds()
    except ValueError:
        return None
    return min(max(0.0, wait), _LONGEST_WAIT_S)
