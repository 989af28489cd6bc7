"""ETags: a client with the current response gets 304.

The tag is weak (RFC 9110, section 8.8.1) and excludes values that change only with time: ages, the time of
the response, and texts of states. Clients update those themselves.
"""

import gzip
import hashlib
import re

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


def json_answer(request: HttpRequest, content: bytes, about: bytes) -> HttpResponse:
    """A large, already encoded JSON response, tagged by `about`: its content without time-dependent values.

    Searching a megabyte of JSON for these values costs as much as encoding it. The response is compressed,
    which is safe only without secrets (the BREACH attack of 2013).
    """
    tag = f'W/"{hashlib.blake2b(about, digest_size=12).hexdigest()}"'
    response = conditional(request, HttpResponse(content, content_type="application/json"), tag)
    response["Vary"] = "Accept-Encoding, Cookie"
    if response.content and "gzip" in request.headers.get("Accept-Encoding", ""):
        response.content = gzip.compress(response.content, compresslevel=1, mtime=0)
        response["Content-Encoding"] = "gzip"
    return response
