"""A real agent keeps a real route on a working gateway: faults, restarts, moves, holds and reports.

The network is the benchmark's: a node, two gateways on a port each, a target behind both.
"""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstay_agent.host.kernel.boot_time import FILE_VARIABLE
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
    HoldReport,
    LinuxSource,
    MoveReport,
    NodeHold,
    PathMove,
    PathReport,
    Report,
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

    def reports(self) -> list[Report]:
        with self.sink.lock:
            return [stored.report for stored in list(self.sink.stored.values())[self._since :]]

    def wait_for(self, what: Callable[[Report], bool], seconds: float = 15.0) -> Report:
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

    def hold(self, state: str, seconds: float = 15.0) -> HoldReport:
        found = self.wait_for(lambda r: isinstance(r, HoldReport) and r.state == state, seconds)
        assert isinstance(found, HoldReport)
        return found

    def command(self, *arguments: str) -> str:
        """Run `backstay-agent hold` on the node; its output."""
        argv = [sys.executable, "-m", "backstay_agent.cli", "hold", "--state", str(self.agent.state)]
        done = subprocess.run([*argv, *arguments], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def by_hand(self) -> None:
        """What an operator does who moves the prefix to gateway b."""
        self.lab.node.run("route", "replace", PREFIX, "via", "10.79.2.1", "dev", "pb")

    def stays(self, gateway: str, seconds: float) -> None:
        """The kernel forwards by this gateway all the time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.lab.leader() == gateway
            time.sleep(0.05)

    def reboot(self) -> None:
        """Another boot of this node: a new id; only the agent's own processes are started again."""
        self.agent.kill()
        boot_file(self.agent.state.parent).write_text(f"{time.monotonic_ns():032x}\n")
        self.agent.start()

    def want(self, **changes: object) -> None:
        """Change the desired state; the agent learns it with its next report."""
        with self.sink.lock:
            newer = self.sink.desired.generation + 1
            self.sink.desired = self.sink.desired.model_copy(update={"generation": newer, **changes})


def boot_file(folder: Path) -> Path:
    return folder / "boot_id"


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
    boot_file(folder).write_text("one\n")
    with lab() as built, pytest.MonkeyPatch.context() as environment:
        environment.setenv(FILE_VARIABLE, str(boot_file(folder)))
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
    deadline = time.monotonic() + 15
    while node.lab.leader() != "a":
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_manual_change_is_restored_and_reported(node: Node) -> None:
    node.agent.stop()  # a new process: nothing was reported within the last minute
    node.agent.start()
    node.decision("start", 30)
    time.sleep(1.5)
    node.by_hand()
    reported = node.decision("restored")
    assert (reported.from_gateway, reported.to_gateway, reported.times) == ("b", "a", 1)
    assert f"found {PREFIX} via 10.79.2.1 dev pb metric 0 (boot: set without a protocol" in reported.evidence
    assert f"instead of {PREFIX} via a; restored" in reported.evidence
    assert node.lab.leader() == "a"
    assert "10.79.2.1 dev pb \n" not in node.lab.routes()


def test_a_hold_set_on_the_node_keeps_its_routes_and_pauses_failover_until_it_ends(node: Node) -> None:
    assert "the agent leaves the managed routes alone" in node.command("15s", "--reason", "card swap")
    reported = node.hold("held")
    assert (reported.origin, reported.reason, reported.seconds) == ("node", "card swap", 15)
    assert 0 < (reported.until - reported.began) / 1e9 <= 15.5
    node.by_hand()
    node.stays("b", 2)
    node.lab.silent("b", lost=True)
    try:
        node.stays("b", 1.5)
    finally:
        node.lab.silent("b", lost=False)
    restored = node.decision("restored", 60)
    assert restored.at >= reported.until
    assert (restored.from_gateway, restored.to_gateway) == ("b", "a")
    assert f"the hold of {reported.by} is over (its time is over); found {PREFIX}" in restored.evidence
    assert node.hold("ended").detail == "its time is over"
    assert node.lab.leader() == "a"


def test_a_hold_of_the_backend_outlives_the_agent_and_a_reboot_until_it_is_withdrawn(node: Node) -> None:
    node.want(hold=NodeHold(id="7", by="alice", reason="card swap", seconds=600))
    first = node.hold("held", 30)
    assert (first.origin, first.by, first.hold) == ("backend", "alice", "7")
    node.by_hand()
    node.mark()
    node.agent.kill()
    node.agent.start()
    again = node.hold("held", 30)
    assert abs(again.until - first.until) < 2e9
    node.stays("b", 2)
    node.mark()
    node.reboot()
    assert abs(node.hold("held", 30).until - first.until) < 2e9
    node.stays("b", 2)
    node.want(hold=None)
    assert node.hold("ended", 30).detail == "ended early by the backend"
    assert "ended early by the backend" in node.decision("restored").evidence
    assert node.lab.leader() == "a"


def test_a_hold_of_the_backend_that_was_ended_on_the_node_does_not_begin_again(node: Node) -> None:
    node.want(hold=NodeHold(id="8", by="alice", seconds=600))
    node.hold("held", 30)
    node.by_hand()
    assert "restored now" in node.command("--end")
    assert node.hold("ended").detail == "ended on the node"
    node.decision("restored")
    node.mark()
    time.sleep(2.5)
    assert not [r for r in node.reports() if isinstance(r, HoldReport)]
    node.want(hold=None)


def test_a_hold_that_ends_while_no_agent_runs_is_over_when_one_starts(node: Node) -> None:
    node.command("3s")
    node.by_hand()
    node.agent.kill()
    time.sleep(3.5)
    assert node.lab.leader() == "b"
    node.agent.start()
    assert "its time is over" in node.decision("restored", 30).evidence
    assert node.hold("ended").detail == "its time is over"
    assert node.lab.leader() == "a"


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
