"""The large response of the map: compressed, not sent again if unchanged, and computed once while nothing
changes; last report times of sites."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.api.http import response_cache
from backstay.api.tests.world import World, bearer, person, site_file
from backstay.api.topology import router
from backstay.api.topology.schemas import Topology
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory.models import Site
from backstay.telemetry.models import PortState

pytestmark = pytest.mark.django_db
MAP = "/api/v1/topology?site=argonne"


@pytest.fixture
def world() -> World:
    made = World.make(nodes=60)
    made.describe("grf1", "atmgw", "router", "origin1", *(f"sp{n:02}" for n in range(1, 61)))
    return made


@pytest.fixture
def reader(world: World) -> dict[str, str]:
    return bearer(person("reader", Role.VIEWER))


def test_response_matches_its_schema(client: Client, reader: dict[str, str]) -> None:
    reply = client.get(MAP, headers=reader)
    assert reply["Content-Type"] == "application/json"
    answer = Topology.model_validate_json(reply.content, strict=True)
    assert answer.model_dump(mode="json") == json.loads(reply.content)


@pytest.mark.parametrize("more", ["&at=now-1h", f"&unknown={'x' * 1000}"])
def test_request_whose_answer_is_not_remembered_is_answered(
    client: Client, reader: dict[str, str], more: str
) -> None:
    reply, known = client.get(MAP + more, headers=reader), client.get(MAP, headers=reader)
    assert reply.status_code == 200, reply.content
    assert reply.json()["links"] == known.json()["links"]
    again = client.get(MAP + more, headers={**reader, "if-none-match": reply["ETag"]})
    assert again.status_code == 304


def test_compressed_response_has_at_most_a_fifth_of_the_bytes(client: Client, reader: dict[str, str]) -> None:
    plain = client.get(MAP, headers=reader)
    packed = client.get(MAP, headers={**reader, "accept-encoding": "gzip, br"})
    assert (packed["Content-Encoding"], "Content-Encoding" in plain) == ("gzip", False)
    assert "Accept-Encoding" in packed["Vary"]
    assert len(packed.content) * 5 <= len(plain.content)
    answer = [json.loads(content)["links"] for content in (gzip.decompress(packed.content), plain.content)]
    assert [link["name"] for link in answer[0]] == [link["name"] for link in answer[1]]


def test_etag_ignores_ages_and_texts_but_not_load(
    client: Client, world: World, reader: dict[str, str]
) -> None:
    first = client.get(MAP, headers=reader)
    known = {**reader, "if-none-match": first["ETag"], "accept-encoding": "gzip"}
    again = client.get(MAP, headers=known)
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert "Content-Encoding" not in again
    world.forward()
    world.report([world.samples("grf1", {"ga030": (1e6, 2e6)})])
    assert client.get(MAP, headers=known).status_code == 200


def test_every_site_has_its_last_report_time(client: Client, world: World, reader: dict[str, str]) -> None:
    import_text(site_file(name="silent"), "silent.yaml", timezone.now())
    sites = {
        site["name"]: site["last_reported_at"]
        for site in client.get("/api/v1/sites", headers=reader).json()["items"]
    }
    assert sites["silent"] is None
    assert datetime.fromisoformat(sites["argonne"]) > world.now - timedelta(minutes=1)


SIGNED_IN = 5
"""Queries that find the user, the site, and what has changed."""


class Reader:
    """Reads the map as one user."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._headers = bearer(person("reader", Role.VIEWER))
        self.queries = 0

    def __call__(self, status: int = 200, headers: Mapping[str, str] | None = None) -> Any:
        with CaptureQueriesContext(connection) as queries:
            reply = self._client.get(MAP, headers={**self._headers, **(headers or {})})
        self.queries = len(queries)
        assert reply.status_code == status, reply.content
        return reply

    @property
    def was_computed(self) -> bool:
        """Whether the last answer was made for it."""
        return self.queries > SIGNED_IN


@pytest.fixture
def read_map(world: World, client: Client, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Every answer counts as expensive, and none is shared only because it is young."""
    monkeypatch.setattr(response_cache, "LARGE_NODES", 0)
    monkeypatch.setattr(response_cache, "EXPENSIVE_S", 0.0)
    monkeypatch.setattr(response_cache, "LONGEST_S", 0.0)
    # Nothing becomes stale during a test, however slow the machine is.
    Site.objects.update(interval_s=3600)
    monkeypatch.setattr(router, "_maps", response_cache.SharedResponses[Any]())
    return Reader(client)


def test_unchanged_map_is_not_computed_again(read_map: Reader) -> None:
    first = read_map()
    assert read_map.was_computed
    again = read_map(304, headers={"if-none-match": first["ETag"]})
    assert (again.content, read_map.was_computed) == (b"", False)
    whole = read_map(headers={"accept-encoding": "gzip"})
    assert (whole["ETag"], whole["Content-Encoding"], read_map.was_computed) == (first["ETag"], "gzip", False)


def test_change_makes_a_new_map_which_is_then_kept(read_map: Reader) -> None:
    first = read_map()
    PortState.objects.filter(port__link_as_a__isnull=False).update(oper_up=False)
    after = read_map(headers={"if-none-match": first["ETag"]})
    assert read_map.was_computed
    assert {link["state"] for link in after.json()["links"]} != {
        link["state"] for link in first.json()["links"]
    }
    read_map(304, headers={"if-none-match": after["ETag"]})
    assert not read_map.was_computed


def test_new_samples_make_a_new_map(read_map: Reader, world: World) -> None:
    read_map()
    world.forward()
    world.report([world.samples("grf1", {"ga030": (1e6, 2e6)})])
    read_map()
    assert read_map.was_computed


def test_map_is_never_of_an_older_version_than_the_site(read_map: Reader) -> None:
    before = read_map().json()
    Site.objects.update(version=F("version") + 1)
    after = read_map().json()
    assert read_map.was_computed
    assert int(after["version"]) == int(before["version"]) + 1
    assert after["at"] > before["at"]


def test_report_that_becomes_stale_makes_a_new_map(read_map: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(router, "next_state_change", lambda *_: timezone.now())
    read_map()
    read_map()
    assert read_map.was_computed, "no row changes when time passes"


def test_kept_map_is_computed_again_after_some_seconds(
    read_map: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response_cache, "KEPT_S", 0.0)
    read_map()
    read_map()
    assert read_map.was_computed, "a notice may have been lost"
