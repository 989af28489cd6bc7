"""Failing ARP changes on real kernels: flag, entries, settings and files are restored."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import pytest

from backstay_agent.actuators import arp
from backstay_agent.guard import snapshot
from backstay_agent.guard.journal import Journal, JournalStep
from backstay_agent.guard.process import Guard
from backstay_agent.guard.store import FAULT_VARIABLE, Store
from backstay_testing.arp_fabric import FABRIC, ArpNode, Peer, fabric, off
from backstay_testing.namespaces import Namespace
from backstay_wire import ChangeReport, NodePhase, Phase, PortArp, StaticNeighbour

pytestmark = [pytest.mark.netns, pytest.mark.slow, pytest.mark.timeout(120)]
PEERS = [Peer(1), Peer(2)]
PEER = PEERS[1]
SETTINGS = {"ipv4.conf.arp_ignore": 1, "ipv4.neigh.gc_stale_time": 90, "ipv6.neigh.ucast_solicit": 5}
WRONG = "02:78:00:00:00:99"


@dataclass(frozen=True)
class Place:
    """A driven node with one peer, and the file that kills it."""

    node: ArpNode
    fault: Path


@pytest.fixture(scope="module")
def place(
    make_namespace: Callable[[], Namespace], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    fault = tmp_path_factory.mktemp("fault") / "fault"
    with fabric(2, driven=1, **{FAULT_VARIABLE: str(fault)}) as nodes:
        # The peer reaches the node without ARP.
        set_entries(nodes[1], PEERS[0].entries())
        yield Place(nodes[0], fault)


@pytest.fixture
def node(place: Place) -> Iterator[ArpNode]:
    """The node with ARP on; its state is restored after each test."""
    before = place.node.seen()
    yield place.node
    assert place.node.seen() == before


@pytest.fixture
def begun_off(place: Place) -> Iterator[ArpNode]:
    """The same with ARP off and static entries, one of them set by the operator."""
    node = place.node
    switch_off(node)
    before = node.seen()
    yield node
    assert node.seen() == before
    node.space.run("link", "set", FABRIC, "arp", "on")


def switch_off(node: ArpNode) -> None:
    node.space.run("link", "set", FABRIC, "arp", "off")
    set_entries(node, [*PEER.entries(), StaticNeighbour(address=ip_address("10.78.0.200"), mac=WRONG)])
    node.node.ask("sysctl", "-w", f"net.ipv4.neigh.{FABRIC}.gc_stale_time=77")


def set_entries(node: ArpNode, entries: list[StaticNeighbour]) -> None:
    for entry in entries:
        tokens = f"neighbour replace {entry.address} lladdr {entry.mac} dev {FABRIC} nud permanent"
        node.space.run(*tokens.split())


def apply(
    node: ArpNode, wanted: PortArp, probe: str, *reached: NodePhase, timeout_s: float = 60
) -> ChangeReport:
    node.propose(wanted, probe=probe, timeout_s=timeout_s)
    node.until(NodePhase.PREPARED)
    node.want(Phase.APPLY)
    return node.until(*reached)


def is_put_back(report: ChangeReport, by: str) -> None:
    assert (report.phase, report.by) == (NodePhase.ROLLED_BACK, by)
    looked_at = {item.what for item in report.evidence if item.ok}
    assert {"ports", "permanent neighbours", "settings of ports and tables"} <= looked_at


def test_wrong_link_address_is_detected_by_the_probe_and_rolled_back(node: ArpNode) -> None:
    bad = [StaticNeighbour(address=entry.address, mac=WRONG) for entry in PEER.entries()]
    wanted = PortArp(port=FABRIC, arp=False, neighbours=bad, settings=SETTINGS)
    report = apply(node, wanted, PEER.address, NodePhase.ROLLED_BACK)
    is_put_back(report, "agent")
    assert PEER.address in report.reason


def test_failed_arp_on_restores_arp_off_with_all_entries(begun_off: ArpNode) -> None:
    report = apply(begun_off, PortArp(port=FABRIC, arp=True), "10.78.0.77", NodePhase.ROLLED_BACK)
    is_put_back(report, "agent")


def test_unconfirmed_change_is_rolled_back_by_the_guard(node: ArpNode) -> None:
    apply(node, off(node.me, PEERS, SETTINGS), PEER.address, NodePhase.APPLIED, timeout_s=12)
    is_put_back(node.until(NodePhase.ROLLED_BACK), "guard")


def test_rollback_restores_port_and_settings_damaged_meanwhile(begun_off: ArpNode) -> None:
    apply(begun_off, off(begun_off.me, PEERS, SETTINGS), PEER.address, NodePhase.APPLIED, timeout_s=12)
    begun_off.space.run("link", "set", FABRIC, "down")
    begun_off.node.ask("sysctl", "-w", f"net.ipv4.conf.{FABRIC}.arp_notify=1")
    is_put_back(begun_off.until(NodePhase.ROLLED_BACK), "guard")


def test_killed_guard_is_restarted(node: ArpNode) -> None:
    apply(node, off(node.me, PEERS, SETTINGS), PEER.address, NodePhase.APPLIED, timeout_s=12)
    node.kill_guard()
    is_put_back(node.until(NodePhase.ROLLED_BACK), "guard")


def test_guard_rolls_back_if_the_agent_dies_while_applying(place: Place, begun_off: ArpNode) -> None:
    begun_off.propose(PortArp(port=FABRIC, arp=True, settings=SETTINGS), timeout_s=60)
    begun_off.until(NodePhase.PREPARED)
    place.fault.write_text("agent applied")
    begun_off.want(Phase.APPLY)
    begun_off.until_dead()
    assert begun_off.speaks_arp
    begun_off.want(Phase.ROLL_BACK)
    begun_off.start()
    is_put_back(begun_off.until(NodePhase.ROLLED_BACK), "agent")


def test_refused_entries_are_reported_with_the_kernels_message(node: ArpNode) -> None:
    # A port with an MTU too small for IPv6 (RFC 8200 section 5) accepts no IPv6 neighbours.
    node.space.run("link", "set", FABRIC, "mtu", "1200")
    entries = [PEER.entries()[0], StaticNeighbour(address=ip_address("fe80::2"), mac=PEER.mac)]
    narrow = node.seen()
    report = apply(node, PortArp(port=FABRIC, arp=False, neighbours=entries), "", NodePhase.ROLLED_BACK)
    assert node.seen() == narrow
    assert {item.what: item.found for item in report.evidence if not item.ok} == {
        f"fe80::2 {PEER.mac} on {FABRIC}": "the kernel refused it: EINVAL: IPv6 is disabled on this device"
    }
    node.space.run("link", "set", FABRIC, "mtu", "1500")
    node.space.run("address", "add", f"{node.me.address6}/64", "dev", FABRIC, "nodad")


def test_value_rounded_by_the_kernel_is_reported_with_the_kept_one(node: ArpNode) -> None:
    wanted = PortArp(port=FABRIC, arp=None, settings={"ipv4.neigh.locktime": 99_999})
    report = apply(node, wanted, "", NodePhase.ROLLED_BACK)
    assert "ipv4.neigh.locktime = 99999 of css0: the kernel keeps" in report.reason


def test_a_stale_plan_is_refused(node: ArpNode) -> None:
    node.propose(off(node.me, PEERS), base="0" * 64)
    report = node.until(NodePhase.REFUSED)
    assert "ARP settings, entries or boot files changed" in report.reason


def test_invalid_entries_are_refused_by_name(node: ArpNode) -> None:
    bad = [StaticNeighbour(address=ip_address(item), mac=PEER.mac) for item in ("224.0.0.5", "10.9.0.1")]
    node.propose(PortArp(port=FABRIC, arp=False, neighbours=bad))
    found = {item.what.split()[0]: item.found for item in node.until(NodePhase.REFUSED).evidence}
    assert found == {"224.0.0.5": "is not a host address", "10.9.0.1": "is on no network of the port"}


def test_entries_of_a_down_port_are_set_when_it_comes_up(node: ArpNode) -> None:
    node.space.run("link", "set", FABRIC, "down")
    wanted = PortArp(port=FABRIC, arp=False, neighbours=PEER.entries()[:1])
    apply(node, wanted, "", NodePhase.APPLIED)
    node.space.run("link", "set", FABRIC, "up")
    assert node.seen()["neighbours"] == f"{PEER.address} dev {FABRIC} lladdr {PEER.mac} PERMANENT"
    node.want(Phase.ROLL_BACK)
    node.until(NodePhase.ROLLED_BACK)
    assert '"UP"' not in node.node.ask("ip", "-j", "link", "show", FABRIC)
    node.space.run("link", "set", FABRIC, "up")
    node.space.run("address", "add", f"{node.me.address6}/64", "dev", FABRIC, "nodad")


def test_reboot_during_a_change_restores_files_and_ports(
    make_namespace: Callable[[], Namespace], tmp_path: Path
) -> None:
    with fabric(2, driven=0) as nodes:
        node = nodes[0]
        switch_off(node)
        before = node.seen()
        store = Store(tmp_path, "agent")
        paths = [node.files.config, node.files.settings]
        taken = node.node.run(lambda: snapshot.take(None, [], paths, [FABRIC]))
        journal = Journal(
            change=7,
            revision=7,
            step=JournalStep.ARMED,
            engine=None,
            boot_id="one",
            deadline_ns=0,
            until_wall_ns=0,
        )
        store.arm(journal, taken)
        for step in (JournalStep.APPLYING, JournalStep.APPLIED, JournalStep.CONFIRMING):
            store.advance(7, step)
        # The boot reads the files just written, and recreates the ports.
        node.propose(PortArp(port=FABRIC, arp=True, settings=SETTINGS))
        assert node.assignment is not None
        wanted = node.assignment.arp
        assert wanted is not None
        node.node.run(lambda: arp.apply(wanted))
        node.node.run(lambda: arp.save(wanted.files))
        assert node.speaks_arp
        guard = Guard(tmp_path, now_ns=lambda: 0, boot_id=lambda: "two")
        node.node.run(guard.step)
        (ended,) = store.all()
        assert ended.step is JournalStep.RESTORED
        assert "rebooted" in ended.reason
        assert node.seen() == before
        assert {item.what for item in ended.evidence} >= {"ARP of the ports", "permanent neighbours"}
