"""What the public API says of a living site: every read, its shape and its figures."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from backstay.accounts.models import Role
from backstay.api.tests.world import OC12, World, bearer, person


@pytest.fixture
def world(db: None) -> World:
    world = World.make()
    world.describe()
    world.all_paths()
    world.sample({"grf1": {"ga030": (10e6, 20e6)}, "origin1": {"at0": (20e6, 10e6)}})
    return world


@pytest.fixture
def get(world: World, client: Client) -> Any:
    headers = bearer(person("reader", Role.VIEWER))

    def read(path: str, status: int = 200) -> Any:
        reply = client.get(f"/api/v1/{path}", headers=headers)
        assert reply.status_code == status, reply.content
        return reply.json()

    return read


def test_topology_lists_every_node_and_link_with_live_load(get: Any) -> None:
    topology = get("topology")
    names = {node["name"] for node in topology["nodes"]}
    assert names == {
        *("sp01", "sp02", "sp03", "grf1", "atmgw", "onyx1", "origin1", "router", "mgmt1"),
        "sp-switch",
    }
    links = {link["name"]: link for link in topology["links"]}
    assert len(links) == 10
    link = links["grf1:ga030-origin1:at0"]
    assert link["kind"] == "circuit"
    assert link["usable_rate"] == OC12
    assert link["forward"]["bps"] == 20_000_000
    assert link["forward"]["utilisation"] == pytest.approx(20e6 / OC12, abs=1e-3)
    assert link["forward"]["fresh"]
    assert link["back"]["bps"] == 10_000_000
    assert links["sp01:css0-sp-switch"]["kind"] == "medium"
    keys = {node["key"] for node in topology["nodes"]}
    assert {link["source"] for link in topology["links"]} <= keys
    assert {link["target"] for link in topology["links"]} <= keys
