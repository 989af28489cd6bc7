"""The large response of the map: compressed, and not sent again if unchanged; last report times of sites."""

from __future__ import annotations

import gzip
import json
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from backstay.api.tests.world import World, bearer, person, site_file
from backstay.api.topology.schemas import Topology
from backstay.core.roles import Role
from backstay.intake.site_files import import_text

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
