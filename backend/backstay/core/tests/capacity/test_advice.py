"""Improvements for failing fallbacks, each judged by the study itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backstay.core.model.routing import NodeRouting
from backstay.core.planning.capacity.advice import (
    Benefit,
    Improvement,
    improvements,
    is_overloaded,
    judged,
    ranked,
    rounded_up,
)
from backstay.core.planning.whatif.fallback_failures import FallbackFailures
from backstay.core.planning.whatif.fallback_loads import FallbackLoads
from backstay.core.planning.whatif.fallback_verdict import FallbackOutcome, MeasuredLoad
from backstay.core.tests.capacity.test_fallback_loads import SP, routings
from backstay.core.tests.planning.plan_sites import MEGA, Site, argonne

SENT = 45 * MEGA


def with_third_gateway() -> Site:
    """A gateway like atmgw, which no policy names."""
    site = argonne()
    site.node("gw3", "gateway", "gateway")
    site.on("gw3:css0", "sp-switch", "10.1.0.214/24")
    site.fabric("atm-third", 134_500_000, 9180)
    site.port("router:at2", "atm-third", "10.3.0.14/30")
    site.port("gw3:at0", "atm-third", "10.3.0.13/30")
    site.link("gw3:at0", "router:at2")
    return site


class Study:
    """A site under every single failure with a fallback, without and with improvements."""

    def __init__(self, site: Site, routes: dict[int, NodeRouting], sent: int = SENT) -> None:
        self.topology, self.routes = site.topology(), routes
        demand = {site.nodes[name].id: (sent, 0) for name in SP}
        self.measured = MeasuredLoad(demand, dict.fromkeys(self.topology.links, (0, 0)))
        structure = FallbackFailures(self.topology, routes)
        alone = [frozenset({thing}) for thing in structure.components()]
        found = FallbackLoads(structure, self.measured).outcomes(alone)
        self.base = [outcome for outcome in found if outcome.has_fallback]

    def under(self, option: Improvement) -> Sequence[FallbackOutcome]:
        loads = FallbackLoads(FallbackFailures(option.topology, option.routes), self.measured)
        return list(loads.outcomes(frozenset(outcome.failed) for outcome in self.base))

    def advice(self) -> list[Benefit]:
        options = improvements(self.topology, self.routes, self.measured.demand, self.base)
        return ranked(judged(option, self.base, self.under(option)) for option in options)


def study(site: Site, *gateways: str, sent: int = SENT) -> Study:
    return Study(site, routings(site, (SP, gateways)), sent)


def test_capacity_is_just_enough_for_the_worst_failure() -> None:
    found = study(argonne(), "grf1", "atmgw")
    (best,) = found.advice()
    assert best.improvement.kind == "capacity"
    assert best.improvement.usable_rate == rounded_up(4 * SENT * 1.05) == 190 * MEGA
    assert not best.worse
    assert best.remaining == 0
    assert {*best.holds} == {
        frozenset(outcome.failed) for outcome in found.base if outcome.verdict == "would_not_hold"
    }
    assert not any(is_overloaded(outcome) for outcome in found.under(best.improvement))


def test_gateway_helps_only_where_it_can_carry_the_load() -> None:
    site = with_third_gateway()
    kinds = [item.improvement.kind for item in study(site, "grf1", "atmgw").advice()]
    assert kinds == ["capacity"], "gw3 is as small as atmgw"
    assert study(site, "grf1", "atmgw", sent=33 * MEGA).advice() == []
    wide = replace(site.fabrics["atm-third"], usable_rate=538 * MEGA)
    site.fabrics["atm-third"] = wide
    first = study(site, "grf1", "atmgw").advice()[0].improvement
    assert (first.kind, first.gateways) == ("gateway", site.ids("grf1", "gw3", "atmgw"))
    assert first.gateway == site.nodes["gw3"].id


def test_stripes_spread_the_nodes_of_a_failed_gateway_over_the_others() -> None:
    site = with_third_gateway()
    crowded = study(site, "grf1", "atmgw", "gw3")
    best = crowded.advice()[0]
    assert best.improvement.kind == "stripes"
    assert (best.remaining, best.worse) == (0, ())
    first = {routing.routes[0].hops[0].gateway for routing in best.improvement.routes.values()}
    assert first == {"grf1", "atmgw", "gw3"}


def test_a_policy_that_is_not_deployed_is_advised_to_be() -> None:
    """More capacity or gateways do not help nodes that do not detect that theirs is dead."""
    routes = {
        node: replace(routing, routes=tuple(replace(route, is_detected=False) for route in routing.routes))
        for node, routing in routings(argonne(), (SP, ("grf1", "atmgw"))).items()
    }
    found = Study(argonne(), routes, sent=MEGA)
    failing = {frozenset(outcome.failed) for outcome in found.base if outcome.verdict == "would_not_hold"}
    (best,) = found.advice()
    assert (best.improvement.kind, best.improvement.policy) == ("deployment", "p1")
    assert failing
    assert {*best.holds} == failing
    assert best.remaining == 0


def test_preferences_follow_the_new_order() -> None:
    site = with_third_gateway()
    crowded = study(site, "grf1", "atmgw", "gw3")
    for routing in crowded.advice()[0].improvement.routes.values():
        preferences = [hop.preference for hop in routing.routes[0].hops]
        assert preferences == sorted(set(preferences))


def test_nothing_is_advised_while_every_fallback_holds() -> None:
    found = study(argonne(), "grf1", "atmgw", sent=MEGA)
    assert list(improvements(found.topology, found.routes, found.measured.demand, found.base)) == []
