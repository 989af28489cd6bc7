"""ETags: a client that has the newest answer is told so in 200 bytes.

The tag is weak (RFC 9110, section 8.8.1) and leaves out what changes merely because time passes: ages,
the moment of the answer, and states in words. A client keeps those up to date by itself.
"""

import hashlib
import re

from django.http import HttpRequest, HttpResponse

_PASSING = re.compile(
    rb'"(?:age_s|clock_offset_s|uptime_s)":[^,}\]]*|"state_text":"(?:[^"\\]|\\.)*"|^\{"site":\{[^}]*\},"at":"[^"]*"'
)


def etag(content: bytes) -> str:
    """A weak tag of a JSON answer."""
    return f'W/"{hashlib.blake2b(_PASSING.sub(b"", content), digest_size=12).hexdigest()}"'


def conditional(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer with its tag; without a body when the client already has it."""
    tag = etag(response.content)
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    offered = request.headers.get("If-None-Match", "")
    if tag in (part.strip() for part in offered.split(",")):
        response.status_code = 304
        response.content = b""
        del response["Content-Type"]
    return response
