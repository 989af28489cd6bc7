"""States of paths, links and gateways: lists computed by PostgreSQL equal the snapshot decided by Python."""

from __future__ import annotations

import json
import random
from collections import Counter
from datetime import timedelta
from typing import Any, get_args

import pytest
from django.db.models import F, QuerySet

from backstay.alerts.selectors.links import links
from backstay.alerts.selectors.nodes import nodes
from backstay.alerts.selectors.path_groups import path_groups
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.tests.path_grouping import group_paths
from backstay.api.links.present import link_status
from backstay.api.nodes.present import node_status
from backstay.api.tests.world import World
from backstay.core.model.state import GatewayCounts, GatewayUse
from backstay.inventory.models import Site
from backstay.policy import link_uses as link_uses_module
from backstay.policy import path_routes, path_states
from backstay.policy.gateway_uses import gateway_counts
from backstay.policy.link_uses import link_uses
from backstay.policy.models import FailoverPolicy, Path
from backstay.rollout.models import Intended
from backstay.telemetry.models import NodeState, PortState
from backstay.telemetry.selectors.nodes import lost_nodes

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
    path_routes.refresh(world.site)


def strongest_uses(snapshot: SiteSnapshot) -> dict[int, str]:
    """Link id -> the strongest use that a path makes of it, path by path over its route."""
    found: dict[int, str] = {}
    for view in snapshot.path_views:
        for gateway in {*view.gateways, *([] if view.active is None else [view.active])}:
            use = view.uses.get(gateway, "unknown")
            for link in snapshot.policy_paths.route(view, gateway).links:
                found[link] = min(use, found.get(link, use), key=get_args(GatewayUse).index)
    return found


def counts_of(snapshot: SiteSnapshot) -> dict[int, GatewayCounts]:
    """Node id of each gateway -> its paths by use, and how many nodes' probes it answers."""
    uses: dict[int, Counter[GatewayUse]] = {}
    answers: dict[int, Counter[bool | None]] = {}
    for path, view in zip(snapshot.paths, snapshot.path_views, strict=True):
        for gateway, name in path.gateways(snapshot.policies[path.policy_id]).items():
            use = view.uses.get(gateway, "unknown")
            uses.setdefault(gateway, Counter())[use] += 1
            answers.setdefault(gateway, Counter())[path.alive(name)] += use != "unknown"
    return {node: GatewayCounts(uses[node], answers[node][True], answers[node][False]) for node in uses}


def lookups(plan: dict[str, Any]) -> int:
    """How often a plan that was executed has compared a gateway's name with what a path's node reports."""
    conditions = str({key: value for key, value in plan.items() if key != "Plans"})
    own = plan["Actual Loops"] if "jsonb_extract_path_text" in conditions else 0
    return own + sum(lookups(part) for part in plan.get("Plans", ()))


def test_gateways_are_looked_up_only_for_paths_with_a_failure(world: World) -> None:
    def looked_up() -> int:
        rows: QuerySet[Any] = path_states.paths(world.site, world.now)
        (plan,) = json.loads(rows.values_list("pk", "status").explain(analyze=True, format="json"))
        return lookups(plan["Plan"])

    assert looked_up() == 0
    failed = Path.objects.filter(node__name="sp01").get()
    failed.liveness["atmgw"]["alive"] = False
    failed.save()
    # One of several paths: once, or for each of its two gateways, as PostgreSQL joins them.
    assert Path.objects.count() > 2
    assert looked_up() in {1, 2}


@pytest.mark.parametrize("seed", range(12))
def test_lists_and_snapshot_agree_on_every_state(
    world: World, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scramble(world, seed)
    site = Site.objects.get(pk=world.site.pk)
    snapshot = SiteSnapshot(site, world.now)

    listed = {
        row.pk: (row.status, row.end_to_end, row.placement)  # type: ignore[attr-defined]
        for row in path_states.paths(site, world.now)
    }
    statuses = {path.id: snapshot.path_status(path) for path in snapshot.paths}
    assert listed == {path: (one.state, one.end_to_end, one.placement) for path, one in statuses.items()}

    uses = strongest_uses(snapshot)
    assert link_uses(site, world.now) == uses
    some = sorted(uses)[::2]
    assert link_uses(site, world.now, some) == {link: uses[link] for link in some}
    with monkeypatch.context() as patched:  # As of links with the routes of many paths.
        patched.setattr(link_uses_module, "FEW_LINKS", 0)
        patched.setattr(link_uses_module, "FEW_ROUTES", -1)
        assert link_uses(site, world.now, some) == {link: uses[link] for link in some}
    known = {row.pk: (row.status, row.carrier) for row in links(snapshot)}  # type: ignore[attr-defined]
    decided = {link.id: link_status(snapshot, link, {}) for link in snapshot.links}
    assert known == {link: (one.state, one.carrier) for link, one in decided.items()}

    pages = {link.id: snapshot.of_links([link.id]) for link in snapshot.links}
    assert {link: link_status(page, page.links[0], {}) for link, page in pages.items()} == decided
    ends = {
        link: {ident for _, ident in snapshot.topology.ends(page.links[0])} for link, page in pages.items()
    }
    assert all(page.gateways.keys() <= ends[link] for link, page in pages.items()), "only its own nodes"

    status = {row.pk: row.status for row in nodes(site, world.now)}  # type: ignore[attr-defined]
    assert status == {node: node_status(snapshot, node, {})[1].state for node in status}

    counts = counts_of(snapshot)
    assert gateway_counts(site, world.now) == counts
    assert gateway_counts(site, world.now, list(counts)[:1]) == dict(list(counts.items())[:1])
    assert gateway_counts(site, world.now, [node for node in status if node not in counts]) == {}

    assert path_groups(site, world.now) == group_paths(snapshot, snapshot.deployed_paths)
    lost = {node: item for node, item in snapshot.nodes.items() if status[node] == "unknown"}
    assert lost_nodes(site, world.now) == lost


def test_only_deployed_paths_are_grouped(world: World) -> None:
    scramble(world, 1)
    FailoverPolicy.objects.update(origin="operator")
    Site.objects.update(version=F("version") + 1)
    site = Site.objects.get(pk=world.site.pk)
    policy = FailoverPolicy.objects.filter(site=site).earliest("pk")
    route = {"policy": policy.name, "prefix": policy.prefix}
    for path in policy.paths.order_by("pk")[:2]:
        Intended.objects.create(node=path.node, revision=1, routing={"routes": [route]}, at=world.now)
    snapshot = SiteSnapshot(site, world.now)
    groups = path_groups(site, world.now)
    assert groups == group_paths(snapshot, snapshot.deployed_paths)
    assert sum(group.paths for group in groups) == 2
