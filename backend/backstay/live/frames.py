"""Server-sent events (WHATWG HTML, section 9.2): one frame per message, encoded once for all its clients.

It is also compressed once for all. A compressed stream is `PACKED_HEAD` (RFC 1952) and blocks that each end
at a full flush, so that none refers to another and each decodes on arrival. It has no trailer: each client's
checksum would be another, and a stream ends with its connection anyway.
"""

from __future__ import annotations

import re
import zlib
from functools import cached_property

PACKED_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""The header of a gzip stream without name and time."""
PACKED_LEVEL = 1


class Frame(bytes):
    """One message as it is sent."""

    @cached_property
    def packed(self) -> bytes:
        """A part of a compressed stream; computed on first use."""
        packer = zlib.compressobj(PACKED_LEVEL, wbits=-zlib.MAX_WBITS)
        return packer.compress(self) + packer.flush(zlib.Z_FULL_FLUSH)


KEEP_ALIVE = Frame(b": still here\n\n")
"""A comment that keeps the connection alive; browsers ignore it."""
_ID = re.compile(r"\d{1,20}-\d{1,20}")


def frame(kind: str, data: str, ident: str | None = None) -> Frame:
    """One message; `data` is JSON without line breaks. Only resumable messages carry an id."""
    head = f"id: {ident}\n" if ident is not None else ""
    return Frame(f"{head}event: {kind}\ndata: {data}\n\n".encode())


def position(last_event_id: str | None) -> str | None:
    """The client's last id if it is a valid stream position, else None."""
    return last_event_id if last_event_id and _ID.fullmatch(last_event_id) else None


def order(ident: str) -> tuple[int, int]:
    """Sort key of a stream id."""
    milliseconds, number = ident.split("-")
    return int(milliseconds), int(number)
