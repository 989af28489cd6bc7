"""One root cause per real fault at a site whose stripe has not assigned gateways yet."""

from __future__ import annotations

import pytest

from backstay.core.diagnosis.faults.search import find_faults
from backstay.core.tests.diagnosis.striped_site import GATEWAYS, StripedSite

KINDS = {
    "cut": "gateway_isolated",
    "silence": "gateway_unreachable",
    "mute": "gateway_unreachable",
    "blackhole": "gateway_not_forwarding",
}
PARTNER = ("link_down", "mover2:en1-gbe", ())


def test_healthy_site_has_no_fault() -> None:
    assert StripedSite().roots() == []


@pytest.mark.parametrize("gateway", GATEWAYS)
@pytest.mark.parametrize("fault", KINDS)
def test_failed_gateway_is_the_root_of_its_quadrants_dead_paths(fault: str, gateway: str) -> None:
    site = StripedSite()
    getattr(site, fault)(gateway)
    assert site.roots() == [(KINDS[fault], gateway, site.path_ids(gateway))]


@pytest.mark.parametrize("fault", KINDS)
def test_independent_link_is_a_second_root(fault: str) -> None:
    site = StripedSite()
    getattr(site, fault)("gw1")
    site.down.add("mover2:en1")
    assert site.roots() == [(KINDS[fault], "gw1", site.path_ids("gw1")), PARTNER]


def test_cut_fabric_explains_every_dead_path() -> None:
    site = StripedSite()
    site.cut_colony()
    assert site.roots() == [("fabric_down", "colony", site.path_ids(*GATEWAYS))]
    site.down.add("mover2:en1")
    assert site.roots() == [("fabric_down", "colony", site.path_ids(*GATEWAYS)), PARTNER]


@pytest.mark.parametrize("other", KINDS)
@pytest.mark.parametrize("fault", KINDS)
def test_two_failed_gateways_are_two_roots_with_their_own_paths(fault: str, other: str) -> None:
    site = StripedSite()
    getattr(site, fault)("gw1")
    getattr(site, other)("gw2")
    assert {(kind, name): dead for kind, name, dead in site.roots()} == {
        (KINDS[fault], "gw1"): site.path_ids("gw1"),
        (KINDS[other], "gw2"): site.path_ids("gw2"),
    }


def test_gateway_port_on_the_far_side_is_the_link_that_explains_its_quadrant() -> None:
    site = StripedSite()
    site.down.add("gw1:en1")
    site.blackhole("gw1")
    assert site.roots() == [("link_down", "gw1:en1-gbe", site.path_ids("gw1"))]


def test_one_unanswered_probe_is_no_lost_standby_of_a_path_without_an_order() -> None:
    site = StripedSite()
    site.unreachable.add(("bh001", "gw3"))
    assert site.roots() == []


def test_client_that_does_not_report_is_a_root_beside_the_cut_fabric() -> None:
    site = StripedSite()
    site.cut_colony()
    site.silent.add("bh002")
    dead = tuple(path for path in site.path_ids(*GATEWAYS) if path != 501)
    assert [(kind, name) for kind, name, _ in site.roots()] == [
        ("fabric_down", "colony"),
        ("node_unreachable", "bh002"),
    ]
    assert find_faults(site.observations())[0].dead_paths == dead
