"""Security headers of each kind of route, the built frontend, unknown routes, and each port's routes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from django.test import Client
from django.urls import Resolver404, resolve
from pytest_django import Settings

SCRIPT = b"export const answer = 42;\n" * 100
COPIES = {"br": b"as written by the build", "gzip": gzip.compress(SCRIPT), "": SCRIPT}
"""Content encoding -> octets; the build writes the copies (`frontend/scripts/compress.mjs`)."""


@pytest.mark.parametrize("path", ["/", "/map", "/api/v1/alive", "/api/v1/nodes", "/api/nowhere"])
def test_every_browser_response_has_security_headers(client: Client, db: None, path: str) -> None:
    reply = client.get(path)
    assert "default-src 'none'" in reply["Content-Security-Policy"]
    assert "unsafe" not in reply["Content-Security-Policy"]
    assert reply["X-Content-Type-Options"] == "nosniff"
    assert reply["X-Frame-Options"] == "DENY"
    assert reply["Referrer-Policy"] == "same-origin"
    assert reply["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize(("accepted", "encoding"), [("gzip, br", "br"), ("gzip", "gzip"), ("", "")])
def test_scripts_are_sent_compressed_and_kept(
    tmp_path: Path, settings: Settings, accepted: str, encoding: str
) -> None:
    assets = tmp_path / "assets"
    assets.mkdir()
    for suffix, content in {"": SCRIPT, ".br": COPIES["br"], ".gz": COPIES["gzip"]}.items():
        (assets / f"index-B0lk.js{suffix}").write_bytes(content)
    settings.WHITENOISE_ROOT = str(tmp_path)
    reply = Client().get("/assets/index-B0lk.js", headers={"accept-encoding": accepted})
    assert (reply.status_code, reply.get("Content-Encoding", "")) == (200, encoding)
    assert reply.getvalue() == COPIES[encoding]
    assert "immutable" in reply["Cache-Control"]
    assert reply["Vary"] == "Accept-Encoding"


def test_unknown_path_below_api_gets_a_json_response(client: Client) -> None:
    reply = client.get("/api/agent/v1/nowhere")
    assert (reply.status_code, reply.json()["code"]) == (404, "not_found")


def test_unknown_host_header_is_refused_without_a_page(client: Client) -> None:
    reply = client.get("/api/v1/alive", headers={"host": "evil.example"})
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid")


def test_ports_share_no_route() -> None:
    """What the servers themselves serve; the tests' client calls both."""
    assert resolve("/api/v1/nodes", "config.urls")
    with pytest.raises(Resolver404):
        resolve("/api/agent/v1/reports", "config.urls")
    assert resolve("/api/agent/v1/reports", "config.agent_urls")
    for path in ("/", "/api/v1/nodes"):
        with pytest.raises(Resolver404):
            resolve(path, "config.agent_urls")


def test_agent_responses_are_never_cached(client: Client) -> None:
    reply = client.post("/api/agent/v1/reports")
    assert reply.status_code == 401
    assert reply["Cache-Control"] == "no-store"
