"""Security headers of each kind of route, and responses to unknown routes."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.wsgi import get_wsgi_application
from django.test import Client

from config.agent_wsgi import with_agent_routes

application = with_agent_routes(get_wsgi_application())


@pytest.mark.parametrize("path", ["/", "/map", "/api/v1/health", "/api/v1/nodes", "/api/nowhere"])
def test_every_browser_response_has_security_headers(client: Client, db: None, path: str) -> None:
    reply = client.get(path)
    assert "default-src 'none'" in reply["Content-Security-Policy"]
    assert "unsafe" not in reply["Content-Security-Policy"]
    assert reply["X-Content-Type-Options"] == "nosniff"
    assert reply["X-Frame-Options"] == "DENY"
    assert reply["Referrer-Policy"] == "same-origin"
    assert reply["Cross-Origin-Opener-Policy"] == "same-origin"


def test_unknown_path_below_api_gets_a_json_response(client: Client) -> None:
    reply = client.get("/api/agent/v1/nowhere")
    assert (reply.status_code, reply.json()["code"]) == (404, "not_found")


def test_unknown_host_header_is_refused_without_a_page(client: Client) -> None:
    reply = client.get("/api/v1/health", headers={"host": "evil.example"})
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid")


def call(path: str, method: str = "GET") -> tuple[str, dict[str, str], bytes]:
    """One request to the WSGI application itself."""
    output: list[Any] = []
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "wsgi.input": io.BytesIO(b""),
        "wsgi.url_scheme": "http",
    }
    body = b"".join(application(environ, lambda status, headers: output.append((status, dict(headers)))))
    return output[0][0], output[0][1], body


def test_agent_requests_bypass_the_middleware(db: None) -> None:
    status, headers, _ = call("/api/agent/v1/desired")
    assert status.startswith("401")
    assert "Content-Security-Policy" not in headers
    status, headers, _ = call("/api/v1/nodes")
    assert status.startswith("401")
    assert "Content-Security-Policy" in headers


def test_agent_responses_are_never_cached(db: None) -> None:
    _, headers, _ = call("/api/agent/v1/reports", "POST")
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
