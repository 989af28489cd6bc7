"""ETags: a client that has the newest answer gets 200 bytes.

The tag is weak (RFC 9110, section 8.8.1) and leaves out what changes merely because time passes: ages,
the moment of the answer, and texts of states. A client keeps those up to date by itself.
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
    """A weak tag of a JSON answer."""
    return f'W/"{hashlib.blake2b(_PASSING.sub(b"", content), digest_size=12).hexdigest()}"'


def conditional(request: HttpRequest, response: HttpResponse, tag: str | None = None) -> HttpResponse:
    """The answer with its tag, or the one given; without a body when the client already has it."""
    tag = tag or etag(response.content)
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    answer = get_conditional_response(request, etag=tag, response=response)
    assert answer is not None
    return answer


def json_answer(request: HttpRequest, content: bytes, about: bytes) -> HttpResponse:
    """A large answer that is JSON already, tagged by `about`: all of it that does not merely pass.

    Finding what passes in a megabyte of JSON costs as much as making it. It goes out compressed, which is
    safe only for answers that hold no secret (the BREACH attack of 2013).
    """
    tag = f'W/"{hashlib.blake2b(about, digest_size=12).hexdigest()}"'
    response = conditional(request, HttpResponse(content, content_type="application/json"), tag)
    response["Vary"] = "Accept-Encoding, Cookie"
    if response.content and "gzip" in request.headers.get("Accept-Encoding", ""):
        response.content = gzip.compress(response.content, compresslevel=1, mtime=0)
        response["Content-Encoding"] = "gzip"
    return response
