"""Results of each plan check."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address, ip_network

import pytest

from backstay.core.model.host_network import KernelRoute
from backstay.core.model.plan import Finding, Observation
from backstay.core.model.policy import Stripe
from backstay.core.model.routing import Detection, EngineKind, Timers
from backstay.core.planning import checks, probes
from backstay.core.planning.checks import route_count
from backstay.core.planning.checks.recommendations import NAME as ADVICE
from backstay.core.planning.detection import unsupported
from backstay.core.planning.proposal import Proposal
from backstay.core.tests.planning.plan_sites import (
    Site,
    argonne,
    engine,
    hosts,
    intent,
    levels,
    planned,
    sdsc,
    seen,
    texts,
)
from backstay_wire.change import MAX_PROBES

SP = ("sp01", "sp02", "sp03", "sp04")
PAIR = ("grf1", "atmgw")
BACK = {"back": (("router",), "10.1.0.0/24"), "back_target": "10.1.0.1"}


def test_valid_plan_passes_every_check() -> None:
    site = argonne()
    demand = Observation(
        demand=dict.fromkeys(site.ids(*SP), (1000, 1000)), hosts=hosts(site, ("10.9.0.0/24", "10.3.0.6"))
    )
    plan = planned(site, intent(site, SP, PAIR, target="10.9.0.1", **BACK), observation=demand)  # type: ignore[arg-type]
    assert set(levels(plan).values()) == {"passed"}
    assert set(levels(plan)) == set(checks.CHECKS)
    assert not plan.blocked


@pytest.mark.parametrize("name", ["mtu", "fallback_domain", "saturation"])
def test_failing_check_blocks_the_plan(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def broken(proposal: Proposal) -> list[Finding]:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setitem(checks.CHECKS, name, broken)
    site = argonne()
    plan = planned(site, intent(site, SP, PAIR))
    assert levels(plan)[name] == "failed"
    assert plan.blocked
    assert "failed with ZeroDivisionError: division by zero" in texts(plan, name)


def test_check_without_findings_blocks_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(checks.CHECKS, "mtu", lambda _: [])
    site = argonne()
    assert levels(planned(site, intent(site, SP, PAIR)))["mtu"] == "failed"


def test_nodes_without_engine_are_not_changed() -> None:
    site = argonne()
    engines = {name: engine() for name in site.nodes if name != "sp03"}
    plan = planned(site, intent(site, SP, PAIR), engines=engines)
    assert texts(plan, "managed").startswith("sp03 of sp-default has no `routing:` key in the site file")
    assert "sp03" not in {node.routing.node for node in plan.nodes}


def test_policy_without_nodes_is_refused() -> None:
    site = argonne()
    assert "sp-default matches no node" in texts(planned(site, intent(site, (), PAIR)), "managed")


def test_node_without_report_or_with_another_engine_is_refused() -> None:
    site = argonne()
    one, two = site.ids("sp01", "sp02")
    observed = {one: seen(one, kind=EngineKind.FRR), two: seen(two, alive=False)}
    plan = planned(site, intent(site, SP[:2], PAIR), observed=observed)
    assert "sp01 runs frr, but the site file says bird" in texts(plan, "observed")
    assert "The routing engine of sp02 does not answer" in texts(plan, "observed")


def test_unreadable_file_is_refused_by_name() -> None:
    site = argonne()
    one = site.nodes["sp01"].id
    plan = planned(site, intent(site, SP, PAIR), observed={one: seen(one, text="BROKEN")})
    assert "/etc/bird.conf of sp01 cannot be written: line 1 is no statement." in texts(plan, "boot_file")


def test_gateway_in_another_network_is_refused() -> None:
    site = argonne()
    plan = planned(site, intent(site, SP, ["grf1", "router"]))
    assert "router has no IPv4 address in a network of sp01, sp02, sp03 and sp04" in texts(
        plan, "gateway_on_link"
    )


def test_gateway_without_address_of_that_version_is_refused() -> None:
    site = argonne()
    plan = planned(site, intent(site, SP, PAIR, prefix="::/0"))
    assert "atmgw has no IPv6 address in a network of" in texts(plan, "gateway_on_link")
    assert "grf1" not in texts(plan, "gateway_on_link")
    hops = plan.nodes[0].routing.routes[0].hops
    assert [(str(hop.address), hop.port, hop.preference) for hop in hops] == [("2001:db8:1::216", "css0", 60)]


def test_policy_without_gateways_is_refused() -> None:
    site = argonne()
    assert "sp-default names no gateway" in texts(planned(site, intent(site, SP)), "gateway_on_link")


def test_gateway_without_link_is_refused() -> None:
    site = argonne()
    site.links.pop("atmgw:css0")
    plan = planned(site, intent(site, SP, PAIR))
    assert "No link connects sp01, sp02, sp03 and sp04 to atmgw" in texts(plan, "gateway_on_link")


def test_two_policies_for_one_prefix_on_one_node_are_refused() -> None:
    site = argonne()
    plan = planned(site, intent(site, SP, PAIR), intent(site, ["sp02"], PAIR, name="other"))
    assert texts(plan, "equal_preferences").startswith("On sp02, other and sp-default both route 0.0.0.0/0")


def test_repeated_gateway_is_refused() -> None:
    site = argonne()
    plan = planned(site, intent(site, ["sp01"], ["grf1", "grf1"]))
    assert "sp-default names grf1 twice" in texts(plan, "equal_preferences")


@pytest.mark.parametrize(
    ("kind", "version", "detection", "why"),
    [
        (EngineKind.FRR, "8.4.4", Detection.BFD, "static routes cannot use BFD before FRR 9"),
        (EngineKind.FRR, "", Detection.BFD, "has not reported its FRR version"),
        (EngineKind.FRR, "10.1", Detection.BFD, ""),
        (EngineKind.BIRD, "", Detection.BFD, ""),
        (EngineKind.GATED, "", Detection.BFD, "cannot use BFD"),
        (EngineKind.KERNEL, "", Detection.BFD, "cannot use BFD"),
        (EngineKind.KERNEL, "", Detection.PROTOCOL, "without a routing protocol"),
        (EngineKind.FRR, "8.4.4", Detection.PROTOCOL, ""),
        (EngineKind.KERNEL, "", Detection.CHECKER, ""),
    ],
)
def test_supported_detections_by_engine(
    kind: EngineKind, version: str, detection: Detection, why: str
) -> None:
    reported = unsupported(detection, engine(kind, version))
    assert bool(reported) == bool(why)
    assert why in reported


def test_unsupported_detection_is_refused() -> None:
    site = argonne()
    engines = {name: engine(EngineKind.FRR, "8.4.4") for name in site.nodes}
    plan = planned(site, intent(site, SP, PAIR, detection=Detection.BFD), engines=engines)
    assert "requires BFD, but each of sp01, sp02, sp03 and sp04 runs FRR 8.4.4, whose" in texts(
        plan, "detection_possible"
    )


def test_gateway_without_onward_link_is_refused() -> None:
    site = argonne()
    site.links.pop("grf1:ga031")
    site.links.pop("atmgw:at0")
    assert "Even without a failure" in texts(planned(site, intent(site, SP, PAIR)), "forwarding")


def shared_uplink() -> Site:
    """Two gateways that both lead over `mid`, and a third that does not."""
    site = Site()
    site.fabric("lan")
    site.fabric("wan")
    site.node("h1")
    site.on("h1:e0", "lan", "10.1.0.1/24")
    for at, name in enumerate(("g1", "g2", "g3"), start=2):
        site.node(name, "gateway")
        site.on(f"{name}:e0", "lan", f"10.1.0.{at}/24")
    site.node("mid", "gateway")
    site.node("out", "router")
    site.between("g1:w", "mid:1", "wan", "10.2.1.1/30", "10.2.1.2/30")
    site.between("g2:w", "mid:2", "wan", "10.2.2.1/30", "10.2.2.2/30")
    site.between("mid:3", "out:1", "wan", "10.2.3.1/30", "10.2.3.2/30")
    site.between("g3:w", "out:2", "wan", "10.2.4.1/30", "10.2.4.2/30")
    return site


def test_avoidable_common_component_is_refused() -> None:
    site = shared_uplink()
    plan = planned(site, intent(site, ["h1"], ["g1", "g2"]))
    assert levels(plan)["fallback_domain"] == "failed"
    assert "Every gateway of sp-default forwards h1 over mid" in texts(plan, "fallback_domain")
    assert "over the link at mid:3" in texts(plan, "fallback_domain")


def test_one_gateway_on_another_path_is_enough() -> None:
    site = shared_uplink()
    assert levels(planned(site, intent(site, ["h1"], ["g1", "g2", "g3"])))["fallback_domain"] == "passed"


def test_unavoidable_common_component_warns() -> None:
    site = shared_uplink()
    site.links.pop("g3:w")
    assert levels(planned(site, intent(site, ["h1"], ["g1", "g2"])))["fallback_domain"] == "warning"


def test_asymmetric_return_is_refused() -> None:
    site = argonne()
    plan = planned(
        site,
        intent(site, SP, PAIR),
        intent(site, ["router"], PAIR[::-1], "10.1.0.0/24", "router-to-sp"),
    )
    assert texts(plan, "asymmetric_return").startswith(
        "sp01, sp02, sp03 and sp04 of sp-default send via grf1 then atmgw, but router reaches 10.1.0.0/24 "
        "via atmgw then grf1"
    )


def test_observed_route_counts_as_return_path() -> None:
    site = argonne()
    router = site.nodes["router"].id
    there = seen(router, {"10.1.0.0/24": [("10.3.0.5", 60), ("10.3.0.9", 70)]})
    assert (
        levels(planned(site, intent(site, SP, PAIR), observed={router: there}))["asymmetric_return"]
        == "passed"
    )
    wrong = seen(router, {"10.1.0.0/24": [("10.3.0.9", 60), ("10.3.0.5", 70)]})
    assert (
        levels(planned(site, intent(site, SP, PAIR), observed={router: wrong}))["asymmetric_return"]
        == "failed"
    )


def test_unknown_return_path_warns() -> None:
    site = argonne()
    assert levels(planned(site, intent(site, SP, PAIR)))["asymmetric_return"] == "warning"


def test_fallback_with_smaller_mtu_is_refused() -> None:
    site = argonne()
    site.fabrics["atm-oc3"] = replace(site.fabrics["atm-oc3"], mtu=1500)
    plan = planned(site, intent(site, SP, PAIR))
    assert "can send 9180 bytes through grf1 but only 1500 through atmgw" in texts(plan, "mtu")
    assert levels(planned(site, intent(site, SP, PAIR[::-1])))["mtu"] == "passed"


def test_loss_of_the_controller_route_is_refused() -> None:
    site = argonne()
    one = site.nodes["sp01"].id
    before = planned(site, intent(site, SP, PAIR, "10.9.0.0/24", "mgmt"))
    confirmed = {node.routing.node_id: node.routing for node in before.nodes}
    watched = Observation(controller={one: confirmed[one].routes})
    without = intent(site, SP[1:], PAIR, "10.9.0.0/24", "mgmt")
    plan = planned(site, without, observation=watched, confirmed=confirmed)
    assert texts(plan, "controller").startswith(
        "sp01 would lose the controller: it is reached over 10.9.0.0/24"
    )
    kept = intent(site, SP, PAIR, "10.9.0.0/24", "mgmt")
    assert levels(planned(site, kept, observation=watched, confirmed=confirmed))["controller"] == "passed"
    silent = replace(watched, alive={(one, gateway): False for gateway in site.ids(*PAIR)})
    plan = planned(site, kept, observation=silent, confirmed=confirmed)
    assert "no gateway of mgmt answers" in texts(plan, "controller")


def test_wave_above_the_site_limit_is_refused() -> None:
    site = sdsc(40)
    nodes = [name for name in site.nodes if name.startswith("bh")]
    policy = intent(site, nodes, ["gw1", "gw2"], "10.2.0.0/24")
    plan = planned(site, policy, wave_limit=30)
    assert "Wave 3 would change 35 nodes at once, and the site allows 30" in texts(plan, "wave_size")
    assert "plan it in waves of at most 30" in texts(plan, "wave_size")
    assert levels(planned(site, policy, wave_limit=35))["wave_size"] == "passed"
    cut = planned(site, policy, wave_limit=30, wave_size=30)
    assert levels(cut)["wave_size"] == "passed"
    assert [len(wave) for wave in cut.waves] == [1, 4, 17, 18]
    assert [node for wave in cut.waves for node in wave] == [node for wave in plan.waves for node in wave]


def test_too_many_return_routes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route_count, "MOST", 500)
    monkeypatch.setattr(route_count, "MOST_TEXT", 10_000)
    site = Site()
    site.fabric("lan")
    site.fabric("wan")
    for at in range(600):
        site.node(f"n{at}", half=str(at % 2))
        site.on(f"n{at}:e0", "lan", f"10.1.{at // 250}.{at % 250 + 1}/16")
    site.node("out", "router")
    for at in (1, 2):
        site.node(f"g{at}", "gateway")
        site.on(f"g{at}:e0", "lan", f"10.1.9.{at}/16")
        site.between(f"g{at}:w", f"out:{at}", "wan", f"10.2.{at}.1/30", f"10.2.{at}.2/30")
    nodes = [name for name in site.nodes if name.startswith("n")]
    stripe = Stripe(site.ids("g1", "g2"), 1, by_label="half")
    plan = planned(site, intent(site, nodes, stripe=stripe, back=(["out"], "10.1.0.0/16")))
    assert "out would need 600 routes, the limit is 500" in texts(plan, "route_count")
    assert "/etc/bird.conf of out would have " in texts(plan, "route_count")
    assert "characters, the limit is 10,000" in texts(plan, "route_count")
    assert "The checker of out would monitor 600 routes" in texts(plan, "route_count")


def test_dead_and_single_gateways_warn() -> None:
    site = argonne()
    one = site.nodes["sp01"].id
    grf, atm = site.ids(*PAIR)
    dead = Observation(alive={(one, grf): False, (one, atm): False})
    plan = planned(site, intent(site, SP, PAIR), observation=dead)
    assert "grf1, the preferred gateway of sp-default, does not answer sp01 now" in texts(
        plan, "standby_dead"
    )
    assert "atmgw, a fallback of sp-default, does not answer sp01 now" in texts(plan, "standby_dead")
    assert levels(planned(site, intent(site, SP, ["grf1"])))["one_gateway"] == "warning"


def test_renderer_advice_is_listed_once_with_all_nodes() -> None:
    site = argonne()
    engines = {name: engine(EngineKind.GATED) for name in site.nodes}
    policy = intent(site, ["sp01", "sp02"], PAIR, **BACK)  # type: ignore[arg-type]
    off = {
        site.nodes["sp01"].id: seen(site.nodes["sp01"].id, text="redirect no ;\n", kind=EngineKind.GATED),
        site.nodes["sp02"].id: seen(site.nodes["sp02"].id, text="# redirect no;\n", kind=EngineKind.GATED),
    }
    plan = planned(site, policy, engines=engines, observed=off)
    (reported,) = (finding for finding in plan.findings if finding.check == ADVICE)
    assert (reported.level, reported.nodes) == ("warning", ("sp02", "router"))
    assert reported.text == "sp02 believes redirects: add `redirect no;`. The same applies to router."


def test_supported_timers_pass() -> None:
    site = argonne()
    plan = planned(site, intent(site, SP, PAIR, timers=Timers(interval_ms=100, fail_after=5)))
    assert texts(plan, "detection_time") == (
        "A dead gateway is detected within 500 ms, as the policy requires. Then the engine switches: "
        "BIRD up to 150 ms."
    )


def test_a_route_of_a_router_advertisement_beside_a_planned_one_warns_by_name() -> None:
    site = argonne()
    site.ports["atmgw:css0"] = replace(
        site.ports["atmgw:css0"], addresses=("10.1.0.215/24", "2001:db8:1::215/64")
    )
    advertised = KernelRoute(ip_network("::/0"), 1024, ((ip_address("fe80::1"), "css0"),), "ra")
    ours = KernelRoute(ip_network("::/0"), 60, ((ip_address("2001:db8:1::216"), "css0"),), "bird")
    known = hosts(site, ("10.9.0.0/24", "10.3.0.6"))
    one = site.nodes["sp01"].id
    known[one] = replace(known[one], routes=(advertised, ours))
    seen_now = Observation(hosts=known)
    plan = planned(site, intent(site, SP, PAIR, prefix="::/0"), observation=seen_now)
    assert levels(plan)["table_choice"] == "warning"
    assert texts(plan, "table_choice").startswith(
        "sp01 also has ::/0 by router advertisements (via fe80::1 dev css0, metric 1024)."
    )
    assert "Set net.ipv6.conf.css0.accept_ra = 0, or accept it." in texts(plan, "table_choice")
    plan = planned(site, intent(site, SP, PAIR), observation=seen_now)
    assert levels(plan)["table_choice"] == "passed"


def test_probes_beyond_those_of_one_change_are_counted_in_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each policy has a probe by its route, and two for each of its gateways, of which one is shared."""
    assert probes.MOST == MAX_PROBES
    monkeypatch.setattr(route_count, "MOST_PROBES", 32)
    site = argonne()
    policies = [
        replace(
            intent(
                site, SP[:1], PAIR, prefix=f"10.{number}.0.0/16", name=f"p{number}", target=f"10.{number}.0.1"
            ),
            id=number,
        )
        for number in range(20, 31)
    ]
    plan = planned(site, *policies[:10])
    assert levels(plan)["route_count"] == "passed"
    plan = planned(site, *policies)
    assert "sp01 needs 35 probes and a change runs 32: 3 probes of standby gateways left out" in texts(
        plan, "route_count"
    )
