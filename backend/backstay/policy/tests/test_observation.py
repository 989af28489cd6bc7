"""What nodes report of their paths: moves recorded once, outages filled in, the newest truth kept."""

from __future__ import annotations

import uuid

import pytest

from backstay.api.tests.world import World
from backstay.core.errors import Refused
from backstay.core.model.onlink import next_hop
from backstay.inventory import snapshot
from backstay.inventory.site_file.parser import PolicyIntent
from backstay.policy.models import FailoverPolicy, Path, PathSwitch
from backstay.policy.selectors import policies, watches
from backstay.policy.services import apply_policies
from backstay.telemetry.models import Event


@pytest.fixture
def world(db: None) -> World:
    world = World.make()
    world.describe()
    world.all_paths()
    return world


def path(world: World, node: str = "sp01", policy: str = "sp-default") -> Path:
    return Path.objects.get(node=world.node(node), policy__name=policy)


def messages(world: World, kind: str) -> list[str]:
    return list(
        Event.objects.filter(site=world.site, kind=kind).order_by("pk").values_list("message", flat=True)
    )


def test_a_move_is_told_at_once_and_its_outage_in_the_same_event(world: World) -> None:
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


def test_the_same_move_sent_again_and_again_is_one_move(world: World) -> None:
    moved = world.switch("grf1", "atmgw", outage_ms=131.0)
    for _ in range(3):
        world.forward(0.1)
        world.report([world.path("sp01", "sp-default", "atmgw", switch=moved)])
    assert PathSwitch.objects.count() == 1
    assert len(messages(world, "path.switched")) == 1


def test_a_move_without_loss_says_so(world: World) -> None:
    world.forward()
    moved = world.switch("atmgw", "grf1", outage_ms=0.0)
    world.report([world.path("sp01", "sp-default", "grf1", switch=moved)])
    assert messages(world, "path.switched") == ["sp01: 0.0.0.0/0 switched from atmgw to grf1, no outage"]
    assert Event.objects.get(kind="path.switched").severity == "ok"


def test_an_old_report_records_its_move_but_does_not_turn_back_the_path(world: World) -> None:
    moved = world.switch("grf1", "atmgw")
    old = world.path("sp01", "sp-default", "atmgw", switch=moved)
    world.forward(30)
    world.report([world.path("sp01", "sp-default", "grf1", switch=world.switch("atmgw", "grf1"))])
    world.report([old])
    assert path(world).active_text == "grf1"
    assert PathSwitch.objects.count() == 2


def test_a_move_that_no_agent_saw_is_found_and_later_adopted_when_the_agent_tells_of_it(world: World) -> None:
    moved = world.switch("grf1", "atmgw", outage_ms=140.0)
    late = world.path("sp01", "sp-default", "atmgw", switch=moved)
    world.forward(10)
    world.report([world.path("sp01", "sp-default", "atmgw")])
    assert messages(world, "path.switched") == ["sp01: 0.0.0.0/0 switched from grf1 to atmgw"]
    world.report([late])
    assert messages(world, "path.switched") == ["sp01: 0.0.0.0/0 switched from grf1 to atmgw, outage 140 ms"]
    assert [switch.uid for switch in PathSwitch.objects.all()] == [moved.id]


def test_losing_the_route_and_getting_it_back_are_told(world: World) -> None:
    world.forward()
    world.report([world.path("sp01", "sp-default", "", switch=world.switch("grf1", ""))])
    world.forward()
    world.report(
        [world.path("sp01", "sp-default", "atmgw", switch=world.switch("", "atmgw", outage_ms=2000.0))]
    )
    assert messages(world, "path.lost") == ["sp01: 0.0.0.0/0 lost its route via grf1"]
    assert messages(world, "path.restored") == ["sp01: 0.0.0.0/0 has a route again, via atmgw, outage 2 s"]


def test_a_silent_target_behind_a_standing_route_is_a_dead_path(world: World) -> None:
    world.forward(10)
    world.report([world.path("sp01", "sp-default", "grf1", target_alive=False)])
    world.forward(12)
    world.report([world.path("sp01", "sp-default", "grf1")])
    assert messages(world, "path.dead") == [
        "sp01: 0.0.0.0/0: 10.9.0.1 is unreachable via grf1 (route still installed)"
    ]
    assert messages(world, "path.restored") == [
        "sp01: 0.0.0.0/0: 10.9.0.1 is reachable again via grf1 after 12 s"
    ]


def test_a_report_of_a_policy_that_is_gone_is_skipped(world: World) -> None:
    world.report([world.path("sp01", "no-such-policy", "grf1")])
    assert not Path.objects.filter(policy__name="no-such-policy").exists()


def test_applying_the_same_policies_again_changes_nothing(world: World) -> None:
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


def test_changed_policies_keep_what_was_observed_of_the_paths_that_stay(world: World) -> None:
    intent = PolicyIntent("sp-default", "0.0.0.0/0", ["sp01"], ["atmgw", "grf1"], "bfd", None, 100, "")
    assert apply_policies(world.site, [intent]) == 3
    assert list(FailoverPolicy.objects.values_list("name", flat=True)) == ["sp-default"]
    assert path(world).active_text == "grf1"
    (policy,) = policies(world.site).values()
    assert list(policy.gateways.values()) == ["atmgw", "grf1"]
    assert policy.nodes == (world.node("sp01").pk,)


def test_a_policy_over_an_unknown_node_is_refused_whole(world: World) -> None:
    intent = PolicyIntent("other", "0.0.0.0/0", ["sp01", "sp99"], ["grf1"], "bfd", None, 50, "")
    with pytest.raises(Refused, match="sp99"):
        apply_policies(world.site, [intent])
    assert FailoverPolicy.objects.count() == 3


def test_an_agent_watches_the_gateways_at_the_addresses_that_its_node_can_reach(world: World) -> None:
    (watch,) = watches(world.node("sp01"))
    assert watch.gateways == (("grf1", "10.1.0.16"), ("atmgw", "10.1.0.15"))
    assert (watch.prefix, watch.target, watch.probe_interval_ms) == ("0.0.0.0/0", "10.9.0.1", 50)
    (inward,) = watches(world.node("origin1"))
    assert inward.gateways == (("grf1", "10.3.0.1"), ("router", "10.3.0.14"))
    assert watches(world.node("onyx1")) == []


def test_nodes_that_share_no_network_are_no_next_hop_of_each_other(world: World) -> None:
    topology = snapshot.load(world.site)
    assert next_hop(topology, world.node("onyx1").pk, world.node("atmgw").pk) is None
