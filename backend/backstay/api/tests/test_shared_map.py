"""The map of a large site: computed once while nothing changes, and anew as soon as anything does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.alerts.selectors import site_map
from backstay.api.http import response_cache
from backstay.api.tests.world import World, bearer, person
from backstay.api.topology import router
from backstay.core.roles import Role
from backstay.inventory.models import Site
from backstay.live import bus
from backstay.telemetry.models import PortState

pytestmark = pytest.mark.django_db
MAP = "/api/v1/topology?site=argonne"
SIGNED_IN = 4
"""Queries that find the user and the site."""


class Reader:
    """Reads the map as one user."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._headers = bearer(person("reader", Role.VIEWER))
        self.queries = 0

    def __call__(self, status: int = 200, **headers: str) -> Any:
        with CaptureQueriesContext(connection) as queries:
            reply = self._client.get(MAP, headers={**self._headers, **headers})
        self.queries = len(queries)
        assert reply.status_code == status, reply.content
        return reply

    @property
    def was_computed(self) -> bool:
        """Whether the last answer was made for it."""
        return self.queries > SIGNED_IN


@pytest.fixture
def world() -> World:
    made = World.make(now=timezone.now().replace(microsecond=0))
    made.describe()
    return made


@pytest.fixture
def reader(world: World, client: Client, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Every answer counts as expensive, and none is shared only because it is young."""
    monkeypatch.setattr(response_cache, "EXPENSIVE_S", 0.0)
    monkeypatch.setattr(response_cache, "LONGEST_S", 0.0)
    # Nothing becomes stale during a test, however slow the machine is.
    monkeypatch.setattr(site_map, "next_stale", lambda *_: timezone.now() + timedelta(hours=1))
    monkeypatch.setattr(router, "_maps", response_cache.SharedResponses[Any]())
    return Reader(client)


def test_unchanged_map_is_not_computed_again(reader: Reader) -> None:
    first = reader()
    assert reader.was_computed
    again = reader(304, **{"if-none-match": first["ETag"]})
    assert (again.content, reader.was_computed) == (b"", False)
    whole = reader(**{"accept-encoding": "gzip"})
    assert (whole["ETag"], whole["Content-Encoding"], reader.was_computed) == (first["ETag"], "gzip", False)


def test_published_change_makes_a_new_map_which_is_then_kept(reader: Reader) -> None:
    first = reader()
    PortState.objects.filter(port__link_as_a__isnull=False).update(oper_up=False)
    bus.send(bus.FACTS, bus.MAX_FACTS, [{"kind": "changed", "site": "argonne", "nouns": "links"}])
    after = reader(**{"if-none-match": first["ETag"]})
    assert reader.was_computed
    assert {link["state"] for link in after.json()["links"]} != {
        link["state"] for link in first.json()["links"]
    }
    reader(304, **{"if-none-match": after["ETag"]})
    assert not reader.was_computed


def test_new_samples_make_a_new_map(reader: Reader) -> None:
    reader()
    bus.send(bus.SAMPLES, bus.MAX_SAMPLES, [{"site": "argonne", "nodes": "1"}])
    reader()
    assert reader.was_computed


def test_map_is_never_of_an_older_version_than_the_site(reader: Reader) -> None:
    before = reader().json()
    Site.objects.update(version=F("version") + 1)
    after = reader().json()
    assert reader.was_computed
    assert int(after["version"]) == int(before["version"]) + 1
    assert after["at"] > before["at"]


def test_report_that_becomes_stale_makes_a_new_map(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_map, "next_stale", lambda *_: timezone.now())
    reader()
    reader()
    assert reader.was_computed, "nothing publishes that time has passed"


def test_without_redis_every_map_is_computed(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus, "position", lambda: None)
    reader()
    reader()
    assert reader.was_computed, "changes since are not known"


def test_kept_map_is_computed_again_after_some_seconds(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response_cache, "KEPT_S", 0.0)
    reader()
    reader()
    assert reader.was_computed, "a notice may have been lost"
