"""Publishing never fails the publisher, whatever the state of Redis."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from backstay.live import bus, publish


@pytest.fixture(autouse=True)
def fresh_breaker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test starts with a closed breaker."""
    monkeypatch.setattr(bus, "breaker", bus.Breaker())


def facts(settings: Any) -> list[dict[str, str]]:
    entries: Any = bus.client(settings.REDIS_URL).xrange(bus.FACTS)
    return [fields for _, fields in entries]


def test_rolled_back_changes_are_not_published(
    db: None, settings: Any, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    bus.client(settings.REDIS_URL).delete(bus.FACTS)
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        publish.event("argonne", 1)
        transaction.set_rollback(True)
    with django_capture_on_commit_callbacks(execute=True):
        publish.event("argonne", 2)
        publish.changed("argonne", {"incidents", "links"})
        publish.changed("argonne", set())
    assert facts(settings) == [
        {"kind": "event", "site": "argonne", "event": "2"},
        {"kind": "changed", "site": "argonne", "nouns": "incidents,links"},
    ]


def test_missing_redis_causes_one_short_delay(
    db: None, settings: Any, tmp_path: Any, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    with django_capture_on_commit_callbacks(execute=True):
        for number in range(1000):
            publish.samples("argonne", {number})
    assert bus.breaker.is_open(time.monotonic())
    assert not bus.is_up()


def test_breaker_delay_grows_up_to_two_seconds() -> None:
    breaker = bus.Breaker()
    for pause in (0.5, 1.0, 2.0, 2.0):
        breaker.failed(100.0)
        assert breaker.is_open(100.0 + pause - 0.01)
        assert not breaker.is_open(100.0 + pause)
    breaker.worked()
    breaker.failed(200.0)
    assert not breaker.is_open(200.6)
