"""States of paths, links and gateways: lists computed by PostgreSQL equal the snapshot decided by Python."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from backstay.alerts.selectors.links import links, with_carries
from backstay.alerts.selectors.nodes import nodes
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.links.present import link_status
from backstay.api.nodes.present import node_status
from backstay.api.tests.world import World
from backstay.core.model.state import gateway_status
from backstay.inventory.models import Node, Site
from backstay.policy import path_states
from backstay.policy.gateway_counts import gateway_counts
from backstay.policy.models import Path
from backstay.telemetry.models import NodeState, PortState

MAYBE = (True, False, None)


@pytest.fixture
def world(db: None) -> World:
    world = World.make()
    world.describe()
    world.all_paths()
    return world


def scramble(world: World, seed: int) -> None:
    """Ages, carriers, routes and probes at random."""
    chance = random.Random(seed)
    for state in NodeState.objects.all():
        state.last_reported_at = chance.choice(
            [world.now, world.now, world.now - timedelta(seconds=30), None]
        )
        state.save()
    for port in PortState.objects.all():
        port.oper_up, port.admin_up = chance.random() < 0.8, chance.random() < 0.9
        port.save()
    for path in Path.objects.select_related("policy"):
        gateways = list(path.policy.gateways.order_by("order").values_list("node_id", "node__name"))
        path.active_id, path.active_text = chance.choice([*gateways, (None, "")])
        path.at = chance.choice([world.now, world.now, world.now - timedelta(minutes=2), None])
        path.target_alive = chance.choice(MAYBE)
        path.order = chance.choice([None, [], [gateways[1][0], gateways[0][0]], [gateways[1][0]]])
        path.liveness = {
            name: {"alive": chance.choice(MAYBE), "forwards": chance.choice(MAYBE)}
            for _, name in gateways
            if chance.random() < 0.9
        }
        path.save()


@pytest.mark.parametrize("seed", range(12))
def test_lists_and_snapshot_agree_on_every_state(world: World, seed: int) -> None:
    scramble(world, seed)
    site = Site.objects.get(pk=world.site.pk)
    snapshot = SiteSnapshot(site, world.now)

    listed = {
        row.pk: (row.status, row.end_to_end, row.placement)  # type: ignore[attr-defined]
        for row in path_states.paths(site, world.now)
    }
    statuses = {path.id: snapshot.path_status(path) for path in snapshot.paths}
    assert listed == {path: (one.state, one.end_to_end, one.placement) for path, one in statuses.items()}

    rows = with_carries(links(snapshot), snapshot)
    known = {row.pk: (row.status, row.carrier, row.carries) for row in rows}  # type: ignore[attr-defined]
    decided = {link.id: link_status(snapshot, link, {}) for link in snapshot.links}
    assert known == {
        link: (one.state, one.carrier, snapshot.carries.get(link, "none")) for link, one in decided.items()
    }

    status = {row.pk: row.status for row in nodes(site, world.now)}  # type: ignore[attr-defined]
    assert status == {node: node_status(snapshot, node, {})[1].state for node in status}

    everyone = Node.objects.filter(site=site).values_list("pk", flat=True)
    counts = gateway_counts(site, world.now, list(everyone))
    assert {node: gateway_status(one) for node, one in counts.items()} == snapshot.gateways
