"""Throughput tests of three real agents: two ends and a gateway, over a link of 50 Mbit/s."""

import contextlib
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstay_testing.agent_process import AgentProcess
from backstay_testing.namespaces import Namespace, join, run_in
from backstay_testing.processes import command_lines
from backstay_testing.sink import Sink
from backstay_wire import (
    Desired,
    LinuxSource,
    PortSamples,
    QuietLink,
    RequestAckResult,
    RequestAckSpec,
    Role,
    Spec,
    TcpSpec,
    TestAssignment,
    TestReport,
    TestState,
    TransferResult,
)

pytestmark = [
    pytest.mark.netns,
    pytest.mark.quiet,
    pytest.mark.skipif(not Path("/usr/bin/iperf3").exists(), reason="iperf3 is not installed"),
]
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]

LINK = 50_000_000
CLIENT, SERVER = "10.1.0.3", "10.2.0.7"
GUARD = QuietLink(port="hip0", usable=LINK, most_percent=10)
NOT_FINAL = (TestState.ACCEPTED, TestState.RUNNING)
ROLES = {Role.CLIENT: "shift3", Role.SERVER: "shift7", Role.OBSERVER: "grf1"}


class Node:
    """A namespace with an agent and its backend."""

    def __init__(self, name: str, space: Namespace, folder: Path, start_agent: StartAgent) -> None:
        self.name, self.space, self.folder = name, space, folder
        self.folder.mkdir()
        self.sink = Sink(desired=self._desired(1))
        run_in(space, self.sink.start)
        arguments = ["--backend", self.sink.url, "--token", self.sink.token]
        self.agent = start_agent(self.folder, arguments, space.enter())

    def _desired(self, generation: int, *tests: TestAssignment) -> Desired:
        source = LinuxSource(device=self.name, interval_s=0.5)
        return Desired(
            generation=generation,
            site="cern",
            node=self.name,
            sources=[source],
            paths=[],
            tests=list(tests),
        )

    def want(self, *tests: TestAssignment) -> None:
        with self.sink.lock:
            self.sink.desired = self._desired(self.sink.desired.generation + 1, *tests)

    def reports(self, assignment: int) -> list[TestReport]:
        found = (one for one in self.sink.reports("test") if isinstance(one, TestReport))
        return [one for one in found if one.assignment == assignment]

    def wait_for(self, assignment: int, good: Callable[[TestReport], bool], seconds: float) -> TestReport:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for one in self.reports(assignment):
                if good(one):
                    return one
            time.sleep(0.02)
        pytest.fail(f"{self.name}: {[(one.state, one.detail) for one in self.reports(assignment)]}")

    def last(self, assignment: int, seconds: float = 30) -> TestReport:
        return self.wait_for(assignment, lambda one: one.state not in NOT_FINAL, seconds)

    def running(self, assignment: int) -> TestReport:
        return self.wait_for(assignment, lambda one: one.state is TestState.RUNNING, 30)


class Lab:
    """shift3 - grf1 - shift7."""

    def __init__(self, nodes: dict[str, Node]) -> None:
        self.nodes = nodes
        self._assignments = 0

    def cancel(self, given: dict[Role, int]) -> None:
        """Withdraw all tests."""
        for role in given:
            self.nodes[ROLES[role]].want()

    def begin(self, spec: Spec, roles: tuple[Role, ...], **more: object) -> dict[Role, int]:
        """Assign each role its part of a new cell on its own port; returns the assignments."""
        given = {}
        port, start_at = 5300 + self._assignments, time.time_ns() + 4_000_000_000
        for role in roles:
            self._assignments += 1
            given[role] = self._assignments
            ends = {"local": SERVER} if role is Role.SERVER else {"peer": SERVER}
            values = {
                "run": 1,
                "cell": port,
                "start_at": start_at,
                "limit_s": 30,
                "late_s": 5,
                **ends,
                **more,
            }
            values.update({"id": given[role], "role": role, "spec": spec, "port": port})
            self.nodes[ROLES[role]].want(TestAssignment.model_validate(values))
        return given

    def ends(self, given: dict[Role, int]) -> dict[Role, TestReport]:
        return {role: self.nodes[ROLES[role]].last(number) for role, number in given.items()}


def build(left: Namespace, middle: Namespace, right: Namespace) -> None:
    join(left, "hip0", middle, "ho0")
    join(middle, "at0", right, "hip0")
    for space, port, address in (
        (left, "hip0", f"{CLIENT}/24"),
        (middle, "ho0", "10.1.0.1/24"),
        (middle, "at0", "10.2.0.1/24"),
        (right, "hip0", f"{SERVER}/24"),
    ):
        space.run("address", "add", address, "dev", port)
    left.run("route", "add", "default", "via", "10.1.0.1")
    right.run("route", "add", "default", "via", "10.2.0.1")
    subprocess.run([*middle.enter(), "/usr/sbin/sysctl", "-qw", "net.ipv4.ip_forward=1"], check=True)
    rate = ["rate", str(LINK), "burst", "20000", "latency", "20ms"]
    tbf = ["/usr/sbin/tc", "qdisc", "add", "dev", "at0", "root", "tbf", *rate]
    subprocess.run([*middle.enter(), *tbf], check=True)


@pytest.fixture(scope="module")
def lab(
    make_namespace: Callable[[], Namespace],
    start_agent: StartAgent,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Lab]:
    spaces = [make_namespace() for _ in range(3)]
    build(*spaces)
    folder = tmp_path_factory.mktemp("throughput")
    names = ("shift3", "grf1", "shift7")
    nodes = {
        name: Node(name, space, folder / name, start_agent) for name, space in zip(names, spaces, strict=True)
    }
    for node in nodes.values():
        deadline = time.monotonic() + 60
        while not any(isinstance(one, PortSamples) for one in node.sink.reports("ports")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    yield Lab(nodes)
    for node in nodes.values():
        node.agent.stop()
        node.sink.stop()


@contextlib.contextmanager
def noise(space: Namespace, mbits: float) -> Iterator[None]:
    """Cross traffic from the namespace to the server's host during the block."""
    stop = threading.Event()

    def send() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            while not stop.wait(0.01):
                for _ in range(round(mbits * 1e6 / 8 / 100 / 1250)):
                    with contextlib.suppress(OSError):
                        other.sendto(bytes(1250), (SERVER, 9))

    thread = threading.Thread(target=run_in, args=(space, send))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def programs(port: int) -> list[int]:
    """Process ids of test programs on that port, in any namespace."""
    return [
        pid
        for pid, arguments in command_lines()
        if "-p" in arguments and arguments[arguments.index("-p") + 1] == str(port)
    ]


def gone(port: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while programs(port) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not programs(port)


def test_cell_is_measured_by_both_ends_and_the_gateway(lab: Lab) -> None:
    spec = TcpSpec(streams=2, buffer=65536, duration_s=3)
    ends = lab.ends(lab.begin(spec, (Role.CLIENT, Role.SERVER, Role.OBSERVER)))
    assert {one.state for one in ends.values()} == {TestState.DONE}
    client, server, gateway = (ends[role] for role in (Role.CLIENT, Role.SERVER, Role.OBSERVER))
    assert isinstance(client.result, TransferResult)
    assert client.result.forward is not None
    assert 0.7 * LINK < client.result.forward.rate < 1.02 * LINK
    assert client.result.path_mtu == 1500
    assert client.route is not None
    assert (client.route.port, client.route.source, client.route.mtu) == ("hip0", CLIENT, 1500)
    octets = client.result.forward.octets
    (own,) = client.ports
    assert own.out_octets > octets
    assert own.mtu == 1500
    assert own.others_out is not None
    assert own.others_out < 0.1 * LINK, "what the test itself sends is not others' traffic"
    (far,) = server.ports
    assert far.in_octets > octets
    through = {one.port: one for one in gateway.ports}
    # The gateway observes for the requested duration; the last octets arrive a little later.
    assert through["ho0"].in_octets > 0.95 * octets
    assert through["at0"].out_octets > 0.95 * octets
    for one, bound_us in ((client, 20_000), (gateway, 500_000)):
        assert one.late_us is not None
        assert 0 <= one.late_us < bound_us
        assert one.host is not None
        assert one.clock_error_us is not None, "how well the agent knows the backend's clock"


def test_flows_on_one_port_start_together_and_are_not_cross_traffic(lab: Lab) -> None:
    spec, start_at = TcpSpec(duration_s=3), time.time_ns() + 4_000_000_000
    common = {"run": 2, "cell": 2, "spec": spec, "start_at": start_at, "limit_s": 30, "late_s": 5}
    flows = [{"id": 1000 + flow, "flow": flow, "port": 5900 + flow, **common} for flow in range(3)]
    mine = [{"role": Role.CLIENT, "peer": SERVER, "quiet": [GUARD], **flow} for flow in flows]
    theirs = [{"role": Role.SERVER, "local": SERVER, **flow} for flow in flows]
    lab.nodes["shift7"].want(*(TestAssignment.model_validate(their) for their in theirs))
    lab.nodes["shift3"].want(*(TestAssignment.model_validate(item) for item in mine))
    ends = [lab.nodes["shift3"].last(1000 + flow) for flow in range(3)]
    assert {one.state for one in ends} == {TestState.DONE}, [one.detail for one in ends]
    begun = [one.started or 0 for one in ends]
    assert max(begun) - min(begun) < 20_000_000
    rates = [
        one.result.forward.rate
        for one in ends
        if isinstance(one.result, TransferResult) and one.result.forward
    ]
    assert 0.8 * LINK < sum(rates) < 1.02 * LINK
    for one in ends:
        assert (one.ports[0].others_out or 0) < 0.1 * LINK


def test_delayed_ack_stall_is_measured_and_absent_with_nodelay(lab: Lab) -> None:
    spec = RequestAckSpec(size=512, header=32, duration_s=1.5)
    stalled = lab.ends(lab.begin(spec, (Role.CLIENT, Role.SERVER)))[Role.CLIENT].result
    quick = lab.ends(lab.begin(spec.model_copy(update={"nodelay": True}), (Role.CLIENT, Role.SERVER)))
    free = quick[Role.CLIENT].result
    assert isinstance(stalled, RequestAckResult)
    assert isinstance(free, RequestAckResult)
    assert stalled.stalled > 0.8 * stalled.blocks
    # TCP_DELACK_MIN, and on a busy host up to TCP_DELACK_MAX (linux/include/net/tcp.h: 40 and 200 ms).
    assert 35_000 <= (stalled.stall_us or 0) <= 250_000
    assert stalled.rate < 512 * 8 * 30, "a block each 40 ms"
    assert free.rate > 10 * stalled.rate
    assert free.stalled < 0.05 * free.blocks


def test_test_is_not_started_on_a_busy_port(lab: Lab) -> None:
    with noise(lab.nodes["shift3"].space, 20):
        given = lab.begin(TcpSpec(duration_s=3), (Role.CLIENT,), quiet=[GUARD])
        last = lab.ends(given)[Role.CLIENT]
    assert (last.state, last.started) == (TestState.ABORTED_BY_LOAD, None)
    assert "before the test, hip0 carries other traffic" in last.detail


def test_test_is_aborted_if_other_traffic_needs_the_port(lab: Lab) -> None:
    given = lab.begin(TcpSpec(duration_s=20, rate=10_000_000), (Role.CLIENT, Role.SERVER), quiet=[GUARD])
    lab.nodes["shift3"].running(given[Role.CLIENT])
    time.sleep(2.2)
    assert lab.nodes["shift3"].reports(given[Role.CLIENT])[-1].state is TestState.RUNNING
    with noise(lab.nodes["shift3"].space, 20):
        last = lab.ends(given)
    # Both ends have the limit: one aborts, and the other may only see that its peer is gone.
    aborted = [one for one in last.values() if one.state is TestState.ABORTED_BY_LOAD]
    assert aborted, [(one.state, one.detail) for one in last.values()]
    assert all("during the test, hip0 carries other traffic" in one.detail for one in aborted)
    assert {one.state for one in last.values()} <= {TestState.ABORTED_BY_LOAD, TestState.PEER_GONE}
    # What was measured until then is reported, unless the peer's end came first.
    client = last[Role.CLIENT]
    assert isinstance(client.result, TransferResult) or client.state is TestState.PEER_GONE, client


def test_cancelled_test_ends_within_two_seconds_with_its_measurements(lab: Lab) -> None:
    given = lab.begin(TcpSpec(duration_s=20, rate=5_000_000), (Role.CLIENT, Role.SERVER))
    lab.nodes["shift3"].running(given[Role.CLIENT])
    port = lab.nodes["shift3"].sink.desired.tests[0].port
    time.sleep(1.2)
    lab.cancel(given)
    # A second until the agent polls, and at most one more for the programs.
    assert gone(port, 2.5)
    mine = lab.ends(given)[Role.CLIENT]
    assert mine.state in (TestState.CANCELLED, TestState.PEER_GONE), "the other end may have gone first"
    assert isinstance(mine.result, TransferResult)


@pytest.mark.parametrize("role", [Role.SERVER, Role.CLIENT])
def test_agent_killed_during_a_test_leaves_no_program_and_reports_it_later(lab: Lab, role: Role) -> None:
    given = lab.begin(TcpSpec(duration_s=20, rate=5_000_000), (Role.CLIENT, Role.SERVER))
    for item, number in given.items():
        lab.nodes[ROLES[item]].running(number)
    port = lab.nodes["shift3"].sink.desired.tests[0].port
    time.sleep(0.5)
    assert len(programs(port)) == 2
    node = lab.nodes[ROLES[role]]
    node.agent.kill()
    assert gone(port, 3.0)
    other = Role.CLIENT if role is Role.SERVER else Role.SERVER
    assert lab.nodes[ROLES[other]].last(given[other]).state is TestState.PEER_GONE
    node.agent.start()
    last = node.last(given[role], 60)
    assert (last.state, "during the test" in last.detail) == (TestState.KILLED, True)
    assert programs(port) == []
