"""ARP of fabrics counted by PostgreSQL: the same as of the members that plans read, in a few queries."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backstay.core.planning.arp.checks.nodes import split
from backstay.core.planning.arp.site import ArpSite
from backstay.inventory.models import Node, Port
from backstay.rollout.arp_status import FabricArpStatus, fabric_arp_statuses
from backstay.rollout.plans.arp_plan_inputs import ArpPlanInputs
from backstay.rollout.plans.plan_inputs import PlanInputs
from backstay.rollout.tests.arp_complex import FILES, ArpComplex
from backstay.rollout.tests.cluster import Cluster
from backstay.telemetry.models import ArpState

STATES = 40
MOST_QUERIES = 6


@pytest.fixture
def arp(db: None) -> ArpComplex:
    cluster = Cluster.make(12)
    cluster.world.describe()
    made = ArpComplex(cluster)
    # Names that a natural or a language's collation would place elsewhere, and nodes with several ports.
    for name, other in (("sp02", "Sp02"), ("sp03", "sp-3"), ("sp04", "spä")):
        Node.objects.filter(site=made.site, name=name).update(name=other)
    for node in Node.objects.filter(site=made.site, name__in=["sp05", "Sp02", "grf1"]):
        Port.objects.create(node=node, name="css1", fabric=made.fabric, declared=True)
        Port.objects.create(node=node, name="css2", fabric=made.fabric, declared=False)
        Port.objects.create(node=node, name="en0", fabric=made.fabric, management=True, declared=True)
    return made


def _vary(arp: ArpComplex, chance: random.Random) -> None:
    """Any node may be managed or not, report each port as on or off, some ports, or nothing."""
    ArpState.objects.filter(node__site=arp.site).delete()
    states = []
    for node in Node.objects.filter(site=arp.site).prefetch_related("ports"):
        Node.objects.filter(pk=node.pk).update(arp=FILES if chance.random() < 0.5 else {})
        if chance.random() < 0.7:
            reported: list[dict[str, Any]] = [
                {"port": port.name, "arp": chance.random() < 0.5, "mac": "", "settings": {}, "neighbours": []}
                for port in node.ports.all()
                if chance.random() < 0.8
            ]
            now = arp.cluster.now
            states.append(ArpState(node=node, revision=0, ports=reported, at=now, changed_at=now))
    ArpState.objects.bulk_create(states)


def _by_members(arp: ArpComplex, fabric: int) -> tuple[list[list[str]], int, list[str]]:
    """Names by mode, number of managed nodes and names of the others, by reading every member."""
    inputs = ArpPlanInputs(arp.site, PlanInputs(arp.site, arp.cluster.now).topology, arp.cluster.now)
    members = inputs.members(fabric)
    flags = split(ArpSite(inputs.topology, {}, {}, inputs.observed, {}), members)
    names = [flags[True], flags[False], flags[None]]
    managed = len({member.node for member in members if member.managed})
    return names, managed, list(dict.fromkeys(member.name for member in members if not member.managed))


def test_every_fabric_is_the_same_as_its_members(arp: ArpComplex) -> None:
    arp.policy()
    chance = random.Random(7)
    for _ in range(STATES):
        _vary(arp, chance)
        for fabric, stands in _statuses(arp).items():
            names, managed, others = _by_members(arp, fabric)
            assert [list(stands.on), list(stands.off), list(stands.unknown)] == names
            if stands.progress is not None:
                assert (stands.progress.managed, list(stands.progress.not_managed)) == (managed, others)
    assert sum(stands.progress is not None for stands in _statuses(arp).values()) == 1


def _statuses(arp: ArpComplex) -> dict[int, FabricArpStatus]:
    topology = PlanInputs(arp.site, arp.cluster.now).topology
    return fabric_arp_statuses(arp.site, topology, list(topology.fabrics), arp.cluster.now)


def test_number_of_queries_is_the_same_for_any_number_of_fabrics(arp: ArpComplex) -> None:
    arp.policy()
    _statuses(arp)
    topology = PlanInputs(arp.site, arp.cluster.now).topology
    for fabrics in (list(topology.fabrics)[:1], list(topology.fabrics)):
        with CaptureQueriesContext(connection) as queries:
            fabric_arp_statuses(arp.site, topology, fabrics, arp.cluster.now)
        assert len(queries) <= MOST_QUERIES, [query["sql"][:100] for query in queries.captured_queries]
