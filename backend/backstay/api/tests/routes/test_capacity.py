"""`/capacity/n-1` and `/capacity/what-if`: from the site file and samples to verdicts and sentences."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from backstay.api.tests.world import Json, World, bearer, person
from backstay.core.roles import Role
from backstay.inventory.models import Site
from backstay.policy.capacity_models import CapacityResult
from backstay.rollout.capacity import services

SENT = 6e6
"""bit/s of each of three nodes; the OC-3 behind atmgw carries 13.45 Mb/s in this world."""


def rates(sent: float = SENT) -> dict[str, dict[str, tuple[float, float]]]:
    """(in, out) by port: the nodes' traffic goes through grf1 to the router."""
    nodes = {f"sp{number:02}": {"css0": (1e6, sent)} for number in range(1, 4)}
    return {
        **nodes,
        "grf1": {"gt000": (3 * sent, 3e6), "ga031": (3e6, 3 * sent), "ga030": (0, 0), "gh010": (0, 0)},
        "atmgw": {"css0": (0, 0), "at0": (0, 0)},
        "router": {"at0": (3 * sent, 3e6), "at1": (0, 0), "at2": (0, 0)},
        "origin1": {"at0": (0, 0), "at1": (0, 0)},
        "onyx1": {"hip0": (0, 0)},
    }


@pytest.fixture
def world(db: None) -> World:
    world = World.make(now=timezone.now())
    Site.objects.update(interval_s=300.0)  # The API uses the real clock, and a busy machine is slow.
    world.site = Site.objects.get()
    world.sample(rates())
    world.all_paths()
    return world


class Capacity:
    """Requests of a viewer."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._headers = bearer(person("vera", Role.VIEWER, "argonne"), Role.VIEWER)

    def __call__(self, path: str, status: int = 200, **query: Any) -> Json:
        answer = self._client.get(f"/api/v1/capacity/{path}", query, headers=self._headers)
        assert answer.status_code == status, answer.content
        found: Json = answer.json()
        return found


@pytest.fixture
def capacity(world: World, client: Client) -> Capacity:
    return Capacity(client)


def test_failing_fallback_is_listed_before_the_failure(world: World, capacity: Capacity) -> None:
    assert services.refresh(world.site, timezone.now())
    page = capacity("n-1")
    print(page["status"])
    for item in page["items"]: print(item["sentence"], item["verdict"], item["has_fallback"], item["growth_percent"], item["moved_bps"])
    one = capacity(f"n-1/{page['items'][0]['id']}")
    print(one)
    print(capacity("what-if", dead=["node:grf1"], growth=30)["failure"]["sentence"])
    assert 0
