"""Parses a request body into a batch: bounded, with invalid reports separated from valid ones.

A batch is validated in one pass. Only if that fails are the malformed reports identified by index and
removed, and the rest validated again.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any, TypeVar

import pydantic_core
from django.http import HttpRequest
from pydantic import BaseModel, ValidationError

from backstay.core.errors import Invalid, TooLarge
from backstay_wire import (
    MAX_BATCH_BYTES,
    MAX_REPORTS,
    ClockReading,
    Rejection,
    RejectionCode,
    Report,
    ReportBatch,
    SpoolState,
)

MAX_COMPRESSED = 4 * 1024 * 1024
MAX_SMALL = 16 * 1024
"""Limit of bodies other than batches."""
_GZIP = 16 + zlib.MAX_WBITS
_ESCAPED_NUL = b"\\u0000"
MessageT = TypeVar("MessageT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Readable:
    """A batch without its malformed reports; each report with its index in the request."""

    sent: int
    clock: ClockReading | None
    spool: SpoolState
    reports: list[tuple[int, Report]]
    rejected: list[Rejection]


def small(request: HttpRequest, message: type[MessageT]) -> MessageT:
    """Parse a short JSON body; Invalid with the wrong fields, or TooLarge."""
    try:
        return message.model_validate_json(_octets(request, MAX_SMALL))
    except ValidationError as problem:
        fields = {".".join(map(str, error["loc"])): error["msg"] for error in problem.errors()}
    raise Invalid("The body is invalid.", fields=fields)


def batch(request: HttpRequest) -> Readable:
    """Parse a batch. Invalid if it is not gzip, JSON or a batch; TooLarge."""
    text = _unzipped(_octets(request, MAX_COMPRESSED))
    try:
        # PostgreSQL cannot store NUL in text; JSON escapes it, so one search finds all.
        if _ESCAPED_NUL not in text:
            whole = ReportBatch.model_validate_json(text)
            return Readable(whole.sent, whole.clock, whole.spool, list(enumerate(whole.reports)), [])
    except ValidationError:
        pass  # Separated below, which costs nothing for valid batches.
    return _sorted_out(text)


def _octets(request: HttpRequest, most: int) -> bytes:
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or int(length) > most:
        raise TooLarge(f"The body has more than {most} octets: send fewer reports at once.")
    body: bytes = request.read(most + 1)
    if len(body) > most:
        raise TooLarge(f"The body has more than {most} octets: send fewer reports at once.")
    return body


def _unzipped(body: bytes) -> bytes:
    inflater = zlib.decompressobj(_GZIP)
    try:
        text = inflater.decompress(body, MAX_BATCH_BYTES + 1)
    except zlib.error:
        raise Invalid("The body is not gzip.") from None
    if len(text) > MAX_BATCH_BYTES:
        raise TooLarge(
            f"The batch inflates to more than {MAX_BATCH_BYTES} octets: send fewer reports at once."
        )
    if not inflater.eof or inflater.unused_data:
        raise Invalid("The body is not one complete gzip stream.")
    return text


def _sorted_out(text: bytes) -> Readable:
    try:
        loaded: Any = pydantic_core.from_json(text)
    except ValueError as problem:
        raise Invalid(f"The body is not JSON: {problem}") from None
    reports = loaded.get("reports") if isinstance(loaded, dict) else None
    if not isinstance(reports, list) or not reports:
        raise Invalid("The body is not a batch.", fields={"reports": "a list of at least one report"})
    if len(reports) > MAX_REPORTS:
        raise TooLarge(f"The batch has {len(reports)} reports; at most {MAX_REPORTS} are accepted.")
    reasons = {index: "a NUL character in a text" for index, report in enumerate(reports) if _has_nul(report)}
    return _without(loaded, reports, _malformed(loaded, reports, reasons))


def _malformed(loaded: dict[str, Any], reports: list[Any], reasons: dict[int, str]) -> dict[int, str]:
    """Index -> reason of each malformed report; Invalid if the batch itself is malformed."""
    try:
        ReportBatch.model_validate(loaded)
    except ValidationError as problem:
        fields: dict[str, str] = {}
        for error in problem.errors():
            where = error["loc"]
            if where[0] == "reports" and len(where) > 1 and isinstance(where[1], int):
                text = ".".join(map(str, where[3:])) or "the report"
                reasons.setdefault(where[1], f"{text}: {error['msg']}"[:300])
            else:
                fields[".".join(map(str, where))] = error["msg"]
        if fields:
            raise Invalid("The body is not a batch.", fields=fields) from None
    return reasons


def _without(loaded: dict[str, Any], reports: list[Any], reasons: dict[int, str]) -> Readable:
    rejected = [
        Rejection(index=index, code=RejectionCode.MALFORMED, reason=reason)
        for index, reason in sorted(reasons.items())
    ]
    good = [index for index in range(len(reports)) if index not in reasons]
    if not good:
        return Readable(loaded["sent"], None, SpoolState(), [], rejected)
    whole = ReportBatch.model_validate({**loaded, "reports": [reports[index] for index in good]})
    return Readable(
        whole.sent, whole.clock, whole.spool, list(zip(good, whole.reports, strict=True)), rejected
    )


def _has_nul(value: object) -> bool:
    if isinstance(value, str):
        return "\x00" in value
    if isinstance(value, dict):
        return any(_has_nul(key) or _has_nul(item) for key, item in value.items())
    return isinstance(value, list) and any(_has_nul(item) for item in value)
