"""Running but unsaved state over the API, and the order of drift."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from backstay.api.drift.router import SORTS
from backstay.api.http.list_query import ListQuery
from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role
from backstay.inventory.models import Node, Site
from backstay.rollout.models import Drift
from backstay.rollout.selectors import drifting
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.models import ArpState, PortState

CONFIG = "/etc/backstay/arp"


@pytest.fixture
def world(db: None) -> World:
    world = World.make()
    world.describe()
    return world


def save(world: World, node: str, text: str) -> None:
    ArpState.objects.update_or_create(
        node=world.node(node),
        defaults={
            "revision": 0,
            "files": [{"path": CONFIG, "sha256": "", "text": text}],
            "at": world.now,
            "changed_at": world.now,
        },
    )


def of(client: Client, node: str) -> dict[str, Any]:
    headers = bearer(person("ada", Role.VIEWER))
    reply = client.get(f"/api/v1/saved-state?node={node}", headers=headers)
    assert reply.status_code == 200, reply.content
    (found,) = reply.json()["items"]
    return dict(found)


def test_manually_set_mtu_would_change_at_the_next_boot(world: World, client: Client) -> None:
    PortState.objects.filter(port__node__name="sp01").update(mtu=9000, addresses=["10.1.0.21/16"])
    save(world, "sp01", "link set dev css0 mtu 65520 up\naddress add 10.1.0.21/16 dev css0\n")
    found = of(client, "sp01")
    assert (found["state"], found["text"]) == ("warning", "1 setting of its ports would change at a reboot.")
    assert found["items"][0] == {
        "port": "css0",
        "what": "mtu",
        "running": "9000",
        "saved": "65520",
        "verdict": "differs",
    }
    assert found["files"] == [CONFIG]


def test_value_set_by_no_known_file_is_unknown(world: World, client: Client) -> None:
    save(world, "sp01", "link set dev css0 arp off\n")
    found = of(client, "sp01")
    assert found["state"] == "unknown"
    assert found["text"].startswith("No known boot file sets")
    assert of_nothing(client)["text"].startswith("No boot file is read")


def of_nothing(client: Client) -> dict[str, Any]:
    headers = bearer(person("bob", Role.VIEWER))
    (found,) = client.get("/api/v1/saved-state?node=sp02", headers=headers).json()["items"]
    return dict(found)


def test_router_without_agent_has_a_reminder(world: World, client: Client) -> None:
    report = world.device("grf1").model_copy(update={"sys_descr": "GigaRouter GRF 400"})
    world.forward()
    world.report([report.model_copy(update={"at": nanoseconds(world.now)})])
    found = of(client, "grf1")
    assert (found["state"], found["items"]) == ("unknown", [])
    assert "backup group" in found["reminders"][0]


@pytest.mark.django_db
def test_nodes_that_a_reboot_changes_come_first_on_every_page() -> None:
    site = Site.objects.create(name="lab", title="Lab", interval_s=2.0, imported_at=timezone.now())
    for name, reboot in (("sp10", False), ("sp2", False), ("sp11", True), ("sp3", True)):
        node = Node.objects.create(site=site, name=name, kind="host", role="compute")
        Drift.objects.create(
            node=node,
            since=timezone.now(),
            running_differs=True,
            saved_differs=False,
            reboot=reboot,
            items=[],
        )
    names: list[str] = []
    cursor: str | None = None
    while True:
        rows, cursor = ListQuery(limit=1, sort="urgency", cursor=cursor).rows(drifting(site), SORTS, "node")
        names += [row.node.name for row in rows]
        if cursor is None:
            break
    assert names == ["sp3", "sp11", "sp2", "sp10"]
