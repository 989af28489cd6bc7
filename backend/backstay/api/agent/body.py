"""Parses a request body into a batch: bounded, with invalid reports separated from valid ones.

A batch is validated in one pass. Only if that fails, or if it contains text to replace (`sanitise`), are the
malformed reports identified by index and removed, and the rest validated again.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any, TypeVar

from django.http import HttpRequest
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from backstay.api.agent import sanitise
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
from backstay_wire.text import complaint

MAX_COMPRESSED = 4 * 1024 * 1024
MAX_SMALL = 16 * 1024
"""Limit of bodies other than batches."""
_GZIP = 16 + zlib.MAX_WBITS
MessageT = TypeVar("MessageT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Readable:
    """A batch without its malformed reports; each report with its index in the request."""

    sent: int
    clock: ClockReading | None
    spool: SpoolState
    reports: list[tuple[int, Report]]
    rejected: list[Rejection]
    sanitised: int = 0
    """Reports in which text was replaced or cut."""


def small(request: HttpRequest, message: type[MessageT]) -> MessageT:
    """Parse a short JSON body; Invalid with the wrong fields, or TooLarge."""
    try:
        parsed = message.model_validate_json(octets(request, MAX_SMALL))
    except ValidationError as problem:
        fields = {".".join(map(str, error["loc"])): error["msg"] for error in problem.errors()}
    else:
        texts = {name: value for name, value in parsed if isinstance(value, str)}
        fields = {name: why for name, value in texts.items() if (why := complaint(value))}
        if not fields:
            return parsed
    raise Invalid("The body is invalid.", fields=fields)


def batch(octets: bytes, most: int = MAX_BATCH_BYTES) -> Readable:
    """Parse a batch. Invalid if it is not gzip, JSON or a batch; TooLarge beyond `most` inflated octets."""
    text = _unzipped(octets, most)
    try:
        if not sanitise.is_suspect(text):
            whole = ReportBatch.model_validate_json(text)
            return Readable(whole.sent, whole.clock, whole.spool, list(enumerate(whole.reports)), [])
    except ValidationError:
        pass  # Separated below, which costs nothing for valid batches.
    return _sorted_out(text)


def octets(request: HttpRequest, most: int) -> bytes:
    """The body. TooLarge."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or int(length) > most:
        raise TooLarge(f"The body has more than {most} octets: send fewer reports at once.")
    body: bytes = request.read(most + 1)
    if len(body) > most:
        raise TooLarge(f"The body has more than {most} octets: send fewer reports at once.")
    return body


def _unzipped(body: bytes, most: int) -> bytes:
    inflater = zlib.decompressobj(_GZIP)
    try:
        text = inflater.decompress(body, most + 1)
    except zlib.error:
        raise Invalid("The body is not gzip.") from None
    if len(text) > most:
        raise TooLarge(f"The batch inflates to more than {most} octets: send fewer reports at once.")
    if not inflater.eof or inflater.unused_data:
        raise Invalid("The body is not one complete gzip stream.")
    return text


def _sorted_out(text: bytes) -> Readable:
    try:
        loaded: Any = sanitise.loads(text)
    except ValueError as problem:
        raise Invalid(f"The body is not JSON: {problem}") from None
    reports = loaded.get("reports") if isinstance(loaded, dict) else None
    if not isinstance(reports, list) or not reports:
        raise Invalid("The body is not a batch.", fields={"reports": "a list of at least one report"})
    if len(reports) > MAX_REPORTS:
        raise TooLarge(f"The batch has {len(reports)} reports; at most {MAX_REPORTS} are accepted.")
    clean = [sanitise.cleaned(report) for report in reports]
    altered = {index for index, report in enumerate(reports) if clean[index] != report}
    altered |= _shortened(loaded, clean)
    reasons = _malformed({**loaded, "reports": clean})
    return _without(loaded, clean, reasons, len(altered - reasons.keys()))


def _problems(loaded: dict[str, Any]) -> list[ErrorDetails]:
    try:
        ReportBatch.model_validate(loaded)
    except ValidationError as problem:
        return problem.errors(include_url=False)
    return []


def _shortened(loaded: dict[str, Any], reports: list[Any]) -> set[int]:
    """Cut texts that are too long, in place; the indexes of their reports."""
    found: set[int] = set()
    for error in _problems({**loaded, "reports": reports}):
        where, most = error["loc"], int(error.get("ctx", {}).get("max_length", 0))
        # The path: "reports", index, kind of report, fields.
        is_long = error["type"] == "string_too_long" and len(where) > 3
        if is_long and sanitise.shorten(reports[int(where[1])], where[3:], most):
            found.add(int(where[1]))
    return found


def _malformed(loaded: dict[str, Any]) -> dict[int, str]:
    """Index -> reason of each malformed report; Invalid if the batch itself is malformed."""
    reasons: dict[int, str] = {}
    fields: dict[str, str] = {}
    for error in _problems(loaded):
        where = error["loc"]
        if where[0] == "reports" and len(where) > 1 and isinstance(where[1], int):
            text = ".".join(map(str, where[3:])) or "the report"
            reasons.setdefault(where[1], f"{text}: {error['msg']}"[:300])
        else:
            fields[".".join(map(str, where))] = error["msg"]
    if fields:
        raise Invalid("The body is not a batch.", fields=fields)
    return reasons


def _without(loaded: dict[str, Any], reports: list[Any], reasons: dict[int, str], sanitised: int) -> Readable:
    rejected = [
        Rejection(index=index, code=RejectionCode.MALFORMED, reason=reason)
        for index, reason in sorted(reasons.items())
    ]
    good = [index for index in range(len(reports)) if index not in reasons]
    if not good:
        return Readable(loaded["sent"], None, SpoolState(), [], rejected)
    whole = ReportBatch.model_validate({**loaded, "reports": [reports[index] for index in good]})
    kept = list(zip(good, whole.reports, strict=True))
    return Readable(whole.sent, whole.clock, whole.spool, kept, rejected, sanitised)
