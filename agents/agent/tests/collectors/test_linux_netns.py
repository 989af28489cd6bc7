"""A real agent in a real network: ports, counters, routes and a failover as reported to its backend.

The node has two gateways in one other namespace each, and a target behind both of them.
"""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstay_testing.agent_process import AgentProcess
from backstay_testing.namespaces import Namespace, join, run_in
from backstay_testing.sink import Sink, Stored
from backstay_wire import (
    DeltaOutcome,
    Desired,
    DeviceReport,
    GatewayAddress,
    LinuxSource,
    PathReport,
    PathWatch,
    PortSamples,
    Report,
    RouteReport,
)

pytestmark = pytest.mark.netns
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]

PREFIX, TARGET = "10.99.0.0/16", "10.99.0.1"
DESIRED = Desired(
    generation=1,
    site="lab",
    node="sp01",
    sources=[LinuxSource(device="sp01", interval_s=1.0)],
    paths=[
        PathWatch(
            policy="out",
            prefix=PREFIX,
            gateways=[
                GatewayAddress(name="grf1", address="10.1.0.1"),
                GatewayAddress(name="atmgw", address="10.2.0.1"),
            ],
            target=TARGET,
            probe_interval_ms=50,
        )
    ],
)


class Lab:
    """The node, its gateways, and the backend as the agent reaches it (on the node's loopback)."""

    def __init__(self, node: Namespace, first: Namespace, second: Namespace, far: Namespace) -> None:
        self.node, self.first, self.second, self.far = node, first, second, far

    def build(self) -> None:
        join(self.node, "css0", self.first, "sw1")
        join(self.node, "at0", self.second, "sw2")
        join(self.first, "up1", self.far, "d1")
        join(self.second, "up2", self.far, "d2")
        for space, port, address in (
            (self.node, "css0", "10.1.0.2/24"),
            (self.first, "sw1", "10.1.0.1/24"),
            (self.node, "at0", "10.2.0.2/24"),
            (self.second, "sw2", "10.2.0.1/24"),
            (self.first, "up1", "10.3.0.1/24"),
            (self.far, "d1", "10.3.0.2/24"),
            (self.second, "up2", "10.4.0.1/24"),
            (self.far, "d2", "10.4.0.2/24"),
            (self.far, "lo", f"{TARGET}/32"),
        ):
            space.run("address", "add", address, "dev", port)
        for space in (self.first, self.second):
            subprocess.run([*space.enter(), "/usr/sbin/sysctl", "-qw", "net.ipv4.ip_forward=1"], check=True)
        self.first.run("route", "add", PREFIX, "via", "10.3.0.2")
        self.second.run("route", "add", PREFIX, "via", "10.4.0.2")
        # Replies of each half arrive over its own return path.
        self.far.run("route", "add", "10.1.0.0/24", "via", "10.3.0.1")
        self.far.run("route", "add", "10.2.0.0/24", "via", "10.4.0.1")
        self.prefer("10.1.0.1")

    def prefer(self, gateway: str) -> None:
        self.node.run("route", "replace", PREFIX, "via", gateway, "proto", "static")


class Watched:
    """The running agent's reports."""

    def __init__(self, sink: Sink, lab: Lab) -> None:
        self.sink, self.lab = sink, lab

    def wait_for(self, what: Callable[[Report], bool], since_ns: int = 0, seconds: float = 15.0) -> Stored:
        """The first matching report received since `since_ns`."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with self.sink.lock:
                stored = list(self.sink.stored.values())
            for one in stored:
                if one.arrived_ns >= since_ns and what(one.report):
                    return one
            time.sleep(0.01)
        pytest.fail("the report did not come")


@pytest.fixture(scope="module")
def lab(make_namespace: Callable[[], Namespace]) -> Lab:
    built = Lab(make_namespace(), make_namespace(), make_namespace(), make_namespace())
    built.build()
    return built


@pytest.fixture(scope="module")
def watched(lab: Lab, start_agent: StartAgent, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    sink = Sink(desired=DESIRED)
    run_in(lab.node, sink.start)
    arguments = ["--backend", sink.url, "--token", sink.token]
    start_agent(tmp_path_factory.mktemp("agent"), arguments, lab.node.enter())
    found = Watched(sink, lab)
    found.wait_for(lambda r: isinstance(r, PathReport) and r.target_alive is True, seconds=60)
    yield found
    sink.stop()


@pytest.fixture(autouse=True)
def preferred(watched: Watched) -> None:
    """Every test starts with the preferred gateway active and the target alive."""
    moved = time.time_ns()
    watched.lab.prefer("10.2.0.1")
    time.sleep(0.1)  # otherwise both moves are one burst without effect
    watched.lab.prefer("10.1.0.1")
    watched.wait_for(
        lambda r: (
            isinstance(r, PathReport)
            and r.active == "grf1"
            and r.target_alive is True
            and all(gateway.alive for gateway in r.gateways)
        ),
        moved,
    )


def test_ports_addresses_and_counters_match_the_kernel(watched: Watched) -> None:
    device = watched.wait_for(lambda r: isinstance(r, DeviceReport)).report
    assert isinstance(device, DeviceReport)
    ports = {port.name: port for port in device.ports}
    assert set(ports) == {"css0", "at0"}
    assert ports["css0"].oper_up
    assert ports["css0"].if_type == 6
    assert "10.1.0.2/24" in ports["css0"].addresses
    since = time.time_ns()
    flood = [*watched.lab.node.enter(), "/usr/bin/ping", "-q", "-f", "-c", "500", "-s", "1400", "10.1.0.1"]
    subprocess.run(flood, check=True, capture_output=True)
    frames = 500 * (1400 + 8 + 20 + 14)

    def sent() -> list[PortSamples]:
        found = [r for r in watched.sink.reports("ports") if isinstance(r, PortSamples) and r.at > since]
        return [report for report in found if "css0" in report.ports]

    deadline = time.monotonic() + 15
    while sum(octets(report) for report in sent()) < frames:
        assert time.monotonic() < deadline, "the octets sent did not show"
        time.sleep(0.05)
    assert sum(octets(report) for report in sent()) < frames * 1.2
    for report in sent():
        assert report.out_peak is not None
        assert report.out_peak[report.ports.index("css0")] <= octets(report)
        assert set(report.outcome or []) <= {DeltaOutcome.OK, DeltaOutcome.GAP}


def octets(report: PortSamples) -> int:
    return report.out_octets[report.ports.index("css0")]


def test_route_event_reaches_the_backend_within_a_second(watched: Watched) -> None:
    whole = watched.wait_for(lambda r: isinstance(r, RouteReport) and r.complete).report
    assert isinstance(whole, RouteReport)
    assert PREFIX in {str(route.prefix) for route in whole.routes}
    for number in range(3):
        prefix = f"10.200.{number}.0/24"
        changed = time.time_ns()
        watched.lab.node.run("route", "add", prefix, "via", "10.2.0.1", "proto", "bird", "metric", "7")
        reported = watched.wait_for(
            lambda r, p=prefix: (
                isinstance(r, RouteReport)  # type: ignore[misc]
                and not r.complete
                and any(str(route.prefix) == p for route in r.routes)
            )
        )
        report = reported.report
        assert isinstance(report, RouteReport)
        route = next(route for route in report.routes if str(route.prefix) == prefix)
        assert (route.protocol, route.metric, str(route.next_hops[0].via)) == ("bird", 7, "10.2.0.1")
        assert (reported.arrived_ns - changed) / 1e9 < 1.0
        watched.lab.node.run("route", "del", prefix, "metric", "7")
        watched.wait_for(
            lambda r, p=prefix: (
                isinstance(r, RouteReport)  # type: ignore[misc]
                and any(str(route.prefix) == p for route in r.removed)
            ),
            changed,
        )


def test_backend_matches_the_kernel_after_a_route_storm(watched: Watched, tmp_path: Path) -> None:
    node, since = watched.lab.node, time.time_ns()
    adds = [f"route add 10.{150 + n // 200}.{n % 200}.0/24 via 10.2.0.1 metric 9" for n in range(2000)]
    moves = [f"route replace 10.150.{n}.0/24 via 10.1.0.1 metric 9" for n in range(100)]
    dropped = [f"route del 10.151.{n}.0/24 metric 9" for n in range(200)]
    left = {f"10.{150 + n // 200}.{n % 200}.0/24" for n in range(2000) if n // 200 != 1}
    batch = tmp_path / "batch"
    batch.write_text("\n".join(adds + moves + dropped) + "\n")
    node.run("-batch", str(batch))
    marker = "10.199.199.0/24"
    node.run("route", "add", marker, "via", "10.2.0.1")
    try:
        watched.wait_for(
            lambda r: isinstance(r, RouteReport) and any(str(route.prefix) == marker for route in r.routes),
            since,
            seconds=30,
        )
        # Events that the kernel dropped are read again, possibly after the marker.
        deadline = time.monotonic() + 30
        while (storm := in_the_storm(watched)).keys() != left and time.monotonic() < deadline:
            time.sleep(0.1)
        assert storm.keys() == left
        assert sum(via == "10.1.0.1" for via in storm.values()) == 100
    finally:
        batch.write_text("\n".join(f"route del {prefix} metric 9" for prefix in left) + "\n")
        node.run("-batch", str(batch))
        node.run("route", "del", marker)


def in_the_storm(watched: Watched) -> dict[str, str]:
    """Prefix -> gateway of the storm's routes, as known to the backend."""
    known: dict[tuple[str, int], str] = {}
    for report in sorted(watched.sink.reports("routes"), key=lambda report: report.seq):
        assert isinstance(report, RouteReport)
        if report.complete:
            known = {}
        for route in report.removed:
            known.pop((str(route.prefix), route.metric), None)
        for route in report.routes:
            known[str(route.prefix), route.metric] = str(route.next_hops[0].via)
    return {prefix: via for (prefix, metric), via in known.items() if metric == 9}


def test_carrier_loss_and_lost_routes_are_reported_from_events(watched: Watched) -> None:
    # The kernel sends no event for routes that it stops using because of `ignore_routes_with_linkdown`.
    sysctl = [*watched.lab.node.enter(), "/usr/sbin/sysctl", "-qw"]
    subprocess.run([*sysctl, "net.ipv4.conf.all.ignore_routes_with_linkdown=1"], check=True)
    cut = time.time_ns()
    watched.lab.second.run("link", "set", "sw2", "down")
    try:
        device = watched.wait_for(
            lambda r: (
                isinstance(r, DeviceReport)
                and any(port.name == "at0" and not port.oper_up for port in r.ports)
            ),
            cut,
        )
        assert (device.arrived_ns - cut) / 1e9 < 1.0
        watched.wait_for(
            lambda r: (
                isinstance(r, RouteReport) and any(str(route.prefix) == "10.2.0.0/24" for route in r.removed)
            ),
            cut,
        )
    finally:
        watched.lab.second.run("link", "set", "sw2", "up")
    watched.wait_for(
        lambda r: (
            isinstance(r, RouteReport) and any(str(route.prefix) == "10.2.0.0/24" for route in r.routes)
        ),
        cut,
    )


def test_renamed_added_and_removed_ports_keep_their_own_counters(watched: Watched) -> None:
    node, since = watched.lab.node, time.time_ns()
    node.run("link", "add", "tmp0", "type", "veth", "peer", "name", "tmp1")
    for port in ("tmp0", "tmp1"):
        node.run("link", "set", port, "up")
    watched.wait_for(lambda r: isinstance(r, PortSamples) and "tmp0" in r.ports, since)
    node.run("link", "set", "tmp0", "down")
    node.run("link", "set", "tmp0", "name", "new0")
    renamed = watched.wait_for(lambda r: isinstance(r, PortSamples) and "new0" in r.ports, since).report
    assert isinstance(renamed, PortSamples)
    assert "tmp0" not in renamed.ports
    assert renamed.out_octets[renamed.ports.index("new0")] < 10_000
    node.run("link", "del", "new0")
    watched.wait_for(
        lambda r: isinstance(r, DeviceReport) and {port.name for port in r.ports} == {"css0", "at0"}, since
    )


def blackhole(lab: Lab, *, on: bool) -> None:
    """Blackhole the first gateway, which stays reachable itself; or undo that."""
    nft = [*lab.first.enter(), "/usr/sbin/nft"]
    rules = "add table ip cut; add chain ip cut f { type filter hook forward priority 0; policy drop; }"
    subprocess.run([*nft, rules if on else "delete table ip cut"], check=True)


def is_switch(report: Report, since_ns: int, *, measured: bool) -> bool:
    if not isinstance(report, PathReport) or report.switch is None or report.switch.at < since_ns:
        return False
    return (report.switch.outage_ms is not None) == measured


def test_failover_is_reported_at_once_and_its_outage_is_measured(watched: Watched) -> None:
    cut = time.time_ns()
    blackhole(watched.lab, on=True)
    try:
        time.sleep(0.5)
        moved = time.time_ns()
        watched.lab.prefer("10.2.0.1")
        reported = watched.wait_for(lambda r: is_switch(r, cut, measured=False))
        first = reported.report
        assert isinstance(first, PathReport)
        assert first.switch is not None
        assert (first.switch.from_gateway, first.switch.to_gateway) == ("grf1", "atmgw")
        assert (first.switch.at - moved) / 1e6 < 500
        assert (reported.arrived_ns - first.switch.at) / 1e9 < 1.0
        again = watched.wait_for(lambda r: is_switch(r, cut, measured=True)).report
        assert isinstance(again, PathReport)
        assert again.switch is not None
        assert again.switch.id == first.switch.id
        assert again.active == "atmgw"
        # From the cut to the move, plus or minus a probe at each end and the duration of commands.
        assert again.switch.outage_ms == pytest.approx((first.switch.at - cut) / 1e6, abs=300)
        assert again.switch.lost_probes is not None
        assert again.switch.lost_probes >= 5
    finally:
        blackhole(watched.lab, on=False)


def test_blackhole_without_a_path_switch_is_an_unreachable_target(watched: Watched) -> None:
    cut = time.time_ns()
    blackhole(watched.lab, on=True)
    try:
        silent = watched.wait_for(lambda r: isinstance(r, PathReport) and r.target_alive is False, cut)
        assert 1.0 < (silent.arrived_ns - cut) / 1e9 < 3.0
        assert isinstance(silent.report, PathReport)
        assert silent.report.active == "grf1"
        assert silent.report.switch is None
        alive = {gateway.name: gateway.alive for gateway in silent.report.gateways}
        assert alive == {"grf1": True, "atmgw": True}
    finally:
        blackhole(watched.lab, on=False)
    healed = time.time_ns()
    watched.wait_for(lambda r: isinstance(r, PathReport) and r.target_alive is True, healed)


def test_dead_gateway_is_reported_while_not_in_use(watched: Watched) -> None:
    cut = time.time_ns()
    watched.lab.second.run("address", "del", "10.2.0.1/24", "dev", "sw2")
    try:
        watched.wait_for(
            lambda r: (
                isinstance(r, PathReport)
                and any(gateway.name == "atmgw" and gateway.alive is False for gateway in r.gateways)
            ),
            cut,
        )
    finally:
        watched.lab.second.run("address", "add", "10.2.0.1/24", "dev", "sw2")
        watched.lab.second.run("route", "replace", PREFIX, "via", "10.4.0.2")
