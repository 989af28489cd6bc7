"""Path reports of nodes: switches, outages, and late reports."""

from __future__ import annotations

import uuid

import pytest

from backstay.api.tests.world import World
from backstay.core.errors import Refused
from backstay.core.model.onlink import on_link
from backstay.inventory import snapshot
from backstay.inventory.site_file.parser import PolicyIntent
from backstay.policy.models import FailoverPolicy, Path, PathSwitch
from backstay.policy.selectors import policies, watches
from backstay.policy.services import apply_policies
from backstay.telemetry.models import Event


def path(world: World, node: str = "sp01", policy: str = "sp-default") -> Path:
    return Path.objects.get(node=world.node(node), policy__name=policy)


def messages(world: World, kind: str) -> list[str]:
    return list(
        Event.objects.filter(site=world.site, kind=kind).order_by("pk").values_list("message", flat=True)
    )


def test_switch_and_outage_are_one_event(world: World) -> None:
    world.forward()
    ident = uuid.uuid4()
    moved = world.switch("grf1", "atmgw", ident=ident)
    world.report([world.path("sp01", "sp-default", "atmgw", switch=moved)])
    assert messages(world, "path.switched") == ["sp01: 0.0.0.0/0 switched from grf1 to atmgw"]
    again = world.switch("grf1", "atmgw", outage_ms=131.0, ident=ident)
    world.forward(0.3)
    world.report([world.path("sp01", "sp-default", "atmgw", switch=again)])
    assert messages(world, "path.switched") == ["sp01: 0.0.0.0/0 switched from grf1 to atmgw, outage 131 ms"]
    event = Event.objects.get(kind="path.switched")
    assert {key: event.data[key] for key in ("from", "to", "prefix", "outage_ms")} == {
        "from": "grf1",
        "to": "atmgw",
        "prefix": "0.0.0.0/0",
        "outage_ms": 131.0,
    }
    assert (event.severity, event.node) == ("warning", world.node("sp01"))
    assert path(world).active == world.node("atmgw")


def test_repeated_switch_report_is_one_switch(world: World) -> None:
    moved = world.switch("grf1", "atmgw", outage_ms=131.0)
    for _ in range(3):
        world.forward(0.1)
        world.report([world.path("sp01", "sp-default", "atmgw", switch=moved)])
    assert PathSwitch.objects.count() == 1
    assert len(messages(world, "path.switched")) == 1


def test_switch_without_outage_is_reported_as_such(world: World) -> None:
    world.forward()
    moved = world.switch("atmgw", "grf1", outage_ms=0.0)
    world.report([world.path("sp01", "sp-default", "grf1", switch=moved)])
    assert messages(world, "path.switched") == ["sp01: 0.0.0.0/0 switched from atmgw to grf1, no outage"]
    assert Event.objects.get(kind="path.switched").severity == "ok"


def test_old_report_records_its_switch_without_changing_the_path(world: World) -> None:
    moved = world.switch("grf1", "atmgw")
    old = world.path("sp01", "sp-default", "atmgw", switch=moved)
    world.forward(30)
    world.report([world.path("sp01", "sp-default", "grf1", switch=world.switch("atmgw", "grf1"))])
    world.report([old])
    assert path(world).active_text == "grf1"
    assert PathSwitch.objects.count() == 2


def test_inferred_switch_is_completed_by_a_later_report(world: World) -> None:
    moved = world.switch("grf1", "atmgw", outage_ms=140.0)
    late = world.path("sp01", "sp-default", "atmgw", switch=moved)
    world.forward(10)
    world.report([world.path("sp01", "sp-default", "atmgw")])
    assert messages(world, "path.switched") == ["sp01: 0.0.0.0/0 switched from grf1 to atmgw"]
    world.report([late])
    assert messages(world, "path.switched") == ["sp01: 0.0.0.0/0 switched from grf1 to atmgw, outage 140 ms"]
    assert [switch.uid for switch in PathSwitch.objects.all()] == [moved.id]


def test_route_loss_and_recovery_are_recorded(world: World) -> None:
    world.forward()
    world.report([world.path("sp01", "sp-default", "", switch=world.switch("grf1", ""))])
    world.forward()
    world.report(
        [world.path("sp01", "sp-default", "atmgw", switch=world.switch("", "atmgw", outage_ms=2000.0))]
    )
    assert messages(world, "path.lost") == ["sp01: 0.0.0.0/0 lost its route via grf1"]
    assert messages(world, "path.restored") == ["sp01: 0.0.0.0/0 has a route again, via atmgw, outage 2 s"]


def test_unreachable_target_with_installed_route_is_a_dead_path(world: World) -> None:
    world.forward(10)
    world.report([world.path("sp01", "sp-default", "grf1", target_alive=False)])
    world.forward(12)
    world.report([world.path("sp01", "sp-default", "grf1")])
    assert messages(world, "path.dead") == [
        "sp01: 0.0.0.0/0: 10.9.0.1 is unreachable via grf1 (route still installed)"
    ]
    assert messages(world, "path.restored") == [
        "sp01: 0.0.0.0/0: 10.9.0.1 is reachable again via grf1, outage about 12 s"
    ]


def test_report_of_a_removed_policy_is_skipped(world: World) -> None:
    world.report([world.path("sp01", "no-such-policy", "grf1")])
    assert not Path.objects.filter(policy__name="no-such-policy").exists()


def test_importing_the_same_policies_changes_nothing(world: World) -> None:
    reported = [
        PolicyIntent(
            name=policy.name,
            prefix=policy.prefix,
            nodes=[world.site.nodes.get(pk=node).name for node in policy.nodes],
            gateways=list(policy.gateways.values()),
            detection=policy.detection,
            target=policy.target,
            probe_interval_ms=policy.probe_interval_ms,
            note=policy.note,
        )
        for policy in policies(world.site).values()
    ]
    before = world.site.version
    assert apply_policies(world.site, reported) == 0
    assert world.site.version == before
    assert path(world).active_text == "grf1"


def test_changed_policies_keep_observations_of_remaining_paths(world: World) -> None:
    intent = PolicyIntent("sp-default", "0.0.0.0/0", ["sp01"], ["atmgw", "grf1"], "bfd", None, 100, "")
    assert apply_policies(world.site, [intent]) == 3
    assert list(FailoverPolicy.objects.values_list("name", flat=True)) == ["sp-default"]
    assert path(world).active_text == "grf1"
    (policy,) = policies(world.site).values()
    assert list(policy.gateways.values()) == ["atmgw", "grf1"]
    assert policy.nodes == (world.node("sp01").pk,)


def test_policy_with_unknown_node_is_refused(world: World) -> None:
    intent = PolicyIntent("other", "0.0.0.0/0", ["sp01", "sp99"], ["grf1"], "bfd", None, 50, "")
    with pytest.raises(Refused, match="sp99"):
        apply_policies(world.site, [intent])
    assert FailoverPolicy.objects.count() == 3


def test_agent_monitors_on_link_gateway_addresses(world: World) -> None:
    (watch,) = watches(world.node("sp01"))
    assert watch.gateways == (("grf1", "10.1.0.16"), ("atmgw", "10.1.0.15"))
    assert (watch.prefix, watch.target, watch.probe_interval_ms) == ("0.0.0.0/0", "10.9.0.1", 50)
    (inward,) = watches(world.node("origin1"))
    assert inward.gateways == (("grf1", "10.3.0.1"), ("router", "10.3.0.14"))
    assert watches(world.node("onyx1")) == []


def test_nodes_without_common_network_are_not_next_hops(world: World) -> None:
    topology = snapshot.load(world.site)
    assert on_link(topology, world.node("onyx1").pk, world.node("atmgw").pk, 4) is None
