"""Links sorted by state: PostgreSQL decides only the states of links with a fault."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from backstay.alerts.models import Incident, SiteRule
from backstay.alerts.selectors.links import STATES, links, live_values
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.tests.test_state_parity import scramble
from backstay.api.tests.test_lists import pages
from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role
from backstay.inventory.models import Link, Site
from backstay.telemetry.models import NodeState, PortState


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    world = World.make(nodes=9, now=timezone.now())
    world.describe()
    world.all_paths()
    monkeypatch.setattr(timezone, "now", lambda: world.now)
    return world


def trouble(world: World, chance: random.Random) -> None:
    """Open and resolved incidents of some links."""
    rule = SiteRule.objects.get(site=world.site, kind="port_down")
    for link in Link.objects.order_by("pk"):
        phase = chance.choice([None, None, "open", "acknowledged", "resolved", "pending"])
        if phase is not None:
            severity = chance.choice(["critical", "warning"])
            Incident.objects.create(
                site=world.site, rule=rule, fingerprint=str(link.pk), phase=phase, severity=severity,
                own_severity=severity, subject="x", title="x", link=link, opened_at=world.now,
                last_seen=world.now,
            )  # fmt: skip


def check(world: World) -> set[str]:
    """The states of all links, in the order of the topology."""
    site = Site.objects.get(pk=world.site.pk)
    snapshot = SiteSnapshot(site, world.now)
    rows: Any = links(SiteSnapshot(site, world.now))
    listed = dict(rows.values_list("pk", "status"))
    idents, places = live_values(snapshot, "state")
    found = {link: STATES[int(place)] for link, place in zip(idents.tolist(), places.tolist(), strict=True)}
    assert found == listed
    return set(found.values())


@pytest.mark.parametrize("seed", range(6))
def test_states_are_those_of_all_links_decided_by_postgresql(world: World, seed: int) -> None:
    scramble(world, seed)
    trouble(world, random.Random(seed))
    gone = PortState.objects.order_by("pk").values_list("pk", flat=True)[seed::7]
    PortState.objects.filter(pk__in=list(gone)).delete()
    check(world)


def test_a_few_faults_are_found(world: World) -> None:
    """Fewer than half of the links: only these are read."""
    assert check(world) == {"ok"}
    link = Link.objects.order_by("pk")[0]
    PortState.objects.filter(port=link.a_id).delete()
    assert check(world) == {"ok"}
    NodeState.objects.filter(node__name="sp03").update(last_reported_at=world.now - timedelta(hours=1))
    assert "unknown" in check(world)
    PortState.objects.filter(port__node__name="sp04").update(oper_up=False)
    assert {"ok", "unknown", "critical"} == check(world)


@pytest.mark.parametrize("sort", ["state", "-state"])
def test_pages_have_ties_by_id_and_add_up(world: World, client: Client, sort: str) -> None:
    scramble(world, 3)
    headers = bearer(person("reader", Role.VIEWER))
    found = [(row["state"], row["id"]) for row in pages(client, headers, f"links?sort={sort}", 3)]
    rows: Any = links(SiteSnapshot(Site.objects.get(pk=world.site.pk), world.now))
    order = sorted(
        ((status, link) for link, status in rows.values_list("pk", "status")), reverse=sort[0] == "-"
    )
    assert found == order
    filtered = [
        (row["state"], row["id"]) for row in pages(client, headers, f"links?sort={sort}&node=grf1", 2)
    ]
    of_node = {row["id"] for row in pages(client, headers, "links?node=grf1", 500)}
    assert filtered == [pair for pair in order if pair[1] in of_node]
