"""The map of a past moment is read as arrays: it equals its nodes and links decided one by one."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import count
from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.history import history_snapshot
from backstay.alerts.selectors.history.history_snapshot import PastSnapshot, past_map_facts
from backstay.api.links.present import link_out, past_link_status
from backstay.api.tests.history.measured_site import measure, open_incident
from backstay.api.tests.world import World
from backstay.core.alerting.link_rates import load_summary
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.state import OpenIncidents, past_node_state
from backstay.inventory.models import Fabric, Link, Node, Port, Site
from backstay.telemetry.models import Event, PortState
from backstay.telemetry.selectors.site_history import linked_ports, rates_at

MINUTE = timedelta(minutes=1)
_VERSIONS = count(1_000_000)


def vary(world: World, seed: int) -> None:
    """Ports that changed before, at and after the moment, with and without events of it."""
    chance, at = random.Random(seed), world.now
    for state in PortState.objects.order_by("pk").select_related("port__node"):
        if chance.random() < 0.1:
            state.delete()
            continue
        state.oper_up, state.admin_up = chance.random() < 0.7, chance.random() < 0.8
        state.since = at + chance.choice([-MINUTE, -MINUTE, MINUTE * 0, MINUTE])
        state.save()
        for _ in range(chance.choice([0, 0, 1, 2])):
            Event.objects.create(
                site=world.site, kind=chance.choice([EventKind.PORT_DOWN, EventKind.PORT_UP]), severity="ok",
                at=at + chance.choice([-MINUTE, MINUTE, 2 * MINUTE]), node=state.port.node, message="",
                subject=f"{state.port.node.name}:{state.port.name}",
            )  # fmt: skip
    for name in ("grf1", "sp01"):
        open_incident(world, name, at - MINUTE, at + chance.choice([-1, 1]) * MINUTE / 2)
    incident = open_incident(world, "sp02", at - MINUTE, severity=chance.choice(["warning", "critical"]))
    incident.node, incident.link = None, chance.choice(list(Link.objects.order_by("pk")))
    incident.save()


def rewired(world: World) -> None:
    """The inventory has changed: a version that no other test has, since processes keep topologies by it."""
    Site.objects.filter(pk=world.site.pk).update(version=next(_VERSIONS))
    world.site.refresh_from_db()


@pytest.mark.parametrize("seed", range(6))
def test_links_and_nodes_are_those_decided_one_by_one(world: World, get: Any, seed: int) -> None:
    at, now = world.now, timezone.now()
    vary(world, seed)
    page = get("topology/past", at=at.isoformat())
    snapshot, open_then = PastSnapshot(world.site, at, now), incidents.open_at(world.site, at)
    troubles, of_nodes = incidents.by_link(open_then), incidents.by_node(open_then)
    rows = {row["id"]: row for row in page["links"]}
    assert list(rows) == list(snapshot.topology.links)
    for link in snapshot.links:
        status, shown = past_link_status(snapshot, link, troubles), rows[link.id]
        assert (shown["state"], shown["state_text"], shown["carrier"]) == (
            status.state,
            status.text,
            status.carrier,
        )
        listed = link_out(snapshot, link, troubles, None).model_dump(mode="json")
        names = ("name", "forward", "back", "carries", "incidents", "kind", "usable_rate")
        assert {name: shown[name] for name in names} == {name: listed[name] for name in names}
    for node in (node for node in page["nodes"] if node["kind"] != "fabric"):
        is_measured = node["id"] in snapshot.measured
        trouble = of_nodes.get(node["id"], OpenIncidents())
        decided = past_node_state(trouble, is_measured=is_measured)
        assert (node["state"], node["state_text"], node["incidents"]) == (
            decided.state,
            decided.text,
            trouble.total,
        )
        assert (node["age_s"], node["since"], node["gateway"]) == (0.0 if is_measured else None, None, None)


@pytest.mark.parametrize("seed", range(6))
def test_carriers_are_those_of_the_rows_of_ports(world: World, seed: int) -> None:
    vary(world, seed)
    snapshot = PastSnapshot(world.site, world.now, timezone.now())
    ports = linked_ports(snapshot.link_table)
    found = history_snapshot._carriers_at(world.site, world.now, snapshot.topology, ports)
    known = {True: history_snapshot.UP, False: history_snapshot.DOWN, None: history_snapshot.UNKNOWN}
    assert dict(zip(ports.tolist(), found.tolist(), strict=True)) == {
        port: known[end.oper_up] for port, end in snapshot.ends.items()
    }


def test_ports_of_names_with_a_colon_are_found(world: World) -> None:
    """A port `a:b` of a node, and a node `n:a`."""
    fabric = Fabric.objects.filter(site=world.site).order_by("pk")[0]
    node = Node.objects.create(site=world.site, name="n:a", kind="host", role="compute")
    one = Port.objects.create(node=node, name="b:0", fabric=fabric, declared=True)
    two = Port.objects.create(node=node, name="c", fabric=fabric, declared=True)
    Link.objects.create(site=world.site, fabric=fabric, a=one, b=two)
    rewired(world)
    Event.objects.create(
        site=world.site, kind=EventKind.PORT_UP, severity="ok", at=world.now + MINUTE, node=node, message="",
        subject="n:a:b:0",
    )  # fmt: skip
    snapshot = PastSnapshot(world.site, world.now, timezone.now())
    pair = np.array(sorted([one.pk, two.pk]))
    found = history_snapshot._carriers_at(world.site, world.now, snapshot.topology, pair)
    down, unknown = history_snapshot.DOWN, history_snapshot.UNKNOWN
    assert dict(zip(pair.tolist(), found.tolist(), strict=True)) == {one.pk: down, two.pk: unknown}


def test_a_site_without_links_has_a_past(world: World, get: Any) -> None:
    Link.objects.all().delete()
    rewired(world)
    assert get("topology/past", at=world.now.isoformat())["links"] == []
    assert past_map_facts(world.site, world.now, timezone.now()).unknown == frozenset()


def test_measured_nodes_and_loads_are_those_of_the_rates(world: World) -> None:
    measure(world, but=("sp01",))
    now = timezone.now()
    snapshot = PastSnapshot(world.site, world.now, now)
    rates = rates_at(world.site, world.now, "mean", now)
    ports = snapshot.topology.ports
    assert snapshot.measured == {ports[port].node_id for port in rates if port in ports}
    assert snapshot.rates == rates
    some = [*snapshot.topology.links][::2]
    limited = PastSnapshot(world.site, world.now, now, links=some)
    assert {link: snapshot.loads[link] for link in some} == limited.loads
    summary = load_summary(snapshot.link_table, snapshot.link_rates, 3, 0.0)
    used = [(-item.load.utilisation, item.link, item.direction) for item in summary.high]
    assert used == sorted(used)
    assert len(used) == sum(load is not None for both in snapshot.loads.values() for load in both)
    assert summary.measured_at in {world.now, None}
