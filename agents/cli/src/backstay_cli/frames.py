"""Server-sent events (WHATWG HTML, section 9.2) out of bytes. Pure.

Lines end at LF or CRLF only: other separators of Unicode are part of the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LONGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Frame:
    """One message; `ident` resumes after it, None when it says nothing about that."""

    kind: str
    data: str
    ident: str | None


def frames(chunks: Iterable[bytes]) -> Iterator[Frame]:
    """Messages as their last line comes; comments and `retry` are dropped, so is one without data."""
    fields: dict[str, str] = {}
    for line in _lines(chunks):
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data" and "data" in fields:
                value = f"{fields['data']}\n{value}"
            fields[name] = value
            continue
        if "data" in fields:
            yield Frame(fields.get("event", "message"), fields["data"], fields.get("id"))
        fields = {}


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")
        if len(rest) > LONGEST:
            rest = b""
