"""A site that was measured twenty minutes ago, and reads of its API."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from backstay.api.tests.history.measured_site import measure
from backstay.api.tests.world import Json, World, bearer, kept, person
from backstay.core.roles import Role
from backstay.inventory.models import Site
from backstay.telemetry.selectors import site_history


@pytest.fixture(scope="module")
def measured(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = World.make(now=timezone.now() - timedelta(minutes=20))
        Site.objects.update(interval_s=300.0)  # The API uses the real clock, and a busy machine is slow.
        world.site = Site.objects.get()
        world.describe()
        measure(world)
        yield world


@pytest.fixture
def world(measured: World, db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    # The moment may be in the hour before, which nothing rolls up here.
    monkeypatch.setattr(site_history, "_ROLLED_UP_AFTER_S", 3600)
    return measured.copy()


@pytest.fixture
def get(world: World, client: Client) -> Any:
    headers = bearer(person("vera", Role.VIEWER, "argonne"), Role.VIEWER)

    def read(path: str, status: int = 200, **query: Any) -> Json:
        answer = client.get(f"/api/v1/{path}", query, headers=headers)
        assert answer.status_code == status, answer.content
        found: Json = answer.json()
        return found

    return read
