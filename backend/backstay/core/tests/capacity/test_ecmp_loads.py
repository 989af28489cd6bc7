"""Loads where nothing is managed: two leaves, two spines, equal-cost paths."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.model.load import PortRates
from backstay.core.model.search import INTACT
from backstay.core.planning.whatif.ecmp_loads import EcmpLoads, LaneShifts
from backstay.core.planning.whatif.fallback_verdict import (
    FallbackEvidence,
    LaneLoad,
    MeasuredLoad,
    by_fullness,
    decide,
    growth_percent,
    is_limit_known,
)
from backstay.core.tests.planning.plan_sites import MEGA, Site

AT = datetime(2026, 11, 28, tzinfo=UTC)


def fabric(rate: int = 100 * MEGA) -> Site:
    site = Site("leaf-spine")
    site.fabric("lan", rate, 9000)
    for name in ("leaf1", "leaf2", "spine1", "spine2"):
        site.node(name, "switch", "switch")
    for leaf in ("leaf1", "leaf2"):
        for spine in ("spine1", "spine2"):
            site.between(f"{leaf}:{spine}", f"{spine}:{leaf}", "lan", "", "")
    for number in range(1, 5):
        site.node(f"h{number}", role="compute")
        site.between(f"h{number}:e0", f"leaf{1 + number // 3}:h{number}", "lan", "", "")
    for name, port in list(site.ports.items()):
        site.ports[name] = type(port)(port.id, port.node_id, port.name, port.fabric_id, False, ())
    return site


def loads(site: Site, sent: int = 60 * MEGA, without: str = "", growth: float = 0.0) -> EcmpLoads:
    """Hosts of leaf1 send to those of leaf2: `sent` from each of two."""
    topology = site.topology()
    rates = {
        site.ports[f"h{number}:e0"].id: PortRates(AT, 0 if number < 3 else sent, sent if number < 3 else 0)
        for number in range(1, 5)
        if f"h{number}" != without
    }
    links: dict[int, tuple[int | None, int | None]] = {}
    for name, link in site.links.items():
        if name.startswith("leaf1:"):
            links[link.id] = (sent, 0)
        elif name.startswith("leaf2:"):
            links[link.id] = (0, sent)
        else:
            links[link.id] = (sent, 0) if name < "h3" else (0, sent)
    return EcmpLoads(topology, MeasuredLoad({}, links), rates, growth)


def test_a_spine_takes_the_load_of_the_other() -> None:
    site = fabric()
    spine = ("node", site.nodes["spine1"].id)
    found = loads(site).outcome(frozenset({spine}))
    assert found.verdict == "would_not_hold"
    assert "would carry 120 % of 100 Mb/s." in found.reason
    assert found.has_fallback
    assert found.growth_percent == pytest.approx(-16.7)
    assert loads(site, 40 * MEGA).outcome(frozenset({spine})).verdict == "holds"
    assert loads(site, 40 * MEGA, growth=0.3).outcome(frozenset({spine})).verdict == "would_not_hold"


def test_a_leaf_cuts_off_its_hosts_and_their_traffic_is_counted() -> None:
    site = fabric()
    found = loads(site).outcome(frozenset({("node", site.nodes["leaf2"].id)}))
    assert found.verdict == "would_not_hold"
    assert set(found.cut_off) == {site.nodes["h3"].id, site.nodes["h4"].id}
    assert found.cut_off_bps == 120 * MEGA


def test_only_hosts_apart_from_most_others_are_cut_off() -> None:
    """Those that lose traffic with them are not."""
    site = fabric()
    cables = frozenset({("link", link.id) for name, link in site.links.items() if name.startswith("leaf1:s")})
    found = loads(site).outcome(cables)
    assert set(found.cut_off) == {site.nodes["h3"].id, site.nodes["h4"].id} or set(found.cut_off) == {
        site.nodes["h1"].id,
        site.nodes["h2"].id,
    }
    assert found.cut_off_bps == 120 * MEGA
    assert loads(site).outcome(INTACT).cut_off == ()


def test_a_host_without_its_only_link_is_cut_off_with_its_traffic() -> None:
    site = fabric()
    for failed in (("link", site.links["h3:e0"].id), ("node", site.nodes["h3"].id)):
        found = loads(site).outcome(frozenset({failed}))
        assert found.cut_off == (site.nodes["h3"].id,)
        assert found.cut_off_bps == 60 * MEGA
    found = loads(site).outcome(frozenset({("link", site.links["h3:e0"].id)}))
    assert (found.verdict, found.reason) == ("would_not_hold", "h3 would be cut off.")
    both = frozenset({("node", site.nodes["leaf2"].id), ("link", site.links["h3:e0"].id)})
    assert loads(site).outcome(both).cut_off_bps == 120 * MEGA


def test_a_host_with_two_links_is_cut_off_without_either() -> None:
    site = fabric()
    site.between("h3:e1", "leaf1:h3", "lan", "", "")
    leaf, host = ("node", site.nodes["leaf2"].id), site.nodes["h3"].id
    assert host not in loads(site).outcome(frozenset({leaf})).cut_off
    other = ("link", site.links["h3:e1"].id)
    assert host in loads(site).outcome(frozenset({leaf, other})).cut_off


def test_unknown_rates_and_loads_never_hold() -> None:
    site = fabric(0)
    spine = frozenset({("node", site.nodes["spine1"].id)})
    assert loads(site, MEGA).outcome(spine).verdict == "unknown"
    found = loads(fabric(), MEGA, without="h2")
    assert found.outcome(spine).reason == "The load of h2 is unknown or stale."
    assert found.unknown_nodes == {site.nodes["h2"].id}


def test_every_link_and_switch_is_a_single_failure() -> None:
    found = loads(fabric())
    assert len(found.components()) == 4 + 4
    outcomes = list(found.outcomes(frozenset({thing}) for thing in found.components()))
    assert [item.failed for item in outcomes] == [(thing,) for thing in found.components()]
    assert {item.verdict for item in outcomes} == {"would_not_hold"}
    assert found.outcome(INTACT).verdict == "holds"
    assert found.unattributed() == (0, 240 * MEGA)


lane_loads = st.builds(
    LaneLoad,
    link_id=st.just(0),
    is_back=st.booleans(),
    before=st.integers(0, 200),
    after=st.integers(0, 200),
    usable_rate=st.none() | st.integers(50, 150),
    is_measured=st.booleans(),
)


@given(
    st.lists(lane_loads, max_size=30).map(
        lambda lanes: [replace(lane, link_id=at) for at, lane in enumerate(lanes)]
    )
)
def test_the_listed_lanes_decide_as_all_would(lanes: list[LaneLoad]) -> None:
    """As the full list, which a fabric of thousands of links is too large for."""
    shifts = LaneShifts.of(
        np.array([2 * lane.link_id + lane.is_back for lane in lanes], np.int32),
        np.array([lane.before for lane in lanes], np.float64),
        np.array([lane.after for lane in lanes], np.float64),
        np.array([np.nan if lane.usable_rate is None else lane.usable_rate for lane in lanes], np.float64),
        np.array([lane.is_measured for lane in lanes], np.bool_),
    )
    ordered = by_fullness(lanes)
    assert [lane.link_id for lane in ordered] == [place >> 1 for place in shifts.lanes.tolist()]
    few = [ordered[place] for place in shifts.listed(2)]
    names = {lane.link_id: f"link{lane.link_id}" for lane in lanes}
    every, listed = FallbackEvidence(ordered, names), FallbackEvidence(few, names)
    assert decide(listed) == decide(every)
    assert is_limit_known("unknown", listed) == is_limit_known("unknown", every)
    assert growth_percent(few, 1.0) == growth_percent(ordered, 1.0)
