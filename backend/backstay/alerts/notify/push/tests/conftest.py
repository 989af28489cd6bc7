"""A push service on this machine: a TLS server that keeps what it gets."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from backstay.alerts.notify.tests.certificate import make_certificate
from backstay.alerts.notify.tests.sinks import HttpSink, answer, http_sink


@pytest.fixture
def service(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HttpSink]:
    """On 127.0.0.2, the only address of this machine that may be reached; it answers 201 Created."""
    settings.NOTIFY_ALLOWED = [ipaddress.ip_network("127.0.0.2/32")]
    certificate, key = make_certificate(tmp_path, "127.0.0.2")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with http_sink() as sink:
        sink.server.socket = context.wrap_socket(sink.server.socket, server_side=True)
        sink.url = sink.url.replace("http://", "https://")
        sink.reply = answer(201)
        yield sink
