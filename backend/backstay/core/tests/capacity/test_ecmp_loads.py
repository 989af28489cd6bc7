"""Loads where nothing is managed: two leaves, two spines, equal-cost paths."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from backstay.core.model.load import PortRates
from backstay.core.model.search import INTACT
from backstay.core.planning.whatif.ecmp_loads import EcmpLoads
from backstay.core.planning.whatif.fallback_verdict import MeasuredLoad
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
    assert {site.nodes["h3"].id, site.nodes["h4"].id} <= set(found.cut_off)
    assert found.cut_off_bps == 120 * MEGA


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
