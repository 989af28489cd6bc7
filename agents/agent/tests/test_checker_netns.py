"""A real agent keeps a real route on a working gateway: faults, restarts, moves and reports.

The network is the benchmark's: a node, two gateways on a port each, a target behind both.
"""

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstay_agent.report_sink import AnyReport
from backstay_bench.failover import engines
from backstay_bench.failover.lab import PREFIX, Lab, lab
from backstay_testing.agent_process import AgentProcess
from backstay_testing.namespaces import Namespace, run_in
from backstay_testing.sink import Sink
from backstay_wire import (
    DecisionReport,
    Detection,
    Engine,
    EngineKind,
    LinuxSource,
    MoveReport,
    PathMove,
    PathReport,
    RoutingReport,
    Timers,
)

pytestmark = [pytest.mark.netns, pytest.mark.slow]
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]


class Node:
    """The agent's node and its backend."""

    def __init__(self, built: Lab, sink: Sink, agent: AgentProcess, config: Path) -> None:
        self.lab, self.sink, self.agent, self.config = built, sink, agent, config
        self._since = 0

    def mark(self) -> None:
        """Ignore reports received so far."""
        with self.sink.lock:
            self._since = len(self.sink.stored)

    def reports(self) -> list[AnyReport]:
        with self.sink.lock:
            return [stored.report for stored in list(self.sink.stored.values())[self._since :]]

    def wait_for(self, what: Callable[[AnyReport], bool], seconds: float = 15.0) -> AnyReport:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for report in self.reports():
                if what(report):
                    return report
            time.sleep(0.02)
        pytest.fail(f"the report did not come: {[report.kind for report in self.reports()]}")

    def decision(self, reason: str, seconds: float = 15.0) -> DecisionReport:
        found = self.wait_for(lambda r: isinstance(r, DecisionReport) and r.reason == reason, seconds)
        assert isinstance(found, DecisionReport)
        return found

    def move(self, state: str, seconds: float = 20.0) -> MoveReport:
        found = self.wait_for(lambda r: isinstance(r, MoveReport) and r.state == state, seconds)
        assert isinstance(found, MoveReport)
        return found

    def want(self, **changes: object) -> None:
        """Change the desired state; the agent learns it with its next report."""
        with self.sink.lock:
            newer = self.sink.desired.generation + 1
            self.sink.desired = self.sink.desired.model_copy(update={"generation": newer, **changes})


@pytest.fixture(scope="module")
def node(
    make_namespace: Callable[[], Namespace],
    start_agent: StartAgent,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Node]:
    make_namespace()  # skips where namespaces are unavailable
    folder = tmp_path_factory.mktemp("agent")
    config = folder / "routes"
    config.write_text("route add 10.79.77.0/24 via 10.79.1.1\n")
    with lab() as built:
        engines.set_routes(built)
        engine = Engine(kind=EngineKind.KERNEL, config=str(config))
        timers = Timers(hold_down_s=0, recover_after=4)
        desired = engines.desired(engine, Detection.CHECKER, timers)
        # Counter reports are frequent, so the agent learns a new desired state soon.
        desired.sources.append(LinuxSource(device="node", interval_s=0.3))
        sink = Sink(desired=desired)
        run_in(built.node, sink.start)
        agent = start_agent(folder, ["--backend", sink.url, "--token", sink.token], built.node.enter())
        found = Node(built, sink, agent, config)
        found.decision("start", 60)
        found.wait_for(lambda r: isinstance(r, PathReport) and r.target_alive is True, 30)
        yield found
        agent.stop()
        sink.stop()


@pytest.fixture(autouse=True)
def on_first(node: Node) -> None:
    """Every test starts on gateway a, after the last switch was measured and reported."""
    deadline = time.monotonic() + 30
    while node.lab.leader() != "a":
        assert time.monotonic() < deadline, "gateway a does not lead"
        time.sleep(0.1)
    time.sleep(0.6)
    node.mark()


@pytest.mark.parametrize(
    ("fault", "reason"), [("silent", "failed"), ("drop", "failed"), ("carrier", "carrier")]
)
def test_traffic_fails_over_and_back(node: Node, fault: str, reason: str) -> None:
    node.lab.faults[fault]("a", lost=True)
    try:
        reported = node.decision(reason)
        assert (reported.from_gateway, reported.to_gateway) == ("a", "b")
        assert node.lab.leader() == "b"
        if fault == "drop":
            lost = re.search(r"(\d+) of \1 probes to 10\.79\.99\.1 through a lost in", reported.evidence)
            assert lost is not None, reported.evidence
            assert int(lost[1]) >= 3
            assert "a itself answers" in reported.evidence
        measured = node.wait_for(
            lambda r: isinstance(r, PathReport) and r.switch is not None and r.switch.outage_ms is not None
        )
        assert isinstance(measured, PathReport)
        assert measured.switch is not None
        assert measured.switch.to_gateway == "b"
    finally:
        node.lab.faults[fault]("a", lost=False)
    back = node.decision("recovered", 60)
    assert (back.from_gateway, back.to_gateway) == ("b", "a")


def test_restarted_agent_keeps_the_active_gateway(node: Node) -> None:
    node.lab.silent("a", lost=True)
    try:
        node.decision("failed")
        node.agent.kill()
        node.mark()
        node.agent.start()
        reported = node.decision("start", 30)
        assert (reported.from_gateway, reported.to_gateway) == ("b", "b")
        assert "in agreement with the state file" in reported.evidence
    finally:
        node.lab.silent("a", lost=False)
    node.decision("recovered", 60)


def test_route_changed_by_another_program_is_restored(node: Node) -> None:
    node.lab.node.run(
        "route", "replace", PREFIX, "via", "10.79.2.1", "dev", "pb", "proto", "201", "metric", "60"
    )
    assert node.lab.leader() == "b"
    deadline = time.monotonic() + 15
    while node.lab.leader() != "a":
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_running_and_saved_state_is_reported_again_when_the_file_changes(node: Node) -> None:
    known = [r for r in node.sink.reports("routing") if isinstance(r, RoutingReport)]
    assert known[-1].alive
    hops = {str(hop.address): hop.preference for hop in known[-1].routes[0].hops}
    assert hops == {"10.79.1.1": 60, "10.79.2.1": 70}
    node.config.write_text("route add 10.79.78.0/24 via 10.79.1.1\n")
    reported = node.wait_for(lambda r: isinstance(r, RoutingReport) and "10.79.78.0" in r.files[0].text)
    assert isinstance(reported, RoutingReport)
    assert reported.digest != known[-1].digest
    assert reported.revision == 1


def test_move_ends_on_time_and_reports_its_outage(node: Node) -> None:
    move = PathMove(id="m1", policy="out", prefix=PREFIX, gateway="b", seconds=2)
    node.want(moves=[move])
    there = node.move("moved", 30)
    assert there.outage_ms is not None
    assert there.rtt_us is not None
    assert node.decision("moved").to_gateway == "b"
    back = node.move("returned", 30)
    assert back.outage_ms is not None
    assert (back.at - there.at) / 1e9 > 1.0
    assert node.lab.leader() == "a"
    node.want(moves=[])


def test_move_continues_after_a_restart(node: Node) -> None:
    node.want(moves=[PathMove(id="m2", policy="out", prefix=PREFIX, gateway="b", seconds=6)])
    node.move("moved", 30)
    began = time.monotonic()
    node.agent.kill()
    node.agent.start()
    node.mark()
    node.move("returned", 30)
    assert time.monotonic() - began < 15
    assert node.lab.leader() == "a"
    assert not [r for r in node.reports() if isinstance(r, MoveReport) and r.state == "moved"]
    node.want(moves=[])


def test_move_to_an_unreachable_gateway_is_refused(node: Node) -> None:
    node.lab.silent("b", lost=True)
    try:
        time.sleep(0.5)
        node.want(moves=[PathMove(id="m3", policy="out", prefix=PREFIX, gateway="b", seconds=5)])
        assert node.move("refused", 30).detail == "b does not answer"
        assert node.lab.leader() == "a"
    finally:
        node.lab.silent("b", lost=False)
        node.want(moves=[])


def test_move_without_a_managed_route_is_refused(node: Node) -> None:
    node.want(moves=[PathMove(id="m4", policy="other", prefix=PREFIX, gateway="b", seconds=5)])
    assert "no confirmed routing" in node.move("refused", 30).detail
    node.want(moves=[])


def test_busy_host_causes_no_failover(node: Node) -> None:
    busy = [
        subprocess.Popen(["/usr/bin/timeout", "3", "/usr/bin/yes"], stdout=subprocess.DEVNULL) for _ in "12"
    ]
    try:
        time.sleep(3)
    finally:
        for one in busy:
            one.wait()
    assert not [r for r in node.reports() if isinstance(r, DecisionReport)]
