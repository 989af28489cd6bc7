"""The ARP reporter on a real kernel: it reports changes only; and the cost of many entries."""

import asyncio
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import pytest

from backstay_agent.actuators import arp
from backstay_agent.guard import snapshot
from backstay_agent.guard.restore import restore
from backstay_agent.host.clock import HostClock
from backstay_agent.probes.arp_report import ArpReporter, ArpReportScope
from backstay_agent.report_sink import BuildReport
from backstay_testing.arp_fabric import FABRIC, ArpNode, fabric
from backstay_testing.engines import wait_until
from backstay_testing.namespaces import Namespace
from backstay_wire import ArpReport, NodeArp, PortArp, StaticNeighbour

pytestmark = [pytest.mark.netns, pytest.mark.timeout(120)]
INTERVAL_S = 1.0
ENTRIES = 1000


@pytest.fixture(scope="module")
def node(make_namespace: Callable[[], Namespace]) -> Iterator[ArpNode]:
    with fabric(2, driven=0) as (first, _):
        yield first


class Reports:
    """A ReportSink that keeps its reports."""

    def __init__(self) -> None:
        self.reports: list[ArpReport] = []

    def __call__(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        report = build(uuid4(), len(self.reports) + 1)
        assert isinstance(report, ArpReport)
        self.reports.append(report)

    def port(self) -> tuple[bool, list[str], dict[str, int]]:
        (found,) = [port for port in self.reports[-1].ports if port.port == FABRIC]
        return found.arp, [str(neighbour.address) for neighbour in found.neighbours], found.settings


def reporting(node: ArpNode, reported: Reports, act: Callable[[], None]) -> None:
    """Run `act` in a thread while the reporter runs in the node."""

    async def run() -> None:
        about = ArpReportScope(device="sp01", files=node.files, revision=3, interval_s=INTERVAL_S)
        reporter = asyncio.create_task(ArpReporter(about, HostClock(), reported).run())
        try:
            await asyncio.to_thread(act)
        finally:
            reporter.cancel()

    node.node.run(run)


def test_changes_are_reported_within_an_interval_but_learnt_entries_are_not(node: ArpNode) -> None:
    reported = Reports()
    peer = "10.78.0.2"

    def changes(tokens: str, *, program: str = "ip") -> None:
        before = len(reported.reports)
        node.node.ask(program, *tokens.split())
        wait_until(lambda: len(reported.reports) > before, 15)

    def act() -> None:
        wait_until(lambda: bool(reported.reports), 15)
        assert reported.reports[0].revision == 3
        assert {port.port for port in reported.reports[0].ports} == {FABRIC, "en0"}
        assert reported.reports[0].table == {}
        assert [file.text for file in reported.reports[0].files] == [Path(node.files.config).read_text(), ""]
        changes(f"neigh replace {peer} lladdr 02:78:00:00:00:02 dev {FABRIC} nud permanent")
        assert reported.port()[:2] == (True, [peer])
        changes(f"-w net.ipv4.conf.{FABRIC}.arp_ignore=2", program="sysctl")
        assert reported.port()[2]["ipv4.conf.arp_ignore"] == 2
        changes(f"neigh replace {peer} lladdr 02:78:00:00:00:02 dev {FABRIC} nud reachable")
        assert reported.port()[1] == []
        changes(f"link set {FABRIC} arp off")
        assert reported.port()[0] is False
        changes(f"link set {FABRIC} arp on")
        changes(f"neigh replace {peer} lladdr 02:78:00:00:00:02 dev {FABRIC} nud permanent")
        changes(f"neigh del {peer} dev {FABRIC}")
        assert reported.port()[1] == []
        Path(node.files.config).write_text("# by hand\n")
        wait_until(lambda: reported.reports[-1].files[0].text == "# by hand\n", 15)
        digests = [report.digest for report in reported.reports]
        assert all(one != other for one, other in pairwise(digests))
        quiet = len(reported.reports)
        node.node.ask("ping", "-c", "1", "-W", "2", peer)
        time.sleep(2 * INTERVAL_S)
        assert len(reported.reports) == quiet

    reporting(node, reported, act)


def test_reported_digest_equals_the_plans_digest(node: ArpNode) -> None:
    reported = Reports()
    reporting(node, reported, lambda: wait_until(lambda: bool(reported.reports), 15))
    assert reported.reports[0].digest == node.node.run(lambda: arp.running(node.files)).digest


def test_a_thousand_entries_are_set_checked_and_restored_quickly(node: ArpNode) -> None:
    node.space.run("address", "replace", "10.80.0.1/16", "dev", FABRIC)
    entries = [
        StaticNeighbour(
            address=ip_address(f"10.80.{number >> 8}.{number & 255}"),
            mac=f"02:80:00:00:{number >> 8:02x}:{number & 255:02x}",
        )
        for number in range(2, ENTRIES + 2)
    ]
    wanted = NodeArp(revision=1, ports=[PortArp(port=FABRIC, arp=False, neighbours=entries)])
    seconds: dict[str, float] = {}

    async def work() -> None:
        async def timed(name: str, work: object) -> None:
            began = time.process_time()
            await work  # type: ignore[misc]
            seconds[name] = time.process_time() - began

        before = await snapshot.take(None, [], [], [FABRIC])
        await timed("prepare", arp.prepare(wanted, node.files))
        await timed("apply", arp.apply(wanted))
        await timed("apply again", arp.apply(wanted))
        after = await snapshot.take(None, [], [], [FABRIC])
        assert after.host is not None
        assert len(after.host.neighbours) == ENTRIES
        await arp.apply(NodeArp(revision=2, ports=[PortArp(port=FABRIC, arp=True)]))
        began = time.process_time()
        good, evidence = await restore(None, after)
        seconds["restore"] = time.process_time() - began
        assert good, evidence
        assert (await restore(None, before))[0]

    node.node.run(work)
    assert all(took < 3.0 for took in seconds.values()), seconds
