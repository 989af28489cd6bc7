"""Demand by destination: what stops, what moves, and that nothing is lost or invented."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.search import Component
from backstay.core.planning.whatif.fallback_failures import FallbackFailures
from backstay.core.planning.whatif.fallback_loads import FallbackLoads
from backstay.core.planning.whatif.fallback_verdict import FallbackOutcome, LaneLoad, MeasuredLoad
from backstay.core.tests.capacity.test_fallback_loads import SP, kill, routings
from backstay.core.tests.planning.plan_sites import MEGA, Site, argonne, intent, planned, sdsc

Loads = dict[str, tuple[int | None, int | None]]
"""Port at a link's end a -> Mb/s forward, back."""
GATEWAYS = ("grf1:gt000", "atmgw:css0")


def complex_site() -> Site:
    """Argonne's SP with a host that only grf1 reaches, and one that the router reaches too."""
    site = argonne()
    site.fabric("hippi", 800 * MEGA, 65280)
    site.node("onyx1", role="server")
    site.node("origin1", role="server")
    site.between("grf1:gh010", "onyx1:hip0", "hippi", "10.2.0.1/30", "10.2.0.2/30")
    site.between("grf1:ga030", "origin1:at0", "atm-oc12", "10.3.0.1/30", "10.3.0.2/30")
    site.between("origin1:at1", "router:at2", "atm-oc12", "10.3.0.13/30", "10.3.0.14/30")
    return site


SITE = complex_site()
NODE = {name: node.id for name, node in SITE.nodes.items()}
LINK = {name: link.id for name, link in SITE.links.items()}
STRUCTURE = FallbackFailures(SITE.topology(), routings(SITE, (SP, ("grf1", "atmgw"))))
GRF1: Component = ("node", NODE["grf1"])


def study(demand: dict[str, tuple[int, int]], links: Loads) -> FallbackLoads:
    known: dict[int, tuple[int | None, int | None]] = dict.fromkeys(LINK.values(), (0, 0))
    for name, (forward, back) in links.items():
        known[LINK[name]] = (
            None if forward is None else forward * MEGA,
            None if back is None else back * MEGA,
        )
    own = {NODE[name]: (out * MEGA, back * MEGA) for name, (out, back) in demand.items()}
    return FallbackLoads(STRUCTURE, MeasuredLoad(own, known))


def lanes(outcome: FallbackOutcome) -> dict[tuple[str, bool], LaneLoad]:
    names = {link: name for name, link in LINK.items()}
    return {(names[lane.link_id], lane.is_back): lane for lane in outcome.lanes}


EVENLY = dict.fromkeys(SP, (10, 5))
TO_THREE: Loads = {
    "grf1:gt000": (20, 40),
    "grf1:gh010": (24, 12),
    "grf1:ga030": (8, 4),
    "grf1:ga031": (8, 4),
}


def test_traffic_to_a_host_that_only_the_failed_gateway_reaches_stops() -> None:
    outcome = study(EVENLY, TO_THREE).outcome(kill(GRF1))
    (stopped,) = outcome.stopped
    assert stopped.hosts == (NODE["onyx1"],)
    assert stopped.bps == pytest.approx(36 * MEGA, rel=1e-3)
    assert outcome.cut_off == ()
    assert outcome.cut_off_bps == stopped.bps
    (move,) = outcome.moves
    assert move.out == pytest.approx(16 * MEGA, rel=1e-3)
    assert move.back == pytest.approx(8 * MEGA, rel=1e-3)
    found = lanes(outcome)
    assert found["atmgw:at0", False].after == pytest.approx(16 * MEGA, rel=1e-3)
    assert found["atmgw:at0", True].after == pytest.approx(8 * MEGA, rel=1e-3)
    assert found["origin1:at1", True].after == pytest.approx(8 * MEGA, rel=1e-3)
    assert found["grf1:gh010", False].after == 0


def test_no_load_is_left_unattributed_if_the_destinations_explain_it() -> None:
    unattributed, carried = study(EVENLY, TO_THREE).unattributed()
    assert unattributed < carried / 1000


def test_demand_of_unequal_nodes_goes_to_the_same_destinations() -> None:
    demand = {"sp01": (37, 17), "sp02": (1, 1), "sp03": (1, 1), "sp04": (1, 1)}
    outcome = study(demand, TO_THREE).outcome(kill(GRF1))
    assert lanes(outcome)["atmgw:at0", False].after == pytest.approx(16 * MEGA, rel=1e-3)


def test_unknown_load_of_a_destination_makes_the_result_unknown() -> None:
    outcome = study(EVENLY, {**TO_THREE, "grf1:gh010": (None, None)}).outcome(kill(GRF1))
    assert (outcome.verdict, outcome.reason) == ("unknown", "The load of onyx1 is unknown or stale.")


def test_a_full_link_carries_its_usable_rate_and_slows_its_senders_down() -> None:
    links: Loads = {"grf1:gt000": (0, 200), "grf1:ga030": (160, 0), "grf1:ga031": (40, 0)}
    outcome = study(dict.fromkeys(SP, (50, 0)), links).outcome(kill(GRF1))
    found = lanes(outcome)
    uplink, behind = found["atmgw:at0", False], found["origin1:at1", True]
    assert (uplink.after, uplink.carried) == (200 * MEGA, 134_500_000)
    assert behind.after == pytest.approx(160 * MEGA, rel=1e-3)
    assert behind.carried == pytest.approx(134_500_000 - 40 * MEGA, rel=1e-3), "small flows keep their rate"
    assert found["atmgw:css0", True].carried == pytest.approx(134_500_000, rel=1e-3)
    assert outcome.verdict == "would_not_hold"
    assert outcome.reason == "atmgw:at0 would carry 149 % of 134.5 Mb/s."


def test_a_full_link_slows_its_senders_down_on_their_own_links() -> None:
    """A tenth of the traffic stops; the senders share what the full link carries of the rest."""
    links: Loads = {
        "grf1:gt000": (0, 200),
        "grf1:gh010": (20, 0),
        "grf1:ga030": (160, 0),
        "grf1:ga031": (20, 0),
    }
    found = lanes(study(dict.fromkeys(SP, (50, 0)), links).outcome(kill(GRF1)))
    own = [found[f"{name}:css0", False] for name in SP]
    assert [lane.after for lane in own] == pytest.approx([45 * MEGA] * len(SP), rel=1e-3)
    assert sum(lane.carried for lane in own) == pytest.approx(134_500_000, rel=1e-3)


def test_the_routers_of_a_return_path_are_the_opposite_end_however_wide_its_prefix() -> None:
    """Their own demand is not needed: it is that of the clients, whose prefix is the more specific one."""
    site = sdsc(4)
    clients, movers = (
        [f"bh{number:03}" for number in range(1, 5)],
        [f"mover{number}" for number in range(1, 9)],
    )
    policy = intent(
        site, clients, ("gw1", "gw2"), "10.2.0.0/24", target="10.2.0.11", back=(movers, "10.1.0.0/16")
    )
    routes = {item.routing.node_id: item.routing for item in planned(site, policy).nodes}
    returns = {(policy.name, site.nodes[name].id) for name in movers}
    structure = FallbackFailures(site.topology(), routes, returns)
    assert structure.opposite == {site.nodes[name].id for name in movers}
    demand = {site.nodes[name].id: (20 * MEGA, 4 * MEGA) for name in clients}
    links: dict[int, tuple[int | None, int | None]] = dict.fromkeys(site.topology().links, (0, 0))
    outcome = FallbackLoads(structure, MeasuredLoad(demand, links)).outcome(
        frozenset({("node", site.nodes["gw1"].id)})
    )
    assert outcome.verdict == "holds"
    assert sum(move.out for move in outcome.moves) == 4 * 24 * MEGA
    gw2 = next(
        lane for lane in outcome.lanes if lane.link_id == site.links["gw2:en1"].id and not lane.is_back
    )
    assert gw2.after == 80 * MEGA


mbps = st.integers(0, 60)
both = st.tuples(mbps, mbps)
components = st.sampled_from(
    [
        *(("node", NODE[name]) for name in ("grf1", "atmgw", "router")),
        *(("link", link) for link in LINK.values()),
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.tuples(both, both, both, both),
    st.fixed_dictionaries(dict.fromkeys(("grf1:gh010", "grf1:ga030", "grf1:ga031", "origin1:at1"), both)),
    st.sets(components, max_size=2),
)
def test_all_demand_moves_stays_or_is_cut_off(
    demand: tuple[tuple[int, int], ...], links: Loads, failed: set[Component]
) -> None:
    """Whatever the measured loads say, and however little they agree with the demand."""
    known = dict(zip(SP, demand, strict=True))
    loads = study(known, links)
    outcome = loads.outcome(frozenset(failed))
    total = sum(map(sum, demand)) * MEGA
    found = lanes(outcome)
    first = [f"{name}:css0" for name in SP]
    arriving = 0
    for name, own in zip(first, demand, strict=True):
        for is_back, bps in enumerate(own):
            lane = found.get((name, bool(is_back)))
            arriving += bps * MEGA if lane is None else lane.after
    assert arriving + outcome.cut_off_bps == pytest.approx(total, abs=100)
    moved = sum(move.out + move.back for move in outcome.moves if move.outcome == "moved")
    assert moved <= arriving + 100


@settings(max_examples=50, deadline=None)
@given(st.tuples(both, both, both, both), st.fixed_dictionaries({"grf1:gh010": both, "grf1:ga030": both}))
def test_gateways_carry_exactly_what_is_not_cut_off(
    demand: tuple[tuple[int, int], ...], links: Loads
) -> None:
    outcome = study(dict(zip(SP, demand, strict=True)), links).outcome(kill(GRF1))
    found = lanes(outcome)
    carried = sum(lane.after for (name, _), lane in found.items() if name in GATEWAYS)
    assert carried + outcome.cut_off_bps == pytest.approx(sum(map(sum, demand)) * MEGA, abs=100)
