"""The web page, and the responses to requests that no view handles: JSON below /api/, else plain text."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

NOT_BUILT = (
    "Backstay's API is running, but its web pages are not built.\n\n"
    "Build them with `make demo`, or `npm ci && npm run build` in frontend/.\n"
    "The API is at /api/v1/openapi.json.\n"
)


def single_page(request: HttpRequest) -> HttpResponse:
    """index.html, never cached, because it names the current hashed files."""
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    try:
        content = (settings.FRONTEND_DIR / "index.html").read_bytes()
    except FileNotFoundError:
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    response = HttpResponse(content, content_type="text/html; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    if request.path.rstrip("/") == "/wall":
        # A wallboard's address is its authority: it must not reach another server.
        response["Referrer-Policy"] = "no-referrer"
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: the request itself is invalid, for example its Host header."""
    why = f" {exception}" if isinstance(exception, BadRequest) else ""
    return _answer(request, 400, "invalid", f"The request cannot be read.{why}")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 raised outside the API's error handling."""
    return _answer(request, 403, "forbidden", "This is not allowed.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: unknown URL."""
    return _answer(request, 404, "not_found", "There is nothing at this address.")


def server_error(request: HttpRequest) -> HttpResponse:
    """500: a defect; the log has the traceback."""
    return _answer(request, 500, "internal", "Internal error; the server's log has the details. Try again.")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: an unsafe request without the CSRF token."""
    return _answer(request, 403, "csrf", "The session's CSRF token is missing or stale: reload the page.")


def _answer(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"code": code, "message": message, "fields": {}}, status=status)
    return HttpResponse(message + "\n", content_type="text/plain; charset=utf-8", status=status)
