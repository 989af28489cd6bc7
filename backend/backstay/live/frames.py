"""Server-sent events as text (WHATWG HTML, section 9.2): one frame a message."""

from __future__ import annotations

import re

KEEP_ALIVE = ": still here\n\n"
"""A comment: it shows each side that the other is there, and browsers drop it."""
_ID = re.compile(r"\d{1,20}-\d{1,20}")


def frame(kind: str, data: str, ident: str | None = None) -> str:
    """One message; `data` is JSON without line breaks. Only what can be resumed from carries an id."""
    head = f"id: {ident}\n" if ident is not None else ""
    return f"{head}event: {kind}\ndata: {data}\n\n"


def position(last_event_id: str | None) -> str | None:
    """A client's last id when it can be a stream position of ours, else None."""
    return last_event_id if last_event_id and _ID.fullmatch(last_event_id) else None


def order(ident: str) -> tuple[int, int]:
    """Stream ids in their order."""
    milliseconds, number = ident.split("-")
    return int(milliseconds), int(number)
