"""Guarded ARP changes of a whole fabric on real kernels, with traffic."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from backstay_testing.arp_fabric import FABRIC, OPERATORS, ArpNode, batch, fabric, off
from backstay_testing.namespaces import Namespace
from backstay_wire import NodePhase, Phase, PortArp

pytestmark = [pytest.mark.netns, pytest.mark.slow, pytest.mark.timeout(120)]


@pytest.fixture
def nodes(make_namespace: Callable[[], Namespace]) -> Iterator[list[ArpNode]]:
    with fabric() as made:
        yield made


def through(nodes: Sequence[ArpNode], phase: Phase, reached: NodePhase) -> None:
    for node in nodes:
        node.want(phase)
    for node in nodes:
        node.until(reached)


def test_switching_arp_of_a_fabric_off_and_on_does_not_interrupt_traffic(nodes: list[ArpNode]) -> None:
    peers = [node.me for node in nodes]
    before = [node.seen() for node in nodes]
    for place, node in enumerate(nodes):
        node.propose(off(node.me, peers), probe=peers[1 if place == 0 else 0].address, timeout_s=60)
    through(nodes, Phase.PREPARE, NodePhase.PREPARED)
    traffic = [nodes[0].ping(peers[1].address, 6), nodes[2].ping(peers[0].address6, 6)]
    through(nodes, Phase.APPLY, NodePhase.APPLIED)
    assert not any(node.speaks_arp for node in nodes)
    assert [node.seen()["files"] for node in nodes] == [item["files"] for item in before]
    through(nodes, Phase.CONFIRM, NodePhase.CONFIRMED)
    assert [pings.lost() for pings in traffic] == [(0, 300), (0, 300)]
    assert Path(nodes[0].files.config).read_text() == OPERATORS + batch(off(peers[0], peers))
    for place, node in enumerate(nodes):
        on = PortArp(port=FABRIC, arp=True)
        node.propose(on, probe=peers[1 if place == 0 else 0].address, timeout_s=60)
    through(nodes, Phase.PREPARE, NodePhase.PREPARED)
    traffic = [nodes[0].ping(peers[1].address, 6), nodes[2].ping(peers[0].address6, 6)]
    through(nodes, Phase.APPLY, NodePhase.APPLIED)
    assert all(node.speaks_arp for node in nodes)
    assert [node.seen()["neighbours"] for node in nodes] == ["", "", ""]
    assert [pings.lost() for pings in traffic] == [(0, 300), (0, 300)]
