"""Server-sent events (WHATWG HTML, section 9.2): one frame per message, encoded once for all its clients."""

from __future__ import annotations

import re

KEEP_ALIVE = b": still here\n\n"
"""A comment that keeps the connection alive; browsers ignore it."""
_ID = re.compile(r"\d{1,20}-\d{1,20}")


def frame(kind: str, data: str, ident: str | None = None) -> bytes:
    """One message; `data` is JSON without line breaks. Only resumable messages carry an id."""
    head = f"id: {ident}\n" if ident is not None else ""
    return f"{head}event: {kind}\ndata: {data}\n\n".encode()


def position(last_event_id: str | None) -> str | None:
    """The client's last id if it is a valid stream position, else None."""
    return last_event_id if last_event_id and _ID.fullmatch(last_event_id) else None


def order(ident: str) -> tuple[int, int]:
    """Sort key of a stream id."""
    milliseconds, number = ident.split("-")
    return int(milliseconds), int(number)
