"""What links carry: the strongest use by the paths over them, as reports and edits change routes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict

import pytest
from pytest_django import DjangoDbBlocker

from backstay.alerts.rounds import run_site_round
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.tests.test_state_parity import strongest_uses
from backstay.api.tests.world import World, kept
from backstay.core.model.routing import DEFAULT_TIMERS
from backstay.inventory.models import Link, Site
from backstay.policy import services
from backstay.policy.link_uses import link_uses
from backstay.policy.models import Path, PathRoute, RouteInputs
from backstay.policy.policy_spec import PolicySpec

GRF, GRF_ROUTER = "grf1:gt000", "grf1:ga031"
ATM, ATM_ROUTER = "atmgw:css0", "atmgw:at0"
BOTH = {"grf1": True, "atmgw": True}
GRF_DEAD = {"grf1": False, "atmgw": True}


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = World.make()
        world.describe()
        yield world


@pytest.fixture
def world(made: World, db: None) -> World:
    return made.copy()


def uses(world: World) -> dict[str, str]:
    """Use by `node:port` of the link's first end; equal to the paths' own routes."""
    site = Site.objects.get(pk=world.site.pk)
    found = link_uses(site, world.now)
    assert found == strongest_uses(SiteSnapshot(site, world.now))
    rows = Link.objects.select_related("a__node").in_bulk(found)
    return {f"{rows[link].a.node.name}:{rows[link].a.name}": use for link, use in found.items()}


def report(world: World, node: str, active: str, *, target_alive: bool = True) -> None:
    alive = BOTH if active == "grf1" else GRF_DEAD
    world.report([world.path(node, "sp-default", active, alive=alive, target_alive=target_alive)])


def test_links_are_active_standby_or_unused(world: World) -> None:
    report(world, "sp01", "grf1")
    found = uses(world)
    assert found["sp01:css0"] == found[GRF] == found[GRF_ROUTER] == "active"
    assert found[ATM] == found[ATM_ROUTER] == "standby_not_verified"
    assert found["sp02:css0"] == "unknown", "not reported yet"
    assert "grf1:gh010" not in found


def test_links_of_a_dead_gateway_are_dead_after_failover(world: World) -> None:
    report(world, "sp01", "atmgw")
    found = uses(world)
    assert found[GRF] == found[GRF_ROUTER] == "standby_dead"
    assert found[ATM] == found[ATM_ROUTER] == found["sp01:css0"] == "active"


def test_link_active_for_one_node_is_active(world: World) -> None:
    report(world, "sp01", "atmgw")
    report(world, "sp02", "grf1")
    assert uses(world)[GRF_ROUTER] == "active"


def test_link_of_a_dead_path_is_not_shown_as_the_standby_of_another(world: World) -> None:
    report(world, "sp01", "grf1", target_alive=False)
    report(world, "sp02", "atmgw")
    found = uses(world)
    assert found[GRF] == found[GRF_ROUTER] == "dead"
    assert found[ATM_ROUTER] == "active"


def test_dead_path_is_not_hidden_by_one_without_a_probe(world: World) -> None:
    report(world, "sp01", "grf1", target_alive=False)
    report(world, "sp02", "grf1")
    Path.objects.filter(node__name="sp02").update(target_alive=None)
    assert uses(world)[GRF_ROUTER] == "dead"
    report(world, "sp03", "grf1")
    assert uses(world)[GRF_ROUTER] == "active"


def test_uses_become_unknown_when_reports_stop(world: World) -> None:
    report(world, "sp01", "grf1")
    world.forward(600)
    assert set(uses(world).values()) == {"unknown"}


def _gateway_moves(world: World) -> None:
    """`router`, a gateway of origin1's policy, moves its own path."""
    alive = {"grf1": True, "router": True}
    world.report([world.path("origin1", "origin1-to-sp", "router", alive=alive)])
    world.report([world.path("router", "router-to-sp", "grf1", alive=BOTH)])
    before = routes(world)
    world.forward()
    world.report([world.path("router", "router-to-sp", "atmgw", alive=BOTH)])
    assert routes(world) != before


def _policy_is_created(world: World) -> None:
    spec = PolicySpec(
        name="extra",
        nodes={"names": ["sp01"]},
        prefix="10.2.0.0/30",
        gateways=["grf1"],
        stripe=None,
        detection="checker",
        timers={**asdict(DEFAULT_TIMERS), "revert": "now"},
        target=None,
        return_path=None,
        note="",
    )
    services.create(Site.objects.get(pk=world.site.pk), spec)


def _upgrade(world: World) -> None:
    PathRoute.objects.all().delete()
    RouteInputs.objects.all().delete()
    run_site_round(Site.objects.get(pk=world.site.pk), world.now)


def _link_is_removed(world: World) -> None:
    Link.objects.filter(a__node__name="grf1", a__name="ga031").delete()
    Site.objects.filter(pk=world.site.pk).update(version=world.site.version + 1)
    run_site_round(Site.objects.get(pk=world.site.pk), world.now)


def routes(world: World) -> dict[tuple[int, int], tuple[int, ...]]:
    rows = PathRoute.objects.filter(path__policy__site=world.site)
    return {(row.path_id, row.gateway_id): tuple(row.links) for row in rows}


@pytest.mark.parametrize("change", [_gateway_moves, _policy_is_created, _upgrade, _link_is_removed])
def test_routes_follow_every_change_of_their_inputs(world: World, change: Callable[[World], None]) -> None:
    world.all_paths()
    change(world)
    snapshot = SiteSnapshot(Site.objects.get(pk=world.site.pk), world.now)
    expected = {
        (view.id, gateway): links
        for view in snapshot.path_views
        for gateway in snapshot.policies[Path.objects.get(pk=view.id).policy_id].gateways
        if (links := snapshot.policy_paths.route(view, gateway).links)
    }
    assert routes(world) == expected
    uses(world)
