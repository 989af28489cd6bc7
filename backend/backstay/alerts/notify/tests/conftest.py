"""Fixtures of the transports' tests: receivers on loopback addresses, of which one network is allowed."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from backstay.alerts.notify.tests.sinks import HttpSink, http_sink


@pytest.fixture
def allowed(settings: Settings) -> None:
    """Only 127.0.0.2 may be reached, among the addresses of this machine."""
    settings.NOTIFY_ALLOWED = [ipaddress.ip_network("127.0.0.2/32")]


@pytest.fixture
def sink(allowed: None) -> Iterator[HttpSink]:
    """A receiver that may be reached."""
    with http_sink() as running:
        yield running


@pytest.fixture
def forbidden() -> Iterator[HttpSink]:
    """A receiver on an address that is not allowed."""
    with http_sink("127.0.0.3") as running:
        yield running
