"""ETags: a client with the current response gets 304.

The tag is weak (RFC 9110, section 8.8.1) and excludes values that change only with time: ages, the time of
the response, and texts of states. Clients update those themselves.
"""

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

_PASSING = re.compile(
    rb'"(?:age_s|clock_offset_s|uptime_s)":[^,}\]]*|"state_text":"(?:[^"\\]|\\.)*"|^\{"site":\{[^}]*\},"at":"[^"]*"'
)


def etag(content: bytes) -> str:
    """A weak tag of a JSON response."""
    return f'W/"{hashlib.blake2b(_PASSING.sub(b"", content), digest_size=12).hexdigest()}"'


def conditional(request: HttpRequest, response: HttpResponse, tag: str | None = None) -> HttpResponse:
    """Add `tag`, or the computed one; without a body if the client already has the response."""
    tag = tag or etag(response.content)
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    answer = get_conditional_response(request, etag=tag, response=response)
    assert answer is not None
    return answer


@dataclass(frozen=True)
class EncodedJson:
    """A large JSON response, encoded once for all who get it, without secrets: only then is compressing it
    safe (the BREACH attack of 2013)."""

    content: bytes
    tag: str

    @classmethod
    def of(cls, content: bytes, about: bytes) -> Self:
        """Tagged by `about`: the content without time-dependent values, which no search has to remove."""
        return cls(content, f'W/"{hashlib.blake2b(about, digest_size=12).hexdigest()}"')

    @cached_property
    def packed(self) -> bytes:
        """Compressed with gzip, on first use."""
        return gzip.compress(self.content, compresslevel=1, mtime=0)


def json_answer(request: HttpRequest, encoded: EncodedJson) -> HttpResponse:
    """The response, compressed if the client accepts it; nothing is encoded for a client that has it."""
    response = HttpResponse(encoded.content, content_type="application/json")
    response = conditional(request, response, encoded.tag)
    response["Vary"] = "Accept-Encoding, Cookie"
    if response.content and "gzip" in request.headers.get("Accept-Encoding", ""):
        response.content = encoded.packed
        response["Content-Encoding"] = "gzip"
    return response
