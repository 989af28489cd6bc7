"""People's pages: one HTML file for every address, which the browser's own router fills."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

NOT_BUILT = (
    "Backstay's API is running, but its web pages are not built.\n\n"
    "Build them with `make demo`, or `npm ci && npm run build` in frontend/.\n"
    "The API is at /api/v1/openapi.json.\n"
)


def single_page(request: HttpRequest) -> HttpResponse:
    """index.html, never cached, because it names the hashed files that may be."""
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    try:
        content = (settings.FRONTEND_DIR / "index.html").read_bytes()
    except FileNotFoundError:
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    response = HttpResponse(content, content_type="text/html; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response
