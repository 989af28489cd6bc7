"""Node groups of policies."""

from __future__ import annotations

import pytest

from backstay.core.model.policy import Group
from backstay.core.planning.groups import select
from backstay.core.tests.planning.plan_sites import Site, sdsc


def names(site: Site, group: Group) -> list[str]:
    topology = site.topology()
    return [topology.nodes[node].name for node in select(topology, group)]


@pytest.fixture(scope="module")
def site() -> Site:
    return sdsc(16)


def test_pattern_matches_in_node_number_order(site: Site) -> None:
    assert names(site, Group(names=("bh01*", "bh002"))) == ["bh002", *(f"bh01{n}" for n in range(7))]


def test_number_range_is_inclusive(site: Site) -> None:
    assert names(site, Group(role="compute", numbers=(4, 6))) == ["bh004", "bh005", "bh006"]
    assert names(site, Group(role="gateway", numbers=(0, 99))) == []


def test_every_field_must_match(site: Site) -> None:
    assert names(site, Group(names=("bh*",), labels=(("quadrant", "2"),))) == [
        "bh005",
        "bh006",
        "bh007",
        "bh008",
    ]
    assert names(site, Group(role="gateway", labels=(("quadrant", "2"),))) == []


def test_empty_group_matches_no_node(site: Site) -> None:
    assert names(site, Group()) == []


def test_nodes_without_numbers_come_last_by_name(site: Site) -> None:
    assert names(site, Group(names=("gw1", "bh001", "gw2"))) == ["bh001", "gw1", "gw2"]
