"""Impact of single failures: detection, moves, outages and link loads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backstay.core.formatting import milliseconds
from backstay.core.model.plan import Impact, Observation, Plan
from backstay.core.model.policy import Stripe
from backstay.core.model.routing import ENGINES, Detection, EngineKind, Timers
from backstay.core.tests.planning.plan_sites import (
    MEGA,
    Site,
    argonne,
    engine,
    intent,
    levels,
    planned,
    sdsc,
    seen,
    texts,
)

SP = ("sp01", "sp02", "sp03", "sp04")


def impact(plan: Plan, name: str) -> Impact:
    return next(item for item in plan.impacts if item.failure == name)


def sp_plan(site: Site, **kwargs: object) -> Plan:
    wanted = {"target": "10.9.0.1", "back": (["router"], "10.1.0.0/24"), "back_target": "10.1.0.1"}
    return planned(site, intent(site, SP, ["grf1", "atmgw"], **(wanted | kwargs)))  # type: ignore[arg-type]


def test_failed_gateway_moves_all_nodes_within_the_detection_time() -> None:
    reported = impact(sp_plan(argonne(), timers=Timers(interval_ms=20, fail_after=4)), "grf1")
    assert reported.moved == ("router", *SP)
    assert reported.cut_off == reported.looping == ()
    assert reported.seconds == pytest.approx(0.08 + ENGINES[EngineKind.BIRD].switch_ms / 1000)


@pytest.mark.parametrize("kind", list(EngineKind), ids=str)
def test_promised_time_includes_the_switch_of_the_engine(kind: EngineKind) -> None:
    site = argonne()
    engines = {name: engine(kind) for name in site.nodes}
    wanted = intent(site, ["sp01"], ["grf1", "atmgw"], target="10.9.0.1")
    plan = planned(site, wanted, engines=engines)
    detected_s = wanted.timers.detects_in_ms / 1000
    assert impact(plan, "grf1").seconds == pytest.approx(detected_s + ENGINES[kind].switch_ms / 1000)
    label, ms = ENGINES[kind].label, ENGINES[kind].switch_ms
    assert f"Then the engine switches: {label} up to {milliseconds(ms)}." in texts(plan, "detection_time")
    assert ms > 0


def test_bfd_switches_inside_the_engine() -> None:
    plan = planned(argonne(), intent(argonne(), ["sp01"], ["grf1", "atmgw"], detection=Detection.BFD))
    assert "Then the engine switches" not in texts(plan, "detection_time")


def test_failed_standby_moves_no_node() -> None:
    reported = impact(sp_plan(argonne()), "atmgw")
    assert (reported.moved, reported.cut_off, reported.seconds) == ((), (), 0.0)


def test_target_probe_detects_a_gateway_that_does_not_forward() -> None:
    reported = impact(sp_plan(argonne()), "grf1:ga031")
    assert reported.moved == ("router", *SP)
    assert reported.cut_off == ()


@pytest.mark.parametrize(
    "asked", [{"detection": Detection.BFD}, {"target": None, "back_target": None}], ids=["bfd", "no target"]
)
def test_dead_uplink_is_undetected_without_target(
    asked: dict[str, object],
) -> None:
    plan = sp_plan(argonne(), **asked)
    reported = impact(plan, "grf1:ga031")
    assert reported.cut_off == SP
    assert reported.seconds is None
    assert levels(plan)["forwarding"] == "passed"
    assert levels(plan)["unseen_failure"] == "warning"
    assert "sp01, sp02, sp03 and sp04 would not detect that grf1:ga031 is down" in texts(
        plan, "unseen_failure"
    )


def test_node_without_return_path_is_cut_off() -> None:
    plan = sp_plan(argonne(), back_target=None)
    assert impact(plan, "grf1:gt000").cut_off == ("router", *SP)


def test_own_link_failure_cuts_off_one_node() -> None:
    reported = impact(sp_plan(argonne()), "sp02:css0")
    assert (reported.cut_off, reported.moved, reported.seconds) == (("sp02",), (), None)


def test_node_on_two_fabrics_survives_carrier_loss() -> None:
    site = argonne()
    site.fabric("ether")
    site.on("sp01:en1", "ether", "10.7.0.1/24")
    site.on("atmgw:en1", "ether", "10.7.0.15/24")
    site.ports["atmgw:css0"] = site.ports.pop("atmgw:css0")
    plan = planned(site, intent(site, ["sp01"], ["grf1", "atmgw"]))
    reported = impact(plan, "sp01:css0")
    assert reported.cut_off == ("sp01",), "atmgw is reached over css0 too, its first network in common"
    other = argonne()
    other.fabric("ether")
    other.node("gw9", "gateway")
    other.on("sp01:en1", "ether", "10.7.0.1/24")
    other.on("gw9:en1", "ether", "10.7.0.9/24")
    other.between("gw9:at0", "router:at9", "atm-oc3", "10.3.0.21/30", "10.3.0.22/30")
    reported = impact(planned(other, intent(other, ["sp01"], ["grf1", "gw9"])), "sp01:css0")
    assert (reported.cut_off, reported.moved, reported.seconds) == ((), ("sp01",), 0.0)


def test_shared_switch_failure_cuts_off_all_nodes() -> None:
    assert impact(sp_plan(argonne()), "sp-switch").cut_off == ("router", *SP)


def test_mutual_gateways_loop_when_the_exit_fails() -> None:
    site = argonne()
    plan = planned(
        site,
        intent(site, SP, ["grf1", "atmgw"], detection=Detection.BFD),
        intent(site, ["grf1"], ["router", "atmgw"], name="grf-out", detection=Detection.BFD),
        intent(site, ["atmgw"], ["grf1", "router"], name="atm-out", detection=Detection.BFD),
    )
    reported = impact(plan, "grf1:ga031")
    assert reported.looping == ("atmgw", "grf1", *SP)
    assert levels(plan)["forwarding"] == "failed"
    assert "With grf1:ga031 down, packets of atmgw, grf1, sp01, sp02 and 2 more would loop" in texts(
        plan, "forwarding"
    )
    assert plan.blocked


def test_fallback_through_the_dead_gateway_fails() -> None:
    site = argonne()
    site.links.pop("atmgw:at0")
    plan = planned(
        site,
        intent(site, SP, ["grf1", "atmgw"], detection=Detection.BFD),
        intent(site, ["atmgw"], ["grf1"], name="atm-out", detection=Detection.BFD),
    )
    assert impact(plan, "grf1").cut_off == ("atmgw", *SP)
    assert "With grf1 down, packets of atmgw, sp01, sp02, sp03 and 1 more" not in texts(plan, "forwarding")
    assert "With grf1 down, packets of sp01, sp02, sp03 and sp04 would be lost" in texts(plan, "forwarding")


def test_switches_reroute_internally() -> None:
    site = Site()
    site.fabric("ib")
    for name in ("s1", "s2", "s3"):
        site.node(name, "switch")
    site.node("h1")
    site.node("g1", "router")
    for a, b in (("s1:1", "s2:1"), ("s1:2", "s3:1"), ("s3:2", "s2:2")):
        site.port(a, "ib")
        site.port(b, "ib")
        site.link(a, b)
    site.port("s1:9", "ib")
    site.port("s2:9", "ib")
    site.port("h1:ib0", "ib", "10.5.0.1/24")
    site.port("g1:ib0", "ib", "10.5.0.2/24")
    site.link("h1:ib0", "s1:9")
    site.link("g1:ib0", "s2:9")
    demand = Observation(demand={site.nodes["h1"].id: (5 * MEGA, 0)})
    plan = planned(site, intent(site, ["h1"], ["g1"]), observation=demand)
    cut = impact(plan, "s1:1")
    assert cut.cut_off == ()
    assert {(load.link_id, load.bps) for load in cut.loads} == {
        (site.links["s1:1"].id, 0),
        (site.links["s1:2"].id, 5 * MEGA),
        (site.links["s3:2"].id, 5 * MEGA),
    }
    assert impact(plan, "s2").cut_off == ("h1",)
    assert impact(plan, "s1").cut_off == ("h1",)


def test_demand_moves_to_the_fallback_and_saturates_it() -> None:
    site = argonne()
    demand = dict.fromkeys(site.ids(*SP), (30 * MEGA, 10 * MEGA))
    measured = {
        site.links["grf1:ga031"].id: (140 * MEGA, 40 * MEGA),
        site.links["atmgw:at0"].id: (50 * MEGA, 0),
    }
    plan = planned(
        site,
        intent(site, SP, ["grf1", "atmgw"], target="10.9.0.1"),
        observation=Observation(demand=demand, link_load=measured),
    )
    assert plan.impacts[0].loads == ()
    reported = impact(plan, "grf1")
    loads = {load.link_id: load for load in reported.loads}
    assert loads[site.links["grf1:ga031"].id].bps == 20 * MEGA, "20 Mb/s there are not the policy's"
    full = loads[site.links["atmgw:at0"].id]
    assert full.bps == 170 * MEGA
    assert full.utilisation == pytest.approx(1.264, abs=1e-4)
    assert [load.link_id for load in reported.over] == [site.links["atmgw:at0"].id]
    assert "With grf1 down, atmgw:at0 would have to carry 170 Mb/s of its usable 134.5 Mb/s (126 %)" in texts(
        plan, "saturation"
    )


def test_plan_shows_load_without_failure() -> None:
    site = argonne()
    demand = dict.fromkeys(site.ids(*SP), (10 * MEGA, 0))
    now = {
        node: seen(node, {"0.0.0.0/0": [("10.1.0.215", 60)]}, active="10.1.0.215") for node in site.ids(*SP)
    }
    measured = {site.links["atmgw:at0"].id: (40 * MEGA, 0)}
    plan = planned(
        site,
        intent(site, SP, ["grf1", "atmgw"]),
        observed=now,
        observation=Observation(demand=demand, link_load=measured),
    )
    loads = {load.link_id: load.bps for load in plan.impacts[0].loads}
    assert loads[site.links["atmgw:at0"].id] == 0
    assert loads[site.links["grf1:ga031"].id] == 40 * MEGA
    assert site.links["sp01:css0"].id not in loads


def test_san_diego_gateway_failure_moves_a_quadrant() -> None:
    site = sdsc(16)
    nodes = [name for name in site.nodes if name.startswith("bh")]
    movers = [name for name in site.nodes if name.startswith("mover")]
    gateways = site.ids("gw1", "gw2", "gw3", "gw4")
    plan = planned(
        site,
        intent(
            site,
            nodes,
            prefix="10.2.0.0/24",
            target="10.2.0.11",
            stripe=Stripe(gateways, 1, by_label="quadrant"),
            back=(movers, "10.1.0.0/16"),
            back_target="10.1.1.1",
        ),
        observation=Observation(demand=dict.fromkeys(site.ids(*nodes), (2 * MEGA, MEGA))),
    )
    assert not plan.blocked
    for number in range(1, 5):
        reported = impact(plan, f"gw{number}")
        quadrant = [f"bh{at:03}" for at in range(4 * number - 3, 4 * number + 1)]
        assert reported.moved == (*quadrant, *movers)
        assert reported.cut_off == ()
        other = site.links[f"gw{number % 4 + 1}:en1"].id
        assert {load.bps for load in reported.loads if load.link_id == other} == {16 * MEGA}


@pytest.mark.parametrize(
    ("kind", "interval_ms", "needs_s", "reported"),
    [
        (EngineKind.GATED, 50, 180.0, "requires 150 ms, but gated's protocol takes up to 3 min"),
        (EngineKind.FRR, 50, 180.0, "requires 150 ms, but frr's protocol takes up to 3 min"),
        (EngineKind.FRR, 1_000, 5.0, "requires 3 s, but frr's protocol takes up to 5 s"),
        (EngineKind.FRR, 5_000, 15.0, "detected within 15 s"),
    ],
)
def test_protocol_detection_is_limited_by_engine_and_announcements(
    kind: EngineKind, interval_ms: int, needs_s: float, reported: str
) -> None:
    site = argonne()
    wanted = intent(site, SP, ["grf1", "atmgw"], detection=Detection.PROTOCOL)
    wanted = replace(wanted, timers=replace(wanted.timers, interval_ms=interval_ms))
    plan = planned(site, wanted, engines={name: engine(kind) for name in site.nodes})
    assert impact(plan, "grf1").seconds == pytest.approx(needs_s)
    assert reported in texts(plan, "detection_time")
