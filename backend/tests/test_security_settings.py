"""Cookies and headers: strict behind TLS, which is the default; plain HTTP only where somebody chose it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

BACKEND = Path(__file__).resolve().parent.parent
NAMES = (
    "SESSION_COOKIE_NAME",
    "CSRF_COOKIE_NAME",
    "SESSION_COOKIE_SECURE",
    "CSRF_COOKIE_SECURE",
    "SECURE_HSTS_SECONDS",
    "SECURE_PROXY_SSL_HEADER",
    "REDIS_URL",
    "CELERY_BROKER_URL",
)


def settings_with(**environment: str) -> dict[str, Any]:
    """The settings of a process with this environment."""
    code = "import json; from config import settings as s"
    code += f"; print(json.dumps({{name: getattr(s, name) for name in {NAMES}}}))"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BACKSTAY_")}
    argv = [sys.executable, "-c", code]
    done = subprocess.run(
        argv, cwd=BACKEND, env=kept | environment, capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def test_cookies_are_bound_to_the_host_and_hsts_is_on_by_default() -> None:
    found = settings_with()
    assert found["SESSION_COOKIE_NAME"].startswith("__Host-")
    assert found["CSRF_COOKIE_NAME"].startswith("__Host-")
    assert found["SESSION_COOKIE_SECURE"] is found["CSRF_COOKIE_SECURE"] is True
    assert found["SECURE_HSTS_SECONDS"] >= 31_536_000
    assert found["SECURE_PROXY_SSL_HEADER"] == ["HTTP_X_FORWARDED_PROTO", "https"]


def test_plain_http_is_a_choice() -> None:
    found = settings_with(BACKSTAY_HTTPS="0")
    assert not found["SESSION_COOKIE_NAME"].startswith("__Host-")
    assert found["SESSION_COOKIE_SECURE"] is found["CSRF_COOKIE_SECURE"] is False
    assert found["SECURE_HSTS_SECONDS"] == 0


def test_the_password_of_redis_is_a_secret_of_its_own() -> None:
    found = settings_with(BACKSTAY_REDIS_URL="redis://redis:6379/0", BACKSTAY_REDIS_PASSWORD="a/b@c")
    assert found["REDIS_URL"] == found["CELERY_BROKER_URL"] == "redis://:a%2Fb%40c@redis:6379/0"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/api/v1/openapi.json", "/no/such/page"])
def test_every_response_limits_browser_features_and_embedding(path: str) -> None:
    response = Client().get(path)
    assert "camera=()" in response.headers["Permissions-Policy"]
    assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
